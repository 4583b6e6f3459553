import { type Node, nodes } from '@drawbridge/cim/node.ts';
import written from '@drawbridge/profiles/bis-3.0/code-lists.json' with { type: 'json' };
import { codeLists } from '../code-lists.ts';
import {
  add,
  all,
  attribute,
  casesOf,
  drop,
  type Edit,
  idsOf,
  parted,
  type RuleCase,
  ruleSuite,
  set,
  twice,
  unbound,
} from '../rule-cases.suite.ts';
import { goodInvoices, goodSelfBilling } from './good-invoices.ts';
import { peppolBis, peppolBisSelfBilling } from './rule-set.ts';

/** Changes the occurrence at `index`, counted from 0. */
function nth(path: string, index: number, edit: (node: Node) => void): Edit {
  return (root) => edit(nodes(root, path)[index]!);
}

const specification = 'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0';

const misplacedCountry =
  'cac:AccountingSupplierParty/cac:Party/cac:PostalAddress/cac:Country/cbc:IdentificationCode';

/** Sets the seller's endpoint to an identifier with this scheme. */
function endpoint(scheme: string, id: string): Edit {
  return all(attribute('seller.endpoint', 'schemeID', scheme), set('seller.endpoint', id));
}

const document: readonly (readonly [string, Edit, Edit?])[] = [
  ['PEPPOL-EN16931-R008', set('buyer_reference', ' ')],
  ['PEPPOL-EN16931-R001', drop('business_process')],
  ['PEPPOL-EN16931-R007', set('business_process', 'urn:other')],
  ['PEPPOL-EN16931-R002', twice('notes')],
  ['PEPPOL-EN16931-R003', all(drop('buyer_reference'), drop('purchase_order'))],
  ['PEPPOL-EN16931-R004', set('specification_id', 'urn:cen.eu:en16931:2017')],
  ['PEPPOL-EN16931-R053', drop('tax_totals')],
  ['PEPPOL-EN16931-R054', drop('tax_currency')],
  ['PEPPOL-EN16931-R055', set('tax_totals.amount', '-30.00')],
  ['PEPPOL-EN16931-R005', set('tax_currency', 'EUR')],
  ['PEPPOL-EN16931-R010', drop('buyer.endpoint')],
  ['PEPPOL-EN16931-R020', drop('seller.endpoint')],
  [
    'PEPPOL-EN16931-R020',
    unbound('lines', 'cac:AccountingSupplierParty/cac:Party/cbc:WebsiteURI', 'x'),
  ],
  ['PEPPOL-EN16931-R041', drop('allowances_charges.base')],
  ['PEPPOL-EN16931-R042', drop('allowances_charges.percent')],
  ['PEPPOL-EN16931-R040', set('allowances_charges.percent', '11')],
  ['PEPPOL-EN16931-R043', set('allowances_charges.is_charge', '0')],
  ['PEPPOL-EN16931-R043', parted('allowances_charges.is_charge', 'fa', 'lse')],
  ['PEPPOL-EN16931-R005', parted('tax_currency', 'S', 'EK')],
  ['PEPPOL-EN16931-F001', parted('issue_date', '2026-', '02-01')],
  ['PEPPOL-EN16931-R110', parted('lines.period.start', '2026-02-', '01')],
  ['PEPPOL-EN16931-R111', parted('lines.period.end', '2026-02-', '28')],
  ['PEPPOL-EN16931-R061', drop('payment_means.mandate.id')],
  ['PEPPOL-EN16931-R051', attribute('totals.due', 'currencyID', 'SEK')],
  ['PEPPOL-EN16931-R110', set('lines.period.start', '2026-01-31')],
  ['PEPPOL-EN16931-R111', set('lines.period.end', '2026-03-01')],
  ['PEPPOL-EN16931-R120', set('lines.net', '110.05')],
  ['PEPPOL-EN16931-R121', set('lines.base_qty', '0')],
  ['PEPPOL-EN16931-R100', twice('lines.documents')],
  ['PEPPOL-EN16931-R101', set('lines.documents.type_code', '50')],
  ['PEPPOL-EN16931-R044', set('lines.price_allowances.is_charge', 'true')],
  ['PEPPOL-EN16931-R046', set('lines.price_allowances.discount', '3.00')],
  ['PEPPOL-EN16931-R130', attribute('lines.base_qty', 'unitCode', 'KGM')],
];

