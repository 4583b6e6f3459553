import { hexKey } from './hex-keys.ts';
import type { Layout, LayoutTable } from './layout.ts';
import { at, tableOf } from './tables.ts';
import { byLine, customers, type Invoice, invoices } from './trade.ts';

const round = (value: number) => Math.round(value * 100) / 100;
const usDollarRate = 0.92;
const isCredit = ({ kind }: Invoice) => kind === 'credit';
const sign = (one: Invoice) => (isCredit(one) ? -1 : 1);
const isPosted = ({ isDraft }: Invoice) => !isDraft;
const ofCustomers = 2;
const ofVendors = 4;
const currencies = ['EUR', 'USD'];
const currencyKey = (code: string) => hexKey('commodities', code);
const invoiceKey = ({ id }: Invoice) => hexKey('invoices', id);
const customerKey = (id: number) => hexKey('customers', id);
const entryOf = (one: Invoice) => hexKey('transactions', one.id);
const receivable = (currency: string) => hexKey('accounts', `receivable ${currency}`);
const taxKey = (rate: number) => hexKey('taxtables', rate);
const terms = hexKey('billterms', 'Net 30');
const root = hexKey('accounts', 'root');
const vendor = hexKey('vendors', 1);
const bought = invoices.slice(0, 9);
const billKey = ({ id }: Invoice) => hexKey('bills', id);
const orders = ['000001', '000002', '000003'];

/** As it was typed: 12.5 is 125/10, 7.25 is 725/100. */
const denominator = (value: number) => 10 ** (String(value).split('.')[1]?.length ?? 0);
const numerator = (value: number) => Math.round(value * denominator(value));
/** What is measured was typed with decimals: 3.00 is 300/100. */
const places = (unit: string) => (unit === 'PCS' ? 1 : 100);
const taxPlaces = 100_000;

/** Nothing of a purchase stands in a sale. */
const noBill = {
  'b_acct text(32)': null,
  'b_price_num bigint': 0,
  'b_price_denom bigint': 1,
  'bill text(32)': null,
  'b_taxable integer': 1,
  'b_taxincluded integer': 0,
  'b_taxtable text(32)': null,
  'b_paytype integer': 1,
  'billable integer': 0,
  'billto_type integer, billto_guid text(32), order_guid text(32)': null,
} as const;

const sold = byLine(invoices, (one, line) => ({ one, line, isBought: false }));
const purchased = bought.map((one) => ({ one, line: one.lines[0]!, isBought: true }));

const entries = [...sold, ...purchased].map((each) => ({
  ...each,
  price: each.isBought ? round(each.line.price / 2) : each.line.price,
  quantity: (each.isBought ? 1 : sign(each.one)) * each.line.quantity,
}));

const vendors = {
  'addr_name text(1024)': 'Mill Supplies Ltd',
  'addr_addr1 text(1024)': 'Kai 4',
  'addr_addr2 text(1024)': '20457 Hamburg',
  'addr_addr3 text(1024), addr_addr4 text(1024)': '',
  'addr_phone text(128), addr_fax text(128)': '',
  'addr_email text(256)': 'sales@mill.example',
} as const;

interface Slot {
  readonly of: string;
  readonly name: string;
  readonly type: number;
  readonly integer?: number;
  readonly text?: string;
  readonly moment?: string;
  readonly key?: string;
  readonly day?: string;
}

const slotsOf = (one: Invoice): readonly Slot[] => {
  const frame = hexKey('slots', one.id);
  const entry = entryOf(one);
  return [
    { of: invoiceKey(one), name: 'credit-note', type: 1, integer: isCredit(one) ? 1 : 0 },
    ...(isPosted(one)
      ? [
          { of: entry, name: 'date-posted', type: 10, day: one.date.replaceAll('-', '') },
          { of: entry, name: 'trans-date-due', type: 6, moment: at(one.due, '10:59:00') },
          { of: entry, name: 'trans-read-only', type: 4, text: 'Generated from an invoice.' },
          { of: entry, name: 'trans-txn-type', type: 4, text: 'I' },
          { of: entry, name: 'gncInvoice', type: 9, key: frame },
          { of: frame, name: 'gncInvoice/invoice-guid', type: 5, key: invoiceKey(one) },
        ]
      : []),
  ];
};

