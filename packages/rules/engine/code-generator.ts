import {
  countOf,
  follow,
  holdsUnbound,
  inSlot,
  isSeveral,
  type Node,
  type Path,
  targetOf,
} from '@drawbridge/cim/node.ts';
import { codesOf } from '../code-lists.ts';
import { type Element, elementPath, hasChildren, reach } from '../language/element.ts';
import { type CodeList, isSure, many, type Question, type Way } from '../language/question.ts';
import { isBlank, normalizeSpace, type Written } from '../language/xpath.ts';
import { type Coded, type Context, DynamicError, perDocument, type Rule } from '../rule.ts';
import type { Scope, Test } from '../scope.ts';

/**
 * What it does: writes the rules as JavaScript. All questions on the nodes of one shape become one
 * function, so no table is read between rules, and values that several rules need are looked up
 * once. Why: with an interpreter of the same tables, validation as a whole takes 1.2 to 1.6 times
 * as long from the CIM and from compact XML, up to 1.16 times from pretty-printed XML; the rules
 * alone take 1.6 to 2.5 times as long (docs/performance.md). Is it safe: the code is made from the
 * rules alone, never from a document. Strings in it are written by JSON.stringify, and all other
 * values are passed in as constants. The plain version: interpreter.fixture.ts, which looks each
 * question up when it is evaluated. How the two are kept equal: validation/rules.fuzz.test.ts runs
 * both over random and changed documents, some in each test run and many with `npm run fuzz`;
 * conformance compares the results with the authorities' own verdicts.
 */

/** Receives what a check finds. */
export interface BreachSink {
  breach(rule: Rule, node: Node): void;
  /** The rule could not be evaluated; throws the error again unless it is a `DynamicError`. */
  failed(rule: Rule, node: Node, error: unknown): void;
  /** A node is the trigger of a context. */
  triggered(context: Context): void;
}

/** Checks nodes of one shape, and all nodes below them, against their rules. */
export type NodeCheck = (
  found: Node | readonly Node[],
  scope: Scope,
  asked: readonly Rule[],
  sink: BreachSink,
) => void;

/** What is below the nodes of a shape. */
interface Descent {
  readonly slot: number;
  readonly rules: { readonly check: NodeCheck; readonly asked: readonly Rule[] };
}

/** A rule, prepared for the nodes of one shape. */
interface ReadyRule {
  readonly rule: Rule;
  readonly question: Question;
}

/** A context, prepared for the nodes of one shape. */
export interface ReadyContext {
  readonly when: Context['when'];
  readonly code: Coded | undefined;
  readonly match: Question;
  readonly rules: readonly ReadyRule[];
}

/** The trigger of a context, prepared for the nodes of one shape. */
export interface ReadyTrigger {
  readonly context: Context;
  readonly question: Question;
}

/** All questions on the nodes of a shape. */
export interface ShapeQuestions {
  /** The patterns that apply to them, each with its contexts in order. */
  readonly patterns: readonly (readonly ReadyContext[])[];
  readonly triggers: readonly ReadyTrigger[];
  readonly below: readonly Descent[];
}

/** Makes one function for all questions on the nodes of a shape, and the rules to pass to it. */
export function generateCheck(questions: ShapeQuestions): {
  readonly check: NodeCheck;
  readonly asked: readonly Rule[];
} {
  const writer = new Writer();
  const body = writer.node(questions);
  const text = `${writer.functions.join('\n')}
  return (found, s, r, sink) => {
    ${writer.conditions.join('\n')}
    const many = Array.isArray(found), count = many ? found.length : 1;
    for (let at = 0; at < count; at++) {
      const n = many ? found[at] : found, m = n.members;
      ${body}
    }
  };`;
  // A function that calls others is unique, so it is not shared.
  const make = questions.below.length === 0 ? shared : made;
  return { check: make(text, writer.constants) as NodeCheck, asked: writer.asked };
}

/** One question as a function. It throws `DynamicError` where the authority's expression fails. */
export function testOf(question: Question): Test {
  const writer = new Writer();
  const test = writer.test(question);
  return shared(`${writer.functions.join('\n')}\nreturn ${test};`, writer.constants) as Test;
}

