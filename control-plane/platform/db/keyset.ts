/**
 * Which rows of a list are read. The list is cut behind the row with `key`, so that added and deleted
 * rows shift nothing; the row itself may be gone.
 */
export interface KeysetRange {
  /** Null: the list is not cut. */
  readonly key: string | null;
  /** Whether it is read towards its first row, up to the cut, in place of what is behind the cut. */
  readonly isBackward: boolean;
  /** How many rows are read at most. */
  readonly rowsMax: number;
}

/** The first rows of a list. */
export function firstRows(rowsMax: number): KeysetRange {
  return { key: null, isBackward: false, rowsMax };
}

/** The same, and what a statement says to read it. */
export interface KeysetReading extends KeysetRange {
  /** The condition on the column of the key; `place` is where the statement has the value of `key`. */
  readonly where: (column: string, place: `$${number}`) => string;
  /** The comparison of that condition, for keys of several columns. */
  readonly comparison: '<' | '<=' | '>' | '>=';
  readonly order: 'asc' | 'desc';
}

/**
 * How a list is read whose keys fall. Rows that are read backward come the other way round; `pageOf`
 * turns them.
 *
 * ```ts
 * const { key, where, order, rowsMax } = newestFirst(page);
 * return tx.rows(
 *   `select * from recording where tenant_id = $1 and ${where('id', '$2')}
 *    order by id ${order} limit $3`,
 *   [tenantId, key, rowsMax],
 * );
 * ```
 */
export function newestFirst(range: KeysetRange): KeysetReading {
  return range.isBackward ? reading(range, '>=', 'asc') : reading(range, '<', 'desc');
}

/** The same of a list whose keys rise. */
export function oldestFirst(range: KeysetRange): KeysetReading {
  return range.isBackward ? reading(range, '<=', 'desc') : reading(range, '>', 'asc');
}

function reading(
  range: KeysetRange,
  comparison: KeysetReading['comparison'],
  order: KeysetReading['order'],
): KeysetReading {
  // One condition for all pages, "is null or", could not use the index in a generic plan.
  const where: KeysetReading['where'] = (column, place) =>
    range.key === null ? `${place}::text is null` : `${column} ${comparison} ${place}`;
  return { ...range, where, comparison, order };
}
