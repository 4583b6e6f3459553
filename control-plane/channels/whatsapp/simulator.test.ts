import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { seeded, standingClock } from '../../../test/kit/clock.ts';
import { type Reply, type RunningSimulator, serve } from '../../simulation/server.ts';
import { account, startWhatsappSimulator, type WhatsappSimulator } from './simulator.ts';

const time = standingClock('2026-11-21T08:00:00Z');
const webhookUrl = 'https://api.example.test/wa/';
let simulator: WhatsappSimulator;
beforeEach(async () => {
  simulator = await startWhatsappSimulator({ clock: time.clock, random: seeded(5), webhookUrl });
});
afterEach(() => simulator.stop());

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
  readonly body: any;
}

async function call(method: string, path: string, body?: object): Promise<Answer> {
  const response = await fetch(`${simulator.url}/v23.0/${path}`, {
    method,
    headers: { authorization: `Bearer ${account.accessToken}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

const use = {
  name: 'order_update',
  language: { code: 'en_US' },
  components: [{ type: 'body', parameters: [{ type: 'text', text: 'Asha' }] }],
};
const send = (to: string, number: string = account.phoneNumberId) =>
  call('POST', `${number}/messages`, {
    messaging_product: 'whatsapp',
    to,
    type: 'template',
    template: use,
  });
const changes = () =>
  simulator.control.takeWebhooks().map(({ url, body }) => {
    const [entry] = JSON.parse(body).entry;
    return { url, wabaId: entry.id, ...entry.changes[0] };
  });

test('each number has its own limits, account and address', async () => {
  const second = { phoneNumberId: '106000000000002', wabaId: '102000000000002' };
  simulator.control.addNumber({
    ...second,
    messagesPerSecond: 1,
    webhookUrl: 'https://b.test/wa/',
  });
  expect((await send('919820000001', second.phoneNumberId)).status).toBe(200);
  expect((await send('919820000002', second.phoneNumberId)).body.error.code).toBe(130429);
  expect((await send('919820000003')).status).toBe(200);
  const webhooks = changes();
  expect(webhooks.slice(0, 3)).toEqual(
    Array.from({ length: 3 }, () =>
      expect.objectContaining({ url: 'https://b.test/wa/', wabaId: second.wabaId }),
    ),
  );
  expect(webhooks[3]).toMatchObject({ url: webhookUrl, wabaId: account.wabaId });
  expect((await send('919820000003', '106000000000009')).body.error.code).toBe(100);
});

test('a window is between a person and the number to which they wrote', async () => {
  simulator.control.addNumber({ phoneNumberId: '106000000000002' });
  simulator.control.write({ waId: '919820000001' }, { type: 'text', text: { body: 'hi' } });
  const text = { messaging_product: 'whatsapp', to: '919820000001', type: 'text' };
  for (const number of [account.phoneNumberId, '106000000000002']) {
    await call('POST', `${number}/messages`, { ...text, text: { body: 'hello' } });
  }
  const statuses = changes().flatMap(({ value }) => value.statuses ?? []);
  expect(statuses.map(({ status }) => status)).toEqual(['sent', 'delivered', 'read', 'failed']);
  expect(statuses.at(-1).errors[0].code).toBe(131047);
});

test('during an upgrade nothing is accepted for a minute, then 1,000 a second', async () => {
  simulator.control.upgrade();
  expect(changes()).toMatchObject([
    { field: 'phone_number_quality_update', value: { event: 'THROUGHPUT_UPGRADE' } },
  ]);
  expect((await send('919820000001')).body.error.code).toBe(131057);
  simulator.control.advance(60_000);
  expect((await send('919820000001')).status).toBe(200);
  expect((await call('GET', account.phoneNumberId)).body).toMatchObject({
    throughput: { level: 'HIGH' },
    quality_rating: 'GREEN',
  });
});

describe('the values of a template', () => {
  const buttons = [
    { type: 'QUICK_REPLY', text: 'Thanks' },
    { type: 'URL', text: 'Track', url: 'https://a.test/{{1}}' },
  ];
  const template = {
    name: 'with_parts',
    language: 'en_US',
    category: 'UTILITY',
    components: [
      { type: 'HEADER', format: 'IMAGE' },
      { type: 'BODY', text: 'Hello {{1}}, it is here.', example: { body_text: [['Asha']] } },
      { type: 'BUTTONS', buttons },
    ],
  };
  const header = {
    type: 'header',
    parameters: [{ type: 'image', image: { link: 'https://a.test/b' } }],
  };
  const body = { type: 'body', parameters: [{ type: 'text', text: 'Asha' }] };
  const button = {
    type: 'button',
    sub_type: 'url',
    index: '1',
    parameters: [{ type: 'text', text: 'a' }],
  };

  test.each([
    ['fit', [header, body, button], undefined],
    ['lack the file of the header', [body, button], 132012],
    [
      'have a text for the file',
      [{ ...header, parameters: body.parameters }, body, button],
      132012,
    ],
    ['lack the text', [header, button], 132000],
    ['lack the end of a button’s address', [header, body], 131008],
    ['are of another button', [header, body, { ...button, index: '0' }], 131008],
  ])('%s', async (_, components, code) => {
    await call('POST', `${account.wabaId}/message_templates`, template);
    simulator.control.review(template.name, 'en_US', 'APPROVED');
    changes();
    const answer = await call('POST', `${account.phoneNumberId}/messages`, {
      messaging_product: 'whatsapp',
      to: '919820000001',
      type: 'template',
      template: { name: template.name, language: { code: 'en_US' }, components },
    });
    expect(answer.body.error?.code).toBe(code);
  });
});

describe('review', () => {
  const submit = (name: string) =>
    call('POST', `${account.wabaId}/message_templates`, {
      name,
      language: 'en_US',
      category: 'UTILITY',
      components: [{ type: 'BODY', text: 'Your parcel is on its way.' }],
    });
  const events = () => changes().map(({ value }) => value.event ?? value.new_category);

  test('takes the configured time', async () => {
    simulator.control.set({ reviewMs: 5_000 });
    expect((await submit('plain')).body.status).toBe('PENDING');
    expect(events()).toEqual([]);
    simulator.control.advance(5_000);
    expect(events()).toEqual(['APPROVED']);
  });

  test.each([
    ['sale_pending', []],
    ['sale_rejected', ['REJECTED']],
    ['sale_paused', ['APPROVED', 'PAUSED']],
    ['sale_disabled', ['APPROVED', 'DISABLED']],
    ['sale_recategorised', ['APPROVED', 'MARKETING']],
  ])('%s: %j', async (name, expected) => {
    await submit(name);
    expect(events()).toEqual(expected);
  });
});

test('a template needs the values of its header and its button too', async () => {
  const components = [
    { type: 'HEADER', format: 'TEXT', text: 'Order {{1}}' },
    { type: 'BODY', text: 'Your parcel is on its way.' },
    {
      type: 'BUTTONS',
      buttons: [{ type: 'URL', text: 'Track', url: 'https://shop.example/{{1}}' }],
    },
  ];
  const [name, language] = ['tracked', 'en_US'];
  const submission = { name, language, category: 'UTILITY', components };
  await call('POST', `${account.wabaId}/message_templates`, submission);
  const parameters = [{ type: 'text', text: '77' }];
  const header = { type: 'header', parameters };
  const button = { type: 'button', sub_type: 'url', index: '0', parameters };
  const codeOf = async (...values: object[]) => {
    const template = { name, language: { code: language }, components: values };
    const message = {
      messaging_product: 'whatsapp',
      to: '919820000001',
      type: 'template',
      template,
    };
    return (await call('POST', `${account.phoneNumberId}/messages`, message)).body.error?.code;
  };
  expect(await codeOf(button)).toBe(132000);
  expect(await codeOf(header)).toBe(131008);
  expect(await codeOf(header, button)).toBeUndefined();
});

describe('an address for webhooks', () => {
  let receiver: RunningSimulator;
  let answer: (challenge: string) => Reply;
  beforeEach(async () => {
    const handle = ({ query }: { query: URLSearchParams }): Reply =>
      query.get('hub.verify_token') === 'known'
        ? answer(query.get('hub.challenge') ?? '')
        : { status: 403 };
    receiver = await serve([{ method: 'get', path: '/wa', handle }], 0);
  });
  afterEach(() => receiver.stop());
  const subscribe = (verify_token: string) =>
    call('POST', `${account.wabaId}/subscribed_apps`, {
      override_callback_uri: `${receiver.url}/wa`,
      verify_token,
    });

  test('is accepted when it returns the challenge', async () => {
    answer = (challenge) => ({ status: 200, body: challenge });
    expect(await subscribe('known')).toEqual({ status: 200, body: { success: true } });
    await send('919820000001');
    expect(new Set(changes().map(({ url }) => url))).toEqual(new Set([`${receiver.url}/wa`]));
  });

  test.each([
    ['does not know the token', 'other', (challenge: string) => challenge],
    ['says something else', 'known', () => 'OK'],
  ])('is refused when it %s', async (_name, token, say) => {
    answer = (challenge) => ({ status: 200, body: say(challenge) });
    expect((await subscribe(token)).status).toBe(400);
    await send('919820000001');
    expect(changes()[0]?.url).toBe(webhookUrl);
  });
});

test('consecutive numbers hit no error code', async () => {
  for (const end of ['000004', '000010', '000100', '000190', '000368', '080007']) {
    expect((await send(`919820${end}`)).status).toBe(200);
  }
});
