import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type InboxKit, startInbox } from '../inbox.kit.ts';
import { conversationIdOf } from '../item-id.ts';
import { changeConversations } from './actions.ts';
import { inboxMergeHooks } from './merge.ts';
import { findConversations } from './store.ts';

let kit: InboxKit;
beforeAll(async () => {
  kit = await startInbox();
});
afterAll(() => kit.stop());

const start = Date.UTC(2026, 10, 23, 8);
const at = (minute: number) => new Date(start + minute * 60_000);
/** Minutes after the start; what tests do happens then. */
let minute: number;
const context = () => ({ ...kit.context, clock: () => at(minute) });
beforeEach(() => {
  minute = 7;
});
const inTenant = <T>(work: Parameters<typeof kit.db.tenant<T>>[1]) =>
  kit.db.tenant(kit.scope.tenantId, work);

const merge = (from: string, into: string) =>
  inTenant((tx) => inboxMergeHooks(context()).merged(tx, kit.scope, { from, into }));
const conversation = async (contactId: string) =>
  (await inTenant((tx) => findConversations(tx, kit.scope, [conversationIdOf(contactId)])))[0]!;
const rowsOf = (table: string, columns: string, contactId: string, order: string) =>
  inTenant((tx) =>
    tx.rows<Record<string, unknown>>(
      `select ${columns} from ${table} where conversation_id = $1 order by ${order}`,
      [conversationIdOf(contactId)],
    ),
  );
const close = (contactId: string) =>
  changeConversations(context(), kit.scope, 'usr_a', [conversationIdOf(contactId)], {
    state: 'closed',
  });

test('two open ones become one, opened and waiting since the earlier', async () => {
  const [from, into] = [await kit.contact('From'), await kit.contact('Into')];
  await kit.receive(from, 'hello', at(0));
  await kit.receive(into, 'here too', at(5));
  const newest = await kit.receive(from, 'anybody?', at(6));
  await merge(from, into);
  expect(await conversation(into)).toMatchObject({
    state: 'open',
    opening: 1,
    opened_at: at(0),
    waiting_since: at(0),
    unread: 3,
    last_item_id: newest.id,
    contact_name: 'Into',
  });
  expect(await rowsOf('conversation_opening', 'opening, opened_at', into, 'opening')).toEqual([
    { opening: 1, opened_at: at(0) },
  ]);
  const waits = 'opening, asked_at, ended_at, is_first';
  const waiting = { opening: 1, asked_at: at(0), ended_at: null, is_first: true };
  expect(await rowsOf('conversation_response', waits, into, 'asked_at')).toEqual([waiting]);
  await kit.send(into, 'yes', at(10));
  expect(await rowsOf('conversation_response', waits, into, 'asked_at')).toEqual([
    { ...waiting, ended_at: at(10) },
  ]);
  expect(await conversation(into)).toMatchObject({ waiting_since: null, unread: 0 });
});

test('openings of both are in order of time, and the next one follows them', async () => {
  const [from, into] = [await kit.contact(), await kit.contact()];
  await kit.receive(from, 'first', at(0));
  await kit.send(from, 'answer', at(1));
  minute = 2;
  await close(from);
  await kit.receive(into, 'second', at(10));
  minute = 11;
  await close(into);
  await kit.receive(from, 'third', at(20));
  minute = 21;
  await merge(from, into);
  const numbers = await rowsOf('conversation_opening', 'opening, opened_at', into, 'opening');
  expect(numbers).toEqual(
    [at(0), at(10), at(20)].map((opened_at, n) => ({ opening: n + 1, opened_at })),
  );
  const waits = await rowsOf('conversation_response', 'opening, asked_at', into, 'asked_at');
  expect(waits).toEqual(
    [at(0), at(10), at(20)].map((asked_at, n) => ({ opening: n + 1, asked_at })),
  );
  expect(await conversation(into)).toMatchObject({ state: 'open', opening: 3 });
  minute = 25;
  await close(into);
  await kit.receive(into, 'fourth', at(30));
  expect(await conversation(into)).toMatchObject({ state: 'open', opening: 4, opened_at: at(30) });
});

test('history, notes, files and calls move, also to a new conversation', async () => {
  const [from, into] = [await kit.contact(), await kit.contact()];
  await kit.receive(from, 'hello', at(0));
  await close(from);
  await inTenant(async (tx) => {
    const { tenantId, environment } = kit.scope;
    const [place, id] = [[tenantId, environment], conversationIdOf(from)];
    await tx.run(
      `insert into conversation_note (id, tenant_id, environment, conversation_id, author, text,
         created_at) values ('not_1', $1, $2, $3, 'usr_a', 'kind', now())`,
      [...place, id],
    );
    await tx.run(
      `insert into inbox_call (id, tenant_id, environment, contact_id, direction, status, item,
         created_at) values ('call_1', $1, $2, $3, 'in', 'completed', '1', now())`,
      [...place, from],
    );
  });
  await merge(from, into);
  await inTenant((tx) => tx.run('delete from contact where id = $1', [from]));
  expect(await conversation(into)).toMatchObject({ state: 'closed', opening: 1 });
  expect(await rowsOf('conversation_note', 'text', into, 'id')).toEqual([{ text: 'kind' }]);
  const history = await rowsOf('conversation_event', 'type', into, 'id');
  expect(history.map(({ type }) => type).sort()).toEqual(['closed', 'opened']);
  const calls = await inTenant((tx) =>
    tx.rows('select contact_id from inbox_call where id = $1', ['call_1']),
  );
  expect(calls).toEqual([{ contact_id: into }]);
});

test('a conversation snoozed under the removed id is open; subscribers are notified', async () => {
  const [from, into] = [await kit.contact(), await kit.contact()];
  await kit.receive(from, 'hello', at(0));
  const until = at(60).toISOString();
  const change = { state: 'snoozed', snoozed_until: until } as const;
  await changeConversations(context(), kit.scope, 'usr_a', [conversationIdOf(from)], change);
  const before = kit.changed.length;
  await merge(from, into);
  expect(await conversation(into)).toMatchObject({ state: 'open', snoozed_until: null });
  expect(kit.changed.length).toBe(before + 1);
});
