/**
 * Traces of what this process does, when a receiver is set; otherwise undefined, and neither SDK nor
 * exporter is loaded:
 *
 *   const tracing = await openTracing({ endpoint: settings.otlpEndpoint, … });
 *   await inTrace(tracing, { name: 'webhook attempt', traceparent, subject }, () => send(event));
 *   await tracing?.close(withinMs);
 *
 * Below such a root, `inSpan` of active-spans.ts records a step, and knows the trace by itself.
 */
import type { TracingOptions } from './otlp.ts';
import type { Tracing } from './span.ts';

/** Begins to record if there is a receiver. */
export async function openTracing(
  options: Omit<TracingOptions, 'endpoint'> & { readonly endpoint: string | undefined },
): Promise<Tracing | undefined> {
  const { endpoint, ...rest } = options;
  if (endpoint === undefined) return undefined;
  const { openOtlpTracing } = await import('./otlp.ts');
  return openOtlpTracing({ ...rest, endpoint });
}
