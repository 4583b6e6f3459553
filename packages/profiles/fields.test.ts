import { build } from '@drawbridge/binding/build.ts';
import { compile } from '@drawbridge/binding/compile.ts';
import type { CimValue } from '@drawbridge/cim/json.ts';
import { invoice } from '@drawbridge/ubl/invoice.ts';
import { describe, expect, it } from 'vitest';
import * as bis from './bis-3.0/fields.ts';
import type { FieldRow } from './contract.ts';
import type { Filled } from './field-rows.ts';
import * as ae from './pint-ae/fields.ts';
import * as my from './pint-my/fields.ts';

const binding = compile(invoice);

describe.each<[string, readonly FieldRow[], Filled]>([
  ['PINT-AE', ae.fields, ae.filled],
  ['PINT-MY', my.fields, my.filled],
  ['BIS-3.0', bis.fields, bis.filled],
])('fields of %s', (_name, fields, filled) => {
  it('name places that the invoice model has', () => {
    for (const path of [...fields.map((field) => field.path), ...Object.values(filled).flat()]) {
      const json = path
        .split('.')
        .reduceRight<CimValue>(
          (value, name) =>
            name.endsWith('[]') ? { [name.slice(0, -2)]: [value] } : { [name]: value },
          '1',
        );
      expect([path, build(binding, json as never).issues]).toEqual([path, []]);
    }
  });

  it('stand there once, with a name and help', () => {
    const paths = fields.map((field) => field.path);
    expect(new Set(paths).size).toBe(paths.length);
    expect(fields.every((field) => field.name !== '' && field.help.endsWith('.'))).toBe(true);
  });

  it('include all that is filled', () => {
    const paths = new Set(fields.map((field) => field.path));
    expect(Object.keys(filled).filter((path) => !paths.has(path))).toEqual([]);
  });
});

it('a UAE tax invoice has 51 mandatory fields', () => {
  expect(ae.fields).toHaveLength(51);
});
