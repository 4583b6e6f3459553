import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServiceKit, startService } from '../../service.kit.ts';

let kit: ServiceKit;
beforeAll(async () => {
  kit = await startService();
});
afterAll(() => kit.stop());

const flow = async (id: string, on: 'live' | 'sandbox' = 'sandbox') => {
  const { body } = await kit.ask('GET /tenants/onboarding-options/', { on });
  return body.results.find((each: { id: string }) => each.id === id);
};
const bodies: Readonly<Record<string, object>> = {
  'PUT /tenants/waba-info/': { account_id: '12345' },
  'POST /wa/v1/apps/': { name: 'first' },
  'POST /sms/v1/apps/': { name: 'first' },
  'POST /rcs/v1/apps/': { name: 'first' },
  'POST /botchat/v1/bots/': { name: 'first' },
  'POST /wa/v1/templates/': {
    name: 'sent',
    language: 'en_US',
    category: 'UTILITY',
    body: 'Hello {{1}}, your order has been sent today.',
    body_examples: ['Asha'],
  },
  'POST /sms/v1/templates/': { name: 'hello', body: 'Good morning.' },
  'POST /contacts/': { phone: '+60123456789' },
};

test.each(['wa', 'sms', 'botchat', 'rcs'])(
  'following each `next` step completes %s',
  async (id) => {
    const calls: string[] = [];
    for (;;) {
      const { next, done } = await flow(id);
      if (next === null) {
        expect(done).toBe(true);
        break;
      }
      expect(calls, 'a step is still open after its call').not.toContain(next);
      calls.push(next);
      const { status, body } = await kit.ask(next, { body: bodies[next] });
      expect(status, JSON.stringify(body)).toBeLessThan(300);
      if (next === 'POST /wa/v1/templates/') {
        const state = async () => (await kit.ask(`GET ${next.slice(5)}${body.id}/`)).body.status;
        await expect.poll(state).toBe('approved');
      }
    }
    expect((await flow(id, 'live')).done).toBe(false);
  },
);

test('a stopped app does not count, and with a price the host must fill the wallet', async () => {
  const { body } = await kit.ask('GET /rcs/v1/apps/');
  const path = `/rcs/v1/apps/${body.results[0].id}/`;
  await kit.ask(`PATCH ${path}`, { body: { state: 'stopped' } });
  expect(await flow('rcs')).toMatchObject({ done: false, next: 'POST /rcs/v1/apps/' });
  await kit.ask(`PATCH ${path}`, { body: { state: 'active' } });
  const wallet = async (on: 'live' | 'sandbox') =>
    (await flow('rcs', on)).steps.find(({ next }: { next: string | null }) => next === null).done;
  expect([await wallet('live'), await wallet('sandbox')]).toEqual([true, true]);
  await kit.fund('rcs', '', '0.05', '1');
  expect([await wallet('live'), await wallet('sandbox')]).toEqual([false, true]);
});

test('the sandbox’s wallet is filled from the start, in a currency with prices; the live one is not', async () => {
  const stranger = await kit.keyOf('owner', kit.strangerId);
  const wallet = async () =>
    (await kit.ask('GET /tenants/host-wallet/', { as: stranger })).body as { available: string };
  expect(await wallet()).toMatchObject({ currency: 'USD' });
  expect(Number((await wallet()).available)).toBeGreaterThanOrEqual(1_000);
  const entries = await kit.ask('GET /tenants/host-wallet/entries/', { as: stranger });
  expect(entries.body.results).toMatchObject([{ kind: 'top_up', reference: 'sandbox credit' }]);
  const { body: live } = await kit.ask('GET /tenants/host-wallet/', { on: 'live' });
  expect(live).toMatchObject({ currency: null, balance: '0' });
});
