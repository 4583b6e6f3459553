import { describe, expect, test } from 'vitest';
import type { WebhookRequest } from '../contract.ts';
import { whatsapp } from './adapter.ts';
import { sandboxSettings } from './simulator.ts';
import { events, verify } from './webhook.ts';

const request = (body: string, signature = ''): WebhookRequest => ({
  method: 'POST',
  url: 'https://api.example.test/wa/v1/webhooks/tenant_1/',
  headers: { 'x-hub-signature-256': signature },
  body: Buffer.from(body),
});
const app = {
  id: 'app_1',
  endpoint: '',
  callbackUrl: '',
  settings: whatsapp.settings.parse({ ...sandboxSettings, app_secret: 'app_secret_0123' }),
};

describe('the signature', () => {
  const body = '{"object":"whatsapp_business_account","entry":[]}';
  const golden = 'sha256=db7d0e11fcf2ab935f85c31b73b04727dbb395bfda7fd549cda9c6f71bacb29f';

  test('the golden vector is verified', () => {
    expect(verify(request(body, golden), app)).toEqual({ kind: 'ok' });
  });

  test.each([
    ['another body', `${body} `, golden],
    ['no prefix', body, golden.slice(7)],
    ['capitals', body, golden.toUpperCase()],
    ['nothing', body, ''],
  ])('%s is refused', (_name, sent, signature) => {
    expect(verify(request(sent, signature), app)).toMatchObject({ kind: 'refused', status: 401 });
  });
});

const value = (field: string, of: object) => {
  const reading = events(request(JSON.stringify({ entry: [{ changes: [{ field, value: of }] }] })));
  if (reading.kind === 'malformed') throw new Error(reading.reason);
  return reading.events;
};
const metadata = { phone_number_id: '106000000000001' };
const from = { from: '919800000001', id: 'wamid.1', timestamp: '1763600000' };
const inbound = (message: object) =>
  value('messages', { metadata, messages: [{ ...from, ...message }] });

test.each([
  ['5215512345678', '+525512345678'],
  ['525512345678', '+525512345678'],
  ['5491123456789', '+5491123456789'],
])('%s is the person with the phone %s', (from, phone) => {
  expect(inbound({ from, type: 'text', text: { body: 'hola' } })).toMatchObject([
    { from: { phone } },
  ]);
});

