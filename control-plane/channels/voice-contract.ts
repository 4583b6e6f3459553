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

/** A call to place. */
export interface OutboundCall {
  /** Our id; the call-back addresses contain it. */
  readonly id: string;
  /** E.164 */
  readonly to: string;
  /** E.164 */
  readonly from: string;
  /** The address of the flow's first document. */
  readonly answerUrl: string;
  /** The address for the states of the call. */
  readonly statusUrl: string;
  /** The address for recordings; with it the whole call is recorded. */
  readonly recordingUrl?: string | undefined;
  readonly ringSeconds: number;
  /** The provider hangs up after this time. */
  readonly limitSeconds: number;
  /** Whether the provider detects who answers; `hangup` ends the call when a machine does. */
  readonly machineDetection: 'off' | 'continue' | 'hangup';
}

export interface VoiceContext {
  readonly now: Date;
  /** Different for every call, for tokens that may be used once. */
  readonly nonce: string;
}

export type VoiceAccount<Settings = unknown> = App<Settings>;

/** A provider's names for one call: some name the request first, and the call later. */
export interface CallHandle {
  readonly requestId: string;
  readonly callId?: string | undefined;
}

export type PlaceOutcome =
  | { readonly kind: 'placed'; readonly requestId: string }
  | Exclude<SendOutcome, { kind: 'accepted' }>;

/** The states of a call that a provider reports. */
export type ReportedStatus =
  | 'queued'
  | 'ringing'
  | 'in_progress'
  | 'completed'
  | 'busy'
  | 'no_answer'
  | 'canceled'
  | 'failed';

/** The state of a call. */
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

/** One event of a verified call-back; every kind may come twice and in any order. */
export type VoiceEvent =
  | CallReport
  /** Who answered became known after the answer. */
  | { readonly kind: 'answerer'; readonly callId: string; readonly answeredBy: AnsweredBy }
  | ({ readonly kind: 'leg' } & LegReport)
  | ({ readonly kind: 'recording' } & ReportedRecording)
  /** The text of a recording, from a provider that was asked for it when the recording began. */
  | {
      readonly kind: 'transcription';
      readonly recordingId: string;
      readonly told: TranscriptionReport;
    };

/** What a call-back says of a recording's text; `value` is the text, its address, or the reason. */
export interface TranscriptionReport {
  readonly kind: 'text' | 'address' | 'failed';
  readonly value: string;
}

/** The state of a leg that the flow dialled. */
export interface LegReport {
  /** The provider's id of the leg. */
  readonly legId: string;
  readonly status: ReportedStatus;
  /** E.164, or a SIP address. */
  readonly to?: string;
  readonly at?: Date;
  /** The length of the conversation, once it is over. */
  readonly durationSeconds?: number;
  readonly cause?: string;
}

export type AnsweredBy = 'human' | 'machine';

export interface ReportedRecording {
  /** The provider's id, by which repeats are dropped. */
  readonly recordingId: string;
  readonly url: string;
  readonly durationSeconds?: number;
}

export type VoiceReading =
  | { readonly kind: 'events'; readonly events: readonly VoiceEvent[] }
  | { readonly kind: 'malformed'; readonly reason: string };

/** What arrived at an address of the flow; the flow decides what it means. */
export interface FlowInput {
  /** Form fields, or the members of a JSON body, under the provider's names. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The provider's id of the call, where given. */
  readonly callId?: string;
  readonly recording?: ReportedRecording;
  readonly answeredBy?: AnsweredBy;
  /** At the end of a dial: the leg that was answered, where the provider names it. */
  readonly leg?: LegReport;
}

/** A call as the provider's own list shows it. */
export interface ListedCall {
  readonly callId: string;
  readonly to: string;
  readonly from: string;
  readonly at?: Date;
}

/** The provider's present state of the call; `gone`: it knows no call by this name. */
export type LookUp =
  | CallReport
  | { readonly kind: 'gone' }
  | { readonly kind: 'unclear'; readonly reason: string };

type Markup = 'twiml' | 'plivo' | 'ncco';

export type CheckOutcome =
  | { readonly kind: 'ok' }
  | ({ readonly kind: 'refused' } & Failure)
  | { readonly kind: 'unclear'; readonly reason: string };

