import type { Layout } from './layout.ts';
import { tableOf } from './tables.ts';
import { bills, byLine, credits, customers, done, items } from './trade.ts';

const padded = (text: string, length: number) => text.padEnd(length);
/** Digits with an implied point before the last `places`. */
const implied = (amount: number, places: number) => Math.round(amount * 10 ** places);
/** Century, year, month, day: 1260105. */
const dateOf = (date: string) => Number(`1${date.slice(2).replaceAll('-', '')}`);
/** Year and number of the day in it: 26005. */
const julianOf = (date: string) => {
  const day = (Date.parse(date) - Date.parse(`${date.slice(0, 4)}-01-01`)) / 86_400_000 + 1;
  return Number(date.slice(2, 4)) * 1000 + day;
};
const numberOf = (id: number) => id + 310_000;
const accountOf = (id: number) => 500_000 + id * 10;
const typeOf = (kind: string) => (kind === 'credit' ? 3 : 1);

/** Six characters a name, texts padded, dates as numbers, amounts without their point, no declared keys. */
export const impliedDecimals: Layout = {
  name: 'implied-decimals',
  isHeldOut: false,
  hasDiscounts: true,
  tables: {
    SLINVH: tableOf(done, {
      '*IHCMPY integer': 1,
      '*IHINVN integer': ({ id }) => numberOf(id),
      'IHTYPE integer': ({ kind }) => typeOf(kind),
      'IHCUST integer': ({ customer }) => accountOf(customer.id),
      'IHORDN integer': ({ id }) => id + 70_000,
      IHCORD: ({ order }) => padded(order, 15),
      'IHINVD integer': ({ date }) => dateOf(date),
      'IHDUED integer': ({ due }) => dateOf(due),
      IHCURC: ({ currency }) => currency,
      'IHEXRT integer': 1_000_000,
      'IHNETA integer': ({ net }) => implied(net, 2),
      'IHVATA integer': ({ tax }) => implied(tax, 2),
      'IHTOTA integer': ({ gross }) => implied(gross, 2),
      IHSLMN: 'JH ',
      'IHUPDD integer': ({ date }) => julianOf(date),
      IHUSER: padded('BATCH', 10),
    }),
    SLINVD: {
      columns:
        '*IDCMPY integer, *IDINVN integer, *IDLINE integer, IDITEM, IDDESC, IDQTYI integer, IDUOMC, IDPRIC integer, IDDISC integer, ' +
        'IDNETA integer, IDVATC, IDCOST integer',
      rows: byLine(done, (one, line) => [
        1,
        numberOf(one.id),
        line.position * 10,
        padded(line.item.code, 15),
        padded(line.item.name, 30),
        implied(line.quantity, 3),
        line.item.unit.padEnd(3),
        implied(line.price, 4),
        implied(line.discount, 2),
        implied(line.net, 2),
        line.item.taxCode,
        implied(line.price / 2, 4),
      ]),
    },
    SLCUST: tableOf(customers, {
      '*CUCMPY integer': 1,
      '*CUCUST integer': ({ id }) => accountOf(id),
      CUNAME: ({ name }) => padded(name, 30),
      CUADD1: ({ street }) => padded(street, 30),
      CUADD2: padded('', 30),
      CUCITY: ({ city }) => padded(city, 20),
      CUPSTC: ({ zip }) => padded(zip, 10),
      CUCTRY: ({ countryCode }) => padded(countryCode, 3),
      CUVATN: ({ vat }) => padded(vat, 15),
      CUPHON: ({ phone }) => padded(phone, 20),
      'CUCRLM integer': 500_000,
      CUSTAT: 'A',
      'CUOPND integer': 1_190_101,
    }),
    IVITEM: tableOf(items, {
      '*ITCMPY integer': 1,
      '*ITITEM': ({ code }) => padded(code, 15),
      ITDESC: ({ name }) => padded(name, 30),
      ITUOMC: ({ unit }) => unit.padEnd(3),
      'ITPRIC integer': ({ price }) => implied(price, 4),
      ITVATC: ({ taxCode }) => taxCode,
    }),
    GLVATC: {
      columns: '*VTVATC, VTDESC, VTRATE integer',
      rows: [
        ['S', padded('STANDARD RATE', 20), 2000],
        ['Z', padded('ZERO RATE', 20), 0],
      ],
    },
    SLOPEN: tableOf(done, {
      '*OICMPY integer': 1,
      '*OIDOCN integer': ({ id }) => numberOf(id),
      'OITYPE integer': ({ kind }) => typeOf(kind),
      'OICUST integer': ({ customer }) => accountOf(customer.id),
      'OIDOCD integer': ({ date }) => dateOf(date),
      'OIDUED integer': ({ due }) => dateOf(due),
      'OIAMNT integer': ({ gross }) => implied(gross, 2),
      'OIBALN integer': ({ gross }) => implied(gross, 2),
    }),
    PLINVH: tableOf(bills.slice(0, 10), {
      '*PHCMPY integer': 1,
      '*PHINVN integer': ({ id }) => id + 800_000,
      'PHSUPP integer': (_, index) => 900 + (index % 2),
      'PHINVD integer': ({ date }) => dateOf(date),
      'PHNETA integer': 10_000,
      'PHVATA integer': 2_000,
      'PHTOTA integer': 12_000,
    }),
    PLSUPP: tableOf([900, 901], {
      '*SUCMPY integer': 1,
      '*SUSUPP integer': (id) => id,
      SUNAME: (id) => padded(`Supplier ${id}`, 30),
      SUADD1: padded('1 Dock Road', 30),
      SUCITY: padded('Hull', 20),
      SUPSTC: padded('HU1 1AA', 10),
    }),
    SLORDH: tableOf([...bills, ...credits], {
      '*OHCMPY integer': 1,
      '*OHORDN integer': ({ id }) => id + 70_000,
      'OHCUST integer': ({ customer }) => accountOf(customer.id),
      'OHORDD integer': ({ date }) => dateOf(date),
      OHSTAT: '9',
    }),
  },
  sections: {
    header: { table: 'SLINVH', key: 'IHINVN', match: 'IHINVN', where: { IHTYPE: '1' } },
    lines: { table: 'SLINVD', key: 'IDLINE', match: 'IDINVN', matchFrom: 'IHINVN' },
    customer: { table: 'SLCUST', key: 'CUCUST', match: 'CUCUST', matchFrom: 'IHCUST' },
  },
  fields: {
    number: 'SLINVH.IHINVN',
    issue_date: 'SLINVH.IHINVD!date',
    due_date: 'SLINVH.IHDUED!date',
    currency: 'SLINVH.IHCURC',
    'exchange_rate.rate': 'SLINVH.IHEXRT!divide,multiply',
    purchase_order: 'SLINVH.IHCORD',
    buyer_reference: 'SLINVH.IHCORD',
    'totals.net': 'SLINVH.IHNETA!divide,multiply',
    'totals.lines': 'SLINVH.IHNETA!divide,multiply',
    'totals.tax': 'SLINVH.IHVATA!divide,multiply',
    'totals.gross': 'SLINVH.IHTOTA!divide,multiply',
    'totals.due': 'SLINVH.IHTOTA!divide,multiply',
    'buyer.name': 'SLCUST.CUNAME',
    'buyer.trn': 'SLCUST.CUVATN',
    'buyer.address.line1': 'SLCUST.CUADD1',
    'buyer.address.city': 'SLCUST.CUCITY',
    'buyer.address.post_code': 'SLCUST.CUPSTC',
    'buyer.address.country': 'SLCUST.CUCTRY',
    'buyer.contact.phone': 'SLCUST.CUPHON',
    'lines[].id': 'SLINVD.IDLINE',
    'lines[].sku': 'SLINVD.IDITEM|IVITEM.ITITEM',
    'lines[].name': 'SLINVD.IDDESC|IVITEM.ITDESC',
    'lines[].description': 'SLINVD.IDDESC|IVITEM.ITDESC',
    'lines[].qty': 'SLINVD.IDQTYI!divide,multiply',
    'lines[].unit': 'SLINVD.IDUOMC!map|IVITEM.ITUOMC!map',
    'lines[].unit_price': 'SLINVD.IDPRIC!divide,multiply',
    'lines[].gross_price': 'SLINVD.IDPRIC!divide,multiply',
    'lines[].allowances[].percent': 'SLINVD.IDDISC!divide,multiply',
    'lines[].net': 'SLINVD.IDNETA!divide,multiply',
    'lines[].tax.rate': 'GLVATC.VTRATE!divide,multiply',
    'lines[].tax.category':
      'SLINVD.IDVATC|IVITEM.ITVATC|GLVATC.VTVATC|GLVATC.VTRATE!map|GLVATC.VTDESC!map',
  },
};
