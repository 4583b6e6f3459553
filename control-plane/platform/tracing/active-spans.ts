/**
 * The spans in which the running code works. A worker takes jobs of many traces at once, so there may be
 * several, each of a subject (the thing that a job or an event is about); a step that serves all of
 * them is recorded in each of their traces.
 *
 *   await forSubjects(group, ({ invoice }) => invoice.id, () =>
 *     inSpan({ name: 'submit' }, () => authority.submit(group)));
 *
 * Without a span all of these only call `work`.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Span, SpanAttributes, SpanStart, Tracing } from './span.ts';

/** A span, and the thing that it is about. */
export interface SubjectSpan {
  /** '' when it is not known. */
  readonly subject: string;
  readonly span: Span;
}

interface ActiveSpans {
  readonly spans: readonly SubjectSpan[];
  /** Whether what is done now is done for all of them; otherwise it is not known for which. */
  readonly isForAll: boolean;
}

const none: ActiveSpans = { spans: [], isForAll: true };
const storage = new AsyncLocalStorage<ActiveSpans>();

/** The spans in which this code runs, to be handed to code that runs for several callers. */
export function activeSpans(): readonly SubjectSpan[] {
  return storage.getStore()?.spans ?? none.spans;
}

/** Runs work for several traces at once; it narrows them by `forSubjects`. */
export function withSpans<Result>(spans: readonly SubjectSpan[], work: () => Result): Result {
  if (spans.length === 0 && storage.getStore() === undefined) return work();
  return storage.run({ spans, isForAll: spans.length <= 1 }, work);
}

/** Runs work that does not belong to the span in which it is begun. */
export function withoutSpans<Result>(work: () => Result): Result {
  return withSpans([], work);
}

/** Runs work for these items only. */
export function forSubjects<Item, Result>(
  items: readonly Item[],
  subjectOf: (item: Item) => string,
  work: () => Result,
): Result {
  const active = storage.getStore();
  if (active === undefined || active.spans.length === 0) return work();
  const wanted = new Set(items.map((item) => keyOf(subjectOf(item))));
  const spans = active.spans.filter(({ subject }) => subject === '' || wanted.has(subject));
  return storage.run({ spans, isForAll: true }, work);
}

/** How a span ended, by the result of its work. */
export type EndOf<Result> = (result: Result) => {
  readonly attributes?: SpanAttributes;
  readonly errorType?: string | undefined;
};

/** Records work as a step of the traces it is done for. Rejects as `work` does. */
export async function inSpan<Result>(
  start: SpanStart,
  work: () => Promise<Result>,
  endOf?: EndOf<Result>,
): Promise<Result> {
  const active = storage.getStore();
  if (active === undefined || active.spans.length === 0 || !active.isForAll) return work();
  const spans = active.spans.map(({ subject, span }) => ({ subject, span: span.child(start) }));
  return untilEnd(spans, () => storage.run({ spans, isForAll: true }, work), endOf);
}

/** Where a trace goes on, and what it is about. */
export interface TraceStart extends SpanStart {
  readonly traceparent: string | null | undefined;
  readonly subject: string;
}

/** Records work as a continuation of a trace; without a `tracing` it only does the work. */
export async function inTrace<Result>(
  tracing: Tracing | undefined,
  { traceparent, subject, ...start }: TraceStart,
  work: () => Promise<Result>,
  endOf?: EndOf<Result>,
): Promise<Result> {
  if (tracing === undefined) return work();
  const spans = [subjectSpan(subject, tracing.start(start, traceparent))];
  return untilEnd(spans, () => withSpans(spans, work), endOf);
}

/** Records work on several things at once, each in its trace. */
export async function inTraces<Result>(
  tracing: Tracing | undefined,
  starts: readonly TraceStart[],
  work: () => Promise<Result>,
): Promise<Result> {
  if (tracing === undefined) return work();
  const spans = starts.map(({ traceparent, subject, ...start }) =>
    subjectSpan(subject, tracing.start(start, traceparent)),
  );
  return untilEnd(spans, () => withSpans(spans, work));
}

/** What a later step about this thing has to continue; undefined when no trace is known to be its. */
export function traceparentOf(subject: string): string | undefined {
  const spans = activeSpans();
  const key = keyOf(subject);
  const own = spans.find((each) => each.subject === key);
  const single = spans.length === 1 && spans[0]!.subject === '' ? spans[0] : undefined;
  return (own ?? single)?.span.traceparent;
}

/** Adds attributes to the spans in which this code runs, by what each is about. */
export function annotate(attributesOf: (subject: string) => SpanAttributes): void {
  for (const { subject, span } of activeSpans()) span.set(attributesOf(subject));
}

/** The trace in which this code runs, when that is a single one. */
export function activeTraceId(): string | undefined {
  const spans = activeSpans();
  return spans.length === 1 ? spans[0]!.span.traceId : undefined;
}

/** A span about the thing with this id; what follows a slash names a part of it. */
export function subjectSpan(subject: string, span: Span): SubjectSpan {
  return { subject: keyOf(subject), span };
}

function keyOf(subject: string): string {
  const end = subject.indexOf('/');
  return end === -1 ? subject : subject.slice(0, end);
}

async function untilEnd<Result>(
  spans: readonly SubjectSpan[],
  work: () => Promise<Result>,
  endOf?: EndOf<Result>,
): Promise<Result> {
  try {
    const result = await work();
    const { attributes, errorType } = endOf?.(result) ?? {};
    for (const { span } of spans) {
      if (attributes !== undefined) span.set(attributes);
      if (errorType !== undefined) span.fail(errorType);
    }
    return result;
  } catch (error) {
    for (const { span } of spans) span.fail(error instanceof Error ? error.name : 'unknown');
    throw error;
  } finally {
    for (const { span } of spans) span.end();
  }
}
