import { apply } from '@drawbridge/mapping/apply.ts';
import { mappingSchema } from '@drawbridge/mapping/mapping.ts';
import { profileById } from '@drawbridge/profiles/registry.ts';
import type { SourceDocument } from '@drawbridge/records/document.ts';
import { expect, test } from 'vitest';
import { errorSource, type MappedSource } from './error-source.ts';

const line = (key: string, values: Record<string, string | null>) => ({
  origin: 'LINES',
  key,
  values,
});
const source: SourceDocument = {
  ref: 'A1',
  sections: {
    header: [{ origin: 'HEAD', key: 'A1', values: { NO: 'A1', DUE: null } }],
    lines: [line('1', { TEXT: 'One', QTY: '1' }), line('2', { TEXT: null, QTY: '2' })],
  },
};
const mapping = mappingSchema.parse({
  profile: 'PINT-AE',
  fields: [
    { target: 'number', from: { section: 'header', column: 'NO' } },
    { target: 'due_date', from: { section: 'header', column: 'DUE' } },
    { target: 'currency', value: 'AED' },
    { target: 'lines[].name', from: { section: 'lines', column: 'TEXT' } },
    { target: 'lines[].qty', from: { section: 'lines', column: 'QTY' } },
  ].map((field) => ({ ...field, status: 'approved' })),
});
const mapped: MappedSource = {
  connectorId: 'con_1',
  source,
  mapping,
  applied: apply(source, mapping),
  profile: { ...profileById('PINT-AE')!, movedPaths: { 'invoice.no': 'number' } },
};

const head = { connector: 'con_1', origin: 'HEAD', key: 'A1' };
test.each([
  ['a value that came from a column', 'number', { ...head, column: 'NO', value: 'A1' }],
  ['one that the profile moved', 'invoice.no', { ...head, column: 'NO', value: 'A1' }],
  ['a column that is mapped, and empty', 'due_date', { ...head, column: 'DUE', value: null }],
  [
    'a line by its position',
    'lines[2].qty',
    { connector: 'con_1', origin: 'LINES', key: '2', column: 'QTY', value: '2' },
  ],
  [
    'an empty column of a line',
    'lines[2].name',
    { connector: 'con_1', origin: 'LINES', key: '2', column: 'TEXT', value: null },
  ],
  ['a constant of the mapping', 'currency', undefined],
  ['what is computed, or not mapped at all', 'totals.gross', undefined],
  ['a line that is not there', 'lines[9].name', undefined],
])('%s', (_name, path, found) => {
  expect(errorSource(mapped, path)).toEqual(found);
});
