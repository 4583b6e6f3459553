import type { Layout } from './layout.ts';
import { at, tableOf } from './tables.ts';
import { byLine, customers, type Invoice, invoices, items } from './trade.ts';

const stateOf = ({ id, isDraft }: Invoice) =>
  isDraft ? 'draft' : id % 19 === 0 ? 'cancelled' : id % 3 === 0 ? 'paid' : 'posted';
const numberOf = ({ id, isDraft }: Invoice) =>
  isDraft ? null : String(id - 4000).padStart(4, '0');
const sign = ({ kind }: Invoice) => (kind === 'credit' ? -1 : 1);
const bought = invoices.slice(0, 16);
const lines = byLine(invoices, (one, line) => ({ one, line }));
const units = [...new Set(items.map(({ unit }) => unit))];
const countries = [...new Set(customers.map(({ countryCode }) => countryCode))];
const countryId = (code: string) => countries.indexOf(code) + 70;

/** References are named after what they refer to, without "id"; rates are fractions; credit notes are negative (Tryton). */
export const bareReferences: Layout = {
  name: 'bare-references',
  isHeldOut: false,
  tables: {
    account_invoice: tableOf(
      [
        ...invoices.map((one) => ({ one, isSale: true })),
        ...bought.map((one) => ({ one, isSale: false })),
      ],
      {
        '*id integer': ({ one, isSale }) => (isSale ? one.id : one.id - 1000),
        'company integer': 1,
        type: ({ isSale }) => (isSale ? 'out' : 'in'),
        number: ({ one, isSale }) => (isSale ? numberOf(one) : `S${one.id}`),
        reference: ({ one }) => one.order || null,
        description: null,
        state: ({ one }) => stateOf(one),
        'invoice_date date': ({ one }) => (one.isDraft ? null : one.date),
        'accounting_date date, payment_term_date date': null,
        'sequence integer': ({ one }) => (one.isDraft ? null : one.id - 4000),
        'party integer': ({ one, isSale }) => one.customer.id + (isSale ? 0 : 50),
        'party_tax_identifier integer': ({ one, isSale }) =>
          isSale ? one.customer.id + 100 : null,
        'tax_identifier integer': 99,
        'invoice_address integer': ({ one }) => one.customer.id + 200,
        'currency integer': ({ one }) => (one.currency === 'EUR' ? 1 : 2),
        'journal integer': ({ isSale }) => (isSale ? 1 : 2),
        'move integer': ({ one }) => (one.isDraft ? null : one.id + 7000),
        'cancel_move integer': null,
        'account integer': 12,
        'payment_term integer': ({ one }) => (one.id % 2 === 0 ? 1 : 2),
        comment: ({ one }) => (one.id % 8 === 0 ? 'Delivered in two parcels' : null),
        'untaxed_amount_cache numeric': ({ one }) => one.net * sign(one),
        'tax_amount_cache numeric': ({ one }) => one.tax * sign(one),
        'total_amount_cache numeric': ({ one }) => one.gross * sign(one),
        'validated_by integer, posted_by integer': 1,
        'create_date timestamp, write_date timestamp': ({ one }) => at(one.date),
        'create_uid integer, write_uid integer': 3,
      },
      {
        party: 'party_party.id',
        invoice_address: 'party_address.id',
        party_tax_identifier: 'party_identifier.id',
        currency: 'currency_currency.id',
        payment_term: 'account_invoice_payment_term.id',
        company: 'company_company.id',
      },
    ),
    account_invoice_line: tableOf(
      lines,
      {
        '*id integer': ({ line }) => line.id,
        'invoice integer': ({ one }) => one.id,
        invoice_type: null,
        'party integer': null,
        'currency integer': ({ one }) => (one.currency === 'EUR' ? 1 : 2),
        'company integer': 1,
        type: 'line',
        'sequence integer': ({ line }) => line.position * 10,
        'quantity numeric': ({ one, line }) => line.quantity * sign(one),
        'unit integer': ({ line }) => units.indexOf(line.item.unit) + 1,
        'product integer': ({ line }) => line.item.id,
        'account integer': 44,
        'unit_price numeric': ({ line }) =>
          Math.round((line.net / line.quantity) * 10_000) / 10_000,
        description: ({ line }) =>
          line.id % 2 === 0 ? line.item.name : `${line.item.name}, boxed`,
        'note, origin': null,
        'taxes_date date': null,
        'create_date timestamp': ({ one }) => at(one.date),
        'create_uid integer': 3,
      },
      {
        invoice: 'account_invoice.id',
        unit: 'product_uom.id',
        product: 'product_product.id',
        currency: 'currency_currency.id',
      },
    ),
    account_invoice_line_account_tax: tableOf(
      lines,
      {
        '*id integer': ({ line }) => line.id + 400,
        'line integer': ({ line }) => line.id,
        'tax integer': ({ line }) => (line.item.rate === 0 ? 2 : 1),
      },
      { line: 'account_invoice_line.id', tax: 'account_tax.id' },
    ),
    account_tax: {
      columns:
        '*id integer, name, description, type, rate numeric, amount numeric, "group" integer, active boolean, sequence integer, invoice_account integer',
      rows: [
        [1, 'VAT 20%', 'VAT 20%', 'percentage', 0.2, null, 1, 'true', 1, 60],
        [2, 'VAT 0%', 'VAT 0%', 'percentage', 0, null, 1, 'true', 2, 60],
      ],
    },
    account_invoice_tax: tableOf(
      invoices,
      {
        '*id integer': ({ id }) => id + 100,
        'invoice integer': ({ id }) => id,
        description: 'VAT 20%',
        'sequence integer': null,
        'account integer': 60,
        'base numeric': (one) => one.net * sign(one),
        'amount numeric': (one) => one.tax * sign(one),
        'manual boolean': 'false',
        'tax integer': 1,
      },
      { invoice: 'account_invoice.id', tax: 'account_tax.id' },
    ),
    party_party: tableOf(
      [
        ...customers.map(({ id, code, name }) => ({ id, code, name })),
        ...customers.map(({ id }) => ({ id: id + 50, code: `S${id}`, name: `Supplier ${id}` })),
        { id: 1, code: '1', name: 'Our Company' },
      ],
      {
        '*id integer': ({ id }) => id,
        name: ({ name }) => name,
        code: ({ code }) => code,
        'active boolean': 'true',
        'lang integer, replaced_by integer': null,
        'create_date timestamp': at('2024-03-03'),
      },
    ),
    party_address: tableOf(
      customers,
      {
        '*id integer': ({ id }) => id + 200,
        'party integer': ({ id }) => id,
        party_name: null,
        name: null,
        street: ({ street }) => street,
        postal_code: ({ zip }) => zip,
        city: ({ city }) => city,
        'country integer': ({ countryCode }) => countryId(countryCode),
        'subdivision integer': ({ id }) => id + 500,
        'active boolean': 'true',
        'sequence integer': null,
      },
      {
        party: 'party_party.id',
        country: 'country_country.id',
        subdivision: 'country_subdivision.id',
      },
    ),
    party_identifier: tableOf(
      [...customers.map(({ id, vat }) => ({ id, vat })), { id: -1, vat: 'DE999888777' }],
      {
        '*id integer': ({ id }) => id + 100,
        'party integer': ({ id }) => (id === -1 ? 1 : id),
        type: 'eu_vat',
        code: ({ vat }) => vat,
        'sequence integer': null,
      },
      { party: 'party_party.id' },
    ),
    party_contact_mechanism: tableOf(
      customers.flatMap((one) => [
        { one, type: 'phone', value: one.phone },
        { one, type: 'email', value: one.email },
      ]),
      {
        '*id integer': (_row, index) => index + 1,
        'party integer': ({ one }) => one.id,
        type: ({ type }) => type,
        value: ({ value }) => value,
        name: null,
        'active boolean': 'true',
      },
      { party: 'party_party.id' },
    ),
    country_country: tableOf(countries, {
      '*id integer': (code) => countryId(code),
      name: (code) => customers.find(({ countryCode }) => countryCode === code)!.country,
      code: (code) => code,
      code3: (code) => `${code}X`,
      code_numeric: (_code, index) => String(100 + index),
    }),
    country_subdivision: tableOf(
      customers,
      {
        '*id integer': ({ id }) => id + 500,
        'country integer': ({ countryCode }) => countryId(countryCode),
        name: ({ city }) => `${city} State`,
        code: ({ countryCode, state }) => `${countryCode}-${state}`,
        type: 'state',
      },
      { country: 'country_country.id' },
    ),
    currency_currency: {
      columns: '*id integer, name, symbol, code, numeric_code, rounding numeric, digits integer',
      rows: [
        [1, 'Euro', '€', 'EUR', '978', 0.01, 2],
        [2, 'U.S. Dollar', '$', 'USD', '840', 0.01, 2],
      ],
    },
    company_company: {
      columns: '*id integer, party integer, currency integer, timezone, header, footer',
      rows: [[1, 1, 1, 'Europe/Berlin', null, null]],
      foreign: { party: 'party_party.id', currency: 'currency_currency.id' },
    },
    product_uom: tableOf(units, {
      '*id integer': (_unit, index) => index + 1,
      name: (unit) => `Unit ${unit}`,
      symbol: (unit) => unit.toLowerCase(),
      'category integer': 1,
      'factor numeric, rate numeric': 1,
      'active boolean': 'true',
    }),
    product_product: tableOf(
      items,
      {
        '*id integer': ({ id }) => id,
        'template integer': ({ id }) => id + 800,
        code: ({ code }) => code,
        suffix_code: null,
        description: null,
        'active boolean': 'true',
      },
      { template: 'product_template.id' },
    ),
    product_template: tableOf(items, {
      '*id integer': ({ id }) => id + 800,
      name: ({ name }) => name,
      type: 'goods',
      'default_uom integer': ({ unit }) => units.indexOf(unit) + 1,
      'list_price numeric': ({ price }) => price,
      'salable boolean': 'true',
    }),
    account_invoice_payment_term: {
      columns: '*id integer, name, description, active boolean',
      rows: [
        [1, '30 days', 'Payable in 30 days', 'true'],
        [2, 'Immediate', 'Payable at once', 'true'],
      ],
    },
    account_move: tableOf(
      invoices.filter(({ isDraft }) => !isDraft),
      {
        '*id integer': ({ id }) => id + 7000,
        number: ({ id }) => String(id),
        'date date': ({ date }) => date,
        'journal integer': 1,
        'period integer': 3,
        state: 'posted',
        origin: ({ id }) => `account.invoice,${id}`,
        description: null,
      },
    ),
    sale_sale: tableOf(invoices, {
      '*id integer': ({ id }) => id + 300,
      number: ({ id }) => `SO${id}`,
      'party integer': ({ customer }) => customer.id,
      'sale_date date': ({ date }) => date,
      'invoice_address integer': ({ customer }) => customer.id + 200,
      'currency integer': 1,
      state: 'done',
      'total_amount_cache numeric': ({ gross }) => gross,
    }),
  },
  sections: {
    header: { table: 'account_invoice', key: 'id', match: 'number', where: { type: 'out' } },
    lines: { table: 'account_invoice_line', key: 'id', match: 'invoice', matchFrom: 'id' },
    customer: { table: 'party_party', key: 'id', match: 'id', matchFrom: 'party' },
  },
  fields: {
    number: 'account_invoice.number',
    issue_date: 'account_invoice.invoice_date',
    currency: 'currency_currency.code',
    purchase_order: 'account_invoice.reference',
    buyer_reference: 'account_invoice.reference',
    'notes[]': 'account_invoice.comment',
    'payment_terms[].note':
      'account_invoice_payment_term.name|account_invoice_payment_term.description',
    'totals.net': 'account_invoice.untaxed_amount_cache',
    'totals.lines': 'account_invoice.untaxed_amount_cache',
    'totals.tax': 'account_invoice.tax_amount_cache',
    'totals.gross': 'account_invoice.total_amount_cache',
    'totals.due': 'account_invoice.total_amount_cache',
    'buyer.name': 'party_party.name',
    'buyer.trn': 'party_identifier.code',
    'buyer.address.line1': 'party_address.street',
    'buyer.address.city': 'party_address.city',
    'buyer.address.post_code': 'party_address.postal_code',
    'buyer.address.country': 'country_country.code|country_country.name!map',
    'buyer.address.subdivision': 'country_subdivision.code|country_subdivision.name',
    'buyer.contact.phone': 'party_contact_mechanism.value',
    'buyer.contact.email': 'party_contact_mechanism.value',
    'lines[].id': 'account_invoice_line.sequence|account_invoice_line.id',
    'lines[].sku': 'product_product.code|account_invoice_line.product',
    'lines[].name': 'account_invoice_line.description|product_template.name',
    'lines[].description': 'account_invoice_line.description|product_template.name',
    'lines[].qty': 'account_invoice_line.quantity',
    'lines[].unit': 'product_uom.symbol!map|product_uom.name!map',
    'lines[].unit_price': 'account_invoice_line.unit_price',
    'lines[].gross_price': 'account_invoice_line.unit_price',
    'lines[].tax.rate': 'account_tax.rate!multiply',
    'lines[].tax.category':
      'account_tax.rate!map|account_tax.name!map|account_tax.description!map|account_invoice_line_account_tax.tax!map',
    'tax_breakdown[].amount': 'account_invoice_tax.amount',
    'tax_breakdown[].taxable': 'account_invoice_tax.base',
  },
};
