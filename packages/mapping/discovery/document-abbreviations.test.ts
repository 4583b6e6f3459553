import { expect, test } from 'vitest';
import { abbreviatedByLines, abbreviatedDocument } from './document-abbreviations.ts';

test.each([
  ['SL_IV', ['invoice']],
  ['SL_IVDTL', ['invoice', 'line']],
  ['AR_INV_HDR', ['invoice']],
  ['PH_PI', ['supplier', 'supplier', 'invoice']],
  ['AP_INVOICES_ALL', ['supplier']],
  ['SL_CN', ['credit']],
  ['sl_do', ['delivery']],
  ['SODTL', ['order', 'line']],
  // Alone they may be anything.
  ['so', []],
  ['to_do', []],
  ['ap_customers', []],
])('%s is read as %j', (table, words) => {
  expect(abbreviatedDocument(table)).toEqual(words);
});

test.each([
  ['IV', 'IVDTL', ['invoice']],
  ['so', 'so_dtl', ['order']],
  ['IV', 'IVAL', []],
  ['IV', 'SODTL', []],
])('%s, whose lines are called %s, is read as %j', (table, lines, words) => {
  expect(abbreviatedByLines(table, lines)).toEqual(words);
});
