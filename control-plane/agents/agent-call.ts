import { type Fault, type Method, methods, type Result, reply } from '@drawbridge/link/methods.ts';

/** How a call to an agent ended; `result` is checked against the method's schema. */
export type CallOutcome<M extends Method = Method> =
  | { readonly kind: 'answered'; readonly result: Result<M> }
  /** The agent is not linked, or its session ended before it answered. */
  | { readonly kind: 'offline' }
  /** The tenant has no such agent: it was revoked. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'fault'; readonly fault: Fault };

export interface CallOptions {
  /** Abort it to give the call up; the outcome is then `timeout`. */
  readonly signal?: AbortSignal;
  readonly deadlineMs: number;
}

/** Reads the text of a reply as `outcomeOf` does, a large one elsewhere. */
export type ReadAnswer = (tenantId: string, method: Method, text: string) => Promise<CallOutcome>;

/** The outcome in the complete JSON text of a reply. */
export function outcomeOf(method: Method, text: string): CallOutcome {
  const said = reply.safeParse(parseJson(text));
  if (!said.success) return invalid(method);
  if (said.data.kind === 'fault') return said.data;
  const result = methods[method].result.safeParse(said.data.result);
  return result.success ? { kind: 'answered', result: result.data } : invalid(method);
}

export function faultOutcome(code: string, message: string, retry: 'never' | 'later'): CallOutcome {
  return { kind: 'fault', fault: { code, message, retry } };
}

function invalid(method: Method): CallOutcome {
  return faultOutcome('result_invalid', `The agent’s answer to ${method} does not read.`, 'never');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // no schema accepts it
  }
}
