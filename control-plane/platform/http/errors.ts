/**
 * The errors that a client can get: one table for each service, by code.
 *
 *   export const { fail, errors } = errorTable({
 *     connector_not_found: { status: 404, title: 'No such connector', retry: 'never' },
 *   });
 *   throw fail('connector_not_found', `There is no connector ${id}.`);
 *
 * The body is `{ detail, code, request_id }` and the members of `extra.body`.
 */

/** Whether the same request can succeed later; shown in the OpenAPI file. */
type RetryAdvice = 'never' | 'later' | 'after_change';

/** One error of a service, as clients and its documentation see it. */
export interface ErrorRow {
  readonly status: number;
  readonly title: string;
  readonly retry: RetryAdvice;
}

/** What an error may add to its sentence. */
export interface ErrorExtra {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** The errors that any route of any service can answer. */
export const commonErrors = {
  malformed_json: { status: 400, title: 'The body is not JSON', retry: 'after_change' },
  invalid_request: { status: 400, title: 'A parameter is missing or wrong', retry: 'after_change' },
  missing_credentials: { status: 401, title: 'No API key was sent', retry: 'after_change' },
  invalid_credentials: { status: 401, title: 'The API key is unknown', retry: 'after_change' },
  revoked_credentials: { status: 401, title: 'The API key was revoked', retry: 'after_change' },
  wrong_environment: {
    status: 401,
    title: 'The API key belongs to the other environment',
    retry: 'after_change',
  },
  ip_not_allowed: {
    status: 403,
    title: 'The key may not be used from here',
    retry: 'after_change',
  },
  tenant_suspended: { status: 403, title: 'The workspace is suspended', retry: 'later' },
  not_permitted: { status: 403, title: 'The key lacks the permission', retry: 'after_change' },
  proof_needed: {
    status: 403,
    title: 'The person has to show again who they are',
    retry: 'after_change',
  },
  not_found: { status: 404, title: 'There is nothing at this path', retry: 'never' },
  method_not_allowed: { status: 405, title: 'The method is not allowed here', retry: 'never' },
  idempotency_payload_mismatch: {
    status: 409,
    title: 'The Idempotency-Key was used with another payload',
    retry: 'after_change',
  },
  payload_too_large: { status: 413, title: 'The body is too large', retry: 'after_change' },
  unsupported_media_type: {
    status: 415,
    title: 'The media type of the body is not accepted',
    retry: 'after_change',
  },
  rate_limited: { status: 429, title: 'Too many requests', retry: 'later' },
  internal_error: { status: 500, title: 'A fault of the service', retry: 'later' },
  unavailable: { status: 503, title: 'The service cannot answer now', retry: 'later' },
} as const satisfies Record<string, ErrorRow>;

/** A code of `commonErrors`. */
export type CommonCode = keyof typeof commonErrors;

/** An error answer; a handler throws or returns it. */
export class ApiError extends Error {
  readonly code: string;
  readonly status: number;
  readonly extra: ErrorExtra;

  constructor(code: string, status: number, detail: string, extra: ErrorExtra = {}) {
    super(detail);
    this.name = 'ApiError';
    this.code = code;
    this.status = status;
    this.extra = extra;
  }
}

/** All errors of a service by their code. */
export interface ErrorTable<Code extends string> {
  readonly errors: Readonly<Record<Code, ErrorRow>>;
  /** Makes the error of a code; `detail` is a sentence for the caller. */
  fail(code: Code, detail: string, extra?: ErrorExtra): ApiError;
}

/** A service's own errors together with the common ones. */
export function errorTable<const Own extends Record<string, ErrorRow>>(
  own: Own,
): ErrorTable<CommonCode | (keyof Own & string)> {
  const errors: Record<string, ErrorRow> = { ...commonErrors, ...own };
  return {
    errors: errors as Record<CommonCode | (keyof Own & string), ErrorRow>,
    fail: (code, detail, extra) => new ApiError(code, errors[code]!.status, detail, extra),
  };
}

/** Makes one of the common errors. */
export const { fail: commonFail } = errorTable({});

/** The 400 of one field. */
export function invalid(field: string, problem: string): ApiError {
  return commonFail('invalid_request', `${field}: ${problem}`, {
    body: { errors: { [field]: [problem] } },
  });
}
