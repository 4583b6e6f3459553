import { firstOf, keepUnbound, Node, nodes, type Unbound } from '@drawbridge/cim/node.ts';
import written from '@drawbridge/profiles/bis-3.0/code-lists.json' with { type: 'json' };
import { codeLists } from '../code-lists.ts';
import {
  add,
  all,
  attribute,
  casesOf,
  drop,
  type Edit,
  type RuleCase,
  ruleSuite,
  set,
  twice,
  unbound,
  unboundGroup,
} from '../rule-cases.suite.ts';
import { creditNoteDocument, document, documentOfCategory } from './good-invoice.ts';
import { en16931 } from './rule-set.ts';
import { unusedElements } from './unused-elements.ts';
import { vatCategories } from './vat-categories.ts';

/** Changes the occurrence at `index`, counted from 0. */
function nth(path: string, index: number, edit: (node: Node) => void): Edit {
  return (root) => edit(nodes(root, path)[index]!);
}

const dropText = (path: string): Edit => set(path, '  ');

const documents: readonly (readonly [string, Edit, Edit?])[] = [
  ['BR-01', dropText('specification_id')],
  ['BR-02', dropText('number')],
  ['BR-03', drop('issue_date')],
  ['BR-04', drop('type_code')],
  ['BR-05', drop('currency')],
  ['BR-06', dropText('seller.name')],
  ['BR-07', dropText('buyer.name')],
  ['BR-08', drop('seller.address')],
  ['BR-10', drop('buyer.address')],
  ['BR-16', drop('lines')],
  ['BR-53', set('tax_currency', 'NOK')],
  ['BR-CO-18', drop('tax_totals.breakdown')],
  ['BR-CO-03', all(add('tax_point_date', '2026-03-01'), add('period.code', '35'))],
  ['BR-CO-15', set('totals.gross', '151.00')],
  ['BR-52', dropText('documents.id')],
  ['BR-30', set('lines.period.end', '2026-01-01')],
  ['BR-CO-20', all(drop('lines.period.start'), drop('lines.period.end'))],
  ['BR-29', set('period.end', '2026-01-01')],
  ['BR-CO-19', all(drop('period.start'), drop('period.end'))],
  ['BR-CL-08', set('notes', '#A1B#Thank you')],
  ['BR-55', drop('preceding_invoices.number')],
];

const parties: readonly (readonly [string, Edit, Edit?])[] = [
  ['BR-63', attribute('buyer.endpoint', 'schemeID')],
  ['BR-11', dropText('buyer.address.country')],
  ['BR-57', drop('delivery.address.country')],
  ['BR-57', unbound('lines', 'cac:Delivery/cac:DeliveryLocation/cac:Address/cbc:CityName', 'Graz')],
  ['BR-17', set('payee.name', 'House of ATU11111111')],
  [
    'BR-CO-26',
    all(
      drop('seller.tax_registrations'),
      drop('seller.identifiers'),
      drop('seller.registration_id'),
    ),
  ],
  ['BR-62', attribute('seller.endpoint', 'schemeID')],
  ['BR-09', dropText('seller.address.country')],
  ['BR-18', dropText('tax_representative.name')],
  ['BR-19', drop('tax_representative.address')],
  ['BR-56', set('tax_representative.tax_registrations.scheme', 'GST')],
  ['BR-20', dropText('tax_representative.address.country')],
  ['BR-CO-09', set('seller.tax_registrations.id', 'QQ123')],
  ['BR-51', set('payment_means.card.number', '1234567890123')],
  [
    'BR-50',
    all(set('payment_means.code', '30'), dropText('payment_means.account.id')),
    set('payment_means.code', '30'),
  ],
  [
    'BR-50',
    unboundGroup(
      'lines',
      ['cac:PaymentMeans'],
      ['cbc:PaymentMeansCode', '30'],
      ['cac:PayeeFinancialAccount', ''],
    ),
  ],
  ['BR-49', drop('payment_means.code')],
  ['BR-61', all(set('payment_means.code', '58'), drop('payment_means.account.id'))],
];

