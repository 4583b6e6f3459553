import { type Mapping, mappingSchema } from '@drawbridge/mapping/mapping.ts';
import { targets } from '@drawbridge/mapping/targets.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mappings } from '../../scripts/demo/mappings.ts';
import {
  type MappingFile,
  mappingFileText,
  mappingFormat,
  mappingOf,
  readMappingFile,
} from './mapping-file.ts';

const fileOf = (mapping: Pick<Mapping, 'fields' | 'lists' | 'joins'>): MappingFile => ({
  format: mappingFormat,
  profile: 'PINT-AE',
  source: { kind: 'sqlite', sections: { header: { table: 'OSALES', key: 'DOC_NO' } } },
  company: ['seller.name'],
  ...mapping,
});

const text = fc.string({ unit: 'grapheme', maxLength: 40 });
const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
const values = fc.dictionary(text, text, { maxKeys: 5 });
const step = fc.oneof(
  fc.constant({ kind: 'trim' as const }),
  fc.record({ kind: fc.constant('map' as const), values }),
  fc.record({ kind: fc.constant('default' as const), value: text }),
  fc.record({
    kind: fc.constant('split' as const),
    separator: name,
    part: fc.nat(9).map((n) => n + 1),
  }),
);
const source = fc.oneof(
  fc.record({ from: fc.record({ section: name, column: name }) }),
  fc.record({ value: text }),
);
const field = fc
  .tuple(
    source,
    fc.record(
      {
        status: fc.constantFrom('proposed' as const, 'approved' as const),
        transforms: fc.array(step, { maxLength: 4 }),
        confidence: fc.double({ min: 0, max: 1, noNaN: true }),
        reason: text,
        approved_by: text,
      },
      { requiredKeys: ['status'] },
    ),
  )
  .map(([from, rest]) => ({ ...from, ...rest }));
const mapping = fc
  .tuple(
    fc.shuffledSubarray([...targets.keys()], { maxLength: 12 }),
    fc.array(field, { minLength: 12 }),
  )
  .map(([paths, fields]) => ({ fields: paths.map((target, at) => ({ target, ...fields[at]! })) }));

test('what is written is read as the same mapping, whatever names and values it has', () => {
  fc.assert(
    fc.property(mapping, (made) => {
      const { fields } = mappingSchema.parse(made);
      const read = readMappingFile(mappingFileText(fileOf({ fields })));
      expect(read).toEqual({ kind: 'read', file: fileOf({ fields }) });
    }),
    { numRuns: 200 },
  );
});

test('the file reads as a person writes it', () => {
  const fields = mappings['PINT-AE'].fields.map((each) => ({
    ...each,
    status: 'proposed' as const,
  }));
  const whole = fileOf({ fields: mappingSchema.parse({ fields }).fields });
  const written = mappingFileText(whole);
  expect(written).toMatch(/^format: drawbridge-mapping\/1\nprofile: PINT-AE\n/);
  expect(written).toContain('  - target: number\n    from: { section: header, column: DOC_NO }\n');
  const read = readMappingFile(written);
  expect(read.kind === 'read' && mappingOf(read.file).fields).toEqual(whole.fields);
});

const head = 'format: drawbridge-mapping/1\nprofile: PINT-AE\nsource: { kind: sqlite }\n';

test.each([
  ['no YAML', `${head}fields: [`, /line 4 is no YAML/],
  ['an empty file', '', /must be an object/],
  ['another format', head.replace('/1', '/9'), /line 1: format: .*drawbridge-mapping\/1/],
  ['another profile', head.replace('PINT-AE', 'PINT-XX'), /line 2: profile: /],
  [
    'a misspelt member',
    `${head}fields:\n  - target: number\n    form: { section: header, column: NO }\n    status: approved\n`,
    /line 5: fields\[1\]: there is no "form", perhaps from/,
  ],
  [
    'a field that the model does not have',
    `${head}fields:\n  - target: nummber\n    value: "1"\n    status: approved\n`,
    /line 5: fields\[1\]\.target: "nummber" is not a field.*"number"/,
  ],
  [
    'a field that is mapped twice',
    `${head}fields:\n  - { target: number, value: "1", status: approved }\n  - { target: number, value: "2", status: approved }\n`,
    /line 6: .*mapped twice/,
  ],
  ['a member twice', `${head}profile: PINT-MY\nfields: []\n`, /line 4 is no YAML/],
  ['an alias', `${head}fields: []\ncompany: [&a seller.name, *a]\n`, /alias/],
  ['a bomb of aliases', `a: &a [x]\nb: &b [*a, *a]\nc: [*b, *b]\n`, /alias/],
  ['a file that is nested too deep', `fields: ${'['.repeat(200_000)}`, /nested too deep|no YAML/],
  ['a file that is too large', `# ${'x'.repeat(1_000_000)}`, /over 1000000 characters/],
  ['a member that every object inherits', `${head}fields: []\n__proto__: { x: 1 }\n`, /__proto__/],
])('%s is refused, with its place', (_, written, cause) => {
  const read = readMappingFile(written);
  expect(read.kind === 'invalid' && read.causes.join('; ')).toMatch(cause);
});