const exempt = (reason: string, category: string): Edit =>
  all(
    add('tax_totals.breakdown.exemption_code', `VATEX-EU-${reason}`),
    set('tax_totals.breakdown.category', category),
  );

const restrictions: readonly (readonly [string, Edit, Edit?])[] = [
  ['PEPPOL-EN16931-CL001', nth('documents', 1, attribute('attachment', 'mimeCode', 'text/html'))],
  ['PEPPOL-EN16931-CL002', set('allowances_charges.reason_code', 'FC')],
  ['PEPPOL-EN16931-CL003', nth('allowances_charges', 1, set('reason_code', '95'))],
  ['PEPPOL-EN16931-CL006', add('period.code', '36'), add('period.code', '35')],
  ['PEPPOL-EN16931-CL007', attribute('totals.due', 'currencyID', 'EURO')],
  ['PEPPOL-EN16931-CL008', attribute('seller.endpoint', 'schemeID', '9999')],
  ['PEPPOL-EN16931-F001', set('issue_date', '2026-03-02Z')],
  ['PEPPOL-EN16931-P0104', exempt('G', 'E'), exempt('g', 'G')],
  ['PEPPOL-EN16931-P0105', exempt('O', 'E'), exempt('o', 'O')],
  ['PEPPOL-EN16931-P0106', exempt('IC', 'E'), exempt('ic', 'K')],
  ['PEPPOL-EN16931-P0107', exempt('AE', 'E'), exempt('ae', 'AE')],
  ['PEPPOL-EN16931-P0108', exempt('D', 'S'), exempt('d', 'E')],
  ['PEPPOL-EN16931-P0109', exempt('F', 'S'), exempt('f', 'E')],
  ['PEPPOL-EN16931-P0110', exempt('I', 'S'), exempt('i', 'E')],
  ['PEPPOL-EN16931-P0111', exempt('J', 'S'), exempt('j', 'E')],
];

/** A wrong identifier and a right one, by scheme. */
const identifiers: readonly (readonly [string, string, string, string])[] = [
  ['R040', '0088', '7300010000002', '7300010000001'],
  ['R041', '0192', '974760674', '974760673'],
  ['R042', '0184', 'DK1234567', 'DK12345678'],
  ['R052', '0096', '123456789', '1234567890'],
  ['R053', '0198', '12345678', 'DK12345678'],
  ['R043', '0208', '0202239952', '0202239951'],
  ['R044', '0201', 'UF-123', 'UFY9MH'],
  ['R045', '0210', 'MRTMTT91D08F205', 'MRTMTT91D08F205J'],
  ['R046', '9907', 'MRTMTT91D08F20AJ', 'MRTMTT91D08F205J'],
  ['R047', '0211', 'IT00743110158', 'IT00743110157'],
  ['R049', '0007', '5560360794', '5560360793'],
  ['R050', '0151', '51824753557', '51824753556'],
  ['R054', '0106', '1234567', '12345678'],
  ['R055', '0190', '1234567890', '12345678901234567890'],
  ['R056-1', '9944', 'NL123456789', 'NL123456789B12'],
  ['R057', '0217', '1234', '123456789012'],
];

