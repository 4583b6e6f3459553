/**
 * Structured logs: `const log = createLog({ level: 'info' }); log.info({ invoiceId }, 'accepted')`.
 * Secrets are taken out twice: members by their name, and keys, tokens and passwords by their form
 * wherever they stand in the finished line (a message, a stack, an error of a driver).
 */

import pino, { type DestinationStream, type Logger } from 'pino';
import { activeTraceId } from '../tracing/active-spans.ts';

/** A pino logger whose lines have their secrets masked. */
export type Log = Logger;

/** How much is logged, and where to. */
export interface LogOptions {
  readonly level: string;
  /** Default: stdout. */
  readonly destination?: DestinationStream;
  /** Whether lines name the trace in which they are written, as `trace_id`. */
  readonly hasTraceIds?: boolean;
}

const masked = '[masked]';
const secretName =
  /authorization|cookie|passw|secret|token|credential|api_?key|private_?key|idempotency-key/i;
const depthMax = 8;

// Each keeps enough to recognise the thing by, and nothing to use it with.
const secretForms: readonly (readonly [RegExp, string])[] = [
  [/\b((?:sk|jc)_(?:test|live)_)[0-9A-Za-z]{8,}/g, `$1${masked}`],
  [/\b(whsec_)[0-9A-Za-z+/=]{8,}/g, `$1${masked}`],
  [/\b(bearer|basic) +[\w.~+/=-]{8,}/gi, `$1 ${masked}`],
  [/\b([a-z][a-z0-9+.-]*:\/\/[^\s:/@"]*):[^\s/@"]+@/gi, `$1:${masked}@`],
  [/\beyJ[\w-]{8,}\.[\w-]+\.[\w-]+/g, masked],
];

/** Logs lines of JSON, secrets masked, to stdout unless told otherwise. */
export function createLog({ level, destination, hasTraceIds = false }: LogOptions): Log {
  const options: pino.LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: {
      level: (label) => ({ level: label }),
      log: (fields) => maskMembers(fields, 0) as Record<string, unknown>,
    },
    hooks: { streamWrite: maskForms },
    ...(hasTraceIds ? { mixin: traceFields } : {}),
  };
  return destination ? pino(options, destination) : pino(options);
}

function traceFields(): { readonly trace_id?: string } {
  const traceId = activeTraceId();
  return traceId === undefined ? {} : { trace_id: traceId };
}

/** A JSON value without its secrets: members by their name, and what has the form of one. */
export function maskSecrets(value: unknown): unknown {
  return JSON.parse(maskForms(JSON.stringify(maskMembers(value, 0))));
}

/** Masks what has the form of a secret in any text. */
function maskForms(text: string): string {
  return secretForms.reduce((masking, [form, mask]) => masking.replace(form, mask), text);
}

function maskMembers(value: unknown, depth: number): unknown {
  if (value instanceof Error) return errorFields(value);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (depth === depthMax) return '[deep]';
  if (Array.isArray(value)) return value.map((item) => maskMembers(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      secretName.test(name) ? masked : maskMembers(member, depth + 1),
    ]),
  );
}

/** Not every field of an error: drivers hang whole configurations and statements on theirs. */
function errorFields(error: Error): Record<string, unknown> {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...(code === undefined ? {} : { code }),
    ...(constraint === undefined ? {} : { constraint }),
    ...(error.cause instanceof Error ? { cause: error.cause.message } : {}),
  };
}
