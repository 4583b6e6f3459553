import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../../test/kit/eventually.ts';
import { type Answer, type ServiceKit, startService } from '../../service.kit.ts';
import {
  asOwner,
  callEnd,
  flow,
  fromNumber,
  makeDue,
  prepare,
  say,
  templateOf,
  type VoiceSetup,
} from '../voice.kit.ts';

let kit: ServiceKit;
let stage: VoiceSetup;
beforeAll(async () => {
  kit = await startService();
  stage = await prepare(kit);
});
afterAll(() => kit.stop());

const providers = ['twilio-voice', 'plivo-voice', 'vonage-voice', 'asterisk'] as const;
const wallet = async () => (await kit.ask('GET /tenants/host-wallet/')).body;

describe.each(providers)('a call through %s', (provider) => {
  test('is answered, presses 1, is transferred, and is billed by its seconds', async () => {
    const before = await wallet();
    const made = await stage.call(provider, '+60312345678');
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    expect(made.body).toMatchObject({ status: 'queued', direction: 'outbound', cost: null });
    // Ten minutes of the call, and ten of the person it may dial.
    expect(made.body.reserved).toEqual({ amount: '10', currency: 'USD' });
    const call = await callEnd(kit, made.body.id);
    expect(call).toMatchObject({ status: 'completed', error: null, answered_by: null });
    expect(call.transcription).toEqual({ status: 'not_configured' });
    expect(call.duration_seconds).toBeGreaterThan(0);
    const minutes = (seconds: number) => Math.ceil(seconds / 60) * 0.5;
    const [own, dialled] = call.legs;
    expect(own).toMatchObject({ number: 1, to: '+60312345678', node: null });
    expect(own.cost.amount).toBe(String(minutes(call.duration_seconds)));
    expect(dialled).toMatchObject({
      number: 2,
      to: '+60387654321',
      node: 'sales',
      status: 'completed',
      cause: dialled.cause,
      rate: { prefix: '+60', increment: '60/60' },
      billed_seconds: 60,
    });
    expect(dialled.duration_seconds).toBeGreaterThan(0);
    expect(dialled.cost.amount).toBe('0.5');
    const cost = minutes(call.duration_seconds) + 0.5;
    expect(call.cost).toEqual({ amount: String(cost), currency: 'USD' });
    const after = await wallet();
    expect([Number(after.balance), after.reserved]).toEqual([
      Number(before.balance) - cost,
      before.reserved,
    ]);
    const listed = (await kit.ask('GET /voice/api/calls/?limit=1')).body.results[0];
    expect([listed.id, listed.cost]).toEqual([call.id, call.cost]);
    const { body } = await kit.ask(`GET /voice/api/call-events/?call_id=${call.id}`);
    const kinds = body.results.map((each: { kind: string }) => each.kind).reverse();
    expect(kinds.filter((kind: string) => kind !== 'leg')).toEqual([
      'ringing',
      'answered',
      'dtmf',
      'transfer',
      'hangup',
    ]);
    const transfer = body.results.find((each: { kind: string }) => each.kind === 'transfer');
    expect(transfer.data).toEqual({
      node: 'sales',
      result: 'answered',
      leg: 2,
      dialed: '+60387654321',
    });
    const legs = body.results.filter((each: { kind: string }) => each.kind === 'leg');
    expect(legs[0].data).toMatchObject({ leg: 2, to: '+60387654321', status: 'completed' });
  });

  test.each([
    ['+60312310001', ['busy']],
    ['+60312310002', ['no_answer']],
    ['+60312310004', ['failed']],
    ['+60312310005', ['busy', 'no_answer']],
  ])('to %s ends as %o, costs nothing and frees the wallet', async (to, statuses) => {
    const before = await wallet();
    const { body } = await stage.call(provider, to);
    const call = await callEnd(kit, body.id);
    expect(statuses).toContain(call.status);
    expect(call).toMatchObject({ duration_seconds: 0, cost: { amount: '0' }, answered_at: null });
    expect(await wallet()).toEqual(before);
  });

  test('to an invalid number is refused by the provider, with its code', async () => {
    const { body } = await stage.call(provider, '+60312310400');
    const call = await callEnd(kit, body.id);
    expect(call).toMatchObject({ status: 'failed', cost: { amount: '0' } });
    expect(call.error.code).not.toBe('');
  });

  test('goes on during look-ups, and ends when we hang up', async () => {
    const { body } = await stage.call(provider, '+60312310006');
    const status = async () => (await kit.ask(`GET /voice/api/calls/${body.id}/`)).body.status;
    await eventually(async () => expect(await status()).toBe('in_progress'));
    await eventually(async () => {
      await makeDue(kit, 'voice-reconcile');
      const { rows } = await asOwner(kit, `select payload from job where key = '${body.id}'`);
      expect(rows[0]?.payload.lookUps).toBeGreaterThan(1);
    });
    expect(await status()).toBe('in_progress');
    expect((await kit.ask(`POST /voice/api/calls/${body.id}/hangup/`)).status).toBe(202);
    const call = await callEnd(kit, body.id);
    expect(call.status).toBe('completed');
    const again = await kit.ask(`POST /voice/api/calls/${body.id}/hangup/`);
    expect([again.status, again.body.code]).toEqual([409, 'call_over']);
  });
});

