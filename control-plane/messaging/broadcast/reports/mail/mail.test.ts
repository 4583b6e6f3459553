import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '../../../../../test/kit/eventually.ts';
import { type NameServer, startNameServer } from '../../../../../test/kit/name-server.ts';
import { sqlAt } from '../../../../../test/kit/postgres.ts';
import { type MailServer, startMailServer } from '../../../../people/mail-server.fixture.ts';
import { makeMember } from '../../../../people/members/new-member.ts';
import { type ServiceKit, startService } from '../../../service.kit.ts';

let kit: ServiceKit;
let names: NameServer;
let mailServer: MailServer;
let owner: string;

beforeAll(async () => {
  names = await startNameServer();
  mailServer = await startMailServer();
  kit = await startService({
    DNS_SERVERS: names.address,
    SMTP_URL: mailServer.url,
    MAIL_FROM: 'Host <host@example.com>',
  });
  owner = (await kit.ask('POST /token/', { as: '', body: kit.owner })).body.access;
  await made('/sms/v1/apps/', { provider: 'generic-http-sms', name: 'bulk' });
  await made('/sms/v1/templates/', { name: 'sale', body: 'See {{link}} today.' });
  await made('/contacts/segments/', { name: 'vip' });
  for (const phone of ['+60123457001', '+60123458001']) {
    await made('/contacts/', { phone, name: 'Asha', segments: ['vip'] });
  }
});
afterAll(async () => {
  await kit.stop();
  mailServer.stop();
  await names.close();
});
beforeEach(() => mailServer.answer('250 taken'));

async function made(path: string, body: object, as?: string) {
  const answer = await kit.ask(`POST ${path}`, { body, as });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
}

const link = { value: 'https://shop.test/sale' };

/** The id of a broadcast that has ended; made by this person or key. */
async function ended(as: string | undefined): Promise<string> {
  const request = { template: 'sale', segment: 'vip', variables: { link } };
  const { id } = await made('/broadcast/', request, as);
  await eventually(async () => {
    const { body } = await kit.ask(`GET /broadcast/${id}/`);
    expect(body).toMatchObject({ status: 'completed', counts: { sent: 1, failed: 1 } });
  });
  return id;
}

const jobsOf = (id: string) =>
  sqlAt(kit.ownerUrl, `select 1 from job where queue = 'broadcast-report' and key = '${id}'`);

/** Makes the report due, as a quarter of an hour does. */
async function due(id: string): Promise<void> {
  const { db, jobs } = kit.app.platform;
  await db.tenant(kit.tenantId, (tx) => jobs.runNow(tx, kit.tenantId, 'broadcast-report', [id]));
}

/** The job is gone, whatever it did. */
const isDone = (id: string) => eventually(async () => expect(await jobsOf(id)).toEqual([]));

const mailsOf = (id: string) => mailServer.mails.filter((mail) => mail.includes(id));

test('whoever made a broadcast gets its report a quarter of an hour after its end', async () => {
  const id = await ended(owner);
  expect(await jobsOf(id)).toHaveLength(1);
  expect(mailsOf(id)).toEqual([]);
  await due(id);
  await isDone(id);
  const [mail, ...more] = mailsOf(id);
  expect(more).toEqual([]);
  expect(mail).toContain('From: Host <host@example.com>');
  expect(mail).toContain(`To: ${kit.owner.email}`);
  expect(mail).not.toContain('DKIM-Signature');
  const text = mail!.replaceAll('=\r\n', '');
  expect(text).toMatch(/Recipients: 2\r\nSent: 1\r\nDelivered: [01]\r\nRead: 0\r\nFailed: 1/);
  expect(text).toMatch(/Why messages failed:\r\n {2}\w+: 1\r\n/);
  expect(text).toContain('https://shop.test/sale');
  expect(text).toContain(`${kit.url}/console/broadcasts/${id}`);
  const { results } = (await kit.ask('GET /tenants/audit-log/')).body;
  expect(results[0]).toMatchObject({
    action: 'mailBroadcastReport',
    subject: id,
    actor: { kind: 'nobody' },
    after: { to: kit.owner.email, from: null },
  });
});

test('for a broadcast that an API key made nobody gets one', async () => {
  expect(await jobsOf(await ended(undefined))).toEqual([]);
});

