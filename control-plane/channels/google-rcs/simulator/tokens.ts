import { verify } from 'node:crypto';
import type { Call, Reply } from '../../../simulation/server.ts';
import type { Json } from '../../simulation/json.ts';

/** The service account of the sandbox's apps. */
export const email = 'agent@sandbox.example.com';

const tokenSeconds = 3_600;
const skewSeconds = 60;
const keysMax = 1_000;

/**
 * Google's token service: takes a signed assertion of the service account, and gives a token for an
 * hour.
 */
export class Tokens {
  /** Known once the server listens. */
  audience = '';
  /** Of the service account, which may have several. */
  readonly #publicKeys = new Set<string>();
  readonly #endings = new Map<string, number>();
  #serial = 0;

  constructor(publicKey: string) {
    this.trust(publicKey);
  }

  /** Adds a key of the service account; beyond the most that are kept, the oldest is dropped. */
  trust(publicKey: string): void {
    this.#publicKeys.add(publicKey);
    if (this.#publicKeys.size > keysMax) {
      this.#publicKeys.delete(this.#publicKeys.values().next().value!);
    }
  }

  give(call: Call, now: number): Reply {
    const form = new URLSearchParams(call.body.toString('utf8'));
    const [head = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.');
    const text = Buffer.from(`${head}.${claims}`);
    const proof = Buffer.from(signature, 'base64url');
    const payload = parsed(Buffer.from(claims, 'base64url'));
    const isGood =
      [...this.#publicKeys].some((key) => verify('RSA-SHA256', text, key, proof)) &&
      payload.iss === email &&
      payload.aud === this.audience &&
      String(payload.scope).endsWith('/auth/rcsbusinessmessaging') &&
      Number(payload.iat) <= now + skewSeconds &&
      Number(payload.exp) > now;
    if (!isGood) {
      const error_description = 'Invalid JWT Signature.';
      return { status: 400, body: { error: 'invalid_grant', error_description } };
    }
    this.#serial += 1;
    const access_token = `ya29.sandbox-${this.#serial}`;
    this.#endings.set(access_token, now + tokenSeconds);
    return { status: 200, body: { access_token, expires_in: tokenSeconds, token_type: 'Bearer' } };
  }

  isLive(call: Call, now: number): boolean {
    const token = call.headers.authorization?.replace('Bearer ', '') ?? '';
    return (this.#endings.get(token) ?? 0) > now;
  }
}

function parsed(bytes: Buffer): Json {
  try {
    return (JSON.parse(bytes.toString('utf8')) ?? {}) as Json;
  } catch {
    return {}; // not JSON: the same as no claims
  }
}
