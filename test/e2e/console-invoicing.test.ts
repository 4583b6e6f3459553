import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { erpSettings } from '../../control-plane/einvoice/erp.kit.ts';
import { type Harness, startHarness } from '../../control-plane/einvoice/harness.kit.ts';
import { totpAt } from '../../control-plane/people/second-factor/totp.kit.ts';
import { noBrowser } from '../kit/browser.ts';
import {
  buildConsole,
  signIn,
  startPeople,
  type Visitor,
  violationsOf,
  widthOf,
} from '../kit/console.ts';

// A walk has many steps, and a machine may be busy.
vi.setConfig({ testTimeout: 90_000 });

let harness: Harness;
let people: Awaited<ReturnType<typeof startPeople>>;

beforeAll(async () => {
  if (noBrowser) return;
  await buildConsole();
  harness = await startHarness();
  const { app, acme, urls } = harness;
  people = await startPeople({ app, tenantId: acme.id, url: urls.sandbox });
}, 120_000);
afterAll(async () => {
  await people?.stop();
  await harness?.stop();
});
afterEach(() => people?.leave());

/** The page at the end of a path, for somebody with a role. */
async function open(path: string, roles = {}, options = {}): Promise<Visitor> {
  const visitor = await people.arrive({ einvoicing_role: 'finance_admin', ...roles }, options);
  await visitor.page.goto(`/console${path}`);
  await signIn(visitor);
  return visitor;
}

