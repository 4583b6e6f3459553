import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../../test/kit/eventually.ts';
import { type PbxSimulator, startAsteriskSimulator } from '../../../channels/asterisk/simulator.ts';
import { exchange } from '../../../channels/contract.suite.ts';
import type { ControlledVoiceSimulator } from '../../../channels/simulation/voice/simulator.ts';
import {
  sandboxSettings,
  startTwilioVoiceSimulator,
} from '../../../channels/twilio-voice/simulator.ts';
import { vonageVoice } from '../../../channels/vonage-voice/adapter.ts';
import { startVonageVoiceSimulator } from '../../../channels/vonage-voice/simulator.ts';
import type { ServiceKit } from '../../service.kit.ts';
import {
  asOwner,
  callEnd,
  flow,
  fromNumber,
  makeDue,
  say,
  startVoice,
  templateOf,
  topUp,
} from '../voice.kit.ts';

let kit: ServiceKit;
let twilio: Awaited<ReturnType<typeof startTwilioVoiceSimulator>>;
let pbx: PbxSimulator;
let vonage: ControlledVoiceSimulator;
let template: string;
const configs: Record<string, string> = {};
/** The provider's calls wait until the test plays them. */
const chance = { clock: () => new Date(), random: Math.random };

beforeAll(async () => {
  twilio = await startTwilioVoiceSimulator(chance);
  pbx = await startAsteriskSimulator(chance);
  vonage = await startVonageVoiceSimulator(chance);
  kit = await startVoice({
    'twilio-voice': twilio.url,
    'vonage-voice': vonage.url,
    asterisk: pbx.url,
    'plivo-voice': 'http://127.0.0.1:65533',
  });
  await topUp(kit, '1000');
  const plivo = { auth_id: 'MASANDBOXVOICE000001', auth_token: 'a' };
  for (const [provider, settings] of [
    ['twilio-voice', sandboxSettings],
    ['plivo-voice', plivo],
    ['vonage-voice', vonage.settings],
    ['asterisk', pbx.settings],
  ] as const) {
    const body = { provider, name: provider, settings, from_number: fromNumber };
    configs[provider] = (await kit.ask('POST /voice/api/provider-configs/', { body })).body.id;
  }
  const rate = { prefix: '+', currency: 'USD', per_minute: '0.5' };
  await kit.ask('POST /voice/api/rate-cards/', { body: rate });
  template = await templateOf(kit, flow);
});
afterAll(async () => {
  await kit.stop();
  await twilio.stop();
  await pbx.stop();
  await vonage.stop();
});

async function call(provider: string, to: string): Promise<string> {
  const body = { to, provider_config: configs[provider], template_id: template };
  const made = await kit.ask('POST /voice/api/calls/', { body });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.id;
}

const shown = async (id: string) => (await kit.ask(`GET /voice/api/calls/${id}/`)).body;
const asked = (digits: string) => twilio.control.calls().filter(({ to }) => to === digits).length;

/** A call placed by another program with the same account. */
async function callFromElsewhere(to: string): Promise<void> {
  const account = {
    id: 'elsewhere',
    endpoint: vonage.url,
    callbackUrl: '',
    settings: vonageVoice.settings.parse(vonage.settings),
  };
  const order = {
    id: 'elsewhere',
    to,
    from: fromNumber,
    ringSeconds: 60,
    limitSeconds: 600,
    answerUrl: 'http://127.0.0.1:65533/',
    statusUrl: 'http://127.0.0.1:65533/',
    machineDetection: 'off' as const,
  };
  const placed = await exchange(
    vonageVoice.place(order, account, { now: new Date(), nonce: randomUUID() }),
  );
  expect(placed.status).toBe(201);
}

function becomes(id: string, status: string) {
  return eventually(async () => expect((await shown(id)).status).toBe(status));
}

test('waiting calls are placed at the limit of their configuration, none twice', async () => {
  const change = { calls_per_second: 5 };
  await kit.ask(`PATCH /voice/api/provider-configs/${configs['twilio-voice']}/`, { body: change });
  const numbers = Array.from({ length: 18 }, (_, at) => `603123460${10 + at}`);
  await Promise.all(numbers.map((digits) => call('twilio-voice', `+${digits}`)));
  const placed = () => twilio.control.calls().filter(({ to }) => numbers.includes(to));
  await eventually(() => expect(placed()).toHaveLength(numbers.length));
  expect(new Set(placed().map(({ to }) => to)).size).toBe(numbers.length);
  const times = placed().map(({ createdAt }) => createdAt.getTime());
  for (const [at, time] of times.entries()) {
    expect((times[at + 5] ?? Number.POSITIVE_INFINITY) - time).toBeGreaterThanOrEqual(1_000);
  }
  const most = { calls_per_second: 50 };
  await kit.ask(`PATCH /voice/api/provider-configs/${configs['twilio-voice']}/`, { body: most });
});

