import type {
  Authority,
  AuthorityContext,
  AuthorityEndpoint,
  InboundAnswer,
  InboundDocument,
  Known,
  OutboundDocument,
  SubmissionOutcome,
} from '../../../authorities/contract.ts';
import { authorityById } from '../../../authorities/registry.ts';
import type { Environment } from '../../../platform/auth/principal.ts';
import { storable } from '../../../platform/db/storable.ts';
import type { Clock } from '../../../platform/ids.ts';
import { type RequestTimes, unmeasured } from '../../../platform/metrics/request-times.ts';
import {
  type OutboundClient,
  type OutboundOptions,
  openOutboundClient,
} from '../../../platform/outbound/client.ts';
import { exchangeLimits, exchangeWith } from './exchange.ts';

/** The endpoint of each authority by environment, which is all in which environments differ. */
export type AuthorityEndpoints = Readonly<
  Record<Environment, Readonly<Partial<Record<string, AuthorityEndpoint>>>>
>;

/** Limits of one request, and where its time is measured. */
export interface AuthorityGatewayOptions {
  readonly limits?: OutboundOptions;
  readonly times?: RequestTimes;
}

/**
 * Exchanges with the authorities: endpoints, tokens and HTTP. The adapters decide what is sent.
 */
export class AuthorityGateway {
  readonly #endpoints: AuthorityEndpoints;
  readonly #clock: Clock;
  readonly #client: OutboundClient;
  readonly #times: RequestTimes;
  readonly #caches = new Map<AuthorityEndpoint, AuthorityContext['cache']>();

  constructor(endpoints: AuthorityEndpoints, clock: Clock, options: AuthorityGatewayOptions = {}) {
    const { limits = exchangeLimits, times = unmeasured } = options;
    this.#endpoints = endpoints;
    this.#clock = clock;
    this.#client = openOutboundClient(limits);
    this.#times = times;
  }

  /** Aborts the exchanges under way. */
  close(): Promise<void> {
    return this.#client.close();
  }

  batchMax(authority: string): number {
    return authorityById(authority).batchMax;
  }

  /** Submits documents; undefined when the environment has no endpoint for the authority. */
  async submit(
    authority: string,
    environment: Environment,
    documents: readonly OutboundDocument[],
  ): Promise<readonly SubmissionOutcome[] | undefined> {
    const context = this.#context(authority, environment);
    return context && storable(await authorityById(authority).submit(documents, context));
  }

  async lookUp(
    authority: string,
    environment: Environment,
    documents: Parameters<Authority['lookUp']>[0],
  ): Promise<readonly SubmissionOutcome[] | undefined> {
    const context = this.#context(authority, environment);
    return context && storable(await authorityById(authority).lookUp(documents, context));
  }

  /** Reads buyers' answers; undefined when the network has no endpoint here or gives no answers. */
  async responses(
    authority: string,
    environment: Environment,
    known: Known,
  ): Promise<readonly InboundAnswer[] | undefined> {
    const context = this.#context(authority, environment);
    return context && storable(await authorityById(authority).responses?.(context, known));
  }

  /** Reads documents that came in; undefined when the network has no endpoint here or keeps none. */
  async documents(
    authority: string,
    environment: Environment,
    known: Known,
  ): Promise<readonly InboundDocument[] | undefined> {
    const context = this.#context(authority, environment);
    return context && storable(await authorityById(authority).documents?.(context, known));
  }

  /** Reads documents that the network brings; undefined when its secret does not prove that it is the one. */
  pushed(
    authority: string,
    environment: Environment,
    secret: string,
  ): ((body: string) => InboundDocument) | undefined {
    const endpoint = this.#endpoints[environment][authority];
    const read = endpoint && authorityById(authority).pushed?.(secret, endpoint);
    return read && ((body) => storable(read(body)));
  }

  #context(authority: string, environment: Environment): AuthorityContext | undefined {
    const endpoint = this.#endpoints[environment][authority];
    if (endpoint === undefined) return undefined;
    const cache = this.#caches.get(endpoint) ?? new Map();
    this.#caches.set(endpoint, cache);
    const begin = () => this.#times.begin({ environment, to: authority });
    const exchange = exchangeWith(endpoint, this.#client, begin);
    return { endpoint, exchange, clock: this.#clock, cache };
  }
}
