import type { Transform } from '../transform.ts';

/** A value of a standard syntax: target, column of its section, and how it is written there. */
export type StandardRow = readonly [target: string, column: string, transform?: Transform];

/** Where the fields of an invoice stand in files of a standard syntax, as the reader of XML names places. */
export interface StandardSyntax {
  /** As people know it: "UBL 2.1". */
  readonly name: string;
  /** Documents of it: "UBL invoices". */
  readonly title: string;
  /** The outermost element. */
  readonly root: string;
  readonly namespace: string;
  /** The element that is a line, with what stands around it. */
  readonly lines: string;
  /** Elements that may repeat, where the reader does not know them. */
  readonly listElements?: readonly string[];
  /** Elements that repeat and are told apart by a value in them, with the place of that value. */
  readonly elementKeys: Readonly<Record<string, string>>;
  /** Columns of the header that no other documents have. */
  readonly marks: readonly string[];
  readonly header: readonly StandardRow[];
  readonly line: readonly StandardRow[];
  /** Other elements that repeat. */
  readonly sections: readonly StandardSection[];
}

/** An element that repeats, in the document or in its lines. */
interface StandardSection {
  /** What the section is called where settings name it. */
  readonly name: string;
  /** The element, with what stands around it in the document. */
  readonly path: string;
  /** The list that it is. */
  readonly list: string;
  /** Its members; targets begin with the list. */
  readonly rows: readonly StandardRow[];
  readonly isWithinLines?: true;
}

/** The rows with another beginning of their targets and columns. */
export function within(
  target: string,
  column: string,
  rows: readonly StandardRow[],
): readonly StandardRow[] {
  return rows.map(([own, place, transform]) => {
    const row = [`${target}${own}`, `${column}${place}`] as const;
    return transform === undefined ? row : [...row, transform];
  });
}
