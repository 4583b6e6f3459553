import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sqlAt } from '../../../test/kit/postgres.ts';
import { type ServiceKit, startService } from '../service.kit.ts';
import { tellLowWallets } from '../tenants/wallet-watch.ts';

let kit: ServiceKit;
beforeAll(async () => {
  kit = await startService();
  // Nobody listens there: what is kept to be sent is what counts.
  const body = { url: 'https://receiver.example.com/' };
  expect((await kit.ask('POST /webhook-endpoints/', { body })).status).toBe(201);
});
afterAll(() => kit.stop());
beforeEach(() => sqlAt(kit.ownerUrl, 'truncate webhook_event cascade'));

/** Events in the order they happened in. */
const told = async () => {
  const rows = await sqlAt<{ type: string; payload: Record<string, unknown> }>(
    ...([kit.ownerUrl, 'select type, payload from webhook_event order by id'] as const),
  );
  return rows.map(({ type, payload }) => [type, payload.id, payload.data]);
};

test('a contact that the API makes and changes is told of, and a refused one is not', async () => {
  const phone = '+971501119001';
  const { body } = await kit.ask('POST /contacts/', { body: { name: 'Asha', phone } });
  expect((await kit.ask('POST /contacts/', { body: { phone } })).status).toBe(409);
  const change = { attributes: { city: 'Dubai' }, add_segments: ['VIP'] };
  await kit.ask(`PATCH /contacts/${body.id}/`, { body: change });
  const changed = ['add_segments', 'attributes'];
  expect(await told()).toEqual([
    ['contact.created', body.id, { name: 'Asha', phone, source: 'api' }],
    ['contact.updated', body.id, { name: 'Asha', phone, changed, source: 'api' }],
  ]);
});

test('what a contact agrees to is told, address by address; a repeat under a key is not', async () => {
  const address = '+971501119002';
  const { body } = await kit.ask('POST /contacts/', { body: { phone: address } });
  const consents = `/contacts/${body.id}/consents/`;
  const said = { channel: 'sms', address, source: 'api' };
  await kit.ask(`POST ${consents}`, { body: { channel: 'sms', state: 'granted' } });
  const optOut = JSON.stringify({ channel: 'sms', address });
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'k' };
  const first = await kit.send('/contacts/opt-outs/', optOut, headers);
  await kit.send('/contacts/opt-outs/', optOut, headers);
  await kit.ask(`DELETE /contacts/opt-outs/${first.body.id}/`);
  expect((await told()).slice(1)).toEqual([
    ['consent.granted', address, said],
    ['consent.revoked', address, said],
    ['consent.granted', address, said],
  ]);
});

test('a wallet that falls low is told of once, and again after it was filled', async () => {
  const look = async () => {
    await Promise.all([tellLowWallets(kit.app.platform), tellLowWallets(kit.app.platform)]);
    return told();
  };
  expect(await kit.ask('PATCH /tenants/host-wallet/', { body: { low_at: '1' } })).toMatchObject({
    ...{ status: 404, body: { code: 'wallet_not_found' } },
  });
  await kit.fund('sms', '', '0.05', '4.99');
  const low = ['wallet.low', kit.tenantId, expect.objectContaining({ available: '4.99' })];
  expect(await look()).toEqual([low]);
  expect(await look()).toEqual([low]);
  expect((await kit.ask('GET /tenants/host-wallet/')).body).toMatchObject({ is_low: true });
  await kit.fund('sms', '', '0.05', '10');
  expect(await look()).toEqual([low]);
  const patched = await kit.ask('PATCH /tenants/host-wallet/', { body: { low_at: '20.5' } });
  expect(patched.body).toMatchObject({ low_at: '20.5', available: '14.99' });
  expect(await look()).toHaveLength(2);
});
