import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { embeddedInvoice } from './embedded.ts';
import { unfiltered } from './filters.ts';
import { pdfOf } from './pdf.kit.ts';
import type { PdfValue } from './values.ts';

const cii = '<rsm:CrossIndustryInvoice xmlns:rsm="urn:x"><a>Žižkov</a></rsm:CrossIndustryInvoice>';
const facturX = { name: 'factur-x.xml', content: cii };

const textOf = (bytes: Uint8Array) => {
  const found = embeddedInvoice(bytes);
  return found.kind === 'invoice' ? [found.name, Buffer.from(found.bytes).toString()] : found.error;
};

describe('the invoice that a PDF carries', () => {
  const utf16 = Buffer.from(`\ufeff${cii}`, 'utf16le').toString('latin1');
  test.each([
    ['in a tree of names', pdfOf({ files: [facturX] }), 'factur-x.xml'],
    [
      'in packed objects with a packed table',
      pdfOf({ files: [facturX], isPacked: true }),
      'factur-x.xml',
    ],
    [
      'associated with the document alone',
      pdfOf({ files: [facturX], isAssociated: true }),
      'factur-x.xml',
    ],
    ['deep in the tree', pdfOf({ files: [facturX], depth: 20 }), 'factur-x.xml'],
    [
      'beside other files',
      pdfOf({ files: [{ name: 'a.xml', content: '<a/>' }, facturX] }),
      'factur-x.xml',
    ],
    [
      'under a name of its own, beside a picture',
      pdfOf({
        files: [
          { name: 'a.png', content: 'x' },
          { name: 're-7.xml', content: cii },
        ],
      }),
      're-7.xml',
    ],
    [
      'of ZUGFeRD 1.0, as it calls its file',
      pdfOf({ files: [{ name: 'ZUGFeRD-invoice.xml', content: cii }] }),
      'ZUGFeRD-invoice.xml',
    ],
    [
      'behind a name that looks like a path',
      pdfOf({ files: [{ ...facturX, name: 'C:\\\\x\\\\factur-x.xml' }] }),
      'factur-x.xml',
    ],
    [
      'where the table of objects is said to stand elsewhere',
      pdfOf({ files: [facturX], startxref: 7 }),
      'factur-x.xml',
    ],
    ['where its length is wrong', pdfOf({ files: [{ ...facturX, length: 3 }] }), 'factur-x.xml'],
    [
      'after bytes that are none of the PDF',
      Buffer.concat([Buffer.from('\r\nHTTP junk\r\n'), pdfOf({ files: [facturX] })]),
      'factur-x.xml',
    ],
    [
      'where packed objects have no table',
      pdfOf({ files: [facturX], isPacked: true }).subarray(0, -12),
      'factur-x.xml',
    ],
  ])('is found %s', (_, bytes, name) => {
    expect(textOf(bytes)).toEqual([name, cii]);
  });

  test('is found in UTF-16 too', () => {
    const content = Buffer.from(utf16, 'latin1');
    expect(embeddedInvoice(pdfOf({ files: [{ name: 'x.xml', content }] })).kind).toBe('invoice');
  });

  test.each([
    ['without files', pdfOf({ files: [] }), 'no_invoice', /it carries no file/],
    [
      'with other files',
      pdfOf({ files: [{ name: 'a.xml', content: '<a/>' }] }),
      'no_invoice',
      /1 files, none/,
    ],
    [
      'with two invoices',
      pdfOf({
        files: [
          { name: 'a.xml', content: cii },
          { name: 'b.xml', content: cii },
        ],
      }),
      'several_invoices',
      /a\.xml and b\.xml/,
    ],
    [
      'that is encrypted',
      pdfOf({ files: [facturX], isEncrypted: true }),
      'encrypted',
      /without a password/,
    ],
    [
      'that is packed and encrypted',
      pdfOf({ files: [facturX], isPacked: true, isEncrypted: true }),
      'encrypted',
      /encrypted/,
    ],
    ['that is none', Buffer.from('<html>'), 'not_pdf', /does not begin as one/],
    ['that ends at once', Buffer.from('%PDF-1.7'), 'no_invoice', /no file/],
  ])('is refused of a PDF %s', (_, bytes, code, message) => {
    expect(textOf(bytes)).toMatchObject({ code, message: expect.stringMatching(message) });
  });
});