const identifierCases: readonly (readonly [string, Edit, Edit?])[] = [
  ...identifiers.map(
    ([number, scheme, wrong, right]) =>
      [`PEPPOL-COMMON-${number}`, endpoint(scheme, wrong), endpoint(scheme, right)] as const,
  ),
  [
    'PEPPOL-COMMON-R056-2',
    set('seller.tax_registrations.id', 'NL123456789'),
    set('seller.tax_registrations.id', 'NL123456789B12'),
  ],
];

const denmark: readonly RuleCase[] = [
  ...casesOf('Danish invoice', [
    ['DK-R-002', drop('seller.registration_id')],
    ['DK-R-002', parted('seller.registration_id', '1234', '5674')],
    ['DK-R-014', attribute('seller.registration_id', 'schemeID', '0002')],
    ['DK-R-013', attribute('buyer.identifiers.id', 'schemeID')],
    ['DK-R-005', set('payment_means.code', '30')],
    ['DK-R-006', all(set('payment_means.code', '42'), drop('payment_means.account.branch'))],
    ['DK-R-007', set('payment_means.code', '49')],
    ['DK-R-008', set('payment_means.remittance', '71#')],
    ['DK-R-009', set('payment_means.remittance', '04#123')],
    ['DK-R-017', attribute('buyer.registration_id', 'schemeID', '0002')],
    ['DK-R-003', attribute('lines.classifications.code', 'listID', 'TST')],
    ['DK-R-004', set('allowances_charges.reason_code', 'ZZZ')],
  ]),
  ...casesOf('Danish FIK invoice', [
    ['DK-R-010', set('payment_means.account.id', '123')],
    ['DK-R-011', set('payment_means.remittance', '71#123')],
  ]),
  ...casesOf('Danish credit note', [
    ['DK-R-016', set('totals.due', '-1.00')],
    ['DK-R-016', parted('totals.due', '1', '.00')],
  ]),
];

const sweden: readonly RuleCase[] = [
  ...casesOf('Swedish Plusgiro invoice', [
    ['SE-R-001', set('seller.tax_registrations.id', 'SE5560360793')],
    ['SE-R-002', set('seller.tax_registrations.id', 'SE55603607930X')],
    ['SE-R-003', set('seller.registration_id', '556036-0793')],
    ['SE-R-004', set('seller.registration_id', '55603607930')],
    ['SE-R-013', set('seller.registration_id', '5560360794')],
    ['SE-R-005', nth('seller.tax_registrations', 1, set('id', 'F-skatt'))],
    ['SE-R-006', set('lines.tax.rate', '24')],
    ['SE-R-007', set('payment_means.account.id', '12-3')],
    ['SE-R-010', set('payment_means.account.id', '1')],
    ['SE-R-011', set('payment_means.code', '56')],
    ['SE-R-012', set('payment_means.code', '31')],
  ]),
  ...casesOf('Swedish Bankgiro invoice', [
    ['SE-R-008', set('payment_means.account.id', '123-456')],
    ['SE-R-009', set('payment_means.account.id', '123')],
  ]),
];

const number = (...parts: readonly string[]): Edit => set('number', parts.join('|'));

const greece: readonly RuleCase[] = casesOf('Greek invoice', [
  ['GR-R-001-1', number('090000045', '02/03/2026', '0', '1.1', 'A')],
  ['GR-R-001-2', number('090000046', '02/03/2026', '0', '1.1', 'A', '7')],
  ['GR-R-001-3', number('090000045', '03/03/2026', '0', '1.1', 'A', '7')],
  ['GR-R-001-4', number('090000045', '02/03/2026', '-1', '1.1', 'A', '7')],
  ['GR-R-001-5', number('090000045', '02/03/2026', '0', '9.9', 'A', '7')],
  ['GR-R-001-6', number('090000045', '02/03/2026', '0', '1.1', '', '7')],
  ['GR-R-001-7', number('090000045', '02/03/2026', '0', '1.1', 'A', '')],
  ['GR-R-002', drop('seller.trading_name')],
  ['GR-S-011', set('seller.tax_registrations.id', 'EL090000046')],
  ['GR-R-003', set('seller.tax_registrations.id', 'EL090000046')],
  ['GR-R-004-1', drop('documents')],
  ['GR-S-008-1', nth('documents', 1, set('description', 'Link'))],
  ['GR-R-008-2', all(twice('documents'), set('documents.description', '##INVOICE|URL##'))],
  ['GR-R-004-2', set('documents.id', '0')],
  ['GR-R-008-3', nth('documents', 1, drop('url'))],
  ['GR-R-005', drop('buyer.trading_name')],
  ['GR-R-009', attribute('seller.endpoint', 'schemeID', '0002')],
  ['GR-R-006', drop('buyer.tax_registrations.id')],
  ['GR-R-010', set('buyer.endpoint', '090000046')],
]);

