import type { Layout } from './layout.ts';
import { byLine, credits, customers, invoices, items } from './trade.ts';

const sold = invoices.filter(({ kind }) => kind === 'invoice');
const dayFirst = (date: string) => date.split('-').reverse().join('/');
const whole = (one: { net: number }) => one.net;

/** Indonesian names, days as text, tax for the whole document, returns in a table of their own. */
export const indonesian: Layout = {
  name: 'indonesian',
  isHeldOut: false,
  tables: {
    faktur_penjualan: {
      columns:
        '*id_faktur integer, no_faktur, tgl_faktur, tgl_jatuh_tempo, kode_pelanggan, kode_sales, mata_uang, subtotal numeric, persen_ppn numeric, ' +
        'nilai_ppn numeric, total_akhir numeric, sudah_bayar numeric, keterangan, status, dibuat_oleh',
      rows: sold.map((one) => [
        one.id,
        one.number,
        dayFirst(one.date),
        dayFirst(one.due),
        one.customer.code,
        'S1',
        one.currency,
        whole(one),
        11,
        Math.round(one.net * 11) / 100,
        Math.round(one.net * 111) / 100,
        0,
        '',
        one.isDraft ? 'BATAL' : 'TERBIT',
        'budi',
      ]),
    },
    faktur_penjualan_rinci: {
      columns:
        '*id_rinci integer, id_faktur integer, urutan integer, kode_barang, nama_barang, jumlah numeric, satuan, harga_satuan numeric, diskon numeric, total_harga numeric',
      rows: byLine(sold, (one, line) => [
        line.id,
        one.id,
        line.position,
        line.item.code,
        line.item.name,
        line.quantity,
        line.item.unit,
        line.price,
        Math.round((line.quantity * line.price - line.net) * 100) / 100,
        line.net,
      ]),
    },
    pelanggan: {
      columns:
        '*kode_pelanggan, nama_pelanggan, npwp, alamat, kota, provinsi, kode_pos, negara, telepon, surel, batas_kredit numeric',
      rows: customers.map((one) => [
        one.code,
        one.name,
        one.vat,
        one.street,
        one.city,
        one.state,
        one.zip,
        one.country,
        one.phone,
        one.email,
        1000,
      ]),
    },
    barang: {
      columns:
        '*kode_barang, nama_barang, satuan, harga_beli numeric, harga_jual numeric, stok numeric',
      rows: items.map((one) => [one.code, one.name, one.unit, one.price / 2, one.price, 5]),
    },
    retur_penjualan: {
      columns:
        '*id_retur integer, no_retur, tgl_retur, kode_pelanggan, no_faktur, total_akhir numeric',
      rows: credits.map((one) => [
        one.id,
        one.number,
        dayFirst(one.date),
        one.customer.code,
        'IV-26-0031',
        one.gross,
      ]),
    },
    faktur_pembelian: {
      columns:
        '*id_faktur integer, no_faktur, tgl_faktur, kode_pemasok, mata_uang, subtotal numeric, total_akhir numeric',
      rows: sold
        .slice(0, 9)
        .map((one) => [one.id + 500, `B${one.id}`, dayFirst(one.date), 'P1', 'EUR', 10, 11]),
    },
    faktur_pembelian_rinci: {
      columns:
        '*id_rinci integer, id_faktur integer, kode_barang, jumlah numeric, harga_satuan numeric, total_harga numeric',
      rows: sold.slice(0, 9).map((one) => [one.id, one.id + 500, 'BOLT-9', 1, 10, 10]),
    },
  },
  sections: {
    header: {
      table: 'faktur_penjualan',
      key: 'id_faktur',
      match: 'no_faktur',
      where: { status: 'TERBIT' },
    },
    lines: {
      table: 'faktur_penjualan_rinci',
      key: 'id_rinci',
      match: 'id_faktur',
      matchFrom: 'id_faktur',
    },
    customer: {
      table: 'pelanggan',
      key: 'kode_pelanggan',
      match: 'kode_pelanggan',
      matchFrom: 'kode_pelanggan',
    },
  },
  fields: {
    number: 'faktur_penjualan.no_faktur',
    issue_date: 'faktur_penjualan.tgl_faktur!date',
    due_date: 'faktur_penjualan.tgl_jatuh_tempo!date',
    currency: 'faktur_penjualan.mata_uang',
    'notes[]': 'faktur_penjualan.keterangan',
    'totals.net': 'faktur_penjualan.subtotal',
    'totals.lines': 'faktur_penjualan.subtotal',
    'totals.tax': 'faktur_penjualan.nilai_ppn',
    'totals.gross': 'faktur_penjualan.total_akhir',
    'totals.due': 'faktur_penjualan.total_akhir',
    'buyer.name': 'pelanggan.nama_pelanggan',
    'buyer.trn': 'pelanggan.npwp',
    'buyer.address.line1': 'pelanggan.alamat',
    'buyer.address.city': 'pelanggan.kota',
    'buyer.address.subdivision': 'pelanggan.provinsi',
    'buyer.address.post_code': 'pelanggan.kode_pos',
    'buyer.address.country': 'pelanggan.negara!map',
    'buyer.contact.phone': 'pelanggan.telepon',
    'buyer.contact.email': 'pelanggan.surel',
    'lines[].id': 'faktur_penjualan_rinci.urutan|faktur_penjualan_rinci.id_rinci',
    'lines[].sku': 'faktur_penjualan_rinci.kode_barang',
    'lines[].name': 'faktur_penjualan_rinci.nama_barang|barang.nama_barang',
    'lines[].description': 'faktur_penjualan_rinci.nama_barang|barang.nama_barang',
    'lines[].qty': 'faktur_penjualan_rinci.jumlah',
    'lines[].unit': 'faktur_penjualan_rinci.satuan!map|barang.satuan!map',
    'lines[].unit_price': 'faktur_penjualan_rinci.harga_satuan',
    'lines[].gross_price': 'faktur_penjualan_rinci.harga_satuan',
    'lines[].allowances[].amount': 'faktur_penjualan_rinci.diskon',
    'lines[].net': 'faktur_penjualan_rinci.total_harga',
    'lines[].tax.rate': 'faktur_penjualan.persen_ppn',
    'lines[].tax.category': 'faktur_penjualan.persen_ppn!map',
  },
};
