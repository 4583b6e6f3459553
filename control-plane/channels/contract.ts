import type {
  Channel as ChannelWord,
  Content,
  ContentLimits,
  OutboundMessage,
} from '@drawbridge/messaging/message.ts';
import type { Farthest, Status } from '@drawbridge/messaging/status.ts';
import type { Template, TemplateCategory } from '@drawbridge/messaging/template.ts';
import type { z } from 'zod';

/** HTTP as data: a channel adapter is a codec, one dispatcher does all the sending. */
export interface WireRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface WireResponse {
  readonly status: number;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A number, bot or agent through which a tenant sends: one account at one provider. */
export interface App<Settings = unknown> {
  readonly id: string;
  /** Where the provider is, without a slash at the end: all in which environments differ. */
  readonly endpoint: string;
  readonly settings: Settings;
  /** Address below which this app's webhooks come in, with a slash at its end. */
  readonly callbackUrl: string;
}

export interface CallContext {
  readonly now: Date;
  /** From `authorization`, where the channel has it. */
  readonly token?: string;
}

/** What to do about a message that the provider would not take, or could not bring. */
export type FailureAction =
  /** Only this message is at fault. */
  | 'fail'
  /** The person wants no more: write it down. */
  | 'opt-out'
  /** This person cannot be reached here, at least today: try another channel. */
  | 'next-channel'
  /** The service window is closed: a template may go. */
  | 'offer-template'
  /** The template is at fault: every further message of the broadcast would fail alike. */
  | 'stop-broadcast'
  /** The account or number is at fault: a person must act. */
  | 'stop-channel';

/** A provider's refusal, decoded. `code` is the provider's own. */
export interface Failure {
  readonly code: string;
  readonly detail: string;
  readonly action: FailureAction;
}

export type Encoding =
  | { readonly kind: 'request'; readonly request: WireRequest }
  | { readonly kind: 'refused'; readonly code: string; readonly detail: string };

/** What one answer of the provider told about one message. */
export type SendOutcome =
  | {
      readonly kind: 'accepted';
      readonly providerId: string;
      /** The provider keeps it back for now (`held_for_quality_assessment`, `paused`). */
      readonly held?: string;
    }
  | ({ readonly kind: 'refused' } & Failure)
  /** Nothing was taken; the whole app, or only this person, must wait. */
  | {
      readonly kind: 'throttled';
      readonly scope: 'channel' | 'pair';
      readonly afterMs: number;
      readonly code: string;
    }
  /** Nothing was taken, for no fault of the message. */
  | { readonly kind: 'retry'; readonly reason: string; readonly afterMs?: number }
  /** It may have been taken. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** A webhook as it reached us. */
export interface WebhookRequest {
  readonly method: 'GET' | 'POST';
  /** The public address that was called, query included: some providers sign it. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** As received, before any parsing. */
  readonly body: Uint8Array;
}

export type Verification =
  /** `once` may be used by one request only: a second with it is a replay. */
  | { readonly kind: 'ok'; readonly once?: string }
  /** The provider tries the address: this must be answered, and nothing has happened. */
  | { readonly kind: 'answer'; readonly body: string }
  | { readonly kind: 'refused'; readonly status: 401 | 403; readonly reason: string };

/** A person as a network names them; at least one of phone and userId is there. */
export interface Person {
  /** E.164 */
  readonly phone?: string;
  /** A chat id, or a business-scoped user id. */
  readonly userId?: string;
  readonly name?: string;
  readonly username?: string;
}

/** What a person sent. */
export type InboundContent =
  | Extract<Content, { kind: 'text' | 'location' | 'contacts' | 'reaction' }>
  | {
      readonly kind: 'media';
      readonly type: 'image' | 'video' | 'audio' | 'document' | 'sticker';
      /** The network's id to fetch it by, or its address. */
      readonly source: { readonly url: string } | { readonly providerId: string };
      readonly caption?: string;
      readonly mimeType?: string;
      readonly filename?: string;
    }
  /** A tap on a button, a list row or a suggested reply. */
  | { readonly kind: 'choice'; readonly payload: string; readonly text: string }
  | { readonly kind: 'unsupported'; readonly what: string };

/** One thing that a webhook tells. Every kind may come twice and in any order. */
export type ChannelEvent =
  | {
      readonly kind: 'report';
      readonly providerId: string;
      /** Our own id, where the network gives it back. */
      readonly messageId?: string;
      readonly status: Status;
      readonly at?: Date;
      readonly failure?: Failure;
      /** What the network charges for, in its own words. */
      readonly pricing?: { readonly category: string; readonly isBillable: boolean };
    }
  | {
      readonly kind: 'inbound';
      /** The network's id: what a repeat is dropped by. */
      readonly providerId: string;
      readonly from: Person;
      /** The number or agent that was written to, where the network names it. */
      readonly to?: string;
      readonly at?: Date;
      readonly content: InboundContent;
      readonly replyTo?: string;
      /** One part of a long text, to be joined by whoever keeps them; counted from 1. */
      readonly part?: {
        readonly reference: string;
        readonly index: number;
        readonly total: number;
      };
    }
  | {
      readonly kind: 'consent';
      readonly person: Person;
      readonly change: 'stop' | 'start';
      readonly scope: 'all' | 'marketing';
      readonly at?: Date;
    }
  | ({ readonly kind: 'template' } & TemplateState)
  /** Two names are one person from now on. */
  | { readonly kind: 'identity'; readonly from: Person; readonly to: Person }
  /** Something befell the account or the number that people must know of. */
  | {
      readonly kind: 'account';
      readonly what: string;
      readonly detail: string;
      /** The business account it is about, where the network names it. */
      readonly account?: string;
      /** Nothing will be taken any more: a person must act. */
      readonly isStopped: boolean;
    };

export type EventReading =
  | { readonly kind: 'events'; readonly events: readonly ChannelEvent[] }
  | { readonly kind: 'malformed'; readonly reason: string };

/** A template as the network holds it. */
export interface TemplateState {
  readonly templateId: string;
  readonly name: string;
  readonly language: string;
  /** Absent when only the category or the quality changed. */
  readonly status?: 'pending' | 'approved' | 'rejected' | 'paused' | 'disabled' | 'deleted';
  readonly category?: TemplateCategory;
  readonly quality?: 'green' | 'yellow' | 'red' | 'unknown';
  /** The network's reason, as it gave it. */
  readonly reason?: string;
}

export type TemplateOutcome =
  | { readonly kind: 'held'; readonly template: TemplateState }
  | { readonly kind: 'removed' }
  | ({ readonly kind: 'refused' } & Failure)
  | { readonly kind: 'retry'; readonly reason: string; readonly afterMs?: number };

export type TemplateListing =
  | {
      readonly kind: 'page';
      readonly templates: readonly TemplateState[];
      readonly after?: string;
    }
  | ({ readonly kind: 'refused' } & Failure)
  | { readonly kind: 'retry'; readonly reason: string; readonly afterMs?: number };

/** Registration of templates with the network. */
export interface TemplateRegistry<Settings> {
  submit(template: Template, app: App<Settings>): WireRequest;
  readSubmission(template: Template, response: WireResponse, now: Date): TemplateOutcome;
  list(app: App<Settings>, after?: string): WireRequest;
  readList(response: WireResponse, now: Date): TemplateListing;
  remove(name: string, app: App<Settings>): WireRequest;
  readRemoval(response: WireResponse, now: Date): TemplateOutcome;
}

/** What a channel that knows whom it reaches says of one person. */
export type ReachOutcome =
  | { readonly kind: 'reached'; readonly features: readonly string[] }
  | { readonly kind: 'unreached' }
  | Exclude<SendOutcome, { kind: 'accepted' }>;

export type ReachManyOutcome =
  | { readonly kind: 'reached'; readonly phones: readonly string[] }
  | Exclude<SendOutcome, { kind: 'accepted' }>;

/** Asking beforehand whom a channel reaches. */
export interface Reach<Settings> {
  /** Numbers that one request may ask for. */
  readonly phonesMax: number;
  requestMany(phones: readonly string[], app: App<Settings>, context: CallContext): WireRequest;
  readMany(response: WireResponse, now: Date): ReachManyOutcome;
  /** `id` names the request. */
  request(phone: string, id: string, app: App<Settings>, context: CallContext): WireRequest;
  read(response: WireResponse, now: Date): ReachOutcome;
}

/** Taking back a message that has not been delivered. */
export interface Revocation<Settings> {
  request(
    message: { readonly providerId: string; readonly phone: string },
    app: App<Settings>,
    context: CallContext,
  ): WireRequest;
  read(
    response: WireResponse,
    now: Date,
  ):
    | { readonly kind: 'revoked' }
    | { readonly kind: 'gone' }
    | Exclude<SendOutcome, { kind: 'accepted' }>;
}

/** Fetching what a person sent: networks keep it for some time only. */
export interface InboundMedia<Settings> {
  /** Asks where a file is that is known by an id. */
  readonly address?: {
    request(id: string, app: App<Settings>, context: CallContext): WireRequest;
    /** Undefined: the network does not say, or no longer. */
    read(response: WireResponse, app: App<Settings>): string | undefined;
  };
  /** Gets the file; credentials go to none but the provider. */
  file(url: string, app: App<Settings>, context: CallContext): WireRequest;
}

/** What a network thinks of a number. */
export interface Standing {
  /** `green`, `yellow` or `red`, or the network's other word. */
  readonly quality?: string;
  /** The network's word for how many people may be written to in a day. */
  readonly tier?: string;
  /** Settings that are to follow, such as a higher throughput. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Messages a span of time allows, and how many may be borrowed from later. */
export interface Rate {
  readonly count: number;
  readonly perMs: number;
  readonly burst?: number;
}

/**
 * What is known after a lost answer. `exactly-once`: the provider takes our id and drops a second
 * message with it, so sending again is safe. `at-most-once-unknown`: sending again may bring it
 * twice, so it stays unknown until a report or a person tells; `reportsCarryOurId` says whether a
 * report can.
 */
export interface Guarantee {
  readonly kind: 'exactly-once' | 'at-most-once-unknown';
  readonly reportsCarryOurId: boolean;
}

/**
 * Whom a channel lets write freely: to anyone; only within 24 hours of the person's last message,
 * else a template; or only to people who have started it.
 */
export type Access = 'anyone' | 'service-window' | 'started';

/** Within which reports come where the provider does not say: the longest life of most messages. */
export const reportsWithinMsDefault = 72 * 3_600_000;

/** A provider of one channel. */
export interface Channel<Settings = unknown> {
  /** The folder's name. */
  readonly id: string;
  readonly channel: ChannelWord;
  /** All strings; a secret field carries `.meta({ secret: true })`. */
  readonly settings: z.ZodType<Settings>;
  /** The provider's production address. */
  readonly endpoint: string;
  readonly content: ContentLimits;
  readonly access: Access;
  readonly guarantee: Guarantee;
  /** The furthest status it reports. */
  readonly farthest: Farthest;
  /** After that long a report is not to be expected any more, as the provider documents it. */
  readonly reportsWithinMs?: number;
  /** What a webhook proves itself by: a signature over its content, or a shared secret. */
  readonly webhookProof: 'signature' | 'secret';
  limits(app: App<Settings>): { readonly app: Rate; readonly pair?: Rate };
  /** Gets the token for further calls, where the provider wants one; the caller keeps it. */
  readonly authorization?: {
    request(app: App<Settings>, now: Date): WireRequest;
    read(
      response: WireResponse,
      now: Date,
    ):
      | { readonly kind: 'token'; readonly token: string; readonly expiresAt: Date }
      | Extract<SendOutcome, { kind: 'refused' | 'retry' }>;
  };
  encode(message: OutboundMessage, app: App<Settings>, context: CallContext): Encoding;
  decode(response: WireResponse, now: Date, message: OutboundMessage): SendOutcome;
  verify(request: WebhookRequest, app: App<Settings>, now: Date): Verification;
  /** What a verified webhook tells. Never throws, whatever the body. */
  events(request: WebhookRequest): EventReading;
  /** Asks how a message stands of which the provider has told its id. */
  readonly lookUp?: {
    request(providerId: string, app: App<Settings>): WireRequest;
    read(response: WireResponse): Extract<ChannelEvent, { kind: 'report' }> | undefined;
  };
  readonly templates?: TemplateRegistry<Settings>;
  /** Asks what the network thinks of the number. */
  readonly standing?: {
    request(app: App<Settings>): WireRequest;
    read(response: WireResponse): Standing | undefined;
  };
  readonly reach?: Reach<Settings>;
  readonly media?: InboundMedia<Settings>;
  readonly revocation?: Revocation<Settings>;
  /** Tells the provider where webhooks go, where that is a call. */
  connect?(app: App<Settings>): WireRequest;
}
