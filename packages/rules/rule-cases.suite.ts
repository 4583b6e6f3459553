import {
  firstOf,
  keepUnbound,
  listOf,
  Node,
  nodes,
  type Shape,
  targetOf,
  type Unbound,
} from '@drawbridge/cim/node.ts';
import { describe, expect, test } from 'vitest';
import { type CompiledRules, compileRules } from './engine/compile.ts';
import { runRules } from './engine/run.ts';
import { rule } from './language/rule-kinds.ts';
import type { Rule, RuleSet } from './rule.ts';
import type { CodeLists } from './scope.ts';

/** Changes a good document. */
export type Edit = (root: Node) => void;

/**
 * A rule, a change that breaks it, and one that satisfies it if the rule applies to no good
 * document.
 */
export interface RuleCase {
  readonly id: string;
  /** The name of the good document to change. */
  readonly of: string;
  readonly wrong: Edit;
  readonly right?: Edit;
}

export interface RuleCases {
  readonly sets: readonly RuleSet[];
  readonly lists: CodeLists;
  /** Good documents by name; each call makes a new one. */
  readonly good: Readonly<Record<string, () => Node>>;
  readonly cases: readonly RuleCase[];
  /** Rules that apply only to nodes that break them. */
  readonly neverKept?: readonly string[];
}

/** Tests that some good document satisfies each rule and that one change of one breaks it. */
export function ruleSuite(
  name: string,
  { sets, lists, good, cases, neverKept = [] }: RuleCases,
): void {
  const met = new Set<string>();
  const watched = sets.map((set) => watching(set, (id) => met.add(id)));
  const compiled = new Map<Shape, CompiledRules>();
  const broken = (root: Node): Set<string> => {
    const rules = compiled.get(root.shape) ?? compileRules(root.shape, watched);
    compiled.set(root.shape, rules);
    return new Set(runRules(rules, root, lists).map(({ rule }) => rule.id));
  };

  describe(name, () => {
    test.each(Object.keys(good))('the good %s satisfies every rule', (document) => {
      expect([...broken(good[document]!())]).toEqual([]);
    });

    test.each(cases)('$id fails when one thing is wrong in the $of', ({ id, of, wrong, right }) => {
      const changed = good[of]!();
      wrong(changed);
      expect(broken(changed)).toContain(id);
      if (right === undefined) return;
      const kept = good[of]!();
      right(kept);
      met.delete(id);
      expect(broken(kept)).not.toContain(id);
      expect(met, 'the change that keeps the rule must meet it').toContain(id);
    });

    test('every rule has a case that breaks it and a document that satisfies it', () => {
      const ids = sets.flatMap(idsOf);
      const tried = new Set(cases.map(({ id }) => id));
      expect(ids.filter((id) => !tried.has(id))).toEqual([]);
      const kept = new Set<string>();
      const judge = (root: Node): void => {
        met.clear();
        const wrong = broken(root);
        for (const id of met) if (!wrong.has(id)) kept.add(id);
      };
      for (const document of Object.values(good)) judge(document());
      for (const { of, wrong, right } of cases) {
        for (const edit of [wrong, right ?? (() => {})]) {
          const changed = good[of]!();
          edit(changed);
          judge(changed);
        }
      }
      expect(ids.filter((id) => !kept.has(id) && !neverKept.includes(id))).toEqual([]);
    });
  });
}

/** The ids of a rule set in order; an id in two contexts occurs twice. */
export function idsOf(set: RuleSet): string[] {
  return set.patterns.flatMap((pattern) =>
    pattern.contexts.flatMap((context) => context.rules.map(({ id }) => id)),
  );
}

/** Sets the value at `path` to `text`. */
export function set(path: string, text: string): Edit {
  return (root) => {
    at(root, path).text = text;
  };
}

/** Sets the value at `path` to these text nodes, with comments between them. */
export function parted(path: string, ...texts: readonly string[]): Edit {
  return (root) => {
    const node = at(root, path);
    node.text = texts.join('');
    node.texts = [...texts];
  };
}

