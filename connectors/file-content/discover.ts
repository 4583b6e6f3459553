import { type ShownDocument, showDocuments } from '@drawbridge/mapping/discovery/shown-document.ts';
import {
  type Connector,
  type ConnectorFault,
  type DiscoverOutcome,
  type LayoutProposal,
  limits,
} from '../contract.ts';
import { placesOf } from '../found-places.ts';
import type { ContentFile } from './documents.ts';
import { type JoinedLayout, joinedLayout } from './joined-layout.ts';
import {
  type Grouped,
  groupFiles,
  type LayoutGroup,
  type LookedFile,
  signatureOf,
} from './layout-groups.ts';
import { lookInto, tablesOf, withoutContent } from './look.ts';
import { type FileKind, fileKinds, isLayout, kindOfFile } from './settings.ts';

/** Bounds of a discovery of files. */
const fileDiscoverLimits = {
  /** Files that are looked into, the newest first. */
  filesMax: 400,
  /** Files of one layout whose content is kept to find out more, and bytes of all that are kept. */
  alikeMax: 20,
  keptBytesMax: 67_108_864,
  bytesMax: 536_870_912,
  /** Milliseconds after which no further file is begun. */
  budgetMs: 12_000,
  /** Files that are named one by one. */
  namedMax: 5,
  evidenceMax: 20,
} as const;

/** The files of a source, looked into one after the other while there is time. */
export class FileLooks {
  readonly looked: LookedFile[] = [];
  /** Files for which there was no time. */
  left = 0;
  /** What stands there in place of files of the kinds that are read. */
  others: readonly string[] = [];
  readonly #until = AbortSignal.timeout(fileDiscoverLimits.budgetMs);
  readonly #kept = new Map<string, number>();
  #bytes = 0;
  #keptBytes = 0;

  /** Whether a further file is looked into. */
  get hasRoom(): boolean {
    const { filesMax, bytesMax } = fileDiscoverLimits;
    return this.looked.length < filesMax && this.#bytes < bytesMax && !this.#until.aborted;
  }

  async add(file: ContentFile, signal: AbortSignal): Promise<void> {
    const { alikeMax, keptBytesMax } = fileDiscoverLimits;
    const { name, size } = file;
    this.#bytes += size;
    const look = await lookInto(file, signal);
    const signature = signatureOf(name, look);
    const alike = this.#kept.get(signature) ?? 0;
    const isKept = alike < alikeMax && this.#keptBytes + size <= keptBytesMax;
    if (isKept) {
      this.#kept.set(signature, alike + 1);
      this.#keptBytes += size;
    }
    this.looked.push({ name, signature, look: isKept ? look : withoutContent(look) });
  }

  addUnreadable(name: string, { message }: ConnectorFault): void {
    this.looked.push({ name, signature: '', look: { kind: 'nothing', reason: message } });
  }
}

/** What a place of files holds, and how its invoices may be read; `open` opens it with a layout. */
export async function discovered(
  source: string,
  { looked, left, others }: FileLooks,
  open: (layout: LayoutProposal['layout']) => Connector,
  signal: AbortSignal,
): Promise<DiscoverOutcome> {
  const grouped = groupFiles(looked);
  const kinds = new Set(looked.map(({ name }) => kindOfFile(name)));
  const joined = joinedLayout(looked);
  const found = [
    ...(joined === undefined ? [] : [shownLayout(joined.proposal)]),
    ...grouped.groups.map((group) => layoutOf(group, kinds)),
  ]
    .filter(({ layout }) => isLayout(layout))
    .slice(0, limits.layoutsMax);
  const { layouts, newest } = await readableFirst(found, open, signal);
  const summary = summaryOf(grouped, looked.length);
  return {
    kind: 'discovered',
    source: `${source}: ${summary}`,
    product: '',
    places: placesOf(looked.flatMap(placeTables)),
    layouts,
    alternatives: [],
    creditNotes: { kind: 'none' },
    company: [],
    documents: newest.documents,
    notes: [...newest.notes, ...otherNotes(others), ...notesOf(grouped, left, joined)].slice(
      0,
      limits.notesMax,
    ),
  };
}

function placeTables({ name, look }: LookedFile) {
  const shown = (sheet: string) => (look.kind === 'workbook' ? `${name} [${sheet}]` : name);
  return tablesOf(look).map((table) => ({ ...table, name: shownName(shown(table.name)) }));
}

/** A sentence with names and values of files, which may be of any length. */
function shownText(text: string): string {
  const plain = text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, '\ufffd');
  return plain.slice(0, textLengthMax).toWellFormed();
}

const textLengthMax = 500;

/** The end of a name, without what does not show or acts on a terminal. */
function shownName(name: string): string {
  const plain = name.replace(/[\p{Cc}\p{Bidi_Control}]/gu, '\ufffd').toWellFormed();
  return plain.slice(-200);
}

/** The layout of a group; where there are files of other kinds it names its own. */
function layoutOf(
  { kind, files, proposal }: LayoutGroup,
  kinds: ReadonlySet<FileKind | undefined>,
): LayoutProposal {
  const isNamed = kinds.size > 1 || kind === 'pdf';
  return shownLayout({
    ...proposal,
    title: `${filesWords(files.length, kind)}: ${proposal.title}`,
    layout: { ...(isNamed ? { kinds: [kind] } : {}), ...proposal.layout },
  });
}

