/** Puts the contract's sample documents into any SQL database. */
import { expect } from 'vitest';
import { sampleCommand } from '../contract.suite.ts';
import { type Connector, type ConnectorKind, limits } from '../contract.ts';
import type { SampleDocument, SourceUnderTest } from '../source-under-test.kit.ts';
import type { Dialect } from './dialect.ts';

/** A connection of the test, separate from the connector's. */
export interface SqlProbe {
  readonly dialect: Dialect;
  execute(text: string, values?: readonly (string | null)[]): Promise<void>;
  /** Rows by column name, as text. */
  rows(text: string, values?: readonly string[]): Promise<Record<string, unknown>[]>;
}

/** Types of the sample tables in one database's words. */
export interface SampleTypes {
  /** An integer primary key that the database numbers. */
  readonly identity: string;
  readonly decimal: string;
  readonly text: string;
  /** Takes a million characters. */
  readonly longText: string;
  readonly timestamp: string;
  readonly binary: string;
}

/** Runs the script of the least rights, statement by statement, as an administrator would. */
export async function runGrants<Settings>(
  probe: SqlProbe,
  kind: ConnectorKind<Settings>,
  settings: object,
): Promise<void> {
  const script = kind.grants?.(kind.settings.parse(settings)) ?? '';
  const lines = script.split('\n').filter((line) => line !== '' && !line.startsWith('--'));
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) await probe.execute(line.replace(/;$/, ''));
}

/**
 * What keeps a user from writing back is told before anything is written, with the statements that an
 * administrator runs. `account` is the user as GRANT names it; it may read the table `proved`.
 */
export async function expectRightsProved(
  probe: SqlProbe,
  open: (settings: object) => Promise<Connector>,
  account: string,
): Promise<void> {
  const signal = new AbortController().signal;
  await probe.execute('CREATE TABLE proved (k VARCHAR(20), einv_id VARCHAR(200))');
  await probe.execute(`INSERT INTO proved VALUES ('a', NULL)`);
  await probe.execute(`GRANT SELECT ON proved TO ${account}`);
  const sections = { header: { table: 'proved', key: 'k', match: 'k' } };
  const waiting = async (settings: object) => {
    const connector = await open({ sections, ...settings });
    const outcome = await connector.test(signal);
    if (outcome.kind !== 'ok') throw new Error(outcome.fault.message);
    return outcome.writeBack?.message;
  };
  const grant = async (message: string | undefined) => {
    const [, statements = ''] = /An administrator grants it: (.*)\.$/.exec(message ?? '') ?? [];
    for (const statement of statements.split('; ')) await probe.execute(statement);
  };
  const first = await waiting({});
  expect(first).toMatch(/^permission denied for (schema|table) /);
  await expect(probe.rows('SELECT * FROM einv_status')).rejects.toThrow();
  await grant(first);
  expect(await waiting({})).toBeUndefined();
  await probe.execute(`REVOKE UPDATE ON einv_status FROM ${account}`);
  const second = await waiting({});
  expect(second).toMatch(/^permission denied for table .*einv_status \(UPDATE\)\. /);
  await grant(second);
  expect(await waiting({})).toBeUndefined();
  const connector = await open({ sections });
  expect(await connector.writeBack(sampleCommand('a', 'key-a'), signal)).toMatchObject({
    kind: 'written',
  });
  const columns = { writeBack: { mode: 'columns', columns: { invoice_id: 'einv_id' } } };
  const third = await waiting(columns);
  expect(third).toMatch(/^permission denied for columns einv_id of table .*proved \(UPDATE\)\. /);
  await grant(third);
  expect(await waiting(columns)).toBeUndefined();
}

/** Names that try to end the quotes around them. */
const hostileNames = ['se"le]ct', "a'b`c", 'x; DROP TABLE odd --', 'order by'] as const;

