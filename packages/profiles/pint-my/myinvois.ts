import { amountText } from '@drawbridge/cim/amounts.ts';
import { type CimObject, decimalOf, groupOf, groupsOf, textOf } from '@drawbridge/cim/json.ts';
import { lookUp } from '@drawbridge/cim/look-up.ts';
import { documentTax } from '@drawbridge/cim/totals.ts';
import type { DocumentType } from '../contract.ts';
import {
  otherPaymentMode,
  paymentModes,
  refundCodes,
  refundReason,
  typeCodes,
} from './myinvois-codes.ts';
import { adjustments, lineOf, taxTypeOf } from './myinvois-line.ts';
import { type Need, Needs } from './myinvois-needs.ts';
import { addressOf, partyOf } from './myinvois-party.ts';

/** The version of LHDN's document: 1.0 has no signature. */
const version = '1.0';

const ringgit = 'MYR';

/** A CIM for LHDN, and the values that are missing for it. */
export interface Translated {
  /** The CIM in LHDN's codes, for `myinvoisBinding`. */
  readonly document: CimObject;
  readonly missing: readonly Need[];
}

/** Translates a CIM of PINT-MY into LHDN's codes and members, and lists all missing values. */
export function toMyInvois(cim: CimObject, type: DocumentType): Translated {
  const needs = new Needs();
  const typeCode = typeCodeOf(cim, type);
  const isSelfBilled = typeCode.startsWith('1');
  const number = needs.required(textOf(cim.number), 'number', 'LHDN needs the invoice number.');
  const document: CimObject = {
    number: needs.within(number, 50, 'number'),
    ...issueInstant(cim, needs),
    type_code: { value: typeCode, listVersionID: version },
    currency: needs.required(textOf(cim.currency), 'currency', 'LHDN needs the currency.'),
    period: periodOf(cim),
    preceding_invoices: precedingInvoices(cim, typeCode, needs),
    documents: documentsOf(cim),
    seller: partyOf(cim, 'seller', needs, isSelfBilled),
    buyer: partyOf(cim, 'buyer', needs, isSelfBilled),
    delivery: deliveryOf(cim, needs),
    ...paymentOf(cim, needs),
    allowances_charges: adjustments(cim).map(({ percent: _, ...entry }) => entry),
    exchange_rate: exchangeRate(cim, needs),
    tax_totals: taxTotals(cim, needs),
    totals: totalsOf(cim, needs),
    lines: linesOf(cim, needs),
  };
  return { document, missing: needs.found };
}

/** LHDN's type code of a document. */
function typeCodeOf(cim: CimObject, type: DocumentType): string {
  const known = lookUp(typeCodes, textOf(cim.type_code) ?? '');
  const code = known ?? (type === 'credit-note' ? '02' : '01');
  const isRefund = groupsOf(cim.credit_reasons).some(
    (reason) => textOf(reason.code)?.toUpperCase() === refundReason,
  );
  return isRefund ? (lookUp(refundCodes, code) ?? code) : code;
}

/** Malaysia's offset from UTC, for times without a zone. */
const malaysianOffset = '+08:00';

function issueInstant(cim: CimObject, needs: Needs): CimObject {
  const date = textOf(cim.issue_date);
  const time = /^(\d{2}:\d{2}:\d{2})(?:\.\d+)?(Z|[+-]\d{2}:\d{2})?$/.exec(
    textOf(cim.issue_time) ?? '',
  );
  const dateOnly = date !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(date) ? date : undefined;
  needs.required(dateOnly, 'issue_date', 'LHDN needs the issue date: YYYY-MM-DD.');
  needs.required(time ?? undefined, 'issue_time', 'LHDN needs the time of issue: hh:mm:ss.');
  if (dateOnly === undefined || time === null) return {};
  const instant = new Date(`${dateOnly}T${time[1]}${time[2] ?? malaysianOffset}`);
  if (Number.isNaN(instant.getTime())) {
    needs.required(undefined, 'issue_date', 'There is no such date or time.');
    return {};
  }
  const iso = instant.toISOString();
  return { issue_date: iso.slice(0, 10), issue_time: `${iso.slice(11, 19)}Z` };
}

function periodOf(cim: CimObject): CimObject | undefined {
  const period = groupOf(cim.period);
  return (
    period && {
      start: textOf(period.start),
      end: textOf(period.end),
      description: textOf(period.description),
    }
  );
}

function precedingInvoices(
  cim: CimObject,
  typeCode: string,
  needs: Needs,
): readonly CimObject[] | undefined {
  // Only a note (02-04, 12-14) refers to an e-invoice; on an invoice the reference is commercial.
  if (typeCode.endsWith('1')) return undefined;
  const given = groupsOf(cim.preceding_invoices);
  const message = 'LHDN needs the e-invoice that this note corrects.';
  needs.required(given[0], 'preceding_invoices', message);
  return given.map((each, index) => {
    const path = `preceding_invoices[${index + 1}]`;
    const uin = needs.required(
      textOf(each.uin),
      `${path}.uin`,
      "LHDN needs the corrected invoice's unique identifier, or NA when it was never cleared. That of an invoice which was cleared through this service is known by its number.",
    );
    return { number: textOf(each.number) ?? 'NA', uin };
  });
}

