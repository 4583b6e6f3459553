import { describe, expect, test } from 'vitest';
import { documentCount, propose, type Row } from './sample-documents.kit.ts';

const header = (at: number) => [{ number: `N-${at}`, invoice_date: '2026-03-01' }];

test('a currency that differs between documents is theirs, one that is the same in all that of the books', () => {
  const kept = (at: number) => [
    { number: `N-${at}`, currency_code: 'EUR', order_currency: at % 3 === 0 ? 'USD' : 'EUR' },
  ];
  const field = propose({ header: kept })('currency');
  expect(field?.from?.column).toBe('order_currency');
});

test('a rate of exchange for a hundred units is divided', () => {
  const rated = (at: number) => [
    { number: `N-${at}`, exchange_rate: at % 3 === 0 ? '92.5' : '100' },
  ];
  expect(propose({ header: rated })('exchange_rate.rate')?.transforms).toEqual([
    { kind: 'divide', by: { value: '100' } },
  ]);
});

test('a day that means none is no date of the document', () => {
  const dated = (at: number) => [
    { number: `N-${at}`, document_date: '1900-01-01', invoice_date: `2026-03-${at + 10}` },
  ];
  expect(propose({ header: dated })('issue_date')?.from?.column).toBe('invoice_date');
});

test('a rate that gives more tax than some documents have is not that of their lines', () => {
  const taxed = (at: number) => [
    { number: `N-${at}`, net_total: at * 10, tax_total: at % 2 === 0 ? at * 2 : 0 },
  ];
  const lines = (at: number) => [
    { quantity: at, unit_price: 10, amount: at * 10, tax_percent: 20 },
  ];
  expect(propose({ header: taxed, lines })('lines[].tax.rate')).toBeUndefined();
});

test('a text that repeats the number of its document is no name of a line', () => {
  const lines = (at: number) => [
    { name: `N-${at} Pump`, product_name: `Pump ${at}`, quantity: at },
  ];
  expect(propose({ header, lines })('lines[].name')?.from?.column).toBe('product_name');
});

test('an empty column stands back behind one with values', () => {
  const customer = (at: number) => [{ name: `Firm ${at}`, street_no: '', street: `Road ${at}` }];
  const proposed = propose({ header, customer });
  expect(proposed('buyer.address.line1')?.from?.column).toBe('street');
});

describe('a discount beside an amount that is quantity × price', () => {
  const lines = (off: (at: number) => number) => (at: number) => [
    {
      quantity: at + 1,
      unit_price: 10,
      ext_price: (at + 1) * 10,
      discount_percent: at % 2 === 0 ? 10 : 0,
      discount: at % 2 === 0 ? off(at) : 0,
    },
  ];
  const percentOf = (off: (at: number) => number) =>
    propose({ header, lines: lines(off) })('lines[].allowances[].percent');

  test('is still to be taken off, where it is a share of that amount', () => {
    expect(percentOf((at) => at + 1)).toMatchObject({ from: { column: 'discount_percent' } });
  });

  test('was taken off before, where it is not', () => {
    expect(percentOf((at) => (at + 1) * 1.25)).toBeUndefined();
  });
});

describe('a number of a taxpayer in the document', () => {
  const customer = (at: number) => [{ name: `Firm ${at}` }];
  const numbered = (of: (at: number) => string) => (at: number) => [
    { number: `N-${at}`, invoice_date: '2026-03-01', cnumber: of(at) },
  ];
  const sellerOf = (of: (at: number) => string) =>
    propose({ header: numbered(of), customer })('seller.trn')?.from?.column;

  test('is that of the seller, where it is the same whoever buys', () => {
    expect(sellerOf(() => 'DE811111111')).toBe('cnumber');
  });

  test('is another one, where it differs', () => {
    expect(sellerOf((at) => `DE81111111${at % 10}`)).toBeUndefined();
  });
});

