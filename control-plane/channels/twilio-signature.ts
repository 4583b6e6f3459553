import { createHash, createHmac } from 'node:crypto';
import { parse, stringify } from 'node:querystring';
import { isEqualSecret } from '../platform/secrets/secret-equality.ts';
import type { WebhookRequest } from './contract.ts';

/**
 * Twilio reads this fragment of the report address and does not send it on. Without it, a report
 * that we answered with an error is never sent again.
 */
export const retries = '#rc=5&rp=5xx,ct,rt';

/**
 * Whether Twilio made this request. It signs the address and the form's fields. The default port
 * and the encoding of the query vary, and the fragment is not signed, so each form is tried.
 */
export function isSigned(request: WebhookRequest, authToken: string): boolean {
  const offered = request.headers['x-twilio-signature'];
  if (!URL.canParse(request.url)) return false;
  const bodyHash = new URL(request.url).searchParams.get('bodySHA256');
  if (bodyHash !== null) {
    const found = createHash('sha256').update(request.body).digest('hex');
    if (!isEqualSecret(found, bodyHash.toLowerCase())) return false;
  }
  const isForm = request.method === 'POST' && bodyHash === null;
  const fields = isForm ? fieldsOf(Buffer.from(request.body).toString()) : '';
  const verdicts = spellings(request.url).map((url) =>
    isEqualSecret(offered, signatureOf(authToken, url + fields)),
  );
  return verdicts.includes(true);
}

function signatureOf(authToken: string, text: string): string {
  return createHmac('sha1', authToken).update(text).digest('base64');
}

/** Names in order, each before each of its different values in order. */
function fieldsOf(form: string): string {
  const fields = new URLSearchParams(form);
  const names = [...new Set(fields.keys())].sort();
  return names
    .flatMap((name) => [...new Set(fields.getAll(name))].sort().map((value) => name + value))
    .join('');
}

function spellings(address: string): readonly string[] {
  const bare = new URL(address);
  bare.port = '';
  const url = new URL(address);
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  const withPort = bare.href.replace(bare.host, `${bare.host}:${port}`);
  const plain = [address, bare.href, withPort].flatMap((each) => [each, withPlainQuery(each)]);
  return [...plain, ...plain.map((each) => each + retries)];
}

/** The query as older libraries print it. */
function withPlainQuery(address: string): string {
  const at = address.indexOf('?');
  if (at < 0) return address;
  return `${address.slice(0, at)}?${stringify(parse(address.slice(at + 1)))}`;
}
