import { type CimObject, groupsOf, textOf, withDefaults } from '@drawbridge/cim/json.ts';
import type { TaxTreatment } from '@drawbridge/cim/tax-breakdown.ts';
import { completeAmounts } from '@drawbridge/cim/totals.ts';
import {
  type Identification,
  identified,
  isLoneRate,
  numberedLines,
  ordered,
  ratedTo,
  withAccountingTax,
  withoutRate,
} from '../completion.ts';

const compliant = 'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc';

const identification: Identification = {
  billing: {
    specification: `${compliant}:billing:3.0`,
    process: 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0',
  },
  selfBilling: {
    specification: `${compliant}:selfbilling:3.0`,
    process: 'urn:fdc:peppol.eu:2017:poacc:selfbilling:01:1.0',
  },
  selfBilledTypeCodes: new Set(['389', '261']),
};

/** EN 16931 VAT: a category without tax has rate 0, out of scope has none. */
const taxes: TaxTreatment = {
  untaxed: new Set(['Z', 'E', 'AE', 'G', 'K', 'O']),
  rateless: new Set(['O']),
  rates: { Z: '0', E: '0', AE: '0', G: '0', K: '0' },
  standard: 'S',
};

/** Categories whose exemption reason can only be one (VATEX). */
const exemptionCodes: Readonly<Record<string, string>> = {
  AE: 'VATEX-EU-AE',
  G: 'VATEX-EU-G',
  K: 'VATEX-EU-IC',
  O: 'VATEX-EU-O',
};

/**
 * Fills the values that Peppol BIS Billing 3.0 fixes and those that can be computed; never changes
 * a value of the source.
 */
export function complete(cim: CimObject): CimObject {
  const named = identified(cim, identification);
  const rated = ratedTo(named, textOf(named.tax_currency));
  const counted = completeAmounts(numberedLines(rated, false), taxes);
  const accounted = withAccountingTax(withExemptions(counted));
  // EN 16931 has no exchange rate: one from the ERP gives the tax in the accounting currency, and is not written.
  return ordered(isLoneRate(named) ? withoutRate(accounted) : accounted);
}

function withExemptions(cim: CimObject): CimObject {
  const breakdown = groupsOf(cim.tax_breakdown);
  if (breakdown.length === 0) return cim;
  return { ...cim, tax_breakdown: breakdown.map(withExemption) };
}

function withExemption(entry: CimObject): CimObject {
  const code = exemptionCodes[textOf(entry.category) ?? ''];
  if (code === undefined || textOf(entry.exemption) !== undefined) return entry;
  return withDefaults(entry, { exemption_code: code });
}
