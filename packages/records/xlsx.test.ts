import { describe, expect, test } from 'vitest';
import { recordLimits } from './limits.ts';
import { type WorkbookParts, workbookOf, zipOf } from './workbook.kit.ts';
import { readXlsx, type XlsxOptions } from './xlsx.ts';

const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
const read = (parts: WorkbookParts, options: Partial<XlsxOptions> = {}) =>
  readXlsx(workbookOf(parts), { origin: 'a.xlsx', ...options });

const styles =
  '<numFmts><numFmt numFmtId="164" formatCode="[$-409]d\\ mmm\\ yyyy;@"/>' +
  '<numFmt numFmtId="165" formatCode="&quot;day&quot;\\ 0.00"/></numFmts>' +
  '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>' +
  '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/>' +
  '<xf numFmtId="22"/></cellXfs>';

/** The value of one cell below a header. */
function cell(xml: string, parts: Partial<WorkbookParts> = {}) {
  const outcome = read({ rows: [text('a'), xml], styles, ...parts });
  return outcome.kind === 'table' ? outcome.rows[0]?.values.a : outcome.error.code;
}

describe('a workbook becomes rows', () => {
  test('with shared strings, gaps, empty rows, and the row number as key', () => {
    const outcome = read({
      strings: ['number', 'buyer', 'Žižkov &amp; Co'],
      rows: [
        '<c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="inlineStr"><is><t>x</t></is></c>',
        '<c r="A2"><v>7</v></c><c r="C2"><v>1</v></c>',
        '',
        '<c r="B4" t="s"><v>2</v></c>',
      ],
    });
    expect(outcome).toMatchObject({
      columns: ['number', 'buyer', 'x'],
      rows: [
        { origin: 'a.xlsx [Invoices]', key: '2', values: { number: '7', buyer: null, x: '1' } },
        { key: '4', values: { number: null, buyer: 'Žižkov & Co', x: null } },
      ],
    });
  });

  test.each([
    ['a number', '<c><v>12.50</v></c>', '12.50'],
    ['a double that computing made', '<c><v>59.970000000000006</v></c>', '59.97'],
    ['another one', '<c><v>0.30000000000000004</v></c>', '0.3'],
    ['a small one with an exponent', '<c><v>1.5E-3</v></c>', '0.0015'],
    ['more digits than a double has', '<c><v>9007199254740993.12</v></c>', '9007199254740993.12'],
    ['a long whole number', '<c><v>12345678901234567890</v></c>', '12345678901234567890'],
    ['a day', '<c s="1"><v>46053</v></c>', '2026-01-31'],
    ['a day in a format of its own', '<c s="2"><v>46053</v></c>', '2026-01-31'],
    ['a day and a time', '<c s="4"><v>46053.5</v></c>', '2026-01-31T12:00:00'],
    ['a day before the one that never was', '<c s="1"><v>59</v></c>', '1900-02-28'],
    ['a number whose format only quotes a letter', '<c s="3"><v>46053</v></c>', '46053'],
    ['true', '<c t="b"><v>1</v></c>', 'true'],
    ['an error', '<c t="e"><v>#N/A</v></c>', '#N/A'],
    ['a formula with its value', '<c><f>1+1</f><v>2</v></c>', '2'],
    ['a formula with a text', '<c t="str"><f>A1</f><v>b</v></c>', 'b'],
    [
      'text in runs, without hints',
      '<c t="inlineStr"><is><r><t>a</t></r><r><t>b</t></r><rPh><t>x</t></rPh></is></c>',
      'ab',
    ],
  ])('%s', (_name, xml, value) => {
    expect(cell(xml)).toBe(value);
  });

  test('days may be counted from 1904', () => {
    const properties = '<workbookPr date1904="1"/>';
    expect(cell('<c s="1"><v>44591</v></c>', { properties })).toBe('2026-01-31');
  });

  test('the first visible sheet is read, or the one that is named', () => {
    const sheets =
      '<sheet name="Old" sheetId="2" state="hidden" r:id="rId2"/><sheet name="New" sheetId="1" r:id="rId1"/>';
    const hidden = `<worksheet><sheetData><row r="1">${text('h')}</row></sheetData></worksheet>`;
    const parts = {
      sheets,
      rows: [text('a')],
      more: [{ name: 'xl/worksheets/sheet2.xml', text: hidden }],
    };
    expect(read(parts)).toMatchObject({ columns: ['a'] });
    expect(read(parts, { sheet: 'Old' })).toMatchObject({ columns: ['h'] });
    expect(read(parts, { sheet: 'Other' })).toMatchObject({ error: { code: 'sheet_missing' } });
  });
});

