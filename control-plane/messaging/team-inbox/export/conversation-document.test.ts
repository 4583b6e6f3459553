import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeMember } from '../../../people/members/new-member.ts';
import { removeMember } from '../../../people/members/store.ts';
import { newId } from '../../../platform/ids.ts';
import { insertRecordingConsent } from '../../voice/recordings/consent-store.ts';
import { insertAttachment } from '../attachments/store.ts';
import { addNote, changeConversations } from '../conversations/actions.ts';
import { findConversations } from '../conversations/store.ts';
import { type InboxKit, startInbox } from '../inbox.kit.ts';
import { conversationIdOf } from '../item-id.ts';
import { type DocumentRequest, readDocument } from './conversation-document.ts';
import type { Entry } from './pdf/document.ts';

let kit: InboxKit;
let contact: string;
beforeAll(async () => {
  kit = await startInbox();
});
afterAll(() => kit.stop());

const nine = Date.UTC(2026, 10, 23, 9);
const at = (minute: number) => new Date(nine + minute * 60_000);

async function read(change: Partial<DocumentRequest> = {}) {
  const { tenantId } = kit.scope;
  const request: DocumentRequest = {
    since: undefined,
    until: undefined,
    includeNotes: false,
    timeZone: 'Asia/Dubai',
    by: 'usr_a',
    ...change,
  };
  return kit.db.tenant(tenantId, async (tx) => {
    const [row] = await findConversations(tx, kit.scope, [conversationIdOf(contact)]);
    return readDocument(tx, kit.scope, row!, request);
  });
}

const shown = (entries: readonly Entry[]) =>
  entries.map(({ kind, author, text }) => [kind, author, text]);

async function attach(minute: number, messageId: string | null, mediaType = 'image/png') {
  const id = newId('att', () => at(minute), randomBytes);
  await kit.db.tenant(kit.scope.tenantId, (tx) =>
    insertAttachment(tx, kit.scope, {
      id,
      conversation_id: conversationIdOf(contact),
      name: 'a.png',
      media_type: mediaType,
      bytes: 3,
      sha256: '0'.repeat(64),
      object_key: `inbox/${id}`,
      author: 'usr_a',
      message_id: messageId,
      created_at: at(minute),
    }),
  );
  return `inbox/${id}`;
}

const photo = { kind: 'media', type: 'image', source: { url: 'https://files.example/1' } } as const;

test('a file that the person sent is with its message, with or without notes', async () => {
  contact = await kit.contact();
  const caption = 'look';
  const sent = { content: { ...photo, caption }, preview: '[image] look' };
  const { id } = await kit.receive(contact, '', at(0), sent);
  const storedAt = await attach(500, id); // fetched long after its message
  await attach(1, null);
  const { entries, extent } = await read({ until: at(60) });
  expect(extent).toEqual({ until: at(60), hasNotes: false });
  expect(entries.filter(({ kind }) => kind !== 'event')).toMatchObject([
    { kind: 'message', text: 'look', media: [{ type: 'image', filename: 'a.png', storedAt }] },
  ]);
  const withNotes = await read({ includeNotes: true });
  expect(withNotes.entries.map(({ kind, media }) => [kind, media?.length])).toEqual([
    ['message', 1],
    ['event', undefined],
    ['note', 1],
  ]);
});

test.each(['png', 'jpeg', 'gif', 'webp'])('a picture of type %s is printed', async (type) => {
  contact = await kit.contact();
  const { id } = await kit.receive(contact, '', at(0), { content: photo, preview: '[image]' });
  const storedAt = await attach(1, id, `image/${type}`);
  const { entries } = await read();
  expect(entries.flatMap((entry) => entry.media ?? [])).toMatchObject([{ storedAt }]);
});

test('a file that is not a picture, or was not stored, has no picture', async () => {
  contact = await kit.contact();
  const { id } = await kit.receive(contact, '', at(0), { content: photo, preview: '[image]' });
  await attach(1, id, 'application/pdf');
  await kit.receive(contact, '', at(2), { content: photo, preview: '[image]' });
  const { entries } = await read();
  const media = entries.flatMap((entry) => entry.media ?? []);
  expect(media.map(({ storedAt }) => storedAt)).toEqual([undefined, undefined]);
});

