import type { Json } from '../../simulation/json.ts';

const kinds = ['text', 'richCard', 'contentInfo', 'fileName', 'uploadedRbmFile'];
const bodyBytesMax = 250_000;
const cardSuggestionsMax = 4;
const suggestionsMax = 11;

/** What is wrong with a message; undefined when nothing is. */
export function contentFault(body: Json): string | undefined {
  if (Buffer.byteLength(JSON.stringify(body)) > bodyBytesMax) return 'At most 250 KB.';
  if (ttlSecondsOf(body) === undefined) return 'ttl is a duration.';
  const content = (body.contentMessage ?? {}) as Json;
  const given = kinds.filter((kind) => content[kind] !== undefined);
  if (given.length !== 1) return 'One of text, richCard, contentInfo, fileName is needed.';
  const fault = suggestionsFault(content.suggestions, suggestionsMax);
  return fault ?? cardsFault(content.richCard as Json | undefined);
}

/** The message's time to live in seconds; the network's limit when the message sets none. */
export function ttlSecondsOf({ ttl }: Json): number | undefined {
  if (ttl === undefined) return 30 * 24 * 60 * 60;
  const seconds = /^(\d+(?:\.\d+)?)s$/.exec(String(ttl))?.[1];
  return seconds === undefined ? undefined : Number(seconds);
}

function cardsFault(richCard: Json | undefined): string | undefined {
  const alone = (richCard?.standaloneCard as Json | undefined)?.cardContent as Json | undefined;
  const carousel = richCard?.carouselCard as Json | undefined;
  const cards = Array.isArray(carousel?.cardContents) ? (carousel.cardContents as Json[]) : [];
  if (carousel !== undefined && (cards.length < 2 || cards.length > 10)) {
    return 'A carousel has 2 to 10 cards.';
  }
  for (const card of alone === undefined ? cards : [alone]) {
    if (String(card.title ?? '').length > 200) return 'A title has at most 200 characters.';
    if (String(card.description ?? '').length > 2_000) return 'A description has at most 2000.';
    const fault = suggestionsFault(card.suggestions, cardSuggestionsMax);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function suggestionsFault(value: unknown, max: number): string | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value) || value.length > max) return `At most ${max} suggestions.`;
  for (const each of value as Json[]) {
    const one = (each.reply ?? each.action) as Json | undefined;
    if (typeof one?.text !== 'string' || one.text === '' || one.text.length > 25) {
      return 'The text of a suggestion has 1 to 25 characters.';
    }
  }
  return undefined;
}

/** The first suggested reply in any part of the message. */
export function firstReply(value: unknown): Json | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { reply } = value as Json;
  if (typeof reply === 'object' && reply !== null) return reply as Json;
  for (const part of Object.values(value)) {
    const found = firstReply(part);
    if (found !== undefined) return found;
  }
  return undefined;
}
