import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connector } from '@drawbridge/connectors/contract.ts';
import { discover } from '@drawbridge/connectors/sql/discover.ts';
import { sqlite } from '@drawbridge/connectors/sqlite/connector.ts';
import { openSqlite } from '@drawbridge/connectors/sqlite/driver.ts';
import { withCompany } from '@drawbridge/mapping/company.ts';
import { coverage } from '@drawbridge/mapping/coverage.ts';
import type { FoundDatabase } from '@drawbridge/mapping/discovery/database.ts';
import {
  companyOfAnswers,
  type FoundCompanyValue,
  foundCompany,
} from '@drawbridge/mapping/discovery/found-company.ts';
import { withLookups } from '@drawbridge/mapping/discovery/lookups.ts';
import { proposeSections, type SectionProposal } from '@drawbridge/mapping/discovery/sections.ts';
import { infer } from '@drawbridge/mapping/infer.ts';
import { profileById } from '@drawbridge/profiles/registry.ts';
import { type SampleErp, writeSqlite } from './erp-folder.ts';
import { scoreFields, scoreSections, type Verdict } from './score.ts';

/** What is proposed for an ERP, beside what a person found. */
export interface ErpScore {
  readonly sections: ReturnType<typeof scoreSections>;
  readonly profiles: readonly { readonly profile: string; readonly verdicts: readonly Verdict[] }[];
}

const timeoutMs = 60_000;

/**
 * Makes a SQLite database of the ERP, discovers it, and proposes a mapping for each profile. Fields are
 * scored on the sections as a person has confirmed them, with what hangs on those.
 */
export async function scoreErp(erp: SampleErp): Promise<ErpScore> {
  const folder = await mkdtemp(join(tmpdir(), 'mapping-bench-'));
  try {
    const file = join(folder, 'erp.sqlite');
    writeSqlite(erp, file);
    const database = await discovered(file);
    const confirmed = erp.truth.sections as SectionProposal['sections'];
    const source = await withConnector(file, withLookups(database, confirmed), readSource);
    const answers = foundCompany(database);
    const profiles = erp.truth.profiles.map((profile) => {
      const wanted = profileById(profile)!;
      const proposed = infer(source.columns, wanted, source);
      const covered = coverage(proposed, wanted.fields, wanted.filled);
      const proposal = {
        profile,
        columns: source.columns,
        fields: proposed.fields,
        coverage: covered,
        offered: offeredTo(profile, answers),
      };
      return { profile, verdicts: scoreFields(erp.truth, proposal) };
    });
    return { sections: scoreSections(erp.truth, proposeSections(database).sections), profiles };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** What the company profile is offered by the database: target → place. */
function offeredTo(
  profile: string,
  answers: readonly FoundCompanyValue[],
): ReadonlyMap<string, string> {
  const { fields } = withCompany({ fields: [] }, companyOfAnswers(answers), profile);
  return new Map(
    fields.flatMap(({ target, value }) => {
      const from = answers.find((answer) => answer.value === value)?.from;
      return from === undefined ? [] : [[target, from] as const];
    }),
  );
}

/** The database itself, without the presets that its connector would know it by. */
async function discovered(file: string): Promise<FoundDatabase> {
  const driver = openSqlite(file, file, contextOf(file));
  try {
    const found = await discover(driver, AbortSignal.timeout(timeoutMs));
    if (found.kind === 'unanswered') throw new Error(found.fault.message);
    return found.database;
  } finally {
    await driver.close();
  }
}

function contextOf(file: string) {
  return { clock: () => new Date(), allowedRoots: [join(file, '..')] };
}

/** The columns of the source, and its newest documents. */
async function readSource(connector: Connector) {
  const signal = AbortSignal.timeout(timeoutMs);
  const described = await connector.describe(signal);
  const tested = await connector.test(signal);
  if (described.kind !== 'described') throw new Error(described.fault.message);
  const refs = tested.kind === 'ok' ? tested.sampleRefs : [];
  const read = await connector.readMany(refs, signal);
  const documents = read.flatMap((each) => (each.kind === 'found' ? [each.document] : []));
  return { columns: described.columns, joins: described.joins, documents };
}

async function withConnector<T>(
  file: string,
  sections: object,
  use: (connector: Connector) => Promise<T>,
): Promise<T> {
  const settings = sqlite.settings.parse({ file, sections, writeBack: { mode: 'none' } });
  const connector = await sqlite.open(settings, contextOf(file));
  try {
    return await use(connector);
  } finally {
    await connector.close();
  }
}
