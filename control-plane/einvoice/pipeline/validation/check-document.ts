import type { ConnectorFault, ReadOutcome } from '@drawbridge/connectors/contract.ts';
import { isOfSettings } from '@drawbridge/connectors/fault.ts';
import { notPosted } from '@drawbridge/lifecycle/submission-policy.ts';
import { profileById } from '@drawbridge/profiles/registry.ts';
import type { SourceDocument } from '@drawbridge/records/document.ts';
import { rejection } from '@drawbridge/validation/source/verdict.ts';
import type { ThreadOutcome } from '../../../platform/concurrency/thread-pool.ts';
import type { StoredVerdict } from '../../document-checks/document-checker.ts';
import { endedMessage } from '../../document-checks/refusal.ts';
import { correctedBy } from '../../invoices/corrected-invoices.ts';
import { contentHash } from '../held-invoices/content-hash.ts';
import {
  isSourceGivenUp,
  type PipelineContext,
  type Postponement,
  retryLater,
  retryWhenFree,
  type WorkItem,
} from '../work-item.ts';
import { type ConnectorSetup, policyOf } from './connector-setup.ts';

/** The result for an item: a verdict, or an attempt to repeat later. */
export type ValidationResult =
  | CheckedItem
  | { readonly item: WorkItem; readonly postponement: Postponement };

export interface CheckedItem {
  readonly item: WorkItem;
  readonly verdict: StoredVerdict;
  /** A hash of the source document, where it is to be held. */
  readonly content?: string;
}

/** What came of reading a document, as a verdict on it or an attempt to repeat later. Throws what it cannot explain. */
export async function checkDocument(
  context: PipelineContext,
  tenantId: string,
  item: WorkItem,
  outcome: ReadOutcome,
  setup: ConnectorSetup,
): Promise<ValidationResult> {
  switch (outcome.kind) {
    case 'found':
      return checkFound(context, tenantId, item, outcome.document, setup);
    case 'missing': {
      const { source_ref: ref } = item.invoice;
      const message = `The source has no document "${ref}". Check the reference against the ERP.`;
      return rejected(item, 'SOURCE-NOT-FOUND', message);
    }
    case 'unusable':
      return rejected(item, `SOURCE-${outcome.fault.code}`, outcome.fault.message);
    case 'unreachable':
      return isOfSettings(outcome.fault)
        ? rejected(item, `SOURCE-${outcome.fault.code}`, outcome.fault.message)
        : unreachable(context, item, outcome.fault);
  }
}

async function checkFound(
  context: PipelineContext,
  tenantId: string,
  item: WorkItem,
  source: SourceDocument,
  setup: ConnectorSetup,
): Promise<ValidationResult> {
  const { id, environment, connector_id: connectorId, profile: profileId } = item.invoice;
  const profile = profileById(profileId)!;
  const policy = policyOf(setup, item.invoice);
  const unposted = notPosted(policy?.posted, source.sections.header?.[0]?.values);
  if (unposted !== undefined) return rejected(item, 'SOURCE-NOT-POSTED', unposted);
  const mapping = setup.mappings.find((each) => each.profile === profileId)?.document;
  const note = { tenantId, environment, profile, connectorId, id };
  const { waitsFor, cleared } = await correctedBy(context.db, note, source, mapping);
  const now = context.clock();
  // As long as for a source.
  if (waitsFor !== undefined && !isSourceGivenUp(context, item.job, now)) {
    return waiting(item, now, `It corrects ${waitsFor}, which has no verdict yet.`);
  }
  const company = setup.companies[environment];
  const checked = await context.checker.verdict(tenantId, {
    profile,
    mapping,
    company,
    cleared,
    source,
    connectorId,
    now,
  });
  const result = checkResult(context, item, checked);
  return policy?.hold === undefined || !('verdict' in result)
    ? result
    : { ...result, content: contentHash(source) };
}

/** Checks of one document that may end before their end: the machine may be at fault, or the document. */
const endedChecksMax = 3;

function checkResult(
  { clock }: PipelineContext,
  item: WorkItem,
  checked: ThreadOutcome<StoredVerdict>,
): ValidationResult {
  switch (checked.kind) {
    case 'done':
      return { item, verdict: checked.result };
    case 'busy':
      return { item, postponement: retryWhenFree(item, clock()) };
    case 'ended': {
      const { failures = 0 } = item.job.payload;
      const message = endedMessage(checked.cause);
      // What needs too much memory needs it each time.
      if (checked.cause !== 'memory' && failures + 1 < endedChecksMax) {
        return { item, postponement: retryLater(item, clock(), message) };
      }
      return rejected(item, 'LIMIT-work', message);
    }
  }
}

/**
 * The source is down, which is not the submission's fault: it is tried again for as long as the
 * setting `sourceGiveUpHours` says.
 */
function unreachable(
  context: PipelineContext,
  item: WorkItem,
  fault: ConnectorFault,
): ValidationResult {
  const now = context.clock();
  if (isSourceGivenUp(context, item.job, now)) {
    const hours = Math.round(context.settings.sourceGiveUpMs / 3_600_000);
    const message = `The source did not answer for ${hours} hours. Last: ${fault.message}`;
    return rejected(item, 'SOURCE-UNAVAILABLE', message);
  }
  const { retry, message } = fault;
  const afterMs = typeof retry === 'object' ? retry.afterSeconds * 1_000 : undefined;
  return waiting(item, now, message, afterMs);
}

/** Tried again later; the client sees why. */
function waiting(item: WorkItem, now: Date, reason: string, afterMs?: number): ValidationResult {
  const postponement = retryLater(item, now, reason, afterMs);
  const payload = { ...postponement.payload, waitsBecause: reason };
  return { item, postponement: { ...postponement, payload } };
}

function rejected(item: WorkItem, rule: string, message: string): ValidationResult {
  return { item, verdict: rejection(profileById(item.invoice.profile)!, rule, message) };
}
