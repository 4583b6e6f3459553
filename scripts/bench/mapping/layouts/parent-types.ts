import { hyphenKey } from './hex-keys.ts';
import type { Layout, LayoutTable } from './layout.ts';
import { at, tableOf } from './tables.ts';
import { bills, byLine, customers, type Invoice, invoices, items } from './trade.ts';

const round = (value: number) => Math.round(value * 100) / 100;
const usDollarRate = 1.08;
const baseCurrency = '-99';
const dollars = hyphenKey('currencies', 'USD');
const isForeign = ({ currency }: Invoice) => currency === 'USD';
const currencyOf = (one: Invoice) => (isForeign(one) ? dollars : baseCurrency);
/** In the currency of the installation, which the columns call US dollars. */
const base = (one: Invoice, amount: number) =>
  round(isForeign(one) ? amount / usDollarRate : amount);
/** There are no credit notes. */
const sold = invoices.filter(({ kind }) => kind === 'invoice');
const invoiceKey = ({ id }: Invoice) => hyphenKey('aos_invoices', id);
const quoteKey = ({ id }: Invoice) => hyphenKey('aos_quotes', id);
const contractKey = ({ id }: Invoice) => hyphenKey('aos_contracts', id);
const groupKey = (of: string, { id }: Invoice) => hyphenKey(`groups of ${of}`, id);
const accountKey = (id: number) => hyphenKey('accounts', id);
const contactKey = (id: number) => hyphenKey('contacts', id);
const mailKey = (id: number) => hyphenKey('email_addresses', id);
const productKey = (id: number) => hyphenKey('aos_products', id);
const user = '1';
const isPaid = ({ id }: Invoice) => id % 3 === 0;
const quoted = bills.slice(0, 18);
const contracts = bills.slice(3, 7);
/** Before the discounts of its lines. */
const full = ({ lines }: Invoice) =>
  round(lines.reduce((sum, { quantity, price }) => sum + quantity * price, 0));
const discountOf = (one: Invoice) => round(one.net - full(one));
const unitPrice = ({ price, discount }: Invoice['lines'][number]) =>
  Math.round(price * (100 - discount) * 100) / 10_000;

const bean = {
  'date_entered datetime': ({ date }: { readonly date?: string }) => at(date ?? '2025-02-03'),
  'date_modified datetime': at('2026-02-20'),
  'modified_user_id char(36), created_by char(36)': user,
  'description text': null,
} as const;
const kept = { 'deleted tinyint': 0, 'assigned_user_id char(36)': user } as const;

const billing = {
  'billing_address_street varchar(150)': (one: Invoice) => one.customer.street,
  'billing_address_city varchar(100)': (one: Invoice) => one.customer.city,
  'billing_address_state varchar(100)': (one: Invoice) => one.customer.state,
  'billing_address_postalcode varchar(20)': (one: Invoice) => one.customer.zip,
  'billing_address_country varchar(255)': (one: Invoice) => one.customer.country,
  'shipping_address_street varchar(150)': 'Dock 4',
  'shipping_address_city varchar(100)': (one: Invoice) => one.customer.city,
  'shipping_address_state varchar(100)': (one: Invoice) => one.customer.state,
  'shipping_address_postalcode varchar(20)': (one: Invoice) => one.customer.zip,
  'shipping_address_country varchar(255)': (one: Invoice) => one.customer.country,
} as const;

const amounts = {
  'total_amt decimal': full,
  'total_amt_usdollar decimal': (one: Invoice) => base(one, full(one)),
  'subtotal_amount decimal': ({ net }: Invoice) => net,
  'subtotal_amount_usdollar decimal': (one: Invoice) => base(one, one.net),
  'discount_amount decimal': discountOf,
  'discount_amount_usdollar decimal': (one: Invoice) => base(one, discountOf(one)),
  'tax_amount decimal': ({ tax }: Invoice) => tax,
  'tax_amount_usdollar decimal': (one: Invoice) => base(one, one.tax),
  'shipping_amount decimal, shipping_amount_usdollar decimal': 0,
  'shipping_tax varchar(100)': '0.0',
  'shipping_tax_amt decimal, shipping_tax_amt_usdollar decimal': 0,
  'total_amount decimal': ({ gross }: Invoice) => gross,
  'total_amount_usdollar decimal': (one: Invoice) => base(one, one.gross),
} as const;