const amounts: readonly (readonly [string, Edit, Edit?])[] = [
  ['BR-12', drop('totals.lines')],
  ['BR-13', drop('totals.net')],
  ['BR-14', drop('totals.gross')],
  ['BR-15', drop('totals.due')],
  ['BR-CO-10', set('totals.lines', '111.00')],
  ['BR-CO-11', set('totals.allowances', '11.00')],
  ['BR-CO-11', unbound('lines', 'cac:LegalMonetaryTotal/cbc:AllowanceTotalAmount', '1')],
  ['BR-CO-12', set('totals.charges', '21.00')],
  ['BR-CO-13', set('totals.net', '121.00')],
  ['BR-CO-14', set('tax_totals.amount', '31.00')],
  ['BR-CO-16', set('totals.due', '100.00')],
  ['BR-DEC-09', set('totals.lines', '110.000')],
  ['BR-DEC-10', set('totals.allowances', '10.000')],
  ['BR-DEC-11', set('totals.charges', '20.000')],
  ['BR-DEC-12', set('totals.net', '120.000')],
  ['BR-DEC-14', set('totals.gross', '150.000')],
  ['BR-DEC-16', set('totals.prepaid', '50.000')],
  ['BR-DEC-17', set('totals.rounding', '0.500')],
  ['BR-DEC-18', set('totals.due', '100.500')],
  ['BR-DEC-19', set('tax_totals.breakdown.taxable', '120.000')],
  ['BR-DEC-20', set('tax_totals.breakdown.amount', '30.000')],
  ['BR-45', drop('tax_totals.breakdown.taxable')],
  ['BR-46', drop('tax_totals.breakdown.amount')],
  ['BR-47', drop('tax_totals.breakdown.category')],
  ['BR-48', drop('tax_totals.breakdown.rate')],
  ['BR-CO-17', set('tax_totals.breakdown.amount', '20.00')],
  ['UBL-DT-01', set('totals.due', '100.500')],
];

/** Allowance and charge of the document, then of the line. */
const reasons: readonly (readonly [string, string, number])[] = [
  ['BR-33', 'allowances_charges', 0],
  ['BR-CO-21', 'allowances_charges', 0],
  ['BR-38', 'allowances_charges', 1],
  ['BR-CO-22', 'allowances_charges', 1],
  ['BR-42', 'lines.allowances_charges', 0],
  ['BR-CO-23', 'lines.allowances_charges', 0],
  ['BR-44', 'lines.allowances_charges', 1],
  ['BR-CO-24', 'lines.allowances_charges', 1],
];

const allowances: readonly (readonly [string, string, number, Edit])[] = [
  ['BR-31', 'allowances_charges', 0, drop('amount')],
  ['BR-32', 'allowances_charges', 0, drop('tax')],
  ['BR-DEC-01', 'allowances_charges', 0, set('amount', '10.000')],
  ['BR-DEC-02', 'allowances_charges', 0, set('base', '100.000')],
  ['UBL-SR-30', 'allowances_charges', 0, twice('reason')],
  ['BR-CL-19', 'allowances_charges', 0, set('reason_code', 'FC')],
  ['BR-36', 'allowances_charges', 1, drop('amount')],
  ['BR-37', 'allowances_charges', 1, drop('tax')],
  ['BR-DEC-05', 'allowances_charges', 1, set('amount', '20.000')],
  ['BR-DEC-06', 'allowances_charges', 1, set('base', '100.000')],
  ['UBL-SR-31', 'allowances_charges', 1, twice('reason')],
  ['BR-CL-20', 'allowances_charges', 1, set('reason_code', '95')],
  ['BR-41', 'lines.allowances_charges', 0, drop('amount')],
  ['BR-DEC-24', 'lines.allowances_charges', 0, set('amount', '5.000')],
  ['BR-DEC-25', 'lines.allowances_charges', 0, set('base', '100.000')],
  ['BR-43', 'lines.allowances_charges', 1, drop('amount')],
  ['BR-DEC-27', 'lines.allowances_charges', 1, set('amount', '15.000')],
  ['BR-DEC-28', 'lines.allowances_charges', 1, set('base', '100.000')],
];

