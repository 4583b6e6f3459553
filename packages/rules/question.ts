import type { CodeLists, Scope, Test } from './rule.ts';

/** Where a question looks, for the nodes of one shape. */
export interface Way {
  /** The path as the rule writes it. */
  readonly path: string;
  /** Steps from the node to those around it, to begin with. */
  readonly up: number;
  /** The slots to follow from there; none where no row binds every step. */
  readonly slots: readonly number[];
  /** The path to follow instead. */
  readonly astray: string | undefined;
  /** What is read of the elements at the end, where it is not their text. */
  readonly attribute: string | undefined;
}

/** What is asked of the nodes of one shape. */
export type Question =
  /** Of every node of the shape, and of none: what follows from them is not asked at all. */
  | { readonly kind: 'always' | 'never' }
  /** From `min` to `max` elements (or attributes) stand at the end of the way. */
  | { readonly kind: 'occurs'; readonly way: Way; readonly min: number; readonly max: number }
  /** Some value there is one of the texts. */
  | { readonly kind: 'says'; readonly way: Way; readonly texts: readonly string[] }
  /** Some value there is as the judge wants it. */
  | { readonly kind: 'some'; readonly way: Way; readonly judge: Judge }
  /** The only value there, `''` when there is none, is as the judge wants it; several are an error. */
  | { readonly kind: 'only'; readonly way: Way; readonly judge: Judge }
  /**
   * The only values at the ends of the ways, undefined where there is none, stand to each other as the
   * judge wants it; several are an error, or count as none.
   */
  | {
      readonly kind: 'related';
      readonly ways: readonly Way[];
      readonly several: 'error' | 'none';
      readonly judge: Relation;
    }
  /** Of some node there it is so, or of every one. */
  | { readonly kind: 'any' | 'every'; readonly way: Way; readonly asked: Question }
  /** The node itself has the attribute. */
  | { readonly kind: 'attribute'; readonly name: string }
  /** The node's attribute, undefined when it has none, is as the judge wants it. */
  | { readonly kind: 'attributeReads'; readonly name: string; readonly judge: AttributeJudge }
  /** The node has one of the attributes. */
  | { readonly kind: 'anyAttribute'; readonly names: ReadonlySet<string> }
  /** Something at or below the node is bound by no row. */
  | { readonly kind: 'unbound' }
  /** The node's text, or its attribute of that name, is a code of the list. */
  | { readonly kind: 'coded'; readonly attribute: string | undefined; readonly list: CodeList }
  /** The node has text, or children: most often in this slot, where there are any slots. */
  | { readonly kind: 'full'; readonly slot: number | undefined }
  | { readonly kind: 'not'; readonly first: Question }
  | { readonly kind: 'either' | 'both'; readonly first: Question; readonly second: Question }
  /** Whatever a function says. */
  | { readonly kind: 'test'; readonly test: Test };

type Judge = (text: string) => boolean;
/** Takes the values, then the node and the scope. */
export type Relation = (...values: readonly unknown[]) => boolean;
type AttributeJudge = (text: string | undefined, scope: Scope) => boolean;

/** A code list by name; mostly it is asked for the code that it was asked for before. */
export interface CodeList {
  readonly name: string;
  lists: CodeLists | undefined;
  code: string | undefined;
}

/** The `max` of a number of elements that has no bound. */
export const many = Number.POSITIVE_INFINITY;

export const always: Question = { kind: 'always' };
export const never: Question = { kind: 'never' };

/** Whether asking it can raise no error. */
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
