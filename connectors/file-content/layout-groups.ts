import { type LookedTree, treeLayout } from '@drawbridge/mapping/discovery/file-tree.ts';
import type { LayoutProposal } from '../contract.ts';
import type { Look } from './look.ts';
import { type FileKind, kindOfFile } from './settings.ts';
import { sheetsLayout } from './workbook-layout.ts';

/** Files that are laid out alike. */
export interface LayoutGroup {
  readonly kind: FileKind;
  readonly files: readonly string[];
  /** How they are read; without `kinds`. */
  readonly proposal: Omit<LayoutProposal, 'documents'>;
}

/** A file that was looked into. */
export interface LookedFile {
  readonly name: string;
  /** The same for files that are laid out alike; empty where nothing was found. */
  readonly signature: string;
  /** Of some of them the content is left out. */
  readonly look: Look;
}

/** What stands in files, by how it is laid out: the layout of most files first. */
export interface Grouped {
  readonly groups: readonly LayoutGroup[];
  /** Files without anything that could be an invoice, and why. */
  readonly others: readonly { readonly name: string; readonly reason: string }[];
}

/** Puts files together that are read by the same settings. */
export function groupFiles(files: readonly LookedFile[]): Grouped {
  const groups: LayoutGroup[] = [];
  const others: { name: string; reason: string }[] = [];
  for (const [signature, own] of Map.groupBy(files, (file) => file.signature)) {
    const proposal = signature === '' ? undefined : proposalOf(own);
    const kind = kindOfFile(own[0]!.name);
    if (proposal !== undefined && kind !== undefined) {
      groups.push({ kind, files: own.map(({ name }) => name), proposal });
      continue;
    }
    for (const { name, look } of own) {
      others.push({ name, reason: look.kind === 'nothing' ? look.reason : noInvoice });
    }
  }
  return { groups: groups.sort(byCertainty), others };
}

const noInvoice = 'Nothing in it looks like an invoice with lines.';

function byCertainty(one: LayoutGroup, other: LayoutGroup): number {
  const weight = ({ files, proposal }: LayoutGroup) => files.length * proposal.confidence;
  return weight(other) - weight(one);
}

/** What is the same for files of one layout, and empty where a file has none. */
export function signatureOf(name: string, look: Look): string {
  const kind = kindOfFile(name);
  switch (look.kind) {
    case 'nothing':
      return '';
    case 'table': {
      const { columns, settings } = look.layout;
      const { delimiter, encoding } = look;
      return JSON.stringify([kind, delimiter, encoding, columns, settings.rowSections]);
    }
    case 'workbook': {
      const sheets = look.sheets.map(({ name: sheet, layout }) => [sheet, layout.columns]);
      return JSON.stringify([kind, sheets]);
    }
    case 'tree': {
      const layout = treeLayout([look.tree]);
      if (layout === undefined) return '';
      const { listElements: _, ...settings } = layout.settings;
      return JSON.stringify([kind, layout.title, settings]);
    }
  }
}

function proposalOf(files: readonly LookedFile[]): LayoutGroup['proposal'] | undefined {
  const trees = files.flatMap(({ look }): LookedTree[] =>
    look.kind === 'tree' ? [look.tree] : [],
  );
  if (trees.length > 0) {
    const layout = treeLayout(trees);
    if (layout === undefined) return undefined;
    const { settings, ...told } = layout;
    return { ...told, layout: { ...settings } };
  }
  const [first] = files;
  if (first?.look.kind === 'workbook') {
    return sheetsLayout(
      files.flatMap(({ look }) => (look.kind === 'workbook' ? [look.sheets] : [])),
    );
  }
  return tableProposal(files);
}

function tableProposal(files: readonly LookedFile[]): LayoutGroup['proposal'] | undefined {
  const looks = files.flatMap(({ name, look }) =>
    look.kind === 'table' ? [{ name, ...look }] : [],
  );
  const [best] = looks.toSorted((one, other) => other.layout.confidence - one.layout.confidence);
  if (best === undefined) return undefined;
  const { layout, delimiter, encoding } = best;
  const headerLine = mostCommon(looks.map(({ layout: { settings } }) => settings.headerLine));
  const elsewhere = looks.filter((each) => each.layout.settings.headerLine !== headerLine);
  const isSingle = looks.every((each) => each.layout.isOneDocument);
  const { documentColumn, continuedRows, rowSections, leaveOut, lineColumns } = layout.settings;
  const rules = looks.flatMap((each) => each.layout.settings.skipRows ?? []);
  const skipRows = [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()];
  return {
    title: `Tables with ${layout.columns.length} columns`,
    layout: {
      delimiter,
      headerLine,
      ...(encoding === undefined ? {} : { encoding }),
      ...(isSingle || documentColumn === undefined ? {} : { documentColumn }),
      ...(isSingle || continuedRows === undefined ? {} : { continuedRows }),
      ...(rowSections === undefined ? {} : { rowSections }),
      ...(skipRows.length === 0 ? {} : { skipRows: skipRows.slice(0, 20) }),
      ...(leaveOut === undefined ? {} : { leaveOut }),
      ...(lineColumns === undefined ? {} : { lineColumns }),
    },
    reasons: isSingle
      ? { ...layout.reasons, documents: 'In each file all rows are of one invoice: a file is one.' }
      : layout.reasons,
    confidence: layout.confidence,
    notes: [
      ...best.notes,
      ...layout.notes,
      ...(elsewhere.length === 0
        ? []
        : [
            `${elsewhere.length} files have their header in another line, such as ${elsewhere[0]!.name}: they are refused with these settings.`,
          ]),
    ],
  };
}

function mostCommon(numbers: readonly number[]): number {
  const counted = [...Map.groupBy(numbers, (number) => number)];
  return counted.sort(([, one], [, other]) => other.length - one.length)[0]?.[0] ?? 1;
}
