import { createHash } from 'node:crypto';
import { busy } from '@drawbridge/concurrency/semaphore.ts';
import type { ReadOutcome } from '@drawbridge/connectors/contract.ts';
import { z } from 'zod';
import type { Environment } from '../../platform/auth/principal.ts';
import type { Job } from '../../platform/jobs/job.ts';
import { type ConnectorRow, findConnectors } from '../connectors/store.ts';
import {
  completeJobs,
  type PipelineContext,
  type PipelineJobPayload,
  type Postponement,
  reschedule,
  retryLater,
  retryWhenFree,
  triedForMs,
} from '../pipeline/work-item.ts';
import { cancelDocument } from './cancel.ts';
import { keepDocument } from './keep-document.ts';

/** The queue of documents that an agent found in a source of suppliers' documents. */
export const sourceQueue = 'received-from-source';

/** The payload of a job of that queue. */
export interface SourceJobPayload extends PipelineJobPayload {
  readonly connector: string;
  readonly ref: string;
}

export type SourceContext = Pick<
  PipelineContext,
  'db' | 'jobs' | 'clock' | 'random' | 'checker' | 'sources' | 'concurrency'
>;

const readTimeoutMs = 60_000;
/** How long a document is asked for that its source has told of, also over a holiday; then a person sees its ref. */
const giveUpAfterMs = 30 * 86_400_000;
/** Of the content, behind the ref: a file of the same name with other content is another document. */
const digestLength = 16;
/** MyInvois takes no longer reason. */
const reasonLengthMax = 300;

/** The job of one report of a document; each is separate, so that a later change is not lost. */
export function sourceJob(
  eventId: string,
  environment: Environment,
  connector: string,
  ref: string,
) {
  const payload: SourceJobPayload = { environment, connector, ref };
  return { queue: sourceQueue, key: `${environment} ${connector} ${eventId} ${ref}`, payload };
}

/** Reads a supplier's document from its source, keeps it, and confirms it there once it is kept. */
export async function receiveFromSource(
  context: SourceContext,
  job: Job<SourceJobPayload>,
): Promise<void> {
  const { tenantId, payload } = job;
  const [connector] = await context.db.tenant(tenantId, (tx) =>
    findConnectors(tx, tenantId, [payload.connector]),
  );
  const receives = connector?.receives[payload.environment];
  const postponement =
    connector === undefined || receives === undefined
      ? undefined
      : await take(context, job, connector, receives.import_to);
  await context.db.tenant(tenantId, async (tx) => {
    if (postponement === undefined) await completeJobs(context, tx, tenantId, [{ job }]);
    else await reschedule(context, tx, tenantId, [postponement]);
  });
}

/** Undefined when it is done with. */
async function take(
  context: SourceContext,
  job: Job<SourceJobPayload>,
  connector: ConnectorRow,
  importTo: string | undefined,
): Promise<Postponement | undefined> {
  const { tenantId, payload } = job;
  const { environment, ref } = payload;
  const outcome = await read(context, tenantId, connector, ref);
  const now = context.clock();
  if (outcome === busy) return retryWhenFree({ job }, now);
  if (outcome.kind === 'missing') return undefined;
  if (outcome.kind === 'unreachable' && !isGivenUp(job, now)) {
    return retryLater({ job }, now, outcome.fault.message);
  }
  const { xml, until, cancelled, unreadable, isCleared } = documentOf(outcome, ref);
  const scope = { tenantId, environment };
  if (cancelled !== undefined) {
    const { at = now, reason } = cancelled;
    const cancellation = { clearanceId: ref, at, reason };
    await context.db.tenant(tenantId, (tx) =>
      cancelDocument(tx, context.jobs, scope, cancellation, { now, random: context.random }),
    );
    return undefined;
  }
  const digest = createHash('sha256').update(xml).digest('hex').slice(0, digestLength);
  const kept = await keepDocument(context, scope, {
    source: connector.id,
    networkId: `${ref}#${digest}`,
    xml,
    ...(importTo === undefined ? {} : { importTo }),
    ...(until === undefined ? {} : { rejectableUntil: until }),
    ...(unreadable === undefined ? {} : { unreadable }),
    ...(isCleared ? { clearanceId: ref } : {}),
  });
  return kept.kind === 'busy' ? retryWhenFree({ job }, now) : undefined;
}

function isGivenUp(job: Job<SourceJobPayload>, now: Date): boolean {
  const { firstFailedAt } = job.payload;
  return (
    firstFailedAt !== undefined && triedForMs(job, new Date(firstFailedAt), now) > giveUpAfterMs
  );
}

/** The ref of a document that was kept under that id. */
export function refOfSource(networkId: string): string {
  return networkId.slice(0, networkId.lastIndexOf('#'));
}

function read(
  { concurrency, sources }: SourceContext,
  tenantId: string,
  connector: ConnectorRow,
  ref: string,
): Promise<ReadOutcome | typeof busy> {
  return concurrency.sources.run(tenantId, connector.id, async () => {
    const over = AbortSignal.timeout(readTimeoutMs);
    const [outcome] = await sources.read(tenantId, connector, [ref], over);
    return outcome ?? { kind: 'missing' };
  });
}

const noXml = 'It is no XML. Only invoices and credit notes in UBL are read here.';

/** What a source holds under a ref. */
interface Found {
  readonly xml: string;
  readonly until?: Date | undefined;
  readonly cancelled?: { readonly at: Date | undefined; readonly reason: string | null };
  /** Why there is no XML. */
  readonly unreadable?: string;
  /** Whether the ref is the identifier under which MyInvois has cleared it. */
  readonly isCleared?: boolean;
}

/** What cannot be used is kept as an empty document, so that a person sees that it came. */
function documentOf(outcome: Exclude<ReadOutcome, { kind: 'missing' }>, ref: string): Found {
  if (outcome.kind === 'unusable') return { xml: '', unreadable: outcome.fault.message };
  if (outcome.kind === 'unreachable') {
    const unreadable = `Its source could not be read for 30 days: ${outcome.fault.message}`;
    return { xml: '', unreadable };
  }
  const { xml = '', sections } = outcome.document;
  const said = sections.header?.[0]?.values ?? {};
  const found = xml === '' ? { xml, unreadable: noXml } : { xml };
  if (!isOfMyInvois(ref, said)) return found;
  if (said.myinvois_status === 'Cancelled') {
    const reason = said.status_reason?.slice(0, reasonLengthMax) ?? null;
    return { xml, cancelled: { at: instantOf(said.cancelled_at), reason } };
  }
  return { ...found, isCleared: true, until: instantOf(said.rejectable_until) };
}

/**
 * Whether MyInvois said it: a file or a mail, whose sender chooses its elements and often its name, has a ref with
 * other signs.
 */
function isOfMyInvois(ref: string, { uuid }: Readonly<Record<string, string | null>>): boolean {
  return uuid === ref && /^[A-Z0-9]{10,40}$/.test(ref);
}

function instantOf(text: string | null | undefined): Date | undefined {
  const parsed = z.iso.datetime({ offset: true }).safeParse(text);
  return parsed.success ? new Date(parsed.data) : undefined;
}
