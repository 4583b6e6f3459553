import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeMember } from '../../../people/members/new-member.ts';
import { sessionChannel } from '../../../people/sessions/store.ts';
import { setSuspended } from '../../../platform/auth/store.ts';
import { createLog } from '../../../platform/log/log.ts';
import { type ServiceKit, startService } from '../../service.kit.ts';
import { type ConversationRow, ensureConversations } from '../conversations/store.ts';
import { conversationIdOf } from '../item-id.ts';
import { insertChanges } from './change-store.ts';
import { type EventHub, openEventHub } from './event-hub.ts';

let kit: ServiceKit;
let hubs: EventHub[];
const path = '/team-inbox/api/events/';

beforeAll(async () => {
  kit = await startService();
  const { db, suspended, clock, random } = kit.app.platform;
  const options = { db, suspended, sessionChannel, log: createLog({ level: 'silent' }) };
  hubs = [
    await openEventHub({ ...options, clock, random }),
    await openEventHub({ ...options, clock, random, heartbeatMs: 50 }),
  ];
});
afterAll(async () => {
  for (const hub of hubs) await hub.close();
  await kit.stop();
});

const scope = () => ({ tenantId: kit.tenantId, environment: 'sandbox' }) as const;

let serial = 0;
async function change(type: string, at: () => Promise<unknown> = async () => {}): Promise<void> {
  await kit.app.platform.db.tenant(kit.tenantId, async (tx) => {
    const row = { type, data: { n: (serial += 1) }, created_at: new Date() };
    await insertChanges(tx, scope(), [row]);
    await at();
  });
}

function blankConversation(contact_id: string, at: Date): ConversationRow {
  return {
    id: conversationIdOf(contact_id),
    contact_id,
    state: 'open',
    snoozed_until: null,
    assignee_id: null,
    opening: 1,
    opened_at: at,
    is_answered: false,
    waiting_since: null,
    due_at: null,
    unread: 0,
    last_item_id: 'msg_1',
    last_item: '1',
    last_channel: 'sms',
    created_at: at,
    updated_at: at,
  };
}

interface Watching {
  readonly text: () => string;
  readonly types: () => string[];
  readonly lastId: () => string;
  readonly isOver: () => boolean;
  stop(): void;
}

async function watch(hub: EventHub, more: Partial<Parameters<EventHub['subscribe']>[1]> = {}) {
  const stream = await hub.subscribe(scope(), {
    id: 'usr_a',
    sessionId: 'ses_a',
    lastEventId: undefined,
    endsAt: new Date(Date.now() + 3_600_000),
    mayContinue: async () => true,
    ...more,
  });
  return reading(stream!);
}

function reading(stream: AsyncIterable<Uint8Array | string> & { destroy?: () => void }): Watching {
  let text = '';
  let isOver = false;
  void (async () => {
    for await (const chunk of stream) text += Buffer.from(chunk as never).toString();
  })()
    .catch(() => {})
    .finally(() => {
      isOver = true;
    });
  return {
    text: () => text,
    types: () => [...text.matchAll(/^event: (.*)$/gm)].map(([, type]) => type!),
    lastId: () => [...text.matchAll(/^id: (.*)$/gm)].at(-1)![1]!,
    isOver: () => isOver,
    stop: () => stream.destroy?.(),
  };
}