/** Names that have to be quoted are names, in every statement. */
export async function expectHostileNames(
  probe: SqlProbe,
  open: (settings: object) => Promise<Connector>,
): Promise<void> {
  const signal = new AbortController().signal;
  const { quote } = probe.dialect;
  const table = 'odd "t]a`b\'le';
  const [key, match, text, changed] = hostileNames;
  const columns = hostileNames.map((name) => `${quote(name)} VARCHAR(20)`);
  await probe.execute(`CREATE TABLE ${quote(table)} (${columns.join(', ')})`);
  await probe.execute(`INSERT INTO ${quote(table)} VALUES ('1', 'INV-1', NULL, '5')`);
  const connector = await open({
    sections: { header: { table, key, match, orderBy: text, where: { [changed]: '5' } } },
    changes: { column: changed, key },
  });
  expect(await connector.read('INV-1', signal)).toMatchObject({
    document: {
      sections: { header: [{ key: '1', values: { [match]: 'INV-1', [text]: null } }] },
    },
  });
  const page = await connector.list(undefined, signal);
  expect(page).toMatchObject({ refs: ['INV-1'] });
  const cursor = page.kind === 'page' ? page.cursor : '';
  expect(await connector.list(cursor, signal)).toMatchObject({ refs: [] });
  const described = await connector.describe(signal);
  expect(described).toMatchObject({
    columns: expect.arrayContaining([
      expect.objectContaining({ column: match, samples: ['INV-1'] }),
    ]),
  });
}

/**
 * Handwritten queries whose key is a number are described, with samples of a header that is named and of
 * its lines. `asInteger` casts `:ref`.
 */
export async function expectTypedQueriesSampled(
  probe: SqlProbe,
  open: (settings: object) => Promise<Connector>,
  asInteger: string,
): Promise<void> {
  const signal = new AbortController().signal;
  await probe.execute('CREATE TABLE typed (id INTEGER, number VARCHAR(20), buyer VARCHAR(20))');
  await probe.execute('CREATE TABLE typed_line (order_id SMALLINT, item VARCHAR(20))');
  await probe.execute(`INSERT INTO typed VALUES (7, 'INV-7', NULL)`);
  await probe.execute(`INSERT INTO typed_line VALUES (7, 'Bolt')`);
  const lines = {
    query: `SELECT order_id, item FROM typed_line WHERE order_id = ${asInteger}`,
    key: 'order_id',
    matchFrom: 'id',
  };
  const query = { query: `SELECT id, number FROM typed WHERE id = ${asInteger}`, key: 'id' };
  const samplesOf = async (header: object) => {
    const connector = await open({ sections: { header, lines } });
    const outcome = await connector.describe(signal);
    if (outcome.kind !== 'described') throw new Error(outcome.fault.message);
    return Object.fromEntries(outcome.columns.map(({ column, samples }) => [column, samples]));
  };
  expect(await samplesOf({ table: 'typed', key: 'id', match: 'number' })).toMatchObject({
    number: ['INV-7'],
    buyer: [],
    item: ['Bolt'],
  });
  expect(await samplesOf({ ...query, sampleRef: '7' })).toMatchObject({
    number: ['INV-7'],
    item: ['Bolt'],
  });
  // Without a document that is known the columns are seen all the same.
  expect(await samplesOf(query)).toMatchObject({ number: [], item: [] });
  expect(await samplesOf({ ...query, sampleRef: 'seven' })).toMatchObject({ number: [], item: [] });
}

/** The settings of a source whose header is a handwritten query with the key column `k`. */
/**
 * Invoices are found among documents of other kinds, without declared foreign keys; tables are larger
 * than what is read of them, and the newest rows by the key are all of another kind.
 */
