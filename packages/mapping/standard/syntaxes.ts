import type { XmlRoot } from '@drawbridge/records/xml.ts';
import type { DescribedColumn } from '../inference/columns.ts';
import type { Mapping, MappingField } from '../mapping.ts';
import { targets } from '../targets.ts';
import { cii } from './cii.ts';
import { type StandardRow, type StandardSyntax, within } from './syntax.ts';
import { ublCreditNote, ublInvoice } from './ubl.ts';
import { zugferd1 } from './zugferd-1.ts';

const syntaxes: readonly StandardSyntax[] = [ublInvoice, ublCreditNote, cii, zugferd1];

/** The standard syntax of an XML file, by its outermost element; undefined for any other. */
export function standardOf({ name, namespace }: XmlRoot): StandardSyntax | undefined {
  return syntaxes.find((each) => each.root === name && each.namespace === namespace);
}

const confidence = 0.98;

/** Most of a standard document is optional, and the rules tell what is missing. */
const mayBeAbsent = { kind: 'default', value: '' } as const;

/** The settings by which files of a syntax are read so that its mapping fits. */
export function standardSettings({ lines, sections, listElements, elementKeys }: StandardSyntax) {
  const named = sections.map(({ name, path }) => [name, path] as const);
  return {
    sectionNames: { lines, ...Object.fromEntries(named) },
    ...(listElements === undefined ? {} : { listElements }),
    elementKeys,
  };
}

/**
 * The mapping of a source whose documents are of a standard syntax, as far as it has the columns;
 * undefined for any other source.
 */
export function standardMapping(columns: readonly DescribedColumn[]): Mapping | undefined {
  const known = new Set(columns.map(({ section, column }) => placeOf(section, column)));
  const has = (section: string, column: string) => known.has(placeOf(section, column));
  const syntax = syntaxes.find(({ marks }) => marks.every((mark) => has('header', mark)));
  if (syntax === undefined) return undefined;
  const named = (name: string, path: string) =>
    columns.some(({ section }) => section === name) ? name : path;
  const lines = named('lines', syntax.lines);
  const fieldsOf = (section: string, rows: readonly StandardRow[], list = '') => {
    const held = rows.filter(([, column]) => has(section, column)).toReversed();
    // Of several places of one field the first goes before.
    const byTarget = new Map(held.map((row) => [row[0], row]));
    return [...byTarget.values()].toReversed().map((row) => fieldOf(syntax, section, row, list));
  };
  const others = syntax.sections.map((each) => ({ ...each, section: named(each.name, each.path) }));
  const inLines = others
    .filter(
      ({ isWithinLines, section, rows }) => isWithinLines && fieldsOf(section, rows).length > 0,
    )
    .map(({ list, section }) => [list, { section, where: withinParent }]);
  const lists = { 'lines[]': { section: lines }, ...Object.fromEntries(inLines) };
  return {
    ...(inLines.length === 0 ? {} : { lists }),
    fields: [
      ...fieldsOf('header', syntax.header),
      ...fieldsOf(lines, within('.', '', syntax.line), 'lines[]'),
      ...others.flatMap(({ section, rows, list }) => fieldsOf(section, rows, list)),
    ],
  };
}

/** Rows of an array within a row name it by its key. */
const withinParent = { column: '#parent', parent_column: '#key' };

function placeOf(section: string, column: string): string {
  return JSON.stringify([section, column]);
}

function fieldOf(
  { name }: StandardSyntax,
  section: string,
  [own, column, transform]: StandardRow,
  list: string,
): MappingField {
  const target = `${list}${own}`;
  const { term = '', name: meaning = target } = targets.get(target) ?? {};
  return {
    target,
    from: { section, column },
    transforms: transform === undefined ? [mayBeAbsent] : [transform, mayBeAbsent],
    status: 'proposed',
    confidence,
    reason: `${name} keeps it there: ${meaning} (${term}).`,
  };
}
