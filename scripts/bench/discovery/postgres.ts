import { setTimeout as wait } from 'node:timers/promises';
import { postgres } from '@drawbridge/connectors/postgres/connector.ts';
import pg from 'pg';
import { sqlAt, startPostgres } from '../../../test/kit/postgres.ts';
import { context, type LargeDatabase, readOnly } from './large-database.ts';
import { type LaidOutTable, mostRead, statementsOf, type TableSql } from './tables.ts';

const sql: TableSql = {
  types: {
    integer: 'bigint',
    wholeDecimal: 'numeric(12, 0)',
    amount: 'numeric(15, 2)',
    text: 'text',
    day: 'date',
  },
  day: (days) => `date '2020-01-01' + (${days})::integer`,
  insert: (table, select, count) =>
    `insert into ${table} select ${select} from generate_series(0::bigint, ${count - 1}) as s(n)`,
};

/** PostgreSQL, whose statistics say how many rows and index entries were read of each table. */
export async function openPostgres(tables: readonly LaidOutTable[]): Promise<LargeDatabase> {
  const { url, stop } = await startPostgres();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const table of tables) {
    for (const statement of statementsOf(table, sql)) await client.query(statement);
  }
  await client.query('analyze');
  await client.end();
  let before = await rowsRead(url);
  return {
    title: 'PostgreSQL',
    open: (sections) =>
      postgres.open(postgres.settings.parse({ url, sections, ...readOnly }), context),
    async readSince() {
      await sessionsEnded(url);
      const now = await rowsRead(url);
      const since = [...now].map(([table, read]) => [table, read - before.get(table)!] as const);
      before = now;
      return mostRead(tables, new Map(since));
    },
    stop,
  };
}

async function rowsRead(url: string): Promise<ReadonlyMap<string, number>> {
  const rows = await sqlAt<{ table: string; read: string }>(
    url,
    `select t.relname as table, t.seq_tup_read + coalesce(sum(i.idx_tup_read), 0) as read
     from pg_stat_user_tables t left join pg_stat_user_indexes i using (relid)
     group by t.relid, t.relname, t.seq_tup_read`,
  );
  return new Map(rows.map(({ table, read }) => [table, Number(read)]));
}

const lookMs = 50;

/** A session counts what it read at its end at the latest. */
async function sessionsEnded(url: string): Promise<void> {
  const open = `select from pg_stat_activity where application_name = 'drawbridge'`;
  while ((await sqlAt(url, open)).length > 0) await wait(lookMs);
}
