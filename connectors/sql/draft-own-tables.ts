import { fault } from '../fault.ts';
import { type CatalogueTable, findTable, loadCatalogue } from './catalogue.ts';
import type { Dialect } from './dialect.ts';
import { type Cell, type DraftTables, isEqual } from './draft-plan.ts';
import { type DraftField, type DraftLineField, headerValue, lineValue } from './draft-values.ts';
import type { Unanswered } from './driver.ts';
import type { DraftTarget } from './settings.ts';

type Target = Extract<NonNullable<DraftTarget>, { mode: 'insert' }>;
type Filling<Field> = Field | { readonly value: string };

/** The client's own tables, filled as its settings say. */
export function draftOwnTables(dialect: Dialect, { header, lines }: Target): DraftTables {
  return {
    prepare: async () => undefined,
    async plan(run, document) {
      const names = lines === undefined ? [header.table] : [header.table, lines.table];
      const known = await loadCatalogue(run, dialect, names);
      if (known.kind !== 'catalogue') return { kind: 'unanswered', fault: known.fault };
      const own = findTable(known.tables, header.table);
      const ofLines = lines && findTable(known.tables, lines.table);
      const missing =
        lackOf(header.table, own, [...Object.keys(header.columns), lines?.parent?.from]) ??
        (lines &&
          lackOf(lines.table, ofLines, [...Object.keys(lines.columns), lines.parent?.column]));
      if (missing !== undefined) return missing;
      const idColumn = columnOf(header.columns, 'document_id')!;
      const byId = (table: CatalogueTable, column: string, value: string) =>
        isEqual(dialect, column, table.types.get(column) ?? '', value);
      const isDraft = byId(own!, idColumn, document.id);
      if (isDraft === undefined) {
        return unanswered(`The column "${idColumn}" of ${header.table} cannot hold a document_id.`);
      }
      return {
        kind: 'planned',
        target: header.table,
        header: {
          table: own!.quoted,
          isDraft,
          untouched: constantsOf(header.columns),
          cells: cellsOf<DraftField>(header.columns, (field) => headerValue(document, field)),
        },
        ...(lines === undefined
          ? {}
          : {
              lines: {
                table: ofLines!.quoted,
                ...(lines.parent === undefined ? {} : { parent: lines.parent.from }),
                isOfDraft: (parent: string | null) =>
                  lines.parent === undefined
                    ? byId(ofLines!, columnOf(lines.columns, 'document_id')!, document.id)
                    : byId(ofLines!, lines.parent.column, parent ?? ''),
                cells: (position: number, parent: string | null) => [
                  ...(lines.parent === undefined
                    ? []
                    : [{ column: lines.parent.column, value: parent }]),
                  ...cellsOf<DraftField | DraftLineField>(lines.columns, (field) =>
                    lineValue(document, field, position),
                  ),
                ],
              },
            }),
      };
    },
  };
}

function lackOf(
  name: string,
  table: CatalogueTable | undefined,
  columns: readonly (string | undefined)[],
): Unanswered | undefined {
  if (table === undefined) {
    return unanswered(`There is no table ${name}, or the writing user may not see it.`);
  }
  const column = columns.find((each) => each !== undefined && !table.types.has(each));
  return column === undefined ? undefined : unanswered(`${name} has no column "${column}".`);
}

function unanswered(message: string): Unanswered {
  const mend = `${message} Mend "drafts" in the connector's settings, or the table.`;
  return { kind: 'unanswered', fault: fault('draft_target_unusable', mend, 'never') };
}

function columnOf<Field>(columns: Readonly<Record<string, Filling<Field>>>, field: Field) {
  return Object.keys(columns).find((column) => columns[column] === field);
}

function constantsOf(columns: Readonly<Record<string, Filling<unknown>>>) {
  return Object.entries(columns).flatMap(([column, filling]) =>
    isConstant(filling) ? [{ column, value: filling.value }] : [],
  );
}

function cellsOf<Field extends string>(
  columns: Readonly<Record<string, Filling<Field>>>,
  valueFor: (field: Field) => string | null,
): Cell[] {
  return Object.entries(columns).map(([column, filling]) => ({
    column,
    value: isConstant(filling) ? filling.value : valueFor(filling),
  }));
}

function isConstant(filling: unknown): filling is { readonly value: string } {
  return typeof filling === 'object';
}
