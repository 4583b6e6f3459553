import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../test/kit/eventually.ts';
import { type ServiceKit, startService } from '../../messaging/service.kit.ts';
import { listHostAuditEvents } from '../../platform/audit/store.ts';
import { makeMember } from '../members/new-member.ts';

let kit: ServiceKit;
beforeAll(async () => {
  kit = await startService();
});
afterAll(() => kit.stop());

const events = async (query = '') =>
  (await kit.ask(`GET /tenants/audit-log/?limit=200${query}`)).body.results;
const signIn = (body: unknown) => kit.ask('POST /token/', { as: '', body });

test('sign-ins are recorded, and those that are refused', async () => {
  const { body } = await signIn(kit.owner);
  await signIn({ ...kit.owner, password: 'wrong' });
  await eventually(async () => {
    expect(await events('&action=signIn&outcome=refused')).toHaveLength(1);
  });
  const [refused, done] = await events('&action=signIn');
  expect(done).toMatchObject({ actor: { kind: 'user' }, outcome: 'done', service: null });
  expect(refused).toMatchObject({
    actor: { kind: 'nobody', id: null },
    subject: done.actor.id,
    ip: '127.0.0.1',
  });
  await kit.ask('POST /refresh/', { as: '', body: { refresh: body.refresh } });
  kit.later(60_000);
  await kit.ask('POST /refresh/', { as: '', body: { refresh: body.refresh } });
  expect(await events('&action=endSession')).toMatchObject([
    { actor: { id: done.actor.id }, outcome: 'refused', subject: expect.stringMatching(/^ses_/) },
  ]);
});

test('whoever nobody knows is in the log of the host, without what was typed', async () => {
  await signIn({ email: 'my-password-by-mistake@example.com', password: 'wrong' });
  const { db } = kit.app.platform;
  const listed = () => db.system((tx) => listHostAuditEvents(tx, { action: 'signIn' }, 10));
  await eventually(async () => expect(await listed()).toHaveLength(1));
  expect(await listed()).toMatchObject([{ outcome: 'refused', ip: '127.0.0.1', subject: null }]);
  expect(JSON.stringify(await listed())).not.toContain('mistake');
});

test('roles are recorded with those before; both services see it, settings only their own', async () => {
  const made = { email: 'a@example.com', name: 'A', role: 'agent' } as const;
  const { userId } = await makeMember(kit.app.platform, kit.tenantId, made);
  const body = { role: 'analyst', einvoicing_role: 'auditor' };
  await kit.ask(`PATCH /tenants/users/${userId}/`, { body });
  const [change] = await events('&action=updateMember');
  expect(change).toMatchObject({
    actor: { kind: 'key' },
    service: null,
    subject: userId,
    before: { role: 'agent', einvoicing_role: null },
    after: body,
  });
  await kit.ask('PATCH /tenants/branding/', { body: { custom_domain: 'chat.acme.example' } });
  expect(await events('&action=updateBranding')).toMatchObject([
    {
      service: 'messaging',
      before: { custom_domain: null },
      after: { custom_domain: 'chat.acme.example' },
    },
  ]);
});

test('the settings of an app are recorded without its secrets', async () => {
  const settings = { account_sid: `AC${'1'.repeat(32)}`, auth_token: 'a-secret-auth-token-1234' };
  const made = await kit.ask('POST /sms/v1/apps/', { body: { name: 'shop' } });
  await kit.ask(`PATCH /sms/v1/apps/${made.body.id}/`, { body: { name: 'store' } });
  const [change, creation] = await events(`&subject=${made.body.id}`);
  expect(creation).toMatchObject({ action: 'createSmsApp', after: { name: 'shop' } });
  expect(change).toMatchObject({ before: { name: 'shop' }, after: { name: 'store' } });
  await kit.ask(`PATCH /sms/v1/apps/${made.body.id}/`, { body: { settings } });
  const all = JSON.stringify(await events());
  expect(all).not.toContain(settings.auth_token);
});

test('an agent of messaging may not read it', async () => {
  const as = await kit.keyOf('agent');
  expect((await kit.ask('GET /tenants/audit-log/', { as })).status).toBe(403);
  expect((await kit.ask('GET /tenants/audit-log/export/', { as })).status).toBe(403);
});
