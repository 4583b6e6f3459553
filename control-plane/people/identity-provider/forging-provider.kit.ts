/** A provider that says whatever a test wants it to say, on the loopback address. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';

export type Claims = Readonly<Record<string, unknown>>;

/** How the next ID token differs from a good one. */
export interface Forgery {
  /** Claims in the place of those that a good one has; undefined: left out. */
  readonly claims?: Claims;
  /**
   * `foreign`: by a key that the provider does not name. `public key`, `client secret`: as if it were a secret of
   * both (HS256).
   */
  readonly signed?: 'own' | 'foreign' | 'none' | 'public key' | 'client secret';
}

export interface ForgingProvider {
  readonly issuer: string;
  /** Whom the next code is for, and what is wrong with the token. */
  next(nonce: string | null, claims: Claims, forgery?: Forgery): void;
  /** A new key in the place of the one before. */
  rotateKey(): Promise<void>;
  /** A logout token about somebody. */
  logoutToken(claims: Claims, forgery?: Forgery): Promise<string>;
  /** What it says of itself, in the place of what is right. */
  readonly metadata: Record<string, unknown>;
  /** Answers in its place, by path such as `/keys`. */
  readonly instead: Map<string, (response: ServerResponse) => void>;
  /** Bodies of the token requests that came. */
  readonly redeemed: string[];
  /** How often its keys were asked for, and what it says of itself. */
  keysAsked(): number;
  discoveries(): number;
  close(): Promise<void>;
}

const clientId = 'drawbridge';
export const clientSecret = 'of the client';
const event = 'http://schemas.openid.net/event/backchannel-logout';

export async function startForgingProvider(): Promise<ForgingProvider> {
  let key = await freshKey('first');
  const foreign = await freshKey('first');
  const metadata: Record<string, unknown> = {};
  const instead: ForgingProvider['instead'] = new Map();
  const redeemed: string[] = [];
  let asked = 0;
  let discoveries = 0;
  let keys = 1;
  let token: () => Promise<string> = () => Promise.reject(new Error('no code was given out'));

  const server = createServer(async (request, response) => {
    const answer = (body: unknown) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(body));
    };
    const other = instead.get(request.url ?? '');
    if (other !== undefined) return other(response);
    if (request.url === '/.well-known/openid-configuration') {
      discoveries += 1;
      return answer({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        end_session_endpoint: `${issuer}/sign-out`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256', 'none', 'HS256'],
        authorization_response_iss_parameter_supported: true,
        ...metadata,
      });
    }
    if (request.url === '/keys') {
      asked += 1;
      return answer({ keys: [key.public] });
    }
    let body = '';
    for await (const chunk of request) body += chunk;
    redeemed.push(body);
    answer({ access_token: 'at', token_type: 'bearer', id_token: await token() });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function sign(claims: Claims, { signed = 'own' }: Forgery, typ: string): Promise<string> {
    if (signed === 'none') return new UnsecuredJWT({ ...claims }).encode();
    if (signed === 'public key' || signed === 'client secret') {
      const secret = signed === 'public key' ? key.pem : clientSecret;
      const header = { alg: 'HS256', kid: key.kid, typ };
      return new SignJWT({ ...claims }).setProtectedHeader(header).sign(Buffer.from(secret));
    }
    const { private: by, kid } = signed === 'own' ? key : foreign;
    return new SignJWT({ ...claims }).setProtectedHeader({ alg: 'RS256', kid, typ }).sign(by);
  }

  return {
    issuer,
    metadata,
    instead,
    redeemed,
    keysAsked: () => asked,
    discoveries: () => discoveries,
    next: (nonce, claims, forgery = {}) => {
      token = () => {
        const now = Math.floor(Date.now() / 1_000);
        const good = { iss: issuer, aud: clientId, iat: now, exp: now + 300, nonce, ...claims };
        return sign(withoutUndefined({ ...good, ...forgery.claims }), forgery, 'JWT');
      };
    },
    rotateKey: async () => {
      keys += 1;
      key = await freshKey(`key ${keys}`);
    },
    logoutToken: (claims, forgery = {}) => {
      const now = Math.floor(Date.now() / 1_000);
      const good = {
        iss: issuer,
        aud: clientId,
        iat: now,
        exp: now + 120,
        events: { [event]: {} },
      };
      const all = { ...good, jti: crypto.randomUUID(), ...claims, ...forgery.claims };
      return sign(withoutUndefined(all), forgery, 'logout+jwt');
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function withoutUndefined(claims: Claims): Claims {
  return Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined));
}

async function freshKey(kid: string) {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const jwk = await exportJWK(publicKey);
  const pem = await exportSPKI(publicKey);
  return { kid, pem, private: privateKey, public: { ...jwk, kid, use: 'sig', alg: 'RS256' } };
}
