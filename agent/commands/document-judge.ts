import { createReadStream } from 'node:fs';
import { limits, type ParseFault, parse } from '@drawbridge/binding/parse.ts';
import type { CimObject } from '@drawbridge/cim/json.ts';
import type { DocumentType, Profile } from '@drawbridge/profiles/contract.ts';
import { type Report, Validator } from '@drawbridge/validation/validate.ts';
import type { Edge } from '../edge.ts';
import type { ErrorName } from '../errors.ts';
import type { Outcome } from '../output.ts';

type Failed = Extract<Outcome, { kind: 'failed' }>;
type Read = { readonly kind: 'read'; readonly bytes: Uint8Array } | Failed;

export type Judged =
  | { readonly kind: 'judged'; readonly type: DocumentType; readonly report: Report }
  | Failed;

/** The bytes of a file, or of standard input for `-`; a document over the limit is refused. */
export async function readDocument(file: string, edge: Edge): Promise<Read> {
  const stream = file === '-' ? edge.stdin : createReadStream(file);
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      length += chunk.length;
      if (length > limits.bytesMax) {
        return failed('document_too_large', `${file} has more than ${limits.bytesMax} bytes.`);
      }
      chunks.push(chunk);
    }
  } catch (error) {
    return failed('file_missing', `${file} cannot be read: ${(error as Error).message}.`);
  }
  return { kind: 'read', bytes: Buffer.concat(chunks) };
}

/**
 * The report on a document in UBL XML or in the JSON form of the CIM, which is completed first
 * when asked for.
 */
export function judgeDocument(bytes: Uint8Array, profile: Profile, isCompleted: boolean): Judged {
  const opening = new TextDecoder().decode(bytes.subarray(0, openingMax)).trimStart()[0];
  if (opening === undefined) return unreadable('The document is empty.');
  if (opening === '{' || opening === '[') return judgeJson(bytes, profile, isCompleted);
  if (isCompleted) {
    return failed('usage', '--complete is for a JSON document: XML is judged as it is.');
  }
  return judgeXml(bytes, profile);
}

/** Bytes in which the first character is looked for. */
const openingMax = 1_024;

function judgeXml(bytes: Uint8Array, profile: Profile): Judged {
  const { bindings } = profile;
  const parsed = parse(Object.values(bindings), bytes);
  if (parsed.kind === 'refused') return unreadable(faultText(parsed.fault));
  const xml = new TextDecoder().decode(bytes);
  const report = new Validator().judge(profile, { ...parsed, xml });
  const type = parsed.binding === bindings.invoice ? 'invoice' : 'credit-note';
  return { kind: 'judged', type, report };
}

function judgeJson(bytes: Uint8Array, profile: Profile, isCompleted: boolean): Judged {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    // SyntaxError, RangeError for what is nested too deep, TypeError for other than UTF-8.
    return unreadable(`The document is not JSON: ${(error as Error).message}.`);
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    return unreadable('The JSON is not one invoice: it must be an object.');
  }
  const cim = json as CimObject;
  const { type, ...report } = new Validator().validate(
    profile,
    isCompleted ? profile.complete(cim) : cim,
  );
  return { kind: 'judged', type, report };
}

function faultText({ message, line, column }: ParseFault): string {
  return line === undefined ? message : `${message} (line ${line}, column ${column})`;
}

function unreadable(cause: string): Failed {
  return failed('document_unreadable', cause);
}

function failed(error: ErrorName, cause: string): Failed {
  return { kind: 'failed', error, cause };
}
