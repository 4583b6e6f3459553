/**
 * Which addresses a customer may have us call. A name is resolved once, refused when any of its
 * addresses is not public, and the connection is made to the very address that was checked, so that
 * a second answer of the name server changes nothing (DNS rebinding).
 */
import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Which addresses may be called. */
export interface AddressPolicy {
  /** Whether http is allowed beside https. */
  readonly http: boolean;
  /** Ranges that may be called although they are not public. */
  readonly networks: readonly Range[];
  /** Whether ports below 1024 may be called that belong to other services than HTTP. */
  readonly anyPort?: boolean;
}

/** Whether a URL may be called, or why not. */
export type UrlVerdict =
  | { readonly kind: 'allowed'; readonly url: URL }
  | { readonly kind: 'refused'; readonly reason: string };

/** Looks up all addresses of a host name; rejects like `dns.lookup`. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

/** Public addresses over https only: for URLs that a customer gave. */
export const publicOnly: AddressPolicy = { http: false, networks: [] };
/** For who runs the service for themself alone. */
export const anywhere: AddressPolicy = { http: true, networks: ranges(['0.0.0.0/0', '::/0']) };
/** What the operator has named in the settings. */
export const operatorNamed: AddressPolicy = { ...anywhere, anyPort: true };
/** As `publicOnly`, with http and this machine: for webhooks of the sandbox. */
export const loopbackToo: AddressPolicy = {
  http: true,
  networks: ranges(['127.0.0.0/8', '::1/128']),
};

/** The `code` of the error a connection fails with when its address is refused. */
export const refusedCode = 'ERR_ADDRESS_REFUSED';

const urlLengthMax = 2_000;
const unprivilegedPort = 1_024;
const namesOfOurOwn = /(^|\.)(localhost|local|internal|home\.arpa)\.?$/;

// IANA's special-purpose registries: what is not reachable from everywhere, or is a door to it.
const blockedV4 = ranges([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]);
// Only 2000::/3 is given out to the world; that leaves fc00::/7, fe80::/10, 64:ff9b::/96 and all
// else outside.
const publicV6 = ranges(['2000::/3']);
const blockedV6 = ranges(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);

/** Judges a URL by what it says; a name that it holds is judged when it is resolved. */
export function checkUrl(text: string, policy: AddressPolicy): UrlVerdict {
  if (text.length > urlLengthMax || !URL.canParse(text)) return refused('is not a URL');
  const url = new URL(text); // writes decimal, octal and hex IPv4 hosts in dotted form
  if (url.protocol !== 'https:' && !(policy.http && url.protocol === 'http:')) {
    return refused(policy.http ? 'must be https or http' : 'must be https');
  }
  if (url.username !== '' || url.password !== '')
    return refused('must not hold a user or password');
  if (url.hash !== '') return refused('must not hold a fragment');
  const port = Number(url.port || 443);
  const isOfOthers = port !== 80 && port !== 443 && port < unprivilegedPort;
  if (isOfOthers && policy.anyPort !== true) {
    return refused('names a port that belongs to another service');
  }
  return isAllowedHost(literalOf(url), policy)
    ? { kind: 'allowed', url }
    : refused('leads to a private or reserved address');
}

/** Whether a host may be called, by what it is called; what a name leads to is judged when it is resolved. */
export function isAllowedHost(host: string, policy: AddressPolicy): boolean {
  if (ipaddr.isValid(host)) return isAllowedAddress(host, policy);
  const isName = !host.includes('/'); // a path would be that of a local socket
  return isName && (!namesOfOurOwn.test(host) || policy.networks.length > 0);
}

/** True when this IP address may be called. */
export function isAllowedAddress(text: string, policy: AddressPolicy): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text); // ::ffff:a.b.c.d is a.b.c.d
  if (isWithin(address, policy.networks)) return true;
  return address.kind() === 'ipv4'
    ? !isWithin(address, blockedV4)
    : isWithin(address, publicV6) && !isWithin(address, blockedV6);
}

/**
 * A `lookup` for sockets. (For a literal address it is never called: that is `checkUrl`'s part.)
 */
export function guardedLookup(policy: AddressPolicy, resolve: Resolve): LookupFunction {
  return (host, options, done) => {
    resolve(host).then(
      (found) => {
        const [first] = found;
        const isRefused = found.some(({ address }) => !isAllowedAddress(address, policy));
        if (first === undefined || isRefused) done(refusal(), '', 0);
        else if (options.all) done(null, [...found]);
        else done(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => done(error, '', 0),
    );
  };
}

function literalOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

function refused(reason: string): UrlVerdict {
  return { kind: 'refused', reason };
}

/** The error of a connection that was not made. */
export function refusal(): NodeJS.ErrnoException {
  return Object.assign(new Error('the address is not a public one'), { code: refusedCode });
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = readonly [Address, number];

function ranges(texts: readonly string[]): readonly Range[] {
  return texts.map((text) => ipaddr.parseCIDR(text));
}

function isWithin(address: Address, among: readonly Range[]): boolean {
  return among.some(
    ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
  );
}
