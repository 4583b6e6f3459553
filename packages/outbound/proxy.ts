/**
 * Which requests go through a proxy: what `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` mean.
 *
 *   const proxies = { https: readProxy(env.HTTPS_PROXY), exceptions: readExceptions(env.NO_PROXY) };
 *   const proxy = proxyFor(proxies, { host: 'api.example.com', port: 443, isTls: true });
 */
import ipaddr from 'ipaddr.js';

/** A proxy that is asked for connections by CONNECT. */
export interface ForwardProxy {
  /** Whether the proxy itself is spoken to by TLS. */
  readonly isTls: boolean;
  /** A name or an address, without brackets. */
  readonly host: string;
  readonly port: number;
  /** The header that proves who asks; it is a secret. */
  readonly authorization: string | undefined;
}

/** What is reached without a proxy; a missing port means all. */
export type Exception =
  | { readonly kind: 'all' }
  /** Names that end so, after a dot; `isSelfToo`: the name itself as well. */
  | {
      readonly kind: 'name';
      readonly name: string;
      readonly isSelfToo: boolean;
      readonly port: number | undefined;
    }
  | {
      readonly kind: 'range';
      readonly range: readonly [ipaddr.IPv4 | ipaddr.IPv6, number];
      readonly port: number | undefined;
    };

/** The proxies of a host. */
export interface Proxies {
  /** For destinations with TLS, and for those without. */
  readonly https: ForwardProxy | undefined;
  readonly http: ForwardProxy | undefined;
  readonly exceptions: readonly Exception[];
}

/** Where a connection is to end. */
export interface Destination {
  /** A name or an address, with or without brackets. */
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
}

/** The destination of an http, https, ws or wss address. */
export function destinationOf(url: string): Destination {
  const { protocol, hostname, port } = new URL(url);
  const isTls = protocol === 'https:' || protocol === 'wss:';
  return { host: withoutBrackets(hostname), port: Number(port || (isTls ? 443 : 80)), isTls };
}

/** An address such as `http://user:password@proxy:3128`; undefined when the text is none. */
export function readProxy(text: string): ForwardProxy | undefined {
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(address)) return undefined;
  const { protocol, hostname, port, username, password, pathname } = new URL(address);
  if (protocol !== 'http:' && protocol !== 'https:') return undefined;
  if (hostname === '' || pathname !== '/') return undefined;
  const isTls = protocol === 'https:';
  let authorization: string | undefined;
  if (username !== '') {
    try {
      const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
      authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
    } catch {
      return undefined; // a percent sign that begins no escape
    }
  }
  const usualPort = isTls ? 443 : 80;
  return { isTls, host: withoutBrackets(hostname), port: Number(port || usualPort), authorization };
}

/**
 * What `NO_PROXY` lists, by commas or spaces: `*`, `example.com` (and names below it),
 * `.example.com` or `*.example.com` (names below it only), addresses and ranges (`10.0.0.0/8`,
 * `fd00::/8`), each with or without a port. Undefined when an entry is none of these.
 */
export function readExceptions(text: string): readonly Exception[] | undefined {
  const entries = text.split(/[\s,]+/).filter((entry) => entry !== '');
  const read = entries.map(readException);
  return read.every((one) => one !== undefined) ? read : undefined;
}

/** The proxy for a destination; undefined when it is reached without one. */
export function proxyFor(
  { https, http, exceptions }: Proxies,
  { host, port, isTls }: Destination,
): ForwardProxy | undefined {
  const proxy = isTls ? https : http;
  const name = withoutBrackets(host).toLowerCase().replace(/\.$/, '');
  const address = ipaddr.isValid(name) ? ipaddr.process(name) : undefined;
  if (name === 'localhost' || address?.range() === 'loopback') return undefined;
  return exceptions.some((one) => excepts(one, name, address, port)) ? undefined : proxy;
}

function readException(entry: string): Exception | undefined {
  if (entry === '*') return { kind: 'all' };
  const range = rangeOf(entry);
  if (range !== undefined) return { kind: 'range', range, port: undefined };
  const divided = /^(.+?)(?::(\d{1,5}))?$/.exec(entry);
  if (divided === null) return undefined;
  const port = divided[2] === undefined ? undefined : Number(divided[2]);
  const host = withoutBrackets(divided[1]!).toLowerCase();
  const own = rangeOf(host);
  if (own !== undefined) return { kind: 'range', range: own, port };
  const name = host.replace(/^\*?\./, '').replace(/\.$/, '');
  if (!/^[a-z\d_-]+(\.[a-z\d_-]+)*$/.test(name)) return undefined;
  return { kind: 'name', name, isSelfToo: !/^\*?\./.test(host), port };
}

function rangeOf(text: string): readonly [ipaddr.IPv4 | ipaddr.IPv6, number] | undefined {
  const bare = withoutBrackets(text);
  // isValid takes old forms too, such as 10.1 for 10.0.0.1, which here is a name.
  if (ipaddr.IPv4.isValidFourPartDecimal(bare) || ipaddr.IPv6.isValid(bare)) {
    const address = ipaddr.process(bare);
    return [address, address.kind() === 'ipv4' ? 32 : 128];
  }
  return ipaddr.isValidCIDR(text) ? ipaddr.parseCIDR(text) : undefined;
}

function excepts(
  exception: Exception,
  name: string,
  address: ipaddr.IPv4 | ipaddr.IPv6 | undefined,
  port: number,
): boolean {
  if (exception.kind === 'all') return true;
  if (exception.port !== undefined && exception.port !== port) return false;
  if (exception.kind === 'name') {
    const isSelf = exception.isSelfToo && name === exception.name;
    return isSelf || name.endsWith(`.${exception.name}`);
  }
  const [network, bits] = exception.range;
  return address !== undefined && address.kind() === network.kind() && address.match(network, bits);
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}
