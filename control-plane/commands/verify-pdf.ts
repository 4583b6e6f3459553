import { readFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError } from 'commander';
import {
  type PdfSignature,
  pdfSignature,
  verifyPdf,
} from '../messaging/team-inbox/export/pdf/signing/signature.ts';
import {
  changePdfKey,
  listPdfKeys,
  openPdfSigners,
} from '../messaging/team-inbox/export/pdf/signing/signer.ts';
import { openSecrets } from '../platform/secrets/secrets.ts';
import { databaseUser, print, type Shape, UsageError } from './administration.ts';
import type { OpenCommandContext } from './context.ts';

interface Options extends Shape {
  readonly signature?: string;
  readonly key?: readonly Uint8Array[];
}

/** Exit codes of `verify-pdf`; 2 also when a file is not a signature file. */
const exits = { verified: 0, refused: 1, unreadable: 2 } as const;

/**
 * `verify-pdf` needs neither database nor settings, so anybody who has the file can run it.
 * `pdf-key` prints the keys to compare with.
 */
export function addVerifyPdf(program: Command, openContext: OpenCommandContext): void {
  program
    .command('verify-pdf <file>')
    .description('check an exported conversation (PDF or zip) against its signature')
    .option('--signature <file>', 'the signature (default: the file with .sig behind)')
    .option(
      '--key <public key>',
      'the key it must be signed with, as `pdf-key` prints it; more than one: any of them',
      (text: string, before: readonly Uint8Array[] = []) => [...before, rawKey(text)],
    )
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExit codes: 0 verified, 1 refused, 2 a file cannot be read.')
    .action(verify);
  program
    .command('pdf-key')
    .description('print the public key that this installation signs exported documents with')
    .option('--all', 'the keys it signed with before too, the newest first')
    .option('--new', 'make a key that signs from now on; earlier ones still prove what they signed')
    .option('--json', 'print JSON')
    .action((shape: KeyShape) =>
      databaseUser(openContext)(async ({ settings, clock, random }, { db, audit }) => {
        const { home, secretKey } = settings;
        const secrets = await openSecrets({ home, key: secretKey });
        const context = { db, secrets, clock, random };
        await openPdfSigners(context); // makes the first one
        if (shape.new) {
          await changePdfKey(context);
          await db.system((tx) => audit(tx, undefined, { action: 'pdf-key --new' }));
        }
        const keys = (await listPdfKeys(context)).map((each) => each.toString('base64'));
        const [public_key] = keys;
        const shown = shape.all ? keys : keys.slice(0, 1);
        print(shape, { algorithm: 'Ed25519', public_key, keys: shown }, shown.join('\n'));
      }),
    );
}

interface KeyShape extends Shape {
  readonly all?: boolean;
  readonly new?: boolean;
}

async function verify(path: string, options: Options): Promise<void> {
  const { signature: signaturePath = `${path}.sig`, key: keys = [] } = options;
  const found = await readBoth(path, signaturePath).catch((error: unknown) => {
    const { message } = error as Error;
    print(options, { verified: false, reason: message }, `NOT CHECKED: ${message}`);
  });
  if (found === undefined) {
    process.exitCode = exits.unreadable;
    return;
  }
  const { file, signature } = found;
  // The signature file names its key, which must be one of those in the command line.
  const wanted = keys.find((each) => Buffer.from(each).toString('base64') === signature.public_key);
  const verdict = await verifyPdf(file, signature, wanted ?? keys[0]);
  process.exitCode = exits[verdict.kind];
  const { key_id, public_key, sha256 } = signature;
  if (verdict.kind === 'refused') {
    const { reason } = verdict;
    print(options, { verified: false, reason, key_id, public_key, sha256 }, `REFUSED: ${reason}`);
    return;
  }
  const { isPinned } = verdict;
  const proves = isPinned ? provenByKey : provenAlone;
  const shown = { verified: true, key_pinned: isPinned, proves, key_id, public_key, sha256 };
  const word = isPinned ? 'VERIFIED' : 'CONSISTENT';
  print(options, shown, `${word}: ${proves}\nkey     ${public_key}\nSHA-256 ${sha256}`);
}

const provenByKey =
  'the owner of the key you named signed this file, and no byte has changed since.';
const provenAlone =
  'the file and its signature belong together, and no byte has changed since it was signed. ' +
  'Who signed it is NOT proved, as no --key was given: anybody can sign with a key of their own.';

async function readBoth(path: string, signaturePath: string) {
  const [file, text] = await Promise.all([readFile(path), readFile(signaturePath, 'utf8')]);
  return { file, signature: signatureIn(text, signaturePath) };
}

function signatureIn(text: string, path: string): PdfSignature {
  try {
    return pdfSignature.parse(JSON.parse(text));
  } catch {
    throw new UsageError(`${path} is no signature file`); // not JSON, or not of the expected form
  }
}

function rawKey(text: string): Uint8Array {
  const key = Buffer.from(text, 'base64');
  if (key.length === 32 && key.toString('base64') === text) return key;
  throw new InvalidArgumentError('the public key is needed, as `pdf-key` prints it');
}
