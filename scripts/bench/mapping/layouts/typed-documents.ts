import type { Layout } from './layout.ts';
import { at, tableOf } from './tables.ts';
import { byLine, customers, done, type Invoice, items } from './trade.ts';

interface Document {
  readonly one: Invoice;
  readonly id: number;
  readonly type: string;
  readonly number: string;
}

const own = done.map((one) => ({
  one,
  id: one.id,
  type: one.kind === 'credit' ? 'credit-note' : 'invoice',
  number: one.number,
}));
const billed = done.slice(0, 13).map((one) => ({
  one,
  id: one.id + 700,
  type: 'bill',
  number: `BILL-${String(one.id).slice(1)}`,
}));
const recurring = done.slice(3, 6).map((one) => ({
  one,
  id: one.id + 800,
  type: 'invoice-recurring',
  number: `INV-REC-${one.id}`,
}));
const documents: readonly Document[] = [...own, ...billed, ...recurring];
const lines = documents.flatMap((of) => byLine([of.one], (one, line) => ({ of, one, line })));

const idOf = ({ of, line }: (typeof lines)[number]) =>
  line.id + (of.type === 'bill' ? 10_000 : of.type === 'invoice-recurring' ? 20_000 : 0);
const contactOf = ({ type, one }: Document) =>
  type === 'bill' ? one.customer.id + 60 : one.customer.id;
const isBill = ({ type }: Document) => type === 'bill';
const statusOf = ({ one, type }: Document) =>
  type === 'invoice-recurring'
    ? 'active'
    : type === 'bill'
      ? 'received'
      : one.id % 3 === 0
        ? 'paid'
        : one.id % 7 === 0
          ? 'viewed'
          : 'sent';
const taxId = (rate: number) => (rate === 0 ? 2 : 1);
const taxName = (rate: number) => (rate === 0 ? 'Export' : 'VAT');
const company = { 'company_id integer': 1 };
const times = {
  'created_at timestamp, updated_at timestamp': at('2026-02-01'),
  'deleted_at timestamp': null,
};

/**
 * One table for invoices, bills, credit notes and templates; taxes of a line as rows, totals as rows; all table names
 * begin with three chosen letters; nothing is declared; a rate is that of the books' currency to the invoice's, so none of the
 * model's (Akaunting 3). Names of tables and columns:
 * github.com/akaunting/akaunting, database/migrations.
 */
