import { hyphenKey } from './hex-keys.ts';
import type { Layout, LayoutTable } from './layout.ts';
import { at, tableOf } from './tables.ts';

/** All amounts are whole hundredths. */
const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
/** Shares of an amount, as equal as they can be, the first ones larger. */
function shared(amount: number, among: number): readonly number[] {
  const least = Math.trunc(amount / among);
  const more = Math.abs(amount - least * among);
  return Array.from({ length: among }, (_, place) =>
    place < more ? least + Math.sign(amount) : least,
  );
}
/** Shares of an amount in proportion to the weights. */
function sharedBy(amount: number, weights: readonly number[]): readonly number[] {
  const all = sum(weights);
  const shares = weights.map((weight) => Math.trunc((amount * weight) / all));
  const missing = amount - sum(shares);
  return shares.map((share, place) =>
    place < Math.abs(missing) ? share + Math.sign(missing) : share,
  );
}
const opened = at('2024-09-02', '08:00:00');
const stamped = { 'created_at datetime, updated_at datetime': opened } as const;

type ChannelCode = 'PL' | 'EU';
interface Channel {
  readonly id: number;
  readonly code: ChannelCode;
  readonly name: string;
  readonly currency: string;
  readonly locale: string;
}
const channels: readonly Channel[] = [
  { id: 1, code: 'PL', name: 'Młyn i Spółka', currency: 'PLN', locale: 'pl_PL' },
  { id: 2, code: 'EU', name: 'Mlyn Europe', currency: 'EUR', locale: 'en_US' },
];
const channelOf = (code: ChannelCode) => channels.find((each) => each.code === code)!;

interface Variant {
  readonly id: number;
  readonly code: string;
  readonly product: string;
  readonly names: Readonly<Record<string, string>>;
  readonly variant: string | null;
  readonly category: number;
  readonly prices: Readonly<Record<ChannelCode, number>>;
  /** What it cost before a sale of the whole range. */
  readonly original: number | null;
  readonly isShipped: boolean;
}
/** Variant; product; its name in Polish, in English; variant's name; category; price in PLN, in EUR; before the sale. */
const variants: readonly Variant[] =
  `FLR-T550-25;MAKA_T550;Mąka pszenna T550;Wheat flour T550;25 kg;2;6490;1599;
FLR-T550-05;MAKA_T550;Mąka pszenna T550;Wheat flour T550;5 kg;2;1790;449;
FLR-RYE-25;MAKA_ZYTNIA;Mąka żytnia 720;Rye flour 720;25 kg;2;5990;1490;
SEM-DUR-10;SEMOLINA;Semolina z pszenicy durum;Durum semolina;10 kg;2;5250;1295;
YST-DRY-500;DROZDZE;Drożdże suszone 500 g;Dry yeast 500 g;;2;2475;610;2750
BSK-RND-1000;KOSZYK;Koszyk do wyrastania;Proofing basket;1000 g;1;7390;1820;
BSK-OVL-750;KOSZYK;Koszyk do wyrastania;Proofing basket;750 g;1;6850;1690;
SCL-DIG-15;WAGA;Waga stołowa 15 kg;Bench scale 15 kg;;1;38900;9450;42900
SRV-CAL;WZORCOWANIE;Wzorcowanie wagi;Calibration of a scale;;3;12000;2900;
BOK-BRD;KSIAZKA;Chleb na zakwasie;Sourdough, a handbook;;4;5533;1349;`
    .split('\n')
    .map((row, index) => {
      const [code = '', product = '', polish = '', english = '', variant = '', ...rest] =
        row.split(';');
      const [category = '', inPln = '', inEur = '', original = ''] = rest;
      return {
        id: 301 + index,
        code,
        product,
        names: { pl_PL: polish, en_US: english },
        variant: variant || null,
        category: Number(category),
        prices: { PL: Number(inPln), EU: Number(inEur) },
        original: original === '' ? null : Number(original),
        isShipped: category !== '3',
      };
    });
const variantOf = (code: string) => variants.find((each) => each.code === code)!;
const products = [...new Map(variants.map((each) => [each.product, each])).values()];
const productId = (product: string) => products.findIndex((each) => each.product === product) + 201;

const categories = [
  { id: 1, code: 'standard', name: 'Standard' },
  { id: 2, code: 'food', name: 'Food' },
  { id: 3, code: 'services', name: 'Services' },
  { id: 4, code: 'books', name: 'Books' },
];
/** Percent by zone and category; nothing is charged beyond them. */
const charged: Readonly<Record<string, readonly number[]>> = {
  PL: [23, 5, 23, 5],
  DE: [19, 7, 19, 7],
  CZ: [21, 12, 21, 0],
};
const zones = ['PL', 'DE', 'CZ', 'WORLD', 'ALL'].map((code, index) => ({ id: index + 1, code }));
const taxRates = Object.entries(charged).flatMap(([zone, percents]) =>
  percents.map((percent, index) => ({
    id: zones.find(({ code }) => code === zone)!.id * 10 + index,
    zone,
    percent,
    category: categories[index]!,
  })),
);
const percentOf = (country: string, category: number) => charged[country]?.[category - 1] ?? 0;
const asText = (percent: number) => (percent === 0 ? null : `${percent}%`);
const taxOf = (amount: number, percent: number) => Math.round((amount * percent) / 100);

interface Person {
  readonly id: number;
  readonly company: string | null;
  readonly first: string;
  readonly last: string;
  readonly street: string;
  readonly city: string;
  readonly zip: string;
  readonly country: string;
  readonly provinceCode: string | null;
  readonly provinceName: string | null;
  readonly phone: string | null;
  readonly email: string;
}
const persons: readonly Person[] =
  `Piekarnia Pod Kłosem Sp. z o.o.;Agnieszka;Wrona;ul. Młyńska 14;Bydgoszcz;85-009;PL;PL-04;;+48 52 322 41 90
Cukiernia Sowa i Córka s.c.;Tadeusz;Sowa;ul. Rynek 3;Zamość;22-400;PL;PL-06;;
Restauracja Zielony Piec;Marta;Lis;al. Kościuszki 71/2;Łódź;90-436;PL;PL-10;;+48 42 630 77 12
;Grzegorz;Baran;os. Słoneczne 8 m. 41;Kraków;31-958;PL;PL-12;;+48 601 220 118
Bäckerei Holzofen GmbH;Katrin;Vogt;Mühlweg 22;Görlitz;02826;DE;;Sachsen;+49 3581 40 88 12
Bio-Markt Spree eG;Jens;Albrecht;Köpenicker Straße 147;Berlin;10997;DE;;;+49 30 6110 2290
;Ulrike;Sommer;Am Anger 5;Cottbus;03046;DE;;Brandenburg;
Pekařství Novák s.r.o.;Jiří;Novák;Hlavní třída 58;Ostrava;708 00;CZ;;;+420 596 910 333
Mlýnská kavárna a.s.;Lenka;Dvořáková;Josefská 9;Brno;602 00;CZ;;Jihomoravský kraj;+420 542 215 070
Boulangerie du Lac SA;Céline;Rochat;Rue du Port 12;Nyon;1260;CH;;Vaud;+41 22 361 55 20`
    .split('\n')
    .map((row, index) => {
      const [company = '', first = '', last = '', street = '', city = '', ...rest] = row.split(';');
      const [zip = '', country = '', provinceCode = '', provinceName = '', phone = ''] = rest;
      return {
        id: 41 + index,
        company: company || null,
        first,
        last,
        street,
        city,
        zip,
        country,
        provinceCode: provinceCode || null,
        provinceName: provinceName || null,
        phone: phone || null,
        email: `kontakt${41 + index}@klient.example`,
      };
    });

