/** The full text of a message, a call or a history entry, which lists shorten. */
import type { Card, Content, Suggestion } from '@drawbridge/messaging/message.ts';
import type { InboundContent } from '../../../channels/contract.ts';
import type { MessageRow } from '../../messages/message-row.ts';
import { orderLines } from '../../messages/receiving/inbound-preview.ts';
import type { HistoryRow } from '../conversations/history-store.ts';

type Said = Content | InboundContent;

/** The text of a message; for a file its caption, since the file has a box of its own. */
export function textOfMessage({
  content,
  preview,
}: Pick<MessageRow, 'content' | 'preview'>): string {
  return joinLines(fullTextOf(content) ?? [preview]);
}

/** Undefined where the preview is the full text. */
function fullTextOf(content: Said): readonly (string | undefined)[] | undefined {
  switch (content.kind) {
    case 'text':
      return [content.text];
    case 'media':
      return ['media' in content ? content.media.caption : content.caption];
    case 'location': {
      const { latitude, longitude, name, address } = content.location;
      return ['[location]', name, address, `${latitude}, ${longitude}`];
    }
    case 'contacts':
      return content.contacts.map(({ name, phones, email, organisation }) =>
        ['[contact]', name, organisation, ...phones, email].filter((each) => each).join(' '),
      );
    case 'interactive': {
      const { header, body, footer, choice } = content.interactive;
      return [header, body, footer, ...choicesOf(choice)];
    }
    case 'card':
      return [...cardLines(content.card), ...buttons(content.suggestions)];
    case 'carousel':
      return [...content.cards.flatMap(cardLines), ...buttons(content.suggestions)];
    case 'suggestions':
      return [content.text, ...buttons(content.suggestions)];
    case 'order':
      return orderLines(content);
    case 'template':
    case 'reaction':
    case 'choice':
    case 'unsupported':
      return undefined;
  }
}

type Choice = Extract<Content, { kind: 'interactive' }>['interactive']['choice'];

function choicesOf(choice: Choice): readonly (string | undefined)[] {
  switch (choice.kind) {
    case 'buttons':
      return choice.buttons.map(({ title }) => `[${title}]`);
    case 'link':
      return [`[${choice.text}] ${choice.url}`];
    case 'list':
      return [
        `[${choice.button}]`,
        ...choice.sections.flatMap(({ title, rows }) => [
          title,
          ...rows.map(
            (row) => `[${[row.title, row.description].filter((each) => each).join(' – ')}]`,
          ),
        ]),
      ];
  }
}

function cardLines({ title, description, mediaUrl, suggestions }: Card) {
  return [title, description, mediaUrl, ...buttons(suggestions)];
}

function buttons(suggestions: readonly Suggestion[] = []): string[] {
  return suggestions.map((each) => {
    if (each.kind === 'url') return `[${each.text}] ${each.url}`;
    return each.kind === 'dial' ? `[${each.text}] ${each.phone}` : `[${each.text}]`;
  });
}

/** `No answer`, or `Completed, 3 min 12 s`. */
export function textOfCall(status: string, seconds: number | null): string {
  const words = status.replaceAll(/[-_]/g, ' ');
  const how = words.slice(0, 1).toUpperCase() + words.slice(1);
  if (seconds === null) return how;
  const minutes = Math.floor(seconds / 60);
  return `${how}, ${minutes === 0 ? '' : `${minutes} min `}${seconds % 60} s`;
}

/** How names and instants are printed. */
export interface HistoryNaming {
  readonly name: (id: string) => string;
  readonly instant: (at: Date) => string;
}

/** A history entry as a sentence about the person who acted. */
export function textOfHistory(
  { type, data }: HistoryRow,
  { name, instant }: HistoryNaming,
): string {
  const { from, to, until, tags, opening } = data;
  const before = typeof from === 'string' ? ` (before: ${name(from)})` : '';
  switch (type) {
    case 'opened':
      return typeof opening === 'number' && opening > 1
        ? 'Opened the conversation again.'
        : 'Opened the conversation.';
    case 'closed':
      return 'Closed the conversation.';
    case 'snoozed':
      return typeof until === 'string'
        ? `Snoozed the conversation until ${instant(new Date(until))}.`
        : 'Snoozed the conversation.';
    case 'woken':
      return 'Ended the snoozing of the conversation.';
    case 'assigned':
      return `Assigned the conversation to ${typeof to === 'string' ? name(to) : 'somebody'}${before}.`;
    case 'unassigned':
      return `Assigned the conversation to nobody${before}.`;
    case 'tagged':
      return `Tags: ${Array.isArray(tags) && tags.length > 0 ? tags.join(', ') : 'none'}.`;
    default:
      return type;
  }
}

function joinLines(texts: readonly (string | undefined)[]): string {
  return texts.filter((each) => each !== undefined && each !== '').join('\n');
}
