import { type CimObject, type CimValue, groupOf, groupsOf, textOf } from '@drawbridge/cim/json.ts';
import { noState, registrationTypes, stateCode } from './myinvois-codes.ts';
import { alpha3 } from './myinvois-countries.ts';
import type { Needs } from './myinvois-needs.ts';

/** The side of a party. */
export type Role = 'seller' | 'buyer';

/** The value for a party without a number of this kind. */
const none = 'NA';

/** LHDN's general TINs: the general public, foreign parties, government. */
const generalTin = /^EI\d{11}$/;

/** Tax schemes whose number is that of tourism tax. */
const tourismSchemes: ReadonlySet<string> = new Set(['AAL', 'TTX']);

/** A party in LHDN's document. With `isSelfBilled` a supplier may lack some values. */
export function partyOf(
  cim: CimObject,
  role: Role,
  needs: Needs,
  isSelfBilled: boolean,
): CimObject {
  const party = groupOf(cim[role]) ?? {};
  const tin = tinOf(party, role);
  const isGeneral = tin !== undefined && generalTin.test(tin);
  const industry = role === 'seller' ? activityOf(party, needs, isSelfBilled) : {};
  return {
    ...industry,
    identifiers: [
      ...identifier('TIN', needs.required(tin, tinPath(role), `LHDN needs the ${role}'s TIN.`)),
      ...registrationOf(party, role, needs, isGeneral),
      { id: sstOf(party) ?? none, scheme: 'SST' },
      ...(role === 'seller' ? [{ id: tourismTaxOf(party) ?? none, scheme: 'TTX' }] : []),
    ],
    address: addressOf(groupOf(party.address) ?? {}, `${role}.address`, needs, isGeneral),
    name: needs.within(
      needs.required(textOf(party.name), `${role}.name`, `LHDN needs the ${role}'s name.`),
      300,
      `${role}.name`,
    ),
    contact: contactOf(groupOf(party.contact) ?? {}, role, needs, isGeneral),
  };
}

function identifier(scheme: string, id: string | undefined): CimObject[] {
  return id === undefined ? [] : [{ id, scheme }];
}

function tinPath(role: Role): string {
  return role === 'seller' ? 'seller.tin' : 'buyer.identifiers';
}

/** The TIN where `complete` puts it: the seller's registration, or an identifier without scheme. */
function tinOf(party: CimObject, role: Role): string | undefined {
  const plain = groupsOf(party.identifiers).find((each) =>
    ['', 'TIN'].includes(textOf(each.scheme) ?? ''),
  );
  const registered = groupsOf(party.tax_registrations).find(
    (each) => !['VAT', ...tourismSchemes].includes(textOf(each.scheme) ?? 'VAT'),
  );
  const tin = role === 'seller' ? textOf(party.tin) : undefined;
  return tin ?? textOf(plain?.id) ?? textOf(registered?.id);
}

function sstOf(party: CimObject): string | undefined {
  const registered = groupsOf(party.tax_registrations).find(
    (each) => (textOf(each.scheme) ?? 'VAT') === 'VAT',
  );
  return textOf(party.trn) ?? textOf(registered?.id);
}

function tourismTaxOf(party: CimObject): string | undefined {
  const registered = groupsOf(party.tax_registrations).find((each) =>
    tourismSchemes.has(textOf(each.scheme) ?? ''),
  );
  return textOf(registered?.id);
}

function registrationOf(
  party: CimObject,
  role: Role,
  needs: Needs,
  isGeneral: boolean,
): CimObject[] {
  const given = textOf(party.registration_id) ?? (isGeneral ? none : undefined);
  const type = textOf(party.registration_type) ?? '';
  const message = `LHDN needs the ${role}'s business registration, NRIC, passport or army number.`;
  const path = `${role}.registration_id`;
  return identifier(
    registrationTypes.has(type) ? type : 'BRN',
    needs.within(needs.required(given, path, message), 20, path),
  );
}

function activityOf(seller: CimObject, needs: Needs, isSelfBilled: boolean): CimObject {
  const code = textOf(seller.industry_code) ?? (isSelfBilled ? '00000' : undefined);
  const name = textOf(seller.industry_name) ?? (isSelfBilled ? none : undefined);
  const isCode = code !== undefined && /^\d{5}$/.test(code);
  return {
    industry_code: needs.required(
      isCode ? code : undefined,
      'seller.industry_code',
      'LHDN needs the MSIC code of the seller: five digits.',
    ),
    industry_name: needs.required(
      name,
      'seller.industry_name',
      "LHDN needs the description of the seller's business beside the MSIC code.",
    ),
  };
}

/** An address; for the general public the known parts, with LHDN's "not applicable" for others. */
export function addressOf(
  address: CimObject,
  path: string,
  needs: Needs,
  isGeneral: boolean,
): CimObject {
  const alpha2 = textOf(address.country) ?? (isGeneral ? 'MY' : undefined);
  const country = alpha2 === undefined ? undefined : (alpha3.get(alpha2) ?? knownAlpha3(alpha2));
  const lines = [address.line1, address.line2, address.line3].map(textOf);
  const known = lines.filter((line) => line !== undefined);
  if (known.length === 0 && isGeneral) known.push(none);
  known.forEach((line, index) => {
    needs.within(line, 150, `${path}.line${index + 1}`);
  });
  needs.required(known[0], `${path}.line1`, 'LHDN needs the first line of the address.');
  const city = textOf(address.city) ?? (isGeneral ? none : undefined);
  return {
    city: needs.within(
      needs.required(city, `${path}.city`, 'LHDN needs the city of the address.'),
      50,
      `${path}.city`,
    ),
    post_code: textOf(address.post_code),
    subdivision_code: needs.required(
      stateOf(address, country, isGeneral),
      `${path}.subdivision`,
      'LHDN needs the state of an address in Malaysia: its name, or its code 01 to 16.',
    ),
    line3: known,
    country: countryValue(
      needs.required(
        country,
        `${path}.country`,
        'LHDN needs the country of the address: an ISO 3166-1 code such as MY.',
      ),
    ),
  };
}

function stateOf(
  address: CimObject,
  country: string | undefined,
  isGeneral: boolean,
): string | undefined {
  if (country !== undefined && country !== 'MYS') return noState;
  const given = textOf(address.subdivision_code) ?? textOf(address.subdivision);
  const code = given === undefined ? undefined : stateCode(given);
  if (isGeneral) return code ?? noState;
  return code === noState ? undefined : code;
}

function knownAlpha3(code: string): string | undefined {
  return [...alpha3.values()].includes(code) ? code : undefined;
}

function countryValue(code: string | undefined): CimValue | undefined {
  if (code === undefined) return undefined;
  return { value: code, listID: 'ISO3166-1', listAgencyID: '6' };
}

function contactOf(contact: CimObject, role: Role, needs: Needs, isGeneral: boolean): CimObject {
  const phone = textOf(contact.phone);
  const number = phone === undefined ? undefined : phoneNumber(phone);
  const path = `${role}.contact.phone`;
  const message = `LHDN needs the ${role}'s telephone number, eight to twenty digits.`;
  const email = textOf(contact.email);
  return {
    phone: needs.required(number ?? (isGeneral ? none : undefined), path, message),
    email: needs.within(email, 320, `${role}.contact.email`),
  };
}

/** A phone number in E.164 form; a national number (leading 0) counts as Malaysian. */
function phoneNumber(text: string): string | undefined {
  const digits = text.replace(/[\s().\-/]/g, '');
  const international = digits.replace(/^00/, '+').replace(/^0/, '+60');
  return /^\+?\d{8,19}$/.test(international) ? international : undefined;
}
