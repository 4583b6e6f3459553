import {
  cents,
  countryOf,
  type Good,
  type SalesDocument,
  type SoldLine,
} from './enterprise-trade.ts';
import { hyphenKey } from './hex-keys.ts';
import type { Layout, LayoutTable } from './layout.ts';
import { at, tableOf } from './tables.ts';
import { longTradeOf } from './trade-over-years.ts';

const { documents, buyers, goods } = longTradeOf({
  home: 'MY',
  from: '2025-02-10',
  every: 3.2,
  seed: 20_849,
  documents: 152,
  currency: 'MYR',
  exchanges: { USD: 4.41, EUR: 4.78 },
  rates: { standard: 10, middle: 8, reduced: 5, zero: 0 },
  taxOf: 'line',
});
const key = (table: string) => (row: { readonly id: number }) => hyphenKey(`xero ${table}`, row.id);
const keyOf = (table: string, id: number | string) => hyphenKey(`xero ${table}`, id);
const synced = '2026-06-30 18:00:31.088';
const fivetran = { '_fivetran_synced timestamp': synced } as const;
const updated = (date: string) => at(date, '09:27:45.343');

const invoices = documents.filter(({ kind }) => kind === 'invoice');
const credits = documents.filter(({ kind }) => kind === 'credit');
const statusOf = ({ id, state, isPaid }: SalesDocument) => {
  if (state === 'draft') return id % 2 === 0 ? 'DRAFT' : 'SUBMITTED';
  if (state === 'cancelled') return id % 3 === 0 ? 'DELETED' : 'VOIDED';
  return isPaid ? 'PAID' : 'AUTHORISED';
};
const isOpen = (one: SalesDocument) => ['DRAFT', 'SUBMITTED', 'AUTHORISED'].includes(statusOf(one));
/** How much of the invoice's money one of the firm's is worth. */
const rateOf = ({ exchange }: SalesDocument) => Number((1 / exchange).toFixed(6));
const numberOf = ({ serial }: SalesDocument) => `INV-${String(serial).padStart(4, '0')}`;
const creditNumber = ({ serial }: SalesDocument) => `CN-${String(serial).padStart(4, '0')}`;
const amountTypes = ({ buyer, id }: SalesDocument) =>
  !buyer.isHome && id % 2 === 0 ? 'NoTax' : 'Exclusive';
const taxTypes: Readonly<Record<number, string>> = { 10: 'OUTPUT', 8: 'TAX001', 5: 'TAX002' };
const taxType = (one: SalesDocument, { rate }: Pick<SoldLine, 'rate'>) => {
  if (rate > 0) return taxTypes[rate]!;
  if (amountTypes(one) === 'NoTax') return 'NONE';
  return one.buyer.isHome ? 'NONE' : 'TAX003';
};
const soldFor = ({ rateClass }: Good) =>
  ({ standard: 'OUTPUT', middle: 'TAX001', reduced: 'TAX002', zero: 'NONE' })[rateClass];
const accountOf = ({ isService }: Good) => (isService ? '201' : '200');
const terms = ({ buyer }: SalesDocument) => (buyer.currency === 'MYR' ? 'LOCAL' : 'EXPORT');

/** Bills of suppliers stand among the invoices, those of a restaurant with tax in the prices. */
const suppliers = [
  { id: 501, name: 'Kilang Logam Klang Sdn Bhd', city: 'Klang', first: 'Hafiz', last: 'Rosli' },
  { id: 502, name: 'Tenaga Sewa Forklift', city: 'Shah Alam', first: 'Devi', last: 'Krishnan' },
  { id: 503, name: 'Nasi Kandar Utama', city: 'Penang', first: '', last: '' },
];
const bills = invoices.slice(0, 41).map((one) => {
  const supplier = suppliers[one.id % 3]!;
  const isInclusive = supplier.id === 503;
  const net = cents(one.lines[0]!.quantity * one.lines[0]!.good.cost);
  const tax = cents(net * 0.08);
  return { one, id: one.id, supplier, isInclusive, net, tax, gross: cents(net + tax) };
});
type Bill = (typeof bills)[number];

const invoiceRows = [
  ...invoices.map((one) => ({
    id: keyOf('invoice', one.id),
    contact: keyOf('contact', one.buyer.id),
    one,
    number: numberOf(one),
    reference: one.order ?? '',
    net: one.net,
    tax: one.tax,
    gross: one.gross,
    type: 'ACCREC',
    amountTypes: amountTypes(one),
    status: statusOf(one),
    currency: one.currency,
    rate: rateOf(one),
  })),
  ...bills.map((bill) => ({
    id: keyOf('bill', bill.id),
    contact: keyOf('contact', bill.supplier.id),
    one: bill.one,
    number: `${bill.supplier.id}/${2000 + bill.id * 3}`,
    reference: '',
    net: bill.net,
    tax: bill.tax,
    gross: bill.gross,
    type: 'ACCPAY',
    amountTypes: bill.isInclusive ? 'Inclusive' : 'Exclusive',
    status: bill.id % 4 === 0 ? 'AUTHORISED' : 'PAID',
    currency: 'MYR',
    rate: 1,
  })),
].sort((one, other) => (one.id < other.id ? -1 : 1));
type InvoiceRow = (typeof invoiceRows)[number];
const paidAmount = ({ status, gross }: InvoiceRow) => (status === 'PAID' ? gross : 0);

