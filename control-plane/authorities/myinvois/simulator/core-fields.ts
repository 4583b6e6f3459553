import { type Element, find, findAll, textAt } from '../../../simulation/xml-tree.ts';
import { currencies, tinPattern } from './code-lists.ts';
import type { Finding } from './document.ts';
import { personalSchemes } from './document.ts';

const roles = [
  { path: 'AccountingSupplierParty/Party', schemes: ['TIN', 'SST', 'TTX'], english: 'Supplier' },
  { path: 'AccountingCustomerParty/Party', schemes: ['TIN', 'SST'], english: 'Buyer' },
] as const;

/**
 * The Core Fields validator. CF321 is LHDN's code for a document that is too old; the other numbers
 * are this simulator's own, because LHDN publishes no list of them.
 */
export function coreFields(root: Element, now: Date, submissionHours: number): readonly Finding[] {
  return [
    ...header(root),
    ...issueInstant(root, now, submissionHours),
    ...roles.flatMap((role) => party(root, role)),
    ...amounts(root),
    ...findAll(root, 'InvoiceLine').flatMap(line),
  ];
}

/** A finding with its text in both languages; `malay` falls back on a general sentence. */
export function finding(code: string, path: string, message: string, malay?: string): Finding {
  return { code, path, message, malay: malay ?? `Medan ${path} tidak sah.` };
}

function required(from: Element, path: string, code: string, at: string): readonly Finding[] {
  if (textAt(from, path) !== '') return [];
  const full = `${at}/${path}`;
  return [finding(code, full, `${full} is mandatory.`, `${full} adalah mandatori.`)];
}

function header(root: Element): readonly Finding[] {
  const found = [...required(root, 'ID', 'CF301', '/Invoice')];
  if (textAt(root, 'ID').length > 50) {
    found.push(finding('CF302', '/Invoice/ID', 'The e-invoice number exceeds 50 characters.'));
  }
  const currency = textAt(root, 'DocumentCurrencyCode');
  if (!currencies.has(currency)) {
    const message = `Currency ${currency} is not in the list.`;
    found.push(finding('CF303', '/Invoice/DocumentCurrencyCode', message));
  }
  const rate = textAt(root, 'TaxExchangeRate/CalculationRate');
  if (currency !== 'MYR' && !(Number(rate) > 0)) {
    const message = 'The exchange rate to MYR is mandatory for a foreign currency.';
    found.push(finding('CF304', '/Invoice/TaxExchangeRate/CalculationRate', message));
  }
  return found;
}

function issueInstant(root: Element, now: Date, submissionHours: number): readonly Finding[] {
  const at = '/Invoice/IssueDate';
  const date = textAt(root, 'IssueDate');
  const time = textAt(root, 'IssueTime');
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date) || !/^\d{2}:\d{2}:\d{2}(\.\d+)?Z$/.test(time)) {
    return [finding('CF320', at, 'Issue date and time must be UTC: YYYY-MM-DD and hh:mm:ssZ.')];
  }
  const issued = Date.parse(`${date}T${time}`);
  if (Number.isNaN(issued)) return [finding('CF320', at, 'The issue date does not exist.')];
  if (issued > now.getTime()) {
    return [finding('CF322', at, 'The issue date and time are in the future.')];
  }
  if (now.getTime() - issued > submissionHours * 3_600_000) {
    const message = 'Issuance date time value of the document is too old that cannot be submitted.';
    return [finding('CF321', at, message, 'Tarikh dan masa dokumen terlalu lama untuk dihantar.')];
  }
  return [];
}