describe.each(['twilio-voice', 'plivo-voice', 'vonage-voice'])('through %s', (provider) => {
  test('an unwanted machine hears nothing', async () => {
    const more = { machine_detection: 'hangup' };
    const { body } = await stage.call(provider, '+60312310003', more);
    const call = await callEnd(kit, body.id);
    expect(call).toMatchObject({ status: 'machine', answered_by: 'machine' });
    const events = await kit.ask(`GET /voice/api/call-events/?call_id=${call.id}&kind=dtmf`);
    expect(events.body.results).toEqual([]);
  });
});

describe('a call is refused', () => {
  const refusal = async (more: object, provider = 'twilio-voice', to = '+60312345678') => {
    const { status, body } = await stage.call(provider, to, more);
    return [status, body.code, Object.keys(body.errors ?? {})[0]];
  };

  test('when something it names is missing or does not exist', async () => {
    const other = `vpc_${'0'.repeat(26)}`;
    expect(await refusal({ provider_config: other })).toEqual([
      400,
      'invalid_request',
      'provider_config',
    ]);
    expect(await refusal({ template_id: 'none' })).toEqual([400, 'invalid_request', 'template_id']);
    expect(await refusal({ to: '0312345678' })).toEqual([400, 'invalid_request', 'to']);
    expect(await refusal({ from: '12' })).toEqual([400, 'invalid_request', 'from']);
    const needy = await templateOf(kit, { ...flow, variables: { name: {} } });
    expect(await refusal({ template_id: needy })).toEqual([
      400,
      'invalid_request',
      'variables.name',
    ]);
    expect(await refusal({ template_id: needy, variables: { name: 'a', nmae: 'b' } })).toEqual([
      400,
      'invalid_request',
      'variables.nmae',
    ]);
  });

  test('when the person opted out', async () => {
    const address = '+60312345000';
    await kit.ask('POST /contacts/opt-outs/', { body: { channel: 'voice', address } });
    expect((await refusal({}, 'twilio-voice', address)).slice(0, 2)).toEqual([400, 'opted_out']);
    await kit.ask('POST /contacts/opt-outs/', {
      body: { channel: 'sms', address: '+60312345001' },
    });
    expect((await refusal({}, 'twilio-voice', '+60312345001'))[0]).toBe(201);
  });

  test('when no rate has the number, or the wallet has too little', async () => {
    const abroad = '+971501234567';
    expect((await refusal({}, 'twilio-voice', abroad)).slice(0, 2)).toEqual([400, 'no_rate']);
    const rate = { prefix: '+971', currency: 'USD', per_minute: '100000' };
    await kit.ask('POST /voice/api/rate-cards/', { body: rate });
    await eventually(async () => expect((await wallet()).reserved).toBe('0'));
    const { status, body } = await stage.call('twilio-voice', abroad);
    expect([status, body.code]).toEqual([400, 'insufficient_funds']);
    const { available, reserved } = await wallet();
    // Ten minutes of the call, and five of the person it may dial.
    expect(body.detail).toBe(
      `The call may cost up to 1000005 USD, and the wallet has ${available} USD free: ` +
        'ask the host to top it up.',
    );
    expect(reserved).toBe('0');
  });

  test('when the provider cannot play the flow', async () => {
    const dialing = (to: string[], order: string) => ({
      ...flow,
      start: 'sales',
      nodes: { sales: { type: 'dial', to, order } },
    });
    const together = await templateOf(kit, dialing(['+60311111111', '+60322222222'], 'together'));
    expect(await refusal({ template_id: together }, 'vonage-voice')).toEqual([
      400,
      'invalid_flow',
      'nodes.sales',
    ]);
    const silent = { ...flow, start: 'a', nodes: { a: { type: 'say', text: 'Hello' } } };
    const spoken = await templateOf(kit, silent);
    expect(await refusal({ template_id: spoken }, 'asterisk')).toEqual([
      400,
      'invalid_flow',
      'nodes.a',
    ]);
  });

  test('above exactly 50 a second through one configuration, with a time to wait', async () => {
    const asked = Array.from({ length: 120 }, () => stage.call('plivo-voice', '+60312310001'));
    const answers = await Promise.all(asked);
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.every(({ status }) => status === 201 || status === 429)).toBe(true);
    const made = await asOwner(
      kit,
      `select created_at from voice_call where to_number = '+60312310001' order by created_at`,
    );
    const times = made.rows.map(({ created_at }) => created_at.getTime());
    // The time is read a moment after the grant, so the window here is a little shorter than a
    // second.
    for (const [at, time] of times.entries()) {
      expect((times[at + 50] ?? Number.POSITIVE_INFINITY) - time).toBeGreaterThan(500);
    }
    expect(refused.length).toBeGreaterThan(0);
    expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThan(0);
    const waitMs = Number(refused[0]!.headers.get('retry-after-ms'));
    expect(waitMs).toBeGreaterThan(0);
    expect(waitMs).toBeLessThanOrEqual(1_001);
    expect(refused[0]!.body.code).toBe('rate_limited');
  });
});

