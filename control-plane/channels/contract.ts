import type {
  Channel as ChannelWord,
  Content,
  ContentLimits,
  OutboundMessage,
} from '@drawbridge/messaging/message.ts';
import type { Farthest, Status } from '@drawbridge/messaging/status.ts';
import type { Template, TemplateCategory } from '@drawbridge/messaging/template.ts';
import type { z } from 'zod';

/**
 * A request as data: an adapter only encodes and decodes, and one dispatcher does all the sending.
 */
export interface WireRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A provider's answer as data. */
export interface WireResponse {
  readonly status: number;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A number, bot or agent through which a tenant sends: one account at one provider. */
export interface App<Settings = unknown> {
  readonly id: string;
  /** The provider's address without a slash at the end; only this differs between environments. */
  readonly endpoint: string;
  readonly settings: Settings;
  /** The address below which this app's webhooks arrive, with a slash at the end. */
  readonly callbackUrl: string;
}

/** What an adapter needs to encode one call. */
export interface CallContext {
  readonly now: Date;
  /** From `authorization`, where the channel has one. */
  readonly token?: string;
}

/** What to do about a message that the provider refused or could not deliver. */
export type FailureAction =
  /** Only this message is at fault. */
  | 'fail'
  /** The person wants no more messages: record it. */
  | 'opt-out'
  /** The person cannot be reached here, at least today: try another channel. */
  | 'next-channel'
  /** The service window is closed: a template may be sent. */
  | 'offer-template'
  /** The template is at fault: every other message of the broadcast would fail the same way. */
  | 'stop-broadcast'
  /** The account or number is at fault: a person must act. */
  | 'stop-channel';

/** A decoded refusal of the provider. `code` is the provider's own. */
export interface Failure {
  readonly code: string;
  readonly detail: string;
  readonly action: FailureAction;
}

/** The request for a message, or why the message cannot be sent. */
export type Encoding =
  | { readonly kind: 'request'; readonly request: WireRequest }
  | { readonly kind: 'refused'; readonly code: string; readonly detail: string };

/** What one answer of the provider means for one message. */
export type SendOutcome =
  | {
      readonly kind: 'accepted';
      readonly providerId: string;
      /** The provider delays it for now (`held_for_quality_assessment`, `paused`). */
      readonly held?: string;
    }
  | ({ readonly kind: 'refused' } & Failure)
  /** The message was not accepted; the whole app, or only this recipient, must wait. */
  | {
      readonly kind: 'throttled';
      readonly scope: 'channel' | 'pair';
      readonly afterMs: number;
      readonly code: string;
    }
  /** The message was not accepted, through no fault of its own. */
  | { readonly kind: 'retry'; readonly reason: string; readonly afterMs?: number }
  /** The message may have been accepted. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** A webhook as we received it. */
export interface WebhookRequest {
  readonly method: 'GET' | 'POST';
  /** The public address that was called, query included: some providers sign it. */
  readonly url: string;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** As received, before any parsing. */
  readonly body: Uint8Array;
}

/** Whether a webhook comes from the provider. */
export type Verification =
  /** `once` is of one request only: a second request with it is a repeat, which changes nothing, or a replay. */
  | { readonly kind: 'ok'; readonly once?: string }
  /** The provider tests the address: it wants this body as the answer, and there are no events. */
  | { readonly kind: 'answer'; readonly body: string }
  | { readonly kind: 'refused'; readonly status: 401 | 403; readonly reason: string };

/** A person as a network names them; at least one of `phone` and `userId` is present. */
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
      /** The network's id by which to fetch the file, or its address. */
      readonly source: { readonly url: string } | { readonly providerId: string };
      readonly caption?: string;
      readonly mimeType?: string;
      readonly filename?: string;
    }
  /** A tap on a button, a list row or a suggested reply. */
  | { readonly kind: 'choice'; readonly payload: string; readonly text: string }
  | Order
  | { readonly kind: 'unsupported'; readonly what: string };

/** What a person ordered from the catalogue of a business. */
export type Order = {
  readonly kind: 'order';
  /** What they wrote with it. */
  readonly text?: string;
  readonly catalogId?: string;
  readonly items: readonly {
    /** The product's number in the catalogue. */
    readonly productId: string;
    readonly quantity: number;
    /** Of one piece, in digits. */
    readonly price?: string;
    readonly currency?: string;
  }[];
};

