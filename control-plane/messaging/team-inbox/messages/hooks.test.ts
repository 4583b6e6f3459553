import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeMember } from '../../../people/members/new-member.ts';
import { firstRows } from '../../../platform/db/keyset.ts';
import { newId } from '../../../platform/ids.ts';
import { changeConversations } from '../conversations/actions.ts';
import { startRecording } from '../conversations/change-recorder.ts';
import { listHistory } from '../conversations/history-store.ts';
import { findConversations, type ListedRow, lockConversations } from '../conversations/store.ts';
import { type InboxKit, insertMessage, messageRow, startInbox } from '../inbox.kit.ts';
import { conversationIdOf, instantOfId } from '../item-id.ts';

let kit: InboxKit;
beforeAll(async () => {
  kit = await startInbox();
});
afterAll(() => kit.stop());

const start = Date.UTC(2026, 10, 23, 8);
const at = (minute: number) => new Date(start + minute * 60_000);

async function conversation(contactId: string): Promise<ListedRow | undefined> {
  const ids = [conversationIdOf(contactId)];
  const [row] = await kit.db.tenant(kit.scope.tenantId, (tx) =>
    findConversations(tx, kit.scope, ids),
  );
  return row;
}

const waits = (contactId: string) =>
  kit.db.tenant(kit.scope.tenantId, (tx) =>
    tx.rows<Record<string, unknown>>(
      `select is_first, is_answered, answered_by, business_seconds from conversation_response
       where conversation_id = $1 order by asked_at`,
      [conversationIdOf(contactId)],
    ),
  );

test('the first message of a person opens a conversation, and the answer ends the wait', async () => {
  const contact = await kit.contact('Asha');
  const hello = await kit.receive(contact, 'hello', at(0));
  await kit.receive(contact, 'anybody?', at(1));
  expect(await conversation(contact)).toMatchObject({
    state: 'open',
    opening: 1,
    unread: 2,
    waiting_since: hello.created_at,
    contact_name: 'Asha',
    last_preview: 'anybody?',
    last_channel: 'wa',
  });
  await kit.send(contact, 'hi', at(10), { channel: 'sms' });
  expect(await conversation(contact)).toMatchObject({
    unread: 0,
    waiting_since: null,
    last_preview: 'hi',
    last_channel: 'sms',
  });
  expect(await waits(contact)).toEqual([
    { is_first: true, is_answered: true, answered_by: 'usr_a', business_seconds: 600 },
  ]);
  expect(kit.changed.at(-1)).toEqual(kit.scope);
});

test('a program’s message opens nothing, and answers nothing unless it says so', async () => {
  const contact = await kit.contact();
  await kit.send(contact, 'your parcel', at(0), { author: 'key_1' });
  expect(await conversation(contact)).toBeUndefined();
  await kit.receive(contact, 'where is it?', at(1));
  const reply = await kit.send(contact, 'there', at(2), { author: 'key_1' });
  expect(await conversation(contact)).toMatchObject({
    waiting_since: at(1),
    last_preview: 'there',
  });
  await kit.db.tenant(kit.scope.tenantId, (tx) =>
    kit.hooks.answered(tx, kit.scope, { ...reply, contact_id: contact }),
  );
  expect(await conversation(contact)).toMatchObject({ waiting_since: null });
});

test('a broadcast neither opens nor changes a conversation, but a reply to it does', async () => {
  const contact = await kit.contact();
  const more = { broadcast_id: 'brd_1', author: 'usr_a' };
  await kit.send(contact, 'sale!', at(0), more);
  expect(await conversation(contact)).toBeUndefined();
  await kit.receive(contact, 'yes', at(1));
  await kit.send(contact, 'more sale!', at(2), more);
  expect(await conversation(contact)).toMatchObject({ state: 'open', last_preview: 'yes' });
});

test('a member who writes first opens a conversation in which nobody waits', async () => {
  const contact = await kit.contact();
  await kit.send(contact, 'welcome', at(0));
  expect(await conversation(contact)).toMatchObject({ state: 'open', waiting_since: null });
});

test('messages of many contacts, and of no contact, in one transaction', async () => {
  const [a, b] = [await kit.contact('A'), await kit.contact('B')];
  const rows = [
    messageRow(b, 'two', at(1)),
    messageRow(a, 'one', at(0)),
    messageRow(null, 'nobody', at(2)),
    messageRow(a, 'three', at(2)),
  ];
  await kit.db.tenant(kit.scope.tenantId, async (tx) => {
    for (const row of rows) await insertMessage(tx, kit.scope, row);
    await kit.hooks.received(tx, kit.scope, rows);
  });
  expect(await conversation(a)).toMatchObject({ unread: 2, last_preview: 'three' });
  expect(await conversation(b)).toMatchObject({ unread: 1, last_preview: 'two' });
});

test('first messages over two connections at once create one conversation', async () => {
  const contact = await kit.contact();
  await Promise.all([0, 1, 2, 3].map((n) => kit.receive(contact, `m${n}`, at(n))));
  expect(await conversation(contact)).toMatchObject({ unread: 4, opening: 1 });
  expect(await waits(contact)).toHaveLength(1);
});

