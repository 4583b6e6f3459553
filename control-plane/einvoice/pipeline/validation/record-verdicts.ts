import type { Hold, SubmissionPolicy } from '@drawbridge/lifecycle/submission-policy.ts';
import type { Checks } from '@drawbridge/lifecycle/transitions.ts';
import { stagesPassed } from '@drawbridge/validation/source/verdict.ts';
import { bufferOf } from '../../../platform/db/insert.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { findSubmissionPolicies } from '../../connectors/store.ts';
import type { StoredVerdict } from '../../document-checks/document-checker.ts';
import type { InvoiceRow } from '../../invoices/store.ts';
import { announceVerdicts } from '../../invoices/verdict-listener.ts';
import { addHeldEvents } from '../held-invoices/held-event.ts';
import { type ContentRow, lockDocuments, saveContents } from '../store.ts';
import { applyTransitions, type InvoiceTransition } from '../transitions.ts';
import {
  completeJobs,
  type PipelineContext,
  reschedule,
  type WorkItem,
  waitUntil,
} from '../work-item.ts';
import { invalidJobs } from '../write-back/invalid-jobs.ts';
import type { CheckedItem, ValidationResult } from './check-document.ts';
import { type ConnectorSetup, policyOf } from './connector-setup.ts';
import { type DecidedItem, documentKey, findEarlier, markDuplicate } from './duplicates.ts';

/**
 * Decides and stores what was checked, in one transaction: duplicates, states, events, documents and the jobs that
 * follow. Returns the items that go on to the authority.
 */
export async function recordVerdicts(
  context: PipelineContext,
  tx: Tx,
  tenantId: string,
  checked: readonly ValidationResult[],
  setup: ConnectorSetup | undefined,
): Promise<readonly WorkItem[]> {
  const { random, metrics } = context;
  const now = context.clock();
  const checkedItems = checked.flatMap(checkedItemOf);
  // Sent together and done in this order: what follows the lock sees all that was decided before.
  const [, policies, , earlier] = await Promise.all([
    lockDocuments(tx, tenantId, checkedItems.flatMap(documentKey)),
    setup && findSubmissionPolicies(tx, tenantId, setup.connector.id),
    // Valid documents are sent at once, so no other worker may hold these jobs.
    context.jobs.renewLeases(
      tx,
      checkedItems.map(({ item }) => item.job),
    ),
    findEarlier(tx, tenantId, checkedItems),
  ]);
  // Nothing is decided by a policy that has been replaced meanwhile: those are checked again.
  const isReplaced = JSON.stringify(policies) !== JSON.stringify(setup?.connector.submission);
  const results = isReplaced
    ? checked.map(({ item }) => ({ item, postponement: waitUntil(item, now) }))
    : checked;
  const isStrict = setup?.connector.duplicates === 'reject';
  const decided = results
    .flatMap(checkedItemOf)
    .map((each) => markDuplicate(each, earlier.get(each.item.invoice.id), isStrict));
  const transitions = decided.map((each) =>
    transitionOf(each, policyOf(setup, each.item.invoice), now),
  );
  const contents = decided.flatMap(({ item, verdict }) => contentRowsOf(tenantId, item, verdict));
  const postponed = results.flatMap((each) => ('postponement' in each ? [each.postponement] : []));
  const [current] = await Promise.all([
    applyTransitions(tx, tenantId, transitions, { now, random, metrics }),
    saveContents(tx, contents),
    reschedule(context, tx, tenantId, postponed),
  ]);
  const after = decided.map(({ item }) => ({ ...item, invoice: current.get(item.invoice.id)! }));
  const isGoingOn = ({ invoice }: WorkItem) =>
    invoice.state === 'validated' && invoice.waits_for === null;
  const held = after.filter(({ invoice }) => invoice.waits_for !== null);
  await addHeldEvents(
    tx,
    tenantId,
    held.map(({ invoice }) => invoice),
    { now, random },
  );
  await completeJobs(
    context,
    tx,
    tenantId,
    after.filter((each) => !isGoingOn(each)),
  );
  const untold = invalidJobs(setup?.connector, rejectedOf(decided), now);
  await context.jobs.enqueue(tx, tenantId, untold);
  // Whoever submits it again may have cancelled the earlier one on the authority's portal.
  const refused = decided.flatMap(({ verdict, duplicateOf }) =>
    verdict.kind === 'failed' && duplicateOf !== undefined ? [duplicateOf] : [],
  );
  if (refused.length > 0) await context.jobs.runNow(tx, tenantId, 'acknowledge', refused);
  announceVerdicts(
    tx,
    decided.map(({ item }) => item.invoice.id),
  );
  return after.filter(isGoingOn);
}

function checkedItemOf(result: ValidationResult): CheckedItem[] {
  return 'verdict' in result ? [result] : [];
}

function transitionOf(
  { item, verdict, content, duplicateOf }: DecidedItem,
  policy: SubmissionPolicy | undefined,
  now: Date,
): InvoiceTransition {
  const { invoice } = item;
  const common = {
    ...verdict.identity,
    ...(duplicateOf === undefined ? {} : { duplicateOf }),
    warnings: verdict.warnings,
  };
  if (verdict.kind === 'passed') {
    const checks: Checks = { ...invoice.checks, ...stagesPassed };
    if (policy?.hold !== undefined) {
      const hold: Hold = { since: now.toISOString(), for: policy.hold, content: content ?? '' };
      return { invoice, trigger: 'pass', change: { ...common, checks, hold, waitsFor: 'release' } };
    }
    // Saved before anything is sent, so that a worker that takes over after a crash looks it up
    // first.
    return { invoice, trigger: 'pass', change: { ...common, checks, sentAt: now } };
  }
  const skipped =
    'authority_clearance' in invoice.checks ? { authority_clearance: 'skipped' as const } : {};
  return {
    invoice,
    trigger: 'fail',
    change: { ...common, errors: verdict.errors, checks: { ...verdict.checks, ...skipped } },
  };
}

/** Those that were rejected; what could not be read, or waits for a mapping, stays where it is. */
function rejectedOf(decided: readonly DecidedItem[]): readonly InvoiceRow[] {
  return decided.flatMap(({ item, verdict }) =>
    verdict.kind === 'failed' && !verdict.errors.some(({ rule }) => /-(SOURCE|MAPPING)-/.test(rule))
      ? [item.invoice]
      : [],
  );
}

function contentRowsOf(
  tenantId: string,
  { invoice }: WorkItem,
  verdict: StoredVerdict,
): ContentRow[] {
  if (verdict.cim === undefined) return [];
  const { provenance } = verdict;
  return [
    {
      invoice_id: invoice.id,
      tenant_id: tenantId,
      cim: verdict.cim,
      provenance:
        provenance instanceof Uint8Array
          ? bufferOf(provenance)
          : Buffer.from(JSON.stringify(provenance)),
      document: stored(verdict.document),
      clearance: verdict.kind === 'passed' ? stored(verdict.clearance) : null,
    },
  ];
}

function stored(xml: string | Uint8Array | undefined): string | Buffer | null {
  return xml instanceof Uint8Array ? bufferOf(xml) : (xml ?? null);
}
