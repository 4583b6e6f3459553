/** Mails the report of a broadcast to whoever made it: at most once, and signed as invitations are. */
import { type BroadcastReport, reportMail } from '@drawbridge/messaging/broadcast/report-mail.ts';
import { tally } from '@drawbridge/messaging/broadcast/tally.ts';
import { type Mailer, wasNotTaken } from '../../../../people/mail.ts';
import { brandOf } from '../../../../people/mail-brand.ts';
import { findMember } from '../../../../people/members/store.ts';
import { mayReadBroadcasts } from '../../../../people/roles/messaging-roles.ts';
import { nobodyOf } from '../../../../platform/audit/actor.ts';
import type { AuditLog } from '../../../../platform/audit/audit-log.ts';
import type { Environment } from '../../../../platform/auth/principal.ts';
import type { TenantScope } from '../../../../platform/auth/tenant-scope.ts';
import { firstRows } from '../../../../platform/db/keyset.ts';
import type { Tx } from '../../../../platform/db/tx.ts';
import type { Job } from '../../../../platform/jobs/job.ts';
import type { Secrets } from '../../../../platform/secrets/secrets.ts';
import type { BroadcastContext } from '../../context.ts';
import { listUrls } from '../../links/store.ts';
import { type BroadcastRow, findBroadcast } from '../../store.ts';
import { sumOfBroadcasts } from '../count-store.ts';
import {
  claimReport,
  countFailures,
  findReportSettings,
  releaseReport,
  settleReport,
} from './store.ts';

export type ReportJob = Job<{ readonly environment: Environment; readonly tries: number }>;

export interface ReportContext
  extends Pick<BroadcastContext, 'db' | 'jobs' | 'clock' | 'log' | 'publicUrl'> {
  readonly mailer: Mailer;
  readonly secrets: Pick<Secrets, 'open'>;
  readonly auditLog: AuditLog;
}

const reasonsMax = 10;
const linksMax = 20;
/** Seconds until a mail that the server refused is handed in again. */
const delaysSeconds = [60, 600, 3_600, 14_400];

/** What is mailed, and to whom. */
type Prepared = Parameters<Mailer['send']>[0];

export async function mailReport(context: ReportContext, job: ReportJob): Promise<void> {
  const scope: TenantScope = { tenantId: job.tenantId, environment: job.payload.environment };
  const mail = await context.db.tenant(scope.tenantId, async (tx) => {
    const prepared = await prepare(context, tx, scope, job.key);
    if (prepared === undefined) await context.jobs.complete(tx, scope.tenantId, [job]);
    else await context.jobs.renewLeases(tx, [job]);
    return prepared;
  });
  if (mail === undefined) return;
  try {
    await context.mailer.send(mail);
  } catch (err) {
    context.log.warn({ err, broadcastId: job.key }, 'the report of a broadcast was not mailed');
    return context.db.tenant(scope.tenantId, (tx) => settleFailed(context, tx, scope, job, err));
  }
  await context.db.tenant(scope.tenantId, async (tx) => {
    await settleReport(tx, scope, job.key, 'sent');
    await context.auditLog.record(tx, scope.tenantId, nobodyOf('messaging', scope.environment), {
      action: 'mailBroadcastReport',
      subject: job.key,
      after: { to: mail.to, from: mail.sender?.address ?? null },
    });
    await context.jobs.complete(tx, scope.tenantId, [job]);
  });
}

/** Claims the report. Undefined: nobody wants it, or it may have been mailed before. */
async function prepare(
  context: ReportContext,
  tx: Tx,
  scope: TenantScope,
  id: string,
): Promise<Prepared | undefined> {
  const row = await findBroadcast(tx, scope, id);
  const settings = await findReportSettings(tx, scope);
  if (row === undefined || settings?.mail_to_creator === false) return undefined;
  const person = await findMember(tx, scope.tenantId, row.author);
  if (person === undefined || !mayReadBroadcasts(person.role)) return undefined;
  const now = context.clock();
  if (!(await claimReport(tx, scope, id, row.author, now))) return undefined;
  const { sender, domain } = await brandOf(tx, context.secrets, scope.tenantId);
  const isOwnDomain = scope.environment === 'live' && domain !== undefined;
  const site = isOwnDomain ? `https://${domain}` : context.publicUrl(scope.environment);
  const report = await reportOf(tx, scope, row, now, `${site}/console/broadcasts/${id}`);
  return { to: person.email, sender, ...reportMail(report, settings?.language ?? 'en') };
}

async function reportOf(
  tx: Tx,
  scope: TenantScope,
  row: BroadcastRow,
  countedAt: Date,
  page: string,
): Promise<BroadcastReport> {
  const [sum] = await sumOfBroadcasts(tx, scope, [row.id]);
  const urls = await listUrls(tx, scope, row.id, firstRows(linksMax));
  return {
    template: row.template,
    segment: row.segment,
    state: row.state as BroadcastReport['state'],
    detail: row.detail,
    isSandbox: scope.environment === 'sandbox',
    recipients: row.recipients,
    counts: sum ?? tally({}),
    failures: await countFailures(tx, scope, row.id, reasonsMax),
    skipped: row.skipped,
    links: urls.map(({ url, clicks, unique_clicks: people }) => ({ url, clicks, people })),
    countedAt,
    page,
  };
}

/** Handed in again only if the server surely did not take it: nobody gets a report twice. */
async function settleFailed(
  { jobs, clock }: ReportContext,
  tx: Tx,
  scope: TenantScope,
  job: ReportJob,
  err: unknown,
): Promise<void> {
  const { tries } = job.payload;
  const delay = delaysSeconds[tries];
  if (!wasNotTaken(err) || delay === undefined) {
    await settleReport(tx, scope, job.key, wasNotTaken(err) ? 'refused' : 'unknown');
    return jobs.complete(tx, scope.tenantId, [job]);
  }
  await releaseReport(tx, scope, job.key);
  const runAt = new Date(clock().getTime() + delay * 1_000);
  const payload = { ...job.payload, tries: tries + 1 };
  await jobs.reschedule(tx, scope.tenantId, [{ job, runAt, payload }]);
}
