import { findTarget, type Shape } from '@drawbridge/cim/node.ts';
import { always, isSure, never, type Question } from './question.ts';
import type { Coded, Context, Rule, RuleSet, Statement } from './rule.ts';
import { bind, given } from './statement.ts';

/** A rule, ready for the nodes of one shape. */
export interface Check {
  readonly rule: Rule;
  readonly question: Question;
}

/** A context, ready for the nodes of one shape. */
export interface ReadyContext {
  readonly when: Context['when'];
  readonly code: Coded | undefined;
  readonly match: Question;
  readonly checks: readonly Check[];
}

/** The contexts of a pattern that the nodes of one shape are held against, in order. */
export interface Choice {
  /** Those that ask for no code. */
  readonly contexts: readonly ReadyContext[];
  /** How the code is read that tells which contexts to try. */
  readonly codeOf: Coded['of'] | undefined;
  /** For each code: its contexts, and among them those that ask for none. */
  readonly byCode: ReadonlyMap<string, readonly ReadyContext[]>;
}

/** What the nodes of one shape meet. */
export interface ShapeRules {
  /** Rules of the patterns whose first context takes every node. */
  readonly always: readonly Check[];
  readonly choices: readonly Choice[];
  /** All of them, in the order in which breaches of one node are reported. */
  readonly rules: readonly Rule[];
}

/** A rule set made ready for one document type. */
export interface CompiledRules {
  /** By number of the shape. */
  readonly byShape: readonly ShapeRules[];
  /** Patterns reduced to the contexts that ask for elements wherever they stand. */
  readonly anywhere: readonly (readonly Context[])[];
  readonly byElement: ReadonlyMap<string, readonly Shape[]>;
  /** By name of an element, and by number of the shape: the slots on the way to such elements. */
  readonly ways: ReadonlyMap<string, Ways>;
}

export type Ways = readonly (readonly number[] | undefined)[];

/** Joins rule sets with a document type, once at start. */
export function compileRules(root: Shape, sets: readonly RuleSet[]): CompiledRules {
  const patterns = sets.flatMap((set) => set.patterns.map((pattern) => pattern.contexts));
  const shapes = everyShape(root);
  const shapesOf = new Map<Context, ReadonlySet<Shape>>();
  for (const context of patterns.flat()) {
    shapesOf.set(context, new Set(contextShapes(root, shapes, context)));
  }
  const byShape = shapes.map((shape) =>
    shapeRules(
      shape,
      patterns.map((contexts) => contexts.filter((context) => shapesOf.get(context)!.has(shape))),
    ),
  );
  const anywhere = patterns.map((contexts) =>
    contexts.filter((context) => typeof context.each === 'function'),
  );
  const byElement = Map.groupBy(shapes, (shape) => shape.element);
  const ways = new Map([...byElement].map(([element, alike]) => [element, waysTo(alike)]));
  return { byShape, anywhere, byElement, ways };
}

/** The rules of a shape that the document type has not: of an element that no row binds. */
export function adoptedRules({ anywhere }: CompiledRules, shape: Shape): ShapeRules {
  return shapeRules(
    shape,
    anywhere.map((contexts) =>
      contexts.filter(({ each }) => typeof each === 'function' && each(shape)),
    ),
  );
}

function shapeRules(shape: Shape, patterns: readonly (readonly Context[])[]): ShapeRules {
  const choices: Choice[] = [];
  const sure: Check[] = [];
  for (const contexts of patterns) {
    const open = contexts.map((context) => readyContext(shape, context)).filter(isMet);
    const [first] = open;
    if (first === undefined) continue;
    if (takesEvery(first)) sure.push(...first.checks);
    else if (open.length === 1 && isCondition(first)) sure.push(...conditional(shape, first));
    else choices.push(choiceOf(shape, open));
  }
  return { always: sure, choices, rules: patterns.flat().flatMap(({ rules }) => rules) };
}

function readyContext(shape: Shape, { when, code, match, rules }: Context): ReadyContext {
  return { when, code, match: match ? bind(match, shape) : always, checks: checksOf(shape, rules) };
}

function isMet({ match }: ReadyContext): boolean {
  return match !== never;
}

function takesEvery({ when, code, match }: ReadyContext): boolean {
  return when === undefined && code === undefined && match === always;
}

/** A context without others beside it whose match is as well asked as part of its rule. */
function isCondition({ when, code, match, checks }: ReadyContext): boolean {
  return when === undefined && code === undefined && checks.length === 1 && isSure(match);
}

function conditional(shape: Shape, { match, checks }: ReadyContext): Check[] {
  const asked = (question: Question): Statement => ({ on: () => question });
  return checks.map(({ rule, question }) => ({
    rule,
    question: bind(given(asked(match), asked(question)), shape),
  }));
}

/** Rules that no node of the shape can break are not asked. */
function checksOf(shape: Shape, rules: readonly Rule[]): Check[] {
  return rules
    .map((rule) => ({ rule, question: bind(rule.holds, shape) }))
    .filter(({ question }) => question !== always);
}

function choiceOf(shape: Shape, contexts: readonly ReadyContext[]): Choice {
  const codes = contexts.flatMap(({ code }) => code ?? []);
  const codeOf = codes[0]?.of;
  if (codes.some(({ of }) => of !== codeOf)) {
    throw new Error(`Contexts of ${shape.element} in one pattern read different codes.`);
  }
  const meets = (given?: string): ReadyContext[] =>
    contexts.filter(({ code }) => code === undefined || code.is.includes(given!));
  const values = new Set(codes.flatMap(({ is }) => is));
  const byCode = new Map([...values].map((value) => [value, meets(value)]));
  return { contexts: meets(), codeOf, byCode };
}

function waysTo(shapes: readonly Shape[]): Ways {
  const ways: number[][] = [];
  for (const shape of shapes) {
    for (let at = shape; at.parent !== undefined; at = at.parent) {
      const slots = (ways[at.parent.number] ??= []);
      if (!slots.includes(at.slot)) slots.push(at.slot);
    }
  }
  return ways;
}

function contextShapes(root: Shape, shapes: readonly Shape[], context: Context): Shape[] {
  if (typeof context.each === 'function') return shapes.filter(context.each);
  return context.each.flatMap((path) => {
    if (path === '') return [root];
    const shape = findTarget(root, path)?.shapes.at(-1);
    // A credit note has no project reference: a path that only the other document type has is not
    // an error.
    return shape === undefined ? [] : [shape];
  });
}

function everyShape(shape: Shape): Shape[] {
  return [shape, ...shape.members.flatMap(everyShape)];
}
