import { amountText } from '@drawbridge/cim/amounts.ts';
import {
  type CimObject,
  decimalOf,
  groupOf,
  groupsOf,
  textOf,
  withDefaults,
} from '@drawbridge/cim/json.ts';
import type { TaxTreatment } from '@drawbridge/cim/tax-breakdown.ts';
import { completeAmounts } from '@drawbridge/cim/totals.ts';
import { type Decimal, format, round, zero } from '@drawbridge/decimal/decimal.ts';
import {
  factorInto,
  type Identification,
  identified,
  mapLines,
  numberedLines,
  ordered,
  ratedTo,
  withAccountingTax,
  withParty,
} from '../completion.ts';
import { documentUuid } from './uuid.ts';

const identification: Identification = {
  billing: {
    specification: 'urn:peppol:pint:billing-1@ae-1',
    process: 'urn:peppol:bis:billing',
  },
  selfBilling: {
    specification: 'urn:peppol:pint:selfbilling-1@ae-1',
    process: 'urn:peppol:bis:selfbilling',
  },
  selfBilledTypeCodes: new Set(['389', '261']),
};

/** UAE VAT: 5 % or nothing; E and O carry no rate, except E on a document allowance or charge. */
const taxes: TaxTreatment = {
  untaxed: new Set(['E', 'O', 'AE', 'Z', 'N']),
  rateless: new Set(['E', 'O']),
  rates: { S: '5', Z: '0', AE: '0' },
  documentRates: { E: '0' },
  standard: 'S',
};

const dirham = 'AED';

/** Electronic address scheme of the UAE: the address is the TIN. */
const scheme = '0235';

/** Predefined addresses of buyers who are not in the network. */
const addresses = { deemedSupply: '9900000097', export: '9900000099' } as const;

/**
 * Fills the values that PINT-AE fixes and those that can be computed; never changes a value of the
 * source. A missing document identifier (BTAE-07) is derived from seller, number, issue date and
 * type, so that a retry has the same one.
 */
export function complete(cim: CimObject): CimObject {
  const named = withDefaults(identified(cim, identification), {
    transaction_type: '00000000',
    tax_currency: isForeign(cim) ? dirham : undefined,
  });
  const parties = withParty(
    withParty(ratedTo(named, dirham), 'seller', addressed),
    'buyer',
    (buyer) => addressed(withBuyerAddress(buyer, textOf(named.transaction_type) ?? '')),
  );
  const counted = completeAmounts(numberedLines(parties, true), taxes);
  const priced = mapLines(counted, withPrices);
  const factor = factorInto(priced, dirham);
  const accounted =
    factor === undefined ? priced : mapLines(priced, (line) => withDirhams(line, factor));
  return ordered(withDirhamTotal(withAccountingTax(withUuid(accounted)), factor));
}

function isForeign(cim: CimObject): boolean {
  const currency = textOf(cim.currency);
  return currency !== undefined && currency !== dirham;
}

function withUuid(cim: CimObject): CimObject {
  const seller = groupOf(cim.seller) ?? {};
  const who = textOf(seller.trn) ?? textOf(seller.tin) ?? textOf(seller.registration_id);
  const facts = [who, textOf(cim.number), textOf(cim.issue_date), textOf(cim.type_code)];
  if (facts.some((fact) => fact === undefined)) return cim;
  return withDefaults(cim, { uuid: documentUuid(facts.map(String)) });
}

/** A TRN is the ten-digit TIN and five more digits. */
const trn = /^(1\d{9})\d{5}$/;

function addressed(party: CimObject): CimObject {
  const tin = trn.exec(textOf(party.trn) ?? '')?.[1] ?? textOf(party.tin);
  const isUae = (textOf(groupOf(party.address)?.country) ?? 'AE') === 'AE';
  const filled = withDefaults(party, { endpoint: isUae ? tin : undefined });
  const isTin = /^[19]\d{9}$/.test(textOf(filled.endpoint) ?? '');
  return withDefaults(filled, { endpoint_scheme: isTin ? scheme : undefined });
}

function withBuyerAddress(buyer: CimObject, transactionType: string): CimObject {
  if (transactionType[1] === '1') return withDefaults(buyer, { endpoint: addresses.deemedSupply });
  const isAbroad = (textOf(groupOf(buyer.address)?.country) ?? 'AE') !== 'AE';
  if (transactionType[7] === '1' && isAbroad) {
    return withDefaults(buyer, { endpoint: addresses.export });
  }
  return buyer;
}

function withPrices(line: CimObject): CimObject {
  const based = withDefaults(line, {
    base_qty: 1,
    base_unit: line.base_qty === undefined ? textOf(line.unit) : undefined,
  });
  const net = decimalOf(line.unit_price);
  if (line.price_allowances !== undefined || net === undefined) return based;
  const gross = decimalOf(line.gross_price) ?? net.plus(decimalOf(line.price_discount) ?? zero);
  return withDefaults(based, {
    gross_price: format(gross),
    price_discount: format(gross.minus(net)),
  });
}

/** Adds BTAE-08 and BTAE-10: the line's tax and its payable amount in dirhams. */
function withDirhams(line: CimObject, factor: Decimal): CimObject {
  const net = decimalOf(line.net);
  const lineTaxes = groupsOf(line.tax);
  if (net === undefined || lineTaxes.length === 0) return line;
  const given = groupOf(line.accounting) ?? {};
  const tax = lineTaxes.reduce((total, each) => total.plus(lineTax(each, net)), zero);
  const taxInDirhams = round(tax.times(factor), 2);
  const payable = round(net.times(factor), 2).plus(taxInDirhams);
  const isExempt = lineTaxes.every((each) => textOf(each.category) === 'E');
  const accounting = withDefaults(given, {
    amount: amountText(payable),
    tax_totals: isExempt ? undefined : [{ amount: amountText(taxInDirhams) }],
  });
  return { ...line, accounting };
}

function lineTax(tax: CimObject, net: Decimal): Decimal {
  const rate = decimalOf(tax.rate);
  if (rate === undefined || taxes.untaxed.has(textOf(tax.category) ?? '')) return zero;
  return round(net.times(rate).div(100), 2);
}

/** Document type code of the note that carries BTAE-20. */
const totalNote = 'aedtotal-incl-vat';

function withDirhamTotal(cim: CimObject, factor: Decimal | undefined): CimObject {
  const gross = decimalOf(groupOf(cim.totals)?.gross);
  const documents = groupsOf(cim.documents);
  if (!isForeign(cim) || factor === undefined || gross === undefined) return cim;
  if (documents.some((each) => textOf(each.type_code) === totalNote)) return cim;
  const total = `${dirham} ${amountText(gross.times(factor))}`;
  const note = { id: dirham, type_code: totalNote, description: total };
  return { ...cim, documents: [...documents, note] };
}