test('changes are seen on this node and others, only in their tenant and environment', async () => {
  const [here, there] = [await watch(hubs[0]!), await watch(hubs[1]!)];
  const other = await hubs[0]!.subscribe(
    { tenantId: kit.strangerId, environment: 'sandbox' },
    {
      id: 'x',
      sessionId: 'ses_a',
      lastEventId: undefined,
      endsAt: new Date(Date.now() + 1e6),
      mayContinue: async () => true,
    },
  );
  const stranger = reading(other!);
  await change('message.received');
  hubs[0]!.changed(scope());
  await expect.poll(here.types).toEqual(['message.received']);
  await expect.poll(there.types).toEqual(['message.received']);
  expect(here.text()).toMatch(/^data: \{"n":1,"at":"20/m);
  expect(stranger.types()).toEqual([]);
  for (const each of [here, there, stranger]) each.stop();
});

test('who looks is told to those who watch now, on every node, and to nobody who comes later', async () => {
  const [here, there] = [await watch(hubs[0]!), await watch(hubs[1]!)];
  await change('one');
  for (const each of [here, there]) await expect.poll(each.types).toEqual(['one']);
  const data = { conversation_id: 'cnv_1', user_id: 'usr_b', state: 'typing' };
  hubs[0]!.tell(scope(), { type: 'conversation.presence', data });
  hubs[0]!.tell({ ...scope(), environment: 'live' }, { type: 'conversation.presence', data });
  await expect.poll(here.types).toEqual(['one', 'conversation.presence']);
  await expect.poll(there.types).toEqual(['one', 'conversation.presence']);
  expect(there.text()).toContain(JSON.stringify(data));
  const later = await watch(hubs[1]!, { lastEventId: there.lastId() });
  await change('two');
  await expect.poll(later.types).toEqual(['two']);
  for (const each of [here, there, later]) each.stop();
});

test('a subscriber who reconnects gets what was missed, once and in order', async () => {
  const first = await watch(hubs[0]!);
  await change('one');
  await expect.poll(first.types).toEqual(['one']);
  first.stop();
  for (let n = 0; n < 3; n += 1) await change(`missed ${n}`);
  const again = await watch(hubs[1]!, { lastEventId: first.lastId() });
  await expect.poll(again.types).toEqual(['missed 0', 'missed 1', 'missed 2']);
  await change('new');
  await expect.poll(again.types).toEqual(['missed 0', 'missed 1', 'missed 2', 'new']);
  again.stop();
});

test('a change that commits after a later one is not skipped', async () => {
  const seen = await watch(hubs[0]!);
  const written = Promise.withResolvers<void>();
  const commit = Promise.withResolvers<void>();
  const slow = change('slow', () => {
    written.resolve();
    return commit.promise;
  });
  await written.promise;
  await change('fast');
  hubs[0]!.changed(scope());
  await expect.poll(seen.types).toEqual(['fast']);
  commit.resolve();
  await slow;
  await expect.poll(seen.types).toEqual(['fast', 'slow']);
  seen.stop();
});

test('an event that was deleted, or never existed, gives a reset', async () => {
  const old = Date.now() - 86_400_000;
  for (const lastEventId of [`1-${old}`, 'nonsense', '1-1', `1-1-${Date.now()}`]) {
    const seen = await watch(hubs[0]!, { lastEventId });
    await expect.poll(seen.types).toEqual(['reset']);
    seen.stop();
  }
});

test('a position beyond the last number gives a reset', async () => {
  for (const number of ['99999999999999999999', '999999999999999', '4000000000']) {
    const seen = await watch(hubs[0]!, { lastEventId: `${number}-${Date.now()}` });
    await expect.poll(seen.types).toEqual(['reset']);
    await change('new');
    await expect.poll(seen.types).toEqual(['reset', 'new']);
    seen.stop();
  }
});

test('a slow reader loses nothing, and does not delay others', async () => {
  const start = await watch(hubs[0]!);
  await change('start');
  await expect.poll(start.types).toEqual(['start']);
  const lastEventId = start.lastId();
  const count = 5_000;
  const rows = Array.from({ length: count }, (_, n) => {
    return { type: 'many', data: { n, words: 'x'.repeat(200) }, created_at: new Date() };
  });
  await kit.app.platform.db.tenant(kit.tenantId, (tx) => insertChanges(tx, scope(), rows));
  const stream = await hubs[0]!.subscribe(scope(), {
    id: 'usr_slow',
    sessionId: 'ses_a',
    lastEventId,
    endsAt: new Date(Date.now() + 3_600_000),
    mayContinue: async () => true,
  });
  const quick = await watch(hubs[0]!, { lastEventId });
  await expect.poll(() => quick.types().length).toBe(count);
  expect(stream!.readableLength).toBeLessThan(100_000);
  const slow = reading(stream!);
  await expect.poll(() => slow.types().length).toBe(count);
  const numbers = [...slow.text().matchAll(/"n":(\d+),"words"/g)].map(([, n]) => Number(n));
  expect(numbers).toEqual(rows.map(({ data }) => data.n));
  for (const each of [start, quick, slow]) each.stop();
}, 60_000);

test('a client that reads nothing is disconnected after some heartbeats', async () => {
  const stream = await hubs[1]!.subscribe(scope(), {
    id: 'usr_dead',
    sessionId: 'ses_a',
    lastEventId: undefined,
    endsAt: new Date(Date.now() + 3_600_000),
    mayContinue: async () => true,
  });
  const rows = Array.from({ length: 600 }, (_, n) => {
    return { type: 'many', data: { n, words: 'x'.repeat(200) }, created_at: new Date() };
  });
  await kit.app.platform.db.tenant(kit.tenantId, (tx) => insertChanges(tx, scope(), rows));
  await expect.poll(() => stream!.destroyed).toBe(true);
});

test('a changed conversation is told as it is by now, once however often it changed', async () => {
  const seen = await watch(hubs[0]!);
  const { db, clock } = kit.app.platform;
  const made = await kit.ask('POST /contacts/', { body: { phone: '+60123334466', name: 'Asha' } });
  const row = { ...blankConversation(made.body.id, clock()), unread: 2, last_channel: 'wa' };
  const changes = ['message.received', 'conversation.changed', 'conversation.changed'].map(
    (type) => {
      return { type, data: { conversation_id: row.id }, created_at: clock() };
    },
  );
  await db.tenant(kit.tenantId, async (tx) => {
    await ensureConversations(tx, scope(), [row]);
    await insertChanges(tx, scope(), changes);
  });
  await expect.poll(seen.types).toEqual(changes.map(({ type }) => type));
  const told = [...seen.text().matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!));
  const answered = await kit.ask(`GET /team-inbox/api/conversations/?contact=${made.body.id}`);
  expect(told.map(({ conversation }) => conversation)).toEqual([
    undefined,
    undefined,
    answered.body.results[0],
  ]);
  expect(told[2].conversation).toMatchObject({ contact: { name: 'Asha' }, unread: 2 });
  seen.stop();
});

test('streams that end together are not opened again together', async () => {
  const open: Watching[] = [];
  for (let n = 0; n < 8; n += 1) open.push(await watch(hubs[0]!, { id: `usr_${n}` }));
  const waits = () => open.map(({ text }) => Number(/^retry: (\d+)$/m.exec(text())?.[1]));
  await expect.poll(() => Math.min(...waits())).toBeGreaterThanOrEqual(1_000);
  expect(Math.max(...waits())).toBeLessThanOrEqual(5_000);
  expect(new Set(waits()).size).toBeGreaterThan(1);
  for (const each of open) each.stop();
});

test('a conversation deleted with its contact is reported', async () => {
  const seen = await watch(hubs[0]!);
  const { db, clock } = kit.app.platform;
  const { body } = await kit.ask('POST /contacts/', { body: { phone: '+60123334455' } });
  const row = blankConversation(body.id, clock());
  await db.tenant(kit.tenantId, (tx) => ensureConversations(tx, scope(), [row]));
  expect((await kit.ask(`DELETE /contacts/${body.id}/`)).status).toBe(204);
  await expect.poll(seen.types).toEqual(['conversation.removed']);
  expect(seen.text()).toContain(`"conversation_id":"${row.id}"`);
  seen.stop();
});

test('a stream ends with its token, with its session, and on shutdown', async () => {
  const expiring = await watch(hubs[0]!, { endsAt: new Date(Date.now() + 150) });
  let mayContinue = true;
  const revoked = await watch(hubs[1]!, { mayContinue: async () => mayContinue });
  await expect.poll(expiring.isOver).toBe(true);
  await expect.poll(revoked.text).toContain(': beat');
  mayContinue = false;
  await expect.poll(revoked.isOver).toBe(true);
  const drained = await watch(hubs[0]!);
  hubs[0]!.drain();
  await expect.poll(drained.isOver).toBe(true);
});

test.each([
  ['its tenant is suspended', async () => void (await setSuspendedTo(true))],
  ['the person leaves', async (as: string) => void (await kit.ask('POST /logout/', { as }))],
  [
    'the member may read it no more',
    async (_: string, userId: string) =>
      void (await kit.ask(`PATCH /tenants/users/${userId}/`, { body: { role: 'billing' } })),
  ],
  [
    'the member is removed',
    async (_: string, userId: string) => void (await kit.ask(`DELETE /tenants/users/${userId}/`)),
  ],
])('a stream ends at once when %s', async (_, end) => {
  const email = `watcher${(watchers += 1)}@example.com`;
  const made = await makeMember(kit.app.platform, kit.tenantId, {
    email,
    name: 'Watcher',
    role: 'agent',
  });
  const person = { email, password: made.password };
  const { access } = (await kit.ask('POST /token/', { as: '', body: person })).body;
  const response = await fetch(kit.url + path, { headers: { authorization: `Bearer ${access}` } });
  const seen = reading(response.body as never);
  await expect.poll(seen.text).toContain('retry');
  const heartbeatMs = 15_000;
  const begunAt = performance.now();
  await end(access, made.userId);
  await expect.poll(seen.isOver).toBe(true);
  expect(performance.now() - begunAt).toBeLessThan(heartbeatMs);
  await setSuspendedTo(false);
});

const setSuspendedTo = (isSuspended: boolean) =>
  kit.app.platform.db.tenant(kit.tenantId, (tx) => setSuspended(tx, kit.tenantId, isSuspended));
let watchers = 0;

test('nobody has more than ten streams', async () => {
  const open = [];
  for (let n = 0; n < 10; n += 1) open.push(await watch(hubs[0]!, { id: 'usr_many' }));
  const watcher = {
    id: 'usr_many',
    sessionId: 'ses_a',
    lastEventId: undefined,
    endsAt: new Date(Date.now() + 1e6),
  };
  const more = { ...watcher, mayContinue: async () => true };
  expect(await hubs[0]!.subscribe(scope(), more)).toBeUndefined();
  open[0]!.stop();
  await expect.poll(() => hubs[0]!.subscribe(scope(), more)).toBeDefined();
});

/** A stream is no use of its session: it does not outlive one in which nobody did anything. */
async function endsWithItsBrowserSession(own: ServiceKit): Promise<void> {
  const { platform } = own.app;
  const member = { email: 'idle@example.com', name: 'Idle', role: 'agent' } as const;
  const { userId } = await makeMember(platform, own.tenantId, member);
  const who = { userId, tenantId: own.tenantId, environment: 'sandbox' } as const;
  const { cookie } = await platform.sessions.beginInBrowser(who, { ip: null, user_agent: null });
  own.later(25 * 60_000);
  const response = await fetch(own.url + path, {
    headers: {
      cookie: `drawbridge-sandbox-session=${cookie}`,
      'sec-fetch-site': 'same-origin',
    },
  });
  expect(response.status).toBe(200);
  const seen = reading(response.body as never);
  await expect.poll(seen.text).toContain('retry');
  own.later(6 * 60_000);
  // What is changed of a member lets each of their streams be looked at.
  await own.ask(`PATCH /tenants/users/${userId}/`, { body: { role: 'admin' } });
  await expect.poll(seen.isOver).toBe(true);
}

test('over HTTP: only for signed-in members, until the process stops', async () => {
  const own = await startService();
  expect(await own.ask(`GET ${path}`)).toMatchObject({
    status: 403,
    body: { code: 'session_required' },
  });
  const { access } = (await own.ask('POST /token/', { as: '', body: own.owner })).body;
  const headers = { authorization: `Bearer ${access}` };
  const response = await fetch(own.url + path, { headers });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  const seen = reading(response.body as never);
  const inbox = { tenantId: own.tenantId, environment: 'sandbox' } as const;
  await own.app.platform.db.tenant(own.tenantId, (tx) =>
    insertChanges(tx, inbox, [{ type: 'message.received', data: {}, created_at: new Date() }]),
  );
  await expect.poll(seen.types).toEqual(['message.received']);
  const more = await Promise.all(
    Array.from({ length: 10 }, () => fetch(own.url + path, { headers })),
  );
  const refused = more.find(({ status }) => status === 429);
  expect(refused?.headers.get('retry-after')).toBe('10');
  expect(await refused?.json()).toMatchObject({ code: 'too_many_streams' });
  for (const { body } of more) await body?.cancel().catch(() => {});
  await endsWithItsBrowserSession(own);
  const startedAt = performance.now();
  await own.stop();
  expect(performance.now() - startedAt).toBeLessThan(8_000);
  await expect.poll(seen.isOver).toBe(true);
});
