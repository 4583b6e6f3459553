import { type CimObject, decimalOf, groupOf, groupsOf, textOf } from '@drawbridge/cim/json.ts';
import { documentTax } from '@drawbridge/cim/totals.ts';
import { type Decimal, format, round } from '@drawbridge/decimal/decimal.ts';
import { type Applied, apply } from '@drawbridge/mapping/apply.ts';
import { withCompany } from '@drawbridge/mapping/company.ts';
import type { Mapping, MappingField } from '@drawbridge/mapping/mapping.ts';
import { shown } from '@drawbridge/mapping/transform.ts';
import type { Profile } from '@drawbridge/profiles/contract.ts';
import { columnOf, type ErrorSource } from '../source/error-source.ts';
import type { MissingValue } from '../source/missing-values.ts';
import {
  decideVerdict,
  type InvoiceError,
  rejection,
  type VerdictInput,
} from '../source/verdict.ts';

/** What a document is held to before its mapping is approved. */
export interface ExaminationInput extends VerdictInput {
  /** Used as if all its fields were approved. */
  readonly mapping: Mapping;
  /** Columns that seem to hold totals of the ERP, which the mapping does not use. */
  readonly seemingTotals: readonly MappingField[];
}

/** What a document of the source would come to; plain, to be copied between threads. */
export interface Examination {
  readonly ref: string;
  /** None: it would pass. */
  readonly errors: readonly InvoiceError[];
  /** Fields without a value, for which it is refused. */
  readonly missing: readonly MissingValue[];
  readonly totals: readonly ComparedTotal[];
  readonly silentZeros: readonly SilentZero[];
}

/** The totals that are compared, in the order in which people read them. */
export const totalNames = ['lines', 'net', 'tax', 'gross'] as const;
export type TotalName = (typeof totalNames)[number];

/** A total that we compute, beside the one that a column of the ERP holds. */
export interface ComparedTotal {
  readonly total: TotalName;
  readonly ours: string;
  readonly erp: string;
  readonly currency?: string;
  readonly isEqual: boolean;
  readonly source?: ErrorSource;
}

/** Lines at 0 % whose tax category no column of the ERP tells. */
interface SilentZero {
  readonly category: string;
  readonly source?: ErrorSource;
}

/** Judges one document as a submission would, and compares its totals with the ERP's own. */
export function examineDocument({ seemingTotals, ...input }: ExaminationInput): Examination {
  const { profile, source, company, connectorId } = input;
  const mapping = allApproved(input.mapping);
  const verdict = decideVerdict({ ...input, mapping });
  const errors = verdict.kind === 'failed' ? verdict.errors : [];
  const missing = verdict.kind === 'failed' ? (verdict.missing ?? []) : [];
  const whole = withCompany(mapping, company, profile.id);
  const fields = whole.fields.filter(({ target }) => !isComputed(target));
  const applied = apply(source, { ...whole, fields });
  // What could not be mapped is told by the errors; sums of the rest would be wrong.
  if (applied.issues.length > 0) {
    return { ref: source.ref, errors, missing, totals: [], silentZeros: [] };
  }
  const computed = profile.complete(applied.cim);
  const stated = apply(source, { ...whole, fields: statedTotals(mapping, seemingTotals) });
  return {
    ref: source.ref,
    errors,
    missing,
    totals: compareTotals(computed, stated, connectorId),
    silentZeros: silentZerosOf(computed, applied, connectorId),
  };
}

/** Of a document that could not be looked at: it is refused by `<PROFILE>-<code>`. */
export function refusedExamination(
  ref: string,
  profile: Profile,
  code: string,
  message: string,
): Examination {
  const verdict = rejection(profile, code, message);
  const errors = verdict.kind === 'failed' ? verdict.errors : [];
  return { ref, errors, missing: [], totals: [], silentZeros: [] };
}

/** As the mapping will be once all of it is approved. */
export function allApproved(mapping: Mapping): Mapping {
  const fields = mapping.fields.map((field) => ({ ...field, status: 'approved' as const }));
  return { ...mapping, fields };
}