describe('a call whose answer was lost', () => {
  test('is unknown, then settled by its call-backs, and placed once', async () => {
    twilio.control.fault({ call: 'place', kind: 'cut-after' });
    const id = await call('twilio-voice', '+60312345001');
    await becomes(id, 'unknown');
    await twilio.control.play();
    expect(await callEnd(kit, id)).toMatchObject({ status: 'completed', error: null });
    expect(asked('60312345001')).toBe(1);
  });

  test('is hung up at once when a call-back has given its id', async () => {
    twilio.control.fault({ call: 'place', kind: 'cut-after' });
    const id = await call('twilio-voice', '+60312310006');
    await becomes(id, 'unknown');
    const playing = twilio.control.play();
    await becomes(id, 'in_progress');
    await kit.ask(`POST /voice/api/calls/${id}/hangup/`);
    expect(twilio.control.calls().at(-1)?.isHungUp).toBe(true);
    await playing;
    expect(await callEnd(kit, id)).toMatchObject({ status: 'completed' });
  });

  test('hears nothing when it was hung up before its id was known', async () => {
    twilio.control.fault({ call: 'place', kind: 'cut-after' });
    const id = await call('twilio-voice', '+60312310007');
    await becomes(id, 'unknown');
    expect((await kit.ask(`POST /voice/api/calls/${id}/hangup/`)).status).toBe(202);
    await twilio.control.play();
    expect(await callEnd(kit, id)).toMatchObject({ status: 'completed' });
    const { effects } = twilio.control.calls().at(-1)!;
    expect(effects.map(({ kind }) => kind)).toEqual(['hangup']);
  });

  test('is hung up when the provider’s list gives its id', async () => {
    twilio.control.fault({ call: 'place', kind: 'cut-after' });
    const id = await call('twilio-voice', '+60312310006');
    await becomes(id, 'unknown');
    await kit.ask(`POST /voice/api/calls/${id}/hangup/`);
    await makeDue(kit, 'voice-reconcile');
    await becomes(id, 'queued');
    expect(twilio.control.calls().at(-1)?.isHungUp).toBe(true);
    await twilio.control.play();
    await callEnd(kit, id);
  });

  test('is found in the provider’s own list when no call-back reports it', async () => {
    twilio.control.fault({ call: 'place', kind: 'cut-after' });
    const id = await call('twilio-voice', '+60312345002');
    await becomes(id, 'unknown');
    await makeDue(kit, 'voice-reconcile');
    await becomes(id, 'queued');
    expect((await shown(id)).provider_call_id).toBe(twilio.control.calls().at(-1)?.id);
    await twilio.control.play();
    await callEnd(kit, id);
    expect(asked('60312345002')).toBe(1);
  });

  test('is found on the third page of the account’s calls', async () => {
    const others = Array.from({ length: 240 }, (_, at) => `+6031240${String(1_000 + at)}`);
    for (const to of others) await callFromElsewhere(to);
    vonage.control.fault({ call: 'place', kind: 'cut-after' });
    const id = await call('vonage-voice', '+60312345002');
    await becomes(id, 'unknown');
    for (const to of others) await callFromElsewhere(to);
    await asOwner(kit, `update voice_call set asked_at = asked_at - interval '1 minute'`);
    await makeDue(kit, 'voice-reconcile');
    await becomes(id, 'queued');
    const held = vonage.control.calls().find(({ to }) => to === '60312345002')!;
    expect((await shown(id)).provider_call_id).toBe(held.id);
    expect(vonage.control.calls().indexOf(held)).toBeGreaterThan(200);
  });

  test('is not confused with another call to the same number', async () => {
    const first = await call('twilio-voice', '+60312345003');
    await eventually(() => expect(asked('60312345003')).toBe(1));
    twilio.control.fault({ call: 'place', kind: 'cut-before' });
    const second = await call('twilio-voice', '+60312345003');
    await becomes(second, 'unknown');
    await makeDue(kit, 'voice-reconcile');
    await twilio.control.play();
    await callEnd(kit, first);
    expect(await shown(second)).toMatchObject({ status: 'unknown', provider_call_id: null });
    // When the longest call would be over and the provider lists none, no call was placed.
    kit.later(3_600_000);
    await makeDue(kit, 'voice-reconcile');
    const call2 = await callEnd(kit, second);
    expect(call2).toMatchObject({ status: 'failed', cost: { amount: '0' } });
    expect(call2.error.code).toBe('not_placed');
    expect(asked('60312345003')).toBe(1);
  });

  test('is found on a PBX by the channel with our id', async () => {
    pbx.control.fault({ call: 'place', kind: 'cut-after' });
    const id = await call('asterisk', '+60312310006');
    await becomes(id, 'in_progress');
    expect(pbx.control.placed().filter((each) => each.id === id)).toHaveLength(1);
    await kit.ask(`POST /voice/api/calls/${id}/hangup/`);
    await makeDue(kit, 'voice-reconcile');
    expect(await callEnd(kit, id)).toMatchObject({ status: 'completed' });
  });
});

