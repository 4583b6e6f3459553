import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../../test/kit/eventually.ts';
import { type PbxSimulator, startAsteriskSimulator } from '../../../channels/asterisk/simulator.ts';
import type { ServiceKit } from '../../service.kit.ts';
import { callEnd, flow, fromNumber, say, startVoice, templateOf, topUp } from '../voice.kit.ts';

let kit: ServiceKit;
let pbx: PbxSimulator;
let config: string;

beforeAll(async () => {
  pbx = await startAsteriskSimulator({ clock: () => new Date(), random: Math.random });
  kit = await startVoice({ asterisk: pbx.url });
  await topUp(kit, '1000');
  const rate = { prefix: '+', currency: 'USD', per_minute: '0.5' };
  await kit.ask('POST /voice/api/rate-cards/', { body: rate });
  config = await configure();
});
afterAll(async () => {
  await kit.stop();
  await pbx.stop();
});

async function configure(): Promise<string> {
  const body = { provider: 'asterisk', name: 'pbx', from_number: fromNumber };
  const settings = pbx.settings;
  const made = await kit.ask('POST /voice/api/provider-configs/', { body: { ...body, settings } });
  await connected();
  return made.body.id;
}

const state = async () =>
  (await kit.ask('GET /voice/api/ari-health/')).body.results[0].websocket.state;
const connected = () => eventually(async () => expect(await state()).toBe('connected'));

/** No node listens while `meanwhile` runs. */
async function cut(meanwhile: () => void = () => {}): Promise<void> {
  pbx.control.admit(false);
  pbx.control.sever();
  await eventually(async () => expect(await state()).not.toBe('connected'));
  meanwhile();
  pbx.control.admit(true);
  await connected();
}

/** A call to a person who stays on the line, in a flow of these nodes. */
async function call(nodes: Readonly<Record<string, object>>, more: object = {}): Promise<string> {
  const template_id = await templateOf(kit, { ...flow, start: Object.keys(nodes)[0], nodes });
  const body = { to: '+60312310006', provider_config: config, template_id, ...more };
  const made = await kit.ask('POST /voice/api/calls/', { body });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.id;
}

const staying = '+60387610006';
const legsOf = (id: string) =>
  pbx.control.placed().filter((each) => each.id.startsWith(`${id}-leg`));
const transfers = async (id: string) => {
  const { body } = await kit.ask(`GET /voice/api/call-events/?call_id=${id}&kind=transfer`);
  return body.results.map(({ data }: { data: { result: string } }) => data.result);
};
const talking = (id: string) =>
  eventually(() => {
    expect(pbx.control.bridges().get(`${id}-bridge`)).toEqual([id, legsOf(id)[0]!.id]);
    return legsOf(id)[0]!.id;
  });
const sales = { sales: { type: 'dial', to: [staying], next: 'bye' }, bye: say('Goodbye') };

test('a conversation continues while no node listens, and then the flow goes on', async () => {
  const id = await call(sales);
  const leg = await talking(id);
  await cut();
  await cut();
  expect(pbx.control.bridges().get(`${id}-bridge`)).toEqual([id, leg]);
  pbx.control.leave(leg);
  expect(await callEnd(kit, id)).toMatchObject({ status: 'completed' });
  expect(legsOf(id)).toHaveLength(1);
  expect(await transfers(id)).toEqual(['answered']);
  expect(pbx.control.bridges().has(`${id}-bridge`)).toBe(false);
});

test('a conversation that ended while no node listened is not started again', async () => {
  const id = await call(sales);
  const leg = await talking(id);
  await cut(() => pbx.control.leave(leg));
  expect(await callEnd(kit, id)).toMatchObject({ status: 'completed' });
  expect(legsOf(id)).toHaveLength(1);
  expect(await transfers(id)).toEqual(['answered']);
});

test('a dialled leg leaves nothing behind when the caller hangs up', async () => {
  const id = await call(sales);
  await talking(id);
  pbx.control.leave(id);
  await callEnd(kit, id);
  await eventually(() => {
    expect(pbx.control.bridges().has(`${id}-bridge`)).toBe(false);
    expect(pbx.control.channels()).toEqual([]);
  });
});

test('nobody is rung for a caller who answers and hangs up at once', async () => {
  const hasty = { keys: '', isHasty: true, leg: 'answers', seconds: 0, hangsUp: true } as const;
  pbx.control.expect('60312345099', [hasty]);
  const id = await call(sales, { to: '+60312345099' });
  expect(await callEnd(kit, id)).toMatchObject({ status: 'completed' });
  const later = await call(sales);
  pbx.control.leave(await talking(later));
  await callEnd(kit, later);
  expect(legsOf(id)).toEqual([]);
});

