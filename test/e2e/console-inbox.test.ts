import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser } from '../kit/browser.ts';
import { untilIdle, violationsOf, widthOf } from '../kit/console.ts';
import { type MessagingConsole, startMessagingConsole } from '../kit/messaging-console.ts';

let world: MessagingConsole;
beforeAll(async () => {
  if (noBrowser) return;
  world = await startMessagingConsole();
}, 240_000);
afterAll(() => world?.stop());
afterEach(() => world?.leave());

/** A story has many steps, and looks at each page for everybody's use. */
const storyMs = 90_000;
const wide = { viewport: { width: 1440, height: 900 } };
const attack = '<img src=x onerror=alert(1)>';

/** Of the list; what the page asks of one conversation has its id in the path. */
const isConversations = (request: { url(): string }) =>
  new URL(request.url()).pathname === '/team-inbox/api/conversations/';

/** The conversation of a person with this number, once their message is there. */
async function conversationOf(phone: string) {
  const found = async () => {
    const contacts = await world.kit.ask(`GET /contacts/?phone=${encodeURIComponent(phone)}`);
    const id = contacts.body.results[0]?.id;
    if (id === undefined) return undefined;
    const path = `GET /team-inbox/api/conversations/?contact=${id}`;
    return (await world.kit.ask(path)).body.results[0];
  };
  await expect.poll(found).toBeDefined();
  return found();
}

