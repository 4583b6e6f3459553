import { type Node, nodes, values } from '@drawbridge/cim/node.ts';
import { childrenOf, elementText, someText } from '../../language/element.ts';
import { anywhere, has, rule, some } from '../../language/rule-kinds.ts';
import {
  lengthOf,
  normalizeSpace,
  single,
  textNodeOf,
  textOf,
  toNumber,
} from '../../language/xpath.ts';
import type { Context, Pattern, Rule } from '../../rule.ts';
import type { Scope } from '../../scope.ts';
import { isExactlyAt } from '../countries.ts';

const fromDenmark = (scope: Scope): boolean => isExactlyAt(scope, 'seller', 'DK');

const withinDenmark = (scope: Scope): boolean =>
  isExactlyAt(scope, 'seller', 'DK') && isExactlyAt(scope, 'buyer', 'DK');

const paymentMeansCodes = ['1', '10', '31', '42', '48', '49', '50', '58', '59', '93', '97'];

const unspscVersions = ['19.05.01', '19.0501', '26.08.01', '26.0801'];

const paymentRules: readonly Rule[] = [
  rule(
    'DK-R-005',
    ['IBT-081'],
    `Danish sellers use the payment means ${paymentMeansCodes.join(', ')}.`,
    (means) => paymentMeansCodes.includes(textOf(means, 'code')),
  ),
  rule(
    'DK-R-006',
    ['IBT-084', 'IBT-086'],
    'Payment means 31 and 42 need the account and its registration number.',
    (means) =>
      !(some(means, 'code', '31') || some(means, 'code', '42')) ||
      (isFilled(means, 'account.id') && isFilled(means, 'account.branch')),
  ),
  rule(
    'DK-R-007',
    ['IBT-089', 'IBT-091'],
    'Payment means 49 needs the mandate reference and the debited account.',
    (means) =>
      !some(means, 'code', '49') ||
      (isFilled(means, 'mandate.id') && isFilled(means, 'mandate.account')),
  ),
  rule(
    'DK-R-008',
    ['IBT-083', 'IBT-084'],
    'Payment means 50 (Giro) needs a payment id 01#, 04# or 15#, and an account of 7 or 8 digits.',
    (means) =>
      !some(means, 'code', '50') ||
      (isOfKind(means, '01#', '04#', '15#') && /^[0-9]{7,8}$/.test(textOf(means, 'account.id'))),
  ),
  rule(
    'DK-R-009',
    ['IBT-083'],
    'With payment means 50 (Giro) a payment id of kind 04# or 15# carries 16 digits more.',
    (means) =>
      !some(means, 'code', '50') ||
      !isOfKind(means, '04#', '15#') ||
      lengthOf(textOf(means, 'remittance')) === 19,
  ),
  rule(
    'DK-R-010',
    ['IBT-083', 'IBT-084'],
    'Payment means 93 (FIK) needs a payment id 71#, 73# or 75#, and an account of 8 characters.',
    (means) =>
      !some(means, 'code', '93') ||
      (isOfKind(means, '71#', '73#', '75#') &&
        lengthOf(textNodeOf(nodes(means, 'account.id'))) === 8),
  ),
  rule(
    'DK-R-011',
    ['IBT-083'],
    'With payment means 93 (FIK) a payment id of kind 71# or 75# carries 15 or 16 digits more.',
    (means) =>
      !some(means, 'code', '93') ||
      !isOfKind(means, '71#', '75#') ||
      [18, 19].includes(lengthOf(textOf(means, 'remittance'))),
  ),
];

const companyRules: readonly Rule[] = [
  rule(
    'DK-R-002',
    ['IBT-030'],
    'A Danish seller states its CVR number as legal registration.',
    (root) => isFilled(root, 'seller.registration_id'),
  ),
  rule(
    'DK-R-014',
    ['IBT-030-1'],
    "A Danish seller's legal registration has the scheme 0184 (CVR).",
    (root) => isCvr(root, 'seller.registration_id'),
  ),
  rule(
    'DK-R-016',
    ['IBT-115'],
    'A credit note within Denmark has no negative amount due.',
    (root, scope) =>
      root.shape.element !== 'CreditNote' ||
      !isExactlyAt(scope, 'buyer', 'DK') ||
      !(toNumber(textNodeOf(nodes(root, 'totals.due'))) < 0),
  ),
];

const partyContexts: readonly Context[] = [
  {
    each: ['seller.identifiers', 'buyer.identifiers'],
    when: withinDenmark,
    rules: [
      rule(
        'DK-R-013',
        ['IBT-029-1', 'IBT-046-1'],
        'Within Denmark a party identifier needs its scheme.',
        (party) =>
          !has(party, 'id') || normalizeSpace(single(values(party, 'scheme')) ?? '') !== '',
      ),
    ],
  },
  {
    each: ['buyer'],
    when: withinDenmark,
    rules: [
      rule(
        'DK-R-017',
        ['IBT-047-1'],
        "Within Denmark the buyer's legal registration has the scheme 0184 (CVR).",
        (buyer) => isCvr(buyer, 'registration_id'),
      ),
    ],
  },
];

/** Rules for Danish sellers. */
export const denmark: Pattern = {
  name: 'Denmark',
  contexts: [
    { each: [''], when: fromDenmark, rules: companyRules },
    ...partyContexts,
    {
      each: ['payment_means'],
      when: (scope) => scope.root.shape.element === 'Invoice' && withinDenmark(scope),
      rules: paymentRules,
    },
    {
      each: ['lines'],
      when: withinDenmark,
      rules: [
        rule(
          'DK-R-003',
          ['IBT-158-2'],
          'A UNSPSC classification (list TST) has the version 19.05.01 or 26.08.01.',
          (line) =>
            !some(line, 'classifications.list', 'TST') ||
            values(line, 'classifications.list_version').some((version) =>
              unspscVersions.includes(version),
            ),
        ),
      ],
    },
    {
      each: anywhere('cac:AllowanceCharge'),
      when: withinDenmark,
      rules: [
        rule(
          'DK-R-004',
          ['IBT-097', 'IBT-139'],
          'A tax other than VAT (ZZZ) has as its reason a four-digit category or "name#text".',
          (node) => !someText(node, 'cbc:AllowanceChargeReasonCode', 'ZZZ') || isTaxReason(node),
        ),
      ],
    },
  ],
};

function isTaxReason(node: Node): boolean {
  const reason = elementText(node, 'cbc:AllowanceChargeReason');
  const written = textNodeOf(childrenOf(node, 'cbc:AllowanceChargeReason'));
  const number = toNumber(reason);
  const isCategory = lengthOf(normalizeSpace(written)) === 4 && number >= 0 && number <= 9999;
  return isCategory || (reason.includes('#') && !reason.startsWith('#') && !reason.endsWith('#'));
}

function isOfKind(means: Node, ...kinds: readonly string[]): boolean {
  const id = textOf(means, 'remittance');
  return kinds.some((kind) => id.startsWith(kind));
}

function isFilled(node: Node, path: string): boolean {
  return normalizeSpace(textNodeOf(nodes(node, path))) !== '';
}

function isCvr(node: Node, path: string): boolean {
  const companies = nodes(node, path);
  const schemes = companies.flatMap((company) => company.attributes?.schemeID ?? []);
  return companies.length === 0 || normalizeSpace(single(schemes) ?? '') === '0184';
}
