import { expect, test } from 'vitest';
import { abbreviatedDocument } from './document-abbreviations.ts';

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
