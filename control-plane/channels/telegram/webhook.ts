import { fromDigits } from '@drawbridge/messaging/phone.ts';
import { isEqualSecret } from '../../platform/secrets/secret-equality.ts';
import type {
  App,
  ChannelEvent,
  EventReading,
  InboundContent,
  Person,
  Verification,
  WebhookRequest,
} from '../contract.ts';
import {
  given,
  type JsonObject,
  jsonOf,
  numberOf,
  objectsOf,
  secondsOf,
  textOf,
  within,
} from '../untrusted-input.ts';
import type { Settings } from './settings.ts';

/** The network sends back the secret that was registered with the address. */
export function verify(request: WebhookRequest, app: App<Settings>): Verification {
  const offered = request.headers['x-telegram-bot-api-secret-token'];
  return isEqualSecret(offered, app.settings.webhook_secret)
    ? { kind: 'ok' }
    : { kind: 'refused', status: 401, reason: 'the secret token is wrong' };
}

/** The events of one update; kinds that were not subscribed to are skipped. */
export function events({ body }: WebhookRequest): EventReading {
  const update = jsonOf(body);
  if (numberOf(update?.update_id) === undefined) {
    return { kind: 'malformed', reason: 'no update_id' };
  }
  const found = [
    ...readMessage(within(update, 'message')),
    ...readTap(within(update, 'callback_query')),
    ...readMembership(within(update, 'my_chat_member')),
  ];
  return { kind: 'events', events: found };
}

/** Message ids are unique within a chat only, so ours contain both ids. */
export function idOf(chatId: string, messageId: string): string {
  return `${chatId}:${messageId}`;
}

/** A person is identified by the chat, because messages go to chats. */
function personOf(chat: JsonObject, from: JsonObject): Person | undefined {
  const userId = textOf(chat.id);
  if (userId === undefined) return undefined;
  const names = [textOf(from.first_name), textOf(from.last_name)].filter(Boolean).join(' ');
  return { userId, ...given({ name: textOf(names), username: textOf(from.username) }) };
}

function readMessage(message: JsonObject): readonly ChannelEvent[] {
  const chat = within(message, 'chat');
  const person = personOf(chat, within(message, 'from'));
  const messageId = textOf(message.message_id);
  if (person?.userId === undefined || messageId === undefined) return [];
  const moved = textOf(message.migrate_to_chat_id);
  if (moved !== undefined) return [{ kind: 'identity', from: person, to: { userId: moved } }];
  const answered = textOf(within(message, 'reply_to_message').message_id);
  return [
    {
      kind: 'inbound',
      providerId: idOf(person.userId, messageId),
      from: person,
      content: contentOf(message),
      ...given({
        at: secondsOf(message.date),
        replyTo: answered === undefined ? undefined : idOf(person.userId, answered),
      }),
    },
  ];
}

function readTap(tap: JsonObject): readonly ChannelEvent[] {
  const message = within(tap, 'message');
  const person = personOf(within(message, 'chat'), within(tap, 'from'));
  const id = textOf(tap.id);
  const payload = textOf(tap.data);
  if (person?.userId === undefined || id === undefined || payload === undefined) return [];
  const answered = textOf(message.message_id);
  const rows = within(message, 'reply_markup').inline_keyboard;
  const buttons = Array.isArray(rows) ? rows.flatMap((row) => objectsOf(row)) : [];
  const label = buttons.find((each) => each.callback_data === payload);
  return [
    {
      kind: 'inbound',
      providerId: `tap:${id}`,
      from: person,
      content: { kind: 'choice', payload, text: textOf(label?.text) ?? payload },
      ...given({ replyTo: answered === undefined ? undefined : idOf(person.userId, answered) }),
    },
  ];
}

/** A person blocks or unblocks the bot. */
function readMembership(change: JsonObject): readonly ChannelEvent[] {
  const chat = within(change, 'chat');
  const person = personOf(chat, within(change, 'from'));
  const status = textOf(within(change, 'new_chat_member').status);
  if (person === undefined || status === undefined || chat.type !== 'private') return [];
  const isOut = status === 'kicked' || status === 'left';
  const more = given({ at: secondsOf(change.date) });
  return [{ kind: 'consent', person, change: isOut ? 'stop' : 'start', scope: 'all', ...more }];
}

const files = {
  video: 'video',
  animation: 'video',
  video_note: 'video',
  audio: 'audio',
  voice: 'audio',
  document: 'document',
  sticker: 'sticker',
} as const;

function contentOf(message: JsonObject): InboundContent {
  const text = textOf(message.text);
  if (text !== undefined) return { kind: 'text', text };
  // Each size of a photo is listed, the largest last.
  const photo = objectsOf(message.photo).at(-1);
  if (photo !== undefined) return fileOf('image', photo, message);
  for (const [member, type] of Object.entries(files)) {
    if (message[member] !== undefined) return fileOf(type, within(message, member), message);
  }
  if (message.location !== undefined) return placeOf(message);
  const contact = within(message, 'contact');
  const phone = fromDigits(textOf(contact.phone_number));
  if (phone === undefined) return { kind: 'unsupported', what: Object.keys(message).join(' ') };
  return {
    kind: 'contacts',
    contacts: [{ name: textOf(contact.first_name) ?? '', phones: [phone] }],
  };
}

function fileOf(
  type: Extract<InboundContent, { kind: 'media' }>['type'],
  file: JsonObject,
  message: JsonObject,
): InboundContent {
  const providerId = textOf(file.file_id);
  if (providerId === undefined) return { kind: 'unsupported', what: type };
  const more = given({
    caption: textOf(message.caption),
    mimeType: textOf(file.mime_type),
    filename: textOf(file.file_name),
  });
  return { kind: 'media', type, source: { providerId }, ...more };
}

function placeOf(message: JsonObject): InboundContent {
  const { latitude, longitude } = within(message, 'location');
  const venue = within(message, 'venue');
  if (typeof latitude !== 'number' || typeof longitude !== 'number') {
    return { kind: 'unsupported', what: 'location' };
  }
  const names = given({ name: textOf(venue.title), address: textOf(venue.address) });
  return { kind: 'location', location: { latitude, longitude, ...names } };
}
