/** Names by OpenTelemetry's semantic conventions; never secrets, bodies, queries or personal data. */
export type SpanAttributes = Readonly<Record<string, string | number | undefined>>;

/** What begins. */
export interface SpanStart {
  /** Of few values: a method and route, never an id. */
  readonly name: string;
  /** Default: internal. */
  readonly kind?: 'server' | 'client' | 'consumer' | 'producer' | 'internal';
  readonly attributes?: SpanAttributes;
}

/** One operation of a trace, under way. */
export interface Span {
  readonly traceId: string;
  /** Names it to another process, or to a later job. */
  readonly traceparent: string;
  child(start: SpanStart): Span;
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** It ended badly; `error.type` has few values. */
  fail(errorType: string): void;
  end(): void;
}

/** Records traces; where it is undefined nothing is recorded. */
export interface Tracing {
  /** Continues the trace that `traceparent` names, or begins one when that is missing or invalid. */
  start(start: SpanStart, traceparent?: string | null): Span;
  /** Sends what was recorded, for at most so many milliseconds. Never rejects. */
  close(withinMs: number): Promise<void>;
}

/** The values of `OTEL_TRACES_SAMPLER`. */
export const samplerNames = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
