import type { CodeLists } from './scope.ts';

/**
 * A list in the file of its profile: its source, and its codes separated by spaces.
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

/** The lists in the form that rules use. */
export function codeLists(written: WrittenCodeLists): {
  billing: CodeLists;
  selfBilling: CodeLists;
} {
  const billing = sets(written.billing);
  return { billing, selfBilling: { ...billing, ...sets(written.selfBilling) } };
}

/** The codes of a profile's list; throws when the profile has no list of that name. */
export function codesOf(lists: CodeLists, name: string): ReadonlySet<string> {
  const codes = lists[name];
  if (codes === undefined) throw new Error(`The profile has no code list "${name}".`);
  return codes;
}

function sets(lists: WrittenCodeLists['billing']): CodeLists {
  return Object.fromEntries(
    Object.entries(lists).map(([name, { codes }]) => [name, new Set(codes.split(' '))]),
  );
}
