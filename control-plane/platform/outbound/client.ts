/**
 * The one client by which the control plane asks others over HTTP:
 *
 *   const client = openOutboundClient({ totalMs: 15_000 });
 *   const outcome = await client.send({ method: 'POST', url, headers, body, policy: publicOnly });
 *   switch (outcome.kind) {
 *     case 'answered':   return read(outcome.answer);
 *     case 'unsent':     return retryLater(outcome.reason); // they have seen nothing of it
 *     case 'maybe-sent': return askFirst(outcome.reason);   // they may have taken it
 *   }
 *
 * It calls only addresses that the policy allows, follows no redirect (see `download.ts`), speaks
 * HTTP/1.1 with one request a connection at a time, and keeps connections for what comes next. URL,
 * headers and body go out as they are given, so what was signed stays signed.
 */
import { lookup } from 'node:dns/promises';
import type { Readable } from 'node:stream';
import { type AnswerBody, plainHeaders, readUpTo } from '@drawbridge/outbound/answer.ts';
import { certaintyByPhase, type Failure, type Phase } from '@drawbridge/outbound/outcome.ts';
import {
  failureOf,
  type PhasedOptions,
  phasedConnector,
  tellPhases,
} from '@drawbridge/outbound/phases.ts';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { type EndOf, inSpan } from '../tracing/active-spans.ts';
import {
  type AddressPolicy,
  checkUrl,
  guardedLookup,
  type Resolve,
  refusedCode,
} from './address.ts';

interface OutboundRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A text goes out as UTF-8. A stream needs its `content-length` among the headers. */
  readonly body?: string | Uint8Array | Readable | undefined;
  /** Which addresses may be called: what a stranger has written is `publicOnly`. */
  readonly policy: AddressPolicy;
  /** Ends the request when it is aborted, beside the client's own limits. */
  readonly signal?: AbortSignal;
  /** Called when a connection is there and the request is written to it. */
  readonly onWritten?: () => void;
}

/** Milliseconds and bytes. */
export interface OutboundLimits {
  /** To look the name up, connect and shake hands. */
  readonly connectMs: number;
  /** From the request written until the head of its answer. */
  readonly headMs: number;
  /** Between two pieces of the body. */
  readonly bodyIdleMs: number;
  /** All of it, with the wait for a connection and the body; Infinity for streams of any length. */
  readonly totalMs: number;
  /** Of the status line and headers. */
  readonly headBytesMax: number;
  /** Of the body, as `send` reads it. */
  readonly bodyBytesMax: number;
  /** To one origin; further requests wait. */
  readonly connectionsMax: number;
}

/** Limits that differ from the defaults, and the name resolution. */
export interface OutboundOptions extends Partial<OutboundLimits> {
  /** Stands in for the system's name resolution. */
  readonly resolve?: Resolve;
}

