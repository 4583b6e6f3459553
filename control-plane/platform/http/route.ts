/**
 * One endpoint is one row. Routing, validation and the OpenAPI file are made from the rows.
 *
 * ```ts
 * export const getInvoice = route({
 *   method: 'get',
 *   path: '/v1/invoices/{id}',
 *   operationId: 'getInvoice',
 *   summary: 'Read an invoice',
 *   auth: { scope: 'invoices:read' },
 *   limit: 'read',
 *   request: { params: z.strictObject({ id: z.string() }) },
 *   responses: { 200: { description: 'The invoice', schema: invoice } },
 *   errors: ['not_found'],
 *   handler: async ({ params, principal }) => ({ status: 200, body: await … }),
 * });
 * ```
 *
 * A schema with `.meta({ id: 'Invoice' })` becomes a component of the OpenAPI file.
 */
import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { z } from 'zod';
import type { RequestAudit } from '../audit/request-audit.ts';
import type { BrowserCall, Environment, Principal } from '../auth/principal.ts';
import type { ApiError } from './errors.ts';

/** The HTTP methods that routes have. */
const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;
type Method = (typeof methods)[number];

/**
 * The schemas of a request. Objects are strict; header names are in lower case, and headers that
 * the schema does not name are ignored.
 */
export interface RequestSchemas {
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly headers?: z.ZodObject;
  readonly body?: z.ZodType;
}

type Parsed<Schemas, Part extends keyof RequestSchemas> = Schemas extends {
  readonly [part in Part]: infer Schema extends z.ZodType;
}
  ? z.output<Schema>
  : undefined;

/** What a handler receives. */
export interface Input<Schemas extends RequestSchemas, Public extends boolean>
  extends RequestCall<Public> {
  readonly params: Parsed<Schemas, 'params'>;
  readonly query: Parsed<Schemas, 'query'>;
  readonly headers: Parsed<Schemas, 'headers'>;
  readonly body: Parsed<Schemas, 'body'>;
}

/** Who calls, and how, whatever the row. */
export interface RequestCall<Public extends boolean = boolean> {
  /** Undefined on public routes. */
  readonly principal: Public extends true ? undefined : Principal;
  readonly environment: Environment;
  readonly requestId: string;
  readonly ip: string;
  /** As `ip`; undefined behind a proxy that is not trusted, where all callers have one address. */
  readonly countedIp: string | undefined;
  readonly browser: BrowserCall;
  readonly audit: RequestAudit;
  readonly log: Logger;
  /** Aborted when the caller hangs up. */
  readonly signal: AbortSignal;
  /** The request itself, for routes that read a stream. */
  readonly raw: IncomingMessage;
  /**
   * The body as it came, for public routes that check a signature over it; as those of JSON it counts among the
   * large bodies that are under way. Throws `payload_too_large`, and what says that too many are.
   */
  readRaw(bytesMax: number): Promise<Uint8Array<ArrayBuffer>>;
}

/** What a handler answers. */
export interface Reply {
  readonly status: number;
  /**
   * Sent as JSON; text, bytes and streams are sent as they are, with the content-type of `headers`.
   */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

/** How a file may be sent: as the part `file` of a form, or as the body itself. */
export type UploadType = 'multipart/form-data' | 'text/csv';

/** One answer of a route, for its document and the check of replies. */
interface ResponseRow {
  readonly description: string;
  readonly schema?: z.ZodType;
  /** The media type, or types, of an answer that is not JSON. */
  readonly mediaType?: string | readonly string[];
}

/** One endpoint: how it is called, who may call it, and what it answers. */
export interface Route<
  Schemas extends RequestSchemas = RequestSchemas,
  Public extends boolean = boolean,
> {
  readonly method: Method;
  /** With parameters in braces, as OpenAPI writes them. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tag?: string;
  /** The permission that a caller needs, or why the route is public. */
  readonly auth: Public extends true ? { readonly public: string } : { readonly scope: string };
  /** Name of the rate limit that counts its requests; without one they are not counted. */
  readonly limit?: string;
  /** Default 256 KiB. */
  readonly bodyBytesMax?: number;
  /** Default 50,000: objects, arrays, texts and the like in a body, all together. */
  readonly bodyValuesMax?: number;
  readonly request?: Schemas;
  /** The types of a file that the handler reads from `raw` itself. */
  readonly upload?: readonly UploadType[];
  /** Why a route that changes something is not in the audit log; others are, by themselves. */
  readonly unaudited?: string;
  /** A person in a browser has shown lately who they are: of keys, secrets, roles and approvals. */
  readonly needsProof?: true;
  /** What it does is of both services: the audit logs of both show it. */
  readonly isOfWorkspace?: true;
  readonly responses: Readonly<Record<number, ResponseRow>>;
  /** Codes of the service's table that it can answer, besides those of every route. */
  readonly errors?: readonly string[];
  handler(input: Input<Schemas, Public>): Promise<Reply | ApiError>;
  /**
   * Answers in place of `handler` where the body is large: JSON as it came, looked through and not
   * parsed, for another thread to do so. What is wrong with it is the callee's to say.
   */
  largeBody?(
    input: Omit<Input<Schemas, Public>, 'body'>,
    body: Uint8Array<ArrayBuffer>,
  ): Promise<Reply | ApiError>;
}

// Rows of different schemas are in one list; `route` checks the types of each.
// biome-ignore lint/suspicious/noExplicitAny: no other type takes every row
export type AnyRoute = Route<any, any>;

/** Checks the types of a row and returns it unchanged. */
export function route<const Schemas extends RequestSchemas>(
  row: Route<Schemas, false>,
): Route<Schemas, false>;
export function route<const Schemas extends RequestSchemas>(
  row: Route<Schemas, true>,
): Route<Schemas, true>;
export function route(row: AnyRoute): AnyRoute {
  return row;
}
