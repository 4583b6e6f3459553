import { existsSync } from 'node:fs';
import {
  copyFile,
  link,
  mkdir,
  mkdtemp,
  rename,
  rm,
  symlink,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, describe, expect, test } from 'vitest';
import { connectorSuite, secretInTests } from '../contract.suite.ts';
import type { ConnectorContext } from '../contract.ts';
import { importCommand } from '../drafts.suite.ts';
import {
  createTables,
  expectDiscovered,
  expectHostileNames,
  expectReadOnly,
  expectTypedQueriesSampled,
  headerQuery,
  type SqlProbe,
  sampleChanges,
  sampleDrafts,
  sampleSections,
  sampleSlot,
  sqlSource,
  writingQueries,
} from '../sql/source.suite.ts';
import { sqlite } from './connector.ts';
import { sqliteDialect } from './dialect.ts';
import { endlessQuery, isSqliteWorking } from './endless.suite.ts';

const never = new AbortController().signal;
const folders: string[] = [];

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true });
});

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'drawbridge-sqlite-'));
  folders.push(folder);
  return folder;
}

function contextOf(folder: string): ConnectorContext {
  return { clock: () => new Date('2026-02-01T00:00:00Z'), allowedRoots: [folder] };
}

const open = (settings: object, folder: string, timeoutMs?: number) =>
  sqlite.open(sqlite.settings.parse(settings), {
    ...contextOf(folder),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });

function probeOf(file: string): { probe: SqlProbe; close: () => void } {
  const database = new Database(file);
  database.pragma('synchronous = off');
  const probe: SqlProbe = {
    dialect: sqliteDialect,
    async execute(text, values = []) {
      database.prepare(text).run(...values);
    },
    async rows(text, values = []) {
      return database.prepare(text).all(...values) as Record<string, unknown>[];
    },
  };
  return { probe, close: () => database.close() };
}

connectorSuite('sqlite', async () => {
  const folder = await temporaryFolder();
  const file = path.join(folder, 'erp.db');
  const { probe, close } = probeOf(file);
  await createTables(probe, {
    identity: 'INTEGER PRIMARY KEY',
    // SQLite has no exact decimal: an ERP that wants one keeps it as text.
    decimal: 'TEXT',
    text: 'TEXT',
    longText: 'TEXT',
    timestamp: 'TEXT',
    binary: 'BLOB',
  });
  const { slot, ...common } = sqlSource(probe);
  const settings = { file, sections: sampleSections, changes: sampleChanges };
  const columns = { mode: 'columns', columns: sampleSlot };
  return {
    ...common,
    connector: await open(settings, folder),
    unreachable: await open(
      { ...settings, file: path.join(folder, secretInTests, '../x') },
      folder,
    ),
    columns: {
      connector: await open({ ...settings, writeBack: columns, drafts: sampleDrafts }, folder),
      slot,
    },
    endless: {
      open: (timeoutMs) => open({ file, ...headerQuery(endlessQuery) }, folder, timeoutMs),
      refs: ['x'],
      isWorking: isSqliteWorking,
    },
    async stop() {
      close();
    },
  };
});

async function connectorOn(sql: string, settings: object) {
  const folder = await temporaryFolder();
  const file = path.join(folder, 'a.db');
  const database = new Database(file);
  database.exec(sql);
  database.close();
  return { connector: await open({ file, ...settings }, folder), file, folder };
}

test('a draft of which nothing tells whether somebody has gone on with it is not taken out', async () => {
  const columns = { doc_id: 'document_id', inv_no: 'number' };
  const { connector, file } = await connectorOn(
    'CREATE TABLE purchase (doc_id TEXT, inv_no TEXT)',
    {
      ...headerQuery('SELECT * FROM purchase WHERE doc_id = :ref'),
      drafts: { mode: 'insert', header: { table: 'purchase', columns } },
    },
  );
  expect((await connector.importDraft!(importCommand('rcv_1'), never)).kind).toBe('written');
  const undo = importCommand('rcv_1', { action: 'undo', idempotencyKey: 'rcv_1/imp_2' });
  const found = expect.stringContaining('nothing in the row of rcv_1 tells');
  expect(await connector.importDraft!(undo, never)).toEqual({ kind: 'conflict', found });
  await connector.close();
  const database = new Database(file);
  expect(database.prepare('SELECT count(*) AS count FROM purchase').get()).toEqual({ count: 1 });
  database.close();
});

