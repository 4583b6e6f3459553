import { createHash, createHmac } from 'node:crypto';
import { isSame } from '../proof.ts';
import type { Settings } from './settings.ts';

/** Fields without `sig`, by name, `&` and `=` in values made `_`, each after an `&`. */
function signedText(fields: Readonly<Record<string, string>>): string {
  const names = Object.keys(fields).filter((name) => name !== 'sig');
  return names
    .sort((a, b) => (a < b ? -1 : 1))
    .map((name) => `&${name}=${(fields[name] ?? '').replace(/[&=]/g, '_')}`)
    .join('');
}

/** The signature of a request in either direction, in lower-case hexadecimal. */
export function signatureOf(
  fields: Readonly<Record<string, string>>,
  { signature_method, signature_secret }: Pick<Settings, 'signature_method' | 'signature_secret'>,
): string {
  const text = signedText(fields);
  return signature_method === 'md5hash'
    ? createHash('md5')
        .update(text + signature_secret)
        .digest('hex')
    : createHmac(signature_method, signature_secret).update(text).digest('hex');
}

/** Whether `sig` among the fields is true. */
export function isSigned(
  fields: Readonly<Record<string, string>>,
  settings: Pick<Settings, 'signature_method' | 'signature_secret'>,
): boolean {
  return isSame(fields.sig?.toLowerCase(), signatureOf(fields, settings));
}
