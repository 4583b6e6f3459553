import { amountText, priceExtension } from '@drawbridge/cim/amounts.ts';
import {
  type CimObject,
  groupOf,
  groupsOf,
  textOf,
  withDefaults,
  without,
} from '@drawbridge/cim/json.ts';
import type { TaxTreatment } from '@drawbridge/cim/tax-breakdown.ts';
import { completeAmounts } from '@drawbridge/cim/totals.ts';
import {
  type Identification,
  identified,
  mapLines,
  numberedLines,
  ordered,
  ratedTo,
  withAccountingTax,
  withParty,
} from '../completion.ts';

const identification: Identification = {
  billing: {
    specification: 'urn:peppol:pint:billing-1@my-1',
    process: 'urn:peppol:bis:billing',
  },
  selfBilling: {
    specification: 'urn:peppol:pint:selfbilling-1@my-1',
    process: 'urn:peppol:bis:selfbilling',
  },
  selfBilledTypeCodes: new Set(['389', '261']),
};

/** Malaysian taxes: tourism tax is a sum per night, stated by the lines; E has rate 0, O none. */
export const taxes: TaxTreatment = {
  untaxed: new Set(['E', 'O']),
  rateless: new Set(['O', 'TTX']),
  rates: { E: '0' },
  schemes: { TTX: 'AAL' },
};

/** Electronic address scheme of Malaysia. */
const scheme = '0230';

/**
 * Fills what PINT-MY fixes and what arithmetic gives; what the source says stays.
 *
 * The specification's `trn` is the TIN in Malaysia: a seller's `trn` that comes alone moves to
 * `tin` (IBT-032), a buyer's to `identifiers` (IBT-046 without scheme, for PINT has no term of its
 * own). Beside a TIN, or written as an SST number, `trn` is the SST number (IBT-031, IBT-048).
 */
export function complete(cim: CimObject): CimObject {
  const named = ratedTo(identified(cim, identification), 'MYR');
  const seller = withParty(named, 'seller', (party) => addressed(withSellerTin(party)));
  const parties = withParty(seller, 'buyer', (party) => addressed(withBuyerTin(party)));
  const counted = completeAmounts(numberedLines(parties, true), taxes);
  const currency = textOf(named.currency);
  const lines = mapLines(counted, (line) => withSubtotal(withLists(line), currency));
  return ordered(withAccountingTax(lines));
}

/** Where `complete` has moved a value to → where the source had it: errors are shown at the latter. */
export const movedPaths: Readonly<Record<string, string>> = {
  'seller.tin': 'seller.trn',
  'buyer.identifiers[1].id': 'buyer.trn',
};

/** Two of these, joined by a semicolon, stand for two registrations. */
const sstNumber = /^[A-Z]\d{2}-\d{4}-\d{8}/i;

function isLoneTin(party: CimObject): boolean {
  const trn = textOf(party.trn);
  return trn !== undefined && trn !== 'NA' && !sstNumber.test(trn);
}

function withSellerTin(seller: CimObject): CimObject {
  const hasTin =
    textOf(seller.tin) !== undefined ||
    groupsOf(seller.identifiers).some((each) => each.scheme === undefined) ||
    groupsOf(seller.tax_registrations).some((each) => textOf(each.scheme) !== 'VAT');
  if (hasTin || !isLoneTin(seller)) return seller;
  return withDefaults(without(seller, 'trn'), { tin: textOf(seller.trn) });
}

function withBuyerTin(buyer: CimObject): CimObject {
  if (groupsOf(buyer.identifiers).length > 0 || !isLoneTin(buyer)) return buyer;
  return { ...without(buyer, 'trn'), identifiers: [{ id: textOf(buyer.trn)! }] };
}

function addressed(party: CimObject): CimObject {
  if (textOf(party.endpoint) === undefined) return party;
  return withDefaults(party, { endpoint_scheme: scheme });
}

/** A three-digit code without a list is LHDN's classification, which PINT-MY calls CG. */
function withLists(line: CimObject): CimObject {
  const classifications = groupsOf(line.classifications);
  if (classifications.length === 0) return line;
  const listed = classifications.map((each) =>
    /^\d{3}$/.test(textOf(each.code) ?? '') ? withDefaults(each, { list: 'CG' }) : each,
  );
  return { ...line, classifications: listed };
}

/** LHDN's line subtotal: before allowances, charges and tax, in the document's currency. */
function withSubtotal(line: CimObject, currency: string | undefined): CimObject {
  const extension = priceExtension(line);
  if (extension === undefined || currency === undefined) return line;
  const amount = { value: amountText(extension), currencyID: currency };
  return { ...line, accounting: withDefaults(groupOf(line.accounting) ?? {}, { amount }) };
}
