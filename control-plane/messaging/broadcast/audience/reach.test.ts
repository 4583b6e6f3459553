import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '../../../../test/kit/eventually.ts';
import { type Answer, type ServiceKit, startService } from '../../service.kit.ts';

let kit: ServiceKit;
let simulator: string;
let serial = 0;

beforeAll(async () => {
  kit = await startService();
  const credentials = await readFile(join(kit.home, 'credentials.json'), 'utf8');
  simulator = JSON.parse(credentials).simulators['google-rcs'];
  await made('/rcs/v1/apps/', { name: 'first' });
  await made('/rcs/v1/templates/', { name: 'greeting', body: 'Good morning.' });
});
afterAll(() => kit.stop());
beforeEach(() => control('DELETE', {}));

async function made(path: string, body: object): Promise<Answer['body']> {
  const answer = await kit.ask(`POST ${path}`, { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
}

async function control(method: 'POST' | 'DELETE', body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const init = { method, headers, ...(method === 'POST' ? { body: JSON.stringify(body) } : {}) };
  expect((await fetch(`${simulator}/_control/faults`, init)).ok).toBe(true);
}
const fault = (more: object) => control('POST', { call: 'reach', ...more });

/** Three people: one with RCS, one without, one on a network where the agent is not launched. */
async function segment(): Promise<string> {
  const name = `segment ${(serial += 1)}`;
  for (const end of ['7001', '9404', '9403']) {
    await made('/contacts/', { phone: `+6012${1_000 + serial}${end}`, segments: [name] });
  }
  return name;
}

const asked = (name: string, more: object = {}) =>
  kit.ask('POST /rcs/v1/broadcast/', { body: { template: 'greeting', segment: name, ...more } });
const completed = async ({ body }: Answer) => {
  const read = () => kit.ask(`GET /broadcast/${body.id}/`);
  await eventually(async () => expect((await read()).body.status).toBe('completed'));
  return (await read()).body;
};

test('people whom the network does not reach are skipped, also in a dry run', async () => {
  const name = await segment();
  const dry = await asked(name, { dry_run: true });
  expect([dry.status, dry.body]).toMatchObject([
    200,
    {
      recipients: 1,
      skipped: { not_reachable: 2 },
      skipped_sample: [{ reason: 'not_reachable' }, { reason: 'not_reachable' }],
    },
  ]);
  expect(await completed(await asked(name))).toMatchObject({
    recipients: 1,
    skipped: { not_reachable: 2 },
  });
});

test('a network that cannot answer now is asked again before anything is sent', async () => {
  const name = await segment();
  await fault({ kind: 503, times: 2, retry_after_seconds: 1 });
  const skipped = { not_reachable: 2 };
  expect(await completed(await asked(name))).toMatchObject({ recipients: 1, skipped });
});

test('where the network refuses to answer, sending shows whom it reaches', async () => {
  const name = await segment();
  await fault({ kind: 400, times: 9 });
  expect((await asked(name, { dry_run: true })).body.code).toBe('provider_refused');
  const done = await completed(await asked(name));
  expect(done).toMatchObject({ recipients: 3, skipped: {} });
  await eventually(async () => {
    const { results } = (await kit.ask(`GET /broadcast/messages/?broadcast=${done.id}`)).body;
    const statuses = results.map(({ status }: { status: string }) => status).sort();
    expect(statuses).toEqual(['failed', 'failed', 'read']);
  });
});

test('its answer is valid for a day, and no longer', async () => {
  const name = await segment();
  await asked(name, { dry_run: true });
  await fault({ kind: 400, times: 9 });
  const again = await asked(name, { dry_run: true });
  expect(again.body).toMatchObject({ recipients: 1, skipped: { not_reachable: 2 } });
  kit.later(24 * 3_600_000 + 1);
  expect((await asked(name, { dry_run: true })).body.code).toBe('provider_refused');
});
