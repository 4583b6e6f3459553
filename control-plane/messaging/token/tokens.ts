/** Session tokens: JWTs signed with EdDSA, good at the address that issued them and no other. */
import { decodeProtectedHeader, errors, jwtVerify, SignJWT } from 'jose';
import type { Clock } from '../../platform/ids.ts';
import { algorithm, type SigningKeys } from './signing-keys.ts';

export interface TokenPair {
  readonly access: string;
  readonly refresh: string;
}

export interface Claims {
  readonly user: string;
  readonly tenant: string;
  readonly session: string;
  readonly environment: string;
  /** Of the refresh token, and so of the pair. */
  readonly id: string;
}

export interface Tokens {
  pair(claims: Claims): Promise<TokenPair>;
  /** What a token of the kind says; undefined when it is not ours, was changed, or is over. */
  read(kind: TokenKind, token: string): Promise<Claims | undefined>;
}

/** Told apart in the header, so that none passes for the other. */
const kinds = { access: 'at+jwt', refresh: 'rt+jwt' } as const;
type TokenKind = keyof typeof kinds;

export const lifeSeconds = { access: 900, refresh: 14 * 86_400 } as const;
const issuer = 'drawbridge';
const skewSeconds = 30;

export function tokensSignedBy(keys: SigningKeys, clock: Clock): Tokens {
  function sign(kind: TokenKind, { user, tenant, session, environment, id }: Claims) {
    const { id: kid, key } = keys.current();
    const now = Math.floor(clock().getTime() / 1_000);
    return new SignJWT({ tenant, sid: session })
      .setProtectedHeader({ alg: algorithm, kid, typ: kinds[kind] })
      .setIssuer(issuer)
      .setAudience(environment)
      .setSubject(user)
      .setJti(id)
      .setIssuedAt(now)
      .setExpirationTime(now + lifeSeconds[kind])
      .sign(key);
  }

  async function read(kind: TokenKind, token: string): Promise<Claims | undefined> {
    const { kid } = decodeProtectedHeader(token);
    const key = kid === undefined ? undefined : await keys.publicKey(kid);
    if (key === undefined) return undefined;
    const { payload } = await jwtVerify(token, key, {
      ...{ issuer, typ: kinds[kind], algorithms: [algorithm], currentDate: clock() },
      ...{ clockTolerance: skewSeconds, requiredClaims: ['sub', 'jti', 'exp', 'aud', 'sid'] },
    });
    const { sub, jti, aud, sid, tenant } = payload;
    const said = { user: sub, id: jti, environment: aud, session: sid, tenant };
    return said as unknown as Claims; // signed by us, so it has the form we gave it
  }

  return {
    pair: async (claims) => ({
      access: await sign('access', claims),
      refresh: await sign('refresh', claims),
    }),
    read: (kind, token) => read(kind, token).catch(refusedOnly),
  };
}

/** What the caller sent is no token of ours; anything else is our fault and goes on. */
function refusedOnly(error: unknown): undefined {
  // A header that cannot be decoded is a TypeError of the library.
  if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
  throw error;
}
