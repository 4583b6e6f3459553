import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../../test/kit/eventually.ts';
import { sqlAt } from '../../../../test/kit/postgres.ts';
import { lockBroadcast } from '../../broadcast/store.ts';
import { type ServiceKit, startService } from '../../service.kit.ts';

let kit: ServiceKit;
let last = 0;
beforeAll(async () => {
  kit = await startService();
  const body = { url: 'https://receiver.example.com/' };
  expect((await kit.ask('POST /webhook-endpoints/', { body })).status).toBe(201);
});
afterAll(() => kit.stop());

const nextPhone = () => `+6012345${String((last += 1)).padStart(4, '0')}`;
const create = async (body: object) => {
  const { status, body: made } = await kit.ask('POST /contacts/', { body });
  expect(status, JSON.stringify(made)).toBe(201);
  return made as { id: string; phone: string };
};
const merge = (from: string, into: string) =>
  kit.ask(`POST /contacts/${into}/merge/`, { body: { contact_id: from } });

test('the remaining contact gains what it lacks; the other is gone and names it', async () => {
  const telegram = { channel: 'botchat', external_id: '4711' };
  const from = await create({
    name: 'A. Rahman',
    phone: nextPhone(),
    segments: ['VIP', 'Old'],
    attributes: { city: 'Penang', tier: 'gold' },
    channel_identifiers: [telegram],
  });
  const into = await create({
    phone: nextPhone(),
    segments: ['VIP', 'New'],
    attributes: { city: 'Ipoh' },
  });
  const { status, body } = await merge(from.id, into.id);
  expect([status, body]).toMatchObject([
    200,
    {
      id: into.id,
      name: 'A. Rahman',
      phone: into.phone,
      segments: ['New', 'Old', 'VIP'],
      attributes: { city: 'Ipoh', tier: 'gold' },
      channel_identifiers: [
        telegram,
        ...['rcs', 'sms', 'voice', 'wa'].map((channel) => ({ channel, external_id: from.phone })),
      ],
    },
  ]);
  expect(await kit.ask('POST /contacts/', { body: { phone: from.phone } })).toMatchObject({
    status: 409,
    body: { code: 'contact_exists', contact_id: into.id },
  });
  for (const line of ['GET', 'PATCH', 'DELETE'].map((word) => `${word} /contacts/${from.id}/`)) {
    const answer = await kit.ask(line, line.startsWith('PATCH') ? { body: {} } : {});
    expect(answer).toMatchObject({
      status: 404,
      body: { code: 'contact_not_found', merged_into: into.id },
    });
  }
  const other = await create({ phone: nextPhone() });
  const consent = { channel: 'sms', state: 'granted' };
  for (const answer of [
    await merge(other.id, from.id),
    await kit.ask(`GET /contacts/${from.id}/consents/`),
    await kit.ask(`POST /contacts/${from.id}/consents/`, { body: consent }),
  ]) {
    expect(answer).toMatchObject({ status: 404, body: { merged_into: into.id } });
  }
  const events = await sqlAt<{ payload: object }>(
    kit.ownerUrl,
    "select payload from webhook_event where type = 'contact.merged'",
  );
  expect(events.map(({ payload }) => payload)).toMatchObject([
    { id: into.id, data: { merged_id: from.id, name: 'A. Rahman', source: 'api' } },
  ]);
});

test('a contact that was merged earlier leads to the last one', async () => {
  const [a, b, c] = [nextPhone(), nextPhone(), nextPhone()];
  const [first, second, third] = [
    await create({ phone: a }),
    await create({ phone: b }),
    await create({ phone: c }),
  ];
  await merge(first.id, second.id);
  await merge(second.id, third.id);
  const { body } = await kit.ask(`GET /contacts/${first.id}/`);
  expect(body).toMatchObject({ code: 'contact_not_found', merged_into: third.id });
});

