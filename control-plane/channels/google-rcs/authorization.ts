import { createSign } from 'node:crypto';
import type { Channel } from '../contract.ts';
import { outcomeOfStatus } from '../http-outcome.ts';
import { jsonOf, numberOf, textOf } from '../untrusted-input.ts';
import type { Settings } from './settings.ts';

const scope = 'https://www.googleapis.com/auth/rcsbusinessmessaging';
const assertionSeconds = 3_600;
/** Subtracted from a token's lifetime, so that no token expires during a request. */
const marginSeconds = 60;

/** A service account sends a signed assertion and gets a token for an hour. */
export const authorization: NonNullable<Channel<Settings>['authorization']> = {
  request: ({ settings }, now) => ({
    method: 'POST',
    url: settings.token_url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: assertionOf(settings, now),
    }).toString(),
  }),

  read(response, now) {
    const body = jsonOf(response.body);
    const token = textOf(body?.access_token);
    if (response.status === 200 && token !== undefined) {
      const seconds = (numberOf(body?.expires_in) ?? assertionSeconds) - marginSeconds;
      return { kind: 'token', token, expiresAt: new Date(now.getTime() + seconds * 1_000) };
    }
    const code = textOf(body?.error) ?? String(response.status);
    const detail = textOf(body?.error_description) ?? 'the token service gave no token';
    const outcome = outcomeOfStatus(response, now, { code, detail });
    if (outcome.kind === 'refused') return { ...outcome, action: 'stop-channel' };
    // Asking for a token sends no message, so asking again is always safe.
    const afterMs = 'afterMs' in outcome ? outcome.afterMs : undefined;
    return { kind: 'retry', reason: detail, ...(afterMs === undefined ? {} : { afterMs }) };
  },
};

function assertionOf(settings: Settings, now: Date): string {
  const iat = Math.floor(now.getTime() / 1_000);
  const claims = {
    iss: settings.service_account_email,
    scope,
    aud: settings.token_url,
    iat,
    exp: iat + assertionSeconds,
  };
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}`;
  const signature = createSign('RSA-SHA256').update(text).sign(settings.private_key, 'base64url');
  return `${text}.${signature}`;
}
