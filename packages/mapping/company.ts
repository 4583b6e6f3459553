import {
  type Company,
  type CompanyFieldName,
  companyFields,
} from '@drawbridge/profiles/company.ts';
import type { CompanySide } from '@drawbridge/profiles/company-facts.ts';
import type { Profile } from '@drawbridge/profiles/contract.ts';
import { profileById } from '@drawbridge/profiles/registry.ts';
import type { Mapping, MappingField } from './mapping.ts';

/** Members of a party that every profile calls alike. */
export const partyMembers: Readonly<Partial<Record<CompanyFieldName, string>>> = {
  legal_name: 'name',
  registration_id: 'registration_id',
  endpoint_id: 'endpoint',
  endpoint_scheme: 'endpoint_scheme',
  address_line1: 'address.line1',
  address_line2: 'address.line2',
  city: 'address.city',
  subdivision: 'address.subdivision',
  post_code: 'address.post_code',
  country: 'address.country',
  contact_name: 'contact.name',
  phone: 'contact.phone',
  email: 'contact.email',
};

/** Values for documents that name none. */
const defaults: Readonly<Partial<Record<CompanyFieldName, string>>> = {
  default_currency: 'currency',
  default_unit: 'lines[].unit',
  default_payment_means: 'payment_means[].code',
  default_payment_terms: 'payment_terms[].note',
};

const selfBilledTypeCodes = ['389', '261'];

/** The id of a mapping's approver for what stands in the company profile. */
const approver = 'company profile';

/**
 * The mapping with what the company profile says and the source does not: constants for the company's
 * own side, and values for what
 * no column holds. What is approved in the mapping goes before.
 *
 *   withCompany(mapping, { legal_name: 'Al Noor Trading LLC', trn: '100234567801003' }, 'PINT-AE')
 */
export function withCompany(
  mapping: Mapping,
  company: Company | undefined,
  profileId: string,
): Mapping {
  if (company === undefined) return mapping;
  const approved = mapping.fields.filter(({ status }) => status === 'approved');
  const mapped = new Set(approved.map(({ target }) => target));
  const added = Object.entries(constantsOf(company, profileId, sideOf(mapping)))
    .filter(([target]) => !mapped.has(target) && !isAccountOfOther(target, mapped))
    .map(([target, value]) => constant(target, value));
  const fields = mapping.fields.map((field) => withCurrency(field, company));
  return { ...mapping, fields: [...added, ...fields] };
}

/** Fields of a profile that a mapping does not fill and that the company profile may. */
export function leftToCompany(mapping: Mapping, profile: Profile): readonly string[] {
  const everything = Object.fromEntries(companyFields.map(({ name }) => [name, name])) as Company;
  const mapped = new Set(mapping.fields.map(({ target }) => target));
  const asked = new Set(profile.fields.map(({ path }) => path));
  return Object.keys(constantsOf(everything, profile.id, sideOf(mapping))).filter(
    (target) => asked.has(target) && !mapped.has(target),
  );
}

/** In a self-billed document the company is the buyer. */
function sideOf({ fields }: Mapping): CompanySide {
  const type = fields.find(({ target }) => target === 'type_code');
  return selfBilledTypeCodes.includes(type?.value ?? '') ? 'buyer' : 'seller';
}

function constantsOf(
  company: Company,
  profileId: string,
  side: CompanySide,
): Record<string, string> {
  const made: Record<string, string> = {};
  const add = (target: string, value: string | undefined) => {
    if (value !== undefined) made[target] = value;
  };
  for (const [name, member] of Object.entries(partyMembers)) {
    add(`${side}.${member}`, company[name as CompanyFieldName]);
  }
  const own = profileById(profileId)?.company.paths(side) ?? {};
  for (const [name, target] of Object.entries(own)) add(target, company[name as CompanyFieldName]);
  for (const [name, target] of Object.entries(defaults)) {
    add(target, company[name as CompanyFieldName]);
  }
  // An account without a way of payment is refused, and a buyer is not paid.
  if (side === 'seller' && company.default_payment_means !== undefined) {
    add('payment_means[].account.id', company.bank_account);
    add('payment_means[].account.name', company.bank_account_name);
  }
  return made;
}

/** The way of payment is in the source: what it is for the account is not known. */
function isAccountOfOther(target: string, mapped: ReadonlySet<string>): boolean {
  return target.startsWith('payment_means[].account.') && mapped.has('payment_means[].code');
}

/** A document whose column for the currency is empty is in the company's own. */
function withCurrency(field: MappingField, { default_currency: value }: Company): MappingField {
  const steps = field.transforms ?? [];
  const isOpen =
    field.from !== undefined && !steps.some((step) => step.kind === 'default' && step.value !== '');
  if (field.target !== 'currency' || value === undefined || !isOpen) return field;
  return { ...field, transforms: [...steps, { kind: 'default', value }] };
}

function constant(target: string, value: string): MappingField {
  return {
    target,
    value,
    status: 'approved',
    approved_by: approver,
    reason: 'From the company profile.',
  };
}
