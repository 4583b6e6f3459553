import type { ImportCommand } from '../contract.ts';
import { type CatalogueTable, loadCatalogue } from './catalogue.ts';
import type { Dialect, NewColumn } from './dialect.ts';
import type { DraftTables } from './draft-plan.ts';
import {
  cutTo,
  type DraftField,
  type DraftLineField,
  draftStatus,
  headerValue,
  lineValue,
  sideLineColumns,
  sideTableColumns,
} from './draft-values.ts';

/** The product's own tables of drafts, as they are made. */
export function newDraftTables(environment: ImportCommand['environment']): readonly NewTable[] {
  const ending = environment === 'live' ? '' : '_sandbox';
  return [
    { name: `einv_received${ending}`, columns: sideTableColumns, key: ['document_id'] },
    {
      name: `einv_received_line${ending}`,
      columns: sideLineColumns,
      key: ['document_id', 'line_no'],
    },
  ];
}

interface NewTable {
  readonly name: string;
  readonly columns: readonly NewColumn[];
  readonly key: readonly string[];
}

/** The product's own tables `einv_received` and `einv_received_line`, made when they are missing. */
export function draftSideTables(
  dialect: Dialect,
  environment: ImportCommand['environment'],
  schema: string | undefined,
): DraftTables {
  const wanted = newDraftTables(environment);
  const [header, line] = wanted.map(({ name }) => name) as [string, string];
  const quoted = (name: string) => {
    const parts = schema === undefined ? [name] : [schema, name];
    return parts.map(dialect.quote).join('.');
  };
  const isTable = (name: string) => (one: CatalogueTable) =>
    one.table === name && (schema === undefined || one.schema === schema);
  /** The table of headers, where it was there before. */
  let own: CatalogueTable | undefined;
  return {
    async prepare(run) {
      // Looked up first: a writer may be allowed to write to the tables and not to create them.
      const known = await loadCatalogue(run, dialect, [header, line]);
      if (known.kind !== 'catalogue') return { kind: 'unanswered', fault: known.fault };
      own = known.tables.find(isTable(header));
      for (const { name, columns, key } of wanted) {
        if (known.tables.some(isTable(name))) continue;
        const text = dialect.createTable(quoted(name), columns, key);
        const created = await run({ text, values: [], rowsMax: 0 });
        if (created.kind !== 'rows') return { kind: 'unanswered', fault: created.fault };
      }
      return undefined;
    },
    async plan(_, document) {
      const text = `${dialect.quote('document_id')} = ${dialect.placeholder(1)}`;
      const isDraft = { text, value: document.id };
      return {
        kind: 'planned',
        target: schema === undefined ? header : `${schema}.${header}`,
        header: {
          table: quoted(header),
          isDraft,
          untouched: [{ column: draftStatus.name, value: draftStatus.draft }],
          cells: [
            { column: draftStatus.name, value: draftStatus.draft },
            ...sideTableColumns
              .slice(1)
              // A table made by an earlier version stays as it is.
              .filter(({ name }) => own?.types.has(name) ?? true)
              .map((column) => ({
                column: column.name,
                value: cutTo(column, headerValue(document, column.name as DraftField)),
              })),
          ],
        },
        lines: {
          table: quoted(line),
          leftOver: isDraft,
          isOfDraft: () => isDraft,
          cells: (position) =>
            sideLineColumns.map((column) => ({
              column: column.name,
              value: cutTo(column, lineValue(document, column.name as DraftLineField, position)),
            })),
        },
      };
    },
  };
}
