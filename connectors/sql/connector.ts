import { proposeSections } from '@drawbridge/mapping/discovery/sections.ts';
import {
  type Connector,
  type ConnectorFault,
  type DescribeOutcome,
  type DiscoverOutcome,
  type ListOutcome,
  limits,
  type ReadOutcome,
  type TestOutcome,
} from '../contract.ts';
import { fault, withTimeLimit } from '../fault.ts';
import { recognisePresets } from '../presets/recognise.ts';
import { presets } from '../presets/registry.ts';
import { loadCatalogue } from './catalogue.ts';
import { describeSections, describeTables } from './describe.ts';
import { discover } from './discover.ts';
import type { RunStatement, SqlDriver, Unanswered } from './driver.ts';
import { findLackingRights } from './grants.ts';
import { importDraft } from './import-draft.ts';
import { changesOf, keyset, type Listing, listPage, newestRefs, wholeOf } from './list.ts';
import { batchMax, readBatch } from './read.ts';
import { type Plan, planSections, type TablePlan } from './section.ts';
import type { SqlSettings } from './settings.ts';
import { writeBack } from './write-back.ts';

/** As many as a preview reads. */
const sampleRefsMax = 50;

/** The connector of any SQL database: the part that the kinds share. */
export function openSqlConnector(driver: SqlDriver, settings: SqlSettings): Connector {
  const planner = createPlanner(driver, settings);
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
    test: (signal) => testSource(driver, settings, planner, limited(signal)),
    describe: (signal) => describeSource(driver, settings, planner, limited(signal)),
    discover: (signal) => discoverSource(driver, signal),
    readMany,
    async read(ref, signal) {
      const [outcome] = await readMany([ref], signal);
      return outcome ?? { kind: 'missing' };
    },
    list: (cursor, signal) =>
      listRefs(driver, settings, planner, changesOf, cursor, limited(signal)),
    listAll: (cursor, signal) =>
      listRefs(driver, settings, planner, wholeOf, cursor, limited(signal)),
    writeBack: (command, signal) => writeBack(driver, settings, command, limited(signal)),
    importDraft: (command, signal) => importDraft(driver, settings, command, limited(signal)),
    close: () => driver.close(),
  };
}

type Planned =
  | { readonly kind: 'planned'; readonly plan: Plan }
  | { readonly kind: 'unplanned'; readonly fault: ConnectorFault };

interface Planner {
  plan(run: RunStatement): Promise<Planned>;
  /** Forgets the plan, because the tables may have changed since it was made. */
  forget(): void;
}

function createPlanner(driver: SqlDriver, settings: SqlSettings): Planner {
  let known: Planned | undefined;
  return {
    async plan(run) {
      known ??= await makePlan(run, driver, settings);
      const planned = known;
      if (planned.kind === 'unplanned') known = undefined;
      return planned;
    },
    forget() {
      known = undefined;
    },
  };
}

async function makePlan(
  run: RunStatement,
  driver: SqlDriver,
  settings: SqlSettings,
): Promise<Planned> {
  const names = Object.values(settings.sections).flatMap((one) =>
    'table' in one ? one.table : [],
  );
  const catalogue =
    names.length === 0
      ? ({ kind: 'catalogue', tables: [] } as const)
      : await loadCatalogue(run, driver.dialect, names);
  if (catalogue.kind !== 'catalogue') return { kind: 'unplanned', fault: catalogue.fault };
  const planned = planSections(settings.sections, catalogue.tables, driver.dialect);
  if (planned.kind === 'unplanned' || settings.changes === undefined) return planned;
  const { header } = planned.plan;
  const unknown =
    header.kind === 'table'
      ? Object.values(settings.changes).find((column) => !header.table.types.has(column))
      : undefined;
  if (unknown === undefined) return planned;
  const message = `The header's table has no column "${unknown}", which "changes" names.`;
  return { kind: 'unplanned', fault: fault('column_missing', message, 'never') };
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
  return outcome.kind === 'unanswered' ? { kind: 'unreachable', fault: outcome.fault } : outcome;
}

async function discoverSource(driver: SqlDriver, signal: AbortSignal): Promise<DiscoverOutcome> {
  const found = await discover(driver, signal);
  if (found.kind === 'unanswered') return { kind: 'unreachable', fault: found.fault };
  return {
    ...found,
    proposal: proposeSections(found.database),
    presets: recognisePresets(found.database, presets),
  };
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
    const detail = [`${driver.where}: sections ${names}.`, driver.note?.()].join(' ').trim();
    return { kind: 'ok', detail, sampleRefs: refs };
  }, signal);
  if (outcome.kind === 'unanswered') return { kind: 'failed', fault: outcome.fault };
  if (outcome.kind === 'failed' || Object.keys(settings.sections).length === 0) return outcome;
  const lacking = await findLackingRights(driver, settings, signal);
  return lacking === undefined ? outcome : { ...outcome, writeBack: lacking };
}
