import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FoundTable } from '@drawbridge/mapping/discovery/database.ts';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Connector, ConnectorKind } from '../contract.ts';
import { mssql } from '../mssql/connector.ts';
import { mysql } from '../mysql/connector.ts';
import { postgres } from '../postgres/connector.ts';
import { sections as sectionSettings } from '../sql/settings.ts';
import { sqlite } from '../sqlite/connector.ts';
import { type ColumnType, columnsOf, type DatabaseKind, type Preset } from './contract.ts';
import { recognisePresets } from './recognise.ts';

type Cell = string | number | null;

/** A document of an example, as it must be read. */
interface ExpectedDocument {
  readonly ref: string;
  readonly lines: number;
  /** Stands in a value of the header or the customer. */
  readonly customer: string;
}

/** Rows of a company with an invoice and a credit note. */
export interface PresetExample {
  /** What stands around the names of its tables. */
  readonly before?: string;
  readonly after?: string;
  readonly rows: Readonly<Record<string, readonly Readonly<Record<string, Cell>>[]>>;
  readonly invoice: ExpectedDocument;
  readonly creditNote: ExpectedDocument;
}

/** How tables of an example are made in a database. */
export interface ExampleDatabase {
  readonly kind: DatabaseKind;
  readonly types: Readonly<Record<ColumnType, string>>;
  quote(name: string): string;
  execute(text: string): Promise<void>;
  open(settings: object): Promise<Connector>;
}

const never = new AbortController().signal;
const kinds: Readonly<Record<DatabaseKind, ConnectorKind>> = {
  mssql: mssql as ConnectorKind,
  mysql: mysql as ConnectorKind,
  postgres: postgres as ConnectorKind,
  sqlite: sqlite as ConnectorKind,
};
const least: Readonly<Record<DatabaseKind, object>> = {
  mssql: { host: 'erp', database: 'erp', user: 'reader', password: 'x' },
  mysql: { host: 'erp', database: 'erp', user: 'reader', password: 'x' },
  postgres: { host: 'erp', database: 'erp', user: 'reader', password: 'x' },
  sqlite: { file: '/erp.sqlite' },
};

