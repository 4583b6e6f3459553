import { type Node, nodes } from '@drawbridge/cim/node.ts';
import type { Term } from '@drawbridge/cim/terms.ts';
import { childrenOf, type Element, elementText, reach, someText } from '../language/element.ts';
import { anywhere, counted, decimalsWritten, rule } from '../language/rule-kinds.ts';
import { all, exists, hasAttribute, not, occurs, shaped } from '../language/statement.ts';
import type { Context, Rule } from '../rule.ts';
import type { Scope } from '../scope.ts';
import { anyLine } from './lines.ts';
import { conditionallyUnused } from './unused.ts';
import { saysAllowance, saysCharge } from './vat-scheme.ts';

/**
 * How often UBL elements may occur, where UBL allows more than the business model.
 */

const isOfPriceDiscount = shaped((shape) => {
  for (let at = shape.parent; at !== undefined; at = at.parent) {
    if (at.element === 'cac:AllowanceCharge' && at.parent?.element === 'cac:Price') return true;
  }
  return false;
});

type Limit = readonly [id: string, path: string, term: Term, what: string];

/** At most one in the document. */
const oncePerDocument: readonly Limit[] = [
  ['UBL-SR-01', 'cac:ContractDocumentReference/cbc:ID', 'IBT-012', 'contract reference'],
  ['UBL-SR-02', 'cac:ReceiptDocumentReference/cbc:ID', 'IBT-015', 'receiving advice reference'],
  ['UBL-SR-03', 'cac:DespatchDocumentReference/cbc:ID', 'IBT-016', 'despatch advice reference'],
  ['UBL-SR-05', 'cac:PaymentTerms/cbc:Note', 'IBT-020', 'payment terms note'],
  ['UBL-SR-08', 'cac:InvoicePeriod', 'IBG-14', 'invoicing period'],
  [
    'UBL-SR-09',
    `${party('Supplier')}/cac:PartyLegalEntity/cbc:RegistrationName`,
    'IBT-027',
    'seller name',
  ],
  ['UBL-SR-10', `${party('Supplier')}/cac:PartyName/cbc:Name`, 'IBT-028', 'seller trading name'],
  [
    'UBL-SR-11',
    `${party('Supplier')}/cac:PartyLegalEntity/cbc:CompanyID`,
    'IBT-030',
    'seller legal registration',
  ],
  [
    'UBL-SR-14',
    `${party('Supplier')}/cac:PartyLegalEntity/cbc:CompanyLegalForm`,
    'IBT-033',
    'seller legal form',
  ],
  [
    'UBL-SR-15',
    `${party('Customer')}/cac:PartyLegalEntity/cbc:RegistrationName`,
    'IBT-044',
    'buyer name',
  ],
  [
    'UBL-SR-16',
    `${party('Customer')}/cac:PartyIdentification/cbc:ID`,
    'IBT-046',
    'buyer identifier',
  ],
  [
    'UBL-SR-17',
    `${party('Customer')}/cac:PartyLegalEntity/cbc:CompanyID`,
    'IBT-047',
    'buyer legal registration',
  ],
  ['UBL-SR-24', 'cac:Delivery', 'IBG-13', 'delivery'],
  ['UBL-SR-39', 'cac:ProjectReference/cbc:ID', 'IBT-011', 'project reference'],
  ['UBL-SR-40', `${party('Customer')}/cac:PartyName/cbc:Name`, 'IBT-045', 'buyer trading name'],
  ['UBL-SR-45', 'cac:PaymentMeans/cbc:PaymentDueDate', 'IBT-009', 'payment due date'],
  ['UBL-SR-49', 'cac:InvoicePeriod/cbc:DescriptionCode', 'IBT-008', 'tax point date code'],
  ['UBL-SR-54', 'cac:PaymentMeans/cac:CardAccount', 'IBG-18', 'payment card'],
  ['UBL-SR-55', 'cac:PaymentMeans/cac:PaymentMandate', 'IBG-19', 'direct debit mandate'],
  ['UBL-SR-56', 'cac:OriginatorDocumentReference/cbc:ID', 'IBT-017', 'tender reference'],
];

/** At most one in a line. */
const oncePerLine: readonly Limit[] = [
  ['UBL-SR-34', 'cbc:Note', 'IBT-127', 'note'],
  ['UBL-SR-35', 'cac:OrderLineReference/cbc:LineID', 'IBT-132', 'purchase order line reference'],
  ['UBL-SR-36', 'cac:InvoicePeriod', 'IBG-26', 'line period'],
  ['UBL-SR-37', 'cac:Price/cac:AllowanceCharge/cbc:Amount', 'IBT-147', 'price discount'],
  ['UBL-SR-50', 'cac:Item/cbc:Description', 'IBT-154', 'item description'],
  ['UBL-SR-52', 'cac:DocumentReference', 'X-line-document', 'invoiced object'],
];

