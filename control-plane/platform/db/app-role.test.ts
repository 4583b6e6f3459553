import { afterAll, beforeAll, expect, test } from 'vitest';
import { sqlAt, startDb, type TestDb } from '../../../test/kit/postgres.ts';

let kit: TestDb;

beforeAll(async () => {
  kit = await startDb();
});
afterAll(() => kit.stop());

/** What guards the product, and a column of each. */
const guards: readonly (readonly [table: string, column: string])[] = [
  ['signing_key', 'public_jwk'],
  ['document_signing_key', 'public_jwk'],
  ['control_plane_identity', 'public_key'],
  ['price', 'amount'],
  ['tenant', 'limits'],
  ['tenant_directory', 'tenant_id'],
  ['sign_in_window', 'tried_at'],
  ['password_reset', 'user_id'],
  ['second_factor', 'confirmed_at'],
];

test.each(
  guards.flatMap(([table, column]) => [
    [table, `insert into ${table} default values`],
    [table, `update ${table} set ${column} = ${column}`],
    [table, `delete from ${table}`],
    [table, `truncate ${table}`],
  ]),
)('the application’s role may not change %s by itself: %s', async (_, statement) => {
  await expect(sqlAt(kit.appUrl, statement)).rejects.toThrow(/permission denied for table/);
});

/** Tables of no tenant that the role writes itself, and why that opens nothing. */
const writable: Readonly<Record<string, string>> = {
  user_account: 'its row-level security has no policy by which the role could write',
  host_audit_event: 'it may be added to and not changed: see append-only in app-role.ts',
  rate_window: 'its limits come with the question: who may ask may ask for any',
  arrival_slots: 'its limits come with the question too',
  seen_message: 'which messages of a network were looked at: a repeat is known by its own id',
  authority_poll: 'how far a network was read; read again, answers are found to be known',
};

test('tables of no tenant are written by functions, or have a reason not to be', async () => {
  const found = await sqlAt<{ name: string }>(
    kit.url,
    `select c.relname as name from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
       and not exists (select from pg_attribute a
         where a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped)
       and has_table_privilege($1, c.oid, 'insert, update, delete')`,
    [decodeURIComponent(new URL(kit.appUrl).username)],
  );
  expect(new Set(found.map(({ name }) => name))).toEqual(new Set(Object.keys(writable)));
});

test('the role can write no account, though it is granted the table', async () => {
  const account = `insert into user_account (id, email, name, password_hash, created_at)
    values ('usr_1', 'a@example.com', 'A', 'x', now())`;
  await expect(sqlAt(kit.appUrl, account)).rejects.toThrow(/row-level security/);
});
