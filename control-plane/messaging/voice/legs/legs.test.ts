/** Legs that flows dial, through simulators that this test controls. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../../test/kit/eventually.ts';
import {
  sandboxSettings as plivoSettings,
  startPlivoVoiceSimulator,
} from '../../../channels/plivo-voice/simulator.ts';
import { polite, type VoiceControl } from '../../../channels/simulation/voice/network.ts';
import type { Behaviour } from '../../../channels/simulation/voice/phone-call.ts';
import {
  startTwilioVoiceSimulator,
  sandboxSettings as twilioSettings,
} from '../../../channels/twilio-voice/simulator.ts';
import { startVonageVoiceSimulator } from '../../../channels/vonage-voice/simulator.ts';
import type { Answer, ServiceKit } from '../../service.kit.ts';
import {
  asOwner,
  callEnd,
  fromNumber,
  makeDue,
  say,
  startVoice,
  templateOf,
  topUp,
} from '../voice.kit.ts';

interface Provider {
  readonly url: string;
  readonly control: VoiceControl;
  stop(): Promise<void>;
}

let kit: ServiceKit;
const simulators: Record<string, Provider> = {};
const configs: Record<string, string> = {};
const providers = ['twilio-voice', 'plivo-voice', 'vonage-voice'] as const;
const context = '+60387654321';

beforeAll(async () => {
  const chance = { clock: () => new Date(), random: Math.random, isSending: true };
  const vonage = await startVonageVoiceSimulator(chance);
  simulators['twilio-voice'] = await startTwilioVoiceSimulator(chance);
  simulators['plivo-voice'] = await startPlivoVoiceSimulator(chance);
  simulators['vonage-voice'] = vonage;
  kit = await startVoice(Object.fromEntries(providers.map((id) => [id, simulators[id]!.url])));
  const all = {
    'twilio-voice': twilioSettings,
    'plivo-voice': plivoSettings,
    'vonage-voice': vonage.settings,
  };
  for (const provider of providers) {
    const own = { provider, name: provider, settings: all[provider], from_number: fromNumber };
    const made = await kit.ask('POST /voice/api/provider-configs/', { body: own });
    configs[provider] = made.body.id;
  }
  await topUp(kit, '1000');
  await asOwner(
    kit,
    `insert into webhook_endpoint (id, tenant_id, service, url, secrets)
     values ('whe_legs', '${kit.tenantId}', 'messaging', 'https://customer.example/', '[]')`,
  );
  await price('+60', '0.06', '1/1');
  await price('+603', '0.5', '60/60');
});
afterAll(async () => {
  await kit.stop();
  for (const each of Object.values(simulators)) await each.stop();
});

async function price(prefix: string, per_minute: string, increment: string): Promise<void> {
  const body = { prefix, currency: 'USD', per_minute, increment };
  expect((await kit.ask('POST /voice/api/rate-cards/', { body })).status).toBe(201);
}

const wallet = async () => (await kit.ask('GET /tenants/host-wallet/')).body;
const shown = async (id: string) => (await kit.ask(`GET /voice/api/calls/${id}/`)).body;
const legsOf = (call: Answer['body']) =>
  call.legs.slice(1).map(({ to, status, cost }: Answer['body']) => [to, status, cost?.amount]);

/** Every charge for a call, for its legs, and for legs reported too late. */
async function charges(id: string): Promise<readonly string[]> {
  const { rows } = await asOwner(
    kit,
    `select trim_scale(-amount)::text as amount from wallet_entry where kind = 'charge'
       and (reference like '${id}%'
         or reference in (select id from voice_call_leg where call_id = '${id}')) order by id`,
  );
  return rows.map(({ amount }) => amount);
}

const sumOf = (amounts: readonly string[]) =>
  Math.round(amounts.reduce((sum, each) => sum + Number(each) * 1e6, 0)) / 1e6;

let serial = 10;
/** Calls a person with this behaviour, through a flow that dials at once; returns the call. */
async function order(
  provider: string,
  dial: object,
  behaviours: readonly Partial<Behaviour>[],
  nodes: object = {},
): Promise<Answer['body']> {
  const to = `+6012345${String(serial++).padStart(4, '0')}`;
  const all = behaviours.map((each) => ({ ...polite, ...each }));
  simulators[provider]!.control.expect(to.slice(1), all);
  const sales = { type: 'dial', ...dial };
  const flow = { version: 1, language: 'en-US', start: 'sales', limits: { seconds: 600 } };
  const template_id = await templateOf(kit, { ...flow, nodes: { sales, ...nodes } });
  const body = { to, provider_config: configs[provider], template_id };
  const made = await kit.ask('POST /voice/api/calls/', { body });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body;
}

