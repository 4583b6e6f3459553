import type { Layout, LayoutTable } from './layout.ts';
import { at, tableOf } from './tables.ts';
import { bills, byLine, customers, type Invoice, invoices, items, netPrice } from './trade.ts';

const lines = byLine(invoices, (one, line) => ({ one, line }));
const round = (value: number) => Math.round(value * 100) / 100;
const rateOf = ({ currency }: Invoice) => (currency === 'EUR' ? 1 : 0.92);
const countries = [...new Map(customers.map((one) => [one.country, one])).values()];
const countryOf = (country: string) => countries.findIndex((one) => one.country === country) + 70;
const units = [...new Set(items.map(({ unit }) => unit))];

const isPaid = (id: number, state: number) => state === 3 && id % 3 === 0;

/** Bought things, in the table of what is sold: 1 is a purchase, 2 a refund of one. */
const bought = bills.slice(0, 10).map((one, index) => ({
  one,
  id: one.id + 700,
  number: `ACH-26-${String(index + 1).padStart(4, '0')}`,
  kind: index % 5 === 4 ? 2 : 1,
  state: 3,
  partner: 400,
  theirs: `MS-${one.id}`,
}));
const sold = invoices.map((one) => ({
  one,
  id: one.id,
  number: one.number,
  kind: one.kind === 'credit' ? 4 : 3,
  state: one.isDraft ? 1 : one.id % 17 === 0 ? 4 : 3,
  partner: one.customer.id,
  theirs: null,
}));

/** What stands in the books: neither drafts nor what was cancelled. */
const posted = invoices.filter(({ isDraft, id }) => !isDraft && id % 17 !== 0);

const record = {
  'version integer': 3,
  'archived integer': null,
  'created_by integer, updated_by integer': 1,
  'created_on timestamp, updated_on timestamp': at('2026-01-02'),
} as const;

const noise: Readonly<Record<string, LayoutTable>> = {
  sale_sale_order: tableOf(bills, {
    '*id integer': ({ id }) => id - 1000,
    sale_order_seq: ({ id }) => `SO${id}`,
    'client_partner integer': ({ customer }) => customer.id,
    'creation_date date, confirmation_date date': ({ date }) => date,
    external_reference: ({ order }) => order,
    'status_select integer': 3,
    'ex_tax_total numeric': ({ net }) => net,
    'tax_total numeric': ({ tax }) => tax,
    'in_tax_total numeric': ({ gross }) => gross,
    ...record,
  }),
  sale_sale_order_line: tableOf(
    byLine(bills, (one, line) => ({ one, line })),
    {
      '*id integer': ({ line }) => line.id - 80_000,
      'sale_order integer': ({ one }) => one.id - 1000,
      'product integer': ({ line }) => line.item.id,
      product_name: ({ line }) => line.item.name,
      'qty numeric': ({ line }) => line.quantity,
      'price numeric': ({ line }) => line.price,
      'ex_tax_total numeric': ({ line }) => line.net,
    },
  ),
  account_move: tableOf(posted, {
    '*id integer': ({ id }) => id + 5000,
    reference: ({ id }) => `VT${id}`,
    'partner integer': ({ customer }) => customer.id,
    'date_val date, accounting_date date': ({ date }) => date,
    'status_select integer': 3,
    'journal integer': 2,
    ...record,
  }),
  account_move_line: tableOf(posted, {
    '*id integer': ({ id }) => id + 6000,
    'move integer': ({ id }) => id + 5000,
    'account integer': 411,
    'debit numeric': ({ gross }) => gross,
    'credit numeric': 0,
    'due_date date': ({ due }) => due,
  }),
  account_payment_condition: {
    columns: '*id integer, code, name, type_select integer, payment_time integer',
    rows: [[1, '30J', '30 jours net', 1, 30]],
  },
  account_payment_mode: {
    columns: '*id integer, code, name, type_select integer',
    rows: [[2, 'IN_WT', 'Client transfer', 9]],
  },
  auth_user: {
    columns: '*id integer, code, name, email, password, blocked integer',
    rows: [[1, 'admin', 'Admin', 'admin@b.example', 'x', 0]],
  },
  studio_meta_select_item: {
    columns: '*id integer, title, value, order_seq integer',
    rows: [[1, 'Draft', '1', 1]],
  },
};