const methods = [
  { id: 1, code: 'kurier', names: { pl_PL: 'Kurier', en_US: 'Courier' }, price: 2400 },
  { id: 2, code: 'paleta', names: { pl_PL: 'Przesyłka paletowa', en_US: 'Pallet' }, price: 14_900 },
] as const;
const shippingPrice = (method: number, channel: ChannelCode) =>
  channel === 'PL' ? methods[method - 1]!.price : Math.round(methods[method - 1]!.price * 0.31);
const promotions = [
  { id: 1, code: 'WIOSNA10', name: 'Wiosna 10%', percent: 10 },
  { id: 2, code: 'HURT4', name: 'Hurt 4%', percent: 4 },
];

interface Unit {
  readonly id: number;
  readonly reduction: number;
  readonly tax: number;
}
interface OrderItem {
  readonly id: number;
  readonly variant: Variant;
  readonly quantity: number;
  readonly price: number;
  readonly percent: number;
  readonly units: readonly Unit[];
}
const ids = { item: 700, unit: 4000 };

/** Day and time; who buys; channel; state; way of sending; promotion; how it is paid; variants; note. */
const orderRows = `2026-02-02 09:14:33;1;PL;fulfilled;2;;transfer;FLR-T550-25:12,FLR-RYE-25:8;
2026-02-03 18:40:02;4;PL;fulfilled;1;;card;BSK-RND-1000:1,BOK-BRD:1;Dzwonić po 17.
2026-02-05 07:55:47;5;EU;fulfilled;2;2;transfer;FLR-T550-25:20,SEM-DUR-10:7;
2026-02-09 11:20:15;2;PL;fulfilled;1;;transfer;YST-DRY-500:6,FLR-T550-05:10;
2026-02-12 13:02:58;8;EU;fulfilled;1;;transfer;SCL-DIG-15:1,BSK-OVL-750:4;
2026-02-16 10:31:09;3;PL;cancelled;1;;transfer;BSK-RND-1000:6;
2026-02-18 15:47:21;10;EU;fulfilled;2;;transfer;FLR-RYE-25:16,BSK-RND-1000:10;
2026-02-23 08:08:40;1;PL;fulfilled;2;2;transfer;FLR-T550-25:15,YST-DRY-500:7;
2026-02-27 20:11:36;7;EU;fulfilled;1;1;card;BSK-OVL-750:1,FLR-T550-05:3;
2026-03-04 12:25:04;6;EU;fulfilled;2;;transfer;SEM-DUR-10:18,FLR-T550-25:9;Lieferung nur vormittags.
2026-03-06 09:33:50;3;PL;fulfilled;0;;transfer;SRV-CAL:2;
2026-03-11 16:19:27;9;EU;fulfilled;1;1;card;BSK-RND-1000:7,YST-DRY-500:3;
2026-03-13 07:42:11;2;PL;fulfilled;1;1;transfer;BSK-OVL-750:3,FLR-T550-05:7;
2026-03-19 14:56:02;8;EU;new;1;;transfer;BOK-BRD:5,YST-DRY-500:12;
2026-03-24 10:04:45;5;EU;new;2;;transfer;FLR-T550-25:24,BSK-RND-1000:2;
2026-03-27 21:30:18;4;PL;new;1;;card;FLR-T550-05:2,SEM-DUR-10:1,YST-DRY-500:1;
2026-04-01 09:10:29;10;EU;new;1;;transfer;SCL-DIG-15:2;Douane: DAP
2026-04-03 11:48:53;1;PL;new;2;2;transfer;FLR-T550-25:18,SCL-DIG-15:1;
2026-04-03 17:05:31;7;EU;cart;0;;;FLR-T550-05:1;
2026-04-04 08:22:10;3;PL;cart;1;;;BSK-RND-1000:2,BOK-BRD:2;
2026-04-04 19:51:44;6;EU;cart;0;;;SEM-DUR-10:3;
2026-04-05 06:37:59;9;EU;cart;1;;;YST-DRY-500:4;`;
const dayFrom = (date: string, days: number) =>
  new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
const orders = orderRows.split('\n').map((row, index) => {
  const [moment = '', who = '', code = '', state = '', sent = '', less = '', ...rest] =
    row.split(';');
  const [paid = '', wanted = '', note = ''] = rest;
  const channel = channelOf(code as ChannelCode);
  const person = persons[Number(who) - 1]!;
  const promotion = promotions.find(({ id }) => id === Number(less));
  const bought = wanted.split(',').map((text) => {
    const [variantCode = '', many = ''] = text.split(':');
    const variant = variantOf(variantCode);
    return { variant, quantity: Number(many), price: variant.prices[channel.code] };
  });
  const values = bought.map(({ quantity, price }) => quantity * price);
  const reductions = sharedBy(-Math.round((sum(values) * (promotion?.percent ?? 0)) / 100), values);
  const items = bought.map(({ variant, quantity, price }, place): OrderItem => {
    const percent = percentOf(person.country, variant.category);
    const reduced = shared(reductions[place]!, quantity);
    const taxes = shared(taxOf(values[place]! + reductions[place]!, percent), quantity);
    ids.item += 1;
    return {
      id: ids.item,
      variant,
      quantity,
      price,
      percent,
      units: reduced.map((reduction, nth) => {
        ids.unit += 1;
        return { id: ids.unit, reduction, tax: taxes[nth]! };
      }),
    };
  });
  const method = Number(sent);
  const shipping = method === 0 ? 0 : shippingPrice(method, channel.code);
  const shippingPercent = method === 0 ? 0 : percentOf(person.country, 1);
  const shippingTax = taxOf(shipping, shippingPercent);
  const itemsTotal = sum(items.map(itemTotal));
  const date = moment.slice(0, 10);
  return {
    id: 501 + index,
    moment,
    date,
    // Some fill their cart on the day before.
    begun: at(dayFrom(date, index % 5 === 2 ? -1 : 0), '06:30:00'),
    touched: at(dayFrom(date, state === 'fulfilled' ? 3 : 0), '23:10:00'),
    isCart: state === 'cart',
    state,
    channel,
    person,
    // Goods go elsewhere for some.
    hasOtherPlace: index % 4 === 1,
    number: state === 'cart' ? null : String(index + 61).padStart(9, '0'),
    promotion,
    paid,
    note: note || null,
    items,
    method,
    shipping,
    shippingPercent,
    shippingTax,
    itemsTotal,
    total: itemsTotal + shipping + shippingTax,
  };
});
type Order = (typeof orders)[number];
function itemTotal({ price, units }: OrderItem): number {
  return sum(units.map(({ reduction, tax }) => price + reduction + tax));
}
const placed = orders.filter(({ isCart }) => !isCart);
const shipped = orders.filter(({ method }) => method > 0);
const isOnTheWay = ({ state }: Order) => state === 'fulfilled';

