import { adjustmentsOf, amountText, priceExtension } from '@drawbridge/cim/amounts.ts';
import {
  type CimObject,
  type CimValue,
  decimalOf,
  groupOf,
  groupsOf,
  textOf,
} from '@drawbridge/cim/json.ts';
import { lookUp } from '@drawbridge/cim/look-up.ts';
import { decimal, format, sum, zero } from '@drawbridge/decimal/decimal.ts';
import { taxes } from './complete.ts';
import { classificationLists, taxTypes } from './myinvois-codes.ts';
import { alpha3 } from './myinvois-countries.ts';
import type { Needs } from './myinvois-needs.ts';

/** The scheme that LHDN writes with every tax type. */
const taxScheme: CimValue = {
  value: 'OTH',
  schemeID: 'UN/ECE 5153',
  schemeAgencyID: '6',
};

/** A line in LHDN's document; `path` is the line's path, e.g. `lines[2]`. */
export function lineOf(line: CimObject, path: string, needs: Needs): CimObject {
  const description = textOf(line.description) ?? textOf(line.name);
  const extension = priceExtension(line);
  const subtotal = textOf(groupOf(line.accounting)?.amount) ?? (extension && amountText(extension));
  const origin = textOf(line.origin_country);
  return {
    id: needs.required(textOf(line.id), `${path}.id`, 'LHDN needs an id for each line.'),
    qty: textOf(line.qty),
    unit: textOf(line.unit),
    net: needs.required(textOf(line.net), `${path}.net`, 'LHDN needs the net amount of each line.'),
    allowances_charges: adjustments(line),
    tax_totals: lineTaxes(line, path, needs),
    description: needs.within(
      needs.required(description, `${path}.description`, 'LHDN needs a description of each line.'),
      300,
      `${path}.description`,
    ),
    origin_country: origin === undefined ? undefined : alpha3.get(origin),
    classifications: classifications(line, path, needs),
    unit_price: needs.required(
      textOf(line.unit_price),
      `${path}.unit_price`,
      'LHDN needs the unit price of each line.',
    ),
    accounting: {
      amount: needs.required(
        subtotal,
        `${path}.accounting.amount`,
        'LHDN needs the subtotal of each line: quantity times price.',
      ),
    },
  };
}

/** Allowances and charges; LHDN writes a rate as a fraction (15 % is 0.15). */
export function adjustments(group: CimObject): readonly CimObject[] {
  return adjustmentsOf(group).map(({ sign, entry }) => ({
    is_charge: String(sign === 1),
    reason: textOf(entry.reason),
    percent: fraction(entry.percent),
    amount: textOf(entry.amount),
  }));
}

function fraction(percent: CimValue | undefined): string | undefined {
  const value = decimalOf(percent);
  return value && format(value.div(decimal(100)));
}

function classifications(line: CimObject, path: string, needs: Needs): readonly CimObject[] {
  const written = groupsOf(line.classifications).flatMap((each) => {
    const code = textOf(each.code);
    const list = classificationLists[textOf(each.list) ?? 'CG'];
    return code === undefined || list === undefined ? [] : [{ code, list }];
  });
  needs.required(
    written.find((each) => each.list === 'CLASS'),
    `${path}.classifications`,
    'LHDN needs a classification code of each line: three digits, 001 to 045.',
  );
  return written;
}

function lineTaxes(line: CimObject, path: string, needs: Needs): readonly CimObject[] {
  const stated = groupsOf(line.tax_totals).flatMap((total) => groupsOf(total.breakdown));
  const isStated = (tax: CimObject): boolean =>
    stated.some((entry) => textOf(entry.category) === textOf(tax.category));
  const others = groupsOf(line.tax).filter((tax) => !isStated(tax));
  const entries = [...others.map((tax) => computed(tax, line)), ...stated];
  const breakdown = entries.map((entry) => subtotal(entry, line, path, needs));
  needs.required(breakdown[0], `${path}.tax`, 'LHDN needs a tax type for each line.');
  const amounts = breakdown.map((entry) => decimalOf(entry.amount) ?? zero);
  return [{ amount: amountText(sum(amounts)), breakdown }];
}

/** Computes the tax of a line that has only a category and a rate. */
function computed(tax: CimObject, line: CimObject): CimObject {
  const net = decimalOf(line.net) ?? zero;
  const rate = decimalOf(tax.rate) ?? zero;
  const isTaxed = !taxes.untaxed.has(textOf(tax.category) ?? '');
  const amount = isTaxed ? net.times(rate).div(decimal(100)) : zero;
  return { ...tax, taxable: amountText(net), amount: amountText(amount) };
}

function subtotal(entry: CimObject, line: CimObject, path: string, needs: Needs): CimObject {
  const category = textOf(entry.category) ?? '';
  const isPerUnit = textOf(entry.per_unit) !== undefined;
  const inLine = groupsOf(line.tax).find((tax) => textOf(tax.category) === category);
  return {
    taxable: textOf(entry.taxable),
    amount: textOf(entry.amount),
    rate: isPerUnit || category === 'O' ? undefined : textOf(entry.rate),
    units: isPerUnit ? (textOf(entry.units) ?? textOf(line.qty)) : undefined,
    units_unit: isPerUnit ? (textOf(entry.units_unit) ?? textOf(line.unit)) : undefined,
    per_unit: textOf(entry.per_unit),
    ...taxTypeOf(entry, inLine, `${path}.tax`, needs),
  };
}

/** Category, exemption and scheme; an exemption needs a reason. */
export function taxTypeOf(
  entry: CimObject,
  other: CimObject | undefined,
  path: string,
  needs: Needs,
): CimObject {
  const category = textOf(entry.category) ?? '';
  const exemption = textOf(entry.exemption) ?? textOf(other?.exemption);
  const type = needs.required(
    lookUp(taxTypes, category),
    `${path}.category`,
    'LHDN needs a tax category that Malaysia knows: SA, SE, TTX, HVG, LVG, E or O.',
  );
  if (category === 'E') {
    const message = 'LHDN needs the reason of a tax exemption: the certificate or the order.';
    needs.required(exemption, `${path}.exemption`, message);
  }
  return {
    category: type,
    exemption: needs.within(category === 'E' ? exemption : undefined, 300, `${path}.exemption`),
    scheme: taxScheme,
  };
}
