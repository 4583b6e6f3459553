import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pdfOf } from '@drawbridge/records/pdf/pdf.kit.ts';
import { workbookOf } from '@drawbridge/records/workbook.kit.ts';
import { ciiOf } from '@drawbridge/validation/source/cii.sample.ts';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { Connector, DiscoverOutcome } from '../contract.ts';
import { files } from './connector.ts';

const signal = new AbortController().signal;
let root: string;
let folder: string;
let count = 0;
beforeEach(async () => {
  root ??= await mkdtemp(path.join(tmpdir(), 'drawbridge-discover-'));
  count += 1;
  folder = path.join(root, `case-${count}`);
  await mkdir(folder);
});
afterAll(() => rm(root, { recursive: true }));

const put = (name: string, content: string | Uint8Array) =>
  writeFile(path.join(folder, name), content);

const open = (settings: object = {}): Promise<Connector> =>
  files.open(files.settings.parse({ folder, settleSeconds: 0, ...settings }), {
    clock: () => new Date('2999-01-01T00:00:00Z'),
    allowedRoots: [root],
  });

type Discovered = Extract<DiscoverOutcome, { kind: 'discovered' }>;

async function discover(settings: object = {}): Promise<Discovered> {
  const outcome = await (await open(settings)).discover!({}, signal);
  if (outcome.kind !== 'discovered') throw new Error(JSON.stringify(outcome));
  return outcome;
}

/** All documents as the surest layout reads them: ref, and how many rows each section has. */
async function readAll({ layouts }: Discovered) {
  const connector = await open(layouts[0]?.layout);
  const page = await connector.list(undefined, signal);
  if (page.kind !== 'page') throw new Error(page.fault.message);
  const outcomes = await connector.readMany(page.refs, signal);
  return outcomes.map((each) => {
    if (each.kind !== 'found') return each.kind === 'missing' ? each : each.fault.message;
    const { ref, sections } = each.document;
    const rows = Object.entries(sections).map(([name, own]) => `${own.length} ${name}`);
    return `${ref}: ${rows.join(', ')}`;
  });
}

const table = [
  'Invoice No;Date;Customer;Item;Qty;Price;Net;Total',
  'INV-1;2026-01-05;Müller & Söhne;Pump;2;10,00;20,00;25,00',
  'INV-1;2026-01-05;Müller & Söhne;Hose;1;5,00;5,00;25,00',
  'INV-2;2026-01-06;Bolt;Pump;1;10,00;10,00;10,00',
].join('\r\n');

