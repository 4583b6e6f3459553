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
 * Fills the values that PINT-MY fixes and those that can be computed; never changes a value of the
 * source.
 *
 * The specification's `trn` is the TIN in Malaysia: a seller's `trn` without a `tin` moves to `tin`
 * (IBT-032), a buyer's to `identifiers` (IBT-046 without scheme, because PINT has no term for it).
 * With a `tin`, or in the form of an SST number, `trn` is the SST number (IBT-031, IBT-048).
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

/** Path to which `complete` moves a value → its path in the source, where errors are shown. */
export const movedPaths: Readonly<Record<string, string>> = {
  'seller.tin': 'seller.trn',
  'buyer.identifiers[1].id': 'buyer.trn',
};

/** The form of an SST number; two registrations are two of these, separated by a semicolon. */
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

/** Adds the list CG to three-digit codes without a list: they are LHDN's classifications. */
function withLists(line: CimObject): CimObject {
  const classifications = groupsOf(line.classifications);
  if (classifications.length === 0) return line;
  const listed = classifications.map((each) =>
    /^\d{3}$/.test(textOf(each.code) ?? '') ? withDefaults(each, { list: 'CG' }) : each,
  );
  return { ...line, classifications: listed };
}

/** Adds LHDN's line subtotal: before allowances, charges and tax, in the document's currency. */
function withSubtotal(line: CimObject, currency: string | undefined): CimObject {
  const extension = priceExtension(line);
  if (extension === undefined || currency === undefined) return line;
  const amount = { value: amountText(extension), currencyID: currency };
  return { ...line, accounting: withDefaults(groupOf(line.accounting) ?? {}, { amount }) };
}
