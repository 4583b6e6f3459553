import { createPublicKey, createVerify } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../../test/kit/eventually.ts';
import { type NameServer, startNameServer } from '../../../../test/kit/name-server.ts';
import { type ServiceKit, startService } from '../../service.kit.ts';

let kit: ServiceKit;
let names: NameServer;

beforeAll(async () => {
  names = await startNameServer();
  kit = await startService({ DNS_SERVERS: names.address });
});
afterAll(async () => {
  await kit.stop();
  await names.close();
});

const branding = (body: unknown, as?: string) => kit.ask('PATCH /tenants/branding/', { body, as });
const verify = async (as?: string) =>
  (await kit.ask('POST /tenants/branding/verify/', { as })).body;
const at = '10.1.2.3';

/** Publishes what the API asks for. */
function publish({ record }: { record: { name: string; value: string } }): void {
  names.set(record.name, { txt: ['v=spf1 -all', record.value] });
}

/** Asks us under a host name, as a visitor of the domain does through a proxy. */
function visit(
  path: string,
  host: string,
): Promise<{ status: number; location: string | undefined }> {
  return new Promise((resolve, reject) => {
    request(`${kit.url}${path}`, { headers: { host } }, (answer) => {
      answer.resume();
      resolve({ status: answer.statusCode!, location: answer.headers.location });
    })
      .on('error', reject)
      .end();
  });
}

describe('a domain', () => {
  test('counts once its TXT record is published and it has an address', async () => {
    const { body } = await branding({ custom_domain: 'chat.acme.example' });
    const { custom_domain_proof: proof } = body;
    expect(proof).toMatchObject({
      status: 'pending',
      record: { type: 'TXT', name: '_drawbridge.chat.acme.example' },
    });
    expect((await verify()).custom_domain_proof.problem).toBe(
      'there is no TXT record at _drawbridge.chat.acme.example',
    );
    names.set('_drawbridge.chat.acme.example', { txt: ['drawbridge-verification=guess'] });
    expect((await verify()).custom_domain_proof.problem).toMatch(/another one/);
    publish(proof);
    expect((await verify()).custom_domain_proof.problem).toMatch(/has no address yet/);
    const ask = () => kit.ask('GET /tenants/branding/domain/?domain=chat.acme.example', { as: '' });
    expect((await ask()).body.code).toBe('domain_unknown');
    names.set('chat.acme.example', { address: at });
    expect((await verify()).custom_domain_proof).toMatchObject({ status: 'proved', problem: null });
    expect((await ask()).body).toMatchObject({ domain: 'chat.acme.example', logo_url: null });
    expect((await kit.ask('GET /tenants/branding/domain/', { as: '' })).body.name).toBeNull();
    const { results } = (await kit.ask('GET /tenants/audit-log/')).body;
    const [latest] = results.filter((each: { action: string }) => each.action === 'verifyBranding');
    expect(latest).toMatchObject({
      subject: 'chat.acme.example',
      before: { status: 'pending' },
      after: { status: 'proved' },
    });
  });

  test('can be written down by anybody, and proved by one', async () => {
    const stranger = await kit.keyOf('owner', kit.strangerId);
    const { body } = await branding({ custom_domain: 'chat.acme.example' }, stranger);
    const own = names.asked.length;
    publish(body.custom_domain_proof);
    const { custom_domain_proof: proof } = await verify(stranger);
    expect(proof).toMatchObject({ status: 'pending', problem: /another tenant has proved/ });
    expect(names.asked.length).toBeGreaterThan(own);
    publish((await kit.ask('GET /tenants/branding/')).body.custom_domain_proof);
  });

  test.each([
    ['silent', 'silent'],
    ['broken', 'broken'],
    ['garbled', 'garbled'],
  ] as const)(
    'name servers that are %s take nothing away',
    async (_, answer) => {
      names.set('_drawbridge.chat.acme.example', answer);
      const { custom_domain_proof: proof } = await verify();
      expect(proof.status).toBe('proved');
      expect(proof.problem).toBe('the name servers of chat.acme.example gave no answer');
      publish(proof);
      await verify();
    },
    30_000,
  );

  test('what the name servers say is never shown', async () => {
    names.set('_drawbridge.chat.acme.example', { txt: ['inner secret', 'x'.repeat(4_000)] });
    expect(JSON.stringify(await verify())).not.toMatch(/inner secret|xxxx/);
    publish((await kit.ask('GET /tenants/branding/')).body.custom_domain_proof);
    await verify();
  });

  test('is looked for by itself, and counts no more when its record is gone for three days', async () => {
    names.set('_drawbridge.chat.acme.example', undefined);
    const { platform } = kit.app;
    const due = async () => {
      const { id } = (await platform.db.tenant(kit.tenantId, (tx) =>
        tx.row<{ id: string }>("select id from branding_proof where kind = 'domain'"),
      ))!;
      await platform.db.tenant(kit.tenantId, (tx) =>
        platform.jobs.runNow(tx, kit.tenantId, 'branding-proof', [id]),
      );
    };
    const shown = async () => (await kit.ask('GET /tenants/branding/')).body.custom_domain_proof;
    await due();
    await eventually(async () => expect((await shown()).problem).toMatch(/no TXT record/));
    expect((await shown()).status).toBe('proved');
    kit.later(73 * 3_600_000);
    await due();
    await eventually(async () => expect((await shown()).status).toBe('pending'));
    const { results } = (await kit.ask('GET /tenants/audit-log/')).body;
    expect(results[0]).toMatchObject({ action: 'checkBranding', actor: { kind: 'nobody' } });
  });
});

