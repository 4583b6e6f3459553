import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { textOf } from '../../control-plane/messaging/team-inbox/export/pdf/reading.kit.ts';
import { noBrowser } from '../kit/browser.ts';
import { violationsOf } from '../kit/console.ts';
import { type MessagingConsole, startMessagingConsole } from '../kit/messaging-console.ts';
import { longestTaskMs, longTaskMs } from '../kit/page-tasks.ts';

let world: MessagingConsole;
beforeAll(async () => {
  if (noBrowser) return;
  world = await startMessagingConsole();
}, 240_000);
afterAll(() => world?.stop());
afterEach(() => world?.leave());

const storyMs = 120_000;
const many = 100_000;
/** Rows that are in a page at once. */
const rowsMax = 110;

/** Answers a list of the API in the place of the server, which would take long to fill. */
function serve(page: Page, path: string, count: number, rowOf: (at: number) => unknown) {
  const size = Math.min(25_000, count / 2);
  return page.route(
    (url) => url.pathname === path,
    (route) => {
      const from = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 0);
      const results = Array.from({ length: size }, (_, nth) => rowOf(from + nth));
      const next = from + size < count ? String(from + size) : null;
      return route.fulfill({ json: { results, next, previous: null } });
    },
  );
}

const contactOf = (at: number) => ({
  id: `cnt_${at}`,
  name: `Person ${at + 1}${' of a long name'.repeat(at % 7)}`,
  phone: `+6012${3_000_000 + at}`,
  channel_identifiers: [{ channel: 'wa', external_id: String(at) }],
  segments: ['All', 'Offer'],
  created_at: '2026-11-01T08:00:00.000Z',
});

const conversationOf = (at: number) => ({
  id: `cnv_${at}`,
  contact: { id: `cnt_${at}`, name: `Person ${at + 1}`, phone: null },
  state: 'open',
  unread: at % 3,
  waiting_since: null,
  last_channel: 'wa',
  last_message: {
    id: `msg_${at}`,
    direction: 'in',
    text: 'Where is my order?',
    created_at: '2026-11-01T08:00:00.000Z',
  },
});

const contactRows = (page: Page) => page.locator('tbody[data-index] tr');

/** Scrolls as a person does, and in jumps to the end and back. */
async function scroll(page: Page, jump: (share: number) => string): Promise<void> {
  for (let turn = 0; turn < 40; turn += 1) {
    await page.mouse.wheel(0, turn < 30 ? 900 : -900);
    await page.waitForTimeout(16);
  }
  for (const share of [0.5, 1, 0.25, 0]) {
    await page.evaluate(jump(share));
    await page.waitForTimeout(100);
  }
}

if (noBrowser) test('long lists in a browser', (context) => context.skip(noBrowser));
else {
  describe.each([
    ['on a wide screen', { width: 1280, height: 800 }],
    ['on a narrow screen', { width: 360, height: 740 }],
  ])('%s', (_, viewport) => {
    test(
      'a table of 100,000 rows keeps few of them in the page, and scrolls without a jerk',
      async () => {
        const { page, faults } = await world.arrive('/console/', undefined, { viewport });
        await serve(page, '/contacts/', many, contactOf);
        await page.goto('/console/contacts');
        // By key: while rows are measured for the first time the button moves from under a pointer.
        await page.getByRole('button', { name: 'Show more' }).press('Enter');
        const bottom = 'window.scrollTo(0, document.documentElement.scrollHeight)';
        const last = page.locator(`tr[aria-rowindex="${many + 1}"]`);
        while ((await last.count()) === 0) {
          await page.evaluate(bottom);
          await page.waitForTimeout(50);
        }
        await last.getByText(`Person ${many} `).waitFor();
        expect(await page.locator('table').getAttribute('aria-rowcount')).toBe(String(many + 1));

        await page.evaluate('window.scrollTo(0, 0)');
        await contactRows(page).first().waitFor();
        await page.mouse.move(200, 400);
        const jump = (share: number) =>
          `window.scrollTo(0, document.documentElement.scrollHeight * ${share})`;
        const longest = await longestTaskMs(page, () => scroll(page, jump));
        expect(longest).toBeLessThan(await longTaskMs(page));
        expect(await contactRows(page).count()).toBeLessThan(rowsMax);
        expect(await violationsOf(page)).toEqual([]);
        expect(faults()).toEqual([]);
      },
      storyMs,
    );
  });

  test(
    'the inbox with 100,000 conversations does too',
    async () => {
      const { page, faults } = await world.arrive('/console/', { role: 'agent' });
      await serve(page, '/team-inbox/api/conversations/', many, conversationOf);
      await page.goto('/console/inbox');
      const frame = `document.querySelector('ul[aria-label="Conversations"]').parentElement`;
      const last = page.locator(`[data-conversation="cnv_${many - 1}"]`);
      await page.locator('[data-conversation]').first().waitFor();
      while ((await last.count()) === 0) {
        await page.evaluate(`${frame}.scrollTo(0, ${frame}.scrollHeight)`);
        await page.waitForTimeout(50);
      }
      await page.evaluate(`${frame}.scrollTo(0, 0)`);
      await page.locator('[data-conversation="cnv_0"]').hover();
      const jump = (share: number) => `${frame}.scrollTo(0, ${frame}.scrollHeight * ${share})`;
      expect(await longestTaskMs(page, () => scroll(page, jump))).toBeLessThan(
        await longTaskMs(page),
      );
      expect(await page.locator('[data-conversation]').count()).toBeLessThan(60);
      expect(faults()).toEqual([]);
    },
    storyMs,
  );

  test('the row with the focus stays while the page scrolls, and all rows are printed', async () => {
    const { page } = await world.arrive('/console/');
    await serve(page, '/contacts/', 400, contactOf);
    await page.goto('/console/contacts');
    const third = page.getByRole('link', { name: 'Person 3 ' });
    await third.focus();
    await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)');
    await page.locator('tr[aria-rowindex="201"]').waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toContain('Person 3 ');
    expect(await contactRows(page).count()).toBeLessThan(rowsMax);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toContain('Person 4');
    const paper = await textOf(await page.pdf());
    const printed = new Set([...paper.matchAll(/Person\s+(\d+)/g)].map(([, number]) => number));
    expect(printed.size).toBe(200);
    await expect.poll(() => contactRows(page).count()).toBeLessThan(rowsMax);
  });
}
