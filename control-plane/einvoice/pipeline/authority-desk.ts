import type { ProfileId } from '@drawbridge/profiles/contract.ts';
import type {
  Authority,
  AuthorityContext,
  AuthorityEndpoint,
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

  batchMax(profile: ProfileId): number {
    return authorityOf(profile).batchMax;
  }

  /** Undefined when the environment has no endpoint for the authority: the documents wait. */
  async submit(
    profile: ProfileId,
    environment: Environment,
    documents: readonly OutboundDocument[],
  ): Promise<readonly SubmissionOutcome[] | undefined> {
    const context = this.#context(profile, environment);
    return context && storable(await authorityOf(profile).submit(documents, context));
  }

  async lookUp(
    profile: ProfileId,
    environment: Environment,
    documents: Parameters<Authority['lookUp']>[0],
  ): Promise<readonly SubmissionOutcome[] | undefined> {
    const context = this.#context(profile, environment);
    return context && storable(await authorityOf(profile).lookUp(documents, context));
  }

  #context(profile: ProfileId, environment: Environment): AuthorityContext | undefined {
    const endpoint = this.#endpoints[environment][authorityOf(profile).id];
    if (endpoint === undefined) return undefined;
    const cache = this.#caches.get(endpoint) ?? new Map();
    this.#caches.set(endpoint, cache);
    return { endpoint, exchange: exchangeWith(endpoint), clock: this.#clock, cache };
  }
}

function authorityOf(profile: ProfileId): Authority {
  return authorityById(profile === 'PINT-MY' ? 'myinvois' : 'peppol');
}
