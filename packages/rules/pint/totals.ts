import { type Node, nodes, type Path, values } from '@drawbridge/cim/node.ts';
import { type Decimal, sum, zero } from '@drawbridge/decimal/decimal.ts';
import { elementPath, onlyElement, reach } from '../language/element.ts';
import {
  anywhere,
  counted,
  has,
  limitedDecimals,
  path,
  present,
  rule,
} from '../language/rule-kinds.ts';
import { either, exists, given, relates, within } from '../language/statement.ts';
import {
  decimalAt,
  decimalOf,
  single,
  someBoolean,
  toBoolean,
  toCents,
  toDecimal,
  type Written,
} from '../language/xpath.ts';
import { type Context, perDocument } from '../rule.ts';
import { lineElements } from '../ubl-elements.ts';

const at = {
  net: path('net'),
  gross: path('gross'),
  amount: path('amount'),
  breakdown: path('breakdown'),
  isCharge: path('is_charge'),
  currency: path('currency'),
  taxTotals: path('tax_totals'),
  totals: path('totals'),
  totalNet: path('totals.net'),
  allowancesCharges: path('allowances_charges'),
  isTaxIncluded: elementPath('cac:TaxTotal/cbc:TaxIncludedIndicator'),
};

/** Document totals. */
export const totalContexts: readonly Context[] = [
  {
    each: anywhere('cac:LegalMonetaryTotal'),
    rules: [
      present('ibr-012', 'lines', ['IBT-106', 'IBG-22'], 'The sum of line net amounts is missing.'),
      present('ibr-013', 'net', ['IBT-109', 'IBG-22'], 'The total without tax is missing.'),
      present('ibr-014', 'gross', ['IBT-112', 'IBG-22'], 'The total with tax is missing.'),
      present('ibr-015', 'due', ['IBT-115', 'IBG-22'], 'The amount due for payment is missing.'),
      limitedDecimals('ibr-091', 'due', 2, ['IBT-115'], 'The amount due has at most 2 decimals.'),
      limitedDecimals(
        'ibr-121',
        'allowances',
        2,
        ['IBT-107'],
        'The sum of allowances has at most 2 decimals.',
      ),
      limitedDecimals(
        'ibr-122',
        'charges',
        2,
        ['IBT-108'],
        'The sum of charges has at most 2 decimals.',
      ),
      limitedDecimals(
        'ibr-123',
        'net',
        2,
        ['IBT-109'],
        'The total without tax has at most 2 decimals.',
      ),
      limitedDecimals(
        'ibr-125',
        'gross',
        2,
        ['IBT-112'],
        'The total with tax has at most 2 decimals.',
      ),
      rule(
        'ibr-co-10',
        ['IBT-106', 'IBT-131'],
        'The sum of line net amounts is not what the lines add up to.',
        relates(['lines'], (stated, _, scope) =>
          equal(decimalOf(stated), toCents(linesTotal(scope))),
        ),
      ),
      rule(
        'ibr-co-11',
        ['IBT-107', 'IBT-092'],
        'The sum of allowances is not what the document level allowances add up to.',
        given(either(exists('allowances'), exists('../cac:AllowanceCharge')), (totals) =>
          addsUp(totals, 'allowances', false),
        ),
      ),
      rule(
        'ibr-co-12',
        ['IBT-108', 'IBT-092'],
        'The sum of charges is not what the document level charges add up to.',
        given(either(exists('charges'), exists('../cac:AllowanceCharge')), (totals) =>
          addsUp(totals, 'charges', true),
        ),
      ),
      rule(
        'ibr-co-13',
        ['IBT-109', 'IBT-106', 'IBT-107', 'IBT-108'],
        'The total without tax is not the lines, less allowances, plus charges.',
        either(
          (totals) => isTaxIncluded(totals.parent!),
          relates(['net', 'lines', 'charges', 'allowances'], isNetRight),
        ),
      ),
      rule(
        'ibr-co-16',
        ['IBT-115', 'IBT-112', 'IBT-113', 'IBT-114'],
        'The amount due is not the total with tax, less what is paid, plus rounding.',
        relates(['due', 'gross', 'prepaid', 'rounding'], isDueRight),
      ),
    ],
  },
];

