import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServiceKit, startService } from '../../messaging/service.kit.ts';
import { makeMember } from '../members/new-member.ts';

let kit: ServiceKit;

beforeAll(async () => {
  kit = await startService();
});
afterAll(() => kit.stop());

const isOpen = async (access: string, on: 'live' | 'sandbox' = 'sandbox') =>
  (await kit.ask('GET /tenants/roles/', { as: access, on })).status === 200;

let last = 0;
async function newPerson(...tenants: readonly string[]) {
  const email = `person${(last += 1)}@example.com`;
  const member = { email, name: 'Someone', role: 'billing' } as const;
  const { password } = await makeMember(kit.app.platform, kit.tenantId, member);
  for (const id of tenants) await makeMember(kit.app.platform, id, member);
  return async (more: object = {}, on: 'live' | 'sandbox' = 'sandbox', agent = 'Firefox') => {
    const body = { email, password, ...more };
    const headers = { 'user-agent': agent };
    return (await kit.ask('POST /token/', { as: '', body, on, headers })).body;
  };
}

test('logging out ends this session at once, and no other', async () => {
  const signIn = await newPerson();
  const [first, second] = [await signIn(), await signIn()];
  expect((await kit.ask('POST /logout/', { as: first.access })).status).toBe(204);
  kit.later(1_001);
  expect([await isOpen(first.access), await isOpen(second.access)]).toEqual([false, true]);
  const refreshed = await kit.ask('POST /refresh/', { as: '', body: { refresh: first.refresh } });
  expect(refreshed.status).toBe(401);
});

test('a person sees the own sessions of all workspaces and environments, and no ended one', async () => {
  const signIn = await newPerson(kit.strangerId);
  const here = await signIn({}, 'sandbox', 'Chrome');
  await signIn({ tenant_id: kit.strangerId }, 'live', 'x'.repeat(2_000));
  await (await newPerson())();
  const gone = await signIn();
  await kit.ask('POST /logout/', { as: gone.access });
  const { status, body } = await kit.ask('GET /sessions/', { as: here.access });
  expect(status).toBe(200);
  const local = expect.stringContaining('127.0.0.1');
  expect(body.results).toEqual([
    expect.objectContaining({
      tenant_id: kit.strangerId,
      tenant_name: 'Stranger',
      environment: 'live',
      user_agent: 'x'.repeat(300),
      is_current: false,
    }),
    expect.objectContaining({
      tenant_id: kit.tenantId,
      environment: 'sandbox',
      user_agent: 'Chrome',
      ip: local,
      is_current: true,
    }),
  ]);
  kit.later(15 * 86_400_000);
  const later = await signIn();
  const shown = await kit.ask('GET /sessions/', { as: later.access });
  expect(shown.body.results).toHaveLength(1);
});

test('a person ends one of the own sessions, and nobody else’s', async () => {
  const signIn = await newPerson(kit.strangerId);
  const [here, there] = [await signIn(), await signIn({ tenant_id: kit.strangerId }, 'live')];
  const { body } = await kit.ask('GET /sessions/', { as: here.access });
  const path = `/sessions/${body.results[0].id}/`;
  const somebody = await (await newPerson())();
  expect((await kit.ask(`DELETE ${path}`, { as: somebody.access })).body.code).toBe(
    'session_not_found',
  );
  expect(await isOpen(there.access, 'live')).toBe(true);
  expect((await kit.ask(`DELETE ${path}`, { as: here.access })).status).toBe(204);
  kit.later(1_001);
  expect(await isOpen(there.access, 'live')).toBe(false);
  expect((await kit.ask(`DELETE ${path}`, { as: here.access })).status).toBe(404);
});

test('a person ends all of the own sessions but this one', async () => {
  const signIn = await newPerson(kit.strangerId);
  const others = [await signIn(), await signIn({ tenant_id: kit.strangerId })];
  const here = await signIn();
  const somebody = await (await newPerson())();
  expect((await kit.ask('DELETE /sessions/', { as: here.access })).status).toBe(204);
  kit.later(1_001);
  for (const other of others) expect(await isOpen(other.access)).toBe(false);
  expect([await isOpen(here.access), await isOpen(somebody.access)]).toEqual([true, true]);
});
