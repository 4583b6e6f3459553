import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCsvReader, readCsv } from './csv.ts';
import { delimiters } from './delimiter.ts';
import type { SourceRow } from './document.ts';
import { recordLimits } from './limits.ts';
import type { SkippedRows } from './table.ts';

const read = (text: string | Uint8Array) => readCsv(Buffer.from(text), { origin: 'a.csv' });

function rows(text: string) {
  const outcome = read(text);
  if (outcome.kind !== 'table') throw new Error(outcome.error.message);
  return outcome.rows.map((row) => ({ key: row.key, ...row.values }));
}

describe('a CSV file becomes rows', () => {
  test.each([
    ['comma', 'no,total\n1,10.00\n', ','],
    ['semicolon with decimal commas', 'no;total\n1;10,00\n2;1,5\n', ';'],
    ['tab', 'no\ttotal\n1\t10\n', '\t'],
    ['pipe', 'no|total\n1|10\n', '|'],
    ['a delimiter inside quotes does not count', 'no;text\n1;"a,b,c,d"\n', ';'],
    ['one column', 'no\n1\n', ','],
  ])('%s', (_name, text, delimiter) => {
    expect(read(text)).toMatchObject({ kind: 'table', delimiter });
  });

  test('the byte order mark is dropped and names are trimmed', () => {
    expect(rows('\uFEFFno , total\n1,2\n')).toEqual([{ key: '2', no: '1', total: '2' }]);
  });

  test('a row is keyed by the line it starts on, blank lines and quoted line feeds counted', () => {
    expect(rows('no,text\r\n1,"two\r\nlines"\r\n\r\n2,\r\n')).toEqual([
      { key: '2', no: '1', text: 'two\r\nlines' },
      { key: '5', no: '2', text: null },
    ]);
  });

  test('unicode and long decimals come back as written', () => {
    expect(rows('name,total\n株式会社 ÿ 😀,0.10000000000000000005\n')).toEqual([
      { key: '2', name: '株式会社 ÿ 😀', total: '0.10000000000000000005' },
    ]);
  });

  test('quoted values are read back, for every delimiter', () => {
    const cell = fc
      .string({ unit: 'grapheme', maxLength: 12 })
      .map((text) => text.replaceAll('\r', ''));
    const table = fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(fc.constantFrom(...delimiters), table, (delimiter, cells) => {
        const quoted = cells.map((line) => line.map((text) => `"${text.replaceAll('"', '""')}"`));
        const text = [['a', 'b', 'c'], ...quoted].map((line) => line.join(delimiter)).join('\n');
        const outcome = readCsv(Buffer.from(text), { origin: 'x', delimiter });
        expect(outcome).toMatchObject({ kind: 'table' });
        const back =
          outcome.kind === 'table' ? outcome.rows.map((row) => Object.values(row.values)) : [];
        const filled = cells.filter((line) => line.some((value) => value.trim() !== ''));
        expect(back).toEqual(filled.map((line) => line.map((value) => value || null)));
      }),
    );
  });
});

test('rows that hold nothing are left out, and not where no line names the columns', () => {
  expect(rows('no;text\n1;a\n;\n; \n2;b\n;\n')).toEqual([
    { key: '2', no: '1', text: 'a' },
    { key: '5', no: '2', text: 'b' },
  ]);
  const all = readCsv(Buffer.from('1;a\n;\n'), { origin: 'a.csv', headerLine: 0 });
  expect(all).toMatchObject({ rows: [{}, {}] });
});

test.each([
  ['in the header and in rows', 'a;b;\n1;2;\n;4; \n'],
  ['in rows alone', 'a;b\n1;2;\n;4;;\n'],
  ['in the header alone', 'a;b;;\n1;2\n;4\n'],
])('a delimiter behind the last column, %s, makes no column', (_, text) => {
  expect(read(text)).toMatchObject({
    columns: ['a', 'b'],
    rows: [{ values: { a: '1', b: '2' } }, { values: { a: null, b: '4' } }],
  });
});

