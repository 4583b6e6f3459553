/**
 * The public APIs, as the pages call them. An answer that is no success is thrown as a `Problem`.
 *
 *     const invoice = await got(einvoicing.GET('/v1/invoices/{id}', { params: { path: { id } } }));
 */
import createClient from 'openapi-fetch';
import type { paths as EinvoicingPaths } from './einvoice-api.d.ts';
import type { paths as MessagingPaths } from './messaging-api.d.ts';
import { proven } from './proof.ts';

/** What an API answered in place of a success. */
export class Problem extends Error {
  readonly status: number;
  /** For programs, as in the error tables of the API. */
  readonly code: string;
  /** What people give us when they ask for help. */
  readonly requestId: string | undefined;
  /** Sentences by field of what was sent. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /** Who has what was asked for. */
  readonly assigneeId: string | null | undefined;

  constructor(status: number, body: Partial<ProblemBody>) {
    super(body.detail ?? `The server answered ${status}.`);
    this.name = 'Problem';
    this.status = status;
    this.code = body.code ?? 'unknown';
    this.requestId = body.request_id;
    this.fields = body.errors ?? {};
    this.assigneeId = body.assignee_id;
  }
}

interface ProblemBody {
  readonly detail: string;
  readonly code: string;
  readonly request_id: string;
  readonly errors: Record<string, string[]>;
  /** Of `conversation_taken`. */
  readonly assignee_id: string | null;
}

// An answer in a browser's cache would be there after the sign-out.
const options = { baseUrl: '/', fetch: proven, cache: 'no-store' } as const;
export const einvoicing = createClient<EinvoicingPaths>(options);
export const messaging = createClient<MessagingPaths>(options);

interface Answer<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

/** The body of a success. Throws `Problem`, or a `TypeError` when the server cannot be reached. */
export async function got<Data>(answer: Promise<Answer<Data>>): Promise<Data> {
  const { data, error, response } = await answer;
  if (response.ok) return data as Data;
  const isObject = typeof error === 'object' && error !== null;
  throw new Problem(response.status, isObject ? (error as Partial<ProblemBody>) : {});
}