describe('names and queries of SQLite', () => {
  async function onEmptyFile(
    work: (
      probe: SqlProbe,
      connect: (settings: object) => ReturnType<typeof open>,
    ) => Promise<void>,
  ): Promise<void> {
    const folder = await temporaryFolder();
    const file = path.join(folder, 'a.db');
    const { probe, close } = probeOf(file);
    try {
      await work(probe, (settings) => open({ file, ...settings }, folder));
    } finally {
      close();
    }
  }

  test('names that have to be quoted are names', () => onEmptyFile(expectHostileNames));

  test('invoices are found among documents of other kinds', () =>
    onEmptyFile((probe, connect) => expectDiscovered(probe, connect)));

  test('handwritten queries with typed keys are described, with samples', () =>
    onEmptyFile((probe, connect) =>
      expectTypedQueriesSampled(probe, connect, 'CAST(:ref AS INTEGER)'),
    ));
});

describe('values of SQLite as text', () => {
  const header = { table: 'doc', key: 'id', match: 'id' };

  test.each([
    ['9223372036854775807', '9223372036854775807'],
    ['0.1', '0.1'],
    ['1e21', '1000000000000000000000'],
    ['1.5e-7', '0.00000015'],
    ['100.0', '100'],
    ["'2026-01-31 10:00:00'", '2026-01-31 10:00:00'],
    ["'00123'", '00123'],
    ["''", ''],
    ['NULL', null],
  ])('%s is %s', async (literal, text) => {
    const sql = `CREATE TABLE doc (id TEXT, v); INSERT INTO doc VALUES ('1', ${literal})`;
    const { connector } = await connectorOn(sql, { sections: { header } });
    expect(await connector.read('1', never)).toMatchObject({
      document: { sections: { header: [{ values: { v: text } }] } },
    });
  });

  test('a binary column is refused by name where it is asked for, and left out elsewhere', async () => {
    const sql = `CREATE TABLE doc (id TEXT, scan BLOB); INSERT INTO doc VALUES ('1', x'00ff')`;
    const { connector } = await connectorOn(sql, { sections: { header } });
    expect(await connector.read('1', never)).toMatchObject({ kind: 'found' });
    const asked = { header: { ...header, columns: ['id', 'scan'] } };
    const { connector: asking } = await connectorOn(sql, { sections: asked });
    const outcome = await asking.read('1', never);
    expect(outcome).toMatchObject({ kind: 'unusable', fault: { code: 'binary_value' } });
    expect(JSON.stringify(outcome)).toContain('\\"scan\\"');
  });

  test.each(['05', '5.0', ' 5', '+5', '5x'])('the ref %j is not the integer 5', async (ref) => {
    const sql = 'CREATE TABLE doc (id INTEGER PRIMARY KEY); INSERT INTO doc VALUES (5)';
    const { connector } = await connectorOn(sql, { sections: { header } });
    expect(await connector.read('5', never)).toMatchObject({ kind: 'found' });
    expect(await connector.read(ref, never)).toEqual({ kind: 'missing' });
  });
});

