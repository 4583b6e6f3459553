import { describe, expect, test } from 'vitest';
import { columnsOfOtherParties } from './other-parties.ts';
import { header, propose } from './sample-documents.kit.ts';

const columnNames = [
  'No_',
  'Sell-to City',
  'Sell-to Name',
  'Sell-to Customer No_',
  'Sell-to Contact No_',
]
  .concat('Bill-to City', 'Bill-to Name', 'Bill-to Customer No_')
  .map((column) => ({ section: 'header', origin: 'header', column, samples: [] }));
const contact = { section: 'header_contact', origin: 'contact', column: 'E-Mail', samples: [] };
const columns = [...columnNames, contact];
const joinedBy = (parent_column: string) => ({ parent: 'header', column: 'No_', parent_column });

describe('columns of whom goods or offers go to', () => {
  test('are those beside the same ones of whom is invoiced, and what they lead to', () => {
    const found = columnsOfOtherParties(columns, {
      customer: joinedBy('Bill-to Customer No_'),
      header_contact: joinedBy('Sell-to Contact No_'),
    });
    expect([...found].map(({ column }) => column)).toEqual([
      'Sell-to City',
      'Sell-to Name',
      'Sell-to Customer No_',
      'Sell-to Contact No_',
      'E-Mail',
    ]);
  });

  test('are none where the customer is found by them', () => {
    const found = columnsOfOtherParties(columns, { customer: joinedBy('Sell-to Customer No_') });
    expect(found.size).toBe(0);
  });

  test('are none where nothing says who is invoiced', () => {
    const alone = columnNames.filter(({ column }) => !column.startsWith('Bill'));
    expect(columnsOfOtherParties(alone, {}).size).toBe(0);
  });
});

describe('parts of an address that differ by a mark', () => {
  const ends = (one: string, other: string) => (at: number) => [
    {
      name: `Firm ${at}`,
      ...Object.fromEntries(
        [other, one].flatMap((mark) => [
          [`Street${mark}`, `${mark} ${at}`],
          [`City${mark}`, `Town ${mark}`],
          [`ZipCode${mark}`, `1011${at % 10}`],
          [`Country${mark}`, 'DE'],
        ]),
      ),
    },
  ];

  test.each([
    ['B', 'S'],
    ['Bill', 'Ship'],
    ['Inv', 'Del'],
  ])('are the buyer’s with %s, not with %s', (bill, ship) => {
    const field = propose({ header, customer: ends(bill, ship) })('buyer.address.city');
    expect(field?.from?.column).toBe(`City${bill}`);
  });

  test('are the buyer’s where there is one of them', () => {
    const customer = (at: number) => [{ name: `Firm ${at}`, StreetS: `Road ${at}`, CityS: 'Bonn' }];
    expect(propose({ header, customer })('buyer.address.city')?.from?.column).toBe('CityS');
  });
});
