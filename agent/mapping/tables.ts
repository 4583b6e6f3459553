/** What the mapping commands show to people. */

import type { Coverage } from '@drawbridge/mapping/coverage.ts';
import type { Mapping, MappingField } from '@drawbridge/mapping/mapping.ts';
import type { ValueMap } from '@drawbridge/mapping/value-maps.ts';
import type { Table } from '../outcome.ts';
import { wrapText } from '../text-wrapping.ts';
import { type MappingChange, sourceWords } from './diff.ts';
import type { LocalPreview } from './local-preview.ts';

const sourceWidth = 44;
const wordsWidth = 64;

/** Each field with its source and how sure it is. */
export function fieldsTable({ fields }: Mapping, title: string): Table {
  const rows = fields.map((field) => [
    field.target,
    wrapText(sourceWords(field), sourceWidth),
    sureness(field),
    wrapText(field.reason ?? '', wordsWidth),
  ]);
  return {
    title,
    head: ['field', 'from', 'sure', 'why'],
    rows,
    none: `${title} No field is mapped.`,
  };
}

function sureness({ status, confidence }: MappingField): string {
  if (status === 'approved' || confidence === undefined) return 'decided';
  return `${Math.round(confidence * 100)} %`;
}

/** Unknown values that are named in one line. */
const unknownMax = 10;

/** "lines[].unit: 21 values, 19 recognised; these are not: …", a line for each column of codes. */
export function valueMapLines(maps: readonly ValueMap[]): string {
  return maps.map(valueMapLine).join('\n');
}

function valueMapLine({
  target,
  section,
  column,
  values,
  recognised,
  unrecognised,
}: ValueMap): string {
  const counts = `${target} (${section}.${column}): ${values} ${values === 1 ? 'value' : 'values'}, ${recognised} recognised`;
  if (unrecognised.length === 0) return `${counts}.`;
  const named = unrecognised.slice(0, unknownMax).map((value) => `"${value}"`);
  const more = unrecognised.length - named.length;
  const rest = more > 0 ? `, and ${more} more` : '';
  return `${counts}; say in a value map what these mean: ${named.join(', ')}${rest}.`;
}

/** What nobody fills, what it is and where ERPs keep it. */
export function missingTable({ fields }: Coverage): Table {
  const missing = fields.filter(({ state }) => state === 'missing');
  return {
    title: 'Missing, so that every document would be refused:',
    head: ['field', 'name', 'what it is, and where ERPs keep it'],
    rows: missing.map(({ path, name, help }) => [path, name, wrapText(help, wordsWidth)]),
    none: 'No field that every document needs is missing.',
  };
}

/** Places of documents that are told in full. */
const differencesMax = 3;

/** What the newest documents would come to. */
export function previewParts(preview: LocalPreview): (Table | string)[] {
  const { documents, refusals, totals, objections } = preview;
  const { read, passed } = documents;
  const first =
    read === 0 ? 'The source has no documents yet.' : `${passed} of ${read} documents would pass.`;
  return [
    first,
    ...(refusals.length === 0 ? [] : [refusalsTable(refusals)]),
    ...(totals.length === 0 ? [] : [totalsTable(totals)]),
    ...(objections.length === 0
      ? []
      : [objectionsTable(objections, 'An approval has to answer what stands against it:')]),
  ];
}

function refusalsTable(refusals: LocalPreview['refusals']): Table {
  return {
    title: 'Refused, by rule (`drawbridge explain RULE` says what helps):',
    head: ['rule', 'documents', 'message', 'for example'],
    rows: refusals.map(({ rule, documents, message, example: { source_ref: ref, source } }) => {
      const place =
        source === undefined
          ? ''
          : ` ${source.origin}.${source.column} = ${shownValue(source.value)}`;
      return [
        rule,
        String(documents),
        wrapText(message, wordsWidth),
        wrapText(ref + place, sourceWidth),
      ];
    }),
  };
}

function totalsTable(totals: LocalPreview['totals']): Table {
  return {
    title: "Totals computed from the lines, beside the ERP's own:",
    head: ['total', 'of the ERP', 'equal', 'differences'],
    rows: totals.map(({ total, origin, column, compared, equal, differences }) => [
      total,
      origin === undefined ? '' : `${origin}.${column}`,
      `${equal} of ${compared}`,
      differences
        .slice(0, differencesMax)
        .map(({ source_ref: ref, ours, erp, currency = '' }) =>
          `${ref}: ${ours}, ERP ${erp} ${currency}`.trim(),
        )
        .join('\n'),
    ]),
  };
}

/** Objections with the ids by which they are answered. */
export function objectionsTable(
  objections: readonly {
    readonly id: string;
    readonly words: string;
    readonly documents: number;
  }[],
  title: string,
): Table {
  const rows = objections.map(({ id, words, documents }) => [
    id,
    String(documents),
    wrapText(words, wordsWidth),
  ]);
  return { title, head: ['objection', 'documents', 'what stands against it'], rows };
}

function shownValue(value: string | null): string {
  return value === null || value.trim() === '' ? 'empty' : JSON.stringify(value);
}

/** One line a change. */
export function changesTable(changes: readonly MappingChange[], title: string): Table {
  const rows = changes.map(({ kind, of, before = '', after = '' }) => [
    kind,
    of,
    wrapText(before, sourceWidth),
    wrapText(after, sourceWidth),
  ]);
  return { title, head: ['', 'of', 'before', 'now'], rows, none: `${title} Nothing differs.` };
}