const lines: readonly (readonly [string, Edit, Edit?])[] = [
  ['BR-21', dropText('lines.id')],
  ['BR-22', drop('lines.qty')],
  ['BR-23', attribute('lines.qty', 'unitCode')],
  ['BR-24', drop('lines.net')],
  ['BR-25', dropText('lines.name')],
  ['BR-26', drop('lines.unit_price')],
  // The authority's processor orders this one below zero.
  ['BR-27', set('lines.unit_price', '-0.00'), set('lines.unit_price', '0.00')],
  ['BR-27', set('lines.unit_price', '-10.00')],
  ['BR-28', set('lines.price_allowances.gross_price', '-0.00')],
  ['BR-28', set('lines.price_allowances.gross_price', '-12.00')],
  ['BR-CO-04', drop('lines.tax')],
  ['BR-DEC-23', set('lines.net', '110.000')],
  ['BR-54', drop('lines.attributes.value')],
  ['BR-65', attribute('lines.classifications.code', 'listID')],
  ['BR-64', attribute('lines.standard_id', 'schemeID')],
];

const codes: readonly (readonly [string, Edit, Edit?])[] = [
  ['BR-CL-01', set('type_code', '381')],
  ['BR-CL-03', attribute('totals.due', 'currencyID', 'EURO')],
  ['BR-CL-04', set('currency', 'EURO')],
  ['BR-CL-05', set('tax_currency', 'EURO')],
  ['BR-CL-06', add('period.code', '36'), add('period.code', '35')],
  ['BR-CL-07', attribute('documents.id', 'schemeID', 'AAAA')],
  ['BR-CL-10', attribute('buyer.identifiers.id', 'schemeID', 'SEPA')],
  ['BR-CL-11', attribute('seller.registration_id', 'schemeID', '9999')],
  ['BR-CL-13', attribute('lines.classifications.code', 'listID', 'ZZZZ')],
  ['BR-CL-14', set('seller.address.country', 'QQ')],
  ['BR-CL-15', set('lines.origin_country', 'QQ')],
  ['BR-CL-16', set('payment_means.code', '99')],
  ['BR-CL-17', set('tax_totals.breakdown.category', 'N')],
  ['BR-CL-18', set('lines.tax.category', 'N')],
  [
    'BR-CL-22',
    add('tax_totals.breakdown.exemption_code', 'VATEX-EU-X'),
    add('tax_totals.breakdown.exemption_code', 'vatex-eu-o'),
  ],
  ['BR-CL-21', attribute('lines.standard_id', 'schemeID', '9999')],
  ['BR-CL-23', attribute('lines.base_qty', 'unitCode', 'ZZZZ')],
  ['BR-CL-24', nth('documents', 1, attribute('attachment', 'mimeCode', 'text/html'))],
  ['BR-CL-25', attribute('seller.endpoint', 'schemeID', '9999')],
  ['BR-CL-26', attribute('delivery.location_id', 'schemeID', '9999')],
];

const registration = (who: string, scheme: string): Edit =>
  all(twice(`${who}.tax_registrations`), set(`${who}.tax_registrations.scheme`, scheme));