test('steps are sentences, with the person who took them', async () => {
  contact = await kit.contact('Fatima');
  const id = conversationIdOf(contact);
  await kit.receive(contact, 'hello', at(0));
  const context = { ...kit.context, clock: () => at(5) };
  const snooze = { state: 'snoozed', snoozed_until: at(60).toISOString() } as const;
  await changeConversations(context, kit.scope, 'usr_a', [id], snooze);
  await kit.receive(contact, 'again', at(10));
  expect(shown((await read()).entries)).toEqual([
    ['message', 'Fatima', 'hello'],
    ['event', 'Fatima', 'Opened the conversation.'],
    [
      'event',
      'usr_a',
      'Snoozed the conversation until 2026-11-23 14:00:00 (2026-11-23 10:00:00 UTC).',
    ],
    ['message', 'Fatima', 'again'],
    ['event', 'Fatima', 'Ended the snoozing of the conversation.'],
  ]);
});

test('entries are in the order of their printed times, whenever they reached us', async () => {
  contact = await kit.contact('Fatima');
  const inSeconds = { created_at: at(0) };
  await kit.receive(contact, 'first', new Date(at(0).getTime() + 900), inSeconds);
  await kit.receive(contact, 'third', at(2));
  await kit.receive(contact, 'second, reported late', at(30), { created_at: at(1) });
  expect(shown((await read()).entries).map(([kind, , text]) => [kind, text])).toEqual([
    ['message', 'first'],
    ['event', 'Opened the conversation.'],
    ['message', 'second, reported late'],
    ['message', 'third'],
  ]);
});

test('a call that a flow placed is not attributed to a broadcast or a person', async () => {
  contact = await kit.contact('Fatima', '+971501110001');
  await kit.receive(contact, 'call me', at(0));
  const call = { direction: 'out', status: 'no_answer', durationSeconds: null, by: null } as const;
  await kit.db.tenant(kit.scope.tenantId, (tx) =>
    kit.hooks.callsEnded(tx, kit.scope, [
      { ...call, id: newId('call', () => at(1), randomBytes), phone: '+971501110001', at: at(1) },
    ]),
  );
  const { entries, channels } = await read();
  expect(shown(entries).at(-1)).toEqual(['call', 'Call flow', 'No answer']);
  expect(channels).toEqual(['voice', 'wa']);
});

test('a former member is named as before, and marked as such', async () => {
  contact = await kit.contact();
  const { tenantId } = kit.scope;
  const platform = { ...kit.context, clock: () => at(0) };
  const made = { email: 'priya@example.com', name: 'Priya Raman', role: 'agent' } as const;
  const { userId } = await makeMember(platform, tenantId, made);
  await kit.receive(contact, 'hello', at(0));
  const note = { author: userId, text: 'for us' };
  await addNote(platform, kit.scope, conversationIdOf(contact), note, undefined);
  await kit.db.tenant(tenantId, (tx) => removeMember(tx, tenantId, userId));
  const { entries, participants } = await read({ includeNotes: true });
  expect(shown(entries)).toContainEqual(['note', 'Priya Raman', 'for us']);
  expect(participants).toEqual([
    { name: 'Priya Raman', details: ['priya@example.com (no longer a member)'] },
  ]);
});

test('consents to recorded calls are listed too, and count for its date', async () => {
  const phone = '+60123450009';
  contact = await kit.contact('Asha', phone);
  await kit.receive(contact, 'hello', at(0));
  const given_at = at(90);
  await kit.db.tenant(kit.scope.tenantId, (tx) =>
    insertRecordingConsent(tx, kit.scope, {
      id: newId('rcn', () => given_at, randomBytes),
      phone,
      call_id: null,
      state: 'granted',
      method: 'verbal',
      evidence: 'said yes',
      recorded_by: 'usr_a',
      given_at,
      created_at: given_at,
    }),
  );
  const { consents, exportedAt } = await read();
  const said = { state: 'granted', source: 'verbal', note: 'said yes' };
  expect(consents).toEqual([{ at: given_at, channel: 'recording', address: phone, ...said }]);
  expect(exportedAt).toEqual(given_at);
});