test('a conference outlives the connection, and its room ends with the last caller', async () => {
  const room = { room: { type: 'conference', name: 'Standup' } };
  const [one, two] = [await call(room), await call(room)];
  const members = () => [...pbx.control.bridges().values()];
  await eventually(() => expect(members().map((each) => each.length)).toEqual([2]));
  await cut();
  expect(members().map((each) => each.toSorted())).toEqual([[one, two].toSorted()]);
  pbx.control.leave(one);
  await callEnd(kit, one);
  expect(members()).toEqual([[two]]);
  pbx.control.leave(two);
  await callEnd(kit, two);
  await eventually(() => expect(members()).toEqual([]));
});

test('a message is recorded once, also when no node listens meanwhile', async () => {
  const take = { type: 'record', max_seconds: 3, next: 'bye' };
  const ask = { ...say('Leave a message', 'take'), announces_recording: true };
  const id = await call({ ask, take, bye: say('Goodbye') });
  const recordings = async () =>
    (await kit.ask(`GET /voice/api/recordings/?call_id=${id}`)).body.results;
  await eventually(() => expect(pbx.control.recording()).toContain(`${id}-message1`));
  await cut();
  await callEnd(kit, id);
  await eventually(async () => expect(await recordings()).toMatchObject([{ state: 'stored' }]));
});

test('the recording of a call that ended while no node listened is still fetched', async () => {
  const consent = { phone: '+60312310006', method: 'verbal', evidence: 'said yes' };
  await kit.ask('POST /voice/api/recording-consents/', { body: consent });
  const id = await call(sales, { record: true });
  await talking(id);
  await cut(() => pbx.control.leave(id));
  await eventually(async () => {
    const { body } = await kit.ask(`GET /voice/api/recordings/?call_id=${id}`);
    expect(body.results).toMatchObject([{ state: 'stored' }]);
  });
});

test('a message is fetched whose flow was changed and whose call ended while no node listened', async () => {
  const take = { type: 'record', max_seconds: 60, next: 'bye' };
  const ask = { ...say('Leave a message', 'take'), announces_recording: true };
  const id = await call({ ask, take, bye: say('Goodbye') });
  await eventually(() => expect(pbx.control.recording()).toContain(`${id}-message1`));
  const { template_id } = (await kit.ask(`GET /voice/api/calls/${id}/`)).body;
  const changed = { ...flow, start: 'bye', nodes: { bye: say('Goodbye') } };
  const body = { flow: changed };
  expect((await kit.ask(`PATCH /voice/api/templates/${template_id}/`, { body })).status).toBe(200);
  await cut(() => pbx.control.leave(id));
  await eventually(async () => {
    const { results } = (await kit.ask(`GET /voice/api/recordings/?call_id=${id}`)).body;
    expect(results).toMatchObject([{ state: 'stored' }]);
  });
});

test('a person who withdraws the consent during the call is no longer recorded', async () => {
  const take = { type: 'record', max_seconds: 1, next: 'bye' };
  const ask = { ...say('This is recorded', 'sales'), announces_recording: true };
  const id = await call({ ask, sales: { ...sales.sales, next: 'take' }, take, bye: sales.bye });
  const leg = await talking(id);
  const no = { phone: '+60312310006', state: 'revoked', method: 'verbal', evidence: 'said no' };
  await kit.ask('POST /voice/api/recording-consents/', { body: no });
  pbx.control.leave(leg);
  await callEnd(kit, id);
  const { body } = await kit.ask(`GET /voice/api/recordings/?call_id=${id}`);
  expect(body.results).toEqual([]);
  await kit.ask('POST /voice/api/recording-consents/', { body: { ...no, state: 'granted' } });
});

test('a call is driven only by its own configuration, where two share a PBX', async () => {
  const other = await configure();
  const id = await call(sales);
  pbx.control.leave(await talking(id));
  expect(await callEnd(kit, id)).toMatchObject({ status: 'completed' });
  expect(legsOf(id)).toHaveLength(1);
  expect(await transfers(id)).toEqual(['answered']);
  await kit.ask(`DELETE /voice/api/provider-configs/${other}/`);
});

test('calls of a removed or renamed configuration continue to their end', async () => {
  const id = await call(sales);
  const leg = await talking(id);
  const path = `/voice/api/provider-configs/${config}/`;
  expect((await kit.ask(`PATCH ${path}`, { body: { name: 'other' } })).status).toBe(200);
  expect((await kit.ask(`DELETE ${path}`)).status).toBe(204);
  expect(pbx.control.listeners()).toBeGreaterThan(0);
  pbx.control.sever();
  await eventually(() => expect(pbx.control.listeners()).toBe(1));
  pbx.control.leave(leg);
  expect(await callEnd(kit, id)).toMatchObject({ status: 'completed' });
  expect(legsOf(id)).toHaveLength(1);
});
