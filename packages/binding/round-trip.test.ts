import type { Node } from '@drawbridge/cim/node.ts';
import { creditNote } from '@drawbridge/ubl/credit-note.ts';
import { invoice } from '@drawbridge/ubl/invoice.ts';
import { SchemaStage } from '@drawbridge/validation/xsd.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Binding, compile } from './compile.ts';
import { contentOf } from './content.fixture.ts';
import { build, type CimObject } from './json/build.ts';
import { view } from './json/view.ts';
import { randomCim } from './random-cim.fixture.ts';
import { runs } from './runs.fixture.ts';
import { printXsd } from './schema/profile-xsd.ts';
import { emit } from './xml/emit.ts';
import { parse } from './xml/parse.ts';

const bindings = [compile(invoice), compile(creditNote)];

function written(binding: Binding, json: CimObject): string {
  const { root, issues } = build(binding, json);
  expect(issues).toEqual([]);
  return emit(binding, root);
}

function read(xml: string): Node {
  const outcome = parse(bindings, new TextEncoder().encode(xml));
  if (outcome.kind === 'refused') throw new Error(outcome.fault.message);
  return outcome.root;
}

describe.each(bindings.map((binding) => [binding.table.root, binding] as const))(
  'any %s',
  (_root, binding) => {
    test('is written and read back unchanged', () => {
      const cims = randomCim(binding.root, { values: 'any', groups: 'views' });
      fc.assert(
        fc.property(cims, (cim) => {
          expect(view(read(written(binding, cim)))).toEqual(cim);
        }),
        runs(25),
      );
    });

    test('loses nothing in JSON, with any content of its repeated groups', () => {
      const cims = randomCim(binding.root, { values: 'any', groups: 'raw' });
      fc.assert(
        fc.property(cims, (cim) => {
          const first = read(written(binding, cim));
          const second = read(written(binding, view(first)));
          expect(contentOf(second)).toBe(contentOf(first));
          expect(view(second)).toEqual(view(first));
        }),
        runs(25),
      );
    });

    test('passes the schema when all mandatory elements are there', () => {
      const stage = new SchemaStage(`round-trip/${binding.table.root}`, printXsd(binding));
      const cims = randomCim(binding.root, { values: 'valid', groups: 'views' });
      fc.assert(
        fc.property(cims, (cim) => {
          expect(stage.check(written(binding, cim))).toEqual([]);
        }),
        runs(25),
      );
    });
  },
);
