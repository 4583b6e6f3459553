import { describe, expect, test } from 'vitest';
import {
  applyTrigger,
  type Conversation,
  emptyConversation,
  type Trigger,
} from './conversation.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 10, minute));
const person = (minute: number): Trigger => ({ kind: 'inbound', at: at(minute) });
const agent = (minute: number, by = 'usr_a'): Trigger => {
  return { kind: 'outbound', at: at(minute), by, isAnswer: true };
};
const program = (minute: number): Trigger => {
  return { kind: 'outbound', at: at(minute), by: 'key', isAnswer: false };
};
const close = (minute: number): Trigger => ({ kind: 'close', at: at(minute), by: 'usr_a' });
const open = (minute: number): Trigger => ({ kind: 'open', at: at(minute), by: 'usr_a' });
const snooze = (minute: number, until: number): Trigger => {
  return { kind: 'snooze', at: at(minute), by: 'usr_a', until: at(until) };
};
const wake = (minute: number): Trigger => ({ kind: 'wake', at: at(minute) });
const assign = (minute: number, to: string | null): Trigger => {
  return { kind: 'assign', at: at(minute), by: 'usr_a', to };
};

/** Runs the triggers; returns the last state, and each effect as a word or two. */
function run(triggers: readonly Trigger[]): { end: Conversation; told: string[] } {
  let end = emptyConversation;
  const told: string[] = [];
  for (const trigger of triggers) {
    const outcome = applyTrigger(end, trigger);
    if (outcome.kind === 'refused') {
      told.push(`refused ${outcome.reason}`);
      continue;
    }
    end = outcome.conversation;
    for (const effect of outcome.effects) {
      if (effect.kind === 'history') told.push(effect.type);
      if (effect.kind === 'wait-began') told.push(effect.isFirst ? 'waits first' : 'waits');
      if (effect.kind === 'wait-answered') told.push(`answered by ${effect.by}`);
      if (effect.kind === 'wait-dropped') told.push('dropped');
    }
  }
  return { end, told };
}

describe('a conversation', () => {
  test.each([
    ['a person writes', [person(0)], 'open', ['opened', 'waits first']],
    ['writes twice: one wait', [person(0), person(1)], 'open', ['opened', 'waits first']],
    [
      'gets an answer, asks again',
      [person(0), agent(5), person(7), agent(9, 'usr_b')],
      'open',
      ['opened', 'waits first', 'answered by usr_a', 'waits', 'answered by usr_b'],
    ],
    [
      'a message of a program is no answer',
      [person(0), program(1), agent(2)],
      'open',
      ['opened', 'waits first', 'answered by usr_a'],
    ],
    ['a program opens nothing', [program(0)], 'closed', []],
    ['the team writes first', [agent(0), person(3)], 'open', ['opened', 'waits']],
    [
      'closed and opened again by the person: a new first answer',
      [person(0), agent(1), close(2), person(3), agent(4)],
      'open',
      [
        'opened',
        'waits first',
        'answered by usr_a',
        'closed',
        'opened',
        'waits first',
        'answered by usr_a',
      ],
    ],
    [
      'closed while the person waits',
      [person(0), close(2), close(3)],
      'closed',
      ['opened', 'waits first', 'dropped', 'closed'],
    ],
    [
      'opened again by hand: nobody waits',
      [person(0), close(2), open(3), open(4)],
      'open',
      ['opened', 'waits first', 'dropped', 'closed', 'opened'],
    ],
    [
      'reassigned while the person waits: one wait, the one who wrote answered',
      [person(0), assign(1, 'usr_a'), assign(2, 'usr_b'), assign(3, 'usr_b'), agent(4, 'usr_b')],
      'open',
      ['opened', 'waits first', 'assigned', 'assigned', 'answered by usr_b'],
    ],
    [
      'snoozed, and the person writes',
      [person(0), agent(1), snooze(2, 30), person(5)],
      'open',
      ['opened', 'waits first', 'answered by usr_a', 'snoozed', 'woken', 'waits'],
    ],
    [
      'snoozed until its time: the wait goes on',
      [person(0), snooze(2, 30), wake(30), wake(31), agent(40)],
      'open',
      ['opened', 'waits first', 'snoozed', 'woken', 'answered by usr_a'],
    ],
    [
      'snoozed into the past',
      [person(9), snooze(9, 9)],
      'open',
      ['opened', 'waits first', 'refused past'],
    ],
    ['snoozed when closed', [snooze(0, 9)], 'closed', ['refused closed']],
    [
      'an answer does not end the snooze',
      [person(0), snooze(1, 30), agent(2)],
      'snoozed',
      ['opened', 'waits first', 'snoozed', 'answered by usr_a'],
    ],
    [
      'unassigned',
      [person(0), assign(1, 'usr_a'), assign(2, null)],
      'open',
      ['opened', 'waits first', 'assigned', 'unassigned'],
    ],
  ] as const)('%s', (_, triggers, state, told) => {
    const outcome = run(triggers);
    expect(outcome.told).toEqual(told);
    expect(outcome.end.state).toBe(state);
  });

  test('keeps its assignee and its number of openings when it is closed', () => {
    const { end } = run([person(0), assign(1, 'usr_a'), close(2), person(3)]);
    expect(end).toMatchObject({ assigneeId: 'usr_a', opening: 2, openedAt: at(3) });
    expect(end.waitingSince).toEqual(at(3));
  });

  test('counts unread messages until somebody answers or closes it', () => {
    expect(run([person(0), person(1), program(2)]).end.unread).toBe(2);
    expect(run([person(0), person(1), agent(2)]).end.unread).toBe(0);
    expect(run([person(0), close(2)]).end.unread).toBe(0);
  });
});

test('a conversation that would only be STOP stays closed; within an open one it is a message', () => {
  const stop = { kind: 'inbound', at: new Date(1_000), isOptOut: true } as const;
  const alone = applyTrigger(emptyConversation, stop);
  expect(alone).toMatchObject({ kind: 'stepped', conversation: emptyConversation, effects: [] });
  const opened = applyTrigger(emptyConversation, { kind: 'inbound', at: new Date(0) });
  if (opened.kind !== 'stepped') throw new Error('it was refused');
  const within = applyTrigger(opened.conversation, stop);
  expect(within).toMatchObject({ conversation: { state: 'open', unread: 2 } });
});
