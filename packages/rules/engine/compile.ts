import { findTarget, type Shape } from '@drawbridge/cim/node.ts';
import { always, never } from '../language/question.ts';
import { bind } from '../language/statement.ts';
import type { Context, Rule, RuleSet } from '../rule.ts';
import {
  generateCheck,
  type NodeCheck,
  type ReadyContext,
  type ReadyTrigger,
} from './code-generator.ts';

/** The rules for the nodes of one shape. */
export class ShapeRules {
  /** In the order in which breaches of one node are reported. */
  readonly rules: readonly Rule[];
  /** Checks nodes and all below them against their rules; takes `asked` of the same object. */
  check: NodeCheck;
  asked: readonly Rule[] = [];

  constructor(
    shape: Shape,
    { patterns, triggered = [], members = [], all = [] }: ShapeContexts,
    makeCheck: MakeCheck,
  ) {
    this.rules = patterns.flat().flatMap(({ rules }) => rules);
    const atOnce = patterns.filter((contexts) => !contexts.some(isTriggered));
    // Made at the first such node, because most documents have few of the shapes.
    this.check = (found, scope, _, sink) => {
      const { check, asked } = makeCheck({
        patterns: atOnce.map((contexts) => contexts.map((each) => readyContext(shape, each))),
        triggers: triggered.flatMap((context) => readyTrigger(shape, context)),
        below: members.map(({ slot, number }) => ({ slot, rules: all[number]! })),
      });
      this.asked = asked;
      this.check = check;
      check(found, scope, asked, sink);
    };
  }
}

/** Makes the check of a shape from its questions: by generated code, in tests by an interpreter. */
export type MakeCheck = typeof generateCheck;

interface ShapeContexts {
  readonly patterns: readonly (readonly Context[])[];
  /** Contexts of the document for which any node may be the trigger. */
  readonly triggered?: readonly Context[];
  readonly members?: readonly Shape[];
  /** These rules and those of the members, once they are made. */
  readonly all?: readonly ShapeRules[];
}

/** A rule set prepared for one document type. */
export interface CompiledRules {
  readonly makeCheck: MakeCheck;
  /** By number of the shape. */
  readonly byShape: readonly ShapeRules[];
  /** Rules of the document that have a trigger. */
  readonly triggered: ReadonlyMap<Context, ShapeRules>;
  /** Patterns reduced to the contexts that match elements at any place. */
  readonly anywhere: readonly (readonly Context[])[];
  readonly byElement: ReadonlyMap<string, readonly Shape[]>;
  /** The route from the document to elements whose name occurs in one place only. */
  readonly routes: ReadonlyMap<string, readonly Shape[]>;
  /**
   * For other elements, by name and by number of the shape: the slots that lead to them.
   */
  readonly ways: ReadonlyMap<string, Ways>;
}

/** By number of a shape: the slots that lead to the wanted elements; undefined when none does. */
export type Ways = readonly (readonly number[] | undefined)[];

/** Prepares rule sets for a document type, once at start; throws when a rule set is invalid. */
export function compileRules(
  root: Shape,
  sets: readonly RuleSet[],
  makeCheck: MakeCheck = generateCheck,
): CompiledRules {
  const patterns = sets.flatMap((set) => set.patterns.map((pattern) => pattern.contexts));
  const shapes = everyShape(root);
  const shapesOf = new Map<Context, ReadonlySet<Shape>>();
  for (const context of patterns.flat()) {
    shapesOf.set(context, new Set(contextShapes(root, shapes, context)));
  }
  const triggered = patterns.flatMap(triggeredIn);
  const byShape: ShapeRules[] = [];
  for (const shape of shapes) {
    const met = patterns.map((contexts) =>
      contexts.filter((context) => shapesOf.get(context)!.has(shape)),
    );
    const { members } = shape;
    const contexts = { patterns: met.filter(isMet), triggered, members, all: byShape };
    byShape.push(new ShapeRules(shape, contexts, makeCheck));
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
  const late = triggered.map((context) => [context, lateRules(root, context, makeCheck)] as const);
  return { makeCheck, byShape, triggered: new Map(late), anywhere, byElement, routes, ways };
}

/**
 * The rules for an element that no row binds, whose shape the document type does not have; without
 * those of the elements below it.
 */
export function rulesOfUnbound({ anywhere, makeCheck }: CompiledRules, shape: Shape): ShapeRules {
  const met = anywhere.map((contexts) =>
    contexts.filter(({ each }) => typeof each === 'function' && each(shape)),
  );
  return new ShapeRules(shape, { patterns: met.filter(isMet) }, makeCheck);
}

function lateRules(
  root: Shape,
  { trigger: _, ...context }: Context,
  makeCheck: MakeCheck,
): ShapeRules {
  return new ShapeRules(root, { patterns: [[context]] }, makeCheck);
}

/** Contexts with a trigger are checked last, so their pattern must have no other contexts. */
function triggeredIn(contexts: readonly Context[]): readonly Context[] {
  const triggered = contexts.filter(isTriggered);
  const ofDocument = contexts.every(({ each }) => typeof each !== 'function' && each.join() === '');
  if (triggered.length > 0 && !(contexts.length === 1 && ofDocument)) {
    throw new Error('A context with a trigger is of the document, and alone in its pattern.');
  }
  return triggered;
}

function isTriggered({ trigger }: Context): boolean {
  return trigger !== undefined;
}

function isMet(contexts: readonly Context[]): boolean {
  return contexts.length > 0;
}

function readyContext(shape: Shape, { when, code, match, rules }: Context): ReadyContext {
  return {
    when,
    code,
    match: match ? bind(match, shape) : always,
    // Rules that no node of the shape can break are left out.
    rules: rules
      .map((rule) => ({ rule, question: bind(rule.holds, shape) }))
      .filter(({ question }) => question !== always),
  };
}

/** The prepared trigger; none when no node of the shape can be the trigger. */
function readyTrigger(shape: Shape, context: Context): ReadyTrigger[] {
  const question = bind(context.trigger!, shape);
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
    // A path that only the other document type has is not an error: a credit note, for example, has
    // no project reference.
    return shape === undefined ? [] : [shape];
  });
}

function everyShape(shape: Shape): Shape[] {
  return [shape, ...shape.members.flatMap(everyShape)];
}