/** Lines of invoices, quotes and contracts. */
const lines = [
  ...byLine(sold, (one, line) => ({ one, line, of: 'AOS_Invoices', owner: invoiceKey(one) })),
  ...byLine(quoted, (one, line) => ({ one, line, of: 'AOS_Quotes', owner: quoteKey(one) })),
  ...byLine(contracts, (one, line) => ({
    one,
    line,
    of: 'AOS_Contracts',
    owner: contractKey(one),
  })),
];
const groups = [
  ...sold.map((one) => ({ one, of: 'AOS_Invoices', owner: invoiceKey(one) })),
  ...quoted.map((one) => ({ one, of: 'AOS_Quotes', owner: quoteKey(one) })),
  ...contracts.map((one) => ({ one, of: 'AOS_Contracts', owner: contractKey(one) })),
];

const around: Readonly<Record<string, LayoutTable>> = {
  aos_quotes: tableOf(quoted, {
    '*id char(36)': quoteKey,
    'name varchar(255)': ({ customer }) => `Pumps for ${customer.city}`,
    ...bean,
    ...kept,
    'approval_issue text': null,
    'billing_account_id char(36)': ({ customer }) => accountKey(customer.id),
    'billing_contact_id char(36)': ({ customer }) => contactKey(customer.id),
    ...billing,
    'expiration date': ({ due }) => due,
    'number int': (_one, index) => index + 1,
    'opportunity_id char(36)': null,
    'template_ddown_c text': '^^',
    ...amounts,
    'currency_id char(36)': currencyOf,
    'stage varchar(100)': 'Closed Accepted',
    'term varchar(100)': 'Net 30',
    'terms_c text': null,
    'approval_status varchar(100)': null,
    'invoice_status varchar(100)': 'Invoiced',
    'subtotal_tax_amount decimal, subtotal_tax_amount_usdollar decimal': null,
  }),
  aos_contracts: tableOf(contracts, {
    '*id char(36)': contractKey,
    'name varchar(255)': ({ customer }) => `Service in ${customer.city}`,
    ...bean,
    ...kept,
    'reference_code varchar(255)': null,
    'start_date date': ({ date }) => date,
    'end_date date': ({ due }) => due,
    'total_contract_value decimal': ({ gross }) => gross,
    'status varchar(100)': 'Signed',
    'currency_id char(36)': currencyOf,
    'contract_account_id char(36)': ({ customer }) => accountKey(customer.id),
    ...amounts,
  }),
  aos_quotes_aos_invoices_c: tableOf(quoted, {
    '*id varchar(36)': ({ id }) => hyphenKey('quotes to invoices', id),
    'date_modified datetime': ({ date }) => at(date),
    'deleted tinyint': 0,
    'aos_quotes77d9_quotes_ida varchar(36)': quoteKey,
    'aos_quotes6b83nvoices_idb varchar(36)': invoiceKey,
  }),
  aos_invoices_audit: tableOf(sold.filter(isPaid), {
    '*id char(36)': ({ id }) => hyphenKey('aos_invoices_audit', id),
    'parent_id char(36)': invoiceKey,
    'date_created datetime': ({ due }) => at(due),
    'created_by varchar(36)': user,
    'field_name varchar(100)': 'status',
    'data_type varchar(100)': 'enum',
    'before_value_string varchar(255)': 'Unpaid',
    'after_value_string varchar(255)': 'Paid',
    'before_value_text text, after_value_text text': null,
  }),
  aos_pdf_templates: tableOf(['Invoice', 'Quote'], {
    '*id char(36)': (name) => hyphenKey('aos_pdf_templates', name),
    'name varchar(255)': (name) => name,
    'date_entered datetime, date_modified datetime': at('2025-02-03'),
    'modified_user_id char(36), created_by char(36)': user,
    'description text': (name) => `<p>${name} $aos_invoices_number</p>`,
    ...kept,
    'active tinyint': 1,
    'type varchar(100)': (name) => `AOS_${name}s`,
    'pdfheader text, pdffooter text': null,
    'margin_left int, margin_right int': 15,
  }),
  opportunities: tableOf(quoted, {
    '*id char(36)': ({ id }) => hyphenKey('opportunities', id),
    'name varchar(50)': ({ customer }) => `Pumps for ${customer.city}`,
    ...bean,
    ...kept,
    'opportunity_type varchar(255), campaign_id char(36), lead_source varchar(50)': null,
    'amount double': ({ net }) => net,
    'amount_usdollar double': (one) => base(one, one.net),
    'currency_id char(36)': currencyOf,
    'date_closed date': ({ due }) => due,
    'next_step varchar(100)': null,
    'sales_stage varchar(255)': 'Closed Won',
    'probability double': 100,
  }),
  leads: tableOf(customers.slice(0, 3), {
    '*id char(36)': ({ id }) => hyphenKey('leads', id),
    'date_entered datetime': at('2025-02-03'),
    'first_name varchar(100)': ({ first }) => first,
    'last_name varchar(100)': ({ last }) => last,
    'account_name varchar(255)': ({ name }) => name,
    'status varchar(100)': 'Converted',
    'deleted tinyint': 0,
    'account_id char(36)': ({ id }) => accountKey(id),
  }),
  users: {
    columns:
      '*id char(36), user_name varchar(60), user_hash varchar(255), first_name varchar(255), last_name varchar(255), is_admin tinyint, status varchar(100), deleted tinyint',
    rows: [[user, 'admin', '', '', 'Administrator', 1, 'Active', 0]],
  },
  tracker: tableOf(sold.slice(0, 10), {
    '*id int': (_one, index) => index + 1,
    'monitor_id char(36)': ({ id }) => hyphenKey('monitors', id),
    'user_id varchar(36)': user,
    'module_name varchar(255)': 'AOS_Invoices',
    'item_id varchar(36)': invoiceKey,
    'item_summary varchar(255)': ({ customer }) => `Pumps for ${customer.city}`,
    'date_modified datetime': ({ date }) => at(date),
    'action varchar(255)': 'detailview',
    'session_id varchar(36)': 'k3v8',
    'visible tinyint, deleted tinyint': 0,
  }),
  config: {
    columns: 'category varchar(32), name varchar(32), value text',
    rows: [
      ['info', 'sugar_version', '6.5.25'],
      ['MySettings', 'tab', 'YTo5'],
      ['notify', 'fromname', 'SuiteCRM'],
    ],
  },
};

