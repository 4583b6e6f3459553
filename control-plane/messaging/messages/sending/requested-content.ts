/** Turns what clients ask to send into contents; pure. */
import type {
  Card,
  Channel,
  Content,
  Interactive,
  Media,
  Suggestion,
} from '@drawbridge/messaging/message.ts';
import type { TemplateParameter, TemplateUse } from '@drawbridge/messaging/template.ts';
import { given } from '../../../channels/untrusted-input.ts';
import { invalid } from '../../errors.ts';
import type {
  BotchatRequest,
  CardRequest,
  FileRequest,
  InteractiveRequest,
  MediaRequest,
  ParameterRequest,
  RcsRequest,
  SmsRequest,
  SuggestionRequest,
  WaRequest,
} from '../schema.ts';

/** A stored template that we fill in ourselves, because the network does not have it. */
export interface FilledTemplate {
  readonly name: string;
  readonly language: string | undefined;
  readonly variables: Readonly<Record<string, string>>;
}

export type RequestedContent =
  | { readonly kind: 'content'; readonly content: Content }
  | { readonly kind: 'filled'; readonly template: FilledTemplate };

export function contentOfWa(request: WaRequest): RequestedContent {
  return { kind: 'content', content: waContent(request) };
}

/** The schema guarantees that the member named by `type` is present. */
function waContent(request: WaRequest): Content {
  switch (request.type) {
    case 'text': {
      const { body, preview_url } = request.text!;
      return { kind: 'text', text: body, ...given({ previewUrl: preview_url }) };
    }
    case 'template':
      return { kind: 'template', template: templateUse(request.template!) };
    case 'location':
      return { kind: 'location', location: given(request.location!) };
    case 'contacts':
      return { kind: 'contacts', contacts: request.contacts!.map((each) => given(each)) };
    case 'interactive':
      return { kind: 'interactive', interactive: interactive(request.interactive!) };
    case 'reaction':
      return {
        kind: 'reaction',
        to: request.reaction!.message_id,
        emoji: request.reaction!.emoji,
      };
    default:
      return { kind: 'media', media: { type: request.type, ...fileOf(request[request.type]!) } };
  }
}

export function contentOfSms({ text, template }: SmsRequest): RequestedContent {
  if (template !== undefined) return filled(template);
  return { kind: 'content', content: { kind: 'text', text: text! } };
}

export function contentOfBotchat(request: BotchatRequest): RequestedContent {
  const { text, buttons, media, location, template } = request;
  if (template !== undefined) return filled(template);
  if (media !== undefined) return { kind: 'content', content: mediaContent(media) };
  if (location !== undefined) {
    return { kind: 'content', content: { kind: 'location', location: given(location) } };
  }
  return { kind: 'content', content: withSuggestions(text!, buttons) };
}

export function contentOfRcs(request: RcsRequest): RequestedContent {
  const { text, card, carousel, media, template, suggestions } = request;
  if (template !== undefined) return filled(template);
  const more = given({ suggestions: suggestions?.map(suggestion) });
  if (card !== undefined) {
    return { kind: 'content', content: { kind: 'card', card: cardOf(card), ...more } };
  }
  if (carousel !== undefined) {
    return { kind: 'content', content: { kind: 'carousel', cards: carousel.map(cardOf), ...more } };
  }
  if (media !== undefined) return { kind: 'content', content: mediaContent(media) };
  return { kind: 'content', content: withSuggestions(text!, suggestions) };
}

/** Where a request of the channel has a part of its content that the check calls `field`. */
export function memberOf(channel: Channel, content: Content, field: string): string {
  if (channel === 'botchat') return field.replace(/^suggestions/, 'buttons');
  if (channel !== 'wa') return field;
  if (content.kind === 'text') return 'text.body';
  return content.kind === 'media' ? field.replace(/^media/, content.media.type) : field;
}

function filled({
  name,
  language,
  variables,
}: NonNullable<SmsRequest['template']>): RequestedContent {
  return { kind: 'filled', template: { name, language, variables } };
}

function withSuggestions(text: string, asked: readonly SuggestionRequest[] = []): Content {
  if (asked.length === 0) return { kind: 'text', text };
  return { kind: 'suggestions', text, suggestions: asked.map(suggestion) };
}

function templateUse({ name, language, components }: WaRequest['template'] & {}): TemplateUse {
  return {
    name,
    language,
    components: components.map(({ type, sub_type, index, parameters }, at) => ({
      type,
      ...given({ subType: sub_type, index }),
      parameters: parameters.map((each, place) =>
        parameter(each, `template.components.${at}.parameters.${place}`),
      ),
    })),
  };
}

function parameter(from: ParameterRequest, field: string): TemplateParameter {
  const named = given({ name: from.parameter_name });
  const missing = () => invalid(field, `lacks its member "${from.type}"`);
  switch (from.type) {
    case 'text':
      if (from.text === undefined) throw missing();
      return { type: 'text', ...named, text: from.text };
    case 'payload':
      if (from.payload === undefined) throw missing();
      return { type: 'payload', ...named, payload: from.payload };
    case 'currency': {
      if (from.currency === undefined) throw missing();
      const { fallback_value, code, amount_1000 } = from.currency;
      return {
        type: 'currency',
        ...named,
        fallback: fallback_value,
        code,
        amount1000: amount_1000,
      };
    }
    case 'date_time':
      if (from.date_time === undefined) throw missing();
      return { type: 'date-time', ...named, fallback: from.date_time.fallback_value };
    default: {
      const held = from[from.type];
      if (held === undefined) throw missing();
      const filename = 'filename' in held ? held.filename : undefined;
      return { type: from.type, ...named, url: held.link, ...given({ filename }) };
    }
  }
}

function fileOf({ link, id, caption, filename }: FileRequest): Omit<Media, 'type'> {
  const source = link === undefined ? { providerId: id! } : { url: link };
  return { source, ...given({ caption, filename }) };
}

function mediaContent({ type, link, caption, filename }: MediaRequest): Content {
  return {
    kind: 'media',
    media: { type, source: { url: link }, ...given({ caption, filename }) },
  };
}

function interactive(from: InteractiveRequest): Interactive {
  const { header, body, footer, buttons, list, link } = from;
  const around = { body, ...given({ header, footer }) };
  if (buttons !== undefined) return { ...around, choice: { kind: 'buttons', buttons } };
  if (link !== undefined) return { ...around, choice: { kind: 'link', ...link } };
  const sections = list!.sections.map(({ title, rows }) => ({
    ...given({ title }),
    rows: rows.map((row) => given(row)),
  }));
  return { ...around, choice: { kind: 'list', button: list!.button, sections } };
}

function cardOf({ title, description, media_url, suggestions }: CardRequest): Card {
  const asked = suggestions?.map(suggestion);
  return given({ title, description, mediaUrl: media_url, suggestions: asked });
}

function suggestion({ type, ...from }: SuggestionRequest): Suggestion {
  return { kind: type, ...from } as Suggestion;
}
