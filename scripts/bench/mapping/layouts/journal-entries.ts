import { iso3 } from './iso3.ts';
import type { Layout, LayoutTable } from './layout.ts';
import { at, tableOf } from './tables.ts';
import { bills, byLine, credits, customers, type Invoice, invoices, items } from './trade.ts';

type Line = Invoice['lines'][number];

const round = (value: number) => Math.round(value * 100) / 100;
const journals = {
  general: 2,
  purchaseOrder: 4,
  purchase: 6,
  quote: 9,
  order: 10,
  invoice: 12,
  credit: 13,
  receipt: 18,
};
const accounts = { receivable: '1100', stock: '1200', bank: '1020', payable: '2000', vat: '2300' };
const revenue = '4000';
const salesTax = (rate: number) => (rate === 0 ? 2 : 1);
const supplierId = 90;
const addressId = (id: number) => id + 500;
const supplier = {
  ...customers[0]!,
  id: supplierId,
  code: 'V-MILL',
  name: 'Mill Supplies Ltd',
  vat: 'GB811111111',
  street: '9 Mill Lane',
  city: 'Leeds',
  zip: 'LS1 4AP',
  state: 'YKS',
  countryCode: 'GB',
  country: 'United Kingdom',
  first: 'Ina',
  last: 'Mill',
};
const bought = bills.slice(0, 9);
const isPaid = ({ id }: Invoice) => id % 3 !== 0;
const paid = bills.filter(isPaid);

interface Entry {
  readonly one: Invoice;
  readonly id: number;
  readonly journal: number;
  readonly number: string;
  readonly of: string;
  readonly net: number;
  readonly tax: number;
  readonly gross: number;
  readonly isPurchase: boolean;
}

const orderIdOf = ({ id }: Invoice) => id - 3900;
const invoiceIdOf = ({ id }: Invoice) => id - 3600;
const costOf = ({ price }: Line) => round(price / 2);
const costs = (one: Invoice) => {
  const net = round(one.lines.reduce((sum, line) => sum + line.quantity * costOf(line), 0));
  const tax = round(
    one.lines.reduce((sum, line) => sum + (line.quantity * costOf(line) * line.item.rate) / 100, 0),
  );
  return { net, tax, gross: round(net + tax) };
};
const sold = { of: 'sos', isPurchase: false };
const entries: readonly Entry[] = [
  ...invoices.map((one) => ({
    ...sold,
    one,
    id: orderIdOf(one),
    journal: journals.order,
    number: `SO-${orderIdOf(one)}`,
    of: 'soo',
    net: one.net,
    tax: one.tax,
    gross: one.gross,
  })),
  ...[...bills, ...credits].map((one) => ({
    ...sold,
    one,
    id: invoiceIdOf(one),
    journal: one.kind === 'credit' ? journals.credit : journals.invoice,
    number: one.number,
    net: one.net,
    tax: one.tax,
    gross: one.gross,
  })),
  ...invoices.slice(2, 8).map((one, index) => ({
    ...sold,
    one,
    id: 600 + index,
    journal: journals.quote,
    number: `QU-${1001 + index}`,
    of: 'soo',
    net: one.net,
    tax: one.tax,
    gross: one.gross,
  })),
  ...bought.map((one, index) => ({
    one,
    id: 700 + index,
    journal: journals.purchaseOrder,
    number: `PO-${5001 + index}`,
    of: 'poo',
    isPurchase: true,
    ...costs(one),
  })),
  ...bought.map((one, index) => ({
    one,
    id: 720 + index,
    journal: journals.purchase,
    number: `MS-${one.id}`,
    of: 'por',
    isPurchase: true,
    ...costs(one),
  })),
  ...paid.map((one, index) => ({
    ...sold,
    one,
    id: 800 + index,
    journal: journals.receipt,
    number: `DP-${2001 + index}`,
    of: 'pmt',
    net: one.gross,
    tax: 0,
    gross: one.gross,
  })),
];

const descriptions: Readonly<Record<number, string>> = {
  [journals.order]: 'Sales Order Entry',
  [journals.invoice]: 'Sales/Invoice Entry',
  [journals.credit]: 'Customer Credit Memo Entry',
  [journals.quote]: 'Customer Quote Entry',
  [journals.purchaseOrder]: 'Purchase Order Entry',
  [journals.purchase]: 'Purchases Entry',
  [journals.receipt]: 'Customer Receipts Entry',
};
const partyOf = ({ one, isPurchase }: Entry) => (isPurchase ? supplier : one.customer);
const isClosed = ({ journal, one }: Entry) =>
  (journal === journals.order && !one.isDraft) ||
  journal === journals.purchaseOrder ||
  (journal === journals.invoice && isPaid(one));
