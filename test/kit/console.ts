/**
 * For tests that walk through the console as a person would:
 *
 *     const people = await startPeople(harness);
 *     const visitor = await people.arrive({ einvoicing_role: 'auditor' });
 *     await visitor.page.goto('/console/');
 *     await signIn(visitor);
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { AxeBuilder } from '@axe-core/playwright';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { App } from '../../control-plane/app.ts';
import { makeMember } from '../../control-plane/people/members/new-member.ts';
import { startBrowser, type Visit } from './browser.ts';

const root = new URL('../..', import.meta.url);

/** Makes the pages of the console, unless they are newer than their sources. */
export async function buildConsole(): Promise<void> {
  await promisify(execFile)(process.execPath, ['scripts/build-console.ts', '--if-stale'], {
    cwd: root,
  });
}

type Roles = Omit<Parameters<typeof makeMember>[2], 'email' | 'name'>;

export interface Visitor extends Visit {
  readonly email: string;
  readonly password: string;
}

interface Place {
  readonly app: App;
  readonly tenantId: string;
  /** The address that is visited. */
  readonly url: string;
}

let last = 0;

/** A browser, and people of a workspace who use it. */
export async function startPeople({ app, tenantId, url }: Place) {
  const browser = await startBrowser();
  const visits: Visit[] = [];
  return {
    /** A new member, who has not signed in. */
    arrive: async (
      roles: Roles = { einvoicing_role: 'finance_admin' },
      options: BrowserContextOptions = {},
    ): Promise<Visitor> => {
      const email = `visitor${(last += 1)}@acme.example`;
      const member = { email, name: 'Aisha <b>Rahman</b>', ...roles };
      const { password } = await makeMember(app.platform, tenantId, member);
      const visit = await browser.visit(url, options);
      visits.push(visit);
      return { ...visit, email, password: password! };
    },
    /** Everybody goes. */
    leave: async () => {
      for (const visit of visits.splice(0)) await visit.close();
    },
    stop: () => browser.close(),
  };
}

/** From the sign-in page, in any language, to a page. */
export async function signIn({ page, email, password }: Visitor): Promise<void> {
  await page.locator('input[type=email]').fill(email);
  await page.locator('input[type=password]').fill(password);
  await page.locator('button[type=submit]').click();
  await page.locator('#content h1').waitFor();
}

/** Once nothing loads any more: what axe finds against WCAG 2.2 AA. */
export async function violationsOf(page: Page): Promise<unknown[]> {
  await page.locator('[role=status][aria-label]').first().waitFor({ state: 'detached' });
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
  // In the page itself: otherwise another page is opened for each, to merge what frames of other origins say.
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode();
  const { violations } = await axe.withTags(tags).analyze();
  return violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) }));
}

/** Requests that wait, for tests of what a person does until the answer is there. */
export interface HeldRequests {
  /** The next one that came. */
  next(): Promise<unknown>;
  /** Lets them go, and answers once the page has had time to follow. */
  release(): Promise<void>;
}

export async function holdRequests(
  page: Page,
  method: string,
  path: string | RegExp,
): Promise<HeldRequests> {
  const gate = Promise.withResolvers<void>();
  const isHeld = (url: string) =>
    typeof path === 'string' ? new URL(url).pathname === path : path.test(new URL(url).pathname);
  const answers: Promise<unknown>[] = [];
  await page.route(
    (url) => isHeld(url.href),
    async (route) => {
      const request = route.request();
      if (request.method() !== method) return route.fallback();
      await gate.promise;
      answers.push(page.waitForEvent('requestfinished', (each) => each === request));
      return route.continue();
    },
  );
  return {
    next: () =>
      page.waitForRequest((request) => request.method() === method && isHeld(request.url())),
    release: async () => {
      gate.resolve();
      await expect.poll(() => answers.length).toBeGreaterThan(0);
      await Promise.all(answers);
      await untilIdle(page);
    },
  };
}

/** Once the page has done what it does by itself after an answer. */
export async function untilIdle(page: Page): Promise<void> {
  const idle = 'new Promise((done) => setTimeout(() => requestIdleCallback(() => done())))';
  for (let turn = 0; turn < 3; turn += 1) await page.evaluate(idle);
}

export const widthOf = (page: Page) => page.evaluate('document.documentElement.scrollWidth');

/** Bytes of files that were transferred for a page since it was opened. */
export const loadedBytes = (page: Page) =>
  page.evaluate<number>(
    'performance.getEntriesByType("resource").reduce((sum, each) => sum + each.encodedBodySize, 0)',
  );
