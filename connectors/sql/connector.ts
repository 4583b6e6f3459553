import {
  type Connector,
  type ConnectorContext,
  type ConnectorFault,
  type DescribeOutcome,
  type ListOutcome,
  limits,
  type ReadOutcome,
  type TestOutcome,
} from '../contract.ts';
import { withTimeLimit } from '../fault.ts';
import { readOne } from '../outcomes.ts';
import { describeSections, describeTables } from './describe.ts';
import { discoverSource } from './discover-source.ts';
import type { SqlDriver, Unanswered } from './driver.ts';
import { findLackingRights } from './grants.ts';
import { importDraft } from './import-draft.ts';
import {
  changesOf,
  hasUnlisted,
  keyset,
  type Listing,
  listPage,
  newestRefs,
  wholeOf,
} from './list.ts';
import { createPlanner, type Planner } from './planner.ts';
import { batchMax, readBatch } from './read.ts';
import type { TablePlan } from './section.ts';
import type { SqlSettings } from './settings.ts';
import { writeBack } from './write-back.ts';

/** As many as a preview reads. */
const sampleRefsMax = 50;

/** The connector of any SQL database: the part that the kinds share. */
export function openSqlConnector(
  driver: SqlDriver,
  settings: SqlSettings,
  { clock }: Pick<ConnectorContext, 'clock'>,
): Connector {
  const planner = createPlanner(driver, settings, clock);
  const limited = (signal: AbortSignal) => withTimeLimit(signal, driver.timeoutMs);
  const readMany = async (refs: readonly string[], signal: AbortSignal) => {
    const outcomes: ReadOutcome[] = [];
    for (let start = 0; start < refs.length; start += batchMax) {
      const batch = refs.slice(start, start + batchMax);
      outcomes.push(...(await readPlanned(driver, planner, batch, limited(signal))));
    }
    return outcomes;
  };
  return {
    test(signal) {
      planner.forget();
      return testSource(driver, settings, planner, limited(signal));
    },
    describe(signal) {
      planner.forget();
      return describeSource(driver, settings, planner, limited(signal));
    },
    discover: (wish, signal) => discoverSource(driver, settings, wish, signal),
    readMany,
    read: (ref, signal) => readOne({ readMany }, ref, signal),
    list: (cursor, signal) =>
      listRefs(driver, settings, planner, changesOf, cursor, limited(signal)),
    listAll: (cursor, signal) =>
      listRefs(driver, settings, planner, wholeOf, cursor, limited(signal)),
    writeBack: (command, signal) => writeBack(driver, settings, command, limited(signal)),
    importDraft: (command, signal) => importDraft(driver, settings, command, limited(signal)),
    close: () => driver.close(),
  };
}

async function readPlanned(
  driver: SqlDriver,
  planner: Planner,
  refs: readonly string[],
  signal: AbortSignal,
): Promise<readonly ReadOutcome[]> {
  const outcomes = await driver.inReadTransaction(async (run) => {
    const planned = await planner.plan(run);
    if (planned.kind === 'unplanned') return unanswered(planned.fault);
    return readBatch(run, planned.plan, driver.dialect, refs);
  }, signal);
  if (!('kind' in outcomes)) return outcomes;
  planner.forget();
  return refs.map(() => ({ kind: 'unreachable', fault: outcomes.fault }));
}

function unanswered(cause: ConnectorFault): Unanswered {
  return { kind: 'unanswered', fault: cause };
}

