/**
 * Sends one signed request and returns the response. It never throws and follows no redirect; its
 * time and the bytes it reads are limited.
 */
import type { Answer } from '@drawbridge/webhooks/outcome.ts';
import type { Environment } from '../platform/auth/principal.ts';
import type { AddressPolicy, Resolve } from '../platform/outbound/address.ts';
import { type OutboundAnswer, openOutboundClient } from '../platform/outbound/client.ts';
import { type SendError, sendErrorOf } from './errors.ts';

interface Request {
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
  /** The part of the body that was read, as text that the database can hold. */
  readonly body: string;
}

export interface Sender {
  send(request: Request): Promise<Exchange>;
  /** Aborts the requests under way. */
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
  /** Bytes stored of a successful response, in which nobody looks for a fault. */
  keptOfSuccess: 1_024,
  keptOfHead: 4_096,
};

/** Opens a sender with its own connections. */
export function openSender(options: SenderOptions): Sender {
  const { policies, stopwatch, resolve } = options;
  const limits = { ...sendLimits, ...options.limits };
  const { totalMs, connectMs, headBytes: headBytesMax, bodyBytes: bodyBytesMax } = limits;
  const client = openOutboundClient({
    connectMs,
    headMs: totalMs,
    bodyIdleMs: totalMs,
    totalMs,
    headBytesMax,
    bodyBytesMax,
    ...(resolve === undefined ? {} : { resolve }),
  });
  return {
    send: async ({ url, environment, headers, body, onWritten }) => {
      const startedAt = stopwatch();
      const outcome = await client.send({
        method: 'POST',
        url,
        headers: { ...headers, 'x-environment': environment },
        body,
        policy: policies[environment],
        onWritten,
      });
      const ms = Math.round(stopwatch() - startedAt);
      if (outcome.kind === 'answered') return exchangeOf(outcome.answer, limits, ms);
      const isForbidden = outcome.failure.phase === 'address';
      const answer: Answer = { kind: isForbidden ? 'forbidden' : 'unanswered' };
      return { answer, error: sendErrorOf(outcome.failure), ms, head: '', body: '' };
    },
    close: () => client.close(),
  };
}

/**
 * The status decides; a body that is too long, breaks off or never ends changes nothing.
 */
function exchangeOf(answered: OutboundAnswer, limits: typeof sendLimits, ms: number): Exchange {
  const { status, headers, body } = answered;
  const isSuccess = status >= 200 && status < 300;
  const retryAfter = headers['retry-after'];
  return {
    answer: {
      kind: 'answered',
      status,
      ...(retryAfter === undefined ? {} : { retryAfter }),
    },
    error: null,
    ms,
    head: headOf(answered, limits.keptOfHead),
    body: storable(isSuccess ? body.subarray(0, limits.keptOfSuccess) : body),
  };
}

function headOf({ status, headers }: OutboundAnswer, charactersMax: number): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [String(status), ...lines].join('\n').slice(0, charactersMax).replaceAll('\0', '');
}

function storable(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes).replaceAll('\0', '\ufffd');
}