const syntax: readonly (readonly [string, Edit, Edit?])[] = [
  ['UBL-SR-01', twice('contract_document')],
  ['UBL-SR-02', twice('receipt_reference')],
  ['UBL-SR-03', twice('despatch_reference')],
  ['UBL-SR-04', twice('documents')],
  ['UBL-SR-05', twice('payment_terms')],
  ['UBL-SR-06', twice('preceding_invoices.invoice_reference')],
  ['UBL-SR-07', drop('preceding_invoices.number')],
  ['UBL-SR-08', twice('period')],
  ['UBL-SR-09', twice('seller.name')],
  ['UBL-SR-10', twice('seller.trading_name')],
  ['UBL-SR-11', twice('seller.registration_id')],
  ['UBL-SR-12', registration('seller', 'vat')],
  ['UBL-SR-13', all(registration('seller', 'TAX'), registration('seller', 'GST'))],
  ['UBL-SR-14', twice('seller.legal_form')],
  ['UBL-SR-15', twice('buyer.name')],
  ['UBL-SR-16', twice('buyer.identifiers')],
  ['UBL-SR-17', twice('buyer.registration_id')],
  ['UBL-SR-18', twice('buyer.tax_registrations')],
  ['UBL-SR-19', twice('payee.name')],
  ['UBL-SR-20', twice('payee.identifiers')],
  ['UBL-SR-21', twice('payee.registration_id')],
  ['UBL-SR-22', twice('tax_representative.name')],
  ['UBL-SR-23', twice('tax_representative.tax_registrations')],
  ['UBL-SR-24', twice('delivery')],
  ['UBL-SR-25', twice('delivery.party_name')],
  ['UBL-SR-26', twice('payment_means.remittance')],
  ['UBL-SR-27', twice('payment_means.code')],
  ['UBL-SR-28', twice('payment_means.mandate.id')],
  [
    'UBL-SR-29',
    all(
      attribute('seller.identifiers.id', 'schemeID', 'SEPA'),
      attribute('payee.identifiers.id', 'schemeID', 'sepa'),
    ),
  ],
  ['UBL-SR-32', all(exemption(), exemption())],
  ['UBL-SR-33', nth('documents', 1, twice('description'))],
  ['UBL-SR-34', twice('lines.note')],
  ['UBL-SR-35', twice('lines.order_lines')],
  ['UBL-SR-36', twice('lines.period')],
  ['UBL-SR-37', twice('lines.price_allowances')],
  ['UBL-SR-39', twice('project')],
  ['UBL-SR-40', twice('buyer.trading_name')],
  ['UBL-SR-42', all(twice('seller.tax_registrations'), twice('seller.tax_registrations'))],
  ['UBL-SR-43', set('documents.type_code', '50')],
  ['UBL-SR-44', all(twice('payment_means'), set('payment_means.remittance', 'INV-2'))],
  ['UBL-SR-45', all(element('cac:PaymentMeans/cbc:PaymentDueDate'), twiceDue())],
  ['UBL-SR-46', twice('payment_means')],
  ['UBL-SR-47', all(twice('payment_means'), set('payment_means.code', '49'))],
  ['UBL-SR-48', twice('lines.tax')],
  ['UBL-SR-49', all(add('period.code', '35'), add('period.code', '3'))],
  ['UBL-SR-50', twice('lines.description')],
  ['UBL-SR-51', twice('seller.address.address_line')],
  ['UBL-SR-52', twice('lines.documents')],
  ['UBL-SR-53', drop('buyer.tax_registrations.id')],
  ['UBL-SR-54', twice('payment_means.card')],
  ['UBL-SR-55', twice('payment_means.mandate')],
  ['UBL-SR-56', twice('originator_reference')],
  ['UBL-DT-06', nth('documents', 1, attribute('attachment', 'mimeCode'))],
  ['UBL-DT-07', nth('documents', 1, attribute('attachment', 'filename'))],
  ['UBL-CR-002', add('ubl_version', '2.0'), add('ubl_version', '2.1')],
  ['UBL-CR-412', element('cac:PaymentMeans/cbc:PaymentDueDate')],
  ['UBL-CR-665', nth('documents', 1, attribute('id', 'schemeID', 'AAA'))],
  ['UBL-CR-666', nth('documents', 1, add('type_code', '130'))],
  ['UBL-CR-673', nth('documents', 1, add('type_code', '130'))],
  ['UBL-DT-18', attribute('number', 'name', 'No')],
];

const attributes = {
  '08': 'schemeName',
  '09': 'schemeAgencyName',
  10: 'schemeDataURI',
  11: 'schemeURI',
  12: 'format',
  13: 'unitCodeListIdentifier',
  14: 'unitCodeListAgencyIdentifier',
  15: 'unitCodeListAgencyName',
  16: 'listAgencyName',
  17: 'listName',
  19: 'languageID',
  20: 'listURI',
  21: 'listSchemeURI',
  22: 'languageLocaleID',
  23: 'uri',
  24: 'currencyCodeListVersionID',
  25: 'characterSetCode',
  26: 'encodingCode',
  27: 'schemeAgencyID',
  28: 'listAgencyID',
};