/** Tax totals of the document, and each tax breakdown. */
export const taxTotalContexts: readonly Context[] = [
  {
    each: ['tax_totals'],
    // The published path to a credit note's tax total is misspelt, so these rules apply to invoices
    // only.
    match: within('Invoice'),
    rules: [
      limitedDecimals(
        'ibr-124',
        'amount',
        2,
        ['IBT-110'],
        'The total tax amount has at most 2 decimals.',
      ),
      rule(
        'ibr-co-14',
        ['IBT-110', 'IBT-117'],
        'The total tax amount is not what the tax breakdown adds up to.',
        (taxTotal) =>
          equal(
            decimalAt(taxTotal, at.amount),
            toCents(sumOf(nodes(taxTotal, at.breakdown), at.amount)),
          ) || !has(taxTotal, at.breakdown),
      ),
    ],
  },
  {
    each: anywhere('cac:TaxSubtotal'),
    rules: [
      counted(
        'ibr-sr-32',
        'exemption',
        1,
        ['IBT-120', 'X-line-exemption'],
        'A tax breakdown has one exemption reason text.',
      ),
    ],
  },
];

/** Total with tax = total without tax + tax (`ibr-co-15`). */
export function isGrossRight(root: Node): boolean {
  if (isTaxIncluded(root)) return true;
  const tax = nodes(root, at.taxTotals)[0];
  const currency = values(root, at.currency);
  const amounts = (tax === undefined ? [] : nodes(tax, at.amount)).filter((amount) =>
    currency.includes(amount.attributes?.currencyID ?? '\0'),
  );
  const stated = single(amounts);
  const net = decimalAt(root, at.totalNet);
  if (net === undefined || stated === undefined) return false;
  const expected = toCents(net.plus(toDecimal(stated.text)));
  return nodes(root, at.totals).some((totals) => equal(decimalAt(totals, at.gross), expected));
}

/** Whether both decimals are there and equal. */
export function equal(left: Decimal | undefined, right: Decimal | undefined): boolean {
  return left !== undefined && right !== undefined && left.eq(right);
}

/** The sum of a member over groups; a group without it counts as 0, one with two is an error. */
export function sumOf(groups: readonly Node[], member: Path): Decimal {
  let total = zero;
  for (let index = 0; index < groups.length; index++) {
    const value = decimalAt(groups[index]!, member);
    if (value !== undefined) total = total.plus(value);
  }
  return total;
}

/** The sum of all lines: invoice lines, and credit note lines at any place. */
const linesTotal = perDocument(({ everywhere }) => {
  const [own, other] = lineElements.map((line) => sumOf(everywhere(line), at.net));
  return own!.plus(other!);
});

/** Document level charges, or allowances. */
export function allowancesCharges(root: Node, charge: boolean): readonly Node[] {
  return nodes(root, at.allowancesCharges).filter((each) => someBoolean(each, at.isCharge, charge));
}

function isTaxIncluded(document: Node): boolean {
  return reach(document, at.isTaxIncluded).some(({ text }) => toBoolean(text));
}

function addsUp(totals: Node, member: string, charge: boolean): boolean {
  // The ones next to these totals, at any place.
  const parts = reach(totals.parent!, 'cac:AllowanceCharge').filter((each) =>
    reach(each, 'cbc:ChargeIndicator').some(({ text }) => toBoolean(text) === charge),
  );
  const stated = decimalAt(totals, member);
  if (stated === undefined && parts.length === 0) return true;
  const amounts = parts.flatMap((each) => onlyElement(each, 'cbc:Amount') ?? []);
  return equal(stated, toCents(sum(amounts.map(({ text }) => toDecimal(text)))));
}

function isNetRight(net: Written, lines: Written, charges: Written, allowances: Written): boolean {
  const stated = decimalOf(net);
  let expected = decimalOf(lines);
  if (stated === undefined || expected === undefined) return false;
  if (charges === undefined && allowances === undefined) return stated.eq(expected);
  if (charges !== undefined) expected = expected.plus(toDecimal(charges));
  if (allowances !== undefined) expected = expected.minus(toDecimal(allowances));
  return stated.eq(toCents(expected));
}

/** Whether the amount due is right. Absent or zero values are left out; then nothing is rounded. */
function isDueRight(due: Written, gross: Written, prepaid: Written, rounding: Written): boolean {
  const [stated, total] = [decimalOf(due), decimalOf(gross)];
  const [paid, rounded] = [decimalOf(prepaid), decimalOf(rounding)];
  if (stated === undefined || total === undefined) return false;
  const owed = isNonZero(paid) ? toCents(total.minus(paid)) : total;
  return (isNonZero(rounded) ? toCents(stated.minus(rounded)) : stated).eq(owed);
}

function isNonZero(value: Decimal | undefined): value is Decimal {
  return value !== undefined && !value.eq(0);
}
