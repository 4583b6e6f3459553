import path from 'node:path';
import { KeyedQueue } from '@drawbridge/concurrency/keyed-queue.ts';
import {
  type Connector,
  type ConnectorContext,
  type DiscoverOutcome,
  type DiscoverWish,
  type ImportCommand,
  type ListOutcome,
  limits,
  type ReadOutcome,
  type Unreachable,
  type WriteBackCommand,
  type WriteBackOutcome,
} from '../contract.ts';
import { errorCode, withinCall } from '../fault.ts';
import { columnsOf } from '../file-content/describe.ts';
import { discovered, FileLooks } from '../file-content/discover.ts';
import {
  type FileRef,
  firstDocuments,
  GatheredAhead,
  parseFileRef,
  pickDocuments,
  RefsAhead,
} from '../file-content/documents.ts';
import { fileKinds, withLayout } from '../file-content/settings.ts';
import { readOne, readOutcomes, testOutcome } from '../outcomes.ts';
import { asRejected } from '../stored-confirmation.ts';
import { putDraft } from './drafts.ts';
import { filesFault } from './errors.ts';
import {
  isDocumentName,
  type ListedFile,
  listFiles,
  namesIn,
  type OpenContent,
  type OpenFolder,
  openFolder,
  openOwnFolder,
  takenFolders,
  withContent,
} from './folder.ts';
import {
  type ClaimedFile,
  claimedFiles,
  claimFiles,
  FinishedFiles,
  notOwnFolder,
  openClaims,
} from './intake.ts';
import { listPage, type OrderedFile, positionOf, refsOf } from './list.ts';
import { FolderChanges } from './noticed-changes.ts';
import { type FilesSettings, filesSettings } from './settings.ts';
import { SettledFiles } from './settled.ts';
import { writeStatus } from './status.ts';

/** How many files are read for samples, the newest first, and documents of each. */
const filesLooked = 20;
const documentsLooked = 5;
/** Documents that are named as samples. */
const sampleRefsMax = 50;

/** Keyed by folder: what is claimed and moved away is decided by one at a time. */
const moves = new KeyedQueue();

/** An open source of this kind. */
export class FilesConnector implements Connector {
  readonly #settings: FilesSettings;
  readonly #context: ConnectorContext;
  readonly #ahead = new GatheredAhead();
  readonly #refsAhead = new RefsAhead();
  readonly #settled: SettledFiles;
  readonly #finished: FinishedFiles;
  readonly #changes: FolderChanges;

  constructor(settings: FilesSettings, context: ConnectorContext) {
    this.#settings = settings;
    this.#context = context;
    this.#settled = new SettledFiles(settings);
    this.#finished = new FinishedFiles(settings);
    this.#changes = new FolderChanges(settings, context);
  }

  async test(signal: AbortSignal) {
    const outcome = await this.#within(signal, (folder, limited) => this.#look(folder, limited));
    return testOutcome(outcome);
  }

  describe(signal: AbortSignal) {
    return this.#within(signal, (folder, limited) => this.#describe(folder, limited));
  }

  async discover(_wish: DiscoverWish, signal: AbortSignal): Promise<DiscoverOutcome> {
    const looks = new FileLooks();
    const listed = await this.#within(signal, (folder, limited) =>
      this.#lookInto(folder, looks, limited),
    );
    if (listed.kind === 'unreachable') return listed;
    const open = (layout: object) =>
      new FilesConnector(filesSettings.parse(withLayout(this.#settings, layout)), this.#context);
    return discovered(this.#settings.folder, looks, open, signal);
  }

  read(ref: string, signal: AbortSignal): Promise<ReadOutcome> {
    return readOne(this, ref, signal);
  }

  async readMany(refs: readonly string[], signal: AbortSignal): Promise<readonly ReadOutcome[]> {
    const outcomes = await this.#within(signal, (folder, limited) =>
      this.#readRefs(folder, refs, limited),
    );
    return readOutcomes(refs, outcomes);
  }

  list(cursor: string | undefined, signal: AbortSignal): Promise<ListOutcome> {
    return this.#within(signal, async (folder, limited) => {
      const from = positionOf(cursor, this.#settings);
      if ('kind' in from) return from;
      const listed = await listFiles(folder, this.#settings, limited);
      if (listed.kind === 'unreachable') return listed;
      const ready = this.#settled.of(listed.files, this.#context.clock());
      if (!this.#settings.move) {
        return listPage(
          folder,
          ready.map(byChange),
          this.#settings,
          from.at,
          this.#refsAhead,
          limited,
        );
      }
      const claimed = await this.#inClaims(folder, limited, async (claims, known) => {
        const order = from.at?.order ?? 0n;
        await claimFiles(folder, claims, ready, known, order, this.#settings);
        const all = await claimedFiles(claims, limited);
        await this.#finished.move(folder, claims, all, limited);
        const waiting = await claimedFiles(claims, limited);
        return listPage(claims, waiting, this.#settings, from.at, this.#refsAhead, limited);
      });
      return claimed ?? { kind: 'unreachable', fault: notOwnFolder(this.#settings.folder) };
    });
  }

  /** A file that moves waits for the confirmations of all its documents. */
  get takesInvalid(): boolean {
    return this.#settings.move;
  }

  async writeBack(given: WriteBackCommand, signal: AbortSignal): Promise<WriteBackOutcome> {
    const { writeBack, move } = this.#settings;
    if (writeBack.mode === 'none') return { kind: 'unsupported' };
    const command = asRejected(given);
    return this.#within(signal, async (folder, limited) => {
      const outcome = await writeStatus(folder, command);
      if (!move || command.environment !== 'live') return outcome;
      const { name } = parseFileRef(command.confirmation.sourceRef);
      await this.#inClaims(folder, limited, (claims, known) => {
        const its = known.filter((file) => file.name === name);
        return this.#finished.move(folder, claims, its, limited);
      });
      return outcome;
    });
  }

