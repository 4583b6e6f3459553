import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../../test/kit/eventually.ts';
import { sqlAt } from '../../../../test/kit/postgres.ts';
import { type ServiceKit, startService } from '../../service.kit.ts';

let service: ServiceKit;

beforeAll(async () => {
  service = await startService();
  // No server listens there: only the stored events count.
  const body = { url: 'https://receiver.example.com/' };
  expect((await service.ask('POST /webhook-endpoints/', { body })).status).toBe(201);
});
afterAll(() => service.stop());

async function connect(channel: 'sms' | 'rcs', provider: string) {
  const body = { provider, name: provider };
  const made = await service.ask(`POST /${channel}/v1/apps/`, { body });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body;
}

/** The webhook events of consents of the address, oldest first. */
const consentEvents = async (address: string) => {
  const rows = await sqlAt<{ type: string; payload: { id: string; data: { source: string } } }>(
    service.ownerUrl,
    `select type, payload from webhook_event where type like 'consent.%' order by id`,
  );
  const own = rows.filter(({ payload }) => payload.id === address);
  return own.map(({ type, payload }) => `${type} ${payload.data.source}`);
};

test.each([
  ['in its answer', 'twilio-sms', '+60123421610'],
  ['in a delivery report', 'plivo-sms', '+60123458200'],
  ['in a delivery report', 'vonage-sms', '+60123458804'],
])(
  'what a network says %s of who refuses messages holds as a STOP: %s',
  async (_, provider, to) => {
    const { id: app_id } = await connect('sms', provider);
    const contact = await service.ask('POST /contacts/', { body: { phone: to } });
    const message = { to, text: 'sale', app_id };
    const { body } = await service.ask('POST /sms/v1/messages/', { body: message });
    await eventually(async () => {
      const { status } = (await service.ask(`GET /sms/v1/messages/${body.message_id}/`)).body;
      expect(status).toBe('skipped');
    });
    const consents = await service.ask(`GET /contacts/${contact.body.id}/consents/`);
    expect(consents.body.results).toContainEqual(
      expect.objectContaining({ channel: 'sms', state: 'revoked', source: 'network' }),
    );
    expect(await consentEvents(to)).toEqual(['consent.revoked network']);
    expect(await service.ask('POST /sms/v1/messages/', { body: message })).toMatchObject({
      status: 400,
      body: { code: 'opted_out' },
    });
  },
);

test('who unsubscribes in Google Messages gets no RCS until they subscribe again', async () => {
  const app = await connect('rcs', 'google-rcs');
  const credentials = await readFile(join(service.home, 'credentials.json'), 'utf8');
  const url = JSON.parse(credentials).simulators['google-rcs'];
  const to = '+60123450001';
  const tap = (eventType: string) =>
    fetch(`${url}/_control/inbound`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ from: to, part: { eventType }, agent_id: app.settings.agent_id }),
    });
  const body = { to, text: 'sale', app_id: app.id };
  const answered = (expected: object) =>
    eventually(async () => {
      expect(await service.ask('POST /rcs/v1/messages/', { body })).toMatchObject(expected);
    });
  await tap('UNSUBSCRIBE');
  await answered({ status: 400, body: { code: 'opted_out' } });
  await tap('SUBSCRIBE');
  await answered({ status: 202 });
});