const lineRows = [
  ...invoices.flatMap((one) =>
    one.lines.map((line) => ({
      id: keyOf('line', line.id),
      invoice: keyOf('invoice', one.id),
      text: `${line.good.name}\n${line.good.text}`,
      code: line.id % 11 === 5 ? null : line.good.code,
      account: accountOf(line.good),
      quantity: line.quantity,
      price: line.price,
      discount: line.discount === 0 ? null : line.discount,
      amount: line.net,
      tax: line.tax,
      taxType: taxType(one, line),
    })),
  ),
  ...bills.map((bill) => ({
    id: keyOf('bill line', bill.id),
    invoice: keyOf('bill', bill.id),
    text: bill.isInclusive ? 'Staff lunch' : bill.one.lines[0]!.good.name,
    code: null,
    account: bill.isInclusive ? '420' : '310',
    quantity: 1,
    price: bill.isInclusive ? bill.gross : bill.net,
    discount: null,
    amount: bill.isInclusive ? bill.gross : bill.net,
    tax: bill.tax,
    taxType: 'INPUT',
  })),
].sort((one, other) => (one.id < other.id ? -1 : 1));

const documentsOfSale: Readonly<Record<string, LayoutTable>> = {
  invoice: tableOf(invoiceRows, {
    '*invoice_id varchar(256)': ({ id }) => id,
    'contact_id varchar(256)': ({ contact }) => contact,
    'date date': ({ one }) => one.date,
    'updated_date_utc timestamp': ({ one }) => updated(one.date),
    'planned_payment_date date': ({ type, one }) =>
      type === 'ACCPAY' && one.id % 5 === 0 ? one.due : null,
    'due_date date': ({ one }) => one.due,
    'expected_payment_date date': ({ type, one }) =>
      type === 'ACCREC' && one.id % 9 === 0 ? one.due : null,
    'fully_paid_on_date date': ({ status, one }) => (status === 'PAID' ? one.due : null),
    ...fivetran,
    'amount_credited double precision': 0,
    'amount_due double precision': (row) =>
      ['VOIDED', 'DELETED'].includes(row.status) ? 0 : cents(row.gross - paidAmount(row)),
    'amount_paid double precision': paidAmount,
    'sub_total double precision': ({ net }) => net,
    'total double precision': ({ gross }) => gross,
    'total_tax double precision': ({ tax }) => tax,
    'currency_code varchar(256)': ({ currency }) => currency,
    'currency_rate double precision': ({ rate }) => rate,
    'has_attachments boolean': ({ type }) => (type === 'ACCPAY' ? 1 : 0),
    'has_errors boolean': 0,
    'invoice_number varchar(256)': ({ number }) => number,
    'is_discounted boolean': ({ type, one }) =>
      type === 'ACCREC' && one.lines.some(({ discount }) => discount > 0) ? 1 : 0,
    'line_amount_types varchar(256)': (row) => row.amountTypes,
    'reference varchar(256)': ({ reference }) => reference,
    'sent_to_contact boolean': ({ type, status }) =>
      type === 'ACCREC' && ['AUTHORISED', 'PAID'].includes(status) ? 1 : null,
    'status varchar(256)': ({ status }) => status,
    'type varchar(256)': ({ type }) => type,
    'url varchar(256)': null,
    'branding_theme_id varchar(256)': ({ type, one }) =>
      type === 'ACCREC' ? keyOf('theme', terms(one) === 'LOCAL' ? 1 : 2) : null,
  }),
  invoice_line_item: tableOf(lineRows, {
    ...fivetran,
    'account_code varchar(256)': ({ account }) => account,
    'description varchar(4000)': ({ text }) => text,
    'discount_entered_as_percent boolean': ({ discount }) => (discount === null ? null : 1),
    'discount_rate double precision': ({ discount }) => discount,
    'invoice_id varchar(256)': ({ invoice }) => invoice,
    'item_code varchar(256)': ({ code }) => code,
    'line_amount double precision': ({ amount }) => amount,
    '*line_item_id varchar(256)': ({ id }) => id,
    'quantity double precision': ({ quantity }) => quantity,
    'tax_amount double precision': ({ tax }) => tax,
    'tax_type varchar(256)': (row) => row.taxType,
    'unit_amount double precision': ({ price }) => price,
    'validation_errors varchar(256)': null,
  }),
  invoice_line_item_has_tracking_category: tableOf(lineRows.slice(0, 60), {
    '*invoice_id varchar(256)': ({ invoice }) => invoice,
    '*line_item_id varchar(256)': ({ id }) => id,
    '*tracking_category_id varchar(256)': keyOf('tracking', 1),
    'option varchar(256)': (_row, index) => ['North', 'South', 'East Malaysia'][index % 3]!,
    ...fivetran,
  }),
  credit_note: tableOf(credits, {
    ...fivetran,
    'applied_amount double precision': ({ isPaid, gross }) => (isPaid ? gross : 0),
    'branding_theme_id varchar(256)': (one) => keyOf('theme', terms(one) === 'LOCAL' ? 1 : 2),
    'contact_id varchar(256)': ({ buyer }) => keyOf('contact', buyer.id),
    '*credit_note_id varchar(256)': key('credit'),
    'credit_note_number varchar(256)': creditNumber,
    'currency_code varchar(256)': ({ currency }) => currency,
    'currency_rate double precision': rateOf,
    'date date': ({ date }) => date,
    'due_date date': ({ due }) => due,
    'fully_paid_on_date date': ({ isPaid, due }) => (isPaid ? due : null),
    'has_attachments boolean': 0,
    'line_amount_types varchar(256)': amountTypes,
    'reference varchar(256)': ({ id }) => `Return ${id}`,
    'remaining_credit double precision': (one) => (isOpen(one) ? one.gross : 0),
    'sent_to_contact boolean': 1,
    'status varchar(256)': statusOf,
    'sub_total double precision': ({ net }) => net,
    'total double precision': ({ gross }) => gross,
    'total_tax double precision': ({ tax }) => tax,
    'type varchar(256)': 'ACCRECCREDIT',
    'updated_date_utc timestamp': ({ date }) => updated(date),
  }),
  credit_note_line_item: tableOf(
    credits.flatMap((one) => one.lines.map((line) => ({ one, line }))),
    {
      ...fivetran,
      'account_code varchar(256)': ({ line }) => accountOf(line.good),
      'credit_note_id varchar(256)': ({ one }) => keyOf('credit', one.id),
      'description varchar(4000)': ({ line }) => line.good.name,
      'discount_entered_as_percent boolean': null,
      'discount_rate double precision': ({ line }) => line.discount || null,
      'item_code varchar(256)': ({ line }) => line.good.code,
      'line_amount double precision': ({ line }) => line.net,
      '*line_item_id varchar(256)': ({ line }) => keyOf('line', line.id),
      'quantity double precision': ({ line }) => line.quantity,
      'tax_amount double precision': ({ line }) => line.tax,
      'tax_type varchar(256)': ({ one, line }) => taxType(one, line),
      'unit_amount double precision': ({ line }) => line.price,
    },
  ),
  credit_note_allocation: tableOf(
    credits.filter(({ isPaid }) => isPaid),
    {
      '*credit_note_id varchar(256)': key('credit'),
      '*invoice_id varchar(256)': ({ id }) => keyOf('invoice', id - 3),
      'amount double precision': ({ gross }) => gross,
      'date date': ({ due }) => due,
      ...fivetran,
    },
  ),
  payment: tableOf(
    invoiceRows.filter(({ status }) => status === 'PAID'),
    {
      ...fivetran,
      'account_id varchar(256)': keyOf('account', '090'),
      'amount double precision': ({ gross }) => gross,
      'bank_amount double precision': ({ gross, rate }) => cents(gross / rate),
      'batch_payment_id varchar(256), credit_note_id varchar(256)': null,
      'currency_rate double precision': ({ rate }) => rate,
      'date date': ({ one }) => one.due,
      'expense_claim_id varchar(256)': null,
      'has_account boolean': 1,
      'has_validation_errors boolean': 0,
      'invoice_id varchar(256)': ({ id }) => id,
      'is_reconciled boolean': 1,
      'overpayment_id varchar(256)': null,
      '*payment_id varchar(256)': ({ id }) => keyOf('payment', id),
      'payment_type varchar(256)': ({ type }) => `${type}PAYMENT`,
      'prepayment_id varchar(256)': null,
      'reference varchar(256)': ({ number }) => number,
      'status varchar(256)': 'AUTHORISED',
      'updated_date_utc timestamp': ({ one }) => updated(one.due),
    },
  ),
};

