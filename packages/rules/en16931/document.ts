import { type Node, nodes, values } from '@drawbridge/cim/node.ts';
import {
  anywhere,
  filled,
  isFilled,
  isPartOfList,
  onLines,
  present,
  rule,
} from '../language/rule-kinds.ts';
import { all, either, exists, given, not, reads } from '../language/statement.ts';
import { lengthOf, textOf, toDate } from '../language/xpath.ts';
import type { Context, Rule } from '../rule.ts';
import type { Scope } from '../scope.ts';

/** Rules on the document itself. */
export const documentRules: readonly Rule[] = [
  filled('BR-01', 'specification_id', ['IBT-024'], 'State the specification identifier.'),
  filled('BR-02', 'number', ['IBT-001'], 'Give the invoice a number.'),
  filled('BR-03', 'issue_date', ['IBT-002'], 'State the issue date.'),
  rule(
    'BR-04',
    ['IBT-003'],
    'State the invoice type code.',
    either(reads('cbc:InvoiceTypeCode', isFilled), reads('cbc:CreditNoteTypeCode', isFilled)),
  ),
  filled('BR-05', 'currency', ['IBT-005'], 'State the invoice currency.'),
  filled('BR-06', 'seller.name', ['IBT-027'], 'State the name of the seller.'),
  filled('BR-07', 'buyer.name', ['IBT-044'], 'State the name of the buyer.'),
  present('BR-08', 'seller.address', ['IBG-05'], 'State the postal address of the seller.'),
  present('BR-10', 'buyer.address', ['IBG-08'], 'State the postal address of the buyer.'),
  rule(
    'BR-16',
    ['IBG-25'],
    'An invoice needs at least one line.',
    either(exists('cac:InvoiceLine'), exists('cac:CreditNoteLine')),
  ),
  rule(
    'BR-53',
    ['IBT-006', 'IBT-110'],
    'With a tax accounting currency, state the total tax in that currency too.',
    given(exists('tax_currency'), (root, scope) =>
      values(root, 'tax_currency').every((currency) => hasTaxIn(scope, currency)),
    ),
  ),
  present('BR-CO-18', 'tax_totals.breakdown', ['IBG-23'], 'State at least one tax breakdown.'),
  rule(
    'BR-CO-03',
    ['IBT-007', 'IBT-008'],
    'State either the tax point date or its code, not both.',
    not(all(exists('tax_point_date'), exists('period.code'))),
  ),
];

function hasTaxIn(scope: Scope, currency: string): boolean {
  return scope
    .everywhere('cac:TaxTotal')
    .some((total) =>
      nodes(total, 'amount').some((each) => each.attributes?.currencyID === currency),
    );
}

/** Notes, references and periods. */
export const documentContexts: readonly Context[] = [
  {
    each: anywhere('cac:AdditionalDocumentReference'),
    rules: [filled('BR-52', 'cbc:ID', ['IBT-122'], 'A supporting document needs a reference.')],
  },
  {
    each: onLines('cac:InvoicePeriod'),
    rules: [
      rule(
        'BR-30',
        ['IBT-135', 'IBT-134'],
        'The line period ends before it starts.',
        given(all(exists('start'), exists('end')), endsAfterStart),
      ),
      rule(
        'BR-CO-20',
        ['IBG-26'],
        'A line period needs a start date, an end date, or both.',
        either(exists('start'), exists('end')),
      ),
    ],
  },
  {
    each: anywhere('cac:InvoicePeriod'),
    rules: [
      rule(
        'BR-29',
        ['IBT-074', 'IBT-073'],
        'The invoicing period ends before it starts.',
        given(all(exists('start'), exists('end')), endsAfterStart),
      ),
      rule(
        'BR-CO-19',
        ['IBG-14'],
        'An invoicing period needs a start date, an end date, or the tax point date code.',
        either(exists('start'), exists('end'), exists('code')),
      ),
    ],
  },
  {
    each: ['notes'],
    rules: [
      rule(
        'BR-CL-08',
        ['IBT-022'],
        'A note that opens with a #code# must use a subject code of UNTDID 4451.',
        (node, scope) => noteSubjectIsKnown(node.text, scope),
      ),
    ],
  },
  {
    each: anywhere('cac:BillingReference'),
    rules: [
      present(
        'BR-55',
        'number',
        ['IBT-025'],
        'A preceding invoice reference needs the number of that invoice.',
      ),
    ],
  },
];

function endsAfterStart(period: Node): boolean {
  return toDate(textOf(period, 'end')) >= toDate(textOf(period, 'start'));
}

/**
 * `#AAI#text`: the text between the first two hashes is a code when it has three characters.
 */
function noteSubjectIsKnown(text: string, scope: Scope): boolean {
  const [, subject, ...rest] = text.split('#');
  if (subject === undefined || rest.length === 0 || lengthOf(subject) !== 3) return true;
  return isPartOfList(scope, 'note-subjects', subject);
}
