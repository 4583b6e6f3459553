import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tableLayout } from './file-table.ts';
import type { LookedRow, TableSettings } from './looked-table.ts';

/** Rows of a text with `|` between fields; an empty line stands for no row. */
function rowsOf(text: string): LookedRow[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line, index) => ({
    position: index + 1,
    fields: line.split('|').map((field) => field.trim()),
  }));
}

const layoutOf = (text: string) => tableLayout('a.csv', rowsOf(text), true);

describe('how a table is laid out', () => {
  test.each<[string, string, TableSettings]>([
    [
      'a row a line, by an invoice number that repeats',
      `Invoice No|Date|Customer|Item|Qty|Price|Net|Total
       INV-1|2026-01-05|Acme|Pump|2|10.00|20.00|25.00
       INV-1|2026-01-05|Acme|Hose|1|5.00|5.00|25.00
       INV-2|2026-01-06|Bolt|Pump|1|10.00|10.00|10.00`,
      { headerLine: 1, documentColumn: 'Invoice No' },
    ],
    [
      'title rows above the header, and a total below',
      `Sales report January
       Printed on|2026-02-01

       Invoice No|Date|Customer|Item|Qty|Net
       INV-1|2026-01-05|Acme|Pump|2|20.00
       INV-1|2026-01-05|Acme|Hose|1|5.00
       INV-2|2026-01-06|Bolt|Pump|1|10.00
       Total|||||35.00`,
      {
        headerLine: 3,
        documentColumn: 'Invoice No',
        skipRows: [{ empty: ['Date', 'Customer', 'Item', 'Qty'] }],
      },
    ],
    [
      'German, with subtotals between and a note at the end',
      `Rechnungsnr.|Datum|Kunde|Bezeichnung|Menge|Einzelpreis|Betrag
       RE1|05.01.2026|Acme|Pumpe|2|1.000,00|2.000,00
       RE1|05.01.2026|Acme|Schlauch|1|5,00|5,00
       Zwischensumme||||||2.005,00
       RE2|06.01.2026|Bolt|Pumpe|1|1.000,00|1.000,00
       Zwischensumme||||||1.000,00
       Gesamtsumme||||||3.005,00
       Erstellt von Meier|||||| `,
      {
        headerLine: 1,
        documentColumn: 'Rechnungsnr.',
        skipRows: [{ empty: ['Datum', 'Kunde', 'Bezeichnung', 'Menge', 'Einzelpreis'] }],
      },
    ],
    [
      'a row an invoice',
      `Invoice No|Date|Customer|Description|Total
       INV-1|2026-01-05|Acme|Consulting|20.00
       INV-2|2026-01-06|Acme|Consulting|30.00
       INV-3|2026-01-06|Bolt|Support|10.00`,
      { headerLine: 1, documentColumn: 'Invoice No' },
    ],
    [
      'a number in the first row of an invoice only',
      `Invoice No|Date|Customer|Item|Qty|Net
       INV-1|2026-01-05|Acme|Pump|2|20.00
       |||Hose|1|5.00
       INV-2|2026-01-06|Bolt|Pump|1|10.00
       |||Valve|4|8.00
       |||Hose|1|5.00`,
      { headerLine: 1, documentColumn: 'Invoice No', continuedRows: true },
    ],
    [
      'header and line rows by turns',
      `H|INV-1|2026-01-05|Acme
       L|Pump|2|10.00
       L|Hose|1|5.00
       H|INV-2|2026-01-06|Bolt
       L|Pump|1|10.00`,
      { headerLine: 0, rowSections: { column: '1', sections: { H: 'header', L: 'lines' } } },
    ],
    [
      'an invoice number among numbers of lines, customers and orders',
      `Line No|Customer No|Order No|Doc No|Posting Date|Item No|Quantity|Amount
       1|C1|O1|7001|2026-01-05|P1|2|20.00
       2|C1|O1|7001|2026-01-05|P2|1|5.00
       1|C1|O1|7002|2026-01-06|P1|1|10.00
       2|C1|O1|7002|2026-01-06|P2|1|5.00`,
      { headerLine: 1, documentColumn: 'Doc No' },
    ],
    [
      'rows of an invoice that nothing but sums and dates tell',
      `Beleg|Tag|Kunde|Was|Menge|Summe Zeile|Summe
       A|2026-01-05|Acme|Pump|2|20.00|25.00
       A|2026-01-05|Acme|Hose|1|5.00|25.00
       B|2026-01-06|Acme|Pump|1|10.00|10.00`,
      { headerLine: 1, documentColumn: 'Beleg' },
    ],
    [
      'the header again on each page',
      `Invoice No|Date|Item|Qty|Net
       INV-1|2026-01-05|Pump|2|20.00
       Invoice No|Date|Item|Qty|Net
       INV-2|2026-01-06|Pump|1|10.00`,
      {
        headerLine: 1,
        documentColumn: 'Invoice No',
        skipRows: [{ column: 'Invoice No', begins: 'Invoice No' }],
      },
    ],
    [
      'lines of one invoice without its number',
      `Item|Quantity|Unit price|Net
       Pump|2|10.00|20.00
       Hose|1|5.00|5.00`,
      { headerLine: 1 },
    ],
  ])('%s', (_, text, settings) => {
    expect(layoutOf(text)?.settings).toEqual(settings);
  });

  test('a line whose item is called a total stays a line', () => {
    const layout = layoutOf(
      `Invoice No|Date|Item|Qty|Net
       INV-1|2026-01-05|Total station|1|900.00
       INV-2|2026-01-06|Pump|1|10.00`,
    );
    expect(layout?.settings).toEqual({ headerLine: 1, documentColumn: 'Invoice No' });
  });

  test('why is told, with what proves it', () => {
    const layout = layoutOf(
      `Invoice No|Date|Customer|Item|Net|Total
       INV-1|2026-01-05|Acme|Pump|20.00|25.00
       INV-1|2026-01-05|Acme|Hose|5.00|25.00
       INV-2|2026-01-06|Bolt|Pump|10.00|10.00`,
    );
    expect(layout?.reasons).toMatchObject({
      header: 'Line 1 names the columns.',
      documents:
        'Rows with the same "Invoice No" are the lines of an invoice: they have one "Date", "Customer", "Total" each; "Net" sums up to "Total".',
    });
    expect(layout?.confidence).toBeGreaterThan(0.9);
  });

  test('a table without quantities and amounts is told, and is doubtful', () => {
    const layout = layoutOf('Customer|City|Code\nAcme|Dubai|1\nBolt|Kuala Lumpur|2');
    expect(layout?.confidence).toBeLessThan(0.4);
    expect(layout?.notes).toEqual([expect.stringMatching(/No column is called quantity/)]);
  });

  test.each([
    ['a column without a name', 'Invoice No||Item|Qty\nINV-1|x|Pump|1', /Column 2 has no name/],
    ['two columns of one name', 'Invoice No|Item|Item|Qty\nINV-1|x|Pump|1', /called "Item"/],
  ])('%s is told', (_, text, note) => {
    expect(layoutOf(text)?.notes).toEqual([expect.stringMatching(note)]);
  });

  test('a table that is as large as may be is looked at for a moment', () => {
    const names = Array.from({ length: 1_000 }, (_, at) => `Invoice number ${at}`);
    const rows = Array.from({ length: 1_000 }, (_, line) => ({
      position: line + 2,
      fields: names.map((_, at) => String((line * (at + 1)) % 7)),
    }));
    const started = performance.now();
    tableLayout('a.csv', [{ position: 1, fields: names }, ...rows], true);
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  test('any rows give settings, or nothing', () => {
    const cell = fc.oneof(
      fc.string(),
      fc.constantFrom('Invoice No', 'Total', 'H', 'L', '1,50', ''),
    );
    fc.assert(
      fc.property(fc.array(fc.array(cell, { maxLength: 6 }), { maxLength: 12 }), (cells) => {
        const rows = cells.map((fields, at) => ({ position: at + 1, fields }));
        const layout = tableLayout('a.csv', rows, true);
        expect(layout === undefined || layout.confidence <= 1).toBe(true);
      }),
    );
  });

  test('nothing comes of no rows, and of a header alone', () => {
    expect(layoutOf('')).toBeUndefined();
    expect(layoutOf('Invoice No|Date')).toBeUndefined();
  });
});
