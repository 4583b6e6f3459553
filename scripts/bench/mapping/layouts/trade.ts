/** A firm's trade, the same in every layout: what differs is how an ERP keeps it. */
export interface Customer {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  readonly vat: string;
  readonly street: string;
  readonly city: string;
  readonly zip: string;
  readonly state: string;
  readonly countryCode: string;
  readonly country: string;
  readonly phone: string;
  readonly email: string;
  readonly first: string;
  readonly last: string;
}

export interface Item {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  readonly unit: string;
  readonly price: number;
  /** Percent. */
  readonly rate: number;
  readonly taxCode: string;
}

interface Line {
  readonly id: number;
  readonly position: number;
  readonly item: Item;
  readonly quantity: number;
  /** Before discount, without tax. */
  readonly price: number;
  /** Percent. */
  readonly discount: number;
  readonly net: number;
  readonly tax: number;
}

export interface Invoice {
  readonly id: number;
  readonly number: string;
  readonly kind: 'invoice' | 'credit';
  readonly isDraft: boolean;
  readonly customer: Customer;
  readonly date: string;
  readonly due: string;
  readonly currency: string;
  readonly order: string;
  readonly lines: readonly Line[];
  readonly net: number;
  readonly tax: number;
  readonly gross: number;
}

const people = `Anna Berg|Omar Said|Lena Kurz|Jorge Ruiz|Mei Ling|Paul Roy|Ines Costa|Tom Hill|Nadia Aziz|Ivo Horn|Sara Lund|Raj Patel`;
const firms = `Hafen Logistik GmbH|Gulf Star LLC|Kurz Maschinen AG|Talleres Ruiz SL|Ling Trading Sdn Bhd|Roy et Fils SARL|Costa Vinhos Lda|Hill & Sons Ltd|Aziz Import FZE|Horn Bau KG|Lund Design AB|Patel Foods Ltd`;
const places = `Hafenstr. 7;Hamburg;20457;HH;DE;Germany|Bay Sq 3;Dubai;00000;DXB;AE;United Arab Emirates|Ring 12;Bern;3011;BE;CH;Switzerland|Calle Sol 8;Madrid;28013;M;ES;Spain|18 Jalan Ampang;Kuala Lumpur;50450;KUL;MY;Malaysia|4 rue Haute;Lyon;69001;ARA;FR;France|Av. Mar 22;Porto;4000;PT13;PT;Portugal|9 Mill Lane;Leeds;LS1 4AP;YKS;GB;United Kingdom|Zone 4;Sharjah;00000;SHJ;AE;United Arab Emirates|Am Markt 1;Berlin;10115;BE;DE;Germany|Storgatan 5;Lund;22100;M;SE;Sweden|7 Park Road;London;N1 9GU;LND;GB;United Kingdom`;
const goods = `PUMP-50;Water pump;PCS;250;20|HOSE-10;Hose 10 m;M;12.5;20|VALV-2;Valve;PCS;33.9;20|SERV-H;Fitting;HR;80;20|BOOK-1;Manual;PCS;19.9;0|OIL-5;Oil 5 l;L;7.25;20|FILT-3;Filter;PCS;41;20|BOLT-9;Bolts;KG;5.6;20|GUID-2;Guide;PCS;24;0|CLMP-7;Clamp;PCS;3.15;20`;

export const customers: readonly Customer[] = firms.split('|').map((name, index) => {
  const [street = '', city = '', zip = '', state = '', countryCode = '', country = ''] = places
    .split('|')
    [index]!.split(';');
  const [first = '', last = ''] = people.split('|')[index]!.split(' ');
  return {
    id: index + 3,
    code: `C${String(1001 + index * 7)}`,
    name,
    vat: `${countryCode}${100_200_300 + index * 7_919}`,
    street,
    city,
    zip,
    state,
    countryCode,
    country,
    phone: `+44 20 555 ${1200 + index}`,
    email: `${first.toLowerCase()}@firm${index + 1}.example`,
    first,
    last,
  };
});

export const items: readonly Item[] = goods.split('|').map((text, index) => {
  const [code = '', name = '', unit = '', price = '', rate = ''] = text.split(';');
  const taxCode = rate === '0' ? 'Z' : 'S';
  return { id: index + 11, code, name, unit, price: Number(price), rate: Number(rate), taxCode };
});

const round = (value: number) => Math.round((value + Number.EPSILON) * 100) / 100;

function invoiceAt(index: number, lineId: { next: number }): Invoice {
  const kind = index % 11 === 7 ? 'credit' : 'invoice';
  const customer = customers[(index * 5) % customers.length]!;
  const lines = Array.from({ length: 1 + (index % 4) }, (_, position): Line => {
    const item = items[(index * 3 + position * 7) % items.length]!;
    const quantity = 1 + ((index * 7 + position * 3) % 9);
    const discount = (index + position) % 5 === 0 ? 10 : (index + position) % 7 === 0 ? 5 : 0;
    const price = round(item.price * (1 + (index % 3) / 10));
    const net = round(quantity * price * (1 - discount / 100));
    const tax = round((net * item.rate) / 100);
    return { id: lineId.next++, position: position + 1, item, quantity, price, discount, net, tax };
  });
  const day = (at: number) => new Date(Date.UTC(2026, 0, 5 + at)).toISOString().slice(0, 10);
  const net = round(lines.reduce((sum, line) => sum + line.net, 0));
  const tax = round(lines.reduce((sum, line) => sum + line.tax, 0));
  return {
    id: 4001 + index,
    number: `${kind === 'credit' ? 'CN' : 'IV'}-26-${String(index + 31).padStart(4, '0')}`,
    kind,
    isDraft: index % 13 === 5,
    customer,
    date: day(index),
    due: day(index + 30),
    currency: index % 9 === 4 ? 'USD' : 'EUR',
    order: index % 2 === 0 ? `PO-${700 + index * 3}` : '',
    lines,
    net,
    tax,
    gross: round(net + tax),
  };
}

const lineIds = { next: 90_001 };
/** Invoices and credit notes; a few are drafts. */
export const invoices: readonly Invoice[] = Array.from({ length: 45 }, (_, index) =>
  invoiceAt(index, lineIds),
);

/** Without drafts. */
export const done = invoices.filter(({ isDraft }) => !isDraft);
export const bills = done.filter(({ kind }) => kind === 'invoice');
export const credits = done.filter(({ kind }) => kind === 'credit');

/** A row for each line of the documents. */
export function byLine<T>(
  all: readonly Invoice[],
  row: (invoice: Invoice, line: Invoice['lines'][number]) => T,
): T[] {
  return all.flatMap((invoice) => invoice.lines.map((line) => row(invoice, line)));
}

/** Price after the discount of the line. */
export function netPrice({ price, discount }: Invoice['lines'][number]): number {
  return round(price * (1 - discount / 100));
}
