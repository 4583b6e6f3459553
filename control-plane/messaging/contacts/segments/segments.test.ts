import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ServiceKit, startService } from '../../service.kit.ts';

let kit: ServiceKit;
let last = 0;
const ids: Record<string, string> = {};

const people: Record<string, object> = {
  Asha: { phone: '+971501110001', attributes: { city: 'Dubai', age: 42, joined: '2026-03-01' } },
  Bilal: { phone: '+971501110002', attributes: { city: 'Dubai', age: '17', joined: 'zebra' } },
  Chen: { phone: '+971501110003', attributes: { city: 'Abu Dhabi', vip: true } },
  Dana: {
    channel_identifiers: [{ channel: 'botchat', external_id: '7' }],
    attributes: { age: 42.5, joined: '2026-03-02T10:00:00Z', 'o\'k"': "it's" },
  },
};

beforeAll(async () => {
  kit = await startService();
  for (const [name, more] of Object.entries(people)) {
    const segments = ['Asha', 'Chen'].includes(name) ? ['Listed'] : [];
    const { status, body } = await kit.ask('POST /contacts/', {
      body: { name, segments, ...more },
    });
    expect(status, JSON.stringify(body)).toBe(201);
    ids[name] = body.id;
  }
  const { body } = await kit.ask('GET /contacts/segments/');
  ids.Listed = body.results[0].id;
});
afterAll(() => kit.stop());

const make = (query: unknown, name = `query ${(last += 1)}`) =>
  kit.ask('POST /contacts/segments/', { body: { name, query } });
const namesIn = async (segment: string) => {
  const { body } = await kit.ask(`GET /contacts/?${new URLSearchParams({ segment })}`);
  return body.results.map(({ name }: { name: string }) => name).toSorted();
};

test.each([
  ['a text attribute', { attribute: 'city', is: 'Dubai' }, 'Asha Bilal'],
  ['one of several values', { attribute: 'city', is: ['Dubai', 'Abu Dhabi'] }, 'Asha Bilal Chen'],
  ['a flag', { attribute: 'vip', is: true }, 'Chen'],
  ['a number, also where it is written as text', { attribute: 'age', is: 17 }, 'Bilal'],
  ['a value that needs quoting', { attribute: 'o\'k"', is: "it's" }, 'Dana'],
  ['an attribute that exists', { attribute: 'age', exists: true }, 'Asha Bilal Dana'],
  ['an attribute that does not exist', { attribute: 'age', exists: false }, 'Chen'],
  ['numbers above', { attribute: 'age', above: 42 }, 'Dana'],
  ['numbers from … on', { attribute: 'age', at_least: 42 }, 'Asha Dana'],
  ['numbers below', { attribute: 'age', below: 42 }, 'Bilal'],
  ['numbers in a span', { attribute: 'age', at_least: 17, at_most: 42 }, 'Asha Bilal'],
  ['dates above', { attribute: 'joined', above: '2026-03-01' }, 'Dana'],
  ['dates until', { attribute: 'joined', at_most: '2026-03-01' }, 'Asha'],
  ['the beginning of a word', { text: 'ash' }, 'Asha'],
  ['text without a word', { text: '!' }, ''],
  ['text with query syntax', { text: "' | & !() :*" }, ''],
  ['since long ago', { created_since: '2020-01-01T00:00:00Z' }, 'Asha Bilal Chen Dana'],
  ['before long ago', { created_before: '2020-01-01T00:00:00Z' }, ''],
  ['people reached by phone', { reachable: 'sms' }, 'Asha Bilal Chen'],
  ['people reached by a bot', { reachable: 'botchat' }, 'Dana'],
] as const)('a query: %s', async (_, condition, expected) => {
  const { status, body } = await make({ all: [condition] });
  expect(status, JSON.stringify(body)).toBe(201);
  expect(body.query).toEqual({ all: [condition] });
  expect((await namesIn(body.name)).join(' ')).toBe(expected);
  const count = expected === '' ? 0 : expected.split(' ').length;
  const asked = { query: { all: [condition] } };
  const { body: counted } = await kit.ask('POST /contacts/segments/count/', { body: asked });
  expect(counted).toEqual({ contacts: count });
  expect((await kit.ask(`GET /contacts/segments/${body.id}/`)).body.contacts).toBe(count);
});

test('all, any and none are combined, and may refer to lists', async () => {
  const dubai = { attribute: 'city', is: 'Dubai' };
  const listed = { segment_id: ids.Listed };
  const { body } = await make({ any: [dubai, listed], none: [{ attribute: 'age', below: 18 }] });
  expect(await namesIn(body.name)).toEqual(['Asha', 'Chen']);
  const { body: both } = await make({ all: [dubai], any: [listed] });
  expect(await namesIn(both.name)).toEqual(['Asha']);
});

test('one of many values is found as one of a few', async () => {
  const others = Array.from({ length: 50 }, (_, n) => `other ${n}`);
  const [city, age, vip] = [
    { attribute: 'city', is: [...others.slice(1), 'Dubai'] },
    { attribute: 'age', is: [...others.slice(1), 17] },
    { attribute: 'vip', is: [true, ...others.slice(1)] },
  ];
  const quoted = { attribute: 'o\'k"', is: [...others.slice(2), "it's", '{"a","b"}'] };
  const { body: found } = await make({ any: [age, vip, quoted] });
  expect(await namesIn(found.name)).toEqual(['Bilal', 'Chen', 'Dana']);
  const { body: left } = await make({ all: [city], none: [age] });
  expect(await namesIn(left.name)).toEqual(['Asha']);
});

