import type { Node } from '@drawbridge/cim/node.ts';
import { childrenOf } from '@drawbridge/rules/language/element.ts';
import { path } from '@drawbridge/rules/language/rule-kinds.ts';
import { either, reads, says } from '@drawbridge/rules/language/statement.ts';
import { textOf } from '@drawbridge/rules/language/xpath.ts';
import type { Statement } from '@drawbridge/rules/rule.ts';
import { typeCodeElements } from '@drawbridge/rules/ubl-elements.ts';

/**
 * The eight digits of the transaction type (BTAE-02) in order; a 1 means that the invoice is of
 * that type.
 */
const positions = [
  'free-trade-zone',
  'deemed-supply',
  'margin-scheme',
  'summary',
  'continuous',
  'disclosed-agent',
  'e-commerce',
  'exports',
] as const;

/** A type that a transaction may have. */
export type TransactionType = (typeof positions)[number];

/** Whether the transaction type is well formed and has this type. */
export function isOfType(root: Node, type: TransactionType): boolean {
  return isOne(textOf(root, transactionType), positions.indexOf(type));
}

/** As `isOfType`, as a statement on the document, or on a node from which `path` leads there. */
export function ofType(type: TransactionType, path = 'transaction_type'): Statement {
  const position = positions.indexOf(type);
  return reads(path, (text) => isOne(text, position));
}

const transactionType = path('transaction_type');

function isOne(text: string, position: number): boolean {
  return text.charAt(position) === '1' && isTransactionType(text);
}

/** Whether the text is eight digits, each 0 or 1. */
export function isTransactionType(text: string): boolean {
  return /^[01]{8}$/.test(text);
}

/** Whether the document type (IBT-003) is one of these. */
export function hasTypeCode(root: Node, ...codes: readonly string[]): boolean {
  return typeCodeElements.some((element) =>
    childrenOf(root, element).some(({ text }) => codes.includes(text)),
  );
}

/** As `hasTypeCode`, as a statement on the document. */
export function typeCode(...codes: readonly string[]): Statement {
  return typeCodeAt('', codes);
}

/** As `typeCode`, on a child of the document. */
export function typeCodeAround(...codes: readonly string[]): Statement {
  return typeCodeAt('../', codes);
}

function typeCodeAt(document: '' | '../', codes: readonly string[]): Statement {
  const [invoice, creditNote] = typeCodeElements;
  return either(
    says(`${document}${invoice}`, ...codes),
    says(`${document}${creditNote}`, ...codes),
  );
}
