/** HTTP to providers and PBXs: the exchange, and whether the request can have arrived. */
import type { WireRequest, WireResponse } from '../channels/contract.ts';
import { type AddressPolicy, anywhere, publicOnly } from '../platform/outbound/address.ts';
import {
  type OutboundOptions,
  type OutboundOutcome,
  openOutboundClient,
} from '../platform/outbound/client.ts';
import { type Download, download } from '../platform/outbound/download.ts';

export type Exchange =
  | { readonly kind: 'answered'; readonly response: WireResponse }
  /** The provider certainly got nothing of it. */
  | { readonly kind: 'unsent'; readonly reason: string }
  /** The provider may have got it. */
  | { readonly kind: 'maybe-sent'; readonly reason: string };

export interface Wire {
  send(request: WireRequest): Promise<Exchange>;
  /** Writes the body of the answer to a file; redirects are followed without credentials. */
  fetchTo(path: string, request: WireRequest, bytesMax: number): Promise<Download>;
  /** Whether an address may be dialled; for connections that are not HTTP requests. */
  policyOf(url: string): AddressPolicy;
  close(): Promise<void>;
}

export interface WireOptions {
  /** Our own origins: simulators, and those that the operator configured. */
  readonly isTrusted: (origin: string) => boolean;
  /** Whether other origins may have private addresses. */
  readonly allowPrivate: boolean;
  readonly limits?: OutboundOptions;
}

const downloadMs = 120_000;

export function openWire({ isTrusted, allowPrivate, limits = {} }: WireOptions): Wire {
  const client = openOutboundClient(limits);
  const others = allowPrivate ? anywhere : publicOnly;
  const policyOf = (url: string) =>
    URL.canParse(url) && isTrusted(new URL(url).origin) ? anywhere : others;
  return {
    policyOf,
    send: async (request) =>
      exchangeOf(await client.send({ ...request, policy: policyOf(request.url) })),
    fetchTo: (path, { url, headers }, bytesMax) =>
      download(client, { url, headers, path, bytesMax, totalMs: downloadMs, policyOf }),
    close: () => client.close(),
  };
}

/**
 * The outcome of a message or a call is in the body, so an answer that broke off counts as none.
 */
export function exchangeOf(outcome: OutboundOutcome): Exchange {
  if (outcome.kind !== 'answered') return { kind: outcome.kind, reason: outcome.reason };
  const { status, headers, body, bodyFault } = outcome.answer;
  if (bodyFault?.kind === 'broken-off') return { kind: 'maybe-sent', reason: bodyFault.reason };
  return { kind: 'answered', response: { status, headers, body: body.toString('utf8') } };
}
