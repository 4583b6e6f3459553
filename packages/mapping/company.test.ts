import { type Company, companyFields, companyProblems } from '@drawbridge/profiles/company.ts';
import { profileById, profiles } from '@drawbridge/profiles/registry.ts';
import { Validator } from '@drawbridge/validation/validate.ts';
import { expect, test } from 'vitest';
import { apply } from './apply.ts';
import { withCompany } from './company.ts';
import { coverage } from './coverage.ts';
import { type Mapping, mappingSchema } from './mapping.ts';

const dubai: Company = {
  legal_name: 'Al Noor Trading LLC',
  country: 'AE',
  trn: '100234567801003',
  registration_id: 'CN-1183764',
  registration_type: 'TL',
  registration_authority: 'Dubai Economy and Tourism',
  address_line1: 'Office 1204',
  city: 'Dubai',
  subdivision: 'DXB',
  bank_account: 'AE070331234567890123456',
  default_currency: 'AED',
  default_payment_means: '30',
};
const penang: Company = {
  legal_name: 'Pinang Parts Sdn Bhd',
  country: 'MY',
  tin: 'C2584563222',
  sst: 'W10-1808-32000059',
  registration_id: '202001234567',
  address_line1: '12 Lebuh Pantai',
  city: 'George Town',
  subdivision: 'Pulau Pinang',
  post_code: '10300',
  phone: '+6042612345',
  industry_code: '46510',
  industry_name: 'Wholesale of computers',
  endpoint_scheme: '0230',
  endpoint_id: 'C2584563222',
  default_currency: 'MYR',
};
const ghent: Company = {
  legal_name: 'Gentse Pompen NV',
  country: 'BE',
  vat: 'BE0403019261',
  registration_id: '0403019261',
  endpoint_scheme: '0208',
  endpoint_id: '0403019261',
  default_currency: 'EUR',
  default_payment_means: '30',
  bank_account: 'BE68539007547034',
  default_payment_terms: '30 days net',
};

/** What the ERP itself holds: the document, its customer and its lines. */
function erpMapping(profile: string, side: 'seller' | 'buyer' = 'buyer'): Mapping {
  const values: Record<string, string> = {
    number: 'INV-1',
    issue_date: '2026-09-14',
    due_date: '2026-10-14',
    [`${side}.name`]: 'The other party',
    [`${side}.address.line1`]: 'Street 1',
    [`${side}.address.city`]: 'City',
    [`${side}.address.subdivision`]: profile === 'PINT-MY' ? 'Selangor' : 'AUH',
    [`${side}.address.country`]: { 'PINT-AE': 'AE', 'PINT-MY': 'MY' }[profile] ?? 'BE',
    [`${side}.trn`]:
      { 'PINT-AE': '100876543201003', 'PINT-MY': 'C2584563200' }[profile] ?? 'BE0417497106',
    [`${side}.registration_id`]: '202001234560',
    [`${side}.registration_type`]: 'TL',
    [`${side}.registration_authority`]: 'Abu Dhabi DED',
    [`${side}.contact.phone`]: '+60312345678',
    ...(profile === 'PINT-AE'
      ? {}
      : {
          [`${side}.endpoint`]: profile === 'PINT-MY' ? 'C2584563200' : '0417497106',
          [`${side}.endpoint_scheme`]: profile === 'PINT-MY' ? '0230' : '0208',
        }),
    buyer_reference: 'PO 7',
    'lines[].name': 'Pump',
    'lines[].qty': '2',
    'lines[].unit_price': '50',
    'lines[].unit': 'H87',
    'lines[].tax.category': profile === 'PINT-MY' ? 'O' : 'S',
    ...(profile === 'PINT-MY' ? { 'lines[].classifications[].code': '022' } : {}),
    ...(profile === 'PINT-MY' ? {} : { 'lines[].tax.rate': profile === 'PINT-AE' ? '5' : '21' }),
  };
  return mappingSchema.parse({
    fields: Object.entries(values).map(([target, value]) => ({
      target,
      value,
      status: 'approved',
    })),
  });
}

