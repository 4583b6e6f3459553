import { type Node, nodes, values } from '@drawbridge/cim/node.ts';
import { type Decimal, sum, zero } from '@drawbridge/decimal/decimal.ts';
import { type Element, elementPath, onlyElement, reach } from '../language/element.ts';
import { anywhere, has, limitedDecimals, present, rule } from '../language/rule-kinds.ts';
import { relates } from '../language/statement.ts';
import {
  decimalAt,
  decimalOf,
  single,
  toCents,
  toDecimal,
  type Written,
} from '../language/xpath.ts';
import type { Context, Rule } from '../rule.ts';
import type { Scope } from '../scope.ts';
import { lineElements } from '../ubl-elements.ts';
import { isAllowance, isCharge } from './vat-scheme.ts';

/** The document's totals. All arithmetic is decimal and rounded to cents. */
export const totalsContexts: readonly Context[] = [
  {
    each: anywhere('cac:LegalMonetaryTotal'),
    rules: [
      present('BR-12', 'lines', ['IBT-106'], 'State the sum of the line net amounts.'),
      present('BR-13', 'net', ['IBT-109'], 'State the total without tax.'),
      present('BR-14', 'gross', ['IBT-112'], 'State the total with tax.'),
      present('BR-15', 'due', ['IBT-115'], 'State the amount due for payment.'),
      rule(
        'BR-CO-10',
        ['IBT-106', 'IBT-131'],
        'The sum of the line net amounts does not add up.',
        relates(['lines'], (stated, _, scope) =>
          equal(decimalOf(stated), toCents(linesTotal(scope))),
        ),
      ),
      rule(
        'BR-CO-11',
        ['IBT-107', 'IBT-092'],
        'The sum of the document level allowances does not add up.',
        (totals) => sumsUp(totals, 'allowances', isAllowance),
      ),
      rule(
        'BR-CO-12',
        ['IBT-108', 'IBT-092'],
        'The sum of the document level charges does not add up.',
        (totals) => sumsUp(totals, 'charges', isCharge),
      ),
      rule(
        'BR-CO-13',
        ['IBT-109', 'IBT-106', 'IBT-107', 'IBT-108'],
        'The total without tax is not the lines less allowances plus charges.',
        relates(['net', 'lines', 'charges', 'allowances'], netIsRight),
      ),
      rule(
        'BR-CO-16',
        ['IBT-115', 'IBT-112', 'IBT-113', 'IBT-114'],
        'The amount due is not the total with tax less what is paid, plus rounding.',
        relates(['due', 'gross', 'prepaid', 'rounding'], dueIsRight),
      ),
      ...twoDecimals([
        ['BR-DEC-09', 'lines', 'IBT-106', 'The sum of the line net amounts'],
        ['BR-DEC-10', 'allowances', 'IBT-107', 'The sum of allowances'],
        ['BR-DEC-11', 'charges', 'IBT-108', 'The sum of charges'],
        ['BR-DEC-12', 'net', 'IBT-109', 'The total without tax'],
        ['BR-DEC-14', 'gross', 'IBT-112', 'The total with tax'],
        ['BR-DEC-16', 'prepaid', 'IBT-113', 'The paid amount'],
        ['BR-DEC-17', 'rounding', 'IBT-114', 'The rounding amount'],
        ['BR-DEC-18', 'due', 'IBT-115', 'The amount due'],
      ]),
    ],
  },
  {
    each: ['tax_totals'],
    rules: [
      rule(
        'BR-CO-14',
        ['IBT-110', 'IBT-117'],
        'The total tax is not the sum of the tax of the categories.',
        (total) => {
          const parts = nodes(total, 'breakdown').flatMap(
            (each) => decimalAt(each, 'amount') ?? [],
          );
          return equal(decimalAt(total, 'amount'), toCents(sum(parts))) || !has(total, 'breakdown');
        },
      ),
    ],
  },
];

/** The document's totals with and without tax differ by the tax. */
export const grossIsNetPlusTax = rule(
  'BR-CO-15',
  ['IBT-112', 'IBT-109', 'IBT-110'],
  'The total with tax is not the total without tax plus the tax in the invoice currency.',
  (root) =>
    values(root, 'currency').every((currency) => {
      const taxes = nodes(root, 'tax_totals').flatMap((total) => taxIn(total, currency) ?? []);
      if (taxes.length !== 1) return false;
      const net = single(nodes(root, 'totals').flatMap((each) => decimalAt(each, 'net') ?? []));
      if (net === undefined) return false;
      const gross = toCents(net.plus(taxes[0]!));
      return nodes(root, 'totals').some((each) => equal(decimalAt(each, 'gross'), gross));
    }),
);

function taxIn(total: Node, currency: string): Decimal | undefined {
  const amounts = nodes(total, 'amount');
  const amount = single(amounts.filter((each) => each.attributes?.currencyID === currency));
  return amount && toDecimal(amount.text);
}

function twoDecimals(rows: readonly (readonly [string, string, Rule['terms'][number], string])[]) {
  return rows.map(([id, path, term, what]) =>
    limitedDecimals(id, path, 2, [term], `${what} has at most two decimals.`),
  );
}

const lineNet = elementPath('cbc:LineExtensionAmount');

function linesTotal({ everywhere }: Scope): Decimal {
  let total = zero;
  for (const name of lineElements) {
    for (const line of everywhere(name)) {
      const net = onlyElement(line, lineNet);
      if (net !== undefined) total = total.plus(toDecimal(net.text));
    }
  }
  return total;
}

function sumsUp(
  totals: Node,
  path: 'allowances' | 'charges',
  isOne: (element: Element) => boolean,
): boolean {
  const stated = decimalAt(totals, path);
  // The tax totals next to these totals, at any place.
  const all = reach(totals.parent!, 'cac:AllowanceCharge').filter(isOne);
  const amounts = all.flatMap((each) => onlyElement(each, 'cbc:Amount') ?? []);
  const total = toCents(sum(amounts.map(({ text }) => toDecimal(text))));
  return equal(stated, total) || (stated === undefined && all.length === 0);
}

function netIsRight(net: Written, lines: Written, charges: Written, allowances: Written): boolean {
  const [stated, total] = [decimalOf(net), decimalOf(lines)];
  if (total === undefined) return false;
  if (charges === undefined && allowances === undefined) return equal(stated, total);
  const [added, taken] = [decimalOf(charges) ?? zero, decimalOf(allowances) ?? zero];
  return equal(stated, toCents(total.plus(added).minus(taken)));
}

function dueIsRight(due: Written, gross: Written, prepaid: Written, rounding: Written): boolean {
  const [stated, total] = [decimalOf(due), decimalOf(gross)];
  const [paid, rounded] = [decimalOf(prepaid), decimalOf(rounding)];
  if (stated === undefined || total === undefined) return false;
  const owed = paid === undefined ? total : toCents(total.minus(paid));
  return (rounded === undefined ? stated : toCents(stated.minus(rounded))).eq(owed);
}

/** Whether both values are there and equal; two absent values are not equal. */
function equal(left: Decimal | undefined, right: Decimal | undefined): boolean {
  return left !== undefined && right !== undefined && left.eq(right);
}
