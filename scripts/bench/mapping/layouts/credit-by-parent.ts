import type { Layout, LayoutTable } from './layout.ts';
import { at, tableOf } from './tables.ts';
import { bills, byLine, customers, type Invoice, invoices, items } from './trade.ts';

const round = (value: number) => Math.round(value * 100) / 100;
type Line = Invoice['lines'][number];
const isCredit = ({ kind }: Invoice) => kind === 'credit';
const sign = (one: Invoice) => (isCredit(one) ? -1 : 1);
const isPaid = ({ id, isDraft }: Invoice) => !isDraft && id % 3 === 0;
/** Draft, sent, viewed or paid. */
const stateOf = (one: Invoice) => (one.isDraft ? 1 : isPaid(one) ? 4 : one.id % 2 === 0 ? 2 : 3);
/** Discounts are an amount for each piece. */
const discountOf = ({ price, discount }: Line) => round((price * discount) / 100);
const subtotalOf = ({ price, quantity }: Line) => round(price * quantity);
const discountSum = (line: Line) => round(discountOf(line) * line.quantity);
const netOf = (line: Line) => round(subtotalOf(line) - discountSum(line));
const taxOf = (line: Line) => round((netOf(line) * line.item.rate) / 100);
const sumOf = (one: Invoice, of: (line: Line) => number) =>
  round(sign(one) * one.lines.reduce((sum, line) => sum + of(line), 0));
const gross = (one: Invoice) => round(sumOf(one, netOf) + sumOf(one, taxOf));
const lines = byLine(invoices, (one, line) => ({ one, line }));
const quoted = byLine(bills, (one, line) => ({ one, line }));
const taxId = (rate: number) => (rate === 0 ? 2 : 1);
const units: Readonly<Record<string, { id: number; name: string; plural: string }>> = {
  PCS: { id: 1, name: 'Piece', plural: 'Pieces' },
  M: { id: 2, name: 'Metre', plural: 'Metres' },
  HR: { id: 3, name: 'Hour', plural: 'Hours' },
  L: { id: 4, name: 'Litre', plural: 'Litres' },
  KG: { id: 5, name: 'Kilogram', plural: 'Kilograms' },
};
const urlKey = (id: number) => `k${String(id * 7919).padStart(31, 'q')}`;