/** The units of an item with the same price become a line of the invoice, and so does the way of sending. */
const invoices = placed.map((order, index) => {
  const lines = order.items.flatMap((item) =>
    [...new Set(item.units.map(({ reduction }) => reduction))].map((reduction) => {
      const units = item.units.filter((unit) => unit.reduction === reduction);
      const net = units.length * (item.price + reduction);
      const tax = sum(units.map((unit) => unit.tax));
      return {
        name: item.variant.names[order.channel.locale]!,
        code: item.variant.code as string | null,
        variant: item.variant.variant,
        quantity: units.length,
        price: item.price,
        reduced: item.price + reduction,
        net,
        tax,
        percent: item.percent,
      };
    }),
  );
  const sending = {
    name: order.method === 0 ? '' : methodName(order),
    code: null,
    variant: null,
    quantity: 1,
    price: order.shipping,
    reduced: order.shipping,
    net: order.shipping,
    tax: order.shippingTax,
    percent: order.shippingPercent,
  };
  return {
    id: hyphenKey('sylius invoice', order.id),
    nth: index + 1,
    order,
    number: `${order.date.slice(0, 7).replace('-', '/')}/${String(index + 1).padStart(9, '0')}`,
    lines: order.method === 0 ? lines : [...lines, sending],
  };
});
function methodName({ method, channel }: Order): string {
  const { names } = methods[method - 1]!;
  return channel.locale === 'pl_PL' ? names.pl_PL : names.en_US;
}
const invoiceLines = invoices.flatMap((invoice) =>
  invoice.lines.map((line) => ({ invoice, line })),
);
const taxItems = invoices.flatMap((invoice) =>
  [...new Set(invoice.lines.map(({ percent }) => percent))]
    .filter((percent) => percent > 0)
    .map((percent) => ({
      invoice,
      percent,
      amount: sum(invoice.lines.filter((line) => line.percent === percent).map(({ tax }) => tax)),
    })),
);

/** Given back: order and item by place, units, day. */
const refunds = [
  { order: 1, item: 0, units: 1, date: '2026-02-11', comment: 'Uszkodzony' },
  { order: 6, item: 1, units: 2, date: '2026-03-02', comment: 'Two baskets broken' },
  { order: 12, item: 0, units: 3, date: '2026-03-20', comment: '' },
].map((refund, index) => {
  const order = placed[refund.order]!;
  const item = order.items[refund.item]!;
  const units = item.units.slice(0, refund.units);
  const net = sum(units.map(({ reduction }) => item.price + reduction));
  const tax = sum(units.map((unit) => unit.tax));
  return {
    ...refund,
    id: index + 1,
    key: hyphenKey('sylius credit memo', index + 1),
    order,
    item,
    units,
    net,
    tax,
    gross: net + tax,
    number: `${refund.date.slice(0, 7).replace('-', '/')}/${String(index + 1).padStart(9, '0')}`,
  };
});

const shop = {
  company: 'Młyn i Spółka Sp. z o.o.',
  taxId: 'PL7792418305',
  street: 'ul. Zbożowa 6',
  city: 'Poznań',
  zip: '60-115',
  country: 'PL',
};
const billed = {
  'company varchar(255)': shop.company,
  'tax_id varchar(255)': shop.taxId,
  'street varchar(255)': shop.street,
  'city varchar(255)': shop.city,
  'postcode varchar(255)': shop.zip,
  'country_code varchar(255)': shop.country,
} as const;
const billingId = (order: Order) => order.id * 2;
const shippingId = (order: Order) => order.id * 2 + 1;
const invoicing: Readonly<Record<string, LayoutTable>> = {
  sylius_invoicing_plugin_billing_data: tableOf(invoices, {
    '*id int': ({ nth }) => nth,
    'first_name varchar(255)': ({ order }) => order.person.first,
    'last_name varchar(255)': ({ order }) => order.person.last,
    'company varchar(255)': ({ order }) => order.person.company,
    'street varchar(255)': ({ order }) => order.person.street,
    'city varchar(255)': ({ order }) => order.person.city,
    'postcode varchar(255)': ({ order }) => order.person.zip,
    'country_code varchar(255)': ({ order }) => order.person.country,
    'province_code varchar(255)': ({ order }) => order.person.provinceCode,
    'province_name varchar(255)': ({ order }) => order.person.provinceName,
  }),
  sylius_invoicing_plugin_invoice: tableOf(
    invoices,
    {
      '*id varchar(255)': ({ id }) => id,
      'billing_data_id int, shop_billing_data_id int': ({ nth }) => nth,
      'channel_id int': ({ order }) => order.channel.id,
      'order_id int': ({ order }) => order.id,
      'number varchar(255)': ({ number }) => number,
      'issued_at datetime': ({ order }) => order.moment,
      'currency_code varchar(3)': ({ order }) => order.channel.currency,
      'locale_code varchar(255)': ({ order }) => order.channel.locale,
      'total int': ({ order }) => order.total,
      'payment_state varchar(255)': ({ order }) =>
        order.state === 'fulfilled' || order.paid === 'card' ? 'completed' : 'pending',
    },
    {
      billing_data_id: 'sylius_invoicing_plugin_billing_data.id',
      shop_billing_data_id: 'sylius_invoicing_plugin_shop_billing_data.id',
      channel_id: 'sylius_channel.id',
      order_id: 'sylius_order.id',
    },
  ),
  sylius_invoicing_plugin_line_item: tableOf(
    invoiceLines,
    {
      '*id int': (_line, index) => index + 1,
      'invoice_id varchar(255)': ({ invoice }) => invoice.id,
      'name varchar(255)': ({ line }) => line.name,
      'quantity int': ({ line }) => line.quantity,
      'unit_price int': ({ line }) => line.price,
      'discounted_unit_net_price int': ({ line }) => line.reduced,
      'subtotal int': ({ line }) => line.net,
      'tax_total int': ({ line }) => line.tax,
      'total int': ({ line }) => line.net + line.tax,
      'variant_code varchar(255)': ({ line }) => line.code,
      'variant_name varchar(255)': ({ line }) => line.variant,
      'tax_rate varchar(255)': ({ line }) => asText(line.percent),
    },
    { invoice_id: 'sylius_invoicing_plugin_invoice.id' },
  ),
  sylius_invoicing_plugin_sequence: {
    columns: '*id int, idx int, version int',
    rows: [[1, invoices.length, invoices.length + 1]],
  },
  sylius_invoicing_plugin_shop_billing_data: tableOf(invoices, {
    '*id int': ({ nth }) => nth,
    ...billed,
    'representative varchar(255)': null,
  }),
  sylius_invoicing_plugin_tax_item: tableOf(
    taxItems,
    {
      '*id int': (_item, index) => index + 1,
      'invoice_id varchar(255)': ({ invoice }) => invoice.id,
      'label varchar(255)': ({ percent }) => asText(percent),
      'amount int': ({ amount }) => amount,
    },
    { invoice_id: 'sylius_invoicing_plugin_invoice.id' },
  ),
};

