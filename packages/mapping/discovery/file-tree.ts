import type { XmlRoot } from '@drawbridge/records/xml.ts';
import { standardOf, standardSettings } from '../standard/syntaxes.ts';
import { wordsOf } from '../words.ts';
import type { FoundTable, SampleRow } from './database.ts';
import { documentColumnOf } from './document-column.ts';

/** A file of JSON or XML as objects, arrays and texts. */
export interface LookedTree {
  readonly value: unknown;
  /** Of XML. */
  readonly root?: XmlRoot;
}

/** How the documents of such files are read, in the words of the settings of files. */
export interface TreeSettings {
  readonly documentPath?: string;
  readonly documentElement?: string;
  readonly listElements?: readonly string[];
  readonly sectionNames?: Readonly<Record<string, string>>;
  readonly elementKeys?: Readonly<Record<string, string>>;
  readonly elementsAreRows?: true;
  readonly documentColumn?: string;
}

/** How JSON or XML files are laid out. */
export interface TreeLayout {
  readonly settings: TreeSettings;
  /** "UBL invoices", "JSON". */
  readonly title: string;
  readonly reasons: Readonly<Record<string, string>>;
  /** 0 to 1. */
  readonly confidence: number;
  readonly notes: readonly string[];
}

type Tree = Readonly<Record<string, unknown>>;

/**
 * How files of one shape are laid out: which node is an invoice, and which array has its lines, by what
 * repeats and by what the names say. Undefined when nothing looks like an invoice.
 *
 *   treeLayout([{ value: { data: [{ no: 'INV-1', date: '2026-01-31', items: [{ qty: 1, price: 2 }] }] } }])
 *   // { settings: { documentPath: '$.data', sectionNames: { lines: 'items' } }, … }
 */
export function treeLayout(given: readonly LookedTree[]): TreeLayout | undefined {
  const trees = given
    .slice(0, treesMax)
    .map(({ value, root }) => ({ root, value: trimmed(value, { left: limits.nodesMax }, 0) }));
  const [first] = trees;
  if (first === undefined) return undefined;
  const standard = first.root === undefined ? undefined : standardOf(first.root);
  if (standard !== undefined) {
    return {
      settings: standardSettings(standard),
      title: standard.title,
      reasons: { documents: `The outermost element is a ${standard.root} of ${standard.name}.` },
      confidence: 0.99,
      notes: [],
    };
  }
  const isXml = first.root !== undefined;
  const best = trees
    .flatMap(({ value }) => candidatesOf(value))
    .map((candidate) => ({ ...candidate, ...judge(candidate, isXml) }))
    .reduce<Judged | undefined>(
      (before, each) => (before === undefined || each.score > before.score ? each : before),
      undefined,
    );
  if (best === undefined || best.score < scoreMin) return undefined;
  const alike = trees.flatMap(({ value }) => instancesAt(value, best.path));
  const place = placeSettings(best.path, isXml);
  if (best.lines === undefined) return rowsLayout(best, alike, place, isXml);
  const lists = isXml ? { listElements: listsOf(alike, best.lines) } : {};
  const named = best.lines === 'lines' ? {} : { sectionNames: { lines: best.lines } };
  return {
    settings: { ...place, ...lists, ...named },
    title: isXml ? `XML (${first.root?.name ?? ''})` : 'JSON',
    reasons: {
      documents: `${placeWords(best.path, isXml)} has a number, a date and lines.`,
      lines: `"${best.lines}" repeats, and has ${best.told.join(', ')}.`,
    },
    confidence: Math.min(0.95, Math.round((0.4 + best.score * 0.045) * 100) / 100),
    notes: [],
  };
}

const treesMax = 20;
const scoreMin = 4;
/** Documents of one candidate whose names are read. */
const instancesMax = 20;

/** What is looked at of a file; a document has far less. */
const limits = { membersMax: 1_000, elementsMax: 500, depthMax: 14, nodesMax: 50_000 } as const;

