import type { TemplateUse } from './template.ts';

/** The channels that carry messages, as the API's paths name them. */
export const channels = ['wa', 'sms', 'botchat', 'rcs'] as const;
/** One of `channels`. */
export type Channel = (typeof channels)[number];

/** The recipient: by number, or by the network's own id (a chat, a business-scoped id). */
type Recipient =
  | { readonly kind: 'phone'; readonly phone: string }
  | { readonly kind: 'user'; readonly id: string };

/** A file: at a public address, or under the id that the network gave it. */
type MediaSource = { readonly url: string } | { readonly providerId: string };

/** What kind of file a message carries. */
type MediaType = 'image' | 'video' | 'audio' | 'document' | 'sticker';

/** A file with its caption and its name. */
export interface Media {
  readonly type: MediaType;
  readonly source: MediaSource;
  readonly caption?: string;
  readonly filename?: string;
}

/** What a person may tap instead of writing; `payload` comes back with a reply. */
export type Suggestion = { readonly text: string } & (
  | { readonly kind: 'reply'; readonly payload: string }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'dial'; readonly phone: string }
  | { readonly kind: 'view-location'; readonly latitude: number; readonly longitude: number }
  | { readonly kind: 'share-location' }
);

/** A card of a carousel: a picture with texts and suggestions. */
export interface Card {
  readonly title?: string;
  readonly description?: string;
  readonly mediaUrl?: string;
  readonly suggestions?: readonly Suggestion[];
}

/** A part of a list, with a title above its rows. */
interface ListSection {
  readonly title?: string;
  readonly rows: readonly {
    readonly id: string;
    readonly title: string;
    readonly description?: string;
  }[];
}

/** A text with choices. */
export interface Interactive {
  readonly header?: string;
  readonly body: string;
  readonly footer?: string;
  readonly choice:
    | { readonly kind: 'buttons'; readonly buttons: readonly { id: string; title: string }[] }
    | { readonly kind: 'list'; readonly button: string; readonly sections: readonly ListSection[] }
    | { readonly kind: 'link'; readonly text: string; readonly url: string };
}

/** A contact that a message carries; `phones` are E.164 numbers. */
export interface ContactCard {
  readonly name: string;
  readonly phones: readonly string[];
  readonly email?: string;
  readonly organisation?: string;
}

/** A place, in degrees. */
export interface Location {
  readonly latitude: number;
  readonly longitude: number;
  readonly name?: string;
  readonly address?: string;
}

/** The content of a message on any channel. */
export type Content =
  | { readonly kind: 'text'; readonly text: string; readonly previewUrl?: boolean }
  | { readonly kind: 'template'; readonly template: TemplateUse }
  | { readonly kind: 'media'; readonly media: Media }
  | { readonly kind: 'location'; readonly location: Location }
  | { readonly kind: 'contacts'; readonly contacts: readonly ContactCard[] }
  | { readonly kind: 'interactive'; readonly interactive: Interactive }
  /** An empty emoji removes the reaction. */
  | { readonly kind: 'reaction'; readonly to: string; readonly emoji: string }
  | {
      readonly kind: 'card';
      readonly card: Card;
      readonly suggestions?: readonly Suggestion[];
    }
  | {
      readonly kind: 'carousel';
      readonly cards: readonly Card[];
      readonly suggestions?: readonly Suggestion[];
    }
  | {
      readonly kind: 'suggestions';
      readonly text: string;
      readonly suggestions: readonly Suggestion[];
    };
/** The kind of a content. */
export type ContentKind = Content['kind'];

/** One message to one person. */
export interface OutboundMessage {
  /** Our own id, the same for every retry: at most 64 of `[A-Za-z0-9_-]`. */
  readonly id: string;
  readonly to: Recipient;
  readonly content: Content;
  /** The network's id of the message that this one answers. */
  readonly replyTo?: string;
  /** How long the message is worth delivering. */
  readonly ttlSeconds?: number;
  /** Under what the carriers' registry has the text (India: DLT entity and template). */
  readonly registration?: { readonly entityId: string; readonly templateId: string };
}

/** What a channel accepts: its kinds of content, and how long each part may be. */
export interface ContentLimits {
  readonly kinds: readonly ContentKind[];
  readonly mediaTypes: readonly MediaType[];
  readonly suggestionKinds: readonly Suggestion['kind'][];
  readonly textMax: number;
  readonly captionMax: number;
  readonly interactiveBodyMax: number;
  readonly interactiveHeaderMax: number;
  readonly buttonsMax: number;
  readonly buttonTextMax: number;
  readonly listRowsMax: number;
  readonly rowTitleMax: number;
  readonly rowDescriptionMax: number;
  readonly contactsMax: number;
  readonly cardTitleMax: number;
  readonly cardDescriptionMax: number;
  readonly cardSuggestionsMax: number;
  readonly cardsMin: number;
  readonly cardsMax: number;
  readonly suggestionsMax: number;
  readonly suggestionTextMax: number;
  readonly payloadMax: number;
}

/** One fault of a content; `field` is its path in a request of the API, e.g. `carousel.2.title`. */
export interface ContentFault {
  readonly code: 'unsupported' | 'required' | 'too_long' | 'too_many' | 'too_few' | 'invalid';
  readonly field: string;
  readonly message: string;
}
