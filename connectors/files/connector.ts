import type { ConnectorKind } from '../contract.ts';
import { type FilesSettings, filesSettings } from './settings.ts';

/** Folders of CSV, JSON, XML and XLSX files. */
export const files: ConnectorKind<FilesSettings> = {
  kind: 'files',
  pattern: 'file',
  title: 'Folder of CSV, JSON, XML or XLSX files',
  settings: filesSettings,
  async open(settings, context) {
    // Imported here: what it needs is large, and most hosts use one kind.
    const { FilesConnector } = await import('./source.ts');
    return new FilesConnector(settings, context);
  },
};
