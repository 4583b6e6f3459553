import { daysOf } from '@drawbridge/messaging/inbox/time-zone.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { InboxContext } from '../context.ts';
import { type ConversationChange, changeConversations } from '../conversations/actions.ts';
import { startRecording } from '../conversations/change-recorder.ts';
import { lockConversations } from '../conversations/store.ts';
import { type InboxKit, startInbox, withInbox } from '../inbox.kit.ts';
import { conversationIdOf } from '../item-id.ts';
import { saveSettings } from '../settings/store.ts';
import { readStats } from './routes.ts';
import { countDays } from './store.ts';

let kit: InboxKit;
beforeAll(async () => {
  kit = await startInbox();
});
afterAll(() => kit.stop());

// Monday, 09:00 in Dubai.
const monday = Date.UTC(2026, 10, 23, 5);
const at = (minute: number) => new Date(monday + minute * 60_000);

/** [minute, who, what]: `p` is the person, `a` and `b` are members, `k` is a key. */
type Step = readonly [minute: number, who: string, what?: string];

interface Scenario {
  readonly name: string;
  readonly steps: readonly Step[];
  /** To this minute, from minute 0 unless `since` is given. */
  readonly until: number;
  readonly since?: number;
  readonly expected: object;
}

const day = 24 * 60;
const seconds = (...minutes: number[]) => {
  const sorted = minutes.map((minute) => minute * 60).sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const median = (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2;
  const mean = sorted.reduce((sum, each) => sum + each, 0) / sorted.length;
  return { count: sorted.length, mean_seconds: mean, median_seconds: median };
};
const none = { count: 0, mean_seconds: null, median_seconds: null, p90_seconds: null };

const scenarios: readonly Scenario[] = [
  {
    name: 'one question, one answer',
    steps: [
      [0, 'p'],
      [10, 'a'],
    ],
    until: 60,
    expected: {
      first_response: { business: seconds(10), elapsed: seconds(10) },
      response: { business: seconds(10) },
      conversations: { opened: 1, closed: 0, open: 1, waiting: 0, unassigned: 1 },
      by_channel: [{ channel: 'wa', inbound: 1, outbound: 1 }],
      by_agent: [
        { agent_id: 'usr_a', messages: 1, responses: 1, median_seconds: 600, breached: 0 },
      ],
    },
  },
  {
    name: 'two messages before the answer are one wait, counted from the first',
    steps: [
      [0, 'p'],
      [5, 'p'],
      [10, 'a'],
      [11, 'a'],
    ],
    until: 60,
    expected: { response: { business: seconds(10) }, first_response: { business: seconds(10) } },
  },
  {
    name: 'later answers count as responses, not as first ones',
    steps: [
      [0, 'p'],
      [10, 'a'],
      [20, 'p'],
      [50, 'b'],
    ],
    until: 60,
    expected: {
      first_response: { business: seconds(10) },
      response: { business: { ...seconds(10, 30), p90_seconds: 1_680 } },
    },
  },
  {
    name: 'closed and opened again: two first responses, two openings, one conversation',
    steps: [
      [0, 'p'],
      [10, 'a'],
      [20, 'a', 'close'],
      [30, 'p'],
      [60, 'a'],
      [70, 'a', 'close'],
    ],
    until: 120,
    expected: {
      first_response: { business: seconds(10, 30) },
      resolution: seconds(20, 40),
      conversations: { opened: 2, closed: 2, open: 0, waiting: 0, unassigned: 0 },
    },
  },
  {
    name: 'opened again after the period: it was closed at its end',
    steps: [
      [0, 'p'],
      [10, 'a'],
      [20, 'a', 'close'],
      [200, 'p'],
    ],
    until: 100,
    expected: { conversations: { opened: 1, closed: 1, open: 0, waiting: 0 } },
  },
  {
    name: 'closed after the period: at its end it was open, and the person waited',
    steps: [
      [0, 'p'],
      [200, 'a'],
      [210, 'a', 'close'],
    ],
    until: 100,
    expected: {
      first_response: { business: none },
      conversations: { opened: 1, closed: 0, open: 1, waiting: 1 },
    },
  },
  {
    name: 'reassigned twice: one wait, and the answer counts for the member who gave it',
    steps: [
      [0, 'p'],
      [5, 'a', 'assign usr_a'],
      [15, 'b', 'assign usr_b'],
      [30, 'b'],
    ],
    until: 60,
    expected: {
      response: { business: seconds(30) },
      by_agent: [
        { agent_id: 'usr_b', messages: 1, responses: 1, median_seconds: 1_800, breached: 0 },
      ],
    },
  },
  {
    name: 'closed while the person waits: no response, one unanswered',
    steps: [
      [0, 'p'],
      [10, 'a', 'close'],
    ],
    until: 60,
    expected: {
      response: { business: none },
      unanswered: 1,
      conversations: { open: 0, waiting: 0 },
    },
  },
  {
    name: 'opened again by hand: nobody waits until the person writes',
    steps: [
      [0, 'p'],
      [10, 'a', 'close'],
      [20, 'a', 'open'],
      [40, 'p'],
      [45, 'a'],
    ],
    until: 60,
    expected: { first_response: { business: seconds(5) }, unanswered: 1 },
  },
  {
    name: 'asked on Friday evening, answered on Monday: only business hours count',
    steps: [
      [4 * day + 8 * 60 + 30, 'p'],
      [7 * day + 15, 'a'],
    ],
    until: 8 * day,
    expected: {
      first_response: {
        business: seconds(45),
        elapsed: seconds(2 * day + 15 * 60 + 45),
      },
      sla: { promised: 1, breached: 0 },
    },
  },
  {
    name: 'an answer after a business hour breaks the promise, one within it keeps it',
    steps: [
      [0, 'p'],
      [61, 'a'],
      [70, 'p'],
      [200, 'a'],
      [201, 'a', 'close'],
      [210, 'p'],
      [240, 'b'],
    ],
    until: 400,
    expected: {
      sla: { promised: 3, breached: 2 },
      by_agent: [
        { agent_id: 'usr_a', responses: 2, breached: 2 },
        { agent_id: 'usr_b', responses: 1, breached: 0 },
      ],
    },
  },
  {
    name: 'a wait longer than promised breaks the promise too',
    steps: [[0, 'p']],
    until: 90,
    expected: { sla: { promised: 1, breached: 1 } },
  },
  {
    name: 'a wait counts when it is answered, however long ago it began',
    steps: [
      [0, 'p'],
      [30, 'a'],
    ],
    since: 20,
    until: 40,
    expected: { first_response: { business: seconds(30) }, conversations: { opened: 0, open: 1 } },
  },
  {
    name: 'a program’s messages count as volume and answer nothing',
    steps: [
      [0, 'p'],
      [3, 'k'],
      [10, 'a'],
    ],
    until: 60,
    expected: {
      first_response: { business: seconds(10) },
      by_channel: [{ channel: 'wa', inbound: 1, outbound: 2 }],
      by_agent: [{ agent_id: 'key_1', messages: 1, responses: 0 }, { agent_id: 'usr_a' }],
    },
  },
  {
    name: 'volume is exact for ends inside a quarter of an hour',
    steps: [
      [3, 'p'],
      [5, 'p'],
      [16, 'p'],
      [31, 'p'],
      [33, 'p'],
      [36, 'p'],
    ],
    since: 4,
    until: 34,
    expected: { by_channel: [{ channel: 'wa', inbound: 4, outbound: 0 }] },
  },
];

const more: readonly Scenario[] = [
  {
    name: 'a period that ends in a business day counts its answers with their full time',
    steps: [
      [0, 'p'],
      [30, 'a'],
      [60, 'p'],
      [120, 'b'],
    ],
    since: 60,
    until: 121,
    expected: {
      first_response: { business: none },
      response: { business: seconds(60) },
      sla: { promised: 1, breached: 0 },
      by_channel: [{ channel: 'wa', inbound: 1, outbound: 1 }],
    },
  },
  {
    name: 'an event at the instant between two periods belongs to the second one',
    steps: [
      [0, 'p'],
      [10, 'a'],
    ],
    until: 10,
    expected: { response: { business: none }, conversations: { open: 1, waiting: 1 } },
  },
  {
    name: 'asked out of hours: the promise runs from the next opening of the office',
    steps: [
      [-120, 'p'],
      [59, 'a'],
    ],
    since: -day,
    until: day,
    expected: {
      first_response: { business: seconds(59), elapsed: seconds(179) },
      sla: { promised: 1, breached: 0 },
    },
  },
  {
    name: 'no time counts on a holiday',
    steps: [
      [day + 30, 'p'],
      [2 * day + 20, 'a'],
    ],
    until: 3 * day,
    expected: { first_response: { business: seconds(20) }, sla: { promised: 1, breached: 0 } },
  },
  {
    name: 'snoozing neither ends nor pauses a wait',
    steps: [
      [0, 'p'],
      [10, 'a', 'snooze'],
      [90, 'a'],
    ],
    until: 100,
    expected: { response: { business: seconds(90) }, sla: { promised: 1, breached: 1 } },
  },
  {
    name: 'closed, opened by hand and closed again: each opening has its own length',
    steps: [
      [0, 'p'],
      [10, 'a'],
      [20, 'a', 'close'],
      [40, 'b', 'open'],
      [45, 'b', 'close'],
    ],
    until: 60,
    expected: {
      resolution: seconds(20, 5),
      conversations: { opened: 2, closed: 2, open: 0 },
      response: { business: seconds(10) },
    },
  },
  {
    name: 'closing twice counts once',
    steps: [
      [0, 'p'],
      [10, 'a', 'close'],
      [11, 'b', 'close'],
    ],
    until: 60,
    expected: { unanswered: 1, resolution: seconds(10), conversations: { closed: 1 } },
  },
  {
    name: 'reassigned and answered by a third member: one answer, by the third',
    steps: [
      [0, 'p'],
      [5, 'a', 'assign usr_a'],
      [10, 'a', 'close'],
      [20, 'p'],
      [25, 'b', 'assign usr_b'],
      [50, 'c'],
    ],
    until: 60,
    expected: {
      unanswered: 1,
      first_response: { business: seconds(30) },
      by_agent: [{ agent_id: 'usr_c', messages: 1, responses: 1, median_seconds: 1_800 }],
    },
  },
  {
    name: 'a period of ten years works',
    steps: [
      [0, 'p'],
      [10, 'a'],
    ],
    since: -3_650 * day,
    until: 60,
    expected: { first_response: { business: seconds(10) }, conversations: { opened: 1, open: 1 } },
  },
];

describe('stats are right', () => {
  test.each([...scenarios, ...more])('$name', async ({ steps, since = 0, until, expected }) => {
    const inbox = await freshTenant();
    const contact = await inbox.contact();
    for (const step of steps) await play(inbox, contact, step);
    const period = { since: at(since), until: at(until) };
    const stats = await kit.db.tenant(inbox.scope.tenantId, (tx) =>
      readStats(tx, inbox.scope, period, at(until)),
    );
    expect(stats).toMatchObject(expected);
  });
});

test('days are those of the zone, each is there, and none has what is of another tenant', async () => {
  const inbox = await freshTenant();
  const contact = await inbox.contact();
  const evening = 15 * 60 - 1; // a minute before Tuesday begins in Dubai
  const steps: Step[] = [
    [0, 'p'],
    [evening, 'a'],
    [evening + 1, 'p'],
    [evening + 2, 'a', 'close'],
    [3 * day, 'p'],
  ];
  for (const step of steps) await play(inbox, contact, step);
  const days = daysOf('Asia/Dubai', '2026-11-22', '2026-11-26');
  const counted = ({ scope }: InboxKit) =>
    kit.db.tenant(scope.tenantId, async (tx) =>
      (await countDays(tx, scope, days)).map(({ begins: _, ...row }) => Object.values(row)),
    );
  const none = (date: string) => [date, 0, 0, 0, 0];
  expect(await counted(inbox)).toEqual([
    none('2026-11-22'),
    ['2026-11-23', 1, 1, 1, 0],
    ['2026-11-24', 1, 0, 0, 1],
    none('2026-11-25'),
    ['2026-11-26', 1, 0, 1, 0],
  ]);
  expect(await counted(kit)).toEqual(days.map((each) => none(each.day)));
});

/** Weekends and the first Tuesday off, and an answer promised within an hour. */
async function freshTenant(): Promise<InboxKit> {
  const inbox = await withInbox(kit);
  await kit.db.tenant(inbox.scope.tenantId, (tx) =>
    saveSettings(tx, inbox.scope, {
      time_zone: 'Asia/Dubai',
      weekly_hours: (['mon', 'tue', 'wed', 'thu', 'fri'] as const).map((weekday) => {
        return { day: weekday, from: '09:00', to: '18:00' };
      }),
      holidays: ['2026-11-24'],
      first_response_minutes: 60,
      next_response_minutes: 60,
      updated_at: at(0),
    }),
  );
  return inbox;
}

async function play(inbox: InboxKit, contact: string, [minute, who, what]: Step): Promise<void> {
  const instant = at(minute);
  if (who === 'p') return void (await inbox.receive(contact, 'question', instant));
  const author = who === 'k' ? 'key_1' : `usr_${who}`;
  if (what === undefined) return void (await inbox.send(contact, 'answer', instant, { author }));
  const context: InboxContext = { ...inbox.context, clock: () => instant };
  const ids = [conversationIdOf(contact)];
  if (!what.startsWith('assign')) {
    const changes: Readonly<Record<string, ConversationChange>> = {
      close: { state: 'closed' },
      open: { state: 'open' },
      snooze: { state: 'snoozed', snoozed_until: at(minute + 60).toISOString() },
    };
    const change = changes[what]!;
    return void (await changeConversations(context, inbox.scope, author, ids, change));
  }
  await kit.db.tenant(inbox.scope.tenantId, async (tx) => {
    // Assignees are checked in other tests.
    const [row] = await lockConversations(tx, inbox.scope, [contact]);
    const recorder = await startRecording(tx, inbox.scope, context);
    recorder.apply(row!, { kind: 'assign', at: instant, by: author, to: what.split(' ')[1]! });
    await recorder.write();
  });
}
