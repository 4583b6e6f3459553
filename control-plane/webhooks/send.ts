/**
 * One signed request, and what came back: never throws, never follows, never reads or waits for
 * long.
 */
import { lookup } from 'node:dns/promises';
import type { Answer } from '@drawbridge/webhooks/outcome.ts';
import { Agent, type Dispatcher } from 'undici';
import type { Environment } from '../platform/auth/principal.ts';
import {
  type AddressPolicy,
  checkUrl,
  guardedLookup,
  type Resolve,
} from '../platform/net/address.ts';
import { type SendError, sendErrorOf } from './errors.ts';
import { type TracedOptions, tellWritten } from './written.ts';

export interface Request {
  readonly url: string;
  readonly environment: Environment;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Called when the request is written to the network, before it is known whether it arrives. */
  readonly onWritten: () => void;
}

export interface Exchange {
  readonly answer: Answer;
  readonly error: SendError | null;
  readonly ms: number;
  /** Status line and headers of the response; cut. */
  readonly head: string;
  /** What was read of its body, as text that the database can hold. */
  readonly body: string;
}

export interface Sender {
  send(request: Request): Promise<Exchange>;
  /** Cuts what is still under way. */
  close(): Promise<void>;
}

export interface SenderOptions {
  readonly policies: Readonly<Record<Environment, AddressPolicy>>;
  /** Monotonic milliseconds. */
  readonly stopwatch: () => number;
  readonly resolve?: Resolve;
  readonly limits?: Partial<typeof sendLimits>;
}

export const sendLimits = {
  totalMs: 15_000,
  connectMs: 5_000,
  headBytes: 16_384,
  bodyBytes: 20_480,
  /** Kept of a response that was no failure: nobody looks for a fault in it. */
  keptOfSuccess: 1_024,
  keptOfHead: 4_096,
};

/** A client with a connection pool for each environment's addresses. */
export function openSender(options: SenderOptions): Sender {
  const { policies, stopwatch, resolve = resolveAll } = options;
  const limits = { ...sendLimits, ...options.limits };
  const agents = {
    live: agentOf(policies.live, resolve, limits),
    sandbox: agentOf(policies.sandbox, resolve, limits),
  };
  return {
    send: async (request) => {
      const startedAt = stopwatch();
      const verdict = checkUrl(request.url, policies[request.environment]);
      if (verdict.kind === 'refused') return forbidden;
      const signal = AbortSignal.timeout(limits.totalMs);
      try {
        const traced: TracedOptions & Dispatcher.RequestOptions = {
          origin: verdict.url.origin,
          path: verdict.url.pathname + verdict.url.search,
          method: 'POST',
          headers: { ...request.headers, 'x-environment': request.environment },
          body: request.body,
          signal,
          onWritten: request.onWritten,
        };
        const response = await agents[request.environment].request(traced);
        return await exchangeOf(response, limits, () => stopwatch() - startedAt);
      } catch (error) {
        return unanswered(sendErrorOf(error), stopwatch() - startedAt);
      }
    },
    close: async () => {
      await Promise.all([agents.live.destroy(), agents.sandbox.destroy()]);
    },
  };
}

const forbidden: Exchange = {
  answer: { kind: 'forbidden' },
  error: 'address_refused',
  ms: 0,
  head: '',
  body: '',
};

function unanswered(error: SendError, ms: number): Exchange {
  return { answer: { kind: 'unanswered' }, error, ms: Math.round(ms), head: '', body: '' };
}

const resolveAll: Resolve = (host) => lookup(host, { all: true });

function agentOf(policy: AddressPolicy, resolve: Resolve, limits: typeof sendLimits): Dispatcher {
  const agent = new Agent({
    connect: { lookup: guardedLookup(policy, resolve), timeout: limits.connectMs },
    allowH2: false,
    pipelining: 1,
    headersTimeout: limits.totalMs,
    bodyTimeout: limits.totalMs,
    maxHeaderSize: limits.headBytes,
    keepAliveTimeout: 10_000,
  });
  return agent.compose(tellWritten);
}

async function exchangeOf(
  response: Dispatcher.ResponseData,
  limits: typeof sendLimits,
  elapsedMs: () => number,
): Promise<Exchange> {
  const status = response.statusCode;
  const isSuccess = status >= 200 && status < 300;
  const bytes = await readUpTo(response.body, limits.bodyBytes);
  const retryAfter = response.headers['retry-after'];
  return {
    answer: {
      kind: 'answered',
      status,
      ...(typeof retryAfter === 'string' ? { retryAfter } : {}),
    },
    error: null,
    ms: Math.round(elapsedMs()),
    head: headOf(response, limits.keptOfHead),
    body: storable(isSuccess ? bytes.subarray(0, limits.keptOfSuccess) : bytes),
  };
}

/**
 * The status has been given: a body that is too long, breaks off or never ends changes nothing
 * about it.
 */
async function readUpTo(body: AsyncIterable<Uint8Array>, bytesMax: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= bytesMax) break; // leaving the loop closes the connection
    }
  } catch {} // see above
  return Buffer.concat(chunks).subarray(0, bytesMax);
}

function headOf({ statusCode, headers }: Dispatcher.ResponseData, charactersMax: number): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`);
  return [String(statusCode), ...lines].join('\n').slice(0, charactersMax).replaceAll('\0', '');
}

function storable(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes).replaceAll('\0', '\ufffd');
}