describe.each(providers)('a leg through %s', (provider) => {
  test('that is reported after its call’s end is settled once, also with repeats', async () => {
    const { control } = simulators[provider]!;
    const before = await wallet();
    control.withhold();
    const { id } = await order(provider, { to: [context] }, [{ seconds: 61, hangsUp: true }]);
    const early = await callEnd(kit, id);
    // 61 seconds of a call to +6012, billed by the second; nothing is known of the leg.
    expect([early.cost.amount, legsOf(early)]).toEqual(['0.061', [[context, 'queued', undefined]]]);
    expect(Number((await wallet()).reserved) - Number(before.reserved)).toBe(5);
    await control.release();
    const late = await eventually(async () => {
      const call = await shown(id);
      expect(legsOf(call)).toEqual([[context, 'completed', '1']]);
      return call;
    });
    expect(late.cost.amount).toBe('1.061');
    const sent = control.sent().filter(({ url }) => url.includes(id));
    for (const { url, headers, body } of sent) await fetch(url, { method: 'POST', headers, body });
    await makeDue(kit, 'voice-reconcile');
    expect(await shown(id)).toEqual(late);
    expect(await charges(id)).toEqual(['0.061', '1']);
    expect((await wallet()).reserved).toBe(before.reserved);
    const { rows } = await asOwner(
      kit,
      `select payload from webhook_event where type = 'call.cost_changed' and subject_id = '${id}'`,
    );
    expect(rows.map(({ payload }) => payload.data.cost)).toEqual([late.cost]);
  });

  test('that is never reported is found in the provider’s list', async () => {
    const { control } = simulators[provider]!;
    control.withhold();
    const { id } = await order(provider, { to: [context] }, [{ seconds: 7, hangsUp: true }]);
    await callEnd(kit, id);
    const call = await eventually(async () => {
      await makeDue(kit, 'voice-reconcile');
      const now = await shown(id);
      expect(legsOf(now)).toEqual([[context, 'completed', '0.5']]);
      return now;
    });
    await control.release();
    expect(await charges(id)).toEqual(['0.007', '0.5']);
    expect((await shown(id)).cost).toEqual(call.cost);
  });

  test('that is busy costs nothing, and the next one is charged', async () => {
    const numbers = [context, '+60399999999'];
    const { id } = await order(provider, { to: numbers }, [
      { leg: 'is-busy' },
      { seconds: 7 },
      { hangsUp: true },
    ] as Partial<Behaviour>[]);
    const call = await callEnd(kit, id);
    expect(legsOf(call)).toEqual([
      [numbers[0], 'busy', '0'],
      [numbers[1], 'completed', '0.5'],
    ]);
    expect(sumOf(await charges(id))).toBe(Number(call.cost.amount));
  });
});

describe.each(['twilio-voice', 'plivo-voice'])('numbers that ring together by %s', (provider) => {
  test('cost as much as the connected one', async () => {
    const numbers = [context, '+60399999998', 'sip:context@pbx.example.test'];
    const { id } = await order(provider, { to: numbers, order: 'together' }, [{ seconds: 61 }]);
    const call = await callEnd(kit, id);
    expect(legsOf(call)).toEqual([
      [context, 'completed', '1'],
      [numbers[1], 'canceled', '0'],
      [numbers[2], 'canceled', '0'],
    ]);
    expect(await charges(id)).toEqual(['0.061', '1']);
  });
});

test('a SIP address costs nothing: no rate card prices it', async () => {
  const to = 'sip:context@pbx.example.test';
  const made = await order('vonage-voice', { to: [to] }, [{ seconds: 61 }]);
  const call = await callEnd(kit, made.id);
  expect(legsOf(call)).toEqual([[to, 'completed', '0']]);
  expect([made.reserved.amount, call.legs[1].rate]).toEqual(['0.6', null]);
});