const paymentMeans: readonly Limit[] = [
  ['UBL-SR-26', 'cbc:PaymentID', 'IBT-083', 'remittance information'],
  ['UBL-SR-27', 'cbc:PaymentMeansCode', 'IBT-081', 'payment means code'],
  ['UBL-SR-28', 'cac:PaymentMandate/cbc:ID', 'IBT-089', 'mandate reference'],
];

function party(role: 'Supplier' | 'Customer'): string {
  return `cac:Accounting${role}Party/cac:Party`;
}

function once(limits: readonly Limit[]): Rule[] {
  return limits.map(([id, path, term, what]) =>
    counted(id, path, 1, [term], `There is more than one ${what}.`),
  );
}

const ofDocument: readonly Rule[] = [
  ...once(oncePerDocument),
  rule(
    'UBL-SR-04',
    ['IBT-122'],
    'There is more than one invoiced object.',
    (root) =>
      nodes(root, 'documents')
        .filter((each) => someText(each, 'cbc:DocumentTypeCode', '130'))
        .flatMap((each) => nodes(each, 'id')).length <= 1,
  ),
  rule('UBL-SR-12', ['X-seller-tax-id'], 'The seller has more than one VAT identifier.', (root) =>
    registrationsAreOne(root, 'seller', (scheme) => scheme === 'VAT'),
  ),
  rule(
    'UBL-SR-13',
    ['X-seller-tax-id'],
    'The seller has more than one tax registration beside VAT.',
    (root) => registrationsAreOne(root, 'seller', (scheme) => scheme !== 'VAT'),
  ),
  rule('UBL-SR-18', ['IBT-048'], 'The buyer has more than one VAT identifier.', (root) =>
    registrationsAreOne(root, 'buyer', (scheme) => scheme === 'VAT'),
  ),
  rule(
    'UBL-SR-29',
    ['IBT-029'],
    'There is more than one bank assigned creditor identifier.',
    (_, scope) =>
      scope
        .everywhere('cac:PartyIdentification')
        .flatMap((each) => childrenOf(each, 'cbc:ID'))
        .filter((id) => id.attributes?.schemeID?.toUpperCase() === 'SEPA').length <= 1,
  ),
  rule(
    'UBL-SR-44',
    ['IBT-083'],
    'All payment instructions carry the same remittance information.',
    (_, scope) => isOneValue(scope, 'cbc:PaymentID'),
  ),
  rule(
    'UBL-SR-46',
    ['IBT-082'],
    'There is more than one payment means text.',
    occurs('payment_means.name', 0, 1),
  ),
  rule(
    'UBL-SR-47',
    ['IBT-081'],
    'All payment instructions carry the same payment means code.',
    (_, scope) => isOneValue(scope, 'cbc:PaymentMeansCode'),
  ),
];

function registrationsAreOne(
  root: Node,
  who: 'seller' | 'buyer',
  isWanted: (scheme: string) => boolean,
): boolean {
  const wanted = nodes(root, `${who}.tax_registrations`).filter((registration) =>
    childrenOf(registration, 'cac:TaxScheme').some((scheme) =>
      isWanted(elementText(scheme, 'cbc:ID').toUpperCase()),
    ),
  );
  return wanted.flatMap((registration) => nodes(registration, 'id')).length <= 1;
}

function isOneValue(scope: Scope, element: string): boolean {
  return new Set(scope.everywhere(element).map(({ text }) => text)).size <= 1;
}

/** Whether the payee is another party than the seller; three rules depend on it. */
function isOtherThanSeller(payee: Node): boolean {
  const sellers = reach(
    payee.parent!,
    `${party('Supplier')}/cac:PartyLegalEntity/cbc:RegistrationName`,
  );
  return reach(payee, 'cac:PartyName/cbc:Name').some((name) =>
    sellers.some((seller) => seller.text !== name.text),
  );
}

function payeeHasOne(
  id: string,
  term: Term,
  what: string,
  find: (payee: Node) => readonly Element[],
): Rule {
  return rule(
    id,
    [term],
    `A payee has one ${what}, and a name other than the seller's.`,
    (payee) => find(payee).length <= 1 && isOtherThanSeller(payee),
  );
}