const validator = new Validator();

test.each([
  ['PINT-AE', dubai],
  ['PINT-MY', penang],
  ['BIS-3.0', ghent],
] as const)('with the company profile nothing is missing for %s, and it passes', (id, company) => {
  const profile = profileById(id)!;
  expect(companyProblems(company)).toEqual({});
  const without = coverage(erpMapping(id), profile.fields, profile.filled).missing;
  expect(without.length).toBeGreaterThan(2);
  const mapping = withCompany(erpMapping(id), company, id);
  expect(coverage(mapping, profile.fields, profile.filled).missing).toEqual([]);
  const { cim, issues } = apply({ ref: 'INV-1', sections: { header: [] } }, mapping);
  expect(issues).toEqual([]);
  const { errors } = validator.validate(profile, profile.complete(cim));
  expect(errors.map(({ rule, message }) => `${rule} ${message}`)).toEqual([]);
});

test('what the mapping says goes before the company profile', () => {
  const own = erpMapping('PINT-AE');
  const mapping = withCompany(
    { fields: [...own.fields, { target: 'seller.name', value: 'Branch', status: 'approved' }] },
    dubai,
    'PINT-AE',
  );
  const names = mapping.fields.filter(({ target }) => target === 'seller.name');
  expect(names.map(({ value }) => value)).toEqual(['Branch']);
});

test('a proposal that nobody approved does not keep the company profile out', () => {
  const proposed = { target: 'seller.name', from: { section: 'header', column: 'X' } };
  const fields = [{ ...proposed, status: 'proposed' as const }];
  const { cim } = apply(
    { ref: '1', sections: { header: [] } },
    withCompany({ fields }, dubai, 'PINT-AE'),
  );
  expect(cim).toMatchObject({ seller: { name: dubai.legal_name } });
});

test('in a self-billed document the company is the buyer', () => {
  const own = erpMapping('PINT-AE', 'seller');
  const fields = [
    ...own.fields,
    { target: 'type_code', value: '389', status: 'approved' as const },
  ];
  const mapping = withCompany({ fields }, dubai, 'PINT-AE');
  const value = (target: string) => mapping.fields.find((each) => each.target === target)?.value;
  expect([value('buyer.name'), value('buyer.trn'), value('seller.name')]).toEqual([
    dubai.legal_name,
    dubai.trn,
    'The other party',
  ]);
  expect(value('payment_means[].account.id')).toBeUndefined();
});

test('every constant of every profile is a field of the model, with an example that passes', () => {
  const examples = Object.fromEntries(companyFields.map(({ name, example }) => [name, example]));
  for (const { id } of profiles) {
    expect(() => mappingSchema.parse(withCompany({ fields: [] }, examples, id))).not.toThrow();
  }
  const { industry_code: _, ...uae } = examples;
  expect(companyProblems(uae)).toEqual({});
});

test.each([
  ['trn', '100234567801004', /begin with 1 and end with 03/],
  ['tin', '2584563222', /letters/],
  ['sst', 'W10 1808', /W10-1808/],
  ['industry_code', '465', /five digits/],
  ['country', 'UAE', /two letters/],
  ['bank_account', 'AE070331234567890123457', /check digits/],
  ['endpoint_scheme', '9999', /EAS/],
  ['default_unit', 'pcs', /Rec 20/],
  ['subdivision', 'Dubai', /AUH/],
  ['registration_type', 'BRN', /TL/],
  ['endpoint_id', '0403019262', /check digits/],
] as const)('%s: %s is refused in plain words', (name, value, message) => {
  const company = { country: 'AE', endpoint_scheme: '0208', [name]: value };
  expect(companyProblems(company)[name]).toMatch(message);
});