const contacts = [
  ...buyers.map((buyer) => ({ ...buyer, isSupplier: false })),
  ...suppliers.map((supplier) => ({
    ...buyers[0]!,
    ...supplier,
    isSupplier: true,
    taxNumber: null,
    register: null,
    street: 'Lot 5, Jalan Kapar',
    street2: null,
    zip: '41400',
    region: 'SGR',
    country: 'MY',
    phone: null,
    email: null,
  })),
];
type Contact = (typeof contacts)[number];
/** Where the mail goes, and for some where the goods go. */
const addressRows = contacts.flatMap((contact) => [
  { contact, type: 'POBOX', isEmpty: false },
  { contact, type: 'STREET', isEmpty: contact.id % 4 !== 0 },
]);
type AddressRow = (typeof addressRows)[number];
const filled =
  (content: (contact: Contact) => string | null) =>
  ({ contact, isEmpty }: AddressRow) =>
    isEmpty ? null : content(contact);
const relations: Readonly<Record<string, LayoutTable>> = {
  contact: tableOf(contacts, {
    '_fivetran_deleted boolean': 0,
    ...fivetran,
    'account_number varchar(256)': ({ id }) => (id % 2 === 0 ? `3000/${id}` : null),
    'accounts_payable_tax_type varchar(256), accounts_receivable_tax_type varchar(256)': null,
    'balances_accounts_payable_outstanding double precision': 0,
    'balances_accounts_payable_overdue double precision': 0,
    'balances_accounts_receivable_outstanding double precision': ({ id }) => id * 113,
    'balances_accounts_receivable_overdue double precision': 0,
    'bank_account_details varchar(256)': null,
    'batch_payments_bank_account_name varchar(256)': null,
    'batch_payments_bank_account_number varchar(256), batch_payments_code varchar(256)': null,
    'batch_payments_details varchar(256), batch_payments_reference varchar(256)': null,
    'branding_theme_id varchar(256)': null,
    '*contact_id varchar(256)': key('contact'),
    'contact_number varchar(256)': null,
    'contact_status varchar(256)': ({ id }) => (id === 17 ? 'ARCHIVED' : 'ACTIVE'),
    'default_currency varchar(256)': ({ currency }) => currency,
    'discount double precision': null,
    'email_address varchar(256)': ({ email }) => email ?? '',
    'first_name varchar(256)': ({ first }) => first,
    'has_attachments boolean, has_validation_errors boolean': 0,
    'is_customer boolean': ({ isSupplier }) => (isSupplier ? 0 : 1),
    'is_supplier boolean': ({ isSupplier }) => (isSupplier ? 1 : 0),
    'last_name varchar(256)': ({ last }) => last,
    'name varchar(256)': ({ name }) => name,
    'purchases_default_account_code varchar(256), sales_default_account_code varchar(256)': null,
    'skype_user_name varchar(256)': null,
    'tax_number varchar(256)': ({ taxNumber }) => taxNumber,
    'company_number varchar(256)': ({ register, country }) => (country === 'MY' ? register : null),
    'updated_date_utc timestamp': updated('2025-01-14'),
    'website varchar(256), xero_network_key varchar(256)': null,
  }),
  contact_address: tableOf(addressRows, {
    '*contact_id varchar(256)': ({ contact }) => keyOf('contact', contact.id),
    '*address_type varchar(256)': ({ type }) => type,
    'address_line_1 varchar(500)': filled(({ street }) => street),
    'address_line_2 varchar(500)': filled(({ street2 }) => street2),
    'address_line_3 varchar(500), address_line_4 varchar(500)': null,
    'attention_to varchar(256)': filled(({ id, first, last }) =>
      id % 5 === 0 ? `${first} ${last}` : null,
    ),
    'city varchar(256)': filled(({ city }) => city),
    'country varchar(256)': filled(({ country }) => countryOf(country).name),
    'postal_code varchar(256)': filled(({ zip }) => zip),
    'region varchar(256)': filled(({ region }) => region),
    ...fivetran,
  }),
  contact_phone: tableOf(
    contacts.flatMap((contact) =>
      ['DEFAULT', 'DDI', 'MOBILE', 'FAX'].map((type) => ({ contact, type })),
    ),
    {
      '*contact_id varchar(256)': ({ contact }) => keyOf('contact', contact.id),
      '*phone_type varchar(256)': ({ type }) => type,
      'phone_area_code varchar(256), phone_country_code varchar(256)': null,
      'phone_number varchar(256)': ({ contact, type }) =>
        type === 'DEFAULT' ? contact.phone : null,
      ...fivetran,
    },
  ),
  contact_person: tableOf(
    contacts.filter(({ id }) => id % 6 === 1),
    {
      '*contact_id varchar(256)': key('contact'),
      '*index integer': 0,
      'email_address varchar(256)': ({ id }) => `accounts${id}@firm.example`,
      'first_name varchar(256)': 'Accounts',
      'include_in_emails boolean': 1,
      'last_name varchar(256)': 'Payable',
      ...fivetran,
    },
  ),
  contact_group: {
    columns: '*contact_group_id varchar(256), name varchar(256), status varchar(256)',
    rows: [
      [keyOf('group', 1), 'Contractors', 'ACTIVE'],
      [keyOf('group', 2), 'Exports', 'ACTIVE'],
    ],
  },
  contact_group_member: tableOf(contacts, {
    '*contact_group_id varchar(256)': ({ country }) => keyOf('group', country === 'MY' ? 1 : 2),
    '*contact_id varchar(256)': key('contact'),
    ...fivetran,
  }),
  organization: tableOf([1], {
    ...fivetran,
    'apikey varchar(256)': null,
    'base_currency varchar(256)': 'MYR',
    'class varchar(256)': 'PREMIUM',
    'country_code varchar(256)': 'MY',
    'created_date_utc timestamp': at('2021-04-02', '03:11:02'),
    'default_purchases_tax varchar(256), default_sales_tax varchar(256)': 'Tax Exclusive',
    'edition varchar(256)': 'BUSINESS',
    'employer_identification_number varchar(256)': null,
    'end_of_year_lock_date date': '2024-12-31',
    'financial_year_end_day integer': 31,
    'financial_year_end_month integer': 12,
    'is_demo_company boolean': 0,
    'legal_name varchar(256)': 'Selat Pam & Injap Sdn Bhd',
    'line_of_business varchar(256)': 'Pumps and valves',
    'name varchar(256)': 'Selat Pumps',
    'organisation_entity_type varchar(256)': 'COMPANY',
    '*organisation_id varchar(256)': keyOf('organisation', 1),
    'organisation_status varchar(256)': 'ACTIVE',
    'organisation_type varchar(256)': 'COMPANY',
    'pays_tax boolean': 1,
    'period_lock_date date': '2025-12-31',
    'registration_number varchar(256)': '202001018833',
    'sales_tax_basis varchar(256)': 'ACCRUALS',
    'sales_tax_period varchar(256)': 'TWOMONTHS',
    'short_code varchar(256)': '!x7kQp',
    'tax_number varchar(256)': 'B10-2008-32000411',
    'tax_number_name varchar(256)': 'SST No.',
    'timezone varchar(256)': 'SINGAPORESTANDARDTIME',
    'version varchar(256)': 'GLOBAL',
  }),
  organization_address: {
    columns:
      '*organisation_id varchar(256), *address_type varchar(256), address_line_1 varchar(500), address_line_2 varchar(500), address_line_3 varchar(500), address_line_4 varchar(500), attention_to varchar(256), city varchar(256), country varchar(256), postal_code varchar(256), region varchar(256)',
    rows: [
      [
        keyOf('organisation', 1),
        'STREET',
        '31 Jalan Dermaga 2',
        null,
        null,
        null,
        null,
        'Port Klang',
        'Malaysia',
        '42000',
        'SGR',
      ],
    ],
  },
  user: {
    columns:
      '*user_id varchar(256), email_address varchar(256), first_name varchar(256), global_user_id varchar(256), is_subscriber boolean, last_name varchar(256), organisation_role varchar(256), updated_date_utc timestamp',
    rows: [
      [
        keyOf('user', 1),
        'mei@selatpumps.example',
        'Mei',
        keyOf('global user', 1),
        1,
        'Chong',
        'FINANCIALADVISER',
        updated('2025-01-02'),
      ],
    ],
  },
};

