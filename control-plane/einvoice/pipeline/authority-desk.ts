import type {
  Authority,
  AuthorityContext,
  AuthorityEndpoint,
  InboundAnswer,
  Known,
  OutboundDocument,
  SubmissionOutcome,
} from '../../authorities/contract.ts';
import { authorityById } from '../../authorities/registry.ts';
import type { Environment } from '../../platform/auth/principal.ts';
import { storable } from '../../platform/db/storable.ts';
import type { Clock } from '../../platform/ids.ts';
import { exchangeWith } from './exchange.ts';

/** Where each authority is reached, by environment: the one thing in which environments differ. */
export type AuthorityEndpoints = Readonly<
  Record<Environment, Readonly<Partial<Record<string, AuthorityEndpoint>>>>
>;

/**
 * Sends to the authorities: endpoints, tokens and the wire; what is said is the adapters' matter.
 */
export class AuthorityDesk {
  readonly #endpoints: AuthorityEndpoints;
  readonly #clock: Clock;
  readonly #caches = new Map<AuthorityEndpoint, AuthorityContext['cache']>();

  constructor(endpoints: AuthorityEndpoints, clock: Clock) {
    this.#endpoints = endpoints;
    this.#clock = clock;
  }

  batchMax(authority: string): number {
    return authorityById(authority).batchMax;
  }

  /** Undefined when the environment has no endpoint for the authority: the documents wait. */
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

  /** Undefined when the environment has no endpoint for the network, or it gives no answers. */
  async responses(
    authority: string,
    environment: Environment,
    known: Known,
  ): Promise<readonly InboundAnswer[] | undefined> {
    const context = this.#context(authority, environment);
    return context && storable(await authorityById(authority).responses?.(context, known));
  }

  #context(authority: string, environment: Environment): AuthorityContext | undefined {
    const endpoint = this.#endpoints[environment][authority];
    if (endpoint === undefined) return undefined;
    const cache = this.#caches.get(endpoint) ?? new Map();
    this.#caches.set(endpoint, cache);
    return { endpoint, exchange: exchangeWith(endpoint), clock: this.#clock, cache };
  }
}
