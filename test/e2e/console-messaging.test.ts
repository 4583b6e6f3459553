import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { prepare, recordedCall } from '../../control-plane/messaging/voice/voice.kit.ts';
import { noBrowser } from '../kit/browser.ts';
import { untilIdle, violationsOf, widthOf } from '../kit/console.ts';
import { type MessagingConsole, startMessagingConsole } from '../kit/messaging-console.ts';

let world: MessagingConsole;
beforeAll(async () => {
  if (noBrowser) return;
  world = await startMessagingConsole();
  await furnish();
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

/** What the stories find there: an app of WhatsApp, and an offer with three people. */
async function furnish(): Promise<void> {
  await ask('POST /wa/v1/apps/', { provider: 'whatsapp', name: 'Shop' });
  await world.kit.fund('sms', '+60', '0.05', '10');
  await world.kit.fund('voice', '+60', '0.06', '10');
  await ask('POST /sms/v1/templates/', {
    name: 'offer',
    body: 'Hello {{name}}, a good offer.',
  });
  const people = { 'Mei <b>Ling</b>': '+60123450811', Unreached: '+60123459400' };
  for (const [name, phone] of Object.entries(people)) {
    await ask('POST /contacts/', { name, phone, segments: ['Offer'] });
  }
  await ask('POST /contacts/', {
    name: 'Bot only',
    channel_identifiers: [{ channel: 'botchat', external_id: '811' }],
    segments: ['Offer'],
  });
}

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
      await page.getByRole('heading', { name: 'Siti' }).waitFor();
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

  test(
    'a template is written beside the words of the network, and approved',
    async () => {
      const { page, faults } = await world.arrive('/console/templates');
      await page.getByRole('link', { name: 'Write a template' }).first().click();
      await page.getByLabel('Name').fill('Order Ready');
      await page.getByLabel('Text', { exact: true }).fill('{{1}}, your order is ready');
      await page
        .getByText(/only lower-case letters/)
        .first()
        .waitFor();
      await page.getByLabel('Name').fill('order_ready');
      await page.getByLabel('Text', { exact: true }).fill('Hello {{1}}, your order is ready.');
      await page.getByLabel('Example for 1').fill(attack);
      await page.getByText('Nothing that is known to be refused.').waitFor();
      await page.getByRole('figure').getByText(`Hello ${attack}`).waitFor();
      await page.getByRole('button', { name: 'Add a button' }).click();
      await page.getByLabel('Text of the button').fill('Thanks');
      expect(await violationsOf(page)).toEqual([]);
      await page.getByRole('button', { name: 'Send for approval' }).click();
      await page.getByRole('heading', { name: 'order_ready' }).waitFor();
      await page.getByText('Approved').waitFor();
      expect(await violationsOf(page)).toEqual([]);
      expect(faults()).toEqual([]);
    },
    storyMs,
  );

  test.each([
    ['/templates/new', 'Name'],
    ['/call-flows/new', 'Name'],
    ['/company', 'Legal name'],
  ])('what was written on %s is not lost without a question', async (path, label) => {
    const { page, faults } = await world.arrive('/console/wallet', {
      role: 'admin',
      einvoicing_role: 'finance_admin',
    });
    await page.goto(`/console${path}`);
    const field = page.getByLabel(label, { exact: true });
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    const overview = page.getByRole('link', { name: 'Overview' });
    await field.waitFor();
    await overview.click();
    await page.waitForURL('**/console/');
    await page.goBack();
    await field.fill('written');
    await overview.click();
    expect(await violationsOf(page)).toEqual([]);
    await question.getByRole('button', { name: 'Stay' }).click();
    expect(await field.inputValue()).toBe('written');
    await page.goForward();
    await question.getByRole('button', { name: 'Stay' }).click();
    expect(await field.inputValue()).toBe('written');
    await overview.click();
    await question.getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL('**/console/');
    expect(faults()).toEqual([]);
  });

  test(
    'a broadcast is looked at, tried, sent, and what failed is sent again',
    async () => {
      const { page, faults } = await world.arrive('/console/broadcasts');
      await page.getByRole('link', { name: 'Write a broadcast' }).first().click();
      await page.getByLabel('Template').selectOption({ label: 'offer (en)' });
      await page.getByLabel('Segment').selectOption('Offer');
      await page.getByText('Offer (3 contacts)').waitFor();
      // Neither a double click nor Enter in a field sends what nobody has looked at.
      let asked = 0;
      page.on('request', (request) => {
        const isBroadcast = new URL(request.url()).pathname === '/broadcast/';
        if (isBroadcast && request.method() === 'POST') asked += 1;
      });
      const look = page.getByRole('button', { name: 'See what would happen' });
      await look.scrollIntoViewIfNeeded();
      const { x, y } = (await look.boundingBox())!;
      await page.mouse.click(x + 5, y + 5);
      const send = page.getByRole('button', { name: 'Send to 2 people' });
      await send.waitFor();
      await page.getByText('No address on the channel').waitFor();
      const now = (await send.boundingBox())!;
      await page.mouse.move(now.x + 5, now.y + 5);
      await page.mouse.down({ clickCount: 2 });
      await page.mouse.up({ clickCount: 2 });
      await page.getByLabel('Time, where you are').press('Enter');
      await untilIdle(page);
      expect(asked).toBe(1);
      await page.getByText('US$0.10').waitFor();
      expect(await violationsOf(page)).toEqual([]);

      await page.getByRole('button', { name: 'Send a test' }).click();
      const dialog = page.getByRole('dialog', { name: 'Send a test' });
      await dialog.getByLabel('Numbers').fill('+60 12-345 0811');
      await dialog.getByRole('button', { name: 'Send a test' }).click();
      await dialog.getByText('The test is on its way.').waitFor();
      await dialog.getByRole('button', { name: 'Close' }).click();

      await page.getByRole('button', { name: 'Send to 2 people' }).click();
      await page.getByRole('heading', { name: 'offer' }).waitFor();
      await page.getByText('Completed').waitFor();
      await page.getByRole('link', { name: '+60123459400' }).waitFor();
      expect(await violationsOf(page)).toEqual([]);
      const downloading = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Download the recipients' }).click();
      const told = await readFile(await (await downloading).path(), 'utf8');
      expect(told).toContain('60123450811');
      const first = page.url();
      await page.getByRole('button', { name: 'Send again' }).click();
      const again = page.getByRole('dialog', { name: 'Send again' });
      await again.getByRole('button', { name: 'Send again' }).click();
      await page.waitForURL((url) => url.href !== first);
      await page.getByText('Sent again').waitFor();
      expect(faults()).toEqual([]);
    },
    storyMs,
  );

  test(
    'an app tells its addresses and is stopped; another is connected',
    async () => {
      const { page, faults } = await world.arrive('/console/channels');
      const shop = page.locator('section', { has: page.getByRole('heading', { name: 'Shop' }) });
      await shop.getByText('Active').waitFor();
      const address = await shop
        .getByLabel('Address for what people write', { exact: true })
        .inputValue();
      expect(address).toContain(`/wa/v1/webhooks/${world.kit.tenantId}/`);
      await page.getByRole('button', { name: 'Connect an app' }).click();
      const dialog = page.getByRole('dialog', { name: 'Connect an app' });
      await dialog.getByLabel('Channel').selectOption('botchat');
      await dialog.getByLabel('Name').fill('Helper');
      await dialog.getByRole('button', { name: 'Connect an app' }).click();
      const helper = page.locator('section', {
        has: page.getByRole('heading', { name: 'Helper' }),
      });
      await helper.waitFor();
      await page.getByRole('button', { name: 'Connect an app' }).click();
      await dialog.getByLabel('Channel').selectOption('sms');
      await dialog.getByLabel('Provider').selectOption('Twilio');
      await dialog.getByLabel('Name', { exact: true }).fill('Parcels');
      await dialog.getByLabel('Account SID').fill('AC1');
      const token = dialog.getByLabel('Auth token');
      expect(await token.getAttribute('type')).toBe('password');
      await token.fill('not the simulator’s');
      await dialog.getByRole('button', { name: 'Connect an app' }).click();
      await dialog.locator('[aria-invalid=true]').waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await dialog.getByLabel('Account SID').fill('');
      await token.fill('');
      await dialog.getByRole('button', { name: 'Connect an app' }).click();
      const parcels = page.locator('section', {
        has: page.getByRole('heading', { name: 'Parcels' }),
      });
      await parcels.getByText('Twilio', { exact: true }).waitFor();
      await parcels.getByRole('button', { name: 'Settings' }).click();
      const changing = page.getByRole('dialog', { name: 'Settings of Parcels' });
      await changing.getByText('Left empty, it stays.').waitFor();
      await changing.getByText('What few change').click();
      await changing.getByLabel('Messages per second').fill('7');
      expect(await violationsOf(page)).toEqual([]);
      await changing.getByRole('button', { name: 'Save' }).click();
      await parcels.getByText('7', { exact: true }).waitFor();
      await helper.getByRole('button', { name: 'Stop it' }).click();
      await helper.getByRole('button', { name: 'Let it go on' }).waitFor();
      await page.getByRole('button', { name: 'Take them in now' }).click();
      await page.getByText(/^Taken in: 0$/).waitFor();
      expect(await violationsOf(page)).toEqual([]);
      expect(faults()).toEqual([]);
    },
    storyMs,
  );

  test(
    'a call flow is drawn and shown in each markup, and a call is made with it',
    async () => {
      const { page, faults } = await world.arrive('/console/call-flows');
      await page.getByRole('link', { name: 'Write a call flow' }).first().click();
      await page.getByLabel('Name').fill(`Greeting ${attack}`);
      const text = page.getByLabel('The flow, as JSON');
      const flow = await text.inputValue();
      await text.fill(flow.replace('"next": "menu"', '"next": "nowhere"'));
      await page.getByRole('button', { name: 'Save' }).click();
      await page
        .getByText(/missing_target/)
        .first()
        .waitFor();
      await text.fill(flow);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('heading', { name: `Greeting ${attack}` }).waitFor();
      await page.getByText('menu (gather)').waitFor({ state: 'attached' });
      await page.getByLabel('Provider', { exact: true }).selectOption('vonage-voice');
      await page.getByRole('textbox').filter({ hasText: '"action"' }).first().waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await page.getByRole('link', { name: 'Edit', exact: true }).click();
      const changed = (await text.inputValue()).replace('your order is ready', 'come in');
      await text.fill(changed);
      await page.getByRole('button', { name: 'Save' }).click();
      await text.waitFor({ state: 'detached' });
      await page.getByRole('textbox').filter({ hasText: 'come in' }).first().waitFor();

      await page.getByRole('link', { name: 'Calls' }).click();
      await page.getByRole('button', { name: 'Connect a provider' }).click();
      const connecting = page.getByRole('dialog', { name: 'Connect a provider' });
      await connecting.getByLabel('Name').fill('Main line');
      await connecting.getByLabel('Calls from').fill('+60312345678');
      await connecting.getByLabel('Provider').selectOption('Asterisk (ARI)');
      await connecting.getByLabel('Trunk').waitFor();
      await connecting.getByLabel('Provider').selectOption('Twilio Voice');
      await connecting.getByRole('button', { name: 'Connect a provider' }).click();
      const line = page.getByRole('row', { name: /Main line/ });
      await line.getByRole('button', { name: 'Settings: Main line' }).click();
      const changing = page.getByRole('dialog', { name: 'Settings of Main line' });
      await changing.getByLabel('Intelligence service SID').fill('');
      await changing.getByRole('button', { name: 'Save' }).click();
      await changing.waitFor({ state: 'detached' });
      const [provider] = (await ask('GET /voice/api/provider-configs/')).results;
      expect(provider.settings).toEqual({
        account_sid: expect.any(String),
        auth_token: expect.stringMatching(/^•+$/),
      });
      await page.getByRole('button', { name: 'Call somebody' }).click();
      const calling = page.getByRole('dialog', { name: 'Call somebody' });
      await calling.getByLabel('Number').fill('+60 12-341 0001');
      await calling.getByLabel('Provider').selectOption({ label: 'Main line' });
      await calling.getByLabel('Call flow').selectOption({ label: `Greeting ${attack}` });
      await calling.getByRole('button', { name: 'Call somebody' }).click();
      await page.getByRole('heading', { name: '+60123410001' }).waitFor();
      await page.getByText('Busy').first().waitFor();
      expect(await violationsOf(page)).toEqual([]);
      expect(faults()).toEqual([]);
    },
    storyMs,
  );

  test(
    'a rate of calls is added, followed by another and ended; a file of rates is mended and imported',
    async () => {
      const { page, faults } = await world.arrive('/console/calls');
      await page.getByRole('link', { name: 'Rates' }).click();
      await page.getByRole('button', { name: 'Add a rate' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Prefix').fill('+49');
      await dialog.getByLabel('Currency').fill('usd');
      await dialog.getByLabel('Price of a minute').fill('0,02');
      expect(await violationsOf(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByText(/must be a decimal/).waitFor();
      await dialog.getByLabel('Price of a minute').fill('0.0125');
      await dialog.getByRole('button', { name: 'Save' }).click();
      const first = page.getByRole('row', { name: /US\$0\.0125 a minute/ });
      await first.getByRole('button', { name: 'Change' }).click();
      await dialog.getByLabel('Price of a minute').fill('0.02');
      await dialog.getByRole('button', { name: 'Save' }).click();
      const second = page.getByRole('row', { name: /US\$0\.02 a minute/ });
      await second.getByRole('button', { name: 'End' }).click();
      await dialog.getByRole('button', { name: 'End' }).click();
      await second.getByText('Over').waitFor();

      await page.getByRole('link', { name: 'Import a file' }).click();
      const choose = async (...lines: string[]) => {
        const buffer = Buffer.from(['prefix,currency,per_minute', ...lines].join('\n'));
        const file = { name: 'rates.csv', mimeType: 'text/csv', buffer };
        await page.getByLabel('File', { exact: true }).setInputFiles(file);
        await page.getByRole('button', { name: 'Look at it' }).click();
      };
      await choose('+33,USD,0.03', `${attack},USD,0.03`);
      await page.getByText('1 row has a problem').waitFor();
      await page
        .getByRole('row', { name: /3 prefix: must be/ })
        .getByText(attack)
        .waitFor();
      expect(await page.getByRole('button', { name: /^Import/ }).count()).toBe(0);
      expect(await violationsOf(page)).toEqual([]);
      await choose('+33,USD,0.03', '+34,USD,0.04');
      await page.getByRole('button', { name: 'Import 2 rates' }).click();
      await page.getByText('2 rates were added.').waitFor();
      await page.getByRole('link', { name: 'Rates', exact: true }).click();
      await page.getByRole('row', { name: /\+34/ }).waitFor();
      expect(faults()).toEqual([]);
    },
    storyMs,
  );

  test(
    'recordings are found, played, read and deleted',
    async () => {
      const setup = await prepare(world.kit);
      await recordedCall(world.kit, setup, 'plivo-voice', '+60123450881');
      const { recordingId } = await recordedCall(world.kit, setup, 'plivo-voice', '+60123450882');
      const transcribed = async () =>
        (await ask(`GET /voice/api/recordings/${recordingId}/`)).transcription_status;
      await expect.poll(transcribed, { timeout: 15_000 }).toBe('completed');
      const { page, faults } = await world.arrive('/console/calls');
      await page.getByRole('link', { name: 'Recordings' }).click();
      const row = page.getByRole('row', { name: /\+60123450882/ });
      const other = page.getByRole('row', { name: /\+60123450881/ });
      await other.waitFor();
      await page.getByLabel('Number').fill('+60 12-345 0882');
      await page.getByLabel('From the day').fill('2026-01-01');
      await page.getByRole('button', { name: 'Show', exact: true }).click();
      await other.waitFor({ state: 'detached' });
      const loads = page.waitForResponse(/\/download\/$/);
      await row.locator('audio').evaluate((audio: { load(): void; preload: string }) => {
        audio.preload = 'auto';
        audio.load();
      });
      expect((await loads).status()).toBeLessThan(300);
      expect(await violationsOf(page)).toEqual([]);
      await row.getByRole('button', { name: 'Read the text' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText(/bakery/).waitFor();
      await dialog.getByRole('button', { name: 'Close' }).click();
      await row.getByRole('button', { name: 'Delete' }).click();
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await row.getByText('Deleted', { exact: true }).waitFor();
      await row.getByRole('link').click();
      await page.getByRole('link', { name: 'Read or delete them' }).click();
      await page.waitForURL(/call=call_/);
      await row.waitFor();
      expect(faults()).toEqual([]);
    },
    storyMs,
  );

  test(
    'two who look at one conversation see each other, and who types',
    async () => {
      await world.write('+60123450831', 'Is anybody there?');
      const inbox = () => ask('GET /team-inbox/api/conversations/');
      await expect.poll(async () => (await inbox()).results.length).toBeGreaterThan(0);
      const [{ id }] = (await inbox()).results;
      const path = `/console/inbox?id=${id}`;
      const first = await world.arrive(path, { role: 'agent' });
      await first.page.getByLabel('Your reply').waitFor();
      await first.page.getByText('Live', { exact: true }).waitFor();
      const second = await world.arrive(path, { role: 'agent' });
      await first.page.getByText('is looking at this too').waitFor();
      await second.page.getByText('is looking at this too').waitFor();
      await second.page.getByLabel('Your reply').fill('Yes');
      await first.page.getByText('is typing an answer').waitFor();
      await second.page.getByRole('link', { name: 'Contacts' }).click();
      await first.page.getByText('is typing an answer').waitFor({ state: 'detached' });
      expect([...first.faults(), ...second.faults()]).toEqual([]);
    },
    storyMs,
  );

  test('who makes broadcasts says whether and in which language their reports are mailed', async () => {
    const { page, faults } = await world.arrive('/console/settings');
    const heading = page.getByRole('heading', { name: 'Reports of broadcasts' });
    const card = page.locator('section', { has: heading });
    const kept = () => ask('GET /broadcast/report-settings/');
    for (const [choice, settings] of [
      ['in Malay', { mail_to_creator: true, language: 'ms' }],
      ['off', { mail_to_creator: false, language: 'ms' }],
    ] as const) {
      await card.getByLabel('Mail').selectOption(choice);
      await card.getByRole('button', { name: 'Save' }).click();
      await expect.poll(kept).toMatchObject(settings);
    }
    expect(faults()).toEqual([]);
  });

  test('who may only read is offered no change of contacts', async () => {
    await ask('POST /contacts/', { name: 'Seen', phone: '+60123450801' });
    const { page, faults } = await world.arrive('/console/contacts', { role: 'analyst' });
    await page.getByRole('link', { name: 'Seen' }).click();
    await page.getByRole('heading', { name: 'Consents' }).waitFor();
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
    expect(faults()).toEqual([]);
  });

  test(
    'an address is not written to any more, and again once it is known that the person agrees',
    async () => {
      const { page, faults } = await world.arrive('/console/contacts');
      await page.getByRole('link', { name: 'Opt-outs' }).click();
      await page.getByRole('button', { name: 'Add an opt-out' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Address').fill('+60 12-345 0899');
      await dialog.getByLabel('Reason').fill(`At the till ${attack}`);
      expect(await violationsOf(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Save' }).click();
      const row = page.getByRole('row', { name: '+60123450899' });
      await row.getByText(`At the till ${attack}`).waitFor();
      await page.getByLabel('Channel').selectOption('wa');
      await page.getByLabel('Address').fill('+60123450899');
      await page.getByRole('button', { name: 'Show' }).click();
      await page.getByText('No opt-out fits').waitFor();
      await page.getByLabel('Channel').selectOption('sms');
      await page.getByRole('button', { name: 'Show' }).click();
      await row.getByRole('button', { name: 'Remove' }).click();
      await dialog.getByLabel('How is it known that they agree?').fill('By phone');
      await dialog.getByRole('button', { name: 'Remove' }).click();
      await row.waitFor({ state: 'detached' });
      expect(faults()).toEqual([]);
    },
    storyMs,
  );

  test(
    'two contacts of one person are put side by side and merged with the values that were chosen',
    async () => {
      const own = await ask('POST /contacts/', {
        name: 'Farid',
        phone: '+60123450871',
        attributes: { city: 'Ipoh', since: 2020 },
      });
      await ask('POST /contacts/', {
        name: 'Farid bin Omar',
        phone: '+60123450872',
        attributes: { city: attack },
      });
      const { page, faults } = await world.arrive(`/console/contacts/${own.id}`);
      await page.getByRole('link', { name: 'Merge with another' }).click();
      await page
        .getByRole('row', { name: 'Farid bin Omar' })
        .getByRole('link', { name: 'Choose' })
        .click();
      await page.getByRole('group', { name: 'city' }).getByLabel(attack).check();
      await page.getByRole('group', { name: 'Name' }).getByLabel('Farid bin Omar').check();
      expect(await violationsOf(page)).toEqual([]);
      await page.setViewportSize({ width: 360, height: 740 });
      expect(await widthOf(page)).toBeLessThanOrEqual(360);
      await page.getByRole('button', { name: 'Merge them' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Merge them' }).click();
      await page.waitForURL(`**/console/contacts/${own.id}`);
      await page.getByRole('heading', { name: 'Farid bin Omar', exact: true }).waitFor();
      expect(await ask(`GET /contacts/${own.id}/`)).toMatchObject({
        name: 'Farid bin Omar',
        phone: '+60123450871',
        attributes: { city: attack, since: 2020 },
      });
      expect(faults()).toEqual([]);
    },
    storyMs,
  );

  test(
    'business hours are set, and the statistics count in them who answered, by day and by member',
    async () => {
      const { page, faults } = await world.arrive('/console/inbox/hours');
      await page.getByText('Nothing is set yet').waitFor();
      await page.getByLabel('Time zone').selectOption('Asia/Kuala_Lumpur');
      const sunday = page.getByRole('group', { name: 'Sunday' });
      await sunday.getByRole('button', { name: 'Remove' }).click();
      await sunday.getByText('Nobody is there.').waitFor();
      await page.getByLabel('Day', { exact: true }).fill('2026-12-25');
      await page.getByRole('button', { name: 'Add the day' }).click();
      await page.getByLabel('First answer, in minutes').fill('30');
      expect(await violationsOf(page)).toEqual([]);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved.').waitFor();
      expect(await ask('GET /team-inbox/api/settings/')).toMatchObject({
        time_zone: 'Asia/Kuala_Lumpur',
        holidays: ['2026-12-25'],
        first_response_minutes: 30,
        weekly_hours: [{ day: 'mon', from: '00:00', to: '24:00' }, {}, {}, {}, {}, {}],
      });

      await world.write('+60123450861', 'Are you open?');
      const asked = () => ask('GET /team-inbox/api/messages/?text=open');
      await expect.poll(async () => (await asked()).results.length).toBeGreaterThan(0);
      const [{ conversation_id: id }] = (await asked()).results;
      await page.goto(`/console/inbox?id=${id}`);
      await page.getByLabel('Your reply').fill('Yes');
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await page.getByRole('article').filter({ hasText: 'Yes' }).waitFor();
      await page.getByRole('link', { name: 'Statistics' }).click();
      await page.getByRole('link', { name: 'Last 7 days' }).click();
      await page.getByRole('img', { name: /^Messages by day, from/ }).waitFor();
      const members = page.getByRole('region', { name: 'By member' });
      await members.getByRole('row', { name: /You/ }).waitFor();
      await page.getByText('Show every day in a table').click();
      expect(await page.getByRole('region', { name: 'By day' }).getByRole('row').count()).toBe(8);
      expect(await violationsOf(page)).toEqual([]);
      expect(faults()).toEqual([]);
    },
    storyMs,
  );

  const places = {
    'the inbox and contacts': [
      '/inbox/statistics',
      '/inbox/hours',
      '/contacts',
      '/contacts/segments',
      '/contacts/opt-outs',
      '/contacts/import',
    ],
    'broadcasts and templates': [
      '/broadcasts',
      '/broadcasts/new',
      '/templates',
      '/templates/new',
      '/channels',
    ],
    calls: [
      '/calls',
      '/calls/recordings',
      '/calls/rates',
      '/calls/rates/import',
      '/call-flows/new',
    ],
  };

  test('a long word is broken on a narrow screen, and not cut off', async () => {
    const long = 'Averylongnamewithoutanyspace'.repeat(3);
    const { id } = await ask('POST /contacts/', {
      name: long,
      phone: '+60123450899',
      attributes: { [long.slice(0, 64)]: long },
    });
    const viewport = { width: 360, height: 740 };
    const { page } = await world.arrive('/console/contacts', undefined, { viewport });
    await page.getByRole('link', { name: long }).waitFor();
    const isCut = `(() => {
      const frame = document.querySelector('section:has(> table)');
      return frame.scrollWidth > frame.clientWidth;
    })()`;
    expect(await page.evaluate(isCut)).toBe(false);
    await page.goto(`/console/contacts/${id}`);
    await page.getByRole('heading', { name: long }).waitFor();
    expect(await widthOf(page)).toBeLessThanOrEqual(360);
  });

  test.each(Object.entries(places))(
    'in Arabic, on a narrow screen, each page of %s can be used by everybody',
    async (_, paths) => {
      const viewport = { width: 360, height: 740 };
      const options = { locale: 'ar-AE', viewport };
      const { page, faults } = await world.arrive('/console/', undefined, options);
      expect(await page.locator('html').getAttribute('dir')).toBe('rtl');
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
}
