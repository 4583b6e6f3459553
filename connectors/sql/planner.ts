import type { ConnectorFault } from '../contract.ts';
import { fault } from '../fault.ts';
import { loadCatalogue } from './catalogue.ts';
import type { RunStatement, SqlDriver } from './driver.ts';
import { type Plan, planSections } from './section.ts';
import type { SqlSettings } from './settings.ts';

type Planned =
  | { readonly kind: 'planned'; readonly plan: Plan }
  | { readonly kind: 'unplanned'; readonly fault: ConnectorFault };

/** A column that is added to a table is read after so long. */
const planLifeMs = 60_000;

/** Makes the plan of a source when it is first needed, and anew from time to time: tables change. */
export interface Planner {
  plan(run: RunStatement): Promise<Planned>;
  /** Forgets the plan, because the tables may have changed since it was made. */
  forget(): void;
}

/** Plans by the settings; a plan that could not be made is tried again. */
export function createPlanner(
  driver: SqlDriver,
  settings: SqlSettings,
  clock: () => Date,
): Planner {
  let known: { readonly planned: Planned; readonly at: number } | undefined;
  return {
    async plan(run) {
      const at = clock().getTime();
      if (known !== undefined && Math.abs(at - known.at) < planLifeMs) return known.planned;
      const planned = await makePlan(run, driver, settings);
      known = planned.kind === 'planned' ? { planned, at } : undefined;
      return planned;
    },
    forget() {
      known = undefined;
    },
  };
}

/** The settings beside what the database has now. */
export async function makePlan(
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
