import {
  type ColumnDescription,
  type Connector,
  type ConnectorContext,
  type ConnectorKind,
  limits,
  type ReadOutcome,
} from '../contract.ts';
import { abortFault, untilAborted, withTimeLimit } from '../fault.ts';
import { samplesOf } from '../samples.ts';
import { type FileRef, fileDocuments, parseFileRef, pickDocument } from './documents.ts';
import { isDocumentName, listFiles, type OpenFolder, openFolder, readWithin } from './folder.ts';
import { listPage, refsOf } from './list.ts';
import { type FilesSettings, filesSettings } from './settings.ts';
import { writeStatus } from './status.ts';

/** How many files are read for samples, the newest first. */
const filesLooked = 5;

/** Folders of CSV and JSON files. */
export const files: ConnectorKind<FilesSettings> = {
  kind: 'files',
  pattern: 'file',
  title: 'Folder of CSV or JSON files',
  settings: filesSettings,
  async open(settings, context) {
    return openFiles(settings, context);
  },
};

type Failure = Extract<ReadOutcome, { kind: 'unreachable' }>;

function openFiles(settings: FilesSettings, context: ConnectorContext): Connector {
  const inFolder = async <T>(
    work: (folder: OpenFolder, signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T | Failure> => {
    const opened = await openFolder(settings.folder, context);
    if (opened.kind === 'unreachable') return opened;
    try {
      return await work(opened.folder, signal);
    } finally {
      await opened.folder.close();
    }
  };
  const within = async <T>(
    signal: AbortSignal,
    work: (folder: OpenFolder, signal: AbortSignal) => Promise<T>,
  ): Promise<T | Failure> => {
    const limited = withTimeLimit(signal, context.timeoutMs);
    const gaveUp = () => aborted(settings, limited, context);
    if (limited.aborted) return gaveUp();
    // A share that is gone answers nothing at all, not even that.
    return untilAborted(inFolder(work, limited), limited, gaveUp);
  };
  const readMany = async (refs: readonly string[], signal: AbortSignal) => {
    const outcomes = await within(signal, (folder, limited) =>
      readRefs(folder, refs, settings, limited),
    );
    return 'kind' in outcomes ? refs.map(() => outcomes) : outcomes;
  };
  return {
    readMany,
    async read(ref, signal) {
      const [outcome] = await readMany([ref], signal);
      return outcome ?? { kind: 'missing' };
    },
    async test(signal) {
      const outcome = await within(signal, (folder, limited) =>
        testFolder(folder, settings, limited),
      );
      return outcome.kind === 'unreachable' ? { kind: 'failed', fault: outcome.fault } : outcome;
    },
    describe: (signal) =>
      within(signal, (folder, limited) => describeFolder(folder, settings, limited)),
    list: (cursor, signal) =>
      within(signal, async (folder, limited) => {
        const listed = await listFiles(folder, settings.subfolders, limited);
        if (listed.kind === 'unreachable') return listed;
        return listPage(folder, listed.files, settings, cursor, context.clock(), limited);
      }),
    async writeBack(command, signal) {
      if (settings.writeBack.mode === 'none') return { kind: 'unsupported' };
      return within(signal, (folder) => writeStatus(folder, command));
    },
    async close() {
      // Nothing stays open between calls.
    },
  };
}

function aborted(
  { folder }: FilesSettings,
  signal: AbortSignal,
  { timeoutMs }: Pick<ConnectorContext, 'timeoutMs'>,
): Failure {
  return { kind: 'unreachable', fault: abortFault(signal, folder, timeoutMs) };
}

/** Reads each file once, however many of its documents are wanted. */
async function readRefs(
  folder: OpenFolder,
  refs: readonly string[],
  settings: FilesSettings,
  signal: AbortSignal,
): Promise<readonly ReadOutcome[]> {
  const outcomes = new Map<string, ReadOutcome>();
  const byFile = Map.groupBy(refs.map(toFileRef), ({ file }) => file.name);
  for (const [name, wanted] of byFile) {
    const picked = await readFile(folder, name, settings, signal);
    for (const { ref, file } of wanted) outcomes.set(ref, picked(file));
  }
  return refs.map((ref) => outcomes.get(ref) ?? { kind: 'missing' });
}

function toFileRef(ref: string) {
  return { ref, file: ref.length > limits.refLengthMax ? { name: '' } : parseFileRef(ref) };
}

async function readFile(
  folder: OpenFolder,
  name: string,
  settings: FilesSettings,
  signal: AbortSignal,
): Promise<(ref: FileRef) => ReadOutcome> {
  if (!isDocumentName(name, settings.subfolders)) return () => ({ kind: 'missing' });
  // The caller was answered; the rest of the work is for nobody.
  if (signal.aborted) return () => ({ kind: 'missing' });
  const read = await readWithin(folder, name);
  if (read.kind !== 'bytes') return () => read;
  const parsed = fileDocuments(name, read.bytes, settings);
  if (parsed.kind === 'unusable') return () => parsed;
  return (ref) => {
    const outcome = pickDocument(ref, parsed.documents);
    if (outcome.kind !== 'found') return outcome;
    const asked = ref.document === undefined ? ref.name : `${ref.name}#${ref.document}`;
    return { kind: 'found', document: { ...outcome.document, ref: asked } };
  };
}

async function testFolder(folder: OpenFolder, settings: FilesSettings, signal: AbortSignal) {
  const listed = await listFiles(folder, settings.subfolders, signal);
  if (listed.kind === 'unreachable') return listed;
  const refs: string[] = [];
  for (const file of listed.files.toReversed().slice(0, filesLooked)) {
    refs.push(...(await refsOf(folder, file.name, settings)));
  }
  const detail = `${settings.folder}: ${listed.files.length} files.`;
  return { kind: 'ok', detail, sampleRefs: refs.slice(0, filesLooked) } as const;
}

async function describeFolder(folder: OpenFolder, settings: FilesSettings, signal: AbortSignal) {
  const listed = await listFiles(folder, settings.subfolders, signal);
  if (listed.kind === 'unreachable') return listed;
  const values = new Map<string, { column: ColumnDescription; seen: (string | null)[] }>();
  for (const file of listed.files.toReversed().slice(0, filesLooked)) {
    const read = await readWithin(folder, file.name);
    const parsed = read.kind === 'bytes' ? fileDocuments(file.name, read.bytes, settings) : read;
    if (parsed.kind !== 'documents') continue;
    for (const { sections } of parsed.documents.slice(0, filesLooked)) {
      for (const [section, rows] of Object.entries(sections)) {
        for (const row of rows.slice(0, filesLooked)) {
          for (const [column, value] of Object.entries(row.values)) {
            const id = JSON.stringify([section, column]);
            const blank = { section, origin: row.origin, column, type: 'text', samples: [] };
            const entry = values.get(id) ?? { column: blank, seen: [] };
            entry.seen.push(value);
            values.set(id, entry);
          }
        }
      }
    }
  }
  const columns = [...values.values()].map(({ column, seen }) => ({
    ...column,
    samples: samplesOf(seen),
  }));
  return { kind: 'described', columns } as const;
}