export async function expectDiscovered(
  probe: SqlProbe,
  connect: (settings: object) => Promise<Connector>,
): Promise<void> {
  const { quote } = probe.dialect;
  const tables = {
    sale_customer:
      'cust_no VARCHAR(9) PRIMARY KEY, name VARCHAR(30), city VARCHAR(30), phone VARCHAR(30)',
    sale_doc:
      'doc_no INTEGER NOT NULL, doc_type INTEGER NOT NULL, invoice_number VARCHAR(20), invoice_date VARCHAR(10), ' +
      'due_date VARCHAR(10), cust_no VARCHAR(9), total_amount DECIMAL(12,2), PRIMARY KEY (doc_type, doc_no)',
    sale_doc_line:
      'id INTEGER PRIMARY KEY, doc_type INTEGER, doc_no INTEGER, description VARCHAR(30), quantity INTEGER, ' +
      'unit_price DECIMAL(12,2)',
  };
  for (const [table, columns] of Object.entries(tables)) {
    await probe.execute(`CREATE TABLE ${quote(table)} (${columns})`);
  }
  const insert = async (table: string, rows: readonly string[]) => {
    await probe.execute(`INSERT INTO ${quote(table)} VALUES ${rows.join(', ')}`);
  };
  const numbers = Array.from({ length: 320 }, (_, index) => index + 1);
  const date = (n: number) => `'2026-0${1 + (n % 9)}-1${n % 10}'`;
  const documents = numbers.flatMap((n) => [
    `(${n}, 10, 'INV-${n}', ${date(n)}, ${date(n + 1)}, 'C${n % 40}', ${n}.50)`,
    `(${n}, 12, 'paid', ${date(n)}, NULL, 'C${n % 40}', -${n}.50)`,
  ]);
  await insert(
    'sale_customer',
    numbers.slice(0, 40).map((n) => `('C${n - 1}', 'Firm ${n}', 'Town', '+44 20 555')`),
  );
  await insert('sale_doc', documents);
  await insert(
    'sale_doc_line',
    numbers.map((n) => `(${n}, 10, ${n}, 'Pump', 1, ${n}.50)`),
  );
  const connector = await connect({ sections: {} });
  const outcome = await connector.discover!({}, new AbortController().signal);
  expect(outcome).toMatchObject({ kind: 'discovered' });
  if (outcome.kind !== 'discovered') return;
  expect(outcome.product).toMatch(/^[A-Z][A-Za-z ]+ \d+(\.\d+)*$/);
  // In the order of the key, which is not that of the columns: other orders read the whole table.
  const key = { name: 'sale_doc', key: ['doc_type', 'doc_no'] };
  expect(outcome.places).toContainEqual(expect.objectContaining(key));
  const of10 = (column: string) => ({ where: { [column]: '10' } });
  const proposed = outcome.layouts[0]!.layout.sections as object;
  expect(proposed).toMatchObject({
    header: { table: 'sale_doc', key: 'doc_no', match: 'invoice_number', ...of10('doc_type') },
    lines: {
      table: 'sale_doc_line',
      key: 'id',
      match: 'doc_no',
      matchFrom: 'doc_no',
      ...of10('doc_type'),
    },
    customer: { table: 'sale_customer', match: 'cust_no', matchFrom: 'cust_no' },
  });
  expect(outcome.documents).toHaveLength(3);
  expect(outcome.documents[0]).toMatchObject({
    number: expect.stringMatching(/^INV-\d+$/),
    date: expect.stringMatching(/^2026-\d\d-\d\d$/),
    customer: expect.stringMatching(/^Firm \d+$/),
    lines: [{ name: 'Pump', quantity: '1' }],
  });
  const other = await connector.discover!(
    { header: 'sale_customer' },
    new AbortController().signal,
  );
  const words = expect.stringContaining('points at "sale_customer"');
  expect(other).toMatchObject({ kind: 'discovered', layouts: [], notes: [words] });
  const item = { table: 'sale_customer', key: 'cust_no', match: 'cust_no', matchFrom: 'cust_no' };
  const sections = { ...proposed, of_customer: { ...item, of: 'customer' } };
  const read = await (await connect({ sections })).read('INV-7', new AbortController().signal);
  expect(read).toMatchObject({
    document: {
      sections: {
        lines: [{ values: { doc_no: '7' } }],
        customer: [{ key: 'C7' }],
        of_customer: [{ key: 'C7' }],
      },
    },
  });
}

export const headerQuery = (query: string) => ({ sections: { header: { query, key: 'k' } } });

/**
 * Reads by handwritten queries that would do more than read; none may be answered, and the table
 * `kept`, which the probe makes, stays as it is. `open` answers for closing.
 */
export async function expectReadOnly(
  probe: SqlProbe,
  open: (settings: object) => Promise<Connector>,
  query: string,
  ref: string,
): Promise<void> {
  const kept = async () => probe.rows('SELECT k FROM kept ORDER BY k');
  await probe.execute('DROP TABLE IF EXISTS kept');
  await probe.execute('CREATE TABLE kept (k VARCHAR(200))');
  await probe.execute(`INSERT INTO kept VALUES ('a'), ('b')`);
  const before = await kept();
  const connector = await open(headerQuery(query));
  const outcome = await connector.read(ref, new AbortController().signal);
  expect(outcome).toMatchObject({ kind: 'unreachable', fault: { retry: 'never' } });
  expect(await kept()).toEqual(before);
  // What was refused leaves nothing behind in a session that is used again.
  const reader = await open({ sections: { header: { table: 'kept', key: 'k', match: 'k' } } });
  const signal = new AbortController().signal;
  expect(await reader.read('a', signal)).toMatchObject({ kind: 'found' });
}

/** Handwritten queries that every SQL database must refuse. */
export const writingQueries: readonly string[] = [
  'DELETE FROM kept WHERE k = :ref',
  'UPDATE kept SET k = :ref',
  'INSERT INTO kept VALUES (:ref)',
  'DELETE FROM kept WHERE k = :ref RETURNING k',
  'SELECT :ref AS k; DELETE FROM kept',
  'DROP TABLE kept -- :ref',
  'COMMIT -- :ref',
  'WITH w AS (SELECT 1) DELETE FROM kept WHERE k = :ref',
];

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