async function listRefs(
  driver: SqlDriver,
  settings: SqlSettings,
  planner: Planner,
  listing: (plan: TablePlan, settings: SqlSettings) => Listing,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<ListOutcome> {
  const outcome = await driver.inReadTransaction(async (run): Promise<ListOutcome | Unanswered> => {
    const planned = await planner.plan(run);
    if (planned.kind === 'unplanned') return unanswered(planned.fault);
    const { header } = planned.plan;
    // A handwritten header has no order to page by: its documents are only read by ref.
    if (header.kind === 'query') return { kind: 'page', refs: [], cursor: '', more: false };
    return listPage(run, header, listing(header, settings), driver.dialect, cursor);
  }, signal);
  if (outcome.kind !== 'unanswered') return outcome;
  planner.forget();
  return { kind: 'unreachable', fault: outcome.fault };
}

async function describeSource(
  driver: SqlDriver,
  settings: SqlSettings,
  planner: Planner,
  signal: AbortSignal,
): Promise<DescribeOutcome> {
  const outcome = await driver.inReadTransaction(
    async (run): Promise<DescribeOutcome | Unanswered> => {
      if (Object.keys(settings.sections).length === 0) return describeTables(run, driver.dialect);
      const planned = await planner.plan(run);
      if (planned.kind === 'unplanned') return unanswered(planned.fault);
      return describeSections(run, planned.plan, driver.dialect);
    },
    signal,
  );
  return outcome.kind === 'unanswered' ? { kind: 'unreachable', fault: outcome.fault } : outcome;
}

async function testSource(
  driver: SqlDriver,
  settings: SqlSettings,
  planner: Planner,
  signal: AbortSignal,
): Promise<TestOutcome> {
  const outcome = await driver.inReadTransaction(async (run): Promise<TestOutcome | Unanswered> => {
    if (Object.keys(settings.sections).length === 0) {
      const tables = await run({
        text: driver.dialect.tables,
        values: [],
        rowsMax: limits.rowsMax,
      });
      if (tables.kind !== 'rows') return unanswered(tables.fault);
      const detail = `${driver.where}: ${tables.rows.length} tables; no sections are set up yet.`;
      return { kind: 'ok', detail, sampleRefs: [] };
    }
    const planned = await planner.plan(run);
    if (planned.kind === 'unplanned') return unanswered(planned.fault);
    const { header, others } = planned.plan;
    const columns = header.kind === 'table' ? keyset(header, settings.changes) : [];
    const refs =
      header.kind === 'table'
        ? await newestRefs(run, header, columns, driver.dialect, sampleRefsMax)
        : [header.section.sampleRef ?? []].flat();
    if ('kind' in refs) return unanswered(refs.fault);
    const names = [header, ...others].map(({ name }) => name).join(', ');
    const detail = `${driver.where}: sections ${names}. ${driver.note?.() ?? ''}`.trim();
    return { kind: 'ok', detail, sampleRefs: refs };
  }, signal);
  if (outcome.kind === 'unanswered') return { kind: 'failed', fault: outcome.fault };
  if (outcome.kind === 'failed' || Object.keys(settings.sections).length === 0) return outcome;
  const lacking = await findLackingRights(driver, settings, signal);
  const unlisted = await unlistedText(driver, settings, planner, signal);
  return {
    ...outcome,
    detail: `${outcome.detail} ${unlisted}`.trim(),
    ...(lacking === undefined ? {} : { writeBack: lacking }),
  };
}

/** To find no document without a change column may take a look at each of them, which a test is not worth. */
const unlistedMs = 2_000;

/** What a test says of documents that are not listed as changed; empty where there are none. */
async function unlistedText(
  driver: SqlDriver,
  settings: SqlSettings,
  planner: Planner,
  signal: AbortSignal,
): Promise<string> {
  const { changes } = settings;
  if (changes === undefined) return '';
  const found = await driver.inReadTransaction(
    async (run) => {
      const planned = await planner.plan(run);
      if (planned.kind === 'unplanned') return unanswered(planned.fault);
      const { header } = planned.plan;
      if (header.kind !== 'table') return { kind: 'found', some: false } as const;
      const some = await hasUnlisted(run, header, changes.column, driver.dialect);
      return typeof some === 'object' ? unanswered(some.fault) : ({ kind: 'found', some } as const);
    },
    withTimeLimit(signal, unlistedMs),
  );
  if (found.kind !== 'found') {
    return `Whether all documents have a "${changes.column}" could not be found out in time.`;
  }
  if (!found.some) return '';
  return (
    `Some documents have no "${changes.column}", by which changes are listed: they are found late, when the whole source is ` +
    'compared. Let "changes" name a column that is always filled, as of a view.'
  );
}
