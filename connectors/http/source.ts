import { Semaphore } from '@drawbridge/concurrency/semaphore.ts';
import type { SourceDocument } from '@drawbridge/records/document.ts';
import {
  type Connector,
  type ConnectorContext,
  type ListOutcome,
  limits,
  type ReadOutcome,
  type WriteBackCommand,
  type WriteBackOutcome,
} from '../contract.ts';
import { withinCall } from '../fault.ts';
import { columnsOf } from '../file-content/describe.ts';
import { Api, type Unanswered } from './api.ts';
import { ListedRecords, listOf, listRecords, refOf } from './list.ts';
import { readPage } from './pages.ts';
import { readDocument } from './read.ts';
import type { HttpSettings } from './settings.ts';
import { sendConfirmation } from './status.ts';

/** How many documents are read for samples. */
const documentsLooked = 5;
/** Documents that are read at once. */
const readsMax = 4;

/** An open source of this kind. */
export class HttpConnector implements Connector {
  readonly #settings: HttpSettings;
  readonly #context: ConnectorContext;
  readonly #api: Api;
  readonly #listed = new ListedRecords();
  readonly #reads = new Semaphore(readsMax);

  constructor(settings: HttpSettings, context: ConnectorContext) {
    this.#settings = settings;
    this.#context = context;
    this.#api = new Api(settings, context);
  }

  async test(signal: AbortSignal) {
    const outcome = await this.#within(signal, async (limited) => {
      const refs = await this.#firstRefs(limited);
      if ('kind' in refs) return refs;
      const detail = `${this.#api.where} answers, and lists ${refs.length === 0 ? 'nothing' : 'documents'}.`;
      return { kind: 'ok', detail, sampleRefs: refs } as const;
    });
    return outcome.kind === 'unreachable'
      ? ({ kind: 'failed', fault: outcome.fault } as const)
      : outcome;
  }

  describe(signal: AbortSignal) {
    return this.#within(signal, async (limited) => {
      const refs = await this.#firstRefs(limited);
      if ('kind' in refs) return refs;
      const documents: SourceDocument[] = [];
      for (const ref of refs) {
        const read = await readDocument(this.#api, this.#settings, ref, limited);
        if (read.kind === 'unreachable') return read;
        if (read.kind === 'found') documents.push(read.document);
      }
      return { kind: 'described', columns: columnsOf(documents) } as const;
    });
  }

  read(ref: string, signal: AbortSignal): Promise<ReadOutcome> {
    return this.#within<ReadOutcome>(signal, (limited) =>
      readDocument(this.#api, this.#settings, ref, limited),
    );
  }

  async readMany(refs: readonly string[], signal: AbortSignal): Promise<readonly ReadOutcome[]> {
    const outcomes = await this.#within(signal, (limited) =>
      Promise.all(refs.map((ref) => this.#readInTurn(ref, limited))),
    );
    return 'kind' in outcomes ? refs.map(() => outcomes) : outcomes;
  }

  list(cursor: string | undefined, signal: AbortSignal): Promise<ListOutcome> {
    return this.#within<ListOutcome>(signal, (limited) => {
      const { clock, timeoutMs = limits.callTimeoutMs } = this.#context;
      const begunMs = clock().getTime();
      // Slow pages take their time; what is found by then is a page.
      const isLate = () => clock().getTime() - begunMs > timeoutMs / 2;
      return listRecords(this.#api, this.#settings, cursor, this.#listed, isLate, limited);
    });
  }

  async writeBack(command: WriteBackCommand, signal: AbortSignal): Promise<WriteBackOutcome> {
    const { writeBack } = this.#settings;
    if (writeBack.mode === 'none') return { kind: 'unsupported' };
    return this.#within<WriteBackOutcome>(signal, (limited) =>
      sendConfirmation(this.#api, writeBack, command, limited),
    );
  }

  close(): Promise<void> {
    return this.#api.close();
  }

  #within<T>(
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T | Unanswered> {
    return withinCall(this.#api.where, signal, this.#context.timeoutMs, work);
  }

  async #readInTurn(ref: string, signal: AbortSignal): Promise<ReadOutcome> {
    if (!(await this.#reads.acquire(signal))) return { kind: 'missing' }; // nobody waits any more
    try {
      return await readDocument(this.#api, this.#settings, ref, signal);
    } finally {
      this.#reads.release();
    }
  }

  async #firstRefs(signal: AbortSignal): Promise<readonly string[] | Unanswered> {
    const list = listOf(this.#api, this.#settings, undefined);
    const page = await readPage(this.#api, list, undefined, signal);
    if (page.kind !== 'page') return { kind: 'unreachable', fault: page.fault };
    const refs = page.records.flatMap((record) => refOf(record, this.#settings) ?? []);
    return refs.slice(0, documentsLooked);
  }
}
