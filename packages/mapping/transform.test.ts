import { describe, expect, it } from 'vitest';
import { type Transform, transform } from './transform.ts';

function run(value: string | undefined, ...steps: Transform[]): string | undefined {
  const outcome = transform(value, steps, (operand) =>
    'value' in operand ? operand.value : { rate: '3.6725', zero: '0', empty: '' }[operand.column],
  );
  return 'fault' in outcome ? outcome.fault.code : outcome.value;
}

describe('dates', () => {
  it.each<[string, Extract<Transform, { kind: 'date' }>['format'], string]>([
    ['20260302', 'YYYYMMDD', '2026-03-02'],
    ['20260230', 'YYYYMMDD', 'not-a-date'],
    ['2/3/2026', 'DD/MM/YYYY', '2026-03-02'],
    ['2/3/2026', 'MM/DD/YYYY', '2026-02-03'],
    ['31.12.2026', 'DD.MM.YYYY', '2026-12-31'],
    ['31-12-2026', 'DD-MM-YYYY', '2026-12-31'],
    ['2026/3/2', 'YYYY/MM/DD', '2026-03-02'],
    ['2026-03-02', 'ISO', '2026-03-02'],
    ['2026-03-02T23:30:00.000Z', 'ISO', '2026-03-02'],
    ['2026-03-02 10:11:12', 'ISO', '2026-03-02'],
    ['46083', 'EXCEL', '2026-03-02'],
    ['46083.75', 'EXCEL', '2026-03-02'],
    ['0', 'EXCEL', 'not-a-date'],
    ['1772445600', 'EPOCH', '2026-03-02'],
    ['1772445600123', 'EPOCH_MS', '2026-03-02'],
    ['46083', 'EPOCH', 'not-a-date'],
    ['1260302', 'CYYMMDD', '2026-03-02'],
    ['0991231', 'CYYMMDD', '1999-12-31'],
    ['260302', 'YYMMDD', '2026-03-02'],
    ['2024366', 'YYYYDDD', '2024-12-31'],
    ['2026366', 'YYYYDDD', 'not-a-date'],
    ['126061', 'CYYDDD', '2026-03-02'],
    ['26061', 'YYDDD', '2026-03-02'],
    ['95001', 'YYDDD', '1995-01-01'],
    ['26000', 'YYDDD', 'not-a-date'],
    ['02/03/26', 'DD/MM/YYYY', 'not-a-date'],
    ['02/03/26', 'DD/MM/YY', '2026-03-02'],
    ['2.3.26', 'DD/MM/YY', '2026-03-02'],
    ['02/03-26', 'DD/MM/YY', 'not-a-date'],
    ['03/02/26', 'MM/DD/YY', '2026-03-02'],
    ['26-03-02', 'YY/MM/DD', '2026-03-02'],
    ['03-02-2026', 'MM-DD-YYYY', '2026-03-02'],
    ['2026.03.02', 'YYYY.MM.DD', '2026-03-02'],
    ['2-Mar-26', 'DD MMM YYYY', '2026-03-02'],
    ['02 March 2026', 'DD MMM YYYY', '2026-03-02'],
    ['2. März 2026', 'DD MMM YYYY', '2026-03-02'],
    ['2 juil. 2026', 'DD MMM YYYY', '2026-07-02'],
    ['02MAC2026', 'DD MMM YYYY', '2026-03-02'],
    ['31 Jun 2026', 'DD MMM YYYY', 'not-a-date'],
    ['2 Marble 2026', 'DD MMM YYYY', 'not-a-date'],
    ['Mar 2, 2026', 'MMM DD YYYY', '2026-03-02'],
    ['Mar 2 2026 12:00:00 AM', 'MMM DD YYYY', '2026-03-02'],
    ['02/03/2026 14:05', 'DD/MM/YYYY', '2026-03-02'],
    ['3/2/2026 2:05:00 PM', 'MM/DD/YYYY', '2026-03-02'],
    ['02/03/2026 x', 'DD/MM/YYYY', 'not-a-date'],
    ['\u200e02/03/2026\u200f', 'DD/MM/YYYY', '2026-03-02'],
    ['\u0660\u0662/\u0660\u0663/\u0662\u0660\u0662\u0666', 'DD/MM/YYYY', '2026-03-02'],
    ['2026-03-02 10:11:12+00', 'ISO', '2026-03-02'],
    ['30/11/2569', 'DD/MM/YYYY', 'not-a-date'],
    ['2569-11-30', 'ISO', 'not-a-date'],
    ['9999-12-31', 'ISO', '9999-12-31'],
  ])('%s as %s is %s', (value, format, expected) => {
    expect(run(value, { kind: 'date', format })).toBe(expected);
  });

  it.each([
    ['2026-03-02T17:30:00Z', '+08:00', '2026-03-03'],
    ['2026-03-02T02:30:00+04:00', '-05:00', '2026-03-01'],
    ['2026-03-02T17:30:00', '+08:00', '2026-03-02'],
    ['2026-03-02 17:30:00+00', '+08:00', '2026-03-03'],
  ])('%s at %s is %s', (value, offset, expected) => {
    expect(run(value, { kind: 'date', format: 'ISO', offset })).toBe(expected);
  });
});

