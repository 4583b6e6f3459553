import type { Command } from 'commander';
import { failed, type Outcome } from '../outcome.ts';
import type { Runtime } from '../runtime.ts';
import { keyringOf, openHome } from '../store/home.ts';
import { secretName } from '../store/keyring.ts';
import { addAction, type CommandContext, command } from './command.ts';

export function secretCommand(runtime: Runtime): Command {
  const group = command({
    name: 'secret',
    summary: 'Keep secrets that settings name as keyring:NAME.',
    examples: ['drawbridge secret set erp-password < password.txt'],
  });
  for (const one of [secretSetCommand, secretListCommand, secretRemoveCommand]) {
    group.addCommand(one(runtime));
  }
  return group;
}

const lengthMax = 10_000;

function secretSetCommand(runtime: Runtime): Command {
  const target = command({
    name: 'set',
    summary: 'Seal a secret in the home folder, or hand it to the keyring of the system.',
    examples: [
      'drawbridge secret set erp-password < password.txt',
      'drawbridge secret set erp-password --system',
    ],
  })
    .argument('<name>', 'the NAME of keyring:NAME')
    .option(
      '--system',
      'keep it in the keyring of the system (libsecret, keychain, DPAPI), not in the home folder',
      false,
    );
  return addAction(target, runtime, set);
}

async function set(context: CommandContext, options: { system: boolean }, name: string) {
  const { runtime, settings } = context;
  const named = secretName.safeParse(name);
  if (!named.success) return failed('usage', `<name>: ${named.error.issues[0]!.message}.`);
  const home = openHome(settings, runtime);
  if (home.kind === 'failed') return home.outcome;
  const secret = await readSecret(runtime);
  if (secret === '') return failed('usage', 'Give the secret on standard input.');
  const where = options.system ? 'system' : 'sealed-file';
  const written = keyringOf(settings, runtime).write(name, secret, where);
  if (written === 'unreadable') return unreadable;
  if (written === 'no-keyring') {
    return failed('keyring_missing', 'No keyring of this session takes a secret.');
  }
  const shown = `Kept. Settings name it as keyring:${name}.`;
  return { kind: 'done', data: { name, where }, shown } satisfies Outcome;
}

const unreadable = failed('vault_unreadable', 'The secrets do not open with the key file.');

async function readSecret({ stdin }: Runtime): Promise<string> {
  if (stdin.isTTY) {
    const { password } = await import('@inquirer/prompts');
    return password({ message: 'Secret', mask: true });
  }
  let text = '';
  for await (const chunk of stdin) {
    text += String(chunk);
    if (text.length > lengthMax) return '';
  }
  return text.replace(/\r?\n$/, '');
}

function secretListCommand(runtime: Runtime): Command {
  const target = command({
    name: 'list',
    summary: 'List the names of the secrets that the home folder keeps.',
    examples: ['drawbridge secret list --json'],
  });
  return addAction(target, runtime, async ({ settings }) => {
    const home = openHome(settings, runtime);
    if (home.kind === 'failed') return home.outcome;
    const names = keyringOf(settings, runtime).names();
    if (names === undefined) return unreadable;
    const rows = names.map((name) => [name]);
    const none = 'No secret is kept: `drawbridge secret set NAME` takes one.';
    return { kind: 'done', data: names, shown: { head: ['name'], rows, none } };
  });
}

function secretRemoveCommand(runtime: Runtime): Command {
  const target = command({
    name: 'remove',
    summary: 'Forget a secret.',
    examples: ['drawbridge secret remove erp-password'],
  }).argument('<name>', 'the NAME of keyring:NAME');
  return addAction(target, runtime, async ({ settings }, _: object, name) => {
    const home = openHome(settings, runtime);
    if (home.kind === 'failed') return home.outcome;
    const removed = keyringOf(settings, runtime).remove(name);
    if (removed === 'unreadable') return unreadable;
    if (removed === 'removed') {
      return { kind: 'done', data: { name, removed: true }, shown: 'Removed.' };
    }
    return failed('secret_missing', `There is no secret named "${name}".`);
  });
}
