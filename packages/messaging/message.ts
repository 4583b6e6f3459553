import type { TemplateUse } from './template.ts';

/** The channels that carry messages, as the API's paths name them. */
export const channels = ['wa', 'sms', 'botchat', 'rcs'] as const;
export type Channel = (typeof channels)[number];

/** Whom a message goes to: by number, or by the network's own id (a chat, a business-scoped id). */
export type Recipient =
  | { readonly kind: 'phone'; readonly phone: string }
  | { readonly kind: 'user'; readonly id: string };

/** A file: at a public address, or under the id the network gave it. */
export type MediaSource = { readonly url: string } | { readonly providerId: string };

export type MediaType = 'image' | 'video' | 'audio' | 'document' | 'sticker';

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

export interface Card {
  readonly title?: string;
  readonly description?: string;
  readonly mediaUrl?: string;
  readonly suggestions?: readonly Suggestion[];
}

export interface ListSection {
  readonly title?: string;
  readonly rows: readonly {
    readonly id: string;
    readonly title: string;
    readonly description?: string;
  }[];
}

/** A text with something to choose from. */
export interface Interactive {
  readonly header?: string;
  readonly body: string;
  readonly footer?: string;
  readonly choice:
    | { readonly kind: 'buttons'; readonly buttons: readonly { id: string; title: string }[] }
    | { readonly kind: 'list'; readonly button: string; readonly sections: readonly ListSection[] }
    | { readonly kind: 'link'; readonly text: string; readonly url: string };
}

export interface ContactCard {
  readonly name: string;
  readonly phones: readonly string[];
  readonly email?: string;
  readonly organisation?: string;
}

export interface Location {
  readonly latitude: number;
  readonly longitude: number;
  readonly name?: string;
  readonly address?: string;
}

/** What a message says, on whatever channel. */
export type Content =
  | { readonly kind: 'text'; readonly text: string; readonly previewUrl?: boolean }
  | { readonly kind: 'template'; readonly template: TemplateUse }
  | { readonly kind: 'media'; readonly media: Media }
  | { readonly kind: 'location'; readonly location: Location }
  | { readonly kind: 'contacts'; readonly contacts: readonly ContactCard[] }
  | { readonly kind: 'interactive'; readonly interactive: Interactive }
  /** An empty emoji takes the reaction back. */
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
export type ContentKind = Content['kind'];

/** One message to one person. */
export interface OutboundMessage {
  /** Ours: stable over retries, at most 64 of `[A-Za-z0-9_-]`. */
  readonly id: string;
  readonly to: Recipient;
  readonly content: Content;
  /** The network's id of the message this one answers. */
  readonly replyTo?: string;
  /** How long it is worth delivering. */
  readonly ttlSeconds?: number;
  /** What the carriers' registry knows the text by (India: DLT entity and template). */
  readonly registration?: { readonly entityId: string; readonly templateId: string };
}

/** What a channel takes: its kinds, and how long each part may be. */
export interface ContentLimits {
  readonly kinds: readonly ContentKind[];
  readonly mediaTypes: readonly MediaType[];
  readonly suggestionKinds: readonly Suggestion['kind'][];
  readonly textMax: number;
  readonly captionMax: number;
  readonly interactiveBodyMax: number;
  readonly interactiveEdgeMax: number;
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

/** One thing wrong with a content; `field` is its path in the content, e.g. `cards.2.title`. */
export interface ContentFault {
  readonly code: 'unsupported' | 'required' | 'too_long' | 'too_many' | 'too_few' | 'invalid';
  readonly field: string;
  readonly message: string;
}