/** Rules on the use of UBL elements; fatal, except those on unused elements. */
export const syntaxContexts: readonly Context[] = [
  {
    each: anywhere('cac:PostalAddress', 'cac:Address'),
    rules: once([['UBL-SR-51', 'cac:AddressLine', 'IBT-162', 'third address line']]),
  },
  {
    each: anywhere('cac:AccountingSupplierParty/cac:Party'),
    rules: [
      rule(
        'UBL-SR-42',
        ['X-seller-tax'],
        'The seller has more than two tax registrations.',
        occurs('tax_registrations', 0, 2),
      ),
    ],
  },
  {
    each: anywhere('cac:AdditionalDocumentReference'),
    rules: [
      ...once([['UBL-SR-33', 'cbc:DocumentDescription', 'IBT-123', 'document description']]),
      rule(
        'UBL-SR-43',
        ['X-document-type-code', 'IBT-018-1'],
        'Only an invoiced object (130), or in a credit note a project (50), has scheme and type.',
        (node, { root }) =>
          someText(node, 'cbc:DocumentTypeCode', '130') ||
          (root.shape.element === 'CreditNote' && someText(node, 'cbc:DocumentTypeCode', '50')) ||
          (!childrenOf(node, 'cbc:ID').some((id) => id.attributes?.schemeID !== undefined) &&
            childrenOf(node, 'cbc:DocumentTypeCode').length === 0),
      ),
    ],
  },
  {
    each: (shape) => shape.element.endsWith('Amount') && !shape.element.endsWith('PriceAmount'),
    match: not(isOfPriceDiscount),
    rules: [
      {
        ...rule(
          'UBL-DT-01',
          ['IBT-131'],
          'An amount has at most two decimals.',
          (amount) => decimalsWritten(amount.text) <= 2,
        ),
        decimalsMax: 2,
      },
    ],
  },
  {
    each: (shape) => shape.element.endsWith('BinaryObject'),
    rules: [
      rule(
        'UBL-DT-06',
        ['IBT-125-1'],
        'An attached document needs its MIME type.',
        hasAttribute('mimeCode'),
      ),
      rule(
        'UBL-DT-07',
        ['IBT-125-2'],
        'An attached document needs its file name.',
        hasAttribute('filename'),
      ),
    ],
  },
  {
    each: anywhere('cac:Delivery'),
    rules: once([
      ['UBL-SR-25', 'cac:DeliveryParty/cac:PartyName/cbc:Name', 'IBT-070', 'deliver to party name'],
    ]),
  },
  {
    each: anywhere('cac:AllowanceCharge'),
    match: saysAllowance,
    rules: once([['UBL-SR-30', 'cbc:AllowanceChargeReason', 'IBT-097', 'allowance reason']]),
  },
  {
    each: anywhere('cac:AllowanceCharge'),
    match: saysCharge,
    rules: once([['UBL-SR-31', 'cbc:AllowanceChargeReason', 'IBT-097', 'charge reason']]),
  },
  {
    each: anywhere('cac:PartyTaxScheme'),
    rules: [
      rule(
        'UBL-SR-53',
        ['X-seller-tax', 'X-buyer-tax'],
        'A tax registration needs both its identifier and its tax scheme.',
        all(exists('cac:TaxScheme/cbc:ID'), exists('cbc:CompanyID')),
      ),
    ],
  },
  { each: [''], rules: [...ofDocument, ...conditionallyUnused()] },
  {
    each: anyLine,
    rules: [
      ...once(oncePerLine),
      rule(
        'UBL-SR-48',
        ['IBG-30'],
        'A line has exactly one VAT category.',
        occurs('cac:Item/cac:ClassifiedTaxCategory', 1, 1),
      ),
    ],
  },
  {
    each: anywhere('cac:PayeeParty'),
    rules: [
      payeeHasOne('UBL-SR-19', 'IBT-059', 'name', (payee) => nodes(payee, 'name')),
      payeeHasOne('UBL-SR-20', 'IBT-060', 'identifier', (payee) =>
        nodes(payee, 'identifiers.id').filter(
          (id) => (id.attributes?.schemeID ?? '').toUpperCase() !== 'SEPA',
        ),
      ),
      payeeHasOne('UBL-SR-21', 'IBT-061', 'legal registration', (payee) =>
        nodes(payee, 'registration_id'),
      ),
    ],
  },
  { each: anywhere('cac:PaymentMeans'), rules: once(paymentMeans) },
  {
    each: anywhere('cac:BillingReference'),
    rules: [
      ...once([
        [
          'UBL-SR-06',
          'cac:InvoiceDocumentReference',
          'IBG-03',
          'preceding invoice in one reference',
        ],
      ]),
      rule(
        'UBL-SR-07',
        ['IBT-025'],
        'A preceding invoice reference needs the number of that invoice.',
        exists('number'),
      ),
    ],
  },
  {
    each: anywhere('cac:TaxRepresentativeParty'),
    rules: once([
      ['UBL-SR-22', 'cac:PartyName/cbc:Name', 'IBT-062', 'tax representative name'],
      [
        'UBL-SR-23',
        'cac:PartyTaxScheme/cbc:CompanyID',
        'IBT-063',
        'tax representative VAT identifier',
      ],
    ]),
  },
  {
    each: anywhere('cac:TaxSubtotal'),
    rules: once([
      ['UBL-SR-32', 'cac:TaxCategory/cbc:TaxExemptionReason', 'IBT-120', 'tax exemption reason'],
    ]),
  },
];