test('a number that a merge left as an identifier is no other contact’s phone or identifier', async () => {
  const [from, into] = [await create({ phone: nextPhone() }), await create({ phone: nextPhone() })];
  const third = await create({ phone: nextPhone() });
  expect((await merge(from.id, into.id)).status).toBe(200);
  const taken = [
    { phone: from.phone },
    { channel_identifiers: [{ channel: 'sms', external_id: from.phone }] },
    { channel_identifiers: [{ channel: 'wa', external_id: into.phone }] },
  ];
  const refusal = { status: 409, body: { code: 'contact_exists', contact_id: into.id } };
  for (const body of taken) {
    expect(await kit.ask(`PATCH /contacts/${third.id}/`, { body })).toMatchObject(refusal);
    expect(await kit.ask('POST /contacts/', { body })).toMatchObject(refusal);
  }
  expect((await kit.ask(`GET /contacts/${third.id}/`)).body).toEqual(third);
  const own = { phone: from.phone };
  expect((await kit.ask(`PATCH /contacts/${into.id}/`, { body: own })).body).toMatchObject(own);
});

test('an opt-out of either contact holds for every address on its channel only', async () => {
  const from = await create({ phone: nextPhone() });
  const into = await create({ phone: nextPhone() });
  await kit.ask(`POST /contacts/${from.id}/consents/`, {
    body: { channel: 'sms', state: 'revoked' },
  });
  await kit.ask(`POST /contacts/${into.id}/consents/`, {
    body: { channel: 'sms', state: 'granted' },
  });
  await kit.ask(`POST /contacts/${into.id}/consents/`, {
    body: { channel: 'wa', state: 'granted' },
  });
  await merge(from.id, into.id);
  const { results } = (await kit.ask(`GET /contacts/${into.id}/consents/`)).body;
  const states = results.map((row: Record<string, string>) => [
    row.channel,
    row.address,
    row.state,
  ]);
  expect(states).toEqual(
    expect.arrayContaining([
      ['sms', from.phone, 'revoked'],
      ['sms', into.phone, 'revoked'],
      ['wa', into.phone, 'granted'],
      ['wa', from.phone, 'unknown'],
    ]),
  );
  const listed = (await kit.ask('GET /contacts/opt-outs/?channel=sms')).body.results;
  expect(listed.map(({ address }: { address: string }) => address)).toEqual(
    expect.arrayContaining([from.phone, into.phone]),
  );
});

test('messages of both belong to one contact, also later ones from either number', async () => {
  const { body: app } = await kit.ask('POST /sms/v1/apps/', {
    body: { provider: 'twilio-sms', name: 'merging' },
  });
  const { simulators } = JSON.parse(await readFile(join(kit.home, 'credentials.json'), 'utf8'));
  const write = async (from: string, text: string) => {
    const body = JSON.stringify({ from: from.slice(1), text, to: app.settings.from });
    const headers = { 'content-type': 'application/json' };
    const url = `${simulators['twilio-sms']}/_control/inbound`;
    expect((await fetch(url, { method: 'POST', headers, body })).ok).toBe(true);
  };
  const [a, b] = [nextPhone(), nextPhone()];
  const [from, into] = [await create({ phone: a }), await create({ phone: b })];
  const said = async () => {
    const path = `/sms/v1/messages/?contact_id=${into.id}&direction=in`;
    const { results } = (await kit.ask(`GET ${path}`)).body;
    return results.map(({ preview }: { preview: string }) => preview).sort();
  };
  await write(a, 'one');
  await write(b, 'two');
  await eventually(async () => expect(await said()).toEqual(['two']));
  await eventually(async () => {
    const { body } = await kit.ask(`GET /sms/v1/messages/?contact_id=${from.id}`);
    expect(body.results).toHaveLength(1);
  });
  expect((await merge(from.id, into.id)).status).toBe(200);
  expect(await said()).toEqual(['one', 'two']);
  await write(a, 'three');
  await eventually(async () => expect(await said()).toEqual(['one', 'three', 'two']));
  const { body } = await kit.ask('GET /team-inbox/api/conversations/');
  const own = body.results.filter((row: { contact_id?: string; contact?: { id: string } }) =>
    [from.id, into.id].includes(row.contact_id ?? row.contact!.id),
  );
  expect(own).toMatchObject([{ unread: 3 }]);
});

