import { createHash, createPublicKey, randomBytes, verify } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeMember } from '../../people/members/new-member.ts';
import { newId } from '../../platform/ids.ts';
import { openObjects } from '../../platform/objects/open-objects.ts';
import { type Answer, type ServiceKit, startService } from '../service.kit.ts';
import { sweepRemovedObjects } from './attachments/routes.ts';
import { inboxHooks } from './messages/hooks.ts';

let kit: ServiceKit;
let simulator: string;
let number: string;
let session: string;
let agent: { id: string; token: string };
const api = '/team-inbox/api';

beforeAll(async () => {
  kit = await startService();
  const credentials = JSON.parse(await readFile(join(kit.home, 'credentials.json'), 'utf8'));
  simulator = credentials.simulators['generic-http-sms'];
  const made = await kit.ask('POST /sms/v1/apps/', {
    body: { provider: 'generic-http-sms', name: 'desk' },
  });
  number = made.body.settings.from;
  session = (await kit.ask('POST /token/', { as: '', body: kit.owner })).body.access;
  agent = await signIn('agent@example.com', 'agent');
});
afterAll(() => kit.stop());

async function signIn(email: string, role: 'agent' | 'analyst') {
  const member = { email, name: `An ${role}`, role } as const;
  const { password } = await makeMember(kit.app.platform, kit.tenantId, member);
  const { body } = await kit.ask('POST /token/', { as: '', body: { email, password } });
  const users = (await kit.ask('GET /tenants/users/')).body.results;
  const { id } = users.find((each: { email: string }) => each.email === email);
  return { id: id as string, token: body.access as string };
}

let serial = 10_000;
const newPhone = () => `+60124${(serial += 1)}1`;

/** A person writes through the simulator; returns the conversation. */
async function write(phone: string, text: string): Promise<Answer['body']> {
  const before = await find(phone);
  const response = await fetch(`${simulator}/_control/inbound`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ from: phone.slice(1), to: number, text }),
  });
  expect(response.status, await response.text()).toBeLessThan(300);
  await expect
    .poll(async () => (await find(phone))?.last_message?.id)
    .not.toBe(before?.last_message?.id);
  return find(phone);
}

async function find(phone: string): Promise<Answer['body'] | undefined> {
  const contacts = await kit.ask(`GET /contacts/?phone=${encodeURIComponent(phone)}`);
  const id = contacts.body.results[0]?.id;
  if (id === undefined) return undefined;
  return (await kit.ask(`GET ${api}/conversations/?contact=${id}`)).body.results[0];
}

const pathOf = (conversation: { id: string }) => `${api}/conversations/${conversation.id}/`;

