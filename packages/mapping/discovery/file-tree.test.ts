import { lookIntoXml } from '@drawbridge/records/xml.ts';
import { describe, expect, test } from 'vitest';
import { type TreeSettings, treeLayout } from './file-tree.ts';

const line = { sku: 'P1', description: 'Pump', quantity: 2, unit_price: 10 };
const invoice = (no: string, more: object = { items: [line] }) => ({
  invoiceNumber: no,
  date: '2026-01-31',
  customer: { name: 'Acme', address: { city: 'Dubai' } },
  total: 20,
  ...more,
});

describe('how JSON is laid out', () => {
  test.each<[string, unknown, TreeSettings]>([
    ['an array of invoices', [invoice('1'), invoice('2')], { sectionNames: { lines: 'items' } }],
    ['one invoice', invoice('1'), { sectionNames: { lines: 'items' } }],
    [
      'invoices deep in an answer',
      { status: 'ok', 'data set': { page: 1, invoices: [invoice('1')] } },
      { documentPath: "$['data set'].invoices", sectionNames: { lines: 'items' } },
    ],
    [
      'lines deep in an invoice, beside other arrays',
      [invoice('1', { payments: [{ date: '2026-02-01', amount: 20 }], body: { rows: [line] } })],
      { sectionNames: { lines: 'body.rows' } },
    ],
    ['lines that are called so', [invoice('1', { lines: [line] })], {}],
    [
      'rows of a table',
      {
        rows: [
          { doc_no: 'A1', date: '2026-01-01', customer: 'Acme', qty: 1, price: 2, amount: 2 },
          { doc_no: 'A1', date: '2026-01-01', customer: 'Acme', qty: 2, price: 2, amount: 4 },
          { doc_no: 'A2', date: '2026-01-02', customer: 'Bolt', qty: 1, price: 2, amount: 2 },
        ],
      },
      { documentPath: '$.rows', elementsAreRows: true, documentColumn: 'doc_no' },
    ],
  ])('%s', (_, value, settings) => {
    expect(treeLayout([{ value }])?.settings).toEqual(settings);
  });

  test.each([
    ['a text', 'x'],
    ['settings of a program', { theme: 'dark', window: { width: 3 }, files: [{ name: 'a' }] }],
    ['customers', [{ name: 'Acme', city: 'Dubai', code: 'C1' }]],
  ])('%s is no invoice', (_, value) => {
    expect(treeLayout([{ value }])).toBeUndefined();
  });

  test('an object of very many names, and one of very many arrays, are looked at for a moment', () => {
    const wide = Object.fromEntries(Array.from({ length: 200_000 }, (_, at) => [`k${at}`, 1]));
    const lists = Array.from({ length: 20_000 }, (_, at) => [`l${at}`, [line]] as const);
    const started = performance.now();
    treeLayout([{ value: { wide, more: { wide }, lists: Object.fromEntries(lists) } }]);
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  test('objects in objects without an end are gone through a little', () => {
    let deep: object = invoice('1');
    for (let depth = 0; depth < 5_000; depth += 1) deep = { deep };
    expect(treeLayout([{ value: deep }])).toBeUndefined();
  });
});

function xml(text: string) {
  const read = lookIntoXml(Buffer.from(text));
  if (read.kind === 'unreadable') throw new Error(read.error.message);
  return read;
}

describe('how XML is laid out', () => {
  const order = (lines: number) =>
    `<Invoice><Number>1</Number><Date>2026-01-31</Date><Buyer><Name>Acme</Name></Buyer><Lines>${'<Line><Item>Pump</Item><Quantity>1</Quantity><Price>2</Price></Line>'.repeat(lines)}</Lines></Invoice>`;

  test.each<[string, readonly string[], TreeSettings]>([
    [
      'several invoices in a file, in a namespace',
      [`<x:Batch xmlns:x="urn:x">${order(2)}${order(1)}</x:Batch>`],
      {
        documentElement: 'Invoice',
        listElements: ['Line'],
        sectionNames: { lines: 'Lines.Line' },
      },
    ],
    [
      'an invoice with one line, which may have more',
      [order(1)],
      { listElements: ['Line'], sectionNames: { lines: 'Lines.Line' } },
    ],
  ])('%s', (_, files, settings) => {
    expect(treeLayout(files.map(xml))?.settings).toEqual(settings);
  });

  test.each([
    ['UBL', 'Invoice', 'urn:oasis:names:specification:ubl:schema:xsd:Invoice-2', 'InvoiceLine'],
    [
      'CII',
      'CrossIndustryInvoice',
      'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100',
      'SupplyChainTradeTransaction.IncludedSupplyChainTradeLineItem',
    ],
  ])('%s is known by its outermost element', (_, root, namespace, lines) => {
    const layout = treeLayout([xml(`<p:${root} xmlns:p="${namespace}"/>`)]);
    expect(layout).toMatchObject({ confidence: 0.99, settings: { sectionNames: { lines } } });
  });
});
