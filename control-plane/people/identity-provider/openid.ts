/**
 * OpenID Connect with the providers of workspaces, whose addresses strangers have written: every request goes out
 * through the outbound client, under its address policy and limits.
 *
 *     const openid = openOpenid({ clock, allowPrivate: false });
 *     const found = await openid.discover(provider);
 */
import { SingleFlight } from '@drawbridge/concurrency/single-flight.ts';
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose';
import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  ClientError,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  type CustomFetch,
  calculatePKCECodeChallenge,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  type IDToken,
  None,
  ResponseBodyError,
  type ServerMetadata,
  WWWAuthenticateChallengeError,
} from 'openid-client';
import type { Clock } from '../../platform/ids.ts';
import { anywhere, checkUrl, publicOnly } from '../../platform/outbound/address.ts';
import { openOutboundClient } from '../../platform/outbound/client.ts';
import type { Claims } from './person.ts';
import { printable } from './printable.ts';
import type { SignInProblem } from './problem.ts';

/** A provider as its workspace set it up. */
export interface OpenidProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
}

/** What a provider did not do as it should; `detail` is for the administrator. */
interface OpenidFault {
  readonly kind: 'fault';
  readonly problem: SignInProblem;
  readonly detail: string;
}

type Outcome<Value> = { readonly kind: 'done'; readonly value: Value } | OpenidFault;

/** What is sent along with somebody, and expected back. */
interface SignInChecks {
  readonly state: string;
  readonly nonce: string;
  /** The secret of PKCE. */
  readonly verifier: string;
  readonly redirectUri: string;
}

/** Whom a provider vouches for. */
export interface Vouched {
  readonly claims: Claims;
  /** As it came: it is shown to the provider again when the person signs out. */
  readonly idToken: string;
  /**
   * How long before the token the person showed the provider who they are, in milliseconds by the provider's own
   * clock; undefined: it does not say.
   */
  readonly authenticatedMsBefore: number | undefined;
}

export interface Openid {
  /** Why an address cannot be an issuer; undefined: it can. */
  refusalOf(issuer: string): string | undefined;
  discover(provider: OpenidProvider): Promise<Outcome<ServerMetadata>>;
  /** Where the browser goes to sign in; `more`: further parameters. */
  authorizationUrl(
    provider: OpenidProvider,
    checks: SignInChecks,
    more: Readonly<Record<string, string>>,
  ): Promise<Outcome<string>>;
  /**
   * Redeems the code of an answer: `url` is the redirect URI with what the provider added. Where the claims of
   * the token are not whole, the provider is asked for more.
   */
  redeem(
    provider: OpenidProvider,
    url: URL,
    checks: SignInChecks,
    isWhole: (claims: Claims) => boolean,
  ): Promise<Outcome<Vouched>>;
  /** The page that ends the provider's own session; undefined: it has none. */
  signOutUrl(
    provider: OpenidProvider,
    ended: { readonly idToken: string | undefined; readonly returnTo: string },
  ): Promise<Outcome<string | undefined>>;
  /** The claims of a token by which the provider says that somebody signed out. */
  readLogoutToken(provider: OpenidProvider, token: string): Promise<Outcome<JWTPayload>>;
  close(): Promise<void>;
}

export interface OpenidOptions {
  readonly clock: Clock;
  /** Whether private addresses may be asked, by http too. */
  readonly allowPrivate: boolean;
}

