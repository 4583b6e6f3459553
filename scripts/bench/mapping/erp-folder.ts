import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Truth } from './score.ts';

/** A table of a sample ERP, as its schema.json has it. */
interface SampleTable {
  readonly table: string;
  readonly columns: readonly {
    readonly column: string;
    readonly type: string;
    readonly nullable: boolean;
  }[];
  readonly primary_key: readonly string[];
  readonly foreign_keys: readonly {
    readonly columns: readonly string[];
    readonly references: string;
    readonly referenced_columns: readonly string[];
  }[];
}

/** A sample ERP: its tables, its rows, and which column truly holds which field. */
export interface SampleErp {
  readonly name: string;
  readonly tables: readonly SampleTable[];
  readonly truth: Truth;
  /** The rows of a table; each cell as text, or null. */
  rows(table: string): readonly (readonly (string | null)[])[];
}

/** The sample ERPs of a folder: each a folder with schema.json, truth.json and a CSV file a table. */
export function readErpFolder(folder: string): readonly SampleErp[] {
  return readdirSync(folder)
    .sort()
    .filter((name) => existsSync(join(folder, name, 'truth.json')))
    .map((name) => {
      const read = (file: string) => readFileSync(join(folder, name, file), 'utf8');
      return {
        name,
        tables: (JSON.parse(read('schema.json')) as { tables: SampleTable[] }).tables,
        truth: JSON.parse(read('truth.json')) as Truth,
        rows: (table: string) => cellsOf(read(`${table}.csv`)).slice(1),
      };
    });
}

/** Makes a SQLite database of the ERP at `file`. */
export function writeSqlite(erp: SampleErp, file: string): void {
  const database = new Database(file);
  try {
    database.pragma('foreign_keys = off');
    database.transaction(() => {
      for (const table of erp.tables) {
        database.exec(createTable(table));
        const places = table.columns.map(() => '?').join(', ');
        const insert = database.prepare(`insert into ${quote(table.table)} values (${places})`);
        for (const row of erp.rows(table.table)) insert.run(...row);
      }
    })();
  } finally {
    database.close();
  }
}

function createTable({ table, columns, primary_key: key, foreign_keys: foreign }: SampleTable) {
  const parts = columns.map(({ column, type }) => {
    const own = type.replace(/ unsigned/i, '').replace(/^enum.*/i, 'text');
    return `${quote(column)} ${own}`;
  });
  if (key.length > 0) parts.push(`primary key (${key.map(quote).join(', ')})`);
  for (const { columns: own, references, referenced_columns: theirs } of foreign) {
    parts.push(
      `foreign key (${own.map(quote).join(', ')}) ` +
        `references ${quote(references)} (${theirs.map(quote).join(', ')})`,
    );
  }
  return `create table ${quote(table)} (${parts.join(', ')})`;
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The cells of a CSV text; `\N` is null, and a quoted cell may hold line feeds. */
function cellsOf(text: string): (string | null)[][] {
  const rows: (string | null)[][] = [];
  let row: (string | null)[] = [];
  for (const [, quoted, plain, end] of text.matchAll(
    /(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|$)/g,
  )) {
    if (end === '' && row.length === 0 && quoted === undefined && plain === '') break;
    const cell = quoted?.replaceAll('""', '"') ?? plain ?? '';
    row.push(cell === '\\N' ? null : cell);
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}