const refunding: Readonly<Record<string, LayoutTable>> = {
  sylius_refund_credit_memo: tableOf(
    refunds,
    {
      '*id varchar(255)': ({ key }) => key,
      'from_id int, to_id int': ({ id }) => id,
      'channel_id int': ({ order }) => order.channel.id,
      'order_id int': ({ order }) => order.id,
      'number varchar(255)': ({ number }) => number,
      'total int': ({ gross }) => gross,
      'currency_code varchar(255)': ({ order }) => order.channel.currency,
      'locale_code varchar(255)': ({ order }) => order.channel.locale,
      'comment longtext': ({ comment }) => comment,
      'issued_at datetime': ({ date }) => at(date, '12:15:08'),
    },
    {
      from_id: 'sylius_refund_customer_billing_data.id',
      to_id: 'sylius_refund_shop_billing_data.id',
      channel_id: 'sylius_channel.id',
      order_id: 'sylius_order.id',
    },
  ),
  sylius_refund_credit_memo_line_items: tableOf(
    refunds,
    { '*credit_memo_id varchar(255)': ({ key }) => key, '*line_item_id int': ({ id }) => id },
    {
      credit_memo_id: 'sylius_refund_credit_memo.id',
      line_item_id: 'sylius_refund_line_item.id',
    },
  ),
  sylius_refund_credit_memo_tax_items: tableOf(
    refunds.filter(({ tax }) => tax > 0),
    { '*credit_memo_id varchar(255)': ({ key }) => key, '*tax_item_id int': ({ id }) => id },
    {
      credit_memo_id: 'sylius_refund_credit_memo.id',
      tax_item_id: 'sylius_refund_tax_item.id',
    },
  ),
  sylius_refund_credit_memo_sequence: {
    columns: '*id int, idx int, version int',
    rows: [[1, refunds.length, refunds.length + 1]],
  },
  sylius_refund_customer_billing_data: tableOf(refunds, {
    '*id int': ({ id }) => id,
    'first_name varchar(255)': ({ order }) => order.person.first,
    'last_name varchar(255)': ({ order }) => order.person.last,
    'street varchar(255)': ({ order }) => order.person.street,
    'postcode varchar(255)': ({ order }) => order.person.zip,
    'country_code varchar(255)': ({ order }) => order.person.country,
    'city varchar(255)': ({ order }) => order.person.city,
    'company varchar(255)': ({ order }) => order.person.company,
    'province_name varchar(255)': ({ order }) => order.person.provinceName,
    'province_code varchar(255)': ({ order }) => order.person.provinceCode,
  }),
  sylius_refund_line_item: tableOf(refunds, {
    '*id int': ({ id }) => id,
    'name varchar(255)': ({ order, item }) => item.variant.names[order.channel.locale]!,
    'quantity int': ({ units }) => units.length,
    'unit_net_price int': ({ net, units }) => Math.round(net / units.length),
    'unit_gross_price int': ({ gross, units }) => Math.round(gross / units.length),
    'net_value int': ({ net }) => net,
    'gross_value int': ({ gross }) => gross,
    'tax_amount int': ({ tax }) => tax,
    'tax_rate varchar(255)': ({ item }) => asText(item.percent),
  }),
  sylius_refund_refund: tableOf(
    refunds.flatMap((refund) => refund.units.map((unit) => ({ refund, unit }))),
    {
      '*id int': (_row, index) => index + 1,
      'order_id int': ({ refund }) => refund.order.id,
      'amount int': ({ refund, unit }) => refund.item.price + unit.reduction + unit.tax,
      'refunded_unit_id int': ({ unit }) => unit.id,
      'type varchar(256)': 'order_item_unit',
    },
    { order_id: 'sylius_order.id' },
  ),
  sylius_refund_refund_payment: tableOf(
    refunds,
    {
      '*id int': ({ id }) => id,
      'payment_method_id int': ({ order }) => paymentMethod(order),
      'order_id int': ({ order }) => order.id,
      'amount int': ({ gross }) => gross,
      'currency_code varchar(255)': ({ order }) => order.channel.currency,
      'state varchar(255)': 'completed',
    },
    { payment_method_id: 'sylius_payment_method.id', order_id: 'sylius_order.id' },
  ),
  sylius_refund_shop_billing_data: tableOf(refunds, { '*id int': ({ id }) => id, ...billed }),
  sylius_refund_tax_item: tableOf(
    refunds.filter(({ tax }) => tax > 0),
    {
      '*id int': ({ id }) => id,
      'label varchar(255)': ({ item }) => asText(item.percent),
      'amount int': ({ tax }) => tax,
    },
  ),
};
function paymentMethod({ paid }: Order): number {
  return paid === 'card' ? 2 : 1;
}

/** What is added to an order or taken from it. */
const adjustments = orders.flatMap((order) => [
  ...order.items.flatMap((item) =>
    item.units.flatMap((unit) => [
      ...(order.promotion === undefined
        ? []
        : [
            {
              order,
              unit: unit.id as number | null,
              isShipment: false,
              type: 'order_promotion',
              label: order.promotion.name,
              amount: unit.reduction,
              origin: order.promotion.code as string | null,
              details: '[]',
            },
          ]),
      ...(unit.tax === 0
        ? []
        : [
            {
              order,
              unit: unit.id as number | null,
              isShipment: false,
              type: 'tax',
              label: `VAT ${order.person.country} (${item.percent}%)`,
              amount: unit.tax,
              origin: null as string | null,
              details: rateDetails(order, item.variant.category, item.percent),
            },
          ]),
    ]),
  ),
  ...(order.method === 0
    ? []
    : [
        {
          order,
          unit: null as number | null,
          isShipment: true,
          type: 'shipping',
          label: methodName(order),
          amount: order.shipping,
          origin: null as string | null,
          details: `{"shippingMethodCode":"${methods[order.method - 1]!.code}","shippingMethodName":"${methodName(order)}"}`,
        },
      ]),
  ...(order.shippingTax === 0
    ? []
    : [
        {
          order,
          unit: null as number | null,
          isShipment: true,
          type: 'tax',
          label: `VAT ${order.person.country} (${order.shippingPercent}%)`,
          amount: order.shippingTax,
          origin: null as string | null,
          details: rateDetails(order, 1, order.shippingPercent),
        },
      ]),
]);
function rateDetails({ person }: Order, category: number, percent: number): string {
  const code = `vat_${person.country.toLowerCase()}_${categories[category - 1]!.code}`;
  return `{"taxRateCode":"${code}","taxRateName":"VAT ${person.country}","taxRateAmount":${percent / 100}}`;
}

