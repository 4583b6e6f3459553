import { Semaphore } from '@drawbridge/concurrency/semaphore.ts';
import type { SourceDocument } from '@drawbridge/records/document.ts';
import {
  type Connector,
  type ConnectorContext,
  type ListOutcome,
  limits,
  type ReadOutcome,
  type RejectionCommand,
  type RejectionOutcome,
  type WriteBackOutcome,
} from '../contract.ts';
import { withinCall } from '../fault.ts';
import { columnsOf } from '../file-content/describe.ts';
import { ListedRecords } from '../listed-records.ts';
import { readInTurn, readOne, readOutcomes, testOutcome } from '../outcomes.ts';
import { MyInvoisApi } from './api.ts';
import { readReceived } from './read.ts';
import { listReceived, windowDays } from './search.ts';
import type { MyInvoisSettings } from './settings.ts';

/** How many documents are read for samples. */
const documentsLooked = 5;
/** Documents that are read at once. */
const readsMax = 4;
/** Of the time that a call has, what its reads may take at the pace of MyInvois. */
const readingShare = 2 / 3;

/** An open source of this kind. */
export class MyInvoisConnector implements Connector {
  readonly #settings: MyInvoisSettings;
  readonly #context: ConnectorContext;
  readonly #api: MyInvoisApi;
  readonly #listed = new ListedRecords();
  readonly #reads = new Semaphore(readsMax);

  constructor(settings: MyInvoisSettings, context: ConnectorContext) {
    this.#settings = settings;
    this.#context = context;
    this.#api = new MyInvoisApi(settings, context);
  }

  async test(signal: AbortSignal) {
    const outcome = await this.#within(signal, async (limited) => {
      const page = await this.#newest(limited);
      if (page.kind !== 'page') return page;
      const detail = `${this.#api.where} answers; ${page.totalCount} documents were received in ${windowDays} days.`;
      return { kind: 'ok', detail, sampleRefs: page.uuids.slice(0, documentsLooked) } as const;
    });
    return testOutcome(outcome);
  }

  describe(signal: AbortSignal) {
    return this.#within(signal, async (limited) => {
      const page = await this.#newest(limited);
      if (page.kind !== 'page') return page;
      const documents: SourceDocument[] = [];
      for (const uuid of page.uuids.slice(0, documentsLooked)) {
        const read = await readReceived(this.#api, uuid, limited);
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
    const answered = await this.#within(signal, (limited) =>
      readInTurn(refs, this.#reads, limited, (ref) => readReceived(this.#api, ref, limited)),
    );
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
        const { from, overlapHours, readsPerMinute } = this.#settings;
        const now = clock();
        const earliestMs = now.getTime() - windowDays * 86_400_000;
        const refsPerCall = Math.floor((readsPerMinute * timeoutMs * readingShare) / 60_000);
        const listing = {
          api: this.#api,
          listed: this.#listed,
          startMs: from === undefined ? earliestMs : Date.parse(from),
          overlapMs: overlapHours * 3_600_000,
          now,
          refsMax: Math.max(1, Math.min(limits.pageSize, refsPerCall)),
          // Slow pages take their time; what is found by then is a page.
          isLate: () => clock().getTime() - now.getTime() > timeoutMs / 2,
          patienceMs: timeoutMs / 2,
        };
        return listReceived(listing, cursor, limited);
      }),
    );
  }

  /** MyInvois holds what suppliers sent: nothing of ours is written there. */
  async writeBack(): Promise<WriteBackOutcome> {
    return { kind: 'unsupported' };
  }

  async rejectDocument(
    { ref, reason }: RejectionCommand,
    signal: AbortSignal,
  ): Promise<RejectionOutcome> {
    return this.#within<RejectionOutcome>(signal, async (limited) => {
      const outcome = await this.#api.reject(ref, reason, limited);
      switch (outcome.kind) {
        case 'answer':
          return { kind: 'rejected' };
        case 'missing':
          return { kind: 'refused', reason: 'MyInvois has no such document' };
        case 'refused':
          return refusedOutcome(outcome.code);
        case 'collided':
          return { kind: 'refused', reason: 'MyInvois has a conflict about it' };
        case 'too-large':
        case 'unreachable':
          return { kind: 'unreachable', fault: outcome.fault };
      }
    });
  }

  close(): Promise<void> {
    return this.#api.close();
  }

  #newest(signal: AbortSignal) {
    const toMs = this.#context.clock().getTime();
    const fromMs = toMs - windowDays * 86_400_000;
    return this.#api.search({ status: 'Valid', fromMs, toMs, page: 1 }, signal);
  }

  #within<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>) {
    return withinCall(this.#api.where, signal, this.#context.timeoutMs, work);
  }
}

/** MyInvois takes a rejection once, of a valid document, within its time. */
function refusedOutcome(code: string): RejectionOutcome {
  switch (code) {
    case 'IncorrectState':
      // A lost answer to an earlier request looks the same; cancelled, it needs no rejection.
      return { kind: 'already' };
    case 'OperationPeriodOver':
      return { kind: 'refused', reason: 'the time to reject it is over (OperationPeriodOver)' };
    default:
      return { kind: 'refused', reason: `MyInvois refuses it (${code || 'without a code'})` };
  }
}
