import type { ContentLimits, OutboundMessage } from '@drawbridge/messaging/message.ts';
import type { App, Encoding } from './contract.ts';
import { refusalOf, refuse } from './refusals.ts';

/** What SMS carries: text. Templates are rendered before, and cards are not supported. */
export function smsLimits(textMax: number): ContentLimits {
  return {
    kinds: ['text'],
    mediaTypes: [],
    suggestionKinds: [],
    textMax,
    captionMax: 0,
    interactiveBodyMax: 0,
    interactiveHeaderMax: 0,
    buttonsMax: 0,
    buttonTextMax: 0,
    listRowsMax: 0,
    rowTitleMax: 0,
    rowDescriptionMax: 0,
    contactsMax: 0,
    cardTitleMax: 0,
    cardDescriptionMax: 0,
    cardSuggestionsMax: 0,
    cardsMin: 0,
    cardsMax: 0,
    suggestionsMax: 0,
    suggestionTextMax: 0,
    payloadMax: 0,
  };
}

/** Number and text of a message for SMS, or why it cannot be sent. */
export function smsOf(
  message: OutboundMessage,
  limits: ContentLimits,
): { readonly kind: 'sms'; readonly phone: string; readonly text: string } | Encoding {
  const refusal = refusalOf(message, limits);
  if (refusal !== undefined) return refusal;
  if (message.content.kind !== 'text' || message.to.kind !== 'phone') {
    return refuse('recipient_unsupported', 'SMS goes to a phone number');
  }
  return { kind: 'sms', phone: message.to.phone, text: message.content.text };
}

const ourIdField = 'm';

/**
 * The address for delivery reports of this message; it contains our id, because providers return
 * only the address.
 */
export function reportUrl(app: App<unknown>, messageId: string): string {
  return `${app.callbackUrl}dlr/?${ourIdField}=${encodeURIComponent(messageId)}`;
}

/** The address for messages of people. */
export function inboundUrl(app: App<unknown>): string {
  return `${app.callbackUrl}inbound/`;
}

/** Our id, from the address at which a report arrived. */
export function reportedId(url: string): string | undefined {
  const id = URL.canParse(url) ? new URL(url).searchParams.get(ourIdField) : null;
  return id !== null && /^[A-Za-z0-9_-]{1,64}$/.test(id) ? id : undefined;
}
