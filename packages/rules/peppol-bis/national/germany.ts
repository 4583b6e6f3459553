import { type Node, nodes, values } from '@drawbridge/cim/node.ts';
import type { Term } from '@drawbridge/cim/terms.ts';
import { elementText, reach, someText } from '../../language/element.ts';
import { has, present, rule } from '../../language/rule-kinds.ts';
import { normalizeSpace, single, textOf } from '../../language/xpath.ts';
import type { Context, Pattern, Rule } from '../../rule.ts';
import { isGerman } from '../countries.ts';
import { isIban } from './iban.ts';

const taxedCategories = ['S', 'Z', 'E', 'AE', 'K', 'G', 'L', 'M'];
const typeCodes = ['326', '380', '384', '389', '381', '875', '876', '877'];

const documentRules: readonly Rule[] = [
  present('DE-R-001', 'payment_means', ['IBG-16'], 'Within Germany state payment instructions.'),
  filledOne('DE-R-015', 'buyer_reference', 'IBT-010', 'buyer reference'),
  rule(
    'DE-R-016',
    ['X-seller-tax-id', 'IBG-11'],
    'With these VAT categories state a tax registration of the seller or a tax representative.',
    (root) =>
      !categoriesOf(root).some((code) => taxedCategories.includes(code)) ||
      has(root, 'tax_representative') ||
      isFilled(root, 'seller.tax_registrations.id'),
  ),
  rule(
    'DE-R-017',
    ['IBT-003'],
    `Within Germany the type code should be one of ${typeCodes.join(', ')}.`,
    (root) => typeCodesOf(root).some((code) => typeCodes.includes(code)),
    'warning',
  ),
  rule(
    'DE-R-018',
    ['IBT-020'],
    'A cash discount is a line #SKONTO#TAGE=n#PROZENT=n.nn#, with a line break after it.',
    cashDiscountsAreRight,
  ),
  rule('DE-R-022', ['IBT-125-2'], 'Attached documents have different file names.', fileNamesDiffer),
  rule(
    'DE-R-026',
    ['IBG-03'],
    'A corrected invoice (384) should refer to the invoice it corrects.',
    (root) =>
      !typeCodesOf(root).includes('384') ||
      reach(root, 'cac:BillingReference/cac:InvoiceDocumentReference').length > 0,
    'warning',
  ),
  rule(
    'DE-R-030',
    ['IBT-029', 'IBT-060'],
    'A direct debit needs the creditor identifier of the seller or payee (scheme SEPA).',
    (root) =>
      !has(root, 'payment_means.mandate') ||
      ['seller', 'payee'].some((party) =>
        nodes(root, `${party}.identifiers.id`).some((id) => id.attributes?.schemeID === 'SEPA'),
      ),
  ),
  rule(
    'DE-R-031',
    ['IBT-091'],
    'A direct debit needs the debited account.',
    (root) => !has(root, 'payment_means.mandate') || has(root, 'payment_means.mandate.account'),
  ),
];

const partyContexts: readonly Context[] = [
  {
    each: ['accounting_supplier'],
    when: isGerman,
    rules: [
      rule(
        'DE-R-002',
        ['IBG-06'],
        'Within Germany state the contact of the seller.',
        (supplier) => reach(supplier, 'cac:Party/cac:Contact').length > 0,
      ),
    ],
  },
  addressContext('seller', [
    ['DE-R-003', 'city', 'IBT-037'],
    ['DE-R-004', 'post_code', 'IBT-038'],
  ]),
  {
    each: ['seller.contact'],
    when: isGerman,
    rules: [
      filledOne('DE-R-005', 'name', 'IBT-041', 'contact name'),
      filledOne('DE-R-006', 'phone', 'IBT-042', 'contact telephone'),
      filledOne('DE-R-007', 'email', 'IBT-043', 'contact e-mail address'),
      shaped(
        'DE-R-027',
        'phone',
        'IBT-042',
        'A telephone number has three digits or more.',
        (text) => /[0-9][^0-9]*[0-9][^0-9]*[0-9]/.test(text),
      ),
      shaped('DE-R-028', 'email', 'IBT-043', 'An e-mail address has one @ and a domain.', (text) =>
        /^[^@\s]+@([^@.\s]+\.)+[^@.\s]+$/.test(text),
      ),
    ],
  },
  addressContext('buyer', [
    ['DE-R-008', 'city', 'IBT-052'],
    ['DE-R-009', 'post_code', 'IBT-053'],
  ]),
  addressContext('delivery', [
    ['DE-R-010', 'city', 'IBT-077'],
    ['DE-R-011', 'post_code', 'IBT-078'],
  ]),
];

