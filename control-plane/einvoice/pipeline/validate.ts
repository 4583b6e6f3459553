import type { ConnectorFault, ReadOutcome } from '@drawbridge/connectors/contract.ts';
import type { Checks } from '@drawbridge/lifecycle/transitions.ts';
import { profileById } from '@drawbridge/profiles/registry.ts';
import type { Tx } from '../../platform/db/tx.ts';
import {
  type ConnectorRow,
  findConnectors,
  findMappings,
  type MappingRow,
} from '../connectors/store.ts';
import { announceVerdicts } from '../invoices/verdicts.ts';
import {
  again,
  type Course,
  finish,
  outOfTurn,
  type PipelineContext,
  type Rest,
  rest,
} from './course.ts';
import { busy } from './lanes.ts';
import { type DocumentKey, findDuplicates, keepContent, lockVerdicts } from './store.ts';
import { type Move, makeMoves } from './transition.ts';
import { judge, refusal, type Verdict } from './verdict.ts';

/** How a course came out of this step: with a verdict, or to be tried again. */
type Judged =
  | { readonly course: Course; readonly verdict: Verdict }
  | { readonly course: Course; readonly rest: Rest };

/**
 * `validating` → `validated` or `rejected`, for courses of one connector: pull, normalise, both
 * stages. Answers those that go on.
 */
export async function validate(
  context: PipelineContext,
  tenantId: string,
  courses: readonly Course[],
  signal: AbortSignal,
): Promise<readonly Course[]> {
  const [first] = courses;
  if (first === undefined) return [];
  const connectorId = first.invoice.connector_id;
  const setup = await context.db.tenant(tenantId, (tx) => readSetup(tx, tenantId, connectorId));
  const judged =
    setup === undefined
      ? courses.map((course) => ({ course, verdict: orphaned(course) }))
      : await pull(context, tenantId, courses, setup, signal);
  const isStrict = setup?.connector.duplicates === 'reject';
  return context.db.tenant(tenantId, (tx) => record(context, tx, tenantId, judged, isStrict));
}

interface Setup {
  readonly connector: ConnectorRow;
  readonly mappings: readonly MappingRow[];
}

async function readSetup(
  tx: Tx,
  tenantId: string,
  connectorId: string,
): Promise<Setup | undefined> {
  const [connector] = await findConnectors(tx, tenantId, [connectorId]);
  if (connector === undefined) return undefined;
  return { connector, mappings: await findMappings(tx, tenantId, [connectorId]) };
}

function orphaned({ invoice }: Course): Verdict {
  return refusal(
    profileById(invoice.profile)!,
    'SOURCE-UNAVAILABLE',
    'The connector was deleted before the document was pulled. Submit it through another one.',
  );
}

const pullTimeoutMs = 60_000;

async function pull(
  context: PipelineContext,
  tenantId: string,
  courses: readonly Course[],
  setup: Setup,
  signal: AbortSignal,
): Promise<Judged[]> {
  const outcomes = await context.lanes.sources.through(setup.connector.id, () =>
    read(context, tenantId, courses, setup, signal),
  );
  if (outcomes === busy) {
    const now = context.clock();
    return courses.map((course) => ({ course, rest: outOfTurn(course, now) }));
  }
  const judged: Judged[] = [];
  for (const [index, course] of courses.entries()) {
    await context.giveWay();
    judged.push(judgeOne(context, course, outcomes[index]!, setup));
  }
  return judged;
}