if (noBrowser) test('the team inbox in a browser', (context) => context.skip(noBrowser));
else {
  test(
    'who waits is seen at once, answered, noted, tagged, taken, closed, and printed',
    async () => {
      await world.kit.ask('POST /tenants/tenant-tags/', { body: { name: 'Urgent' } });
      const { page, faults } = await world.arrive('/console/inbox', { role: 'agent' }, wide);
      await page.getByText('Live', { exact: true }).waitFor();
      await world.write('+60123450001', `Where is my order? ${attack}`);
      const row = page.getByRole('link', { name: /Where is my order/ });
      await row.waitFor();
      await row.click();
      await page.getByRole('article').filter({ hasText: attack }).last().waitFor();
      await page.getByText('1 new').waitFor({ state: 'detached' });

      await page.getByLabel('Your reply').fill('It is on its way.');
      await page.getByLabel('Your reply').press('Control+Enter');
      const reply = page.getByRole('article').filter({ hasText: 'It is on its way.' });
      await reply.getByText(/delivered/).waitFor();
      await expect.poll(() => page.getByLabel('Your reply').inputValue()).toBe('');

      await page.getByRole('button', { name: 'Internal note' }).click();
      await page.getByLabel('A note that only the team sees').fill(`Was upset ${attack}`);
      await page.getByRole('button', { name: 'Keep note' }).click();
      await page.getByRole('article').filter({ hasText: 'Was upset' }).waitFor();
      const file = { name: 'parcel.txt', mimeType: 'text/plain', buffer: Buffer.from('3 kg') };
      await page.getByLabel('Attach a file for the team').first().setInputFiles(file);
      await page.getByRole('link', { name: 'parcel.txt' }).waitFor();

      await page.getByLabel('Assigned to').selectOption({ label: 'Aisha <b>Rahman</b> (you)' });
      await page.getByText(/assigned to You/).waitFor();
      await page.locator('summary').click();
      await page.getByLabel('Urgent').click();
      await page.getByText(/changed the tags/).waitFor();
      await page.locator('summary').click();
      expect(await violationsOf(page)).toEqual([]);

      await page.getByRole('button', { name: 'Export as PDF' }).click();
      const downloading = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download' }).click();
      const printed = await readFile(await (await downloading).path());
      expect(printed.subarray(0, 5).toString()).toBe('%PDF-');

      await page.getByRole('button', { name: 'Close', exact: true }).click();
      await page.getByRole('button', { name: 'Reopen' }).waitFor();
      // The page shows what was asked for before it is kept.
      await expect
        .poll(() => conversationOf('+60123450001'))
        .toMatchObject({ state: 'closed', tags: ['Urgent'], unread: 0 });
      expect(faults()).toEqual([]);
    },
    storyMs,
  );

  test(
    'what somebody has begun to write is there after a reload, and gone once they sign out',
    async () => {
      await world.write('+60123450023', 'a draft, please');
      const { id } = await conversationOf('+60123450023');
      const { page } = await world.arrive(`/console/inbox?id=${id}`, { role: 'agent' }, wide);
      await page.getByRole('button', { name: 'Internal note' }).click();
      await page.getByLabel('A note that only the team sees').fill('Half a note');
      await page.getByRole('button', { name: 'Reply', exact: true }).click();
      await page.getByLabel('Your reply').fill('Half an answer');
      await page.reload();
      const reply = page.getByLabel('Your reply');
      await reply.waitFor();
      expect(await reply.inputValue()).toBe('Half an answer');
      await page.getByRole('button', { name: 'Internal note' }).click();
      const note = page.getByLabel('A note that only the team sees');
      expect(await note.inputValue()).toBe('Half a note');
      const kept = () => page.evaluate(() => JSON.stringify(sessionStorage));
      expect(await kept()).toContain('Half an answer');
      const other = await page.context().newPage();
      await other.goto('/console/profile');
      await other.getByRole('button', { name: 'Sign out', exact: true }).first().click();
      await page.getByLabel('E-mail').waitFor();
      expect(await kept()).not.toContain('Half');
    },
    storyMs,
  );

  test(
    'a duplicated window leaves what somebody has begun to write to the first',
    async () => {
      await world.write('+60123450024', 'two windows, please');
      const { id } = await conversationOf('+60123450024');
      const { page } = await world.arrive(`/console/inbox?id=${id}`, { role: 'agent' }, wide);
      await page.getByLabel('Your reply').fill('Half an answer');
      const opened = page.waitForEvent('popup');
      await page.evaluate('void window.open(location.href)');
      const other = await opened;
      const reply = other.getByLabel('Your reply');
      await reply.waitFor();
      await expect.poll(() => reply.inputValue()).toBe('');
      await reply.fill('Another answer');
      await reply.press('Control+Enter');
      await other.getByRole('article').filter({ hasText: 'Another answer' }).waitFor();
      expect(await page.getByLabel('Your reply').inputValue()).toBe('Half an answer');
      await page.getByLabel('Your reply').press('Control+Enter');
      await page.getByRole('article').filter({ hasText: 'Half an answer' }).waitFor();
    },
    storyMs,
  );

  test(
    'who takes a conversation a moment too late is told who was first',
    async () => {
      await world.write('+60123450025', 'two of you, please');
      const { id } = await conversationOf('+60123450025');
      const { page } = await world.arrive(`/console/inbox?id=${id}`, { role: 'agent' }, wide);
      const team = (await world.kit.ask('GET /team-inbox/api/team/')).body.results;
      const me = page.getByLabel('Assigned to').locator('option', { hasText: '(you)' });
      const mine = await me.getAttribute('value');
      const first = team.find((each: { id: string }) => each.id !== mine);
      const path = `/team-inbox/api/conversations/${id}/`;
      await page.route(`**${path}`, async (route) => {
        const body = { assignee_id: first.id };
        if (route.request().method() === 'PATCH') await world.kit.ask(`PATCH ${path}`, { body });
        await route.continue();
      });
      await page.getByLabel('Assigned to').selectOption(mine);
      await page.getByText(`${first.name} was first`).waitFor();
      await expect.poll(() => page.getByLabel('Assigned to').inputValue()).toBe(first.id);
      expect(await violationsOf(page)).toEqual([]);
      expect(await conversationOf('+60123450025')).toMatchObject({ assignee_id: first.id });
    },
    storyMs,
  );

  test(
    'who has waited longest is listed first, however many wrote since',
    async () => {
      await world.write('+60123450051', 'the first of all');
      const { id } = await conversationOf('+60123450051');
      const since = new Date(Date.now() - 86_400_000);
      await world.kit.app.platform.db.tenant(world.kit.tenantId, (tx) =>
        tx.run('update conversation set waiting_since = $2 where id = $1', [id, since]),
      );
      await world.write('+60123450052', 'the last of all');
      await conversationOf('+60123450052');
      const { page } = await world.arrive('/console/', { role: 'agent' }, wide);
      const waiting = page
        .locator('section')
        .filter({ hasText: 'People who wait for an answer' })
        .last();
      await waiting.getByRole('link').first().filter({ hasText: '+60123450051' }).waitFor();
      await page.goto('/console/inbox?view=waiting');
      const rows = page.locator('[data-conversation]');
      await rows.first().filter({ hasText: 'the first of all' }).waitFor();
      await rows.last().filter({ hasText: 'the last of all' }).waitFor();
    },
    storyMs,
  );

  test(
    'messages come into the list without a request for it',
    async () => {
      await world.write('+60123450021', 'before');
      await conversationOf('+60123450021');
      const { page, faults } = await world.arrive('/console/inbox', { role: 'agent' }, wide);
      const rows = page.locator('[data-conversation]');
      await rows.filter({ hasText: 'before' }).waitFor();
      // The list is read once more when the stream is open: what came in between is in it.
      await page.waitForResponse(isConversations);
      const asked: string[] = [];
      page.on('request', (request) => {
        if (isConversations(request)) asked.push(request.url());
      });
      for (let at = 0; at < 3; at += 1) {
        await world.write('+60123450022', `first ${at}`);
        await rows
          .first()
          .filter({ hasText: `first ${at}` })
          .waitFor();
      }
      await world.write('+60123450021', 'once more');
      await rows.first().filter({ hasText: 'once more' }).waitFor();
      const { id } = await conversationOf('+60123450022');
      const path = `PATCH /team-inbox/api/conversations/${id}/`;
      await world.kit.ask(path, { body: { state: 'closed' } });
      await page.locator(`[data-conversation="${id}"]`).waitFor({ state: 'detached' });
      expect(asked).toEqual([]);
      expect(faults()).toEqual([]);
    },
    storyMs,
  );

  test('can be done by keys alone', async () => {
    await world.write('+60123450002', 'first person');
    await conversationOf('+60123450002');
    await world.write('+60123450003', 'second person');
    await conversationOf('+60123450003');
    const { page } = await world.arrive('/console/inbox', { role: 'agent' });
    await page.getByRole('link', { name: /second person/ }).waitFor();
    await page.keyboard.press('j');
    await page.getByRole('article').filter({ hasText: 'second person' }).last().waitFor();
    await page.keyboard.press('j');
    await page.getByRole('article').filter({ hasText: 'first person' }).last().waitFor();
    await page.keyboard.press('a');
    await page.getByText(/assigned to You/).waitFor();
    await page.keyboard.press('r');
    await page.keyboard.type('Answered by keys');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('article').filter({ hasText: 'Answered by keys' }).last().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'Team inbox' }).click();
    await page.keyboard.press('e');
    await page.getByRole('button', { name: 'Reopen' }).waitFor();
    await expect.poll(async () => (await conversationOf('+60123450002')).state).toBe('closed');
  });

  test(
    'a canned reply is written by an admin, found by a slash, filled in, and sent',
    async () => {
      const admin = await world.arrive('/console/inbox', undefined, wide);
      await admin.page.getByRole('link', { name: 'Canned replies' }).click();
      for (const [shortcut, text] of [
        ['hours', 'We are open until 18:00.'],
        ['hello', `Hello {{contact.first_name}}, we write to {{contact.phone}}. ${attack}`],
      ] as const) {
        await admin.page.getByRole('button', { name: 'Write a canned reply' }).click();
        const dialog = admin.page.getByRole('dialog');
        await dialog.getByLabel('Shortcut').fill(shortcut);
        await dialog.getByLabel('Title').fill(`About ${shortcut}`);
        await dialog.getByLabel('Text', { exact: true }).fill('{{contact.salary}}');
        await dialog.getByRole('button', { name: 'Save' }).click();
        await dialog.getByText(/is no variable/).waitFor();
        await dialog.getByLabel('Text', { exact: true }).fill(text);
        await dialog.getByRole('button', { name: 'Save' }).click();
        await admin.page.getByRole('cell', { name: `/${shortcut}` }).waitFor();
      }
      expect(await violationsOf(admin.page)).toEqual([]);

      await world.write('+60123450009', 'Are you there?');
      const { id } = await conversationOf('+60123450009');
      const { page, faults } = await world.arrive(`/console/inbox?id=${id}`, { role: 'agent' });
      await page.getByRole('article').filter({ hasText: 'Are you there?' }).waitFor();
      await page.keyboard.press('/');
      const options = page.getByRole('listbox', { name: 'Canned replies' }).getByRole('option');
      await options.nth(1).waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await page.keyboard.type('hel');
      await expect.poll(() => options.count()).toBe(1);
      await page.keyboard.press('Enter');
      const field = page.getByLabel('Your reply');
      await page.getByText(/Fill in {{contact.first_name}} before you send/).waitFor();
      expect(await field.inputValue()).toContain('we write to +60123450009');
      await field.press('Control+Enter');
      await field.fill('About your order: /hou');
      await options.first().click();
      await expect
        .poll(() => field.inputValue())
        .toBe('About your order: We are open until 18:00.');
      await field.press('Control+Enter');
      await page.getByRole('article').filter({ hasText: 'About your order' }).last().waitFor();
      expect(await page.getByRole('article').filter({ hasText: 'Hello' }).count()).toBe(0);
      await page.getByRole('link', { name: 'Canned replies' }).click();
      await page.getByRole('cell', { name: '/hello' }).waitFor();
      expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0);
      expect([...admin.faults(), ...faults()]).toEqual([]);
    },
    storyMs,
  );

  describe('a long list', () => {
    const size = 60;
    const rowOf = (at: number) => ({
      id: `cnv_${String(9_999 - at)}`,
      contact: { id: `cnt_${at}`, name: `Person ${at + 1}`, phone: null },
      state: 'open',
      snoozed_until: null,
      assignee_id: null,
      tags: [],
      unread: 0,
      waiting_since: null,
      due_at: null,
      last_channel: 'sms',
      last_item_id: `msg_00${9_999 - at}`,
      last_message: null,
      updated_at: '2026-11-01T08:00:00.000Z',
    });

    /** Lists of conversations are answered in the place of the server. */
    async function serve(page: Page, more: (cursor: string) => Parameters<Route['fulfill']>[0]) {
      const asked: string[] = [];
      await page.route(
        (url) => isConversations({ url: () => url.href }),
        (route) => {
          const cursor = new URL(route.request().url()).searchParams.get('cursor');
          asked.push(cursor ?? '');
          const results = Array.from({ length: size }, (_, at) => rowOf(at));
          const first = { json: { results, next: 'second', previous: null } };
          return route.fulfill(cursor === null ? first : more(cursor));
        },
      );
      return asked;
    }

    const bottom = (page: Page) =>
      page.evaluate(`(() => {
        const frame = document.querySelector('ul[aria-label="Conversations"]').parentElement;
        frame.scrollTo(0, frame.scrollHeight);
      })()`);

    test('stays where somebody looks when a message comes in', async () => {
      await world.write('+60123450031', 'open beside the list');
      const open = await conversationOf('+60123450031');
      const { page } = await world.arrive('/console/', { role: 'agent' }, wide);
      await serve(page, () => ({ json: { results: [], next: null, previous: null } }));
      await page.goto(`/console/inbox?id=${open.id}`);
      const rows = page.locator('[data-conversation]');
      await page.getByText('Live', { exact: true }).waitFor();
      // The open conversation comes into the list with its next message.
      await world.write('+60123450031', 'once more');
      await rows.filter({ hasText: 'once more' }).waitFor();
      await bottom(page);
      await rows.filter({ hasText: `Person ${size}` }).waitFor();
      const list = page.getByRole('list', { name: 'Conversations' });
      const before = await list.evaluate((each) => each.scrollHeight);
      await world.write('+60123450032', 'somebody else');
      await expect.poll(() => list.evaluate((each) => each.scrollHeight)).toBeGreaterThan(before);
      await untilIdle(page);
      expect(await rows.filter({ hasText: `Person ${size - 1}` }).count()).toBe(1);
    });

    test('asks for a page that fails once, and again when somebody says so', async () => {
      const { page } = await world.arrive('/console/', { role: 'agent' }, wide);
      const problem = { code: 'internal_error', detail: 'Not now.', request_id: 'req_1' };
      const asked = await serve(page, () => ({ status: 500, json: problem }));
      await page.goto('/console/inbox');
      // The list is read once more when the stream is open.
      await expect.poll(() => asked.length).toBe(2);
      await bottom(page);
      await page.getByText('Not now.').waitFor();
      for (let turn = 0; turn < 20; turn += 1) await untilIdle(page);
      expect(asked.filter((cursor) => cursor === 'second')).toHaveLength(1);
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByText('Not now.').waitFor({ state: 'detached' });
      await bottom(page);
      await expect.poll(() => asked.filter((cursor) => cursor === 'second').length).toBe(2);
    });
  });

  test('earlier messages come also when a message arrives while they are on their way', async () => {
    await world.write('+60123450041', 'the newest');
    const { id } = await conversationOf('+60123450041');
    const { page } = await world.arrive('/console/', { role: 'agent' }, wide);
    const path = '/team-inbox/api/messages/';
    const { body } = await world.kit.ask(`GET ${path}?conversation=${id}`);
    const gate = Promise.withResolvers<void>();
    await page.route(
      (url) => url.pathname === path,
      async (route) => {
        const isFirst = !new URL(route.request().url()).searchParams.has('cursor');
        if (!isFirst) await gate.promise;
        const text = isFirst ? 'the newest' : 'the oldest';
        const results = [{ ...body.results[0], id: `msg_${text}`, text }];
        await route.fulfill({ json: { results, next: isFirst ? 'more' : null, previous: null } });
      },
    );
    await page.goto(`/console/inbox?id=${id}`);
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Earlier' }).click();
    const again = page.waitForResponse((answer) => new URL(answer.url()).pathname === path);
    await world.write('+60123450041', 'one more');
    await again;
    gate.resolve();
    await page.getByRole('article').filter({ hasText: 'the oldest' }).waitFor();
  });

  test('who may only read is not asked to answer', async () => {
    await world.write('+60123450004', 'for an analyst');
    const { id } = await conversationOf('+60123450004');
    const { page, faults } = await world.arrive(`/console/inbox?id=${id}`, { role: 'analyst' });
    await page.getByRole('article').filter({ hasText: 'for an analyst' }).waitFor();
    expect(await page.getByRole('button', { name: 'Send' }).count()).toBe(0);
    expect(await page.getByLabel('Assigned to').count()).toBe(0);
    expect(faults()).toEqual([]);
  });

  test('what the channel refuses is said with its reason', async () => {
    await world.write('+60123450005', 'STOP');
    const { id } = await conversationOf('+60123450005');
    const { page } = await world.arrive(`/console/inbox?id=${id}`, { role: 'agent' });
    await page.getByLabel('Your reply').fill('Why?');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('alert').getByText('opted_out').waitFor();
    expect(await page.getByLabel('Your reply').inputValue()).toBe('Why?');
  });

  test(
    'a template is sent with the file of its header and the end of its button’s address',
    async () => {
      const { kit } = world;
      const { simulators } = JSON.parse(await readFile(join(kit.home, 'credentials.json'), 'utf8'));
      const network = (path: string, init?: RequestInit) =>
        fetch(`${simulators.whatsapp}/_control/${path}`, init);
      const app = await kit.ask('POST /wa/v1/apps/', { body: { name: 'w', provider: 'whatsapp' } });
      const made = await kit.ask('POST /wa/v1/templates/', {
        body: {
          name: 'on_its_way',
          language: 'en_US',
          category: 'UTILITY',
          app_id: app.body.id,
          header: { format: 'image', example: '4::aW1hZ2U=' },
          body: 'Hello {{1}}, your order has been sent today.',
          body_examples: ['Asha'],
          buttons: [
            {
              type: 'url',
              text: 'Track',
              url: 'https://a.test/{{1}}',
              example: 'https://a.test/17',
            },
          ],
        },
      });
      expect(made.status, JSON.stringify(made.body)).toBe(201);
      const template = `GET /wa/v1/templates/${made.body.id}/`;
      const timeout = 30_000;
      await expect
        .poll(async () => (await kit.ask(template)).body.status, { timeout })
        .toBe('approved');
      const phone_number_id = app.body.settings.phone_number_id;
      await network('inbound', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ from: '60123450031', text: 'Where is it?', phone_number_id }),
      });
      const { id } = await conversationOf('+60123450031');
      const { page, faults } = await world.arrive(`/console/inbox?id=${id}`, { role: 'agent' });
      await page.getByRole('button', { name: 'Template' }).click();
      await page.getByLabel('Address of the file in the header').fill('https://a.test/parcel.png');
      await page.getByLabel('{{1}}').fill('Asha');
      await page.getByLabel('End of the address of the button “Track”').fill('A-17');
      expect(await violationsOf(page)).toEqual([]);
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      const sent = page
        .getByRole('article')
        .filter({ hasText: 'Hello Asha, your order has been sent today.' });
      await sent.getByText(/delivered|read/).waitFor();

      // What somebody was writing when the service window closed stays in sight.
      await page.getByRole('button', { name: 'Reply', exact: true }).click();
      const reply = page.getByLabel('Your reply');
      await reply.fill('It arrives on');
      await kit.app.platform.db.tenant(kit.tenantId, (tx) =>
        tx.run(
          `update message set created_at = created_at - interval '25 hours'
           where tenant_id = $1 and contact_id = $2 and direction = 'in'`,
          [kit.tenantId, id.replace('cnv_', 'con_')],
        ),
      );
      const note = { text: 'Asked the depot.' };
      await kit.ask(`POST /team-inbox/api/conversations/${id}/notes/`, { body: note });
      await page.getByText(/only an approved template may go/).waitFor();
      expect(await reply.inputValue()).toBe('It arrives on');
      expect(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true);
      expect(faults()).toEqual([]);
    },
    storyMs,
  );

  describe.each([
    ['in English', 'en-GB', 'ltr'],
    ['in Arabic', 'ar-AE', 'rtl'],
  ])('%s', (_, locale, direction) => {
    test(
      'it can be used by everybody, also on a narrow screen',
      async () => {
        await world.write('+60123450006', 'مرحبا، أين طلبي؟');
        const { id } = await conversationOf('+60123450006');
        const viewport = { width: 360, height: 740 };
        const visit = await world.arrive('/console/inbox', { role: 'agent' }, { locale, viewport });
        const { page, faults } = visit;
        expect(await page.locator('html').getAttribute('dir')).toBe(direction);
        await page.locator(`[data-conversation="${id}"]`).waitFor();
        const filters = page.locator('search');
        expect(await filters.getByRole('combobox').count()).toBe(0);
        await filters.getByRole('button').click();
        await filters.getByRole('combobox').nth(1).selectOption({ index: 1 });
        await filters.getByRole('button').getByText(/\(.\)/).waitFor();
        await filters.getByRole('combobox').nth(1).selectOption({ index: 0 });
        expect(await violationsOf(page)).toEqual([]);
        await filters.getByRole('button').click();
        await page.locator(`[data-conversation="${id}"]`).waitFor();
        expect(await violationsOf(page)).toEqual([]);
        expect(await widthOf(page)).toBeLessThanOrEqual(360);
        await page.locator(`[data-conversation="${id}"]`).click();
        await page.locator('article').first().waitFor();
        expect(await violationsOf(page)).toEqual([]);
        expect(await widthOf(page)).toBeLessThanOrEqual(360);
        expect(faults()).toEqual([]);
      },
      storyMs,
    );
  });

  test.each(['en-GB', 'ar-AE'])(
    'in %s wallet, branding and settings can be used by everybody',
    async (locale) => {
      const viewport = { width: 360, height: 740 };
      const { page, faults } = await world.arrive('/console/', undefined, { locale, viewport });
      for (const path of ['wallet', 'branding', 'settings']) {
        await page.goto(`/console/${path}`);
        await page.locator('#content h1').waitFor();
        expect([path, await violationsOf(page)]).toEqual([path, []]);
        expect(await widthOf(page)).toBeLessThanOrEqual(360);
      }
      expect(faults()).toEqual([]);
    },
    storyMs,
  );

  test('a logo is chosen, and what is no picture is refused', async () => {
    const { page, faults } = await world.arrive('/console/branding');
    const html = { name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from(attack) };
    await page.getByLabel('Choose a logo').setInputFiles(html);
    await page.getByRole('alert').waitFor();
    const buffer = await readFile('docs/conversation.png');
    await page.getByLabel('Choose a logo').setInputFiles({ ...html, buffer });
    await page.getByRole('img', { name: 'Logo' }).waitFor();
    await page.getByLabel('Mail is sent from').fill('care@acme.example');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Not proved yet').waitFor();
    expect(await page.getByLabel('DNS record of care@acme.example').inputValue()).toContain('TXT');
    const { body } = await world.kit.ask('GET /tenants/branding/');
    expect(body).toMatchObject({
      logo: { content_type: 'image/png' },
      email_sender: { address: 'care@acme.example' },
    });
    expect(faults()).toEqual([]);
  });
}