const periodOf = (date: string) => Number(date.slice(5, 7));

interface Item {
  readonly entry: Entry;
  readonly type: string;
  readonly sku: string | null;
  readonly qty: number;
  readonly description: string;
  readonly debit: number;
  readonly credit: number;
  readonly account: string;
  readonly taxable: number;
  readonly price: number;
  readonly serial: string | null;
  readonly from: number | null;
}

/** What is sold stands on the side of credits; the entry's total on the other one. */
function itemsOf(entry: Entry): readonly Item[] {
  const { one, of, isPurchase, journal } = entry;
  const isDebit = isPurchase || journal === journals.credit;
  const side = (amount: number, debit: boolean) => ({
    debit: debit ? amount : 0,
    credit: debit ? 0 : amount,
  });
  const none = { sku: null, taxable: 0, price: 0, serial: null, from: null };
  const total = {
    ...none,
    ...side(entry.gross, !isDebit),
    entry,
    type: 'ttl',
    qty: 1,
    description: `${entry.number} - Total`,
    account: isPurchase ? accounts.payable : accounts.receivable,
  };
  if (journal === journals.receipt) {
    const receipt = {
      ...none,
      ...side(entry.gross, false),
      entry,
      type: 'pmt',
      qty: 1,
      description: 'Payment on invoice',
      account: accounts.receivable,
      serial: one.number,
      from: invoiceIdOf(one),
    };
    return [receipt, { ...total, account: accounts.bank }];
  }
  return [
    ...one.lines.map((line) => ({
      ...side(isPurchase ? round(line.quantity * costOf(line)) : line.net, isDebit),
      entry,
      type: of,
      sku: line.item.code,
      qty: line.quantity,
      description: line.item.name,
      account: isPurchase ? accounts.stock : revenue,
      taxable: salesTax(line.item.rate),
      price: isPurchase ? costOf(line) : line.price,
      serial: '',
      from: null,
    })),
    {
      ...none,
      ...side(entry.tax, isDebit),
      entry,
      type: 'tax',
      qty: 1,
      description: 'VAT 20%',
      account: accounts.vat,
    },
    total,
  ];
}

const journalItems = entries.flatMap(itemsOf);