function party(root: Element, role: (typeof roles)[number]): readonly Finding[] {
  const at = `/Invoice/${role.path}`;
  const element = find(root, role.path);
  if (element === undefined) return [finding('CF330', at, `${role.english} is mandatory.`)];
  const ids = findAll(element, 'PartyIdentification/ID');
  const idOf = (scheme: string) => ids.find((id) => id.attributes.schemeID === scheme)?.text ?? '';
  const found: Finding[] = [];
  for (const scheme of role.schemes) {
    if (idOf(scheme) === '') {
      const hint = scheme === 'TIN' ? '' : ' (NA when not registered)';
      const path = `${at}/PartyIdentification/ID[@schemeID='${scheme}']`;
      found.push(finding('CF331', path, `${role.english} ${scheme} is mandatory${hint}.`));
    }
  }
  if (idOf('TIN') !== '' && !tinPattern.test(idOf('TIN'))) {
    const path = `${at}/PartyIdentification/ID[@schemeID='TIN']`;
    found.push(finding('CF332', path, `${role.english} TIN has not the form of a TIN.`));
  }
  if (ids.filter((id) => personalSchemes.includes(id.attributes.schemeID ?? '')).length !== 1) {
    const path = `${at}/PartyIdentification/ID`;
    const message = `${role.english} needs exactly one of BRN, NRIC, PASSPORT and ARMY.`;
    found.push(finding('CF333', path, message));
  }
  found.push(...required(element, 'PartyLegalEntity/RegistrationName', 'CF334', at));
  found.push(...required(element, 'PostalAddress/CityName', 'CF335', at));
  found.push(...required(element, 'PostalAddress/CountrySubentityCode', 'CF336', at));
  found.push(...required(element, 'PostalAddress/AddressLine/Line', 'CF337', at));
  found.push(...required(element, 'PostalAddress/Country/IdentificationCode', 'CF338', at));
  found.push(...telephone(element, at));
  if (role.english === 'Supplier') found.push(...activity(element, at));
  return found;
}

function telephone(element: Element, at: string): readonly Finding[] {
  const path = `${at}/Contact/Telephone`;
  const value = textAt(element, 'Contact/Telephone');
  if (/^(\+?[0-9][0-9 -]{7,19}|NA)$/.test(value)) return [];
  return [finding('CF414', path, 'Enter valid phone number; the minimum length is 8 characters.')];
}

function activity(element: Element, at: string): readonly Finding[] {
  const msic = find(element, 'IndustryClassificationCode');
  const path = `${at}/IndustryClassificationCode`;
  if (!/^\d{5}$/.test(msic?.text ?? '')) {
    return [finding('CF339', path, 'The MSIC code has five digits.')];
  }
  if (!msic?.attributes.name) {
    return [finding('CF340', `${path}/@name`, 'The description of the activity is mandatory.')];
  }
  return [];
}

function amounts(root: Element): readonly Finding[] {
  const total = '/Invoice/LegalMonetaryTotal';
  const monetary = find(root, 'LegalMonetaryTotal') ?? root;
  const found = ['TaxExclusiveAmount', 'TaxInclusiveAmount', 'PayableAmount'].flatMap((name) =>
    required(monetary, name, 'CF350', total),
  );
  found.push(...required(root, 'TaxTotal/TaxAmount', 'CF351', '/Invoice'));
  const wrong = allElements(root).filter(
    (element) =>
      element.attributes.currencyID !== undefined && !/^-?\d{1,16}(\.\d{1,5})?$/.test(element.text),
  );
  for (const element of wrong) {
    const message = `${element.name} is not a plain decimal number.`;
    found.push(finding('CF352', element.name, message));
  }
  return found;
}

function allElements(from: Element): readonly Element[] {
  return [from, ...from.children.flatMap(allElements)];
}

function line(element: Element, index: number): readonly Finding[] {
  const at = `/Invoice/InvoiceLine[${index + 1}]`;
  const found = [
    ...required(element, 'ID', 'CF360', at),
    ...required(element, 'LineExtensionAmount', 'CF361', at),
    ...required(element, 'Item/Description', 'CF362', at),
    ...required(element, 'Price/PriceAmount', 'CF363', at),
    ...required(element, 'ItemPriceExtension/Amount', 'CF365', at),
    ...required(element, 'TaxTotal/TaxAmount', 'CF366', at),
    ...required(element, 'TaxTotal/TaxSubtotal/TaxCategory/ID', 'CF367', at),
  ];
  const codes = findAll(element, 'Item/CommodityClassification/ItemClassificationCode');
  if (!codes.some((code) => code.attributes.listID === 'CLASS')) {
    const path = `${at}/Item/CommodityClassification/ItemClassificationCode[@listID='CLASS']`;
    found.push(finding('CF364', path, 'Each line needs a classification code.'));
  }
  return found;
}
