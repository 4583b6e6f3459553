/** Legs that a flow dials through a PBX, which reports them by the events of their channels. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../../test/kit/eventually.ts';
import { type PbxSimulator, startAsteriskSimulator } from '../../../channels/asterisk/simulator.ts';
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

let kit: ServiceKit;
let pbx: PbxSimulator;
let provider_config: string;
const [context, busy, away] = ['+60387654321', '+60312310001', '+60312310002'] as const;
const staying = '+60387610006';

beforeAll(async () => {
  pbx = await startAsteriskSimulator({ clock: () => new Date(), random: Math.random });
  kit = await startVoice({ asterisk: pbx.url });
  await topUp(kit, '1000');
  const body = { provider: 'asterisk', name: 'pbx', settings: pbx.settings };
  const own = { ...body, from_number: fromNumber };
  provider_config = (await kit.ask('POST /voice/api/provider-configs/', { body: own })).body.id;
  const rate = { prefix: '+60', currency: 'USD', per_minute: '0.5' };
  await kit.ask('POST /voice/api/rate-cards/', { body: rate });
  await eventually(() => expect(pbx.control.listeners()).toBe(1));
});
afterAll(async () => {
  await kit.stop();
  await pbx.stop();
});

async function call(dial: object): Promise<string> {
  const sales = { type: 'dial', next: 'bye', ...dial };
  const flow = { version: 1, start: 'sales', nodes: { sales, bye: say('Goodbye') } };
  const template_id = await templateOf(kit, { ...flow, limits: { seconds: 600 } });
  const body = { to: '+60312310006', provider_config, template_id };
  const made = await kit.ask('POST /voice/api/calls/', { body });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.id;
}

const legsOf = (shown: Answer['body']) =>
  shown.legs.slice(1).map(({ to, status, cost }: Answer['body']) => [to, status, cost?.amount]);
const reserved = async () => (await kit.ask('GET /tenants/host-wallet/')).body.reserved;

test('a busy leg costs nothing, and the next one is charged', async () => {
  const shown = await callEnd(kit, await call({ to: [busy, context] }));
  expect(legsOf(shown)).toEqual([
    [busy, 'busy', '0'],
    [context, 'completed', '0.5'],
  ]);
  expect(shown.cost.amount).toBe('1');
  expect(await reserved()).toBe('0');
});

test('of legs that ring together the connected one is charged', async () => {
  const shown = await callEnd(kit, await call({ to: [away, context], order: 'together' }));
  expect(legsOf(shown)).toEqual([
    [away, 'no_answer', '0'],
    [context, 'completed', '0.5'],
  ]);
});

test('a leg that the PBX refuses to dial has failed', async () => {
  const shown = await callEnd(kit, await call({ to: ['+60312310400'] }));
  expect(legsOf(shown)).toEqual([['+60312310400', 'failed', '0']]);
});

/** Waits until the two talk; returns the channel of the leg. */
async function talking(id: string): Promise<string> {
  await eventually(async () => expect((await shown(id)).legs[1]?.status).toBe('in_progress'));
  return legChannels(id)[0]!;
}

const legChannels = (id: string) =>
  pbx.control.channels().filter((each) => each.startsWith(`${id}-leg`));

const shown = async (id: string) => (await kit.ask(`GET /voice/api/calls/${id}/`)).body;

/** No node listens while `meanwhile` runs. */
async function cut(meanwhile: () => void): Promise<void> {
  pbx.control.admit(false);
  pbx.control.sever();
  await eventually(() => expect(pbx.control.listeners()).toBe(0));
  meanwhile();
}

test('a leg ends with its call', async () => {
  const id = await call({ to: [staying] });
  await talking(id);
  await kit.ask(`POST /voice/api/calls/${id}/hangup/`);
  await callEnd(kit, id);
  await eventually(async () => {
    const now = await shown(id);
    expect([now.cost.amount, legsOf(now)]).toEqual(['1', [[staying, 'completed', '0.5']]]);
  });
  expect(await reserved()).toBe('0');
});

test('a leg that ended while no node listened lasts until one listens again', async () => {
  const id = await call({ to: [staying] });
  const leg = await talking(id);
  await cut(() => pbx.control.leave(leg));
  pbx.control.admit(true);
  const over = await callEnd(kit, id);
  expect([over.cost.amount, legsOf(over)]).toEqual(['1', [[staying, 'completed', '0.5']]]);
  expect(over.legs[1].cause).toBe('the end was not reported');
  expect(await reserved()).toBe('0');
});

test('a leg that goes on while no node listens is charged once', async () => {
  const id = await call({ to: [staying] });
  const leg = await talking(id);
  await cut(() => {});
  pbx.control.admit(true);
  await eventually(() => expect(pbx.control.listeners()).toBe(1));
  pbx.control.leave(leg);
  const over = await callEnd(kit, id);
  expect([over.cost.amount, legsOf(over)]).toEqual(['1', [[staying, 'completed', '0.5']]]);
});

test('a leg that stopped ringing while no node listened rings again, each charged', async () => {
  pbx.control.attend(staying.slice(1), false);
  const id = await call({ to: [staying] });
  await eventually(() => expect(legChannels(id)).toHaveLength(1));
  const [first] = legChannels(id);
  await cut(() => pbx.control.leave(first!));
  pbx.control.attend(staying.slice(1), true);
  pbx.control.admit(true);
  await eventually(async () => expect((await shown(id)).legs[2]?.status).toBe('in_progress'));
  const [second] = legChannels(id);
  expect(second).not.toBe(first);
  pbx.control.leave(second!);
  const over = await callEnd(kit, id);
  expect(legsOf(over)).toEqual([
    [staying, 'canceled', '0'],
    [staying, 'completed', '0.5'],
  ]);
  expect(over.cost.amount).toBe('1');
  expect(await reserved()).toBe('0');
  const { rows } = await asOwner(
    kit,
    `select (-sum(amount))::text as paid from wallet_entry where reference like '${id}%'`,
  );
  expect(Number(rows[0].paid)).toBe(1);
});

test('a leg whose call ended unreported is charged as long as the call is known', async () => {
  pbx.control.admit(true);
  const id = await call({ to: [staying] });
  const leg = await talking(id);
  await cut(() => {
    pbx.control.leave(leg);
    pbx.control.leave(id);
  });
  await asOwner(
    kit,
    `update voice_call set answered_at = answered_at - interval '3 minutes',
       created_at = created_at - interval '3 minutes', rang_at = null where id = '${id}'`,
  );
  await eventually(async () => {
    await makeDue(kit, 'voice-reconcile');
    const now = await shown(id);
    // Nothing was reported of the call after its answer, so nothing is charged.
    expect([now.status, now.cost?.amount]).toEqual(['completed', '0']);
    expect(legsOf(now)).toEqual([[staying, 'completed', '0']]);
  });
  expect(await reserved()).toBe('0');
  const { rows } = await asOwner(kit, `select from wallet_hold where state = 'open'`);
  expect(rows).toEqual([]);
});
