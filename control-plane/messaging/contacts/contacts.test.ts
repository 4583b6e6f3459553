import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ServiceKit, startService } from '../service.kit.ts';
import { optedOut } from './consents/store.ts';

let kit: ServiceKit;
let last = 0;

beforeAll(async () => {
  kit = await startService();
});
afterAll(() => kit.stop());

const nextPhone = () => `+9715012${String((last += 1)).padStart(5, '0')}`;
const create = (body: object, on: 'live' | 'sandbox' = 'sandbox') =>
  kit.ask('POST /contacts/', { body, on });
const patch = (id: string, body: object) => kit.ask(`PATCH /contacts/${id}/`, { body });
const list = async (query: Record<string, string>) => {
  const { status, body } = await kit.ask(`GET /contacts/?${new URLSearchParams(query)}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body as { results: { id: string; name: string }[]; next: string | null };
};
const names = async (query: Record<string, string>) =>
  (await list(query)).results.map(({ name }) => name);

describe('creating', () => {
  test('answers 201 with the id and the stored number', async () => {
    const { status, body, headers } = await create({
      name: 'Aisha',
      phone: '+971 50 123-4567',
      segments: ['VIP', 'VIP', 'Dubai'],
      attributes: { city: 'Dubai', age: 42, active: true },
      channel_identifiers: [{ channel: 'botchat', external_id: '77' }],
    });
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`/contacts/${body.id}/`);
    expect(body).toMatchObject({ phone: '+971501234567', segments: ['Dubai', 'VIP'] });
    expect((await kit.ask(`GET /contacts/${body.id}/`)).body).toEqual(body);
  });

  test.each([
    '\u202a+971 50 200 0001\u202c',
    '+971\u200e502000002',
    '\u2066+971\u00a0502000003\u2069',
  ])('marks that came along with a copied number are left out: %j', async (phone) => {
    const { status, body } = await create({ phone });
    expect([status, body.phone]).toEqual([201, expect.stringMatching(/^\+97150200000\d$/)]);
    expect((await list({ phone })).results).toMatchObject([{ id: body.id }]);
  });

  test('a phone or an identifier that another contact has is 409 and names that contact', async () => {
    const [phone, identifier] = [nextPhone(), { channel: 'botchat', external_id: '99' }];
    const { body } = await create({ phone, channel_identifiers: [identifier] });
    for (const again of [{ phone }, { channel_identifiers: [identifier] }]) {
      expect(await create(again)).toMatchObject({
        status: 409,
        body: { code: 'contact_exists', contact_id: body.id },
      });
    }
    expect((await create({ phone, channel_identifiers: [identifier] }, 'live')).status).toBe(201);
    const other = await create({ phone: nextPhone() });
    expect((await patch(other.body.id, { phone })).body.contact_id).toBe(body.id);
  });

  test('a number among the identifiers is kept as + and digits, as the phone is', async () => {
    const channel_identifiers = [
      { channel: 'wa', external_id: '+ 971 (50) 222-0001' },
      { channel: 'wa', external_id: 'AE.1234567890' },
    ];
    const { body } = await create({ channel_identifiers });
    const read = [
      { channel: 'wa', external_id: '+971502220001' },
      { channel: 'wa', external_id: 'AE.1234567890' },
    ];
    expect(body.channel_identifiers).toEqual(read);
    const again = await patch(body.id, { channel_identifiers });
    expect(again.body.channel_identifiers).toEqual(read);
  });

  test('of many concurrent requests with one phone, one succeeds', async () => {
    const phone = nextPhone();
    const answers = await Promise.all(Array.from({ length: 8 }, () => create({ phone })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
  });

  test.each([
    ['phone', {}],
    ['phone', { phone: '050 1234567' }],
    ['phone', { phone: '+9711' }],
    ['attributes.a', { phone: '+971501111111', attributes: { a: { b: 1 } } }],
    ['segments.0', { phone: '+971501111111', segments: [''] }],
    [
      'channel_identifiers.0.channel',
      { channel_identifiers: [{ channel: 'fax', external_id: '1' }] },
    ],
    [
      'channel_identifiers.0.external_id',
      { channel_identifiers: [{ channel: 'sms', external_id: '971501111111' }] },
    ],
    [
      'channel_identifiers.0.external_id',
      { channel_identifiers: [{ channel: 'wa', external_id: '+971 50' }] },
    ],
    ['owner', { phone: '+971501111111', owner: 'x' }],
    [
      'attributes.__proto__',
      { phone: '+971501111111', attributes: JSON.parse('{"__proto__":"x"}') },
    ],
  ])('400 names %s', async (field, body) => {
    const answer = await create(body);
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, [field]]);
  });
});

test('PATCH merges attributes, null deletes one; segments replace, add and remove', async () => {
  const { body } = await create({
    phone: nextPhone(),
    segments: ['A', 'B'],
    attributes: { x: 1, y: 'two' },
  });
  const { id } = body;
  const merged = await patch(id, { attributes: { x: null, z: false } });
  expect(merged.body.attributes).toEqual({ y: 'two', z: false });
  expect((await patch(id, { segments: ['B', 'C'] })).body.segments).toEqual(['B', 'C']);
  const both = await patch(id, { add_segments: ['D'], remove_segments: ['B'] });
  expect(both.body.segments).toEqual(['C', 'D']);
  expect((await patch(id, { segments: [] })).body.segments).toEqual([]);
  expect((await patch(id, { phone: null })).status).toBe(400);
  const moved = { phone: null, channel_identifiers: [{ channel: 'wa', external_id: 'u.1' }] };
  expect((await patch(id, moved)).body).toMatchObject({ phone: null, name: null });
});

test('concurrent changes are all kept', async () => {
  const { body } = await create({ phone: nextPhone() });
  await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      patch(body.id, { attributes: { [`k${n}`]: n }, add_segments: [`S${n}`] }),
    ),
  );
  const { body: after } = await kit.ask(`GET /contacts/${body.id}/`);
  expect([Object.keys(after.attributes).length, after.segments.length]).toEqual([8, 8]);
});

test('a contact has a limited number of attributes, on every path', async () => {
  const { body } = await create({ phone: nextPhone() });
  const many = (from: number) =>
    Object.fromEntries(Array.from({ length: 150 }, (_, n) => [`a${from + n}`, n]));
  expect((await patch(body.id, { attributes: many(0) })).status).toBe(200);
  expect((await patch(body.id, { attributes: many(150) })).status).toBe(400);
});

describe('listing', () => {
  const tag = 'Filtered';
  let middle: string;
  beforeAll(async () => {
    const make = (name: string, more: object) =>
      create({ name, phone: nextPhone(), segments: [tag], ...more });
    await make('Omar Haddad', { attributes: { tier: 'gold', visits: 3 } });
    kit.later(1_000);
    middle = (await make('Ömer Demir', { attributes: { tier: 'gold', vip: true } })).body
      .created_at;
    kit.later(1_000);
    await make("Sinéad O'Hara", { attributes: { tier: 'silver', visits: '3' } });
  });

  test.each([
    [{}, ["Sinéad O'Hara", 'Ömer Demir', 'Omar Haddad']],
    [{ attribute: 'tier:gold' }, ['Ömer Demir', 'Omar Haddad']],
    [{ attribute: 'visits:3' }, ["Sinéad O'Hara", 'Omar Haddad']],
    [{ attribute: 'vip:true' }, ['Ömer Demir']],
    [{ attribute: 'tier:bronze' }, []],
    [{ text: 'oma had' }, ['Omar Haddad']],
    [{ text: "o'hara" }, ["Sinéad O'Hara"]],
    [{ text: "'; drop table contact; --" }, []],
    [{ text: 'x & !y | (z' }, []],
    [{ text: '\\' }, []],
    [{ text: 'ömer', attribute: 'tier:gold' }, ['Ömer Demir']],
    [{ text: 'ömer', attribute: 'tier:silver' }, []],
  ])('%j gives %j', async (query, expected) => {
    expect(await names({ segment: tag, ...query })).toEqual(expected);
  });

  test('a span of time begins with its first instant and ends before its last', async () => {
    expect(await names({ segment: tag, created_after: middle })).toHaveLength(2);
    expect(await names({ segment: tag, created_before: middle })).toEqual(['Omar Haddad']);
  });

  test('by phone with any punctuation, and by an unknown segment', async () => {
    const { body } = await create({ name: 'Phoned', phone: '+60 12-345 6789' });
    const { results } = await list({ phone: '+60123456789' });
    expect(results.map(({ id }) => id)).toEqual([body.id]);
    expect(await names({ segment: 'no such' })).toEqual([]);
    expect(await names({ text: '6012345' })).toEqual(['Phoned']);
  });

  test('pages are complete and disjoint while contacts are added', async () => {
    const seen: string[] = [];
    let cursor: string | null = null;
    const before = (await list({ limit: '200' })).results.map(({ id }) => id);
    do {
      const page = await list({ limit: '4', ...(cursor === null ? {} : { cursor }) });
      seen.push(...page.results.map(({ id }) => id));
      cursor = page.next;
      await create({ phone: nextPhone() });
    } while (cursor !== null);
    expect(seen).toEqual(before);
  });

  test.each([['cursor=***'], ['limit=201'], ['attribute=x'], ['phone=12'], ['created_after=now']])(
    '400 for %s',
    async (query) => expect((await kit.ask(`GET /contacts/?${query}`)).status).toBe(400),
  );

  test('nothing of one environment or tenant is seen from another', async () => {
    const stranger = await kit.keyOf('owner', kit.strangerId);
    const { body } = await kit.ask('GET /contacts/?text=omar', { as: stranger });
    expect(body.results).toEqual([]);
    expect((await kit.ask('GET /contacts/?text=omar', { on: 'live' })).body.results).toEqual([]);
  });
});

test('segments are listed, renamed for all their contacts, and deleted without them', async () => {
  const { body: contact } = await create({ phone: nextPhone(), segments: ['Old'] });
  const make = await kit.ask('POST /contacts/segments/', { body: { name: 'Old' } });
  expect(make.body.code).toBe('segment_exists');
  const { results } = (await kit.ask('GET /contacts/segments/?limit=200')).body;
  const { id } = results.find(({ name }: { name: string }) => name === 'Old');
  await kit.ask(`PATCH /contacts/segments/${id}/`, { body: { name: 'New' } });
  expect((await kit.ask(`GET /contacts/${contact.id}/`)).body.segments).toEqual(['New']);
  expect((await kit.ask(`DELETE /contacts/segments/${id}/`)).status).toBe(204);
  expect((await kit.ask(`GET /contacts/${contact.id}/`)).body.segments).toEqual([]);
});

describe('consents', () => {
  const stopped = (phone: string) => {
    const { db } = kit.app.platform;
    const scope = { tenantId: kit.tenantId, environment: 'sandbox' } as const;
    return db.tenant(kit.tenantId, (tx) => optedOut(tx, scope, 'sms', [phone, '+10000000']));
  };

  test('an opt-out is for one channel, outlives the contact, and ends with consent', async () => {
    const phone = nextPhone();
    const { body } = await create({ phone });
    const say = (state: string, id: string) =>
      kit.ask(`POST /contacts/${id}/consents/`, { body: { channel: 'sms', state } });
    const { body: said } = await say('revoked', body.id);
    const stateOf = (channel: string) =>
      said.results.find((each: { channel: string }) => each.channel === channel).state;
    expect([stateOf('sms'), stateOf('wa')]).toEqual(['revoked', 'unknown']);
    expect(await stopped(phone)).toEqual(new Set([phone]));
    expect((await kit.ask(`DELETE /contacts/${body.id}/`)).status).toBe(204);
    expect((await kit.ask(`GET /contacts/${body.id}/`)).status).toBe(404);
    expect(await stopped(phone)).toEqual(new Set([phone]));
    const { body: again } = await create({ phone });
    const shown = await kit.ask(`GET /contacts/${again.id}/consents/`);
    expect(JSON.stringify(shown.body)).toContain('revoked');
    kit.later(1);
    expect((await say('granted', again.id)).status).toBe(201);
    expect(await stopped(phone)).toEqual(new Set());
  });

  test('what a person refused goes along when their number is changed', async () => {
    const [from, to] = [nextPhone(), nextPhone()];
    const { body: contact } = await kit.ask('POST /contacts/', { body: { phone: from } });
    await kit.ask('POST /contacts/opt-outs/', { body: { channel: 'sms', address: from } });
    const move = (phone: string) => kit.ask(`PATCH /contacts/${contact.id}/`, { body: { phone } });
    expect((await move(to)).status).toBe(200);
    expect([await stopped(to), await stopped(from)]).toEqual([new Set([to]), new Set([from])]);
    const { body } = await kit.ask(`GET /contacts/${contact.id}/consents/`);
    expect(body.results).toContainEqual(
      expect.objectContaining({ channel: 'sms', address: to, state: 'revoked', source: 'api' }),
    );
  });

  test('an address can opt out without a contact, and only once', async () => {
    const phone = nextPhone();
    const body = { channel: 'sms', address: `${phone.slice(0, 4)} ${phone.slice(4)}` };
    const first = await kit.ask('POST /contacts/opt-outs/', { body });
    const second = await kit.ask('POST /contacts/opt-outs/', { body });
    expect([first.status, second.body.id]).toEqual([201, first.body.id]);
    const listed = await kit.ask(
      `GET /contacts/opt-outs/?channel=sms&address=${encodeURIComponent(phone)}`,
    );
    expect(listed.body.results).toHaveLength(1);
    expect((await kit.ask('GET /contacts/opt-outs/', { on: 'live' })).body.results).toEqual([]);
    const path = `/contacts/opt-outs/${first.body.id}/`;
    expect((await kit.ask(`DELETE ${path}`)).status).toBe(204);
    expect((await kit.ask(`DELETE ${path}`)).status).toBe(404);
    expect(await stopped(phone)).toEqual(new Set());
  });

  const add = (on: string, address: string) =>
    kit.ask('POST /contacts/opt-outs/', { body: { channel: on, address } });

  test.each(
    ['sms', 'rcs', 'voice', 'wa'].flatMap((on) =>
      [
        '60139900005',
        '0139900005',
        '00601-39900005',
        '＋60139900004',
        '+60',
        '+601399000050000',
      ].map((address) => [on, address] as const),
    ),
  )('on %s %s is no number: 400', async (on, address) => {
    const { status, body } = await add(on, address);
    expect([status, Object.keys(body.errors ?? {})]).toEqual([400, ['address']]);
  });

  test.each([
    ['sms', '\u202a+60 13-990 0001\u202c', '+60139900001'],
    ['wa', '+52 1 55 1234 0001', '+525512340001'],
    ['wa', 'US.13491208655302741918', 'US.13491208655302741918'],
    ['botchat', '-1007', '-1007'],
    ['botchat', '60139900005', '60139900005'],
  ])('on %s %j is kept as %s', async (on, address, kept) => {
    const { status, body } = await add(on, address);
    expect([status, body.address]).toEqual([201, kept]);
  });

  test.each([
    ['address=%2B60%2013-990%200002', 200],
    ['address=%2B60139900002&channel=voice', 200],
    ['address=%E2%80%AA%2B60%20139900002', 200],
    ['address=+60139900002', 400],
    ['address=+60139900002&channel=voice', 400],
    ['address=60139900002&channel=voice', 400],
    ['address=%2B12', 400],
  ])('opt-outs are found by a number in any writing: %s', async (query, expected) => {
    expect((await add('voice', '+60139900002')).status).toBe(201);
    const { status, body } = await kit.ask(`GET /contacts/opt-outs/?${query}`);
    expect(status, JSON.stringify(body)).toBe(expected);
    if (status === 200) expect(body.results).toMatchObject([{ address: '+60139900002' }]);
    else if (query.includes('=+')) expect(body.errors.address[0]).toContain('%2B');
  });

  test('a channel without an address of the contact is 400', async () => {
    const { body } = await create({
      channel_identifiers: [{ channel: 'botchat', external_id: '5' }],
    });
    const answer = await kit.ask(`POST /contacts/${body.id}/consents/`, {
      body: { channel: 'sms', state: 'revoked' },
    });
    expect(Object.keys(answer.body.errors)).toEqual(['channel']);
  });
});
