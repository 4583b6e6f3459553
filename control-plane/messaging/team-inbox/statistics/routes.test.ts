import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServiceKit, startService } from '../../service.kit.ts';

let kit: ServiceKit;
beforeAll(async () => {
  kit = await startService();
});
afterAll(() => kit.stop());

const days = (query = '', as?: string) =>
  kit.ask(`GET /team-inbox/api/stats/days/${query}`, as === undefined ? {} : { as });

test('the last thirty days are counted in the zone of the business hours', async () => {
  const time_zone = 'Pacific/Kiritimati'; // fourteen hours ahead
  const settings = { time_zone, weekly_hours: [] };
  await kit.ask('PUT /team-inbox/api/settings/', { body: settings });
  const { status, body } = await days();
  expect([status, body.time_zone, body.results.length]).toEqual([200, time_zone, 30]);
  const ahead = new Date(Date.now() + 14 * 3_600_000).toISOString().slice(0, 10);
  expect(body.results.at(-1)).toEqual({
    day: ahead,
    begins: new Date(Date.parse(ahead) - 14 * 3_600_000).toISOString(),
    inbound: 0,
    outbound: 0,
    opened: 0,
    closed: 0,
  });
});

test.each([
  ['?first_day=2026-01-01&last_day=2026-04-02', 200],
  ['?first_day=2026-01-01&last_day=2026-04-03', 400],
  ['?first_day=2026-01-02&last_day=2026-01-01', 400],
  ['?first_day=2026-01-02T00:00:00Z', 400],
  ['?last_day=9999-12-31', 200],
  ['?last_day=1900-01-01', 200],
  ['?last_day=0001-01-01', 400],
])('the days of %s are answered with %i', async (query, status) => {
  expect((await days(query)).status).toBe(status);
});

test('who may not read the inbox sees no day of it, and a stranger counts their own', async () => {
  expect((await days('', await kit.keyOf('billing'))).status).toBe(403);
  const stranger = await days('', await kit.keyOf('owner', kit.strangerId));
  expect([stranger.status, stranger.body.time_zone]).toEqual([200, 'UTC']);
});