/** The beginning of a tree, so that whatever is looked for in it is found soon. */
function trimmed(value: unknown, budget: { left: number }, depth: number): unknown {
  budget.left -= 1;
  if (typeof value !== 'object' || value === null) return value;
  if (depth > limits.depthMax || budget.left < 0) return null;
  if (Array.isArray(value)) {
    return value.slice(0, limits.elementsMax).map((each) => trimmed(each, budget, depth + 1));
  }
  const names = Object.keys(value).slice(0, limits.membersMax);
  const members = names.map((name) => [name, trimmed((value as Tree)[name], budget, depth + 1)]);
  return Object.fromEntries(members);
}

interface Candidate {
  readonly path: readonly string[];
  readonly instances: readonly Tree[];
  readonly isList: boolean;
}

interface Judged extends Candidate {
  readonly score: number;
  /** The dotted path of the lines within a document; undefined where each is a row of a table. */
  readonly lines: string | undefined;
  readonly told: readonly string[];
}

/** Objects and arrays of objects that may be documents: those that are reached without another array. */
function candidatesOf(value: unknown, path: readonly string[] = []): Candidate[] {
  if (Array.isArray(value)) {
    const instances = value.filter(isTree);
    return instances.length === 0 ? [] : [{ path, instances, isList: true }];
  }
  if (!isTree(value)) return [];
  const own: Candidate = { path, instances: [value], isList: false };
  const inner = Object.entries(value).flatMap(([name, member]) =>
    candidatesOf(member, [...path, name]),
  );
  return [own, ...inner];
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function judge(candidate: Candidate, isXml: boolean): Pick<Judged, 'score' | 'lines' | 'told'> {
  const { instances, isList, path } = candidate;
  const words = new Set<string>();
  let best: { readonly path: string; readonly told: readonly string[] } | undefined;
  for (const instance of instances.slice(0, instancesMax)) {
    for (const name of scalarsOf(instance)) for (const word of wordsOf(name)) words.add(word);
    for (const [array, elements] of listsIn(instance, isXml)) {
      const told = lineWords(elements);
      if (told.length >= 2 && told.length > (best?.told.length ?? 0)) best = { path: array, told };
    }
  }
  const header = headerWords.filter((some) => some.some((word) => words.has(word))).length;
  const own = lineTold(words);
  const isFlat = best === undefined && isList && own.includes('quantities or prices');
  const score =
    header * 1.2 +
    (best === undefined ? (isFlat ? 1 : -3) : best.told.length * 1.3) +
    (isList ? 1 : 0) -
    path.length * 0.1;
  return { score, lines: best?.path, told: best?.told ?? own };
}

const headerWords: readonly (readonly string[])[] = [
  ['number', 'reference', 'id', 'code'],
  ['date'],
  ['buyer'],
  ['total', 'gross', 'net', 'amount'],
  ['currency'],
];

/** Names of the texts of an object, and of the objects in it, joined by dots. */
function scalarsOf(tree: Tree, prefix = ''): readonly string[] {
  return Object.entries(tree).flatMap(([name, value]) => {
    if (Array.isArray(value)) return [];
    return isTree(value) ? scalarsOf(value, `${prefix}${name}.`) : [prefix + name];
  });
}

type FoundList = readonly [path: string, elements: readonly Tree[]];

/** Arrays of objects in a document, by their dotted path; in XML what is there once may repeat elsewhere. */
function listsIn(tree: Tree, isXml: boolean, prefix = ''): readonly FoundList[] {
  return Object.entries(tree).flatMap(([name, value]): readonly FoundList[] => {
    const path = prefix + name;
    if (Array.isArray(value)) return [[path, value.filter(isTree)]];
    if (!isTree(value)) return [];
    const inner = listsIn(value, isXml, `${path}.`);
    return isXml && isSingleLine(name, value) ? [[path, [value]], ...inner] : inner;
  });
}

/** `Line`, `Item`, `Position`, with a quantity. */
function isSingleLine(name: string, value: Tree): boolean {
  const words = wordsOf(name);
  const own = new Set(Object.keys(value).flatMap((member) => wordsOf(member)));
  return (words.includes('line') || words.includes('item')) && own.has('quantity');
}

function lineWords(elements: readonly Tree[]): readonly string[] {
  return lineTold(
    new Set(elements.flatMap((one) => scalarsOf(one).flatMap((name) => wordsOf(name)))),
  );
}

function lineTold(words: ReadonlySet<string>): readonly string[] {
  const has = (...some: readonly string[]) => some.some((word) => words.has(word));
  return [
    ...(has('quantity', 'price') ? ['quantities or prices'] : []),
    ...(has('net', 'amount', 'total', 'gross') ? ['amounts'] : []),
    ...(has('description', 'item', 'name') ? ['items'] : []),
    ...(has('tax', 'rate') ? ['taxes'] : []),
    ...(has('unit') ? ['units'] : []),
  ];
}

function instancesAt(value: unknown, path: readonly string[]): readonly Tree[] {
  const at = path.reduce<unknown>((node, name) => (isTree(node) ? node[name] : undefined), value);
  return (Array.isArray(at) ? at : [at]).filter(isTree);
}

function placeSettings(path: readonly string[], isXml: boolean): TreeSettings {
  const last = path.at(-1);
  if (last === undefined) return {};
  if (isXml) return { documentElement: last };
  const steps = path.map((name) => (/^[A-Za-z_][\w-]*$/.test(name) ? `.${name}` : `['${name}']`));
  return { documentPath: `$${steps.join('')}` };
}

function placeWords(path: readonly string[], isXml: boolean): string {
  if (path.length === 0) return isXml ? 'The outermost element' : 'Each object of the file';
  return `Each "${path.join('.')}"`;
}

/** Elements that repeat in any of the documents, and those of the lines. */
function listsOf(documents: readonly Tree[], lines: string): readonly string[] {
  const found = new Set([lines.split('.').at(-1) ?? lines]);
  for (const document of documents) collectLists(document, found);
  return [...found].slice(0, 100);
}

function collectLists(tree: Tree, into: Set<string>): void {
  for (const [name, value] of Object.entries(tree)) {
    if (Array.isArray(value)) into.add(name);
    for (const inner of Array.isArray(value) ? value : [value]) {
      if (isTree(inner)) collectLists(inner, into);
    }
  }
}

/** Each object is a row of a table, with the header's values in each. */
function rowsLayout(
  best: Judged,
  rows: readonly Tree[],
  place: TreeSettings,
  isXml: boolean,
): TreeLayout {
  const sample = rows.map((row) => Object.fromEntries(valuesOf(row)));
  const columns = [...new Set(sample.flatMap((row) => Object.keys(row)))];
  const table: FoundTable = {
    name: 'rows',
    columns: columns.map((name) => ({ name, type: 'text' })),
    primaryKey: [],
    uniques: [],
    rows: sample.length,
    sample,
  };
  const found = documentColumnOf(table);
  return {
    settings: {
      ...place,
      elementsAreRows: true,
      ...(found === undefined ? {} : { documentColumn: found.column }),
    },
    title: isXml ? 'XML, a row each' : 'JSON, a row each',
    reasons: {
      documents:
        found?.reason ?? `${placeWords(best.path, isXml)} is a line; a file is one invoice.`,
    },
    confidence: found === undefined ? 0.5 : found.confidence * 0.95,
    notes: found?.notes ?? [],
  };
}

function valuesOf(tree: Tree, prefix = ''): [string, SampleRow[string]][] {
  return Object.entries(tree).flatMap(([name, value]): [string, SampleRow[string]][] => {
    if (Array.isArray(value)) return [];
    if (isTree(value)) return valuesOf(value, `${prefix}${name}.`);
    return [[prefix + name, value === null || value === '' ? null : String(value)]];
  });
}
