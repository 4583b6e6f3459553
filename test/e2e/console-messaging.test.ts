import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser } from '../kit/browser.ts';
import { violationsOf, widthOf } from '../kit/console.ts';
import { type MessagingConsole, startMessagingConsole } from '../kit/messaging-console.ts';

let world: MessagingConsole;
beforeAll(async () => {
  if (noBrowser) return;
  world = await startMessagingConsole();
}, 240_000);
afterAll(() => world?.stop());
afterEach(() => world?.leave());

/** A story has many steps, and looks at its page for everybody's use. */
const storyMs = 90_000;
const attack = '<img src=x onerror=alert(1)>';

const ask = async (line: string, body?: unknown) => {
  const answer = await world.kit.ask(line, body === undefined ? {} : { body });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
};

if (noBrowser) test('the pages of messaging in a browser', (context) => context.skip(noBrowser));
else {
  test(
    'contacts are imported from a file, what was left out is downloaded, and a segment counts them',
    async () => {
      const { page, faults } = await world.arrive('/console/contacts/import');
      const rows = [
        'Mobil;Nama;Bandar',
        `012-345 6701;${attack};Ipoh`,
        '012-345 6702;Siti;Ipoh',
        '12;Nobody;Ipoh',
      ];
      await page.getByLabel('File').setInputFiles({
        name: 'pelanggan.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(rows.join('\n')),
      });
      await page.getByRole('button', { name: 'Look at it' }).click();
      await page.getByRole('heading', { name: 'pelanggan.csv' }).waitFor();
      await page.getByLabel('Country').fill('my');
      await page.getByLabel('Country').press('Tab');
      await page.getByText('2 contacts can be imported').waitFor();
      await page.getByLabel('Name of the attribute').fill('city');
      await page.getByLabel('Name of the attribute').press('Tab');
      await page.getByLabel('Add all to the list').fill('Perak');
      await page.getByLabel('Add all to the list').press('Tab');
      await page.getByText('wrong length for its country').first().waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await page.getByRole('button', { name: 'Import 2 contacts' }).click();
      const problems = page.getByRole('link', { name: 'Download the rows that were left out' });
      await problems.waitFor();
      const downloading = page.waitForEvent('download');
      await problems.click();
      const left = await readFile(await (await downloading).path(), 'utf8');
      expect(left).toContain('Nobody');
      expect(left).not.toContain('Siti');

      await page.getByRole('link', { name: 'Show the contacts' }).click();
      await page.getByRole('link', { name: 'Siti' }).click();
      await page.getByText('Perak').waitFor();
      await page.getByRole('button', { name: 'Record agreement: SMS' }).click();
      await page.getByRole('button', { name: 'Record objection: SMS' }).waitFor();
      await page.getByRole('button', { name: 'Edit' }).click();
      const edit = page.getByRole('dialog', { name: 'Edit the contact' });
      await edit.getByLabel('Name', { exact: true }).fill('Siti Nur');
      await edit.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('heading', { name: 'Siti Nur' }).waitFor();

      await page.goto('/console/contacts/segments');
      await page.getByRole('button', { name: 'Make a segment' }).click();
      const dialog = page.getByRole('dialog', { name: 'Make a segment' });
      await dialog.getByLabel('Name').fill('In Ipoh');
      await dialog.getByLabel('Attribute', { exact: true }).fill('city');
      await dialog.getByLabel('Value').fill('Ipoh');
      await dialog.getByText('2 contacts fit now').waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Save' }).click();
      const made = page.getByRole('row', { name: /In Ipoh/ });
      await made.getByRole('cell', { name: '2', exact: true }).waitFor();
      await made.getByRole('link').click();
      await page.getByRole('link', { name: attack }).waitFor();
      expect(faults()).toEqual([]);
    },
    storyMs,
  );

  test('who may only read is offered no change of contacts', async () => {
    await ask('POST /contacts/', { name: 'Seen', phone: '+60123450801' });
    const { page, faults } = await world.arrive('/console/contacts', { role: 'analyst' });
    await page.getByRole('link', { name: 'Seen' }).click();
    await page.getByRole('heading', { name: 'Consents' }).waitFor();
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
    expect(faults()).toEqual([]);
  });

  const paths = ['/contacts', '/contacts/segments', '/contacts/import'];

  describe.each([
    ['in English', 'en-GB'],
    ['in Arabic, on a narrow screen', 'ar-AE'],
  ])('%s', (_, locale) => {
    test(
      'each page can be used by everybody',
      async () => {
        const isNarrow = locale === 'ar-AE';
        const viewport = isNarrow ? { width: 360, height: 740 } : { width: 1280, height: 900 };
        const { page, faults } = await world.arrive('/console/', undefined, { locale, viewport });
        for (const path of paths) {
          await page.goto(`/console${path}`);
          await page.locator('#content h1').waitFor();
          expect(await violationsOf(page), path).toEqual([]);
          expect(await widthOf(page), path).toBeLessThanOrEqual(viewport.width);
        }
        expect(faults()).toEqual([]);
      },
      storyMs,
    );
  });
}