test('STOP from either number of a merged contact holds for both, until START from either', async () => {
  const { body: app } = await kit.ask('POST /sms/v1/apps/', {
    body: { provider: 'generic-http-sms', name: 'stopping', allow_unsigned: true },
  });
  const [a, b] = [nextPhone(), nextPhone()];
  const [from, into] = [await create({ phone: a }), await create({ phone: b })];
  expect((await merge(from.id, into.id)).status).toBe(200);
  const write = async (phone: string, text: string) => {
    const body = { id: `${phone} ${text}`, from: phone, to: '+60311112222', text };
    const path = `POST /sms/v1/webhooks/${app.id}/inbound/`;
    expect((await kit.ask(path, { as: '', body })).status).toBe(200);
    kit.later(1);
  };
  const states = async () => {
    const { body } = await kit.ask(`GET /contacts/${into.id}/consents/`);
    return body.results
      .filter(({ channel }: { channel: string }) => channel === 'sms' || channel === 'wa')
      .map(
        ({ channel, address, state }: Record<string, string>) => `${channel} ${address} ${state}`,
      )
      .sort();
  };
  const all = (sms: string) =>
    [`sms ${a} ${sms}`, `sms ${b} ${sms}`, `wa ${a} unknown`, `wa ${b} unknown`].sort();
  for (const [stops, starts] of [
    [a, b],
    [b, a],
  ] as const) {
    await write(stops, 'STOP');
    expect(await states()).toEqual(all('revoked'));
    const refused = { to: starts, text: 'sale', app_id: app.id };
    expect((await kit.ask('POST /sms/v1/messages/', { body: refused })).body.code).toBe(
      'opted_out',
    );
    await write(starts, 'START');
    expect(await states()).toEqual(all('granted'));
  }
});

test('what a person refused holds at addresses that become known later, on that channel', async () => {
  const [a, b] = [nextPhone(), nextPhone()];
  const { id } = await create({ phone: a });
  await kit.ask(`POST /contacts/${id}/consents/`, { body: { channel: 'sms', state: 'revoked' } });
  const known = (channel: string) => ({ channel, external_id: b });
  const body = { channel_identifiers: [known('sms'), known('wa')] };
  expect((await kit.ask(`PATCH /contacts/${id}/`, { body })).status).toBe(200);
  const refused = async () => {
    const { results } = (await kit.ask('GET /contacts/opt-outs/')).body;
    const own = results.filter(({ address }: { address: string }) => [a, b].includes(address));
    return own
      .map(({ channel, address }: Record<string, string>) => `${channel} ${address}`)
      .sort();
  };
  expect(await refused()).toEqual([`sms ${a}`, `sms ${b}`].sort());
  // It may be taken back for the one address, and stays so.
  const [listed] = (await kit.ask(`GET /contacts/opt-outs/?address=${encodeURIComponent(b)}`)).body
    .results;
  expect((await kit.ask(`DELETE /contacts/opt-outs/${listed.id}/`)).status).toBe(204);
  expect((await kit.ask(`PATCH /contacts/${id}/`, { body })).status).toBe(200);
  expect(await refused()).toEqual([`sms ${a}`]);
});

test('what was allowed again for a number stays so when the number becomes the phone', async () => {
  const [a, b] = [nextPhone(), nextPhone()];
  const channel_identifiers = [{ channel: 'sms', external_id: b }];
  const { id } = await create({ phone: a, channel_identifiers });
  await kit.ask(`POST /contacts/${id}/consents/`, { body: { channel: 'sms', state: 'revoked' } });
  const optOutsOf = async (phone: string) =>
    (await kit.ask(`GET /contacts/opt-outs/?channel=sms&address=${encodeURIComponent(phone)}`)).body
      .results;
  for (const { id: listed } of await optOutsOf(b)) {
    expect((await kit.ask(`DELETE /contacts/opt-outs/${listed}/`)).status).toBe(204);
  }
  await kit.ask(`PATCH /contacts/${id}/`, { body: { phone: b } });
  expect(await optOutsOf(a)).toHaveLength(1);
  expect(await optOutsOf(b)).toEqual([]);
});