describe('the tax number of the customer', () => {
  test('is none that is counted up', () => {
    const counted = (at: number) => [{ name: `Firm ${at}`, account: `AW000${29_483 + at}` }];
    expect(propose({ header, customer: counted })('buyer.trn')).toBeUndefined();
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

describe('codes of tax', () => {
  const taxed = (rateOf: (at: number) => number) => (at: number) => [
    {
      quantity: at,
      price: 10,
      total: at * 10,
      tax_amount: (at * rateOf(at)) / 10,
      item_id: at % 2,
    },
  ];
  const item = (at: number) => [
    { item_no: at % 2, tax_class: at % 2 === 0 ? 'BOOK' : 'GOODS', name: 'Pump' },
  ];
  const joins = { item: { parent: 'lines', column: 'item_no', parent_column: 'item_id' } };

  test('mean what the tax of their lines shows', () => {
    const proposed = propose({ header, lines: taxed((at) => (at % 2) * 5), item }, joins);
    const category = proposed('lines[].tax.category');
    expect(category).toMatchObject({
      from: { section: 'item', column: 'tax_class' },
      transforms: [{ kind: 'map', values: { BOOK: 'Z', GOODS: 'S' } }],
    });
    expect(category!.confidence).toBeLessThan(0.8);
  });

  test('mean nothing where lines with the same code have several rates', () => {
    const proposed = propose({ header, lines: taxed((at) => at % 3), item }, joins);
    expect(proposed('lines[].tax.category')).toBeUndefined();
  });

  test('may be a mark, which a person confirms', () => {
    const lines = (at: number) => [{ description: 'Pump', taxable_flag: at % 2 === 0 ? 'Y' : 'N' }];
    const category = propose({ header, lines })('lines[].tax.category');
    expect(category?.transforms).toEqual([{ kind: 'map', values: { Y: 'S', N: 'Z' } }]);
    expect(category!.confidence).toBeLessThan(0.8);
  });

  test('are few: a column of many numbers called "tax" has amounts', () => {
    const lines = (at: number) => [{ description: 'Pump', quantity: at, price: 2, tax: at + 0.25 }];
    const many = (at: number) => [...lines(at), ...lines(at + documentCount)];
    expect(propose({ header, lines: many })('lines[].tax.rate')).toBeUndefined();
  });
});

describe('one amount beside the quantity', () => {
  const lines = (amountOf: (at: number) => number) => (at: number) =>
    [1, 2, 3].map((product) => ({
      product_id: product,
      quantity: ((at * product) % 5) + 1,
      amount: amountOf(at) * product,
    }));

  test('is a price, where an item has the same whatever its quantity', () => {
    const proposed = propose({ header, lines: lines(() => 10) });
    expect(proposed('lines[].unit_price')).toMatchObject({ from: { column: 'amount' } });
  });

  test('is none, where it grows with the quantity', () => {
    const growing = (at: number) =>
      lines(() => 10)(at).map((row) => ({ ...row, amount: row.amount * row.quantity }));
    expect(propose({ header, lines: growing })('lines[].unit_price')).toBeUndefined();
  });

  test('is what a piece costs, where no column is named for a price', () => {
    const cost = (more: Row) => (at: number) => [
      { product_key: 'P', qty: at, cost: 2.5 + at, ...more },
    ];
    expect(propose({ header, lines: cost({}) })('lines[].unit_price')?.from?.column).toBe('cost');
    const priced = propose({ header, lines: cost({ price: 4 }) })('lines[].unit_price');
    expect(priced?.from?.column).toBe('price');
  });
});

test('factors of 1 prove no product', () => {
  const lines = (at: number) => [
    { billed: at, price: 2.5 + at, qty_ratio: 1, price_ratio: 1, category_id: 1 },
  ];
  const proposed = propose({ header, lines });
  expect(proposed('lines[].qty')?.from?.column).toBe('billed');
  expect(proposed('lines[].unit_price')?.from?.column).toBe('price');
  expect(proposed('lines[].net')).toBeUndefined();
});

test("the customer's order is the one that is named so, not the seller's own", () => {
  const ordered = (name: string) => (at: number) => [
    { number: `N-${at}`, ordernumber: 50_000 + at, [name]: `PO-${at}` },
  ];
  const orderOf = (name: string) => propose({ header: ordered(name) })('purchase_order');
  expect(orderOf('ponumber')?.from?.column).toBe('ponumber');
  expect(orderOf('remark')?.from?.column).toBe('ordernumber');
});

test('the address of whoever pays is that of the buyer, and that of the delivery is none', () => {
  const paid = (at: number) => [
    {
      number: `N-${at}`,
      payment_company: `Firm ${at} Ltd`,
      payment_address_1: `Road ${at}`,
      payment_city: 'Berlin',
      payment_postcode: `1011${at % 10}`,
      payment_country: 'Germany',
      shipping_city: 'Bonn',
    },
  ];
  const proposed = propose({ header: paid });
  expect(proposed('buyer.address.city')?.from?.column).toBe('payment_city');
  expect(proposed('buyer.name')?.from?.column).toBe('payment_company');
});

test('keys of terms are no text of terms', () => {
  const terms = (value: (at: number) => string) => (at: number) => [
    { number: `N-${at}`, payment_term: value(at) },
  ];
  const noteOf = (value: (at: number) => string) =>
    propose({ header: terms(value) })('payment_terms[].note');
  expect(noteOf((at) => `Net ${at} days`)).toBeDefined();
  expect(noteOf((at) => String(at % 3))).toBeUndefined();
});

describe('lines that keep an amount and no price', () => {
  const total = (at: number) => at * 30 + 40;
  const priced = (at: number) => [
    { number: `N-${at}`, invoice_date: '2026-03-01', tax: at, total: total(at) + at },
  ];

  test('have a price by their quantity, where the amounts come to the total without tax', () => {
    const lines = (at: number) => [
      { product_qty: at, net_revenue: at * 30, weight: 7 },
      { product_qty: 2, net_revenue: 40, weight: 9 },
    ];
    const field = propose({ header: priced, lines })('lines[].unit_price');
    expect(field?.from?.column).toBe('net_revenue');
    expect(field?.transforms?.[0]).toEqual({ kind: 'divide', by: { column: 'product_qty' } });
    expect(field?.confidence).toBeLessThan(0.8);
  });

  test('are of one each, where no quantity is kept', () => {
    const lines = (at: number) => [
      { description: 'Hosting of a year', sum: at * 30 },
      { description: 'Setting it up', sum: 40 },
    ];
    const field = propose({ header: priced, lines });
    expect(field('lines[].unit_price')?.from?.column).toBe('sum');
    expect(field('lines[].qty')?.value).toBe('1');
  });

  test('have none, where the amounts come to nothing', () => {
    const lines = (at: number) => [
      { product_qty: at, net_revenue: at * 31 },
      { product_qty: 2, net_revenue: 47 },
    ];
    expect(propose({ header: priced, lines })('lines[].unit_price')).toBeUndefined();
  });
});

describe('what is not proposed with confidence', () => {
  const line = { quantity: 2, unit_price: 50, total: 100 };
  const taxed = (at: number) => [
    { number: `N-${at}`, invoice_date: '2026-03-01', net_total: 100, vat_amount: 20, total: 120 },
  ];

  test('a rate that is 0 in all lines of documents with tax', () => {
    const lines = (at: number) => [{ ...line, tax_rate: 0, position: at }];
    expect(propose({ header: taxed, lines })('lines[].tax.rate')).toBeUndefined();
    expect(propose({ header, lines })('lines[].tax.rate')?.from?.column).toBe('tax_rate');
  });

  test.each([
    ['a small number that may be a key as a means of payment', { payment_method: 1 }, false],
    ['a code of the list as a means of payment', { payment_method: 30 }, true],
  ])('%s', (_what, cells, isSure) => {
    const field = propose({ header: (at) => [{ ...header(at)[0]!, ...cells }] });
    const confidence = field('payment_means[].code')?.confidence ?? 0;
    expect(confidence >= 0.8).toBe(isSure);
  });

  test("the document's own reference as that of the buyer", () => {
    const field = propose({ header: (at) => [{ ...header(at)[0]!, reference: `XK${at}` }] });
    expect(field('buyer_reference')?.confidence ?? 0).toBeLessThan(0.8);
  });

  test('the key of an item as its number', () => {
    const lines = (at: number) => [{ ...line, item: 5_000 + at }];
    expect(propose({ header, lines })('lines[].sku')?.confidence ?? 0).toBeLessThan(0.8);
  });
});

test('words in the names of taxes say their category', () => {
  const lines = (at: number) => [
    { quantity: 1, unit_price: 5, tax_code: at % 2 === 0 ? 'XX VAT STD' : 'XX VAT ZERO' },
  ];
  const field = propose({ header, lines })('lines[].tax.category');
  expect(field?.transforms?.[0]).toMatchObject({
    kind: 'map',
    values: { 'XX VAT STD': 'S', 'XX VAT ZERO': 'Z' },
  });
});

describe('what says nothing is not proposed', () => {
  test.each([
    ['exchange_rate.rate', 'a rate of 0', { exchange_rate: 0 }, { exchange_rate: 1.08 }],
    ['payment_means[].code', 'a mark', { payment_method: 1 }, { payment_method: 30 }],
  ])('as %s: %s', (target, _what, cells, others) => {
    const of = (more: Row) => propose({ header: (at) => [{ ...header(at)[0]!, ...more }] })(target);
    expect(of(cells)).toBeUndefined();
    expect(of(others)).toBeDefined();
  });

  test('as the rate of a document: that of its currency, which is the rate of today', () => {
    const rates = (at: number) => [{ code: 'EUR', conversion_rate: 1 + (at % 2) / 10 }];
    const field = propose({ header, header_currency: rates })('exchange_rate.rate');
    expect(field?.confidence ?? 0).toBeLessThan(0.6);
  });

  test('as the street of the seller: the key of an address', () => {
    const joined = (at: number) => [{ ...header(at)[0]!, company_address: 'Pumps-Billing' }];
    const address = () => [{ name: 'Pumps-Billing', address_line_1: 'Kai 9' }];
    const join = { parent: 'header', column: 'name', parent_column: 'company_address' };
    const proposed = propose({ header: joined, seller_address: address }, { seller_address: join });
    expect(proposed('seller.address.line1')?.from?.column).toBe('address_line_1');
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
  });
});

test('a firm is the buyer, and a person at it the contact', () => {
  const customer = (at: number) => [{ name: `Anna ${at}`, business_name: `Firm ${at} Ltd` }];
  expect(propose({ header, customer })('buyer.name')?.from?.column).toBe('business_name');
  const contact = (at: number) => [{ full_name: `Anna ${at}`, company_name: `Firm ${at} Ltd` }];
  const contactOf = propose({ header, customer_contact: contact })('buyer.contact.name');
  expect(contactOf?.from?.column).not.toBe('company_name');
});

describe('totals with charges', () => {
  const charged = (at: number) => [
    {
      number: `N-${at}`,
      total_products: at * 10,
      total_shipping_tax_excl: 5,
      total_tax_excl: at * 10 + 5,
      total_tax_incl: at * 12 + 6,
    },
  ];
  const lines = (at: number) => [{ quantity: at, unit_price: 10, amount: at * 10 }];

  test('are not what lines come to, nor the tax of the charge', () => {
    const proposed = propose({ header: charged, lines });
    expect(proposed('totals.net')?.from?.column).toBe('total_tax_excl');
    expect(proposed('totals.gross')?.from?.column).toBe('total_tax_incl');
    expect(proposed('totals.tax')).toBeUndefined();
  });
});

test('a line that keeps its amount with tax shows that no tax is in the price', () => {
  const lines = (withTax: (at: number) => number) => (at: number) => [
    { quantity: at, unit_price: 10, amount: at * 10, tax_rate: 20, gross_amount: withTax(at) },
  ];
  const sureOf = (withTax: (at: number) => number) =>
    (propose({ header, lines: lines(withTax) })('lines[].unit_price')?.confidence ?? 0) >= 0.8;
  expect(sureOf((at) => at * 12)).toBe(true);
  expect(sureOf((at) => at * 11)).toBe(false);
});

test('a discount of each piece is taken off as often as there are pieces', () => {
  const priced = (at: number) => [{ number: `N-${at}`, net_total: (at + 1) * (at % 2 ? 8 : 10) }];
  const lines = (at: number) => [
    { quantity: at + 1, unit_price: 10, discount_amount: at % 2 ? 2 : 0 },
  ];
  const field = propose({ header: priced, lines })('lines[].allowances[].amount');
  expect(field?.transforms).toEqual([{ kind: 'multiply', by: { column: 'quantity' } }]);
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

describe('what is left of a quantity or an amount', () => {
  const lines = (at: number) => [{ OpenQty: at % 2, Quantity: at + 1, Price: 2.5, OpenSum: at }];

  test('is none of the line where the whole stands beside it', () => {
    const proposed = propose({ header, lines });
    expect(proposed('lines[].qty')?.from?.column).toBe('Quantity');
    expect(proposed('lines[].net')?.from?.column).not.toBe('OpenSum');
  });

  test('is the quantity of the line where nothing else is', () => {
    const alone = (at: number) => [{ OpenQty: at, unit_price: 2.5 }];
    expect(propose({ header, lines: alone })('lines[].qty')?.from?.column).toBe('OpenQty');
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
  ])('are the buyer’s with %s, not with %s', (bill, ship) => {
    const field = propose({ header, customer: ends(bill, ship) })('buyer.address.city');
    expect(field?.from?.column).toBe(`City${bill}`);
  });

  test('are the buyer’s where there is one of them', () => {
    const customer = (at: number) => [{ name: `Firm ${at}`, StreetS: `Road ${at}`, CityS: 'Bonn' }];
    expect(propose({ header, customer })('buyer.address.city')?.from?.column).toBe('CityS');
  });
});

test('a copy of the number of the document is no reference of the buyer', () => {
  const referred = (of: (at: number) => string) => (at: number) => [
    { number: `N-${at}`, invoice_date: '2026-03-01', customer_reference: of(at) },
  ];
  const referenceOf = (of: (at: number) => string) =>
    propose({ header: referred(of) })('buyer_reference')?.from?.column;
  expect(referenceOf((at) => `N-${at}`)).toBeUndefined();
  expect(referenceOf((at) => `Mr ${at}`)).toBe('customer_reference');
});

test('a letter that all lines have is no category of tax where they have several rates', () => {
  const lines = (at: number) => [
    { quantity: at, unit_price: 10, tax_type: 'Y', tax_percent: at % 2 === 0 ? 20 : 5 },
  ];
  expect(propose({ header, lines })('lines[].tax.category')?.from?.column).toBe('tax_percent');
});

test('emirates become their codes, other places stay', () => {
  const places = ['Dubai', 'Abu Dhabi', 'Bavaria'];
  const customer = (at: number) => [
    { name: `Firm ${at}`, city: 'Town', emirate: places[at % 3]!, country: 'AE' },
  ];
  expect(propose({ header, customer })('buyer.address.subdivision')?.transforms).toEqual([
    { kind: 'map', values: { Dubai: 'DXB', 'Abu Dhabi': 'AUH' }, unmapped: 'keep' },
  ]);
});

test('yes and no are no total of tax', () => {
  const liable = (at: number) => [{ number: `N-${at}`, tax_total: at % 2 }];
  expect(propose({ header: liable })('totals.tax')).toBeUndefined();
});

test('the amount of a line is the one that, with its tax, makes its total', () => {
  const lines = (at: number) => [
    {
      qty: at,
      rate: 10,
      amt: at * 10,
      disc: at % 2,
      taxable_amt: at * 10 - (at % 2),
      vat_amt: (at * 10 - (at % 2)) * 0.05,
      total: (at * 10 - (at % 2)) * 1.05,
    },
  ];
  expect(propose({ header, lines })('lines[].net')?.from?.column).toBe('taxable_amt');
});
