import type { z } from 'zod';
import type {
  App,
  Failure,
  Guarantee,
  Rate,
  SendOutcome,
  Verification,
  WebhookRequest,
  WireRequest,
  WireResponse,
} from './contract.ts';

/** A call as a provider is asked for it. */
export interface OutboundCall {
  /** Ours; the call-back addresses carry it. */
  readonly id: string;
  /** E.164 */
  readonly to: string;
  /** E.164 */
  readonly from: string;
  /** Where the first document of the flow is fetched. */
  readonly answerUrl: string;
  /** Where the states of the call are told. */
  readonly statusUrl: string;
  /** Where recordings are told; with it the whole call is recorded. */
  readonly recordingUrl?: string | undefined;
  readonly ringSeconds: number;
  /** The provider hangs up after so long. */
  readonly limitSeconds: number;
  /** Whether it is found out who answers, and a machine is not talked to. */
  readonly machineDetection: 'off' | 'continue' | 'hangup';
}

export interface VoiceContext {
  readonly now: Date;
  /** Differs from call to call, for tokens that may be used once. */
  readonly nonce: string;
}

export type VoiceAccount<Settings = unknown> = App<Settings>;

/** The names a provider gives one call: some name the request first, and the call later. */
export interface CallHandle {
  readonly requestId: string;
  readonly callId?: string | undefined;
}

export type PlaceOutcome =
  | { readonly kind: 'placed'; readonly requestId: string }
  | Exclude<SendOutcome, { kind: 'accepted' }>;

/** What a provider tells of the state of a call. */
export type ReportedStatus =
  | 'queued'
  | 'ringing'
  | 'in_progress'
  | 'completed'
  | 'busy'
  | 'no_answer'
  | 'canceled'
  | 'failed';

/** How a call stands. */
export interface CallReport {
  readonly kind: 'report';
  /** The provider's id of the call. */
  readonly callId: string;
  readonly status: ReportedStatus;
  readonly at?: Date;
  readonly durationSeconds?: number;
  readonly answeredBy?: AnsweredBy;
  readonly cause?: string;
}

/** One thing that a verified call-back tells; every kind may come twice and in any order. */
export type VoiceEvent =
  | CallReport
  /** Who answered was found out after the answer. */
  | { readonly kind: 'answerer'; readonly callId: string; readonly answeredBy: AnsweredBy }
  | ({ readonly kind: 'leg' } & LegReport)
  | ({ readonly kind: 'recording' } & ReportedRecording);

/** How a leg stands that the flow dialled. */
export interface LegReport {
  /** The provider's id of the leg. */
  readonly legId: string;
  readonly status: ReportedStatus;
  /** E.164, or a SIP address. */
  readonly to?: string;
  readonly at?: Date;
  /** Of the conversation, once it is over. */
  readonly durationSeconds?: number;
  readonly cause?: string;
}

export type AnsweredBy = 'human' | 'machine';

export interface ReportedRecording {
  /** The provider's id: what a repeat is dropped by. */
  readonly recordingId: string;
  readonly url: string;
  readonly durationSeconds?: number;
}

export type VoiceReading =
  | { readonly kind: 'events'; readonly events: readonly VoiceEvent[] }
  | { readonly kind: 'malformed'; readonly reason: string };

/** What came to an address of the flow; what it means there, the flow says. */
export interface FlowInput {
  /** Its form fields, or the members of its JSON, as the provider names them. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The provider's id of the call, where told. */
  readonly callId?: string;
  readonly recording?: ReportedRecording;
  readonly answeredBy?: AnsweredBy;
  /** With the end of a dial: the leg that was answered, where the provider names it. */
  readonly leg?: LegReport;
}

/** A call as the provider's own list shows it. */
export interface ListedCall {
  readonly callId: string;
  readonly to: string;
  readonly from: string;
  readonly at?: Date;
}

/** How the provider has the call now; `gone`: it knows of none by this name. */
export type LookUp =
  | CallReport
  | { readonly kind: 'gone' }
  | { readonly kind: 'unclear'; readonly reason: string };