const splits = invoices.filter(isPosted).flatMap((one) => [
  { one, part: 'gross', account: receivable(one.currency), amount: sign(one) * one.gross },
  { one, part: 'net', account: hexKey('accounts', 'sales'), amount: -sign(one) * one.net },
  { one, part: 'tax', account: hexKey('accounts', 'vat'), amount: -sign(one) * one.tax },
]);

const books: Readonly<Record<string, LayoutTable>> = {
  books: {
    columns: '*guid text(32), root_account_guid text(32), root_template_guid text(32)',
    rows: [[hexKey('books', 1), root, hexKey('accounts', 'template')]],
  },
  accounts: {
    columns:
      '*guid text(32), name text(2048), account_type text(2048), commodity_guid text(32), commodity_scu integer, ' +
      'non_std_scu integer, parent_guid text(32), code text(2048), description text(2048), hidden integer, placeholder integer',
    rows: [
      [root, 'Root Account', 'ROOT', null, 0, 0, null, '', '', 0, 0],
      ...currencies.map((code) => [
        receivable(code),
        `Accounts Receivable ${code}`,
        'RECEIVABLE',
        currencyKey(code),
        100,
        0,
        root,
        '1200',
        '',
        0,
        0,
      ]),
      ...[
        ['sales', 'Sales', 'INCOME'],
        ['vat', 'VAT', 'LIABILITY'],
        ['bank', 'Bank', 'BANK'],
        ['payable', 'Accounts Payable', 'PAYABLE'],
        ['purchases', 'Purchases', 'EXPENSE'],
      ].map(([key = '', name = '', type = '']) => [
        hexKey('accounts', key),
        name,
        type,
        currencyKey('EUR'),
        100,
        0,
        root,
        '',
        '',
        0,
        0,
      ]),
    ],
  },
  transactions: tableOf(invoices.filter(isPosted), {
    '*guid text(32)': entryOf,
    'currency_guid text(32)': ({ currency }) => currencyKey(currency),
    'num text(2048)': ({ number }) => number,
    'post_date text(19)': ({ date }) => at(date, '10:59:00'),
    'enter_date text(19)': ({ date }) => at(date),
    'description text(2048)': ({ customer }) => customer.name,
  }),
  splits: tableOf(splits, {
    '*guid text(32)': ({ one, part }) => hexKey(`splits ${part}`, one.id),
    'tx_guid text(32)': ({ one }) => entryOf(one),
    'account_guid text(32)': ({ account }) => account,
    'memo text(2048)': '',
    'action text(2048)': 'Invoice',
    'reconcile_state text(1)': 'n',
    'reconcile_date text(19)': null,
    'value_num bigint, quantity_num bigint': ({ amount }) => Math.round(amount * 100),
    'value_denom bigint, quantity_denom bigint': 100,
    'lot_guid text(32)': ({ one, part }) => (part === 'gross' ? hexKey('lots', one.id) : null),
  }),
  lots: tableOf(invoices.filter(isPosted), {
    '*guid text(32)': ({ id }) => hexKey('lots', id),
    'account_guid text(32)': ({ currency }) => receivable(currency),
    'is_closed integer': ({ id }) => (id % 3 === 0 ? 1 : 0),
  }),
  slots: tableOf(invoices.flatMap(slotsOf), {
    '*id integer': (_slot, index) => index + 1,
    'obj_guid text(32)': ({ of }) => of,
    'name text(4096)': ({ name }) => name,
    'slot_type integer': ({ type }) => type,
    'int64_val bigint': ({ integer }) => integer ?? 0,
    'string_val text(4096)': ({ text }) => text ?? null,
    'double_val float8': 0,
    'timespec_val text(19)': ({ moment }) => moment ?? '1970-01-01 00:00:00',
    'guid_val text(32)': ({ key }) => key ?? null,
    'numeric_val_num bigint': 0,
    'numeric_val_denom bigint': 1,
    'gdate_val text(8)': ({ day }) => day ?? null,
  }),
  prices: tableOf(
    [...new Set(invoices.filter(({ currency }) => currency === 'USD').map(({ date }) => date))],
    {
      '*guid text(32)': (date) => hexKey('prices', date),
      'commodity_guid text(32)': currencyKey('USD'),
      'currency_guid text(32)': currencyKey('EUR'),
      'date text(19)': (date) => at(date, '10:59:00'),
      'source text(2048)': 'user:price',
      'type text(2048)': 'last',
      'value_num bigint': numerator(usDollarRate),
      'value_denom bigint': denominator(usDollarRate),
    },
  ),
  vendors: tableOf([1], {
    '*guid text(32)': vendor,
    'name text(2048)': 'Mill Supplies Ltd',
    'id text(2048)': '000001',
    'notes text(2048)': '',
    'currency text(32)': currencyKey('EUR'),
    'active integer': 1,
    'tax_override integer': 0,
    ...vendors,
    'terms text(32)': terms,
    'tax_inc text(2048)': 'USEGLOBAL',
    'tax_table text(32)': null,
  }),
  employees: tableOf([1], {
    '*guid text(32)': hexKey('employees', 1),
    'username text(2048)': 'Lena Kurz',
    'id text(2048)': '000001',
    'language text(2048), acl text(2048)': '',
    'active integer': 1,
    'currency text(32)': currencyKey('EUR'),
    'ccard_guid text(32)': null,
    'workday_num bigint': 8,
    'workday_denom bigint': 1,
    'rate_num bigint': 40,
    'rate_denom bigint': 1,
    ...vendors,
  }),
  jobs: tableOf(customers.slice(0, 2), {
    '*guid text(32)': ({ id }) => hexKey('jobs', id),
    'id text(2048)': (_one, index) => `00000${index + 1}`,
    'name text(2048)': ({ city }) => `Pumps for ${city}`,
    'reference text(2048)': '',
    'active integer': 1,
    'owner_type integer': ofCustomers,
    'owner_guid text(32)': ({ id }) => customerKey(id),
  }),
  orders: tableOf(orders, {
    '*guid text(32)': (id) => hexKey('orders', id),
    'id text(2048)': (id) => id,
    'notes text(2048), reference text(2048)': '',
    'active integer': 1,
    'date_opened text(19), date_closed text(19)': '2025-11-03 10:59:00',
    'owner_type integer': ofCustomers,
    'owner_guid text(32)': (_id, index) => customerKey(customers[index]!.id),
  }),
  versions: {
    columns: '*table_name text(50), table_version integer',
    rows: [
      ['Gnucash', 3_000_000],
      ['customers', 2],
      ['entries', 4],
      ['invoices', 4],
      ['taxtables', 2],
      ['taxtable_entries', 3],
    ],
  },
  gnclock: { columns: 'Hostname text(255), PID integer', rows: [['desk', 4711]] },
};

