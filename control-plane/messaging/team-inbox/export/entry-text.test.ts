import { expect, test } from 'vitest';
import type { MessageRow } from '../../messages/message-row.ts';
import type { HistoryRow } from '../conversations/history-store.ts';
import { textOfCall, textOfHistory, textOfMessage } from './entry-text.ts';

const source = { url: 'https://files.example/a.png' };
const media = { type: 'image', source, caption: 'the receipt' } as const;
const yes = { kind: 'reply', text: 'Yes', payload: 'y' } as const;
const shop = { kind: 'url', text: 'Shop', url: 'https://shop.example' } as const;
const card = { title: 'Two', description: 'for one', suggestions: [shop] };
const list = {
  kind: 'list' as const,
  button: 'Choose',
  sections: [{ title: 'Sizes', rows: [{ id: 's', title: 'S', description: 'small' }] }],
};
const link = { kind: 'link', text: 'Pay', url: 'https://pay.example' } as const;

test.each<[string, MessageRow['content'], string]>([
  ['a text', { kind: 'text', text: 'x'.repeat(9_000) }, 'x'.repeat(9_000)],
  ['a file sent', { kind: 'media', media }, 'the receipt'],
  ['a file received', { kind: 'media', type: 'image', source, caption: 'seen' }, 'seen'],
  ['a file alone', { kind: 'media', type: 'image', source }, ''],
  [
    'a place',
    { kind: 'location', location: { latitude: 25.2, longitude: 55.27, address: 'Pier 7' } },
    '[location]\nPier 7\n25.2, 55.27',
  ],
  [
    'a contact',
    { kind: 'contacts', contacts: [{ name: 'Asha', phones: ['+91981', '+91982'] }] },
    '[contact] Asha +91981 +91982',
  ],
  [
    'a choice of a list',
    {
      kind: 'interactive',
      interactive: { header: 'Hi', body: 'Size?', footer: 'ok', choice: list },
    },
    'Hi\nSize?\nok\n[Choose]\nSizes\n[S – small]',
  ],
  [
    'a link',
    { kind: 'interactive', interactive: { body: 'Due', choice: link } },
    'Due\n[Pay] https://pay.example',
  ],
  ['a card', { kind: 'card', card }, 'Two\nfor one\n[Shop] https://shop.example'],
  [
    'cards',
    { kind: 'carousel', cards: [card, { title: 'Next' }], suggestions: [yes] },
    'Two\nfor one\n[Shop] https://shop.example\nNext\n[Yes]',
  ],
  ['suggestions', { kind: 'suggestions', text: 'Come?', suggestions: [yes] }, 'Come?\n[Yes]'],
  [
    'an order',
    {
      kind: 'order',
      text: 'Love these!',
      items: [
        { productId: 'di9', quantity: 2, price: '7.99', currency: 'USD' },
        { productId: 'nqry', quantity: 1 },
      ],
    },
    '[order]\nLove these!\n2 × di9 · 7.99 USD\n1 × nqry',
  ],
  ['anything else', { kind: 'choice', payload: 'y', text: 'Yes' }, 'as in lists'],
])('%s is printed whole', (_, content, words) => {
  expect(textOfMessage({ content, preview: 'as in lists' })).toBe(words);
});

test.each([
  ['no_answer', null, 'No answer'],
  ['completed', 7, 'Completed, 7 s'],
  ['completed', 192, 'Completed, 3 min 12 s'],
])('a call that is %s for %s says %s', (status, seconds, words) => {
  expect(textOfCall(status, seconds)).toBe(words);
});

test.each([
  ['opened', { opening: 1 }, 'Opened the conversation.'],
  ['opened', { opening: 2 }, 'Opened the conversation again.'],
  ['snoozed', { until: '2026-11-22T08:00:00.000Z' }, 'Snoozed the conversation until 08:00.'],
  ['assigned', { from: null, to: 'usr_b' }, 'Assigned the conversation to B.'],
  ['assigned', { from: 'usr_a', to: 'usr_b' }, 'Assigned the conversation to B (before: A).'],
  ['unassigned', { from: 'usr_a', to: null }, 'Assigned the conversation to nobody (before: A).'],
  ['tagged', { tags: ['vip', 'late'] }, 'Tags: vip, late.'],
  ['tagged', { tags: [] }, 'Tags: none.'],
])('%s %j is a sentence', (type, data, words) => {
  const row: HistoryRow = {
    id: 'cev_1',
    conversation_id: 'cnv_1',
    type,
    actor: null,
    data,
    created_at: new Date(0),
  };
  const wording = {
    name: (id: string) => id.slice(-1).toUpperCase(),
    instant: (at: Date) => at.toISOString().slice(11, 16),
  };
  expect(textOfHistory(row, wording)).toBe(words);
});