class Writer {
  /** The values that the code names `k0`, `k1` …; it has no other access to its surroundings. */
  readonly constants: unknown[] = [];
  readonly asked: Rule[] = [];
  /** Functions for questions on nodes further down, each once. */
  readonly functions: string[] = [];
  readonly #functionNames = new Map<string, string>();
  /** Conditions on the document, evaluated before its nodes. */
  readonly conditions: string[] = [];
  /** Names of the values found from the node; several rules use the same one. */
  #found = new Map<string, string>();

  /** The code for all questions on a node, which is named `n`, and its members `m`. */
  node({ patterns, triggers, below }: ShapeQuestions): string {
    return this.#withFound(() =>
      [
        ...patterns.map((contexts, index) => this.#pattern(contexts, index)),
        ...triggers.map((trigger) => this.#trigger(trigger)),
        ...below.map((descent) => this.#descent(descent)),
      ].join('\n'),
    );
  }

  /** The code of a function of a node and the scope. */
  test(question: Question): string {
    const body = this.#withFound(() => `return ${this.#expression(question)};`);
    return `(n, s) => { const m = n.members; ${body} }`;
  }

  /** Writes the declarations of the values that the code uses before it. */
  #withFound(write: () => string): string {
    const foundAround = this.#found;
    this.#found = new Map();
    const text = write();
    const found = [...this.#found].map(([expression, name]) => `const ${name} = ${expression};`);
    this.#found = foundAround;
    return `${found.join(' ')}\n${text}`;
  }

  /** The code of a pattern: of its contexts only the first that matches applies to a node. */
  #pattern(contexts: readonly ReadyContext[], index: number): string {
    const leave = `break p${index};`;
    const coded = contexts.find(({ code }) => code !== undefined)?.code;
    if (coded === undefined) return `p${index}: { ${this.#contexts(contexts, leave)} }`;
    const written = new Map<string, string[]>();
    for (const code of codesAsked(contexts)) {
      const meets = contexts.filter((context) => context.code?.is.includes(code) ?? true);
      const text = this.#contexts(meets, leave);
      written.set(text, [...(written.get(text) ?? []), `case ${JSON.stringify(code)}:`]);
    }
    const cases = [...written].map(([text, labels]) => `${labels.join(' ')} ${text} ${leave}`);
    const others = this.#contexts(
      contexts.filter(({ code }) => code === undefined),
      leave,
    );
    return `p${index}: {
      let code;
      try { code = ${this.#constant(coded.of)}(n, s); } catch (error) { unmet(error); }
      switch (code) { ${cases.join('\n')} default: ${others} }
    }`;
  }

