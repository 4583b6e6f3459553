import { describe, expect, test } from 'vitest';
import type { FoundTable, Reference } from './database.ts';
import { foundCompany } from './found-company.ts';
import { sampleTables } from './sample-tables.kit.ts';

const found = (all: Parameters<typeof sampleTables>[0]) => answersFrom(sampleTables(all));

const answersFrom = (tables: readonly FoundTable[], references: readonly Reference[] = []) =>
  Object.fromEntries(
    foundCompany({ tables, references }).map(({ field, value, from }) => [
      field,
      `${value} < ${from}`,
    ]),
  );

const points = (table: string, column: string, to: string, key = 'id') =>
  ({ table, columns: [column], to, toColumns: [key], basis: 'declared', confidence: 1 }) as const;

const customers = [
  'id, name, city, vat_number',
  '1, Gulf Star, Dubai, 100111111100003',
  '2, Desert Rose, Ajman, 100222222200003',
] as const;

describe('the company whose books a database keeps', () => {
  test('is the only row of a table', () => {
    const answers = found({
      customers: [...customers],
      company: [
        'id, name, address, city, country, trn, phone, email',
        '1, Al Noor Trading LLC, Bay Square 7, Dubai, AE, 100234567801003, +97142345678, a@alnoor.example',
      ],
    });
    expect(answers).toEqual({
      country: 'AE < company.country',
      legal_name: 'Al Noor Trading LLC < company.name',
      trn: '100234567801003 < company.trn',
      address_line1: 'Bay Square 7 < company.address',
      city: 'Dubai < company.city',
      phone: '+97142345678 < company.phone',
      email: 'a@alnoor.example < company.email',
    });
  });

  test('has its address in a table of its own', () => {
    const answers = found({
      organisation_address: [
        'id, organisation_id, street, city, country',
        '1, 1, Meir 1, Ghent, BE',
      ],
      organisation: ['id, legal_name, tax_number', '1, Pumps NV, BE0403019261'],
    });
    expect(answers).toMatchObject({
      legal_name: 'Pumps NV < organisation.legal_name',
      vat: 'BE0403019261 < organisation.tax_number',
      city: 'Ghent < organisation_address.city',
    });
  });

  test('points at itself among all parties, and at its country, but not at who buys by default', () => {
    const tables = sampleTables({
      res_company: ['id, name, partner_id, default_customer_id', '1, Pumps NV, 7, 8'],
      res_partner: [
        'id, name, vat, street, city, country_id, phone',
        '7, Pumps, BE0403019261, Meir 7, Antwerpen, 3, ',
        '8, Passers-by, BE0403227515, Markt 1, Brugge, 3, +3250111222',
      ],
      res_country: ['id, name, code', '3, Belgium, BE'],
    });
    const references = [
      points('res_company', 'partner_id', 'res_partner'),
      points('res_company', 'default_customer_id', 'res_partner'),
      points('res_partner', 'country_id', 'res_country'),
    ];
    expect(answersFrom(tables, references)).toEqual({
      legal_name: 'Pumps NV < res_company.name',
      vat: 'BE0403019261 < res_partner.vat',
      address_line1: 'Meir 7 < res_partner.street',
      city: 'Antwerpen < res_partner.city',
      country: 'BE < res_country.code',
    });
  });

  test('goes on in a row with the same key, beside one that stands for all companies', () => {
    const tables = sampleTables({
      ad_org: ['org_id, name', '0, All', '7, Pumps NV'],
      ad_org_info: ['org_id, location_id, tax_number', '0, , ', '7, 3, BE0403019261'],
      location: ['id, street, city, country', '3, Meir 7, Antwerpen, BE', '4, Markt 1, Brugge, BE'],
    });
    const references = [
      points('ad_org', 'org_id', 'ad_org_info', 'org_id'),
      points('ad_org_info', 'location_id', 'location', 'id'),
    ];
    expect(answersFrom(tables, references)).toMatchObject({
      legal_name: 'Pumps NV < ad_org.name',
      vat: 'BE0403019261 < ad_org_info.tax_number',
      city: 'Antwerpen < location.city',
    });
  });

  test('is said by settings of several groups, of which the first that says something counts', () => {
    const answers = found({
      single_values: [
        'name, parent, fieldname, value',
        'a81f, Accounting, companyName, Pumps NV',
        'b7c2, Accounting, country, Belgium',
        'c155, Accounting, vatNumber, BE0403019261',
        'd90e, Accounting, email, ',
        'e2aa, Print, email, print@pumps.example',
        'f013, Print, phone, +3232223344',
        'a0b1, System, darkMode, 1',
        'a0b2, System, locale, nl',
      ],
    });
    expect(answers).toMatchObject({
      legal_name: 'Pumps NV < single_values (companyName)',
      country: 'BE < single_values (country)',
      vat: 'BE0403019261 < single_values (vatNumber)',
      email: 'print@pumps.example < single_values (email)',
    });
  });

  test('is said by settings with a name and a value each', () => {
    const answers = found({
      customers: [...customers],
      options: [
        'name, value, autoload',
        'smtp_password, hunter2, 0',
        'company_name, Pumps NV, 1',
        'company_address, Meir 7, 1',
        'company_city, Antwerpen, 1',
        'company_vat_number, BE 0403.019.261, 1',
        'theme, dark, 1',
      ],
    });
    expect(answers).toMatchObject({
      legal_name: 'Pumps NV < options (company_name)',
      vat: 'BE0403019261 < options (company_vat_number)',
      city: 'Antwerpen < options (company_city)',
    });
    expect(JSON.stringify(answers)).not.toContain('hunter2');
  });

  test.each([
    [
      'one of several',
      {
        company: [
          'id, name, city, trn',
          '1, A LLC, Dubai, 100234567801003',
          '2, B LLC, Dubai, 100234567901003',
        ],
      },
    ],
    [
      'a supplier',
      {
        suppliers: ['id, name, address, city, trn', '1, Steel LLC, Quay 1, Dubai, 100234567801003'],
      },
    ],
    [
      'the only customer',
      {
        customers: ['id, name, address, city, trn', '1, Gulf Star, Quay 1, Dubai, 100234567801003'],
      },
    ],
    [
      'a warehouse',
      { warehouse: ['id, name, address, city, country', '1, Main, Quay 1, Dubai, AE'] },
    ],
    ['a name alone', { company: ['id, name', '1, Al Noor Trading LLC'] }],
  ] as const)('is not %s', (_, all) => {
    expect(found(all as unknown as Parameters<typeof sampleTables>[0])).toEqual({});
  });

  test.each([
    ['a tax number that is none', { trn: '12345' }],
    ['a placeholder', { name: 'N/A' }],
    ['an e-mail address that is none', { email: 'ask Omar' }],
    ['a text longer than answers are', { address: 'x'.repeat(301) }],
  ])('does not say %s', (_, said) => {
    const row = {
      id: '1',
      name: 'Al Noor Trading LLC',
      address: 'Bay Square 7',
      city: 'Dubai',
      trn: '100234567801003',
      email: 'a@alnoor.example',
      ...said,
    };
    const table: FoundTable = {
      name: 'company',
      columns: Object.keys(row).map((name) => ({ name, type: 'text' })),
      primaryKey: ['id'],
      uniques: [],
      rows: 1,
      sample: [row],
    };
    const [value = ''] = Object.values(said);
    expect(JSON.stringify(answersFrom([table]))).not.toContain(value);
    expect(Object.keys(answersFrom([table]))).toContain('city');
  });
});