describe('CSV', () => {
  test('of an old encoding, with title rows and a total, is read as it is proposed', async () => {
    const text = `Verkäufe\r\nJanuar 2026\r\n\r\n${table}\r\nSumme;;;;;;35,00;\r\n`;
    await put('export.csv', Buffer.from(text, 'latin1'));
    const found = await discover();
    expect(found).toMatchObject({
      source: expect.stringMatching(/: 1 file: 1 CSV$/),
      places: [{ name: 'export.csv', rows: 3, columns: 8, dates: [{ latest: '2026-01-06' }] }],
      layouts: [
        {
          layout: {
            delimiter: ';',
            encoding: 'windows-1252',
            headerLine: 3,
            documentColumn: 'Invoice No',
            skipRows: [{ empty: ['Date', 'Customer', 'Item', 'Qty', 'Price', 'Total'] }],
          },
          reasons: { header: 'Line 3 names the columns.' },
        },
      ],
      documents: [
        {
          number: 'INV-1',
          date: '2026-01-05',
          customer: 'Müller & Söhne',
          total: '25.00',
          lineCount: 2,
          lines: [{ name: 'Pump', quantity: '2', price: '10.00', net: '20.00' }, {}],
        },
        { number: 'INV-2', lineCount: 1 },
      ],
    });
    expect(await readAll(found)).toEqual([
      'export.csv#INV-1: 1 header, 2 lines',
      'export.csv#INV-2: 1 header, 1 lines',
    ]);
  });

  test('of code page 850 of DOS is read with its own letters', async () => {
    const dos = table.replaceAll('ü', '\x81').replaceAll('ö', '\x94');
    await put('day.csv', Buffer.from(dos, 'latin1'));
    const found = await discover();
    expect(found.layouts[0]?.layout).toMatchObject({ encoding: 'ibm850' });
    expect(JSON.stringify(found.documents)).toContain('Müller & Söhne');
  });

  test('as a spreadsheet saves it, with empty rows and columns, is read as it is proposed', async () => {
    const [header, ...rows] = table.split('\r\n');
    const padded = [';;;;;;;', `${header};;`, ...rows.flatMap((row) => [`${row};;`, ';;;;;;;;;'])];
    await put('export.csv', `Sales;;;;;;;;;\r\n${padded.join('\r\n')}\r\n`);
    expect(await readAll(await discover())).toEqual([
      'export.csv#INV-1: 1 header, 2 lines',
      'export.csv#INV-2: 1 header, 1 lines',
    ]);
  });

  test('whose later half is broken gives way to files that can be read', async () => {
    const row = 'INV-1;2026-01-05;Bolt;Pump;2;10,00;20,00;25,00\r\n';
    const text = `${table}\r\n${row.repeat(30_000)}`;
    const broken = Buffer.concat([Buffer.from(text), Buffer.from([0xff])]);
    for (const name of ['a.csv', 'b.csv', 'c.csv']) await put(name, broken);
    const order = { number: 'INV-7', date: '2026-01-31', items: [{ qty: 1, price: 2, amount: 2 }] };
    await put('d.json', JSON.stringify(order));
    const found = await discover();
    expect(found.layouts.map(({ layout }) => layout.kinds)).toEqual([['json'], ['csv']]);
    expect(found.documents).toHaveLength(1);
  });

  test('with an invoice a file has no column that tells documents apart', async () => {
    const [header, ...rows] = table.split('\r\n');
    await put('1.csv', `${header}\n${rows[0]}\n${rows[1]}\n`);
    await put('2.csv', `${header}\n${rows[2]}\n`);
    const found = await discover();
    expect(found.layouts[0]?.layout).not.toHaveProperty('documentColumn');
    expect(found.layouts[0]?.reasons.documents).toMatch(/a file is one/);
    expect(await readAll(found)).toEqual(['1.csv: 1 header, 2 lines', '2.csv: 1 header, 1 lines']);
  });

  test('with headers in one file and lines in another is read together', async () => {
    await put(
      'heads.csv',
      'invoice_number,invoice_date,customer_name,total\nINV-1,2026-01-05,Acme,23.00\nINV-2,2026-01-06,Bolt,5.00\n',
    );
    await put(
      'lines.csv',
      'invoice_number,item,quantity,unit_price,net_amount\nINV-1,Pump,2,10.00,20.00\nINV-1,Valve,1,3.00,3.00\nINV-2,Hose,1,5.00,5.00\n',
    );
    const found = await discover();
    expect(found.layouts[0]).toMatchObject({
      title: 'heads.csv with their lines in lines.csv',
      layout: {
        headerFiles: 'heads.csv',
        documentColumn: 'invoice_number',
        joinedFiles: { lines: { file: 'lines.csv', column: 'invoice_number' } },
      },
    });
    expect(found.notes).toEqual([]);
    expect(found.documents).toMatchObject([
      { number: 'INV-1', customer: 'Acme', lineCount: 2, lines: [{ name: 'Pump' }, {}] },
      { number: 'INV-2', lineCount: 1 },
    ]);
    expect(await readAll(found)).toEqual([
      'heads.csv#INV-1: 1 header, 2 lines',
      'heads.csv#INV-2: 1 header, 1 lines',
    ]);
  });

  test('with headers and lines in two files a day reads those of the same day together, once both are there', async () => {
    const heads = (...numbers: string[]) =>
      [
        'invoice_number,invoice_date,customer_name,total',
        ...numbers.map((number) => `${number},2026-01-05,Acme,23.00`),
      ].join('\n');
    const lines = (...numbers: string[]) =>
      [
        'invoice_number,item,quantity,unit_price,net_amount',
        ...numbers.flatMap((number) => [
          `${number},Pump,2,10.00,20.00`,
          `${number},Valve,1,3.00,3.00`,
        ]),
      ].join('\n');
    await put('invoices_20260105.csv', heads('INV-1', 'INV-2'));
    await put('invoice_lines_20260105.csv', lines('INV-1', 'INV-2'));
    const found = await discover();
    expect(found.layouts[0]?.layout).toMatchObject({
      headerFiles: 'invoices_*.csv',
      joinedFiles: { lines: { file: 'invoice_lines_*.csv' } },
    });
    await put('invoices_20260106.csv', heads('INV-3'));
    const first = [1, 2].map((n) => `invoices_20260105.csv#INV-${n}: 1 header, 2 lines`);
    expect(await readAll(found)).toEqual(first);
    await put('invoice_lines_20260106.csv', lines('INV-3'));
    expect(await readAll(found)).toEqual([
      ...first,
      'invoices_20260106.csv#INV-3: 1 header, 2 lines',
    ]);
  });

  test('lines that change later make their headers new again', async () => {
    await put('heads.csv', 'no,date\nA,2026-01-05\n');
    await put('lines.csv', 'no,qty\nA,1\n');
    const joinedFiles = { lines: { file: 'lines.csv', column: 'no' } };
    const connector = await open({ documentColumn: 'no', joinedFiles });
    const page = async (cursor?: string) => {
      const listed = await connector.list(cursor, signal);
      if (listed.kind !== 'page') throw new Error(listed.fault.message);
      return listed;
    };
    const first = await page();
    expect([first.refs, (await page(first.cursor)).refs]).toEqual([['heads.csv#A'], []]);
    await put('lines.csv', 'no,qty\nA,1\nA,2\n');
    expect((await page(first.cursor)).refs).toEqual(['heads.csv#A']);
    const read = await connector.read('heads.csv#A', signal);
    expect(read).toMatchObject({ document: { sections: { lines: [{}, {}] } } });
  });

  test('drafts and cancelled invoices are left out, also without a number', async () => {
    await put(
      'a.csv',
      [
        'Invoice No,Date,Status,Item,Qty,Price,Net',
        'INV-1,2026-01-05,Posted,Pump,2,10.00,20.00',
        'INV-1,2026-01-05,Posted,Hose,1,5.00,5.00',
        'INV-2,2026-01-06,Cancelled,Pump,1,10.00,10.00',
        'INV-3,2026-01-07,draft,Pump,1,10.00,10.00',
        'INV-4,2026-01-07,Posted,Pump,1,10.00,10.00',
      ].join('\n'),
    );
    const found = await discover();
    expect(found.layouts[0]?.layout).toMatchObject({
      leaveOut: { column: 'Status', values: ['Cancelled', 'draft', 'Canceled', 'Void'] },
    });
    expect(found.layouts[0]?.reasons.leaveOut).toMatch(/Left out.*"Cancelled".*in "Status"/);
    const kept = ['a.csv#INV-1: 1 header, 2 lines', 'a.csv#INV-4: 1 header, 1 lines'];
    expect(await readAll(found)).toEqual(kept);
    await put('b.csv', 'Invoice No,Date,Status,Item,Qty,Price,Net\n,2026-01-08,Draft,Pump,1,1,1\n');
    expect(await readAll(found)).toEqual(kept);
  });

  test('a status of lines leaves nothing out', async () => {
    await put(
      'a.csv',
      [
        'Invoice No,Date,Line Status,Item,Qty,Price,Net',
        'INV-1,2026-01-05,Posted,Pump,2,10.00,20.00',
        'INV-1,2026-01-05,Cancelled,Hose,1,5.00,5.00',
        'INV-2,2026-01-06,Posted,Pump,1,10.00,10.00',
      ].join('\n'),
    );
    const { layouts } = await discover();
    expect(layouts[0]?.layout).not.toHaveProperty('leaveOut');
  });

  test('with a row for each invoice and columns for its lines gives the lines', async () => {
    await put(
      'wide.csv',
      [
        'invoice_no,invoice_date,customer,address1,address2,item1_desc,item1_qty,item1_price,item2_desc,item2_qty,item2_price,item3_desc,item3_qty,item3_price,total',
        'INV-1,2026-01-05,Acme,1 High St,,Pump,2,10.00,Hose,1,5.00,,,,25.00',
        'INV-2,2026-01-06,Bolt,2 Low St,,Valve,1,3.00,,,,,,,3.00',
        'INV-3,2026-01-07,Cox,3 Mid St,,Valve,1,3.00,Pump,1,10.00,Hose,2,5.00,23.00',
      ].join('\n'),
    );
    const found = await discover();
    expect(found.layouts[0]?.layout).toMatchObject({
      documentColumn: 'invoice_no',
      lineColumns: ['item#_desc', 'item#_qty', 'item#_price'],
    });
    expect(found.documents[0]).toMatchObject({
      number: 'INV-1',
      lines: [
        { name: 'Pump', quantity: '2', price: '10.00' },
        { name: 'Hose', quantity: '1', price: '5.00' },
      ],
    });
    expect(await readAll(found)).toEqual([
      'wide.csv#INV-1: 1 header, 2 lines',
      'wide.csv#INV-2: 1 header, 1 lines',
      'wide.csv#INV-3: 1 header, 3 lines',
    ]);
  });

  test('settings that are there already do not bind what is proposed', async () => {
    await put('a.csv', table);
    const found = await discover({ headerLine: 7, documentColumn: 'x', rowSections: undefined });
    expect(await readAll(found)).toHaveLength(2);
  });

  test('a line of a gigabyte is told, and not read to its end', async () => {
    let given = 0;
    const { lookInto } = await import('../file-content/look.ts');
    const piece = Buffer.alloc(1_048_576, 0x61);
    function* chunks() {
      for (; given < 1_024; given += 1) yield piece;
    }
    const look = await lookInto({ name: 'a.csv', size: 1_073_741_824, chunks }, signal);
    expect(look).toMatchObject({ kind: 'nothing', reason: expect.stringMatching(/first line/) });
    expect(given).toBeLessThan(5);
  });
});

