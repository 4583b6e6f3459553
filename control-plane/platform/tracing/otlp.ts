/**
 * Traces over OTLP/HTTP. Imported only when there is a receiver. A receiver that is down or slow costs
 * the traces that do not fit in the queue, and nothing else. The exporter itself reads
 * `OTEL_EXPORTER_OTLP_HEADERS`, `…_TIMEOUT`, `…_COMPRESSION` and `…_CERTIFICATE`.
 */
import {
  type Attributes,
  ROOT_CONTEXT,
  type Span as SdkSpan,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { endedWithin } from '../concurrency/ended-within.ts';
import type { Log } from '../log/log.ts';
import type { Span, SpanAttributes, SpanStart, Tracing } from './span.ts';
import { formatTraceparent, parseTraceparent } from './traceparent.ts';

/** Where traces go, and which. */
export interface TracingOptions {
  /** The receiver's address, without `/v1/traces`. */
  readonly endpoint: string;
  readonly sampler: string;
  /** From 0 to 1: for samplers by ratio. */
  readonly samplerRatio: number;
  readonly log: Log;
}

const limits = {
  /** Spans that wait for the receiver; more are dropped. */
  waitingMax: 4_096,
  /** Of one request to the receiver. */
  batchMax: 512,
  /** Milliseconds for which ended spans are gathered. */
  gatherMs: 1_000,
  exportMs: 10_000,
  /** Characters of an attribute. */
  attributeLengthMax: 256,
};

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;

/** Begins to record. Throws when the settings of the exporter are not valid. */
export function openOtlpTracing(options: TracingOptions): Tracing {
  const exporter = new OTLPTraceExporter({
    url: `${options.endpoint}/v1/traces`,
  });
  const named = resourceFromAttributes({ 'service.name': 'drawbridge-control-plane' });
  const provider = new TracerProvider({
    resource: named.merge(detectResources({ detectors: [envDetector] })),
    sampler: samplerOf(options.sampler, options.samplerRatio),
    spanLimits: { attributeValueLengthLimit: limits.attributeLengthMax },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: tellFailures(exporter, options.log),
        maxQueueSize: limits.waitingMax,
        maxExportBatchSize: limits.batchMax,
        scheduledDelayMillis: limits.gatherMs,
        exportTimeoutMillis: limits.exportMs,
      }),
    ],
  });
  const tracer = provider.getTracer('drawbridge');
  return {
    start: (start, traceparent) => spanOf(begin(tracer, start, remoteContext(traceparent)), tracer),
    // What cannot be sent is lost: that is logged where it failed.
    close: async (withinMs) => {
      await endedWithin(withinMs, provider.shutdown()).catch(() => {});
    },
  };
}

function samplerOf(name: string, ratio: number): Sampler {
  const root = name.endsWith('always_off')
    ? new AlwaysOffSampler()
    : name.endsWith('traceidratio')
      ? new TraceIdRatioBasedSampler(ratio)
      : new AlwaysOnSampler();
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}

function remoteContext(traceparent: string | null | undefined) {
  const remote = parseTraceparent(traceparent);
  if (remote === undefined) return ROOT_CONTEXT;
  const { traceId, spanId, isSampled } = remote;
  const traceFlags = isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

function begin(tracer: Tracer, start: SpanStart, parent: typeof ROOT_CONTEXT): SdkSpan {
  const { name, kind = 'internal', attributes = {} } = start;
  return tracer.startSpan(name, { kind: kinds[kind], attributes: defined(attributes) }, parent);
}

function spanOf(span: SdkSpan, tracer: Tracer): Span {
  const { traceId, spanId, traceFlags } = span.spanContext();
  const isSampled = (traceFlags & TraceFlags.SAMPLED) !== 0;
  return {
    traceId,
    traceparent: formatTraceparent({ traceId, spanId, isSampled }),
    child: (start) => spanOf(begin(tracer, start, trace.setSpan(ROOT_CONTEXT, span)), tracer),
    rename: (name) => void span.updateName(name),
    set: (attributes) => void span.setAttributes(defined(attributes)),
    fail: (errorType) => {
      span.setAttribute('error.type', errorType).setStatus({ code: SpanStatusCode.ERROR });
    },
    end: () => span.end(),
  };
}

function defined(attributes: SpanAttributes): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
}

/** Logs the first failure in a row, and the end of it. */
function tellFailures(exporter: SpanExporter, log: Log): SpanExporter {
  let isFailing = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const hasFailed = result.error !== undefined || result.code !== 0;
        if (hasFailed && !isFailing) {
          log.warn({ err: result.error }, 'traces are lost: their receiver does not take them');
        }
        if (!hasFailed && isFailing) log.info('the receiver of traces takes them again');
        isFailing = hasFailed;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}
