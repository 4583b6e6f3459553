import type { Layout, LayoutTable } from './layout.ts';
import { at, tableOf } from './tables.ts';
import { byLine, customers, done, type Invoice, invoices, items, netPrice } from './trade.ts';

type Line = Invoice['lines'][number];

const round = (value: number) => Math.round(value * 100) / 100;
const domain = 1;
const preferences = { invoice: 1, receipt: 2, estimate: 3, quote: 4, credit: 5 };
const itemised = 2;
const ownFirm = 4;
const taxId = (rate: number) => (rate === 0 ? 4 : 2);

interface Document {
  readonly one: Invoice;
  readonly id: number;
  readonly number: number;
  readonly preference: number;
  readonly sign: number;
}

/** Estimates, quotes and receipts are counted with the invoices. */
const documents: readonly Document[] = [
  ...invoices.map((one) => {
    if (one.isDraft) return { one, preference: preferences.estimate, sign: 1 };
    return one.kind === 'credit'
      ? { one, preference: preferences.credit, sign: -1 }
      : { one, preference: preferences.invoice, sign: 1 };
  }),
  ...invoices.slice(0, 8).map((one) => ({ one, preference: preferences.quote, sign: 1 })),
  ...invoices.slice(8, 11).map((one) => ({ one, preference: preferences.receipt, sign: 1 })),
].map((each, index) => ({ ...each, id: index + 3, number: index + 1001 }));
const lines = documents.flatMap((document) =>
  document.one.lines.map((line) => ({ document, line })),
);
const billed = documents.filter(({ preference }) => preference === preferences.invoice);
const lineNet = (line: Line) => round(line.quantity * netPrice(line));
const lineTax = (line: Line) => round((lineNet(line) * line.item.rate) / 100);
const grossOf = ({ lines: all }: Invoice) =>
  round(all.reduce((sum, line) => sum + lineNet(line) + lineTax(line), 0));
const bought = done.slice(0, 9);