const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
const sheet = (...rows: readonly (readonly string[])[]) =>
  rows.map((row) => row.map(cell).join(''));

describe('XLSX', () => {
  const lines = sheet(
    ['Invoice', 'Item', 'Quantity', 'Unit price', 'Net amount'],
    ['INV-1', 'Pump', '2', '10.00', '20.00'],
    ['INV-2', 'Hose', '1', '5.00', '5.00'],
    ['INV-1', 'Valve', '1', '3.00', '3.00'],
  );

  test('with a sheet of headers and a sheet of lines is joined', async () => {
    const second = lines.map((cells, at) => `<row r="${at + 1}">${cells}</row>`).join('');
    const workbook = workbookOf({
      rows: sheet(
        ['Sales invoices'],
        ['Invoice number', 'Invoice date', 'Customer name', 'Total amount'],
        ['INV-1', '2026-01-05', 'Acme', '23.00'],
        ['INV-2', '2026-01-06', 'Bolt', '5.00'],
      ),
      sheets:
        '<sheet name="Invoices" sheetId="1" r:id="rId1"/><sheet name="Invoice lines" sheetId="2" r:id="rId2"/>',
      more: [
        {
          name: 'xl/worksheets/sheet2.xml',
          text: `<worksheet><sheetData>${second}</sheetData></worksheet>`,
        },
      ],
    });
    await put('book.xlsx', workbook);
    const found = await discover();
    expect(found.layouts[0]).toMatchObject({
      title: expect.stringMatching(/"Invoices" and "Invoice lines"/),
      layout: {
        sheet: 'Invoices',
        headerLine: 2,
        documentColumn: 'Invoice number',
        sheets: { lines: { sheet: 'Invoice lines', headerLine: 1, column: 'Invoice' } },
      },
    });
    expect(await readAll(found)).toEqual([
      'book.xlsx#INV-1: 1 header, 2 lines',
      'book.xlsx#INV-2: 1 header, 1 lines',
    ]);
  });

  test('with one table is read from its sheet', async () => {
    await put('book.xlsx', workbookOf({ rows: lines.slice(0, 3) }));
    const found = await discover();
    expect(found.layouts[0]?.layout).toMatchObject({
      sheet: 'Invoices',
      documentColumn: 'Invoice',
    });
    expect(await readAll(found)).toHaveLength(2);
  });

  test('that unpacks to far too much is told, and the others are read', async () => {
    const more = [{ name: 'xl/x.xml', text: ' ' }];
    await put('bomb.xlsx', workbookOf({ rows: [cell(' '.repeat(140_000_000))], more }));
    await put('good.xlsx', workbookOf({ rows: lines }));
    const found = await discover();
    expect(found.source).toMatch(/2 files: 1 XLSX, 1 without an invoice that can be read/);
    expect(found.notes).toContainEqual(expect.stringMatching(/^bomb\.xlsx: .*unpacked/));
    expect(found.documents).toHaveLength(2);
  });
});

