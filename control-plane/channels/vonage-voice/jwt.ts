import { createHash, createHmac, createSign } from 'node:crypto';
import { isEqualSecret } from '../../platform/secrets/secret-equality.ts';
import type { Verification, WebhookRequest } from '../contract.ts';
import { jsonOf, numberOf, textOf } from '../untrusted-input.ts';
import type { VoiceAccount, VoiceContext } from '../voice-contract.ts';
import type { Settings } from './settings.ts';

const lifeSeconds = 900;
const ageMaxSeconds = 300;

/** `Authorization` of one request: a token that the application's key signs. */
export function bearer({ settings }: VoiceAccount<Settings>, { now, nonce }: VoiceContext) {
  const iat = Math.floor(now.getTime() / 1_000);
  const claims = {
    application_id: settings.application_id,
    iat,
    nbf: iat,
    exp: iat + lifeSeconds,
    jti: nonce,
  };
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}`;
  const signature = createSign('RSA-SHA256').update(text).sign(settings.private_key, 'base64url');
  return `Bearer ${text}.${signature}`;
}

/**
 * Whether Vonage made this request: its token is signed with the signature secret, is recent, and
 * contains the hash of this body. A GET has no body to hash.
 */
export function verify(
  request: WebhookRequest,
  { settings }: VoiceAccount<Settings>,
  now: Date,
): Verification {
  const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const [head = '', payload = '', offered = ''] = token.split('.');
  if (textOf(jsonOf(Buffer.from(head, 'base64url'))?.alg) !== 'HS256') return refused('no token');
  const expected = createHmac('sha256', settings.signature_secret)
    .update(`${head}.${payload}`)
    .digest('base64url');
  if (!isEqualSecret(offered, expected)) return refused('the signature does not match');
  const claims = jsonOf(Buffer.from(payload, 'base64url'));
  const age = now.getTime() / 1_000 - (numberOf(claims?.iat) ?? 0);
  if (Math.abs(age) > ageMaxSeconds) return refused('the token is too old or in the future');
  const of = textOf(claims?.application_id);
  if (of !== undefined && of !== settings.application_id) return refused('another application');
  const hash = createHash('sha256').update(request.body).digest('hex');
  const isBodyTheirs = isEqualSecret(textOf(claims?.payload_hash)?.toLowerCase(), hash);
  if (request.method === 'POST' && !isBodyTheirs) return refused('the body was changed');
  const once = textOf(claims?.jti);
  return once === undefined ? refused('the token has no jti') : { kind: 'ok', once };
}

function refused(reason: string): Verification {
  return { kind: 'refused', status: 401, reason };
}
