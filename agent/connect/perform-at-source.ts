import { open, readdir, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, resolve } from 'node:path';
import { isWithin, realRoots } from '@drawbridge/connectors/allowed-path.ts';
import type { Connector } from '@drawbridge/connectors/contract.ts';
import { kindOfFile } from '@drawbridge/connectors/file-content/settings.ts';
import { showDocuments } from '@drawbridge/mapping/discovery/shown-document.ts';
import type { ConfiguredConnector } from '../store/connectors.ts';
import { type Home, openAddedConnectors, openConnectors } from '../store/home.ts';
import { exclusively } from '../store/lock.ts';
import { createConfiguredSources } from '../sync/configured-sources.ts';
import { askOnce } from '../sync/single-call.ts';
import type { Used } from '../sync/sources.ts';
import { addressFormOf, sourceKinds } from './address.ts';
import { say } from './texts.ts';
import {
  discovered,
  type FoundDocuments,
  type FoundKept,
  type FoundPath,
  type FoundRows,
  type FoundSource,
  type FoundTables,
  type KeptName,
  type Performers,
  type Source,
} from './work.ts';
import type { WorkContext } from './work-context.ts';

/** What is done at a source; its fault is a finding too. */
export const performersAtSource: Performers<
  'path' | 'source' | 'tables' | 'rows' | 'documents' | 'kept'
> = {
  path: (context, { path }) => lookAt(context, path),
  source: (context, { source, header }) => findInvoices(context, source, header),
  tables: (context, { source }) => listTables(context, source),
  rows: (context, { source }) => readRows(context, source),
  documents: (context, { source }) => readDocuments(context, source),
  kept: (context, { source, name }) => keep(context, source, name),
};

/** Files that are a source by themselves, as they begin. */
const fileMarks = sourceKinds.flatMap(({ kind, address }) =>
  address.kind === 'file' ? [{ connector: kind, mark: address.mark }] : [],
);
const longestMark = Math.max(...fileMarks.map(({ mark }) => mark.length));
/** What reads the files of a folder. */
const folderConnector = sourceKinds.find(({ address }) => address.kind === 'folder')!.kind;

async function lookAt({ settings }: WorkContext, wanted: string): Promise<FoundPath> {
  // No shell reads what was typed as an answer.
  const path = resolve(wanted.replace(/^~(?=$|[\\/])/, homedir()));
  let real: string;
  try {
    real = await realpath(path);
  } catch {
    return { kind: 'missing', path }; // or in a folder that this user may not enter
  }
  const found = await stat(real);
  const isFolder = found.isDirectory();
  if (!isFolder && !found.isFile()) return { kind: 'other', path };
  const begin = isFolder ? '' : await beginOf(real);
  if (begin === undefined) return { kind: 'unreadable', path };
  if (!isFolder && begin === '') return { kind: 'empty', path };
  const whole = fileMarks.find(({ mark }) => !isFolder && begin.startsWith(mark));
  // Only what may be an invoice leads to its folder: who names another file does not mean what is beside it.
  if (!isFolder && whole === undefined && kindOfFile(real) === undefined) {
    return { kind: 'other', path };
  }
  const folder = isFolder ? real : dirname(real);
  const roots = await realRoots(settings.fileRoots);
  const files = isFolder || whole !== undefined ? 1 : await filesLike(real);
  return {
    ...(whole === undefined
      ? { kind: 'folder', connector: folderConnector, path: folder }
      : { kind: 'file', connector: whole.connector, path: real }),
    ...(!roots.some((root) => isWithin(root, folder)) && { folder }),
    ...(files > 1 && { beside: { file: basename(real), files } }),
  };
}

/** The first bytes of a file; undefined where it may not be read. */
async function beginOf(path: string): Promise<string | undefined> {
  const file = await open(path).catch(() => undefined); // its rights are all that is wrong: it is there
  if (file === undefined) return undefined;
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(longestMark) });
  await file.close();
  return buffer.toString('latin1', 0, bytesRead);
}

/** How many files of its folder are of the kind of a file, itself among them. */
async function filesLike(path: string): Promise<number> {
  const entries = await readdir(dirname(path), { withFileTypes: true });
  return entries.filter((one) => one.isFile() && kindOfFile(one.name) === kindOfFile(path)).length;
}

async function use<T>(
  { settings, runtime }: WorkContext,
  { kind, settings: own, roots }: Source,
  work: (connector: Connector, signal: AbortSignal) => Promise<T>,
): Promise<Used<T>> {
  const name = 'source';
  const configured = { name, kind, settings: own, watch: false, enabled: true, roots: [...roots] };
  const sources = createConfiguredSources(() => [configured], settings, runtime);
  return askOnce(sources, name, runtime.stop, work);
}

async function findInvoices(
  context: WorkContext,
  source: Source,
  header: string | undefined,
): Promise<FoundSource> {
  const used = await use(context, source, async (connector, signal): Promise<FoundSource> => {
    const found = await connector.discover?.({ header }, signal);
    if (found?.kind === 'discovered') return discovered(found);
    if (found?.kind === 'unreachable') return { kind: 'fault', fault: found.fault };
    const test = await connector.test(signal);
    return test.kind === 'ok' ? { kind: 'plain' } : { kind: 'fault', fault: test.fault };
  });
  return used.kind === 'used' ? used.value : used;
}

