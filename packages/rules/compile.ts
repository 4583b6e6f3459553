import { findTarget, type Shape } from '@drawbridge/cim/node.ts';
import { routeOf } from './element.ts';
import type { Coded, Context, Occurs, Rule, RuleSet } from './rule.ts';

/** A rule that only counts, and the way from its node to what it counts. */
export interface CountRow {
  readonly rule: Rule;
  /** Slot below the node, and those to follow from there. */
  readonly slot: number;
  readonly further: readonly number[];
  readonly min: number;
  readonly max: number;
}

/** What is asked of each node that meets a context. */
export interface Checks {
  readonly counts: readonly CountRow[];
  readonly tests: readonly Rule[];
}

/** A context, its rules made ready for the nodes of one shape. */
export interface ReadyContext {
  readonly when: Context['when'] | undefined;
  readonly match: Context['match'] | undefined;
  readonly checks: Checks;
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
  readonly always: Checks;
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
  const met = patterns.filter((contexts) => contexts.length > 0);
  const sure = met.filter(([first]) => takesEvery(first!)).map(([first]) => first!);
  const open = met.filter(([first]) => !takesEvery(first!));
  return {
    always: checksOf(
      shape,
      sure.flatMap(({ rules }) => rules),
    ),
    choices: open.map((contexts) => choiceOf(shape, contexts)),
    rules: met.flat().flatMap(({ rules }) => rules),
  };
}

function takesEvery({ when, code, match }: Context): boolean {
  return when === undefined && code === undefined && match === undefined;
}

function choiceOf(shape: Shape, contexts: readonly Context[]): Choice {
  const ready = contexts.map((context) => ({ context, ready: readyContext(shape, context) }));
  const codes = contexts.flatMap(({ code }) => code ?? []);
  const codeOf = codes[0]?.of;
  if (codes.some(({ of }) => of !== codeOf)) {
    throw new Error(`Contexts of ${shape.element} in one pattern read different codes.`);
  }
  const meets = (code?: string): ReadyContext[] =>
    ready
      .filter(({ context }) => context.code === undefined || context.code.is.includes(code!))
      .map((each) => each.ready);
  const values = new Set(codes.flatMap(({ is }) => is));
  const byCode = new Map([...values].map((value) => [value, meets(value)]));
  return { contexts: meets(), codeOf, byCode };
}

function readyContext(shape: Shape, { when, match, rules }: Context): ReadyContext {
  return { when, match, checks: checksOf(shape, rules) };
}

function checksOf(shape: Shape, rules: readonly Rule[]): Checks {
  const rows = rules.map((rule) => rule.occurs && countRow(shape, rule, rule.occurs));
  return {
    counts: rows.filter((row) => row !== undefined),
    tests: rules.filter((_, index) => rows[index] === undefined),
  };
}

/** Undefined where the way is not one from node to node: the rule's own test finds out. */
function countRow(shape: Shape, rule: Rule, { path, min, max }: Occurs): CountRow | undefined {
  const target = path.includes(':') ? routeOf(shape, path) : findTarget(shape, path);
  if (target === undefined || target.attribute !== undefined) return undefined;
  const [slot, ...further] = target.shapes.map((each) => each.slot);
  return slot === undefined ? undefined : { rule, slot, further, min, max };
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
