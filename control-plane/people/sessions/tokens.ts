/** Session tokens: JWTs signed with EdDSA, accepted only in the environment that issued them. */
import { SignJWT } from 'jose';
import { verifiedClaims } from '../../platform/auth/signed-claims.ts';
import { algorithm, type SigningKeys } from '../../platform/auth/signing-keys.ts';
import type { Clock } from '../../platform/ids.ts';

export interface TokenPair {
  readonly access: string;
  readonly refresh: string;
}

export interface Claims {
  readonly user: string;
  readonly tenant: string;
  readonly session: string;
  readonly environment: string;
  /** The id of the refresh token, and so of the pair. */
  readonly id: string;
}

export interface Tokens {
  /** The same claims and moment give the same tokens. */
  pair(claims: Claims, issuedAt: Date): Promise<TokenPair>;
  /** The cookie of a browser's session, good for so long at most. */
  cookie(claims: Omit<Claims, 'id'>, lifeSeconds: number): Promise<string>;
  /**
   * The claims of a token of this kind; undefined when it is not ours, was changed, or has expired.
   */
  read(kind: TokenKind, token: string): Promise<Claims | undefined>;
}

/** The header's `typ`, so that a token of one kind is not accepted as the other. */
const kinds = { access: 'at+jwt', refresh: 'rt+jwt', cookie: 'bs+jwt' } as const;
type TokenKind = keyof typeof kinds;

export const lifeSeconds = { access: 900, refresh: 14 * 86_400 } as const;
const issuer = 'drawbridge';

export function tokensSignedBy(keys: SigningKeys, clock: Clock): Tokens {
  async function sign(
    kind: TokenKind,
    { user, tenant, session, environment, id }: Claims,
    issuedAt: Date,
    life: number,
  ) {
    const { id: kid, key } = await keys.newest();
    const at = Math.floor(issuedAt.getTime() / 1_000);
    return new SignJWT({ tenant, sid: session })
      .setProtectedHeader({ alg: algorithm, kid, typ: kinds[kind] })
      .setIssuer(issuer)
      .setAudience(environment)
      .setSubject(user)
      .setJti(id)
      .setIssuedAt(at)
      .setExpirationTime(at + life)
      .sign(key);
  }

  async function read(kind: TokenKind, token: string): Promise<Claims | undefined> {
    const claims = await verifiedClaims(keys, token, {
      issuer,
      typ: kinds[kind],
      currentDate: clock(),
      requiredClaims: ['sub', 'jti', 'exp', 'aud', 'sid'],
    });
    if (claims === undefined) return undefined;
    const { sub, jti, aud, sid, tenant } = claims;
    const ours = { user: sub, id: jti, environment: aud, session: sid, tenant };
    return ours as unknown as Claims; // we signed it, so it has our form
  }

  return {
    pair: async (claims, issuedAt) => ({
      access: await sign('access', claims, issuedAt, lifeSeconds.access),
      refresh: await sign('refresh', claims, issuedAt, lifeSeconds.refresh),
    }),
    cookie: (claims, life) => sign('cookie', { ...claims, id: claims.session }, clock(), life),
    read,
  };
}