const around: Readonly<Record<string, LayoutTable>> = {
  si_cron: {
    columns:
      '*id int, *domain_id int, invoice_id int, start_date date, end_date varchar(10), recurrence int, recurrence_type varchar(11), email_biller int, email_customer int',
    rows: [[1, domain, 3, '2026-02-01', '', 1, 'month', 1, 1]],
  },
  si_cron_log: {
    columns: '*id int, *domain_id int, cron_id varchar(25), run_date date',
    rows: [[1, domain, '1', '2026-02-01']],
  },
  si_custom_fields: {
    columns:
      '*cf_id int, cf_custom_field varchar(255), cf_custom_label varchar(255), cf_display varchar(1), domain_id int',
    rows: [
      ['biller_cf1', 'VAT number'],
      ['biller_cf2', null],
      ['biller_cf3', null],
      ['biller_cf4', null],
      ['customer_cf1', 'VAT number'],
      ['customer_cf2', null],
      ['customer_cf3', null],
      ['customer_cf4', null],
      ['product_cf1', 'Article no.'],
      ['product_cf2', 'Unit'],
      ['product_cf3', null],
      ['product_cf4', null],
      ['invoice_cf1', 'Your order'],
      ['invoice_cf2', 'Due'],
      ['invoice_cf3', null],
      ['invoice_cf4', null],
    ].map(([field = '', label = null], index) => [
      index + 1,
      field,
      label,
      label === null ? '0' : '1',
      domain,
    ]),
  },
  si_expense: tableOf(bought, {
    '*id int': (_one, index) => index + 1,
    '*domain_id int': domain,
    'amount decimal': ({ net }) => round(net / 2),
    'expense_account_id int': 1,
    'biller_id int': ownFirm,
    'customer_id int': 0,
    'invoice_id int': 0,
    'product_id int': ({ lines: all }) => all[0]!.item.id,
    'date date': ({ date }) => date,
    'note text': ({ id }) => `Mill Supplies MS-${id}`,
    'status int': 1,
  }),
  si_expense_account: {
    columns: '*id int, *domain_id int, name varchar(255)',
    rows: [
      [1, domain, 'Goods'],
      [2, domain, 'Rent'],
    ],
  },
  si_expense_item_tax: tableOf(bought, {
    '*id int': (_one, index) => index + 1,
    'expense_id int': (_one, index) => index + 1,
    'tax_id int': 2,
    'tax_type varchar(1)': '%',
    'tax_rate decimal': 20,
    'tax_amount decimal': ({ net }) => round(net / 10),
  }),
  si_extensions: {
    columns:
      '*id int, domain_id int, name varchar(255), description varchar(255), enabled varchar(1)',
    rows: [
      [1, 0, 'core', 'Core part of Simple Invoices - always enabled', '1'],
      [2, domain, 'expense', 'Expense tracking', '1'],
    ],
  },
  si_index: {
    columns:
      'id int, node varchar(255), sub_node varchar(255), sub_node_2 varchar(255), domain_id int',
    rows: [[1000 + documents.length, 'invoice', '1', '', domain]],
  },
  si_inventory: tableOf(
    byLine(bought, (one, line) => ({ one, line })),
    {
      '*id int': (_one, index) => index + 1,
      '*domain_id int': domain,
      'product_id int': ({ line }) => line.item.id,
      'quantity decimal': ({ line }) => line.quantity * 10,
      'cost decimal': ({ line }) => round(line.price / 2),
      'date date': ({ one }) => one.date,
      'note text': '',
    },
  ),
  si_invoice_type: {
    columns: '*inv_ty_id int, inv_ty_description varchar(25)',
    rows: [
      [1, 'Total'],
      [itemised, 'Itemised'],
      [3, 'Consulting'],
    ],
  },
  si_log: tableOf(billed.slice(0, 6), {
    '*id bigint': (_one, index) => index + 1,
    'domain_id int': domain,
    'timestamp timestamp': ({ one }) => at(one.date),
    'userid varchar(40)': '1',
    'sqlquerie text': ({ id }) => `INSERT INTO si_invoices VALUES (${id})`,
    'last_id int': ({ id }) => id,
  }),
  si_payment: tableOf(
    billed.filter(({ id }) => id % 3 !== 0),
    {
      '*id int': (_one, index) => index + 1,
      'ac_inv_id int': ({ id }) => id,
      'ac_amount decimal': ({ one }) => grossOf(one),
      'ac_notes text': '',
      'ac_date datetime': ({ one }) => at(one.due, '00:00:00'),
      'ac_payment_type int': 3,
      '*domain_id int': domain,
      'online_payment_id varchar(255)': null,
    },
  ),
  si_payment_types: {
    columns: '*pt_id int, *domain_id int, pt_description varchar(250), pt_enabled varchar(1)',
    rows: [
      [1, domain, 'Cash', '1'],
      [2, domain, 'Credit Card', '1'],
      [3, domain, 'Bank transfer', '1'],
    ],
  },
  si_sql_patchmanager: {
    columns:
      '*sql_id int, sql_patch_ref int, sql_patch varchar(255), sql_release varchar(25), sql_statement text',
    rows: [
      [1, 1, 'Create sql_patchmanger table', '20060514', ''],
      [353, 205, 'Add index_id to invoice table - new invoice numbering', '20090818', ''],
      [374, 226, 'Define currency in preferences', '20100209', ''],
    ],
  },
  si_system_defaults: {
    columns: '*id int, name varchar(30), value varchar(30), *domain_id int, extension_id int',
    rows: [
      ['biller', String(ownFirm)],
      ['customer', '3'],
      ['tax', '2'],
      ['preference', '1'],
      ['line_items', '5'],
      ['template', 'default'],
      ['payment_type', '3'],
      ['language', 'en_GB'],
      ['dateformate', 'Y-m-d'],
      ['tax_per_line_item', '1'],
      ['inventory', '1'],
    ].map(([name = '', value = ''], index) => [index + 1, name, value, domain, 1]),
  },
  si_user: {
    columns:
      '*id int, email varchar(255), role_id int, *domain_id int, password varchar(255), enabled int',
    rows: [[1, 'paul@pumps.example', 1, domain, '', 1]],
  },
  si_user_domain: { columns: '*id int, name varchar(255)', rows: [[1, 'default']] },
  si_user_role: {
    columns: '*id int, name varchar(255)',
    rows: [
      [1, 'administrator'],
      [2, 'domain_administrator'],
      [5, 'biller'],
    ],
  },
  si_products_attributes: {
    columns:
      '*id int, name varchar(255), type_id varchar(255), enabled varchar(1), visible varchar(1)',
    rows: [[1, 'Size', '1', '1', '1']],
  },
  si_products_attribute_type: {
    columns: '*id int, name varchar(255)',
    rows: [
      [1, 'list'],
      [2, 'decimal'],
      [3, 'free'],
    ],
  },
  si_products_values: {
    columns: '*id int, attribute_id int, value varchar(255), enabled varchar(1)',
    rows: [
      [1, 1, 'S', '1'],
      [2, 1, 'L', '1'],
    ],
  },
};