export const typedDocuments: Layout = {
  name: 'typed-documents',
  isHeldOut: true,
  hasDiscounts: true,
  tables: {
    hx4_documents: tableOf(documents, {
      '*id integer': ({ id }) => id,
      ...company,
      type: ({ type }) => type,
      document_number: ({ number }) => number,
      order_number: (of) => (isBill(of) ? null : of.one.order || null),
      status: (of) => statusOf(of),
      'issued_at datetime': ({ one }) => at(one.date, '00:00:00'),
      'due_at datetime': ({ one }) => at(one.due, '00:00:00'),
      'amount double': ({ one }) => one.gross,
      'discount_type varchar': null,
      'discount_rate double': 0,
      currency_code: ({ one }) => one.currency,
      'currency_rate double': ({ one }) => (one.currency === 'USD' ? 1.09 : 1),
      'category_id integer': (of) => (isBill(of) ? 5 : 3),
      'contact_id integer': (of) => contactOf(of),
      contact_name: (of) => (isBill(of) ? `Supplier ${of.one.customer.id}` : of.one.customer.name),
      contact_email: ({ one }) => one.customer.email,
      contact_tax_number: ({ one }) => one.customer.vat,
      contact_phone: ({ one }) => one.customer.phone,
      contact_address: ({ one }) => one.customer.street,
      contact_country: ({ one }) => one.customer.countryCode,
      contact_state: ({ one }) => one.customer.state,
      contact_zip_code: ({ one }) => one.customer.zip,
      contact_city: ({ one }) => one.customer.city,
      title: ({ type }) => (type === 'invoice' ? 'Invoice' : null),
      subheading: null,
      notes: ({ one }) => (one.id % 5 === 0 ? 'Delivered to your warehouse.' : null),
      footer: ({ type }) => (type === 'invoice' ? 'Thank you for your business' : null),
      template: 'default',
      color: '#55588b',
      'parent_id integer': 0,
      created_from: 'core::ui',
      'created_by integer': 1,
      ...times,
    }),
    hx4_document_items: tableOf(lines, {
      '*id integer': (row) => idOf(row),
      ...company,
      type: ({ of }) => of.type,
      'document_id integer': ({ of }) => of.id,
      'item_id integer': ({ line }) => line.item.id,
      name: ({ line }) => line.item.name,
      description: ({ line }) => (line.id % 3 === 0 ? 'as agreed' : null),
      sku: ({ line }) => line.item.code,
      'quantity double': ({ line }) => line.quantity,
      'price double': ({ line }) => line.price,
      'tax double': ({ line }) => line.tax,
      discount_type: 'percentage',
      'discount_rate double': ({ line }) => line.discount,
      'total double': ({ line }) => line.net,
      created_from: 'core::ui',
      'created_by integer': 1,
      ...times,
    }),
    hx4_document_item_taxes: tableOf(lines, {
      '*id integer': (_row, index) => index + 1,
      ...company,
      type: ({ of }) => of.type,
      'document_id integer': ({ of }) => of.id,
      'document_item_id integer': (row) => idOf(row),
      'tax_id integer': ({ line }) => taxId(line.item.rate),
      name: ({ line }) => taxName(line.item.rate),
      'amount double': ({ line }) => line.tax,
      ...times,
    }),
    hx4_document_totals: tableOf(
      documents.flatMap(({ one, id, type }) => [
        { id, type, code: 'sub_total', name: 'invoices.sub_total', amount: one.net, order: 1 },
        { id, type, code: 'tax', name: 'VAT', amount: one.tax, order: 2 },
        { id, type, code: 'total', name: 'invoices.total', amount: one.gross, order: 3 },
      ]),
      {
        '*id integer': (_row, index) => index + 1,
        ...company,
        type: ({ type }) => type,
        'document_id integer': ({ id }) => id,
        code: ({ code }) => code,
        name: ({ name }) => name,
        'amount double': ({ amount }) => amount,
        'sort_order integer': ({ order }) => order,
        ...times,
      },
    ),
    hx4_document_histories: tableOf(documents, {
      '*id integer': (_of, index) => index + 1,
      ...company,
      type: ({ type }) => type,
      'document_id integer': ({ id }) => id,
      status: (of) => statusOf(of),
      'notify boolean': 0,
      description: ({ number }) => `${number} added!`,
      ...times,
    }),
    hx4_contacts: tableOf(
      [
        ...customers.map((one) => ({ one, id: one.id, type: 'customer', name: one.name })),
        ...customers.map((one) => ({
          one,
          id: one.id + 60,
          type: 'vendor',
          name: `Supplier ${one.id}`,
        })),
      ],
      {
        '*id integer': ({ id }) => id,
        ...company,
        type: ({ type }) => type,
        name: ({ name }) => name,
        email: ({ one }) => one.email,
        'user_id integer': null,
        tax_number: ({ one }) => one.vat,
        phone: ({ one }) => one.phone,
        address: ({ one }) => one.street,
        city: ({ one }) => one.city,
        zip_code: ({ one }) => one.zip,
        state: ({ one }) => one.state,
        country: ({ one }) => one.countryCode,
        website: null,
        currency_code: 'EUR',
        'enabled boolean': 1,
        reference: ({ one }) => one.code,
        created_from: 'core::ui',
        'created_by integer': 1,
        ...times,
      },
    ),
    hx4_taxes: {
      columns:
        '*id integer, company_id integer, name, rate double, type, enabled boolean, created_at timestamp, deleted_at timestamp',
      rows: [
        [1, 1, 'VAT', 20, 'normal', 1, '2025-01-02 09:00:00', null],
        [2, 1, 'Export', 0, 'normal', 1, '2025-01-02 09:00:00', null],
      ],
    },
    hx4_items: tableOf(items, {
      '*id integer': ({ id }) => id,
      ...company,
      type: ({ unit }) => (unit === 'HR' ? 'service' : 'product'),
      name: ({ name }) => name,
      sku: ({ code }) => code,
      description: null,
      'sale_price double': ({ price }) => price,
      'purchase_price double': ({ price }) => price / 2,
      'quantity integer': 1,
      'category_id integer': 6,
      'tax_id integer': null,
      'enabled boolean': 1,
      ...times,
    }),
    hx4_item_taxes: tableOf(items, {
      '*id integer': ({ id }) => id,
      ...company,
      'item_id integer': ({ id }) => id,
      'tax_id integer': ({ rate }) => taxId(rate),
      ...times,
    }),
    hx4_currencies: {
      columns:
        '*id integer, company_id integer, name, code, rate double, precision, symbol, symbol_first integer, decimal_mark, ' +
        'thousands_separator, enabled integer, deleted_at timestamp',
      rows: [
        [1, 1, 'Euro', 'EUR', 1, '2', '€', 1, '.', ',', 1, null],
        [2, 1, 'US Dollar', 'USD', 1.09, '2', '$', 1, '.', ',', 1, null],
        [3, 1, 'British Pound', 'GBP', 0.86, '2', '£', 1, '.', ',', 0, null],
      ],
    },
    hx4_categories: {
      columns:
        '*id integer, company_id integer, name, type, color, enabled boolean, parent_id integer, deleted_at timestamp',
      rows: [
        [3, 1, 'Sales', 'income', '#6da252', 1, null, null],
        [5, 1, 'Purchases', 'expense', '#b4545c', 1, null, null],
        [6, 1, 'General', 'item', '#328aef', 1, null, null],
      ],
    },
    hx4_transactions: tableOf(
      documents.filter((of) => statusOf(of) === 'paid' || isBill(of)),
      {
        '*id integer': (_of, index) => index + 1,
        ...company,
        type: (of) => (isBill(of) ? 'expense' : 'income'),
        number: (_of, index) => `TRA-${String(index + 1).padStart(5, '0')}`,
        'account_id integer': 1,
        'paid_at datetime': ({ one }) => at(one.due, '00:00:00'),
        'amount double': ({ one }) => one.gross,
        currency_code: ({ one }) => one.currency,
        'currency_rate double': ({ one }) => (one.currency === 'USD' ? 1.09 : 1),
        'document_id integer': ({ id }) => id,
        'contact_id integer': (of) => contactOf(of),
        description: null,
        'category_id integer': (of) => (isBill(of) ? 5 : 3),
        payment_method: 'offline-payments.bank_transfer.2',
        reference: null,
        'parent_id integer': 0,
        'reconciled boolean': 0,
        ...times,
      },
    ),
    hx4_accounts: {
      columns:
        '*id integer, company_id integer, type, name, number, currency_code, opening_balance double, bank_name, bank_phone, ' +
        'bank_address, enabled boolean, deleted_at timestamp',
      rows: [[1, 1, 'bank', 'Main account', '445566', 'EUR', 0, 'Bank', null, null, 1, null]],
    },
    hx4_companies: {
      columns: '*id integer, domain, enabled boolean, created_at timestamp, deleted_at timestamp',
      rows: [[1, '', 1, '2025-01-02 09:00:00', null]],
    },
    hx4_settings: {
      columns: '*id integer, company_id integer, key, value',
      rows: [
        [1, 1, 'company.name', 'Pump Works'],
        [2, 1, 'company.tax_number', 'IE1234567A'],
        [3, 1, 'company.address', '1 Quay Street'],
        [4, 1, 'company.country', 'IE'],
        [5, 1, 'default.currency', 'EUR'],
        [6, 1, 'invoice.number_next', '76'],
      ],
    },
    hx4_users: {
      columns:
        '*id integer, name, email, locale, landing_page, enabled boolean, deleted_at timestamp',
      rows: [[1, 'Aoife Byrne', 'aoife@pumps.example', 'en-GB', 'dashboard', 1, null]],
    },
    hx4_recurring: tableOf(recurring, {
      '*id integer': (_of, index) => index + 1,
      ...company,
      recurable_type: 'App\\Models\\Document\\Document',
      'recurable_id integer': ({ id }) => id,
      frequency: 'monthly',
      'interval integer, count integer': 1,
      'started_at datetime': ({ one }) => at(one.date, '00:00:00'),
      status: 'active',
    }),
    hx4_reports: {
      columns:
        '*id integer, company_id integer, class, name, description, settings, deleted_at timestamp',
      rows: [[1, 1, 'App\\Reports\\IncomeSummary', 'Income', 'Monthly income', '{}', null]],
    },
    hx4_media: {
      columns: '*id integer, disk, directory, filename, extension, mime_type, size integer',
      rows: [[1, 'uploads', '1/settings', 'logo', 'png', 'image/png', 4096]],
    },
    hx4_migrations: {
      columns: '*id integer, migration, batch integer',
      rows: [[1, '2017_09_14_000000_core_v1', 1]],
    },
  },
  sections: {
    header: {
      table: 'hx4_documents',
      key: 'id',
      match: 'document_number',
      where: { type: 'invoice' },
    },
    lines: { table: 'hx4_document_items', key: 'id', match: 'document_id', matchFrom: 'id' },
    customer: { table: 'hx4_contacts', key: 'id', match: 'id', matchFrom: 'contact_id' },
  },
  fields: {
    number: 'hx4_documents.document_number',
    issue_date: 'hx4_documents.issued_at',
    due_date: 'hx4_documents.due_at',
    currency: 'hx4_documents.currency_code|hx4_currencies.code',
    purchase_order: 'hx4_documents.order_number',
    buyer_reference: 'hx4_documents.order_number',
    'notes[]': 'hx4_documents.notes|hx4_documents.footer',
    'totals.gross': 'hx4_documents.amount',
    'totals.due': 'hx4_documents.amount',
    'buyer.name': 'hx4_documents.contact_name|hx4_contacts.name',
    'buyer.trn': 'hx4_documents.contact_tax_number|hx4_contacts.tax_number',
    'PINT-MY:buyer.identifiers[].id': 'hx4_documents.contact_tax_number|hx4_contacts.tax_number',
    'buyer.address.line1': 'hx4_documents.contact_address|hx4_contacts.address',
    'buyer.address.city': 'hx4_documents.contact_city|hx4_contacts.city',
    'buyer.address.post_code': 'hx4_documents.contact_zip_code|hx4_contacts.zip_code',
    'buyer.address.subdivision': 'hx4_documents.contact_state|hx4_contacts.state',
    'buyer.address.country': 'hx4_documents.contact_country|hx4_contacts.country',
    'buyer.contact.phone': 'hx4_documents.contact_phone|hx4_contacts.phone',
    'buyer.contact.email': 'hx4_documents.contact_email|hx4_contacts.email',
    'lines[].id': 'hx4_document_items.id',
    'lines[].sku': 'hx4_document_items.sku|hx4_items.sku|hx4_document_items.item_id|hx4_items.id',
    'lines[].name': 'hx4_document_items.name|hx4_items.name',
    'lines[].description': 'hx4_document_items.description|hx4_document_items.name|hx4_items.name',
    'lines[].qty': 'hx4_document_items.quantity',
    'lines[].unit_price': 'hx4_document_items.price',
    'lines[].gross_price': 'hx4_document_items.price',
    'lines[].allowances[].percent': 'hx4_document_items.discount_rate',
    'lines[].net': 'hx4_document_items.total',
    'lines[].accounting.tax_totals[].amount':
      'hx4_document_items.tax|hx4_document_item_taxes.amount',
    'lines[].tax.rate': 'hx4_taxes.rate',
    'lines[].tax.category':
      'hx4_taxes.rate!map|hx4_taxes.name!map|hx4_taxes.id!map|hx4_document_item_taxes.name!map|hx4_document_item_taxes.tax_id!map',
  },
};
