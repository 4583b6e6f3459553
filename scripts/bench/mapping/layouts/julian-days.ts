import type { Layout } from './layout.ts';
import { tableOf } from './tables.ts';
import { byLine, customers, done, type Invoice, items } from './trade.ts';

const julian = (date: string) => {
  const year = Number(date.slice(0, 4));
  const day = (Date.parse(date) - Date.UTC(year, 0, 1)) / 86_400_000 + 1;
  return (year - 1900) * 1000 + day;
};
const parts = (amount: number, places: number) => Math.round(amount * 10 ** places);
const padded = (text: string) => text.padEnd(25);
const typeOf = ({ kind }: Invoice) => (kind === 'credit' ? 'RM' : 'RI');

/** Tables called by numbers, columns of two letters and four, days as century, year and number of the day. */
export const julianDays: Layout = {
  name: 'julian-days',
  isHeldOut: false,
  hasDiscounts: true,
  tables: {
    FB311: tableOf(done, {
      '*RPDOCN integer': ({ id }) => id + 70_000,
      '*RPDCTY': typeOf,
      '*RPKCOM': '00100',
      'RPADNO integer': ({ customer }) => customer.id + 4200,
      'RPDIVJ integer': ({ date }) => julian(date),
      'RPDDUJ integer': ({ due }) => julian(due),
      RPCRCD: ({ currency }) => currency,
      'RPGAMT integer': ({ gross }) => parts(gross, 2),
      'RPATXA integer': ({ net }) => parts(net, 2),
      'RPSTAM integer': ({ tax }) => parts(tax, 2),
      'RPOPEN integer': ({ gross }) => parts(gross, 2),
      RPPST: 'A',
      RPVRNO: ({ order }) => padded(order),
      RPUSER: 'JDOE      ',
      'RPUPMJ integer': ({ date }) => julian(date),
    }),
    FB312: {
      columns:
        '*LDDOCN integer, *LDDCTY, *LDKCOM, *LDLNNO integer, LDLITM, LDDSC1, LDUORG integer, LDUOM, LDUPRC integer, LDDSPR integer, ' +
        'LDAEXP integer, LDTXA1, LDUNCS integer',
      rows: byLine(done, (one, line) => [
        one.id + 70_000,
        typeOf(one),
        '00100',
        line.position * 1000,
        padded(line.item.code),
        padded(line.item.name),
        line.quantity * 100,
        line.item.unit.slice(0, 2),
        parts(line.price, 4),
        line.discount * 1000,
        parts(line.net, 2),
        line.item.taxCode === 'S' ? 'STDRT' : 'ZERRT',
        parts(line.price / 2, 4),
      ]),
    },
    FB101: tableOf(customers, {
      '*ABADNO integer': ({ id }) => id + 4200,
      ABALPH: ({ name }) => padded(name),
      ABATYP: 'C',
      ABTAXN: ({ vat }) => padded(vat),
      ABMCU: '         1',
    }),
    FB116: tableOf(customers, {
      '*ALADNO integer': ({ id }) => id + 4200,
      '*ALEFTJ integer': 120_001,
      ALADD1: ({ street }) => padded(street),
      ALADD2: padded(''),
      ALCTY1: ({ city }) => padded(city),
      ALADDS: ({ state }) => state,
      ALADDZ: ({ zip }) => padded(zip),
      ALCTRY: ({ countryCode }) => countryCode,
    }),
    FB115: tableOf(customers, {
      '*WPADNO integer': ({ id }) => id + 4200,
      '*WPRCKS integer': 1,
      WPPHTP: 'BUS',
      WPPHN1: ({ phone }) => padded(phone),
      WPNOTE: padded(''),
    }),
    FB401: tableOf(items, {
      '*IMITM integer': ({ id }) => id,
      IMLITM: ({ code }) => padded(code),
      IMDSC1: ({ name }) => padded(name),
      IMUOM1: ({ unit }) => unit.slice(0, 2),
      IMSTKT: 'S',
    }),
    FB008: {
      columns: '*TATXA1, TADESC, TATXR1 integer',
      rows: [
        ['STDRT', 'Standard', 20_000],
        ['ZERRT', 'Zero', 0],
      ],
    },
    FB411: tableOf(done.slice(0, 12), {
      '*PADOCN integer': ({ id }) => id + 20_000,
      '*PADCTY': 'PV',
      '*PAKCOM': '00100',
      'PAADNO integer': 9001,
      'PADIVJ integer': ({ date }) => julian(date),
      'PAGAMT integer': 12_000,
    }),
  },
  sections: {
    header: { table: 'FB311', key: 'RPDOCN', match: 'RPDOCN', where: { RPDCTY: 'RI' } },
    lines: {
      table: 'FB312',
      key: 'LDLNNO',
      match: 'LDDOCN',
      matchFrom: 'RPDOCN',
      where: { LDDCTY: 'RI' },
    },
    customer: { table: 'FB101', key: 'ABADNO', match: 'ABADNO', matchFrom: 'RPADNO' },
  },
  fields: {
    number: 'FB311.RPDOCN',
    issue_date: 'FB311.RPDIVJ!date',
    due_date: 'FB311.RPDDUJ!date',
    currency: 'FB311.RPCRCD',
    purchase_order: 'FB311.RPVRNO',
    buyer_reference: 'FB311.RPVRNO',
    'totals.net': 'FB311.RPATXA!divide,multiply',
    'totals.lines': 'FB311.RPATXA!divide,multiply',
    'totals.tax': 'FB311.RPSTAM!divide,multiply',
    'totals.gross': 'FB311.RPGAMT!divide,multiply',
    'totals.due': 'FB311.RPGAMT!divide,multiply|FB311.RPOPEN!divide,multiply',
    'buyer.name': 'FB101.ABALPH',
    'buyer.trn': 'FB101.ABTAXN',
    'buyer.address.line1': 'FB116.ALADD1',
    'buyer.address.city': 'FB116.ALCTY1',
    'buyer.address.subdivision': 'FB116.ALADDS',
    'buyer.address.post_code': 'FB116.ALADDZ',
    'buyer.address.country': 'FB116.ALCTRY',
    'buyer.contact.phone': 'FB115.WPPHN1',
    'lines[].id': 'FB312.LDLNNO',
    'lines[].sku': 'FB312.LDLITM|FB401.IMLITM',
    'lines[].name': 'FB312.LDDSC1|FB401.IMDSC1',
    'lines[].description': 'FB312.LDDSC1|FB401.IMDSC1',
    'lines[].qty': 'FB312.LDUORG!divide,multiply',
    'lines[].unit': 'FB312.LDUOM!map|FB401.IMUOM1!map',
    'lines[].unit_price': 'FB312.LDUPRC!divide,multiply',
    'lines[].gross_price': 'FB312.LDUPRC!divide,multiply',
    'lines[].allowances[].percent': 'FB312.LDDSPR!divide,multiply',
    'lines[].net': 'FB312.LDAEXP!divide,multiply',
    'lines[].tax.rate': 'FB008.TATXR1!divide,multiply',
    'lines[].tax.category': 'FB008.TATXR1!map|FB008.TADESC!map|FB312.LDTXA1!map|FB008.TATXA1!map',
  },
};
