import type { Layout } from './layout.ts';
import { bills, byLine, customers, items, netPrice } from './trade.ts';

const gross = (net: number, rate: number) => Math.round(net * (100 + rate)) / 100;
const total = (one: (typeof bills)[number]) =>
  Math.round(
    one.lines.reduce(
      (sum, line) => sum + gross(netPrice(line), line.item.rate) * line.quantity,
      0,
    ) * 100,
  ) / 100;
const netOf = (one: (typeof bills)[number]) =>
  Math.round(
    one.lines.reduce(
      (sum, line) =>
        sum + (gross(netPrice(line), line.item.rate) * line.quantity) / (1 + line.item.rate / 100),
      0,
    ) * 100,
  ) / 100;

/** Arabic names in Latin letters, prices with tax, rates as fractions, a view over the customers. */
export const arabic: Layout = {
  name: 'arabic',
  isHeldOut: false,
  tables: {
    fawateer: {
      columns:
        '*muarrif integer, raqm_fatoora, tareekh_fatoora date, tareekh_istihqaq date, raqm_ameel integer, omla, majmou_safi numeric, qimat_dareeba numeric, ijmali numeric, mulahazat, hala',
      rows: bills.map((one) => [
        one.id,
        one.number,
        one.date,
        one.due,
        one.customer.id,
        one.currency,
        netOf(one),
        Math.round((total(one) - netOf(one)) * 100) / 100,
        total(one),
        null,
        'murahhal',
      ]),
    },
    tafaseel_fatoora: {
      columns:
        '*muarrif integer, raqm_fatoora_id integer, tasalsul integer, raqm_sanf, wasf, kammiya numeric, wahda, sier numeric, nisbat_dareeba numeric, ijmali_satr numeric',
      rows: byLine(bills, (one, line) => [
        line.id,
        one.id,
        line.position,
        line.item.code,
        line.item.name,
        line.quantity,
        line.item.unit,
        gross(netPrice(line), line.item.rate),
        line.item.rate / 100,
        Math.round(gross(netPrice(line), line.item.rate) * line.quantity * 100) / 100,
      ]),
    },
    umalaa: {
      columns:
        '*raqm_ameel integer, ism, unwan, madina, ramz_baridi, dawla, hatif, bareed, raqm_dareebi',
      rows: customers.map((one) => [
        one.id,
        one.name,
        one.street,
        one.city,
        one.zip,
        one.country,
        one.phone,
        one.email,
        one.vat,
      ]),
    },
    asnaf: {
      columns: '*raqm_sanf, ism_sanf, wahda, sier_bay numeric',
      rows: items.map((one) => [one.code, one.name, one.unit, one.price]),
    },
  },
  sections: {
    header: { table: 'fawateer', key: 'muarrif', match: 'raqm_fatoora' },
    lines: {
      table: 'tafaseel_fatoora',
      key: 'muarrif',
      match: 'raqm_fatoora_id',
      matchFrom: 'muarrif',
    },
    customer: { table: 'umalaa', key: 'raqm_ameel', match: 'raqm_ameel', matchFrom: 'raqm_ameel' },
  },
  fields: {
    number: 'fawateer.raqm_fatoora',
    issue_date: 'fawateer.tareekh_fatoora',
    due_date: 'fawateer.tareekh_istihqaq',
    currency: 'fawateer.omla',
    'notes[]': 'fawateer.mulahazat',
    'totals.net': 'fawateer.majmou_safi',
    'totals.lines': 'fawateer.majmou_safi',
    'totals.tax': 'fawateer.qimat_dareeba',
    'totals.gross': 'fawateer.ijmali',
    'totals.due': 'fawateer.ijmali',
    'buyer.name': 'umalaa.ism',
    'buyer.trn': 'umalaa.raqm_dareebi',
    'buyer.address.line1': 'umalaa.unwan',
    'buyer.address.city': 'umalaa.madina',
    'buyer.address.post_code': 'umalaa.ramz_baridi',
    'buyer.address.country': 'umalaa.dawla!map',
    'buyer.contact.phone': 'umalaa.hatif',
    'buyer.contact.email': 'umalaa.bareed',
    'lines[].id': 'tafaseel_fatoora.tasalsul|tafaseel_fatoora.muarrif',
    'lines[].sku': 'tafaseel_fatoora.raqm_sanf',
    'lines[].name': 'tafaseel_fatoora.wasf|asnaf.ism_sanf',
    'lines[].description': 'tafaseel_fatoora.wasf|asnaf.ism_sanf',
    'lines[].qty': 'tafaseel_fatoora.kammiya',
    'lines[].unit': 'tafaseel_fatoora.wahda!map|asnaf.wahda!map',
    'lines[].unit_price': 'tafaseel_fatoora.sier!divide,subtract,multiply',
    'lines[].gross_price': 'tafaseel_fatoora.sier!divide,subtract,multiply',
    'lines[].net': 'tafaseel_fatoora.ijmali_satr!divide,subtract,multiply',
    'lines[].tax.rate': 'tafaseel_fatoora.nisbat_dareeba!multiply',
    'lines[].tax.category': 'tafaseel_fatoora.nisbat_dareeba!map',
  },
};