describe('what a person sends', () => {
  test.each([
    ['text', { text: { body: 'hi' } }, { kind: 'text', text: 'hi' }],
    [
      'image',
      { image: { id: 'i1', mime_type: 'image/jpeg', caption: 'c' } },
      { kind: 'media', type: 'image', source: { providerId: 'i1' }, caption: 'c' },
    ],
    ['audio', { audio: { id: 'a1', voice: true } }, { kind: 'media', type: 'audio' }],
    ['document', { document: { id: 'd', filename: 'a.pdf' } }, { filename: 'a.pdf' }],
    [
      'location',
      { location: { latitude: 3.1, longitude: 101.7, name: 'KL' } },
      { kind: 'location', location: { latitude: 3.1, longitude: 101.7, name: 'KL' } },
    ],
    [
      'contacts',
      { contacts: [{ name: { formatted_name: 'A' }, phones: [{ phone: '+60' }] }] },
      { kind: 'contacts', contacts: [{ name: 'A', phones: ['+60'] }] },
    ],
    [
      'reaction',
      { reaction: { message_id: 'wamid.0', emoji: '👍' } },
      { to: 'wamid.0', emoji: '👍' },
    ],
    [
      'button',
      { button: { payload: 'p', text: 't' } },
      { kind: 'choice', payload: 'p', text: 't' },
    ],
    [
      'interactive',
      { interactive: { type: 'list_reply', list_reply: { id: 'r1', title: 'Row' } } },
      { kind: 'choice', payload: 'r1', text: 'Row' },
    ],
    [
      'interactive',
      { interactive: { type: 'nfm_reply', nfm_reply: { response_json: '{"a":1}', body: 'Sent' } } },
      { kind: 'choice', payload: '{"a":1}', text: 'Sent' },
    ],
    [
      'order',
      {
        order: {
          catalog_id: '194836987003835',
          text: 'Love these!',
          product_items: [
            { product_retailer_id: 'di9', quantity: 2, item_price: 7.99, currency: 'USD' },
            { product_retailer_id: 'nqry', quantity: 1, item_price: 30, currency: 'USD' },
            { quantity: 9 },
          ],
        },
      },
      {
        kind: 'order',
        text: 'Love these!',
        catalogId: '194836987003835',
        items: [
          { productId: 'di9', quantity: 2, price: '7.99', currency: 'USD' },
          { productId: 'nqry', quantity: 1, price: '30', currency: 'USD' },
        ],
      },
    ],
    [
      'order',
      { order: { text: 'as last week' } },
      { kind: 'order', text: 'as last week', items: [] },
    ],
    ['order', { order: {} }, { kind: 'unsupported', what: 'order' }],
    ['unsupported', { errors: [{ code: 131051 }] }, { kind: 'unsupported' }],
  ])('%s', (type, part, content) => {
    expect(inbound({ type, ...part })).toMatchObject([
      { kind: 'inbound', providerId: 'wamid.1', to: '106000000000001', content },
    ]);
  });

  test('an answer names the message it answers, and when it was written', () => {
    const context = { from: '60123456789', id: 'wamid.0' };
    expect(inbound({ type: 'text', text: { body: 'hi' }, context })).toMatchObject([
      { replyTo: 'wamid.0', at: new Date(1_763_600_000_000), from: { phone: '+919800000001' } },
    ]);
  });

  test('a changed number is the same person', () => {
    const system = { type: 'user_changed_number', wa_id: '919800000002' };
    expect(inbound({ type: 'system', system })).toEqual([
      {
        kind: 'identity',
        from: { phone: '+919800000001' },
        to: { phone: '+919800000002' },
        number: '106000000000001',
      },
    ]);
  });
});

test('stopping marketing is an opt-out of marketing only', () => {
  const user_preferences = [
    { wa_id: '919800000001', category: 'marketing_messages', value: 'stop', timestamp: 1 },
    { wa_id: '919800000001', category: 'marketing_messages', value: 'resume', timestamp: 2 },
  ];
  expect(value('user_preferences', { user_preferences })).toMatchObject([
    { kind: 'consent', change: 'stop', scope: 'marketing', person: { phone: '+919800000001' } },
    { kind: 'consent', change: 'start' },
  ]);
});

test('template, category, quality and account updates', () => {
  const template = {
    message_template_id: 7,
    message_template_name: 'a',
    message_template_language: 'en',
  };
  const rejected = { ...template, event: 'REJECTED', reason: 'PROMOTIONAL' };
  expect(value('message_template_status_update', rejected)).toEqual([
    {
      kind: 'template',
      templateId: '7',
      name: 'a',
      language: 'en',
      status: 'rejected',
      reason: 'PROMOTIONAL',
    },
  ]);
  const moved = { ...template, previous_category: 'UTILITY', new_category: 'MARKETING' };
  expect(value('template_category_update', moved)).toMatchObject([{ category: 'MARKETING' }]);
  const worse = { ...template, previous_quality_score: 'GREEN', new_quality_score: 'RED' };
  expect(value('message_template_quality_update', worse)).toMatchObject([{ quality: 'red' }]);
  expect(value('account_update', { event: 'ACCOUNT_RESTRICTION' })).toMatchObject([
    { kind: 'account', what: 'ACCOUNT_RESTRICTION' },
  ]);
});

test('unknown fields and types are skipped', () => {
  expect(value('flows', { event: 'x' })).toEqual([]);
  expect(value('messages', { metadata, statuses: [{ id: 'w', status: 'deleted' }] })).toEqual([]);
  expect(events(request('[]'))).toMatchObject({ kind: 'malformed' });
});
