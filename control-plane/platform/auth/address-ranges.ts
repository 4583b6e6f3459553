/**
 * Addresses of callers, and the ranges in which they may lie. A socket that takes IPv4 and IPv6 calls an
 * IPv4 caller ::ffff:203.0.113.9: that is the same address, and it is written as IPv4.
 */
import ipaddr from 'ipaddr.js';
import { z } from 'zod';

const inner = (pattern: RegExp) => pattern.source.replace(/^\^/, '').replace(/\$$/, '');
const ipv4 = inner(z.regexes.ipv4);
const ipv6 = `(?:${inner(z.regexes.ipv6)}|::[fF]{4}:${ipv4})`;

/** An address or a range as a request writes it: the very pattern of the OpenAPI file. */
export const addressRange = z
  .string()
  .regex(
    new RegExp(
      `^(?:${ipv4}(?:/(?:[12]?[0-9]|3[0-2]))?|${ipv6}(?:/(?:[1-9]?[0-9]|1[01][0-9]|12[0-8]))?)$`,
    ),
    'must be an address or a range, such as 203.0.113.9, 203.0.113.0/24 or 2001:db8::/32',
  );

/** The address in its plain form; what is none stays. */
export function plainAddress(text: string): string {
  return ipaddr.isValid(text) && isMapped(ipaddr.parse(text))
    ? ipaddr.process(text).toString()
    : text;
}

/** The CIDR form of an address or range as a person writes it; undefined when it is neither. */
export function cidrOf(text: string): string | undefined {
  if (ipaddr.isValid(text)) {
    const plain = plainAddress(text);
    return `${plain}/${ipaddr.parse(plain).kind() === 'ipv4' ? 32 : mappedBits + 32}`;
  }
  if (!ipaddr.isValidCIDR(text)) return undefined;
  const [network, bits] = ipaddr.parseCIDR(text);
  // A range that holds more than the IPv4 addresses has no form in IPv4.
  if (!isMapped(network) || bits < mappedBits) return text;
  return `${(network as ipaddr.IPv6).toIPv4Address()}/${bits - mappedBits}`;
}

/** True when the address lies in one of the CIDR ranges, or there are none. */
export function isAllowed(ip: string, ranges: readonly string[]): boolean {
  if (ranges.length === 0) return true;
  if (!ipaddr.isValid(ip)) return false;
  const address = asIpv6(ipaddr.parse(ip));
  return ranges.some((range) => address.match(...parsed(range)));
}

/** True when every address of the first ranges lies in one of the others; no ranges are all addresses. */
export function isWithin(ranges: readonly string[], others: readonly string[]): boolean {
  if (others.length === 0) return true;
  if (ranges.length === 0) return false;
  return ranges.every((range) => {
    const [network, bits] = parsed(range);
    return others.some((other) => {
      const [wider, widerBits] = parsed(other);
      return bits >= widerBits && network.match(wider, widerBits);
    });
  });
}

/** Bits before the IPv4 address in its IPv6 form. */
const mappedBits = 96;

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Compared as IPv6, so that ::/0 holds every address. */
function parsed(range: string): [ipaddr.IPv6, number] {
  const [network, bits] = ipaddr.parseCIDR(range);
  return [asIpv6(network), network.kind() === 'ipv4' ? bits + mappedBits : bits];
}

function asIpv6(address: Address): ipaddr.IPv6 {
  return address.kind() === 'ipv4'
    ? (address as ipaddr.IPv4).toIPv4MappedAddress()
    : (address as ipaddr.IPv6);
}

function isMapped(address: Address): boolean {
  return address.kind() === 'ipv6' && (address as ipaddr.IPv6).isIPv4MappedAddress();
}
