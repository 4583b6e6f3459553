import { amountText } from '@drawbridge/cim/amounts.ts';
import {
  type CimObject,
  type CimValue,
  decimalOf,
  groupOf,
  groupsOf,
  textOf,
  withDefaults,
} from '@drawbridge/cim/json.ts';
import { type TermRow, terms } from '@drawbridge/cim/terms.ts';
import { documentTax } from '@drawbridge/cim/totals.ts';
import { decimal } from '@drawbridge/decimal/decimal.ts';

/** Specification and process identifiers of a profile, for both ways of billing. */
export interface Identification {
  readonly billing: { readonly specification: string; readonly process: string };
  readonly selfBilling: { readonly specification: string; readonly process: string };
  /** Type codes (UNCL1001) that always mean self-billing. */
  readonly selfBilledTypeCodes: ReadonlySet<string>;
}

/** UNCL1001 380, commercial invoice: the type of a document that names none. */
const invoiceTypeCode = '380';

/** UN/ECE Recommendation 20 "one": the unit of a quantity that names none. */
const unitOne = 'C62';

/** Adds the type code and the two identifiers that follow from it, where the source has none. */
export function identified(cim: CimObject, identification: Identification): CimObject {
  const typed = withDefaults(cim, { type_code: invoiceTypeCode });
  const isSelfBilled =
    identification.selfBilledTypeCodes.has(textOf(typed.type_code) ?? '') ||
    /self-?billing/i.test(`${textOf(cim.business_process)} ${textOf(cim.specification_id)}`);
  const { specification, process } = isSelfBilled
    ? identification.selfBilling
    : identification.billing;
  return withDefaults(typed, { specification_id: specification, business_process: process });
}

/**
 * Adds to lines an id (the position, unless it is taken), a unit, and a name from the description
 * or the reverse, where they are missing.
 */
export function numberedLines(cim: CimObject, needsDescription: boolean): CimObject {
  const lines = groupsOf(cim.lines);
  if (lines.length === 0) return cim;
  const taken = new Set(lines.map((line) => textOf(line.id)).filter((id) => id !== undefined));
  let next = 1;
  const numbered = lines.map((line) => {
    const id = textOf(line.id) ?? freeId();
    return withDefaults(line, {
      id,
      unit: line.qty === undefined ? undefined : unitOne,
      name: textOf(line.description),
      description: needsDescription ? textOf(line.name) : undefined,
    });
  });
  return { ...cim, lines: numbered };

  function freeId(): string {
    while (taken.has(String(next))) next += 1;
    taken.add(String(next));
    return String(next);
  }
}

/** Changes each line; a document without lines stays as it is. */
export function mapLines(cim: CimObject, change: (line: CimObject) => CimObject): CimObject {
  const lines = groupsOf(cim.lines);
  return lines.length === 0 ? cim : { ...cim, lines: lines.map(change) };
}

/** Changes a party, if the document has it. */
export function withParty(
  cim: CimObject,
  role: 'seller' | 'buyer',
  change: (party: CimObject) => CimObject,
): CimObject {
  const party = groupOf(cim[role]);
  return party === undefined ? cim : { ...cim, [role]: change(party) };
}

/**
 * Adds the source and target currency of an exchange rate, where they are missing. An ERP has a rate beside every
 * document: one that comes alone is left out where `target` is the document's own currency or unknown, because UBL has
 * no rate without its two currencies.
 */
export function ratedTo(cim: CimObject, target: string | undefined): CimObject {
  const currency = textOf(cim.currency);
  const given = groupOf(cim.exchange_rate);
  if (given?.rate === undefined || currency === undefined) return cim;
  if (target !== undefined && currency !== target) {
    return { ...cim, exchange_rate: withDefaults(given, { source: currency, target }) };
  }
  return isLoneRate(cim) ? withoutRate(cim) : cim;
}

/** Whether the document has an exchange rate that names no currency. */
export function isLoneRate(cim: CimObject): boolean {
  const given = groupOf(cim.exchange_rate);
  return given?.rate !== undefined && given.source === undefined && given.target === undefined;
}

/** The document without its exchange rate. */
export function withoutRate({ exchange_rate: _, ...cim }: CimObject): CimObject {
  return cim;
}

/** Adds the tax total in the accounting currency, if that is another and its rate is known. */
export function withAccountingTax(cim: CimObject): CimObject {
  const accounting = textOf(cim.tax_currency);
  const rate = groupOf(cim.exchange_rate);
  if (accounting === undefined || accounting === textOf(cim.currency)) return cim;
  if (cim.tax_totals !== undefined || textOf(rate?.target) !== accounting) return cim;
  const tax = documentTax(cim);
  const factor = decimalOf(rate?.rate);
  if (tax === undefined || factor === undefined) return cim;
  const totals = withDefaults(groupOf(cim.totals) ?? {}, {
    tax_accounting: amountText(tax.times(factor)),
  });
  return { ...cim, totals };
}

/**
 * The factor from the document's currency into `target`; undefined when a rate is needed and
 * missing.
 */
export function factorInto(cim: CimObject, target: string): ReturnType<typeof decimal> | undefined {
  if (textOf(cim.currency) === target) return decimal(1);
  const rate = groupOf(cim.exchange_rate);
  return textOf(rate?.target) === target ? decimalOf(rate?.rate) : undefined;
}

const positions = new Map<string, number>();
for (const [index, row] of Object.values(terms).entries()) {
  const [path]: TermRow = row;
  const member = path.split('.')[0]!.replace('[]', '');
  if (!positions.has(member)) positions.set(member, index);
}

/**
 * Puts the members of a document into the order of the terms. `build` reads from the top:
 * currencies must come before amounts, and totals before the breakdown in the same group.
 */
export function ordered(cim: CimObject): CimObject {
  const positionOf = ([member]: [string, CimValue | undefined]): number =>
    positions.get(member) ?? (member === 'tax_breakdown' ? afterTotals : positions.get('lines')!);
  return Object.fromEntries(Object.entries(cim).sort((a, b) => positionOf(a) - positionOf(b)));
}

const afterTotals = positions.get('totals')! + 0.5;