describe('concurrent requests', () => {
  const at = (index: number) => `+6031234${String(1_000 + index)}`;
  const codes = (answers: readonly Answer[]) =>
    Map.groupBy(answers, ({ status, body }) => body.code ?? String(status));

  test('are each accepted or refused separately', async () => {
    const orders = Array.from({ length: 12 }, (_, index) =>
      index % 3 === 0
        ? stage.call('vonage-voice', at(index), { template_id: 'none' })
        : stage.call('vonage-voice', at(index)),
    );
    const made = codes(await Promise.all(orders));
    expect(made.get('invalid_request')).toHaveLength(4);
    expect(new Set(made.get('201')!.map(({ body }) => body.to)).size).toBe(8);
    for (const { body } of made.get('201')!) {
      expect(await callEnd(kit, body.id)).toMatchObject({ to: body.to, status: 'completed' });
    }
  });

  test('share the wallet, to the last call that fits', async () => {
    // Calls of the tests above may still be ending.
    const isFree = () => eventually(async () => expect((await wallet()).reserved).toBe('0'));
    await isFree();
    const rate = { prefix: '+6597', currency: 'USD', per_minute: '10' };
    await kit.ask('POST /voice/api/rate-cards/', { body: rate });
    // The longest call allowed is ten minutes, so each reserves a hundred, and five for dialling.
    const fitting = Math.floor(Number((await wallet()).balance) / 105);
    // Uses a configuration whose fifty calls of this second are still free.
    const orders = Array.from({ length: 16 }, (_, index) =>
      stage.call('twilio-voice', `+6597000000${10 + index}`),
    );
    const made = codes(await Promise.all(orders));
    const counts = Object.fromEntries([...made].map(([code, { length }]) => [code, length]));
    expect(counts).toEqual({ 201: fitting, insufficient_funds: 16 - fitting });
    for (const { body } of made.get('201')!) await callEnd(kit, body.id);
    await isFree();
  });

  test('with one key are one call; another body is refused', async () => {
    const template_id = await templateOf(kit, flow);
    const send = (to: string) =>
      kit.send(
        '/voice/api/calls/',
        JSON.stringify({ to, provider_config: stage.configs['vonage-voice'], template_id }),
        { 'content-type': 'application/json', 'idempotency-key': 'together-1' },
      );
    const repeats = Promise.all(Array.from({ length: 6 }, () => send(at(100))));
    const [answers, other] = [await repeats, await send(at(101))];
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    const replays = answers.filter(({ headers }) => headers.get('idempotency-replayed') === 'true');
    expect(replays).toHaveLength(5);
    expect([other.status, other.body.code]).toEqual([409, 'idempotency_payload_mismatch']);
    await kit.ask(`DELETE /voice/api/templates/${template_id}/`);
    const later = await send(at(100));
    expect([later.status, later.body.id]).toEqual([201, answers[0]!.body.id]);
  });
});