const around: Readonly<Record<string, LayoutTable>> = {
  accounting_periods: {
    columns:
      '*period int, fiscal_year int, start_date date, end_date date, date_added date, last_update timestamp',
    rows: [1, 2, 3, 4].map((month) => [
      month,
      2026,
      `2026-0${month}-01`,
      `2026-0${month}-28`,
      '2025-12-01',
      '2025-12-01 09:00:00',
    ]),
  },
  accounts_history: tableOf(
    entries.filter(({ journal }) => journal === journals.invoice),
    {
      '*id int': (_one, index) => index + 1,
      'ref_id int': ({ id }) => id,
      'acct_id int': ({ one }) => one.customer.id,
      'amount double': ({ gross }) => gross,
      'journal_id int': journals.invoice,
      'purchase_invoice_id char(24)': ({ number }) => number,
      'so_po_ref_id int': ({ one }) => orderIdOf(one),
      'post_date datetime': ({ one }) => at(one.date, '00:00:00'),
    },
  ),
  audit_log: {
    columns:
      '*id int, action_date timestamp, user_id int, reference_id varchar(32), action varchar(64), amount float',
    rows: [
      [1, '2026-01-05 08:01:10', 1, '', 'User Login -> id: admin', 0],
      [2, '2026-01-05 10:41:07', 1, 'IV-26-0031', 'Sales/Invoices - Add', 270],
    ],
  },
  chart_of_accounts: {
    columns:
      '*id char(15), description char(64), heading_only text, primary_acct_id char(15), account_type tinyint, account_inactive text',
    rows: [
      [accounts.bank, 'Bank', '0', '', 0, '0'],
      [accounts.receivable, 'Accounts Receivable', '0', '', 2, '0'],
      [accounts.stock, 'Inventory', '0', '', 4, '0'],
      [accounts.payable, 'Accounts Payable', '0', '', 20, '0'],
      [accounts.vat, 'VAT Payable', '0', '', 22, '0'],
      [revenue, 'Sales Income', '0', '', 30, '0'],
      ['5000', 'Cost of Goods Sold', '0', '', 32, '0'],
    ],
  },
  chart_of_accounts_history: tableOf([accounts.receivable, revenue, accounts.vat], {
    '*id int': (_one, index) => index + 1,
    'period int': 1,
    'account_id char(15)': (account) => account,
    'beginning_balance double': 0,
    'debit_amount double': 4410.5,
    'credit_amount double': 120,
    'budget double': 0,
    'last_update date': '2026-02-18',
  }),
  chart_of_accounts_types: {
    columns: '*id tinyint, description varchar(30), asset text',
    rows: [
      [0, 'Cash', '1'],
      [2, 'Accounts Receivable', '1'],
      [4, 'Inventory', '1'],
      [20, 'Accounts Payable', '0'],
      [22, 'Other Current Liabilities', '0'],
      [30, 'Income', '0'],
      [32, 'Cost of Sales', '0'],
    ],
  },
  configuration: {
    columns:
      '*configuration_id int, configuration_title text, configuration_key varchar(255), configuration_value text, configuration_description text, ' +
      'configuration_group_id int, sort_order int, last_modified datetime, date_added datetime, use_function text, set_function text',
    rows: [
      ['COMPANY_NAME', 'Drawbridge Pumps'],
      ['COMPANY_ADDRESS1', '1 Dock Road'],
      ['COMPANY_CITY_TOWN', 'Hamburg'],
      ['COMPANY_POSTAL_CODE', '20457'],
      ['COMPANY_COUNTRY', 'DEU'],
      ['TAX_ID', 'DE123456824'],
      ['DEFAULT_CURRENCY', 'EUR'],
      ['AR_DEFAULT_GL_ACCT', accounts.receivable],
    ].map(([key = '', value = ''], index) => [
      index + 1,
      key,
      key,
      value,
      '',
      1,
      index,
      null,
      '2025-12-01 09:00:00',
      null,
      null,
    ]),
  },
  current_status: {
    columns:
      '*id int, next_po_num varchar(16), next_so_num varchar(16), next_inv_num varchar(16), next_check_num varchar(16), next_deposit_num varchar(16), ' +
      'next_shipment_num varchar(16), next_cm_num varchar(16), next_vcm_num varchar(16), next_ap_quote_num varchar(16), next_ar_quote_num varchar(16), ' +
      'next_cust_id_num varchar(16), next_vend_id_num varchar(16)',
    rows: [
      [
        1,
        'PO-5010',
        'SO-146',
        'IV-26-0076',
        '100',
        'DP-2030',
        '1',
        'CN-26-0076',
        'VCM1',
        'RFQ1',
        'QU-1007',
        'C10000',
        'V10000',
      ],
    ],
  },
  departments: {
    columns:
      '*id int, description_short varchar(30), description varchar(30), subdepartment text, primary_dept_id int, department_type tinyint, department_inactive text',
    rows: [[1, 'sales', 'Sales', '0', 0, 1, '0']],
  },
  import_export: {
    columns:
      '*id int, group_id char(3), custom text, security varchar(10), title varchar(32), description varchar(255), table_name varchar(32), ' +
      'primary_key_field varchar(32), params text, criteria text, options text',
    rows: [[1, 'ar', '0', '', 'Customers', 'Import customers', 'contacts', 'id', null, null, null]],
  },
  inventory_cogs_usage: tableOf(
    entries.filter(({ journal }) => journal === journals.invoice),
    {
      '*id int': (_one, index) => index + 1,
      'journal_main_id int': ({ id }) => id,
      'qty float': 2,
      'inventory_history_id int': (_one, index) => (index % 9) + 1,
    },
  ),
  inventory_history: tableOf(
    byLine(bought, (one, line) => ({ one, line })),
    {
      '*id int': (_one, index) => index + 1,
      'ref_id int': ({ one }) => 720 + bought.indexOf(one),
      'store_id int': 0,
      'journal_id int': journals.purchase,
      'sku varchar(24)': ({ line }) => line.item.code,
      'qty float': ({ line }) => line.quantity,
      'serialize_number varchar(24)': '',
      'remaining float': 1,
      'unit_cost float': ({ line }) => costOf(line),
      'post_date datetime': ({ one }) => at(one.date, '00:00:00'),
    },
  ),
  inventory_special_prices: {
    columns: '*id int, inventory_id int, price_sheet_id int, price_levels varchar(255)',
    rows: [[1, 11, 1, '250:1:0:0:0:0;240:5:1:4:0:0']],
  },
  price_sheets: {
    columns:
      '*id int, sheet_name varchar(32), inactive text, revision float, effective_date date, expiration_date date, default_sheet text, default_levels varchar(255)',
    rows: [[1, 'Default', '0', 0, '2025-01-01', null, '1', '0:1:0:0:0:0']],
  },
  project_version: {
    columns:
      '*project_version_id tinyint, project_version_key varchar(40), project_version_major varchar(20), project_version_minor varchar(20), ' +
      'project_version_comment varchar(250), project_version_date_applied datetime',
    rows: [[1, 'PhreeBooks Database', '2', '1', 'Installation', '2025-12-01 09:00:00']],
  },
  projects_costs: {
    columns:
      '*cost_id int, description_short varchar(16), description_long varchar(64), cost_type varchar(3), inactive text',
    rows: [[1, 'labour', 'Labour', 'LBR', '0']],
  },
  reconciliation: {
    columns:
      '*id int, period int, gl_account varchar(15), statement_balance double, cleared_items text',
    rows: [[1, 1, accounts.bank, 4120.3, 'a:2:{i:0;i:1;}']],
  },
  reports: {
    columns:
      '*id int, description varchar(30), narrative varchar(255), reporttype char(3), groupname varchar(9), standard_report text, special_report varchar(32), ' +
      'table1 varchar(25), table2 varchar(25), table2criteria varchar(75)',
    rows: [
      [1, 'Invoice', '', 'frm', 'cust:inv', '1', 'sales', 'journal_main', null, null],
      [
        2,
        'Item Sales',
        '',
        'rpt',
        'cust',
        '1',
        '0',
        'journal_main',
        'journal_item',
        'journal_main.id = journal_item.ref_id',
      ],
    ],
  },
  shipping_log: tableOf(bills.slice(0, 7), {
    '*id int': (_one, index) => index + 1,
    'shipment_id int': (_one, index) => index + 1,
    'ref_id varchar(16)': ({ number }) => number,
    'reconciled smallint': 0,
    'carrier varchar(16)': 'ups',
    'method varchar(8)': 'GND',
    'ship_date datetime': ({ date }) => at(date, '00:00:00'),
    'deliver_date datetime': ({ date }) => at(date, '17:00:00'),
    'actual_date datetime': '0000-00-00 00:00:00',
    'tracking_id varchar(32)': ({ id }) => `1Z${id}`,
    'cost float': 7.5,
    'notes varchar(255)': '',
  }),
  users: {
    columns:
      '*admin_id int, admin_name varchar(32), inactive text, display_name varchar(32), admin_email varchar(96), admin_pass varchar(40), account_id int, ' +
      'admin_store_id int, admin_prefs text, admin_security text',
    rows: [[1, 'admin', '0', 'Paul Roy', 'paul@pumps.example', '', 0, 0, '', '1:4,2:4,3:4']],
  },
  users_profiles: {
    columns:
      '*id int, user_id int, page_id varchar(32), module_id varchar(32), column_id int, row_id int, params text',
    rows: [[1, 1, 'index', 'open_inv', 1, 1, 'a:1:{s:8:"num_rows";i:10;}']],
  },
  zones: tableOf(customers.slice(0, 4), {
    '*zone_id int': ({ id }) => id,
    'countries_iso_code_3 char(3)': ({ countryCode }) => iso3[countryCode]!,
    'zone_code varchar(32)': ({ state }) => state,
    'zone_name varchar(32)': ({ city }) => city,
  }),
};

