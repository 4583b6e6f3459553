import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Harness, startHarness } from '../../control-plane/einvoice/harness.kit.ts';
import { noBrowser } from '../kit/browser.ts';
import {
  buildConsole,
  loadedBytes,
  signIn,
  startPeople,
  untilIdle,
  violationsOf,
  widthOf,
} from '../kit/console.ts';

// A walk has many steps, and a machine may be busy.
vi.setConfig({ testTimeout: 90_000 });

/** What may be transferred until the first page is there, fonts too: compressed. */
const firstLoadBytesMax = 250_000;

let harness: Harness;
let people: Awaited<ReturnType<typeof startPeople>>;

beforeAll(async () => {
  if (noBrowser) return;
  await buildConsole();
  harness = await startHarness({ BROWSER_LIFE_HOURS: '1' });
  const { app, acme, urls } = harness;
  people = await startPeople({ app, tenantId: acme.id, url: urls.sandbox });
}, 120_000);
afterAll(async () => {
  await people?.stop();
  await harness?.stop();
});
afterEach(() => people?.leave());

if (noBrowser) test('the console in a browser', (context) => context.skip(noBrowser));
else {
  describe('signing in', () => {
    test('an address leads to the sign-in page, and on to where it led', async () => {
      const visitor = await people.arrive();
      const { page, email, password } = visitor;
      await page.goto('/console/invoices?status=rejected');
      await page.getByLabel('E-mail').fill(email);
      await page.getByLabel('Password').fill('not this one');
      await page.getByRole('button', { name: 'Sign in' }).click();
      expect(await page.getByRole('alert').textContent()).toBe('E-mail and password do not fit.');
      await page.getByLabel('Password').fill(password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'Invoices', exact: true }).waitFor();
      expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(
        '/console/invoices?status=rejected',
      );
      expect(await loadedBytes(page)).toBeLessThan(firstLoadBytesMax);
      const kept = await page.evaluate('JSON.stringify([{ ...localStorage }, document.cookie])');
      expect(kept).not.toContain('eyJ');
      expect(visitor.faults()).toEqual([]);
    });

    test('the sign-in page leads to no other address', async () => {
      const visitor = await people.arrive();
      const { page } = visitor;
      await page.goto('/console/sign-in?next=//evil.example/');
      await signIn(visitor);
      expect(new URL(page.url()).origin).toBe(harness.urls.sandbox);
    });

    test('after signing out the way back shows nothing', async () => {
      const visitor = await people.arrive();
      const { page } = visitor;
      await page.goto('/console/');
      await signIn(visitor);
      await page.getByRole('link', { name: 'Invoices', exact: true }).click();
      await page.getByRole('heading', { name: 'Invoices', exact: true }).waitFor();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await page.goBack();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      expect(await page.getByText(visitor.email).count()).toBe(0);
      expect(visitor.faults()).toEqual([]);
    });
  });

  test('a rejected invoice tells what is wrong, where, and what helps; mended, it goes through', async () => {
    const visitor = await people.arrive();
    const { page } = visitor;
    const ref = await harness.erp.add('AE', {
      customer: { TAX_NO: '<img src=x onerror=alert(1)>' },
    });
    const { body } = await harness.submit(ref);
    await harness.until(body.id, ['rejected']);
    await page.goto('/console/');
    await signIn(visitor);
    await page.getByRole('link', { name: 'All rejected invoices' }).click();
    await page.getByRole('table').getByRole('link').first().click();
    await page.getByRole('heading', { name: 'What is wrong' }).waitFor();
    expect(await page.getByText('What helps:').count()).toBeGreaterThan(0);
    expect(await violationsOf(page)).toEqual([]);
    expect(visitor.faults()).toEqual([]);
  });

  describe.each([
    ['in English', 'en-GB', 'ltr'],
    ['in Arabic', 'ar-AE', 'rtl'],
    ['in Malay', 'ms-MY', 'ltr'],
  ])('%s', (_, locale, direction) => {
    test.each(['/console/', '/console/invoices'])('%s can be used by everybody', async (path) => {
      const visitor = await people.arrive({ einvoicing_role: 'auditor' }, { locale });
      const { page } = visitor;
      await page.goto(path);
      await page.locator('form').waitFor();
      expect(await page.locator('html').getAttribute('dir')).toBe(direction);
      expect(await violationsOf(page)).toEqual([]);
      await signIn(visitor);
      expect(await violationsOf(page)).toEqual([]);
      expect(visitor.faults()).toEqual([]);
    });
  });

  test('the API is read without signing in, and a call is sent to the sandbox', async () => {
    const visitor = await people.arrive();
    const { page } = visitor;
    await page.goto('/docs');
    await page.getByText('/v1/invoices/{id}/events').waitFor();
    await page.getByLabel('Path or words').fill('listConnectors');
    await page.getByText('GET /v1/connectors').click();
    await page.getByText('Sign in to the sandbox to send it from here.').waitFor();
    await page.getByText('Fields of the answer').click();
    await page.getByText('Fields of results').click();
    await page.getByText('default_profile').first().waitFor();
    await page.goto('/console/');
    await signIn(visitor);
    await page.goto('/console/docs');
    await page.getByLabel('Path or words').fill('submitInvoice');
    await page.getByText('POST /v1/invoices').click();
    await page.getByRole('button', { name: 'Send to the sandbox' }).click();
    await page.getByRole('status').getByText('"connector_not_found"').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(visitor.faults()).toEqual([]);
  });

  test('the end of a session is told before; afterwards one is back where one was, with what was typed', async () => {
    const visitor = await people.arrive(undefined, { viewport: { width: 360, height: 740 } });
    const { page } = visitor;
    await page.clock.install();
    /** For the browser and for the server. */
    const pass = async (seconds: number) => {
      harness.advance(seconds * 1_000);
      await page.clock.fastForward(seconds * 1_000);
    };
    let [asked, answered] = [0, 0];
    const isForNews = (request: { url(): string }) => request.url().includes('status=rejected');
    page.on('request', (request) => {
      if (isForNews(request)) asked += 1;
    });
    page.on('requestfinished', (request) => {
      if (isForNews(request)) answered += 1;
    });
    await page.goto('/console/');
    await signIn(visitor);
    const dialog = page.getByRole('dialog', { name: 'You will be signed out soon' });
    const stay = dialog.getByRole('button', { name: 'Stay signed in' });

    // The overview looks for news by itself; only what a person does counts.
    for (let minute = 0; minute < 26; minute += 2) {
      await pass(2 * 60);
      // What is still being asked is not asked anew.
      await expect.poll(() => answered).toBe(asked);
    }
    expect(asked).toBeGreaterThan(5);
    expect(await dialog.count()).toBe(0);
    await pass(90);
    await dialog.getByText(/You will be signed out in 1:\d\d minutes/).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(await widthOf(page)).toBeLessThanOrEqual(360);
    await stay.click();
    await dialog.waitFor({ state: 'detached' });
    await page.goto('/console/company');
    const field = page.getByRole('textbox').first();
    const label = await page.locator('#content form label').first().textContent();
    await field.fill('Acme <b>Trading');
    await pass(15 * 60);
    // Who writes for long sends nothing, and is there all the same.
    await field.press('End');
    await field.pressSequentially('</b>');
    const told = page.waitForResponse(/\/v1\/session$/);
    await pass(65);
    await told;
    await pass(11 * 60 + 30);
    expect(await dialog.count()).toBe(0);
    expect(await field.inputValue()).toBe('Acme <b>Trading</b>');

    // No use puts off the last end.
    await pass(3 * 60 + 30);
    await dialog.getByText('lasted as long as it may').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Finish first' }).click();
    await dialog.waitFor({ state: 'detached' });
    await pass(2 * 60);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await signIn(visitor);
    expect(new URL(page.url()).pathname).toBe('/console/company');
    await page.getByRole('heading', { name: 'What you had typed' }).waitFor();
    const kept = page.getByRole('textbox', { name: label! }).first();
    expect(await kept.inputValue()).toBe('Acme <b>Trading</b>');
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'I need none of it' }).click();
    await page.reload();
    await page.locator('#content h1').waitFor();
    expect(await page.getByRole('heading', { name: 'What you had typed' }).count()).toBe(0);
    expect(visitor.faults()).toEqual([]);
  });

  test('a session that was begun in another window is not ended with the one before it', async () => {
    const visitor = await people.arrive();
    const { page, email, password } = visitor;
    await page.clock.install();
    await page.goto('/console/company');
    await signIn(visitor);
    const isOfSession = (answer: { url(): string }) => answer.url().endsWith('/v1/session');
    const pass = async (minutes: number) => {
      await page.keyboard.press('Shift');
      const told = page.waitForResponse(isOfSession);
      harness.advance(minutes * 60_000);
      await page.clock.fastForward(minutes * 60_000);
      await told;
    };
    for (let turn = 0; turn < 5; turn += 1) await pass(10);
    // As a sign-in through an identity provider does: the other windows are not told of it.
    const body = JSON.stringify({ email, password });
    const begin = `fetch('/v1/session', { method: 'POST', body: ${JSON.stringify(body)},
      headers: { 'content-type': 'application/json' } }).then((answer) => answer.status)`;
    expect(await page.evaluate(begin)).toBe(200);
    const asked: string[] = [];
    page.on('request', (request) => {
      if (isOfSession(request)) asked.push(request.method());
    });
    await pass(9);
    await pass(2);
    await untilIdle(page);
    expect(asked).not.toContain('DELETE');
    expect(await page.evaluate(`fetch('/v1/session').then((answer) => answer.status)`)).toBe(200);
    expect(new URL(page.url()).pathname).toBe('/console/company');
  });

  test('who signs out in one window is signed out of the others, which keep nothing', async () => {
    const visitor = await people.arrive();
    const { page } = visitor;
    await page.goto('/console/company');
    await signIn(visitor);
    await page.locator('form').getByRole('textbox').first().fill('Half a name');
    const other = await page.context().newPage();
    await other.goto('/console/');
    await other.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await signIn(visitor);
    await page.goto('/console/company');
    await page.locator('form').getByRole('textbox').first().waitFor();
    expect(await page.getByRole('heading', { name: 'What you had typed' }).count()).toBe(0);
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('Half a name');
    expect(visitor.faults()).toEqual([]);
  });

  test('a dialog that is closed gives the focus back, and begins anew', async () => {
    const visitor = await people.arrive({ role: 'owner' });
    const { page } = visitor;
    await page.goto('/console/members');
    await signIn(visitor);
    const opener = page.getByRole('button', { name: 'Remove' }).last();
    const focused = () => opener.evaluate((each) => each.matches(':focus'));
    for (const close of [
      () => page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click(),
      () => page.keyboard.press('Escape'),
    ]) {
      await opener.press('Enter');
      await page.getByRole('dialog').waitFor();
      await close();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(await focused()).toBe(true);
    }
    const problem = { code: 'no_way_back', detail: 'Not this one.', request_id: 'req_1' };
    await page.route('**/v1/members/*', (route) => route.fulfill({ status: 409, json: problem }));
    const dialog = page.getByRole('dialog');
    await opener.click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await dialog.getByText('Not this one.').waitFor();
    await page.keyboard.press('Escape');
    await opener.click();
    await dialog.waitFor();
    expect(await dialog.getByRole('alert').count()).toBe(0);
  });

  test('a currency that somebody made up is shown as it is', async () => {
    const visitor = await people.arrive();
    const { page, faults } = visitor;
    const row = {
      id: 'rcv_1',
      network_id: 'n1',
      source: 'peppol',
      status: 'received',
      number: 'INV-1',
      supplier: { id: '0192:1', name: 'Nord' },
      issue_date: '2026-11-01',
      currency: '<b>EURO</b>',
      gross: '1250.5',
      errors: [],
      warnings: [],
      received_at: '2026-11-02T08:00:00.000Z',
    };
    await page.route(
      (url) => url.pathname === '/v1/received',
      (route) => route.fulfill({ json: { results: [row], next: null } }),
    );
    await page.goto('/console/received');
    await signIn(visitor);
    await page.getByRole('cell', { name: '1,250.5 <b>EURO</b>' }).waitFor();
    expect(faults()).toEqual([]);
  });

  test('what its supplier has cancelled says so, also while its draft is in the ERP', async () => {
    const visitor = await people.arrive();
    const { page, faults } = visitor;
    const row = {
      id: 'rcv_1',
      network_id: 'n1',
      source: 'cnx_1',
      status: 'imported',
      number: 'INV-1',
      errors: [],
      warnings: [],
      import: { outcome: 'conflict', reason: 'status is "posted"', at: '2026-11-02T08:00:00.000Z' },
      cancelled_at: '2026-11-02T08:00:00.000Z',
      cancel_reason: 'wrong buyer',
      received_at: '2026-11-01T08:00:00.000Z',
    };
    await page.route(
      (url) => url.pathname.startsWith('/v1/received'),
      (route) => {
        const { pathname, searchParams } = new URL(route.request().url());
        if (pathname.endsWith('/responses')) return route.fulfill({ json: { results: [] } });
        if (pathname !== '/v1/received') return route.fulfill({ json: row });
        const results = searchParams.get('cancelled') === 'true' ? [row] : [];
        return route.fulfill({ json: { results, next: null } });
      },
    );
    await page.goto('/console/');
    await signIn(visitor);
    await page.getByRole('link', { name: 'All that are still in the ERP' }).click();
    await page.waitForURL(/status=imported&cancelled=true/);
    await page.getByRole('cell', { name: 'In the ERP Cancelled by its supplier' }).waitFor();
    await page.getByRole('link', { name: 'INV-1' }).click();
    await page.getByText('Not done: somebody must look at it · status is "posted"').waitFor();
    await page.getByText('wrong buyer').waitFor();
    expect(faults()).toEqual([]);
  });

  test('numbers within a text have the digits of its language', async () => {
    const visitor = await people.arrive(undefined, { locale: 'ar-AE' });
    const { page } = visitor;
    await page.goto('/console/');
    await signIn(visitor);
    await page.getByText(/من ٥/).waitFor();
  });

  test('what a list is narrowed by is in its address: it stays, and the way back shows it', async () => {
    const visitor = await people.arrive();
    const { page } = visitor;
    await page.goto('/console/audit-log');
    await signIn(visitor);
    await page.getByLabel('What', { exact: true }).fill('signIn');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.waitForURL(/action=signIn/);
    await page.reload();
    const action = page.getByLabel('What', { exact: true });
    await expect.poll(() => action.inputValue()).toBe('signIn');
    await page.getByLabel('Outcome').selectOption('refused');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.waitForURL(/outcome=refused/);
    await page.goBack();
    await expect.poll(() => page.getByLabel('Outcome').inputValue()).toBe('');
    await page.goto('/console/received?status=imported');
    expect(await page.getByLabel('State').inputValue()).toBe('imported');
  });

  test('where pages may not copy, as without TLS, the text is marked to be copied', async () => {
    const visitor = await people.arrive({ role: 'owner', einvoicing_role: 'finance_admin' });
    const { page, faults } = visitor;
    await page.addInitScript(`Object.defineProperty(navigator, 'clipboard', { value: undefined })`);
    await page.goto('/console/identity-provider');
    await signIn(visitor);
    await page.getByRole('button', { name: 'Copy: Redirect URI' }).first().click();
    const marked = await page.evaluate('document.activeElement.selectionEnd');
    expect(marked).toBeGreaterThan(10);
    expect(faults()).toEqual([]);
  });

  test('on a narrow screen nothing is cut off', async () => {
    const visitor = await people.arrive(undefined, { viewport: { width: 360, height: 740 } });
    const { page } = visitor;
    await page.goto('/console/');
    await signIn(visitor);
    expect(await widthOf(page)).toBeLessThanOrEqual(360);
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Invoices', exact: true }).click();
    await page.getByRole('heading', { name: 'Invoices', exact: true }).waitFor();
    expect(await widthOf(page)).toBeLessThanOrEqual(360);
  });

  test('no other page can show it in a frame, and nothing foreign runs in it', async () => {
    const answer = await fetch(`${harness.urls.sandbox}/console/`);
    const policy = answer.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|http|\*/);
    expect(await answer.text()).not.toMatch(/<script(?![^>]* src=)|\son\w+=|style=/);
    const old = await fetch(`${harness.urls.sandbox}/console/assets/of-another-build.js`);
    expect(old.status).toBe(404);
  });
}
