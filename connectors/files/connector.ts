import type { ConnectorKind } from '../contract.ts';
import { contentLayout } from '../file-content/settings.ts';
import { type FilesSettings, filesSettings } from './settings.ts';

/** Folders of CSV, JSON, XML, XLSX and PDF files. */
export const files: ConnectorKind<FilesSettings> = {
  kind: 'files',
  pattern: 'file',
  title: 'Folder of CSV, XLSX, JSON, XML or PDF files',
  settings: filesSettings,
  layout: contentLayout,
  mayTakeInvalid: true,
  address: { kind: 'folder', example: './invoices' },
  places: ({ folder }) => [{ kind: 'path', member: 'folder', path: folder }],
  async open(settings, context) {
    // Imported here: what it needs is large, and most hosts use one kind.
    const { FilesConnector } = await import('./source.ts');
    return new FilesConnector(settings, context);
  },
};
