import { afterAll, beforeAll, expect, test } from 'vitest';
import { sqlAt, startDb, type TestDb } from '../../../test/kit/postgres.ts';

/**
 * Every table starts with the tenant, so that a tenant can be partitioned, moved and deleted. The
 * exceptions are listed here, each with its reason.
 */
const withoutTenant: Readonly<Record<string, string>> = {
  host_audit_event: 'what the host did, and what belongs to no tenant',
  tenant: 'it is the tenant: its own id is the tenant id',
  migration: 'of the installation',
  control_plane_identity: 'of the installation',
  signing_key: 'of the installation: tokens are verified before the tenant is known',
  document_signing_key: 'of the installation: one key signs the documents of all tenants',
  price: 'what the host asks of every tenant',
  user_account: 'a directory: a person signs in by an address, and may belong to many tenants',
  second_factor: 'of a person, who may belong to many tenants',
  password_reset: 'of a person, who may belong to many tenants',
  sign_in_window: 'counts tries by address, before there is a tenant',
  rate_window: 'limits are also of addresses, accounts and providers; its keys name the tenant',
  arrival_slots: 'a far end takes so many of all tenants together',
  seen_message: 'a network lists messages before anybody knows whose they are',
  authority_poll: 'a network is asked once for all tenants',
};

const keysWithoutTenant: Readonly<Record<string, string>> = {
  tenant_directory_pkey: 'a directory: answers the tenant, so it is asked without one',
  count_change_pkey: 'a queue over all tenants, taken in the order in which it was written',
};

let database: TestDb;
beforeAll(async () => {
  database = await startDb();
});
afterAll(() => database.stop());

const tables = `select c.oid, c.relname as name, c.relrowsecurity and c.relforcerowsecurity as is_forced,
    exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id'
      and a.attnotnull) as has_tenant
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`;

const names = async (sql: string) =>
  (await sqlAt<{ name: string }>(database.url, sql)).map(({ name }) => name);

test('a table has a tenant, or a reason to have none', async () => {
  const found = await names(`select name from (${tables}) t where not has_tenant`);
  expect(new Set(found)).toEqual(new Set(Object.keys(withoutTenant)));
});

test("row-level security is forced on every tenant's table", async () => {
  expect(await names(`select name from (${tables}) t where has_tenant and not is_forced`)).toEqual(
    [],
  );
});

test("the tenant leads the primary key and each unique index of every tenant's table", async () => {
  const found = await names(
    `select i.indexrelid::regclass::text as name from (${tables}) t
     join pg_index i on i.indrelid = t.oid and i.indisunique
     where t.has_tenant and pg_get_indexdef(i.indexrelid, 1, false) <> 'tenant_id'`,
  );
  expect(new Set(found)).toEqual(new Set(Object.keys(keysWithoutTenant)));
});

test("every tenant's table has a primary key", async () => {
  const found = await names(
    `select name from (${tables}) t where has_tenant
       and not exists (select from pg_index i where i.indrelid = t.oid and i.indisprimary)`,
  );
  expect(found).toEqual([]);
});

test("a foreign key between tenants' tables begins with the tenant on both sides", async () => {
  const first = (keys: string, of: string) =>
    `(select attname from pg_attribute where attrelid = ${of} and attnum = ${keys}[1])`;
  const found = await names(
    `select k.conname as name from pg_constraint k
     join (${tables}) t on t.oid = k.conrelid join (${tables}) other on other.oid = k.confrelid
     where k.contype = 'f' and t.has_tenant and other.has_tenant
       and (${first('k.conkey', 'k.conrelid')} <> 'tenant_id'
         or ${first('k.confkey', 'k.confrelid')} <> 'tenant_id')`,
  );
  expect(found).toEqual([]);
});

test('no SQL function sets the tenant: only the start of a transaction does', async () => {
  const found = await names(
    `select p.oid::regprocedure::text as name from pg_proc p
     where p.pronamespace = 'public'::regnamespace
       and pg_get_functiondef(p.oid) ~* 'set_config|set (local )?drawbridge'`,
  );
  expect(found).toEqual([]);
});