describe('JSON and XML of any shape', () => {
  const invoice = (number: string, lines: number) => ({
    invoiceNumber: number,
    invoiceDate: '2026-01-31',
    customer: { name: 'Acme', city: 'Dubai' },
    total: 20 * lines,
    positions: Array.from({ length: lines }, () => ({ item: 'Pump', quantity: 2, price: 10 })),
  });

  test('JSON: the array of invoices, and the one of lines', async () => {
    await put('a.json', JSON.stringify({ data: { invoices: [invoice('1', 2), invoice('2', 1)] } }));
    const found = await discover();
    expect(found.layouts[0]?.layout).toEqual({
      documentPath: '$.data.invoices',
      sectionNames: { lines: 'positions' },
    });
    expect(found.documents[0]).toMatchObject({ number: '1', customer: 'Acme', lineCount: 2 });
    expect(await readAll(found)).toEqual([
      'a.json#1: 1 header, 2 lines',
      'a.json#2: 1 header, 1 lines',
    ]);
  });

  test('XML: invoices in a batch, and files that are none beside them', async () => {
    const line =
      '<p:pos><p:item>Pump</p:item><p:quantity>2</p:quantity><p:price>10</p:price></p:pos>';
    const one = (number: number, lines: number) =>
      `<p:inv><p:invoiceNumber>${number}</p:invoiceNumber><p:date>2026-01-31</p:date><p:customer>Acme</p:customer>${line.repeat(lines)}</p:inv>`;
    await put('a.xml', `<p:batch xmlns:p="urn:x">${one(1, 2)}${one(2, 1)}</p:batch>`);
    await put('b.xml', '<settings><theme>dark</theme></settings>');
    await put('c.xml', `${'<a>'.repeat(5_000)}${'</a>'.repeat(5_000)}`);
    const found = await discover();
    expect(await readAll(found)).toEqual([
      'a.xml#1: 1 header, 2 lines',
      'a.xml#2: 1 header, 1 lines',
      expect.stringMatching(/^b\.xml: The file has no element "inv"/),
      expect.stringMatching(/^c\.xml: The XML is nested deeper than 64/),
    ]);
    expect(found.notes).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^b\.xml: Nothing in it looks like an invoice/),
        expect.stringMatching(/^c\.xml: .*deeper/),
      ]),
    );
  });
});

