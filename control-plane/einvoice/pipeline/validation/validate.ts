import { busy } from '@drawbridge/concurrency/semaphore.ts';
import type { ConnectorFault, ReadOutcome } from '@drawbridge/connectors/contract.ts';
import { isOfSettings } from '@drawbridge/connectors/fault.ts';
import {
  type Hold,
  notPosted,
  type SubmissionPolicy,
} from '@drawbridge/lifecycle/submission-policy.ts';
import type { Checks } from '@drawbridge/lifecycle/transitions.ts';
import type { Company } from '@drawbridge/profiles/company.ts';
import { profileById } from '@drawbridge/profiles/registry.ts';
import { rejection, stagesPassed } from '@drawbridge/validation/source/verdict.ts';
import type { Environment } from '../../../platform/auth/principal.ts';
import type { ThreadOutcome } from '../../../platform/concurrency/thread-pool.ts';
import { bufferOf } from '../../../platform/db/insert.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { forSubjects, inSpan } from '../../../platform/tracing/active-spans.ts';
import { findCompanies } from '../../company/store.ts';
import {
  type ConnectorRow,
  findConnectors,
  findMappings,
  findSubmissionPolicies,
  type MappingRow,
} from '../../connectors/store.ts';
import type { StoredVerdict } from '../../document-checks/document-checker.ts';
import { endedMessage } from '../../document-checks/refusal.ts';
import { sizeOf } from '../../document-checks/source-size.ts';
import { correctedBy } from '../../invoices/corrected-invoices.ts';
import type { InvoiceRow } from '../../invoices/store.ts';
import { announceVerdicts } from '../../invoices/verdict-listener.ts';
import { contentHash } from '../held-invoices/content-hash.ts';
import { addHeldEvents } from '../held-invoices/held-event.ts';
import {
  type ContentRow,
  type DocumentKey,
  findDuplicates,
  lockVerdicts,
  saveContents,
} from '../store.ts';
import { applyTransitions, type InvoiceTransition } from '../transitions.ts';
import {
  completeJobs,
  isSourceGivenUp,
  type PipelineContext,
  type Postponement,
  reschedule,
  retryLater,
  retryWhenFree,
  type WorkItem,
  waitUntil,
} from '../work-item.ts';
import { invalidJobs } from '../write-back/invalid-jobs.ts';

/** The result for an item: a verdict, or an attempt to repeat later. */
type ValidationResult =
  | CheckedItem
  | { readonly item: WorkItem; readonly postponement: Postponement };

interface CheckedItem {
  readonly item: WorkItem;
  readonly verdict: StoredVerdict;
  /** A hash of the source document, where it is to be held. */
  readonly content?: string;
}

/**
 * `validating` → `validated` or `rejected`, for items of one connector: read, map and validate in
 * both stages. Returns the validated items.
 */
export async function validate(
  context: PipelineContext,
  tenantId: string,
  items: readonly WorkItem[],
  signal: AbortSignal,
): Promise<readonly WorkItem[]> {
  const [first] = items;
  if (first === undefined) return [];
  const connectorId = first.invoice.connector_id;
  const setup = await context.db.tenant(tenantId, (tx) => readSetup(tx, tenantId, connectorId));
  const results =
    setup === undefined
      ? items.map((item) => ({ item, verdict: connectorDeleted(item) }))
      : await pull(context, tenantId, items, setup, signal);
  return context.db.tenant(tenantId, (tx) => record(context, tx, tenantId, results, setup));
}

interface Setup {
  readonly connector: ConnectorRow;
  readonly mappings: readonly MappingRow[];
  readonly companies: Partial<Record<Environment, Company>>;
}

async function readSetup(
  tx: Tx,
  tenantId: string,
  connectorId: string,
): Promise<Setup | undefined> {
  const [[connector], mappings, companies] = await Promise.all([
    findConnectors(tx, tenantId, [connectorId]),
    findMappings(tx, tenantId, [connectorId]),
    findCompanies(tx, tenantId),
  ]);
  return connector === undefined ? undefined : { connector, mappings, companies };
}

function connectorDeleted({ invoice }: WorkItem): StoredVerdict {
  return rejection(
    profileById(invoice.profile)!,
    'SOURCE-UNAVAILABLE',
    'The connector was deleted before the document was pulled. Submit it through another one.',
  );
}

const pullTimeoutMs = 60_000;

