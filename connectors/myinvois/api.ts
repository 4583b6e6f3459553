import type { z } from 'zod';
import {
  type ConnectorContext,
  type ConnectorFault,
  limits,
  type Unreachable,
} from '../contract.ts';
import { fault } from '../fault.ts';
import { type ApiOutcome, type ApiRequest, JsonApi, type Refused } from '../outbound/json-api.ts';
import {
  type DetailsAnswer,
  detailsAnswer,
  type RawAnswer,
  rawAnswer,
  searchAnswer,
  typeAnswer,
  typesAnswer,
} from './answers.ts';
import { answerUnexpected } from './errors.ts';
import type { MyInvoisSettings } from './settings.ts';

export interface SearchWindow {
  readonly status: 'Valid' | 'Cancelled';
  readonly fromMs: number;
  readonly toMs: number;
  /** From 1. */
  readonly page: number;
}

/** The status of what its issuer has taken back. */
const cancelledStatus = 'Cancelled';

export interface SearchPage {
  readonly kind: 'page';
  readonly uuids: readonly string[];
  readonly totalPages: number;
  readonly totalCount: number;
}

export type RawOutcome =
  | { readonly kind: 'raw'; readonly raw: RawAnswer }
  /** It was cancelled, and its source is not given out any more. */
  | { readonly kind: 'cancelled'; readonly details: DetailsAnswer }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unusable'; readonly fault: ConnectorFault }
  | Unreachable;

/** Windows of time change by decree only. */
const periodsKeptMs = 24 * 3_600_000;
const searchPace = 'search';
const typesPerMinute = 60;
const detailsPerMinute = 120;
const statesPerMinute = 12;

/** The calls of MyInvois for what a taxpayer received, each at its own pace. */
export class MyInvoisApi {
  readonly where: string;
  readonly #api: JsonApi;
  readonly #settings: MyInvoisSettings;
  readonly #clock: () => Date;
  readonly #periods = new Map<
    string,
    { readonly hours: number | undefined; readonly untilMs: number }
  >();

  constructor(settings: MyInvoisSettings, context: ConnectorContext) {
    const { url, ca, clientId, clientSecret } = settings;
    const tokenUrl = `${url.replace(/\/$/, '')}/connect/token`;
    const client = { tokenUrl, clientId, clientSecret, scope: 'InvoicingAPI' };
    const headers = { 'accept-language': 'en' };
    this.#api = new JsonApi({ url, ca, headers, auth: { type: 'oauth2', client } }, context);
    this.where = this.#api.where;
    this.#settings = settings;
    this.#clock = context.clock;
  }

