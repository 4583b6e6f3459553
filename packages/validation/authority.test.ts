import { existsSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { contentOf } from '@drawbridge/binding/content.fixture.ts';
import { build } from '@drawbridge/binding/json/build.ts';
import { view } from '@drawbridge/binding/json/view.ts';
import { randomCim } from '@drawbridge/binding/random-cim.fixture.ts';
import { runs } from '@drawbridge/binding/runs.fixture.ts';
import { FastSchema } from '@drawbridge/binding/schema/fast-schema.ts';
import { emit } from '@drawbridge/binding/xml/emit.ts';
import { type ParseOutcome, parse, parseStrictly } from '@drawbridge/binding/xml/parse.ts';
import { scan } from '@drawbridge/binding/xml/scan.ts';
import { type Node, walk } from '@drawbridge/cim/node.ts';
import { profiles } from '@drawbridge/profiles/registry.ts';
import { bindings } from '@drawbridge/profiles/ubl.ts';
import { artefactsOf, authority, withoutArtefacts } from '@drawbridge/rules/rule-coverage.suite.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Case, casesOf } from '../../scripts/conformance/cases.ts';
import { base64Faults } from './base64-faults.ts';
import { change, changed, piecesOf, written } from './changes.fixture.ts';
import { officialXsd } from './official-xsd.fixture.ts';
import { standardCases } from './standard-cases.fixture.ts';
import { StructureStage } from './structure.ts';
import { SchemaStage } from './xsd.ts';

const isHere = existsSync(authority);

const known = Object.values(bindings);
const stages = new Map(
  known.map((binding) => [
    binding,
    new StructureStage(`authority.test/${binding.table.root}`, binding),
  ]),
);
const fastSchemas = new Map(known.map((binding) => [binding, new FastSchema(binding)]));

function textOf({ xml }: Case): string {
  return typeof xml === 'string' ? xml : new TextDecoder().decode(xml);
}

describe("the authorities' documents", () => {
  test.for(profiles)(
    'of $id get its schema verdict and come back through JSON',
    { timeout: 240_000 },
    (profile, context) => {
      const folder = artefactsOf(profile, context);
      let compared = 0;
      let sure = 0;
      let returned = 0;
      const wrong: string[] = [];
      for (const each of casesOf(folder)) {
        const xml = textOf(each);
        const outcome = parse(known, each.xml);
        if (outcome.kind === 'refused') {
          if (each.schemaValid) wrong.push(`${each.id} is not read`);
          continue;
        }
        compared++;
        const { binding, root, isPlain } = outcome;
        const faults = stages.get(binding)!.check({ ...outcome, xml });
        if ((faults.length === 0) !== each.schemaValid) wrong.push(each.id);
        if (isPlain && fastSchemas.get(binding)!.accepts(root)) sure++;
        if (!each.schemaValid || [...walk(outcome.root)].some(isEmpty)) continue;
        returned++;
        if (roundTrip(outcome) !== contentOf(outcome.root))
          wrong.push(`${each.id} comes back changed`);
      }
      expect(wrong).toEqual([]);
      expect(compared).toBeGreaterThan(2_000);
      expect(sure).toBeGreaterThan(1_000);
      expect(returned).toBeGreaterThan(1_000);
    },
  );

  test.for(profiles)(
    'of $id are scanned as the complete parser reads them',
    { timeout: 240_000 },
    (profile, context) => {
      const folder = artefactsOf(profile, context);
      let scanned = 0;
      const wrong: string[] = [];
      for (const each of casesOf(folder)) {
        const xml = textOf(each);
        const read = scan(known, [xml]);
        if (read === undefined) continue;
        scanned++;
        const strict = parseStrictly(known, xml);
        const isSame = strict.kind === 'parsed' && isDeepStrictEqual(read.root, strict.root);
        if (!isSame) wrong.push(each.id);
      }
      expect(wrong).toEqual([]);
      expect(scanned).toBeGreaterThan(2_000);
    },
  );
});

test('any change of a good document gets the verdict of the official schema', (context) => {
  context.skip(!isHere, withoutArtefacts);
  const official = new Map(
    known.map((binding) => {
      const { root } = binding.table;
      return [binding, new SchemaStage(`authority.test/official/${root}`, officialXsd(root))];
    }),
  );
  const seen = { valid: 0, faulty: 0 };
  fc.assert(
    fc.property(
      fc.constantFrom(...written),
      fc.array(change, { maxLength: 3 }),
      (good, changes) => {
        const pieces = piecesOf(good);
        for (const each of changes) changed(pieces, each);
        const xml = pieces.join('');
        const outcome = parse(known, xml);
        if (outcome.kind === 'refused') return;
        const { binding, root } = outcome;
        const isValid = [...official.get(binding)!.check(xml), ...base64Faults(root)].length === 0;
        expect(stages.get(outcome.binding)!.check({ ...outcome, xml }).length === 0).toBe(isValid);
        seen[isValid ? 'valid' : 'faulty']++;
      },
    ),
    runs(400),
  );
  expect(Math.min(seen.valid, seen.faulty)).toBeGreaterThan(50);
});

test('the official schema agrees with the cases of signatures and xsi:type', (context) => {
  context.skip(!isHere, withoutArtefacts);
  const official = new SchemaStage('authority.test/official/table', officialXsd('Invoice'));
  const verdicts = standardCases().map(([what, xml]) => [what, official.check(xml).length === 0]);
  expect(verdicts).toEqual(standardCases().map(([what, , isValid]) => [what, isValid]));
});

test.for(known)('any written $table.root passes the official schema', (each, context) => {
  context.skip(!isHere, withoutArtefacts);
  const stage = new SchemaStage(
    `authority.test/written/${each.table.root}`,
    officialXsd(each.table.root),
  );
  fc.assert(
    fc.property(randomCim(each.root, { values: 'valid', groups: 'views' }), (cim) => {
      expect(stage.check(emit(each, build(each, cim).root))).toEqual([]);
    }),
    runs(50),
  );
});

/** Whether it is an empty wrap, which has no place in the JSON form. */
function isEmpty({ members, text, unbound }: Node): boolean {
  return !members.some(Boolean) && unbound === undefined && text.trim() === '';
}

function roundTrip({ binding, root }: Extract<ParseOutcome, { kind: 'parsed' }>): string {
  const { root: built } = build(binding, view(root));
  const outcome = parse(known, emit(binding, built));
  return outcome.kind === 'parsed' ? contentOf(outcome.root) : outcome.fault.message;
}
