import type { Layout } from './layout.ts';
import { byLine, customers, invoices, items, netPrice } from './trade.ts';

const sold = invoices;
const sign = (kind: string) => (kind === 'credit' ? -1 : 1);

/** Amounts of documents and lines in tables beside theirs; states as numbers; credit notes are negative. */
export const amountsApart: Layout = {
  name: 'amounts-apart',
  isHeldOut: false,
  tables: {
    ip_invoices: {
      columns:
        '*invoice_id integer, user_id integer, client_id integer, invoice_group_id integer, invoice_status_id integer, invoice_date_created date, ' +
        'invoice_date_modified datetime, invoice_date_due date, invoice_number, invoice_terms, invoice_url_key, payment_method integer, creditinvoice_parent_id integer',
      rows: sold.map((one) => [
        one.id,
        1,
        one.customer.id,
        3,
        one.isDraft ? 1 : 2,
        one.date,
        `${one.date} 10:00:00`,
        one.due,
        one.isDraft ? null : one.number,
        'Net 30 days',
        `k${one.id}x`,
        1,
        null,
      ]),
    },
    ip_invoice_amounts: {
      columns:
        '*invoice_amount_id integer, invoice_id integer, invoice_sign, invoice_item_subtotal numeric, invoice_item_tax_total numeric, invoice_tax_total numeric, invoice_total numeric, invoice_paid numeric, invoice_balance numeric',
      rows: sold.map((one) => [
        one.id + 100,
        one.id,
        String(sign(one.kind)),
        sign(one.kind) * one.net,
        sign(one.kind) * one.tax,
        0,
        sign(one.kind) * one.gross,
        0,
        sign(one.kind) * one.gross,
      ]),
    },
    ip_invoice_items: {
      columns:
        '*item_id integer, invoice_id integer, item_tax_rate_id integer, item_product_id integer, item_date_added date, item_name, item_description, item_quantity numeric, item_price numeric, item_discount_amount numeric, item_order integer, item_product_unit',
      rows: byLine(sold, (one, line) => [
        line.id,
        one.id,
        line.item.rate === 0 ? 2 : 1,
        line.item.id,
        one.date,
        line.item.name,
        null,
        sign(one.kind) * line.quantity,
        netPrice(line),
        null,
        line.position,
        line.item.unit,
      ]),
    },
    ip_invoice_item_amounts: {
      columns:
        '*item_amount_id integer, item_id integer, item_subtotal numeric, item_tax_total numeric, item_discount numeric, item_total numeric',
      rows: byLine(sold, (one, line) => {
        const net = Math.round(sign(one.kind) * line.quantity * netPrice(line) * 100) / 100;
        return [
          line.id + 7,
          line.id,
          net,
          sign(one.kind) * line.tax,
          null,
          net + sign(one.kind) * line.tax,
        ];
      }),
    },
    ip_clients: {
      columns:
        '*client_id integer, client_date_created datetime, client_name, client_surname, client_address_1, client_address_2, client_city, client_state, client_zip, client_country, client_phone, client_fax, client_email, client_web, client_vat_id, client_tax_code, client_active integer',
      rows: customers.map((one) => [
        one.id,
        '2025-01-01 10:00:00',
        one.name,
        null,
        one.street,
        '',
        one.city,
        one.state,
        one.zip,
        one.countryCode,
        one.phone,
        '',
        one.email,
        '',
        one.vat,
        '',
        1,
      ]),
    },
    ip_tax_rates: {
      columns: '*tax_rate_id integer, tax_rate_name, tax_rate_percent numeric',
      rows: [
        [1, 'Standard', 20],
        [2, 'Zero', 0],
      ],
    },
    ip_products: {
      columns:
        '*product_id integer, family_id integer, product_sku, product_name, product_description, product_price numeric, purchase_price numeric',
      rows: items.map((one) => [one.id, 1, one.code, one.name, one.name, one.price, one.price / 2]),
    },
    ip_quotes: {
      columns:
        '*quote_id integer, client_id integer, quote_status_id integer, quote_date_created date, quote_date_expires date, quote_number',
      rows: sold
        .slice(0, 12)
        .map((one) => [one.id, one.customer.id, 1, one.date, one.due, `Q${one.id}`]),
    },
    ip_quote_items: {
      columns:
        '*item_id integer, quote_id integer, item_name, item_quantity numeric, item_price numeric, item_order integer',
      rows: byLine(sold.slice(0, 12), (one, line) => [
        line.id,
        one.id,
        line.item.name,
        line.quantity,
        line.price,
        line.position,
      ]),
    },
    ip_payments: {
      columns:
        '*payment_id integer, invoice_id integer, payment_method_id integer, payment_date date, payment_amount numeric, payment_note',
      rows: sold.slice(0, 15).map((one) => [one.id, one.id, 1, one.due, one.gross, '']),
    },
    ip_payment_methods: {
      columns: '*payment_method_id integer, payment_method_name',
      rows: [
        [1, 'Bank transfer'],
        [2, 'Cash'],
      ],
    },
  },
  sections: {
    header: { table: 'ip_invoices', key: 'invoice_id', match: 'invoice_number' },
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
    issue_date: 'ip_invoices.invoice_date_created',
    due_date: 'ip_invoices.invoice_date_due',
    'payment_terms[].note': 'ip_invoices.invoice_terms',
    'payment_means[].code': 'ip_payment_methods.payment_method_name!map',
    'totals.net': 'ip_invoice_amounts.invoice_item_subtotal',
    'totals.lines': 'ip_invoice_amounts.invoice_item_subtotal',
    'totals.tax': 'ip_invoice_amounts.invoice_item_tax_total',
    'totals.gross': 'ip_invoice_amounts.invoice_total',
    'totals.due': 'ip_invoice_amounts.invoice_total',
    'buyer.name': 'ip_clients.client_name',
    'buyer.trn': 'ip_clients.client_vat_id',
    'buyer.address.line1': 'ip_clients.client_address_1',
    'buyer.address.city': 'ip_clients.client_city',
    'buyer.address.subdivision': 'ip_clients.client_state',
    'buyer.address.post_code': 'ip_clients.client_zip',
    'buyer.address.country': 'ip_clients.client_country',
    'buyer.contact.phone': 'ip_clients.client_phone',
    'buyer.contact.email': 'ip_clients.client_email',
    'lines[].id': 'ip_invoice_items.item_id|ip_invoice_items.item_order',
    'lines[].sku': 'ip_products.product_sku|ip_invoice_items.item_product_id',
    'lines[].name': 'ip_invoice_items.item_name|ip_products.product_name',
    'lines[].description':
      'ip_invoice_items.item_description|ip_invoice_items.item_name|ip_products.product_description|ip_products.product_name',
    'lines[].qty': 'ip_invoice_items.item_quantity',
    'lines[].unit': 'ip_invoice_items.item_product_unit!map',
    'lines[].unit_price': 'ip_invoice_items.item_price',
    'lines[].gross_price': 'ip_invoice_items.item_price',
    'lines[].allowances[].amount': 'ip_invoice_items.item_discount_amount',
    'lines[].net': 'ip_invoice_item_amounts.item_subtotal',
    'lines[].tax.category': 'ip_tax_rates.tax_rate_name!map|ip_tax_rates.tax_rate_percent!map',
    'lines[].tax.rate': 'ip_tax_rates.tax_rate_percent',
  },
};