const selling: Readonly<Record<string, LayoutTable>> = {
  sylius_order: tableOf(
    orders,
    {
      '*id int': ({ id }) => id,
      'shipping_address_id int': shippingId,
      'billing_address_id int': billingId,
      'channel_id int': ({ channel }) => channel.id,
      'promotion_coupon_id int': null,
      'customer_id int': ({ person }) => person.id,
      'number varchar(255)': ({ number }) => number,
      'notes longtext': ({ note }) => note,
      'state varchar(255)': ({ state }) => state,
      'checkout_completed_at datetime': ({ isCart, moment }) => (isCart ? null : moment),
      'items_total int': ({ itemsTotal }) => itemsTotal,
      'adjustments_total int': ({ shipping, shippingTax }) => shipping + shippingTax,
      'total int': ({ total }) => total,
      'created_at datetime': ({ begun }) => begun,
      'updated_at datetime': ({ touched }) => touched,
      'currency_code varchar(3)': ({ channel }) => channel.currency,
      'locale_code varchar(255)': ({ channel }) => channel.locale,
      'checkout_state varchar(255)': ({ isCart, method }) =>
        isCart ? (method === 0 ? 'addressed' : 'shipping_selected') : 'completed',
      'payment_state varchar(255)': (order) => {
        if (order.isCart) return 'cart';
        if (order.state === 'cancelled') return 'cancelled';
        if (refunds.some((refund) => refund.order === order)) return 'partially_refunded';
        return order.state === 'fulfilled' || order.paid === 'card' ? 'paid' : 'awaiting_payment';
      },
      'shipping_state varchar(255)': (order) => {
        if (order.isCart) return 'cart';
        if (order.state === 'cancelled') return 'cancelled';
        return isOnTheWay(order) ? 'shipped' : 'ready';
      },
      'token_value varchar(255)': ({ id }) => hyphenKey('sylius token', id).slice(0, 10),
      'customer_ip varchar(255)': '203.0.113.20',
      'created_by_guest tinyint': ({ person }) => (person.company === null ? 1 : 0),
    },
    {
      shipping_address_id: 'sylius_address.id',
      billing_address_id: 'sylius_address.id',
      channel_id: 'sylius_channel.id',
      customer_id: 'sylius_customer.id',
    },
  ),
  sylius_order_item: tableOf(
    orders.flatMap((order) => order.items.map((item) => ({ order, item }))),
    {
      '*id int': ({ item }) => item.id,
      'order_id int': ({ order }) => order.id,
      'variant_id int': ({ item }) => item.variant.id,
      'quantity int': ({ item }) => item.quantity,
      'unit_price int': ({ item }) => item.price,
      'units_total int': ({ item }) => itemTotal(item),
      'adjustments_total int': 0,
      'total int': ({ item }) => itemTotal(item),
      'is_immutable tinyint': 0,
      'product_name varchar(255)': ({ order, item }) => item.variant.names[order.channel.locale]!,
      'variant_name varchar(255)': ({ item }) => item.variant.variant,
      'version int': 1,
      'original_unit_price int': ({ order, item }) =>
        order.channel.code === 'PL' ? item.variant.original : null,
    },
    { order_id: 'sylius_order.id', variant_id: 'sylius_product_variant.id' },
  ),
  sylius_order_item_unit: tableOf(
    orders.flatMap((order) =>
      order.items.flatMap((item) => item.units.map((unit) => ({ order, item, unit }))),
    ),
    {
      '*id int': ({ unit }) => unit.id,
      'order_item_id int': ({ item }) => item.id,
      'shipment_id int': ({ order }) => (order.method === 0 ? null : order.id),
      'adjustments_total int': ({ unit }) => unit.reduction + unit.tax,
      'created_at datetime, updated_at datetime': ({ order }) => order.begun,
    },
    { order_item_id: 'sylius_order_item.id', shipment_id: 'sylius_shipment.id' },
  ),
  sylius_adjustment: tableOf(
    adjustments,
    {
      '*id int': (_adjustment, index) => 9001 + index,
      'order_id int': ({ order, isShipment }) => (isShipment ? order.id : null),
      'order_item_id int': null,
      'order_item_unit_id int': ({ unit }) => unit,
      'shipment_id int': ({ order, isShipment }) => (isShipment ? order.id : null),
      'type varchar(255)': ({ type }) => type,
      'label varchar(255)': ({ label }) => label,
      'amount int': ({ amount }) => amount,
      'is_neutral tinyint, is_locked tinyint': 0,
      'origin_code varchar(255)': ({ origin }) => origin,
      'created_at datetime, updated_at datetime': ({ order }) => order.begun,
      'details longtext': ({ details }) => details,
    },
    {
      order_id: 'sylius_order.id',
      order_item_unit_id: 'sylius_order_item_unit.id',
      shipment_id: 'sylius_shipment.id',
    },
  ),
  sylius_shipment: tableOf(
    shipped,
    {
      '*id int': ({ id }) => id,
      'method_id int': ({ method }) => method,
      'order_id int': ({ id }) => id,
      'state varchar(255)': (order) => {
        if (order.isCart) return 'cart';
        if (order.state === 'cancelled') return 'cancelled';
        return isOnTheWay(order) ? 'shipped' : 'ready';
      },
      'tracking varchar(255)': (order) => (isOnTheWay(order) ? `6200${order.id}118` : null),
      'created_at datetime, updated_at datetime': ({ begun }) => begun,
      'shipped_at datetime': (order) => (isOnTheWay(order) ? at(order.date, '21:00:00') : null),
      'adjustments_total int': ({ shipping, shippingTax }) => shipping + shippingTax,
    },
    { method_id: 'sylius_shipping_method.id', order_id: 'sylius_order.id' },
  ),
  sylius_payment: tableOf(
    placed,
    {
      '*id int': ({ id }) => id + 100,
      'method_id int': paymentMethod,
      'order_id int': ({ id }) => id,
      'currency_code varchar(3)': ({ channel }) => channel.currency,
      'amount int': ({ total }) => total,
      'state varchar(255)': ({ state, paid }) => {
        if (state === 'cancelled') return 'cancelled';
        return state === 'fulfilled' || paid === 'card' ? 'completed' : 'new';
      },
      'details longtext': '[]',
      'created_at datetime': ({ begun }) => begun,
      'updated_at datetime': ({ touched }) => touched,
    },
    { method_id: 'sylius_payment_method.id', order_id: 'sylius_order.id' },
  ),
  sylius_promotion_order: tableOf(
    orders.filter(({ promotion }) => promotion !== undefined),
    {
      '*order_id int': ({ id }) => id,
      '*promotion_id int': ({ promotion }) => promotion!.id,
    },
    { order_id: 'sylius_order.id', promotion_id: 'sylius_promotion.id' },
  ),
  sylius_address: tableOf(
    orders.flatMap((order) => [
      { order, isBilling: true },
      { order, isBilling: false },
    ]),
    {
      '*id int': ({ order, isBilling }) => (isBilling ? billingId(order) : shippingId(order)),
      'customer_id int': null,
      'first_name varchar(255)': ({ order }) => order.person.first,
      'last_name varchar(255)': ({ order }) => order.person.last,
      'phone_number varchar(255)': ({ order }) => order.person.phone,
      'company varchar(255)': ({ order }) => order.person.company,
      'street varchar(255)': ({ order, isBilling }) =>
        !isBilling && order.hasOtherPlace ? 'Magazyn 2' : order.person.street,
      'city varchar(255)': ({ order }) => order.person.city,
      'postcode varchar(255)': ({ order }) => order.person.zip,
      'created_at datetime, updated_at datetime': ({ order }) => order.begun,
      'country_code varchar(255)': ({ order }) => order.person.country,
      'province_code varchar(255)': ({ order }) => order.person.provinceCode,
      'province_name varchar(255)': ({ order }) => order.person.provinceName,
    },
    { customer_id: 'sylius_customer.id' },
  ),
  sylius_customer: tableOf(
    persons,
    {
      '*id int': ({ id }) => id,
      'customer_group_id int': ({ company }) => (company === null ? 2 : 1),
      'default_address_id int': null,
      'email varchar(255), email_canonical varchar(255)': ({ email }) => email,
      'first_name varchar(255)': ({ first }) => first,
      'last_name varchar(255)': ({ last }) => last,
      'birthday datetime': null,
      'gender varchar(1)': 'u',
      ...stamped,
      'phone_number varchar(255)': ({ phone }) => phone,
      'subscribed_to_newsletter tinyint': ({ id }) => id % 2,
    },
    {
      customer_group_id: 'sylius_customer_group.id',
      default_address_id: 'sylius_address.id',
    },
  ),
  sylius_customer_group: {
    columns: '*id int, code varchar(255), name varchar(255)',
    rows: [
      [1, 'wholesale', 'Wholesale'],
      [2, 'retail', 'Retail'],
    ],
  },
};

