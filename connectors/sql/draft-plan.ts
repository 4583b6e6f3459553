import type { ImportCommand } from '../contract.ts';
import { type Dialect, equality } from './dialect.ts';
import type { RunStatement, Unanswered } from './driver.ts';

/** A value for one column of a row. */
export interface Cell {
  readonly column: string;
  readonly value: string | null;
}

/** A condition with its one value, bound first; `text` is SQL. */
export interface Condition {
  readonly text: string;
  readonly value: string;
}

/** Where one draft goes: its rows, and the conditions that find them again. */
export interface DraftPlan {
  readonly kind: 'planned';
  /** As people see it. */
  readonly target: string;
  readonly header: {
    /** Quoted. */
    readonly table: string;
    readonly isDraft: Condition;
    readonly cells: readonly Cell[];
    /** Columns that somebody who goes on with the draft changes, as they are in a draft. */
    readonly untouched: readonly { readonly column: string; readonly value: string }[];
  };
  readonly lines?: {
    readonly table: string;
    /** The header's column that lines refer to; without it they have the document's id. */
    readonly parent?: string;
    /** Of the product's own table: finds lines whose header somebody has deleted. */
    readonly leftOver?: Condition;
    /** Undefined when no line can have such a parent. */
    isOfDraft(parent: string | null): Condition | undefined;
    /** The row of a line; positions are counted from 1. */
    cells(position: number, parent: string | null): readonly Cell[];
  };
}

/** The tables that take drafts. */
export interface DraftTables {
  /** Makes what is missing, outside the transaction that writes. */
  prepare(run: RunStatement): Promise<Unanswered | undefined>;
  plan(run: RunStatement, document: ImportCommand['document']): Promise<DraftPlan | Unanswered>;
}

/** `column = value` where the column has any type; undefined when it cannot hold the value. */
export function isEqual(
  dialect: Dialect,
  column: string,
  type: string,
  value: string,
): Condition | undefined {
  const text = equality(dialect, column, type, dialect.placeholder(1), value);
  return text === undefined ? undefined : { text, value };
}
