import Database from 'better-sqlite3';
import { documents, erpDate, type SampleDocument } from './erp-documents.ts';
import { companies, customers, type Row, schema, taxes } from './erp-schema.ts';

/** Makes the sample ERP database; returns its documents. */
export function createErp(path: string, now: Date): readonly SampleDocument[] {
  const made = documents(erpDate(now), now.toISOString().slice(11, 19).replaceAll(':', ''));
  const db = new Database(path);
  try {
    db.pragma('journal_mode = wal');
    db.exec(schema);
    db.transaction(() => {
      insert(db, 'OCOMP', companies);
      insert(db, 'OCUST', customers);
      insert(db, 'OTAX', taxes);
      for (const [index, { header, lines }] of made.entries()) {
        insert(db, 'OSALES', [{ DOC_ID: index + 1, ...header }]);
        insert(
          db,
          'OLINES',
          lines.map((line, at) => ({ DOC_ID: index + 1, LINE_NO: (at + 1) * 10, ...line })),
        );
      }
    })();
  } finally {
    db.close();
  }
  return made;
}

/** The confirmations that are in the ERP now. */
export function readConfirmations(path: string): Row[] {
  const db = new Database(path, { readonly: true });
  try {
    const table = db
      .prepare("select name from sqlite_master where name = 'einv_status_sandbox'")
      .get();
    if (table === undefined) return [];
    return db
      .prepare(
        `select source_ref, status, profile, uin, settled_at, invoice_id
         from einv_status_sandbox order by source_ref`,
      )
      .all() as Row[];
  } finally {
    db.close();
  }
}

function insert(db: Database.Database, table: string, rows: readonly Row[]): void {
  for (const row of rows) {
    const columns = Object.keys(row);
    db.prepare(
      `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
    ).run(...Object.values(row));
  }
}

/**
 * Copies identifiers of confirmations into the ERP's own documents, as a nightly job of an ERP
 * does.
 */
export function keepUins(path: string): void {
  const db = new Database(path);
  try {
    db.exec(`update OSALES set EINV_UIN =
      (select uin from einv_status_sandbox where source_ref = DOC_NO)`);
  } finally {
    db.close();
  }
}
