import type { Layout } from './layout.ts';
import { byLine, credits, customers, invoices, netPrice } from './trade.ts';

const cents = (amount: number) => Math.round(amount * 100);
const epoch = (date: string) => Date.parse(`${date}T10:00:00Z`) / 1000;
const sold = invoices.filter(({ kind }) => kind === 'invoice');

/** Amounts in cents, moments in seconds, ids of letters, credit notes in a table of their own. */
export const inCents: Layout = {
  name: 'cents',
  isHeldOut: false,
  tables: {
    invoices: {
      columns:
        '*id, number, customer, status, created integer, due_date integer, currency, subtotal integer, tax integer, total integer, ' +
        'amount_paid integer, amount_due integer, description, metadata, livemode integer',
      rows: sold.map((one) => [
        `in_${one.id}`,
        one.isDraft ? null : one.number,
        `cus_${one.customer.id}`,
        one.isDraft ? 'draft' : 'open',
        epoch(one.date),
        epoch(one.due),
        one.currency.toLowerCase(),
        cents(one.net),
        cents(one.tax),
        cents(one.gross),
        0,
        cents(one.gross),
        null,
        '{}',
        1,
      ]),
    },
    invoice_items: {
      columns:
        '*id, invoice, product, description, quantity integer, unit_amount integer, amount integer, tax_rate, period_start integer, proration integer',
      rows: byLine(sold, (one, line) => [
        `il_${line.id}`,
        `in_${one.id}`,
        line.item.code,
        line.item.name,
        line.quantity,
        cents(netPrice(line)),
        cents(netPrice(line)) * line.quantity,
        line.item.rate === 0 ? 'txr_z' : 'txr_s',
        epoch(one.date),
        0,
      ]),
    },
    customers: {
      columns:
        '*id, name, email, phone, address_line1, address_line2, address_city, address_postal_code, address_state, address_country, tax_id, created integer, balance integer',
      rows: customers.map((one) => [
        `cus_${one.id}`,
        one.name,
        one.email,
        one.phone,
        one.street,
        null,
        one.city,
        one.zip,
        one.state,
        one.countryCode,
        one.vat,
        epoch('2025-01-01'),
        0,
      ]),
    },
    tax_rates: {
      columns: '*id, display_name, percentage numeric, inclusive integer, jurisdiction',
      rows: [
        ['txr_s', 'VAT', 20, 0, 'GB'],
        ['txr_z', 'Zero', 0, 0, 'GB'],
      ],
    },
    credit_notes: {
      columns:
        '*id, number, invoice, customer, created integer, currency, subtotal integer, tax integer, total integer, reason',
      rows: credits.map((one) => [
        `cn_${one.id}`,
        one.number,
        `in_${one.id - 1}`,
        `cus_${one.customer.id}`,
        epoch(one.date),
        'eur',
        cents(one.net),
        cents(one.tax),
        cents(one.gross),
        'x',
      ]),
    },
    credit_note_lines: {
      columns:
        '*id, credit_note, description, quantity integer, unit_amount integer, amount integer',
      rows: byLine(credits, (one, line) => [
        `cnl_${line.id}`,
        `cn_${one.id}`,
        line.item.name,
        line.quantity,
        cents(netPrice(line)),
        cents(netPrice(line)) * line.quantity,
      ]),
    },
    charges: {
      columns: '*id, amount integer, currency, customer, invoice, paid integer, created integer',
      rows: sold
        .slice(0, 20)
        .map((one) => [
          `ch_${one.id}`,
          cents(one.gross),
          'eur',
          `cus_${one.customer.id}`,
          `in_${one.id}`,
          1,
          epoch(one.due),
        ]),
    },
  },
  sections: {
    header: { table: 'invoices', key: 'id', match: 'number', where: { status: 'open' } },
    lines: { table: 'invoice_items', key: 'id', match: 'invoice', matchFrom: 'id' },
    customer: { table: 'customers', key: 'id', match: 'id', matchFrom: 'customer' },
  },
  fields: {
    number: 'invoices.number',
    issue_date: 'invoices.created!date',
    due_date: 'invoices.due_date!date',
    currency: 'invoices.currency!upper',
    'totals.net': 'invoices.subtotal!divide,multiply',
    'totals.lines': 'invoices.subtotal!divide,multiply',
    'totals.tax': 'invoices.tax!divide,multiply',
    'totals.gross': 'invoices.total!divide,multiply',
    'totals.due': 'invoices.amount_due!divide,multiply|invoices.total!divide,multiply',
    'buyer.name': 'customers.name',
    'buyer.trn': 'customers.tax_id',
    'buyer.address.line1': 'customers.address_line1',
    'buyer.address.city': 'customers.address_city',
    'buyer.address.subdivision': 'customers.address_state',
    'buyer.address.post_code': 'customers.address_postal_code',
    'buyer.address.country': 'customers.address_country',
    'buyer.contact.phone': 'customers.phone',
    'buyer.contact.email': 'customers.email',
    'lines[].id': 'invoice_items.id',
    'lines[].sku': 'invoice_items.product',
    'lines[].name': 'invoice_items.description',
    'lines[].description': 'invoice_items.description',
    'lines[].qty': 'invoice_items.quantity',
    'lines[].unit_price': 'invoice_items.unit_amount!divide,multiply',
    'lines[].gross_price': 'invoice_items.unit_amount!divide,multiply',
    'lines[].net': 'invoice_items.amount!divide,multiply',
    'lines[].tax.category':
      'tax_rates.percentage!map|tax_rates.display_name!map|invoice_items.tax_rate!map',
    'lines[].tax.rate': 'tax_rates.percentage',
  },
};
