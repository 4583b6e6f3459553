import type { ShownDocument } from '@drawbridge/mapping/discovery/shown-document.ts';
import { say } from './texts.ts';

const linesMax = 3;

/** A document as a person reads it: number, date, customer and total, and the first lines below. */
export function documentLines(document: ShownDocument): string[] {
  const { ref, number = ref, date, customer, total, currency = '', lines, lineCount } = document;
  const head = [
    say('document.number', { value: number }),
    ...(date === undefined ? [] : [say('document.date', { value: date })]),
    ...(customer === undefined ? [] : [say('document.customer', { value: customer })]),
  ];
  const sum =
    total === undefined
      ? ''
      : `, ${say('document.total', { value: `${total} ${currency}`.trim() })}`;
  const shown = lines.slice(0, linesMax).map(({ quantity = '?', name = '?', price, net }) => {
    const amount = price ?? net ?? '?';
    return `    ${say('document.line', { quantity, name, price: amount })}`;
  });
  const more = lineCount - shown.length;
  return [
    `  ${head.join(' ')}${sum}`,
    ...(lineCount === 0 ? [`    ${say('document.no-lines')}`] : shown),
    ...(more > 0 ? [`    ${say('document.lines', { count: more })}`] : []),
  ];
}
