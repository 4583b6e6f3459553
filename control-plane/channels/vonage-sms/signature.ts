import { createHash, createHmac } from 'node:crypto';
import { isEqualSecret } from '../../platform/secrets/secret-equality.ts';
import type { Settings } from './settings.ts';

/**
 * Fields without `sig`, sorted by name; `&` and `=` in values become `_`; an `&` stands before
 * each.
 */
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

/** Whether the `sig` among the fields is valid. */
export function isSigned(
  fields: Readonly<Record<string, string>>,
  settings: Pick<Settings, 'signature_method' | 'signature_secret'>,
): boolean {
  return isEqualSecret(fields.sig?.toLowerCase(), signatureOf(fields, settings));
}