interface Head {
  readonly status: number;
  /** Names in lower case; what came several times is joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Its body as far as `bodyBytesMax`. */
export interface OutboundAnswer extends Head, AnswerBody {}

/** `dump` reads what is left and throws it away, or cuts the connection when that is much. */
type DumpableBody = Readable & { dump(): Promise<void> };

/** An answer whose body is a stream. */
export interface OpenAnswer extends Head {
  /** To be read to its end, dumped or destroyed: until then it keeps its connection. */
  readonly body: DumpableBody;
}

/** No answer. `reason` is in words of ours and holds nothing of what was sent. */
interface Unanswered {
  readonly kind: 'unsent' | 'maybe-sent';
  readonly failure: Failure;
  readonly reason: string;
}

/** An answer, or what is certain of a request without one. */
export type OutboundOutcome<Answer = OutboundAnswer> =
  | { readonly kind: 'answered'; readonly answer: Answer }
  | Unanswered;

/** Sends requests; it keeps connections until it is closed. */
export interface OutboundClient {
  /** Sends it, and reads the answer up to `bodyBytesMax`. Never throws for what others do. */
  send(request: OutboundRequest): Promise<OutboundOutcome>;
  /** The same, with the body of the answer as a stream, which fails when it breaks off. */
  open(request: OutboundRequest): Promise<OutboundOutcome<OpenAnswer>>;
  /** Cuts what is still under way; what is sent later is `unsent`. */
  close(): Promise<void>;
}

const defaultLimits: OutboundLimits = {
  connectMs: 5_000,
  headMs: 20_000,
  bodyIdleMs: 20_000,
  totalMs: 20_000,
  headBytesMax: 16_384,
  bodyBytesMax: 1_048_576,
  connectionsMax: Number.POSITIVE_INFINITY,
};

/** How long a connection is kept without a request, unless its server says less. */
const keptMs = 10_000;

/** A client with its own connections; one for each address policy that it is given. */
export function openOutboundClient(options: OutboundOptions = {}): OutboundClient {
  const { resolve = resolveAll, ...given } = options;
  const limits = { ...defaultLimits, ...given };
  const dispatchers = new Map<AddressPolicy, Dispatcher>();
  let isClosed = false;

  function dispatcherOf(policy: AddressPolicy): Dispatcher {
    const kept = dispatchers.get(policy) ?? openDispatcher(policy, resolve, limits);
    dispatchers.set(policy, kept);
    return kept;
  }

  async function open(request: OutboundRequest): Promise<OutboundOutcome<OpenAnswer>> {
    const verdict = checkUrl(request.url, request.policy);
    if (verdict.kind === 'refused') {
      return unanswered({ phase: 'address', code: refusedCode }, `the address ${verdict.reason}`);
    }
    if (isClosed) return unanswered({ phase: 'connect', code: 'UND_ERR_CLOSED' });
    return inSpan(spanOf(request.method, verdict.url), () => exchange(request, verdict.url), endOf);
  }

  async function exchange(
    request: OutboundRequest,
    url: URL,
  ): Promise<OutboundOutcome<OpenAnswer>> {
    let phase: Phase = 'connect';
    const phased: PhasedOptions & Dispatcher.RequestOptions = {
      origin: url.origin,
      path: url.pathname + url.search,
      method: request.method,
      headers: { 'user-agent': 'drawbridge', ...request.headers },
      body: request.body ?? null,
      signal: signalOf(request.signal, limits.totalMs),
      onPhase: (reached) => {
        phase = reached;
        if (reached === 'request') request.onWritten?.();
      },
    };
    try {
      const response = await dispatcherOf(request.policy).request(phased);
      const { statusCode: status, headers, body } = response;
      return { kind: 'answered', answer: { status, headers: plainHeaders(headers), body } };
    } catch (error) {
      const failure = failureOf(error, phase);
      const isRefused = failure.code === refusedCode;
      return unanswered(failure, isRefused ? 'the address is not a public one' : failure.code);
    }
  }

  return {
    open,
    send: async (request) => {
      const outcome = await open(request);
      if (outcome.kind !== 'answered') return outcome;
      const { body, ...head } = outcome.answer;
      const read = await readUpTo(body, limits.bodyBytesMax);
      return { kind: 'answered', answer: { ...head, ...read } };
    },
    close: async () => {
      isClosed = true;
      await Promise.all([...dispatchers.values()].map((dispatcher) => dispatcher.destroy()));
    },
  };
}

function openDispatcher(
  policy: AddressPolicy,
  resolve: Resolve,
  limits: OutboundLimits,
): Dispatcher {
  const connect = buildConnector({
    lookup: guardedLookup(policy, resolve),
    timeout: limits.connectMs,
    allowH2: false,
  });
  const agent = new Agent({
    connect: phasedConnector(connect),
    ...(limits.connectionsMax === Number.POSITIVE_INFINITY
      ? {}
      : { connections: limits.connectionsMax }),
    allowH2: false,
    pipelining: 1,
    headersTimeout: limits.headMs,
    bodyTimeout: limits.bodyIdleMs,
    maxHeaderSize: limits.headBytesMax,
    keepAliveTimeout: keptMs,
  });
  return agent.compose(tellPhases);
}

/** Without path and query, in which others want secrets to be sent. */
function spanOf(method: string, { hostname, port, protocol }: URL) {
  const attributes = {
    'http.request.method': method,
    'server.address': hostname,
    'server.port': Number(port || (protocol === 'https:' ? 443 : 80)),
  };
  return { name: method, kind: 'client', attributes } as const;
}

const endOf: EndOf<OutboundOutcome<OpenAnswer>> = (outcome) => {
  if (outcome.kind !== 'answered') return { errorType: outcome.failure.code };
  const { status } = outcome.answer;
  const attributes = { 'http.response.status_code': status };
  return { attributes, errorType: status >= 400 ? String(status) : undefined };
};

const resolveAll: Resolve = (host) => lookup(host, { all: true });

function signalOf(own: AbortSignal | undefined, totalMs: number): AbortSignal | null {
  const signals = totalMs === Number.POSITIVE_INFINITY ? [] : [AbortSignal.timeout(totalMs)];
  if (own !== undefined) signals.push(own);
  return signals.length > 1 ? AbortSignal.any(signals) : (signals[0] ?? null);
}

function unanswered(failure: Failure, reason: string = failure.code): Unanswered {
  const certainty = certaintyByPhase[failure.phase];
  // The head of an answer has come only when `request` has resolved.
  return { kind: certainty === 'unsent' ? 'unsent' : 'maybe-sent', failure, reason };
}