describe('PDF', () => {
  const facturX = () => pdfOf({ files: [{ name: 'factur-x.xml', content: ciiOf() }] });

  test('the invoice that is attached to it is read, and other files are named', async () => {
    await put('re-7.pdf', facturX());
    await put(
      're-8.pdf',
      pdfOf({
        files: [{ name: 'factur-x.xml', content: ciiOf({ isBare: true }) }],
        isPacked: true,
      }),
    );
    await put('terms.pdf', pdfOf({ files: [] }));
    await put('secret.pdf', pdfOf({ files: [], isEncrypted: true }));
    await put('list.csv', table);
    const found = await discover();
    expect(found.source).toMatch(
      /: 5 files: 2 PDF with an invoice in them, 1 CSV, 2 without an invoice that can be read$/,
    );
    expect(found.layouts.map(({ title, layout }) => [title, layout.kinds])).toEqual([
      [expect.stringMatching(/^2 PDF with an invoice in them: Cross Industry Invoices/), ['pdf']],
      [expect.stringMatching(/^1 CSV/), ['csv']],
    ]);
    expect(found.documents).toMatchObject([
      { number: 'RE-7', customer: 'Horeca Groothandel Noord NV', lineCount: 1 },
      { number: 'RE-7' },
    ]);
    expect(found.notes).toEqual([
      'Laid out otherwise: 1 CSV, such as list.csv. A source of its own, with another layout, reads that.',
      expect.stringMatching(/^(secret\.pdf: The PDF is encrypted|terms\.pdf: There is no invoice)/),
      expect.stringMatching(/^(secret\.pdf: The PDF is encrypted|terms\.pdf: There is no invoice)/),
    ]);
    expect(await readAll(found)).toEqual([
      expect.stringMatching(/^re-7\.pdf: 1 header, 1 notes, 1 lines/),
      expect.stringMatching(/^re-8\.pdf: 1 header, 1 lines/),
      expect.stringMatching(/^secret\.pdf: The PDF is encrypted/),
    ]);
  });

  test('is left alone where settings do not name it', async () => {
    await put('re-7.pdf', facturX());
    const connector = await open();
    expect(await connector.list(undefined, signal)).toMatchObject({ refs: [] });
    const named = await open({ kinds: ['pdf'] });
    expect(await named.list(undefined, signal)).toMatchObject({ refs: ['re-7.pdf'] });
  });
});

