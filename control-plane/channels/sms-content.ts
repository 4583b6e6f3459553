import type { ContentLimits, OutboundMessage } from '@drawbridge/messaging/message.ts';
import type { App, ChannelEvent, Encoding, InboundContent } from './contract.ts';
import { refusalOf, refuse } from './refusals.ts';
import { given } from './untrusted-input.ts';

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

/** A file of an MMS, at its provider. */
export interface SmsFile {
  readonly url: string;
  readonly mimeType?: string;
}

/** What a person sent: a text, or a message for each file of an MMS, the first with its text. */
export function inboundSms(
  sent: { readonly providerId: string; readonly phone: string; readonly to: string },
  text: string,
  files: readonly SmsFile[],
): ChannelEvent[] {
  const { providerId, phone, to } = sent;
  const around = { kind: 'inbound', from: { phone }, to } as const;
  if (files.length === 0) return [{ ...around, providerId, content: { kind: 'text', text } }];
  return files.map((file, at) => ({
    ...around,
    // A repeated webhook gives the same ids.
    providerId: at === 0 ? providerId : `${providerId}/${at}`,
    content: fileContent(file, at === 0 && text !== '' ? text : undefined),
  }));
}

const fileTypes = ['image', 'video', 'audio'] as const;

function fileContent({ url, mimeType }: SmsFile, caption: string | undefined): InboundContent {
  const [major] = mimeType?.split('/') ?? [];
  const type = fileTypes.find((each) => each === major) ?? 'document';
  return { kind: 'media', type, source: { url }, ...given({ mimeType, caption }) };
}
