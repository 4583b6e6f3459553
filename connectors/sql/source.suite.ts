/** Puts the contract's sample documents into any SQL database. */
import type { SampleDocument, SourceUnderTest } from '../contract.suite.ts';
import type { Dialect } from './dialect.ts';

/** A connection of the test's own, beside the connector's. */
export interface SqlProbe {
  readonly dialect: Dialect;
  execute(text: string, values?: readonly (string | null)[]): Promise<void>;
  /** Rows by column name, as text. */
  rows(text: string, values?: readonly string[]): Promise<Record<string, unknown>[]>;
}

/** Types of the sample tables in one database's words. */
export interface SampleTypes {
  /** An integer primary key that counts itself. */
  readonly identity: string;
  readonly decimal: string;
  readonly text: string;
  readonly timestamp: string;
  readonly binary: string;
}

/** The settings' sections for the sample tables. */
export const sampleSections = {
  header: { table: 'invoice', key: 'id', match: 'number' },
  lines: {
    table: 'invoice_line',
    columns: ['line_no', 'description', 'price'],
    key: 'id',
    match: 'invoice_id',
    matchFrom: 'id',
    orderBy: 'line_no',
    where: { deleted: '0' },
  },
  customer: { table: 'customer', key: 'code', match: 'code', matchFrom: 'buyer_code' },
};

export const sampleChanges = { column: 'changed_at', key: 'id' };

export const sampleSlot = {
  invoice_id: 'einv_id',
  status: 'einv_status',
  settled_at: 'einv_settled_at',
};

/** Creates the sample tables, among them a binary column that nobody asked for. */
export async function createTables(probe: SqlProbe, types: SampleTypes): Promise<void> {
  const { text } = types;
  await probe.execute(
    `CREATE TABLE invoice (id ${types.identity}, number ${text} NOT NULL, buyer ${text}, ` +
      `buyer_code ${text}, total ${types.decimal}, issued_on DATE, ` +
      `changed_at ${types.timestamp} NOT NULL, scan ${types.binary}, ` +
      `einv_id ${text}, einv_status ${text}, einv_settled_at ${types.timestamp})`,
  );
  await probe.execute(
    `CREATE TABLE invoice_line (id ${types.identity}, invoice_id INTEGER NOT NULL, ` +
      `line_no INTEGER, description ${text}, price ${types.decimal}, ` +
      'deleted INTEGER NOT NULL DEFAULT 0)',
  );
  await probe.execute('CREATE INDEX line_invoice ON invoice_line (invoice_id)');
  await probe.execute(`CREATE TABLE customer (code ${text}, name ${text})`);
  await probe.execute(`INSERT INTO customer VALUES ('ACME', 'Acme Ltd')`);
}

const lineRowsPerInsert = 500;

/** What of a `SourceUnderTest` is the same in every SQL database. */
export function sqlSource(probe: SqlProbe) {
  let moments = 0;
  let ids = 0;
  const { dialect } = probe;
  const placeholders = (count: number, start = 0) =>
    Array.from({ length: count }, (_, index) => dialect.placeholder(start + index + 1)).join(', ');
  const insertHeader = async (document: SampleDocument) => {
    ids += 1;
    moments += 1;
    // Two documents a moment: the cursor must not lose the second.
    const moment = new Date(Date.UTC(2026, 0, 1) + Math.floor(moments / 2) * 1_000);
    const { number, buyer, total, issued_on } = document;
    const changed = moment.toISOString().slice(0, 19).replace('T', ' ');
    await probe.execute(
      'INSERT INTO invoice (id, number, buyer, buyer_code, total, issued_on, changed_at) ' +
        `VALUES (${placeholders(7)})`,
      [String(ids), number, buyer, 'ACME', total, issued_on, changed],
    );
    return String(ids);
  };
  const insertLines = async (id: string, lines: SampleDocument['lines']) => {
    for (let start = 0; start < lines.length; start += lineRowsPerInsert) {
      const part = lines.slice(start, start + lineRowsPerInsert);
      const rows = part.map((_, index) => `(${placeholders(4, index * 4)})`);
      await probe.execute(
        'INSERT INTO invoice_line (invoice_id, line_no, description, price) ' +
          `VALUES ${rows.join(', ')}`,
        part.flatMap((line) => [id, line.line_no, line.description, line.price]),
      );
    }
  };
  const insert = async (documents: readonly SampleDocument[]) => {
    for (const document of documents) {
      await insertLines(await insertHeader(document), document.lines);
    }
  };
  const first = dialect.placeholder(1);
  return {
    refOf: (number: string) => number,
    insert,
    async insertTwins(number: string) {
      const twin = { number, buyer: 'x', total: '1', issued_on: '2026-01-01', lines: [] };
      await insert([twin, twin]);
    },
    async sideStatus(environment, ref) {
      const table = environment === 'live' ? 'einv_status' : 'einv_status_sandbox';
      try {
        const rows = await probe.rows(`SELECT * FROM ${table} WHERE source_ref = ${first}`, [ref]);
        return rows[0];
      } catch (error) {
        // Nothing was ever written in that environment.
        if (/exist|no such table/.test(String(error))) return undefined;
        throw error;
      }
    },
    async slot(number: string) {
      const rows = await probe.rows(
        `SELECT einv_id, einv_status FROM invoice WHERE number = ${first}`,
        [number],
      );
      return rows[0];
    },
  } satisfies Partial<SourceUnderTest> & Record<string, unknown>;
}
