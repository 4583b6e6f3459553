import { tmpdir } from 'node:os';
import { mysql as mariadb } from '@drawbridge/connectors/mysql/connector.ts';
import mysql from 'mysql2/promise';
import { mariadbUnavailable, startMariadb } from '../../../test/kit/mariadb.ts';
import { context, type LargeDatabase, readOnly } from './large-database.ts';
import { type LaidOutTable, largeTables, mostRead, statementsOf, type TableSql } from './tables.ts';

const sql: TableSql = {
  types: {
    integer: 'bigint',
    wholeDecimal: 'decimal(12, 0)',
    amount: 'decimal(15, 2)',
    text: 'varchar(80)',
    day: 'date',
  },
  day: (days) => `date '2020-01-01' + interval (${days}) day`,
  insert: (table, select, count) =>
    `insert into ${table} select ${select} from (select cast(seq as signed) as n from seq_0_to_${count - 1}) as s`,
};

const serverOptions = [
  '--innodb-buffer-pool-size=512M',
  '--innodb-doublewrite=0',
  // Counts the rows that are read of each table.
  '--userstat=1',
];

/** MariaDB, whose statistics say how many rows were read of each table. */
export async function openMariadb(tables: readonly LaidOutTable[]): Promise<LargeDatabase> {
  const missing = mariadbUnavailable();
  if (missing !== undefined) throw new Error(missing);
  const { url, stop: stopServer } = await startMariadb({
    options: serverOptions,
    folder: tmpdir(),
  });
  const client = await mysql.createConnection({ uri: url });
  await client.query(`set sql_mode = concat(@@sql_mode, ',PIPES_AS_CONCAT')`);
  for (const table of tables) {
    for (const statement of statementsOf(table, sql)) await client.query(statement);
  }
  for (const { name } of largeTables(tables)) await client.query(`analyze table ${name}`);
  await client.query(forget);
  return {
    title: 'MariaDB',
    open: (sections) =>
      mariadb.open(mariadb.settings.parse({ url, sections, ...readOnly }), context),
    async readSince() {
      const [rows] = await client.query<mysql.RowDataPacket[]>(rowsReadOfTables);
      await client.query(forget);
      return mostRead(tables, new Map(rows.map(({ name, rowsRead }) => [name, Number(rowsRead)])));
    },
    async stop() {
      await client.end();
      await stopServer();
    },
  };
}

const forget = 'flush table_statistics';
const rowsReadOfTables = `
  select table_name as name, rows_read as rowsRead from information_schema.table_statistics
  where table_schema = database()`;
