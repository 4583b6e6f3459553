import { Semaphore } from '@drawbridge/concurrency/semaphore.ts';
import type { SourceDocument } from '@drawbridge/records/document.ts';
import { valueAt } from '@drawbridge/records/json-path.ts';
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
import { ListedRecords } from '../listed-records.ts';
import { JsonApi } from '../outbound/json-api.ts';
import { readInTurn, readOne, readOutcomes, testOutcome } from '../outcomes.ts';
import { nowhere } from './errors.ts';
import { listFault, listOf, listRecords, refOf } from './list.ts';
import { pathOf, readPage } from './pages.ts';
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
  readonly #api: JsonApi;
  readonly #listed = new ListedRecords();
  readonly #reads = new Semaphore(readsMax);
  /** Refs of one page: as many as one call can read of this server. */
  #refsMax: number = limits.pageSize;

  constructor(settings: HttpSettings, context: ConnectorContext) {
    this.#settings = settings;
    this.#context = context;
    this.#api = new JsonApi(settings, context);
  }

  async test(signal: AbortSignal) {
    const outcome = await this.#within(signal, async (limited) => {
      const first = await this.#firstRecords(limited);
      if (first.kind === 'unreachable') return first;
      const { records, refs } = first;
      const { list } = this.#settings;
      const { changes } = list;
      const isTold = ({ field }: { readonly field: string }) =>
        records.some((record) => (valueAt(record, pathOf(field)) ?? undefined) !== undefined);
      if (records.length > 0 && changes !== undefined && !isTold(changes)) {
        const place = [records.length, changes.field, 'list.changes.field'] as const;
        return { kind: 'unreachable', fault: nowhere(this.#api.where, ...place) } as const;
      }
      const listed = refs.length > 0 ? 'documents' : `nothing at ${list.records}`;
      const detail = `${this.#api.where} answers, and lists ${listed}.`;
      return { kind: 'ok', detail, sampleRefs: refs } as const;
    });
    return testOutcome(outcome);
  }

  describe(signal: AbortSignal) {
    return this.#within(signal, async (limited) => {
      const first = await this.#firstRecords(limited);
      if (first.kind === 'unreachable') return first;
      const documents: SourceDocument[] = [];
      for (const ref of first.refs) {
        const read = await readDocument(this.#api, this.#settings, ref, limited);
        if (read.kind === 'unreachable') return read;
        if (read.kind === 'found') documents.push(read.document);
      }
      return { kind: 'described', columns: columnsOf(documents) } as const;
    });
  }

  read(ref: string, signal: AbortSignal): Promise<ReadOutcome> {
    return readOne(this, ref, signal);
  }

  async readMany(refs: readonly string[], signal: AbortSignal): Promise<readonly ReadOutcome[]> {
    const { clock, timeoutMs = limits.callTimeoutMs } = this.#context;
    const begunMs = clock().getTime();
    const answered = await this.#within(signal, (limited) =>
      readInTurn(refs, this.#reads, limited, (ref) =>
        readDocument(this.#api, this.#settings, ref, limited),
      ),
    );
    const isFast = clock().getTime() - begunMs < timeoutMs / 3;
    const isSlow = 'kind' in answered && answered.fault.code === 'timeout';
    if (isSlow) this.#refsMax = Math.max(1, Math.floor(refs.length / 2));
    else if (isFast) this.#refsMax = Math.min(limits.pageSize, this.#refsMax * 2);
    const outcomes = readOutcomes(refs, answered);
    this.#listed.forgetUnread(refs, outcomes);
    return outcomes;
  }

  forgetListed(): void {
    this.#listed.clear();
  }

  list(cursor: string | undefined, signal: AbortSignal): Promise<ListOutcome> {
    return this.#listed.list(() =>
      this.#within<ListOutcome>(signal, (limited) => {
        const { clock, timeoutMs = limits.callTimeoutMs } = this.#context;
        const now = clock();
        // Slow pages take their time; what is found by then is a page.
        const isLate = () => clock().getTime() - now.getTime() > timeoutMs / 2;
        const bounds = { refsMax: this.#refsMax, now, isLate };
        return listRecords(this.#api, this.#settings, cursor, this.#listed, bounds, limited);
      }),
    );
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

  #within<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>) {
    return withinCall(this.#api.where, signal, this.#context.timeoutMs, work);
  }

  /** Those of the first page, and what the first few of them are called. */
  async #firstRecords(signal: AbortSignal) {
    const list = listOf(this.#api, this.#settings, undefined);
    const page = await readPage(this.#api, list, { state: undefined }, signal);
    if (page.kind !== 'page') return { kind: 'unreachable', fault: page.fault } as const;
    const wrong = listFault(this.#api, this.#settings, page);
    if (wrong !== undefined) return { kind: 'unreachable', fault: wrong } as const;
    const refs = page.records.flatMap((record) => refOf(record, this.#settings) ?? []);
    return {
      kind: 'records',
      records: page.records,
      refs: refs.slice(0, documentsLooked),
    } as const;
  }
}