/** What holds of each preset: it is whole, and reads its example from a database of the documented tables. */
export function presetSuite(preset: Preset, example: PresetExample): void {
  describe(`preset ${preset.id}`, () => {
    const every = Object.keys(preset.tables);
    const [found] = recognisePresets({ tables: tablesOf(preset, example, every) }, [preset]);

    test('has of each section only what is documented, and is valid as settings', () => {
      expect(found?.drift).toEqual([]);
      for (const sections of [found!.sections, found!.creditNoteSections]) {
        expect(Object.keys(sections)).toEqual(Object.keys(preset.sections));
        expect(sectionSettings.safeParse(sections).error).toBeUndefined();
      }
      expect(preset.fingerprint.filter((table) => !every.includes(table))).toEqual([]);
    });

    test('all of its facts are written', () => {
      const open = JSON.stringify(preset).match(/not written yet[^"]*/g) ?? [];
      expect(open.join('\n')).toBe('');
    });

    test('its version is told, and the one before when what is new is missing', () => {
      expect(found?.version).toBe(preset.versions[0]!.version);
      for (const [index, { has }] of preset.versions.entries()) {
        if (has.length === 0) continue;
        const older = without(tablesOf(preset, example, every), nameAt(example, has[0]!));
        const [seen] = recognisePresets({ tables: older }, [preset]);
        expect(seen?.version).not.toBe(preset.versions[index]!.version);
      }
    });

    test('a column that is missing is told, and what needs it is left out', () => {
      const { table, match } = preset.sections.lines!;
      const drifted = without(
        tablesOf(preset, example, every),
        `${placedName(example, table)}.${match}`,
      );
      const [seen] = recognisePresets({ tables: drifted }, [preset]);
      expect(seen?.drift.join()).toContain(`has no column "${match}"`);
      expect(seen?.summary).toContain('Not as expected');
      expect(seen?.sections).toEqual({});
    });

    test('is not seen where a table that tells it is missing', () => {
      for (const table of preset.fingerprint) {
        const others = every.filter((each) => each !== table);
        const tables = tablesOf(preset, example, others);
        expect(recognisePresets({ tables }, [preset])).toEqual([]);
      }
    });

    test.each(preset.runsOn)('its rights are printed for %s', (kind) => {
      const settings = kinds[kind].settings.parse({
        ...least[kind],
        sections: { ...found!.sections },
        writeBack: { mode: 'none' },
      });
      const script = kinds[kind].grants?.(settings) ?? '';
      for (const { table } of Object.values(found!.sections)) expect(script).toContain(table);
    });

    describe('on SQLite', () => {
      test('is recognised, and reads an invoice and a credit note', async () => {
        const folder = await mkdtemp(join(tmpdir(), 'drawbridge-preset-'));
        onTestFinished(() => rm(folder, { recursive: true }));
        const file = join(folder, 'erp.sqlite');
        const database = new Database(file);
        await expectRead(preset, example, {
          kind: 'sqlite',
          types: {
            integer: 'integer',
            decimal: 'numeric',
            text: 'text',
            date: 'date',
            timestamp: 'datetime',
            boolean: 'boolean',
          },
          quote: (name) => `"${name}"`,
          execute: async (text) => void database.exec(text),
          open: (settings) =>
            sqlite.open(sqlite.settings.parse({ file, ...settings }), {
              clock: () => new Date('2026-04-01T00:00:00Z'),
              allowedRoots: [folder],
            }),
        });
        database.close();
      });
    });
  });
}

/** Makes the tables with the rows of the example, and reads what the preset says. */
export async function expectRead(
  preset: Preset,
  example: PresetExample,
  database: ExampleDatabase,
): Promise<void> {
  for (const statement of statementsOf(preset, example, database)) {
    await database.execute(statement);
  }
  const unset = await database.open({ sections: {}, writeBack: { mode: 'none' } });
  const outcome = await unset.discover!({}, never);
  await unset.close();
  if (outcome.kind !== 'discovered') throw new Error(JSON.stringify(outcome));
  const [invoices, creditNotes] = outcome.layouts;
  expect(invoices).toMatchObject({
    documents: 'invoices',
    title: expect.stringContaining(`Looks like ${preset.title} `),
  });
  expect(invoices!.title).not.toContain('Not as expected');
  expect(creditNotes).toMatchObject({ documents: 'credit notes', title: invoices!.title });
  expect(outcome.documents).toMatchObject([
    { ref: example.invoice.ref, lineCount: example.invoice.lines },
  ]);
  for (const [proposal, expected] of [
    [invoices, example.invoice],
    [creditNotes, example.creditNote],
  ] as const) {
    const settings = proposal!.layout;
    const connector = await database.open({ ...settings, writeBack: { mode: 'none' } });
    await expectDocument(connector, expected);
    await connector.close();
  }
}

/** The document is read whole, and listed alone: other kinds, drafts and cancelled ones are not. */
async function expectDocument(connector: Connector, { ref, lines, customer }: ExpectedDocument) {
  const listed = await connector.list(undefined, never);
  expect(listed).toMatchObject({ kind: 'page', refs: [ref] });
  const read = await connector.read(ref, never);
  if (read.kind !== 'found') throw new Error(`${ref}: ${JSON.stringify(read)}`);
  expect(read.document.sections.lines).toHaveLength(lines);
  expect(JSON.stringify(read.document.sections)).toContain(customer);
}

function placedName({ before = '', after = '' }: PresetExample, table: string): string {
  return `${before}${table}${after}`;
}

/** `table.column` with the table as the example calls it. */
function nameAt(example: PresetExample, place: string): string {
  const dot = place.indexOf('.');
  return placedName(example, place.slice(0, dot)) + place.slice(dot);
}

function tablesOf(preset: Preset, example: PresetExample, names: readonly string[]): FoundTable[] {
  return names.map((name) => ({
    name: placedName(example, name),
    columns: columnsOf(preset.tables[name]!),
    primaryKey: [],
    uniques: [],
    rows: 0,
    sample: [],
  }));
}

function without(tables: readonly FoundTable[], place: string): FoundTable[] {
  return tables.map((table) => ({
    ...table,
    columns: table.columns.filter(({ name }) => `${table.name}.${name}` !== place),
  }));
}

function statementsOf(preset: Preset, example: PresetExample, { types, quote }: ExampleDatabase) {
  const literal = (cell: Cell | undefined) =>
    cell === null || cell === undefined ? 'NULL' : `'${String(cell).replaceAll("'", "''")}'`;
  return Object.entries(preset.tables).flatMap(([table, text]) => {
    const columns = columnsOf(text);
    const key = columns.filter(({ isKey }) => isKey).map(({ name }) => quote(name));
    const parts = columns.map(({ name, type, isKey }) => {
      const own = isKey && type === 'text' ? 'varchar(60)' : types[type];
      return `${quote(name)} ${own}`;
    });
    if (key.length > 0) parts.push(`PRIMARY KEY (${key.join(', ')})`);
    const name = quote(placedName(example, table));
    const inserts = (example.rows[table] ?? []).map((row) => {
      const unknown = Object.keys(row).filter((each) => !columns.some((one) => one.name === each));
      if (unknown.length > 0) throw new Error(`${table} is documented without ${unknown.join()}`);
      return `INSERT INTO ${name} VALUES (${columns.map((one) => literal(row[one.name])).join(', ')})`;
    });
    return [`CREATE TABLE ${name} (${parts.join(', ')})`, ...inserts];
  });
}