interface Account {
  readonly code: string;
  readonly name: string;
  readonly type: string;
  readonly class: string;
  readonly tax: string;
}
const accounts: readonly Account[] = `090;Maybank current account;BANK;ASSET;NONE
200;Sales;REVENUE;REVENUE;OUTPUT
201;Service income;REVENUE;REVENUE;TAX001
310;Cost of Goods Sold;DIRECTCOSTS;EXPENSE;INPUT
420;Entertainment;EXPENSE;EXPENSE;INPUT
610;Accounts Receivable;CURRENT;ASSET;NONE
800;Accounts Payable;CURRLIAB;LIABILITY;NONE
820;Sales Tax;CURRLIAB;LIABILITY;NONE`
  .split('\n')
  .map((row) => {
    const [code = '', name = '', type = '', kind = '', tax = ''] = row.split(';');
    return { code, name, type, class: kind, tax };
  });
const accountKey = (code: string) => keyOf('account', code);
const accountIn = (code: string) => accounts.find((each) => each.code === code)!;
const system: Readonly<Record<string, string>> = { 610: 'DEBTORS', 800: 'CREDITORS', 820: 'GST' };
const taxRates = [
  ['OUTPUT', 'Sales Tax 10%', 10],
  ['TAX001', 'Service Tax 8%', 8],
  ['TAX002', 'Sales Tax 5%', 5],
  ['TAX003', 'Export (zero rated)', 0],
  ['NONE', 'Tax Exempt', 0],
  ['INPUT', 'Tax on Purchases', 8],
] as const;
const posted = invoices.filter(({ state }) => state === 'done');
const journalLines = posted.flatMap((one) => [
  { one, nth: 1, code: '610', net: one.gross, tax: 0 },
  { one, nth: 2, code: '200', net: -one.net, tax: -one.tax },
  { one, nth: 3, code: '820', net: -one.tax, tax: 0 },
]);
const spent = bills.filter(({ id }) => id % 4 === 1);
const lists: Readonly<Record<string, LayoutTable>> = {
  account: tableOf(accounts, {
    ...fivetran,
    '*account_id varchar(256)': ({ code }) => accountKey(code),
    'bank_account_number varchar(256)': ({ code }) => (code === '090' ? '514012678890' : null),
    'bank_account_type varchar(256)': ({ code }) => (code === '090' ? 'BANK' : ''),
    'class varchar(256)': (account) => account.class,
    'code varchar(256)': ({ code }) => code,
    'currency_code varchar(256)': ({ code }) => (code === '090' ? 'MYR' : null),
    'description varchar(4000)': null,
    'enable_payments_to_account boolean, has_attachments boolean': 0,
    'name varchar(256)': ({ name }) => name,
    'reporting_code varchar(256), reporting_code_name varchar(256)': null,
    'show_in_expense_claims boolean': 0,
    'status varchar(256)': 'ACTIVE',
    'system_account varchar(256)': ({ code }) => system[code] ?? null,
    'tax_type varchar(256)': ({ tax }) => tax,
    'type varchar(256)': ({ type }) => type,
    'updated_date_utc timestamp': updated('2025-01-02'),
  }),
  tax_rate: tableOf(taxRates, {
    '*tax_type varchar(256)': ([type]) => type,
    'can_apply_to_assets boolean, can_apply_to_equity boolean': 1,
    'can_apply_to_expenses boolean, can_apply_to_liabilities boolean': 1,
    'can_apply_to_revenue boolean': ([type]) => (type === 'INPUT' ? 0 : 1),
    'display_tax_rate double precision, effective_rate double precision': ([, , rate]) => rate,
    'name varchar(256)': ([, name]) => name,
    'report_tax_type varchar(256)': ([type]) => (type === 'INPUT' ? 'INPUT' : 'OUTPUT'),
    'status varchar(256)': 'ACTIVE',
    ...fivetran,
  }),
  tax_rate_component: tableOf(taxRates, {
    '*tax_type varchar(256)': ([type]) => type,
    '*name varchar(256)': ([, name]) => name,
    'is_compound boolean, is_non_recoverable boolean': 0,
    'rate double precision': ([, , rate]) => rate,
    ...fivetran,
  }),
  item: tableOf(goods, {
    '*item_id varchar(256)': key('item'),
    'code varchar(256)': ({ code }) => code,
    'description varchar(4000)': ({ name, text }) => `${name}\n${text}`,
    'inventory_asset_account_code varchar(256)': null,
    'is_purchased boolean': ({ isService }) => (isService ? 0 : 1),
    'is_sold boolean': 1,
    'is_tracked_as_inventory boolean': 0,
    'name varchar(256)': ({ name }) => name,
    'purchase_description varchar(4000)': ({ isService, name }) => (isService ? null : name),
    'purchase_details_account_code varchar(256)': '310',
    'purchase_details_cogs_account_code varchar(256)': null,
    'purchase_details_tax_type varchar(256)': 'INPUT',
    'purchase_details_unit_price double precision': ({ cost }) => cost,
    'quantity_on_hand double precision': null,
    'sales_details_account_code varchar(256)': accountOf,
    'sales_details_tax_type varchar(256)': soldFor,
    'sales_details_unit_price double precision': ({ price }) => price,
    'total_cost_pool double precision': null,
    'updated_date_utc timestamp': updated('2025-01-20'),
    ...fivetran,
  }),
  branding_theme: {
    columns:
      '*branding_theme_id varchar(256), created_date_utc timestamp, logo_url varchar(256), name varchar(256), sort_order integer, type varchar(256)',
    rows: [
      [keyOf('theme', 1), at('2021-04-02'), null, 'Standard', 0, 'INVOICE'],
      [keyOf('theme', 2), at('2022-01-18'), null, 'Exports', 1, 'INVOICE'],
    ],
  },
  tracking_category: {
    columns: '*tracking_category_id varchar(256), name varchar(256), status varchar(256)',
    rows: [[keyOf('tracking', 1), 'Region', 'ACTIVE']],
  },
  tracking_category_option: {
    columns:
      '*tracking_option_id varchar(256), name varchar(256), status varchar(256), tracking_category_id varchar(256)',
    rows: ['North', 'South', 'East Malaysia'].map((name, index) => [
      keyOf('option', index),
      name,
      'ACTIVE',
      keyOf('tracking', 1),
    ]),
  },
  journal: tableOf(posted, {
    '*journal_id varchar(256)': key('journal'),
    'created_date_utc timestamp': ({ date }) => updated(date),
    'journal_date date': ({ date }) => date,
    'journal_number integer': ({ id }) => 4000 + id,
    'reference varchar(256)': ({ order }) => order ?? '',
    'source_id varchar(256)': key('invoice'),
    'source_type varchar(256)': 'ACCREC',
    ...fivetran,
  }),
  journal_line: tableOf(journalLines, {
    '*journal_line_id varchar(256)': ({ one, nth }) => keyOf('journal line', `${one.id} ${nth}`),
    'journal_id varchar(256)': ({ one }) => keyOf('journal', one.id),
    'account_code varchar(256)': ({ code }) => code,
    'account_id varchar(256)': ({ code }) => accountKey(code),
    'account_name varchar(256)': ({ code }) => accountIn(code).name,
    'account_type varchar(256)': ({ code }) => accountIn(code).type,
    'description varchar(4000)': ({ one, nth }) => (nth === 2 ? one.lines[0]!.good.name : ''),
    'gross_amount double precision': ({ one, net, tax }) => cents((net + tax) * one.exchange),
    'net_amount double precision': ({ one, net }) => cents(net * one.exchange),
    'tax_amount double precision': ({ one, tax }) => cents(tax * one.exchange),
    'tax_name varchar(256)': ({ nth }) => (nth === 2 ? 'Sales Tax 10%' : null),
    'tax_type varchar(256)': ({ nth }) => (nth === 2 ? 'OUTPUT' : null),
    ...fivetran,
  }),
  bank_transaction: tableOf(spent, {
    ...fivetran,
    'bank_account_id varchar(256)': accountKey('090'),
    '*bank_transaction_id varchar(256)': key('bank'),
    'batch_payment_id varchar(256), batch_payment_date timestamp': null,
    'contact_id varchar(256)': ({ supplier }) => keyOf('contact', supplier.id),
    'currency_code varchar(256)': 'MYR',
    'currency_rate double precision': 1,
    'date date': ({ one }) => one.due,
    'external_link_provider_name varchar(256)': null,
    'has_attachments boolean': 0,
    'is_reconciled boolean': 1,
    'line_amount_types varchar(256)': 'Inclusive',
    'overpayment_id varchar(256), prepayment_id varchar(256)': null,
    'reference varchar(256)': 'Card',
    'status varchar(256)': 'AUTHORISED',
    'sub_total double precision': ({ net }) => net,
    'total double precision': ({ gross }) => gross,
    'total_tax double precision': ({ tax }) => tax,
    'type varchar(256)': 'SPEND',
    'updated_date_utc timestamp': ({ one }) => updated(one.due),
    'url varchar(256)': null,
  }),
  bank_transaction_line_item: tableOf(spent, {
    ...fivetran,
    '*line_item_id varchar(256)': key('bank line'),
    'bank_transaction_id varchar(256)': key('bank'),
    'account_code varchar(256)': '420',
    'description varchar(4000)': 'Parking',
    'item_code varchar(256)': null,
    'line_amount double precision, unit_amount double precision': ({ gross }) => gross,
    'quantity double precision': 1,
    'tax_amount double precision': ({ tax }) => tax,
    'tax_type varchar(256)': 'INPUT',
  }),
  purchase_order: tableOf(bills.slice(0, 18), {
    ...fivetran,
    'branding_theme_id varchar(256)': null,
    'type varchar(256)': 'PURCHASEORDER',
    'contact_id varchar(256)': ({ supplier }) => keyOf('contact', supplier.id),
    'currency_code varchar(256)': 'MYR',
    'currency_rate double precision': 1,
    'date date': ({ one }) => one.date,
    'delivery_date date': ({ one }) => one.due,
    '*purchase_order_id varchar(256)': key('purchase'),
    'purchase_order_number varchar(256)': ({ id }) => `PO-${String(id).padStart(4, '0')}`,
    'is_discounted boolean': 0,
    'reference varchar(256)': '',
    'status varchar(256)': 'BILLED',
    'sub_total double precision': ({ net }) => net,
    'total double precision': ({ gross }) => gross,
    'total_tax double precision': ({ tax }) => tax,
    'line_amount_types varchar(256)': 'Exclusive',
    'delivery_address varchar(500)': '31 Jalan Dermaga 2\nPort Klang 42000',
    'attention_to varchar(256)': 'Mei Chong',
    'telephone varchar(256)': '+60 3-3168 2040',
    'delivery_instructions varchar(4000)': null,
    'updated_date_utc timestamp': ({ one }) => updated(one.date),
  }),
  purchase_order_line_item: tableOf(bills.slice(0, 18), {
    ...fivetran,
    '*line_item_id varchar(256)': key('purchase line'),
    'purchase_order_id varchar(256)': key('purchase'),
    'account_code varchar(256)': '310',
    'description varchar(4000)': ({ one }) => one.lines[0]!.good.name,
    'discount_rate double precision': null,
    'item_code varchar(256)': ({ one }) => one.lines[0]!.good.code,
    'line_amount double precision, unit_amount double precision': ({ net }: Bill) => net,
    'quantity double precision': 1,
    'tax_amount double precision': ({ tax }) => tax,
    'tax_type varchar(256)': 'INPUT',
  }),
};

