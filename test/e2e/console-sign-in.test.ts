import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Harness, startHarness } from '../../control-plane/einvoice/harness.kit.ts';
import {
  type IdentityProvider,
  startProvider,
} from '../../control-plane/people/identity-provider/provider.kit.ts';
import { noBrowser } from '../kit/browser.ts';
import { buildConsole, signIn, startPeople, violationsOf, widthOf } from '../kit/console.ts';

// A walk has many steps, and a machine may be busy.
vi.setConfig({ testTimeout: 120_000 });

let harness: Harness;
let provider: IdentityProvider;
let people: Awaited<ReturnType<typeof startPeople>>;

beforeAll(async () => {
  if (noBrowser) return;
  await buildConsole();
  harness = await startHarness({ IDENTITY_PROVIDER_ALLOW_PRIVATE: 'true' });
  const { app, acme, urls } = harness;
  const { body } = await harness.call('GET /v1/identity-provider');
  provider = await startProvider({
    redirect_uris: body.redirect_uris,
    post_logout_redirect_uris: body.sign_out_uris,
    backchannel_logout_uri: body.backchannel_logout_uri,
  });
  people = await startPeople({ app, tenantId: acme.id, url: urls.sandbox });
}, 120_000);
afterAll(async () => {
  await people?.stop();
  await harness?.stop();
  await provider?.close();
});
afterEach(() => people?.leave());

/** What the pages of the provider need are requests to another address. */
const faultsOf = (faults: readonly string[]) =>
  faults.filter((fault) => !fault.startsWith(`request: ${provider.issuer}`));

async function enterAtProvider(page: Page, login: string): Promise<void> {
  await page.getByLabel('Login').fill(login);
  await page.getByRole('button', { name: 'Continue' }).click();
}

const client = () => ({
  name: 'Acme sign-on',
  sign_in_name: 'acme',
  issuer: provider.issuer,
  client_id: provider.clientId,
  client_secret: provider.clientSecret,
  scopes: ['openid', 'email', 'profile', 'groups'],
  group_roles: [
    { group: 'audit', einvoicing_role: 'auditor' },
    { group: 'it', einvoicing_role: 'developer' },
  ],
});

if (noBrowser)
  test('signing in through a provider, in a browser', (context) => context.skip(noBrowser));
