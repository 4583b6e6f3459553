import { runs } from '@drawbridge/binding/runs.fixture.ts';
import { FastSchema } from '@drawbridge/binding/schema/fast-schema.ts';
import { leafTypeOf } from '@drawbridge/binding/schema/leaf-types.ts';
import { printStandardXsd } from '@drawbridge/binding/schema/standard-xsd.ts';
import { parse } from '@drawbridge/binding/xml/parse.ts';
import { bindings } from '@drawbridge/profiles/ubl.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { base64Faults } from './base64-faults.ts';
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
/** The schema of the whole standard, which authority.test.ts compares with the official one. */
const standards = new Map(
  known.map((each) => {
    const printed = printStandardXsd(each.table, each.table.standard!);
    return [each, new SchemaStage(`structure.test/standard/${each.table.root}`, printed)];
  }),
);
const fastSchemas = new Map(known.map((each) => [each, new FastSchema(each)]));

/** One leaf of each type, with its document. */
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
  const isValid = [...standards.get(binding)!.check(xml), ...base64Faults(root)].length === 0;
  return {
    isValid,
    isRight: (stages.get(binding)!.check(document).length === 0) === isValid,
    isCertain: isPlain && fastSchemas.get(binding)!.accepts(root),
  };
}

describe('stage 1', () => {
  test('accepts every document that `emit` writes', () => {
    for (const xml of written) {
      expect(verdictsOn(documentOf(xml)!)).toMatchObject({ isCertain: true, isValid: true });
    }
  });

  test('has the verdict of the whole standard on any change', () => {
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

  test('accepts exactly the days of the calendar', () => {
    const [year, month, day] = [fc.integer({ min: 1000, max: 9999 }), fc.nat(13), fc.nat(32)];
    const two = (number: number) => String(number).padStart(2, '0');
    fc.assert(
      fc.property(year, month, day, (y, m, d) => {
        const date = `${y}-${two(m)}-${two(d)}`;
        const xml = written[0]!.replace(/(<cbc:IssueDate>)[^<]*/, `$1${date}`);
        const { isCertain, isRight, isValid } = verdictsOn(documentOf(xml)!);
        expect(isRight).toBe(true);
        expect(isCertain, date).toBe(isValid);
      }),
      {
        ...runs(300),
        examples: [
          [2026, 1, 31],
          [2024, 2, 29],
          [2026, 2, 29],
          [1900, 2, 29],
          [2000, 2, 29],
        ],
      },
    );
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

  test.each(standardCases())('checks %s against the whole standard', (_what, xml, isValid) => {
    const document = documentOf(xml)!;
    expect(stages.get(document.binding)!.check(document).length === 0).toBe(isValid);
  });

  test.each([
    ['cac:AdditionalDocumentReference', 'an element of the profile'],
    ['cac:StatementDocumentReference', 'another of the standard'],
  ])('finds characters in an attachment that Base64 does not have: %s, %s', (reference) => {
    const check = (content: string) => {
      const attachment = `<cac:Attachment><cbc:EmbeddedDocumentBinaryObject mimeCode="text/csv" filename="a.csv">${content}</cbc:EmbeddedDocumentBinaryObject></cac:Attachment>`;
      const pieces = piecesOf(
        written[0]!.replace(
          /<cac:AdditionalDocumentReference>.*<\/cac:AdditionalDocumentReference>/s,
          '',
        ),
      );
      const party = pieces.findIndex((piece) => piece.includes('<cac:AccountingSupplierParty'));
      pieces.splice(party, 0, `<${reference}><cbc:ID>1</cbc:ID>${attachment}</${reference}>`);
      const document = documentOf(pieces.join(''))!;
      return stages.get(document.binding)!.check(document);
    };
    expect(check('eAAA eA==')).toEqual([]);
    const field = `/Invoice/${reference}/cac:Attachment/cbc:EmbeddedDocumentBinaryObject`;
    for (const content of ['e-AA_A', 'e\u00a0A==', '\u200beA==', 'e']) {
      const [fault, ...others] = check(content);
      expect(others).toEqual([]);
      expect(fault).toMatchObject({ code: 'value', message: `"${content}" is not Base64 text.` });
      expect(fault!.field.replaceAll('[1]', '')).toBe(field);
    }
  });

  test('runs the schema when the order of elements may be wrong', () => {
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
