/**
 * Debian's chromium, for tests that walk through the console.
 *
 *     const browser = await startBrowser();
 *     const visit = await browser.visit('http://127.0.0.1:8081');
 *     await visit.page.goto('/console/');
 *     expect(visit.faults()).toEqual([]);
 */
import { existsSync } from 'node:fs';
import { type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** The one without windows takes a third less of the processor for the same pages. */
const executablePath = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) =>
  existsSync(path),
);

/** Why there is no browser; undefined where there is one. */
export const noBrowser =
  executablePath === undefined ? 'chromium is not installed (chromium-headless-shell)' : undefined;

export interface Visit {
  readonly page: Page;
  /** What the page did that none of ours may: errors, broken policies, requests to elsewhere. */
  faults(): readonly string[];
  close(): Promise<void>;
}

export async function startBrowser() {
  const browser = await chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    // Without the sandbox of the browser: tests run as root in a container.
    args: ['--no-sandbox'],
    // People's browsers keep the page that was left, to show it again at once.
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  });
  return {
    visit: async (baseURL: string, options: BrowserContextOptions = {}): Promise<Visit> => {
      const context = await browser.newContext({ baseURL, locale: 'en-GB', ...options });
      const page = await context.newPage();
      page.setDefaultTimeout(20_000);
      const seen: string[] = [];
      page.on('pageerror', (error) => seen.push(`error: ${error.message}`));
      page.on('console', (message) => {
        // What an API refuses the browser writes down by itself; the page shows it.
        const isRefusal = message.text().startsWith('Failed to load resource');
        if (message.type() === 'error' && !isRefusal) seen.push(`console: ${message.text()}`);
      });
      page.on('request', (request) => {
        const { protocol, origin } = new URL(request.url());
        const isLocal = protocol === 'data:' || protocol === 'blob:';
        if (!isLocal && origin !== new URL(baseURL).origin) seen.push(`request: ${request.url()}`);
      });
      return { page, faults: () => seen, close: () => context.close() };
    },
    close: () => browser.close(),
  };
}