describe('a leg that was given up', () => {
  const lose = async (provider: string) => {
    const { control } = simulators[provider]!;
    control.withhold();
    const { id } = await order(provider, { to: [context] }, [{ seconds: 7, hangsUp: true }]);
    await callEnd(kit, id);
    return id as string;
  };
  /** The provider's list stays silent too, until look-ups stop. */
  const giveUp = async (id: string) => {
    await asOwner(
      kit,
      `update voice_call set ended_at = ended_at - interval '61 minutes',
         provider_call_id = 'none ' || id, request_id = 'none ' || id where id = '${id}'`,
    );
    await eventually(async () => {
      await makeDue(kit, 'voice-reconcile');
      expect(legsOf(await shown(id))).toEqual([[context, 'unknown', '0']]);
    });
  };

  test('frees its money after an hour, and a late report charges the free balance', async () => {
    const before = await wallet();
    const id = await lose('twilio-voice');
    await giveUp(id);
    expect((await wallet()).reserved).toBe(before.reserved);
    await simulators['twilio-voice']!.control.release();
    await eventually(async () =>
      expect(legsOf(await shown(id))).toEqual([[context, 'completed', '0.5']]),
    );
    expect(await charges(id)).toEqual(['0.007', '0.5']);
  });

  test('is not charged to a wallet without an available balance: the host bears it', async () => {
    const id = await lose('plivo-voice');
    await giveUp(id);
    await topUp(kit, '0.1');
    await simulators['plivo-voice']!.control.release();
    await eventually(async () =>
      expect(legsOf(await shown(id))).toEqual([[context, 'completed', '0']]),
    );
    expect(await charges(id)).toEqual(['0.007']);
    expect((await wallet()).balance).toBe('0.1');
    await topUp(kit, '1000');
  });

  test('is no longer charged a day later', async () => {
    const id = await lose('plivo-voice');
    await giveUp(id);
    const day = `update voice_call set ended_at = ended_at - interval '24 hours' where id = '${id}'`;
    await asOwner(kit, day);
    await simulators['plivo-voice']!.control.release();
    expect(legsOf(await shown(id))).toEqual([[context, 'unknown', '0']]);
    expect(await charges(id)).toEqual(['0.007']);
  });
});

test('a leg that counted as failed before it was reported is charged all the same', async () => {
  const { control } = simulators['vonage-voice']!;
  control.withhold();
  const dial = { to: [context], next: 'bye' };
  const made = await order('vonage-voice', dial, [{ seconds: 7 }], { bye: say('Goodbye') });
  expect(legsOf(await callEnd(kit, made.id))).toEqual([[context, 'failed', '0']]);
  await control.release();
  await eventually(async () =>
    expect(legsOf(await shown(made.id))).toEqual([[context, 'completed', '0.5']]),
  );
  const { body } = await kit.ask(`GET /voice/api/call-events/?call_id=${made.id}&kind=transfer`);
  expect(body.results[0].data).toMatchObject({ result: 'failed', leg: 2, dialed: context });
  const [own] = (await shown(made.id)).legs;
  expect(await charges(made.id)).toEqual([own.cost.amount, '0.5']);
});

test('a leg that the provider never dialled frees its money when its list says so', async () => {
  const { id } = await order('twilio-voice', { to: [context] }, [{ seconds: 7 }]);
  await callEnd(kit, id);
  // The call ended between our document and the provider's dialling.
  await asOwner(
    kit,
    `with l as (insert into voice_call_leg (id, tenant_id, environment, call_id, number, document,
         node, to_address, status, started_at)
       select 'leg_' || right(id, 26), tenant_id, environment, id, 3, 9, 'sales', '${context}',
         'queued', created_at from voice_call where id = '${id}' returning call_id)
     update voice_call set legs_open = 1, ended_at = ended_at - interval '3 minutes' from l
     where id = l.call_id`,
  );
  await eventually(async () => {
    await makeDue(kit, 'voice-reconcile');
    expect(legsOf(await shown(id)).at(-1)).toEqual([context, 'unknown', '0']);
  });
});

