import { lookup } from 'node:dns/promises';
import { isIP, Socket } from 'node:net';
import {
  type AddressPolicy,
  guardedLookup,
  isAllowedAddress,
  type Resolve,
  refusal,
} from './address.ts';

/**
 * A socket, not connected yet, that connects by `connect(port, host)` only, and only to addresses
 * that the policy allows; else it fails with `refusedCode`. For drivers that dial by themselves: a
 * name is judged by the very address that is then dialled, and a path to a local socket is none.
 */
export class GuardedSocket extends Socket {
  readonly #policy: AddressPolicy;
  readonly #resolve: Resolve;

  constructor(policy: AddressPolicy, resolve: Resolve = resolveAll) {
    super();
    this.#policy = policy;
    this.#resolve = resolve;
  }

  override connect(...given: unknown[]): this {
    const [port, host] = given;
    const isRefused =
      typeof port !== 'number' ||
      typeof host !== 'string' ||
      // For a literal address no name is looked up, so the look-up cannot judge it.
      (isIP(host) !== 0 && !isAllowedAddress(host, this.#policy));
    if (isRefused) return this.destroy(refusal());
    return super.connect({ port, host, lookup: guardedLookup(this.#policy, this.#resolve) });
  }
}

const resolveAll: Resolve = (host) => lookup(host, { all: true });
