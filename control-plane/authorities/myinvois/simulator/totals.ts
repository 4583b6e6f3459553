import { type Element, find, findAll, textAt } from '../../../simulation/xml-tree.ts';
import { finding } from './core-fields.ts';
import type { Finding } from './document.ts';

/** Rounding differences of the terms may add up; a larger difference is a wrong sum. */
const toleranceOf = (terms: number) => 0.01 * Math.max(terms, 1) + 1e-9;

/** Whether the document's sums agree with their terms. */
export function totals(root: Element): readonly Finding[] {
  const lines = findAll(root, 'InvoiceLine');
  const total = find(root, 'LegalMonetaryTotal') ?? root;
  const net = sum(lines, 'LineExtensionAmount');
  const exclusive = amount(total, 'TaxExclusiveAmount');
  const inclusive = amount(total, 'TaxInclusiveAmount');
  const tax = amount(root, 'TaxTotal/TaxAmount');
  const subtotals = findAll(root, 'TaxTotal/TaxSubtotal');
  const at = '/Invoice/LegalMonetaryTotal';
  const rows: readonly (readonly [string, string, number, number, number])[] = [
    [
      'CF370',
      `${at}/TaxExclusiveAmount`,
      exclusive,
      net - allowances(root, 'false') + allowances(root, 'true'),
      lines.length,
    ],
    ['CF371', '/Invoice/TaxTotal/TaxAmount', tax, sum(subtotals, 'TaxAmount'), subtotals.length],
    ['CF372', `${at}/TaxInclusiveAmount`, inclusive, exclusive + tax, 1],
    [
      'CF373',
      `${at}/PayableAmount`,
      amount(total, 'PayableAmount'),
      inclusive + amount(total, 'PayableRoundingAmount') - amount(total, 'PrepaidAmount'),
      1,
    ],
  ];
  return [
    ...rows
      .filter(([, , stated, computed, terms]) => Math.abs(stated - computed) > toleranceOf(terms))
      .map(([code, path, stated, computed]) =>
        finding(code, path, `${stated} is stated where the terms give ${computed.toFixed(2)}.`),
      ),
    ...subtotals.flatMap((row, index) =>
      subtotalTax(row, `/Invoice/TaxTotal/TaxSubtotal[${index + 1}]`),
    ),
    ...lines.flatMap((line, index) =>
      findAll(line, 'TaxTotal/TaxSubtotal').flatMap((row) =>
        subtotalTax(row, `/Invoice/InvoiceLine[${index + 1}]/TaxTotal/TaxSubtotal`),
      ),
    ),
    ...currencyMix(root),
  ];
}

/** The percentage is in the subtotal in LHDN's samples, and in the category in UBL's. */
function subtotalTax(subtotal: Element, at: string): readonly Finding[] {
  const percent = textAt(subtotal, 'Percent') || textAt(subtotal, 'TaxCategory/Percent');
  if (percent === '') return [];
  const stated = amount(subtotal, 'TaxAmount');
  const computed = (amount(subtotal, 'TaxableAmount') * Number(percent)) / 100;
  return Math.abs(stated - computed) <= 0.05
    ? []
    : [finding('CF374', `${at}/TaxAmount`, `${stated} is not ${percent} % of the base.`)];
}

function currencyMix(root: Element): readonly Finding[] {
  const currency = textAt(root, 'DocumentCurrencyCode');
  const total = find(root, 'LegalMonetaryTotal');
  const other = total?.children.find((child) => child.attributes.currencyID !== currency);
  if (other === undefined) return [];
  const path = `/Invoice/LegalMonetaryTotal/${other.name}/@currencyID`;
  return [finding('CF375', path, `The currency is not the document's (${currency}).`)];
}

function allowances(root: Element, charge: 'true' | 'false'): number {
  const rows = findAll(root, 'AllowanceCharge');
  return sum(
    rows.filter((row) => textAt(row, 'ChargeIndicator') === charge),
    'Amount',
  );
}

function sum(elements: readonly Element[], path: string): number {
  return elements.reduce((total, element) => total + amount(element, path), 0);
}

function amount(from: Element, path: string): number {
  return Number(textAt(from, path) || 0);
}