describe('a conversation', () => {
  test('begins with a stranger’s message, is assigned, answered, closed, reopened', async () => {
    const phone = newPhone();
    const begun = await write(phone, 'is anybody there?');
    expect(begun).toMatchObject({
      state: 'open',
      openings: 1,
      unread: 1,
      assignee_id: null,
      last_channel: 'sms',
      contact: { phone },
      last_message: { direction: 'in', text: 'is anybody there?' },
    });
    expect(begun.waiting_since).not.toBeNull();

    const as = agent.token;
    const taken = await kit.ask(`PATCH ${pathOf(begun)}`, { as, body: { assignee_id: agent.id } });
    expect(taken).toMatchObject({ status: 200, body: { assignee_id: agent.id } });
    const mine = await kit.ask(`GET ${api}/conversations/?assignee=me&waiting=true`, { as });
    expect(mine.body.results.map((each: { id: string }) => each.id)).toContain(begun.id);

    const reply = await kit.ask(`POST ${pathOf(begun)}reply/`, { as, body: { text: 'I am' } });
    expect(reply).toMatchObject({ status: 202, body: { status: 'queued' } });
    expect(await find(phone)).toMatchObject({ waiting_since: null, unread: 0 });
    await expect
      .poll(async () => (await kit.ask(`GET ${api}/messages/?conversation=${begun.id}`)).body)
      .toMatchObject({
        results: [
          { direction: 'out', text: 'I am', author: agent.id, status: 'delivered' },
          { direction: 'in', text: 'is anybody there?', conversation_id: begun.id },
        ],
      });

    const closed = await kit.ask(`PATCH ${pathOf(begun)}`, { as, body: { state: 'closed' } });
    expect(closed.body).toMatchObject({ state: 'closed', assignee_id: agent.id });
    expect(await write(phone, 'one more thing')).toMatchObject({ state: 'open', openings: 2 });
    const history = await kit.ask(`GET ${pathOf(begun)}history/`);
    expect(history.body.results.map((each: { type: string }) => each.type)).toEqual([
      'opened',
      'closed',
      'assigned',
      'opened',
    ]);
    expect(history.body.results[1]).toMatchObject({ actor: agent.id });
  });

  test('goes to the first of two who take it at once, and the other is told who has it', async () => {
    const other = await signIn('second@example.com', 'agent');
    const begun = await write(newPhone(), 'who takes this?');
    const take = (member: typeof agent, expected: string | null) =>
      kit.ask(`PATCH ${pathOf(begun)}`, {
        as: member.token,
        body: { assignee_id: member.id, expected_assignee_id: expected },
      });
    const answers = await Promise.all([take(agent, null), take(other, null)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const isAgents = answers[0]!.status === 200;
    const [first, second] = isAgents ? [agent, other] : [other, agent];
    const refusal = {
      status: 409,
      body: { code: 'conversation_taken', conversation_id: begun.id, assignee_id: first.id },
    };
    expect(answers.find(({ status }) => status === 409)).toMatchObject(refusal);
    expect((await take(first, null)).status).toBe(200);
    const all = {
      as: second.token,
      body: { ids: [begun.id], state: 'closed', expected_assignee_id: second.id },
    };
    expect(await kit.ask(`PATCH ${api}/conversations/`, all)).toMatchObject(refusal);
    const now = await kit.ask(`GET ${pathOf(begun)}`);
    expect(now.body).toMatchObject({ state: 'open', assignee_id: first.id });
    const history = await kit.ask(`GET ${pathOf(begun)}history/`);
    expect(history.body.results.map((each: { type: string }) => each.type)).toEqual([
      'assigned',
      'opened',
    ]);
    const handedOver = await take(second, first.id);
    expect(handedOver).toMatchObject({ status: 200, body: { assignee_id: second.id } });
  });

  test('can be answered by an API key, once for one Idempotency-Key', async () => {
    const begun = await write(newPhone(), 'hello');
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'once' };
    const send = (text: string) =>
      kit.send(`${pathOf(begun)}reply/`, JSON.stringify({ text }), headers);
    const first = await send('hi');
    expect((await send('hi')).body.message_id).toBe(first.body.message_id);
    expect(await send('ho')).toMatchObject({ status: 409 });
    expect((await kit.ask(`GET ${pathOf(begun)}`)).body).toMatchObject({ waiting_since: null });
  });

  test('can be answered by the rules of the channel', async () => {
    const phone = newPhone();
    const begun = await write(phone, 'STOP');
    const refused = await kit.ask(`POST ${pathOf(begun)}reply/`, { body: { text: 'why?' } });
    expect(refused).toMatchObject({ status: 400, body: { code: 'opted_out' } });
    const other = await kit.ask(`POST ${pathOf(begun)}reply/`, {
      body: { channel: 'wa', text: 'why?' },
    });
    expect(other).toMatchObject({ status: 404, body: { code: 'app_not_found' } });
    const wrong = await kit.ask(`POST ${pathOf(begun)}reply/`, {
      body: { message: { carousel: 1 } },
    });
    expect(wrong.status).toBe(400);
    expect(Object.keys(wrong.body.errors)).toContain('message.carousel');
    const asking = await write(newPhone(), 'hello');
    for (const [body, field] of [
      [{ text: ' ' }, 'text'],
      [{ message: { text: ' ' } }, 'message.text'],
    ] as const) {
      const empty = await kit.ask(`POST ${pathOf(asking)}reply/`, { body });
      expect(empty).toMatchObject({ status: 400, body: { code: 'content_refused' } });
      expect(Object.keys(empty.body.errors)).toEqual([field]);
    }
    // STOP alone opens no conversation; the message is in it.
    expect(await find(phone)).toMatchObject({ state: 'closed', waiting_since: null });
  });

  test('is answered at the number that wrote, of a person’s two', async () => {
    const [first, second] = [newPhone(), newPhone()];
    const [stays, goes] = [
      await write(first, 'from the one'),
      await write(second, 'from the other'),
    ];
    await kit.ask(`POST /contacts/${stays.contact.id}/merge/`, {
      body: { contact_id: goes.contact.id },
    });
    const answer = async () => {
      const { body } = await kit.ask(`POST ${pathOf(stays)}reply/`, { body: { text: 'here' } });
      return (await kit.ask(`GET /sms/v1/messages/${body.message_id}/`)).body.address;
    };
    expect(await answer()).toBe(second);
    await write(first, 'from the one again');
    expect(await answer()).toBe(first);
  });

  test('is snoozed until its time, or until the person writes', async () => {
    const phone = newPhone();
    const begun = await write(phone, 'later please');
    const snooze = (ms: number) => {
      const snoozed_until = new Date(Date.now() + ms).toISOString();
      return kit.ask(`PATCH ${pathOf(begun)}`, { body: { state: 'snoozed', snoozed_until } });
    };
    expect((await snooze(-1_000)).body.errors).toHaveProperty('snoozed_until');
    expect(await snooze(3_600_000)).toMatchObject({ status: 200, body: { state: 'snoozed' } });
    expect(await write(phone, 'now!')).toMatchObject({ state: 'open', snoozed_until: null });
    expect(await snooze(400)).toMatchObject({ body: { state: 'snoozed' } });
    await expect.poll(async () => (await find(phone)).state).toBe('open');
    await kit.ask(`PATCH ${pathOf(begun)}`, { body: { state: 'closed' } });
    expect(await snooze(3_600_000)).toMatchObject({
      status: 409,
      body: { code: 'conversation_closed' },
    });
  });

  test('has tags of the tenant, notes, and readers', async () => {
    const begun = await write(newPhone(), 'about my order');
    await kit.ask('POST /tenants/tenant-tags/', { body: { name: 'Orders' } });
    const unknown = await kit.ask(`PATCH ${pathOf(begun)}`, { body: { tags: ['Nonsense'] } });
    expect(unknown.status).toBe(400);
    const tagged = await kit.ask(`PATCH ${pathOf(begun)}`, { body: { tags: ['orders'] } });
    expect(tagged.body.tags).toEqual(['Orders']);
    const found = await kit.ask(`GET ${api}/conversations/?tag=ORDERS&unread=true`);
    expect(found.body.results).toMatchObject([{ id: begun.id }]);

    const note = { text: 'she is right' };
    const noted = await kit.ask(`POST ${pathOf(begun)}notes/`, { as: agent.token, body: note });
    expect(noted).toMatchObject({ status: 201, body: { author: agent.id, ...note } });
    expect((await kit.ask(`GET ${pathOf(begun)}notes/`)).body.results).toEqual([noted.body]);

    const first = begun.last_message.id;
    await write(begun.contact.phone, 'and another');
    const read = await kit.ask(`POST ${pathOf(begun)}read/`, {
      as: agent.token,
      body: { up_to: first },
    });
    expect(read.body.unread).toBe(1);
    await kit.ask(`POST ${pathOf(begun)}read/`, { as: agent.token, body: {} });
    expect((await kit.ask(`GET ${pathOf(begun)}`)).body).toMatchObject({
      unread: 0,
      readers: [{ reader_id: agent.id }],
    });
  });

  test('can be assigned only to members who may answer', async () => {
    const begun = await write(newPhone(), 'hello');
    const analyst = await signIn('analyst@example.com', 'analyst');
    for (const assignee_id of [analyst.id, 'usr_nobody']) {
      const refused = await kit.ask(`PATCH ${pathOf(begun)}`, { body: { assignee_id } });
      expect(refused.body.errors).toHaveProperty('assignee_id');
    }
  });

  test('many are changed together, or none', async () => {
    const all = [await write(newPhone(), 'a'), await write(newPhone(), 'b')];
    const ids = all.map(({ id }) => id);
    const missing = newId('cnv', () => new Date(), randomBytes);
    const body = { ids: [...ids, missing], state: 'closed' };
    expect(await kit.ask(`PATCH ${api}/conversations/`, { body })).toMatchObject({ status: 404 });
    expect((await kit.ask(`GET ${pathOf(all[0])}`)).body.state).toBe('open');
    const closed = await kit.ask(`PATCH ${api}/conversations/`, { body: { ...body, ids } });
    expect(closed.body.results).toMatchObject([{ state: 'closed' }, { state: 'closed' }]);
  });
});

describe('messages', () => {
  test('are found by words, state, channel and time, and paged', async () => {
    const phone = newPhone();
    const begun = await write(phone, 'Ünïque zebra crossing');
    await write(phone, 'another zebra');
    const texts = async (query: string) =>
      (await kit.ask(`GET ${api}/messages/?${query}`)).body.results.map(
        (each: { text: string }) => each.text,
      );
    expect(await texts('text=zebra')).toEqual(['another zebra', 'Ünïque zebra crossing']);
    expect(await texts('text=zebr')).toEqual([]);
    expect(await texts('text=ZEBR*')).toHaveLength(2);
    expect(await texts('text=cross*%20ÜNÏQUE&state=open')).toEqual(['Ünïque zebra crossing']);
    expect(await texts('text=zebra&state=closed')).toEqual([]);
    expect(await texts('text=zebra&channel=wa')).toEqual([]);
    expect(await texts('text=zebra&assignee=none')).toHaveLength(2);
    expect(await texts('text=!!!')).toEqual([]);
    const conversation = `conversation=${begun.id}`;
    expect(
      await texts(`${conversation}&since=${new Date(Date.now() + 1e6).toISOString()}`),
    ).toEqual([]);
    expect(await texts(`${conversation}&contact=${begun.contact.id}&text=another`)).toEqual([
      'another zebra',
    ]);
    const page = await kit.ask(`GET ${api}/messages/?text=zebra&limit=1`);
    expect(page.body.results).toHaveLength(1);
    expect(await texts(`text=zebra&limit=1&cursor=${page.body.next}`)).toEqual([
      'Ünïque zebra crossing',
    ]);
    const stranger = await kit.keyOf('owner', kit.strangerId);
    expect((await kit.ask(`GET ${api}/messages/`, { as: stranger })).body.results).toEqual([]);
  });
});

test.each(['messages/', 'conversations/', 'history/', 'notes/', 'attachments/'])(
  'a cursor that is not of %s is refused',
  async (list) => {
    const begun = await write(newPhone(), 'hello');
    const path = list === 'messages/' || list === 'conversations/' ? `${api}/` : pathOf(begun);
    for (const text of ['', 'here', 'con_01m7zg90mnbcd29nwfq18b438h', "' or 1=1--"]) {
      const cursor = Buffer.from(text).toString('base64url');
      const { status, body } = await kit.ask(`GET ${path}${list}?cursor=${cursor}`);
      expect([status, body.code], text).toEqual([400, 'invalid_request']);
    }
  },
);

test('an invalid instant is refused with the right form', async () => {
  const { body } = await kit.ask(`GET ${api}/messages/?since=2026-11-21T10:00:00+04:00`);
  expect(body.errors.since[0]).toContain('%2B');
});

test('calls are listed among the messages, by time', async () => {
  const phone = newPhone();
  const begun = await write(phone, 'please call me');
  const { db, jobs, clock, random } = kit.app.platform;
  const hooks = inboxHooks({ db, jobs, clock, random, changed: () => {} });
  const call = { phone, direction: 'out', status: 'completed', durationSeconds: 42 } as const;
  const id = newId('call', clock, random);
  await db.tenant(kit.tenantId, (tx) =>
    hooks.callsEnded(tx, { tenantId: kit.tenantId, environment: 'sandbox' }, [
      { ...call, id, by: agent.id, at: clock() },
    ]),
  );
  expect(await find(phone)).toMatchObject({ last_channel: 'voice', waiting_since: null });
  await write(phone, 'thank you');
  const list = async (query: string) =>
    (await kit.ask(`GET ${api}/messages/?contact=${begun.contact.id}&${query}`)).body;
  const shown = [
    { channel: 'sms', text: 'thank you', call: null },
    { id, channel: 'voice', direction: 'out', status: 'completed', call: { duration_seconds: 42 } },
    { channel: 'sms', text: 'please call me' },
  ];
  expect((await list('')).results).toMatchObject(shown);
  expect((await list('channel=voice&state=open')).results).toMatchObject([shown[1]]);
  expect((await list('channel=sms')).results).toHaveLength(2);
  expect((await list('assignee=none&text=call')).results).toHaveLength(1);
  const first = await list('limit=2');
  expect((await list(`limit=2&cursor=${first.next}`)).results).toMatchObject([shown[2]]);
});

describe('an attachment', () => {
  const form = (bytes: Uint8Array | string, name: string, field = 'file') => {
    const body = new FormData();
    body.append(field, new Blob([bytes as never], { type: 'text/html' }), name);
    return body;
  };

  test('is stored, its type read from its bytes, and only downloaded by a browser', async () => {
    const begun = await write(newPhone(), 'see this');
    const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomBytes(5_000)]);
    const path = `${pathOf(begun)}attachments/`;
    const kept = await kit.send(path, form(png, '../../etc/häß"lich\r\n.html'));
    expect(kept).toMatchObject({
      status: 201,
      body: { media_type: 'image/png', bytes: png.length, sha256: sha256(png) },
    });
    expect(kept.body.name).not.toMatch(/[\r\n/\\]/);
    expect(kept.body.name).toMatch(/\.html\.png$/);
    expect((await kit.ask(`GET ${path}`)).body.results).toEqual([kept.body]);
    const download = await fetch(kit.url + kept.body.url, {
      headers: { authorization: `Bearer ${session}` },
    });
    expect(sha256(Buffer.from(await download.arrayBuffer()))).toBe(sha256(png));
    expect(Object.fromEntries(download.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-disposition': expect.stringMatching(/^attachment; filename="/),
      'content-security-policy': "sandbox; default-src 'none'",
    });
    const stranger = await kit.keyOf('owner', kit.strangerId);
    expect(await kit.ask(`GET ${kept.body.url}`, { as: stranger })).toMatchObject({ status: 404 });
    expect((await kit.ask(`DELETE ${kept.body.url}`)).status).toBe(204);
    expect((await kit.ask(`GET ${kept.body.url}`)).status).toBe(404);
  });

  test('is deleted with its contact, including its bytes', async () => {
    const begun = await write(newPhone(), 'forget me');
    const kept = await kit.send(`${pathOf(begun)}attachments/`, form('a text', 'a.txt'));
    expect(kept.status).toBe(201);
    const objects = openObjects({ home: kit.home });
    const key = `inbox/${kit.tenantId}/${kept.body.id}`;
    const found = await objects.get(key);
    expect(found?.bytes).toBe(6);
    found?.stream.destroy();
    expect((await kit.ask(`DELETE /contacts/${begun.contact.id}/`)).status).toBe(204);
    await sweepRemovedObjects({ db: kit.app.platform.db, objects });
    expect(await objects.get(key)).toBeUndefined();
    expect((await kit.ask(`GET ${pathOf(begun)}`)).status).toBe(404);
  });

  test.each([
    ['a page by the name of a picture', '<html><script>', 'a.png', 415],
    ['a picture that a script hides in', '<svg onload="alert(1)">', 'a.svg', 415],
    ['nothing', '', 'a.txt', 400],
    ['too much', 'a'.repeat(26 * 1_024 * 1_024), 'a.txt', 413],
  ])('%s is refused', async (_, bytes, name, status) => {
    const begun = await write(newPhone(), 'see this');
    const path = `${pathOf(begun)}attachments/`;
    expect((await kit.send(path, form(bytes, name))).status).toBe(status);
    expect((await kit.ask(`GET ${path}`)).body.results).toEqual([]);
  });

  test('a form without a file, and no form at all', async () => {
    const begun = await write(newPhone(), 'see this');
    const path = `${pathOf(begun)}attachments/`;
    expect((await kit.send(path, form('text', 'a.txt', 'other'))).status).toBe(400);
    expect((await kit.send(path, '{}', { 'content-type': 'application/json' })).status).toBe(415);
  });
});

