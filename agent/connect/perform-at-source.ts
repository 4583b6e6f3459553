import { open, realpath, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isWithin, realRoots } from '@drawbridge/connectors/allowed-path.ts';
import type { Connector, ConnectorFault } from '@drawbridge/connectors/contract.ts';
import { showDocuments } from '@drawbridge/mapping/discovery/shown-document.ts';
import type { ConfiguredConnector } from '../store/connectors.ts';
import { openAddedConnectors, openConnectors } from '../store/home.ts';
import { createConfiguredSources } from '../sync/configured-sources.ts';
import {
  discovered,
  type FoundDocuments,
  type FoundPath,
  type FoundRows,
  type FoundSource,
  type FoundTables,
  type Kept,
  type Source,
  type SourceWork,
} from './work.ts';
import type { WorkContext } from './work-context.ts';

/** Does what is to be done at a source, and returns what it found; a source's fault is a finding too. */
export function performAtSource(context: WorkContext, todo: SourceWork): Promise<unknown> {
  switch (todo.id) {
    case 'path':
      return lookAt(context, todo.path);
    case 'source':
      return findInvoices(context, todo.source, todo.header);
    case 'tables':
      return listTables(context, todo.source);
    case 'rows':
      return readRows(context, todo.source);
    case 'documents':
      return readDocuments(context, todo.source);
    case 'kept':
      return keep(context, todo.source, todo.name);
  }
}

const sqliteMark = 'SQLite format 3\0';

async function lookAt({ settings }: WorkContext, wanted: string): Promise<FoundPath> {
  const path = resolve(wanted);
  let real: string;
  try {
    real = await realpath(path);
  } catch {
    return { kind: 'missing', path }; // or in a folder that this user may not enter
  }
  const found = await stat(real);
  const isFolder = found.isDirectory();
  if (!isFolder && !found.isFile()) return { kind: 'other', path };
  const isDatabase = !isFolder && (await beginsWith(real, sqliteMark));
  const folder = isFolder ? real : dirname(real);
  const roots = await realRoots(settings.fileRoots);
  return {
    kind: isDatabase ? 'sqlite' : 'folder',
    path: isDatabase ? real : folder,
    ...(!roots.some((root) => isWithin(root, folder)) && { folder }),
  };
}

async function beginsWith(path: string, mark: string): Promise<boolean> {
  const file = await open(path).catch(() => undefined); // one that may not be read is told when it is opened
  if (file === undefined) return false;
  const { buffer } = await file.read({ buffer: Buffer.alloc(mark.length) });
  await file.close();
  return buffer.toString('latin1') === mark;
}

/** As long as the longest discovery takes, and some time to log in. */
const sourceTimeoutMs = 60_000;

type Used<T> =
  | { readonly kind: 'used'; readonly value: T }
  | { readonly kind: 'fault'; readonly fault: ConnectorFault };

async function use<T>(
  { settings, runtime }: WorkContext,
  { kind, settings: own, roots }: Source,
  work: (connector: Connector, signal: AbortSignal) => Promise<T>,
): Promise<Used<T>> {
  const name = 'source';
  const configured = { name, kind, settings: own, watch: false, enabled: true, roots: [...roots] };
  const sources = createConfiguredSources(() => [configured], settings, runtime);
  const signal = AbortSignal.any([runtime.stop, AbortSignal.timeout(sourceTimeoutMs)]);
  const used = await sources.use(name, (connector) => work(connector, signal));
  await sources.close();
  return used;
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

/** A name that is taken gets a number: nothing that works is replaced. */
async function keep({ home }: WorkContext, source: Source, wanted: string): Promise<Kept> {
  const all = openConnectors(home);
  const added = openAddedConnectors(home);
  if (all.kind === 'failed' || added.kind === 'failed') {
    throw new Error('the connectors were read when the command began');
  }
  const taken = new Set(all.value.map(({ name }) => name));
  const name = freeName(wanted, taken);
  const { kind, settings, roots } = source;
  const made: ConfiguredConnector = {
    name,
    kind,
    settings,
    watch: false,
    enabled: true,
    ...(roots.length > 0 && { roots: [...roots] }),
  };
  home.connectors.write([...added.value, made]);
  return { name };
}

function freeName(wanted: string, taken: ReadonlySet<string>): string {
  for (let count = 1; ; count++) {
    const name = count === 1 ? wanted : `${wanted}-${count}`;
    if (!taken.has(name)) return name;
  }
}