describe('times', () => {
  it.each<[string, Extract<Transform, { kind: 'time' }>['format'], string]>([
    ['93015', 'HHMMSS', '09:30:15'],
    ['5', 'HHMMSS', '00:00:05'],
    ['246000', 'HHMMSS', 'not-a-time'],
    ['9:30', 'HH:MM', '09:30:00'],
    ['9:30:15.123', 'HH:MM:SS', '09:30:15'],
    ['2026-03-02T09:30:15.5Z', 'ISO', '09:30:15Z'],
    ['2026-03-02 09:30', 'ISO', '09:30:00'],
    ['2026-03-02T09:30:15+0800', 'ISO', '09:30:15+08:00'],
    ['2026-03-02 09:30:15+08', 'ISO', '09:30:15+08:00'],
  ])('%s as %s is %s', (value, format, expected) => {
    expect(run(value, { kind: 'time', format })).toBe(expected);
  });
});

describe('numbers', () => {
  it.each<[string, '.' | ',', string]>([
    ['1,234.50', '.', '1234.5'],
    ['1.234,50', ',', '1234.5'],
    ["1'234.50", '.', '1234.5'],
    ['1 234,50', ',', '1234.5'],
    ['12,34,567.00', '.', '1234567'],
    ['(12.30)', '.', '-12.3'],
    ['12.30-', '.', '-12.3'],
    ['-.5', '.', '-0.5'],
    ['1,23', '.', 'not-a-decimal'],
    ['1.2.3', '.', 'not-a-decimal'],
    ['1e5', '.', 'not-a-decimal'],
    ['AED 5', '.', 'not-a-decimal'],
    ['\u2212\u200e1,234.50', '.', '-1234.5'],
    ['\u0661\u066c\u0662\u0663\u0664\u066b\u0665', '.', '1234.5'],
    ['\uff11\uff12', ',', '12'],
  ])('%s with %s is %s', (value, point, expected) => {
    expect(run(value, { kind: 'decimal', point })).toBe(expected);
  });

  it.each<[string, Transform[], string]>([
    ['-12.345', [{ kind: 'abs' }, { kind: 'round', places: 2 }], '12.35'],
    ['0.1', [{ kind: 'multiply', by: { column: 'rate' } }], '0.36725'],
    ['3.6725', [{ kind: 'divide', by: { column: 'rate' } }], '1'],
    ['1', [{ kind: 'divide', by: { column: 'zero' } }], 'division-by-zero'],
    ['1', [{ kind: 'multiply', by: { column: 'empty' } }], 'not-a-decimal'],
    ['1', [{ kind: 'multiply', by: { value: '-2' } }], '-2'],
  ])('%s through %j is %s', (value, steps, expected) => {
    expect(run(value, ...steps)).toBe(expected);
  });
});

describe('texts', () => {
  it.each<[string | undefined, Transform[], string | undefined]>([
    [' a ', [{ kind: 'trim' }, { kind: 'upper' }], 'A'],
    ['Deutschland', [{ kind: 'map', list: 'countries', values: {} }], 'DE'],
    ['U.S.A.', [{ kind: 'map', list: 'countries', values: { 'U.S.A.': 'US' } }], 'US'],
    ['United Kingdom', [{ kind: 'map', list: 'countries', values: {} }], 'GB'],
    ['Stück', [{ kind: 'map', list: 'units', values: {} }], 'H87'],
    ['120', [{ kind: 'divide', by: { value: '20' }, on_top: 'percent' }], '100'],
    ['120', [{ kind: 'divide', by: { value: '0.2' }, on_top: 'fraction' }], '100'],
    ['120', [{ kind: 'subtract', by: { value: '20' } }], '100'],
    [
      '120',
      [{ kind: 'subtract', by: { value: '20' }, when: { column: 'rate', value: 'no' } }],
      '120',
    ],
    [undefined, [{ kind: 'default', value: 'AED' }], 'AED'],
    ['  ', [{ kind: 'default', value: 'AED' }], 'AED'],
    ['USD', [{ kind: 'default', value: 'AED' }], 'USD'],
    ['SR ', [{ kind: 'map', values: { SR: 'S' } }], 'S'],
    ['ZZ', [{ kind: 'map', values: { SR: 'S' } }], 'value-not-in-map'],
    ['ZZ', [{ kind: 'map', values: { SR: 'S' }, unmapped: 'keep' }], 'ZZ'],
    ['\u200fSR\u200e', [{ kind: 'map', values: { SR: 'S' } }], 'S'],
    ['constructor', [{ kind: 'map', values: {} }], 'value-not-in-map'],
    [undefined, [{ kind: 'map', values: { '': 'none' } }], 'none'],
    [
      'a',
      [{ kind: 'concat', columns: ['rate', 'empty', 'missing'], separator: ', ' }],
      'a, 3.6725',
    ],
    ['Ωmega', [{ kind: 'substring', start: 1, length: 2 }], 'Ωm'],
    ['ab', [{ kind: 'substring', start: 3 }], undefined],
    ['INV-2026-7', [{ kind: 'split', separator: '-', part: 3 }], '7'],
    ['INV', [{ kind: 'split', separator: '-', part: 3 }], undefined],
  ])('%j through %j is %j', (value, steps, expected) => {
    expect(run(value, ...steps)).toBe(expected);
  });
});

it('shows what nobody sees', () => {
  const outcome = transform('\u200f12\u200eX', [{ kind: 'decimal', point: '.' }], () => undefined);
  expect(outcome).toMatchObject({ fault: { message: '"\\u200f12\\u200eX" is not a number.' } });
});
