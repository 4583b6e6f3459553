import type { Node } from '@drawbridge/cim/node.ts';
import { childrenOf } from '@drawbridge/rules/element.ts';
import { path } from '@drawbridge/rules/kinds.ts';
import type { Statement } from '@drawbridge/rules/rule.ts';
import { either, reads, says } from '@drawbridge/rules/statement.ts';
import { typeCodeElements } from '@drawbridge/rules/ubl-elements.ts';
import { textOf } from '@drawbridge/rules/xpath.ts';

/**
 * The eight digits of the transaction type (BTAE-02), in order: 1 where the invoice is of that
 * type.
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

export type TransactionType = (typeof positions)[number];

/** Whether the transaction type is well formed and says so. */
export function isOfType(root: Node, type: TransactionType): boolean {
  return isOne(textOf(root, transactionType), positions.indexOf(type));
}

/** As `isOfType`, said of the document itself, or of a node from which the path leads there. */
export function ofType(type: TransactionType, path = 'transaction_type'): Statement {
  const position = positions.indexOf(type);
  return reads(path, (text) => isOne(text, position));
}

const transactionType = path('transaction_type');

function isOne(text: string, position: number): boolean {
  return text.charAt(position) === '1' && isTransactionType(text);
}

/** Eight digits, each 0 or 1. */
export function isTransactionType(text: string): boolean {
  return /^[01]{8}$/.test(text);
}

/** Whether the document type (IBT-003) is one of these. */
export function hasTypeCode(root: Node, ...codes: readonly string[]): boolean {
  return typeCodeElements.some((element) =>
    childrenOf(root, element).some(({ text }) => codes.includes(text)),
  );
}

/** As `hasTypeCode`, said of the document itself. */
export function typeCode(...codes: readonly string[]): Statement {
  return typeCodeAt('', codes);
}

/** As `typeCode`, said of a node in the document itself. */
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
