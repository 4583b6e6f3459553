import type { FoundTable, SampleRow } from '@drawbridge/mapping/discovery/database.ts';
import { leaveOutOf, leaveOutReason } from '@drawbridge/mapping/discovery/left-out-documents.ts';
import type { LayoutProposal } from '../contract.ts';
import { baseName } from './file-names.ts';
import type { LookedFile } from './layout-groups.ts';
import { kindOfFile } from './settings.ts';
import { headerAndLines } from './workbook-layout.ts';

/** How files of headers and files of their lines are read together. */
export interface JoinedLayout {
  readonly proposal: Omit<LayoutProposal, 'documents'>;
  /** Names of the files, of headers and of what belongs to them. */
  readonly files: ReadonlySet<string>;
}

/** Layouts of files that are compared with each other. */
const alikeMax = 6;

/** Finds headers in one file and their lines in another; undefined where there are none. */
export function joinedLayout(looked: readonly LookedFile[]): JoinedLayout | undefined {
  const tables = looked.flatMap(tableOfFile);
  const groups = [...Map.groupBy(tables, ({ signature }) => signature).values()];
  if (groups.length < 2 || groups.length > alikeMax) return undefined;
  const found = headerAndLines(groups.map(([first]) => first!.table));
  if (found === undefined) return undefined;
  const { header, lines, others, reasons, confidence } = found;
  const groupOf = (name: string) => groups.find(([first]) => first!.name === name)!;
  const hanging = Object.entries(others).filter(([, { of = 'header' }]) => of === 'header');
  const sections = [['lines', lines] as const, ...hanging];
  const heads = groupOf(header.table);
  const patterns = patternsOf(
    heads.map(({ name }) => baseName(name)),
    sections.map(([, { table }]) => groupOf(table).map(({ name }) => baseName(name))),
  );
  if (patterns === undefined) return undefined;
  const [first] = heads;
  const leaveOut = leaveOutOf(first!.table, header.match);
  const joined = sections.map(([section, { table, match, matchFrom }], at) => {
    const from = matchFrom === undefined || matchFrom === header.match ? {} : { from: matchFrom };
    const { headerLine } = groupOf(table)[0]!;
    return [section, { file: patterns.joined[at]!, headerLine, column: match, ...from }] as const;
  });
  const own = [header.table, ...sections.map(([, { table }]) => table)].flatMap(groupOf);
  return {
    files: new Set(own.map(({ name }) => name)),
    proposal: {
      title: `${patterns.header} with their lines in ${patterns.joined[0]}`,
      layout: {
        kinds: [...new Set(own.flatMap(({ name }) => kindOfFile(name) ?? []))],
        headerFiles: patterns.header,
        headerLine: first!.headerLine,
        documentColumn: header.match,
        joinedFiles: Object.fromEntries(joined),
        ...(leaveOut === undefined ? {} : { leaveOut }),
      },
      reasons: {
        ...reasons,
        ...(leaveOut === undefined ? {} : { leaveOut: leaveOutReason(leaveOut) }),
      },
      confidence,
      notes: [],
    },
  };
}

interface TabularFile {
  readonly name: string;
  readonly signature: string;
  readonly headerLine: number;
  readonly table: FoundTable;
}

function tableOfFile({ name, signature, look }: LookedFile): readonly TabularFile[] {
  switch (look.kind) {
    case 'table': {
      const { headerLine } = look.layout.settings;
      return [{ name, signature, headerLine, table: { ...look.layout.table, name } }];
    }
    case 'workbook': {
      const [only, second] = look.sheets;
      if (only === undefined || second !== undefined) return [];
      const { settings, table } = only.layout;
      return [{ name, signature, headerLine: settings.headerLine, table: { ...table, name } }];
    }
    case 'tree': {
      const table = flatTable(name, look.tree.value);
      return table === undefined ? [] : [{ name, signature: name, headerLine: 1, table }];
    }
    case 'nothing':
      return [];
  }
}

/** The rows of a JSON file that is an array of objects without further ones in them. */
function flatTable(name: string, value: unknown): FoundTable | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const rows: SampleRow[] = [];
  for (const each of value as unknown[]) {
    if (typeof each !== 'object' || each === null || Array.isArray(each)) return undefined;
    const cells = Object.entries(each);
    if (cells.some(([, cell]) => typeof cell === 'object' && cell !== null)) return undefined;
    rows.push(
      Object.fromEntries(cells.map(([key, cell]) => [key, cell === null ? null : `${cell}`])),
    );
  }
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return {
    name,
    columns: columns.map((column) => ({ name: column, type: 'text' })),
    primaryKey: [],
    uniques: [],
    rows: rows.length,
    sample: rows,
  };
}

/** The names of files of headers and of those that belong to them, with `*` for what they have in common. */
function patternsOf(
  headers: readonly string[],
  joined: readonly (readonly string[])[],
): { readonly header: string; readonly joined: readonly string[] } | undefined {
  const [header = ''] = headers;
  const isOne = headers.length === 1 && joined.every((names) => names.length === 1);
  const isJoined = (part: string) =>
    joined.every((names) => names.some((name) => name.includes(part)));
  const common = [...header.matchAll(/\d[\d_-]*\d|\d/g)].map(([part]) => part).find(isJoined);
  if (common === undefined) {
    return isOne ? { header, joined: joined.map(([name]) => name!) } : undefined;
  }
  const starred = (name: string) => name.replace(common, '*');
  return {
    header: starred(header),
    joined: joined.map((names) => starred(names.find((name) => name.includes(common))!)),
  };
}