const address = {
  'city varchar(255)': ({ city }: { city: string }) => city,
  'state varchar(255)': ({ state }: { state: string }) => state,
  'zip_code varchar(255)': ({ zip }: { zip: string }) => zip,
  'country varchar(255)': ({ country }: { country: string }) => country,
  'phone varchar(255)': ({ phone }: { phone: string }) => phone,
  'mobile_phone varchar(255), fax varchar(255)': '',
  'email varchar(255)': ({ email }: { email: string }) => email,
} as const;

/**
 * What kind a document is, its currency, its words and how it is paid is a preference, whose number tells quotes, receipts and
 * credit notes from invoices; a document has no amount; each line has, where "gross" is without tax; tax numbers, article codes,
 * orders and due dates are in numbered columns of one's own, with labels apart; a domain before each key, and none is declared
 * (SimpleInvoices). Names, keys and types: its SQL, databases/mysql/Full_Simple_Invoices.sql, and that of its extension for expenses.
 */
export const preferenceKinds: Layout = {
  name: 'preference-kinds',
  isHeldOut: true,
  tables: {
    ...around,
    si_invoices: tableOf(documents, {
      '*id int': ({ id }) => id,
      'index_id int': ({ number }) => number,
      '*domain_id int': domain,
      'biller_id int': ownFirm,
      'customer_id int': ({ one }) => one.customer.id,
      'type_id int': itemised,
      'preference_id int': ({ preference }) => preference,
      'date datetime': ({ one }) => at(one.date, '00:00:00'),
      'custom_field1 varchar(50)': ({ one }) => one.order,
      'custom_field2 varchar(50)': ({ one }) => one.due,
      'custom_field3 varchar(50), custom_field4 varchar(50)': '',
      'note text': ({ one }) => (one.id % 6 === 0 ? 'Thank you for your order' : ''),
    }),
    si_invoice_items: tableOf(lines, {
      '*id int': (_row, index) => index + 1,
      'invoice_id int': ({ document }) => document.id,
      'quantity decimal': ({ document, line }) => document.sign * line.quantity,
      'product_id int': ({ line }) => line.item.id,
      'unit_price decimal': ({ line }) => netPrice(line),
      'tax_amount decimal': ({ document, line }) => document.sign * lineTax(line),
      'gross_total decimal': ({ document, line }) => document.sign * lineNet(line),
      'description text': ({ line }) => (line.id % 9 === 0 ? 'Boxed' : ''),
      'total decimal': ({ document, line }) => document.sign * round(lineNet(line) + lineTax(line)),
    }),
    si_invoice_item_tax: tableOf(lines, {
      '*id int': (_row, index) => index + 1,
      'invoice_item_id int': (_row, index) => index + 1,
      'tax_id int': ({ line }) => taxId(line.item.rate),
      'tax_type varchar(1)': '%',
      'tax_rate decimal': ({ line }) => line.item.rate,
      'tax_amount decimal': ({ document, line }) => document.sign * lineTax(line),
    }),
    si_customers: tableOf(customers, {
      '*id int': ({ id }) => id,
      '*domain_id int': domain,
      'attention varchar(255)': ({ first, last }) => `${first} ${last}`,
      'name varchar(255)': ({ name }) => name,
      'street_address varchar(255)': ({ street }) => street,
      'street_address2 varchar(255)': '',
      ...address,
      'credit_card_holder_name varchar(255), credit_card_number varchar(255)': null,
      'credit_card_expiry_month varchar(2), credit_card_expiry_year varchar(4)': null,
      'notes text': '',
      'custom_field1 varchar(255)': ({ vat }) => vat,
      'custom_field2 varchar(255), custom_field3 varchar(255), custom_field4 varchar(255)': '',
      'enabled varchar(1)': '1',
    }),
    si_biller: tableOf(
      [
        {
          ...customers[0]!,
          id: ownFirm,
          name: 'Drawbridge Pumps',
          street: '1 Dock Road',
          vat: 'DE123456824',
          email: 'office@pumps.example',
        },
        { ...customers[5]!, id: 5, name: 'Drawbridge Service', vat: 'FR61954506077' },
      ],
      {
        '*id int': ({ id }) => id,
        '*domain_id int': domain,
        'name varchar(255)': ({ name }) => name,
        'street_address varchar(255)': ({ street }) => street,
        'street_address2 varchar(255)': '',
        ...address,
        'logo varchar(255)': 'pumps.png',
        'footer text': '',
        'paypal_business_name varchar(255), paypal_notify_url varchar(255)': '',
        'paypal_return_url varchar(255), eway_customer_id varchar(255)': '',
        'notes text': '',
        'custom_field1 varchar(255)': ({ vat }) => vat,
        'custom_field2 varchar(255), custom_field3 varchar(255), custom_field4 varchar(255)': '',
        'enabled varchar(1)': '1',
      },
    ),
    si_products: tableOf(items, {
      '*id int': ({ id }) => id,
      '*domain_id int': domain,
      'description text': ({ name }) => name,
      'unit_price decimal': ({ price }) => price,
      'default_tax_id int': ({ rate }) => taxId(rate),
      'default_tax_id_2 int': 0,
      'cost decimal': ({ price }) => round(price / 2),
      'reorder_level int': 10,
      'custom_field1 varchar(255)': ({ code }) => code,
      'custom_field2 varchar(255)': ({ unit }) => unit,
      'custom_field3 varchar(255), custom_field4 varchar(255)': '',
      'notes text': ({ name }) => `${name}, boxed`,
      'enabled varchar(1)': '1',
      'visible tinyint': 1,
    }),
    si_preferences: {
      columns:
        '*pref_id int, *domain_id int, pref_description varchar(50), pref_currency_sign varchar(50), pref_inv_heading varchar(50), ' +
        'pref_inv_wording varchar(50), pref_inv_detail_heading varchar(50), pref_inv_detail_line text, pref_inv_payment_method varchar(50), ' +
        'pref_inv_payment_line1_name varchar(50), pref_inv_payment_line1_value varchar(50), pref_inv_payment_line2_name varchar(50), ' +
        'pref_inv_payment_line2_value varchar(50), pref_enabled varchar(1), status int, locale varchar(255), language varchar(255), ' +
        'index_group int, currency_code varchar(25), include_online_payment varchar(255), currency_position varchar(25)',
      rows: [
        [preferences.invoice, 'Invoice', 'Payment is to be made within 30 days', 1],
        [preferences.receipt, 'Receipt', 'This transaction has been paid in full', 1],
        [preferences.estimate, 'Estimate', 'This is an estimate of the final value', 0],
        [preferences.quote, 'Quote', 'This is a quote of the final value', 0],
        [preferences.credit, 'Credit note', 'We credit you with the amount', 1],
      ].map(([id = 0, name = '', line = '', status = 0]) => [
        id,
        domain,
        name,
        '€',
        name,
        name,
        'Details',
        line,
        id === preferences.invoice ? 'Bank transfer' : '',
        id === preferences.invoice ? 'Account name' : '',
        id === preferences.invoice ? 'Drawbridge Pumps' : '',
        id === preferences.invoice ? 'IBAN' : '',
        id === preferences.invoice ? 'DE89370400440532013000' : '',
        '1',
        status,
        'en_GB',
        'en_GB',
        1,
        'EUR',
        null,
        'left',
      ]),
    },
    si_tax: {
      columns:
        '*tax_id int, tax_description varchar(50), tax_percentage decimal, type varchar(1), tax_enabled varchar(1), *domain_id int',
      rows: [
        [1, 'GST', 10, '%', '0', domain],
        [2, 'VAT', 20, '%', '1', domain],
        [4, 'No Tax', 0, '%', '1', domain],
        [5, 'Postage', 20, '$', '0', domain],
      ],
    },
  },
  sections: {
    header: {
      table: 'si_invoices',
      key: 'id',
      match: 'index_id',
      where: { preference_id: '1' },
    },
    lines: { table: 'si_invoice_items', key: 'id', match: 'invoice_id', matchFrom: 'id' },
    customer: { table: 'si_customers', key: 'id', match: 'id', matchFrom: 'customer_id' },
  },
  fields: {
    number: 'si_invoices.index_id',
    issue_date: 'si_invoices.date',
    due_date: 'si_invoices.custom_field2',
    currency: 'si_preferences.currency_code|si_preferences.pref_currency_sign!map',
    purchase_order: 'si_invoices.custom_field1',
    buyer_reference: 'si_invoices.custom_field1',
    'notes[]': 'si_invoices.note',
    'payment_terms[].note': 'si_preferences.pref_inv_detail_line',
    'payment_means[].code': 'si_preferences.pref_inv_payment_method!map',
    'payment_means[].account.id': 'si_preferences.pref_inv_payment_line2_value',
    'seller.name': 'si_biller.name',
    'seller.trn': 'si_biller.custom_field1',
    'seller.address.line1': 'si_biller.street_address',
    'seller.address.city': 'si_biller.city',
    'seller.address.subdivision': 'si_biller.state',
    'seller.address.country': 'si_biller.country!map',
    'seller.contact.phone': 'si_biller.phone',
    'buyer.name': 'si_customers.name',
    'buyer.trn': 'si_customers.custom_field1',
    'PINT-MY:buyer.identifiers[].id': 'si_customers.custom_field1',
    'buyer.address.line1': 'si_customers.street_address',
    'buyer.address.line2': 'si_customers.street_address2',
    'buyer.address.city': 'si_customers.city',
    'buyer.address.subdivision': 'si_customers.state',
    'buyer.address.post_code': 'si_customers.zip_code',
    'buyer.address.country': 'si_customers.country!map',
    'buyer.contact.name': 'si_customers.attention',
    'buyer.contact.phone': 'si_customers.phone',
    'buyer.contact.email': 'si_customers.email',
    'lines[].id': 'si_invoice_items.id',
    'lines[].sku': 'si_products.custom_field1|si_invoice_items.product_id',
    'lines[].name': 'si_products.description|si_products.notes',
    'lines[].description': 'si_products.description|si_products.notes|si_invoice_items.description',
    'lines[].qty': 'si_invoice_items.quantity',
    'lines[].unit': 'si_products.custom_field2!map',
    'lines[].unit_price': 'si_invoice_items.unit_price',
    'lines[].gross_price': 'si_invoice_items.unit_price',
    'lines[].net': 'si_invoice_items.gross_total',
    'lines[].accounting.amount': 'si_invoice_items.total',
    'lines[].accounting.tax_totals[].amount':
      'si_invoice_items.tax_amount|si_invoice_item_tax.tax_amount',
    'lines[].tax.rate': 'si_invoice_item_tax.tax_rate|si_tax.tax_percentage',
    'lines[].tax.category':
      'si_invoice_item_tax.tax_rate!map|si_invoice_item_tax.tax_id!map|si_tax.tax_percentage!map|si_tax.tax_description!map|' +
      'si_products.default_tax_id!map',
  },
};
