import { type Node, nodes } from '@drawbridge/cim/node.ts';
import type { Decimal } from '@drawbridge/decimal/decimal.ts';
import { type Element, elementText, onlyElement, reach } from '../element.ts';
import type { Scope } from '../rule.ts';
import { normalizeSpace, toDecimal } from '../xpath.ts';
import { isAllowance, isCharge, isVat } from './vat-scheme.ts';

/** Who is registered for tax, as the VAT rules ask it. */
export interface Registrations {
  /** The seller, for any tax. */
  readonly seller: boolean;
  readonly sellerVat: boolean;
  readonly representativeVat: boolean;
  readonly buyerVat: boolean;
  readonly buyerLegal: boolean;
}

export function registrations(scope: Scope): Registrations {
  return scope.memo('en16931-registrations', () => {
    const seller = taxSchemes(scope, 'cac:AccountingSupplierParty', 'cac:Party/cac:PartyTaxScheme');
    const buyer = taxSchemes(scope, 'cac:AccountingCustomerParty', 'cac:Party/cac:PartyTaxScheme');
    return {
      seller: seller.length > 0,
      sellerVat: seller.some(isVat),
      representativeVat: taxSchemes(scope, 'cac:TaxRepresentativeParty', 'cac:PartyTaxScheme').some(
        isVat,
      ),
      buyerVat: buyer.some(isVat),
      buyerLegal: scope
        .everywhere('cac:AccountingCustomerParty')
        .some((each) => reach(each, 'cac:Party/cac:PartyLegalEntity/cbc:CompanyID').length > 0),
    };
  });
}

/** Tax registrations of a party, wherever it stands, that have an identifier. */
function taxSchemes(scope: Scope, party: string, path: string): readonly Element[] {
  return scope
    .everywhere(party)
    .flatMap((each) => reach(each, path))
    .filter((registration) => reach(registration, 'cbc:CompanyID').length > 0);
}

/** Code of a tax category, `''` when it has none; several are an error. */
export function codeOf(category: Element): string {
  return normalizeSpace(elementText(category, 'cbc:ID'));
}

/** Rate of a tax category as xs:decimal; undefined when it has none. */
export function rateOf(category: Element): Decimal | undefined {
  const percent = onlyElement(category, 'cbc:Percent');
  return percent && toDecimal(percent.text);
}

/** VAT categories of that code. */
export function ofCode(
  scope: Scope,
  categories: readonly Element[],
  code: string,
): readonly Element[] {
  return (codesIn(scope, categories).get(code) ?? none).filter(isVat);
}

/** Whether there is a category of that code, of whatever tax. */
export function hasCode(scope: Scope, categories: readonly Element[], code: string): boolean {
  return codesIn(scope, categories).has(code);
}

const none: readonly Element[] = [];

type ByCode = ReadonlyMap<string, readonly Element[]>;

/** Categories by code: a dozen VAT categories ask the same lists in turn. */
function codesIn(scope: Scope, categories: readonly Element[]): ByCode {
  const known = scope.memo('en16931-by-code', () => new Map<readonly Element[], ByCode>());
  let byCode = known.get(categories);
  if (byCode === undefined) {
    byCode = Map.groupBy(categories, codeOf);
    known.set(categories, byCode);
  }
  return byCode;
}

/** Codes of VAT categories, one for each that is written. */
export function vatCodes(scope: Scope, categories: readonly Element[]): readonly string[] {
  const known = scope.memo('en16931-vat-codes', () => new Map<readonly Element[], string[]>());
  let codes = known.get(categories);
  if (codes === undefined) {
    codes = categories
      .filter(isVat)
      .flatMap((category) => reach(category, 'cbc:ID').map((id) => normalizeSpace(id.text)));
    known.set(categories, codes);
  }
  return codes;
}

/** Categories of the tax breakdown. */
export function breakdown(scope: Scope): readonly Node[] {
  return scope.memo('en16931-breakdown', () =>
    nodes(scope.root, 'tax_totals.breakdown.tax_category'),
  );
}

/** Tax categories of lines, of allowances and of charges. */
export function usedCategories(scope: Scope): readonly Element[] {
  return scope.memo('en16931-used', () => [
    ...allowanceCategories(scope, 'both'),
    ...lineCategories(scope),
  ]);
}

/** Tax categories of lines. */
export function lineCategories(scope: Scope): readonly Node[] {
  return scope.everywhere('cac:ClassifiedTaxCategory');
}

/** Tax categories of allowances, of charges or of both, of the document and of lines. */
export function allowanceCategories(
  scope: Scope,
  which: 'allowances' | 'charges' | 'both',
): readonly Element[] {
  const isOne = { allowances: isAllowance, charges: isCharge, both: () => true }[which];
  return scope.memo(`en16931-categories-of-${which}`, () =>
    scope
      .everywhere('cac:AllowanceCharge')
      .filter(isOne)
      .flatMap((each) => reach(each, 'cac:TaxCategory')),
  );
}