const translated = <T extends { readonly id: number }>(
  all: readonly T[],
  nameOf: (row: T, locale: string) => string | null,
) =>
  all
    .flatMap((row) => channels.map(({ locale }) => ({ row, locale })))
    .map(({ row, locale }, index) => ({
      id: index + 1,
      of: row.id,
      locale,
      name: nameOf(row, locale),
    }));
const named = {
  '*id int': ({ id }: { readonly id: number }) => id,
  'translatable_id int': ({ of }: { readonly of: number }) => of,
} as const;
const localized = { 'locale varchar(255)': ({ locale }: { readonly locale: string }) => locale };

const goods: Readonly<Record<string, LayoutTable>> = {
  sylius_product: tableOf(products, {
    '*id int': ({ product }) => productId(product),
    'main_taxon_id int': null,
    'code varchar(255)': ({ product }) => product,
    ...stamped,
    'enabled tinyint': 1,
    'variant_selection_method varchar(255)': 'choice',
    'average_rating double': 0,
  }),
  sylius_product_translation: tableOf(
    translated(
      products.map((each) => ({ ...each, id: productId(each.product) })),
      ({ names }, locale) => names[locale]!,
    ),
    {
      ...named,
      'name varchar(255)': ({ name }) => name,
      'slug varchar(255)': ({ of, locale }) => `produkt-${of}-${locale.slice(0, 2)}`,
      'description longtext': ({ name }) => `${name}. Z naszego młyna.`,
      'meta_keywords varchar(255), meta_description varchar(255)': null,
      'short_description longtext': null,
      ...localized,
    },
    { translatable_id: 'sylius_product.id' },
  ),
  sylius_product_variant: tableOf(
    variants,
    {
      '*id int': ({ id }) => id,
      'product_id int': ({ product }) => productId(product),
      'tax_category_id int': ({ category }) => category,
      'shipping_category_id int': null,
      'code varchar(255)': ({ code }) => code,
      ...stamped,
      'on_hold int': 0,
      'on_hand int': ({ id }) => id - 240,
      'tracked tinyint': ({ isShipped }) => (isShipped ? 1 : 0),
      'width double, height double, depth double': null,
      'weight double': ({ isShipped, id }) => (isShipped ? id - 295 : null),
      'position int': ({ id }) => id % 2,
      'shipping_required tinyint': ({ isShipped }) => (isShipped ? 1 : 0),
      'version int, enabled tinyint': 1,
    },
    { product_id: 'sylius_product.id', tax_category_id: 'sylius_tax_category.id' },
  ),
  sylius_product_variant_translation: tableOf(
    translated(variants, ({ variant }) => variant),
    { ...named, 'name varchar(255)': ({ name }) => name, ...localized },
    { translatable_id: 'sylius_product_variant.id' },
  ),
  sylius_channel_pricing: tableOf(
    variants.flatMap((variant) => channels.map(({ code }) => ({ variant, code }))),
    {
      '*id int': (_row, index) => index + 1,
      'product_variant_id int': ({ variant }) => variant.id,
      'price int': ({ variant, code }) => variant.prices[code],
      'channel_code varchar(255)': ({ code }) => code,
      'original_price int': ({ variant, code }) => (code === 'PL' ? variant.original : null),
      'minimum_price int': 0,
      'lowest_price_before_discount int': null,
    },
    { product_variant_id: 'sylius_product_variant.id' },
  ),
  sylius_tax_category: tableOf(categories, {
    '*id int': ({ id }) => id,
    'code varchar(255)': ({ code }) => code,
    'name varchar(255)': ({ name }) => name,
    'description longtext': null,
    ...stamped,
  }),
  sylius_tax_rate: tableOf(
    taxRates,
    {
      '*id int': ({ id }) => id,
      'category_id int': ({ category }) => category.id,
      'zone_id int': ({ zone }) => zones.find(({ code }) => code === zone)!.id,
      'code varchar(255)': ({ zone, category }) => `vat_${zone.toLowerCase()}_${category.code}`,
      'name varchar(255)': ({ zone }) => `VAT ${zone}`,
      'amount decimal': ({ percent }) => percent / 100,
      'included_in_price tinyint': 0,
      'calculator varchar(255)': 'default',
      ...stamped,
      'start_date datetime, end_date datetime': null,
    },
    { category_id: 'sylius_tax_category.id', zone_id: 'sylius_zone.id' },
  ),
  sylius_promotion: tableOf(promotions, {
    '*id int': ({ id }) => id,
    'code varchar(255)': ({ code }) => code,
    'name varchar(255)': ({ name }) => name,
    'description varchar(255)': null,
    'priority int': ({ id }) => id,
    'exclusive tinyint': 0,
    'usage_limit int': null,
    'used int': ({ id }) => placed.filter(({ promotion }) => promotion?.id === id).length,
    'coupon_based tinyint': 0,
    'starts_at datetime, ends_at datetime': null,
    ...stamped,
    'applies_to_discounted tinyint': 1,
    'archived_at datetime': null,
  }),
};