/**
 * Each number is two columns, one over the other; invoices of customers, bills of vendors and vouchers in one table by the
 * kind of their owner, a price of sale and one of purchase in each line; the day that it is due stands in a table of values by
 * name, where credit notes are told as well; keys are 32 letters, and none is declared (GnuCash 3 in SQL).
 */
export const numerators: Layout = {
  name: 'numerators',
  isHeldOut: true,
  hasDiscounts: true,
  tables: {
    ...books,
    invoices: tableOf(
      [
        ...invoices.map((one) => ({ one, isBought: false })),
        ...bought.map((one) => ({ one, isBought: true })),
      ],
      {
        '*guid text(32)': ({ one, isBought }) => (isBought ? billKey(one) : invoiceKey(one)),
        'id text(2048)': ({ one, isBought }) => (isBought ? `MS-${one.id}` : one.number),
        'date_opened text(19)': ({ one }) => at(one.id % 4 === 0 ? '2026-01-02' : one.date),
        'date_posted text(19)': ({ one }) => (isPosted(one) ? at(one.date, '10:59:00') : null),
        'notes text(2048)': ({ one }) => (one.id % 6 === 0 ? 'Thank you for your order' : ''),
        'active integer': 1,
        'currency text(32)': ({ one }) => currencyKey(one.currency),
        'owner_type integer': ({ isBought }) => (isBought ? ofVendors : ofCustomers),
        'owner_guid text(32)': ({ one, isBought }) =>
          isBought ? vendor : customerKey(one.customer.id),
        'terms text(32)': terms,
        'billing_id text(2048)': ({ one }) => one.order,
        'post_txn text(32)': ({ one, isBought }) =>
          isPosted(one) && !isBought ? entryOf(one) : null,
        'post_lot text(32)': ({ one, isBought }) =>
          isPosted(one) && !isBought ? hexKey('lots', one.id) : null,
        'post_acc text(32)': ({ one, isBought }) =>
          isBought
            ? hexKey('accounts', 'payable')
            : isPosted(one)
              ? receivable(one.currency)
              : null,
        'billto_type integer': null,
        'billto_guid text(32)': null,
        'charge_amt_num bigint': 0,
        'charge_amt_denom bigint': 1,
      },
    ),
    entries: tableOf(entries, {
      '*guid text(32)': ({ line, isBought }) => hexKey(isBought ? 'b' : 'entries', line.id),
      'date text(19)': ({ one }) => at(one.date, '10:59:00'),
      'date_entered text(19)': ({ one }) => at(one.date),
      'description text(2048)': ({ line }) => line.item.name,
      'action text(2048)': ({ line }) => (line.item.unit === 'HR' ? 'Hours' : 'Material'),
      'notes text(2048)': '',
      'quantity_num bigint': ({ line, quantity }) => quantity * places(line.item.unit),
      'quantity_denom bigint': ({ line }) => places(line.item.unit),
      'i_acct text(32)': ({ isBought }) => (isBought ? null : hexKey('accounts', 'sales')),
      'i_price_num bigint': ({ price, isBought }) => (isBought ? 0 : numerator(price)),
      'i_price_denom bigint': ({ price, isBought }) => (isBought ? 1 : denominator(price)),
      'i_discount_num bigint': ({ line, isBought }) => (isBought ? 0 : line.discount),
      'i_discount_denom bigint': 1,
      'invoice text(32)': ({ one, isBought }) => (isBought ? null : invoiceKey(one)),
      'i_disc_type text(2048)': 'PERCENT',
      'i_disc_how text(2048)': 'PRETAX',
      'i_taxable integer': 1,
      'i_taxincluded integer': 0,
      'i_taxtable text(32)': ({ line, isBought }) => (isBought ? null : taxKey(line.item.rate)),
      ...noBill,
      'b_acct text(32)': ({ isBought }) => (isBought ? hexKey('accounts', 'purchases') : null),
      'b_price_num bigint': ({ price, isBought }) => (isBought ? numerator(price) : 0),
      'b_price_denom bigint': ({ price, isBought }) => (isBought ? denominator(price) : 1),
      'bill text(32)': ({ one, isBought }) => (isBought ? billKey(one) : null),
      'b_taxtable text(32)': ({ isBought }) => (isBought ? taxKey(20) : null),
    }),
    customers: tableOf(customers, {
      '*guid text(32)': ({ id }) => customerKey(id),
      'name text(2048)': ({ name }) => name,
      'id text(2048)': (_one, index) => String(index + 1).padStart(6, '0'),
      // There is no column for the number under which somebody is taxed.
      'notes text(2048)': ({ vat }) => vat,
      'active integer': 1,
      'discount_num bigint, credit_num bigint': 0,
      'discount_denom bigint, credit_denom bigint': 1,
      'currency text(32)': currencyKey('EUR'),
      'tax_override integer': 0,
      'addr_name text(1024)': ({ name }) => name,
      'addr_addr1 text(1024)': ({ street }) => street,
      'addr_addr2 text(1024)': ({ zip, city }) => `${zip} ${city}`,
      'addr_addr3 text(1024)': ({ country }) => country,
      'addr_addr4 text(1024)': '',
      'addr_phone text(128)': ({ phone }) => phone,
      'addr_fax text(128)': '',
      'addr_email text(256)': ({ email }) => email,
      'shipaddr_name text(1024), shipaddr_addr1 text(1024), shipaddr_addr2 text(1024)': '',
      'shipaddr_addr3 text(1024), shipaddr_addr4 text(1024), shipaddr_phone text(128)': '',
      'shipaddr_fax text(128), shipaddr_email text(256)': '',
      'terms text(32)': terms,
      'tax_included integer': 3,
      'taxtable text(32)': null,
    }),
    billterms: {
      columns:
        '*guid text(32), name text(2048), description text(2048), refcount integer, invisible integer, parent text(32), ' +
        'type text(2048), duedays integer, discountdays integer, discount_num bigint, discount_denom bigint, cutoff integer',
      rows: [
        [terms, 'Net 30', '30 days net', 57, 0, null, 'GNC_TERM_TYPE_DAYS', 30, 0, 0, 1, 0],
        [
          hexKey('billterms', 'At once'),
          'At once',
          'Due on receipt',
          0,
          0,
          null,
          'GNC_TERM_TYPE_DAYS',
          0,
          0,
          0,
          1,
          0,
        ],
      ],
    },
    taxtables: tableOf([20, 0], {
      '*guid text(32)': taxKey,
      'name text(50)': (rate) => (rate === 0 ? 'Zero rated' : `VAT ${rate}%`),
      'refcount bigint': 40,
      'invisible integer': 0,
      'parent text(32)': null,
    }),
    taxtable_entries: tableOf([20, 0], {
      '*id integer': (_rate, index) => index + 1,
      'taxtable text(32)': taxKey,
      'account text(32)': hexKey('accounts', 'vat'),
      'amount_num bigint': (rate) => rate * taxPlaces,
      'amount_denom bigint': taxPlaces,
      'type integer': 2,
    }),
    commodities: tableOf(currencies, {
      '*guid text(32)': currencyKey,
      'namespace text(2048)': 'CURRENCY',
      'mnemonic text(2048)': (code) => code,
      'fullname text(2048)': (code) => (code === 'EUR' ? 'Euro' : 'US Dollar'),
      'cusip text(2048)': (code) => (code === 'EUR' ? '978' : '840'),
      'fraction integer': 100,
      'quote_flag integer': 1,
      'quote_source text(2048)': 'currency',
      'quote_tz text(2048)': '',
    }),
  },
  // Of drafts and credit notes no column of the table tells anything by its value.
  sections: {
    header: { table: 'invoices', key: 'guid', match: 'id', where: { owner_type: '2' } },
    lines: { table: 'entries', key: 'guid', match: 'invoice', matchFrom: 'guid' },
    customer: { table: 'customers', key: 'guid', match: 'guid', matchFrom: 'owner_guid' },
  },
  fields: {
    number: 'invoices.id|transactions.num',
    issue_date: 'invoices.date_posted|transactions.post_date',
    due_date: 'slots.timespec_val',
    currency: 'commodities.mnemonic',
    'exchange_rate.rate': 'prices.value_num!divide',
    purchase_order: 'invoices.billing_id',
    buyer_reference: 'invoices.billing_id',
    'notes[]': 'invoices.notes',
    'payment_terms[].note': 'billterms.name|billterms.description',
    'buyer.name': 'customers.name|customers.addr_name|transactions.description',
    'buyer.trn': 'customers.notes',
    'buyer.address.line1': 'customers.addr_addr1',
    'buyer.address.city': 'customers.addr_addr2!split,substring',
    'buyer.address.post_code': 'customers.addr_addr2!split,substring',
    'buyer.address.country': 'customers.addr_addr3!map',
    'buyer.contact.phone': 'customers.addr_phone',
    'buyer.contact.email': 'customers.addr_email',
    'lines[].id': 'entries.guid',
    'lines[].name': 'entries.description',
    'lines[].description': 'entries.description',
    'lines[].qty': 'entries.quantity_num!divide',
    // What is done, and as near to a unit as there is.
    'lines[].unit': 'entries.action!map',
    'lines[].unit_price': 'entries.i_price_num!divide',
    'lines[].gross_price': 'entries.i_price_num!divide',
    // Over 1 in every line.
    'lines[].allowances[].percent': 'entries.i_discount_num',
    'lines[].tax.rate': 'taxtable_entries.amount_num!divide',
    'lines[].tax.category':
      'taxtable_entries.amount_num!map|taxtables.name!map|entries.i_taxtable!map|taxtable_entries.taxtable!map|taxtables.guid!map',
  },
};
