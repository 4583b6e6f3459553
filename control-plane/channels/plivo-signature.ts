import { createHmac } from 'node:crypto';
import { isEqualSecret } from '../platform/secrets/secret-equality.ts';
import type { WebhookRequest } from './contract.ts';

/**
 * Whether Plivo made this request (signature V3). The header has one signature for each live token.
 */
export function isSigned(request: WebhookRequest, authToken: string): boolean {
  const nonce = request.headers['x-plivo-signature-v3-nonce'];
  const offered = request.headers['x-plivo-signature-v3'];
  if (nonce === undefined || offered === undefined) return false;
  const expected = signatureOf(request, nonce, authToken);
  return offered.split(',').some((each) => isEqualSecret(each.trim(), expected));
}

/** The signature V3 of a request. */
export function signatureOf(request: WebhookRequest, nonce: string, authToken: string): string {
  const text = `${signedText(request)}.${nonce}`;
  return createHmac('sha256', authToken).update(text).digest('base64');
}

/** The path stays encoded, the query is decoded, and a `?` alone before a form's fields stays. */
function signedText({ method, url, body }: WebhookRequest): string {
  const at = url.indexOf('?');
  // All that follows the first one: what a second one follows is signed too.
  const [base, query] = at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)];
  const fields = new URLSearchParams(Buffer.from(body).toString());
  const asked = new URLSearchParams(query);
  if (method === 'GET') {
    for (const [name, value] of fields) asked.append(name, value);
    return asked.size === 0 ? base : `${base}?${sorted(asked, '=', '&')}`;
  }
  const part = sorted(asked, '=', '&');
  if (fields.size === 0) return part === '' ? base : `${base}?${part}`;
  const dot = part === '' ? '' : '.';
  return `${base}?${part}${dot}${sorted(fields, '', '')}`;
}

function sorted(fields: URLSearchParams, joint: string, glue: string): string {
  const names = [...new Set(fields.keys())].sort();
  const rows = names.flatMap((name) =>
    fields
      .getAll(name)
      .sort()
      .map((value) => name + joint + value),
  );
  return rows.join(glue);
}
