import { nodes } from '@drawbridge/cim/node.ts';
import type { Term } from '@drawbridge/cim/terms.ts';
import { has, limitedDecimals, onLines, present, rule } from '../language/rule-kinds.ts';
import { either, exists } from '../language/statement.ts';
import type { Context, Rule } from '../rule.ts';
import { isVat, saysAllowance, saysCharge } from './vat-scheme.ts';

/** Ids of the rules that are alike for document and line, allowance and charge. */
interface Ids {
  readonly amount: string;
  readonly reason: string;
  /** The id under which the test of the reason is published a second time. */
  readonly reasonAgain: string;
  readonly amountDecimals: string;
  readonly baseDecimals: string;
}

interface Subject {
  readonly what: string;
  readonly terms: { readonly amount: Term; readonly base: Term; readonly reason: Term };
  readonly ids: Ids;
}

const onDocument = { amount: 'IBT-092', base: 'IBT-093', reason: 'IBT-097' } as const;
const onLine = { amount: 'IBT-136', base: 'IBT-137', reason: 'IBT-139' } as const;

/** Allowances and charges of the document and of its lines. */
export const allowanceContexts: readonly Context[] = [
  {
    each: ['allowances_charges'],
    match: saysAllowance,
    rules: [
      ...amountAndReason({
        what: 'A document level allowance',
        terms: onDocument,
        ids: {
          amount: 'BR-31',
          reason: 'BR-33',
          reasonAgain: 'BR-CO-21',
          amountDecimals: 'BR-DEC-01',
          baseDecimals: 'BR-DEC-02',
        },
      }),
      vatCategoryStated('BR-32', 'A document level allowance needs its VAT category.'),
    ],
  },
  {
    each: ['allowances_charges'],
    match: saysCharge,
    rules: [
      ...amountAndReason({
        what: 'A document level charge',
        terms: onDocument,
        ids: {
          amount: 'BR-36',
          reason: 'BR-38',
          reasonAgain: 'BR-CO-22',
          amountDecimals: 'BR-DEC-05',
          baseDecimals: 'BR-DEC-06',
        },
      }),
      vatCategoryStated('BR-37', 'A document level charge needs its VAT category.'),
    ],
  },
  {
    each: onLines('cac:AllowanceCharge'),
    match: saysAllowance,
    rules: amountAndReason({
      what: 'A line allowance',
      terms: onLine,
      ids: {
        amount: 'BR-41',
        reason: 'BR-42',
        reasonAgain: 'BR-CO-23',
        amountDecimals: 'BR-DEC-24',
        baseDecimals: 'BR-DEC-25',
      },
    }),
  },
  {
    each: onLines('cac:AllowanceCharge'),
    match: saysCharge,
    rules: amountAndReason({
      what: 'A line charge',
      terms: onLine,
      ids: {
        amount: 'BR-43',
        reason: 'BR-44',
        reasonAgain: 'BR-CO-24',
        amountDecimals: 'BR-DEC-27',
        baseDecimals: 'BR-DEC-28',
      },
    }),
  },
];

function amountAndReason({ what, terms, ids }: Subject): Rule[] {
  const reason = [ids.reason, ids.reasonAgain].map((id) =>
    rule(
      id,
      [terms.reason],
      `${what} needs a reason or a reason code.`,
      either(exists('reason'), exists('reason_code')),
    ),
  );
  return [
    present(ids.amount, 'amount', [terms.amount], `${what} needs an amount.`),
    ...reason,
    limitedDecimals(
      ids.amountDecimals,
      'amount',
      2,
      [terms.amount],
      `${what} has an amount of at most two decimals.`,
    ),
    limitedDecimals(
      ids.baseDecimals,
      'base',
      2,
      [terms.base],
      `${what} has a base amount of at most two decimals.`,
    ),
  ];
}

function vatCategoryStated(id: string, message: string): Rule {
  return rule(id, ['IBT-095'], message, (node) =>
    nodes(node, 'tax').some((tax) => isVat(tax) && has(tax, 'category')),
  );
}
