import { rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { noBrowser } from '../kit/browser.ts';
import { type MessagingConsole, startMessagingConsole } from '../kit/messaging-console.ts';
import { type Place, placeHostileTexts, startHostileServer } from './hostile-texts.kit.ts';

// Each page of the console is opened, and a machine may be busy.
vi.setConfig({ testTimeout: 180_000 });

let hostileServer: Awaited<ReturnType<typeof startHostileServer>>;
let stranger: Awaited<ReturnType<typeof startStranger>>;
/** Where the provider is that refuses in hostile words. */
const channels = join(tmpdir(), `channels-${process.pid}.json`);
let world: MessagingConsole;
let places: readonly Place[];

beforeAll(async () => {
  if (noBrowser) return;
  hostileServer = await startHostileServer();
  stranger = await startStranger();
  const twilio = { base_url: hostileServer.url, settings: {} };
  await writeFile(channels, JSON.stringify({ sandbox: { 'twilio-sms': twilio } }));
  world = await startMessagingConsole({
    CHANNELS_FILE: channels,
    WEBHOOK_ALLOW_PRIVATE: 'true',
    NETWORK_POLL_SECONDS: '1',
    TRANSCRIBER_URL: `${hostileServer.url}/speech`,
  });
  await world.kit.fund('sms', '+60', '0.05', '10');
  places = await placeHostileTexts(world, hostileServer.url);
}, 240_000);
afterAll(async () => {
  await world?.stop();
  await stranger?.stop();
  await hostileServer?.stop();
  await rm(channels, { force: true });
});
afterEach(() => world?.leave());

/** All parts of a page are shown side by side. */
const wide = { viewport: { width: 1440, height: 900 } };
const everything = { role: 'admin', einvoicing_role: 'finance_admin' } as const;

/** Another address, whose page is what a test says. */
async function startStranger() {
  let html = '';
  const server: Server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    /** The same host at another port, and another host: cookies know only the latter apart. */
    origins: [`http://127.0.0.1:${port}`, `http://localhost:${port}`],
    shows: (body: string) => {
      html = body;
    },
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** What has run or opened in a page that must not have; it is looked for after each page. */
async function watchFor(page: Page): Promise<() => Promise<readonly unknown[]>> {
  const seen: string[] = [];
  page.on('dialog', (dialog) => {
    seen.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('popup', (popup) => seen.push(`popup: ${popup.url()}`));
  await page.addInitScript(`
    globalThis.broken = [];
    addEventListener('securitypolicyviolation', (event) =>
      globalThis.broken.push(event.violatedDirective + ' ' + event.blockedURI));
  `);
  return async () => {
    const broken = await page.evaluate<unknown[]>(
      'globalThis.ran === undefined ? globalThis.broken : ["a script ran", ...globalThis.broken]',
    );
    return [...seen, ...broken];
  };
}

/** Texts that the page does not show as they are: neither in its text nor in a field. */
async function missingOf(page: Page, shown: readonly string[]): Promise<readonly string[]> {
  const texts = await page.evaluate<string[]>(`[
    document.body.innerText,
    ...Array.from(document.querySelectorAll('input, textarea'), ({ value }) => value),
  ]`);
  const plain = (text: string) => text.replace(/\s+/g, ' ');
  const all = texts.map(plain);
  return shown.filter((text) => !all.some((each) => each.includes(plain(text))));
}

if (noBrowser) test('attacks on the console', (context) => context.skip(noBrowser));
else {
  test('texts of customers, sources and providers are shown letter by letter, and run nowhere', async () => {
    const { page, faults } = await world.arrive('/console/', everything, wide);
    const found = await watchFor(page);
    const odd: unknown[] = [];
    for (const { path, shown, file, press = [] } of places) {
      await page.goto(`/console${path}`);
      await page.locator('h1').first().waitFor();
      await page.locator('[role=status][aria-label]').first().waitFor({ state: 'detached' });
      if (file !== undefined) {
        const chosen = { name: file.name, mimeType: 'text/csv', buffer: Buffer.from(file.text) };
        await page.locator('input[type=file]').setInputFiles(chosen);
      }
      for (const name of press) await page.getByRole('button', { name }).first().click();
      await expect.poll(() => missingOf(page, shown), { message: path }).toEqual([]);
      const broken = await found();
      if (broken.length > 0) odd.push([path, broken]);
    }
    expect(odd).toEqual([]);
    expect(faults()).toEqual([]);
  });

  describe('a page of another address', () => {
    const order = { name: 'Stolen', scopes: ['*'] };

    test.each([
      [
        'cannot send a form',
        (url: string) => `<form method="post" action="${url}/v1/api-keys" enctype="text/plain">
          <input name='{"name":"Stolen","x":"' value='","scopes":["*"]}'></form>
          <script>document.forms[0].submit()</script>`,
      ],
      [
        'cannot call with the cookie',
        (url: string) => `<script>
          const body = '${JSON.stringify(order)}';
          const call = (headers, mode) => fetch('${url}/v1/api-keys',
            { method: 'POST', credentials: 'include', mode, headers, body }).catch(() => {});
          Promise.all([call({ 'content-type': 'application/json' }, 'cors'),
            call({ 'content-type': 'text/plain' }, 'no-cors')])
            .then(() => fetch('${url}/v1/invoices', { credentials: 'include' }))
            .then((answer) => answer.text(), () => 'refused')
            .then((text) => { document.title = 'done ' + text; });
        </script>`,
      ],
      [
        'cannot end the session',
        (url: string) => `<form method="post" action="${url}/v1/session"></form>
          <script>document.forms[0].submit()</script>`,
      ],
    ])('%s', async (_, htmlFor) => {
      const { page } = await world.arrive('/console/', everything);
      const { url } = world.kit;
      const keys = async () => (await page.request.get('/v1/api-keys')).json();
      const before = await keys();
      stranger.shows(htmlFor(url));
      for (const origin of stranger.origins) {
        const other = await page.context().newPage();
        const answered = other.waitForResponse((answer) => answer.url().startsWith(url));
        await other.goto(origin);
        expect((await answered).status()).toBeGreaterThanOrEqual(400);
        await other.close();
      }
      expect(await keys()).toEqual(before);
    });

    test('cannot show it in a frame', async () => {
      const { page } = await world.arrive('/console/', everything);
      for (const path of ['/console/', '/console/keys', '/docs']) {
        stranger.shows(`<iframe src="${world.kit.url}${path}"></iframe>`);
        const other = await page.context().newPage();
        await other.goto(stranger.origins[0]!);
        const [, frame] = other.frames();
        await expect.poll(() => frame!.url()).toMatch(/^chrome-error:/);
        await other.close();
      }
    });
  });

  test.each([
    '//evil.example/',
    '/\\evil.example/',
    '/\t/evil.example/',
    'https://evil.example/',
    'javascript:ran=1',
    '/..//evil.example/',
    '/%2f%2fevil.example/',
    '/%5cevil.example/',
    '/sign-in?next=//evil.example/',
  ])('after signing in nothing leads away: next=%s', async (next) => {
    const { page, email, password } = await world.arrive('/console/', everything);
    await page.context().clearCookies();
    await page.goto(`/console/sign-in?${new URLSearchParams({ next })}`);
    const before = page.url();
    await page.locator('input[type=email]').fill(email);
    await page.locator('input[type=password]').fill(password);
    await page.locator('button[type=submit]').click();
    await expect.poll(() => page.url()).not.toBe(before);
    await page.waitForLoadState('networkidle');
    const { origin, pathname } = new URL(page.url());
    expect(origin).toBe(world.kit.url);
    expect(pathname).toMatch(/^\/console(\/|$)/);
    expect(await page.evaluate('globalThis.ran')).toBeUndefined();
  });

  test('after signing out nothing is left: not on the way back, and not in the cache', async () => {
    const { page } = await world.arrive('/console/', everything, wide);
    const read = places.filter(({ path }) => /^\/(contacts|invoices|inbox\?)/.test(path));
    const asked: string[] = [];
    page.on('response', (answer) => {
      if (answer.headers()['content-type']?.startsWith('application/json'))
        asked.push(answer.url());
    });
    for (const { path, shown } of read) {
      await page.goto(`/console${path}`);
      await expect.poll(() => missingOf(page, shown)).toEqual([]);
    }
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();

    // Without a network only what the browser has kept can be shown.
    await page.context().setOffline(true);
    const kept = await page.evaluate(
      (urls) =>
        Promise.all(
          urls.map((url) =>
            fetch(url, { cache: 'force-cache' }).then(
              () => url,
              () => undefined,
            ),
          ),
        ),
      [...new Set(asked)],
    );
    expect(asked.length).toBeGreaterThan(10);
    expect(kept.filter((url) => url !== undefined)).toEqual([]);
    await page.evaluate('history.back()');
    await expect.poll(() => page.url()).not.toContain('sign-in');
    expect(await page.content()).not.toContain('onerror=ran=1');
    await page.context().setOffline(false);
    await page.goBack().catch(() => undefined); // what was there is gone already
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });
}