/** Removes the first occurrence at `path`. */
export function drop(path: string): Edit {
  return (root) => {
    const node = at(root, path);
    const { members } = node.parent!;
    const others = listOf(members[node.shape.slot]).filter((each) => each !== node);
    members[node.shape.slot] = others.length > 1 ? others : others[0];
  };
}

/** Repeats the first occurrence at `path`. */
export function twice(path: string): Edit {
  return (root) => {
    const node = at(root, path);
    copy(node, node.parent!);
  };
}

/** Adds a value at `path`; makes missing groups of the path. */
export function add(path: string, text: string, attributes?: Record<string, string>): Edit {
  return (root) => {
    let node = root;
    const shapes = targetOf(root.shape, path).shapes;
    for (const [index, shape] of shapes.entries()) {
      const last = index === shapes.length - 1;
      node = (last ? undefined : firstOf(node.members[shape.slot])) ?? new Node(shape, node);
    }
    node.text = text;
    node.attributes = attributes;
  };
}

/** Sets the attribute of the element at `path` to `text`, or removes it. */
export function attribute(path: string, name: string, text?: string): Edit {
  return (root) => {
    const node = at(root, path);
    const { [name]: _, ...others } = node.attributes ?? {};
    node.attributes = text === undefined ? others : { ...others, [name]: text };
  };
}

/** Adds an unbound element to the group at `path` (`''` is the document). */
export function unbound(path: string, names: string, text: string): Edit {
  const groups = names.split('/');
  const element = groups.pop()!;
  return unboundGroup(path, groups, [element, text]);
}

/** Adds unbound elements in nested groups of these names. */
export function unboundGroup(
  path: string,
  groups: readonly string[],
  ...values: readonly UnboundValue[]
): Edit {
  return (root) => {
    const children: Unbound[] = values.map(([element, text, attributes]) => ({
      element,
      position: 1,
      attributes,
      text,
      children: [],
    }));
    const inside = groups.reduceRight(
      (below, element) => [
        { element, position: 1, attributes: undefined, text: '', children: below },
      ],
      children,
    );
    for (const unbound of inside) keepUnbound(path === '' ? root : at(root, path), unbound);
  };
}

type UnboundValue = readonly [element: string, text: string, attributes?: Record<string, string>];

/** Makes several changes. */
export function all(...edits: readonly Edit[]): Edit {
  return (root) => {
    for (const edit of edits) edit(root);
  };
}

/** Cases on one good document: `[id, wrong]` or `[id, wrong, right]`. */
export function casesOf(
  of: string,
  rows: readonly (readonly [id: string, wrong: Edit, right?: Edit])[],
): RuleCase[] {
  return rows.map(([id, wrong, right]) => ({ id, of, wrong, ...(right && { right }) }));
}

function at(root: Node, path: string): Node {
  const found = nodes(root, path)[0];
  if (found === undefined) throw new Error(`The good document has nothing at ${path}.`);
  return found;
}

function copy(node: Node, parent: Node): void {
  const twin = new Node(node.shape, parent);
  twin.text = node.text;
  twin.attributes = node.attributes && { ...node.attributes };
  for (const found of node.members) for (const member of listOf(found)) copy(member, twin);
}

/** The same rules, which report the ids of those that apply to a node. */
function watching(set: RuleSet, tell: (id: string) => void): RuleSet {
  const watched = (rules: readonly Rule[]): readonly Rule[] => {
    const watch = rule('watch', ['IBT-001'], 'Never broken.', () => {
      for (const { id } of rules) tell(id);
      return true;
    });
    return [...rules, watch];
  };
  const patterns = set.patterns.map((pattern) => ({
    ...pattern,
    contexts: pattern.contexts.map((context) => ({ ...context, rules: watched(context.rules) })),
  }));
  return { ...set, patterns };
}
