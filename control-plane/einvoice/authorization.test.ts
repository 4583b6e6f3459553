import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mappings } from '../../scripts/demo/mappings.ts';
import { makeMember } from '../people/members/new-member.ts';
import {
  type EinvoicingPermission,
  type EinvoicingRole,
  einvoicingPermissions,
  einvoicingRoles,
  einvoicingRoleTable,
} from '../people/roles/einvoicing-roles.ts';
import type { MemberRoles } from '../people/roles/member-roles.ts';
import type { AnyRoute } from '../platform/http/route.ts';
import { type Harness, startHarness } from './harness.kit.ts';
import { einvoiceModule } from './module.ts';

const guarded = einvoiceModule.describe().filter(({ auth }) => 'scope' in auth);
const permissions = Object.keys(einvoicingPermissions) as EinvoicingPermission[];
const scopeOf = (row: AnyRoute) => (row.auth as { scope: string }).scope;

/** Who calls, and what it may do. */
interface Caller {
  readonly name: string;
  /** A new session each time, because some routes end it. */
  readonly token: () => Promise<string>;
  readonly may: readonly string[];
}

let harness: Harness;
const callers: Caller[] = [];

beforeAll(async () => {
  harness = await startHarness({ SUBMIT_LIMIT: '10000' });
  const member = async (name: string, roles: MemberRoles, may: readonly string[]) => {
    callers.push({ name, token: await sessionsOf(name, roles), may });
  };
  for (const role of einvoicingRoles) {
    const may = einvoicingRoleTable[role].permissions;
    await member(`session of ${role}`, { role: null, einvoicing_role: role }, may);
  }
  await member('session of the owner', { role: 'owner', einvoicing_role: null }, permissions);
  const ofMessaging = { role: 'admin', einvoicing_role: null } as const;
  await member('session of an admin of messaging', ofMessaging, ['tenant:read']);
  const both = { role: 'agent', einvoicing_role: 'operator' } as const;
  await member('session of both services', both, einvoicingRoleTable.operator.permissions);
  for (const scope of [...permissions, '*']) {
    const { body } = await harness.call('POST /v1/api-keys', { name: scope, scopes: [scope] });
    const may = scope === '*' ? permissions : [scope];
    callers.push({ name: `key with ${scope}`, token: async () => body.key, may });
  }
});
afterAll(() => harness?.stop());

/** Begins sessions of a new member of acme, at the sandbox. */
async function sessionsOf(name: string, roles: MemberRoles): Promise<() => Promise<string>> {
  const { platform } = harness.app;
  const email = `${name.replaceAll(' ', '-')}@acme.example`;
  const { userId } = await makeMember(platform, harness.acme.id, { email, name, ...roles });
  return async () => (await platform.sessions.begin(userId, harness.acme.id, 'sandbox')).access;
}

test('every route names a permission that there is, and every permission opens something', () => {
  const named = new Set(guarded.map(scopeOf));
  expect([...named].filter((scope) => !permissions.includes(scope as never))).toEqual([]);
  expect(permissions.filter((each) => !named.has(each))).toEqual([]);
});

test.each(guarded.map((row) => [`${row.method.toUpperCase()} ${row.path}`, row] as const))(
  '%s opens to those who have its permission, and to nobody else',
  async (line, row) => {
    expect(callers.length).toBeGreaterThan(20);
    // Ids of nothing, and bodies that no schema takes: what is let in changes nothing.
    const filled = line.replace(/\{\w+\}/g, 'nothing');
    const body = row.request?.body === undefined ? undefined : { no_such_field: true };
    for (const { name, token, may } of callers) {
      const { status, body: answer } = await harness.call(filled, body, { key: await token() });
      const wanted = may.includes(scopeOf(row)) ? 'let in' : 'not_permitted';
      const got = answer?.code === 'not_permitted' ? answer.code : 'let in';
      expect([name, got, status === 401 || status >= 500]).toEqual([name, wanted, false]);
    }
  },
);

test('a mapping is approved by an approver, and not by whoever made it', async () => {
  const path = `/v1/connectors/${harness.acme.connector}/mapping`;
  const as = async (role: EinvoicingRole) => ({
    key: await callers.find(({ name }) => name === `session of ${role}`)!.token(),
  });
  const approved = mappings['PINT-AE'].fields.map((field) => ({ ...field, status: 'approved' }));
  const put = async (fields: unknown, role: EinvoicingRole) =>
    harness.call(`PUT ${path}`, { mapping: { fields } }, await as(role));
  expect((await put(approved, 'developer')).status, 'what was approved stays').toBe(200);
  const [first, ...rest] = approved;
  const changed = { target: first!.target, value: 'changed', status: 'approved' };
  expect(await put([changed, ...rest], 'developer')).toMatchObject({
    status: 403,
    body: { code: 'not_permitted', detail: expect.stringContaining(first!.target) },
  });
  const proposed = [{ ...changed, status: 'proposed' }, ...rest];
  expect((await put(proposed, 'approver')).status).toBe(403);
  expect((await put(proposed, 'developer')).body.status).toBe('partly_approved');
  const approve = async (role: EinvoicingRole) =>
    harness.call(`POST ${path}/approve`, {}, await as(role));
  expect((await approve('developer')).status).toBe(403);
  expect((await approve('approver')).body.status).toBe('approved');
});

describe('a session', () => {
  test('of another environment opens nothing', async () => {
    const key = await callers[0]!.token();
    const live = await harness.call('GET /v1/invoices', undefined, { key, environment: 'live' });
    expect([live.status, live.body.code]).toEqual([401, 'wrong_environment']);
  });

  test('of a member of another tenant sees nothing of this one', async () => {
    const { platform } = harness.app;
    const made = { email: 'o@other.example', name: 'O', einvoicing_role: 'finance_admin' } as const;
    const { userId } = await makeMember(platform, harness.other.id, made);
    const { access } = await platform.sessions.begin(userId, harness.other.id, 'sandbox');
    const path = `/v1/connectors/${harness.acme.connector}`;
    expect((await harness.call(`GET ${path}`, undefined, { key: access })).status).toBe(404);
  });
});