test('settings are set as a whole, and checked', async () => {
  const settings = {
    time_zone: 'Asia/Dubai',
    holidays: ['2026-12-02'],
    first_response_minutes: 60,
    weekly_hours: [{ day: 'mon', from: '09:00', to: '18:00' }],
  };
  const set = await kit.ask(`PUT ${api}/settings/`, { body: settings });
  expect(set).toMatchObject({ status: 200, body: { ...settings, next_response_minutes: null } });
  expect((await kit.ask(`GET ${api}/settings/`)).body).toEqual(set.body);
  const byAgent = await kit.ask(`PUT ${api}/settings/`, { as: agent.token, body: settings });
  expect(byAgent).toMatchObject({ status: 403, body: { code: 'not_permitted' } });
  expect((await kit.ask(`GET ${api}/settings/`, { on: 'live' })).body.time_zone).toBe('UTC');
  for (const [field, wrong] of [
    ['time_zone', { time_zone: 'Mars/Olympus' }],
    ['weekly_hours.0', { weekly_hours: [{ day: 'mon', from: '18:00', to: '09:00' }] }],
    ['holidays.0', { holidays: ['2026-02-30'] }],
    ['first_response_minutes', { first_response_minutes: 0 }],
  ] as const) {
    const refused = await kit.ask(`PUT ${api}/settings/`, { body: { ...settings, ...wrong } });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([400, [field]]);
  }
});

