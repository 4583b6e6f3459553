/** Stores the rows of a file as pieces for the importer, while the next ones are read. */
import type { OpenFile } from './file-reader.ts';
import { refused } from './file-reader.ts';
import type { ImportContext } from './importer.ts';
import { type Piece, pieceCollector } from './piece.ts';
import { type ReadOptions, rowReader } from './read.ts';
import { countRows, insertPiece, insertProblems, type RowProblems } from './store.ts';

export const rowsMax = 1_000_000;

/** The import that rows are stored for. */
export interface StoredImport {
  readonly tenantId: string;
  readonly id: string;
  /** Of the job that reads it; once another job has claimed it, nothing more is stored. */
  readonly claimId?: string;
}

/** What is stored in one transaction. */
interface Batch {
  readonly pieces: readonly Piece[];
  readonly problems: readonly RowProblems[];
  readonly rows: number;
}

/** Returns the partitions that have pieces. */
export async function storeRows(
  { db }: Pick<ImportContext, 'db'>,
  { tenantId, id, claimId }: StoredImport,
  file: OpenFile,
  options: ReadOptions,
): Promise<number[]> {
  const partitions = new Set<number>();
  let count = 0;
  const put = ({ pieces, problems, rows }: Batch) =>
    db.tenant(tenantId, async (tx) => {
      const added = { rows, created: 0, updated: 0, failed: problems.length };
      if (!(await countRows(tx, tenantId, id, added, claimId))) {
        throw new Error('another job reads this import');
      }
      for (const piece of pieces) {
        count += 1;
        partitions.add(piece.partition);
        await insertPiece(tx, tenantId, id, piece, count);
      }
      await insertProblems(tx, tenantId, id, problems);
    });
  let putting = Promise.resolve();
  try {
    for await (const batch of batches(file, options)) {
      await putting;
      putting = put(batch);
      putting.catch(() => {}); // the error is thrown where it is awaited
    }
    await putting;
  } finally {
    await putting.catch(() => {}); // nothing may be written after the import is deleted
  }
  return [...partitions];
}

/** The file in batches: full pieces and problems, and at the end the pieces that are not full. */
async function* batches(file: OpenFile, options: ReadOptions): AsyncGenerator<Batch> {
  const read = rowReader(file.columns, options);
  const collected = pieceCollector();
  let [total, rows] = [0, 0];
  for await (const records of file.records) {
    total += records.length;
    rows += records.length;
    if (total > rowsMax) throw refused(`it has more than ${rowsMax} rows`);
    const problems: RowProblems[] = [];
    const pieces: Piece[] = [];
    for (const record of records) {
      const found = read(record);
      if (found.kind === 'faulty') {
        problems.push(found.faulty);
        continue;
      }
      const full = collected.add(found.row);
      if (full !== undefined) pieces.push(full);
    }
    if (pieces.length === 0 && problems.length === 0) continue;
    yield { pieces, problems, rows };
    rows = 0;
  }
  yield { pieces: collected.flush(), problems: [], rows };
}