test('a proved sender signs invitations, and names the console of a proved domain', async () => {
  const mails = async () => {
    const folder = join(kit.home, 'mail');
    const files = await readdir(folder);
    return Promise.all(files.sort().map((name) => readFile(join(folder, name), 'utf8')));
  };
  const invite = (email: string) =>
    kit.ask('POST /tenants/members/invite/', { body: { email, role: 'agent' } });
  const senderSteps = async () => {
    const { body } = await kit.ask('GET /tenants/onboarding-options/');
    const { next, steps } = body.results.find(({ id }: { id: string }) => id === 'workspace');
    return { next, done: steps.slice(0, 2).map((each: { done: boolean }) => each.done) };
  };
  const { body } = await branding({
    email_sender: { name: 'Acme', address: 'Hello@acme.example' },
  });
  expect(await senderSteps()).toEqual({
    next: 'POST /tenants/branding/verify/',
    done: [true, false],
  });
  await invite('one@example.com');
  expect((await mails()).at(-1)).toMatch(/^From: Drawbridge <no-reply@localhost>/m);
  publish(body.email_sender_proof);
  publish(body.custom_domain_proof);
  const proofs = await verify();
  expect([proofs.email_sender_proof.status, proofs.custom_domain_proof.status]).toEqual([
    'proved',
    'proved',
  ]);
  expect((await senderSteps()).done).toEqual([true, true]);
  expect(JSON.stringify(proofs)).not.toMatch(/PRIVATE/);
  await invite('two@example.com');
  const mail = (await mails()).at(-1)!;
  expect(mail).toMatch(/^From: Acme <hello@acme.example>\r$/im);
  expect(mail).toContain('https://chat.acme.example/console/');
  expect(isSigned(mail, proofs.email_sender_proof.record.value)).toBe(true);
  expect(isSigned(mail.replace('Acme <', 'Evil <'), proofs.email_sender_proof.record.value)).toBe(
    false,
  );
  await branding({ email_sender: null });
  await invite('three@example.com');
  expect((await mails()).at(-1)).toMatch(/^From: Drawbridge <no-reply@localhost>/m);
});