describe('a CSV file that cannot be read gives the fault, its place and a correction', () => {
  test.each([
    ['nothing in it', '', 'empty', undefined],
    ['a column without a name', 'a,,c\n1,2,3\n', 'header_incomplete', 1],
    ['a column named twice', 'a,b,a\n1,2,3\n', 'header_duplicate', 1],
    ['a row too short', 'a,b\n1,2\n3\n', 'column_count', 3],
    ['a row too long', 'a,b\n1,2,3\n', 'column_count', 2],
    ['a quote never closed', 'a,b\n1,"2\n', 'quote_unclosed', 2],
    ['after quoted CR LFs', 'a,b\r\n1,"2\r\n3\r\n"\r\n4,"5', 'quote_unclosed', 5],
    ['a quote in the middle', 'a,b\n1,x"y\n', 'quote_misplaced', 2],
    ['UTF-16 without its mark', Buffer.from('a,b\n', 'utf16le'), 'not_utf8', 1],
  ])('%s', (_name, text, code, line) => {
    const outcome = read(text);
    expect(outcome).toMatchObject({ kind: 'unreadable', error: { code } });
    if (line !== undefined) expect(outcome).toMatchObject({ error: { line } });
  });

  test.each([
    ['Windows-1252', [0x61, 0x0a, 0x62, 0xe9, 0x0a], 'Line 2, column 2: byte 0xe9'],
    ['an overlong sequence', [0xc0, 0x80], 'Line 1, column 1: byte 0xc0'],
    ['a surrogate', [0x61, 0xed, 0xa0, 0x80], 'Line 1, column 2: byte 0xed'],
    ['a sequence cut off', [0x0a, 0x0a, 0xe2, 0x82], 'Line 3, column 1: byte 0xe2'],
  ])('%s is not UTF-8, and the place is named', (_name, bytes, message) => {
    const outcome = read(Uint8Array.from(bytes));
    expect(outcome).toMatchObject({ kind: 'unreadable', error: { code: 'not_utf8' } });
    expect(outcome.kind === 'unreadable' && outcome.error.message).toContain(message);
  });

  test('the bad byte is found at any position', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        fc.pre(!isUtf16(bytes));
        const isUtf8 = Buffer.from(bytes).equals(Buffer.from(Buffer.from(bytes).toString('utf8')));
        const outcome = read(bytes);
        const code = outcome.kind === 'unreadable' ? outcome.error.code : undefined;
        expect(code === 'not_utf8').toBe(!isUtf8);
      }),
    );
  });

  test.each([
    ['rows', { rowsMax: 1 }, 'too_many_rows'],
    ['columns', { columnsMax: 1 }, 'too_many_columns'],
    ['values', { valueLengthMax: 2 }, 'value_too_long'],
    ['bytes', { bytesMax: 5 }, 'too_large'],
  ])('limits of %s hold', (_name, change, code) => {
    const limits = { ...recordLimits, ...change };
    expect(readCsv(Buffer.from('a,b\n1,xyz\n3,4\n'), { origin: 'a', limits })).toMatchObject({
      kind: 'unreadable',
      error: { code },
    });
  });
});

/** As its mark or its zeros tell. */
function isUtf16([first, second]: Uint8Array): boolean {
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return isMarked || (first === 0) !== (second === 0);
}

describe('encodings', () => {
  const text = 'no;buyer\n1;Žižkov «é» €\n';
  const bigEndian = (of: string) => Buffer.from(`\uFEFF${of}`, 'utf16le').swap16();
  test.each([
    ['UTF-16 with its mark', Buffer.from(`\uFEFF${text}`, 'utf16le'), undefined, 'Žižkov «é» €'],
    ['the other UTF-16', bigEndian(text), undefined, 'Žižkov «é» €'],
    ['UTF-16 as named', Buffer.from(text, 'utf16le'), 'utf-16le', 'Žižkov «é» €'],
    ['Windows-1252', Buffer.from('no;buyer\n1;\xe9\x80\n', 'latin1'), 'windows-1252', 'é€'],
    ['DOS', Buffer.from('no;buyer\n1;M\x81ller \xe1\n', 'latin1'), 'ibm850', 'Müller ß'],
    ['Windows-1256', Buffer.from('no;buyer\n1;\xd4\xd1\n', 'latin1'), 'windows-1256', 'شر'],
  ] as const)('%s is read', (_name, bytes, encoding, buyer) => {
    const outcome = readCsv(bytes, { origin: 'a.csv', encoding });
    expect(outcome).toMatchObject({ rows: [{ values: { no: '1', buyer } }] });
  });

  test('bytes that the named encoding does not have are a refusal', () => {
    const bytes = Buffer.from([0x61, 0x0a, 0x81, 0xff]);
    const outcome = readCsv(bytes, { origin: 'a.csv', encoding: 'gb18030' });
    expect(outcome).toMatchObject({ error: { code: 'not_text' } });
  });
});

