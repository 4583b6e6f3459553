import { describe, expect, test } from 'vitest';
import type { FoundTable, SampleRow } from './database.ts';
import { tableLikelihood } from './likelihood.ts';
import { likelyReferences, surestReferences } from './references.ts';
import { proposeSections } from './sections.ts';

/** Columns by table, the key first; without rows. */
function tables(all: Readonly<Record<string, string>>): FoundTable[] {
  return Object.entries(all).map(([name, columns]) => {
    const names = columns.split(', ');
    return {
      name,
      columns: names.map((column) => ({ name: column, type: 'text' })),
      primaryKey: [names[0]!],
      uniques: [],
      rows: 0,
      sample: [],
    };
  });
}

function propose(found: readonly FoundTable[]) {
  const references = surestReferences([...likelyReferences(found, [])].flat());
  return proposeSections({ tables: found, references });
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
    'German names',
    {
      Rechnungen: 'RechnungID, RechnungsNr, KundenNr, RechnungsDatum, BruttoBetrag',
      RechnungsPositionen: 'ID, RechnungID, PosNr, Bezeichnung, Menge, Einzelpreis',
      Kunden: 'KundenNr, Firma, Strasse, PLZ, Ort',
      Angebote: 'AngebotID, AngebotsNr, KundenNr, Datum, BruttoBetrag',
    },
    ['Rechnungen', 'RechnungsNr', 'RechnungsPositionen', 'RechnungID', 'Kunden', 'KundenNr'],
  ],
] as const;

describe('sections are proposed from names alone where tables are empty', () => {
  test('for plural snake-case tables', () => {
    const { sections } = propose(
      tables({
        ...noise,
        invoices: 'id, number, customer_id, invoice_date, currency, total',
        invoice_lines: 'id, invoice_id, line_no, description, qty, unit_price, tax_rate',
        invoice_taxes: 'id, invoice_id, category, rate, tax_amount',
        customers: 'id, name, vat_number, street, city',
      }),
    );
    expect(sections).toEqual({
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
    const { header, lines, customer } = propose(
      tables({ ...noise, ...(described as Record<string, string>) }),
    ).sections;
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
    expect(propose(tables({ users: 'id, email', logs: 'id, text' })).sections).toEqual({});
    expect(propose([]).sections).toEqual({});
  });
});

describe('what invoices are filtered by', () => {
  const lines = tables({ invoice_lines: 'id, invoice_id, description, qty, unit_price' })[0]!;
  function proposed(column: string, values: readonly string[]) {
    const header = tables({
      invoices: `id, number, invoice_date, customer_name, total, ${column}`,
    });
    const rows = values.map(
      (value, index): SampleRow => ({
        id: String(index),
        number: `I-${index}`,
        invoice_date: '2026-03-01',
        customer_name: 'Firm',
        total: '5',
        [column]: value,
      }),
    );
    const lineRows = values.map((_, index): SampleRow => {
      const id = String(index);
      return { id, invoice_id: id, description: 'Pump', qty: '1', unit_price: '5' };
    });
    return propose([
      { ...header[0]!, rows: rows.length, sample: rows },
      { ...lines, rows: lineRows.length, sample: lineRows },
    ]);
  }

  test.each([
    [
      'the type, of which one is an invoice',
      'move_type',
      ['out_invoice', 'out_refund', 'in_invoice'],
      'out_invoice',
    ],
    ['the status, when some are drafts', 'status', ['posted', 'draft', 'posted'], 'posted'],
    ['the mark of cancelled ones', 'cancelled', ['0', '1', '0'], '0'],
    ['the mark of returns', 'is_return', ['0', '1', '0'], '0'],
  ])('%s', (_name, column, values, wanted) => {
    expect(proposed(column, values).sections.header?.where).toEqual({ [column]: wanted });
  });

  test('is nothing where all rows are alike, or the values say nothing', () => {
    expect(proposed('status', ['posted', 'posted']).sections.header?.where).toBeUndefined();
    expect(proposed('move_type', ['A', 'B']).sections.header?.where).toBeUndefined();
  });

  test('credit notes are told with it', () => {
    const { creditNotes } = proposed('move_type', ['out_invoice', 'out_refund']);
    expect(creditNotes).toEqual({ kind: 'value', column: 'move_type', value: 'out_refund' });
  });
});

test('tables of invoices are looked at before the other thousands', () => {
  const names = ['zz_settings', 'OINV', 'audit_log', 'customers', 'sales_invoice'];
  const sorted = names.toSorted((one, other) => tableLikelihood(other) - tableLikelihood(one));
  expect(sorted.slice(0, 2).sort()).toEqual(['OINV', 'sales_invoice']);
  expect(sorted.slice(2)).toEqual(['customers', 'zz_settings', 'audit_log']);
});
