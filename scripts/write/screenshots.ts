/**
 * Pictures of the console's pages in `docs/console`, for the documents. `npm run write` takes those
 * anew whose page has changed; `npm run write -- screenshots` takes all.
 */
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { noBrowser, startBrowser } from '../../test/kit/browser.ts';
import { fingerprintOf } from './screenshots/fingerprint.ts';
import { type Picture, pictures } from './screenshots/pictures.ts';
import { makeWorld, type World } from './screenshots/world.ts';
import type { Written } from './written.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = 'docs/console';
const fingerprintsPath = `${folder}/fingerprints.json`;
const bytesMax = 200_000;

/** What the pictures have to be taken of, as a file: a browser is not needed to know it. */
export async function fingerprints(): Promise<Written> {
  const rows = await Promise.all(
    pictures.map(async (picture) => [`${picture.name}.png`, await fingerprintOf(picture)] as const),
  );
  return { [fingerprintsPath]: textOf(Object.fromEntries(rows)) };
}

/**
 * Takes pictures of the pages that have changed since the last ones, or of all. Without a browser it
 * takes none and says so, and the fingerprints stay as they are.
 */
export async function takeScreenshots({ isAll }: { isAll: boolean }): Promise<Written> {
  const wanted = JSON.parse((await fingerprints())[fingerprintsPath]!);
  const kept = await keptFingerprints();
  const stale = pictures.filter(
    ({ name }) => isAll || wanted[`${name}.png`] !== kept[`${name}.png`],
  );
  if (stale.length === 0) return {};
  if (noBrowser !== undefined) {
    console.log(`not taken: ${stale.map(({ name }) => name).join(', ')}: ${noBrowser}`);
    return {};
  }
  await promisify(execFile)(process.execPath, ['scripts/build-console.ts', '--if-stale'], {
    cwd: root,
  });
  await take(stale);
  return { [fingerprintsPath]: textOf(wanted) };
}

async function take(wanted: readonly Picture[]): Promise<void> {
  const world = await makeWorld();
  const browser = await startBrowser();
  try {
    await mkdir(join(root, folder), { recursive: true });
    for (const picture of wanted) {
      const { width, height, locale = 'en-GB', colorScheme = 'light' } = picture;
      const visit = await browser.visit(world.url, {
        viewport: { width, height },
        locale,
        colorScheme,
        timezoneId: 'Asia/Dubai',
        reducedMotion: 'reduce',
      });
      const bytes = await takeOne(visit.page, picture, world);
      await visit.close();
      if (bytes.length > bytesMax) throw new Error(`${picture.name}: ${bytes.length} bytes`);
      await writeFile(join(root, folder, `${picture.name}.png`), bytes);
      console.log(`written: ${folder}/${picture.name}.png`);
    }
  } finally {
    await browser.close();
    await world.stop();
  }
}

async function takeOne(page: Page, picture: Picture, world: World): Promise<Buffer> {
  await page.clock.setFixedTime(world.now);
  await page.goto(`/console${picture.path(world.shown)}`);
  await page.locator('input[type=email]').fill(world.person.email);
  await page.locator('input[type=password]').fill(world.person.password);
  await page.locator('button[type=submit]').click();
  await page.getByText(picture.until).first().waitFor();
  await page.locator('[role=status][aria-label]').first().waitFor({ state: 'detached' });
  await page.evaluate('document.fonts.ready');
  await settle(page);
  return page.screenshot({ animations: 'disabled', caret: 'hide' });
}

const stillMs = 1_000;
const looksMax = 20;

/** Waits until nothing comes any more: parts of a page load one after the other. */
async function settle(page: Page): Promise<void> {
  let before = '';
  for (let look = 0; look < looksMax; look += 1) {
    const now = await page.content();
    if (now === before) return;
    before = now;
    await page.waitForTimeout(stillMs);
  }
  throw new Error('the page does not come to rest');
}

async function keptFingerprints(): Promise<Readonly<Record<string, string>>> {
  try {
    return JSON.parse(await readFile(join(root, fingerprintsPath), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}

const textOf = (value: object) => `${JSON.stringify(value, undefined, 2)}\n`;