const limits = { headMs: 8_000, bodyIdleMs: 8_000, totalMs: 10_000, bodyBytesMax: 128 * 1_024 };
/** How far the clocks of providers may be off. */
const skewSeconds = 60;
/** For how long what a provider says of itself is not asked for again; keys are always. */
const discoveredMs = 5 * 60_000;
const discoveredMax = 200;
/** How old a notice of a sign-out may be. */
const logoutTokenSeconds = 300;
/** Years that a token may hold in its numbers are no dates: whoever was seen so long ago was not seen. */
const authenticatedMsMax = 3_650 * 86_400_000;
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';
/** Signed by the provider's key: never by the client's secret, and never `none`. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

export function openOpenid({ clock, allowPrivate }: OpenidOptions): Openid {
  const client = openOutboundClient(limits);
  const policy = allowPrivate ? anywhere : publicOnly;
  // Whoever waits for a provider that is silent shares one request to it.
  const discoveries = new SingleFlight<ServerMetadata>();
  const discovered = new Map<string, { readonly at: number; readonly metadata: ServerMetadata }>();

  const ask: CustomFetch = async (url, { method, headers, body, signal }) => {
    const outcome = await client.send({
      method: method as 'GET' | 'POST',
      url,
      headers,
      body: body instanceof URLSearchParams ? body.toString() : (body as string | undefined),
      policy,
      ...(signal === undefined ? {} : { signal }),
    });
    if (outcome.kind !== 'answered') throw new Unanswered(outcome.reason);
    const { status, headers: answered, body: bytes, bodyFault } = outcome.answer;
    if (bodyFault !== undefined) throw new Unanswered(bodyFault.reason);
    if (status < 200 || status > 599) throw new Unanswered(`it was answered with ${status}`);
    const isEmpty = status === 204 || status === 304;
    return new Response(isEmpty ? null : new Uint8Array(bytes), { status, headers: answered });
  };

  /** A configuration of its own for each exchange, so that a changed key is known at once. */
  function configure(provider: OpenidProvider, metadata: ServerMetadata): Configuration {
    const { clientId, clientSecret } = provider;
    const own = { [clockTolerance]: skewSeconds };
    const configuration = new Configuration(
      metadata,
      clientId,
      own,
      authenticationOf(clientSecret, metadata),
    );
    configuration[customFetch] = ask;
    if (allowPrivate) allowInsecureRequests(configuration);
    enableNonRepudiationChecks(configuration);
    return configuration;
  }

  async function metadataOf({ issuer, clientId }: OpenidProvider): Promise<ServerMetadata> {
    const now = clock().getTime();
    const known = discovered.get(issuer);
    if (known !== undefined && now >= known.at && now - known.at < discoveredMs) {
      return known.metadata;
    }
    return discoveries.join(issuer, () => askForMetadata(issuer, clientId, now));
  }

  async function askForMetadata(
    issuer: string,
    clientId: string,
    now: number,
  ): Promise<ServerMetadata> {
    const found = await discovery(new URL(issuer), clientId, {}, None(), {
      [customFetch]: ask,
      execute: allowPrivate ? [allowInsecureRequests] : [],
    });
    const { supportsPKCE: _, ...metadata } = found.serverMetadata();
    refuseOtherAddresses(metadata);
    discovered.delete(issuer);
    discovered.set(issuer, { at: now, metadata });
    if (discovered.size > discoveredMax) discovered.delete(discovered.keys().next().value!);
    return metadata;
  }

  /** A browser is sent to these: a script, or an address that nobody may call, is none. */
  function refuseOtherAddresses(metadata: ServerMetadata): void {
    const { authorization_endpoint: begin = '', end_session_endpoint: end } = metadata;
    for (const [name, url] of [
      ['authorization_endpoint', begin],
      ['end_session_endpoint', end],
    ] as const) {
      const verdict = url === undefined ? undefined : checkUrl(url, policy);
      if (verdict?.kind === 'refused') throw new Unfit(`its ${name} ${verdict.reason}`);
    }
  }

  async function attempt<Value>(
    provider: OpenidProvider,
    work: () => Promise<Value>,
  ): Promise<Outcome<Value>> {
    try {
      return { kind: 'done', value: await work() };
    } catch (error) {
      discovered.delete(provider.issuer); // it may have moved
      return faultOf(error);
    }
  }

  return {
    refusalOf: (issuer) => {
      const verdict = checkUrl(issuer, policy);
      if (verdict.kind === 'refused') return verdict.reason;
      return verdict.url.search === '' ? undefined : 'must not hold a query';
    },
    discover: (provider) => {
      discovered.delete(provider.issuer);
      return attempt(provider, () => metadataOf(provider));
    },
    authorizationUrl: (provider, { state, nonce, verifier, redirectUri }, more) =>
      attempt(provider, async () => {
        const { authorization_endpoint } = await metadataOf(provider);
        const url = new URL(authorization_endpoint!);
        const parameters = {
          response_type: 'code',
          client_id: provider.clientId,
          redirect_uri: redirectUri,
          state,
          nonce,
          code_challenge: await calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
          ...more,
        };
        for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
        return url.href;
      }),
    redeem: (provider, url, { state, nonce, verifier }, isWhole) =>
      attempt(provider, async () => {
        const metadata = await metadataOf(provider);
        const configuration = configure(provider, metadata);
        const tokens = await authorizationCodeGrant(configuration, url, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const stated = tokens.claims()!;
        const isAsked = metadata.userinfo_endpoint !== undefined && !isWhole(stated);
        const told = isAsked
          ? await fetchUserInfo(configuration, tokens.access_token, stated.sub)
          : {};
        return {
          claims: { ...told, ...stated },
          idToken: tokens.id_token!,
          authenticatedMsBefore: authenticatedMsBefore(stated),
        };
      }),
    signOutUrl: (provider, { idToken, returnTo }) =>
      attempt(provider, async () => {
        const { end_session_endpoint } = await metadataOf(provider);
        if (end_session_endpoint === undefined) return undefined;
        const url = new URL(end_session_endpoint);
        url.searchParams.set('client_id', provider.clientId);
        url.searchParams.set('post_logout_redirect_uri', returnTo);
        if (idToken !== undefined) url.searchParams.set('id_token_hint', idToken);
        return url.href;
      }),
    readLogoutToken: (provider, token) =>
      attempt(provider, async () => {
        const { jwks_uri = '' } = await metadataOf(provider);
        const answer = await ask(jwks_uri, {
          method: 'GET',
          headers: { accept: 'application/json' },
          body: undefined,
          redirect: 'manual',
        });
        if (!answer.ok) throw new Unanswered(`its keys were answered with ${answer.status}`);
        const keys = createLocalJWKSet((await answer.json()) as JSONWebKeySet);
        const { payload, protectedHeader } = await jwtVerify(token, keys, {
          issuer: provider.issuer,
          audience: provider.clientId,
          algorithms,
          clockTolerance: skewSeconds,
          maxTokenAge: logoutTokenSeconds,
          requiredClaims: ['jti', 'iat', 'events'],
        });
        const { typ } = protectedHeader;
        if (typ !== undefined && !/^(application\/)?(logout\+)?jwt$/i.test(typ)) {
          throw new Unfit(`it is a ${typ}, and no logout token`);
        }
        const { events, nonce } = payload as { events?: Record<string, unknown>; nonce?: unknown };
        const told = events?.[logoutEvent];
        if (typeof told !== 'object' || told === null) throw new Unfit('it tells of no sign-out');
        if (nonce !== undefined) throw new Unfit('it has a nonce, as only ID tokens may');
        return payload;
      }),
    close: () => client.close(),
  };
}