export type Markup = 'twiml' | 'plivo' | 'ncco';

export type CheckOutcome =
  | { readonly kind: 'ok' }
  | ({ readonly kind: 'refused' } & Failure)
  | { readonly kind: 'unclear'; readonly reason: string };

/** What every way of calling has: a codec, like a channel; one engine does the asking. */
interface CallCodec<Settings> {
  /** The folder's name. */
  readonly id: string;
  /** All strings; a secret field carries `.meta({ secret: true })`. */
  readonly settings: z.ZodType<Settings>;
  /** Of a lost answer, as for channels: `exactly-once` where it takes our id for the call. */
  readonly guarantee: Guarantee;
  readonly limits: {
    readonly calls: Rate;
    readonly callSecondsMax: number;
    readonly ringSecondsMax: number;
  };
  place(call: OutboundCall, account: VoiceAccount<Settings>, context: VoiceContext): WireRequest;
  readPlacing(response: WireResponse, now: Date): PlaceOutcome;
  hangUp(handle: CallHandle, account: VoiceAccount<Settings>, context: VoiceContext): WireRequest;
  readonly lookUp: {
    /** Asked one after another, until one knows of the call: some keep it in several places. */
    requests(
      handle: CallHandle,
      account: VoiceAccount<Settings>,
      context: VoiceContext,
    ): readonly WireRequest[];
    read(response: WireResponse): LookUp;
  };
  /** Whether the credentials are good; costs nothing. */
  readonly check: {
    request(account: VoiceAccount<Settings>, context: VoiceContext): WireRequest;
    read(response: WireResponse, now: Date): CheckOutcome;
  };
  /** Fetches a recording; credentials go to the provider's own hosts only. */
  recording(url: string, account: VoiceAccount<Settings>, context: VoiceContext): WireRequest;
}

/** A provider that fetches documents of its own markup, and calls back to tell. */
export interface MarkupProvider<Settings = unknown> extends CallCodec<Settings> {
  readonly kind: 'markup';
  /** The provider's production address. */
  readonly endpoint: string;
  readonly markup: Markup;
  /** Lists what was called since, for calls whose id was never told. */
  readonly search: {
    request(
      to: string,
      since: Date,
      account: VoiceAccount<Settings>,
      context: VoiceContext,
    ): WireRequest;
    /** Undefined: the pages do not say. */
    read(pages: readonly WireResponse[]): readonly ListedCall[] | undefined;
  };
  /** Lists the legs that a call dialled, for those that nobody told of. */
  readonly legs: {
    request(
      handle: CallHandle,
      since: Date,
      account: VoiceAccount<Settings>,
      context: VoiceContext,
    ): WireRequest;
    /** Undefined: the pages do not say. */
    read(pages: readonly WireResponse[], handle: CallHandle): readonly LegReport[] | undefined;
  };
  /** What is asked for after a page of these lists; undefined: it was the last. */
  nextPage(
    asked: WireRequest,
    page: WireResponse,
    account: VoiceAccount<Settings>,
    context: VoiceContext,
  ): WireRequest | undefined;
  /** Puts the recording of the whole call into its first document, where placing cannot ask for it. */
  withRecording?(document: string, recordingUrl: string): string;
  verify(request: WebhookRequest, account: VoiceAccount<Settings>, now: Date): Verification;
  /** What a verified call-back about the call tells. Never throws, whatever the body. */
  events(request: WebhookRequest): VoiceReading;
  /** What a verified call-back of the flow tells. Never throws, whatever the body. */
  input(request: WebhookRequest): FlowInput;
}

/** A PBX whose calls we drive ourselves, step by step, over a websocket that we hold. */
export interface TrunkProvider<Settings = unknown> extends CallCodec<Settings> {
  readonly kind: 'trunk';
  /** Where this account's PBX is, without a slash at the end. */
  endpointOf(settings: Settings): string;
}

export type VoiceProvider<Settings = unknown> = MarkupProvider<Settings> | TrunkProvider<Settings>;