  #trigger({ context, question }: ReadyTrigger): string {
    return `if (${this.#expression(question)}) sink.triggered(${this.#constant(context)});`;
  }

  #descent({ slot, rules }: Descent): string {
    const found = this.#name(`m[${slot}]`);
    const constant = this.#constant(rules);
    return `if (${found} !== undefined) ${constant}.check(${found}, s, ${constant}.asked, sink);`;
  }

  #expression(question: Question): string {
    switch (question.kind) {
      case 'always':
        return 'true';
      case 'never':
        return 'false';
      case 'occurs':
        return this.#occurs(question);
      case 'says':
        return this.#says(question.way, question.texts);
      case 'some':
        return this.#some(question);
      case 'only': {
        const { way, judge } = question;
        return `${this.#constant(judge)}(${this.#value(way, 'error')} ?? '')`;
      }
      case 'related': {
        const { ways, several, judge } = question;
        const texts = ways.map((way) => this.#value(way, several));
        return `${this.#constant(judge)}(${[...texts, 'n', 's'].join(', ')})`;
      }
      case 'any':
      case 'every':
        return this.#each(question);
      case 'attribute':
        return `${attributeOf(question.name)} !== undefined`;
      case 'anyAttribute':
        return `(n.attributes !== undefined && hasAny(n.attributes, ${this.#constant(question.names)}))`;
      case 'unbound':
        return 'holdsUnbound(n)';
      case 'attributeReads':
        return `${this.#constant(question.judge)}(${attributeOf(question.name)}, s)`;
      case 'coded': {
        const { attribute, list } = question;
        const text = attribute === undefined ? 'n.text' : `${attributeOf(attribute)} ?? ''`;
        return `isCoded(${text}, ${this.#constant(list)}, s)`;
      }
      case 'full':
        // Usually the first character decides, or a member.
        return question.slot === undefined
          ? '(n.text.charCodeAt(0) > 32 || isFull(n))'
          : `(${this.#name(`m[${question.slot}]`)} !== undefined || isFull(n))`;
      case 'not':
        return `!(${this.#expression(question.first)})`;
      case 'either':
        return `(${this.#expression(question.first)} || ${this.#expression(question.second)})`;
      case 'both':
        return `(${this.#expression(question.first)} && ${this.#expression(question.second)})`;
      case 'test':
        return `${this.#constant(question.test)}(n, s)`;
    }
  }

  #contexts(contexts: readonly ReadyContext[], leave: string): string {
    const texts: string[] = [];
    // A context without rules only keeps nodes from the later ones, so it is evaluated with those.
    const withoutRules: Matching[] = [];
    for (const { when, match, rules } of contexts) {
      if (match.kind === 'never') continue;
      const matching = { match, condition: when && this.#condition(when) };
      const isMet = match.kind === 'always' && when === undefined;
      if (rules.length === 0) withoutRules.push(matching);
      else {
        const asked = rules.map((rule) => this.#rule(rule)).join('\n');
        const held = withoutRules.reduceRight((text, each) => this.#met(each, '', text), asked);
        texts.push(isMet ? held : this.#met(matching, `${held} ${leave}`, ''));
      }
      if (isMet) break;
    }
    return texts.join('\n');
  }

  /** A predicate that cannot be evaluated matches nothing (XSLT 2.0, 5.5.4). */
  #met({ match, condition = 'true' }: Matching, then: string, otherwise: string): string {
    const asked = `${condition} && ${this.#expression(match)}`;
    const chosen = (met: string) => `if (${met}) { ${then} } else { ${otherwise} }`;
    if (isSure(match)) return chosen(asked);
    return `{ let met = false;
      try { met = ${asked}; } catch (error) { unmet(error); }
      ${chosen('met')} }`;
  }

  #condition(when: Condition): string {
    const constant = this.#constant(conditionOf(when));
    const name = `w${constant}`;
    const text = `const ${name} = ${constant}(s);`;
    if (!this.conditions.includes(text)) this.conditions.push(text);
    return name;
  }

  #rule({ rule, question }: ReadyRule): string {
    const known = this.asked.indexOf(rule);
    const number = known < 0 ? this.asked.push(rule) - 1 : known;
    const text = `if (!(${this.#expression(question)})) sink.breach(r[${number}], n);`;
    if (isSure(question)) return text;
    return `try { ${text} } catch (error) { sink.failed(r[${number}], n, error); }`;
  }

  #function(question: Question): string {
    const text = this.test(question);
    let name = this.#functionNames.get(text);
    if (name === undefined) {
      name = `q${this.#functionNames.size}`;
      this.#functionNames.set(text, name);
      this.functions.push(`const ${name} = ${text};`);
    }
    return name;
  }

  #occurs({ way, min, max }: Extract<Question, { kind: 'occurs' }>): string {
    const found = this.#elements(way);
    if (way.attribute !== undefined) {
      const one = `(${textOf(found, way)} === undefined ? 0 : 1)`;
      const count = byCount(found, '0', one, `having(${found}, ${quoted(way.attribute)})`);
      return `isBetween(${count}, ${min}, ${max})`;
    }
    if (max === 0) return `(${found} === undefined)`;
    if (min === 0 && max === 1) return `!isSeveral(${found})`;
    if (min === 1 && max === 1) return `(${found} !== undefined && !isSeveral(${found}))`;
    if (min === 1 && max === many) return `(${found} !== undefined)`;
    return `isBetween(countOf(${found}), ${min}, ${max})`;
  }

  #says(way: Way, texts: readonly string[]): string {
    const found = this.#elements(way);
    const list = this.#constant(texts);
    const said = textOf(found, way);
    const one =
      texts.length === 1 ? `${said} === ${quoted(texts[0])}` : `${list}.includes(${said})`;
    return byCount(found, 'false', one, `says(${found}, ${quoted(way.attribute)}, ${list})`);
  }

  #some({ way, judge }: Extract<Question, { kind: 'some' }>): string {
    const found = this.#elements(way);
    const constant = this.#constant(judge);
    const said = textOf(found, way);
    // An element always has a text, which may be empty.
    const isThere = way.attribute === undefined ? 'true' : `${said} !== undefined`;
    const several = `some(${found}, ${quoted(way.attribute)}, ${constant})`;
    return byCount(found, 'false', `${isThere} && ${constant}(${said})`, several);
  }

  #each({ kind, way, asked }: Extract<Question, { kind: 'any' | 'every' }>): string {
    const found = this.#elements(way);
    const test = this.#function(asked);
    const none = kind === 'every' ? 'true' : 'false';
    return byCount(found, none, `${test}(${found}, s)`, `${kind}(${found}, ${test}, s)`);
  }

  /**
   * The code for the only value at the end of the way, or undefined; several are an error or none.
   */
  #value(way: Way, several: 'error' | 'none'): string {
    const found = this.#elements(way);
    const attribute = quoted(way.attribute);
    const ofSeveral =
      several === 'error'
        ? `only(${found}, ${attribute}, ${quoted(way.path)})`
        : `lone(${found}, ${attribute})`;
    return byCount(found, 'undefined', textOf(found, way), ofSeveral);
  }

  /**
   * The name of the variable with the elements at the end of the way: one, a list, or undefined.
   */
  #elements({ up, slots, unboundPath }: Way): string {
    const from = `n${'.parent'.repeat(up)}`;
    if (unboundPath !== undefined) {
      const found = `followUnbound(${from}, ${quoted(unboundPath)})`;
      // A model path that leads nowhere is a mistake in the rule, and throws where it is used.
      if (!isOfElements(unboundPath)) return found;
      // In a document without unbound elements such a path finds nothing.
      return this.#name(`s.root.unbound && ${found}`);
    }
    const [first, ...further] = slots;
    const start = this.#name(up === 0 ? `m[${first}]` : `${from}.members[${first}]`);
    return further.reduce((found, slot) => {
      const several = `inSlot(${found}, ${slot})`;
      return this.#name(byCount(found, 'undefined', `${found}.members[${slot}]`, several));
    }, start);
  }

  #name(expression: string): string {
    let name = this.#found.get(expression);
    if (name === undefined) {
      name = `f${this.#found.size}`;
      this.#found.set(expression, name);
    }
    return name;
  }

  #constant(value: unknown): string {
    const known = this.constants.indexOf(value);
    return `k${known < 0 ? this.constants.push(value) - 1 : known}`;
  }
}

