/** For tests: a receiver of traces, which takes OTLP/HTTP at /v1/traces. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as it came. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly isError: boolean;
}

export interface TraceReceiver {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly url: string;
  /** The bodies so far, as text. */
  readonly bodies: readonly string[];
  spans(traceId?: string): readonly ReceivedSpan[];
  close(): Promise<void>;
}

interface OtlpSpan extends Omit<ReceivedSpan, 'attributes' | 'isError'> {
  readonly attributes: readonly {
    readonly key: string;
    readonly value: { readonly stringValue?: string; readonly intValue?: number };
  }[];
  readonly status: { readonly code?: number };
}

export async function startTraceReceiver(
  answer: (response: ServerResponse) => void = (response) => response.end('{}'),
): Promise<TraceReceiver> {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString();
    if (request.method === 'POST' && request.url === '/v1/traces') bodies.push(text);
    answer(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    spans: (traceId) =>
      bodies.flatMap(spansOf).filter((span) => traceId === undefined || span.traceId === traceId),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function spansOf(body: string): ReceivedSpan[] {
  const { resourceSpans } = JSON.parse(body) as {
    resourceSpans: { scopeSpans: { spans: OtlpSpan[] }[] }[];
  };
  const spans = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((each) => each.spans));
  return spans.map(({ attributes, status, ...span }) => ({
    ...span,
    isError: status.code === 2,
    attributes: Object.fromEntries(
      attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]),
    ),
  }));
}
