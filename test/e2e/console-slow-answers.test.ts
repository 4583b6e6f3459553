import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { noBrowser } from '../kit/browser.ts';
import { holdRequests, untilIdle } from '../kit/console.ts';
import { type MessagingConsole, startMessagingConsole } from '../kit/messaging-console.ts';

// A walk has many steps, and a machine may be busy.
vi.setConfig({ testTimeout: 90_000 });

let world: MessagingConsole;
beforeAll(async () => {
  if (noBrowser) return;
  world = await startMessagingConsole();
}, 240_000);
afterAll(() => world?.stop());
afterEach(() => world?.leave());

const both = { role: 'owner', einvoicing_role: 'finance_admin' } as const;
const pathOf = (page: Page) => new URL(page.url()).pathname;

const ask = async (line: string, body?: unknown) => {
  const answer = await world.kit.ask(line, body === undefined ? {} : { body });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
};

interface Slow {
  readonly name: string;
  /** What is asked for, up to the request. */
  readonly begin: (page: Page) => Promise<void>;
  readonly request: readonly [method: string, path: string | RegExp];
}

const slow: readonly Slow[] = [
  {
    name: 'a contact that is added',
    request: ['POST', '/contacts/'],
    begin: async (page) => {
      await page.goto('/console/contacts');
      await page.getByRole('button', { name: 'Add a contact' }).click();
      await page.getByRole('dialog').getByLabel('Phone').fill('+60123457001');
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    },
  },
  {
    name: 'a contact that is deleted',
    request: ['DELETE', /^\/contacts\/[^/]+\/$/],
    begin: async (page) => {
      const { id } = await ask('POST /contacts/', { phone: '+60123457002' });
      await page.goto(`/console/contacts/${id}`);
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    },
  },
  {
    name: 'a template that is kept',
    request: ['POST', '/sms/v1/templates/'],
    begin: async (page) => {
      await page.goto('/console/templates/new?channel=sms');
      await page.getByLabel('Name').fill('slow');
      await page.getByLabel('Text', { exact: true }).fill('Hello');
      await page.getByRole('button', { name: 'Save' }).click();
    },
  },
  {
    name: 'a call flow that is saved',
    request: ['POST', '/voice/api/templates/'],
    begin: async (page) => {
      await page.goto('/console/call-flows/new');
      await page.getByLabel('Name').fill('Slow');
      await page.getByRole('button', { name: 'Save' }).click();
    },
  },
  {
    name: 'a file of contacts that is read',
    request: ['POST', '/contacts/bulk-import/preview/'],
    begin: async (page) => {
      await page.goto('/console/contacts/import');
      const buffer = Buffer.from('phone\n+60123457003');
      await page.getByLabel('File').setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer });
      await page.getByRole('button', { name: 'Look at it' }).click();
    },
  },
];