test('a conversation is printed, always the same, with a signature of the file', async () => {
  const begun = await write(newPhone(), 'السلام عليكم, وثيقة 1 🙂');
  await kit.ask(`POST ${pathOf(begun)}notes/`, { body: { text: 'for us alone' } });
  await kit.ask(`PATCH ${pathOf(begun)}`, { body: { state: 'closed' } });
  const print = async () => {
    const response = await fetch(`${kit.url}${api}/export-pdf/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${session}`, 'content-type': 'application/json' },
      body: JSON.stringify({ conversation_id: begun.id, include_notes: true }),
    });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'application/pdf',
    ]);
    return { file: Buffer.from(await response.arrayBuffer()), headers: response.headers };
  };
  const [first, second] = [await print(), await print()];
  expect(first.file.subarray(0, 5).toString()).toBe('%PDF-');
  expect(sha256(second.file)).toBe(sha256(first.file));
  const { body: signature } = await kit.ask(`GET ${first.headers.get('location')}`);
  expect(first.headers.get('x-signature-ed25519')).toBe(signature.signature);
  expect(first.headers.get('x-signature-key-id')).toBe(signature.key_id);
  const key = createPublicKey({
    key: {
      kty: 'OKP',
      crv: 'Ed25519',
      x: Buffer.from(signature.public_key, 'base64').toString('base64url'),
    },
    format: 'jwk',
  });
  const isRight = (file: Buffer) =>
    verify(null, file, key, Buffer.from(signature.signature, 'base64'));
  expect(isRight(first.file)).toBe(true);
  first.file[1_000]! ^= 1;
  expect(isRight(first.file)).toBe(false);
  const stranger = await kit.keyOf('owner', kit.strangerId);
  const body = { conversation_id: begun.id };
  expect(await kit.ask(`POST ${api}/export-pdf/`, { as: stranger, body })).toMatchObject({
    status: 404,
    body: { code: 'conversation_not_found' },
  });
}, 60_000);

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

test('who answers sees the names of the team, and no more of them', async () => {
  const { status, body } = await kit.ask(`GET ${api}/team/`, { as: agent.token });
  expect(status).toBe(200);
  const known = { name: 'An agent', may_answer: true, is_member: true };
  expect(body.results).toContainEqual({ id: agent.id, ...known });
});

test('who has left is named by what they wrote, and no conversation can be given to them', async () => {
  const leaver = await signIn('leaver@example.com', 'agent');
  expect((await kit.ask(`DELETE /tenants/users/${leaver.id}/`)).status).toBe(204);
  const team = async (query: string) =>
    (await kit.ask(`GET ${api}/team/${query}`, { as: agent.token })).body.results;
  const gone = { id: leaver.id, name: 'An agent', may_answer: false, is_member: false };
  expect(await team('?former=true')).toContainEqual(gone);
  expect(await team('')).not.toContainEqual(gone);
});