const noise: Readonly<Record<string, LayoutTable>> = {
  ip_quotes: tableOf(bills, {
    '*quote_id int': ({ id }) => id - 3900,
    'invoice_id int': ({ id }) => id,
    'user_id int': 1,
    'client_id int': ({ customer }) => customer.id,
    'invoice_group_id int': 4,
    'quote_status_id tinyint': 4,
    'quote_date_created date': ({ date }) => date,
    'quote_date_modified datetime': ({ date }) => at(date),
    'quote_date_expires date': ({ due }) => due,
    'quote_number varchar': ({ id }) => `QUO-${id}`,
    'quote_discount_amount decimal, quote_discount_percent decimal': 0,
    'quote_url_key char': ({ id }) => urlKey(id + 1),
    'quote_password varchar': null,
    'notes longtext': '',
  }),
  ip_quote_amounts: tableOf(bills, {
    '*quote_amount_id int': ({ id }) => id - 3900,
    'quote_id int': ({ id }) => id - 3900,
    'quote_item_subtotal decimal': (one) => sumOf(one, netOf),
    'quote_item_tax_total decimal': (one) => sumOf(one, taxOf),
    'quote_tax_total decimal': 0,
    'quote_total decimal': (one) => gross(one),
  }),
  ip_quote_items: tableOf(quoted, {
    '*item_id int': ({ line }) => line.id - 80_000,
    'quote_id int': ({ one }) => one.id - 3900,
    'item_tax_rate_id int': ({ line }) => taxId(line.item.rate),
    'item_product_id int': ({ line }) => line.item.id,
    'item_date_added date': ({ one }) => one.date,
    'item_name text': ({ line }) => line.item.name,
    'item_description text': '',
    'item_quantity decimal': ({ line }) => line.quantity,
    'item_price decimal': ({ line }) => line.price,
    'item_discount_amount decimal': ({ line }) => discountOf(line),
    'item_order int': ({ line }) => line.position,
    'item_product_unit varchar': ({ line }) => units[line.item.unit]!.name,
    'item_product_unit_id int': ({ line }) => units[line.item.unit]!.id,
  }),
  ip_quote_item_amounts: tableOf(quoted, {
    '*item_amount_id int': ({ line }) => line.id - 80_000,
    'item_id int': ({ line }) => line.id - 80_000,
    'item_subtotal decimal': ({ line }) => subtotalOf(line),
    'item_tax_total decimal': ({ line }) => taxOf(line),
    'item_discount decimal': ({ line }) => discountSum(line),
    'item_total decimal': ({ line }) => round(netOf(line) + taxOf(line)),
  }),
  ip_payments: tableOf(invoices.filter(isPaid), {
    '*payment_id int': ({ id }) => id - 4000,
    'invoice_id int': ({ id }) => id,
    'payment_method_id int': 3,
    'payment_date date': ({ due }) => due,
    'payment_amount decimal': (one) => gross(one),
    'payment_note longtext': '',
  }),
  ip_invoices_recurring: {
    columns:
      '*invoice_recurring_id int, invoice_id int, recur_start_date date, recur_end_date date, recur_frequency varchar, recur_next_date date',
    rows: [[1, 4003, '2026-02-01', null, '1M', '2026-04-01']],
  },
  ip_projects: {
    columns: '*project_id int, client_id int, project_name text',
    rows: [[1, 5, 'Pump hall']],
  },
  ip_tasks: {
    columns:
      '*task_id int, project_id int, task_name text, task_description longtext, task_price decimal, task_finish_date date, task_status tinyint, tax_rate_id int',
    rows: [[1, 1, 'Fitting', '', 80, '2026-02-01', 3, 1]],
  },
  ip_item_lookups: {
    columns:
      '*item_lookup_id int, item_name varchar, item_description longtext, item_price decimal',
    rows: [[1, 'Travel', 'Travel to the site', 45]],
  },
  ip_invoice_tax_rates: {
    columns:
      '*invoice_tax_rate_id int, invoice_id int, tax_rate_id int, include_item_tax int, invoice_tax_rate_amount decimal',
    rows: [],
  },
  ip_invoice_groups: {
    columns:
      '*invoice_group_id int, invoice_group_name text, invoice_group_identifier_format varchar, invoice_group_next_id int, invoice_group_left_pad int',
    rows: [
      [3, 'Invoice Default', 'IV-{{{year}}}-{{{id}}}', 80, 4],
      [4, 'Quote Default', 'QUO-{{{id}}}', 60, 0],
    ],
  },
  ip_families: { columns: '*family_id int, family_name text', rows: [[1, 'Pumps']] },
  ip_settings: {
    columns: '*setting_id int, setting_key varchar, setting_value longtext',
    rows: [
      [1, 'default_language', 'english'],
      [2, 'currency_symbol', '€'],
      [3, 'currency_code', 'EUR'],
      [4, 'invoices_due_after', '30'],
      [5, 'read_only_toggle', '4'],
    ],
  },
  ip_custom_fields: {
    columns:
      '*custom_field_id int, custom_field_table varchar, custom_field_label varchar, custom_field_type varchar, custom_field_location int, custom_field_order int',
    rows: [[1, 'ip_invoice_custom', 'Purchase order', 'TEXT', 0, 1]],
  },
  ip_email_templates: {
    columns:
      '*email_template_id int, email_template_title text, email_template_type varchar, email_template_body longtext, email_template_subject text, email_template_from_name text, email_template_from_email text',
    rows: [
      [
        1,
        'Invoice',
        'invoice',
        'Dear {{{client_name}}}',
        'Invoice {{{invoice_number}}}',
        'Lena',
        'l@b.example',
      ],
    ],
  },
  ip_client_notes: {
    columns: '*client_note_id int, client_id int, client_note_date date, client_note longtext',
    rows: [[1, 4, '2026-01-08', 'Pays late']],
  },
  ip_versions: {
    columns:
      '*version_id int, version_date_applied varchar, version_file varchar, version_sql_errors int',
    rows: [
      [1, '1735689600', '000_1.0.0.sql', 0],
      [2, '1735689601', '040_1.6.1.sql', 0],
    ],
  },
};

