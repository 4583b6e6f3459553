/** Where a secret is kept, in the place of the secret: `env:NAME`, `file:PATH` or `keyring:NAME`. */
import { readFileSync } from 'node:fs';
import { textOfFile } from '../text-file.ts';

/** The forms, as errors and the published schema name them. */
export const referenceForms = 'env:NAME, file:PATH or keyring:NAME';
export const referencePattern = '^(env|file|keyring):.+$';

const pattern = /^(env|file|keyring):(.+)$/s;

export interface SecretSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The secret of that name that `drawbridge secret set` took; undefined when there is none. */
  keyring(name: string): string | undefined;
}

export type Revealed =
  | { readonly kind: 'secret'; readonly value: string }
  /** The cause names the reference, which is no secret. */
  | { readonly kind: 'missing'; readonly cause: string };

export function isReference(text: string): boolean {
  return pattern.test(text);
}

/** Reads what a reference names; a text that is none is the secret itself. */
export function reveal(text: string, sources: SecretSources): Revealed {
  const [, where, name] = pattern.exec(text) ?? [];
  if (where === undefined || name === undefined) return { kind: 'secret', value: text };
  const value = readFrom(where, name, sources);
  if (value !== undefined) return { kind: 'secret', value };
  return { kind: 'missing', cause: `${text} names no secret` };
}

function readFrom(where: string, name: string, sources: SecretSources): string | undefined {
  if (where === 'env') return sources.env[name];
  if (where === 'keyring') return sources.keyring(name);
  try {
    return textOfFile(readFileSync(name)).replace(/\r?\n$/, '');
  } catch {
    return undefined; // told by the path, as a file that is not there
  }
}