const countries = ['PL', 'DE', 'CZ', 'CH', 'SK'].map((code, index) => ({ id: index + 1, code }));
const provinces = [
  { id: 1, code: 'PL-04', name: 'Kujawsko-pomorskie' },
  { id: 2, code: 'PL-06', name: 'Lubelskie' },
  { id: 3, code: 'PL-10', name: 'Łódzkie' },
  { id: 4, code: 'PL-12', name: 'Małopolskie' },
];
const payments = [
  { id: 1, code: 'przelew', factory: 'offline', names: ['Przelew', 'Bank transfer'] },
  { id: 2, code: 'karta', factory: 'stripe_checkout', names: ['Karta', 'Credit card'] },
];
const setup: Readonly<Record<string, LayoutTable>> = {
  sylius_channel: tableOf(
    channels,
    {
      '*id int': ({ id }) => id,
      'default_locale_id int, base_currency_id int': ({ id }) => id,
      'default_tax_zone_id int': 1,
      'shop_billing_data_id int': ({ id }) => id,
      'menu_taxon_id int, channel_price_history_config_id int': null,
      'code varchar(255)': ({ code }) => code,
      'name varchar(255)': ({ name }) => name,
      'color varchar(255)': 'DarkOliveGreen',
      'description longtext': null,
      'enabled tinyint': 1,
      'hostname varchar(255)': ({ code }) => `${code.toLowerCase()}.mlyn.example`,
      ...stamped,
      'theme_name varchar(255)': null,
      'tax_calculation_strategy varchar(255)': 'order_items_based',
      'contact_email varchar(255)': 'sklep@mlyn.example',
      'skipping_shipping_step_allowed tinyint, skipping_payment_step_allowed tinyint': 0,
      'account_verification_required tinyint': 1,
      'contact_phone_number varchar(255)': '+48 61 855 20 10',
      'shipping_address_in_checkout_required tinyint': 0,
    },
    {
      default_locale_id: 'sylius_locale.id',
      base_currency_id: 'sylius_currency.id',
      default_tax_zone_id: 'sylius_zone.id',
      shop_billing_data_id: 'sylius_shop_billing_data.id',
    },
  ),
  sylius_shop_billing_data: tableOf(channels, { '*id int': ({ id }) => id, ...billed }),
  sylius_locale: tableOf(channels, {
    '*id int': ({ id }) => id,
    'code varchar(12)': ({ locale }) => locale,
    ...stamped,
  }),
  sylius_currency: tableOf(channels, {
    '*id int': ({ id }) => id,
    'code varchar(3)': ({ currency }) => currency,
    ...stamped,
  }),
  sylius_exchange_rate: tableOf(
    [1],
    {
      '*id int': 1,
      'source_currency int': 2,
      'target_currency int': 1,
      'ratio decimal': 4.2615,
      ...stamped,
    },
    { source_currency: 'sylius_currency.id', target_currency: 'sylius_currency.id' },
  ),
  sylius_country: tableOf(countries, {
    '*id int': ({ id }) => id,
    'code varchar(2)': ({ code }) => code,
    'enabled tinyint': 1,
  }),
  sylius_province: tableOf(
    provinces,
    {
      '*id int': ({ id }) => id,
      'country_id int': 1,
      'code varchar(255)': ({ code }) => code,
      'name varchar(255)': ({ name }) => name,
      'abbreviation varchar(255)': null,
    },
    { country_id: 'sylius_country.id' },
  ),
  sylius_zone: tableOf(zones, {
    '*id int': ({ id }) => id,
    'code varchar(255)': ({ code }) => code,
    'name varchar(255)': ({ code }) => `Zone ${code}`,
    'type varchar(255)': 'country',
    'scope varchar(255)': 'all',
    'priority int': 0,
  }),
  sylius_zone_member: tableOf(
    countries.flatMap(({ id, code }) => [
      { code, zone: Math.min(id, 4) },
      { code, zone: 5 },
    ]),
    {
      '*id int': (_member, index) => index + 1,
      'belongs_to int': ({ zone }) => zone,
      'code varchar(255)': ({ code }) => code,
    },
    { belongs_to: 'sylius_zone.id' },
  ),
  sylius_payment_method: tableOf(
    payments,
    {
      '*id int': ({ id }) => id,
      'gateway_config_id int': ({ id }) => id,
      'code varchar(255)': ({ code }) => code,
      'environment varchar(255)': null,
      'is_enabled tinyint': 1,
      'position int': ({ id }) => id - 1,
      ...stamped,
    },
    { gateway_config_id: 'sylius_gateway_config.id' },
  ),
  sylius_payment_method_translation: tableOf(
    translated(payments, ({ names }, locale) => names[locale === 'pl_PL' ? 0 : 1]!),
    {
      ...named,
      'name varchar(255)': ({ name }) => name,
      'description longtext, instructions longtext': null,
      ...localized,
    },
    { translatable_id: 'sylius_payment_method.id' },
  ),
  sylius_gateway_config: tableOf(payments, {
    '*id int': ({ id }) => id,
    'config longtext': '[]',
    'gateway_name varchar(255)': ({ code }) => code,
    'factory_name varchar(255)': ({ factory }) => factory,
  }),
  sylius_shipping_method: tableOf(
    methods,
    {
      '*id int': ({ id }) => id,
      'category_id int': null,
      'zone_id int': 5,
      'tax_category_id int': 1,
      'code varchar(255)': ({ code }) => code,
      'configuration longtext': ({ price }) => `{"PL":{"amount":${price}}}`,
      'category_requirement int': 1,
      'calculator varchar(255)': 'flat_rate',
      'is_enabled tinyint': 1,
      'position int': ({ id }) => id - 1,
      ...stamped,
      'archived_at datetime': null,
    },
    { zone_id: 'sylius_zone.id', tax_category_id: 'sylius_tax_category.id' },
  ),
  sylius_shipping_method_translation: tableOf(
    translated(methods, ({ names }, locale) => (locale === 'pl_PL' ? names.pl_PL : names.en_US)),
    {
      ...named,
      'name varchar(255)': ({ name }) => name,
      'description varchar(255)': null,
      ...localized,
    },
    { translatable_id: 'sylius_shipping_method.id' },
  ),
};

