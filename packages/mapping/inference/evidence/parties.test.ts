import { describe, expect, test } from 'vitest';
import { header, propose, type Row } from '../sample-documents.kit.ts';

describe('the tax number of the customer', () => {
  test('is none that is counted up', () => {
    const counted = (at: number) => [{ name: `Firm ${at}`, account: `AW000${29_483 + at}` }];
    expect(propose({ header, customer: counted })('buyer.trn')).toBeUndefined();
  });

  test('is none whose letters stand apart from a short number', () => {
    const licensed = (at: number) => [{ name: `Firm ${at}`, licence: `CN-${110_000 + at}` }];
    expect(propose({ header, customer: licensed })('buyer.trn')).toBeUndefined();
  });

  const customer = (vat: (at: number) => string) => (at: number) => [
    { name: `Firm ${at}`, taxnumber: `47/${100 + at}/0815`, ustid: vat(at) },
  ];

  test('is the one with its country', () => {
    const field = propose({ header, customer: customer((at) => `DE10020030${at % 10}`) })(
      'buyer.trn',
    );
    expect(field?.from?.column).toBe('ustid');
  });

  test('is the other one, where none has a country', () => {
    const field = propose({ header, customer: customer(() => '') })('buyer.trn');
    expect(field?.from?.column).toBe('taxnumber');
  });
});

describe('the name of the seller', () => {
  const nameOf = (seller: Row) => propose({ header, seller: () => [seller] })('seller.name');

  test('is that of a firm, and of a branch rather not', () => {
    expect(nameOf({ name: 'HQ', city: 'Hamburg' })).toBeUndefined();
    expect(nameOf({ name: 'Main branch' })?.confidence).toBeLessThan(0.8);
    expect(nameOf({ name: 'Pumps Ltd', vat_number: 'DE123456789' })?.confidence).toBeGreaterThan(
      0.8,
    );
  });

  test('is that of the firm where users have one', () => {
    const field = nameOf({ name: 'Lena Kurz', company: 'Pumps Ltd', city: 'Hamburg' });
    expect(field?.from?.column).toBe('company');
    const empty = nameOf({ name: 'Pumps Ltd', paypal_business_name: '', city: 'Hamburg' });
    expect(empty?.from?.column).toBe('name');
  });
});

test('a firm is the buyer, and a person at it the contact', () => {
  const customer = (at: number) => [{ name: `Anna ${at}`, business_name: `Firm ${at} Ltd` }];
  expect(propose({ header, customer })('buyer.name')?.from?.column).toBe('business_name');
  const contact = (at: number) => [{ full_name: `Anna ${at}`, company_name: `Firm ${at} Ltd` }];
  const contactOf = propose({ header, customer_contact: contact })('buyer.contact.name');
  expect(contactOf?.from?.column).not.toBe('company_name');
});

test('an address that stands in the document alone is that of the buyer', () => {
  const sent = (place: (at: number) => string) => (at: number) => [
    { ...header(at)[0]!, street: place(at), city: 'Berlin' },
  ];
  const customer = (at: number) => [{ name: `Firm ${at}` }];
  const sureOf = (place: (at: number) => string) =>
    propose({ header: sent(place), customer })('buyer.address.line1')?.confidence;
  expect(sureOf((at) => `Road ${at}`)).toBe(0.75);
  expect(sureOf(() => 'Kai 9')).toBeLessThan(0.6);
});