function shownLayout(proposal: LayoutGroup['proposal']): LayoutProposal {
  return {
    ...proposal,
    title: shownText(proposal.title),
    reasons: Object.fromEntries(
      Object.entries(proposal.reasons).map(([part, reason]) => [part, shownText(reason)]),
    ),
    notes: proposal.notes.map(shownText),
    documents: /credit note/i.test(proposal.title) ? 'credit notes' : 'invoices',
  };
}

function filesWords(count: number, kind: FileKind): string {
  const held = kind === 'pdf' ? ' with an invoice in them' : '';
  return `${count} ${kind.toUpperCase()}${held}`;
}

/** "214 files: 190 CSV of one layout, 20 PDF with an invoice in them, 4 without an invoice that can be read". */
function summaryOf({ groups, others }: Grouped, count: number): string {
  if (count === 0) return 'no files';
  const byKind = Map.groupBy(groups, ({ kind }) => kind);
  const parts = [...byKind].map(([kind, own]) => {
    const files = own.reduce((sum, group) => sum + group.files.length, 0);
    const layouts = own.length === 1 ? '' : `, in ${own.length} layouts`;
    const alike = own.length === 1 && files > 1 && kind !== 'pdf' ? ' of one layout' : '';
    return `${filesWords(files, kind)}${alike}${layouts}`;
  });
  if (others.length > 0) parts.push(`${others.length} without an invoice that can be read`);
  return `${count} ${count === 1 ? 'file' : 'files'}: ${parts.join(', ')}`;
}

function otherNotes(names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  const shown = names.slice(0, fileDiscoverLimits.namedMax).map(shownName).join(', ');
  const endings = fileKinds.map((kind) => `.${kind}`).join(', ');
  return [
    shownText(`There are others, such as ${shown}: the files that are read end in ${endings}.`),
  ];
}

function notesOf(
  { groups, others }: Grouped,
  left: number,
  joined: JoinedLayout | undefined,
): readonly string[] {
  const { namedMax } = fileDiscoverLimits;
  const further =
    joined === undefined
      ? groups.slice(1)
      : groups.filter(({ files }) => !files.some((file) => joined.files.has(file)));
  const other = further.map(({ kind, files }) => {
    const named = `${filesWords(files.length, kind)}, such as ${shownName(files[0] ?? '')}`;
    return `Laid out otherwise: ${named}. A source of its own, with another layout, reads that.`;
  });
  const unread = others
    .slice(0, namedMax)
    .map(({ name, reason }) => `${shownName(name)}: ${reason}`);
  return [
    ...other.slice(0, namedMax),
    ...unread,
    ...(others.length > namedMax ? [`Further files: ${others.length - namedMax}.`] : []),
    ...(left > 0 ? [`${left} older files were not looked into.`] : []),
    ...(groups.length === 0
      ? ['Nothing looks like invoices with lines. Name how the files are laid out in the settings.']
      : []),
  ].map(shownText);
}

/** The first layouts by which documents are tried to be read. */
const layoutsTried = 3;

/** The layouts, the surest of those by which documents can be read first, and the newest of its documents. */
async function readableFirst(
  layouts: readonly LayoutProposal[],
  open: (layout: LayoutProposal['layout']) => Connector,
  signal: AbortSignal,
): Promise<{ readonly layouts: readonly LayoutProposal[]; readonly newest: Newest }> {
  let first: Newest = { documents: [], notes: [] };
  for (const [at, layout] of layouts.slice(0, layoutsTried).entries()) {
    const newest = await newestDocuments(open(layout.layout), signal);
    if (newest.documents.length > 0)
      return { layouts: [layout, ...layouts.toSpliced(at, 1)], newest };
    if (at === 0) first = newest;
  }
  return { layouts, newest: first };
}

interface Newest {
  readonly documents: readonly ShownDocument[];
  readonly notes: readonly string[];
}

/** Reads the newest documents as a layout says. */
async function newestDocuments(connector: Connector, signal: AbortSignal): Promise<Newest> {
  const failed = ({ message }: ConnectorFault): Newest => ({
    documents: [],
    notes: [`Documents could not be read so. ${message}`],
  });
  const test = await connector.test(signal);
  if (test.kind === 'failed') return failed(test.fault);
  const described = await connector.describe(signal);
  if (described.kind === 'unreachable') return failed(described.fault);
  const refs = test.sampleRefs.slice(0, fileDiscoverLimits.evidenceMax);
  const outcomes = await connector.readMany(refs, signal);
  const documents = outcomes.flatMap((each) => (each.kind === 'found' ? [each.document] : []));
  const faults = outcomes.flatMap((each) => (each.kind === 'unusable' ? [each.fault] : []));
  const { columns, joins } = described;
  return {
    documents: showDocuments({ columns, joins, documents }, limits.shownDocumentsMax),
    // Of files that cannot be read it is said anyway.
    notes: documents.length > 0 ? [] : [...new Set(faults.flatMap((each) => failed(each).notes))],
  };
}
