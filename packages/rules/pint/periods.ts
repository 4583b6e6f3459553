import { type Node, values } from '@drawbridge/cim/node.ts';
import { has, rule } from '../kinds.ts';
import type { Context } from '../rule.ts';
import { single, toDate } from '../xpath.ts';

/** Periods of lines, then the invoicing period. */
export const periodContexts: readonly Context[] = [
  {
    each: ['lines.period'],
    rules: [
      rule(
        'ibr-085',
        ['IBT-134', 'IBT-073'],
        'The line starts before the invoicing period.',
        (period, { root }) =>
          isOrdered(period, 'start', values(root, 'period.start'), (own, whole) => own >= whole),
      ),
      rule(
        'ibr-086',
        ['IBT-135', 'IBT-074'],
        'The line ends after the invoicing period.',
        (period, { root }) =>
          isOrdered(period, 'end', values(root, 'period.end'), (own, whole) => own <= whole),
      ),
      rule('ibr-030', ['IBT-135', 'IBT-134'], 'The line period ends before it starts.', isForward),
      rule(
        'ibr-co-20',
        ['IBG-26', 'IBT-134', 'IBT-135'],
        'A line period needs a start or an end.',
        (period) => has(period, 'start') || has(period, 'end'),
      ),
    ],
  },
  {
    each: ['period'],
    rules: [
      rule(
        'ibr-029',
        ['IBT-074', 'IBT-073'],
        'The invoicing period ends before it starts.',
        isForward,
      ),
      rule(
        'ibr-co-19',
        ['IBG-14', 'IBT-073', 'IBT-074'],
        'An invoicing period needs a start, an end, or a code.',
        (period) => has(period, 'start') || has(period, 'end') || has(period, 'code'),
      ),
    ],
  },
];

function isForward(period: Node): boolean {
  const start = single(values(period, 'start'));
  const end = single(values(period, 'end'));
  return start === undefined || end === undefined || toDate(end) >= toDate(start);
}

function isOrdered(
  period: Node,
  member: string,
  whole: readonly string[],
  compare: (own: number, whole: number) => boolean,
): boolean {
  const own = values(period, member);
  const bound = single(whole);
  if (own.length === 0 || bound === undefined) return true;
  return own.some((text) => compare(toDate(text), toDate(bound)));
}