describe('a workbook that cannot be read gives the fault', () => {
  const good: WorkbookParts = { rows: [text('a'), text('1')] };
  test.each([
    ['no archive', Buffer.from('number,total\n'), 'not_xlsx'],
    ['nothing', Buffer.from(''), 'not_xlsx'],
    ['an old or encrypted file', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'not_xlsx'],
    ['another archive', zipOf([{ name: 'a.txt', text: 'x' }]), 'not_xlsx'],
    ['cut off', workbookOf(good).subarray(0, 400), 'not_xlsx'],
    ['an empty sheet', workbookOf({ rows: [] }), 'empty'],
    [
      'a formula that was never computed',
      workbookOf({ rows: [text('a'), '<c r="A2"><f>1+1</f></c>'] }),
      'formula_without_value',
    ],
    [
      'a cell far to the right',
      workbookOf({ rows: ['<c r="XFD1"><v>1</v></c>'] }),
      'too_many_columns',
    ],
    ['an entity', workbookOf({ rows: ['<c t="str"><v>&x;</v></c>'] }), 'not_xlsx'],
    [
      'a row longer than the header',
      workbookOf({ rows: [text('a'), text('1') + text('2')] }),
      'column_count',
    ],
  ])('%s', (_name, bytes, code) => {
    expect(readXlsx(bytes, { origin: 'a.xlsx' })).toMatchObject({
      kind: 'unreadable',
      error: { code },
    });
  });

  test('a part that is larger than it says is not unpacked', () => {
    const rows = Buffer.alloc(140_000_000, ' ');
    const name = 'xl/worksheets/sheet2.xml';
    const sheets = '<sheet name="Bomb" sheetId="2" r:id="rId2"/>';
    const bomb = workbookOf({ ...good, sheets, more: [{ name, text: rows, announced: 10 }] });
    expect(bomb.length).toBeLessThan(1_000_000);
    expect(readXlsx(bomb, { origin: 'a.xlsx' })).toMatchObject({ error: { code: 'not_xlsx' } });
  });

  test('an archive of very many parts is refused', () => {
    const more = Array.from({ length: 6_000 }, (_, index) => ({ name: `x/${index}`, text: '' }));
    const outcome = readXlsx(workbookOf({ ...good, more }), { origin: 'a.xlsx' });
    expect(outcome).toMatchObject({ error: { code: 'not_xlsx' } });
  });

  test('links to other files are not followed', () => {
    const rels =
      '<Relationships><Relationship Id="rId1" TargetMode="External" Target="file:///etc/passwd"/></Relationships>';
    const parts = [
      {
        name: 'xl/workbook.xml',
        text: '<workbook xmlns:r="r"><sheets><sheet name="A" r:id="rId1"/></sheets></workbook>',
      },
      { name: 'xl/_rels/workbook.xml.rels', text: rels },
    ];
    expect(readXlsx(zipOf(parts), { origin: 'a' })).toMatchObject({ error: { code: 'not_xlsx' } });
  });

  test.each([
    ['rows', { rowsMax: 0 }, 'too_many_rows'],
    ['values', { valueLengthMax: 0 }, 'value_too_long'],
    ['bytes', { bytesMax: 5 }, 'too_large'],
  ])('limits of %s hold', (_name, change, code) => {
    const limits = { ...recordLimits, ...change };
    const outcome = readXlsx(workbookOf(good), { origin: 'a', limits });
    expect(outcome).toMatchObject({ error: { code } });
  });
});