/** References to the documents that LHDN requires, by PINT's type code or type. */
function documentsOf(cim: CimObject): readonly CimObject[] {
  const given = groupsOf(cim.documents).flatMap((each): CimObject[] => {
    const id = textOf(each.id);
    if (textOf(each.type_code) === '914') return [{ id, type: 'CustomsImportForm' }];
    if (textOf(each.type) === 'K2') return [{ id, type: 'K2' }];
    if (textOf(each.type) !== 'FreeTradeAgreement') return [];
    return [{ id: 'FTA', type: 'FreeTradeAgreement', description: id }];
  });
  const shipment = groupOf(groupOf(cim.delivery)?.shipment);
  const incoterms = groupsOf(shipment?.consignments).map((each) => textOf(each.incoterms));
  const terms = incoterms.find((each) => each !== undefined);
  return terms === undefined ? given : [...given, { id: terms }];
}

function deliveryOf(cim: CimObject, needs: Needs): CimObject | undefined {
  const delivery = groupOf(cim.delivery);
  const charges = groupsOf(groupOf(delivery?.shipment)?.charges);
  const name = textOf(delivery?.party_name);
  const address = groupOf(delivery?.address);
  if (name === undefined && charges.length === 0) return undefined;
  return {
    party_name: name,
    address:
      name === undefined || address === undefined
        ? undefined
        : addressOf(address, 'delivery.address', needs, false),
    // LHDN requires the invoice's own number as the id of the shipment.
    shipment: charges.length === 0 ? undefined : { id: textOf(cim.number), charges },
  };
}

function paymentOf(cim: CimObject, needs: Needs): CimObject {
  const means = groupsOf(cim.payment_means)[0];
  const code = textOf(means?.code);
  const account = textOf(groupOf(means?.account)?.id);
  const note = groupsOf(cim.payment_terms).map((each) => textOf(each.note))[0];
  return {
    payment_means:
      code === undefined
        ? undefined
        : [
            {
              code: lookUp(paymentModes, code) ?? otherPaymentMode,
              account: account === undefined ? undefined : { id: account },
            },
          ],
    payment_terms:
      note === undefined ? undefined : [{ note: needs.within(note, 300, 'payment_terms[1].note') }],
    paid_amounts: groupsOf(cim.paid_amounts).map(({ id, amount, date, time }) => ({
      id,
      amount,
      date,
      time,
    })),
  };
}

function exchangeRate(cim: CimObject, needs: Needs): CimObject | undefined {
  const source = textOf(cim.currency);
  if (source === undefined || source === ringgit) return undefined;
  const rate = needs.required(
    textOf(groupOf(cim.exchange_rate)?.rate),
    'exchange_rate.rate',
    'LHDN needs the exchange rate into ringgit of an invoice in another currency.',
  );
  return { source, target: ringgit, rate };
}

function taxTotals(cim: CimObject, needs: Needs): readonly CimObject[] {
  const stated = groupsOf(cim.tax_totals).flatMap((each) => groupsOf(each.breakdown));
  const given = groupsOf(cim.tax_breakdown);
  const lineTaxes = groupsOf(cim.lines).flatMap((line) => groupsOf(line.tax));
  const entries = (given.length > 0 ? given : stated).map((entry, index) => {
    const same = lineTaxes.find((tax) => textOf(tax.category) === textOf(entry.category));
    return {
      taxable: textOf(entry.taxable),
      amount: textOf(entry.amount),
      ...taxTypeOf(entry, same, `tax_breakdown[${index + 1}]`, needs),
    };
  });
  needs.required(entries[0], 'tax_breakdown', 'LHDN needs the tax per type.');
  const tax = needs.required(documentTax(cim), 'totals.tax', 'LHDN needs the total tax.');
  return [{ amount: tax && amountText(tax), breakdown: entries }];
}

const required: Readonly<Record<string, string>> = {
  net: 'LHDN needs the total without tax.',
  gross: 'LHDN needs the total with tax.',
  due: 'LHDN needs the amount payable.',
};

function totalsOf(cim: CimObject, needs: Needs): CimObject {
  const totals = groupOf(cim.totals) ?? {};
  const members = ['lines', 'net', 'gross', 'allowances', 'charges', 'prepaid', 'rounding', 'due'];
  return Object.fromEntries(
    members.map((member) => {
      const amount = decimalOf(totals[member]);
      const message = required[member];
      if (message !== undefined) needs.required(amount, `totals.${member}`, message);
      return [member, amount && textOf(totals[member])];
    }),
  );
}

function linesOf(cim: CimObject, needs: Needs): readonly CimObject[] {
  const lines = groupsOf(cim.lines);
  needs.required(lines[0], 'lines', 'LHDN needs at least one line.');
  return lines.map((line, index) => lineOf(line, `lines[${index + 1}]`, needs));
}
