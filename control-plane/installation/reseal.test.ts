import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Harness, startHarness } from '../einvoice/harness.kit.ts';
import { type ServiceKit, startService } from '../messaging/service.kit.ts';
import type { Db } from '../platform/db/database.ts';
import { addKeyInFront, openSecrets } from '../platform/secrets/secrets.ts';
import { reseal } from './reseal.ts';

let einvoicing: Harness;
let messaging: ServiceKit;
beforeAll(async () => {
  [einvoicing, messaging] = await Promise.all([startHarness(), startService()]);
});
afterAll(async () => {
  await einvoicing?.stop();
  await messaging?.stop();
});

/** The tables that hold a text that this key has sealed, wherever in the tenant's rows or the host's. */
function tablesUnder(db: Db, tenantId: string, keyId: string): Promise<string[]> {
  return db.tenant(tenantId, async (tx) => {
    const tables = await tx.rows<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace
         and relkind in ('r', 'p') and has_table_privilege(oid, 'select') order by 1`,
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const held = await tx.row(
        `select from "${name}" t where t::text like '%v1.${keyId}.%' limit 1`,
      );
      if (held) found.push(name);
    }
    return found;
  });
}

async function rotate(home: string, db: Db) {
  await addKeyInFront(join(home, 'secret.key'));
  return reseal(db, await openSecrets({ home }));
}

/** Lets so many transactions of tenants begin, then fails like a process that is killed. */
function failingAfter(db: Db, count: number): Db {
  let left = count;
  return {
    ...db,
    tenant: (...call) => {
      left -= 1;
      if (left < 0) return Promise.reject(new Error('killed'));
      return db.tenant(...call);
    },
  };
}

test('every secret of e-invoicing is sealed anew, also when it was broken off, and nodes follow', async () => {
  const { platform } = einvoicing.app;
  const { home } = platform.settings;
  const old = platform.secrets.keyId;
  const hook = await einvoicing.call('POST /v1/webhook-endpoints', { url: 'https://example.com/' });
  const provider = {
    name: 'Acme sign-on',
    sign_in_name: 'acme',
    issuer: 'https://login.example.com',
    client_id: 'drawbridge',
    client_secret: 'of the client',
  };
  expect((await einvoicing.call('PUT /v1/identity-provider', provider)).status).toBe(200);
  const before = await tablesUnder(platform.db, einvoicing.acme.id, old);
  expect(before).toEqual([
    'connector',
    'control_plane_identity',
    'identity_provider',
    'signing_key',
    'webhook_endpoint',
  ]);
  await expect(rotate(home, failingAfter(platform.db, 3))).rejects.toThrow('killed');
  const second = await reseal(platform.db, await openSecrets({ home }));
  expect(second).toMatchObject({ missed: 0, unreadable: [] });
  expect(await tablesUnder(platform.db, einvoicing.acme.id, old)).toEqual([]);
  const third = await reseal(platform.db, await openSecrets({ home }));
  expect(third.done).toEqual({});

  const { connector } = einvoicing.acme;
  expect((await einvoicing.call(`GET /v1/connectors/${connector}`)).status).toBe(200);
  expect((await einvoicing.call(`POST /v1/connectors/${connector}/test`)).body.ok).toBe(true);
  const test = await einvoicing.call(`POST /v1/webhook-endpoints/${hook.body.id}/test`);
  expect(test.status).toBeLessThan(500);
});

test('every secret of messaging is sealed anew', async () => {
  const { platform } = messaging.app;
  const old = platform.secrets.keyId;
  const app = await messaging.ask('POST /sms/v1/apps/', { body: { name: 'shop' } });
  const { owner } = messaging;
  const { access } = (await messaging.ask('POST /token/', { as: '', body: owner })).body;
  const factor = { as: access, body: { password: owner.password } };
  expect((await messaging.ask('POST /second-factor/', factor)).status).toBe(200);
  const provider = { provider: 'twilio-voice', name: 'v', from_number: '+60123456789' };
  const made = await messaging.ask('POST /voice/api/provider-configs/', { body: provider });
  expect([app.status, made.status], JSON.stringify(made.body)).toEqual([201, 201]);
  expect(await tablesUnder(platform.db, messaging.tenantId, old)).toEqual([
    'channel_app',
    'document_signing_key',
    'second_factor',
    'signing_key',
    'voice_provider',
  ]);
  const { done } = await rotate(messaging.home, platform.db);
  expect(done).toEqual({
    channel_app: 1,
    document_signing_key: 1,
    second_factor: 1,
    signing_key: 1,
    voice_provider: 2,
  });
  expect(await tablesUnder(platform.db, messaging.tenantId, old)).toEqual([]);
  expect(Object.keys(await messaging.settingsOf(app.body.id)).length).toBeGreaterThan(0);
});

test('what does not open stays, and is told of by its place', async () => {
  const { db } = einvoicing.app.platform;
  const { id } = einvoicing.acme;
  await db.tenant(id, (tx) =>
    tx.run('update connector set settings = $2 where tenant_id = $1', [id, 'v1.00000000.AAAA']),
  );
  const { home } = einvoicing.app.platform.settings;
  const { unreadable } = await reseal(db, await openSecrets({ home }));
  expect(unreadable).toEqual([`connector ${einvoicing.acme.connector}`]);
});