async function pull(
  context: PipelineContext,
  tenantId: string,
  items: readonly WorkItem[],
  setup: Setup,
  signal: AbortSignal,
): Promise<ValidationResult[]> {
  const outcomes = await context.concurrency.sources.run(tenantId, setup.connector.id, () =>
    inSpan({ name: 'read source' }, () => read(context, tenantId, items, setup, signal)),
  );
  if (outcomes === busy) {
    const now = context.clock();
    return items.map((item) => ({ item, postponement: retryWhenFree(item, now) }));
  }
  context.pullPortions.note(setup.connector.id, outcomes.map(bytesOf));
  const results: Promise<ValidationResult>[] = [];
  for (const [index, item] of items.entries()) {
    await context.yieldToRequests();
    // Those that go to threads do not hold up those that are done here.
    const check = () => validateOne(context, tenantId, item, outcomes[index]!, setup);
    results.push(
      forSubjects(
        [item],
        ({ invoice }) => invoice.id,
        () => inSpan({ name: 'check' }, check),
      ),
    );
  }
  return Promise.all(results);
}

/** What is no outcome at all, by a fault of its connector, fails below, and by itself. */
function bytesOf(outcome: ReadOutcome | null): number {
  return outcome?.kind === 'found' ? sizeOf(outcome.document) : 0;
}

/** A source that cannot be opened counts as one that does not answer. */
async function read(
  context: PipelineContext,
  tenantId: string,
  items: readonly WorkItem[],
  { connector }: Setup,
  signal: AbortSignal,
): Promise<readonly ReadOutcome[]> {
  const refs = items.map((each) => each.invoice.source_ref);
  const over = AbortSignal.any([signal, AbortSignal.timeout(pullTimeoutMs)]);
  try {
    return await context.sources.read(tenantId, connector, refs, over);
  } catch (err) {
    context.log.error({ err, connector: connector.id }, 'a source could not be read');
    const message = 'The connector could not be opened; its operator finds the cause in the log.';
    return refs.map(() => ({
      kind: 'unreachable',
      fault: { code: 'internal', message, retry: 'later' },
    }));
  }
}

/** Validates one document; one that causes a throw must not affect the others of its batch. */
async function validateOne(
  context: PipelineContext,
  tenantId: string,
  item: WorkItem,
  outcome: ReadOutcome,
  setup: Setup,
): Promise<ValidationResult> {
  try {
    return await validateOutcome(context, tenantId, item, outcome, setup);
  } catch (err) {
    context.log.error({ err, invoice: item.invoice.id }, 'a document could not be validated');
    return { item, postponement: retryLater(item, context.clock(), String(err)) };
  }
}

