import type { CodeLists, Scope, Test } from '../scope.ts';

/** How a question gets from a node of one shape to the elements it reads. */
export interface Way {
  /** The path as the rule writes it. */
  readonly path: string;
  /** Steps up from the node, before the slots. */
  readonly up: number;
  /** The slots to follow from there; none when no row binds every step. */
  readonly slots: readonly number[];
  /** The path to follow when no row binds every step. */
  readonly unboundPath: string | undefined;
  /** The attribute to read of the elements at the end; undefined for their text. */
  readonly attribute: string | undefined;
}

/** A question on the nodes of one shape. */
export type Question =
  /** True of every node of the shape, or of none; nothing is evaluated. */
  | { readonly kind: 'always' | 'never' }
  /** There are `min` to `max` elements (or attributes) at the end of the way. */
  | { readonly kind: 'occurs'; readonly way: Way; readonly min: number; readonly max: number }
  /** Some value there is one of the texts. */
  | { readonly kind: 'says'; readonly way: Way; readonly texts: readonly string[] }
  /** The judge accepts some value there. */
  | { readonly kind: 'some'; readonly way: Way; readonly judge: Judge }
  /** The judge accepts the only value there, `''` when there is none; several are an error. */
  | { readonly kind: 'only'; readonly way: Way; readonly judge: Judge }
  /**
   * The judge accepts the only values at the ends of the ways, undefined where there is none;
   * several are an error, or count as none.
   */
  | {
      readonly kind: 'related';
      readonly ways: readonly Way[];
      readonly several: 'error' | 'none';
      readonly judge: Relation;
    }
  /** The question is true of some node there, or of every one. */
  | { readonly kind: 'any' | 'every'; readonly way: Way; readonly asked: Question }
  /** The node itself has the attribute. */
  | { readonly kind: 'attribute'; readonly name: string }
  /** The judge accepts the node's attribute, undefined when it has none. */
  | { readonly kind: 'attributeReads'; readonly name: string; readonly judge: AttributeJudge }
  /** The node has one of the attributes. */
  | { readonly kind: 'anyAttribute'; readonly names: ReadonlySet<string> }
  /** The node or a node below it holds an unbound element. */
  | { readonly kind: 'unbound' }
  /** The node's text, or its attribute of that name, is a code of the list. */
  | { readonly kind: 'coded'; readonly attribute: string | undefined; readonly list: CodeList }
  /** The node has text or children; `slot` is where they usually are. */
  | { readonly kind: 'full'; readonly slot: number | undefined }
  | { readonly kind: 'not'; readonly first: Question }
  | { readonly kind: 'either' | 'both'; readonly first: Question; readonly second: Question }
  /** A function decides. */
  | { readonly kind: 'test'; readonly test: Test };

type Judge = (text: string) => boolean;
/** Takes the values, followed by the node and the scope. */
export type Relation = (...values: readonly unknown[]) => boolean;
type AttributeJudge = (text: string | undefined, scope: Scope) => boolean;

/** A code list by name, with the latest look-up, because most are for the same code again. */
export interface CodeList {
  readonly name: string;
  lists: CodeLists | undefined;
  code: string | undefined;
}

/** The `max` of an unlimited number of elements. */
export const many = Number.POSITIVE_INFINITY;

/** True of every node of a shape. */
export const always: Question = { kind: 'always' };
/** True of no node. */
export const never: Question = { kind: 'never' };

/** Whether evaluating it cannot throw. */
export function isSure(question: Question): boolean {
  switch (question.kind) {
    case 'test':
    case 'some':
    case 'only':
    case 'related':
    case 'attributeReads':
      return false;
    case 'any':
    case 'every':
      return isSure(question.asked);
    case 'not':
      return isSure(question.first);
    case 'either':
    case 'both':
      return isSure(question.first) && isSure(question.second);
    case 'always':
    case 'never':
    case 'occurs':
    case 'says':
    case 'attribute':
    case 'anyAttribute':
    case 'unbound':
    case 'coded':
    case 'full':
      return true;
  }
}