describe('a number without a rate or funds is not dialled', () => {
  const bye = { bye: say('Goodbye') };
  /** Dials the keys that the caller presses. */
  const dialPressed = async (keys: string) => {
    const to = `+6012345${String(serial++).padStart(4, '0')}`;
    const people = [{ keys }, { seconds: 7 }, { hangsUp: true }].map((each) => ({
      ...polite,
      ...each,
    }));
    simulators['twilio-voice']!.control.expect(to.slice(1), people);
    const gather = {
      type: 'gather',
      max_digits: 14,
      finish_keys: '#',
      save_as: 'pressed',
      next: 'sales',
    };
    const sales = { type: 'dial', to: ['+{{pressed}}'], next: 'bye' };
    const template_id = await templateOf(kit, {
      version: 1,
      language: 'en-US',
      start: 'ask',
      limits: { seconds: 60 },
      nodes: { ask: gather, sales, ...bye },
    });
    const body = { to, provider_config: configs['twilio-voice'], template_id };
    const made = await kit.ask('POST /voice/api/calls/', { body });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    return { made: made.body, call: await callEnd(kit, made.body.id) };
  };

  test('when the call is ordered, if the flow names it', async () => {
    const flow = { version: 1, start: 'a', nodes: { a: { type: 'dial', to: ['+971501234567'] } } };
    const template_id = await templateOf(kit, flow);
    const body = { to: '+60123456789', provider_config: configs['vonage-voice'], template_id };
    const { status, body: told } = await kit.ask('POST /voice/api/calls/', { body });
    expect([status, told.code]).toEqual([400, 'no_rate']);
    expect(told.detail).toContain('+971501234567');
  });

  test('in the call, if the caller pressed it; the flow goes on as after a failure', async () => {
    const { made, call } = await dialPressed('971501234567');
    expect(made.reserved.amount).toBe('0.06');
    expect(legsOf(call)).toEqual([['+971501234567', 'failed', '0']]);
    expect([call.legs[1].cause, call.legs[1].rate]).toEqual(['no_rate', null]);
    expect(await charges(call.id)).toHaveLength(1);
    const { body } = await kit.ask(`GET /voice/api/call-events/?call_id=${call.id}&kind=leg`);
    expect(body.results[0].data).toMatchObject({ leg: 2, cause: 'no_rate', status: 'failed' });
    const { effects } = simulators['twilio-voice']!.control.calls().at(-1)!;
    expect(effects.map(({ kind }) => kind)).not.toContain('dial');
    expect(effects).toContainEqual(expect.objectContaining({ kind: 'say', text: 'Goodbye' }));
  });

  test('when the wallet has too little money', async () => {
    await price('+882', '100000', '60/60');
    const { call } = await dialPressed('88212345678');
    expect(legsOf(call)).toEqual([['+88212345678', 'failed', '0']]);
    expect(call.legs[1].cause).toBe('insufficient_funds');
  });

  test('and an affordable one is reserved before it is dialled', async () => {
    const { made, call } = await dialPressed('60387654321');
    expect([made.reserved.amount, call.reserved.amount]).toEqual(['0.06', '0.56']);
    expect(legsOf(call)).toEqual([[context, 'completed', '0.5']]);
  });
});

test('each dial of a call is reserved, however often the flow loops', async () => {
  const nodes = { again: { type: 'goto', next: 'sales' } };
  const dial = { to: [context], limit_seconds: 60, next: 'again' };
  const people = [{ seconds: 7 }, { seconds: 7 }, { seconds: 7 }, { hangsUp: true, seconds: 1 }];
  const before = await wallet();
  const made = await order('twilio-voice', dial, people, nodes);
  expect(made.reserved.amount).toBe('1.1'); // ten minutes of the call, one of a leg
  const call = await callEnd(kit, made.id);
  expect(legsOf(call)).toEqual(Array(4).fill([context, 'completed', '0.5']));
  expect(call.legs.map(({ number }: Answer['body']) => number)).toEqual([1, 2, 3, 4, 5]);
  expect(await charges(made.id)).toEqual(['0.022', '2']);
  expect((await wallet()).reserved).toBe(before.reserved);
});

test('a leg is priced by the rate in force when it is dialled', async () => {
  await price('+6597', '1', '60/60');
  const first = await order('vonage-voice', { to: ['+6597000001'] }, [{ seconds: 7 }]);
  expect(legsOf(await callEnd(kit, first.id))).toEqual([['+6597000001', 'completed', '1']]);
  await price('+6597', '3', '60/60');
  const second = await order('vonage-voice', { to: ['+6597000001'] }, [{ seconds: 7 }]);
  const call = await callEnd(kit, second.id);
  expect(legsOf(call)).toEqual([['+6597000001', 'completed', '3']]);
  expect((await shown(first.id)).legs[1].rate.per_minute).toBe('1');
});

test('no tenant sees the legs of another', async () => {
  const { id } = await order('plivo-voice', { to: [context] }, [{ seconds: 7 }]);
  await callEnd(kit, id);
  const count = (tenantId: string) =>
    kit.app.platform.db.tenant(tenantId, (tx) =>
      tx.row('select count(*)::int as n from voice_call_leg where call_id = $1', [id]),
    );
  expect([await count(kit.tenantId), await count(kit.strangerId)]).toEqual([{ n: 1 }, { n: 0 }]);
});
