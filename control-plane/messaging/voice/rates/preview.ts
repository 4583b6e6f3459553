/** A look at a file of rates before it is imported: what would be added, and what is wrong. Nothing is written. */
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Db } from '../../../platform/db/database.ts';
import { type Problem, problemKinds, type ShownRow } from '../../file-problems.ts';
import type { RateLine } from './csv.ts';
import { findIdenticalRates, findTakenBegins, type RateRow } from './store.ts';

const firstShown = 20;
const faultyShown = 100;
const cellShown = 200;

interface LookedAt extends ShownRow {
  /** Undefined where the line has problems by itself. */
  readonly rate: RateRow | undefined;
}

/** Compares a file with itself and with the rates that are there. `now`: when rates without one begin. */
export async function previewRates(
  db: Db,
  scope: TenantScope,
  lines: AsyncIterable<RateLine>,
  now: Date,
) {
  const looked: LookedAt[] = [];
  let columns: readonly string[] = [];
  let faulty = 0;
  for await (const { columns: names, line, cells, read } of lines) {
    const problems = 'problems' in read ? read.problems : [];
    if (problems.length > 0) faulty += 1;
    // A valid line is short; of the others no more is kept than can be shown.
    const isKept = problems.length === 0 || faulty <= faultyShown || looked.length < firstShown;
    const kept = isKept ? cells.map((cell) => cell.slice(0, cellShown)) : [];
    looked.push({ line, cells: kept, problems, rate: 'row' in read ? read.row : undefined });
    columns = names;
  }
  const { said, taken } = await compare(db, scope, looked, now);
  const rows = looked.map(({ rate, ...row }): ShownRow => {
    const isOther = rate !== undefined && taken.get(rate.id)?.isSame === false;
    return isOther ? { ...row, problems: [beginTaken(rate)] } : row;
  });
  const unchanged = looked.filter(
    ({ rate }) => rate !== undefined && (said.has(rate.id) || taken.get(rate.id)?.isSame === true),
  ).length;
  return { columns, ...summary(rows, unchanged) };
}

async function compare(db: Db, scope: TenantScope, looked: readonly LookedAt[], now: Date) {
  const rates = looked.flatMap(({ rate }) => rate ?? []);
  const fromNow = rates.filter(({ valid_from }) => valid_from === now);
  return db.tenant(scope.tenantId, async (tx) => ({
    said: await findIdenticalRates(tx, scope, fromNow, now),
    taken: await findTakenBegins(tx, scope, rates),
  }));
}

function beginTaken({ prefix }: RateRow): Problem {
  const problem = `is that of another rate of ${prefix} that is there; let this one begin later`;
  return { field: 'valid_from', problem };
}

function summary(rows: readonly ShownRow[], unchanged: number) {
  const kinds = problemKinds();
  const shown: ShownRow[] = [];
  let faulty = 0;
  for (const [at, row] of rows.entries()) {
    for (const problem of row.problems) kinds.count(problem, row.line);
    if (row.problems.length > 0) faulty += 1;
    const isShown = at < firstShown || (row.problems.length > 0 && faulty <= faultyShown);
    if (isShown) shown.push(row);
  }
  const counts = {
    rows: rows.length,
    created: rows.length - unchanged - faulty,
    unchanged,
    problems: faulty,
  };
  return { rows: shown, counts, problems: kinds.shown() };
}
