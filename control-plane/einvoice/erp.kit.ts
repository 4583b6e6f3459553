/** For tests of this folder: the sample ERP as a real SQLite file, to which tests add documents. */
import { setTimeout } from 'node:timers/promises';
import Database, { SqliteError } from 'better-sqlite3';
import { createErp } from '../../scripts/demo/erp.ts';
import { agentSections } from '../../scripts/demo/mappings.ts';

/** Columns of a row, as the ERP names them. */
type Columns = Readonly<Record<string, string | number | null>>;

export interface Change {
  /** Columns of the header (OSALES) that differ from the good document. */
  readonly header?: Columns;
  /** Columns in which every line (OLINES) differs. */
  readonly line?: Columns;
  /** Columns of the customer (OCUST) that differ; makes a separate customer. */
  readonly customer?: Columns;
  /** How often the good document's lines are repeated; default once, two lines. */
  readonly copies?: number;
}

export interface Erp {
  readonly file: string;
  /** Adds a document like the good one of a company, with the changes; returns its reference. */
  add(company: Company, change?: Change): Promise<string>;
  /** Adds one more line to a document. */
  repeatLine(documentId: number): Promise<void>;
  /** The content of the ERP's own tables as one text, to check that nothing was changed. */
  content(): string;
  rows(sql: string): unknown[];
  run(sql: string): Promise<void>;
  close(): void;
}

/** The good document of each company that others are copied from. */
const good = { AE: 'AE-2026-00418', MY: 'MY-2026-1187', BE: '2026/00871' } as const;
export type Company = keyof typeof good;

/** The good document of a company, which is in the ERP from the start. */
export const goodRef = (company: Company): string => good[company];

const ownTables = ['OCOMP', 'OCUST', 'OTAX', 'OSALES', 'OLINES'];

export function openErp(file: string, now: Date): Erp {
  createErp(file, now);
  const db = new Database(file, { timeout: 100 });
  db.pragma('synchronous = off');
  // Tests give lines tax codes that the ERP does not know.
  db.pragma('foreign_keys = off');
  /**
   * Does it in a transaction once no other writes to the file. Waiting longer in SQLite would stop
   * this process, and with it a node that runs here and holds the lock.
   */
  const write = async <T>(work: () => T): Promise<T> => {
    for (;;) {
      try {
        return db.transaction(work).immediate();
      } catch (error) {
        const isBusy = error instanceof SqliteError && error.code.startsWith('SQLITE_BUSY');
        if (!isBusy) throw error;
        await setTimeout(5);
      }
    }
  };
  const row = (table: string, column: string, value: unknown) =>
    db.prepare(`select * from ${table} where ${column} = ?`).get(value) as Columns;
  const insert = (table: string, columns: Columns) => {
    const names = Object.keys(columns);
    const places = names.map(() => '?').join(', ');
    db.prepare(`insert into ${table} (${names.join(', ')}) values (${places})`).run(
      ...Object.values(columns),
    );
  };
  let made = 0;
  const add = (company: Company, { header, line, customer, copies = 1 }: Change = {}): string => {
    made += 1;
    const from = row('OSALES', 'DOC_NO', good[company]);
    const id = 100_000 + made;
    const ref = `T-${company}-${made}`;
    if (customer !== undefined) {
      const own = { ...row('OCUST', 'CUST_NO', from.CUST_NO), CUST_NO: ref, ...customer };
      insert('OCUST', own);
    }
    const owner = customer === undefined ? {} : { CUST_NO: ref };
    insert('OSALES', { ...from, DOC_ID: id, DOC_NO: ref, ...owner, ...header });
    const lines = db
      .prepare('select * from OLINES where DOC_ID = ? order by LINE_NO')
      .all(from.DOC_ID) as Columns[];
    for (let at = 0; at < copies * lines.length; at += 1) {
      const { LINE_ID: _, ...columns } = lines[at % lines.length]!;
      insert('OLINES', { ...columns, DOC_ID: id, LINE_NO: at + 1, ...line });
    }
    return String(header?.DOC_NO ?? ref);
  };
  return {
    file,
    add: (company, change) => write(() => add(company, change)),
    repeatLine: (id) =>
      write(() => {
        const { LINE_ID: _, ...columns } = row('OLINES', 'DOC_ID', id);
        insert('OLINES', columns);
      }),
    content: () =>
      JSON.stringify(ownTables.map((table) => db.prepare(`select * from ${table}`).all())),
    rows: (sql) => db.prepare(sql).all(),
    run: (sql) => write(() => void db.exec(sql)),
    close: () => void db.close(),
  };
}

/** Settings of a connector that reads it. */
export const erpSettings = (file: string) => ({ file, sections: agentSections });
