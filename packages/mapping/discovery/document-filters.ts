import {
  byPlainName,
  columnFacts,
  type FoundDatabase,
  type FoundTable,
  type Reference,
} from './database.ts';
import { correctionFilter } from './document-filters/by-correction.ts';
import { keyFilter, namedKindsFilter, typeFilter } from './document-filters/by-kind.ts';
import { numberingFilter, seriesFilter, unnumberedFilter } from './document-filters/by-number.ts';
import { deletedFilter, followedFilter, stateFilter } from './document-filters/by-state.ts';
import { type DocumentFilter, keptBy } from './document-filters/document-filter.ts';
import { subjectOf } from './references.ts';

/** What a header has to be filtered by, so that only invoices are read. */
export function documentFilters(
  header: FoundTable,
  lines: FoundTable,
  reference: Reference | undefined,
  database: FoundDatabase,
): readonly DocumentFilter[] {
  const ofTypes = header.columns.flatMap(({ name }) => {
    const isInKey = reference?.toColumns.slice(1).includes(name) === true;
    const filter = isInKey
      ? keyFilter(header, lines, reference!, name, database)
      : typeFilter(header, name, database);
    return filter ?? [];
  });
  const filters = withoutEqual(header, ofTypes);
  const numbered = header.columns
    .flatMap(({ name }) => numberingFilter(header, name, filters) ?? [])
    .sort(
      (one, other) =>
        isOfKey(header, other) - isOfKey(header, one) ||
        byPlainName(header, one.column, other.column),
    );
  filters.push(...numbered.slice(0, 1));
  if (filters.length === 0) {
    const others = header.columns.flatMap(
      ({ name }) => namedKindsFilter(header, name, database) ?? seriesFilter(header, name) ?? [],
    );
    filters.push(...others.slice(0, 1));
  }
  const ofCustomers = partyFilter(header, database);
  if (ofCustomers !== undefined && !filters.some(({ column }) => column === ofCustomers.column)) {
    filters.push(ofCustomers);
  }
  const correction = correctionFilter(keptBy(header, filters));
  if (correction !== undefined) filters.push(correction);
  // A state is looked for among documents of the kind that is wanted: others have others.
  const ofKind = keptBy(header, filters);
  for (const { name } of header.columns) {
    const filter = filters.some(({ column }) => column === name)
      ? undefined
      : (stateFilter(ofKind, name, database) ??
        followedFilter(ofKind, name, lines, database) ??
        deletedFilter(keptBy(header, filters), name));
    if (filter !== undefined) filters.push(filter);
  }
  // Whether a document was printed says nothing more where its state is known.
  const ofState = keptBy(header, filters);
  const unnumbered = header.columns.flatMap(({ name }) => unnumberedFilter(ofState, name) ?? []);
  return [...filters, ...unnumbered.slice(0, 1)];
}

function isOfKey({ primaryKey }: FoundTable, { column }: DocumentFilter): number {
  return Number(primaryKey.includes(column));
}

/** Without those that leave the rows that another one leaves: of these, the column that is called a kind and no more. */
function withoutEqual(header: FoundTable, filters: readonly DocumentFilter[]): DocumentFilter[] {
  const plainest = filters.toSorted((one, other) => byPlainName(header, one.column, other.column));
  const byRows = new Map<string, DocumentFilter>();
  for (const filter of plainest) {
    const rows = header.sample.map((row) => Number(row[filter.column] === filter.value)).join('');
    if (!byRows.has(rows)) byRows.set(rows, filter);
  }
  return filters.filter((filter) => [...byRows.values()].includes(filter));
}

/** `owner_type = 2` where the owners of those documents are customers, and those of others are not. */
function partyFilter(
  header: FoundTable,
  { references }: FoundDatabase,
): DocumentFilter | undefined {
  for (const { table, to, where = {} } of references) {
    const [column, value] = Object.entries(where)[0] ?? [];
    if (table !== header.name || column === undefined || value === undefined) continue;
    const isOfCustomers = subjectOf(to).has('buyer') && columnFacts(header, column).values.size > 1;
    if (isOfCustomers) return { column, value };
  }
  return undefined;
}
