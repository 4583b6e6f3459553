/** Calls to providers: the one place for time limits, address checks and tokens. */
import type { App, Channel, SendOutcome, WireRequest } from '../channels/contract.ts';
import type { Environment } from '../platform/auth/principal.ts';
import type { Clock } from '../platform/ids.ts';
import { type RequestTimes, unmeasured } from '../platform/metrics/request-times.ts';
import { anywhere, publicOnly } from '../platform/outbound/address.ts';
import { type OutboundOptions, openOutboundClient } from '../platform/outbound/client.ts';
import type { ChannelEndpoints } from './channel-endpoints.ts';
import { type Exchange, exchangeOf } from './wire.ts';

type Token =
  | { readonly kind: 'token'; readonly token: string | undefined }
  | Extract<SendOutcome, { kind: 'refused' | 'retry' }>;

export interface ProviderCalls {
  /** Never throws and never follows a redirect; the time and the size of the answer are limited. */
  exchange(environment: Environment, provider: string, request: WireRequest): Promise<Exchange>;
  /** The token for later calls, cached while it is valid; none where the provider wants none. */
  token(environment: Environment, channel: Channel, app: App): Promise<Token>;
  /** Forgets the token: the provider takes it no more. */
  dropToken(app: App): void;
  close(): Promise<void>;
}

const tokensKept = 10_000;

const callLimits: OutboundOptions = {
  headMs: 15_000,
  bodyIdleMs: 15_000,
  totalMs: 15_000,
  bodyBytesMax: 1_000_000,
  connectionsMax: 256,
};

/** Limits of one request, and where its time is measured. */
export interface ProviderCallsOptions {
  readonly limits?: OutboundOptions;
  readonly times?: RequestTimes;
}

export function openProviderCalls(
  endpoints: Pick<ChannelEndpoints, 'of'>,
  clock: Clock,
  { limits = callLimits, times = unmeasured }: ProviderCallsOptions = {},
): ProviderCalls {
  const client = openOutboundClient(limits);
  const tokens = new Map<string, { readonly token: string; readonly expiresAt: Date }>();

  async function exchange(
    environment: Environment,
    provider: string,
    request: WireRequest,
  ): Promise<Exchange> {
    // Addresses in the host's own file may be anywhere; addresses in a tenant's settings may not.
    const own = endpoints.of(environment, provider)?.url;
    const isOwn =
      own !== undefined &&
      URL.canParse(request.url) &&
      new URL(own).origin === new URL(request.url).origin;
    const endTime = times.begin({ environment, to: provider });
    const outcome = await client.send({ ...request, policy: isOwn ? anywhere : publicOnly });
    endTime(outcome.kind === 'answered' ? outcome.answer.status : outcome.kind);
    return exchangeOf(outcome);
  }

  return {
    exchange,
    token: async (environment, channel, app) => {
      const { authorization } = channel;
      if (authorization === undefined) return { kind: 'token', token: undefined };
      const key = tokenKey(app);
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
    dropToken: (app) => void tokens.delete(tokenKey(app)),
    close: () => client.close(),
  };
}

/** Other credentials mean another account, so the key contains them. */
function tokenKey({ id, endpoint, settings }: App): string {
  return `${id} ${endpoint} ${JSON.stringify(settings)}`;
}