function codesAsked(contexts: readonly ReadyContext[]): ReadonlySet<string> {
  const codes = contexts.flatMap(({ code }) => code ?? []);
  if (codes.some((code) => code.of !== codes[0]!.of)) {
    throw new Error('Contexts in one pattern read different codes.');
  }
  return new Set(codes.flatMap(({ is }) => is));
}

/** How a context matches a node. */
interface Matching {
  readonly match: Question;
  /** The condition on the document; usually there is none. */
  readonly condition: string | undefined;
}

/** Code that distinguishes no element, one, and several; for one it needs no call. */
function byCount(found: string, none: string, one: string, several: string): string {
  return `(${found} === undefined ? ${none} : isSeveral(${found}) ? ${several} : ${one})`;
}

/** The code for the text of one element. */
function textOf(found: string, { attribute }: Way): string {
  return attribute === undefined ? `${found}.text` : attributeOf(attribute, found);
}

function attributeOf(name: string, found = 'n'): string {
  return `${found}.attributes?.[${quoted(name)}]`;
}

function quoted(text: string | undefined): string {
  return text === undefined ? 'undefined' : JSON.stringify(text);
}

interface Shared {
  readonly constants: readonly unknown[];
  readonly made: unknown;
}

/** Shared functions by their code; their number is limited by that of the rules. */
const known = new Map<string, Shared[]>();

/** Returns one function for the same code and constants. */
function shared(text: string, constants: readonly unknown[]): unknown {
  let alike = known.get(text);
  if (alike === undefined) known.set(text, (alike = []));
  let same = alike.find((each) => each.constants.every((value, at) => value === constants[at]));
  if (same === undefined) alike.push((same = { constants, made: made(text, constants) }));
  return same.made;
}

