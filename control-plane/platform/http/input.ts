import type { IncomingHttpHeaders } from 'node:http';
import { fieldsOf, toldIssues, wordsOf } from '@drawbridge/input-faults/issue-words.ts';
import type { z } from 'zod';
import { type ApiError, commonFail } from './errors.ts';
import { refuseUnstorable } from './json-body.ts';
import type { RequestSchemas } from './route.ts';

/** The parts of a request before they are checked. */
export type RawInput = Readonly<Record<keyof RequestSchemas, unknown>>;

const errorsMax = 50;

/**
 * Checks all parts of a request against a row's schemas. Throws one `invalid_request` that names
 * every fault, or `not_found` when a parameter of the path is not valid.
 */
export async function parseInput(
  schemas: RequestSchemas,
  raw: RawInput,
): Promise<Record<keyof RequestSchemas, unknown>> {
  const parsed: Record<string, unknown> = { params: await parseParams(schemas.params, raw.params) };
  const faults: z.core.$ZodIssue[] = [];
  for (const part of ['query', 'headers', 'body'] as const) {
    const schema = schemas[part];
    if (!schema) continue;
    const value = part === 'headers' ? named(raw.headers, schemas.headers!) : raw[part];
    if (part !== 'body') refuseUnstorable(value, 0); // a body was checked when it was read
    const result = await schema.safeParseAsync(value);
    if (result.success) parsed[part] = result.data;
    else faults.push(...result.error.issues);
  }
  if (faults.length > 0) throw invalidRequest(faults);
  return parsed as Record<keyof RequestSchemas, unknown>;
}

/** An id of an impossible form is answered with 404, like any other unknown id. */
async function parseParams(schema: RequestSchemas['params'], raw: unknown): Promise<unknown> {
  if (!schema) return undefined;
  refuseUnstorable(raw, 0);
  const result = await schema.safeParseAsync(raw);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const detail = `There is nothing at this path: ${fieldsOf(issue!)[0]} ${wordsOf(issue!)}.`;
  throw commonFail('not_found', detail);
}

/**
 * The 400 for these issues: `errors` holds messages by field, `detail` the same as one sentence.
 */
export function invalidRequest(issues: readonly z.core.$ZodIssue[]): ApiError {
  const errors: Record<string, string[]> = Object.create(null);
  for (const issue of toldIssues(issues).slice(0, errorsMax)) {
    for (const path of fieldsOf(issue)) {
      const field = path || 'body';
      errors[field] = [...(errors[field] ?? []), wordsOf(issue)];
    }
  }
  const detail = Object.entries(errors).map(([field, said]) => `${field}: ${said.join(', ')}`);
  return commonFail('invalid_request', detail.join('; ') || 'body: is wrong', { body: { errors } });
}

function named(headers: unknown, schema: z.ZodObject): Record<string, unknown> {
  const sent = headers as IncomingHttpHeaders;
  const names = Object.keys(schema.shape).filter((name) => sent[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, sent[name]]));
}
