import { wordsOf } from '../words.ts';

const amountWords = ['quantity', 'price', 'net', 'amount', 'total'];
const partyWords = ['address', 'phone', 'email', 'contact', 'street'];
const linesMin = 2;

/**
 * The columns of the lines where a row holds a whole invoice, with # for the number of the line; undefined
 * where a row is no such one.
 *
 *   lineColumnsOf(['no', 'item1_desc', 'item1_qty', 'item2_desc', 'item2_qty']) // ['item#_desc', 'item#_qty']
 */
export function lineColumnsOf(columns: readonly string[]): readonly string[] | undefined {
  const patterns = new Map<string, Set<number>>();
  for (const column of columns) {
    const [, before = '', digits, after = ''] = /^([^\d]*)(\d{1,3})([^\d]*)$/.exec(column) ?? [];
    if (digits === undefined || /#/.test(column) || before + after === '') continue;
    const pattern = `${before}#${after}`;
    patterns.set(pattern, (patterns.get(pattern) ?? new Set()).add(Number(digits)));
  }
  const likely = [...patterns].filter(([pattern, numbers]) => {
    const words = wordsOf(pattern);
    return numbers.size >= linesMin && !partyWords.some((word) => words.includes(word));
  });
  const counted = likely.filter(([pattern]) => {
    return amountWords.some((word) => wordsOf(pattern).includes(word));
  });
  const [widest] = counted.toSorted(([, one], [, other]) => other.size - one.size);
  if (widest === undefined) return undefined;
  const alike = likely.filter(([, numbers]) =>
    [...numbers].every((number) => widest[1].has(number)),
  );
  // One column alone, such as amount1 and amount2, says nothing of lines.
  return alike.length < 2 ? undefined : alike.map(([pattern]) => pattern);
}
