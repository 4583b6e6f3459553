import { randomBytes } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeMember } from '../../people/members/new-member.ts';
import type { MemberRoles } from '../../people/roles/member-roles.ts';
import { newId } from '../../platform/ids.ts';
import { type ServiceKit, startService } from '../service.kit.ts';
import { findPrices, setPrice } from './wallet/price-store.ts';
import { findWallet, release, reserve, reserveMany, settle, topUp } from './wallet/store.ts';

let kit: ServiceKit;

beforeAll(async () => {
  kit = await startService();
});
afterAll(() => kit.stop());

const png = Buffer.concat([
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
  Buffer.alloc(40),
]).toString('base64');
const branding = (body: unknown, as?: string) => kit.ask('PATCH /tenants/branding/', { body, as });

describe('branding', () => {
  test('absent fields stay, null removes one, and both environments see it', async () => {
    const sender = { name: 'Acme', address: 'hello@acme.example' };
    await branding({ custom_domain: 'Chat.Acme.example', email_sender: sender, logo: png });
    const { body } = await branding({ custom_domain: null });
    expect(body).toMatchObject({ custom_domain: null, email_sender: sender });
    expect(body.logo).toMatchObject({ content_type: 'image/png', bytes: 56 });
    const live = await kit.ask('GET /tenants/branding/', { on: 'live' });
    expect(live.body.email_sender).toEqual(sender);
    const logo = await kit.ask('GET /tenants/branding/logo/');
    expect(logo.headers.get('content-type')).toBe('image/png');
    expect(logo.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test.each([
    ['an address', { logo: 'https://example.com/logo.png' }],
    ['SVG', { logo: Buffer.from('<svg onload="alert(1)"/>').toString('base64') }],
    ['too much', { logo: Buffer.alloc(300_000).toString('base64') }],
    ['an IP address', { custom_domain: '10.0.0.1' }],
    ['a bare word', { custom_domain: 'localhost' }],
    ['a path', { custom_domain: 'a.example/x' }],
    ['a header', { email_sender: { name: 'x\r\nBcc: y@z.example', address: 'a@b.example' } }],
    ['no address', { email_sender: { name: 'x', address: 'nobody' } }],
    ['an unknown field', { theme: 'dark' }],
  ])('%s is refused, and the field is named', async (_, body) => {
    const answer = await branding(body);
    expect([answer.status, Object.keys(answer.body.errors)[0]?.split('.')[0]]).toEqual([
      400,
      Object.keys(body)[0],
    ]);
  });
});

async function mailedToken(): Promise<string> {
  const folder = join(kit.home, 'mail');
  const name = (await readdir(folder)).sort().at(-1)!;
  expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
  return /^([\w-]{43})\r?$/m.exec(await readFile(join(folder, name), 'utf8'))![1]!;
}

describe('members', () => {
  const invite = (email: string, role = 'agent', as?: string) =>
    kit.ask('POST /tenants/members/invite/', { body: { email, role }, as });
  const accept = (token: string, password = 'a long enough password') =>
    kit.ask('POST /tenants/members/accept/', {
      as: '',
      body: { token, name: 'Newcomer', password },
    });

  test('the token in the mail makes a member, once', async () => {
    expect((await invite('New@Example.com')).status).toBe(201);
    const token = await mailedToken();
    expect((await accept(token, 'short')).status).toBe(400);
    const joined = await accept(token);
    expect(joined).toMatchObject({
      status: 201,
      body: { email: 'new@example.com', role: 'agent' },
    });
    expect((await accept(token)).body.code).toBe('invitation_not_found');
    expect((await invite('new@example.com')).body.code).toBe('already_member');
    const body = { email: 'new@example.com', password: 'a long enough password' };
    expect((await kit.ask('POST /token/', { as: '', body })).body.role).toBe('agent');
    expect(JSON.stringify((await kit.ask('GET /tenants/members/invite/')).body)).not.toContain(
      'new@example.com',
    );
  });

  test('of many concurrent uses of one token, one makes a member', async () => {
    await invite('race@example.com');
    const token = await mailedToken();
    const answers = await Promise.all(Array.from({ length: 4 }, () => accept(token)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  });

  test('an expired, replaced or withdrawn invitation is void', async () => {
    await invite('void@example.com');
    const first = await mailedToken();
    const { body } = await invite('void@example.com');
    const second = await mailedToken();
    expect((await accept(first)).status).toBe(404);
    expect((await kit.ask(`DELETE /tenants/members/invite/${body.id}/`)).status).toBe(204);
    expect((await accept(second)).status).toBe(404);
    await invite('void@example.com');
    kit.later(7 * 86_400_000 + 1);
    expect((await accept(await mailedToken())).status).toBe(404);
  });

  test('a person with an account joins another tenant with the same password', async () => {
    const stranger = await kit.keyOf('owner', kit.strangerId);
    await invite('new@example.com', 'analyst', stranger);
    const token = await mailedToken();
    expect((await accept(token, 'another long password')).body.code).toBe('wrong_password');
    expect(await accept(token)).toMatchObject({ status: 201, body: { role: 'analyst' } });
  });

  test('of a workspace that invites without end few are mailed', async () => {
    const stranger = await kit.keyOf('owner', kit.strangerId);
    const many = Array.from({ length: 33 }, (_, n) =>
      invite(`victim${n % 3}@example.com`, 'agent', stranger),
    );
    const answers = await Promise.all(many);
    expect(answers.filter(({ status }) => status === 201).length).toBeLessThanOrEqual(30);
    const refused = answers.filter(({ body }) => body.code === 'rate_limited');
    expect(refused.length).toBeGreaterThanOrEqual(3);
    expect(refused[0]!.headers.get('retry-after')).not.toBeNull();
  });

  describe('in e-invoicing', () => {
    const inviteAs = (body: object, as?: string) =>
      kit.ask('POST /tenants/members/invite/', { body, as });
    const sessionOf = async (email: string, roles: Partial<MemberRoles>) => {
      const { platform } = kit.app;
      const { userId } = await makeMember(platform, kit.tenantId, { email, name: 'X', ...roles });
      return { userId, ...(await platform.sessions.begin(userId, kit.tenantId, 'sandbox')) };
    };

    test('a person may have a role there alone, and then sees nothing of messaging', async () => {
      await inviteAs({ email: 'clerk@example.com', einvoicing_role: 'operator' });
      expect(await accept(await mailedToken())).toMatchObject({
        status: 201,
        body: { role: null, einvoicing_role: 'operator' },
      });
      const body = { email: 'clerk@example.com', password: 'a long enough password' };
      const signedIn = await kit.ask('POST /token/', { as: '', body });
      expect(signedIn.body).toMatchObject({ role: null, einvoicing_role: 'operator' });
      const { access: as } = signedIn.body;
      expect((await kit.ask('GET /contacts/', { as })).status).toBe(403);
      expect((await kit.ask('GET /tenants/roles/', { as })).body.results).toContainEqual(
        expect.objectContaining({ service: 'e-invoicing', name: 'approver' }),
      );
    });

    test('a finance admin hands on roles of e-invoicing, and none of messaging', async () => {
      const { access: as } = await sessionOf('fin@example.com', {
        einvoicing_role: 'finance_admin',
      });
      const auditor = { email: 'audit@example.com', einvoicing_role: 'auditor' };
      expect((await inviteAs(auditor, as)).status).toBe(201);
      const agent = { ...auditor, email: 'agent2@example.com', role: 'agent' };
      expect((await inviteAs(agent, as)).body.code).toBe('role_too_strong');
    });

    test('an admin of messaging hands on none, and takes none away', async () => {
      const { access: as } = await sessionOf('adm@example.com', { role: 'admin' });
      const asked = { email: 'x2@example.com', einvoicing_role: 'auditor' };
      expect((await inviteAs(asked, as)).body.code).toBe('role_too_strong');
      const { userId } = await sessionOf('both@example.com', {
        role: 'agent',
        einvoicing_role: 'approver',
      });
      const path = `/tenants/users/${userId}/`;
      const change = (body: object, of?: string) => kit.ask(`PATCH ${path}`, { body, as: of });
      expect((await kit.ask(`DELETE ${path}`, { as })).body.code).toBe('role_too_strong');
      expect((await change({ einvoicing_role: null }, as)).body.code).toBe('role_too_strong');
      expect((await change({ role: 'analyst' }, as)).body).toMatchObject({
        role: 'analyst',
        einvoicing_role: 'approver',
      });
      expect((await change({ role: null })).body.role).toBe(null);
      expect((await change({ einvoicing_role: null })).status).toBe(400);
    });

    test('an invitation without any role is refused', async () => {
      expect((await inviteAs({ email: 'none@example.com' })).status).toBe(400);
    });
  });

  test('nobody can grant, remove or keep more than their own permissions', async () => {
    const [admin, developer] = [await kit.keyOf('admin'), await kit.keyOf('developer')];
    expect((await invite('boss@example.com', 'owner', admin)).body.code).toBe('role_too_strong');
    expect((await invite('bill@example.com', 'billing', admin)).status).toBe(201);
    const issue = (role: string, as: string) =>
      kit.ask('POST /tenants/api-keys/', { body: { name: 'k', role }, as });
    expect((await issue('admin', developer)).body.code).toBe('role_too_strong');
    expect((await issue('agent', developer)).status).toBe(201);
    const { results } = (await kit.ask('GET /tenants/users/')).body;
    const owner = results.find(({ role }: { role: string }) => role === 'owner');
    const change = (as?: string) =>
      kit.ask(`PATCH /tenants/users/${owner.id}/`, { body: { role: 'agent' }, as });
    expect((await change(admin)).body.code).toBe('role_too_strong');
    expect((await change()).body.code).toBe('last_owner');
    const gone = await kit.ask(`DELETE /tenants/users/${owner.id}/`);
    expect(gone.body.code).toBe('last_owner');
  });
});

test('an issued key works in its role and environment, is shown once, and stops when revoked', async () => {
  const body = { name: 'CRM', role: 'analyst', allowed_ips: ['::ffff:127.0.0.1'] };
  const issued = await kit.ask('POST /tenants/api-keys/', { body });
  const { key, id } = issued.body;
  expect(key).toMatch(/^jc_test_/);
  expect((await kit.ask('GET /contacts/', { as: key })).status).toBe(200);
  expect((await kit.ask('POST /contacts/', { as: key, body: {} })).status).toBe(403);
  expect((await kit.ask('GET /contacts/', { as: key, on: 'live' })).body.code).toBe(
    'wrong_environment',
  );
  const list = JSON.stringify((await kit.ask('GET /tenants/api-keys/')).body);
  expect(list).toContain(id);
  expect(list).toContain('"allowed_ips":["127.0.0.1/32"]');
  expect(list).not.toContain(key);
  const live = await kit.ask('GET /tenants/api-keys/', { on: 'live' });
  expect(JSON.stringify(live.body)).not.toContain(id);
  expect((await kit.ask(`DELETE /tenants/api-keys/${id}/`, { on: 'live' })).status).toBe(404);
  expect((await kit.ask(`DELETE /tenants/api-keys/${id}/`)).status).toBe(204);
  kit.later(1_001);
  expect((await kit.ask('GET /contacts/', { as: key })).body.code).toBe('revoked_credentials');
});

test('a key issues none for more addresses or longer than it has itself', async () => {
  const narrow = { allowed_ips: ['127.0.0.0/8'], expires_at: '2099-01-01T00:00:00Z' };
  const issue = (body: object, as?: string) =>
    kit.ask('POST /tenants/api-keys/', { body: { name: 'k', role: 'admin', ...body }, as });
  const { key } = (await issue(narrow)).body;
  const { allowed_ips, expires_at } = narrow;
  expect((await issue({ allowed_ips: ['127.0.0.1'], expires_at }, key)).status).toBe(201);
  for (const wider of [{ expires_at }, { allowed_ips: ['126.0.0.0/7'], expires_at }])
    expect((await issue(wider, key)).body.errors).toHaveProperty('allowed_ips');
  for (const longer of [{ allowed_ips }, { allowed_ips, expires_at: '2099-01-01T00:00:01Z' }])
    expect((await issue(longer, key)).body.errors).toHaveProperty('expires_at');
});

test('a key is read, renamed and given an end, by those who may issue one in its role', async () => {
  const { body: issued } = await kit.ask('POST /tenants/api-keys/', {
    body: { name: 'old', role: 'admin' },
  });
  const path = `/tenants/api-keys/${issued.id}/`;
  const expires_at = '2099-01-01T00:00:00.000Z';
  const changed = await kit.ask(`PATCH ${path}`, { body: { name: 'new', expires_at } });
  expect(changed.body).toMatchObject({ name: 'new', role: 'admin', expires_at });
  expect((await kit.ask(`GET ${path}`)).body).toEqual(changed.body);
  const { key } = (
    await kit.ask('POST /tenants/api-keys/', { body: { name: 'k', role: 'developer' } })
  ).body;
  const refused = await kit.ask(`PATCH ${path}`, { body: { name: 'x' }, as: key });
  expect([refused.status, refused.body.code]).toEqual([403, 'role_too_strong']);
  expect((await kit.ask(`PATCH ${path}`, { body: { role: 'owner' } })).status).toBe(400);
  expect((await kit.ask(`GET ${path}`, { on: 'live' })).status).toBe(404);
  await kit.ask(`DELETE ${path}`);
  const gone = await kit.ask(`PATCH ${path}`, { body: { name: 'x' } });
  expect([gone.status, gone.body.code]).toEqual([409, 'api_key_revoked']);
});

test('tags are made, renamed and removed, and names are unique', async () => {
  const make = (name: string) => kit.ask('POST /tenants/tenant-tags/', { body: { name } });
  const { body: north } = await make('North');
  expect((await make('north')).body.code).toBe('tag_exists');
  const path = `/tenants/tenant-tags/${north.id}/`;
  const renamed = await kit.ask(`PATCH ${path}`, { body: { name: 'South', colour: '#00FF00' } });
  expect(renamed.body).toMatchObject({ name: 'South', colour: '#00ff00' });
  expect((await kit.ask('GET /tenants/tenant-tags/', { on: 'live' })).body.results).toHaveLength(1);
  expect((await kit.ask(`DELETE ${path}`)).status).toBe(204);
  expect((await kit.ask('GET /tenants/tenant-tags/')).body.results).toEqual([]);
});

test('the business account and the set-up steps belong to an environment', async () => {
  const body = {
    account_id: '1055',
    name: 'Acme',
    phone_numbers: [{ id: '7', phone: '+97141234567' }],
  };
  expect((await kit.ask('PUT /tenants/waba-info/', { body })).body.connected).toBe(true);
  expect((await kit.ask('GET /tenants/waba-info/', { on: 'live' })).body.connected).toBe(false);
  const done = async (on: 'live' | 'sandbox') => {
    const { results } = (await kit.ask('GET /tenants/onboarding-options/', { on })).body;
    const wa = results.find(({ id }: { id: string }) => id === 'wa');
    return wa.steps.find(({ next }: { next: string }) => next === 'PUT /tenants/waba-info/').done;
  };
  expect([await done('sandbox'), await done('live')]).toEqual([true, false]);
});

describe('the wallet', () => {
  // That of the sandbox is filled from the start.
  const environment = 'live';
  const now = new Date();
  const inTenant = <T>(work: Parameters<typeof kit.app.platform.db.tenant<T>>[1]) =>
    kit.app.platform.db.tenant(kit.tenantId, work);
  const paid = (amount: string, reference: string, currency = 'USD') => {
    const entryId = newId('wle', () => new Date(), randomBytes);
    const change = { environment, amount, currency, reference, entryId, now } as const;
    return inTenant((tx) => topUp(tx, kit.tenantId, change));
  };
  const promise = (reference: string, amount: string) =>
    inTenant((tx) => reserve(tx, kit.tenantId, { environment, reference, amount }, now));
  const charge = (reference: string, amount: string) => {
    const entry = { id: newId('wle', () => new Date(), randomBytes), now };
    return inTenant((tx) => settle(tx, kit.tenantId, { environment, reference, amount }, entry));
  };
  const free = (reference: string) =>
    inTenant((tx) => release(tx, kit.tenantId, { environment, reference }));
  const shown = async () => (await kit.ask('GET /tenants/host-wallet/', { on: 'live' })).body;

  test('is empty at first, takes a payment once, and keeps its currency', async () => {
    expect(await shown()).toEqual({
      currency: null,
      balance: '0',
      reserved: '0',
      available: '0',
      low_at: null,
      is_low: false,
    });
    expect(await promise('m0', '0.01')).toBe(false);
    expect(await paid('1.00', 'p1')).toMatchObject({ balance: '1' });
    expect(await paid('1.00', 'p1')).toBeUndefined();
    expect(await paid('1.00', 'p2', 'EUR')).toBeUndefined();
    expect(await shown()).toMatchObject({ currency: 'USD', balance: '1' });
    expect((await kit.ask('GET /tenants/host-wallet/')).body.balance).toBe('1000');
  });

  test('under concurrent use never reserves more than it has', async () => {
    const granted = await Promise.all(
      Array.from({ length: 30 }, (_, n) => promise(`race ${n}`, '0.1')),
    );
    expect(granted.filter(Boolean)).toHaveLength(10);
    expect(await shown()).toMatchObject({
      currency: 'USD',
      balance: '1',
      reserved: '1',
      available: '0',
    });
  });

  test('charges at most what was reserved, once, and frees the rest', async () => {
    const [first, second, third] = await inTenant((tx) =>
      tx.rows<{ reference: string }>('select reference from wallet_hold order by reference'),
    ).then((rows) => rows.map(({ reference }) => reference));
    expect(await charge(first!, '0.11')).toBe(false);
    expect(await charge(first!, '0.033333')).toBe(true);
    expect(await charge(first!, '0.01')).toBe(false);
    expect(await free(second!)).toBe(true);
    expect(await free(second!)).toBe(false);
    expect(await promise(second!, '0.1')).toBe(false);
    expect(await promise(third!, '0.1')).toBe(true);
    expect(await shown()).toMatchObject({
      currency: 'USD',
      balance: '0.966667',
      reserved: '0.8',
      available: '0.166667',
    });
    expect(await paid('-0.2', 'c1')).toBeUndefined();
    expect(await paid('-0.1', 'c2')).toMatchObject({ available: '0.066667' });
  });

  test('the ledger adds up to the balance', async () => {
    const { results } = (await kit.ask('GET /tenants/host-wallet/entries/', { on: 'live' })).body;
    expect(
      results.map(({ kind, amount }: { kind: string; amount: string }) => [kind, amount]),
    ).toEqual([
      ['correction', '-0.1'],
      ['charge', '-0.033333'],
      ['top_up', '1'],
    ]);
    const wallet = await inTenant((tx) => findWallet(tx, kit.tenantId, environment));
    expect(results[0].balance_after).toBe(wallet!.balance);
  });

  test('many amounts are reserved together or not at all, and never more than it has', async () => {
    const id = kit.strangerId;
    const { db } = kit.app.platform;
    const change = { environment, amount: '1', currency: 'USD', reference: 'p', now } as const;
    const entryId = newId('wle', () => now, randomBytes);
    await db.tenant(id, (tx) => topUp(tx, id, { ...change, entryId }));
    const both = (n: number) =>
      ['a', 'b'].map((half) => ({ reference: `${n}${half}`, amount: '0.07' }));
    const granted = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        db.tenant(id, (tx) => reserveMany(tx, id, environment, both(n), now)),
      ),
    );
    expect(granted.filter(Boolean)).toHaveLength(7);
    expect(await db.tenant(id, (tx) => findWallet(tx, id, environment))).toMatchObject({
      balance: '1',
      reserved: '0.98',
    });
  });

  test('the price is that of the longest prefix', async () => {
    const { db } = kit.app.platform;
    for (const [prefix, amount] of [
      ['', '0.1'],
      ['+60', '0.05'],
      ['+6011', '0.07'],
    ] as const) {
      const price = { channel: 'sms', currency: 'USD', prefix, amount };
      await db.system((tx) => setPrice(tx, price));
    }
    const phones = ['+60123456789', '+60112345678', '+97150'];
    const prices = await db.system((tx) => findPrices(tx, 'sms', 'USD', phones));
    expect(prices).toEqual(['0.05', '0.07', '0.1']);
  });
});
