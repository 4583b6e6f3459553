import type { Layout } from './layout.ts';
import { bills, byLine, customers, netPrice } from './trade.ts';

const withTax = (net: number, rate: number) => Math.round(net * (100 + rate)) / 100;
const orderOf = (id: number) => id - 3000;

/** A shop: invoices hang on orders, addresses are rows of a type, persons and firms, moments only, prices with and without tax. */
export const webShop: Layout = {
  name: 'web-shop',
  isHeldOut: false,
  tables: {
    shop_invoice: {
      columns:
        '*entity_id integer, store_id integer, increment_id, order_id integer, base_grand_total numeric, grand_total numeric, subtotal numeric, subtotal_incl_tax numeric, tax_amount numeric, shipping_amount numeric, discount_amount numeric, order_currency_code, base_currency_code, state integer, billing_address_id integer, shipping_address_id integer, created_at timestamp, updated_at timestamp, email_sent integer',
      rows: bills.map((one) => [
        one.id,
        1,
        String(100_000_000 + one.id),
        orderOf(one.id),
        one.gross,
        one.gross,
        one.net,
        one.gross,
        one.tax,
        0,
        0,
        one.currency,
        'EUR',
        2,
        one.id * 2,
        one.id * 2 + 1,
        `${one.date} 12:11:00`,
        `${one.date} 12:12:00`,
        1,
      ]),
    },
    shop_invoice_item: {
      columns:
        '*entity_id integer, parent_id integer, order_item_id integer, product_id integer, sku, name, description, qty numeric, price numeric, price_incl_tax numeric, base_price numeric, tax_amount numeric, discount_amount numeric, row_total numeric, row_total_incl_tax numeric, base_cost numeric, weee_tax_applied',
      rows: byLine(bills, (one, line) => [
        line.id,
        one.id,
        line.id + 5,
        line.item.id,
        line.item.code,
        line.item.name,
        null,
        line.quantity,
        netPrice(line),
        withTax(netPrice(line), line.item.rate),
        netPrice(line),
        line.tax,
        0,
        Math.round(netPrice(line) * line.quantity * 100) / 100,
        withTax(netPrice(line) * line.quantity, line.item.rate),
        line.price / 2,
        '[]',
      ]),
    },
    shop_order: {
      columns:
        '*entity_id integer, state, status, increment_id, customer_id integer, customer_email, customer_firstname, customer_lastname, grand_total numeric, subtotal numeric, tax_amount numeric, order_currency_code, total_qty_ordered numeric, created_at timestamp',
      rows: bills.map((one) => [
        orderOf(one.id),
        'complete',
        'complete',
        String(200_000_000 + one.id),
        one.customer.id,
        one.customer.email,
        one.customer.first,
        one.customer.last,
        one.gross,
        one.net,
        one.tax,
        one.currency,
        3,
        `${one.date} 11:11:00`,
      ]),
    },
    shop_order_item: {
      columns:
        '*item_id integer, order_id integer, product_id integer, sku, name, qty_ordered numeric, price numeric, tax_percent numeric, tax_amount numeric, row_total numeric, row_total_incl_tax numeric',
      rows: byLine(bills, (one, line) => [
        line.id + 5,
        orderOf(one.id),
        line.item.id,
        line.item.code,
        line.item.name,
        line.quantity,
        netPrice(line),
        line.item.rate,
        line.tax,
        Math.round(netPrice(line) * line.quantity * 100) / 100,
        withTax(netPrice(line) * line.quantity, line.item.rate),
      ]),
    },
    shop_order_address: {
      columns:
        '*entity_id integer, parent_id integer, address_type, customer_id integer, firstname, lastname, company, street, city, region, postcode, country_id, telephone, email, vat_id',
      rows: bills.flatMap((one) =>
        ['billing', 'shipping'].map((type, at) => [
          one.id * 2 + at,
          orderOf(one.id),
          type,
          one.customer.id,
          one.customer.first,
          one.customer.last,
          one.customer.name,
          one.customer.street,
          one.customer.city,
          one.customer.state,
          one.customer.zip,
          one.customer.countryCode,
          one.customer.phone,
          one.customer.email,
          one.customer.vat,
        ]),
      ),
    },
    customer_entity: {
      columns:
        '*entity_id integer, website_id integer, email, group_id integer, firstname, lastname, taxvat, created_at timestamp, is_active integer',
      rows: customers.map((one) => [
        one.id,
        1,
        one.email,
        1,
        one.first,
        one.last,
        one.vat,
        '2025-01-01 10:00:00',
        1,
      ]),
    },
    quote: {
      columns:
        '*entity_id integer, customer_id integer, grand_total numeric, subtotal numeric, created_at timestamp, is_active integer',
      rows: bills
        .slice(0, 9)
        .map((one) => [one.id, one.customer.id, one.gross, one.net, `${one.date} 10:00:00`, 1]),
    },
  },
  sections: {
    header: { table: 'shop_invoice', key: 'entity_id', match: 'increment_id' },
    lines: {
      table: 'shop_invoice_item',
      key: 'entity_id',
      match: 'parent_id',
      matchFrom: 'entity_id',
    },
    customer: {
      table: 'shop_order_address',
      key: 'entity_id',
      match: 'entity_id',
      matchFrom: 'billing_address_id',
    },
  },
  fields: {
    number: 'shop_invoice.increment_id',
    issue_date: 'shop_invoice.created_at!date',
    currency: 'shop_invoice.order_currency_code',
    purchase_order: 'shop_order.increment_id',
    'totals.net': 'shop_invoice.subtotal',
    'totals.lines': 'shop_invoice.subtotal',
    'totals.tax': 'shop_invoice.tax_amount',
    'totals.gross':
      'shop_invoice.grand_total|shop_invoice.base_grand_total|shop_invoice.subtotal_incl_tax',
    'totals.due':
      'shop_invoice.grand_total|shop_invoice.base_grand_total|shop_invoice.subtotal_incl_tax',
    'charges[].amount': 'shop_invoice.shipping_amount',
    'buyer.name': 'shop_order_address.company',
    'buyer.contact.name': 'shop_order_address.firstname|shop_order_address.lastname',
    'buyer.trn': 'shop_order_address.vat_id',
    'buyer.address.line1': 'shop_order_address.street',
    'buyer.address.city': 'shop_order_address.city',
    'buyer.address.subdivision': 'shop_order_address.region',
    'buyer.address.post_code': 'shop_order_address.postcode',
    'buyer.address.country': 'shop_order_address.country_id',
    'buyer.contact.phone': 'shop_order_address.telephone',
    'buyer.contact.email': 'shop_order_address.email|shop_order.customer_email',
    'lines[].id': 'shop_invoice_item.entity_id',
    'lines[].sku': 'shop_invoice_item.sku',
    'lines[].name': 'shop_invoice_item.name|shop_order_item.name',
    'lines[].description':
      'shop_invoice_item.description|shop_invoice_item.name|shop_order_item.name',
    'lines[].qty': 'shop_invoice_item.qty',
    'lines[].unit_price': 'shop_invoice_item.price|shop_invoice_item.base_price',
    'lines[].gross_price': 'shop_invoice_item.price|shop_invoice_item.base_price',
    'lines[].net': 'shop_invoice_item.row_total',
    'lines[].allowances[].amount': 'shop_invoice_item.discount_amount',
    'lines[].tax.rate': 'shop_order_item.tax_percent',
    'lines[].tax.category': 'shop_order_item.tax_percent!map',
  },
};