/** Verifies a DKIM signature as RFC 6376 says (relaxed/relaxed), by the published record. */
function isSigned(mail: string, record: string): boolean {
  const [head = ''] = mail.split('\r\n\r\n');
  const headers = head.split(/\r\n(?![ \t])/);
  const named = (name: string) =>
    headers.find((each) => each.toLowerCase().startsWith(`${name}:`))!;
  const relaxed = (header: string) => {
    const [, name = '', value = ''] = /^([^:]+):([\s\S]*)$/.exec(header)!;
    return `${name.trim().toLowerCase()}:${value.replace(/\s+/g, ' ').trim()}`;
  };
  const signature = named('dkim-signature');
  const tag = (name: string) =>
    new RegExp(`[;\\s]${name}=([^;]*)`).exec(signature)![1]!.replace(/\s+/g, '');
  const signed = [
    ...tag('h')
      .split(':')
      .map((name) => relaxed(named(name.toLowerCase()))),
    relaxed(signature.replace(/([;\s]b=)[^;]*/, '$1')),
  ].join('\r\n');
  const key = createPublicKey({
    key: Buffer.from(/p=(.*)$/.exec(record)![1]!, 'base64'),
    format: 'der',
    type: 'spki',
  });
  return createVerify('rsa-sha256').update(signed).verify(key, tag('b'), 'base64');
}

test('a proved domain serves the links of its tenant, and of nobody else', async () => {
  const made = async (path: string, body: object, as?: string) => {
    const answer = await kit.ask(`POST ${path}`, { body, as });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body;
  };
  const app = { provider: 'generic-http-sms', name: 'bulk', settings: {} };
  const { id: app_id } = await made('/sms/v1/apps/', app);
  await made('/sms/v1/templates/', { name: 'sale', body: 'See {{shop}}.', category: 'MARKETING' });
  await made('/contacts/', {
    phone: '+60123457001',
    attributes: { shop: 'https://shop.test/sale' },
    segments: ['all'],
  });
  const { id } = await made('/broadcast/', { template: 'sale', app_id, segment: 'all' });
  const text = await eventually(async () => {
    const { body } = await kit.ask(`GET /broadcast/messages/?broadcast=${id}`);
    return body.results[0].preview as string;
  });
  const [, path] = /https:\/\/chat\.acme\.example(\/l\/\w+)/.exec(text)!;
  const found = { status: 302, location: 'https://shop.test/sale' };
  expect(await visit(`${path}/`, 'chat.acme.example')).toEqual(found);
  expect(await visit(`${path}/`, 'Chat.Acme.example:443')).toEqual(found);
  expect(await visit(`${path}/`, new URL(kit.url).host)).toEqual(found);
  const stranger = await kit.keyOf('owner', kit.strangerId);
  const { body } = await branding({ custom_domain: 'go.stranger.example' }, stranger);
  publish(body.custom_domain_proof);
  names.set('go.stranger.example', { address: at });
  expect((await verify(stranger)).custom_domain_proof.status).toBe('proved');
  for (const host of ['go.stranger.example', 'go.stranger.example.', 'Go.Stranger.example.:443']) {
    expect((await visit(`${path}/`, host)).status, host).toBe(404);
  }
  // A name that is nobody's shows nobody's links, whoever has made it lead here.
  expect((await visit(`${path}/`, 'evil.example')).status).toBe(404);
  // Nor does one whose record has gone: it shows those of who had proved it, and no others.
  await lapse('go.stranger.example', stranger);
  expect((await visit(`${path}/`, 'go.stranger.example')).status).toBe(404);
  await lapse('chat.acme.example');
  expect(await visit(`${path}/`, 'chat.acme.example')).toEqual(found);
  // And once somebody else has proved it, only theirs.
  const taken = await branding({ custom_domain: 'chat.acme.example' }, stranger);
  expect(await visit(`${path}/`, 'chat.acme.example')).toEqual(found);
  publish(taken.body.custom_domain_proof);
  expect((await verify(stranger)).custom_domain_proof.status).toBe('proved');
  expect((await visit(`${path}/`, 'chat.acme.example')).status).toBe(404);
});

async function lapse(domain: string, as?: string): Promise<void> {
  names.set(`_drawbridge.${domain}`, { txt: [] });
  expect((await verify(as)).custom_domain_proof.status).toBe('proved');
  kit.later(73 * 3_600_000);
  expect((await verify(as)).custom_domain_proof.status).toBe('pending');
}