test('whoever may not see broadcasts any more gets none', async () => {
  const { platform } = kit.app;
  const email = `mover-${Date.now()}@example.com`;
  const made = { email, name: 'Mover', role: 'admin' } as const;
  const { userId, password } = await makeMember(platform, kit.tenantId, made);
  const person = { email, password };
  const id = await ended((await kit.ask('POST /token/', { as: '', body: person })).body.access);
  const move = { as: owner, body: { role: 'agent' } };
  expect((await kit.ask(`PATCH /tenants/users/${userId}/`, move)).status).toBe(200);
  await due(id);
  await isDone(id);
  expect(mailsOf(id)).toEqual([]);
});

test('a job that runs again, and one whose node was killed while it mailed, mail nothing more', async () => {
  const [again, killed] = [await ended(owner), await ended(owner)];
  await due(again);
  await isDone(again);
  const { db, jobs } = kit.app.platform;
  const payload = { environment: 'sandbox', tries: 0 };
  await db.tenant(kit.tenantId, async (tx) => {
    await jobs.enqueue(tx, kit.tenantId, [{ queue: 'broadcast-report', key: again, payload }]);
    // A claim without an outcome is what a killed node leaves behind.
    await tx.run(
      `insert into broadcast_report (tenant_id, environment, broadcast_id, user_id, claimed_at)
       values ($1, 'sandbox', $2, 'usr_1', now())`,
      [kit.tenantId, killed],
    );
  });
  await due(killed);
  await isDone(again);
  await isDone(killed);
  expect(mailsOf(again)).toHaveLength(1);
  expect(mailsOf(killed)).toEqual([]);
});

test('a refused mail is handed in again; one whose answer was lost is not', async () => {
  const [refused, lost] = [await ended(owner), await ended(owner)];
  mailServer.answer('451 busy');
  await due(refused);
  await eventually(async () => expect(mailsOf(refused)).toHaveLength(1));
  mailServer.answer('250 taken');
  await eventually(async () => {
    await due(refused);
    expect(await jobsOf(refused)).toEqual([]);
  });
  expect(mailsOf(refused)).toHaveLength(2);
  mailServer.answer(undefined);
  await due(lost);
  await isDone(lost);
  expect(mailsOf(lost)).toHaveLength(1);
  const rows = await kit.app.platform.db.tenant(kit.tenantId, (tx) =>
    tx.rows('select state from broadcast_report where broadcast_id = any($1) order by state', [
      [refused, lost],
    ]),
  );
  expect(rows).toEqual([{ state: 'sent' }, { state: 'unknown' }]);
});

test('a proved sender of the tenant signs it', async () => {
  const body = { email_sender: { name: 'Acme', address: 'hello@acme.example' } };
  const { record } = (await kit.ask('PATCH /tenants/branding/', { body })).body.email_sender_proof;
  names.set(record.name, { txt: [record.value] });
  await kit.ask('POST /tenants/branding/verify/');
  const id = await ended(owner);
  await due(id);
  await isDone(id);
  const [mail] = mailsOf(id);
  expect(mail).toContain('From: Acme <hello@acme.example>');
  expect(mail).toMatch(/DKIM-Signature: v=1;[^:]* d=acme\.example;/);
});

test('it is in the language that is set, and not mailed where it is switched off', async () => {
  const settings = (body: object) => kit.ask('PUT /broadcast/report-settings/', { body });
  expect((await kit.ask('GET /broadcast/report-settings/')).body).toEqual({
    mail_to_creator: true,
    language: 'en',
    updated_at: null,
  });
  expect((await settings({ mail_to_creator: true, language: 'ms' })).status).toBe(200);
  const inMalay = await ended(owner);
  await due(inMalay);
  await isDone(inMalay);
  expect(mailsOf(inMalay)[0]).toContain('Penerima: 2');
  expect((await settings({ mail_to_creator: false })).body.mail_to_creator).toBe(false);
  const off = await ended(owner);
  await due(off);
  await isDone(off);
  expect(mailsOf(off)).toEqual([]);
  const agent = await kit.keyOf('agent');
  const refused = { body: { mail_to_creator: true }, as: agent };
  expect((await kit.ask('PUT /broadcast/report-settings/', refused)).status).toBe(403);
});
