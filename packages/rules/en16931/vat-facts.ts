import { type Node, nodes } from '@drawbridge/cim/node.ts';
import type { Decimal } from '@drawbridge/decimal/decimal.ts';
import {
  childrenOf,
  type Element,
  elementPath,
  elementText,
  onlyElement,
  reach,
} from '../element.ts';
import { perDocument, type Scope } from '../rule.ts';
import { normalizeSpace, toDecimal } from '../xpath.ts';
import { isAllowance, isCharge, isVat } from './vat-scheme.ts';

const at = {
  code: elementPath('cbc:ID'),
  rate: elementPath('cbc:Percent'),
  schemeIds: elementPath('cac:TaxScheme/cbc:ID'),
};

/** Who is registered for tax, as the VAT rules ask it. */
export interface Registrations {
  /** The seller, for any tax. */
  readonly seller: boolean;
  readonly sellerVat: boolean;
  readonly representativeVat: boolean;
  readonly buyerVat: boolean;
  readonly buyerLegal: boolean;
}

export const registrations = perDocument((scope): Registrations => {
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

/** Tax registrations of a party, wherever it stands, that have an identifier. */
function taxSchemes(scope: Scope, party: string, path: string): readonly Element[] {
  return scope
    .everywhere(party)
    .flatMap((each) => reach(each, path))
    .filter((registration) => reach(registration, 'cbc:CompanyID').length > 0);
}

/** Code of a tax category, `''` when it has none; several are an error. */
export function codeOf(category: Element): string {
  return normalizeSpace(elementText(category, at.code));
}

/** Rate of a tax category as xs:decimal; undefined when it has none. */
export function rateOf(category: Element): Decimal | undefined {
  const percent = onlyElement(category, at.rate);
  return percent && toDecimal(percent.text);
}

/** VAT categories of that code. */
export function ofCode(
  scope: Scope,
  categories: readonly Element[],
  code: string,
): readonly Element[] {
  const alike = codesIn(scope, categories).get(code);
  if (alike === undefined) return none;
  alike.vat ??= alike.all.filter(isVat);
  return alike.vat;
}

/** Whether there is a category of that code, of whatever tax. */
export function hasCode(scope: Scope, categories: readonly Element[], code: string): boolean {
  return codesIn(scope, categories).has(code);
}

const none: readonly Element[] = [];

/** Categories of one code, and which of them are of VAT: not asked for before a rule asks. */
interface Alike {
  readonly all: Element[];
  vat?: readonly Element[];
}

type ByCode = ReadonlyMap<string, Alike>;

const codesOfLists = perDocument(() => new Map<readonly Element[], ByCode>());

/** Categories by code: a dozen VAT categories ask the same lists in turn. */
function codesIn(scope: Scope, categories: readonly Element[]): ByCode {
  const known = codesOfLists(scope);
  let byCode = known.get(categories);
  if (byCode === undefined) {
    byCode = groupByCode(categories);
    known.set(categories, byCode);
  }
  return byCode;
}

function groupByCode(categories: readonly Element[]): ByCode {
  const byCode = new Map<string, Alike>();
  for (const category of categories) {
    const code = codeOf(category);
    const alike = byCode.get(code);
    if (alike === undefined) byCode.set(code, { all: [category] });
    else alike.all.push(category);
  }
  return byCode;
}

const vatCodesOfLists = perDocument(
  () => new Map<readonly Element[], ReadonlyMap<string, number>>(),
);

/** How often each code is written in VAT categories. */
export function vatCodes(
  scope: Scope,
  categories: readonly Element[],
): ReadonlyMap<string, number> {
  const known = vatCodesOfLists(scope);
  let codes = known.get(categories);
  if (codes === undefined) {
    codes = countVatCodes(categories);
    known.set(categories, codes);
  }
  return codes;
}

function countVatCodes(categories: readonly Element[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const category of categories) {
    if (!isVat(category)) continue;
    for (const { text } of reach(category, at.code)) {
      const code = normalizeSpace(text);
      counts.set(code, (counts.get(code) ?? 0) + 1);
    }
  }
  return counts;
}

/** Whether all categories of the document can be read, and none is of that code, whatever the tax. */
export function isUnused(code: string, scope: Scope): boolean {
  const { codes, areReadable } = usedCodes(scope);
  return areReadable && !codes.has(code);
}

/** Most documents use one or two of the codes that the rules ask for in turn. */
const usedCodes = perDocument(({ everywhere }) => {
  const codes = new Set<string>();
  let areReadable = true;
  for (const name of ['cac:TaxCategory', 'cac:ClassifiedTaxCategory']) {
    for (const category of everywhere(name)) {
      const ids = reach(category, at.code);
      codes.add(normalizeSpace(ids[0]?.text ?? ''));
      if (ids.length > 1 || reach(category, at.schemeIds).length > 1) areReadable = false;
    }
  }
  return { codes, areReadable };
});

/** Every code of a tax category as written, whatever the tax. */
export const writtenCodes = perDocument((scope) => {
  const codes = new Set<string>();
  for (const name of ['cac:TaxCategory', 'cac:ClassifiedTaxCategory']) {
    for (const category of scope.everywhere(name)) {
      for (const { text } of childrenOf(category, 'cbc:ID')) codes.add(text);
    }
  }
  return codes;
});

/** Categories of the tax breakdown. */
export const breakdown = perDocument(({ root }) =>
  nodes(root, 'tax_totals.breakdown.tax_category'),
);

/** Tax categories of lines, of allowances and of charges. */
export const usedCategories = perDocument((scope): readonly Element[] => [
  ...allowanceCategories(scope, 'both'),
  ...lineCategories(scope),
]);

/** Tax categories of lines. */
export function lineCategories(scope: Scope): readonly Node[] {
  return scope.everywhere('cac:ClassifiedTaxCategory');
}

/** Tax categories of allowances, of charges or of both, of the document and of lines. */
export function allowanceCategories(
  scope: Scope,
  which: keyof typeof categoriesOf,
): readonly Element[] {
  return categoriesOf[which](scope);
}

const categoriesOf = {
  allowances: categoriesWhere(isAllowance),
  charges: categoriesWhere(isCharge),
  both: categoriesWhere(() => true),
};

function categoriesWhere(isOne: (node: Node) => boolean): (scope: Scope) => readonly Element[] {
  return perDocument(({ everywhere }) =>
    everywhere('cac:AllowanceCharge')
      .filter(isOne)
      .flatMap((each) => reach(each, 'cac:TaxCategory')),
  );
}
