import { expect, test } from 'vitest';
import { header, propose } from './sample-documents.kit.ts';

const streets = ['Hafenstr. 7', 'Bay Sq 3', 'Ring 12', '9 Mill Lane'];
const towns = ['Hamburg', 'Kuala Lumpur', 'Bern', 'Leeds'];
const states = ['HH', 'KUL', 'BE', 'W14'];
const codes = ['20457', '50450', '3011', 'LS1 4AP'];
const joins = { customer: { parent: 'header', parent_column: 'customer_id', column: 'id' } };

function addressOf(customer: (of: number) => Readonly<Record<string, string>>) {
  const proposed = propose(
    {
      header: (at) => [{ ...header(at)[0]!, customer_id: at % 4 }],
      lines: (at) => [{ quantity: at, unit_price: 2.5 }],
      customer: (at) => [{ id: at % 4, name: `Firm ${at % 4} Ltd`, ...customer(at % 4) }],
    },
    joins,
  );
  const part = (name: string) => proposed(`buyer.address.${name}`)?.from?.column;
  return [part('line1'), part('city'), part('subdivision'), part('post_code')];
}

test.each([
  [
    'the postcode among them',
    (of: number) => ({
      addr1: streets[of]!,
      addr2: '',
      addr3: towns[of]!,
      addr4: states[of]!,
      addr5: codes[of]!,
    }),
    ['addr1', 'addr3', 'addr4', 'addr5'],
  ],
  [
    'the postcode beside them, whatever they are called',
    (of: number) => ({
      Post1: streets[of]!,
      Post2: '',
      Post3: towns[of]!,
      Post4: states[of]!,
      PostPC: codes[of]!,
    }),
    ['Post1', 'Post3', 'Post4', 'PostPC'],
  ],
  [
    'a town and no state',
    (of: number) => ({ addr1: streets[of]!, addr2: '', addr3: towns[of]!, addr4: codes[of]! }),
    ['addr1', 'addr3', undefined, 'addr4'],
  ],
  [
    'the name in the first, as on an envelope',
    (of: number) => ({
      bill_addr1: `Firm ${of} Ltd`,
      bill_addr2: streets[of]!,
      bill_addr3: '',
      bill_city: towns[of]!,
    }),
    ['bill_addr2', 'bill_city', undefined, undefined],
  ],
])('numbered lines of an address are told by what they hold: %s', (_how, customer, parts) => {
  expect(addressOf(customer)).toEqual(parts);
});

test('numbers behind other names are no address', () => {
  const found = addressOf((of) => ({ remark1: 'none', remark2: '', remark3: towns[of]! }));
  expect(found).toEqual([undefined, undefined, undefined, undefined]);
});
