import { createHash } from 'node:crypto';
import type { SampleErp } from './erp-folder.ts';

/**
 * The same ERP with the columns of each table in another order: where several say as much, what is proposed may not
 * hang on which comes first. The same seed gives the same order.
 */
export function withShuffledColumns(erp: SampleErp, seed: number): SampleErp {
  const places = new Map(
    erp.tables.map(({ table, columns }) => {
      const keyOf = (column: string) =>
        createHash('sha256').update(`${seed} ${table} ${column}`).digest('hex');
      const keyed = columns.map(({ column }, at) => ({ at, key: keyOf(column) }));
      keyed.sort((one, other) => (one.key < other.key ? -1 : 1));
      return [table, keyed.map(({ at }) => at)] as const;
    }),
  );
  return {
    ...erp,
    tables: erp.tables.map((table) => ({
      ...table,
      columns: places.get(table.table)!.map((at) => table.columns[at]!),
    })),
    rows: (table) => erp.rows(table).map((row) => places.get(table)!.map((at) => row[at] ?? null)),
  };
}
