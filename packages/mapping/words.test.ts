import { describe, expect, test } from 'vitest';
import { idleAffixes, withoutAffixes, withoutTable } from './column-affixes.ts';
import { wordsOf } from './words.ts';

describe('the words of a name', () => {
  test.each([
    ['a short ending after an unknown beginning', 'SOPTYPE', 'sop type'],
    ['several known words after two or three unknown letters', 'TXDTLPCT', 'tx line percent'],
    ['tax before something unknown', 'TAXSCHID', 'tax schid'],
    ['names cut to eight letters', 'SOPNUMBE', 'sop number'],
    ['whom an invoice goes to', 'billto_city', 'invoice buyer city'],
    ['a number of a taxpayer that is cut', 'VAT_NUM', 'tax number vatnumber'],
    ['a Dutch number of an invoice', 'faknr', 'invoice number'],
    ['a Dutch number of whom is invoiced', 'fakdebnr', 'invoice buyer number'],
    ['a German number of an invoice', 'VRENUM', 'invoice number'],
    ['a German day of an invoice', 'RDATUM', 'invoice date'],
    ['a cut number of an item', 'ARTNUM', 'item number'],
  ])('are found in %s', (_why, name, words) => {
    expect(wordsOf(name).join(' ')).toBe(words);
  });

  test.each([
    ['a longer word that only ends so', 'consolidate'],
    ['a word of its own', 'bulk'],
  ])('are not made of %s', (_why, name) => {
    expect(wordsOf(name)).toEqual([name]);
  });
});

describe('a misspelt word is the known one that it is near to', () => {
  test.each([
    ['a missing letter', 'cuntry', 'country'],
    ['a letter of several', 'cancled', 'deleted'],
    ['letters that are swapped', 'emial', 'email'],
    ['another letter', 'balence', 'paid'],
    ['two mistakes in a long word', 'descritpon', 'description'],
    ['a letter that is doubled', 'quanttity', 'quantity'],
  ])('with %s', (_why, name, words) => {
    expect(wordsOf(name).join(' ')).toBe(words);
  });

  test.each(['stage', 'condition', 'isactive', 'count', 'changes', 'contract', 'quality'])(
    'and "%s" is a word of its own',
    (name) => {
      expect(wordsOf(name)).toEqual([name]);
    },
  );
});

describe('what most columns begin or end with says nothing', () => {
  const prefixed = ['inv_id', 'inv_number', 'inv_date', 'inv_total', 'inv_cust_id'];
  const none = { beginnings: [], endings: [] };

  test('where most have it', () => {
    expect(idleAffixes(prefixed)).toEqual({ beginnings: ['inv_'], endings: [] });
    expect(withoutAffixes('inv_number', idleAffixes(prefixed))).toBe('number');
  });

  test('not where few have it, nor where nothing would be left', () => {
    expect(idleAffixes(['bill_city', 'bill_zip', 'id', 'name', 'phone', 'email', 'vat'])).toEqual(
      none,
    );
    expect(withoutAffixes('inv_', idleAffixes(prefixed))).toBe('inv_');
  });

  test('where names of capitals have the same letters, and nothing sets them apart', () => {
    expect(idleAffixes(['QRDOC', 'QRDAT', 'QRTOT', 'QRCUS', 'QRCUR']).beginnings).toEqual(['QR']);
    const cut = ['CODVEN', 'FECVEN', 'CLIVEN', 'TOTVEN', 'REFVEN'];
    expect(idleAffixes(cut).endings).toEqual(['VEN']);
    expect(cut.map((name) => wordsOf(withoutAffixes(name, idleAffixes(cut))))).toEqual([
      ['code', 'number'],
      ['date'],
      ['buyer'],
      ['total'],
      ['reference'],
    ]);
  });

  test('where each name has a letter for its type', () => {
    const typed = idleAffixes(['kKunde', 'cName', 'dErstellt', 'fPreis', 'nStatus']);
    expect(withoutAffixes('fPreis', typed)).toBe('Preis');
    expect(wordsOf(withoutAffixes('kKunde', typed))).toEqual(['buyer', 'key']);
    expect(idleAffixes(['eMail', 'name', 'city', 'zip', 'phone'])).toEqual(none);
  });

  test.each([
    ['NUMPIE', ['number', 'invoice']],
    ['MNTTTC', ['amount', 'gross', 'tax']],
    ['DATECH', ['date', 'due']],
    ['CODPOS', ['postcode']],
    ['AMTTAXLIN_0', ['amount', 'tax', 'line']],
  ])('where names are made of words of three letters: %s', (name, words) => {
    const end = name.endsWith('_0') ? '_0' : '';
    const names = ['NUMPIE', 'DATPIE', 'DATECH', 'CODPOS', 'TIEPIE', 'REFCLI', 'LIBPIE', 'QTEART'];
    const cut = idleAffixes(names.map((one) => one + end));
    expect(wordsOf(withoutAffixes(name, cut))).toEqual(words);
  });

  test.each([
    ['InvoiceLineDesc', 'InvoiceLine', 'Desc'],
    ['invoice_line_text', 'invoice_line', 'text'],
    ['InvoiceLineId', 'InvoiceLine', 'InvoiceLineId'],
    ['OrderDate', 'Order', 'OrderDate'],
    ['InvNumber', 'InvNum', 'InvNumber'],
  ])('the name of the table says nothing in that of a column: %s', (column, table, bare) => {
    expect(withoutTable(column, table)).toBe(bare);
  });

  test('not where they are words with a capital each', () => {
    expect(idleAffixes(['DocNo', 'DocDate', 'DocTotal', 'DocCur', 'DocType'])).toEqual(none);
  });
});