const parties = [...customers, supplier];

/**
 * All that is booked is an entry of a journal by its number: orders, quotes, invoices, credit memos, purchases and receipts; lines
 * are postings with a debit and a credit among which the tax and the total of the entry are rows too, so the price of one is the
 * amount by the quantity; nothing is declared but primary keys (PhreeBooks 2). Names, keys and types: its SQL,
 * modules/install/sql/current/tables.sql.
 */
export const journalEntries: Layout = {
  name: 'journal-entries',
  isHeldOut: true,
  tables: {
    ...around,
    journal_main: tableOf(entries, {
      '*id int': ({ id }) => id,
      'period int': ({ one }) => periodOf(one.date),
      'journal_id int': ({ journal }) => journal,
      'post_date date': ({ one, journal }) => (journal === journals.receipt ? one.due : one.date),
      'store_id int': 0,
      'description varchar(32)': ({ journal }) => descriptions[journal]!,
      'closed text': (entry) => (isClosed(entry) ? '1' : '0'),
      'printed int': ({ journal }) => (journal === journals.invoice ? 1 : 0),
      'freight double, discount double': 0,
      'shipper_code varchar(16)': ({ journal }) => (journal === journals.receipt ? '' : 'ups:GND'),
      'terms varchar(32)': ({ one }) =>
        one.customer.id % 4 === 0 ? '1:0:0:0' : '3:0:0:30:2500.00',
      'sales_tax double': ({ tax }) => tax,
      'tax_auths varchar(16)': ({ tax }) => (tax === 0 ? '' : '1'),
      'total_amount double': ({ gross }) => gross,
      'currencies_code char(3)': 'EUR',
      'currencies_value double': 1,
      'so_po_ref_id int': ({ one, journal }) =>
        journal === journals.invoice || journal === journals.credit ? orderIdOf(one) : 0,
      'purchase_invoice_id varchar(24)': ({ number }) => number,
      'purch_order_id varchar(24)': ({ one, isPurchase }) => (isPurchase ? '' : one.order),
      'recur_id int': 0,
      'admin_id int': 1,
      'rep_id int': 0,
      'waiting text': '0',
      'gl_acct_id varchar(15)': ({ isPurchase, journal }) => {
        if (journal === journals.receipt) return accounts.bank;
        return isPurchase ? accounts.payable : accounts.receivable;
      },
      'bill_acct_id int': (entry) => partyOf(entry).id,
      'bill_address_id int': (entry) => addressId(partyOf(entry).id),
      'bill_primary_name varchar(32)': (entry) => partyOf(entry).name,
      'bill_contact varchar(32)': (entry) => `${partyOf(entry).first} ${partyOf(entry).last}`,
      'bill_address1 varchar(32)': (entry) => partyOf(entry).street,
      'bill_address2 varchar(32)': '',
      'bill_city_town varchar(24)': (entry) => partyOf(entry).city,
      'bill_state_province varchar(24)': (entry) => partyOf(entry).state,
      'bill_postal_code varchar(10)': (entry) => partyOf(entry).zip,
      'bill_country_code char(3)': (entry) => iso3[partyOf(entry).countryCode]!,
      'bill_telephone1 varchar(20)': (entry) => partyOf(entry).phone,
      'bill_email varchar(48)': (entry) => partyOf(entry).email,
      'ship_acct_id int': (entry) => partyOf(entry).id,
      'ship_address_id int': 0,
      'ship_primary_name varchar(32)': 'Depot',
      'ship_contact varchar(32)': '',
      'ship_address1 varchar(32)': 'Dock 4',
      'ship_address2 varchar(32)': '',
      'ship_city_town varchar(24)': 'Bremen',
      'ship_state_province varchar(24)': 'HB',
      'ship_postal_code varchar(24)': '28195',
      'ship_country_code char(3)': 'DEU',
      'ship_telephone1 varchar(20), ship_email varchar(48)': '',
      'terminal_date date': ({ one }) => one.date,
      'drop_ship text': '0',
    }),
    journal_item: tableOf(journalItems, {
      '*id int': (_row, index) => index + 1,
      'ref_id int': ({ entry }) => entry.id,
      'so_po_item_ref_id int': ({ from }) => from,
      'gl_type char(3)': ({ type }) => type,
      'reconciled int': 0,
      'sku varchar(24)': ({ sku }) => sku,
      'qty float': ({ qty }) => qty,
      'description varchar(255)': ({ description }) => description,
      'debit_amount double': ({ debit }) => debit,
      'credit_amount double': ({ credit }) => credit,
      'gl_account varchar(15)': ({ account }) => account,
      'taxable int': ({ taxable }) => taxable,
      'full_price double': ({ price }) => price,
      'serialize text': '0',
      'serialize_number varchar(24)': ({ serial }) => serial,
      'project_id varchar(16)': null,
      'post_date date': ({ entry }) => entry.one.date,
      'date_1 datetime': '0000-00-00 00:00:00',
    }),
    contacts: tableOf(parties, {
      '*id int': ({ id }) => id,
      'type char(1)': ({ id }) => (id === supplierId ? 'v' : 'c'),
      'short_name varchar(20)': ({ code }) => code,
      'inactive text': '0',
      'contact_first varchar(32)': ({ first }) => first,
      'contact_middle varchar(32)': '',
      'contact_last varchar(32)': ({ last }) => last,
      'store_id varchar(15)': '',
      'gl_type_account varchar(15)': ({ id }) => (id === supplierId ? accounts.stock : revenue),
      'gov_id_number varchar(16)': ({ vat }) => vat,
      'dept_rep_id varchar(16)': '',
      'account_number varchar(16)': '',
      'special_terms varchar(32)': ({ id }) => (id % 4 === 0 ? '1:0:0:0' : '3:0:0:30:2500.00'),
      'price_sheet varchar(32)': '',
      'first_date date': '2024-03-01',
      'last_update date, last_date_1 date': '2026-02-01',
      'last_date_2 date': null,
    }),
    address_book: tableOf(parties, {
      '*address_id int': ({ id }) => addressId(id),
      'ref_id int': ({ id }) => id,
      'type char(2)': ({ id }) => (id === supplierId ? 'vm' : 'cm'),
      'primary_name varchar(32)': ({ name }) => name,
      'contact varchar(32)': ({ first, last }) => `${first} ${last}`,
      'address1 varchar(32)': ({ street }) => street,
      'address2 varchar(32)': '',
      'city_town varchar(24)': ({ city }) => city,
      'state_province varchar(24)': ({ state }) => state,
      'postal_code varchar(10)': ({ zip }) => zip,
      'country_code char(3)': ({ countryCode }) => iso3[countryCode]!,
      'telephone1 varchar(20)': ({ phone }) => phone,
      'telephone2 varchar(20), telephone3 varchar(20), telephone4 varchar(20)': '',
      'email varchar(48)': ({ email }) => email,
      'website varchar(48)': '',
      'notes text': '',
    }),
    inventory: tableOf(items, {
      '*id int': ({ id }) => id,
      'sku varchar(24)': ({ code }) => code,
      'inactive text': '0',
      'inventory_type char(2)': ({ unit }) => (unit === 'HR' ? 'sv' : 'si'),
      'description_short varchar(32)': ({ name }) => name,
      'description_purchase varchar(255)': ({ name }) => `${name} from Mill`,
      'description_sales varchar(255)': ({ name }) => name,
      'image_with_path varchar(255)': '',
      'account_sales_income varchar(15)': revenue,
      'account_inventory_wage varchar(15)': accounts.stock,
      'account_cost_of_sales varchar(15)': '5000',
      'item_taxable int, purch_taxable int': ({ rate }) => salesTax(rate),
      'item_cost float': ({ price }) => round(price / 2),
      'cost_method text': 'f',
      'price_sheet varchar(32)': '',
      'full_price float': ({ price }) => price,
      'item_weight float': 1,
      'quantity_on_hand float': 120,
      'quantity_on_order float, quantity_on_sales_order float': 0,
      'minimum_stock_level float, reorder_quantity float': 10,
      'vendor_id int': supplierId,
      'lead_time int': 7,
      'upc_code varchar(13)': '',
      'serialize text': '0',
      'creation_date datetime, last_update datetime': '2024-03-01 09:00:00',
      'last_journal_date datetime': '2026-02-18 10:41:07',
    }),
    tax_authorities: {
      columns:
        '*tax_auth_id int, type varchar(1), description_short char(15), description_long char(64), account_id char(15), vendor_id int, tax_rate float',
      rows: [
        [1, 'c', 'VAT', 'Value added tax, standard', accounts.vat, 0, 20],
        [2, 'c', 'ZERO', 'Value added tax, zero', accounts.vat, 0, 0],
      ],
    },
    tax_rates: {
      columns:
        '*tax_rate_id int, type varchar(1), description_short varchar(15), description_long varchar(64), rate_accounts varchar(64), freight_taxable text',
      rows: [
        [1, 'c', 'VAT20', 'VAT 20%', '1', '1'],
        [2, 'c', 'VAT0', 'VAT 0%', '2', '0'],
        [3, 'v', 'VAT20', 'VAT 20% on purchases', '1', '0'],
      ],
    },
    currencies: {
      columns:
        '*currencies_id int, title varchar(32), code char(3), symbol_left varchar(24), symbol_right varchar(24), decimal_point char(1), thousands_point char(1), ' +
        'decimal_places char(1), decimal_precise char(1), value float, last_updated datetime',
      rows: [
        [1, 'Euro', 'EUR', '', '€', '.', ',', '2', '2', 1, '2025-12-01 09:00:00'],
        [2, 'US Dollar', 'USD', '$', '', '.', ',', '2', '2', 1.08, '2025-12-01 09:00:00'],
      ],
    },
    countries: tableOf(
      customers.filter(
        ({ country }, index) => customers.findIndex((other) => other.country === country) === index,
      ),
      {
        '*countries_id int': ({ id }) => id,
        'countries_name varchar(64)': ({ country }) => country,
        'countries_iso_code_2 char(2)': ({ countryCode }) => countryCode,
        'countries_iso_code_3 char(3)': ({ countryCode }) => iso3[countryCode]!,
        'address_format_id int': 1,
      },
    ),
  },
  sections: {
    header: {
      table: 'journal_main',
      key: 'id',
      match: 'purchase_invoice_id',
      where: { journal_id: '12' },
    },
    lines: {
      table: 'journal_item',
      key: 'id',
      match: 'ref_id',
      matchFrom: 'id',
      where: { gl_type: 'sos' },
    },
    customer: { table: 'contacts', key: 'id', match: 'id', matchFrom: 'bill_acct_id' },
  },
  // The full price is the one before discount, of which no column tells.
  fields: {
    number: 'journal_main.purchase_invoice_id|accounts_history.purchase_invoice_id',
    issue_date: 'journal_main.post_date',
    'delivery.date': 'journal_main.terminal_date',
    currency: 'journal_main.currencies_code',
    'exchange_rate.rate': 'journal_main.currencies_value|currencies.value',
    purchase_order: 'journal_main.purch_order_id',
    buyer_reference: 'journal_main.purch_order_id',
    'payment_terms[].note': 'journal_main.terms!map|contacts.special_terms!map',
    'totals.tax': 'journal_main.sales_tax',
    'totals.gross': 'journal_main.total_amount|accounts_history.amount',
    'totals.due': 'journal_main.total_amount|accounts_history.amount',
    'buyer.name': 'journal_main.bill_primary_name|address_book.primary_name',
    'buyer.trn': 'contacts.gov_id_number',
    'PINT-MY:buyer.identifiers[].id': 'contacts.gov_id_number',
    'buyer.address.line1': 'journal_main.bill_address1|address_book.address1',
    'buyer.address.line2': 'journal_main.bill_address2|address_book.address2',
    'buyer.address.city': 'journal_main.bill_city_town|address_book.city_town',
    'buyer.address.subdivision': 'journal_main.bill_state_province|address_book.state_province',
    'buyer.address.post_code': 'journal_main.bill_postal_code|address_book.postal_code',
    'buyer.address.country':
      'journal_main.bill_country_code!map|address_book.country_code!map|countries.countries_iso_code_2|countries.countries_name!map',
    'buyer.contact.name':
      'journal_main.bill_contact|address_book.contact|contacts.contact_first!concat|contacts.contact_last!concat',
    'buyer.contact.phone': 'journal_main.bill_telephone1|address_book.telephone1',
    'buyer.contact.email': 'journal_main.bill_email|address_book.email',
    'lines[].id': 'journal_item.id',
    'lines[].sku': 'journal_item.sku|inventory.sku',
    'lines[].name':
      'journal_item.description|inventory.description_short|inventory.description_sales',
    'lines[].description':
      'journal_item.description|inventory.description_short|inventory.description_sales',
    'lines[].qty': 'journal_item.qty',
    'lines[].unit_price': 'journal_item.credit_amount!divide',
    'lines[].gross_price': 'journal_item.full_price|journal_item.credit_amount!divide',
    'lines[].net': 'journal_item.credit_amount',
    'lines[].tax.rate': 'tax_authorities.tax_rate|journal_item.taxable!map',
    'lines[].tax.category':
      'journal_item.taxable!map|tax_rates.description_short!map|tax_rates.description_long!map|tax_rates.rate_accounts!map|' +
      'tax_authorities.tax_rate!map|tax_authorities.description_short!map|inventory.item_taxable!map',
  },
};
