/** Calls through a provider that answers what the test says, when the test says. */
import {
  createServer,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../../test/kit/eventually.ts';
import type { ServiceKit } from '../../service.kit.ts';
import {
  asOwner,
  callEnd,
  flow,
  fromNumber,
  makeDue,
  startVoice,
  templateOf,
  topUp,
} from '../voice.kit.ts';
import { applyCallUpdate } from './call-updates.ts';
import { lockCall } from './store.ts';

let server: Server;
let kit: ServiceKit;
let config: string;
let template: string;
/** Requests for calls that the provider has not answered. */
const open: ServerResponse[] = [];
let asked = 0;

beforeAll(async () => {
  server = createServer(({ method }, response) => {
    if (method === 'GET') return void response.writeHead(401).end();
    asked += 1;
    open.push(response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const nobody = 'http://127.0.0.1:65533';
  const others = { 'twilio-voice': nobody, 'vonage-voice': nobody, asterisk: nobody };
  kit = await startVoice({ ...others, 'plivo-voice': url });
  await topUp(kit, '1000');
  const settings = { auth_id: 'MASANDBOXVOICE000001', auth_token: 'a' };
  const body = { provider: 'plivo-voice', name: 'Plivo', settings, from_number: fromNumber };
  config = (await kit.ask('POST /voice/api/provider-configs/', { body })).body.id;
  const rate = { prefix: '+', currency: 'USD', per_minute: '0.5' };
  await kit.ask('POST /voice/api/rate-cards/', { body: rate });
  template = await templateOf(kit, flow);
});
afterAll(async () => {
  await kit.stop();
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

const shown = async (id: string) => (await kit.ask(`GET /voice/api/calls/${id}/`)).body;

/** A call for which the provider was just asked, and the provider's answer to that. */
async function askedFor(to: string) {
  const before = asked;
  const body = { to, provider_config: config, template_id: template };
  const { id } = (await kit.ask('POST /voice/api/calls/', { body })).body;
  await eventually(() => expect(asked).toBe(before + 1));
  return id as string;
}

const busy = { error: 'busy' };

function answer(status: number, body: object = busy, headers: OutgoingHttpHeaders = {}): void {
  open.pop()!.writeHead(status, headers).end(JSON.stringify(body));
}

/** The queue of the call's job, and why it waits. */
async function jobOf(id: string) {
  const { rows } = await asOwner(kit, `select queue, last_error from job where key = '${id}'`);
  return rows[0];
}

const isAskedAgain = (id: string) =>
  eventually(async () => {
    await makeDue(kit, 'voice-place');
    expect(open).toHaveLength(1);
    expect((await shown(id)).status).toBe('queued');
  });

test.each([429, 503])('a call that is hung up before the answer %d is canceled', async (status) => {
  const id = await askedFor(`+60312345${status}`);
  const before = asked;
  expect((await kit.ask(`POST /voice/api/calls/${id}/hangup/`)).body.status).toBe('queued');
  answer(status);
  expect(await callEnd(kit, id)).toMatchObject({ status: 'canceled', cost: { amount: '0' } });
  expect(await jobOf(id)).toBeUndefined();
  expect(asked).toBe(before);
});

test('a call of which call-backs tell is not asked for again, whatever was answered', async () => {
  const id = await askedFor('+60312345001');
  const before = asked;
  await asOwner(kit, `update voice_call set status = 'ringing' where id = '${id}'`);
  answer(503);
  await eventually(async () => expect((await jobOf(id))?.queue).toBe('voice-reconcile'));
  expect(await shown(id)).toMatchObject({ status: 'ringing', error: null });
  expect(asked).toBe(before);
});

test('a call is asked for for ten minutes, however long it waited for its turn', async () => {
  const id = await askedFor('+60312345002');
  const aged = `update voice_call set created_at = created_at - interval '2 hours'`;
  await asOwner(kit, `${aged} where id = '${id}'`);
  answer(503);
  await eventually(async () => expect((await jobOf(id))?.last_error).toBe('busy'));
  await isAskedAgain(id);
  kit.later(600_000);
  answer(503);
  expect(await callEnd(kit, id)).toMatchObject({
    status: 'failed',
    error: { code: 'provider_unavailable', detail: 'busy' },
    cost: { amount: '0' },
  });
});

test('a provider that asks for more than that has refused the call', async () => {
  const id = await askedFor('+60312345003');
  answer(429, busy, { 'retry-after': '3600' });
  expect((await callEnd(kit, id)).error.code).toBe('provider_unavailable');
});

test('a call that could not be placed within a day of its order has failed', async () => {
  const id = await askedFor('+60312345004');
  const before = asked;
  answer(503);
  await eventually(async () => expect((await jobOf(id))?.last_error).toBe('busy'));
  kit.later(86_400_000);
  await makeDue(kit, 'voice-place');
  expect(await callEnd(kit, id)).toMatchObject({
    status: 'failed',
    error: { code: 'too_late' },
    cost: { amount: '0' },
  });
  expect(asked).toBe(before);
});

test('a call that talks when the account is barred costs what is known of it', async () => {
  const id = await askedFor('+60312345006');
  answer(201, { request_uuid: 'request-1' });
  await eventually(async () => expect((await jobOf(id))?.queue).toBe('voice-reconcile'));
  const answered = `status = 'in_progress', answered_at = now()`;
  await asOwner(kit, `update voice_call set ${answered} where id = '${id}'`);
  kit.later(25 * 3_600_000);
  await makeDue(kit, 'voice-reconcile');
  expect(await callEnd(kit, id)).toMatchObject({
    status: 'completed',
    hangup_cause: 'the end was not reported',
    duration_seconds: 0,
  });
});

test('a call whose end was assumed has the length that the provider tells later, and is paid once', async () => {
  const endpoint = { url: 'https://hooks.example.com/', event_types: ['call.cost_changed'] };
  expect((await kit.ask('POST /webhook-endpoints/', { body: endpoint })).status).toBe(201);
  const id = await askedFor('+60312345007');
  answer(201, { request_uuid: 'request-2' });
  await eventually(async () => expect((await jobOf(id))?.queue).toBe('voice-reconcile'));
  const answered = `status = 'in_progress', answered_at = now()`;
  await asOwner(kit, `update voice_call set ${answered} where id = '${id}'`);
  kit.later(25 * 3_600_000);
  await makeDue(kit, 'voice-reconcile');
  expect(await callEnd(kit, id)).toMatchObject({ duration_seconds: 0, cost: { amount: '0' } });
  const { db, clock, random } = kit.app.platform;
  const scope = { tenantId: kit.tenantId, environment: 'sandbox' } as const;
  const tell = (durationSeconds: number) =>
    db.tenant(kit.tenantId, async (tx) => {
      const call = await lockCall(tx, scope, id);
      const told = { status: 'completed', durationSeconds, cause: 'normal' } as const;
      await applyCallUpdate({ clock, random }, tx, scope, call!, told);
    });
  const before = await balance();
  await tell(120);
  await tell(600);
  expect(await shown(id)).toMatchObject({
    status: 'completed',
    hangup_cause: 'normal',
    duration_seconds: 120,
    cost: { amount: '1' },
  });
  expect(before - (await balance())).toBe(1);
  const { rows } = await asOwner(
    kit,
    `select payload from webhook_event where type = 'call.cost_changed' and subject_id = '${id}'`,
  );
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows[0].payload)).toContain('"leg":null');
});

async function balance(): Promise<number> {
  const { rows } = await asOwner(kit, `select balance from wallet where environment = 'sandbox'`);
  return Number(rows[0].balance);
}
