/** Calls to providers over the wire: one place for time limits, address checks and tokens. */
import { lookup } from 'node:dns/promises';
import { Agent, type Dispatcher } from 'undici';
import type { App, Channel, SendOutcome, WireRequest, WireResponse } from '../channels/contract.ts';
import type { Environment } from '../platform/auth/principal.ts';
import type { Clock } from '../platform/ids.ts';
import {
  type AddressPolicy,
  anywhere,
  checkUrl,
  guardedLookup,
  publicOnly,
} from '../platform/net/address.ts';
import type { ChannelEndpoints } from './channel-endpoints.ts';
import type { Exchange } from './wire.ts';

export type Token =
  | { readonly kind: 'token'; readonly token: string | undefined }
  | Extract<SendOutcome, { kind: 'refused' | 'retry' }>;

export interface ProviderCalls {
  /** Never throws, never follows a redirect, never waits or reads for long. */
  exchange(environment: Environment, provider: string, request: WireRequest): Promise<Exchange>;
  /** The token for further calls, kept while it is good; none where the provider wants none. */
  token(environment: Environment, channel: Channel, app: App): Promise<Token>;
  close(): Promise<void>;
}

const timeoutMs = 15_000;
const connectMs = 5_000;
const connectionsMax = 256;
const bodyBytesMax = 1_000_000;
const tokensKept = 10_000;

/** Errors of a connection that never came about. */
const unsentCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_ADDRESS_REFUSED',
]);

export function openProviderCalls(endpoints: ChannelEndpoints, clock: Clock): ProviderCalls {
  // What the host's own table names may be anywhere; what a tenant's settings name may not.
  const agents = { open: agentOf(anywhere), strict: agentOf(publicOnly) };
  const tokens = new Map<string, { readonly token: string; readonly expiresAt: Date }>();

  async function exchange(
    environment: Environment,
    provider: string,
    request: WireRequest,
  ): Promise<Exchange> {
    const own = endpoints.of(environment, provider)?.url;
    const isOwn = own !== undefined && originOf(own) === originOf(request.url);
    const verdict = checkUrl(request.url, isOwn ? anywhere : publicOnly);
    if (verdict.kind === 'refused') return { kind: 'unsent', reason: `address ${verdict.reason}` };
    const { origin, pathname, search } = verdict.url;
    try {
      const response = await (isOwn ? agents.open : agents.strict).request({
        ...{ origin, path: pathname + search, method: request.method },
        ...{ headers: { ...request.headers }, body: request.body ?? null },
        signal: AbortSignal.timeout(timeoutMs),
      });
      return { kind: 'answered', response: await read(response) };
    } catch (error) {
      const code = codeOf(error);
      return { kind: unsentCodes.has(code) ? 'unsent' : 'lost', reason: code };
    }
  }

  return {
    exchange,
    token: async (environment, channel, app) => {
      const { authorization } = channel;
      if (authorization === undefined) return { kind: 'token', token: undefined };
      // Other credentials are another account: the request made of them names it.
      const key = `${app.id} ${app.endpoint} ${JSON.stringify(app.settings)}`;
      const kept = tokens.get(key);
      if (kept !== undefined && kept.expiresAt > clock()) return { kind: 'token', ...kept };
      const request = authorization.request(app, clock());
      const answer = await exchange(environment, channel.id, request);
      if (answer.kind !== 'answered') return { kind: 'retry', reason: answer.reason };
      const outcome = authorization.read(answer.response, clock());
      if (outcome.kind !== 'token') return outcome;
      tokens.set(key, outcome);
      if (tokens.size > tokensKept) tokens.delete(tokens.keys().next().value!);
      return { kind: 'token', token: outcome.token };
    },
    close: async () => void (await Promise.all([agents.open.destroy(), agents.strict.destroy()])),
  };
}

function agentOf(policy: AddressPolicy): Agent {
  const resolve = (host: string) => lookup(host, { all: true });
  return new Agent({
    connect: { lookup: guardedLookup(policy, resolve), timeout: connectMs },
    connections: connectionsMax,
    allowH2: false,
    pipelining: 1,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    keepAliveTimeout: 10_000,
  });
}

async function read({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<WireResponse> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= bodyBytesMax) break; // leaving the loop closes the connection
  }
  const text = Buffer.concat(chunks).subarray(0, bodyBytesMax).toString('utf8');
  const entries = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return { status: statusCode, headers: Object.fromEntries(entries), body: text };
}

function originOf(url: string): string {
  return new URL(url).origin;
}

function codeOf(error: unknown): string {
  const { code, name } = error as { readonly code?: string; readonly name?: string };
  return code ?? name ?? 'unknown';
}