/**
 * Xero, copied by Fivetran, at a firm in Malaysia: invoices of customers and bills of suppliers stand in one table, told apart by
 * their type, drafts and void ones by a status; the rate of a line is found by its type of tax, prices with tax in them are told
 * by the kind of amounts (only bills have them here); a rate of exchange is what one of the firm's money is worth in the other;
 * a contact has addresses of two kinds, one of them mostly empty; lines have no place and no unit. No foreign key is declared.
 * Names of most tables after packages that Fivetran published; those of tax rates, items, addresses, phones, persons, users and
 * of the firm's address from memory of the interface.
 */
export const receivableTypes: Layout = {
  name: 'receivable-types',
  isHeldOut: true,
  hasDiscounts: true,
  tables: { ...lists, ...relations, ...documentsOfSale },
  sections: {
    header: {
      table: 'invoice',
      key: 'invoice_id',
      match: 'invoice_number',
      where: { type: 'ACCREC' },
    },
    lines: {
      table: 'invoice_line_item',
      key: 'line_item_id',
      match: 'invoice_id',
      matchFrom: 'invoice_id',
    },
    customer: {
      table: 'contact',
      key: 'contact_id',
      match: 'contact_id',
      matchFrom: 'contact_id',
    },
  },
  // Two states are final (AUTHORISED, PAID), which one value in a filter cannot say.
  fields: {
    number: 'invoice.invoice_number',
    issue_date: 'invoice.date|journal.journal_date',
    due_date: 'invoice.due_date',
    currency: 'invoice.currency_code',
    'exchange_rate.rate': 'invoice.currency_rate!divide|payment.currency_rate!divide',
    purchase_order: 'invoice.reference|journal.reference',
    buyer_reference: 'invoice.reference|journal.reference',
    'totals.lines': 'invoice.sub_total',
    'totals.net': 'invoice.sub_total',
    'totals.tax': 'invoice.total_tax',
    'totals.gross': 'invoice.total',
    'totals.due': 'invoice.total|invoice.amount_due',
    'totals.prepaid': 'invoice.amount_paid',
    'payment_means[].account.id': 'account.bank_account_number',
    'seller.name': 'organization.legal_name|organization.name',
    'seller.trn': 'organization.tax_number',
    'seller.registration_id': 'organization.registration_number',
    'seller.address.line1': 'organization_address.address_line_1',
    'seller.address.city': 'organization_address.city',
    'seller.address.post_code': 'organization_address.postal_code',
    'seller.address.subdivision': 'organization_address.region',
    'seller.address.country': 'organization.country_code|organization_address.country!map',
    'seller.industry_name': 'organization.line_of_business',
    'seller.contact.name': 'user.first_name!concat|user.last_name!concat',
    'seller.contact.email': 'user.email_address',
    'buyer.name': 'contact.name',
    'buyer.trn': 'contact.tax_number',
    'PINT-MY:buyer.identifiers[].id': 'contact.tax_number|contact.company_number',
    'buyer.registration_id': 'contact.company_number',
    'buyer.address.line1': 'contact_address.address_line_1',
    'buyer.address.line2': 'contact_address.address_line_2',
    'buyer.address.city': 'contact_address.city',
    'buyer.address.post_code': 'contact_address.postal_code',
    'buyer.address.subdivision': 'contact_address.region',
    'buyer.address.country': 'contact_address.country!map',
    'buyer.contact.name': 'contact.first_name!concat|contact.last_name!concat',
    'buyer.contact.phone': 'contact_phone.phone_number',
    'buyer.contact.email': 'contact.email_address',
    'lines[].id': 'invoice_line_item.line_item_id',
    'lines[].sku': 'invoice_line_item.item_code|item.code',
    'lines[].name': 'invoice_line_item.description|item.name',
    'lines[].description': 'invoice_line_item.description|item.description|item.name',
    'lines[].qty': 'invoice_line_item.quantity',
    'lines[].unit_price': 'invoice_line_item.unit_amount',
    'lines[].gross_price': 'invoice_line_item.unit_amount',
    'lines[].allowances[].percent': 'invoice_line_item.discount_rate',
    'lines[].net': 'invoice_line_item.line_amount',
    'lines[].accounting.tax_totals[].amount': 'invoice_line_item.tax_amount',
    'lines[].tax.rate':
      'tax_rate.effective_rate|tax_rate.display_tax_rate|tax_rate_component.rate|invoice_line_item.tax_type!map',
    'lines[].tax.category':
      'invoice_line_item.tax_type!map|tax_rate.tax_type!map|tax_rate.effective_rate!map|tax_rate.display_tax_rate!map|' +
      'tax_rate.name!map|tax_rate_component.rate!map|tax_rate_component.name!map|tax_rate_component.tax_type!map',
  },
};