function made(text: string, constants: readonly unknown[]): unknown {
  const head = `'use strict';
    const { ${Object.keys(tools).join(', ')} } = tools;
    ${constants.map((_, at) => `const k${at} = constants[${at}];`).join(' ')}`;
  return new Function('tools', 'constants', `${head}\n${text}`)(tools, constants);
}

/** The functions that the code calls by name. */
const tools = {
  countOf,
  inSlot,
  isSeveral,
  isBetween,
  having,
  says,
  some,
  only,
  lone,
  any,
  every,
  followUnbound,
  holdsUnbound,
  hasAny,
  isCoded,
  isFull,
  unmet,
};

function isBetween(count: number, min: number, max: number): boolean {
  return count >= min && count <= max;
}

/** How many of several elements have the attribute. */
function having(found: readonly Element[], attribute: string): number {
  return found.filter(({ attributes }) => attributes?.[attribute] !== undefined).length;
}

function says(found: readonly Element[], attribute: Attribute, texts: readonly Written[]): boolean {
  return found.some((each) => texts.includes(written(each, attribute)));
}

function some(
  found: readonly Element[],
  attribute: Attribute,
  judge: (text: string) => boolean,
): boolean {
  return allWritten(found, attribute).some((text) => judge(text));
}

function only(found: readonly Element[], attribute: Attribute, path: string): Written {
  const texts = allWritten(found, attribute);
  if (texts.length > 1) throw new DynamicError(`Several ${path} where one is expected.`);
  return texts[0];
}

function lone(found: readonly Element[], attribute: Attribute): Written {
  const texts = allWritten(found, attribute);
  return texts.length === 1 ? texts[0] : undefined;
}

function any(found: readonly Node[], asked: Test, scope: Scope): boolean {
  return found.some((each) => asked(each, scope));
}

function every(found: readonly Node[], asked: Test, scope: Scope): boolean {
  return found.every((each) => asked(each, scope));
}

/** The attribute to read; undefined for the text of the element. */
type Attribute = string | undefined;

function allWritten(found: readonly Element[], attribute: Attribute): string[] {
  return found.flatMap((each) => written(each, attribute) ?? []);
}

function written(element: Element, attribute: Attribute): Written {
  return attribute === undefined ? element.text : element.attributes?.[attribute];
}

function isOfElements(path: string): boolean {
  return path.includes(':');
}

const unboundPaths = new Map<string, Path>();

/** Follows a path of which no row binds every step. */
function followUnbound(node: Node, text: string): Element | readonly Element[] | undefined {
  // A model path that leads nowhere is a mistake in the rule, and throws at such a node.
  if (!isOfElements(text)) return follow(node, targetOf(node.shape, text).shapes);
  let path = unboundPaths.get(text);
  if (path === undefined) unboundPaths.set(text, (path = elementPath(text)));
  const found = reach(node, path);
  return found.length > 1 ? found : found[0];
}

function hasAny(attributes: Readonly<Record<string, string>>, names: ReadonlySet<string>): boolean {
  for (const name in attributes) if (names.has(name)) return true;
  return false;
}

function isCoded(text: string, list: CodeList, { lists }: Scope): boolean {
  if (text === list.code && lists === list.lists) return true;
  const codes = codesOf(lists, list.name);
  if (!codes.has(text) && !codes.has(normalizeSpace(text))) return false;
  list.code = text;
  list.lists = lists;
  return true;
}

function isFull(node: Node): boolean {
  return hasChildren(node) || !isBlank(node.text);
}

type Condition = NonNullable<Context['when']>;

const conditions = new Map<Condition, Condition>();

/** The condition on the document, evaluated once; false when it cannot be evaluated. */
function conditionOf(when: Condition): Condition {
  let condition = conditions.get(when);
  if (condition === undefined) {
    condition = perDocument((scope) => {
      try {
        return when(scope);
      } catch (error) {
        unmet(error);
        return false;
      }
    });
    conditions.set(when, condition);
  }
  return condition;
}

function unmet(error: unknown): void {
  if (!(error instanceof DynamicError)) throw error;
}
