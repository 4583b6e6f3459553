import { readFile } from 'node:fs/promises';
import { reveal } from '../config/secret-reference.ts';
import { type Failed, failed } from '../outcome.ts';
import type { Runtime } from '../runtime.ts';
import type { Settings } from '../settings.ts';
import { keyringOf } from '../store/home.ts';
import { textOfFile } from '../text-file.ts';

type ApiKey = { readonly kind: 'key'; readonly key: string } | Failed;

/** The variable that holds an API key, or names where one is kept. */
export const keyVariable = 'DRAWBRIDGE_API_KEY';

const lengthMax = 512;

/**
 * The API key of the person who acts: from a file, from the environment (itself, or `env:`, `file:` or
 * `keyring:` with its place), or asked on the terminal. It is not kept, and never on the command line, which others can read.
 */
export async function readApiKey(
  runtime: Runtime,
  settings: Settings,
  file: string | undefined,
): Promise<ApiKey> {
  const variable = runtime.env[keyVariable] ?? '';
  if (file !== undefined) return keyOf(await fileText(file), `${file} holds no API key.`);
  if (variable !== '') {
    const keyring = keyringOf(settings, runtime);
    const revealed = reveal(variable, { env: runtime.env, keyring: (name) => keyring.read(name) });
    return revealed.kind === 'secret'
      ? keyOf(revealed.value, `${keyVariable} holds no API key.`)
      : missing(`${keyVariable}: ${revealed.cause}.`);
  }
  if (!runtime.stdin.isTTY) return missing('No API key was given.');
  const { password } = await import('@inquirer/prompts');
  const typed = await password({ message: 'API key of the control plane (sk_…)', mask: true });
  return keyOf(typed, 'No API key was given.');
}

async function fileText(file: string): Promise<string> {
  try {
    return textOfFile(await readFile(file));
  } catch {
    return '';
  }
}

function keyOf(text: string, cause: string): ApiKey {
  const key = text.trim();
  const isKey = /^[\x21-\x7e]+$/.test(key) && key.length <= lengthMax;
  return isKey ? { kind: 'key', key } : missing(cause);
}

function missing(cause: string): Failed {
  return failed('api_key_missing', cause);
}