  async importDraft(command: ImportCommand, signal: AbortSignal): Promise<WriteBackOutcome> {
    if (this.#settings.drafts.mode === 'none') return { kind: 'unsupported' };
    return this.#within(signal, (folder) => putDraft(folder, command, this.#context.clock()));
  }

  changed(signal: AbortSignal): Promise<void> {
    return this.#changes.next(signal);
  }

  async close(): Promise<void> {
    // Nothing else stays open between calls.
    await this.#changes.close();
  }

  async #within<T>(
    signal: AbortSignal,
    work: (folder: OpenFolder, signal: AbortSignal) => Promise<T>,
  ): Promise<T | Unreachable> {
    const { folder } = this.#settings;
    // A share that is gone answers nothing at all, not even that.
    return withinCall(folder, signal, this.#context.timeoutMs, (limited) =>
      this.#inFolder(work, limited),
    );
  }

  async #inFolder<T>(
    work: (folder: OpenFolder, signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T | Unreachable> {
    const opened = await openFolder(this.#settings.folder, this.#context);
    if (opened.kind === 'unreachable') return opened;
    try {
      return await work(opened.folder, signal);
    } catch (error) {
      // As where files are to be moved in a folder that this user may only read.
      if (errorCode(error) === undefined) throw error;
      return { kind: 'unreachable', fault: filesFault(error, this.#settings.folder) };
    } finally {
      await opened.folder.close();
    }
  }

  /** With the claimed files of this reader; undefined when their folder is a link. */
  async #inClaims<T>(
    folder: OpenFolder,
    signal: AbortSignal,
    work: (claims: OpenFolder, files: readonly ClaimedFile[]) => Promise<T>,
  ): Promise<T | undefined> {
    const key = path.join(folder.real, this.#settings.reader);
    return moves.run(key, async () => {
      const claims = await openClaims(folder, this.#settings);
      if (claims === undefined) return undefined;
      try {
        return await work(claims, await claimedFiles(claims, signal));
      } finally {
        await claims.close();
      }
    });
  }

  /** Reads each file once, however many of its documents are wanted. */
  async #readRefs(
    folder: OpenFolder,
    refs: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly ReadOutcome[]> {
    const outcomes = new Map<string, ReadOutcome>();
    const byFile = Map.groupBy(refs.map(toFileRef), ({ file }) => file.name);
    for (const [name, wanted] of byFile) {
      const asked = wanted.map(({ file }) => file);
      const picked = await this.#readFile(folder, name, asked, signal);
      for (const { ref, file } of wanted) outcomes.set(ref, picked(file));
    }
    return refs.map((ref) => outcomes.get(ref) ?? { kind: 'missing' });
  }

  async #readFile(
    folder: OpenFolder,
    name: string,
    wanted: readonly FileRef[],
    signal: AbortSignal,
  ): Promise<(ref: FileRef) => ReadOutcome> {
    const { subfolders, move } = this.#settings;
    if (!isDocumentName(name, subfolders)) return () => ({ kind: 'missing' });
    // The caller was answered; the rest of the work is for nobody.
    if (signal.aborted) return () => ({ kind: 'missing' });
    const read = (in_: OpenFolder, place: string) =>
      withContent(in_, { name, place }, (file) =>
        pickDocuments(file, this.#settings, wanted, signal, this.#aheadOf(file)),
      );
    const claimed = move
      ? await this.#inClaims(folder, signal, async (claims, files) => {
          const its = files.find((file) => file.name === name);
          return its === undefined ? undefined : read(claims, its.place);
        })
      : undefined;
    let picked = claimed ?? (await read(folder, name));
    const isGone = typeof picked !== 'function' && picked.kind === 'missing';
    // What was rejected for a mapping or a profile that was mended since may be submitted again.
    const rejected =
      move && isGone
        ? await openOwnFolder(folder, takenFolders.rejected).catch(() => undefined)
        : undefined;
    if (rejected !== undefined) {
      picked = await read(rejected, name).finally(() => rejected.close());
    }
    return typeof picked === 'function' ? picked : () => picked;
  }

  /** What follows in a file is kept for the next call, unless other files say what is in it too. */
  #aheadOf({ version }: OpenContent) {
    if (this.#settings.joinedFiles !== undefined) return undefined;
    return { gathered: this.#ahead, version };
  }

  /** What `look` finds in the newest files, those that were claimed among them. */
  async #newest<T>(
    folder: OpenFolder,
    signal: AbortSignal,
    filesMax: number,
    look: (in_: OpenFolder, file: OrderedFile) => Promise<T>,
  ) {
    const listed = await listFiles(folder, this.#settings, signal);
    if (listed.kind === 'unreachable') return listed;
    const found: T[] = [];
    for (const file of listed.files.slice(-filesMax).toReversed()) {
      found.push(await look(folder, byChange(file)));
    }
    let count = listed.files.length;
    if (this.#settings.move) {
      await this.#inClaims(folder, signal, async (claims, claimed) => {
        count += claimed.length;
        for (const file of claimed.slice(-filesMax).toReversed()) {
          found.push(await look(claims, file));
        }
      });
    }
    return { kind: 'found', found, count } as const;
  }

  async #look(folder: OpenFolder, signal: AbortSignal) {
    const refs: string[] = [];
    const newest = await this.#newest(folder, signal, sampleRefsMax, async (in_, file) => {
      if (refs.length >= sampleRefsMax) return;
      const range = { from: 0, max: sampleRefsMax, ahead: new RefsAhead() };
      const read = await refsOf(in_, file, this.#settings, range, signal);
      refs.push(...read.refs);
    });
    if (newest.kind === 'unreachable') return newest;
    const detail = `${this.#settings.folder}: ${newest.count} ${newest.count === 1 ? 'file' : 'files'}.`;
    return { kind: 'ok', detail, sampleRefs: refs.slice(0, sampleRefsMax) } as const;
  }