test('a call that waits is not placed to who has opted out meanwhile, and costs nothing', async () => {
  const to = '+60312345905';
  const id = await call('plivo-voice', to);
  const optOut = { channel: 'voice', address: to };
  expect((await kit.ask('POST /contacts/opt-outs/', { body: optOut })).status).toBe(201);
  await eventually(async () => {
    await makeDue(kit, 'voice-place');
    expect((await shown(id)).status).toBe('failed');
  });
  expect(await shown(id)).toMatchObject({ error: { code: 'opted_out' }, cost: { amount: '0' } });
});

test('a call that a node was placing when it died is unknown, and not placed again', async () => {
  const id = await call('plivo-voice', '+60312345004');
  await eventually(async () => {
    const { rows } = await asOwner(kit, `select last_error from job where key = '${id}'`);
    expect(rows[0]?.last_error).toBe('ECONNREFUSED');
  });
  expect((await shown(id)).status).toBe('queued'); // nothing was reported: it is asked again
  await asOwner(kit, `update voice_call set intent = 'asked', asked_at = now() where id = '${id}'`);
  await makeDue(kit, 'voice-place');
  await becomes(id, 'unknown');
  const { rows } = await asOwner(kit, `select queue from job where key = '${id}'`);
  expect(rows).toEqual([{ queue: 'voice-reconcile' }]);
});

test('a person who withdraws the consent before the flow asks for it is not recorded', async () => {
  const ask = { ...say('This is recorded', 'take'), announces_recording: true };
  const nodes = { ask, take: { type: 'record', next: 'bye' }, bye: say('Goodbye') };
  const template_id = await templateOf(kit, { ...flow, start: 'ask', nodes });
  const to = '+60312345006';
  const body = { to, provider_config: configs['twilio-voice'], template_id };
  const { id } = (await kit.ask('POST /voice/api/calls/', { body })).body;
  await eventually(() => expect(asked('60312345006')).toBe(1));
  const no = { phone: to, state: 'revoked', method: 'verbal', evidence: 'said no' };
  await kit.ask('POST /voice/api/recording-consents/', { body: no });
  await twilio.control.play();
  await callEnd(kit, id);
  const { effects } = twilio.control.calls().at(-1)!;
  expect(effects.map(({ kind }) => kind)).toEqual(['say', 'hangup']);
});

test('a call whose call-backs were all lost is looked up', async () => {
  const id = await call('twilio-voice', '+60312310001');
  await eventually(() => expect(asked('60312310001')).toBe(1));
  const held = twilio.control.calls().at(-1)!;
  held.stage = 'busy';
  await eventually(async () => {
    const { rows } = await asOwner(kit, `select queue from job where key = '${id}'`);
    expect(rows).toEqual([{ queue: 'voice-reconcile' }]);
  });
  await makeDue(kit, 'voice-reconcile');
  expect(await callEnd(kit, id)).toMatchObject({ status: 'busy', cost: { amount: '0' } });
});

test('a call canceled before it was placed is never placed', async () => {
  twilio.control.fault({ call: 'place', kind: 429, retryAfterSeconds: 60 });
  const id = await call('twilio-voice', '+60312345005');
  await eventually(async () => {
    const { rows } = await asOwner(kit, `select last_error from job where key = '${id}'`);
    expect(rows[0]?.last_error).toBe('429');
  });
  expect((await kit.ask(`POST /voice/api/calls/${id}/hangup/`)).body.status).toBe('canceled');
  await makeDue(kit, 'voice-place');
  await eventually(async () => {
    expect((await asOwner(kit, `select from job where key = '${id}'`)).rowCount).toBe(0);
  });
  expect(asked('60312345005')).toBe(0);
});

