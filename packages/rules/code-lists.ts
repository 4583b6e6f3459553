import type { CodeLists } from './rule.ts';

/**
 * A list as it is checked in beside its profile: where it is from, and its codes separated by
 * spaces.
 */
interface WrittenList {
  readonly source: string;
  readonly codes: string;
}

/** The code-lists.json of a profile; `selfBilling` holds only the lists that differ. */
export interface WrittenCodeLists {
  readonly profile: string;
  readonly version: string;
  readonly billing: Readonly<Record<string, WrittenList>>;
  readonly selfBilling: Readonly<Record<string, WrittenList>>;
}

/** The lists as rules look codes up in them. */
export function codeLists(written: WrittenCodeLists): {
  billing: CodeLists;
  selfBilling: CodeLists;
} {
  const billing = sets(written.billing);
  return { billing, selfBilling: { ...billing, ...sets(written.selfBilling) } };
}

function sets(lists: WrittenCodeLists['billing']): CodeLists {
  return Object.fromEntries(
    Object.entries(lists).map(([name, { codes }]) => [name, new Set(codes.split(' '))]),
  );
}
