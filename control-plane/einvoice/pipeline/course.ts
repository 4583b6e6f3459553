import type { ReadOutcome } from '@drawbridge/connectors/contract.ts';
import type { Validator } from '@drawbridge/validation/validate.ts';
import type { Environment } from '../../platform/auth/principal.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { Clock, RandomBytes } from '../../platform/ids.ts';
import type { Job } from '../../platform/jobs/job.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Log } from '../../platform/log/log.ts';
import type { ConnectorRow } from '../connectors/store.ts';
import type { InvoiceRow } from '../invoices/store.ts';
import type { AuthorityDesk } from './authority-desk.ts';
import type { Lanes } from './lanes.ts';

/** What the steps work with. */
export interface PipelineContext {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly log: Log;
  readonly validator: Validator;
  readonly authorities: AuthorityDesk;
  readonly sources: Sources;
  /** Lets requests that are under way go before the next document, for a short while at most. */
  readonly giveWay: () => Promise<void>;
  /** Turns of the calls to sources, and of those to authorities. */
  readonly lanes: { readonly sources: Lanes; readonly authorities: Lanes };
  readonly settings: PipelineSettings;
}

export interface PipelineSettings {
  /** How long a source may stay unreachable before its invoices are rejected. */
  readonly sourceGiveUpMs: number;
  /** How long an authority may owe its verdict on a submitted invoice before it is asked no more. */
  readonly authorityGiveUpMs: number;
}

/** Reads documents through a tenant's connectors; many of one connector at once. */
export interface Sources {
  read(
    tenantId: string,
    connector: ConnectorRow,
    refs: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly ReadOutcome[]>;
}

/** What a job of the pipeline remembers from one attempt to the next. */
export interface Memory {
  readonly environment: Environment;
  /** Attempts in a row that failed for an outside reason. */
  readonly tries?: number;
  /** When the first of them did, ISO 8601. */
  readonly since?: string;
}

/** One invoice on its way, with the job that a worker holds for it. */
export interface Course {
  readonly job: Job<Memory>;
  readonly invoice: InvoiceRow;
}

/** The courses of jobs whose invoice is there and `isOpen`; the other jobs end. */
export async function takeUp(
  context: PipelineContext,
  tx: Tx,
  tenantId: string,
  from: {
    readonly jobs: readonly Job<Memory>[];
    readonly invoices: readonly InvoiceRow[];
    readonly isOpen: (invoice: InvoiceRow) => boolean;
  },
): Promise<readonly Course[]> {
  const { jobs, invoices, isOpen } = from;
  const byId = new Map(invoices.map((invoice) => [invoice.id, invoice]));
  const courses: Course[] = [];
  const over: Pick<Course, 'job'>[] = [];
  for (const job of jobs) {
    const invoice = byId.get(job.key);
    if (invoice !== undefined && isOpen(invoice)) courses.push({ job, invoice });
    else over.push({ job });
  }
  await finish(context, tx, tenantId, over);
  return courses;
}

/** Ends the jobs of courses that have nothing more to do, in the transaction that made it so. */
export async function finish(
  { jobs }: PipelineContext,
  tx: Tx,
  tenantId: string,
  courses: readonly Pick<Course, 'job'>[],
): Promise<void> {
  if (courses.length > 0)
    await jobs.complete(
      tx,
      tenantId,
      courses.map(({ job }) => job),
    );
}

/** When a course goes on, and what it was that kept it. */
export interface Rest {
  readonly course: Pick<Course, 'job'>;
  readonly at: Date;
  readonly memory: Memory;
  readonly error?: string;
}

/**
 * Lets courses rest until their time; refused, like `finish`, when another worker took them over.
 */
export async function rest(
  { jobs }: PipelineContext,
  tx: Tx,
  tenantId: string,
  items: readonly Rest[],
): Promise<void> {
  if (items.length === 0) return;
  await jobs.reschedule(
    tx,
    tenantId,
    items.map(({ course: { job }, at, memory, error }) => ({
      ...{ job, runAt: at },
      // What else the job carries stays.
      payload: { ...job.payload, tries: undefined, since: undefined, ...memory },
      ...(error === undefined ? {} : { error }),
    })),
  );
}

/** Nothing is wrong, it is only too early. */
export function later(course: Pick<Course, 'job'>, at: Date): Rest {
  return { course, at, memory: { environment: course.job.payload.environment } };
}

/** Something outside stood in the way: tried again soon at first, then every five minutes. */
export function again(
  course: Pick<Course, 'job'>,
  now: Date,
  error: string,
  afterMs?: number,
): Rest {
  const { environment, tries = 0, since = now.toISOString() } = course.job.payload;
  const memory = { environment, tries: tries + 1, since };
  return { course, at: retryAt(now, tries, afterMs), memory, error };
}

/** It was not its turn at a place that is slow or much in demand; that is no failed attempt. */
export function outOfTurn(course: Pick<Course, 'job'>, now: Date): Rest {
  const { environment, tries, since = now.toISOString() } = course.job.payload;
  return {
    course,
    at: new Date(now.getTime() + busyRestMs),
    memory: { environment, since, ...(tries === undefined ? {} : { tries }) },
    error: 'busy',
  };
}

const busyRestMs = 5_000;
const waits = [1, 2, 5, 15, 30, 60, 120, 300] as const;

/** The instant of the next try after that many failed ones, not before `afterMs` have passed. */
export function retryAt(now: Date, tries: number, afterMs = 0): Date {
  const seconds = waits[Math.min(tries, waits.length - 1)]!;
  return new Date(now.getTime() + Math.max(afterMs, seconds * 1_000));
}