test('a call canceled while it waits for its slot is never placed, without a trace', async () => {
  const path = `PATCH /voice/api/provider-configs/${configs['twilio-voice']}/`;
  await kit.ask(path, { body: { calls_per_second: 1 } });
  await call('twilio-voice', '+60312345006');
  const id = await call('twilio-voice', '+60312345007');
  expect((await kit.ask(`POST /voice/api/calls/${id}/hangup/`)).body.status).toBe('canceled');
  await kit.ask(path, { body: { calls_per_second: 50 } });
  await eventually(async () => {
    await makeDue(kit, 'voice-place'); // the clock is ahead, so postponed jobs are far off
    expect((await asOwner(kit, `select from job where key = '${id}'`)).rowCount).toBe(0);
  });
  expect(asked('60312345007')).toBe(0);
});

describe('the websocket of a PBX', () => {
  const websocket = async () =>
    (await kit.ask('GET /voice/api/ari-health/')).body.results[0].websocket.state;
  const connected = () => eventually(async () => expect(await websocket()).toBe('connected'));
  const cut = async () => {
    pbx.control.admit(false);
    pbx.control.sever();
    await eventually(async () => expect(await websocket()).not.toBe('connected'));
  };

  test('reconnects after a cut, and calls in progress are resumed', async () => {
    await connected();
    const id = await call('asterisk', '+60312310006');
    await becomes(id, 'in_progress');
    await cut();
    pbx.control.admit(true);
    await connected();
    // The question is repeated, nobody answers it, and the flow reaches its goodbye.
    expect(await callEnd(kit, id)).toMatchObject({ status: 'completed' });
  });

  test('a call that began and ended during a cut has failed, and costs nothing', async () => {
    await cut();
    const id = await call('asterisk', '+60312310001');
    await eventually(() => {
      expect(pbx.control.placed().some((each) => each.id === id)).toBe(true);
    });
    pbx.control.admit(true);
    await connected();
    await eventually(async () => {
      await makeDue(kit, 'voice-reconcile');
      const { status, error, cost } = await shown(id);
      const result = { status, code: error?.code, cost: cost?.amount };
      expect(result).toEqual({ status: 'failed', code: 'end_not_heard', cost: '0' });
    });
  });

  test('a call whose answer was lost during a cut may have rung, and is not called unplaced', async () => {
    await cut();
    pbx.control.fault({ call: 'place', kind: 'cut-after' });
    const id = await call('asterisk', '+60312310001');
    await becomes(id, 'unknown');
    kit.later(120_000);
    await makeDue(kit, 'voice-reconcile');
    const { status, error } = await callEnd(kit, id);
    expect({ status, code: error?.code }).toEqual({ status: 'failed', code: 'placing_unknown' });
    expect(pbx.control.placed().filter((each) => each.id === id)).toHaveLength(1);
    pbx.control.admit(true);
    await connected();
  });

  test('a call that was hung up during a cut ends when it is heard of again', async () => {
    await cut();
    pbx.control.fault({ call: 'place', kind: 'cut-after' });
    const id = await call('asterisk', '+60312310006');
    await becomes(id, 'unknown');
    await kit.ask(`POST /voice/api/calls/${id}/hangup/`);
    pbx.control.admit(true);
    await connected();
    expect(await callEnd(kit, id)).toMatchObject({ status: 'completed' });
    const documents = `flow_state->'state'->'documents' as documents`;
    const { rows } = await asOwner(kit, `select ${documents} from voice_call where id = '${id}'`);
    expect(rows).toEqual([{ documents: 0 }]); // nothing of its flow was played
  });

  test('its health has version, latency, websocket and trunk, also when offline', async () => {
    const host = async () => (await kit.ask('GET /voice/api/ari-health/')).body.results[0];
    expect(await host()).toMatchObject({
      reachable: true,
      version: '22.6.0',
      max_channels: 500,
      error: null,
      trunk: { name: 'trunk', state: 'online' },
      websocket: { state: 'connected' },
    });
    pbx.control.register('offline');
    expect((await host()).trunk.state).toBe('offline');
    pbx.control.register('online');
    await asOwner(kit, `update voice_trunk set heard_at = heard_at - interval '2 minutes'`);
    expect((await host()).websocket.state).toBe('lost');
  });
});
