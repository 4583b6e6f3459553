/** The signed copy of the company profile: taken once it is believed, and believed anew each time it is used. */
import { type ReadStatement, readStatement } from '@drawbridge/link/company-statement.ts';
import { type Company, companyFields, companyTextMax } from '@drawbridge/profiles/company.ts';
import type { SignedCompanies } from '../store/company.ts';
import type { Home } from '../store/home.ts';
import type { Identity } from '../store/identity.ts';
import { exclusively } from '../store/lock.ts';

type Environment = keyof SignedCompanies;

/** A company profile that this agent believes. */
export interface KnownCompany {
  readonly environment: Environment;
  /** UTC instant, ISO 8601. */
  readonly madeAt: string;
  readonly company: Company;
}

export type TakenCompany =
  | { readonly kind: 'taken'; readonly known: KnownCompany }
  | { readonly kind: 'refused'; readonly cause: string };

/** Keeps a statement in place of an older one of its environment. */
export function takeCompany(home: Home, identity: Identity, content: unknown): TakenCompany {
  const read = believed(identity, content);
  if (read.kind === 'refused') return read;
  const { environment, made_at: madeAt } = read.statement;
  const isKept = exclusively(home.path, () => {
    const kept = keptIn(home);
    const before = kept[environment];
    if (before !== undefined && Date.parse(before.made_at) > Date.parse(madeAt)) return false;
    home.company.write({ ...kept, [environment]: read.statement });
    return true;
  });
  if (!isKept) {
    return { kind: 'refused', cause: `it is of ${madeAt}, older than the one that is kept` };
  }
  return { kind: 'taken', known: { environment, madeAt, company: companyOf(read.company) } };
}

/** The profiles that are kept and still believed: those of production first. */
export function knownCompanies(home: Home): readonly KnownCompany[] {
  const identity = home.identity.read();
  if (identity.kind !== 'content') return [];
  const { live, sandbox } = keptIn(home);
  return [live, sandbox].flatMap((content) => {
    const read = content === undefined ? undefined : believed(identity.value, content);
    if (read?.kind !== 'read') return [];
    const { environment, made_at: madeAt } = read.statement;
    return [{ environment, madeAt, company: companyOf(read.company) }];
  });
}

/** The company profile that mappings are tried with: that of production, else that of the sandbox. */
export function ownCompany(home: Home): Company | undefined {
  return knownCompanies(home)[0]?.company;
}

function believed(identity: Identity, content: unknown): ReadStatement {
  const { agentId, controlPlaneKey, earlierControlPlaneKeys = [] } = identity;
  return readStatement(content, agentId, [controlPlaneKey, ...earlierControlPlaneKeys]);
}

function keptIn(home: Home): SignedCompanies {
  const content = home.company.read();
  return content.kind === 'content' ? content.value : {}; // one that does not open is fetched again
}

/** The answers that this agent knows; a newer control plane may have more. */
function companyOf(content: unknown): Company {
  const answers = (content ?? {}) as Readonly<Record<string, unknown>>;
  const known = companyFields.flatMap(({ name }) => {
    const value = Object.hasOwn(answers, name) ? answers[name] : undefined;
    return typeof value === 'string' && value.length <= companyTextMax ? [[name, value]] : [];
  });
  return Object.fromEntries(known);
}