const paymentContexts: readonly Context[] = [
  paymentContext(
    ['30', '58'],
    [
      rule(
        'DE-R-019',
        ['IBT-084'],
        'A SEPA credit transfer (58) should state a valid IBAN.',
        (means) => codeOf(means) !== '58' || isIban(textOf(means, 'account.id')),
        'warning',
      ),
      present('DE-R-023-1', 'account', ['IBG-17'], 'A credit transfer (30, 58) needs the account.'),
      hasNeither('DE-R-023-2', 'A credit transfer (30, 58)', 'card', 'mandate'),
    ],
  ),
  paymentContext(
    ['48', '54', '55'],
    [
      present('DE-R-024-1', 'card', ['IBG-18'], 'A card payment (48, 54, 55) needs the card.'),
      hasNeither('DE-R-024-2', 'A card payment (48, 54, 55)', 'account', 'mandate'),
    ],
  ),
  paymentContext(
    ['59'],
    [
      rule(
        'DE-R-020',
        ['IBT-091'],
        'A SEPA direct debit (59) should state a valid IBAN.',
        (means) => isIban(textOf(means, 'mandate.account')),
        'warning',
      ),
      present('DE-R-025-1', 'mandate', ['IBG-19'], 'A direct debit (59) needs its mandate.'),
      hasNeither('DE-R-025-2', 'A direct debit (59)', 'account', 'card'),
    ],
  ),
];

/** Holds when seller and buyer are both in Germany. */
export const germany: Pattern = {
  name: 'Germany',
  contexts: [
    { each: [''], when: isGerman, rules: documentRules },
    {
      each: ['documents.external'],
      when: isGerman,
      rules: [
        rule(
          'DE-R-T02',
          ['IBT-124'],
          'The location of an external document is an absolute URL.',
          (external) => /^[a-zA-Z][a-zA-Z0-9+.-]+:/.test(elementText(external, 'cbc:URI')),
          'warning',
        ),
      ],
    },
    ...partyContexts,
    ...paymentContexts,
    {
      each: ['tax_totals.breakdown'],
      when: isGerman,
      rules: [filledOne('DE-R-014', 'rate', 'IBT-119', 'VAT rate')],
    },
  ],
};

function filledOne(id: string, path: string, term: Term, what: string): Rule {
  return rule(id, [term], `Within Germany state the ${what}.`, (node) => isFilled(node, path));
}

function isFilled(node: Node, path: string): boolean {
  return values(node, path).some((text) => normalizeSpace(text) !== '');
}

function shaped(
  id: string,
  path: string,
  term: Term,
  message: string,
  isRight: (text: string) => boolean,
): Rule {
  const holds = (node: Node): boolean => isRight(normalizeSpace(textOf(node, path)));
  return rule(id, [term], message, holds, 'warning');
}

function addressContext(
  party: string,
  rows: readonly (readonly [id: string, member: string, term: Term])[],
): Context {
  const what = { city: 'city', post_code: 'post code' } as Record<string, string>;
  return {
    each: [`${party}.address`],
    when: isGerman,
    rules: rows.map(([id, member, term]) =>
      filledOne(id, member, term, `${what[member]} of the ${party} address`),
    ),
  };
}

function paymentContext(codes: readonly string[], rules: readonly Rule[]): Context {
  return {
    each: ['payment_means'],
    when: isGerman,
    match: (means) => codes.includes(codeOf(means)),
    rules,
  };
}

function codeOf(means: Node): string {
  return normalizeSpace(textOf(means, 'code'));
}

function hasNeither(id: string, what: string, one: string, other: string): Rule {
  const names = { account: 'bank account', card: 'card', mandate: 'mandate' } as Record<
    string,
    string
  >;
  return rule(
    id,
    ['IBG-16'],
    `${what} allows no ${names[one]} and no ${names[other]}.`,
    (means) => !has(means, one) && !has(means, other),
  );
}

/** Tax category codes, as written, of document allowances and charges and of lines. */
function categoriesOf(root: Node): readonly string[] {
  const charged = nodes(root, 'allowances_charges').filter(
    (each) =>
      someText(each, 'cbc:ChargeIndicator', 'true') ||
      someText(each, 'cbc:ChargeIndicator', 'false'),
  );
  return [
    ...charged.flatMap((each) => values(each, 'tax.category')),
    ...values(root, 'lines.tax.category'),
  ];
}

function typeCodesOf(root: Node): readonly string[] {
  return ['cbc:InvoiceTypeCode', 'cbc:CreditNoteTypeCode'].map((name) =>
    normalizeSpace(elementText(root, name)),
  );
}

const cashDiscount =
  /^#SKONTO#TAGE=[0-9]+#PROZENT=[0-9]+\.[0-9]{2}(#BASISBETRAG=-?[0-9]+\.[0-9]{2})?#$/;

function cashDiscountsAreRight(root: Node): boolean {
  const notes = nodes(root, 'payment_terms').flatMap((terms) => values(terms, 'note').slice(0, 1));
  const marked = notes
    .flatMap((note) => note.split(/\r?\n/))
    .map(normalizeSpace)
    .filter((line) => line.startsWith('#'));
  return marked.every(
    (line) => cashDiscount.test(line) && /^\s*\n/.test(lastToken(single(notes) ?? '')),
  );
}

/** The text after the last part between two hashes. */
function lastToken(note: string): string {
  return note.split(/#[^\n]+#/).at(-1) ?? '';
}

function fileNamesDiffer(root: Node): boolean {
  const seen = new Set<string>();
  for (const document of nodes(root, 'documents')) {
    const names = values(document, 'filename');
    if (names.some((name) => seen.has(name))) return false;
    for (const name of names) seen.add(name);
  }
  return true;
}