async function validateOutcome(
  context: PipelineContext,
  tenantId: string,
  item: WorkItem,
  outcome: ReadOutcome,
  setup: Setup,
): Promise<ValidationResult> {
  const { invoice } = item;
  const profile = profileById(invoice.profile)!;
  switch (outcome.kind) {
    case 'found': {
      const policy = policyOf(setup, invoice);
      const header = outcome.document.sections.header?.[0]?.values;
      const unposted = notPosted(policy?.posted, header);
      if (unposted !== undefined) {
        return { item, verdict: rejection(profile, 'SOURCE-NOT-POSTED', unposted) };
      }
      const mapping = setup.mappings.find((each) => each.profile === invoice.profile)?.document;
      const note = {
        tenantId,
        environment: invoice.environment,
        profile,
        connectorId: invoice.connector_id,
        id: invoice.id,
      };
      const corrected = await correctedBy(context.db, note, outcome.document, mapping);
      const { waitsFor } = corrected;
      // As long as for a source.
      if (waitsFor !== undefined && !isSourceGivenUp(context, item.job, context.clock())) {
        const reason = `It corrects ${waitsFor}, which has no verdict yet.`;
        return waiting(item, context.clock(), reason);
      }
      const checked = await context.checker.verdict(tenantId, {
        profile,
        mapping,
        company: setup.companies[invoice.environment],
        cleared: corrected.cleared,
        source: outcome.document,
        connectorId: invoice.connector_id,
        now: context.clock(),
      });
      const result = checkResult(context, item, checked);
      return policy?.hold === undefined || !('verdict' in result)
        ? result
        : { ...result, content: contentHash(outcome.document) };
    }
    case 'missing':
      return {
        item: item,
        verdict: rejection(
          profile,
          'SOURCE-NOT-FOUND',
          `The source has no document "${invoice.source_ref}". Check the reference against the ERP.`,
        ),
      };
    case 'unusable':
      return {
        item: item,
        verdict: rejection(profile, `SOURCE-${outcome.fault.code}`, outcome.fault.message),
      };
    case 'unreachable':
      return isOfSettings(outcome.fault)
        ? {
            item,
            verdict: rejection(profile, `SOURCE-${outcome.fault.code}`, outcome.fault.message),
          }
        : unreachable(context, item, outcome.fault);
  }
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
      const profile = profileById(item.invoice.profile)!;
      return { item, verdict: rejection(profile, 'LIMIT-work', message) };
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
    const verdict = rejection(
      profileById(item.invoice.profile)!,
      'SOURCE-UNAVAILABLE',
      `The source did not answer for ${hours} hours. Last: ${fault.message}`,
    );
    return { item, verdict };
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

async function record(
  context: PipelineContext,
  tx: Tx,
  tenantId: string,
  checked: readonly ValidationResult[],
  setup: Setup | undefined,
): Promise<readonly WorkItem[]> {
  const { random, metrics } = context;
  const now = context.clock();
  const checkedItems = checked.flatMap(checkedItemOf);
  // Sent together and done in this order: what follows the lock sees all that was decided before.
  const [, policies, , earlier] = await Promise.all([
    lockVerdicts(tx, tenantId),
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

/** Those that were rejected; what could not be read, or waits for a mapping, stays where it is. */
function rejectedOf(decided: readonly Decided[]): readonly InvoiceRow[] {
  return decided.flatMap(({ item, verdict }) =>
    verdict.kind === 'failed' && !verdict.errors.some(({ rule }) => /-(SOURCE|MAPPING)-/.test(rule))
      ? [item.invoice]
      : [],
  );
}

/** What the connector asks for in the invoice's environment. */
function policyOf(
  setup: Setup | undefined,
  { environment }: InvoiceRow,
): SubmissionPolicy | undefined {
  return setup?.connector.submission[environment];
}

function checkedItemOf(result: ValidationResult): CheckedItem[] {
  return 'verdict' in result ? [result] : [];
}

interface Decided extends CheckedItem {
  readonly duplicateOf?: string;
}

/** Of documents that were submitted before, as which invoice: by the ids of those that say it now. */
async function findEarlier(
  tx: Tx,
  tenantId: string,
  items: readonly CheckedItem[],
): Promise<ReadonlyMap<string, string>> {
  const passed = items.filter(({ verdict }) => verdict.kind === 'passed');
  const environments = Map.groupBy(passed, ({ item }) => item.invoice.environment);
  const found = [...environments].map(async ([environment, group]) => {
    const keys = group.flatMap(documentKey);
    const rows = await findDuplicates(tx, tenantId, environment, keys);
    const earlier = new Map(rows.map((row) => [row.id, row.earlier]));
    addDuplicatesWithinBatch(keys, earlier);
    return [...earlier];
  });
  return new Map((await Promise.all(found)).flat());
}

/** A document that was submitted before is rejected, or has a warning where the connector takes it again. */
function markDuplicate(
  checked: CheckedItem,
  duplicateOf: string | undefined,
  isStrict: boolean,
): Decided {
  const { item, verdict } = checked;
  if (duplicateOf === undefined || verdict.kind !== 'passed') return checked;
  const { profile } = item.invoice;
  const message = `This document (seller, number, type and year) was submitted before, as ${duplicateOf}.`;
  if (isStrict) {
    const advice = `${message} Once that one is rejected, or cancelled by its authority, submit this one again.`;
    const rejected = rejection(profileById(profile)!, 'DUPLICATE', advice, stagesPassed);
    return { ...checked, verdict: rejected, duplicateOf };
  }
  const warning = {
    field: '/',
    rule: `${profile}-DUPLICATE`,
    message,
    severity: 'warning',
  } as const;
  const warned = { ...verdict, warnings: [...verdict.warnings, warning] };
  return { ...checked, verdict: warned, duplicateOf };
}

/** Documents of this batch are not in the database yet, so they are compared with each other. */
function addDuplicatesWithinBatch(
  keys: readonly DocumentKey[],
  earlier: Map<string, string>,
): void {
  const first = new Map<string, string>();
  for (const { id, ...key } of keys.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const document = JSON.stringify([key.seller, key.number, key.documentType, key.issueYear]);
    const known = first.get(document);
    if (known === undefined) first.set(document, id);
    else if (!earlier.has(id)) earlier.set(id, known);
  }
}

function documentKey({ item, verdict }: CheckedItem): DocumentKey[] {
  const { seller, number, documentType = '', issueYear = 0 } = verdict.identity;
  return seller === undefined || number === undefined
    ? []
    : [{ id: item.invoice.id, seller, number, documentType, issueYear }];
}

function transitionOf(
  { item, verdict, content, duplicateOf }: Decided,
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