/** A source that cannot even be opened is one that does not answer. */
async function read(
  context: PipelineContext,
  tenantId: string,
  courses: readonly Course[],
  { connector }: Setup,
  signal: AbortSignal,
): Promise<readonly ReadOutcome[]> {
  const refs = courses.map((each) => each.invoice.source_ref);
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

/** One document that we cannot digest must not hold up the others pulled with it. */
function judgeOne(
  context: PipelineContext,
  course: Course,
  outcome: ReadOutcome,
  setup: Setup,
): Judged {
  try {
    return judgeOutcome(context, course, outcome, setup);
  } catch (err) {
    context.log.error({ err, invoice: course.invoice.id }, 'a document could not be judged');
    return { course, rest: again(course, context.clock(), String(err)) };
  }
}

function judgeOutcome(
  context: PipelineContext,
  course: Course,
  outcome: ReadOutcome,
  setup: Setup,
): Judged {
  const { invoice } = course;
  const profile = profileById(invoice.profile)!;
  switch (outcome.kind) {
    case 'found': {
      const mapping = setup.mappings.find((each) => each.profile === invoice.profile)?.document;
      const verdict = judge({
        ...{ validator: context.validator, profile, mapping, source: outcome.document },
        ...{ connectorId: invoice.connector_id, now: context.clock() },
      });
      return { course, verdict };
    }
    case 'missing':
      return {
        course,
        verdict: refusal(
          profile,
          'SOURCE-NOT-FOUND',
          `The source has no document "${invoice.source_ref}". Check the reference against the ERP.`,
        ),
      };
    case 'unusable':
      return {
        course,
        verdict: refusal(profile, `SOURCE-${outcome.fault.code}`, outcome.fault.message),
      };
    case 'unreachable':
      return unreachable(context, course, outcome.fault);
  }
}

/**
 * The source is down, the submission not at fault: it is tried again until the patience a setting
 * grants is used up.
 */
function unreachable(context: PipelineContext, course: Course, fault: ConnectorFault): Judged {
  const now = context.clock();
  const { since } = course.job.payload;
  const waitedMs = since === undefined ? 0 : now.getTime() - Date.parse(since);
  if (waitedMs > context.settings.sourceGiveUpMs) {
    const hours = Math.round(context.settings.sourceGiveUpMs / 3_600_000);
    const verdict = refusal(
      profileById(course.invoice.profile)!,
      'SOURCE-UNAVAILABLE',
      `The source did not answer for ${hours} hours. Last: ${fault.message}`,
    );
    return { course, verdict };
  }
  const { retry, message } = fault;
  const afterMs = typeof retry === 'object' ? retry.afterSeconds * 1_000 : undefined;
  return { course, rest: again(course, now, message, afterMs) };
}

async function record(
  context: PipelineContext,
  tx: Tx,
  tenantId: string,
  judged: readonly Judged[],
  isStrict: boolean,
): Promise<readonly Course[]> {
  const now = context.clock();
  const verdicts = judged.flatMap((each) => ('verdict' in each ? [each] : []));
  // What passes goes out at once: never by two workers.
  await context.jobs.hold(
    tx,
    verdicts.map(({ course }) => course.job),
  );
  await lockVerdicts(tx, tenantId);
  const settled = await findRepeats(tx, tenantId, verdicts, isStrict);
  const moves = settled.map(({ course, verdict, duplicateOf }) =>
    move(course, verdict, duplicateOf, now),
  );
  const stands = await makeMoves(tx, tenantId, moves, { now, random: context.random });
  await keepContent(
    tx,
    settled.flatMap(({ course, verdict }) => content(tenantId, course, verdict)),
  );
  const rests = judged.flatMap((each) => ('rest' in each ? [each.rest] : []));
  await rest(context, tx, tenantId, rests);
  const goingOn = settled
    .filter(({ verdict }) => verdict.kind === 'passed')
    .map(({ course }) => ({ ...course, invoice: stands.get(course.invoice.id)! }));
  await finish(
    context,
    tx,
    tenantId,
    settled.filter(({ verdict }) => verdict.kind === 'failed').map(({ course }) => course),
  );
  await announceVerdicts(
    tx,
    settled.map(({ course }) => course.invoice.id),
  );
  return goingOn;
}

interface Settled {
  readonly course: Course;
  readonly verdict: Verdict;
  readonly duplicateOf?: string;
}

/**
 * The same document of the same seller, submitted before: told, or refused where the connector says
 * so.
 */
async function findRepeats(
  tx: Tx,
  tenantId: string,
  settled: readonly Settled[],
  isStrict: boolean,
): Promise<readonly Settled[]> {
  const passed = settled.filter(({ verdict }) => verdict.kind === 'passed');
  const earlier = new Map<string, string>();
  const environments = Map.groupBy(passed, (each) => each.course.invoice.environment);
  for (const [environment, group] of environments) {
    const keys = group.flatMap(documentKey);
    for (const row of await findDuplicates(tx, tenantId, environment, keys)) {
      earlier.set(row.id, row.earlier);
    }
    inBatch(keys, earlier);
  }
  return settled.map((each) => {
    const { invoice } = each.course;
    const duplicateOf = earlier.get(invoice.id);
    if (duplicateOf === undefined || each.verdict.kind !== 'passed') return each;
    const message = `This document was submitted before, as ${duplicateOf}.`;
    if (isStrict) {
      const profile = profileById(invoice.profile)!;
      return { ...each, verdict: refusal(profile, 'DUPLICATE', message), duplicateOf };
    }
    const rule = `${invoice.profile}-DUPLICATE`;
    const warning = { field: '/', rule, message, severity: 'warning' } as const;
    const verdict = { ...each.verdict, warnings: [...each.verdict.warnings, warning] };
    return { ...each, verdict, duplicateOf };
  });
}

/** Two of one batch are not in the database yet. */
function inBatch(keys: readonly DocumentKey[], earlier: Map<string, string>): void {
  const first = new Map<string, string>();
  for (const { id, seller, number } of keys.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const document = JSON.stringify([seller, number]);
    const known = first.get(document);
    if (known === undefined) first.set(document, id);
    else if (!earlier.has(id)) earlier.set(id, known);
  }
}

function documentKey({ course, verdict }: Settled): DocumentKey[] {
  const { seller, number } = identity(verdict);
  return seller === undefined || number === undefined
    ? []
    : [{ id: course.invoice.id, seller, number }];
}

/** Seller and number: what makes two submissions the same document. */
function identity({ cim }: Verdict): { seller?: string; number?: string } {
  const seller = cim?.seller as Readonly<Record<string, unknown>> | undefined;
  const name =
    seller?.trn ?? seller?.tin ?? seller?.registration_id ?? seller?.endpoint ?? seller?.name;
  const number = cim?.number;
  return {
    ...(name === undefined ? {} : { seller: String(name) }),
    ...(number === undefined ? {} : { number: String(number) }),
  };
}

function move(course: Course, verdict: Verdict, duplicateOf: string | undefined, now: Date): Move {
  const { invoice } = course;
  const common = {
    ...identity(verdict),
    ...(duplicateOf === undefined ? {} : { duplicateOf }),
    warnings: verdict.warnings,
  };
  if (verdict.kind === 'passed') {
    const checks: Checks = { ...invoice.checks, schema: 'passed', business_rules: 'passed' };
    // Written before the wire is touched: whoever takes over after a crash looks up first.
    return { invoice, trigger: 'pass', change: { ...common, checks, sentAt: now } };
  }
  const checks: Checks =
    verdict.stage === 'schema'
      ? { schema: 'failed', business_rules: 'skipped' }
      : { schema: 'passed', business_rules: 'failed' };
  const skipped =
    'authority_clearance' in invoice.checks ? { authority_clearance: 'skipped' as const } : {};
  return {
    invoice,
    trigger: 'fail',
    change: { ...common, errors: verdict.errors, checks: { ...checks, ...skipped } },
  };
}

function content(tenantId: string, { invoice }: Course, verdict: Verdict) {
  if (verdict.cim === undefined) return [];
  return [
    {
      invoice_id: invoice.id,
      tenant_id: tenantId,
      cim: verdict.cim,
      provenance: verdict.provenance,
      document: verdict.document ?? null,
      clearance: verdict.kind === 'passed' ? (verdict.clearance ?? null) : null,
    },
  ];
}
