import { expect, test } from 'vitest';
import { header, propose } from './sample-documents.kit.ts';

test('parts of another address are none of the one that has most of them', () => {
  const customer = (at: number) => [
    {
      name: `Firm ${at}`,
      postal_address_line_1: `Road ${at}`,
      postal_city: 'Berlin',
      postal_postcode: `1011${at % 10}`,
      delivery_address_line_1: 'Dock 4',
      delivery_address_line_2: 'Harbour',
    },
  ];
  const proposed = propose({ header, customer });
  expect(proposed('buyer.address.line1')?.from?.column).toBe('postal_address_line_1');
  expect(proposed('buyer.address.line2')).toBeUndefined();
});

test('the country may stand in the row that the address points at', () => {
  const customer = (at: number) => [{ name: `Firm ${at}`, street: `Road ${at}`, city: 'Berlin' }];
  const proposed = propose({ header, customer, customer_country: () => [{ iso_code: 'DE' }] });
  expect(proposed('buyer.address.country')?.from?.section).toBe('customer_country');
});
