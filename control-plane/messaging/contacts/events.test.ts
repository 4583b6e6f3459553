import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sqlAt } from '../../../test/kit/postgres.ts';
import type { Person } from '../../channels/contract.ts';
import { contactOf } from '../messages/receiving/sender-contact.ts';
import { type ServiceKit, startService } from '../service.kit.ts';
import { announceLowWallets } from '../tenants/wallet/low-wallets.ts';

let kit: ServiceKit;
beforeAll(async () => {
  kit = await startService();
  // No server listens there: only the stored events count.
  const body = { url: 'https://receiver.example.com/' };
  expect((await kit.ask('POST /webhook-endpoints/', { body })).status).toBe(201);
});
afterAll(() => kit.stop());
beforeEach(() => sqlAt(kit.ownerUrl, 'truncate webhook_event cascade'));

/** Events in the order in which they happened. */
const events = async () => {
  const rows = await sqlAt<{ type: string; payload: Record<string, unknown> }>(
    kit.ownerUrl,
    'select type, payload from webhook_event order by id',
  );
  return rows.map(({ type, payload }) => [type, payload.id, payload.data]);
};

test('a contact made or changed by the API gives an event, a refused one does not', async () => {
  const phone = '+971501119001';
  const { body } = await kit.ask('POST /contacts/', { body: { name: 'Asha', phone } });
  expect((await kit.ask('POST /contacts/', { body: { phone } })).status).toBe(409);
  const change = { attributes: { city: 'Dubai' }, add_segments: ['VIP'] };
  await kit.ask(`PATCH /contacts/${body.id}/`, { body: change });
  const changed = ['add_segments', 'attributes'];
  expect(await events()).toEqual([
    ['contact.created', body.id, { name: 'Asha', phone, source: 'api' }],
    ['contact.updated', body.id, { name: 'Asha', phone, changed, source: 'api' }],
  ]);
});

test('what a network tells of a person’s addresses gives an event, once', async () => {
  const { platform } = kit.app;
  const scope = { tenantId: kit.tenantId, environment: 'sandbox' } as const;
  const [phone, second, userId] = ['+971501119007', '+971501119008', 'AE.1119007'];
  const write = (person: Person) =>
    platform.db.tenant(kit.tenantId, (tx) => contactOf(tx, scope, 'wa', person, platform));
  const id = await write({ userId });
  for (const person of [
    { phone, userId },
    { phone: second, userId },
  ]) {
    expect([await write(person), await write(person)]).toEqual([id, id]);
  }
  // Whoever has the number has written, though the network knows the id of another one.
  const { body: other } = await kit.ask('POST /contacts/', { body: { phone: '+971501119009' } });
  expect(await write({ phone: other.phone, userId })).toBe(other.id);
  const changed = ['phone', 'channel_identifiers'];
  const told = { name: null, phone, channel: 'wa', changed, source: 'network' };
  expect(await events()).toEqual([
    ['contact.created', id, { name: null, phone: null, channel: 'wa', source: 'inbound' }],
    ['contact.updated', id, told],
    ['contact.updated', id, told],
    ['contact.created', other.id, expect.anything()],
  ]);
});

test('what was taken away is told, and that a contact is gone, without their name and number', async () => {
  const phone = '+971501119004';
  const { body } = await kit.ask('POST /contacts/', { body: { name: 'Asha', phone } });
  await kit.ask(`PATCH /contacts/${body.id}/`, { body: { name: null } });
  await kit.ask(`DELETE /contacts/${body.id}/`);
  await kit.ask(`DELETE /contacts/${body.id}/`);
  expect((await events()).slice(1)).toEqual([
    ['contact.updated', body.id, { name: null, phone, changed: ['name'], source: 'api' }],
    ['contact.deleted', body.id, { name: null, phone: null, source: 'api' }],
  ]);
});

test('what happened while the only endpoint was disabled can be replayed, and is kept as long as other events', async () => {
  const [{ id }] = (await kit.ask('GET /webhook-endpoints/')).body.results;
  const path = `/webhook-endpoints/${id}/`;
  const since = new Date().toISOString();
  await kit.ask(`PATCH ${path}`, { body: { state: 'disabled' } });
  await kit.ask('POST /contacts/', { body: { phone: '+971501119005' } });
  await kit.ask('POST /contacts/', { body: { phone: '+971501119006' } });
  await kit.ask(`PATCH ${path}`, { body: { state: 'active' } });
  const replayed = await kit.ask(`POST ${path}replay/`, { body: { since, only: 'all' } });
  expect(replayed).toMatchObject({ status: 202, body: { count: 2 } });
  await sqlAt(kit.ownerUrl, 'delete from webhook_delivery');
  const prune = (day: string) =>
    sqlAt(kit.ownerUrl, `select prune_webhook_deliveries(now() + interval '${day}', 1000)`);
  await prune('-1 day');
  expect(await events()).toHaveLength(2);
  await prune('1 day');
  expect(await events()).toEqual([]);
});

test('consent gives an event for each address; a repeat with the same key does not', async () => {
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
  expect((await events()).slice(1)).toEqual([
    ['consent.granted', address, said],
    ['consent.revoked', address, said],
    ['consent.granted', address, said],
  ]);
});

test('a low wallet gives one event, and another one after it was filled', async () => {
  const look = async () => {
    await Promise.all([announceLowWallets(kit.app.platform), announceLowWallets(kit.app.platform)]);
    return events();
  };
  const lowAt = (low_at: string, on: 'sandbox' | 'live' = 'sandbox') =>
    kit.ask('PATCH /tenants/host-wallet/', { body: { low_at }, on });
  expect(await lowAt('1', 'live')).toMatchObject({
    status: 404,
    body: { code: 'wallet_not_found' },
  });
  // That of the sandbox is filled from the beginning.
  expect((await lowAt('1000.5')).body).toMatchObject({ low_at: '1000.5', available: '1000' });
  const low = ['wallet.low', kit.tenantId, expect.objectContaining({ available: '1000' })];
  expect(await look()).toEqual([low]);
  expect(await look()).toEqual([low]);
  expect((await kit.ask('GET /tenants/host-wallet/')).body).toMatchObject({ is_low: true });
  await kit.fund('sms', '', '0.05', '10');
  expect(await look()).toEqual([low]);
  expect((await lowAt('1020.5')).body).toMatchObject({ low_at: '1020.5', available: '1010' });
  expect(await look()).toHaveLength(2);
});
