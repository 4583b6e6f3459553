import { type Node, nodes, values } from '@drawbridge/cim/node.ts';
import { childrenOf, elementText } from '../../language/element.ts';
import { has, rule, some } from '../../language/rule-kinds.ts';
import { isBefore, isDate, lengthOf, normalizeSpace, single } from '../../language/xpath.ts';
import type { Pattern, Rule } from '../../rule.ts';
import { isExactlyAt } from '../countries.ts';

const deadline = 'EINDAGI';

const sellerRules: readonly Rule[] = [
  rule(
    'IS-R-001',
    ['IBT-003'],
    'An Icelandic invoice should have the type code 380 or 381.',
    (root) =>
      ['cbc:InvoiceTypeCode', 'cbc:CreditNoteTypeCode'].some((name) =>
        ['380', '381'].includes(normalizeSpace(elementText(root, name))),
      ),
    'warning',
  ),
  rule(
    'IS-R-002',
    ['IBT-030'],
    'An Icelandic seller states its kennitala as legal registration (scheme 0196).',
    (root) => hasKennitala(root, 'seller'),
  ),
  rule(
    'IS-R-003',
    ['IBT-035', 'IBT-038'],
    "An Icelandic seller's address needs street and post code.",
    (root) => has(root, 'seller.address.line1') && has(root, 'seller.address.post_code'),
  ),
  ...(['9', '42'] as const).map(accountRule),
  rule(
    'IS-R-008',
    ['IBT-122'],
    `A document described as ${deadline} has a date as its reference, YYYY-MM-DD.`,
    (root) => {
      if (deadlines(root).length === 0) return true;
      const date = single(deadlineIds(root)) ?? '';
      return lengthOf(date) === 10 && isDate(date);
    },
  ),
  rule(
    'IS-R-009',
    ['IBT-009'],
    `With a document described as ${deadline} state the due date.`,
    (root) => deadlines(root).length === 0 || dueDates(root).length > 0,
  ),
  rule(
    'IS-R-010',
    ['IBT-122', 'IBT-009'],
    `The date described as ${deadline} is not before the due date.`,
    (root) =>
      deadlines(root).length === 0 ||
      dueDates(root).some((due) => deadlineIds(root).some((date) => !isBefore(date, due))),
  ),
];

/** Rules for Icelandic sellers. */
export const iceland: Pattern = {
  name: 'Iceland',
  contexts: [
    {
      each: [''],
      when: (scope) => isExactlyAt(scope, 'seller', 'IS'),
      rules: sellerRules,
    },
    {
      each: ['accounting_customer'],
      when: (scope) => isExactlyAt(scope, 'seller', 'IS') && isExactlyAt(scope, 'buyer', 'IS'),
      rules: [
        rule(
          'IS-R-004',
          ['IBT-047'],
          'Within Iceland state the kennitala of the buyer as legal registration (scheme 0196).',
          (_, { root }) => hasKennitala(root, 'buyer'),
        ),
        rule(
          'IS-R-005',
          ['IBT-050', 'IBT-053'],
          "Within Iceland the buyer's address needs street and post code.",
          (_, { root }) => has(root, 'buyer.address.line1') && has(root, 'buyer.address.post_code'),
        ),
      ],
    },
  ],
};

function hasKennitala(root: Node, party: string): boolean {
  return nodes(root, `${party}.registration_id`).some((id) => id.attributes?.schemeID === '0196');
}

function accountRule(code: '9' | '42'): Rule {
  return rule(
    code === '9' ? 'IS-R-006' : 'IS-R-007',
    ['IBT-084'],
    `In Iceland payment means ${code} needs an account of 12 characters.`,
    (root) => {
      const means = nodes(root, 'payment_means').filter((each) => some(each, 'code', code));
      const accounts = means.flatMap((each) => values(each, 'account.id'));
      if (means.length === 0) return true;
      return accounts.length > 0 && lengthOf(normalizeSpace(single(accounts)!)) === 12;
    },
  );
}

function deadlines(root: Node): readonly Node[] {
  return nodes(root, 'documents').filter((each) => some(each, 'description', deadline));
}

function deadlineIds(root: Node): readonly string[] {
  return deadlines(root).flatMap((each) => values(each, 'id'));
}

/** The due dates; a credit note has none. */
function dueDates(root: Node): readonly string[] {
  return childrenOf(root, 'cbc:DueDate').map(({ text }) => text);
}