function authenticatedMsBefore({ iat, auth_time: at }: IDToken): number | undefined {
  if (at === undefined) return undefined;
  return Math.min(Math.max(0, iat - at) * 1_000, authenticatedMsMax);
}

/** A request that got no whole answer. The library hands a `TypeError` on as it is. */
class Unanswered extends TypeError {}

/** An answer that is not what it has to be. */
class Unfit extends Error {}

/** How the client shows its secret: as the provider says, the header where it does not matter. */
function authenticationOf(secret: string | undefined, metadata: ServerMetadata) {
  if (secret === undefined) return None();
  const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = metadata;
  return methods.includes('client_secret_basic')
    ? ClientSecretBasic(secret)
    : ClientSecretPost(secret);
}

/** Words for the administrator; nothing of them is shown to who signs in. */
function faultOf(error: unknown): OpenidFault {
  const fault = (problem: SignInProblem, detail: string): OpenidFault => ({
    kind: 'fault',
    problem,
    detail: printable(detail, detailMax),
  });
  if (error instanceof Unanswered) return fault('provider_unreachable', error.message);
  if (error instanceof AuthorizationResponseError) {
    const problem = error.error === 'access_denied' ? 'provider_denied' : 'provider_error';
    return fault(problem, `${error.error}: ${error.error_description ?? ''}`);
  }
  if (error instanceof WWWAuthenticateChallengeError) return fault('provider_error', error.message);
  if (error instanceof ResponseBodyError) {
    return fault('provider_error', `${error.error}: ${error.error_description ?? ''}`);
  }
  if (error instanceof ClientError) {
    const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
    return fault(
      'provider_answer_refused',
      `${error.message}${cause} (${error.code ?? 'no code'})`,
    );
  }
  const isTold =
    error instanceof Unfit ||
    error instanceof errors.JOSEError ||
    // What the library says of answers that are no JSON, and of addresses that are none.
    error instanceof TypeError ||
    error instanceof SyntaxError;
  if (isTold) return fault('provider_answer_refused', error.message);
  throw error;
}

const detailMax = 500;
