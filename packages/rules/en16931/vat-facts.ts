import { type Node, nodes } from '@drawbridge/cim/node.ts';
import type { Decimal } from '@drawbridge/decimal/decimal.ts';
import { type Element, elementPath, elementText, onlyElement, reach } from '../language/element.ts';
import { normalizeSpace, toDecimal } from '../language/xpath.ts';
import { perDocument } from '../rule.ts';
import type { Scope } from '../scope.ts';
import { isAllowance, isCharge, isVat, isVatAlone } from './vat-scheme.ts';

const at = {
  category: elementPath('cac:TaxCategory'),
  code: elementPath('cbc:ID'),
  rate: elementPath('cbc:Percent'),
  schemeIds: elementPath('cac:TaxScheme/cbc:ID'),
};

/**
 * Which parties have an identifier, for the VAT rules. Each is evaluated only when a rule reads it,
 * because an unreadable one is an error only then.
 */
export class Registrations {
  readonly #everywhere: Scope['everywhere'];

  constructor({ everywhere }: Scope) {
    this.#everywhere = everywhere;
  }

  /** Whether the seller has an identifier for any tax. */
  get seller(): boolean {
    return this.#isAny('cac:AccountingSupplierParty', 'cac:Party/cac:PartyTaxScheme');
  }

  get sellerVat(): boolean {
    return this.#isAny('cac:AccountingSupplierParty', 'cac:Party/cac:PartyTaxScheme', isVatAlone);
  }

  get representativeVat(): boolean {
    return this.#isAny('cac:TaxRepresentativeParty', 'cac:PartyTaxScheme', isVatAlone);
  }

  get buyerVat(): boolean {
    return this.#isAny('cac:AccountingCustomerParty', 'cac:Party/cac:PartyTaxScheme', isVatAlone);
  }

  get buyerLegal(): boolean {
    return this.#isAny('cac:AccountingCustomerParty', 'cac:Party/cac:PartyLegalEntity');
  }

  #isAny(party: string, path: string, isOne: (element: Element) => boolean = () => true): boolean {
    return this.#everywhere(party)
      .flatMap((each) => reach(each, path))
      .some((each) => isOne(each) && reach(each, 'cbc:CompanyID').length > 0);
  }
}

/** The registrations of a document, made once. */
export const registrations = perDocument((scope) => new Registrations(scope));

/** The code of a tax category, `''` when it has none; several are an error. */
export function codeOf(category: Element): string {
  return normalizeSpace(elementText(category, at.code));
}

/** The rate of a tax category as xs:decimal; undefined when it has none. */
export function rateOf(category: Element): Decimal | undefined {
  const percent = onlyElement(category, at.rate);
  return percent && toDecimal(percent.text);
}

/** A tax category, read once for all the rules that ask. */
class TaxCategory {
  readonly element: Element;
  readonly ids: readonly Element[];
  #code: string | undefined;
  #isVat: boolean | undefined;

  constructor(element: Element) {
    this.element = element;
    this.ids = reach(element, at.code);
  }

  /** `''` when it has none; several are an error. */
  get code(): string {
    return (this.#code ??= codeOf(this.element));
  }

  get isVat(): boolean {
    return (this.#isVat ??= isVat(this.element));
  }

  /** How often the code is written, ignoring white space around it. */
  timesWritten(code: string): number {
    return this.ids.filter(({ text }) => normalizeSpace(text) === code).length;
  }

  /** Whether some code equals `code` as written, including white space. */
  says(code: string): boolean {
    return this.ids.some(({ text }) => text === code);
  }
}

/** Tax categories by code, because the rules of a dozen VAT categories look for them in turn. */
export class TaxCategories {
  readonly all: readonly TaxCategory[];

  constructor(all: readonly TaxCategory[]) {
    this.all = all;
  }

  static of(elements: readonly Element[]): TaxCategories {
    return new TaxCategories(elements.map((element) => new TaxCategory(element)));
  }

  /** Whether some code equals `code` as written, for any tax. */
  says(code: string): boolean {
    return this.all.some((each) => each.says(code));
  }

  /** Whether there is one with the code, for any tax; reads all of them. */
  has(code: string): boolean {
    return this.all.filter((each) => each.code === code).length > 0;
  }

  /** Whether there is one with the code for VAT; stops at the first. */
  hasVat(code: string): boolean {
    return this.all.some((each) => each.code === code && each.isVat);
  }

  /** Those with the code for VAT; reads all of them. */
  ofVat(code: string): readonly TaxCategory[] {
    return this.all.filter((each) => each.code === code && each.isVat);
  }

  /** Whether the code is written in one for VAT; stops at the first. */
  writesVat(code: string): boolean {
    return this.all.some((each) => each.isVat && each.timesWritten(code) > 0);
  }

  /** How often the code is written in those for VAT; reads all of them. */
  countVat(code: string): number {
    return this.all.reduce((sum, each) => sum + (each.isVat ? each.timesWritten(code) : 0), 0);
  }
}

/** Whether all categories of the document can be read and none has the code, for any tax. */
export function isUnused(code: string, scope: Scope): boolean {
  const { codes, areReadable } = usedCodes(scope);
  return areReadable && !codes.has(code);
}

/** The codes that the document uses: most use one or two of those that rules look for. */
const usedCodes = perDocument((scope) => {
  const codes = new Set<string>();
  let areReadable = true;
  for (const { all } of [everyCategory(scope), lineCategories(scope)]) {
    for (const { element, ids } of all) {
      codes.add(normalizeSpace(ids[0]?.text ?? ''));
      if (ids.length > 1 || reach(element, at.schemeIds).length > 1) areReadable = false;
    }
  }
  return { codes, areReadable };
});

/** Whether some category's code equals `code` as written, for any tax. */
export function isWritten(code: string, scope: Scope): boolean {
  return everyCategory(scope).says(code) || lineCategories(scope).says(code);
}

/** Categories of the tax breakdown. */
export const breakdown = perDocument(({ root }) =>
  TaxCategories.of(nodes(root, 'tax_totals.breakdown.tax_category')),
);

/** Tax categories of lines, of allowances and of charges. */
export const usedCategories = perDocument(
  (scope) =>
    new TaxCategories([...allowanceCategories(scope, 'both').all, ...lineCategories(scope).all]),
);

/** Tax categories of lines. */
export const lineCategories = perDocument(({ everywhere }) =>
  TaxCategories.of(everywhere('cac:ClassifiedTaxCategory')),
);

/** All tax categories except those of lines. */
export const everyCategory = perDocument(({ everywhere }) =>
  TaxCategories.of(everywhere('cac:TaxCategory')),
);

/** Tax categories of allowances, of charges or of both, of the document and of lines. */
export function allowanceCategories(scope: Scope, which: keyof typeof categoriesOf): TaxCategories {
  return categoriesOf[which](scope);
}

const categoriesOf = {
  allowances: categoriesWhere(isAllowance),
  charges: categoriesWhere(isCharge),
  both: categoriesWhere(() => true),
};

function categoriesWhere(isOne: (node: Node) => boolean): (scope: Scope) => TaxCategories {
  return perDocument(({ everywhere }) =>
    TaxCategories.of(
      everywhere('cac:AllowanceCharge')
        .filter(isOne)
        .flatMap((each) => reach(each, at.category)),
    ),
  );
}
