import type { Layout } from './layout.ts';
import { tableOf } from './tables.ts';
import { byLine, customers, type Invoice, invoices, items } from './trade.ts';

const cents = (amount: number) => Math.round(amount * 100);
const ms = (date: string) => Date.parse(`${date}T06:30:00Z`);
const kindOf = ({ kind }: Invoice) => (kind === 'credit' ? 2 : 1);
const sold = invoices.filter(({ isDraft }) => !isDraft);

/** Kinds and states as numbers without names, cents, moments in milliseconds, items by their code, fields by name and value. */
export const numericKinds: Layout = {
  name: 'numeric-kinds',
  isHeldOut: false,
  tables: {
    billing_document: tableOf(
      [
        ...invoices.map((one) => ({ one, kind: kindOf(one), id: one.id, number: one.number })),
        ...invoices
          .slice(0, 8)
          .map((one) => ({ one, kind: 3, id: one.id + 500, number: `QT-26-${one.id}` })),
      ],
      {
        '*id integer': ({ id }) => id,
        'tenant_id integer': 7,
        'doc_kind integer': ({ kind }) => kind,
        doc_no: ({ number }) => number,
        'state integer': ({ one }) => (one.isDraft ? 0 : 1),
        account_code: ({ one }) => one.customer.code,
        'issued_at_ms integer': ({ one }) => ms(one.date),
        'due_at_ms integer': ({ one }) => ms(one.due),
        ccy: ({ one }) => one.currency,
        'net_minor integer': ({ one }) => cents(one.net),
        'vat_minor integer': ({ one }) => cents(one.tax),
        'total_minor integer': ({ one }) => cents(one.gross),
        'corrected_doc_id integer': ({ kind, id }) => (kind === 2 ? id - 1 : null),
        'created_at_ms integer': ({ one }) => ms(one.date) + 9,
      },
    ),
    billing_document_row: {
      columns:
        '*id integer, document_id integer, row_no integer, sku, label, qty integer, unit, unit_price_minor integer, net_minor integer, ' +
        'vat_rate numeric, vat_minor integer',
      rows: byLine(invoices, (one, line) => {
        const net = cents(line.net);
        const price = Math.round(net / line.quantity);
        return [
          line.id,
          one.id,
          line.position,
          line.item.code,
          line.item.name,
          line.quantity,
          line.item.unit,
          price,
          net,
          line.item.rate / 100,
          cents(line.tax),
        ];
      }),
    },
    account: tableOf(customers, {
      '*code': ({ code }) => code,
      'tenant_id integer': 7,
      display_name: ({ name }) => name,
      'kind integer': 1,
      'created_at_ms integer': ms('2025-01-10'),
    }),
    account_address: tableOf(
      customers.flatMap((one) => [1, 2].map((purpose) => ({ one, purpose }))),
      {
        '*id integer': (_, index) => index + 1,
        account_code: ({ one }) => one.code,
        'purpose integer': ({ purpose }) => purpose,
        street: ({ one, purpose }) => (purpose === 1 ? one.street : 'Dock 4'),
        town: ({ one }) => one.city,
        postcode: ({ one }) => one.zip,
        region: ({ one }) => one.state,
        country: ({ one }) => one.countryCode,
      },
    ),
    account_attribute: tableOf(
      customers.flatMap((one) => [
        { one, name: 'vat_registration', value: one.vat },
        { one, name: 'billing_email', value: one.email },
        { one, name: 'phone', value: one.phone },
        { one, name: 'loyalty', value: 'gold' },
      ]),
      {
        '*id integer': (_, index) => index + 1,
        account_code: ({ one }) => one.code,
        name: ({ name }) => name,
        value: ({ value }) => value,
      },
    ),
    product: tableOf(items, {
      '*sku': ({ code }) => code,
      title: ({ name }) => name,
      'list_price_minor integer': ({ price }) => cents(price),
      unit: ({ unit }) => unit,
    }),
    tax_submission: tableOf(sold, {
      '*id integer': ({ id }) => id + 3000,
      doc_no: ({ number }) => number,
      'submitted_at_ms integer': ({ date }) => ms(date) + 500,
      'total_minor integer': ({ gross }) => cents(gross),
      status: 'ACCEPTED',
      uuid: ({ id }) => `0b7e-${id}`,
    }),
    outbox_log: tableOf(sold, {
      '*id integer': ({ id }) => id + 6000,
      'document_id integer': ({ id }) => id,
      'sent_at_ms integer': ({ date }) => ms(date) + 700,
      channel: 'email',
    }),
  },
  sections: {
    header: {
      table: 'billing_document',
      key: 'id',
      match: 'doc_no',
      where: { doc_kind: '1', state: '1' },
    },
    lines: { table: 'billing_document_row', key: 'id', match: 'document_id', matchFrom: 'id' },
    customer: { table: 'account', key: 'code', match: 'code', matchFrom: 'account_code' },
  },
  fields: {
    number: 'billing_document.doc_no',
    issue_date: 'billing_document.issued_at_ms!date|billing_document.created_at_ms!date',
    due_date: 'billing_document.due_at_ms!date',
    currency: 'billing_document.ccy',
    'totals.net': 'billing_document.net_minor!divide,multiply',
    'totals.lines': 'billing_document.net_minor!divide,multiply',
    'totals.tax': 'billing_document.vat_minor!divide,multiply',
    'totals.gross': 'billing_document.total_minor!divide,multiply',
    'totals.due': 'billing_document.total_minor!divide,multiply',
    'buyer.name': 'account.display_name',
    'buyer.trn': 'account_attribute.value',
    'buyer.contact.email': 'account_attribute.value',
    'buyer.contact.phone': 'account_attribute.value',
    'buyer.address.line1': 'account_address.street',
    'buyer.address.city': 'account_address.town',
    'buyer.address.subdivision': 'account_address.region',
    'buyer.address.post_code': 'account_address.postcode',
    'buyer.address.country': 'account_address.country',
    'lines[].id': 'billing_document_row.row_no|billing_document_row.id',
    'lines[].sku': 'billing_document_row.sku|product.sku',
    'lines[].name': 'billing_document_row.label|product.title',
    'lines[].description': 'billing_document_row.label|product.title',
    'lines[].qty': 'billing_document_row.qty',
    'lines[].unit': 'billing_document_row.unit!map|product.unit!map',
    'lines[].unit_price': 'billing_document_row.unit_price_minor!divide,multiply',
    'lines[].gross_price': 'billing_document_row.unit_price_minor!divide,multiply',
    'lines[].net': 'billing_document_row.net_minor!divide,multiply',
    'lines[].tax.rate': 'billing_document_row.vat_rate!multiply',
    'lines[].tax.category': 'billing_document_row.vat_rate!map',
  },
};
