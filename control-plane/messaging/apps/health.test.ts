import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ServiceKit, startService } from '../service.kit.ts';

let kit: ServiceKit;
let simulator: string;
let last = 0;
let app: { id: string; settings: Record<string, string> };

beforeAll(async () => {
  kit = await startService();
  const credentials = await readFile(join(kit.home, 'credentials.json'), 'utf8');
  simulator = JSON.parse(credentials).simulators.whatsapp;
});
afterAll(() => kit.stop());

beforeEach(async () => {
  const body = { name: `number ${(last += 1)}` };
  const made = await kit.ask('POST /wa/v1/apps/', { body });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  app = made.body;
});

const control = async (name: string, body: object) => {
  const response = await fetch(`${simulator}/_control/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status, await response.text()).toBeLessThan(300);
};
const notify = (field: string, value: object, waba_id = app.settings.waba_id) =>
  control('notify', { field, value, waba_id });
const read = async (id = app.id) => (await kit.ask(`GET /wa/v1/apps/${id}/`)).body;
const wabaApp = async () =>
  (await kit.ask('GET /tenants/waba-info/')).body.apps.find(
    ({ app_id }: { app_id: string }) => app_id === app.id,
  );

test('a number with a higher limit sends more, and its health is shown', async () => {
  expect(await read()).toMatchObject({ messages_per_second: 80, quality: null, tier: null });
  await control('upgrade', { phone_number_id: app.settings.phone_number_id });
  await expect.poll(async () => (await read()).messages_per_second).toBe(1_000);
  const health = { quality: 'green', tier: 'TIER_UNLIMITED' };
  expect(await read()).toMatchObject({ ...health, settings: { throughput: '1000' } });
  expect(await wabaApp()).toMatchObject({ ...health, state: 'active' });
});

describe('an account that may no longer send is stopped, with the reason', () => {
  test.each([
    ['DISABLED_UPDATE', { ban_info: { waba_ban_state: 'DISABLE' } }],
    [
      'ACCOUNT_RESTRICTION',
      { restriction_info: [{ restriction_type: 'RESTRICTED_BIZ_INITIATED_MESSAGING' }] },
    ],
  ])('%s', async (event, more) => {
    const { body: other } = await kit.ask('POST /wa/v1/apps/', { body: { name: `o${last}` } });
    await notify('account_update', { event, ...more });
    await expect.poll(async () => (await read()).state).toBe('stopped');
    expect((await read()).stopped_reason).toContain(event);
    expect(await wabaApp()).toMatchObject({ state: 'stopped' });
    const text = { to: '+60123456789', text: { body: 'hi' }, type: 'text', app_id: app.id };
    expect(await kit.ask('POST /wa/v1/messages/', { body: text })).toMatchObject({
      status: 409,
      body: { code: 'app_stopped' },
    });
    expect((await read(other.id)).state).toBe('active');
    await kit.ask(`PATCH /wa/v1/apps/${app.id}/`, { body: { state: 'active' } });
    expect(await read()).toMatchObject({ state: 'active', stopped_reason: null });
  });
});

test.each([
  ['DISABLED_UPDATE', { ban_info: { waba_ban_state: 'SCHEDULE_FOR_DISABLE' } }],
  ['DISABLED_UPDATE', { ban_info: { waba_ban_state: 'REINSTATE' } }],
  [
    'ACCOUNT_RESTRICTION',
    { restriction_info: [{ restriction_type: 'RESTRICTED_ADD_PHONE_NUMBER_ACTION' }] },
  ],
])('%s that does not end sending only triggers a health check', async (event, more) => {
  await notify('account_update', { event, ...more });
  await expect.poll(async () => (await read()).quality).toBe('green');
  expect((await read()).state).toBe('active');
});

test('a network that does not tell the health of a number is not asked for ever', async () => {
  await kit.ask(`PATCH /wa/v1/apps/${app.id}/`, { body: { settings: { access_token: 'wrong' } } });
  await notify('account_update', {
    event: 'DISABLED_UPDATE',
    ban_info: { waba_ban_state: 'REINSTATE' },
  });
  // As if most of the attempts were made.
  const jobs = () =>
    kit.app.platform.db.tenant(kit.tenantId, (tx) =>
      tx.rows(
        `update job set run_at = least(run_at, now()), payload = '{"failures": 8}' || payload
         where queue = 'app-health' and key = $1 returning key`,
        [app.id],
      ),
    );
  await expect.poll(async () => (await jobs()).length).toBe(1);
  await expect.poll(jobs).toEqual([]);
});
