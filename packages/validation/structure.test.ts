import { CertainSchema } from '@drawbridge/binding/certain.ts';
import { leafTypeOf } from '@drawbridge/binding/leaf-types.ts';
import { parse } from '@drawbridge/binding/parse.ts';
import { runs } from '@drawbridge/binding/runs.fixture.ts';
import { printStandardXsd } from '@drawbridge/binding/standard-xsd.ts';
import { bindings } from '@drawbridge/profiles/ubl.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  attributes,
  change,
  changed,
  isLeaf,
  piecesOf,
  texts,
  withAttribute,
  written,
} from './changes.fixture.ts';
import { standardCases } from './standard-cases.fixture.ts';
import { StructureStage, type WrittenDocument } from './structure.ts';
import { SchemaStage } from './xsd.ts';

const known = Object.values(bindings);
const stages = new Map(
  known.map((each) => [each, new StructureStage(`structure.test/${each.table.root}`, each)]),
);
/** The whole standard, as the official schema holds it: see authority.test.ts. */
const standards = new Map(
  known.map((each) => {
    const printed = printStandardXsd(each.table, each.table.standard!);
    return [each, new SchemaStage(`structure.test/standard/${each.table.root}`, printed)];
  }),
);
const certain = new Map(known.map((each) => [each, new CertainSchema(each)]));

/** One leaf of each type, each with the document it stands in. */
function leafOfEachType(xml: string): Iterable<[piece: string, xml: string]> {
  const found = new Map<string, [string, string]>();
  for (const piece of piecesOf(xml).filter(isLeaf)) {
    const name = /^<\w+:(\w+)/.exec(piece)![1]!;
    found.set(leafTypeOf(name).name, [piece, xml]);
  }
  return found.values();
}

/** What was read; undefined when it is refused. */
function documentOf(xml: string): WrittenDocument | undefined {
  const outcome = parse(known, xml);
  return outcome.kind === 'refused' ? undefined : { ...outcome, xml };
}

function verdictsOn(document: WrittenDocument) {
  const { binding, root, isPlain, xml } = document;
  const isValid = standards.get(binding)!.check(xml).length === 0;
  return {
    isValid,
    isRight: (stages.get(binding)!.check(document).length === 0) === isValid,
    isCertain: isPlain && certain.get(binding)!.accepts(root),
  };
}

describe('stage 1', () => {
  test('is certain of what we write', () => {
    for (const xml of written) {
      expect(verdictsOn(documentOf(xml)!)).toMatchObject({ isCertain: true, isValid: true });
    }
  });

  test('has the verdict of the whole standard on any change, certain or not', () => {
    const seen = { certain: 0, valid: 0, faulty: 0 };
    fc.assert(
      fc.property(
        fc.constantFrom(...written),
        fc.array(change, { minLength: 1, maxLength: 3 }),
        (xml, changes) => {
          const pieces = piecesOf(xml);
          for (const each of changes) changed(pieces, each);
          const document = documentOf(pieces.join(''));
          if (document === undefined) return;
          const { isCertain, isRight, isValid } = verdictsOn(document);
          expect(isRight).toBe(true);
          if (isCertain) seen.certain++;
          seen[isValid ? 'valid' : 'faulty']++;
        },
      ),
      runs(600),
    );
    expect(seen.certain).toBeGreaterThan(50);
    expect(seen.valid).toBeGreaterThan(seen.certain);
    expect(seen.faulty).toBeGreaterThan(100);
  });

  test('has the verdict of the whole standard on every form of value and attribute', () => {
    const wrong: string[] = [];
    let certainly = 0;
    for (const [piece, xml] of leafOfEachType(written[0]!)) {
      const variants = [
        ...texts.map((text) => piece.replace(/>.*</s, () => `>${text}<`)),
        ...attributes.map((attribute) => withAttribute(piece, attribute)),
      ];
      for (const variant of variants) {
        const document = documentOf(xml.replace(piece, () => variant));
        if (document === undefined) continue;
        const { isCertain, isRight } = verdictsOn(document);
        if (isCertain) certainly++;
        if (!isRight) wrong.push(variant);
      }
    }
    expect(wrong).toEqual([]);
    expect(certainly).toBeGreaterThan(150);
  });

  test.each(standardCases())('holds %s to the whole standard', (_what, xml, isValid) => {
    const document = documentOf(xml)!;
    expect(stages.get(document.binding)!.check(document).length === 0).toBe(isValid);
  });

  test('runs the schema where the order of elements is not known to be right', () => {
    const pieces = piecesOf(written[0]!);
    const first = pieces.findIndex(isLeaf);
    pieces.splice(first, 2, pieces[first + 1]!, pieces[first]!);
    const document = documentOf(pieces.join(''))!;
    expect(document.isPlain).toBe(false);
    expect(stages.get(document.binding)!.check(document)).toMatchObject([
      { code: 'unexpected-element' },
    ]);
  });
});