const iceland: readonly RuleCase[] = casesOf('Icelandic invoice', [
  ['IS-R-001', set('type_code', '393')],
  ['IS-R-002', attribute('seller.registration_id', 'schemeID', '0002')],
  ['IS-R-003', drop('seller.address.post_code')],
  ['IS-R-006', all(set('payment_means.code', '9'), set('payment_means.account.id', '1'))],
  ['IS-R-007', set('payment_means.account.id', '1')],
  ['IS-R-008', set('documents.id', '02.04.2026')],
  ['IS-R-009', drop('due_date')],
  ['IS-R-010', set('documents.id', '2026-03-31')],
  ['IS-R-004', drop('buyer.registration_id')],
  ['IS-R-005', drop('buyer.address.line1')],
]);

const netherlands: readonly RuleCase[] = [
  ...casesOf('Dutch credit note', [['NL-R-001', drop('preceding_invoices')]]),
  ...casesOf('Dutch invoice', [
    ['NL-R-002', drop('seller.address.line1')],
    ['NL-R-003', attribute('seller.registration_id', 'schemeID', '0002')],
    ['NL-R-004', drop('buyer.address.city')],
    ['NL-R-005', set('buyer.registration_id', ' ')],
    ['NL-R-006', drop('tax_representative.address.post_code')],
    ['NL-R-007', drop('payment_means')],
    ['NL-R-008', set('payment_means.code', '31')],
    ['NL-R-009', drop('purchase_order')],
  ]),
];

const germany: readonly RuleCase[] = [
  ...casesOf('German credit transfer', [
    ['PEPPOL-EN16931-P0112', all(set('type_code', '384'), set('buyer.address.country', 'AT'))],
    ['DE-R-001', drop('payment_means')],
    ['DE-R-002', drop('seller.contact')],
    ['DE-R-003', drop('seller.address.city')],
    ['DE-R-004', drop('seller.address.post_code')],
    ['DE-R-005', drop('seller.contact.name')],
    ['DE-R-006', drop('seller.contact.phone')],
    ['DE-R-007', drop('seller.contact.email')],
    ['DE-R-008', drop('buyer.address.city')],
    ['DE-R-009', drop('buyer.address.post_code')],
    ['DE-R-010', drop('delivery.address.city')],
    ['DE-R-011', drop('delivery.address.post_code')],
    ['DE-R-014', drop('tax_totals.breakdown.rate')],
    ['DE-R-015', set('buyer_reference', ' ')],
    ['DE-R-016', all(drop('seller.tax_registrations'), drop('tax_representative'))],
    ['DE-R-017', set('type_code', '393')],
    ['DE-R-018', set('payment_terms.note', '#SKONTO#TAGE=14#PROZENT=2.25#')],
    ['DE-R-019', set('payment_means.account.id', 'DE75512108001245126198')],
    ['DE-R-022', nth('documents', 1, twiceNamed)],
    ['DE-R-023-1', drop('payment_means.account')],
    ['DE-R-023-2', add('payment_means.mandate.id', 'M')],
    ['DE-R-026', all(set('type_code', '384'), drop('preceding_invoices'))],
    ['DE-R-027', set('seller.contact.phone', 'none')],
    ['DE-R-028', set('seller.contact.email', 'eva@example')],
    ['DE-R-T02', nth('documents', 2, set('url', 'example.com'))],
  ]),
  ...casesOf('German card payment', [
    ['DE-R-024-1', drop('payment_means.card')],
    ['DE-R-024-2', add('payment_means.account.id', '1')],
  ]),
  ...casesOf('German direct debit', [
    ['DE-R-020', set('payment_means.mandate.account', 'DE75512108001245126198')],
    ['DE-R-025-1', drop('payment_means.mandate')],
    ['DE-R-025-2', add('payment_means.card.number', '1')],
    ['DE-R-030', drop('seller.identifiers')],
    ['DE-R-031', drop('payment_means.mandate.account')],
  ]),
];