/**
 * No declared keys; a credit note names the invoice it corrects; sums of invoices and of lines in tables beside theirs;
 * discounts as an amount for each piece; the firm that sells is a user (InvoicePlane 1.6).
 */
export const creditByParent: Layout = {
  name: 'credit-by-parent',
  isHeldOut: false,
  tables: {
    ...noise,
    ip_invoices: tableOf(invoices, {
      '*invoice_id int': ({ id }) => id,
      'user_id int': 1,
      'client_id int': ({ customer }) => customer.id,
      'invoice_group_id int': 3,
      'invoice_status_id tinyint': (one) => stateOf(one),
      'is_read_only tinyint': (one) => (isPaid(one) ? 1 : null),
      'invoice_password varchar': '',
      'invoice_date_created date': ({ date }) => date,
      'invoice_time_created time': '10:41:07',
      'invoice_date_modified datetime': ({ due }) => at(due),
      'invoice_date_due date': ({ due }) => due,
      'invoice_number varchar': ({ id }) => `IV-2026-${String(id - 4000).padStart(4, '0')}`,
      'invoice_discount_amount decimal, invoice_discount_percent decimal': 0,
      'invoice_terms longtext': 'Payable within 30 days without deduction.',
      'invoice_url_key char': ({ id }) => urlKey(id),
      'payment_method int': ({ id }) => (id % 5 === 0 ? 2 : 3),
      'creditinvoice_parent_id int': (one) => (isCredit(one) ? one.id - 1 : null),
    }),
    ip_invoice_amounts: tableOf(invoices, {
      '*invoice_amount_id int': ({ id }) => id - 3000,
      'invoice_id int': ({ id }) => id,
      'invoice_sign varchar': (one) => String(sign(one)),
      'invoice_item_subtotal decimal': (one) => sumOf(one, netOf),
      'invoice_item_tax_total decimal': (one) => sumOf(one, taxOf),
      'invoice_tax_total decimal': 0,
      'invoice_total decimal': (one) => gross(one),
      'invoice_paid decimal': (one) => (isPaid(one) ? gross(one) : 0),
      'invoice_balance decimal': (one) => (isPaid(one) ? 0 : gross(one)),
    }),
    ip_invoice_items: tableOf(lines, {
      '*item_id int': ({ line }) => line.id,
      'invoice_id int': ({ one }) => one.id,
      'item_tax_rate_id int': ({ line }) => taxId(line.item.rate),
      'item_product_id int': ({ line }) => line.item.id,
      'item_date_added date': ({ one }) => one.date,
      'item_task_id int': null,
      'item_name text': ({ line }) => line.item.name,
      'item_description longtext': ({ line }) => `${line.item.name}, boxed`,
      'item_quantity decimal': ({ one, line }) => sign(one) * line.quantity,
      'item_price decimal': ({ line }) => line.price,
      'item_discount_amount decimal': ({ line }) => discountOf(line) || null,
      'item_order int': ({ line }) => line.position,
      'item_is_recurring tinyint': 0,
      'item_product_unit varchar': ({ line }) =>
        line.quantity > 1 ? units[line.item.unit]!.plural : units[line.item.unit]!.name,
      'item_product_unit_id int': ({ line }) => units[line.item.unit]!.id,
      'item_date date': null,
    }),
    ip_invoice_item_amounts: tableOf(lines, {
      '*item_amount_id int': ({ line }) => line.id - 60_000,
      'item_id int': ({ line }) => line.id,
      'item_subtotal decimal': ({ one, line }) => sign(one) * subtotalOf(line),
      'item_tax_total decimal': ({ one, line }) => sign(one) * taxOf(line),
      'item_discount decimal': ({ one, line }) => sign(one) * discountSum(line),
      'item_total decimal': ({ one, line }) => sign(one) * round(netOf(line) + taxOf(line)),
    }),
    ip_invoice_custom: tableOf(
      invoices.filter(({ order }) => order !== ''),
      {
        '*invoice_custom_id int': (_one, index) => index + 1,
        'invoice_id int': ({ id }) => id,
        'invoice_custom_fieldid int': 1,
        'invoice_custom_fieldvalue text': ({ order }) => order,
      },
    ),
    ip_clients: tableOf(customers, {
      '*client_id int': ({ id }) => id,
      'client_date_created datetime': at('2025-03-02'),
      'client_date_modified datetime': at('2025-11-20'),
      'client_name text': ({ name }) => name,
      'client_address_1 text': ({ street }) => street,
      'client_address_2 text': '',
      'client_city text': ({ city }) => city,
      'client_state text': ({ state }) => state,
      'client_zip text': ({ zip }) => zip,
      'client_country text': ({ countryCode }) => countryCode,
      'client_phone text': ({ phone }) => phone,
      'client_fax text': '',
      'client_mobile text': '',
      'client_email text': ({ email }) => email,
      'client_web text': '',
      'client_vat_id text': ({ vat }) => vat,
      'client_tax_code text': '',
      'client_language varchar': 'system',
      'client_active int': 1,
      'client_surname varchar': null,
      'client_avs varchar, client_insurednumber varchar, client_veka varchar': null,
      'client_birthdate date': null,
      'client_gender int': 0,
    }),
    ip_users: tableOf(
      [
        { id: 1, name: 'Lena Kurz', company: 'Drawbridge Pumps', type: 1, mail: 'l@b.example' },
        { id: 2, name: 'Tax adviser', company: '', type: 2, mail: 'tax@b.example' },
      ],
      {
        '*user_id int': ({ id }) => id,
        'user_type int': ({ type }) => type,
        'user_active tinyint': 1,
        'user_date_created datetime, user_date_modified datetime': at('2025-01-01'),
        'user_language varchar': 'system',
        'user_name text': ({ name }) => name,
        'user_company text': ({ company }) => company,
        'user_address_1 text': 'Kai 9',
        'user_address_2 text': '',
        'user_city text': 'Hamburg',
        'user_state text': 'HH',
        'user_zip text': '20457',
        'user_country text': 'DE',
        'user_phone text': '+49 40 1',
        'user_fax text, user_mobile text': '',
        'user_email text': ({ mail }) => mail,
        'user_password varchar': '$2a$10$abcdefghijklmnopqrstuv',
        'user_web text': '',
        'user_vat_id text': 'DE123456789',
        'user_tax_code text': '22/815/08154',
        'user_psalt text': 'abcdefghijklmnopqrstuv',
        'user_all_clients int': 1,
        'user_passwordreset_token varchar': '',
        'user_subscribernumber varchar': null,
        'user_iban varchar': 'DE02120300000000202051',
        'user_gln bigint, user_rcc varchar': null,
      },
    ),
    ip_tax_rates: {
      columns: '*tax_rate_id int, tax_rate_name text, tax_rate_percent decimal',
      rows: [
        [1, 'VAT', 20],
        [2, 'Zero rated', 0],
      ],
    },
    ip_payment_methods: {
      columns: '*payment_method_id int, payment_method_name text',
      rows: [
        [1, 'Cash'],
        [2, 'Credit Card'],
        [3, 'Bank transfer'],
      ],
    },
    ip_units: tableOf(Object.values(units), {
      '*unit_id int': ({ id }) => id,
      'unit_name varchar': ({ name }) => name,
      'unit_name_plrl varchar': ({ plural }) => plural,
    }),
    ip_products: tableOf(items, {
      '*product_id int': ({ id }) => id,
      'family_id int': 1,
      'product_sku text': ({ code }) => code,
      'product_name text': ({ name }) => name,
      'product_description longtext': ({ name }) => `${name}, boxed`,
      'product_price decimal': ({ price }) => price,
      'purchase_price decimal': ({ price }) => price / 2,
      'provider_name text': 'Mill Supplies',
      'tax_rate_id int': ({ rate }) => taxId(rate),
      'unit_id int': ({ unit }) => units[unit]!.id,
      'product_tariff int': null,
    }),
  },
  sections: {
    header: {
      table: 'ip_invoices',
      key: 'invoice_id',
      match: 'invoice_number',
      where: { creditinvoice_parent_id: null },
    },
    lines: {
      table: 'ip_invoice_items',
      key: 'item_id',
      match: 'invoice_id',
      matchFrom: 'invoice_id',
    },
    customer: { table: 'ip_clients', key: 'client_id', match: 'client_id', matchFrom: 'client_id' },
  },
  fields: {
    number: 'ip_invoices.invoice_number',
    issue_time: 'ip_invoices.invoice_time_created',
    issue_date: 'ip_invoices.invoice_date_created',
    due_date: 'ip_invoices.invoice_date_due',
    purchase_order: 'ip_invoice_custom.invoice_custom_fieldvalue',
    buyer_reference: 'ip_invoice_custom.invoice_custom_fieldvalue',
    'notes[]': 'ip_invoices.invoice_terms',
    'payment_terms[].note': 'ip_invoices.invoice_terms',
    'payment_means[].code':
      'ip_payment_methods.payment_method_name!map|ip_invoices.payment_method!map',
    'totals.net': 'ip_invoice_amounts.invoice_item_subtotal',
    'totals.lines': 'ip_invoice_amounts.invoice_item_subtotal',
    'totals.tax': 'ip_invoice_amounts.invoice_item_tax_total',
    'totals.gross': 'ip_invoice_amounts.invoice_total',
    'totals.due': 'ip_invoice_amounts.invoice_total',
    'seller.name': 'ip_users.user_company',
    'seller.trn': 'ip_users.user_vat_id',
    'seller.tin': 'ip_users.user_tax_code',
    'seller.address.line1': 'ip_users.user_address_1',
    'seller.address.city': 'ip_users.user_city',
    'seller.address.subdivision': 'ip_users.user_state',
    'seller.address.country': 'ip_users.user_country',
    'seller.contact.phone': 'ip_users.user_phone',
    'buyer.name': 'ip_clients.client_name',
    'buyer.trn': 'ip_clients.client_vat_id',
    'PINT-MY:buyer.identifiers[].id': 'ip_clients.client_vat_id',
    'buyer.address.line1': 'ip_clients.client_address_1',
    'buyer.address.line2': 'ip_clients.client_address_2',
    'buyer.address.city': 'ip_clients.client_city',
    'buyer.address.subdivision': 'ip_clients.client_state',
    'buyer.address.post_code': 'ip_clients.client_zip',
    'buyer.address.country': 'ip_clients.client_country',
    'buyer.contact.phone': 'ip_clients.client_phone',
    'buyer.contact.email': 'ip_clients.client_email',
    'lines[].id': 'ip_invoice_items.item_order|ip_invoice_items.item_id',
    'lines[].sku': 'ip_products.product_sku',
    'lines[].name': 'ip_invoice_items.item_name|ip_products.product_name',
    'lines[].description':
      'ip_invoice_items.item_description|ip_invoice_items.item_name|ip_products.product_description|ip_products.product_name',
    'lines[].qty': 'ip_invoice_items.item_quantity',
    'lines[].unit':
      'ip_invoice_items.item_product_unit!map|ip_invoice_items.item_product_unit_id!map|ip_units.unit_name!map|ip_units.unit_name_plrl!map',
    'lines[].unit_price': 'ip_invoice_items.item_price',
    'lines[].gross_price': 'ip_invoice_items.item_price',
    'lines[].allowances[].amount':
      'ip_invoice_item_amounts.item_discount|ip_invoice_items.item_discount_amount!multiply',
    'lines[].net': 'ip_invoice_item_amounts.item_subtotal!subtract',
    'lines[].accounting.amount': 'ip_invoice_item_amounts.item_total',
    'lines[].accounting.tax_totals[].amount': 'ip_invoice_item_amounts.item_tax_total',
    'lines[].tax.rate': 'ip_tax_rates.tax_rate_percent',
    'lines[].tax.category':
      'ip_tax_rates.tax_rate_percent!map|ip_tax_rates.tax_rate_name!map|ip_invoice_items.item_tax_rate_id!map',
  },
};