  /** One page of the documents in that status that were received in that time, newest first. */
  async search(window: SearchWindow, signal: AbortSignal): Promise<SearchPage | Unreachable> {
    const url = this.#api.urlOf('/api/v1.0/documents/search')!;
    const query = {
      submissionDateFrom: instantText(window.fromMs),
      submissionDateTo: instantText(window.toMs),
      invoiceDirection: 'Received',
      status: window.status,
      pageNo: String(window.page),
      pageSize: '100',
    };
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const pace = { of: searchPace, perMinute: this.#settings.searchesPerMinute };
    const read = await this.#get(url, pace, searchAnswer, signal);
    if (read.kind !== 'read') return unanswered(read, 'a search');
    const { result, metadata } = read.value;
    return { kind: 'page', uuids: (result ?? []).map(({ uuid }) => uuid), ...metadata };
  }

  /** Milliseconds until the next search may go out. */
  searchWaitMs(): number {
    return this.#api.waitMs(searchPace);
  }

  /** The document with that id, as it was submitted. */
  async raw(uuid: string, signal: AbortSignal): Promise<RawOutcome> {
    const url =
      uuid.length > limits.refLengthMax
        ? undefined
        : this.#api.urlOf('/api/v1.0/documents/{uuid}/raw', { uuid });
    if (url === undefined) return { kind: 'missing' };
    const pace = { of: 'raw', perMinute: this.#settings.readsPerMinute };
    const read = await this.#get(url, pace, rawAnswer, signal);
    switch (read.kind) {
      case 'read':
        return { kind: 'raw', raw: read.value };
      case 'missing':
        return read;
      case 'too-large':
        return { kind: 'unusable', fault: read.fault };
      case 'refused':
        return this.#notGivenOut(uuid, read, signal);
      default:
        return unanswered(read, 'a document');
    }
  }

  /** Why a document's source is refused: what is not valid any more need not be given out. */
  async #notGivenOut(uuid: string, { code }: Refused, signal: AbortSignal): Promise<RawOutcome> {
    const url = this.#api.urlOf('/api/v1.0/documents/{uuid}/details', { uuid })!;
    const pace = { of: 'details', perMinute: detailsPerMinute };
    const read = await this.#get(url, pace, detailsAnswer, signal);
    if (read.kind === 'unreachable') return unanswered(read, 'the details of a document');
    if (read.kind === 'read' && read.value.status === cancelledStatus) {
      return { kind: 'cancelled', details: read.value };
    }
    const message = `MyInvois does not give out ${uuid} (${code}).`;
    return { kind: 'unusable', fault: fault('not_given_out', message, 'never') };
  }

  /**
   * Hours after its validation in which the receiver may reject a document of that type, as MyInvois
   * publishes them; undefined where it says nothing of the type.
   */
  async rejectionHours(
    type: { readonly code: string | undefined; readonly name: string },
    at: Date,
    signal: AbortSignal,
  ): Promise<number | undefined | Unreachable> {
    const key = JSON.stringify(type);
    const known = this.#periods.get(key);
    const nowMs = this.#clock().getTime();
    if (known !== undefined && known.untilMs > nowMs) return known.hours;
    const pace = { of: 'types', perMinute: typesPerMinute };
    const types = await this.#get(
      this.#api.urlOf('/api/v1.0/documenttypes')!,
      pace,
      typesAnswer,
      signal,
    );
    if (types.kind !== 'read') return unanswered(types, 'the types of documents');
    const row =
      types.value.result.find((each) => type.code && each.invoiceTypeCode === Number(type.code)) ??
      types.value.result.find((each) => each.description === type.name);
    let hours: number | undefined;
    if (row !== undefined) {
      const url = this.#api.urlOf('/api/v1.0/documenttypes/{id}', { id: String(row.id) })!;
      const read = await this.#get(url, pace, typeAnswer, signal);
      if (read.kind !== 'read') return unanswered(read, 'a type of documents');
      hours = activeHours(read.value, at);
    }
    this.#periods.set(key, { hours, untilMs: nowMs + periodsKeptMs });
    return hours;
  }

  /** Asks the issuer to cancel a document, with the reason. */
  reject(uuid: string, reason: string, signal: AbortSignal): Promise<ApiOutcome | Refused> {
    const url = this.#api.urlOf('/api/v1.0/documents/state/{uuid}/state', { uuid });
    if (url === undefined) return Promise.resolve({ kind: 'missing' });
    const request: ApiRequest = {
      method: 'PUT',
      url,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ status: 'rejected', reason }),
      pace: { of: 'state', perMinute: statesPerMinute },
    };
    return this.#api.ask(request, signal);
  }

  close(): Promise<void> {
    return this.#api.close();
  }

  async #get<Value>(
    url: URL,
    pace: NonNullable<ApiRequest['pace']>,
    schema: z.ZodType<Value>,
    signal: AbortSignal,
  ) {
    const outcome = await this.#api.ask({ method: 'GET', url, pace }, signal);
    if (outcome.kind !== 'answer') return outcome;
    const parsed = schema.safeParse(outcome.value);
    return parsed.success
      ? ({ kind: 'read', value: parsed.data } as const)
      : ({ kind: 'unreadable' } as const);
  }
}

/** What was no answer at a place where there must be one. */
function unanswered(
  outcome: Exclude<ApiOutcome, { kind: 'answer' }> | Refused | { readonly kind: 'unreadable' },
  what: string,
): Unreachable {
  return 'fault' in outcome
    ? { kind: 'unreachable', fault: outcome.fault }
    : { kind: 'unreachable', fault: answerUnexpected(what) };
}

function activeHours(
  { workflowParameters }: z.infer<typeof typeAnswer>,
  at: Date,
): number | undefined {
  return workflowParameters?.find(
    ({ parameter, activeFrom, activeTo }) =>
      parameter.toLowerCase() === 'rejectionduration' &&
      Date.parse(activeFrom ?? '1970-01-01') <= at.getTime() &&
      at.getTime() <= Date.parse(activeTo ?? '9999-12-31'),
  )?.value;
}

/** MyInvois takes whole seconds. */
function instantText(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d{3}Z$/, 'Z');
}
