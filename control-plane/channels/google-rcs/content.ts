import type {
  Card,
  Content,
  ContentLimits,
  Media,
  Suggestion,
} from '@drawbridge/messaging/message.ts';
import { given } from '../untrusted-input.ts';

export const content: ContentLimits = {
  kinds: ['text', 'media', 'card', 'carousel', 'suggestions'],
  mediaTypes: ['image', 'video', 'audio', 'document'],
  suggestionKinds: ['reply', 'url', 'dial', 'view-location', 'share-location'],
  textMax: 3_072,
  captionMax: 2_000,
  interactiveBodyMax: 0,
  interactiveHeaderMax: 0,
  buttonsMax: 0,
  buttonTextMax: 0,
  listRowsMax: 0,
  rowTitleMax: 0,
  rowDescriptionMax: 0,
  contactsMax: 0,
  cardTitleMax: 200,
  cardDescriptionMax: 2_000,
  cardSuggestionsMax: 4,
  cardsMin: 2,
  cardsMax: 10,
  suggestionsMax: 11,
  suggestionTextMax: 25,
  payloadMax: 2_048,
};

type Json = Readonly<Record<string, unknown>>;

/** A `contentMessage`; undefined for kinds that the network does not carry. */
export function encodeContent(from: Content): Json | undefined {
  switch (from.kind) {
    case 'text':
      return { text: from.text };
    case 'suggestions':
      return { text: from.text, suggestions: from.suggestions.map(suggestion) };
    case 'media':
      return media(from.media);
    case 'card': {
      const standaloneCard = { cardOrientation: 'VERTICAL', cardContent: card(from.card) };
      return withSuggestions({ richCard: { standaloneCard } }, from.suggestions);
    }
    case 'carousel': {
      const carouselCard = { cardWidth: 'MEDIUM', cardContents: from.cards.map(card) };
      return withSuggestions({ richCard: { carouselCard } }, from.suggestions);
    }
    case 'template':
    case 'location':
    case 'contacts':
    case 'interactive':
    case 'reaction':
      return undefined;
  }
}

/** A file cannot have a caption: a file with one is sent as a card. */
function media({ source, caption }: Media): Json {
  const file =
    'url' in source ? { contentInfo: { fileUrl: source.url } } : { fileName: source.providerId };
  if (caption === undefined) return file;
  const cardContent = { description: caption, media: { height: 'MEDIUM', ...file } };
  return { richCard: { standaloneCard: { cardOrientation: 'VERTICAL', cardContent } } };
}

function withSuggestions(message: Json, suggestions: readonly Suggestion[] = []): Json {
  return suggestions.length === 0
    ? message
    : { ...message, suggestions: suggestions.map(suggestion) };
}

function card({ title, description, mediaUrl, suggestions }: Card): Json {
  return given({
    title,
    description,
    media:
      mediaUrl === undefined ? undefined : { height: 'MEDIUM', contentInfo: { fileUrl: mediaUrl } },
    suggestions: suggestions?.map(suggestion),
  });
}

function suggestion(from: Suggestion): Json {
  const { text } = from;
  const action = (more: Json) => ({ action: { text, postbackData: text, ...more } });
  switch (from.kind) {
    case 'reply':
      return { reply: { text, postbackData: from.payload } };
    case 'url':
      return action({ openUrlAction: { url: from.url } });
    case 'dial':
      return action({ dialAction: { phoneNumber: from.phone } });
    case 'view-location': {
      const { latitude, longitude } = from;
      return action({ viewLocationAction: { latLong: { latitude, longitude } } });
    }
    case 'share-location':
      return action({ shareLocationAction: {} });
  }
}