describe('what the settings of a layout do', () => {
  const outcomes = async (settings: object) => {
    const connector = await open(settings);
    const page = await connector.list(undefined, signal);
    if (page.kind !== 'page') throw new Error(page.fault.message);
    const read = await connector.readMany(page.refs, signal);
    return read.map((each) => {
      if (each.kind !== 'found') return each.kind === 'missing' ? each : each.fault.message;
      const { header, lines = [] } = each.document.sections;
      return [header?.map(({ values }) => values), lines.map(({ values }) => values)];
    });
  };

  test('rows that leave the number empty go on with the invoice above, and none stands before the first', async () => {
    await put('a.csv', 'No,Item\nA,Pump\n,Hose\nB,Valve\n');
    const settings = { documentColumn: 'No', continuedRows: true };
    expect(await outcomes(settings)).toEqual([
      [
        [{ No: 'A', Item: 'Pump' }],
        [
          { No: 'A', Item: 'Pump' },
          { No: null, Item: 'Hose' },
        ],
      ],
      [[{ No: 'B', Item: 'Valve' }], [{ No: 'B', Item: 'Valve' }]],
    ]);
    await put('a.csv', 'No,Item\n,Hose\n');
    expect(await outcomes(settings)).toEqual([expect.stringMatching(/names no document/)]);
  });

  test('rows are left out by what is empty or begins so, and no others', async () => {
    await put('a.csv', 'No,Item,Qty\nA,Pump,1\nTotal,,\nEnd\nB,,2\n');
    const skipRows = [{ empty: ['Item', 'Qty'] }];
    expect(await outcomes({ documentColumn: 'No', skipRows })).toHaveLength(2);
    const begins = [{ column: 'No', begins: 'tot' }];
    expect(await outcomes({ documentColumn: 'No', skipRows: begins })).toEqual([
      expect.stringMatching(/line 4 has 1 fields/),
    ]);
  });

  test('a sheet that lacks the column that joins it is told', async () => {
    await put('a.xlsx', workbookOf({ rows: sheet(['No'], ['A']) }));
    const sheets = { lines: { sheet: 'Invoices', column: 'Missing' } };
    expect(await outcomes({ documentColumn: 'No', sheets })).toEqual([
      'a.xlsx: the sheet "Invoices" has no column "Missing".',
    ]);
    expect(await outcomes({ sheets })).toEqual([expect.stringMatching(/documentColumn names/)]);
  });

  test('objects are rows of a table, and a place that is not there is told', async () => {
    await put(
      'a.json',
      JSON.stringify({
        rows: [
          { no: 'A', q: 1 },
          { no: 'A', q: 2 },
        ],
      }),
    );
    const settings = { elementsAreRows: true, documentColumn: 'no' };
    expect(await outcomes({ ...settings, documentPath: '$.rows' })).toEqual([
      [
        [{ no: 'A', q: '1' }],
        [
          { no: 'A', q: '1' },
          { no: 'A', q: '2' },
        ],
      ],
    ]);
    expect(await outcomes({ ...settings, documentPath: '$.data' })).toEqual([
      expect.stringMatching(/nothing at "\$\.data".*Correct the path/),
    ]);
  });

  test('two arrays of one name are told', async () => {
    await put('a.json', JSON.stringify({ no: 'A', lines: [{ a: 1 }], items: [{ b: 1 }] }));
    expect(await outcomes({ sectionNames: { lines: 'items' } })).toEqual([
      expect.stringMatching(/two sections "lines"/),
    ]);
  });

  test('elements are told apart by a value in them', async () => {
    const tax = (scheme: string, number: string) =>
      `<Tax><Number>${number}</Number><Scheme><ID>${scheme}</ID></Scheme></Tax>`;
    await put('a.xml', `<I><No>A</No>${tax('VAT', '1')}${tax('a b', '2')}</I>`);
    const elementKeys = { Tax: 'Scheme.ID' };
    expect(await outcomes({ elementKeys })).toEqual([
      [
        [
          {
            No: 'A',
            'Tax[VAT].Number': '1',
            'Tax[VAT].Scheme.ID': 'VAT',
            'Tax.Number': '2',
            'Tax.Scheme.ID': 'a b',
          },
        ],
        [],
      ],
    ]);
  });
});