/** One event of a webhook. Every kind may come twice and in any order. */
export type ChannelEvent = EventContent & {
  /** The number of ours that it concerns, where one address serves several. */
  readonly number?: string;
};

type EventContent =
  | {
      readonly kind: 'report';
      readonly providerId: string;
      /** Our own id, where the network returns it. */
      readonly messageId?: string;
      readonly status: Status;
      readonly at?: Date;
      readonly failure?: Failure;
      /** What the network charges for, in the network's words. */
      readonly pricing?: { readonly category: string; readonly isBillable: boolean };
    }
  | {
      readonly kind: 'inbound';
      /** The network's id, by which repeats are dropped. */
      readonly providerId: string;
      readonly from: Person;
      /** The number or agent to which the person wrote, where the network names it. */
      readonly to?: string;
      readonly at?: Date;
      readonly content: InboundContent;
      readonly replyTo?: string;
      /** One part of a long text, counted from 1; the receiver joins the parts. */
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
  | ({
      readonly kind: 'template';
      /** The business account of the template, where the network names it. */
      readonly account?: string;
    } & TemplateState)
  /** From now on both names are the same person. */
  | { readonly kind: 'identity'; readonly from: Person; readonly to: Person }
  /** Something happened to the account or the number that people must know about. */
  | {
      readonly kind: 'account';
      readonly what: string;
      readonly detail: string;
      /** The business account concerned, where the network names it. */
      readonly account?: string;
      /** The network accepts no more messages: a person must act. */
      readonly isStopped: boolean;
    };

/** The events of a webhook, or why its body cannot be read. */
export type EventReading =
  | { readonly kind: 'events'; readonly events: readonly ChannelEvent[] }
  | { readonly kind: 'malformed'; readonly reason: string };

/** A template as the network has it. */
export interface TemplateState {
  readonly templateId: string;
  readonly name: string;
  readonly language: string;
  /** Its words, in lists. */
  readonly body?: string;
  /** Absent when only the category or the quality changed. */
  readonly status?: 'pending' | 'approved' | 'rejected' | 'paused' | 'disabled' | 'deleted';
  readonly category?: TemplateCategory;
  readonly quality?: 'green' | 'yellow' | 'red' | 'unknown';
  /** The network's reason, unchanged. */
  readonly reason?: string;
}

/** The result of submitting, changing or removing a template. */
export type TemplateOutcome =
  | { readonly kind: 'held'; readonly template: TemplateState }
  | { readonly kind: 'done' }
  | ({ readonly kind: 'refused' } & Failure)
  | { readonly kind: 'retry'; readonly reason: string; readonly afterMs?: number };

/** One page of an account's templates; `after` asks for the next page. */
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
  /** Replaces all of a template but its name and language; the network reviews it anew. */
  change(templateId: string, template: Template, app: App<Settings>): WireRequest;
  readChange(response: WireResponse, now: Date): TemplateOutcome;
  /** Of one language; others with the name stay. */
  remove(templateId: string, name: string, app: App<Settings>): WireRequest;
  readRemoval(response: WireResponse, now: Date): TemplateOutcome;
}

/** Whether the channel reaches one person, with the features of that person's device. */
type ReachOutcome =
  | { readonly kind: 'reached'; readonly features: readonly string[] }
  | { readonly kind: 'unreached' }
  | Exclude<SendOutcome, { kind: 'accepted' }>;

/** Which of several numbers the channel reaches. */
type ReachManyOutcome =
  | { readonly kind: 'reached'; readonly phones: readonly string[] }
  | Exclude<SendOutcome, { kind: 'accepted' }>;

/** Asks in advance whom a channel reaches. */
export interface Reach<Settings> {
  /** How many numbers one request may contain. */
  readonly phonesMax: number;
  requestMany(phones: readonly string[], app: App<Settings>, context: CallContext): WireRequest;
  readMany(response: WireResponse, now: Date): ReachManyOutcome;
  /** `id` identifies the request. */
  request(phone: string, id: string, app: App<Settings>, context: CallContext): WireRequest;
  read(response: WireResponse, now: Date): ReachOutcome;
}