if (noBrowser) test('the pages of e-invoicing in a browser', (context) => context.skip(noBrowser));
else {
  const paths = [
    '/received',
    '/sources',
    '/company',
    '/webhooks',
    '/keys',
    '/members',
    '/audit-log',
    '/profile',
    '/settings',
  ];

  test.each(['en-GB', 'ar-AE'])('in %s every page can be used by everybody', async (locale) => {
    const { page, faults } = await open(paths[0]!, {}, { locale });
    for (const path of paths) {
      await page.goto(`/console${path}`);
      await page.locator('#content h1').waitFor();
      expect([path, await violationsOf(page)]).toEqual([path, []]);
    }
    expect(faults()).toEqual([]);
  });

  test('every page fits a narrow screen', async () => {
    const { page } = await open(paths[0]!, {}, { viewport: { width: 360, height: 740 } });
    for (const path of paths) {
      await page.goto(`/console${path}`);
      await page.locator('#content h1').waitFor();
      await page.locator('[role=status][aria-label]').first().waitFor({ state: 'detached' });
      expect([path, await widthOf(page)]).toEqual([path, 360]);
    }
  });

  test('somebody turns on the second factor, is asked for it, and ends another session', async () => {
    const visitor = await open('/profile');
    const { page, email, password, faults } = visitor;
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByLabel('Your password').fill(password);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('img', { name: /^The key as a picture/ }).waitFor();
    const secret = await page.getByLabel('Key as text').inputValue();
    expect(await violationsOf(page)).toEqual([]);
    await page
      .getByLabel('Code of the app')
      .fill(totpAt(secret, harness.app.platform.clock().getTime()));
    await page.getByRole('button', { name: 'Confirm' }).click();
    const kept = await page.getByRole('textbox', { name: 'Recovery codes' }).inputValue();
    const [code, another] = kept.split('\n');
    await page.getByRole('button', { name: 'I have kept them' }).click();
    await page.getByText('10 recovery codes are left.').waitFor();

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel(/^Code/).fill(code!);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('#content h1').waitFor();
    await page.request.post('/v1/token', { data: { email, password, code: another } });
    await page.getByRole('link', { name: 'Your profile' }).click();
    await page.getByText('8 recovery codes are left.').waitFor();
    await page.getByRole('button', { name: 'End session' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End session' }).click();
    await page
      .getByRole('button', { name: 'End all other sessions' })
      .waitFor({ state: 'detached' });
    expect(faults()).toEqual([]);
  });

  test('how long invoices are kept is set, and what the API refuses stands at its field', async () => {
    const { page, faults } = await open('/settings');
    await page.getByLabel('Days that an invoice is kept').fill('9999999');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('[aria-invalid=true]').waitFor();
    await page.getByLabel('Days that an invoice is kept').fill('4000');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    expect((await harness.call('GET /v1/retention')).body).toEqual({ invoice_days: 4_000 });
    expect(faults()).toEqual([]);
  });

  test('an invoice is found, read as a page, printed and acknowledged; the search is kept', async () => {
    const name = '<img src=x onerror=alert(1)>';
    const ref = harness.erp.add('AE', { customer: { CUST_NAME: name } });
    const { id } = (await harness.submit(ref)).body;
    await harness.until(id, ['delivered']);
    const { page, faults } = await open('/invoices', {}, { locale: 'en-GB' });
    const today = new Date().toISOString().slice(0, 10);
    await page.getByLabel('Number of the invoice').fill(ref);
    await page.getByLabel('Name of the buyer begins with').fill(name.slice(0, 8).toUpperCase());
    await page.getByLabel('Amount at least').fill('0.01');
    await page.getByLabel('Submitted from').fill(today);
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByRole('button', { name: 'Save this search' }).click();
    await page.getByLabel('Name of the search').fill('Of today');
    await page.getByRole('dialog').getByRole('button', { name: 'Save this search' }).click();
    await page.getByLabel('Submitted from').fill('2099-01-01');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByText('No invoice fits').waitFor();
    await page.getByRole('button', { name: 'Of today' }).click();
    await page.getByRole('link', { name: ref }).click();
    await page.getByRole('link', { name: 'To read and print' }).click();
    await page.getByText(name).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('button', { name: 'Print' }).count()).toBe(0);
    expect(await page.getByRole('navigation').count()).toBe(0);
    await page.emulateMedia({ media: 'screen' });
    await page.getByRole('link', { name: 'What happened to it' }).click();
    await page.getByRole('button', { name: 'Acknowledge' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Acknowledge' }).click();
    await page.locator('#content header').getByText('Acknowledged').waitFor();
    expect(faults()).toEqual([]);
  });

  test('a key is issued for what the person may do, shown once, and revoked', async () => {
    const { page, password, faults } = await open('/keys');
    harness.advance(11 * 60_000); // the password was typed too long ago for a key
    await page.getByRole('button', { name: 'Issue a key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Issue a key' });
    await dialog.getByLabel('Name').fill('SAP <script>alert(1)</script>');
    await dialog.getByLabel('invoices:read').check();
    await dialog.getByRole('button', { name: 'Issue a key' }).click();
    const proof = page.getByRole('dialog', { name: 'Is it still you?' });
    await proof.getByLabel('Password').fill(password);
    await proof.getByRole('button', { name: 'Confirm' }).click();
    const issued = page.getByRole('dialog', { name: 'Your new key' });
    const key = await issued.getByLabel('Key').inputValue();
    expect(key).toMatch(/^sk_test_/);
    expect((await harness.call('GET /v1/invoices', undefined, { key: key })).status).toBe(200);
    await page.getByRole('button', { name: 'I have kept it' }).click();
    expect(await page.getByText(key).count()).toBe(0);
    const row = page.getByRole('row', { name: 'SAP <script>alert(1)</script>' });
    await row.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await row.getByText('Revoked').waitFor();
    harness.advance(1_001);
    expect((await harness.call('GET /v1/invoices', undefined, { key: key })).status).toBe(401);
    expect(faults()).toEqual([]);
  });

  test('an endpoint is added, and its secret is shown once', async () => {
    const { page, faults } = await open('/webhooks');
    await page.getByRole('button', { name: 'Add an endpoint' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add an endpoint' });
    await dialog.getByLabel('Address').fill('http://127.0.0.1:49321/hook');
    await dialog.getByRole('button', { name: 'Add an endpoint' }).click();
    const kept = page.getByRole('dialog', { name: 'Signing secret' });
    expect(await kept.getByLabel('Signing secret').inputValue()).toMatch(/^whsec_/);
    await page.getByRole('button', { name: 'I have kept it' }).click();
    await page.getByRole('link', { name: 'http://127.0.0.1:49321/hook' }).click();
    await page.getByRole('heading', { name: 'Deliveries' }).waitFor();
    await page.getByLabel('Body that was received').fill('{"event":"invoice.cleared"}');
    await page.getByLabel('Signing secret').fill('whsec_x');
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByText('Not genuine').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(faults()).toEqual([]);
  });

  test('somebody is invited, and an auditor may look and change nothing', async () => {
    const { page } = await open('/members');
    await page.getByRole('button', { name: 'Invite somebody' }).click();
    await page.getByRole('dialog').getByLabel('E-mail').fill('new@acme.example');
    await page.getByRole('button', { name: 'Send the invitation' }).click();
    await page.getByRole('row', { name: 'new@acme.example' }).waitFor();

    const auditor = await open('/members', { einvoicing_role: 'auditor' });
    await auditor.page.getByRole('row', { name: 'new@acme.example' }).waitFor();
    expect(await auditor.page.getByRole('main').getByRole('button').count()).toBe(0);
    await auditor.page.getByRole('link', { name: 'Audit log' }).click();
    await auditor.page.getByText('inviteMember').first().waitFor();
  });

  test('a mapping is reviewed with its evidence, and approved', async () => {
    const { body } = await harness.call('POST /v1/connectors', {
      pattern: 'database',
      kind: 'sqlite',
      name: 'Sales <i>2026</i>',
      default_profile: 'PINT-AE',
      settings: erpSettings(harness.erp.file),
    });
    const { page, faults } = await open(`/sources/${body.id}`, { einvoicing_role: 'approver' });
    await page.getByRole('heading', { name: 'What means what' }).waitFor();
    await page.getByRole('button', { name: /^Approve the .*of which we are sure$/ }).click();
    await page.getByRole('table').getByText('Approved').first().waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(faults()).toEqual([]);
    const { status } = (await harness.call(`GET /v1/connectors/${body.id}/mapping`)).body;
    expect(['partly_approved', 'approved']).toContain(status);
  });

  test('the company is told once: what is wrong stands at its field, and an auditor only reads', async () => {
    const { page, faults } = await open('/company');
    await page.getByText('Nothing is said of your company yet').waitFor();
    await page.getByLabel('Legal name').fill('Al Noor <b>Trading</b>');
    await page.getByLabel('Country').fill('AE');
    await page.getByLabel('TRN').fill('1234');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByLabel('TRN').and(page.locator('[aria-invalid=true]')).waitFor();
    expect(await page.locator('[aria-invalid=true]').count()).toBe(1);
    await page.getByLabel('TRN').fill('100234567801003');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(faults()).toEqual([]);
    const company = {
      legal_name: 'Al Noor <b>Trading</b>',
      country: 'AE',
      trn: '100234567801003',
    };
    expect((await harness.call('GET /v1/company')).body.company).toEqual(company);

    const auditor = await open('/company', { einvoicing_role: 'auditor' });
    await auditor.page.getByText(company.legal_name).waitFor();
    expect(await auditor.page.getByRole('main').getByRole('button').count()).toBe(0);
  });
}
