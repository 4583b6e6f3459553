import { parseJson } from '@drawbridge/connectors/json.ts';
import { companyFields } from '@drawbridge/profiles/company.ts';
import { fetchCompany } from '../../company/fetch-company.ts';
import {
  type KnownCompany,
  knownCompanies,
  type TakenCompany,
  takeCompany,
} from '../../company/signed-company.ts';
import { failed, type Outcome, type Table } from '../../outcome.ts';
import { openHome, openIdentity } from '../../store/home.ts';
import { textOfFile } from '../../text-file.ts';
import type { CommandContext } from '../command.ts';
import { readDocument } from '../read-document.ts';
import { type KeyOptions, withRemote } from '../remote.ts';

export async function showCompany({ settings, runtime }: CommandContext): Promise<Outcome> {
  const home = openHome(settings, runtime);
  if (home.kind === 'failed') return home.outcome;
  const known = knownCompanies(home.value);
  const none = 'No company profile is kept here. Next: drawbridge company fetch';
  return { kind: 'done', data: known, shown: known.length === 0 ? none : known.map(companyTable) };
}

export async function showFetched(context: CommandContext, options: KeyOptions): Promise<Outcome> {
  const home = openHome(context.settings, context.runtime);
  if (home.kind === 'failed') return home.outcome;
  return withRemote(context, home.value, options, async ({ call, identity, url }) => {
    const fetched = await fetchCompany(home.value, identity, call);
    return 'outcome' in fetched ? fetched.outcome : told(fetched, `The answer of ${url}`);
  });
}

const bytesMax = 200_000;

export async function importCompany(
  { settings, runtime }: CommandContext,
  _options: object,
  file: string,
): Promise<Outcome> {
  const home = openHome(settings, runtime);
  if (home.kind === 'failed') return home.outcome;
  const identity = openIdentity(home.value);
  if (identity.kind === 'failed') return identity.outcome;
  const read = await readDocument(file, bytesMax, runtime);
  if (read.kind === 'failed') return read;
  const content = parseJson(textOfFile(read.bytes));
  return told(
    takeCompany(home.value, identity.value, content),
    file === '-' ? 'Standard input' : file,
  );
}

function told(taken: TakenCompany, from: string): Outcome {
  if (taken.kind === 'refused') {
    return failed('company_refused', `${from} is not taken: ${taken.cause}.`);
  }
  return { kind: 'done', data: taken.known, shown: companyTable(taken.known) };
}

function companyTable({ environment, madeAt, company }: KnownCompany): Table {
  const rows = companyFields.flatMap(({ name, label }) => {
    const value = company[name];
    return value === undefined ? [] : [[label, value]];
  });
  const title = `The company in the environment ${environment}, as of ${madeAt}:`;
  return {
    title,
    head: ['', company.legal_name ?? ''],
    rows,
    none: `${title} nothing is told yet.`,
  };
}