function exemption(): Edit {
  return add('tax_totals.breakdown.exemption', 'Not taxed');
}

/** Adds an element at a path of names, bound or not; `@name` at the end is an attribute. */
function element(path: string): Edit {
  return (root) => {
    let at: Node | Unbound = root;
    for (const name of path.split('/')) {
      if (name.startsWith('@')) Object.assign(at, { attributes: { [name.slice(1)]: 'x' } });
      else at = below(at, name);
    }
  };
}

function below(parent: Node | Unbound, name: string): Node | Unbound {
  if (parent instanceof Node) {
    const shape = parent.shape.byElement.get(name);
    if (shape !== undefined) return firstOf(parent.members[shape.slot]) ?? new Node(shape, parent);
  }
  const siblings = parent instanceof Node ? parent.unbound : parent.children;
  const known = siblings?.find((each) => each.element === name);
  if (known !== undefined) return known;
  const made = { element: name, position: 1, attributes: undefined, text: '', children: [] };
  if (parent instanceof Node) keepUnbound(parent, made);
  else parent.children.push(made);
  return made;
}

function twiceDue(): Edit {
  return (root) => {
    const means = nodes(root, 'payment_means')[0]!;
    means.unbound!.push({ ...means.unbound![0]! });
  };
}

/** The places in which rules for any place are tested. */
const somewhere: Readonly<Record<string, string>> = {
  '*/cac:PartyTaxScheme/cbc:CompanyID': 'cac:AccountingSupplierParty/cac:Party',
  '*/cac:Country/cbc:IdentificationCode': 'cac:AccountingSupplierParty/cac:Party/cac:PostalAddress',
  '*/cbc:AllowanceChargeReasonCode': 'cac:AllowanceCharge',
  '*/cac:BuyersItemIdentification/cbc:ID': 'cac:InvoiceLine/cac:Item',
  '*/cac:SellersItemIdentification/cbc:ID': 'cac:InvoiceLine/cac:Item',
  '*/cac:Price/cac:AllowanceCharge': 'cac:InvoiceLine',
  '*/cbc:PrimaryAccountNumberID': 'cac:PaymentMeans/cac:CardAccount',
  '*/cac:CardAccount/cbc:NetworkID': 'cac:PaymentMeans',
  '*/cac:PaymentMandate/cbc:ID': 'cac:PaymentMeans',
  '*/cac:PaymentMandate/cac:PayerFinancialAccount/cbc:ID': 'cac:PaymentMeans',
  '*/cac:TaxCategory/cbc:ID': 'cac:TaxTotal/cac:TaxSubtotal',
  '*/cac:ClassifiedTaxCategory/cbc:ID': 'cac:InvoiceLine/cac:Item',
};

function unusedCases(): RuleCase[] {
  return Object.entries(unusedElements).flatMap(([path, names]) =>
    names.map(([number, name]) => {
      const start = path.replace(/^line/, 'cac:InvoiceLine');
      const from = path.startsWith('*')
        ? [somewhere[path], path.slice(2)].filter((each) => each !== undefined && each !== '')
        : [start];
      const full = [...from, name].filter((each) => each !== '').join('/');
      const isCreditNote = name === 'cbc:CreditNoteTypeCode' || path === 'cbc:CreditNoteTypeCode';
      return {
        id: `UBL-CR-${number}`,
        of: isCreditNote ? 'credit note' : 'invoice',
        wrong: element(full),
      };
    }),
  );
}