test('a PDF that was damaged anywhere gives an invoice or a fault, and nothing else', () => {
  const whole = [false, true].map((isPacked) => pdfOf({ files: [facturX], isPacked }));
  const change = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), byte: fc.nat(255) });
  fc.assert(
    fc.property(
      fc.constantFrom(...whole),
      fc.array(change, { maxLength: 20 }),
      (bytes, changes) => {
        const damaged = Uint8Array.from(bytes);
        for (const { at, byte } of changes) damaged[Math.floor(at * damaged.length)] = byte;
        expect(['invoice', 'unreadable']).toContain(embeddedInvoice(damaged).kind);
      },
    ),
    { numRuns: 300 },
  );
});

describe('hostile files', () => {
  /** An object of each number, with a table for none: the file is gone through. */
  const bodyOf = (...objects: readonly string[]) =>
    Buffer.from(
      `%PDF-1.7\n${objects.map((text, at) => `${at + 1} 0 obj\n${text}\nendobj\n`).join('')}`,
      'latin1',
    );

  test('a stream that unpacks to far more is given up', () => {
    const content = Buffer.alloc(200_000_000, 0x20);
    const bytes = pdfOf({ files: [{ name: 'factur-x.xml', content }] });
    expect(bytes.length).toBeLessThan(1_000_000);
    expect(textOf(bytes)).toMatchObject({ code: 'too_large' });
  });

  test.each([
    [
      'a catalogue that is its own tree',
      ['<< /Type /Catalog /Names 1 0 R /EmbeddedFiles 1 0 R /Kids [1 0 R 1 0 R 1 0 R] >>'],
    ],
    ['references that go round', ['2 0 R', '1 0 R', '<< /Type /Catalog /AF [1 0 R] >>']],
    ['arrays in arrays', [`<< /Type /Catalog /AF ${'['.repeat(100_000)} >>`]],
    ['a text without an end', ['<< /Type /Catalog /AF (', '<< /A (']],
    [
      'objects that begin within each other',
      [
        `<< /Type /Catalog >> ${Array.from({ length: 20_000 }, (_, at) => `${at + 9} 0 obj << /A (`).join(' ')}`,
      ],
    ],
    [
      'streams of objects without an end',
      Array.from({ length: 20_000 }, () => '<< /Type /ObjStm /N 1 /First 1 >> stream'),
    ],
    [
      'a table of impossible widths',
      ['<< /Type /XRef /W [9 9 9] /Root 1 0 R >> stream\nx\nendstream'],
    ],
  ])('%s end soon', (_, objects) => {
    const started = performance.now();
    const found = embeddedInvoice(bodyOf(...objects));
    expect(found.kind).toBe('unreadable');
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  test.each([
    ['a stream of objects that is a bomb', ' ', '/FlateDecode'],
    ['a stream whose every letter stands for four bytes', 'z', '[/FlateDecode /ASCII85Decode]'],
  ])('%s is given up', (_, letter, filter) => {
    const bomb = deflateSync(Buffer.alloc(letter === 'z' ? 60_000_000 : 300_000_000, letter));
    const head = `<< /Type /ObjStm /N 1 /First 5 /Filter ${filter} /Length ${bomb.length} >>`;
    const stream = `${head}\nstream\n${bomb.toString('latin1')}\nendstream`;
    expect(textOf(bodyOf(stream))).toMatchObject({ code: 'too_large' });
  });
});

test.each([
  ['<~9jqo^BlbD-~>', 'Man is d'],
  ['9jqo^z9jn~>', 'Man \0\0\0\0Ma'],
  ['~>', ''],
])('text that stands for bytes: %s', (text, bytes) => {
  const members = new Map<string, PdfValue>([['Filter', { kind: 'name', name: 'ASCII85Decode' }]]);
  const filter = { kind: 'dictionary', members } as const;
  const read = unfiltered(Buffer.from(text), filter, 100, (value) => value ?? null);
  expect(Buffer.from(read).toString('latin1')).toBe(bytes);
});
