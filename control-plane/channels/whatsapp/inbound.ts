import { fromDigits } from '@drawbridge/messaging/phone.ts';
import type { ChannelEvent, InboundContent, Person } from '../contract.ts';
import {
  given,
  type JsonObject,
  numberOf,
  objectsOf,
  secondsOf,
  textOf,
  within,
} from '../untrusted-input.ts';

/** The messages of one `messages` change, and changes of a person's number. */
export function readInbound(value: JsonObject): readonly ChannelEvent[] {
  const to = textOf(within(value, 'metadata').phone_number_id);
  if (to === undefined) return [];
  const contacts = objectsOf(value.contacts);
  return objectsOf(value.messages).flatMap((message): readonly ChannelEvent[] => {
    const person = personOf(textOf(message.from), textOf(message.from_user_id), contacts);
    const providerId = textOf(message.id);
    if (person === undefined || providerId === undefined) return [];
    if (message.type === 'system') return readSystem(message, person);
    return [
      {
        kind: 'inbound',
        providerId,
        from: person,
        to,
        content: contentOf(message),
        ...given({
          at: secondsOf(message.timestamp),
          replyTo: textOf(within(message, 'context').id),
        }),
      },
    ];
  });
}

/**
 * The sender: by number, or only by business-scoped id, because people with a username may hide
 * their number.
 */
export function personOf(
  waId: string | undefined,
  userId: string | undefined,
  contacts: readonly JsonObject[],
): Person | undefined {
  const contact = contacts.find(
    (each) =>
      (waId !== undefined && each.wa_id === waId) ||
      (userId !== undefined && each.user_id === userId),
  );
  const profile = within(contact, 'profile');
  const person = given({
    phone: fromDigits(waId ?? textOf(contact?.wa_id)),
    userId: userId ?? textOf(contact?.user_id),
    name: textOf(profile.name),
    username: textOf(profile.username),
  });
  return person.phone === undefined && person.userId === undefined ? undefined : person;
}

function readSystem(message: JsonObject, person: Person): readonly ChannelEvent[] {
  const system = within(message, 'system');
  const phone = fromDigits(textOf(system.wa_id) ?? textOf(system.new_wa_id));
  if (system.type !== 'user_changed_number' || phone === undefined) return [];
  return [{ kind: 'identity', from: person, to: { phone, ...given({ userId: person.userId }) } }];
}

function contentOf(message: JsonObject): InboundContent {
  const type = textOf(message.type) ?? 'unknown';
  const part = within(message, type);
  switch (type) {
    case 'text':
      return { kind: 'text', text: textOf(part.body) ?? '' };
    case 'image':
    case 'audio':
    case 'video':
    case 'document':
    case 'sticker':
      return mediaOf(type, part);
    case 'location':
      return locationOf(part);
    case 'contacts':
      return { kind: 'contacts', contacts: objectsOf(message.contacts).map(cardOf) };
    case 'reaction':
      return {
        kind: 'reaction',
        to: textOf(part.message_id) ?? '',
        emoji: textOf(part.emoji) ?? '',
      };
    case 'button':
      return choice(textOf(part.payload), textOf(part.text));
    case 'interactive':
      return interactiveOf(part);
    case 'order':
      return orderOf(part);
    default:
      return { kind: 'unsupported', what: type };
  }
}

function mediaOf(
  type: Extract<InboundContent, { kind: 'media' }>['type'],
  part: JsonObject,
): InboundContent {
  const providerId = textOf(part.id);
  if (providerId === undefined) return { kind: 'unsupported', what: type };
  return {
    kind: 'media',
    type,
    source: { providerId },
    ...given({
      caption: textOf(part.caption),
      mimeType: textOf(part.mime_type),
      filename: textOf(part.filename),
    }),
  };
}

function locationOf(part: JsonObject): InboundContent {
  const latitude = numberOf(part.latitude);
  const longitude = numberOf(part.longitude);
  if (latitude === undefined || longitude === undefined) {
    return { kind: 'unsupported', what: 'location' };
  }
  const names = given({ name: textOf(part.name), address: textOf(part.address) });
  return { kind: 'location', location: { latitude, longitude, ...names } };
}

function cardOf(from: JsonObject) {
  const phones = objectsOf(from.phones).map((each) => textOf(each.phone) ?? '');
  return {
    name: textOf(within(from, 'name').formatted_name) ?? '',
    phones: phones.filter((phone) => phone !== ''),
    ...given({
      email: textOf(objectsOf(from.emails)[0]?.email),
      organisation: textOf(within(from, 'org').company),
    }),
  };
}

function interactiveOf(part: JsonObject): InboundContent {
  const type = textOf(part.type) ?? '';
  const answer = within(part, type);
  if (type === 'nfm_reply') return choice(textOf(answer.response_json), textOf(answer.body));
  if (type !== 'button_reply' && type !== 'list_reply') {
    return { kind: 'unsupported', what: `interactive ${type}` };
  }
  return choice(textOf(answer.id), textOf(answer.title));
}

function orderOf(part: JsonObject): InboundContent {
  const items = objectsOf(part.product_items).flatMap((item) => {
    const productId = textOf(item.product_retailer_id);
    if (productId === undefined) return [];
    const price = given({ price: textOf(item.item_price), currency: textOf(item.currency) });
    return [{ productId, quantity: numberOf(item.quantity) ?? 1, ...price }];
  });
  const text = textOf(part.text);
  if (items.length === 0 && text === undefined) return { kind: 'unsupported', what: 'order' };
  return { kind: 'order', items, ...given({ text, catalogId: textOf(part.catalog_id) }) };
}

function choice(payload: string | undefined, text: string | undefined): InboundContent {
  return { kind: 'choice', payload: payload ?? text ?? '', text: text ?? '' };
}
