/**
 * The one HTTP client of the agent and the connectors. It runs on the customer's host, so any
 * address may be called. It follows no redirect.
 *
 *   const client = openHttpClient({ totalMs: 30_000, bodyBytesMax: 65_536 });
 *   const outcome = await client.send({ method: 'GET', url, headers: {} });
 *   await client.close();
 */
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type AnswerBody, plainHeaders, readUpTo } from '@drawbridge/outbound/answer.ts';
import { certaintyByPhase, type Failure, type Phase } from '@drawbridge/outbound/outcome.ts';
import { failureOf, type PhasedOptions, tellPhases } from '@drawbridge/outbound/phases.ts';
import { Agent, type Dispatcher } from 'undici';
import type { Network, OwnConnections } from './network.ts';
import { connectorThrough } from './undici-connector.ts';

interface HttpRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** http or https. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent byte for byte; a text is sent as UTF-8. */
  readonly body?: string | Uint8Array;
  /** Ends the request when it is aborted, beside the client's own limits. */
  readonly signal?: AbortSignal;
}

export interface HttpLimits {
  /** Milliseconds to look the name up, connect and shake hands. Default: 5,000. */
  readonly connectMs?: number;
  /** Milliseconds for all of it, the body included. */
  readonly totalMs: number;
  /** Bytes of an answer's body; more is not read. */
  readonly bodyBytesMax: number;
}

interface HttpAnswer extends AnswerBody {
  readonly status: number;
  /** Names in lower case; values of a repeated header are joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
}

type HttpOutcome =
  | { readonly kind: 'answered'; readonly answer: HttpAnswer }
  /** `unsent`: certainly not sent. `maybe-sent`: the other side may have it. */
  | { readonly kind: 'unsent' | 'maybe-sent'; readonly failure: Failure };

export interface HttpClient {
  /** Sends one request; failures are outcomes, it does not throw. */
  send(request: HttpRequest): Promise<HttpOutcome>;
  /** Aborts the requests under way and closes all connections. */
  close(): Promise<void>;
}

/**
 * A client with its own connections, which are kept for later requests until it is closed. Without a
 * network it goes straight to its destinations and trusts the CAs that Node trusts.
 */
export function openHttpClient(
  limits: HttpLimits,
  network?: Network,
  own?: OwnConnections,
): HttpClient {
  const { connectMs = 5_000, totalMs, bodyBytesMax } = limits;
  const agent = new Agent({
    connect: connectorThrough(network, connectMs, own),
    allowH2: false,
    headersTimeout: totalMs,
    bodyTimeout: totalMs,
  });
  const dispatcher = agent.compose(tellPhases);
  return {
    send: async ({ method, url, headers, body, signal }) => {
      const { origin, pathname, search } = new URL(url);
      let phase: Phase = 'connect';
      const phased: PhasedOptions & Dispatcher.RequestOptions = {
        origin,
        path: pathname + search,
        method,
        headers: { 'user-agent': 'drawbridge', 'accept-encoding': 'gzip', ...headers },
        body: body ?? null,
        signal: AbortSignal.any([
          AbortSignal.timeout(totalMs),
          ...(signal === undefined ? [] : [signal]),
        ]),
        onPhase: (reached) => {
          phase = reached;
        },
      };
      try {
        const response = await dispatcher.request(phased);
        const answered = plainHeaders(response.headers);
        const chunks = unpacked(response.body, answered['content-encoding']);
        const read = await readUpTo(chunks, bodyBytesMax);
        const { statusCode: status } = response;
        const answer = { status, headers: answered, ...read };
        return { kind: 'answered', answer };
      } catch (error) {
        const failure = failureOf(error, phase);
        const isUnsent = certaintyByPhase[failure.phase] === 'unsent';
        return { kind: isUnsent ? 'unsent' : 'maybe-sent', failure };
      }
    },
    close: () => dispatcher.destroy(),
  };
}

/** The body as it was before the server packed it; some pack without being asked to. */
function unpacked(body: Readable, encoding: string | undefined): AsyncIterable<Uint8Array> {
  if (encoding?.toLowerCase() !== 'gzip') return body;
  // What breaks shows where the answer is read.
  return pipeline(body, createGunzip(), () => undefined);
}
