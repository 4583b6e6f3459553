/**
 * An OpenID provider of another maker, on the loopback address:
 *
 *     const provider = await startProvider({ redirect_uris: ['http://…'] });
 *     provider.people.set('amal', { email: 'amal@acme.example', email_verified: true, groups: ['finance'] });
 */
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import Provider, { type ClientMetadata, type JWK } from 'oidc-provider';

interface ProviderPerson {
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
  readonly groups?: readonly string[];
  /** How the person shows who they are. */
  readonly acr?: string;
}

export interface IdentityProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** By what they type as their login. */
  readonly people: Map<string, ProviderPerson>;
  close(): Promise<void>;
}

const client = { client_id: 'drawbridge', client_secret: 'a secret of the client, long enough' };

export async function startProvider(metadata: Partial<ClientMetadata>): Promise<IdentityProvider> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const people = new Map<string, ProviderPerson>();
  const provider = new Provider(issuer, {
    clients: [
      { ...client, grant_types: ['authorization_code'], response_types: ['code'], ...metadata },
    ],
    jwks: { keys: [freshKey()] },
    cookies: { keys: ['of the tests'] },
    scopes: ['openid', 'email', 'profile', 'groups'],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name'],
      groups: ['groups'],
      acr: null,
      auth_time: null,
    },
    acrValues: ['urn:mfa', 'urn:password'],
    ttl: { AccessToken: 600, Grant: 3_600, IdToken: 600, Interaction: 600, Session: 3_600 },
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) => {
          const button =
            '<button form="op.logoutForm" name="logout" value="yes">Yes, sign out</button>';
          ctx.body = page(`${form}${button}`);
        },
      },
    },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, id) => {
      const person = people.get(id);
      if (person === undefined) return undefined;
      const { acr: _acr, ...claims } = person;
      return { accountId: id, claims: async () => ({ sub: id, ...claims }) };
    },
    // Nobody is asked whether the client may know who they are.
    loadExistingGrant: async ({ oidc }) => {
      const { accountId } = oidc.session!;
      const grant = new provider.Grant({ clientId: oidc.client!.clientId, accountId: accountId! });
      grant.addOIDCScope('openid email profile groups');
      grant.addOIDCClaims(['acr', 'auth_time']);
      await grant.save();
      return grant;
    },
    // Its own guard against private addresses is in the way of a client on the loopback address.
    fetch: (url, { dispatcher: _, ...options } = {}) => globalThis.fetch(url, options),
  });
  const answer = provider.callback();
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void answer(request, response);
    interact(provider, people, request, response).catch(() => response.destroy());
  });
  return {
    issuer,
    clientId: client.client_id,
    clientSecret: client.client_secret,
    people,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Asks who it is, and believes it. */
async function interact(
  provider: Provider,
  people: ReadonlyMap<string, ProviderPerson>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method === 'GET') {
    const fields = '<label>Login <input name="login"></label><button>Continue</button>';
    const refuse = '<button name="refuse" value="yes">Refuse</button>';
    response.setHeader('content-type', 'text/html');
    response.end(page(`<form method="post" action="${request.url}">${fields}${refuse}</form>`));
    return;
  }
  const form = new URLSearchParams(await text(request));
  const accountId = form.get('login') ?? '';
  const { acr } = people.get(accountId) ?? {};
  const login = { accountId, ...(acr === undefined ? {} : { acr }) };
  const result = form.has('refuse') ? { error: 'access_denied' } : { login };
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
}

function page(body: string): string {
  return `<!doctype html><html lang="en"><title>Provider</title><h1>Provider</h1>${body}</html>`;
}

function freshKey(): JWK {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  return { ...privateKey.export({ format: 'jwk' }), kid: 'first', use: 'sig', alg: 'RS256' } as JWK;
}