/** Withdraws a message that has not been delivered. */
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

/** Fetches a file that a person sent: networks keep files for a limited time only. */
export interface InboundMedia<Settings> {
  /** Asks for the address of a file known by its id. */
  readonly address?: {
    request(id: string, app: App<Settings>, context: CallContext): WireRequest;
    /** Undefined: the network does not say, or has dropped the file. */
    read(response: WireResponse, app: App<Settings>): string | undefined;
  };
  /** Fetches the file; credentials go only to the provider. */
  file(url: string, app: App<Settings>, context: CallContext): WireRequest;
}

/** What a network says about a number. */
interface NumberHealth {
  /** `green`, `yellow` or `red`, or another word of the network. */
  readonly quality?: string;
  /** The network's word for how many people may be contacted in a day. */
  readonly tier?: string;
  /** Settings that follow from it, such as a higher throughput. */
  readonly settings: Readonly<Record<string, string>>;
}

/** How many messages a span of time allows, and how many may be sent ahead of it. */
export interface Rate {
  readonly count: number;
  readonly perMs: number;
  readonly burst?: number;
}

/**
 * What is certain after a lost answer. `exactly-once`: the provider takes our id and drops a second
 * message with it, so sending again is safe. `at-most-once-unknown`: sending again may deliver it
 * twice, so its status stays unknown until a report or a person settles it; `reportsCarryOurId`
 * says whether a report can.
 */
export interface Guarantee {
  readonly kind: 'exactly-once' | 'at-most-once-unknown';
  readonly reportsCarryOurId: boolean;
}

/**
 * To whom a channel may write without a template: to anyone; only within 24 hours of the person's
 * last message; or only to people who have started it.
 */
type Access = 'anyone' | 'service-window' | 'started';

/**
 * How long reports may take where the provider does not say, in milliseconds: the longest life of
 * most messages.
 */
export const reportsWithinMsDefault = 72 * 3_600_000;

/** A provider of one channel. */
export interface Channel<Settings = unknown> {
  /** The name of the folder. */
  readonly id: string;
  /** The name that people use. */
  readonly title: string;
  readonly channel: ChannelWord;
  /** All values are strings; a secret field has `.meta({ secret: true })`. */
  readonly settings: z.ZodType<Settings>;
  /** The provider's production address. */
  readonly endpoint: string;
  readonly content: ContentLimits;
  readonly access: Access;
  readonly guarantee: Guarantee;
  /** The last status that it reports. */
  readonly farthest: Farthest;
  /** No report is expected after this time, by the provider's documentation. */
  readonly reportsWithinMs?: number;
  /** How a webhook proves its origin: by a signature over its content, or by a shared secret. */
  readonly webhookProof: 'signature' | 'secret';
  limits(app: App<Settings>): { readonly app: Rate; readonly pair?: Rate };
  /** Gets the token for later calls, where the provider wants one; the caller keeps the token. */
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
  /** The events of a verified webhook. Never throws, whatever the body. */
  events(request: WebhookRequest): EventReading;
  /** Asks for the status of a message whose provider id is known. */
  readonly lookUp?: {
    request(providerId: string, app: App<Settings>): WireRequest;
    read(response: WireResponse): Extract<ChannelEvent, { kind: 'report' }> | undefined;
  };
  readonly templates?: TemplateRegistry<Settings>;
  /** Asks what the network says about the number. */
  readonly health?: {
    request(app: App<Settings>): WireRequest;
    read(response: WireResponse): NumberHealth | undefined;
  };
  readonly reach?: Reach<Settings>;
  readonly media?: InboundMedia<Settings>;
  readonly revocation?: Revocation<Settings>;
  /**
   * Registers our addresses with the provider, where its API can: the step after these answers, the
   * first one after none.
   */
  connect?(app: App<Settings>, answers: readonly WireResponse[]): ConnectStep;
  /** Where a person sets the address for messages, where the API cannot. */
  readonly consoleHelp?: string;
}

/** A step of registering our addresses with a provider. */
export type ConnectStep =
  | { readonly kind: 'request'; readonly request: WireRequest }
  /** Everything is registered, or this account has nothing to register. */
  | { readonly kind: 'done' }
  | { readonly kind: 'refused'; readonly reason: string };
