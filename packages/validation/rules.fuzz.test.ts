import type { Binding } from '@drawbridge/binding/compile.ts';
import { build } from '@drawbridge/binding/json/build.ts';
import { locate } from '@drawbridge/binding/locate.ts';
import { randomCim } from '@drawbridge/binding/random-cim.fixture.ts';
import { runs } from '@drawbridge/binding/runs.fixture.ts';
import { parse } from '@drawbridge/binding/xml/parse.ts';
import type { Node } from '@drawbridge/cim/node.ts';
import type { Profile } from '@drawbridge/profiles/contract.ts';
import { profiles } from '@drawbridge/profiles/registry.ts';
import { bindings } from '@drawbridge/profiles/ubl.ts';
import { type CompiledRules, compileRules } from '@drawbridge/rules/engine/compile.ts';
import { interpretCheck } from '@drawbridge/rules/engine/interpreter.fixture.ts';
import { runRules } from '@drawbridge/rules/engine/run.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { change, changed, piecesOf, written } from './changes.fixture.ts';

const known = Object.values(bindings);

/** The newest rules of a profile for a document type, with generated code and interpreted. */
interface Engines {
  readonly generated: CompiledRules;
  readonly interpreted: CompiledRules;
}

function enginesOf({ releases }: Profile, { root }: Binding): Engines[] {
  const { billing, selfBilling } = releases.at(-1)!;
  return [billing, selfBilling].map((sets) => ({
    generated: compileRules(root, sets),
    interpreted: compileRules(root, sets, interpretCheck),
  }));
}

function breachesIn(rules: CompiledRules, root: Node, { codeLists }: Profile): string[] {
  return runRules(rules, root, codeLists.billing).map(
    ({ rule, node, diagnostic }) => `${rule.id} ${locate(node)} ${diagnostic ?? ''}`,
  );
}

describe.each(profiles)(
  'the generated rules of $id find what the interpreted ones do',
  (profile) => {
    const engines = new Map(known.map((binding) => [binding, enginesOf(profile, binding)]));

    /** Expects the same breaches of both, and returns their number. */
    function agree(binding: Binding, root: Node): number {
      let count = 0;
      for (const { generated, interpreted } of engines.get(binding)!) {
        const expected = breachesIn(interpreted, root, profile);
        expect(breachesIn(generated, root, profile)).toEqual(expected);
        count += expected.length;
      }
      return count;
    }

    test('in good documents with changes', () => {
      let count = 0;
      fc.assert(
        fc.property(
          fc.constantFrom(...written),
          fc.array(change, { maxLength: 6 }),
          (xml, changes) => {
            const pieces = piecesOf(xml);
            for (const each of changes) changed(pieces, each);
            const outcome = parse(known, pieces.join(''));
            if (outcome.kind === 'parsed') count += agree(outcome.binding, outcome.root);
          },
        ),
        runs(100),
      );
      expect(count).toBeGreaterThan(500);
    });

    test.each(known)('in any $table.root', (binding) => {
      fc.assert(
        fc.property(randomCim(binding.root, { values: 'any', groups: 'raw' }), (cim) => {
          agree(binding, build(binding, cim).root);
        }),
        runs(30),
      );
    });
  },
);
