import type {
  ContactCard,
  Content,
  ContentLimits,
  Interactive,
  Media,
} from '@drawbridge/messaging/message.ts';
import type {
  TemplateComponent,
  TemplateParameter,
  TemplateUse,
} from '@drawbridge/messaging/template.ts';
import { given } from '../untrusted-input.ts';

/** What the network carries; cards and suggestions only in templates. */
export const content: ContentLimits = {
  kinds: ['text', 'template', 'media', 'location', 'contacts', 'interactive', 'reaction'],
  mediaTypes: ['image', 'video', 'audio', 'document', 'sticker'],
  suggestionKinds: [],
  textMax: 4_096,
  captionMax: 1_024,
  interactiveBodyMax: 1_024,
  interactiveHeaderMax: 60,
  buttonsMax: 3,
  buttonTextMax: 20,
  listRowsMax: 10,
  rowTitleMax: 24,
  rowDescriptionMax: 72,
  contactsMax: 257,
  cardTitleMax: 0,
  cardDescriptionMax: 0,
  cardSuggestionsMax: 0,
  cardsMin: 0,
  cardsMax: 0,
  suggestionsMax: 0,
  suggestionTextMax: 0,
  payloadMax: 200,
};

/** `type` and the member of that name; undefined for kinds the network does not carry. */
export function encodeContent(from: Content): Readonly<Record<string, unknown>> | undefined {
  switch (from.kind) {
    case 'text':
      return typed('text', given({ body: from.text, preview_url: from.previewUrl }));
    case 'template':
      return typed('template', template(from.template));
    case 'media':
      return typed(from.media.type, media(from.media));
    case 'location':
      return typed('location', from.location);
    case 'contacts':
      return typed('contacts', from.contacts.map(contact));
    case 'interactive':
      return typed('interactive', interactive(from.interactive));
    case 'reaction':
      return typed('reaction', { message_id: from.to, emoji: from.emoji });
    case 'card':
    case 'carousel':
    case 'suggestions':
      return undefined;
  }
}

function typed(type: string, value: unknown): Readonly<Record<string, unknown>> {
  return { type, [type]: value };
}

function template({ name, language, components }: TemplateUse) {
  return {
    name,
    language: { code: language, policy: 'deterministic' },
    ...(components.length === 0 ? {} : { components: components.map(component) }),
  };
}

function component({ type, subType, index, parameters }: TemplateComponent) {
  return given({
    type,
    sub_type: subType,
    index: index === undefined ? undefined : String(index),
    parameters: parameters.map(parameter),
  });
}

function parameter(from: TemplateParameter) {
  const named = given({ parameter_name: from.name });
  switch (from.type) {
    case 'text':
      return { type: 'text', ...named, text: from.text };
    case 'payload':
      return { type: 'payload', ...named, payload: from.payload };
    case 'currency': {
      const { fallback, code, amount1000 } = from;
      const currency = { fallback_value: fallback, code, amount_1000: amount1000 };
      return { type: 'currency', ...named, currency };
    }
    case 'date-time':
      return { type: 'date_time', ...named, date_time: { fallback_value: from.fallback } };
    case 'image':
    case 'video':
    case 'document': {
      const file = given({ link: from.url, filename: from.filename });
      return { type: from.type, ...named, [from.type]: file };
    }
  }
}

function media({ type, source, caption, filename }: Media) {
  const hasCaption = type === 'image' || type === 'video' || type === 'document';
  return given({
    ...('url' in source ? { link: source.url } : { id: source.providerId }),
    caption: hasCaption ? caption : undefined,
    filename: type === 'document' ? filename : undefined,
  });
}

function contact({ name, phones, email, organisation }: ContactCard) {
  return given({
    name: { formatted_name: name, first_name: name },
    phones: phones.map((phone) => ({ phone, type: 'CELL' })),
    emails: email === undefined ? undefined : [{ email, type: 'WORK' }],
    org: organisation === undefined ? undefined : { company: organisation },
  });
}

function interactive({ header, body, footer, choice }: Interactive) {
  return given({
    ...action(choice),
    header: header === undefined ? undefined : { type: 'text', text: header },
    body: { text: body },
    footer: footer === undefined ? undefined : { text: footer },
  });
}

function action(choice: Interactive['choice']): { type: string; action: unknown } {
  switch (choice.kind) {
    case 'buttons': {
      const buttons = choice.buttons.map((reply) => ({ type: 'reply', reply }));
      return { type: 'button', action: { buttons } };
    }
    case 'list':
      return { type: 'list', action: { button: choice.button, sections: choice.sections } };
    case 'link': {
      const parameters = { display_text: choice.text, url: choice.url };
      return { type: 'cta_url', action: { name: 'cta_url', parameters } };
    }
  }
}