test('it is evaluated each time, in its own environment, with the other filters', async () => {
  const { body } = await make({ all: [{ attribute: 'city', is: 'Sharjah' }] });
  expect(await namesIn(body.name)).toEqual([]);
  const sharjah = { name: 'Emil', phone: '+971501110009', attributes: { city: 'Sharjah' } };
  const made = await kit.ask('POST /contacts/', { body: sharjah });
  await kit.ask('POST /contacts/', { body: sharjah, on: 'live' });
  expect(await namesIn(body.name)).toEqual(['Emil']);
  const filtered = new URLSearchParams({ segment: body.name, text: 'nobody' });
  expect((await kit.ask(`GET /contacts/?${filtered}`)).body.results).toEqual([]);
  expect((await kit.ask(`DELETE /contacts/${made.body.id}/`)).status).toBe(204);
});

describe('refused queries', () => {
  test.each([
    ['nothing asked', {}],
    ['an empty part', { all: [] }],
    ['SQL', { all: ['true'] }],
    ['two conditions in one', { all: [{ attribute: 'a', is: 1, exists: true }] }],
    ['a comparison with nothing', { all: [{ attribute: 'a' }] }],
    ['a comparison with a text', { all: [{ attribute: 'a', above: 'b' }] }],
    ['an unknown word', { all: [{ attribute: 'a', like: '%' }] }],
    ['too much', { all: Array.from({ length: 21 }, () => ({ text: 'a' })) }],
    ['a segment that does not exist', { all: [{ segment_id: `seg_${'0'.repeat(26)}` }] }],
  ])('%s is 400', async (_, query) => {
    expect(await make(query)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });

  test('a query in another query', async () => {
    const { body } = await make({ all: [{ text: 'a' }] });
    expect((await make({ all: [{ segment_id: body.id }] })).status).toBe(400);
  });

  test('contacts cannot be added to a query, singly or from a file', async () => {
    const { body } = await make({ all: [{ text: 'nobody' }] }, 'Found');
    for (const [line, change] of [
      ['POST /contacts/', { phone: '+971501110055', segments: ['Found'] }],
      [`PATCH /contacts/${ids.Asha}/`, { add_segments: ['Found'] }],
    ] as const) {
      const answer = await kit.ask(line, { body: change });
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, ['segments']]);
    }
    const type = { 'content-type': 'text/csv' };
    const file = 'phone\n+971501110056\n';
    const upload = await kit.send('/contacts/bulk-import/?segment=Found', file, type);
    expect(upload.status).toBe(400);
    expect((await kit.ask(`GET /contacts/segments/${body.id}/`)).body.contacts).toBe(0);
  });

  test('a list with contacts cannot become a query, and a list in use stays', async () => {
    const query = { all: [{ text: 'a' }] };
    const list = `/contacts/segments/${ids.Listed}/`;
    const { body: asking } = await make({ none: [{ segment_id: ids.Listed }] });
    for (const line of [`PATCH ${list}`, `DELETE ${list}`]) {
      const body = line.startsWith('PATCH') ? { query } : undefined;
      expect(await kit.ask(line, { body })).toMatchObject({ body: { code: 'segment_in_use' } });
    }
    for (const { id, query: own } of (await kit.ask('GET /contacts/segments/')).body.results) {
      if (!JSON.stringify(own).includes('segment_id')) continue;
      expect((await kit.ask(`DELETE /contacts/segments/${id}/`)).status).toBe(204);
    }
    expect((await kit.ask(`GET /contacts/segments/${asking.id}/`)).status).toBe(404);
    const refused = await kit.ask(`PATCH ${list}`, { body: { query } });
    expect(refused).toMatchObject({ status: 409, body: { code: 'segment_has_contacts' } });
  });
});

test('a query can be changed, and emptied into a list', async () => {
  const { body } = await make({ all: [{ text: 'asha' }] });
  const path = `/contacts/segments/${body.id}/`;
  await kit.ask(`PATCH ${path}`, { body: { query: { all: [{ text: 'chen' }] } } });
  expect(await namesIn(body.name)).toEqual(['Chen']);
  const list = await kit.ask(`PATCH ${path}`, { body: { query: null, name: 'Plain' } });
  expect(list.body).toMatchObject({ name: 'Plain', query: null });
  expect(await namesIn('Plain')).toEqual([]);
  await kit.ask(`PATCH /contacts/${ids.Bilal}/`, { body: { add_segments: ['Plain'] } });
  expect(await namesIn('Plain')).toEqual(['Bilal']);
});

test('a broadcast goes to the contacts that the query finds', async () => {
  expect((await kit.ask('POST /sms/v1/apps/', { body: { name: 'a' } })).status).toBe(201);
  const template = { name: 'hello', body: 'Good morning.' };
  expect((await kit.ask('POST /sms/v1/templates/', { body: template })).status).toBe(201);
  const { body } = await make({ all: [{ attribute: 'city', is: 'Dubai' }] });
  const forecast = await kit.ask('POST /broadcast/', {
    body: { template: 'hello', segment: body.name, channel: 'sms', dry_run: true },
  });
  expect(forecast).toMatchObject({ status: 200, body: { recipients: 2 } });
});