test('a missed call begins a wait, an answered call ends it', async () => {
  const phone = '+971500000001';
  const contact = await kit.contact('Caller', phone);
  const call = (minute: number, durationSeconds: number | null, by: string | null) => {
    const id = newId('call', () => at(minute), randomBytes);
    const said = { direction: 'in', status: 'completed', durationSeconds, by } as const;
    const facts = [
      { id, phone, at: at(minute), ...said },
      {
        id: newId('call', () => at(minute), randomBytes),
        phone: '+971500000002',
        at: at(9),
        ...said,
      },
    ];
    return kit.db.tenant(kit.scope.tenantId, (tx) => kit.hooks.callsEnded(tx, kit.scope, facts));
  };
  await call(0, null, null);
  expect(await conversation(contact)).toMatchObject({
    state: 'open',
    waiting_since: at(0),
    last_channel: 'voice',
  });
  await call(5, 42, 'usr_b');
  expect(await waits(contact)).toEqual([
    { is_first: true, is_answered: true, answered_by: 'usr_b', business_seconds: 300 },
  ]);
});

test('customers get an event for an opened conversation', async () => {
  await kit.db.tenant(kit.scope.tenantId, (tx) =>
    tx.run(
      `insert into webhook_endpoint (id, tenant_id, service, url, event_types, secrets)
       values ('whe_1', $1, 'messaging', 'https://example.com/', '{conversation.*}', '[]')`,
      [kit.scope.tenantId],
    ),
  );
  const contact = await kit.contact();
  await kit.receive(contact, 'hello', at(0));
  const events = await kit.db.tenant(kit.scope.tenantId, (tx) =>
    tx.rows<{ payload: { data: unknown } }>(
      'select type, payload from webhook_event where subject_id = $1',
      [conversationIdOf(contact)],
    ),
  );
  expect(events).toMatchObject([
    { type: 'conversation.opened', payload: { data: { contact_id: contact, opening: 1 } } },
  ]);
});

test('customers are told who has a conversation, also that nobody does, and that it is put off', async () => {
  const contact = await kit.contact();
  const id = conversationIdOf(contact);
  await kit.receive(contact, 'hello', at(0));
  const change = (wanted: Parameters<typeof changeConversations>[4]) =>
    changeConversations(kit.context, kit.scope, 'usr_a', [id], wanted);
  const { userId } = await makeMember(kit.context, kit.scope.tenantId, {
    email: 'told@example.com',
    name: 'Told',
    role: 'agent',
  });
  await change({ assignee_id: userId });
  await change({ assignee_id: null });
  await change({ state: 'snoozed', snoozed_until: new Date(Date.now() + 60_000).toISOString() });
  await change({ state: 'open' });
  const events = await kit.db.tenant(kit.scope.tenantId, (tx) =>
    tx.rows<{ type: string; payload: { data: { assignee_id: string | null } } }>(
      'select type, payload from webhook_event where subject_id = $1 order by id',
      [id],
    ),
  );
  expect(events.map(({ type, payload }) => [type, payload.data.assignee_id])).toEqual([
    ['conversation.opened', null],
    ['conversation.assigned', userId],
    ['conversation.assigned', null],
    ['conversation.snoozed', null],
    ['conversation.woken', null],
  ]);
});

test('an id tells when it was made', () => {
  const instant = new Date(1_795_250_123_456);
  expect(instantOfId(newId('msg', () => instant, randomBytes))).toEqual(instant);
});

test('steps at the same instant are listed in the order in which they happened', async () => {
  const contact = await kit.contact();
  await kit.receive(contact, 'hello', new Date());
  const row = { type: 'tagged', actor: 'usr_a', created_at: new Date() };
  await kit.db.tenant(kit.scope.tenantId, async (tx) => {
    const [locked] = await lockConversations(tx, kit.scope, [contact]);
    const recorder = await startRecording(tx, kit.scope, kit.context);
    for (let n = 0; n < 20; n += 1) recorder.addHistory(locked!, { ...row, data: { n } });
    await recorder.write();
  });
  const listed = await kit.db.tenant(kit.scope.tenantId, (tx) =>
    listHistory(tx, kit.scope, conversationIdOf(contact), firstRows(20)),
  );
  expect(listed.map(({ data }) => data.n)).toEqual([...Array(20).keys()].reverse());
});

test('a reply that waited for a close opens the conversation again', async () => {
  const contact = await kit.contact();
  const id = conversationIdOf(contact);
  await kit.receive(contact, 'hello', at(0));
  const context = { ...kit.context, clock: () => at(20) };
  await changeConversations(context, kit.scope, 'usr_a', [id], { state: 'closed' });
  await kit.send(contact, 'here', at(10));
  const { history, openings } = await kit.db.tenant(kit.scope.tenantId, async (tx) => ({
    history: await listHistory(tx, kit.scope, id, firstRows(10)),
    openings: await tx.rows<{ opened_at: Date; closed_at: Date | null }>(
      `select opened_at, closed_at from conversation_opening where conversation_id = $1
       order by opening`,
      [id],
    ),
  }));
  expect(history.map(({ type }) => type)).toEqual(['opened', 'closed', 'opened']);
  expect(openings[1]!.opened_at.getTime()).toBeGreaterThan(openings[0]!.closed_at!.getTime());
  expect((await conversation(contact))?.updated_at.getTime()).toBeGreaterThan(at(20).getTime());
});
