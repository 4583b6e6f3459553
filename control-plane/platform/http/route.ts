/**
 * One endpoint is one row. From the rows come the routing, the validation and the OpenAPI file.
 * export const getInvoice = route({     method: 'get', path: '/v1/invoices/{id}', operationId:
 * 'getInvoice', summary: 'Read an invoice',     auth: { scope: 'invoices:read' },     limit:
 * 'read',     request: { params: z.strictObject({ id: z.string() }) },     responses: { 200: {
 * description: 'The invoice', schema: invoice } },     errors: ['not_found'],     handler: async ({
 * params, principal }) => ({ status: 200, body: await … }),   });  A schema with `.meta({ id:
 * 'Invoice' })` becomes a component of the OpenAPI file.
 */
import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { z } from 'zod';
import type { Environment, Principal } from '../auth/principal.ts';
import type { ApiError } from './errors.ts';

export const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;
export type Method = (typeof methods)[number];

/**
 * Objects are strict; header names are written in lower case, and other headers are not looked at.
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

/** What a handler is given. */
export interface Input<Schemas extends RequestSchemas, Public extends boolean> {
  readonly params: Parsed<Schemas, 'params'>;
  readonly query: Parsed<Schemas, 'query'>;
  readonly headers: Parsed<Schemas, 'headers'>;
  readonly body: Parsed<Schemas, 'body'>;
  /** Undefined on public routes. */
  readonly principal: Public extends true ? undefined : Principal;
  readonly environment: Environment;
  readonly requestId: string;
  readonly ip: string;
  readonly log: Logger;
  /** Aborted when the caller hangs up. */
  readonly signal: AbortSignal;
  /**
   * The request itself, for public routes that check a signature over `rawBody` or read a stream.
   */
  readonly raw: IncomingMessage;
}

export interface Reply {
  readonly status: number;
  /** Sent as JSON; text, bytes or a stream go out as they are, with the content-type header given. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** How a file may be sent: as the part `file` of a form, or as the body itself. */
export type UploadType = 'multipart/form-data' | 'text/csv';

export interface ResponseRow {
  readonly description: string;
  readonly schema?: z.ZodType;
  /** For answers that are not JSON: the type, or those that there are. */
  readonly mediaType?: string | readonly string[];
}

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
  /** The permission it takes, or why it takes none. */
  readonly auth: Public extends true ? { readonly public: string } : { readonly scope: string };
  /** Name of the rate limit that counts it; none: not counted. */
  readonly limit?: string;
  /** Default 256 KiB. */
  readonly bodyBytesMax?: number;
  readonly request?: Schemas;
  /** For a file that the handler reads from `raw` by itself. */
  readonly upload?: readonly UploadType[];
  readonly responses: Readonly<Record<number, ResponseRow>>;
  /** Codes of the service's table that it answers beyond those every route may answer. */
  readonly errors?: readonly string[];
  handler(input: Input<Schemas, Public>): Promise<Reply | ApiError>;
}

// Rows of all schemas stand in one list; each is checked where it is written.
// biome-ignore lint/suspicious/noExplicitAny: no other type takes every row
export type AnyRoute = Route<any, any>;

/** Checks a row's types where it is written; answers it as it is. */
export function route<const Schemas extends RequestSchemas>(
  row: Route<Schemas, false>,
): Route<Schemas, false>;
export function route<const Schemas extends RequestSchemas>(
  row: Route<Schemas, true>,
): Route<Schemas, true>;
export function route(row: AnyRoute): AnyRoute {
  return row;
}