async function listTables(context: WorkContext, source: Source): Promise<FoundTables> {
  const used = await use(context, source, (connector, signal) => connector.describe(signal));
  if (used.kind === 'fault') return used;
  if (used.value.kind === 'unreachable') return { kind: 'fault', fault: used.value.fault };
  const byTable = Map.groupBy(used.value.columns, ({ origin }) => origin);
  const tables = [...byTable].map(([name, columns]) => {
    return { name, columns: columns.map(({ column }) => column) };
  });
  return { kind: 'tables', tables };
}

/** Rows among which a person finds the one with the names of the columns. */
const rowsShown = 12;

async function readRows(context: WorkContext, source: Source): Promise<FoundRows> {
  const settings = { ...source.settings, kinds: ['csv', 'xlsx'], headerLine: 0 };
  const used = await use(
    context,
    { ...source, settings },
    async (connector, signal): Promise<FoundRows> => {
      const test = await connector.test(signal);
      if (test.kind === 'failed') return { kind: 'fault', fault: test.fault };
      const outcomes = await connector.readMany(test.sampleRefs.slice(0, documentsRead), signal);
      for (const outcome of outcomes) {
        if (outcome.kind !== 'found') continue;
        const { lines = [] } = outcome.document.sections;
        const rows = lines.slice(0, rowsShown).map(({ values }) => Object.values(values));
        return { kind: 'rows', rows: rows.map((row) => row.map((value) => value ?? '')) };
      }
      const message = 'There is no CSV file and no workbook that can be read.';
      return { kind: 'fault', fault: { code: 'file_missing', message, retry: 'never' } };
    },
  );
  return used.kind === 'used' ? used.value : used;
}

/** Documents from whose values and sums it is found out what the columns mean. */
const documentsRead = 20;
const documentsShown = 3;

async function readDocuments(context: WorkContext, source: Source): Promise<FoundDocuments> {
  const used = await use(context, source, async (connector, signal): Promise<FoundDocuments> => {
    const test = await connector.test(signal);
    if (test.kind === 'failed') return { kind: 'fault', fault: test.fault };
    const described = await connector.describe(signal);
    if (described.kind === 'unreachable') return { kind: 'fault', fault: described.fault };
    const refs = test.sampleRefs.slice(0, documentsRead);
    const outcomes = await connector.readMany(refs, signal);
    const documents = outcomes.flatMap((one) => (one.kind === 'found' ? [one.document] : []));
    const [fault] = outcomes.flatMap((one) => ('fault' in one ? [one.fault] : []));
    if (documents.length === 0 && fault !== undefined) return { kind: 'fault', fault };
    const { columns, joins } = described;
    return {
      kind: 'documents',
      documents: showDocuments({ columns, joins, documents }, documentsShown),
      ...(test.writeBack !== undefined && { writeBack: test.writeBack.message }),
    };
  });
  return used.kind === 'used' ? used.value : used;
}

/** As one step among all commands: the names that are taken do not change meanwhile. */
async function keep({ home }: WorkContext, source: Source, wanted: KeptName): Promise<FoundKept> {
  return exclusively(home.path, () => keepAlone(home, source, wanted));
}

/**
 * The connector that the same source has already is changed; of other sources none is: without a name of a
 * person a free one is taken.
 */
function keepAlone(home: Home, source: Source, { name: wanted, isGiven }: KeptName): FoundKept {
  const all = openConnectors(home);
  const added = openAddedConnectors(home);
  if (all.kind === 'failed' || added.kind === 'failed') {
    throw new Error('the connectors were read when the command began');
  }
  const named = all.value.find(({ name }) => name === wanted);
  const same = added.value.filter((one) => isSameSource(one, source));
  const before = same.find(({ name }) => name === wanted) ?? (isGiven ? undefined : same[0]);
  if (isGiven && named !== undefined && before === undefined) {
    const isDeclared = home.declared.some(({ name }) => name === wanted);
    const error = isDeclared ? 'connector_declared' : 'name_taken';
    const cause = say(isDeclared ? 'name.declared' : 'name.taken', { name: wanted });
    return { kind: 'fault', error, cause, name: wanted };
  }
  const taken = new Set(all.value.map(({ name }) => name));
  const name = before?.name ?? freeName(wanted, taken);
  const { kind, settings, roots } = source;
  const made: ConfiguredConnector = {
    name,
    kind,
    settings,
    watch: before?.watch ?? false,
    enabled: true,
    ...(roots.length > 0 && { roots: [...roots] }),
  };
  home.connectors.write([...added.value.filter((one) => one !== before), made]);
  return { name, ...(before !== undefined && { wasThere: true }) };
}

/** What says where a source is; whose login is used does not, but a mailbox is of a user. */
const placeSettings = ['host', 'port', 'database', 'file', 'folder', 'mailbox'] as const;

function isSameSource({ kind, settings }: ConfiguredConnector, source: Source): boolean {
  if (kind !== source.kind) return false;
  const one = settings as Source['settings'];
  const isMailbox = addressFormOf(kind)?.kind === 'mailbox';
  const names = isMailbox ? [...placeSettings, 'user'] : placeSettings;
  return names.every((name) => one[name] === source.settings[name]);
}

function freeName(wanted: string, taken: ReadonlySet<string>): string {
  for (let count = 1; ; count++) {
    const name = count === 1 ? wanted : `${wanted}-${count}`;
    if (!taken.has(name)) return name;
  }
}