test('a contact is found by each of its numbers, once', async () => {
  const [from, into] = [await create({ phone: nextPhone() }), await create({ phone: nextPhone() })];
  const find = async (phone: string, more = '') => {
    const { body } = await kit.ask(`GET /contacts/?phone=${encodeURIComponent(phone)}${more}`);
    return body.results.map(({ id }: { id: string }) => id);
  };
  await merge(from.id, into.id);
  await kit.ask(`PATCH /contacts/${into.id}/`, {
    body: { add_segments: ['merged'], attributes: { tier: 'gold' } },
  });
  for (const phone of [from.phone, into.phone]) {
    expect(await find(phone)).toEqual([into.id]);
    expect(await find(phone, '&segment=merged')).toEqual([into.id]);
    expect(await find(phone, '&attribute=tier:gold')).toEqual([into.id]);
    expect(await find(phone, '&attribute=tier:silver')).toEqual([]);
  }
});

test('a repeat with the same key merges nothing again; another body is 409', async () => {
  const [from, into] = [await create({ phone: nextPhone() }), await create({ phone: nextPhone() })];
  const send = (contact_id: string) =>
    kit.send(`/contacts/${into.id}/merge/`, JSON.stringify({ contact_id }), {
      'content-type': 'application/json',
      'idempotency-key': 'merge',
    });
  const first = await send(from.id);
  expect(first.status, JSON.stringify(first.body)).toBe(200);
  const again = await send(from.id);
  expect([again.status, again.body]).toEqual([200, first.body]);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  const other = await create({ phone: nextPhone() });
  expect((await send(other.id)).body.code).toBe('idempotency_payload_mismatch');
});

