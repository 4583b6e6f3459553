import type {
  Card,
  Content,
  ContentLimits,
  Interactive,
  Media,
  Suggestion,
} from '@drawbridge/messaging/message.ts';
import { given } from '../untrusted-input.ts';

/** The most bytes of a button's payload. */
export const payloadBytesMax = 64;

export const content: ContentLimits = {
  kinds: ['text', 'media', 'location', 'contacts', 'interactive', 'card', 'suggestions'],
  mediaTypes: ['image', 'video', 'audio', 'document', 'sticker'],
  suggestionKinds: ['reply', 'url'],
  textMax: 4_096,
  captionMax: 1_024,
  interactiveBodyMax: 3_900,
  interactiveHeaderMax: 90,
  buttonsMax: 100,
  buttonTextMax: 64,
  listRowsMax: 100,
  rowTitleMax: 64,
  rowDescriptionMax: 0,
  contactsMax: 1,
  cardTitleMax: 200,
  cardDescriptionMax: 800,
  cardSuggestionsMax: 8,
  cardsMin: 0,
  cardsMax: 0,
  suggestionsMax: 100,
  suggestionTextMax: 64,
  payloadMax: payloadBytesMax,
};

/** A call of the Bot API, without its recipient. */
export interface Call {
  readonly method: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

interface Button {
  readonly text: string;
  readonly callback_data?: string;
  readonly url?: string;
}

/** The call that sends a content; undefined for kinds that the network does not carry. */
export function encodeContent(from: Content): Call | undefined {
  switch (from.kind) {
    case 'text':
      return text(from.text, [], from.previewUrl === true);
    case 'media':
      return media(from.media);
    case 'location': {
      const { latitude, longitude, name, address } = from.location;
      return name !== undefined && address !== undefined
        ? { method: 'sendVenue', fields: { latitude, longitude, title: name, address } }
        : { method: 'sendLocation', fields: { latitude, longitude } };
    }
    case 'contacts': {
      const [contact] = from.contacts;
      const fields = { phone_number: contact?.phones[0] ?? '', first_name: contact?.name ?? '' };
      return { method: 'sendContact', fields };
    }
    case 'interactive':
      return interactive(from.interactive);
    case 'card':
      return card(from.card, from.suggestions ?? []);
    case 'suggestions':
      return text(from.text, from.suggestions.map(button));
    case 'template':
    case 'reaction':
    case 'carousel':
      return undefined;
  }
}

/** The payloads of the buttons, in the order they are shown. */
export function payloadsOf({ fields }: Call): readonly string[] {
  const markup = fields.reply_markup as { inline_keyboard: Button[][] } | undefined;
  return (markup?.inline_keyboard ?? []).flat().flatMap((each) => each.callback_data ?? []);
}

function text(words: string, buttons: readonly Button[], hasPreview = false): Call {
  const link_preview_options = { is_disabled: !hasPreview };
  return { method: 'sendMessage', fields: { text: words, link_preview_options, ...keys(buttons) } };
}

/** One button in a row: telephones are narrow. */
function keys(buttons: readonly Button[]) {
  if (buttons.length === 0) return {};
  return { reply_markup: { inline_keyboard: buttons.map((each) => [each]) } };
}

const mediaMethods = {
  image: ['sendPhoto', 'photo'],
  video: ['sendVideo', 'video'],
  audio: ['sendAudio', 'audio'],
  document: ['sendDocument', 'document'],
  sticker: ['sendSticker', 'sticker'],
} as const;

function media({ type, source, caption }: Media): Call {
  const [method, member] = mediaMethods[type];
  const file = 'url' in source ? source.url : source.providerId;
  const more = given({ caption: type === 'sticker' ? undefined : caption });
  return { method, fields: { [member]: file, ...more } };
}

function interactive({ header, body, footer, choice }: Interactive): Call {
  const words = [header, body, footer].filter((part) => part !== undefined).join('\n\n');
  if (choice.kind === 'link') return text(words, [{ text: choice.text, url: choice.url }]);
  const rows =
    choice.kind === 'buttons' ? choice.buttons : choice.sections.flatMap((section) => section.rows);
  return text(
    words,
    rows.map(({ id, title }) => ({ text: title, callback_data: id })),
  );
}

function card(
  { title, description, mediaUrl, suggestions = [] }: Card,
  more: readonly Suggestion[],
) {
  const words = [title, description].filter((part) => part !== undefined).join('\n\n');
  const buttons = [...suggestions, ...more].map(button);
  if (mediaUrl === undefined) return text(words, buttons);
  return { method: 'sendPhoto', fields: { photo: mediaUrl, caption: words, ...keys(buttons) } };
}

function button(suggestion: Suggestion): Button {
  const { text: label } = suggestion;
  if (suggestion.kind === 'url') return { text: label, url: suggestion.url };
  return { text: label, callback_data: suggestion.kind === 'reply' ? suggestion.payload : label };
}
