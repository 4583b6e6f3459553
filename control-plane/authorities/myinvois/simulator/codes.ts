import { type Element, find, findAll, textAt } from '../../../simulation/xml-tree.ts';
import { classifications, partySchemes, paymentModes, states, taxTypes } from './code-lists.ts';
import { finding } from './core-fields.ts';
import { type Finding, typeNames } from './document.ts';

const versions: readonly string[] = ['1.0', '1.1'];

/** The Code validator: every coded value is in its list. The numbers are this simulator's own. */
export function codes(root: Element): readonly Finding[] {
  const found: Finding[] = [];
  const type = find(root, 'InvoiceTypeCode');
  if (typeNames[type?.text ?? ''] === undefined) {
    found.push(finding('CV301', '/Invoice/InvoiceTypeCode', `Type ${type?.text} is not known.`));
  }
  const version = type?.attributes.listVersionID ?? '';
  if (!versions.includes(version)) {
    const path = '/Invoice/InvoiceTypeCode/@listVersionID';
    found.push(finding('CV302', path, `Version ${version} is not active.`));
  }
  found.push(
    ...listed(root, 'PaymentMeans/PaymentMeansCode', paymentModes, 'CV303'),
    ...listed(root, 'TaxTotal/TaxSubtotal/TaxCategory/ID', taxTypes, 'CV304'),
    ...listed(root, 'InvoiceLine/TaxTotal/TaxSubtotal/TaxCategory/ID', taxTypes, 'CV304'),
    ...findAll(root, 'InvoiceLine/Item/CommodityClassification/ItemClassificationCode')
      .filter((code) => code.attributes.listID === 'CLASS' && !classifications.has(code.text))
      .map((code) =>
        finding(
          'CV305',
          '/Invoice/InvoiceLine/Item/CommodityClassification/ItemClassificationCode',
          `Classification ${code.text} is not in the list.`,
          `Kod klasifikasi ${code.text} tiada dalam senarai.`,
        ),
      ),
    ...address(root, 'AccountingSupplierParty'),
    ...address(root, 'AccountingCustomerParty'),
  );
  return found;
}

function listed(
  root: Element,
  path: string,
  list: ReadonlySet<string>,
  code: string,
): readonly Finding[] {
  return findAll(root, path)
    .filter((element) => !list.has(element.text))
    .map((element) => finding(code, `/Invoice/${path}`, `${element.text} is not in the list.`));
}

function address(root: Element, role: string): readonly Finding[] {
  const at = `/Invoice/${role}/Party`;
  const party = find(root, `${role}/Party`);
  if (party === undefined) return [];
  const found: Finding[] = [];
  for (const id of findAll(party, 'PartyIdentification/ID')) {
    if (partySchemes.has(id.attributes.schemeID ?? '')) continue;
    const path = `${at}/PartyIdentification/ID/@schemeID`;
    found.push(finding('CV306', path, `Scheme ${id.attributes.schemeID} is not known.`));
  }
  const state = textAt(party, 'PostalAddress/CountrySubentityCode');
  const country = textAt(party, 'PostalAddress/Country/IdentificationCode');
  const statePath = `${at}/PostalAddress/CountrySubentityCode`;
  if (!states.has(state)) {
    found.push(finding('CV307', statePath, `State ${state} is not in the list.`));
  }
  if (!/^[A-Z]{3}$/.test(country)) {
    const path = `${at}/PostalAddress/Country/IdentificationCode`;
    found.push(finding('CV308', path, 'Countries are written with three letters, e.g. MYS.'));
  }
  const tin = findAll(party, 'PartyIdentification/ID').find(
    (id) => id.attributes.schemeID === 'TIN',
  );
  // 17 stands for "no state": for addresses abroad and for buyers with one of the general numbers.
  if (country === 'MYS' && state === '17' && !tin?.text.startsWith('EI')) {
    found.push(finding('CV309', statePath, 'State 17 is not for an address in Malaysia.'));
  }
  return found;
}