/** The total that a field of a mapping states; undefined for any other field. */
export function totalOf({ target }: MappingField): TotalName | undefined {
  if (/^(totals\.tax|tax_totals\[\]\.amount|tax_breakdown\[\]\.amount)$/.test(target)) return 'tax';
  return totalNames.find((name) => target === `totals.${name}`);
}

/** Amounts that follow from the lines, and are left to be computed; what was paid does not. */
function isComputed(target: string): boolean {
  return /^totals\.(?!prepaid$|rounding$)|^tax_totals\[\]|^tax_breakdown\[\]\.(amount|taxable)$/.test(
    target,
  );
}

function statedTotals(mapping: Mapping, seeming: readonly MappingField[]): MappingField[] {
  const mapped = mapping.fields.filter(
    (field) => field.from !== undefined && totalOf(field) !== undefined,
  );
  return [...mapped, ...allApproved({ fields: [...seeming] }).fields];
}

function compareTotals(
  computed: CimObject,
  stated: Applied,
  connectorId: string,
): readonly ComparedTotal[] {
  const currency = textOf(computed.currency);
  const places = decimalsOf(currency);
  return totalNames.flatMap((total) => {
    const ours = amountOf(computed, total);
    const erp = amountOf(stated.cim, total);
    if (ours === undefined || erp === undefined) return [];
    const paths =
      total === 'tax'
        ? ['totals.tax', 'tax_totals[1].amount', 'tax_breakdown[1].amount']
        : [`totals.${total}`];
    const found = paths.map((path) => stated.provenance.get(path)).find((each) => each);
    return {
      total,
      ours: format(ours),
      erp: format(erp),
      ...(currency === undefined ? {} : { currency }),
      isEqual: round(ours, places).eq(round(erp, places)),
      ...optional(columnOf(connectorId, found)),
    };
  });
}

function amountOf(cim: CimObject, total: TotalName): Decimal | undefined {
  return total === 'tax' ? documentTax(cim) : decimalOf(groupOf(cim.totals)?.[total]);
}

const usualDecimals = 2;

/** Decimals of amounts in the currency. */
function decimalsOf(currency: string | undefined): number {
  if (currency === undefined || !/^[A-Z]{3}$/.test(currency)) return usualDecimals;
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.resolvedOptions().maximumFractionDigits ?? usualDecimals;
}

/** Different categories that are told of one document. */
const zerosMax = 10;

/** Categories that are written without a rate. */
const rateless: ReadonlySet<string> = new Set(['E', 'O']);

function silentZerosOf(
  { lines }: CimObject,
  { provenance }: Applied,
  connectorId: string,
): readonly SilentZero[] {
  const found = new Map<string, SilentZero>();
  for (const [index, line] of groupsOf(lines).entries()) {
    const tax = groupsOf(line.tax)[0];
    const category = textOf(tax?.category);
    if (category === undefined || found.has(category)) continue;
    if (found.size === zerosMax) break;
    const rate = decimalOf(tax?.rate);
    if (rate === undefined ? !rateless.has(category) : !rate.eq(0)) continue;
    const at = `lines[${index + 1}].tax`;
    const origin = provenance.get(`${at}.category`) ?? provenance.get('tax_breakdown[1].category');
    if (origin?.kind === 'column' && !isRateOnly(origin.value)) continue;
    const told = origin?.kind === 'column' ? origin : provenance.get(`${at}.rate`);
    found.set(category, { category: shown(category), ...optional(columnOf(connectorId, told)) });
  }
  return [...found.values()];
}

/** Whether a value says at most how much the tax is, and not which: "0", "0 %", "VAT 0%", nothing. */
function isRateOnly(value: string): boolean {
  const rest = value.replaceAll(/\b(vat|gst|sst|tax|rate)\b/gi, '');
  return /^[\d\s.,%@()/_-]*$/.test(rest);
}

function optional(source: ErrorSource | undefined): { readonly source?: ErrorSource } {
  return source === undefined ? {} : { source };
}
