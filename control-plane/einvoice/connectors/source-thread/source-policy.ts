import { type AddressPolicy, anywhere, publicOnly } from '../../../platform/outbound/address.ts';

/** Which servers are called for the tenants' sources. */
export function sourcePolicy(allowPrivate: boolean): AddressPolicy {
  return allowPrivate ? anywhere : publicOnly;
}