describe('what is not as one wishes is said', () => {
  test('an empty folder', async () => {
    const found = await discover();
    expect(found).toMatchObject({ source: expect.stringMatching(/: no files$/), layouts: [] });
    expect(found.notes).toContainEqual(expect.stringMatching(/Nothing looks like invoices/));
  });

  test('a folder of files that are not read names them', async () => {
    await put('inv.xls', 'x');
    await mkdir(path.join(folder, '2026'));
    await mkdir(path.join(folder, 'status'));
    const { notes } = await discover();
    expect(notes[0]).toBe(
      'There are others, such as 2026/, inv.xls: the files that are read end in .csv, .xlsx, .json, .xml, .pdf.',
    );
  });

  test('names of columns of any length', async () => {
    const [header = '', ...rows] = table.split('\r\n');
    const long = header.replace('Invoice No', `Invoice No ${'x'.repeat(5_000)}`);
    await put('a.csv', [long, ...rows].join('\n'));
    await put(
      'b.csv',
      [header.replace('Item', `Item \u001b${'y'.repeat(5_000)}`), ...rows].join('\n'),
    );
    const found = await discover();
    expect(found.layouts).toHaveLength(1);
    expect(JSON.stringify([found.layouts, found.notes, found.places]).length).toBeLessThan(3_000);
    // Of the other file it is said that its columns are not these.
    expect(await readAll(found)).toHaveLength(3);
  });

  test('names with control characters, and a folder that is not there', async () => {
    await put('a\u001b[31m\u202e.csv', table);
    await put('b\u001b[31m\u202e.json', '{}');
    const { places, notes } = await discover();
    expect(JSON.stringify([places, notes])).not.toMatch(/[\u202e]|\\u001b/);
    expect([places.length, notes.length]).toEqual([1, 1]);
    const connector = await open({ folder: path.join(root, 'none') });
    expect(await connector.discover!({}, signal)).toMatchObject({
      kind: 'unreachable',
      fault: { code: expect.stringMatching(/folder_missing|path_not_allowed/) },
    });
  });
});