function categoryCases(): RuleCase[] {
  return vatCategories.flatMap(({ code, prefix, rate, exemptionReason }) => {
    const wrongRate = { zero: '5', positive: '0', 'not-negative': '-1', none: '0' }[rate];
    const rated = (path: string): Edit =>
      rate === 'none' ? add(`${path}rate`, wrongRate) : set(`${path}rate`, wrongRate);
    const unregistered: Edit =
      code === 'O'
        ? all(
            add('seller.tax_registrations.id', 'ATU11111111'),
            add('seller.tax_registrations.scheme', 'VAT'),
          )
        : drop('seller.tax_registrations');
    return casesOf(`category ${code}`, [
      [`BR-${prefix}-01`, drop('tax_totals.breakdown')],
      [`BR-${prefix}-02`, unregistered],
      [`BR-${prefix}-03`, unregistered],
      [`BR-${prefix}-04`, unregistered],
      [`BR-${prefix}-05`, rated('lines.tax.')],
      [`BR-${prefix}-06`, nth('allowances_charges', 0, rated('tax.'))],
      [`BR-${prefix}-07`, nth('allowances_charges', 1, rated('tax.'))],
      [`BR-${prefix}-08`, set('tax_totals.breakdown.taxable', '1.00')],
      [`BR-${prefix}-09`, set('tax_totals.breakdown.amount', '99.00')],
      [
        `BR-${prefix}-10`,
        exemptionReason === 'required' ? drop('tax_totals.breakdown.exemption') : exemption(),
      ],
    ]);
  });
}

/** A representative with two tax schemes, whose VAT registration cannot be evaluated. */
const isUnclear = all(
  add('tax_representative.tax_registrations.id', 'SE556036079301'),
  add('tax_representative.tax_registrations.scheme', 'VAT'),
  twice('tax_representative.tax_registrations.tax_scheme'),
);

const special: readonly RuleCase[] = [
  ...casesOf('category AE', [
    // The first party is enough.
    ['BR-AE-02', all(drop('seller.tax_registrations'), isUnclear), isUnclear],
  ]),
  ...casesOf('category G', [
    [
      'BR-G-03',
      all(
        drop('seller.tax_registrations'),
        isUnclear,
        nth('allowances_charges', 0, set('tax.scheme', 'GST')),
      ),
    ],
  ]),
  ...casesOf('category S', [
    ['BR-S-01', nth('allowances_charges', 1, twice('tax.category'))],
    [
      'BR-S-02',
      nth('lines', 0, twice('tax.category')),
      all(twice('lines'), nth('lines', 1, twice('tax.category'))),
    ],
  ]),
  ...casesOf('category K', [
    ['BR-IC-11', all(drop('delivery.date'), drop('period'))],
    ['BR-IC-12', drop('delivery.address.country')],
  ]),
  ...casesOf('category O', [
    ['BR-O-11', all(twice('tax_totals.breakdown'), set('tax_totals.breakdown.category', 'Z'))],
    ['BR-O-12', set('lines.tax.category', 'Z')],
    ['BR-O-13', nth('allowances_charges', 0, set('tax.category', 'Z'))],
    ['BR-O-14', nth('allowances_charges', 1, set('tax.category', 'Z'))],
  ]),
  ...casesOf('invoice', [
    ['BR-B-01', set('lines.tax.category', 'B')],
    ['BR-B-02', set('lines.tax.category', 'B')],
  ]),
];

ruleSuite('EN 16931', {
  sets: [en16931],
  lists: codeLists(written).billing,
  good: {
    invoice: () => document(),
    'credit note': () => creditNoteDocument(),
    ...Object.fromEntries(
      vatCategories.map(({ code }) => [`category ${code}`, () => documentOfCategory(code)]),
    ),
  },
  cases: [
    ...casesOf('invoice', [...documents, ...parties, ...amounts, ...lines, ...codes, ...syntax]),
    ...casesOf(
      'invoice',
      reasons.map(([id, path, index]) => [
        id,
        nth(path, index, all(drop('reason'), drop('reason_code'))),
      ]),
    ),
    ...casesOf(
      'invoice',
      allowances.map(([id, path, index, edit]) => [id, nth(path, index, edit)]),
    ),
    ...casesOf(
      'invoice',
      Object.entries(attributes).map(([number, name]) => [
        `UBL-DT-${number}`,
        attribute('number', name, 'x'),
      ]),
    ),
    ...unusedCases(),
    ...categoryCases(),
    ...special,
  ],
});