/** What all voice providers have: they encode and decode, like a channel, and one engine sends. */
interface CallCodec<Settings> {
  /** The name of the folder. */
  readonly id: string;
  /** The name that people use. */
  readonly title: string;
  /** All values are strings; a secret field has `.meta({ secret: true })`. */
  readonly settings: z.ZodType<Settings>;
  /**
   * What is certain after a lost answer, as for channels: `exactly-once` where the provider takes
   * our id.
   */
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
    /**
     * Sent one after another until one knows of the call: some providers keep it in several places.
     */
    requests(
      handle: CallHandle,
      account: VoiceAccount<Settings>,
      context: VoiceContext,
    ): readonly WireRequest[];
    read(response: WireResponse): LookUp;
  };
  /** Whether the credentials are valid; this costs nothing. */
  readonly check: {
    request(account: VoiceAccount<Settings>, context: VoiceContext): WireRequest;
    read(response: WireResponse, now: Date): CheckOutcome;
  };
  /** Fetches a recording; credentials go only to the provider's own hosts. */
  recording(url: string, account: VoiceAccount<Settings>, context: VoiceContext): WireRequest;
}

/** How far a provider's own transcription is; `done` names it. */
export type FoundTranscription =
  | { readonly kind: 'none' }
  | { readonly kind: 'pending' }
  | { readonly kind: 'done'; readonly id: string; readonly language?: string | undefined }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'unclear'; readonly reason: string };

/** The provider is asked for the text of a recording that it has. */
export interface OrderedTranscription<Settings> {
  readonly kind: 'ordered';
  isUsedBy(account: VoiceAccount<Settings>): boolean;
  /** Asks for the transcription of a recording, which may not have been begun. */
  find(recordingId: string, account: VoiceAccount<Settings>, context: VoiceContext): WireRequest;
  readFound(response: WireResponse): FoundTranscription;
  begin(recordingId: string, account: VoiceAccount<Settings>, context: VoiceContext): WireRequest;
  readBegun(response: WireResponse): Exclude<FoundTranscription, { kind: 'none' | 'done' }>;
  /** Asks for the text of one that is done, by the provider's id of it. */
  text(id: string, account: VoiceAccount<Settings>, context: VoiceContext): WireRequest;
  /** Undefined: the answer does not say. */
  readText(response: WireResponse): string | undefined;
}

/** The document that records asks for the text, and a call-back tells it. */
export interface ReportedTranscription<Settings> {
  readonly kind: 'reported';
  isUsedBy(account: VoiceAccount<Settings>): boolean;
  /** The language that is spoken, as the provider writes it. */
  languageOf(account: VoiceAccount<Settings>): string;
  /** Where the call-back tells an address in place of the text. */
  readonly fetched?: {
    text(url: string, account: VoiceAccount<Settings>, context: VoiceContext): WireRequest;
    /** Undefined: the answer does not say. */
    readText(response: WireResponse): string | undefined;
  };
}

/** Where the recording of a whole call is reported, and its text if the provider transcribes it. */
export interface WholeCallRecording {
  readonly url: string;
  readonly transcription?: { readonly url: string; readonly language: string } | undefined;
}

/** A provider that fetches documents in its own markup, and reports by call-backs. */
export interface MarkupProvider<Settings = unknown> extends CallCodec<Settings> {
  readonly kind: 'markup';
  /** The provider's production address. */
  readonly endpoint: string;
  readonly markup: Markup;
  /** Lists the calls since an instant, for calls whose id we never got. */
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
  /** Lists the legs that a call dialled, for those that were never reported. */
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
  /** The request for the page after this one; undefined: it was the last. */
  nextPage(
    asked: WireRequest,
    page: WireResponse,
    account: VoiceAccount<Settings>,
    context: VoiceContext,
  ): WireRequest | undefined;
  /** Turns its own recordings into text, where an account has that. */
  readonly transcription?: OrderedTranscription<Settings> | ReportedTranscription<Settings>;
  /**
   * Puts the recording of the whole call into its first document, where the request for the call
   * cannot.
   */
  withRecording?(document: string, recording: WholeCallRecording): string;
  verify(request: WebhookRequest, account: VoiceAccount<Settings>, now: Date): Verification;
  /** The events of a verified call-back about the call. Never throws, whatever the body. */
  events(request: WebhookRequest): VoiceReading;
  /** The content of a verified call-back of the flow. Never throws, whatever the body. */
  input(request: WebhookRequest): FlowInput;
}

/** A PBX whose calls we drive step by step, over a websocket that we keep open. */
export interface TrunkProvider<Settings = unknown> extends CallCodec<Settings> {
  readonly kind: 'trunk';
  /** The address of this account's PBX, without a slash at the end. */
  endpointOf(settings: Settings): string;
}

export type VoiceProvider<Settings = unknown> = MarkupProvider<Settings> | TrunkProvider<Settings>;