/** Creates the sample tables, with a binary column that no section asks for. */
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
      `line_no INTEGER, description ${types.longText}, price ${types.decimal}, ` +
      'deleted INTEGER NOT NULL DEFAULT 0)',
  );
  await probe.execute('CREATE INDEX line_invoice ON invoice_line (invoice_id)');
  await probe.execute(
    `CREATE TABLE purchase (id ${types.identity}, doc_id ${text}, supplier ${text}, ` +
      `inv_no ${text}, amount ${types.decimal}, due_on DATE, state ${text})`,
  );
  await probe.execute(
    `CREATE TABLE purchase_line (id ${types.identity}, purchase_id INTEGER NOT NULL, ` +
      `description ${types.longText}, amount ${types.decimal}, kind ${text})`,
  );
  await probe.execute(`CREATE TABLE customer (code ${text}, name ${text})`);
  await probe.execute(`INSERT INTO customer VALUES ('ACME', 'Acme Ltd')`);
}

/** The settings by which drafts go into the tables `purchase` and `purchase_line`. */
export const sampleDrafts = {
  mode: 'insert',
  header: {
    table: 'purchase',
    columns: {
      doc_id: 'document_id',
      supplier: 'supplier_name',
      inv_no: 'number',
      amount: 'gross',
      due_on: 'due_date',
      state: { value: 'D' },
    },
  },
  lines: {
    table: 'purchase_line',
    columns: { description: 'name', amount: 'line_net', kind: { value: 'I' } },
    parent: { column: 'purchase_id', from: 'id' },
  },
} as const;

const lineRowsPerInsert = 500;
/** Characters of one row's description with which a row is inserted alone. */
const longDescription = 10_000;

/** The part of a `SourceUnderTest` that is the same for every SQL database. */
export function sqlSource(probe: SqlProbe) {
  let moments = 0;
  let ids = 0;
  const { dialect } = probe;
  const placeholders = (count: number, start = 0) =>
    Array.from({ length: count }, (_, index) => dialect.placeholder(start + index + 1)).join(', ');
  const insertHeader = async (document: SampleDocument) => {
    ids += 1;
    moments += 1;
    // Two documents have the same time: the cursor must not lose the second.
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
    const isLong = lines.some(({ description }) => description.length > longDescription);
    const rowsPerInsert = isLong ? 1 : lineRowsPerInsert;
    for (let start = 0; start < lines.length; start += rowsPerInsert) {
      const part = lines.slice(start, start + rowsPerInsert);
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
    pageSize: limits.tablePageSize,
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
        // The table is missing: nothing was written in that environment.
        if (/exist|no such table/.test(String(error))) return undefined;
        throw error;
      }
    },
    drafts: draftsIn(probe),
    async slot(number: string) {
      const rows = await probe.rows(
        `SELECT einv_id, einv_status FROM invoice WHERE number = ${first}`,
        [number],
      );
      return rows[0];
    },
  } satisfies Partial<SourceUnderTest> & Record<string, unknown>;
}

function draftsIn(probe: SqlProbe): NonNullable<SourceUnderTest['drafts']> {
  const first = probe.dialect.placeholder(1);
  const find = async (table: string, column: string, value: string) => {
    try {
      return await probe.rows(`SELECT * FROM ${table} WHERE ${column} = ${first}`, [value]);
    } catch (error) {
      // The table is missing: nothing was written in that environment.
      if (/exist|no such table/.test(String(error))) return [];
      throw error;
    }
  };
  return {
    async stored(environment, id) {
      const ending = environment === 'live' ? '' : '_sandbox';
      const [header] = await find(`einv_received${ending}`, 'document_id', id);
      const lines = await find(`einv_received_line${ending}`, 'document_id', id);
      return { header, lines: lines.length };
    },
    async goOn(id) {
      await probe.execute(
        `UPDATE einv_received SET status = 'posted' WHERE document_id = ${first}`,
        [id],
      );
    },
    async deleteHeader(id) {
      await probe.execute(`DELETE FROM einv_received WHERE document_id = ${first}`, [id]);
    },
    async dropColumn(column) {
      await probe.execute(`ALTER TABLE einv_received DROP COLUMN ${column}`);
    },
    async own(id) {
      const [header] = await find('purchase', 'doc_id', id);
      const lines =
        header === undefined ? [] : await find('purchase_line', 'purchase_id', String(header.id));
      return { header, lines: lines.length };
    },
  };
}