else {
  test('an owner sets the provider up, sees that it answers, tries it, and lets people in', async () => {
    const visitor = await people.arrive({ role: 'owner' });
    const { page } = visitor;
    provider.people.set('owner', {
      email: visitor.email,
      email_verified: true,
      groups: ['audit', 'everybody'],
    });
    await page.goto('/console/identity-provider');
    await signIn(visitor);
    const redirectUri = page.getByRole('textbox', { name: 'Redirect URI' }).nth(1);
    expect(await redirectUri.inputValue()).toBe(
      `${harness.urls.sandbox}/v1/sign-in/${harness.acme.id}/callback`,
    );
    await page.getByLabel('Name', { exact: true }).fill('Acme sign-on');
    await page.getByLabel('Sign-in name').fill('acme');
    await page.getByLabel('Issuer').fill(provider.issuer);
    await page.getByLabel('Client ID').fill(provider.clientId);
    await page.getByLabel('Client secret').fill(provider.clientSecret);
    await page.getByLabel('Scopes').fill('openid email profile groups');
    await page.getByLabel('Group', { exact: true }).fill('audit');
    await page.getByLabel('In e-invoicing').first().selectOption('auditor');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.', { exact: true }).waitFor();
    expect(await page.getByLabel('Client secret').inputValue()).toBe('');
    await page.getByRole('button', { name: 'Does it answer?' }).click();
    await page.getByText('It answers.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Try a sign-in' }).click();
    await enterAtProvider(page, 'owner');
    await page.getByRole('heading', { name: 'The last trial' }).waitFor();
    await page.getByText('audit, everybody').waitFor();
    await page
      .getByRole('definition')
      .filter({ hasText: /^auditor$/ })
      .waitFor();
    // The trial signed nobody in: it is still the owner's session.
    await page.getByLabel('People sign in through it').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.', { exact: true }).waitFor();
    expect(faultsOf(visitor.faults())).toEqual([]);
  });

  describe('with a provider', () => {
    beforeAll(async () => {
      const key = harness.acme.keys.sandbox;
      const answer = await harness.call('PUT /v1/identity-provider', client(), { key });
      expect(answer.status).toBe(200);
    });

    test('somebody signs in by it, may what the role may, and signs out of both', async () => {
      provider.people.set('amal', { email: 'amal@acme.example', name: 'Amal', groups: ['audit'] });
      const visitor = await people.arrive();
      const { page } = visitor;
      await page.goto('/console/members');
      await page.getByRole('button', { name: 'Continue through your organisation' }).click();
      await page.getByLabel('Workspace').fill('nobody');
      const go = page.getByRole('button', { name: 'Go on to the identity provider' });
      await go.click();
      await page.getByText('No workspace is signed in to by this name.').waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await page.getByLabel('Workspace').fill('Acme');
      await go.click();
      await enterAtProvider(page, 'amal');
      await page.getByRole('heading', { name: 'Members' }).waitFor();
      await page.getByText('amal@acme.example').first().waitFor();
      // An auditor sees members, and invites nobody: neither by the page nor around it.
      expect(await page.getByRole('button', { name: 'Invite somebody' }).count()).toBe(0);
      const invited = await page.evaluate<number>(
        `fetch('/v1/invitations', { method: 'POST', headers: { 'content-type': 'application/json' },
          body: '{"email":"x@acme.example","einvoicing_role":"auditor"}' }).then((a) => a.status)`,
      );
      expect(invited).toBe(403);
      await page.getByRole('link', { name: 'Your profile' }).click();
      await page.getByText('looks after your password').waitFor();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('button', { name: 'Yes, sign out' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      expect(new URL(page.url()).origin).toBe(harness.urls.sandbox);
      // Neither here nor there anybody is signed in; the browser knows the workspace.
      await page.goto('/console/members');
      expect(await page.getByLabel('Workspace').inputValue()).toBe('acme');
      await go.click();
      await page.getByLabel('Login').waitFor();
      expect(faultsOf(visitor.faults())).toEqual([]);
    });

    test('whoever is in no group is told in plain words, with a code and the id of the request', async () => {
      provider.people.set('badr', { email: 'badr@acme.example', groups: ['others'] });
      const { page, faults } = await people.arrive(undefined, {
        viewport: { width: 360, height: 740 },
      });
      await page.goto('/console/sign-in?workspace=acme');
      await page.getByRole('button', { name: 'Go on to the identity provider' }).click();
      await enterAtProvider(page, 'badr');
      await page.getByText('You are in no group that may work here.').waitFor();
      await page.getByText(/^no_role · req_\w+$/).waitFor();
      expect(await violationsOf(page)).toEqual([]);
      expect(await widthOf(page)).toBeLessThanOrEqual(360);
      expect(faultsOf(faults())).toEqual([]);
    });

    test.each([
      ['in Arabic', 'ar-AE'],
      ['in Malay', 'ms-MY'],
    ])('%s, on a narrow screen, the settings can be used by everybody', async (_, locale) => {
      const viewport = { width: 360, height: 740 };
      const visitor = await people.arrive({ role: 'owner' }, { locale, viewport });
      const { page } = visitor;
      await page.goto('/console/identity-provider');
      await signIn(visitor);
      await page.locator('fieldset').first().waitFor();
      expect(await violationsOf(page)).toEqual([]);
      expect(await widthOf(page)).toBeLessThanOrEqual(360);
      expect(faultsOf(visitor.faults())).toEqual([]);
    });

    test('an address that somebody made up shows none of its words', async () => {
      const { page } = await people.arrive();
      await page.goto('/console/sign-in?problem=Call+0900-EVIL&request_id=%3Cb%3E');
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      expect(await page.getByText('EVIL').count()).toBe(0);
      await page.goto('/console/sign-in?problem=made_up');
      await page.getByText('Signing in failed.').waitFor();
    });

    test('a key waits until the person has shown at the provider who they are, in another window', async () => {
      provider.people.set('dana', { email: 'dana@acme.example', name: 'Dana', groups: ['it'] });
      const { page, faults } = await people.arrive();
      await page.goto('/console/sign-in?workspace=acme&next=%2Fkeys');
      await page.getByRole('button', { name: 'Go on to the identity provider' }).click();
      await enterAtProvider(page, 'dana');
      await page.getByRole('button', { name: 'Issue a key' }).first().waitFor();
      harness.advance(11 * 60_000);
      await page.getByRole('button', { name: 'Issue a key' }).first().click();
      await page.getByLabel('Name').fill('ERP');
      await page.getByLabel('invoices:read', { exact: true }).check();
      await page.getByRole('button', { name: 'Issue a key' }).last().click();
      const [opened] = await Promise.all([
        page.context().waitForEvent('page'),
        page.getByRole('link', { name: 'Go to the identity provider' }).click(),
      ]);
      await enterAtProvider(opened, 'dana');
      await page
        .getByText(/sk_test_/)
        .first()
        .waitFor();
      expect(faultsOf(faults())).toEqual([]);
    });
  });
}
