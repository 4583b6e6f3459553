import { findTarget, type Shape } from '@drawbridge/cim/node.ts';
import { type Judge, judgeOf, type ReadyContext, type ReadySign } from './code.ts';
import { always, never } from './question.ts';
import type { Context, Rule, RuleSet } from './rule.ts';
import { bind } from './statement.ts';

/** What the nodes of one shape meet. */
export class ShapeRules {
  /** In the order in which breaches of one node are reported. */
  readonly rules: readonly Rule[];
  /** Holds nodes and all below them against their rules; takes `asked` of the same object. */
  judge: Judge;
  asked: readonly Rule[] = [];

  constructor(shape: Shape, { patterns, awaited = [], members = [], all = [] }: Meeting) {
    this.rules = patterns.flat().flatMap(({ rules }) => rules);
    const atOnce = patterns.filter((contexts) => !contexts.some(isAwaited));
    // Made when such a node is first met: most documents have few of the shapes there are.
    this.judge = (found, scope, _, sink) => {
      const { judge, asked } = judgeOf({
        patterns: atOnce.map((contexts) => contexts.map((each) => readyContext(shape, each))),
        signs: awaited.flatMap((context) => readySign(shape, context)),
        below: members.map(({ slot, number }) => ({ slot, rules: all[number]! })),
      });
      this.asked = asked;
      this.judge = judge;
      judge(found, scope, asked, sink);
    };
  }
}

interface Meeting {
  readonly patterns: readonly (readonly Context[])[];
  /** Contexts of the document that wait for a sign, which any node may be. */
  readonly awaited?: readonly Context[];
  readonly members?: readonly Shape[];
  /** With the rules of the members, once there are any. */
  readonly all?: readonly ShapeRules[];
}

/** A rule set made ready for one document type. */
export interface CompiledRules {
  /** By number of the shape. */
  readonly byShape: readonly ShapeRules[];
  /** Rules of the document that wait for a sign. */
  readonly awaited: ReadonlyMap<Context, ShapeRules>;
  /** Patterns reduced to the contexts that ask for elements wherever they stand. */
  readonly anywhere: readonly (readonly Context[])[];
  readonly byElement: ReadonlyMap<string, readonly Shape[]>;
  /** From the document to the elements of a name that stand in one place only. */
  readonly routes: ReadonlyMap<string, readonly Shape[]>;
  /**
   * For the others, by name and by number of the shape: the slots on the way to such elements.
   */
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
  const awaited = patterns.flatMap(awaitedIn);
  const byShape: ShapeRules[] = [];
  for (const shape of shapes) {
    const met = patterns.map((contexts) =>
      contexts.filter((context) => shapesOf.get(context)!.has(shape)),
    );
    const { members } = shape;
    const meeting = { patterns: met.filter(isMet), awaited, members, all: byShape };
    byShape.push(new ShapeRules(shape, meeting));
  }
  const anywhere = patterns.map((contexts) =>
    contexts.filter((context) => typeof context.each === 'function'),
  );
  const byElement = Map.groupBy(shapes, (shape) => shape.element);
  const routes = new Map<string, readonly Shape[]>();
  const ways = new Map<string, Ways>();
  for (const [element, alike] of byElement) {
    const route = routeTo(alike[0]!);
    if (alike.length === 1 && route.length > 0) routes.set(element, route);
    else ways.set(element, waysTo(alike));
  }
  const late = awaited.map((context) => [context, lateRules(root, context)] as const);
  return { byShape, awaited: new Map(late), anywhere, byElement, routes, ways };
}

/**
 * The rules of a shape that the document type has not: of an element that no row binds, without
 * those of what is below it.
 */
export function adoptedRules({ anywhere }: CompiledRules, shape: Shape): ShapeRules {
  const met = anywhere.map((contexts) =>
    contexts.filter(({ each }) => typeof each === 'function' && each(shape)),
  );
  return new ShapeRules(shape, { patterns: met.filter(isMet) });
}

function lateRules(root: Shape, { sign: _, ...context }: Context): ShapeRules {
  return new ShapeRules(root, { patterns: [[context]] });
}

/** What comes late cannot keep a node from other contexts, so there must be none. */
function awaitedIn(contexts: readonly Context[]): readonly Context[] {
  const awaited = contexts.filter(isAwaited);
  const ofDocument = contexts.every(({ each }) => typeof each !== 'function' && each.join() === '');
  if (awaited.length > 0 && !(contexts.length === 1 && ofDocument)) {
    throw new Error(
      'A context that waits for a sign is of the document, and alone in its pattern.',
    );
  }
  return awaited;
}

function isAwaited({ sign }: Context): boolean {
  return sign !== undefined;
}

function isMet(contexts: readonly Context[]): boolean {
  return contexts.length > 0;
}

function readyContext(shape: Shape, { when, code, match, rules }: Context): ReadyContext {
  return {
    ...{ when, code },
    match: match ? bind(match, shape) : always,
    // Rules that no node of the shape can break are not asked.
    rules: rules
      .map((rule) => ({ rule, question: bind(rule.holds, shape) }))
      .filter(({ question }) => question !== always),
  };
}

/** None from a shape whose nodes are never the sign. */
function readySign(shape: Shape, context: Context): ReadySign[] {
  const question = bind(context.sign!, shape);
  return question === never ? [] : [{ context, question }];
}

function routeTo(shape: Shape): readonly Shape[] {
  return shape.parent === undefined ? [] : [...routeTo(shape.parent), shape];
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