describe('a CSV file that comes in pieces', () => {
  test('gives the rows and lines that it has as a whole, wherever it is cut', () => {
    const text = 'a,b\r\n1,"x\r\ny"\r\n\r\n2,"say ""hi"""\r\n3,é\r\n4,"last\n"';
    const whole = readCsv(Buffer.from(text), { origin: 'a', delimiter: ',' });
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 8 }), (cuts) => {
        const reader = createCsvReader({ origin: 'a', delimiter: ',' });
        const rows: SourceRow[] = [];
        let from = 0;
        for (const cut of [...cuts.toSorted((a, b) => a - b), text.length]) {
          const read = reader.push(text.slice(from, cut));
          if (read.kind === 'rows') rows.push(...read.rows);
          from = cut;
        }
        const last = reader.end();
        if (last.kind === 'rows') rows.push(...last.rows);
        expect({ kind: 'table', delimiter: ',', columns: reader.columns, rows }).toEqual(whole);
      }),
    );
  });

  test('keeps only the record that is cut, and one without end is refused', () => {
    const reader = createCsvReader({ origin: 'a', delimiter: ',' });
    let outcome = reader.push('a,b\n1,"');
    for (let count = 0; count < 20 && outcome.kind === 'rows'; count += 1) {
      outcome = reader.push('x\n'.repeat(250_000));
    }
    expect(outcome).toMatchObject({ error: { code: 'quote_unclosed' } });
  });

  test('quotes without end or line are gone through once', () => {
    const reader = createCsvReader({ origin: 'a', delimiter: ',' });
    reader.push('a,b\n');
    for (let count = 0; count < 20; count += 1) reader.push('"x",'.repeat(10_000));
    expect(reader.end()).toMatchObject({ error: { code: 'column_count' } });
  });
});

describe('other shapes of tables', () => {
  test('without a header columns are called by their position, and rows may differ in length', () => {
    const outcome = readCsv(Buffer.from('H;INV-1;Acme\nL;1;Bolt;2.5\n'), {
      origin: 'a',
      headerLine: 0,
    });
    expect(outcome).toMatchObject({
      rows: [
        { key: '1', values: { '1': 'H', '2': 'INV-1', '3': 'Acme' } },
        { key: '2', values: { '1': 'L', '2': '1', '3': 'Bolt', '4': '2.5' } },
      ],
    });
  });

  test('lines above the header are left out', () => {
    const outcome = readCsv(Buffer.from('Export of May\n;;\nno;buyer\n1;Acme\n'), {
      origin: 'a',
      delimiter: ';',
      headerLine: 3,
    });
    expect(outcome).toMatchObject({ rows: [{ key: '4', values: { no: '1', buyer: 'Acme' } }] });
  });
});

test('rows are left out by columns that the file has, and no others', () => {
  const bytes = Buffer.from('No,Item\nA,Pump\nB,\nTotal,\n');
  const read = (skipRows: readonly SkippedRows[]) => {
    const table = readCsv(bytes, { origin: 'a.csv', skipRows });
    return table.kind === 'table' ? table.rows.map(({ key }) => key) : table.error.code;
  };
  expect(read([{ empty: ['Item'] }])).toEqual(['2']);
  expect(read([{ empty: ['Other'] }])).toEqual(['2', '3', '4']);
  expect(read([{ column: 'No', begins: 'TOT' }])).toEqual(['2', '3']);
});
