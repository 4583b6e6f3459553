import { columnFacts, type FoundTable } from '@drawbridge/mapping/discovery/database.ts';
import { type FoundPlace, limits } from './contract.ts';

/** The tables of a source, as people know them. */
export function placesOf(tables: readonly FoundTable[]): readonly FoundPlace[] {
  return tables.slice(0, limits.placesMax).map((table) => ({
    name: table.name,
    ...(table.rows === undefined ? {} : { rows: table.rows }),
    columns: table.columns.length,
    key: table.primaryKey,
    dates: datesOf(table),
  }));
}

/** Dates in another order than that of the calendar do not compare: they are left out, as are days that there are not. */
function dayOf(value: string): string | undefined {
  const day = /^\d{4}-\d{2}-\d{2}/.exec(value)?.[0];
  const read = new Date(`${day}T00:00:00Z`);
  const isDay = !Number.isNaN(read.getTime()) && read.toISOString().startsWith(`${day}T`);
  return isDay ? day : undefined;
}

/** Longer names are none that somebody knows a column by. */
const columnLengthMax = 256;

function datesOf(table: FoundTable): FoundPlace['dates'] {
  return table.columns
    .filter(({ name }) => name.length <= columnLengthMax)
    .flatMap(({ name }) => {
      const { kind, values } = columnFacts(table, name);
      const dates = kind === 'date' ? [...values].flatMap((value) => dayOf(value) ?? []) : [];
      const latest = dates.toSorted().at(-1);
      return latest === undefined ? [] : [{ column: name, latest }];
    })
    .slice(0, limits.dateColumnsMax);
}