/**
 * Lines of invoices, quotes and contracts in one table, by the kind of what they belong to and its key, in groups that have
 * totals of their own; keys are 36 letters, none of another table is declared, and nothing is ever removed but marked; the
 * installation's own currency has a key without a row; each amount once more in "usdollar", which is that currency; the tax
 * number is a field that somebody added (SuiteCRM with its module of sales).
 */
export const parentTypes: Layout = {
  name: 'parent-types',
  isHeldOut: true,
  hasDiscounts: true,
  netPrice: 'aos_products_quotes.product_unit_price',
  tables: {
    ...around,
    aos_invoices: tableOf(sold, {
      '*id char(36)': invoiceKey,
      'name varchar(255)': ({ customer }) => `Pumps for ${customer.city}`,
      ...bean,
      'description text': ({ id }) => (id % 6 === 0 ? 'Thank you for your order' : null),
      ...kept,
      'deleted tinyint': ({ isDraft }) => (isDraft ? 1 : 0),
      'billing_account_id char(36)': ({ customer }) => accountKey(customer.id),
      'billing_contact_id char(36)': ({ customer }) => contactKey(customer.id),
      ...billing,
      'number int': (_one, index) => index + 101,
      ...amounts,
      'currency_id char(36)': currencyOf,
      'quote_number int': (_one, index) => (index < quoted.length ? index + 1 : null),
      'quote_date date': ({ date }, index) => (index < quoted.length ? date : null),
      'invoice_date date': ({ date }) => date,
      'due_date date': ({ due }) => due,
      'status varchar(100)': (one) => (isPaid(one) ? 'Paid' : 'Unpaid'),
      'template_ddown_c text': '^^',
      'subtotal_tax_amount decimal, subtotal_tax_amount_usdollar decimal': null,
    }),
    aos_line_item_groups: tableOf(groups, {
      '*id char(36)': ({ one, of }) => groupKey(of, one),
      'name varchar(255)': '',
      'date_entered datetime, date_modified datetime': ({ one }) => at(one.date),
      'modified_user_id char(36), created_by char(36)': user,
      'description text': null,
      ...kept,
      'total_amt decimal': ({ one }) => full(one),
      'total_amt_usdollar decimal': ({ one }) => base(one, full(one)),
      'discount_amount decimal': ({ one }) => discountOf(one),
      'discount_amount_usdollar decimal': ({ one }) => base(one, discountOf(one)),
      'subtotal_amount decimal': ({ one }) => one.net,
      'subtotal_amount_usdollar decimal': ({ one }) => base(one, one.net),
      'tax_amount decimal': ({ one }) => one.tax,
      'tax_amount_usdollar decimal': ({ one }) => base(one, one.tax),
      'subtotal_tax_amount decimal, subtotal_tax_amount_usdollar decimal': null,
      'total_amount decimal': ({ one }) => one.gross,
      'total_amount_usdollar decimal': ({ one }) => base(one, one.gross),
      'parent_type varchar(100)': ({ of }) => of,
      'parent_id char(36)': ({ owner }) => owner,
      'number int': 1,
      'currency_id char(36)': ({ one }) => currencyOf(one),
    }),
    aos_products_quotes: tableOf(lines, {
      '*id char(36)': ({ line, of }) => hyphenKey(`lines of ${of}`, line.id),
      'name text': ({ line }) => line.item.name,
      'date_entered datetime, date_modified datetime': ({ one }) => at(one.date),
      'modified_user_id char(36), created_by char(36)': user,
      'description text': null,
      'deleted tinyint': ({ one }) => (one.isDraft ? 1 : 0),
      'assigned_user_id char(36)': null,
      'currency_id char(36)': ({ one }) => currencyOf(one),
      'part_number varchar(255)': ({ line }) => line.item.code,
      'item_description text': ({ line }) => `${line.item.name}, boxed`,
      'number int': ({ line }) => line.position,
      'product_qty decimal': ({ line }) => line.quantity,
      'product_cost_price decimal': ({ line }) => round(line.price / 2),
      'product_cost_price_usdollar decimal': ({ one, line }) => base(one, round(line.price / 2)),
      'product_list_price decimal': ({ line }) => line.price,
      'product_list_price_usdollar decimal': ({ one, line }) => base(one, line.price),
      'product_discount decimal, product_discount_usdollar decimal': ({ line }) => line.discount,
      'product_discount_amount decimal': ({ line }) =>
        -Math.round(line.price * line.discount * 100) / 10_000,
      'product_discount_amount_usdollar decimal': ({ one, line }) =>
        -base(one, (line.price * line.discount) / 100),
      'discount varchar(255)': 'Percentage',
      'product_unit_price decimal': ({ line }) => unitPrice(line),
      'product_unit_price_usdollar decimal': ({ one, line }) => base(one, unitPrice(line)),
      'vat_amt decimal': ({ line }) => line.tax,
      'vat_amt_usdollar decimal': ({ one, line }) => base(one, line.tax),
      'product_total_price decimal': ({ line }) => line.net,
      'product_total_price_usdollar decimal': ({ one, line }) => base(one, line.net),
      'vat varchar(100)': ({ line }) => line.item.rate.toFixed(1),
      'parent_type varchar(100)': ({ of }) => of,
      'parent_id char(36)': ({ owner }) => owner,
      'product_id char(36)': ({ line }) => productKey(line.item.id),
      'group_id char(36)': ({ one, of }) => groupKey(of, one),
    }),
    aos_products: tableOf(items, {
      '*id char(36)': ({ id }) => productKey(id),
      'name varchar(255)': ({ name }) => name,
      'date_entered datetime, date_modified datetime': at('2025-02-03'),
      'modified_user_id char(36), created_by char(36)': user,
      'description text': ({ name }) => `${name}, boxed`,
      ...kept,
      'maincode varchar(100)': 'XXXX',
      'part_number varchar(25)': ({ code }) => code,
      'category varchar(100)': null,
      'type varchar(100)': ({ unit }) => (unit === 'HR' ? 'Service' : 'Good'),
      'cost decimal, cost_usdollar decimal': ({ price }) => round(price / 2),
      'currency_id char(36)': baseCurrency,
      'price decimal, price_usdollar decimal': ({ price }) => price,
      'url varchar(255), contact_id char(36), product_image varchar(255)': null,
      'aos_product_category_id char(36)': hyphenKey('aos_product_categories', 1),
    }),
    aos_product_categories: {
      columns:
        '*id char(36), name varchar(255), date_entered datetime, description text, deleted tinyint, is_parent tinyint, parent_category_id char(36)',
      rows: [[hyphenKey('aos_product_categories', 1), 'Pumps', at('2025-02-03'), null, 0, 0, null]],
    },
    accounts: tableOf(customers, {
      '*id char(36)': ({ id }) => accountKey(id),
      'name varchar(150)': ({ name }) => name,
      'date_entered datetime, date_modified datetime': at('2025-02-03'),
      'modified_user_id char(36), created_by char(36)': user,
      'description text': null,
      ...kept,
      'account_type varchar(50)': 'Customer',
      'industry varchar(50), annual_revenue varchar(100), phone_fax varchar(100)': null,
      'billing_address_street varchar(150)': ({ street }) => street,
      'billing_address_city varchar(100)': ({ city }) => city,
      'billing_address_state varchar(100)': ({ state }) => state,
      'billing_address_postalcode varchar(20)': ({ zip }) => zip,
      'billing_address_country varchar(255)': ({ country }) => country,
      'rating varchar(100)': null,
      'phone_office varchar(100)': ({ phone }) => phone,
      'phone_alternate varchar(100), website varchar(255)': null,
      'ownership varchar(100), employees varchar(10), ticker_symbol varchar(10)': null,
      'shipping_address_street varchar(150)': 'Dock 4',
      'shipping_address_city varchar(100)': ({ city }) => city,
      'shipping_address_state varchar(100)': ({ state }) => state,
      'shipping_address_postalcode varchar(20)': ({ zip }) => zip,
      'shipping_address_country varchar(255)': ({ country }) => country,
      'parent_id char(36), sic_code varchar(10), campaign_id char(36)': null,
    }),
    accounts_cstm: tableOf(customers, {
      '*id_c char(36)': ({ id }) => accountKey(id),
      'jjwg_maps_lng_c float, jjwg_maps_lat_c float': 0,
      'jjwg_maps_geocode_status_c varchar(255), jjwg_maps_address_c varchar(255)': null,
      'vat_number_c varchar(255)': ({ vat }) => vat,
    }),
    contacts: tableOf(customers, {
      '*id char(36)': ({ id }) => contactKey(id),
      'date_entered datetime, date_modified datetime': at('2025-02-03'),
      'modified_user_id char(36), created_by char(36)': user,
      'description text': null,
      ...kept,
      'salutation varchar(255)': '',
      'first_name varchar(100)': ({ first }) => first,
      'last_name varchar(100)': ({ last }) => last,
      'title varchar(100), photo varchar(255), department varchar(255)': null,
      'do_not_call tinyint': 0,
      'phone_home varchar(100), phone_mobile varchar(100)': null,
      'phone_work varchar(100)': ({ phone }) => phone,
      'phone_other varchar(100), phone_fax varchar(100)': null,
      'primary_address_street varchar(150)': ({ street }) => street,
      'primary_address_city varchar(100)': ({ city }) => city,
      'primary_address_state varchar(100)': ({ state }) => state,
      'primary_address_postalcode varchar(20)': ({ zip }) => zip,
      'primary_address_country varchar(255)': ({ country }) => country,
      'assistant varchar(75), lead_source varchar(255), reports_to_id char(36)': null,
    }),
    accounts_contacts: tableOf(customers, {
      '*id varchar(36)': ({ id }) => hyphenKey('accounts_contacts', id),
      'contact_id varchar(36)': ({ id }) => contactKey(id),
      'account_id varchar(36)': ({ id }) => accountKey(id),
      'date_modified datetime': at('2025-02-03'),
      'deleted tinyint': 0,
    }),
    email_addresses: tableOf(customers, {
      '*id char(36)': ({ id }) => mailKey(id),
      'email_address varchar(255)': ({ email }) => email,
      'email_address_caps varchar(255)': ({ email }) => email.toUpperCase(),
      'invalid_email tinyint, opt_out tinyint': 0,
      'confirm_opt_in varchar(255)': 'not-opt-in',
      'date_created datetime, date_modified datetime': at('2025-02-03'),
      'deleted tinyint': 0,
    }),
    email_addr_bean_rel: tableOf(
      customers.flatMap(({ id }) => [
        { id, bean: accountKey(id), module: 'Accounts' },
        { id, bean: contactKey(id), module: 'Contacts' },
      ]),
      {
        '*id char(36)': ({ bean }) => hyphenKey('email_addr_bean_rel', bean),
        'email_address_id char(36)': ({ id }) => mailKey(id),
        'bean_id char(36)': ({ bean }) => bean,
        'bean_module varchar(100)': ({ module }) => module,
        'primary_address tinyint': 1,
        'reply_to_address tinyint': 0,
        'date_created datetime, date_modified datetime': at('2025-02-03'),
        'deleted tinyint': 0,
      },
    ),
    // The currency of the installation is not among them.
    currencies: {
      columns:
        '*id char(36), name varchar(36), symbol varchar(36), iso4217 varchar(3), conversion_rate double, status varchar(100), deleted tinyint, ' +
        'date_entered datetime, date_modified datetime, created_by char(36)',
      rows: [
        [
          dollars,
          'US Dollar',
          '$',
          'USD',
          usDollarRate,
          'Active',
          0,
          at('2025-02-03'),
          at('2025-02-03'),
          user,
        ],
      ],
    },
  },
  sections: {
    header: { table: 'aos_invoices', key: 'id', match: 'number', where: { deleted: '0' } },
    lines: {
      table: 'aos_products_quotes',
      key: 'id',
      match: 'parent_id',
      matchFrom: 'id',
      where: { deleted: '0', parent_type: 'AOS_Invoices' },
    },
    customer: { table: 'accounts', key: 'id', match: 'id', matchFrom: 'billing_account_id' },
  },
  // The price after discount, or the one before it with the discount; all discounts are shares.
  fields: {
    number: 'aos_invoices.number',
    issue_date: 'aos_invoices.invoice_date',
    due_date: 'aos_invoices.due_date',
    currency:
      'currencies.iso4217|currencies.name!map|aos_invoices.currency_id!map|aos_products_quotes.currency_id!map',
    'exchange_rate.rate': 'currencies.conversion_rate!divide',
    'notes[]': 'aos_invoices.description',
    'totals.net': 'aos_invoices.subtotal_amount|aos_line_item_groups.subtotal_amount',
    'totals.lines': 'aos_invoices.subtotal_amount|aos_line_item_groups.subtotal_amount',
    'totals.tax': 'aos_invoices.tax_amount|aos_line_item_groups.tax_amount',
    'totals.gross': 'aos_invoices.total_amount|aos_line_item_groups.total_amount',
    'totals.due': 'aos_invoices.total_amount|aos_line_item_groups.total_amount',
    'buyer.name': 'accounts.name',
    'buyer.trn': 'accounts_cstm.vat_number_c',
    'buyer.address.line1': 'aos_invoices.billing_address_street|accounts.billing_address_street',
    'buyer.address.city': 'aos_invoices.billing_address_city|accounts.billing_address_city',
    'buyer.address.post_code':
      'aos_invoices.billing_address_postalcode|accounts.billing_address_postalcode',
    'buyer.address.subdivision':
      'aos_invoices.billing_address_state|accounts.billing_address_state',
    'buyer.address.country':
      'aos_invoices.billing_address_country!map|accounts.billing_address_country!map',
    'buyer.contact.name': 'contacts.first_name!concat|contacts.last_name!concat|contacts.last_name',
    'buyer.contact.phone': 'accounts.phone_office|contacts.phone_work',
    'buyer.contact.email': 'email_addresses.email_address',
    'lines[].id': 'aos_products_quotes.number|aos_products_quotes.id',
    'lines[].sku': 'aos_products_quotes.part_number|aos_products.part_number',
    'lines[].name': 'aos_products_quotes.name|aos_products.name',
    'lines[].description':
      'aos_products_quotes.item_description|aos_products_quotes.name|aos_products.description|aos_products.name',
    'lines[].qty': 'aos_products_quotes.product_qty',
    'lines[].unit_price':
      'aos_products_quotes.product_unit_price|aos_products_quotes.product_list_price',
    'lines[].gross_price':
      'aos_products_quotes.product_list_price|aos_products_quotes.product_unit_price',
    'lines[].allowances[].percent': 'aos_products_quotes.product_discount',
    'lines[].net': 'aos_products_quotes.product_total_price',
    'lines[].accounting.tax_totals[].amount': 'aos_products_quotes.vat_amt',
    'lines[].tax.rate': 'aos_products_quotes.vat',
    'lines[].tax.category': 'aos_products_quotes.vat!map',
  },
};
