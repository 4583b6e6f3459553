import Database from 'better-sqlite3';
import { documents, erpDate } from '../demo/erp-documents.ts';
import { companies, customers, type Row, schema, taxes } from '../demo/erp-schema.ts';
import { agentSections } from '../demo/mappings.ts';

/** Settings of a sqlite connector that reads such an ERP; confirmations go to a side table. */
export function erpSettings(
  file: string,
  { mode = 'side-table' }: { readonly mode?: 'side-table' | 'none' } = {},
): Readonly<Record<string, unknown>> {
  return { file, sections: agentSections, writeBack: { mode } };
}

/** Makes an ERP with `count` sales documents of ten lines each; returns their references. */
export function createErp(
  path: string,
  count: number,
  now: Date,
  linesPerDocument = 10,
): readonly string[] {
  const [sample] = documents(erpDate(now), '120000');
  const lines = Array.from(
    { length: linesPerDocument },
    (_, at) => sample!.lines[at % sample!.lines.length]!,
  );
  const refs = Array.from({ length: count }, (_, at) => `AE-${String(at + 1).padStart(6, '0')}`);
  const db = new Database(path);
  try {
    db.pragma('journal_mode = wal');
    db.exec(schema);
    db.transaction(() => {
      for (const row of companies) insert(db, 'OCOMP', row);
      for (const row of customers) insert(db, 'OCUST', row);
      for (const row of taxes) insert(db, 'OTAX', row);
      for (const [index, ref] of refs.entries()) {
        const id = index + 1;
        insert(db, 'OSALES', { DOC_ID: id, ...sample!.header, DOC_NO: ref });
        for (const [at, line] of lines.entries()) {
          insert(db, 'OLINES', { DOC_ID: id, LINE_NO: at + 1, ...line });
        }
      }
    })();
  } finally {
    db.close();
  }
  return refs;
}

function insert(db: Database.Database, table: string, row: Row): void {
  const columns = Object.keys(row);
  const places = columns.map(() => '?').join(', ');
  db.prepare(`insert into ${table} (${columns.join(', ')}) values (${places})`).run(
    ...Object.values(row),
  );
}