/**
 * Sylius with its plugins for invoices and refunds, at a mill in Poland that sells in zlotys at home and in euros to neighbours: an
 * invoice is a copy of an order, its lines made of the units with the same price, what is paid for sending among them; all amounts
 * are whole hundredths; the rate is a text with a percent sign, missing where nothing is charged; a price before and one after
 * what promotions take away, and no column for what they take; no sum without tax in the header; credit notes in tables of
 * their own; carts stand among the orders; private persons have no firm's name; no tax number of buyers. After published
 * migrations, without reviews, taxons, options, associations, images and users.
 */
export const ratesAsText: Layout = {
  name: 'rates-as-text',
  isHeldOut: false,
  tables: { ...setup, ...goods, ...selling, ...refunding, ...invoicing },
  sections: {
    header: { table: 'sylius_invoicing_plugin_invoice', key: 'id', match: 'number' },
    lines: {
      table: 'sylius_invoicing_plugin_line_item',
      key: 'id',
      match: 'invoice_id',
      matchFrom: 'id',
    },
    customer: {
      table: 'sylius_invoicing_plugin_billing_data',
      key: 'id',
      match: 'id',
      matchFrom: 'billing_data_id',
    },
  },
  // With the price before promotions no sum is right, as nothing in the lines says what is taken off.
  fields: {
    number: 'sylius_invoicing_plugin_invoice.number',
    issue_date:
      'sylius_invoicing_plugin_invoice.issued_at!date|sylius_order.checkout_completed_at!date',
    'delivery.date': 'sylius_shipment.shipped_at!date',
    currency:
      'sylius_invoicing_plugin_invoice.currency_code|sylius_order.currency_code|' +
      'sylius_payment.currency_code|sylius_currency.code',
    'exchange_rate.rate': 'sylius_exchange_rate.ratio',
    'notes[]': 'sylius_order.notes',
    'payment_means[].code':
      'sylius_payment_method.code!map|sylius_payment_method_translation.name!map|' +
      'sylius_gateway_config.gateway_name!map|sylius_gateway_config.factory_name!map|' +
      'sylius_payment.method_id!map',
    'totals.gross':
      'sylius_invoicing_plugin_invoice.total!divide,multiply|sylius_order.total!divide,multiply|' +
      'sylius_payment.amount!divide,multiply',
    'totals.due':
      'sylius_invoicing_plugin_invoice.total!divide,multiply|sylius_order.total!divide,multiply|' +
      'sylius_payment.amount!divide,multiply',
    'tax_breakdown[].amount': 'sylius_invoicing_plugin_tax_item.amount!divide,multiply',
    'tax_breakdown[].rate':
      'sylius_invoicing_plugin_tax_item.label!split,substring,replace,map,decimal',
    'seller.name':
      'sylius_invoicing_plugin_shop_billing_data.company|sylius_shop_billing_data.company',
    'seller.trn':
      'sylius_invoicing_plugin_shop_billing_data.tax_id|sylius_shop_billing_data.tax_id',
    'seller.address.line1':
      'sylius_invoicing_plugin_shop_billing_data.street|sylius_shop_billing_data.street',
    'seller.address.city':
      'sylius_invoicing_plugin_shop_billing_data.city|sylius_shop_billing_data.city',
    'seller.address.post_code':
      'sylius_invoicing_plugin_shop_billing_data.postcode|sylius_shop_billing_data.postcode',
    'seller.address.country':
      'sylius_invoicing_plugin_shop_billing_data.country_code|sylius_shop_billing_data.country_code',
    'seller.contact.phone': 'sylius_channel.contact_phone_number',
    'seller.contact.email': 'sylius_channel.contact_email',
    'buyer.name':
      'sylius_invoicing_plugin_billing_data.company|sylius_address.company|' +
      'sylius_invoicing_plugin_billing_data.first_name!concat|' +
      'sylius_invoicing_plugin_billing_data.last_name!concat',
    'buyer.address.line1': 'sylius_invoicing_plugin_billing_data.street|sylius_address.street',
    'buyer.address.city': 'sylius_invoicing_plugin_billing_data.city|sylius_address.city',
    'buyer.address.post_code':
      'sylius_invoicing_plugin_billing_data.postcode|sylius_address.postcode',
    'buyer.address.subdivision':
      'sylius_invoicing_plugin_billing_data.province_name|sylius_invoicing_plugin_billing_data.province_code|' +
      'sylius_address.province_name|sylius_address.province_code|sylius_province.name|sylius_province.code',
    'buyer.address.country':
      'sylius_invoicing_plugin_billing_data.country_code|sylius_address.country_code|sylius_country.code',
    'buyer.contact.name':
      'sylius_invoicing_plugin_billing_data.first_name!concat|' +
      'sylius_invoicing_plugin_billing_data.last_name!concat|sylius_address.first_name!concat|' +
      'sylius_address.last_name!concat|sylius_customer.first_name!concat|sylius_customer.last_name!concat',
    'buyer.contact.phone': 'sylius_address.phone_number|sylius_customer.phone_number',
    'buyer.contact.email': 'sylius_customer.email|sylius_customer.email_canonical',
    'lines[].id': 'sylius_invoicing_plugin_line_item.id',
    'lines[].sku': 'sylius_invoicing_plugin_line_item.variant_code|sylius_product_variant.code',
    'lines[].name': 'sylius_invoicing_plugin_line_item.name',
    'lines[].description':
      'sylius_invoicing_plugin_line_item.name|sylius_invoicing_plugin_line_item.variant_name',
    'lines[].qty': 'sylius_invoicing_plugin_line_item.quantity',
    'lines[].unit_price':
      'sylius_invoicing_plugin_line_item.discounted_unit_net_price!divide,multiply',
    'lines[].gross_price':
      'sylius_invoicing_plugin_line_item.unit_price!divide,multiply|' +
      'sylius_invoicing_plugin_line_item.discounted_unit_net_price!divide,multiply',
    'lines[].net': 'sylius_invoicing_plugin_line_item.subtotal!divide,multiply',
    'lines[].accounting.amount': 'sylius_invoicing_plugin_line_item.total!divide,multiply',
    'lines[].accounting.tax_totals[].amount':
      'sylius_invoicing_plugin_line_item.tax_total!divide,multiply',
    'lines[].tax.rate':
      'sylius_invoicing_plugin_line_item.tax_rate!split,substring,replace,map,decimal|' +
      'sylius_invoicing_plugin_tax_item.label!split,substring,replace,map,decimal|sylius_tax_rate.amount!multiply',
    'lines[].tax.category':
      'sylius_invoicing_plugin_line_item.tax_rate!map|sylius_invoicing_plugin_tax_item.label!map|' +
      'sylius_tax_rate.amount!map|sylius_tax_rate.code!map',
  },
};
