import { type Node, values } from '@drawbridge/cim/node.ts';
import { reach } from '../language/element.ts';
import { anywhere, has, onLines, rule } from '../language/rule-kinds.ts';
import { either, exists } from '../language/statement.ts';
import { single, textOf, toDate } from '../language/xpath.ts';
import type { Context } from '../rule.ts';

/** Periods of lines, then the invoicing period. */
export const periodContexts: readonly Context[] = [
  {
    each: onLines('cac:InvoicePeriod'),
    rules: [
      rule(
        'ibr-085',
        ['IBT-134', 'IBT-073'],
        'The line starts before the invoicing period.',
        (period) => isOrdered(period, 'start', 'cbc:StartDate', (own, whole) => own >= whole),
      ),
      rule(
        'ibr-086',
        ['IBT-135', 'IBT-074'],
        'The line ends after the invoicing period.',
        (period) => isOrdered(period, 'end', 'cbc:EndDate', (own, whole) => own <= whole),
      ),
      rule('ibr-030', ['IBT-135', 'IBT-134'], 'The line period ends before it starts.', isForward),
      rule(
        'ibr-co-20',
        ['IBG-26', 'IBT-134', 'IBT-135'],
        'A line period needs a start or an end.',
        either(exists('start'), exists('end')),
      ),
    ],
  },
  {
    each: anywhere('cac:InvoicePeriod'),
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
        either(exists('start'), exists('end'), exists('code')),
      ),
    ],
  },
];

function isForward(period: Node): boolean {
  if (!has(period, 'start') || !has(period, 'end')) return true;
  return toDate(textOf(period, 'end')) >= toDate(textOf(period, 'start'));
}

/** Whether a line's date is within the invoicing period of the document. */
function isOrdered(
  period: Node,
  member: string,
  element: string,
  compare: (own: number, whole: number) => boolean,
): boolean {
  const own = values(period, member);
  const document = period.parent!.parent!;
  const bound = single(reach(document, `cac:InvoicePeriod/${element}`))?.text;
  if (bound === undefined) return true;
  const limit = toDate(bound);
  return own.length === 0 || own.some((text) => compare(toDate(text), limit));
}
