import { frenchDocuments } from './french-documents.ts';
import { invoiceJournal } from './invoice-journal.ts';
import { italianAccess } from './italian-access.ts';
import type { Layout } from './layout.ts';
import { operationsAsInvoices } from './operations.ts';
import { qodbcExport } from './qodbc-export.ts';
import { typedDocuments } from './typed-documents.ts';

/** Of published systems and a home-made one; not looked at while the proposals were tuned. */
export const unseenSystems: readonly Layout[] = [
  frenchDocuments,
  invoiceJournal,
  operationsAsInvoices,
  typedDocuments,
  qodbcExport,
  italianAccess,
];
