/** Approved mappings from the sample ERP's columns to the model, one for each country. */
import type { MappingRequest } from '@drawbridge/sdk/clients/einvoice.ts';

type Field = Omit<MappingRequest['mapping']['fields'][number], 'status'>;

/** How the agent reads the ERP: sections of a document and their tables. */
export const agentSections = {
  header: { table: 'OSALES', key: 'DOC_NO', match: 'DOC_NO' },
  company: { table: 'OCOMP', key: 'COMP_ID', match: 'COMP_ID', matchFrom: 'COMP_ID' },
  customer: { table: 'OCUST', key: 'CUST_NO', match: 'CUST_NO', matchFrom: 'CUST_NO' },
  lines: {
    table: 'OLINES',
    key: 'LINE_ID',
    match: 'DOC_ID',
    matchFrom: 'DOC_ID',
    orderBy: 'LINE_NO',
  },
  corrected: { table: 'OSALES', key: 'DOC_NO', match: 'DOC_NO', matchFrom: 'CORRECTS_NO' },
} as const;

const erpDate = { kind: 'date', format: 'YYYYMMDD' } as const;

function map(values: Readonly<Record<string, string>>) {
  return { kind: 'map', values } as const;
}

function from(
  section: string,
  targets: Readonly<
    Record<string, string | readonly [string, ...NonNullable<Field['transforms']>]>
  >,
): Field[] {
  return Object.entries(targets).map(([target, source]) => {
    const [column, ...transforms] = typeof source === 'string' ? [source] : source;
    return {
      target,
      from: { section, column },
      ...(transforms.length === 0 ? {} : { transforms }),
    };
  });
}

function address(party: string): Record<string, string> {
  return {
    [`${party}.address.line1`]: 'STREET',
    [`${party}.address.line2`]: 'STREET2',
    [`${party}.address.city`]: 'CITY',
    [`${party}.address.post_code`]: 'ZIP',
    [`${party}.address.country`]: 'CTRY',
    [`${party}.endpoint`]: 'EDI_ID',
    [`${party}.endpoint_scheme`]: 'EDI_SCHEME',
    [`${party}.contact.phone`]: 'PHONE',
    [`${party}.contact.email`]: 'EMAIL',
  };
}

const units = map({ PCS: 'H87', HRS: 'HUR', KGM: 'KGM', CRT: 'XCR' });

function lines(
  categories: Readonly<Record<string, string>>,
  rates: Readonly<Record<string, string>>,
) {
  return from('lines', {
    'lines[].sku': 'ITEM_NO',
    'lines[].name': 'ITEM_TEXT',
    'lines[].description': 'LONG_TEXT',
    'lines[].qty': 'QTY',
    'lines[].unit': ['UOM', units],
    'lines[].unit_price': 'PRICE',
    'lines[].tax.category': ['TAX_CODE', map(categories)],
    'lines[].tax.rate': ['TAX_CODE', map(rates)],
  });
}

const header = from('header', {
  number: 'DOC_NO',
  issue_date: ['DOC_DATE', erpDate],
  due_date: ['DUE_DATE', erpDate],
  type_code: ['DOC_KIND', map({ I: '380', C: '381' })],
  currency: 'CURR',
  purchase_order: 'CUST_PO',
  'payment_means[].code': ['PAY_METHOD', map({ TRANSFER: '30' })],
  'payment_terms[].note': 'PAY_TERMS',
  'preceding_invoices[].number': 'CORRECTS_NO',
  'preceding_invoices[].issue_date': ['CORRECTS_DATE', erpDate],
});

const account = from('company', { 'payment_means[].account.id': 'IBAN' });

const emirates: Field[] = [
  ...header,
  ...account,
  ...from('header', { 'credit_reasons[].code': ['REASON', map({ RETURN: 'DL8.61.1.C' })] }),
  ...from('company', {
    'seller.name': 'LEGAL_NAME',
    'seller.trn': 'TAX_NO',
    'seller.registration_id': 'REG_NO',
    'seller.registration_type': 'REG_TYPE',
    'seller.registration_authority': 'REG_AUTH',
    'seller.address.subdivision': 'STATE',
    ...address('seller'),
  }),
  ...from('customer', {
    'buyer.name': 'CUST_NAME',
    'buyer.trn': 'TAX_NO',
    'buyer.registration_id': 'REG_NO',
    'buyer.registration_type': 'REG_TYPE',
    'buyer.registration_authority': 'REG_AUTH',
    'buyer.address.subdivision': 'STATE',
    ...address('buyer'),
  }),
  ...lines({ 'AE-STD': 'S', 'AE-ZER': 'Z' }, { 'AE-STD': '5', 'AE-ZER': '0' }),
];

const malaysia: Field[] = [
  ...header,
  ...account,
  ...from('header', { issue_time: ['DOC_TIME', { kind: 'time', format: 'HHMMSS' }] }),
  ...from('corrected', { 'preceding_invoices[].uin': 'EINV_UIN' }),
  ...from('company', {
    'seller.name': 'LEGAL_NAME',
    'seller.tin': 'TIN',
    'seller.trn': 'TAX_NO',
    'seller.registration_id': 'REG_NO',
    'seller.industry_code': 'MSIC',
    'seller.industry_name': 'ACTIVITY',
    'seller.address.subdivision': 'STATE',
    ...address('seller'),
  }),
  ...from('customer', {
    'buyer.name': 'CUST_NAME',
    'buyer.trn': 'TIN',
    'buyer.registration_id': 'REG_NO',
    'buyer.address.subdivision': 'STATE',
    ...address('buyer'),
  }),
  ...lines({ 'MY-SA10': 'SA', 'MY-SE8': 'SE' }, { 'MY-SA10': '10', 'MY-SE8': '8' }),
  ...from('lines', { 'lines[].classifications[].code': 'CLASS_CODE' }),
];

const belgium: Field[] = [
  ...header,
  ...account,
  ...from('header', { buyer_reference: 'CUST_PO', 'totals.gross': 'GROSS_CONTROL' }),
  ...from('company', {
    'seller.name': 'LEGAL_NAME',
    'seller.trn': 'TAX_NO',
    'seller.registration_id': 'REG_NO',
    'seller.registration_scheme': 'REG_TYPE',
    ...address('seller'),
  }),
  ...from('customer', {
    'buyer.name': 'CUST_NAME',
    'buyer.trn': 'TAX_NO',
    'buyer.registration_id': 'REG_NO',
    'buyer.registration_scheme': 'REG_TYPE',
    ...address('buyer'),
  }),
  ...lines({ 'BE-21': 'S', 'BE-6': 'S' }, { 'BE-21': '21', 'BE-6': '6' }),
];

export const mappings = {
  'PINT-AE': { name: 'Sample ERP, Al Noor Trading (AE)', fields: emirates },
  'PINT-MY': { name: 'Sample ERP, Setia Jaya Supplies (MY)', fields: malaysia },
  'BIS-3.0': { name: 'Sample ERP, Brouwerij De Sluis (BE)', fields: belgium },
} as const;