/** A second document with the same attached file. */
function twiceNamed(node: Node): void {
  const root = node.parent!;
  const index = nodes(root, 'documents').indexOf(node);
  nodes(root, 'documents')[index + 1]!.members[node.shape.byElement.get('cac:Attachment')!.slot] =
    node.members[node.shape.byElement.get('cac:Attachment')!.slot];
}

const transaction = casesOf('invoice', [...document, ...restrictions, ...identifierCases]);

const creditNotes = (wrongType: string): RuleCase[] =>
  casesOf('credit note', [
    [
      'PEPPOL-EN16931-R080',
      all(nth('documents', 0, set('type_code', '50')), nth('documents', 1, add('type_code', '50'))),
    ],
    ['PEPPOL-EN16931-P0101', set('type_code', wrongType)],
  ]);

const countries: readonly RuleCase[] = [
  ...casesOf('Norwegian invoice', [
    ['NO-R-002', nth('seller.tax_registrations', 1, set('id', 'Register'))],
    ['NO-R-001', set('seller.tax_registrations.id', 'NO974760674MVA')],
  ]),
  ...denmark,
  ...casesOf('Italian invoice', [
    ['IT-R-001', nth('seller.tax_registrations', 1, set('id', 'abc'))],
    ['IT-R-002', drop('seller.address.line1')],
    ['IT-R-003', drop('seller.address.city')],
    ['IT-R-004', drop('seller.address.post_code')],
  ]),
  ...sweden,
  ...greece,
  ...iceland,
  ...netherlands,
  ...germany,
];

/** Rules whose published condition only an invalid document meets. */
const neverKept = ['PEPPOL-EN16931-R041', 'PEPPOL-EN16931-R042', 'SE-R-011', 'SE-R-012'];

const lists = codeLists(written);

ruleSuite('Peppol BIS Billing', {
  sets: [peppolBis],
  lists: lists.billing,
  good: goodInvoices,
  neverKept,
  cases: [
    ...transaction,
    ...casesOf('invoice', [
      ['PEPPOL-EN16931-P0100', set('type_code', '389')],
      ['PEPPOL-EN16931-P0100', parted('type_code', '3', '80')],
      [
        'PEPPOL-EN16931-R004',
        parted('specification_id', `${specification}#a`, 'b'),
        parted('specification_id', `${specification}#ab`),
      ],
      ['SE-R-011', all(unbound('lines', misplacedCountry, 'SE'), set('payment_means.code', '50'))],
    ]),
    ...creditNotes('261'),
    ...countries,
  ],
});

const selfBillingIds = new Set(idsOf(peppolBisSelfBilling));

ruleSuite('Peppol BIS Self-Billing', {
  sets: [peppolBisSelfBilling],
  lists: lists.selfBilling,
  good: goodSelfBilling,
  neverKept,
  cases: [
    ...transaction.filter(({ id }) => selfBillingIds.has(id)),
    ...casesOf('invoice', [['PEPPOL-EN16931-P0100', set('type_code', '380')]]),
    ...creditNotes('381'),
  ],
});