describe('limits and settings', () => {
  const manyRows = `CREATE TABLE doc (id TEXT);
    CREATE TABLE line (id INTEGER PRIMARY KEY, doc TEXT);
    INSERT INTO doc VALUES ('1'), ('2');
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50001)
    INSERT INTO line (doc) SELECT '1' FROM n`;

  test('a document over the row limit is unusable and does not affect the next one', async () => {
    const { connector } = await connectorOn(manyRows, {
      sections: {
        header: { table: 'doc', key: 'id', match: 'id' },
        lines: { table: 'line', key: 'id', match: 'doc' },
      },
    });
    const outcomes = await connector.readMany(['1', '2'], never);
    expect(outcomes[0]).toMatchObject({ kind: 'unusable', fault: { code: 'too_many_rows' } });
    expect(outcomes[1]).toMatchObject({ kind: 'found' });
  });

  test.each([
    ['a table', { table: 'nope', key: 'id', match: 'id' }, 'table_missing', '"nope"'],
    ['a column', { table: 'doc', key: 'id', match: 'no"pe' }, 'column_missing', '"no"pe"'],
  ])('%s that is not there is named', async (_name, header, code, named) => {
    const { connector } = await connectorOn(manyRows, { sections: { header } });
    const outcome = await connector.read('1', never);
    expect(outcome).toMatchObject({ kind: 'unreachable', fault: { code, retry: 'never' } });
    expect(outcome.kind === 'unreachable' && outcome.fault.message).toContain(named);
  });

  test('a handwritten query is bound, and cannot write', async () => {
    const read = await connectorOn(manyRows, {
      sections: {
        header: { table: 'doc', key: 'id', match: 'id' },
        lines: {
          query: 'SELECT id, doc FROM line WHERE doc = :ref LIMIT 3',
          key: 'id',
          matchFrom: 'id',
        },
      },
    });
    expect(await read.connector.readMany(['2', '1', "1' OR '1'='1"], never)).toMatchObject([
      { document: { sections: { lines: [] } } },
      { document: { sections: { lines: [{ key: '1', values: { doc: '1' } }, {}, {}] } } },
      { kind: 'missing' },
    ]);
    const query = `WITH x AS (SELECT 1) INSERT INTO doc SELECT :ref`;
    const write = await connectorOn(manyRows, { sections: { header: { query, key: 'id' } } });
    expect(await write.connector.read('9', never)).toMatchObject({ kind: 'unreachable' });
    const { probe, close } = probeOf(write.file);
    expect(await probe.rows(`SELECT * FROM doc WHERE id = '9'`)).toEqual([]);
    close();
  });

  test.each([
    ...writingQueries,
    'ATTACH DATABASE :ref AS other',
    'VACUUM INTO :ref',
    'PRAGMA query_only = :ref',
    'PRAGMA query_only = off -- :ref',
    `SELECT load_extension(:ref) AS k`,
    `SELECT writefile(:ref, 'x') AS k`,
  ])('the query %s does nothing', async (query) => {
    const { file, folder } = await connectorOn('CREATE TABLE kept (k TEXT)', {});
    const { probe, close } = probeOf(file);
    const other = path.join(folder, 'other.db');
    await expectReadOnly(probe, (settings) => open({ file, ...settings }, folder), query, other);
    expect(existsSync(other)).toBe(false);
    close();
  });

  test('a semicolon in a text is a character', async () => {
    const { connector } = await connectorOn(
      manyRows,
      headerQuery(`SELECT :ref AS k, ';' AS mark;`),
    );
    expect(await connector.read('9', never)).toMatchObject({
      document: { sections: { header: [{ values: { k: '9', mark: ';' } }] } },
    });
  });

  test.each([
    [{ header: { query: 'SELECT * FROM doc', key: 'id' } }],
    [{ lines: { table: 'line', key: 'id', match: 'doc' } }],
    [{ header: { table: 'doc', key: 'id', match: 'id', matchFrom: 'x' } }],
  ])('the sections %j are refused', (sections) => {
    expect(sqlite.settings.safeParse({ file: 'a.db', sections }).success).toBe(false);
  });

  test('without sections every table is described, the likeliest first', async () => {
    const { connector } = await connectorOn(
      'CREATE TABLE a_log (x TEXT); CREATE TABLE invoice (no TEXT, pdf BLOB); ' +
        `INSERT INTO invoice VALUES ('INV-1', NULL); ` +
        'CREATE VIEW inv_view AS SELECT no FROM invoice',
      {},
    );
    const outcome = await connector.describe(never);
    expect(outcome).toEqual({
      kind: 'described',
      columns: [
        { section: 'inv_view', origin: 'inv_view', column: 'no', type: 'TEXT', samples: ['INV-1'] },
        { section: 'invoice', origin: 'invoice', column: 'no', type: 'TEXT', samples: ['INV-1'] },
        { section: 'a_log', origin: 'a_log', column: 'x', type: 'TEXT', samples: [] },
      ],
    });
    expect(await connector.test(never)).toMatchObject({ kind: 'ok', sampleRefs: [] });
  });
});

