import { describe, expect, test } from 'vitest';
import type { ColumnDescription } from '../contract.ts';
import { proposeSections, tableLikelihood } from './propose.ts';

function tables(all: Readonly<Record<string, string>>): ColumnDescription[] {
  return Object.entries(all).flatMap(([table, columns]) =>
    columns.split(', ').map((column) => ({
      section: table,
      origin: table,
      column,
      type: 'text',
      samples: [],
    })),
  );
}

const noise = {
  users: 'id, email, password_hash',
  invoice_payments: 'id, invoice_id, amount, paid_date',
  invoice_status_log: 'id, invoice_id, status, date',
  products: 'id, sku, name, price',
  supplier_invoices: 'id, number, invoice_date, total, currency, supplier_id',
};

const erps = [
  [
    'SAP Business One',
    {
      OINV: 'DocEntry, DocNum, DocDate, DocCur, DocTotal, CardCode, CardName',
      INV1: 'DocEntry, LineNum, ItemCode, Dscription, Quantity, Price',
      OCRD: 'CardCode, CardName, LicTradNum',
      ORIN: 'DocEntry, DocNum, DocDate, DocCur, DocTotal, CardCode',
    },
    ['OINV', 'DocNum', 'INV1', 'DocEntry', 'OCRD', 'CardCode'],
  ],
  [
    'AutoCount',
    {
      IV: 'DocKey, DocNo, DocDate, DebtorCode, CurrencyCode, Total',
      IVDTL: 'DtlKey, DocKey, Seq, ItemCode, Description, Qty, UnitPrice',
      Debtor: 'AccNo, CompanyName, RegisterNo',
    },
    ['IV', 'DocNo', 'IVDTL', 'DocKey', 'Debtor', 'AccNo'],
  ],
  [
    'Odoo',
    {
      account_move: 'id, name, ref, partner_id, invoice_date, currency_id, amount_total',
      account_move_line: 'id, move_id, sequence, name, quantity, price_unit',
      res_partner: 'id, name, vat, street',
    },
    ['account_move', 'name', 'account_move_line', 'move_id', 'res_partner', 'id'],
  ],
  [
    'ERPNext',
    {
      'tabSales Invoice': 'name, customer, posting_date, currency, grand_total',
      'tabSales Invoice Item': 'name, parent, idx, item_code, description, qty, rate',
      tabCustomer: 'name, customer_name, tax_id',
    },
    ['tabSales Invoice', 'name', 'tabSales Invoice Item', 'parent', 'tabCustomer', 'name'],
  ],
  [
    'Business Central',
    {
      'CRONUS$Sales Invoice Header$437dbf0e':
        'No_, Bill-to Customer No_, Posting Date, Currency Code, Bill-to Name',
      'CRONUS$Sales Invoice Line$437dbf0e':
        'Document No_, Line No_, Description, Quantity, Unit Price',
    },
    [
      'CRONUS$Sales Invoice Header$437dbf0e',
      'No_',
      'CRONUS$Sales Invoice Line$437dbf0e',
      'Document No_',
      undefined,
      undefined,
    ],
  ],
] as const;

describe('sections are proposed', () => {
  test('for a schema of plural snake-case tables', () => {
    const proposed = proposeSections(
      tables({
        ...noise,
        invoices: 'id, number, customer_id, invoice_date, currency, total',
        invoice_lines: 'id, invoice_id, line_no, description, qty, unit_price, tax_rate',
        invoice_taxes: 'id, invoice_id, category, rate, tax_amount',
        customers: 'id, name, vat_number, street, city',
      }),
    );
    expect(proposed).toEqual({
      header: { table: 'invoices', key: 'id', match: 'number' },
      lines: {
        table: 'invoice_lines',
        key: 'id',
        match: 'invoice_id',
        matchFrom: 'id',
        orderBy: 'line_no',
      },
      taxes: { table: 'invoice_taxes', key: 'id', match: 'invoice_id', matchFrom: 'id' },
      customer: { table: 'customers', key: 'id', match: 'id', matchFrom: 'customer_id' },
    });
  });

  test.each(erps)('for %s', (_name, described, expected) => {
    const { header, lines, customer } = proposeSections(
      tables({ ...noise, ...(described as Record<string, string>) }),
    ) as Record<string, { table: string; match: string } | undefined>;
    expect([
      header?.table,
      header?.match,
      lines?.table,
      lines?.match,
      customer?.table,
      customer?.match,
    ]).toEqual(expected);
  });

  test('as none when nothing looks like an invoice', () => {
    expect(proposeSections(tables({ users: 'id, email', logs: 'id, text' }))).toEqual({});
    expect(proposeSections([])).toEqual({});
  });
});

test('tables of invoices are looked at before the other thousands', () => {
  const names = ['zz_settings', 'OINV', 'audit_log', 'customers', 'sales_invoice'];
  const sorted = names.toSorted((one, other) => tableLikelihood(other) - tableLikelihood(one));
  expect(sorted).toEqual(['OINV', 'sales_invoice', 'customers', 'zz_settings', 'audit_log']);
});
