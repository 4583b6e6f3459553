import { frenchDocuments } from './french-documents.ts';
import { invoiceJournal } from './invoice-journal.ts';
import { italianAccess } from './italian-access.ts';
import type { Layout } from './layout.ts';
import { operationsAsInvoices } from './operations.ts';
import { qodbcExport } from './qodbc-export.ts';
import { typedDocuments } from './typed-documents.ts';

/** Of published systems and a home-made one, written apart from the proposals; first figures stand in docs/performance.md. */
export const unseenSystems: readonly Layout[] = [
  frenchDocuments,
  invoiceJournal,
  operationsAsInvoices,
  typedDocuments,
  qodbcExport,
  italianAccess,
];