describe('the database file', () => {
  const sections = { header: { table: 'doc', key: 'id', match: 'id' } };
  const sql = `CREATE TABLE doc (id TEXT); INSERT INTO doc VALUES ('1')`;

  test('outside the allowed folders is refused, also through a link', async () => {
    const { file } = await connectorOn(sql, { sections });
    const elsewhere = await temporaryFolder();
    const link = path.join(elsewhere, 'link.db');
    await symlink(file, link);
    for (const wanted of [file, link]) {
      const connector = await open({ file: wanted, sections }, elsewhere);
      expect(await connector.read('1', never)).toMatchObject({
        kind: 'unreachable',
        fault: { code: 'path_not_allowed', retry: 'never' },
      });
    }
  });

  test('that is a hard link is refused', async () => {
    const { file } = await connectorOn(sql, { sections });
    const folder = await temporaryFolder();
    await link(file, path.join(folder, 'a.db'));
    const connector = await open({ file: path.join(folder, 'a.db'), sections }, folder);
    expect(await connector.read('1', never)).toMatchObject({
      kind: 'unreachable',
      fault: { code: 'hard_link', retry: 'never' },
    });
  });

  test('is the allowed one, also while its folder becomes a link and back', async () => {
    const secret = await connectorOn(sql.replace("'1'", "'secret'"), { sections });
    const own = await connectorOn(sql, { sections });
    const root = await temporaryFolder();
    const place = path.join(root, 'erp');
    await mkdir(place);
    await copyFile(own.file, path.join(place, 'a.db'));
    const connector = await open({ file: path.join(place, 'a.db'), sections }, root);
    let isOver = false;
    const swapping = (async () => {
      while (!isOver) {
        await rename(place, `${place}-aside`);
        await symlink(secret.folder, place);
        await unlink(place);
        await rename(`${place}-aside`, place);
        // As often there as not.
        for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
      }
    })();
    const seen = new Set<string>();
    for (let count = 0; count < 400; count += 1) {
      const [found, stranger] = await connector.readMany(['1', 'secret'], never);
      seen.add(found!.kind);
      expect(stranger!.kind).not.toBe('found');
    }
    isOver = true;
    await swapping;
    expect(seen).toContain('found');
  });

  test('that is not a database gives a fault that says so', async () => {
    const folder = await temporaryFolder();
    const file = path.join(folder, 'a.db');
    await writeFile(file, 'this is not a database, however long it may be'.repeat(50));
    const connector = await open({ file, sections }, folder);
    expect(await connector.test(never)).toMatchObject({
      kind: 'failed',
      fault: { code: 'not_a_database', retry: 'never' },
    });
  });

  test('locked by another program is busy, not broken', async () => {
    const { connector, file } = await connectorOn(sql, { sections });
    const other = new Database(file);
    other.exec('BEGIN EXCLUSIVE');
    expect(await connector.read('1', never)).toMatchObject({
      kind: 'unreachable',
      fault: { code: 'busy', retry: 'later' },
    });
    other.close();
    expect(await connector.read('1', never)).toMatchObject({ kind: 'found' });
  });
});
