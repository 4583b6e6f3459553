import { describe, expect, test } from 'vitest';
import { type ListedFor, withConversation, withoutConversation } from './changed-list.ts';
import type { Conversation } from './queries.ts';

const hour = (at: number) => `2026-11-24T${String(at).padStart(2, '0')}:00:00.000Z`;

/** A conversation whose newest message came at that hour. */
function conversation(id: string, at: number, more: Partial<Conversation> = {}): Conversation {
  return {
    id,
    contact: { id: `con_${id}`, name: id, phone: null },
    state: 'open',
    snoozed_until: null,
    assignee_id: null,
    tags: [],
    openings: 1,
    opened_at: hour(0),
    waiting_since: null,
    due_at: null,
    unread: 0,
    last_channel: 'sms',
    last_item_id: `msg_${String(at).padStart(2, '0')}${id}`,
    last_message: null,
    created_at: hour(0),
    updated_at: hour(at),
    ...more,
  };
}

type Pages = readonly (readonly Conversation[])[];

/** A list of pages, of which there may be more. */
function listOf(pages: Pages, next: string | null = null) {
  return {
    pages: pages.map((results, at) => ({ results, next: at < pages.length - 1 ? 'more' : next })),
    pageParams: pages.map(() => undefined),
  };
}

const idsOf = (list: ReturnType<typeof withConversation>) =>
  list.pages.map(({ results }) => results.map(({ id }) => id));

const open: ListedFor = { filters: { state: 'open' }, userId: 'usr_me' };
const pages = [
  [conversation('e', 9), conversation('d', 8)],
  [conversation('c', 7), conversation('b', 6)],
];

describe('a changed conversation in a list that is loaded', () => {
  test.each<[what: string, changed: Conversation, next: string | null, ids: string[][]]>([
    ['that wrote again comes first', conversation('b', 10), null, [['b', 'e', 'd'], ['c']]],
    [
      'that is new stands in its place',
      conversation('n', 10),
      null,
      [
        ['n', 'e', 'd'],
        ['c', 'b'],
      ],
    ],
    [
      'between two pages stands in one',
      conversation('n', 7),
      null,
      [
        ['e', 'd'],
        ['n', 'c', 'b'],
      ],
    ],
    [
      'older than all comes last',
      conversation('n', 1),
      null,
      [
        ['e', 'd'],
        ['c', 'b', 'n'],
      ],
    ],
    [
      'behind what is loaded waits',
      conversation('n', 1),
      'more',
      [
        ['e', 'd'],
        ['c', 'b'],
      ],
    ],
    [
      'that was closed is gone',
      conversation('d', 8, { state: 'closed', updated_at: hour(9) }),
      null,
      [['e'], ['c', 'b']],
    ],
    [
      'that never belonged stays out',
      conversation('n', 10, { state: 'closed' }),
      null,
      [
        ['e', 'd'],
        ['c', 'b'],
      ],
    ],
  ])('%s', (_, changed, next, ids) => {
    expect(idsOf(withConversation(listOf(pages, next), changed, open))).toEqual(ids);
  });

  test('shows what is new of it', () => {
    const changed = conversation('d', 8, { unread: 3, updated_at: hour(9) });
    const list = withConversation(listOf(pages), changed, open);
    expect(list.pages.flatMap(({ results }) => results)[1]).toBe(changed);
  });

  test('that was told before the list was read changes nothing', () => {
    const list = listOf(pages);
    expect(withConversation(list, conversation('d', 5), open)).toBe(list);
  });

  test.each<[filters: ListedFor['filters'], more: Partial<Conversation>, isListed: boolean]>([
    [{ assignee: 'me' }, { assignee_id: 'usr_me' }, true],
    [{ assignee: 'me' }, { assignee_id: 'usr_other' }, false],
    [{ assignee: 'me' }, {}, false],
    [{ assignee: 'none' }, {}, true],
    [{ assignee: 'none' }, { assignee_id: 'usr_me' }, false],
    [{ channel: 'wa' }, { last_channel: 'wa' }, true],
    [{ channel: 'wa' }, { last_channel: 'sms' }, false],
    [{ tag: 'Urgent' }, { tags: ['Late', 'Urgent'] }, true],
    [{ tag: 'Urgent' }, { tags: ['Late'] }, false],
    [{ state: 'snoozed' }, { state: 'snoozed' }, true],
    [{ state: 'snoozed' }, { state: 'open' }, false],
    [{}, { state: 'closed' }, true],
    [{ order: 'longest_wait' }, { waiting_since: hour(1) }, true],
    [{ order: 'longest_wait' }, {}, false],
  ])('is listed by %j when it has %j: %s', (filters, more, isListed) => {
    const changed = conversation('n', 3, more);
    const list = withConversation(listOf([[]]), changed, { filters, userId: 'usr_me' });
    expect(idsOf(list)).toEqual(isListed ? [['n']] : [[]]);
  });
});

test('who has waited longest comes first, whoever wrote last', () => {
  const waits = (id: string, since: number, at: number) =>
    conversation(id, at, { waiting_since: hour(since) });
  const list = listOf([[waits('a', 1, 9), waits('b', 3, 8)], [waits('c', 5, 7)]]);
  const longest: ListedFor = { filters: { order: 'longest_wait' }, userId: 'usr_me' };
  const changed = withConversation(list, waits('c', 2, 10), longest);
  expect(idsOf(changed)).toEqual([['a', 'c', 'b'], []]);
  const answered = withConversation(changed, conversation('a', 11), longest);
  expect(idsOf(answered)).toEqual([['c', 'b'], []]);
});

test('a conversation that is gone leaves its list', () => {
  const list = listOf(pages);
  expect(idsOf(withoutConversation(list, 'c'))).toEqual([['e', 'd'], ['b']]);
  expect(withoutConversation(list, 'unknown')).toBe(list);
});