  /** Looks into the newest files of all kinds, whatever the settings say of them. */
  async #lookInto(folder: OpenFolder, looks: FileLooks, signal: AbortSignal) {
    const { subfolders } = this.#settings;
    const listed = await listFiles(folder, { subfolders, kinds: [...fileKinds] }, signal);
    if (listed.kind === 'unreachable') return listed;
    if (listed.files.length === 0) looks.others = await namesIn(folder);
    const look = async (in_: OpenFolder, file: OrderedFile) => {
      if (!looks.hasRoom || signal.aborted) {
        looks.left += 1;
        return;
      }
      const opened = await withContent(in_, file, async (open) => {
        await looks.add(open, signal);
        return { kind: 'looked' } as const;
      });
      if ('fault' in opened) looks.addUnreadable(file.name, opened.fault);
    };
    for (const file of listed.files.toReversed()) await look(folder, byChange(file));
    if (this.#settings.move) {
      await this.#inClaims(folder, signal, async (claims, claimed) => {
        for (const file of claimed.toReversed()) await look(claims, file);
      });
    }
    return { kind: 'looked' } as const;
  }

  async #describe(folder: OpenFolder, signal: AbortSignal) {
    const newest = await this.#newest(folder, signal, filesLooked, (in_, file) =>
      withContent(in_, file, (open) =>
        firstDocuments(open, this.#settings, documentsLooked, signal),
      ),
    );
    if (newest.kind === 'unreachable') return newest;
    const documents = newest.found.flatMap((read) => ('kind' in read ? [] : read));
    return { kind: 'described', columns: columnsOf(documents) } as const;
  }
}

function byChange({ name, changedNs }: ListedFile): OrderedFile {
  return { name, place: name, order: changedNs };
}

function toFileRef(ref: string) {
  return { ref, file: ref.length > limits.refLengthMax ? { name: '' } : parseFileRef(ref) };
}