/** Sales, purchases and refunds in one table by numbers that nothing names, states likewise, all with a number (Axelor). */
export const selectedNumbers: Layout = {
  name: 'selected-numbers',
  isHeldOut: false,
  tables: {
    ...noise,
    account_invoice: tableOf(
      [...sold, ...bought],
      {
        '*id integer': ({ id }) => id,
        ...record,
        'import_id integer': null,
        invoice_id: ({ number }) => number,
        'operation_type_select integer': ({ kind }) => kind,
        'operation_sub_type_select integer': 1,
        'company integer': 1,
        'partner integer': ({ partner }) => partner,
        'contact_partner integer': null,
        'payment_mode integer': 2,
        'payment_condition integer': 1,
        'bank_details integer': null,
        'partner_account integer': 411,
        'address integer': ({ partner }) => partner + 100,
        address_str: ({ one }) =>
          `${one.customer.street}\n${one.customer.zip} ${one.customer.city}`,
        internal_reference: null,
        external_reference: ({ one }) => one.order || null,
        'price_list integer': null,
        'invoice_date date': ({ one }) => one.date,
        'due_date date': ({ one }) => one.due,
        'journal integer': 2,
        'move integer': ({ id, state }) => (state === 3 ? id + 5000 : null),
        'currency integer': ({ one }) => (one.currency === 'EUR' ? 46 : 148),
        'original_invoice integer': null,
        'debit_blocking_ok integer': 0,
        'reject_date date': null,
        'amount_rejected numeric': 0,
        note: null,
        'ex_tax_total numeric': ({ one }) => one.net,
        'tax_total numeric': ({ one }) => one.tax,
        'in_tax_total numeric': ({ one }) => one.gross,
        'amount_paid numeric': ({ one, state }) => (isPaid(one.id, state) ? one.gross : 0),
        'amount_remaining numeric': ({ one, state }) => (isPaid(one.id, state) ? 0 : one.gross),
        'company_ex_tax_total numeric': ({ one }) => round(one.net * rateOf(one)),
        'company_tax_total numeric': ({ one }) => round(one.tax * rateOf(one)),
        'company_in_tax_total numeric': ({ one }) => round(one.gross * rateOf(one)),
        'status_select integer': ({ state }) => state,
        'validated_by_user integer': ({ state }) => (state === 1 ? null : 1),
        'in_ati integer': 0,
        supplier_invoice_nb: ({ theirs }) => theirs,
        'company_bank_details integer': 1,
      },
      {
        partner: 'base_partner.id',
        contact_partner: 'base_partner.id',
        address: 'base_address.id',
        currency: 'base_currency.id',
        payment_condition: 'account_payment_condition.id',
        payment_mode: 'account_payment_mode.id',
        move: 'account_move.id',
        original_invoice: 'account_invoice.id',
        created_by: 'auth_user.id',
        validated_by_user: 'auth_user.id',
      },
    ),
    account_invoice_line: tableOf(
      [
        ...lines.map((each) => ({ ...each, invoice: each.one.id, id: each.line.id })),
        ...bought.map(({ one, id }) => ({
          one,
          line: one.lines[0]!,
          invoice: id,
          id: one.lines[0]!.id + 5000,
        })),
      ],
      {
        '*id integer': ({ id }) => id,
        ...record,
        'invoice integer': ({ invoice }) => invoice,
        'sequence integer': ({ line }) => line.position,
        'product integer': ({ line }) => line.item.id,
        product_name: ({ line }) => line.item.name,
        product_code: ({ line }) => line.item.code,
        'price numeric': ({ line }) => line.price,
        'in_tax_price numeric': ({ line }) => round(line.price * (1 + line.item.rate / 100)),
        'price_discounted numeric': ({ line }) => netPrice(line),
        'unit integer': ({ line }) => units.indexOf(line.item.unit) + 1,
        'qty numeric': ({ line }) => line.quantity,
        'old_qty numeric': 0,
        'ex_tax_total numeric': ({ line }) => line.net,
        'in_tax_total numeric': ({ line }) => round(line.net + line.tax),
        'tax_line integer': ({ line }) => (line.item.rate === 0 ? 9 : 8),
        'tax_equiv integer': null,
        'discount_amount numeric': ({ line }) => line.discount,
        'discount_type_select integer': ({ line }) => (line.discount === 0 ? 3 : 1),
        description: null,
        'fixed_assets integer': 0,
        'company_ex_tax_total numeric': ({ one, line }) => round(line.net * rateOf(one)),
        'company_in_tax_total numeric': ({ one, line }) =>
          round((line.net + line.tax) * rateOf(one)),
        'account integer': 701,
        'type_select integer': 0,
        'tax_rate numeric': ({ line }) => line.item.rate / 100,
        tax_code: ({ line }) => (line.item.rate === 0 ? 'EXO' : 'FR_V_20'),
        name: ({ one, line }) => `${one.number}-${line.item.name}`,
      },
      {
        invoice: 'account_invoice.id',
        product: 'base_product.id',
        unit: 'base_unit.id',
        tax_line: 'account_tax_line.id',
      },
    ),
    base_partner: tableOf(
      [
        ...customers.map((one) => ({ ...one, isCustomer: 1 })),
        { ...customers[0]!, id: 400, name: 'Mill Supplies', code: 'P0400', isCustomer: 0 },
      ],
      {
        '*id integer': ({ id }) => id,
        ...record,
        partner_seq: ({ code }) => code,
        'partner_type_select integer': 1,
        name: ({ name }) => name,
        first_name: null,
        full_name: ({ name, code }) => `${code} - ${name}`,
        simple_full_name: ({ name }) => name,
        'is_customer integer': ({ isCustomer }) => isCustomer,
        'is_supplier integer': ({ isCustomer }) => 1 - isCustomer,
        'is_prospect integer, is_contact integer': 0,
        tax_nbr: ({ vat }) => vat,
        registration_code: ({ id }) => `${552_000_000 + id}`,
        fixed_phone: ({ phone }) => phone,
        mobile_phone: null,
        'email_address integer': ({ id }) => id + 30,
        'main_address integer': ({ id }) => id + 100,
        'currency integer': 46,
      },
      { email_address: 'message_email_address.id', main_address: 'base_address.id' },
    ),
    message_email_address: tableOf(customers, {
      '*id integer': ({ id }) => id + 30,
      address: ({ email }) => email,
      name: ({ email }) => email,
    }),
    base_address: tableOf(
      [...customers, { ...customers[0]!, id: 400 }],
      {
        '*id integer': ({ id }) => id + 100,
        ...record,
        'address_l2, address_l3, address_l5': null,
        address_l4: ({ street }) => street,
        address_l6: ({ zip, city }) => `${zip} ${city}`,
        'address_l7_country integer': ({ country }) => countryOf(country),
        'city integer': ({ id }) => (id === 400 ? 203 : id + 200),
        zip: ({ zip }) => zip,
        street_number: null,
        full_name: ({ street, zip, city }) => `${street} ${zip} ${city}`,
      },
      { address_l7_country: 'base_country.id', city: 'base_city.id' },
    ),
    base_city: tableOf(
      customers,
      {
        '*id integer': ({ id }) => id + 200,
        name: ({ city }) => city,
        zip: ({ zip }) => zip,
        'country integer': ({ country }) => countryOf(country),
      },
      { country: 'base_country.id' },
    ),
    base_country: tableOf(countries, {
      '*id integer': ({ country }) => countryOf(country),
      name: ({ country }) => country,
      alpha2code: ({ countryCode }) => countryCode,
      phone_prefix: '44',
    }),
    base_currency: {
      columns: '*id integer, name, code, codeiso, symbol',
      rows: [
        [46, 'Euro', 'EUR', 'EUR', '€'],
        [148, 'US Dollar', 'USD', 'USD', '$'],
      ],
    },
    base_unit: tableOf(
      units.map((unit, index) => ({ unit, id: index + 1 })),
      {
        '*id integer': ({ id }) => id,
        name: ({ unit }) => unit,
        label_to_printing: ({ unit }) => unit.toLowerCase(),
        'unit_type_select integer': 1,
      },
    ),
    base_product: tableOf(items, {
      '*id integer': ({ id }) => id,
      code: ({ code }) => code,
      name: ({ name }) => name,
      'sale_price numeric': ({ price }) => price,
      'purchase_price numeric, cost_price numeric': ({ price }) => price / 2,
      'product_type_select integer': 2,
      'unit integer': ({ unit }) => units.indexOf(unit) + 1,
    }),
    account_tax_line: {
      columns: '*id integer, tax integer, value numeric, start_date date, end_date date',
      rows: [
        [8, 3, 0.2, '2014-01-01', null],
        [9, 4, 0, '2014-01-01', null],
      ],
      foreign: { tax: 'account_tax.id' },
    },
    account_tax: {
      columns: '*id integer, code, name',
      rows: [
        [3, 'FR_V_20', 'TVA 20 %'],
        [4, 'EXO', 'Exonéré'],
      ],
    },
  },
  sections: {
    header: {
      table: 'account_invoice',
      key: 'id',
      match: 'invoice_id',
      where: { operation_type_select: '3', status_select: '3' },
    },
    lines: { table: 'account_invoice_line', key: 'id', match: 'invoice', matchFrom: 'id' },
    customer: { table: 'base_partner', key: 'id', match: 'id', matchFrom: 'partner' },
  },
  fields: {
    number: 'account_invoice.invoice_id',
    issue_date: 'account_invoice.invoice_date|account_move.accounting_date|account_move.date_val',
    due_date: 'account_invoice.due_date',
    currency: 'base_currency.code|base_currency.codeiso',
    purchase_order: 'account_invoice.external_reference',
    buyer_reference: 'account_invoice.external_reference',
    'notes[]': 'account_invoice.note',
    'payment_terms[].note': 'account_payment_condition.name',
    'payment_means[].code': 'account_payment_mode.name!map|account_payment_mode.code!map',
    'totals.net': 'account_invoice.ex_tax_total',
    'totals.lines': 'account_invoice.ex_tax_total',
    'totals.tax': 'account_invoice.tax_total',
    'totals.gross': 'account_invoice.in_tax_total',
    'totals.due': 'account_invoice.in_tax_total|account_invoice.amount_remaining',
    'totals.paid': 'account_invoice.amount_paid',
    'buyer.name': 'base_partner.name|base_partner.simple_full_name',
    'buyer.trn': 'base_partner.tax_nbr',
    'buyer.registration_id': 'base_partner.registration_code',
    'buyer.address.line1': 'base_address.address_l4',
    'buyer.address.city': 'base_city.name',
    'buyer.address.post_code': 'base_address.zip|base_city.zip',
    'buyer.address.country': 'base_country.alpha2code|base_country.name!map',
    'buyer.contact.phone': 'base_partner.fixed_phone',
    'buyer.contact.email': 'message_email_address.address|message_email_address.name',
    'lines[].id': 'account_invoice_line.sequence|account_invoice_line.id',
    'lines[].sku':
      'account_invoice_line.product_code|base_product.code|account_invoice_line.product',
    'lines[].name': 'account_invoice_line.product_name|base_product.name',
    'lines[].description': 'account_invoice_line.product_name|base_product.name',
    'lines[].qty': 'account_invoice_line.qty',
    'lines[].unit': 'base_unit.name!map|base_unit.label_to_printing!map',
    'lines[].unit_price': 'account_invoice_line.price_discounted|account_invoice_line.price',
    'lines[].gross_price': 'account_invoice_line.price',
    'lines[].allowances[].percent': 'account_invoice_line.discount_amount',
    'lines[].net': 'account_invoice_line.ex_tax_total',
    'lines[].tax.rate': 'account_invoice_line.tax_rate!multiply|account_tax_line.value!multiply',
    'lines[].tax.category':
      'account_invoice_line.tax_code!map|account_invoice_line.tax_rate!map|account_tax.code!map|account_tax.name!map|account_tax_line.value!map',
  },
};