test('calls are listed by status, number, provider and time, newest first, page by page', async () => {
  const first = (await kit.ask('GET /voice/api/calls/?limit=2')).body;
  expect(first.results).toHaveLength(2);
  const second = (await kit.ask(`GET /voice/api/calls/?limit=2&cursor=${first.next}`)).body;
  expect(second.results[0].id < first.results[1].id).toBe(true);
  const of = async (query: string) =>
    (await kit.ask(`GET /voice/api/calls/?${query}`)).body.results;
  const machines = await of('status=machine');
  expect(machines).toHaveLength(3);
  expect(machines[0]).toMatchObject({ from: fromNumber, to: '+60312310003' });
  const asterisk = await of(`provider_config=${stage.configs.asterisk}&to=%2B60312310002`);
  expect(asterisk).toHaveLength(1);
  expect(await of(`since=${new Date(Date.now() + 60_000).toISOString()}`)).toEqual([]);
  const [newest] = first.results;
  const before = (await of(`until=${newest.created_at}`)).map(({ id }: Answer['body']) => id);
  expect(before).toContain(second.results[0].id);
  expect(before).not.toContain(newest.id);
  const from = (await of(`since=${newest.created_at}`)).map(({ id }: Answer['body']) => id);
  expect(from).toContain(newest.id);
  expect(from).not.toContain(second.results[0].id);
  expect(await of(`since=${newest.created_at}&until=${newest.created_at}`)).toEqual([]);
  const wrong = await kit.ask('GET /voice/api/calls/?to=12');
  expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([400, ['to']]);
  const live = await kit.ask('GET /voice/api/calls/', { on: 'live' });
  expect(live.body.results).toEqual([]);
});

test('the events of a call go to the customer’s webhooks', async () => {
  await asOwner(
    kit,
    `insert into webhook_endpoint (id, tenant_id, service, url, secrets)
     values ('whe_voice', '${kit.tenantId}', 'messaging', 'https://customer.example/', '[]')`,
  );
  const { body } = await stage.call('twilio-voice', '+60312345678');
  const call = await callEnd(kit, body.id);
  const { rows } = await asOwner(
    kit,
    `select type, payload from webhook_event where subject_id = '${call.id}' order by id`,
  );
  expect(rows.map(({ type }) => type)).toEqual([
    'call.ringing',
    'call.answered',
    'call.dtmf',
    'call.transferred',
    'call.completed',
  ]);
  expect(rows.at(-1)?.payload).toMatchObject({
    event: 'call.completed',
    id: call.id,
    data: { status: 'completed', duration_seconds: call.duration_seconds, cost: call.cost },
  });
});

test('a flow whose caller never answers it ends as it says', async () => {
  const bye = await templateOf(kit, { ...flow, start: 'bye', nodes: { bye: say('Goodbye') } });
  const { body } = await stage.call('vonage-voice', '+60312345678', { template_id: bye });
  expect(await callEnd(kit, body.id)).toMatchObject({ status: 'completed' });
});