if (noBrowser) test('slow answers in a browser', (context) => context.skip(noBrowser));
else {
  test.each(slow)('$name leads nobody back who has gone elsewhere', async ({ begin, request }) => {
    const { page, faults } = await world.arrive('/console/', both);
    const held = await holdRequests(page, ...request);
    const asked = held.next();
    await begin(page);
    await asked;
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Wallet' }).click();
    await page.getByRole('heading', { name: 'Wallet' }).waitFor();
    await held.release();
    expect(pathOf(page)).toBe('/console/wallet');
    expect(faults()).toEqual([]);
  });

  test('a slow answer closes no dialog that was opened after it', async () => {
    const { page } = await world.arrive('/console/contacts/segments', both);
    const held = await holdRequests(page, 'POST', '/contacts/segments/');
    const asked = held.next();
    const open = page.getByRole('button', { name: 'Make a segment' });
    const name = page.getByRole('dialog').getByLabel('Name');
    await open.click();
    await name.fill('First');
    await page.getByRole('dialog').getByLabel('Kind').selectOption('list');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await asked;
    await page.keyboard.press('Escape');
    await open.click();
    await name.fill('Second');
    await held.release();
    await page.getByRole('link', { name: 'First' }).waitFor({ state: 'attached' });
    expect(await name.inputValue()).toBe('Second');
  });

  test('roles count once they are saved, and none of those that arrow keys pass', async () => {
    const other = await world.arrive('/console/', { role: 'agent', einvoicing_role: 'auditor' });
    const { page } = await world.arrive('/console/members', both);
    const row = page.getByRole('row', { name: other.email });
    const sent: unknown[] = [];
    await page.route(/\/v1\/members\//, (route) => {
      sent.push(route.request().postDataJSON());
      return route.continue();
    });
    await row.getByLabel('In e-invoicing').selectOption('finance_admin');
    await row.getByLabel('In e-invoicing').selectOption('operator');
    await row.getByRole('button', { name: /^Save/ }).click();
    await row.getByRole('button', { name: /^Save/ }).waitFor({ state: 'detached' });
    await row.getByLabel('In messaging').selectOption('analyst');
    await row.getByRole('button', { name: /^Save/ }).click();
    await row.getByRole('button', { name: /^Save/ }).waitFor({ state: 'detached' });
    expect(sent).toEqual([{ einvoicing_role: 'operator' }, { role: 'analyst' }]);
    expect(await row.getByLabel('In e-invoicing').inputValue()).toBe('operator');
  });

  test('who leaves a field for the start of an import changes and starts with one click', async () => {
    const { page } = await world.arrive('/console/contacts/import', both);
    const buffer = Buffer.from('phone,name\n+60123457011,Aida');
    await page.getByLabel('File').setInputFiles({ name: 'b.csv', mimeType: 'text/csv', buffer });
    await page.getByRole('button', { name: 'Look at it' }).click();
    await page.getByLabel('Add all to the list').fill('Fair');
    const held = await holdRequests(page, 'PATCH', /\/preview\/$/);
    const asked = held.next();
    const start = page.getByRole('button', { name: 'Import 1 contact' });
    const { x, y } = (await start.boundingBox())!;
    await page.mouse.move(x + 5, y + 5);
    await page.mouse.down();
    await asked;
    await page.mouse.up();
    await held.release();
    await page.getByRole('link', { name: 'Show the contacts' }).waitFor();
    const { results } = await ask('GET /contacts/?phone=%2B60123457011');
    expect(results[0].segments).toEqual(['Fair']);
  });

  test('a template keeps what was written when another channel is chosen', async () => {
    const { page } = await world.arrive('/console/templates/new', both);
    await page.getByLabel('Name').fill('greeting');
    await page.getByLabel('Text', { exact: true }).fill('Hello {{1}}');
    await page.getByLabel('Channel').selectOption('sms');
    await page.getByRole('button', { name: 'Save' }).waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('greeting');
    expect(await page.getByLabel('Text', { exact: true }).inputValue()).toBe('Hello {{1}}');
  });

  test('what was saved is not said of what is changed afterwards', async () => {
    const { page } = await world.arrive('/console/settings', both);
    const card = page.locator('section', {
      has: page.getByRole('heading', { name: 'How long messages and contacts are kept' }),
    });
    const field = card.getByRole('spinbutton').first();
    await field.fill('400');
    await card.getByRole('button', { name: 'Save' }).click();
    await card.getByText('Saved.', { exact: true }).waitFor();
    await field.fill('401');
    await card.getByText('Saved.', { exact: true }).waitFor({ state: 'detached' });
  });

  test('the overview names who has waited longest, however many have written since', async () => {
    const { page } = await world.arrive('/console/', both);
    const rowOf = (at: number, waiting_since: string | null) => ({
      id: `cnv_${at}`,
      contact: { id: `cnt_${at}`, name: `Person ${at}`, phone: null },
      waiting_since,
    });
    await page.route(
      (url) => url.pathname === '/team-inbox/api/conversations/',
      (route) => {
        const order = new URL(route.request().url()).searchParams.get('order');
        const newest = Array.from({ length: 50 }, (_, at) => rowOf(at, null));
        const waiting = [rowOf(99, '2026-11-01T08:00:00.000Z')];
        const results = order === 'longest_wait' ? waiting : newest;
        return route.fulfill({ json: { results, next: null, previous: null } });
      },
    );
    await page.reload();
    await page.getByRole('link', { name: 'Person 99' }).waitFor();
  });

  test('a delivery that is not sent again says why', async () => {
    const id = 'whe_1';
    const { page, faults } = await world.arrive('/console/', both);
    const endpoint = { id, url: 'https://example.com/hooks', state: 'active', event_types: [] };
    const delivery = {
      id: 'del_1',
      event: 'invoice.cleared',
      subject_id: 'inv_1',
      state: 'failed',
      attempts: [],
      payload: {},
      created_at: '2026-11-01T08:00:00.000Z',
    };
    const problem = { code: 'delivery_pending', detail: 'It is on its way.', request_id: 'req_1' };
    await page.route(
      (url) => url.pathname.startsWith('/v1/webhook-endpoints/'),
      (route) => {
        if (route.request().method() === 'POST') {
          return route.fulfill({ status: 409, json: problem });
        }
        const isList = route.request().url().includes('/deliveries');
        return route.fulfill({ json: isList ? { results: [delivery], next: null } : endpoint });
      },
    );
    await page.goto(`/console/webhooks/${id}`);
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('It is on its way.').waitFor();
    expect(faults()).toEqual([]);
  });

  describe('in the inbox', () => {
    const wide = { viewport: { width: 1440, height: 900 } };
    const reply = /\/reply\/$/;

    async function conversationOf(phone: string): Promise<string> {
      const find = async () => {
        const contacts = await ask(`GET /contacts/?phone=${encodeURIComponent(phone)}`);
        const contact = contacts.results[0]?.id;
        if (contact === undefined) return undefined;
        const path = `GET /team-inbox/api/conversations/?contact=${contact}`;
        return (await ask(path)).results[0]?.id;
      };
      await expect.poll(find).toBeDefined();
      return (await find())!;
    }

    test('what is written while an answer is sent stays, and so does a draft in another conversation', async () => {
      await world.write('+60123457101', 'first asks');
      await world.write('+60123457102', 'second asks');
      const id = await conversationOf('+60123457101');
      await conversationOf('+60123457102');
      const { page, faults } = await world.arrive(`/console/inbox?id=${id}`, both, wide);
      const field = page.getByLabel('Your reply');
      const held = await holdRequests(page, 'POST', reply);
      const asked = held.next();
      await field.fill('It is on its way.');
      await field.press('Control+Enter');
      await asked;
      await field.press('End');
      await field.pressSequentially(' Anything');
      await page.getByRole('link', { name: /second asks/ }).click();
      await page.getByRole('article').filter({ hasText: 'second asks' }).waitFor();
      expect(await field.inputValue()).toBe('');
      await field.fill('For the second');
      await held.release();
      expect(await field.inputValue()).toBe('For the second');
      await page.getByRole('link', { name: /It is on its way/ }).click();
      await page.getByRole('article').filter({ hasText: 'It is on its way.' }).waitFor();
      expect(await field.inputValue()).toBe('Anything');
      await page.getByRole('link', { name: 'Contacts', exact: true }).click();
      await page.goBack();
      await expect.poll(() => field.inputValue()).toBe('Anything');
      expect(faults()).toEqual([]);
    });

    test('a key that is held down closes a conversation once', async () => {
      await world.write('+60123457103', 'is closed');
      const id = await conversationOf('+60123457103');
      const { page } = await world.arrive(`/console/inbox?id=${id}`, both, wide);
      await page.getByRole('article').filter({ hasText: 'is closed' }).waitFor();
      await page.keyboard.down('e');
      await page.getByRole('button', { name: 'Reopen' }).waitFor();
      await page.keyboard.down('e');
      await untilIdle(page);
      await page.getByRole('button', { name: 'Reopen' }).waitFor();
      const find = async () => (await ask(`GET /team-inbox/api/conversations/${id}/`)).state;
      await expect.poll(find).toBe('closed');
    });
  });
}
