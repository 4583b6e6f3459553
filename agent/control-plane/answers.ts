import type { z } from 'zod';
import { type Failed, failed } from '../outcome.ts';
import type { ApiAnswer } from './client.ts';

/** An answer of the control plane in the form that was asked for, or the error to end with. */
export type Asked<T> = { readonly kind: 'answer'; readonly value: T } | Failed;

export function readAs<T>(schema: z.ZodType<T>, answer: ApiAnswer): Asked<T> {
  if (answer.kind !== 'ok') return answer.outcome;
  const parsed = schema.safeParse(answer.body);
  if (parsed.success) return { kind: 'answer', value: parsed.data };
  const cause = 'The control plane answered in a form that this agent does not know.';
  return failed('control_plane_refused', cause);
}
