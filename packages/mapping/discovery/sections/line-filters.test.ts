import { expect, test } from 'vitest';
import { rowsOf, sampleDatabase } from '../sample-tables.kit.ts';
import { proposeSections } from '../sections.ts';

const documents = 20;
/** Of each document a line of goods, one of tax and one of the total, each with a quantity. */
const rowOf = (at: number) => {
  const document = Math.ceil(at / 3);
  const isOrder = document > 14;
  const part = (at - 1) % 3;
  const kind = part === 0 ? (isOrder ? 'soo' : 'sos') : part === 1 ? 'tax' : 'ttl';
  return `${at}, ${document}, ${kind}, ${part === 0 ? `P-${(document % 6) + 10}` : ''}, Text, 1, 5.5`;
};

test('lines are those that name an item, among those of the documents that are invoices', () => {
  const { sections } = proposeSections(
    sampleDatabase({
      invoices: [
        'id, type, number, invoice_date, customer_id, total',
        ...rowsOf(documents, (at) => {
          const [type, letters] = at > 14 ? ['order', 'SO'] : ['invoice', 'IV'];
          return `${at}, ${type}, ${letters}-${at}, 2026-03-${at + 10}, ${(at % 6) + 1}, 5.5`;
        }),
      ],
      invoice_lines: [
        'id, invoice_id, row_type, product_code, description, quantity, unit_price',
        ...rowsOf(documents * 3, rowOf),
      ],
      products: ['code, name', ...rowsOf(6, (at) => `P-${at + 9}, Pump ${at}`)],
      customers: [
        'id, name, city, phone',
        ...rowsOf(6, (at) => `${at}, Firm ${at} Ltd, Town ${at}, +44 20 555 120${at}`),
      ],
    }),
  );
  expect(sections.lines?.where).toEqual({ row_type: 'sos' });
});

test('lines are those of goods where the other rows are called after what they are', () => {
  const types = ['goods', 'tax', 'payment_term'];
  const { sections } = proposeSections(
    sampleDatabase({
      invoices: [
        'id, number, invoice_date, customer_id, total',
        ...rowsOf(documents, (at) => `${at}, N-${at}, 2026-03-${at + 10}, ${(at % 6) + 1}, 5.5`),
      ],
      // Of the last document the sample has no total.
      invoice_lines: [
        'id, invoice_id, row_type, product_code, description, quantity, unit_price',
        ...rowsOf(documents * 3 - 1, (at) => {
          const [document, type] = [Math.ceil(at / 3), types[(at - 1) % 3]];
          const code = type === 'goods' ? `P-${(document % 6) + 10}` : '';
          return `${at}, ${document}, ${type}, ${code}, Text, 1, 5.5`;
        }),
      ],
      products: ['code, name', ...rowsOf(6, (at) => `P-${at + 9}, Pump ${at}`)],
      customers: [
        'id, name, city, phone',
        ...rowsOf(6, (at) => `${at}, Firm ${at} Ltd, Town ${at}, +44 20 555 120${at}`),
      ],
    }),
  );
  expect(sections.lines?.where).toEqual({ row_type: 'goods' });
});

test('lines are those without the marks of rows that are never counted: the document itself, and tax', () => {
  const { sections } = proposeSections(
    sampleDatabase({
      invoices: [
        'id, number, invoice_date, customer_id, total',
        ...rowsOf(documents, (at) => `${at}, N-${at}, 2026-03-${at + 10}, ${(at % 6) + 1}, 5.5`),
      ],
      invoice_lines: [
        'id, invoice_id, mainline, taxline, is_closed, description, quantity, unit_price',
        ...rowsOf(documents * 4, (at) => {
          const part = at % 4;
          const marks = `${part === 0 ? 'T' : 'F'}, ${part === 1 ? 'T' : 'F'}, ${at % 3 === 0 ? 'T' : 'F'}`;
          return `${at}, ${Math.ceil(at / 4)}, ${marks}, Text, ${part < 2 ? '' : -2}, 5.5`;
        }),
      ],
      customers: [
        'id, name, city, phone',
        ...rowsOf(6, (at) => `${at}, Firm ${at} Ltd, Town ${at}, +44 20 555 120${at}`),
      ],
    }),
  );
  expect(sections.lines?.where).toEqual({ mainline: 'F', taxline: 'F' });
});