test('of two concurrent merges, each into the other, one succeeds', async () => {
  const [a, b] = [await create({ phone: nextPhone() }), await create({ phone: nextPhone() })];
  const answers = await Promise.all([merge(a.id, b.id), merge(b.id, a.id)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
  const [kept, gone] = answers[0]!.status === 200 ? [b, a] : [a, b];
  const refused = answers.find(({ status }) => status === 404)!.body;
  expect(refused).toMatchObject({ code: 'contact_not_found', merged_into: kept.id });
  expect((await kit.ask(`GET /contacts/${gone.id}/`)).body).toMatchObject({ merged_into: kept.id });
});

test('a merge waits for an audience that is being fixed, or is refused and can be repeated', async () => {
  await kit.ask('POST /sms/v1/apps/', { body: { provider: 'twilio-sms', name: 'waiting' } });
  const { results: apps } = (await kit.ask('GET /sms/v1/apps/')).body;
  await kit.ask('POST /sms/v1/templates/', { body: { name: 'waiting', body: 'hello' } });
  const [from, into] = [
    await create({ phone: nextPhone(), segments: ['Waiting'] }),
    await create({ phone: nextPhone() }),
  ];
  const schedule_at = new Date(Date.now() + 3_600_000).toISOString();
  const asked = { template: 'waiting', segment: 'Waiting', schedule_at, app_id: apps[0].id };
  const broadcast = await kit.ask('POST /sms/v1/broadcast/', { body: asked });
  expect(broadcast.status, JSON.stringify(broadcast.body)).toBe(201);
  const { db } = kit.app.platform;
  const scope = { tenantId: kit.tenantId, environment: 'sandbox' } as const;
  await db.tenant(kit.tenantId, async (tx) => {
    await lockBroadcast(tx, scope, broadcast.body.id);
    const refused = await merge(from.id, into.id);
    expect(refused).toMatchObject({ status: 409, body: { code: 'broadcast_busy' } });
  });
  expect((await merge(from.id, into.id)).status).toBe(200);
});

test('an impossible merge is refused, and changes nothing', async () => {
  const many = (from: number) =>
    Array.from({ length: 12 }, (_, n) => ({ channel: 'botchat', external_id: `many ${from + n}` }));
  const [a, b] = [
    await create({ channel_identifiers: many(0) }),
    await create({ channel_identifiers: many(100) }),
  ];
  const nobody = `con_${'0'.repeat(26)}`;
  for (const [from, status] of [
    [a.id, 400],
    [b.id, 400],
    [nobody, 404],
  ] as const) {
    expect((await merge(from, a.id)).status).toBe(status);
  }
  expect((await kit.ask(`GET /contacts/${b.id}/`)).body).toEqual(b);
});

test('a phone that a third contact has as an identifier is not taken from it', async () => {
  const [from, into] = [await create({ phone: nextPhone() }), await create({ phone: nextPhone() })];
  const third = await create({
    channel_identifiers: [{ channel: 'sms', external_id: nextPhone() }],
  });
  // As earlier versions let it come about.
  await sqlAt(kit.ownerUrl, 'update contact_identity set external_id = $2 where contact_id = $1', [
    third.id,
    from.phone,
  ]);
  const refusal = { status: 409, body: { code: 'contact_exists', contact_id: third.id } };
  expect(await merge(from.id, into.id)).toMatchObject(refusal);
  expect((await merge(third.id, from.id)).status).toBe(200);
  expect((await merge(from.id, into.id)).status).toBe(200);
});

test('a merge keeps the values of the other one that are asked for', async () => {
  const from = await create({
    name: 'Mei Ling',
    phone: nextPhone(),
    attributes: { city: 'Penang', tier: 'gold' },
  });
  const into = await create({
    name: 'M.',
    phone: nextPhone(),
    attributes: { city: 'Ipoh', tier: 'none', since: '2020' },
  });
  const values_of_other = ['name', 'phone', 'attributes.city', 'attributes.since'];
  const body = { contact_id: from.id, values_of_other };
  expect(await kit.ask(`POST /contacts/${into.id}/merge/`, { body })).toMatchObject({
    status: 200,
    body: {
      id: into.id,
      name: 'Mei Ling',
      phone: from.phone,
      attributes: { city: 'Penang', tier: 'none', since: '2020' },
      channel_identifiers: ['rcs', 'sms', 'voice', 'wa'].map((channel) => ({
        channel,
        external_id: into.phone,
      })),
    },
  });
  const wrong = { contact_id: from.id, values_of_other: ['segments'] };
  expect((await kit.ask(`POST /contacts/${into.id}/merge/`, { body: wrong })).status).toBe(400);
});

test('an attribute that only the contact which stays has is kept, whatever it is called', async () => {
  const into = await create({ phone: nextPhone(), attributes: { constructor: 'Ng' } });
  const from = await create({ phone: nextPhone(), attributes: {} });
  const body = { contact_id: from.id, values_of_other: ['attributes.constructor'] };
  const merged = await kit.ask(`POST /contacts/${into.id}/merge/`, { body });
  expect(merged.body.attributes).toEqual({ constructor: 'Ng' });
});

test('that an address may be written to again is kept with its reason', async () => {
  const { id, phone } = await create({ phone: nextPhone() });
  const body = { channel: 'sms', address: phone, note: 'Asked at the till' };
  const { body: added } = await kit.ask('POST /contacts/opt-outs/', { body });
  const note = 'Agreed by phone';
  const removed = await kit.ask(`DELETE /contacts/opt-outs/${added.id}/?note=${encodeURI(note)}`);
  expect(removed.status).toBe(204);
  const { results } = (await kit.ask(`GET /contacts/${id}/consents/`)).body;
  expect(results).toContainEqual(
    expect.objectContaining({ channel: 'sms', address: phone, state: 'granted', note }),
  );
});
