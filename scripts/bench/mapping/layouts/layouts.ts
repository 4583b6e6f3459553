import { abbreviations } from './abbreviations.ts';
import { addressRows } from './address-rows.ts';
import { amountsApart } from './amounts-apart.ts';
import { arabic } from './arabic.ts';
import { bareReferences } from './bare-references.ts';
import { baseAmounts } from './base-amounts.ts';
import { billToCustomers } from './bill-to-customers.ts';
import { inCents } from './cents.ts';
import { citiesApart } from './cities-apart.ts';
import { companies } from './companies.ts';
import { creditByParent } from './credit-by-parent.ts';
import { customFields } from './custom-fields.ts';
import { documentAmounts } from './document-amounts.ts';
import { entityTable } from './entity-table.ts';
import { heldOut } from './held-out.ts';
import { impliedDecimals } from './implied-decimals.ts';
import { indonesian } from './indonesian.ts';
import { invoicesOfOrders } from './invoices-of-orders.ts';
import { julianDays } from './julian-days.ts';
import type { Layout, LayoutTable } from './layout.ts';
import { ledgerGerman } from './ledger-german.ts';
import { namesAsKeys } from './names-as-keys.ts';
import { numberedColumns } from './numbered-columns.ts';
import { numericKinds } from './numeric-kinds.ts';
import { openSystems } from './open-systems.ts';
import { orderAsInvoice } from './order-as-invoice.ts';
import { paddedCodes } from './padded-codes.ts';
import { partyModel } from './party-model.ts';
import { pieces } from './pieces.ts';
import { portuguese } from './portuguese.ts';
import { prefixedColumns } from './prefixed-columns.ts';
import { provisionalNumbers } from './provisional-numbers.ts';
import { recordTypes } from './record-types.ts';
import { salesAndPurchases } from './sales-and-purchases.ts';
import { selectedNumbers } from './selected-numbers.ts';
import { sharedLines } from './shared-lines.ts';
import { smallSystems } from './small-systems.ts';
import { softDeletes } from './soft-deletes.ts';
import { storesAndPersons } from './stores-and-persons.ts';
import { bills, byLine, customers, done, type Invoice, invoices, items } from './trade.ts';
import { typeLetters } from './type-letters.ts';
import { webShop } from './web-shop.ts';

const sign = ({ kind }: Invoice) => (kind === 'credit' ? -1 : 1);
const gross = (net: number, rate: number) => Math.round(net * (100 + rate)) / 100;
const german = (date: string) => date.split('-').reverse().join('.');

/** Tables that have nothing to do with invoices. */
const noise: Readonly<Record<string, LayoutTable>> = {
  audit_log: {
    columns: '*id integer, at timestamp, actor, entry',
    rows: [[1, '2026-01-01 10:00:00', 'root', 'login']],
  },
  app_settings: { columns: '*name, value', rows: [['theme', 'dark']] },
};

const odoo: Layout = {
  name: 'move-lines',
  isHeldOut: false,
  hasDiscounts: true,
  tables: {
    ...noise,
    ledger_move: {
      columns:
        '*id integer, name, ref, move_type, state, partner_id integer, invoice_date date, date date, invoice_date_due date, ' +
        'currency_id integer, amount_untaxed numeric, amount_tax numeric, amount_total numeric, amount_residual numeric, ' +
        'create_uid integer, create_date timestamp, write_date timestamp',
      rows: invoices.flatMap((one) => [
        [
          one.id,
          one.isDraft ? '/' : one.number,
          one.order,
          one.kind === 'credit' ? 'out_refund' : 'out_invoice',
          one.isDraft ? 'draft' : 'posted',
          one.customer.id,
          one.date,
          one.date,
          one.due,
          one.currency === 'USD' ? 2 : 1,
          one.net,
          one.tax,
          one.gross,
          0,
          2,
          `${one.date} 09:30:00`,
          `${one.date} 09:31:00`,
        ],
        [
          one.id + 900,
          `BILL/${one.id}`,
          '',
          'in_invoice',
          'posted',
          40,
          one.date,
          one.date,
          one.due,
          1,
          10,
          2,
          12,
          0,
          2,
          `${one.date} 11:00:00`,
          `${one.date} 11:00:00`,
        ],
      ]),
      foreign: { partner_id: 'res_contact.id', currency_id: 'res_money.id' },
    },
    ledger_move_line: {
      columns:
        '*id integer, move_id integer, sequence integer, product_id integer, name, quantity numeric, price_unit numeric, ' +
        'discount numeric, price_subtotal numeric, price_total numeric, tax_id integer, uom_id integer, account_id integer',
      rows: byLine(invoices, (one, line) => [
        line.id,
        one.id,
        line.position * 10,
        line.item.id,
        `[${line.item.code}] ${line.item.name}`,
        line.quantity,
        line.price,
        line.discount,
        line.net,
        line.net + line.tax,
        line.item.rate === 0 ? 8 : 7,
        items.findIndex(({ unit }) => unit === line.item.unit) + 1,
        400,
      ]),
      foreign: {
        move_id: 'ledger_move.id',
        product_id: 'product.id',
        tax_id: 'ledger_tax.id',
        uom_id: 'uom.id',
      },
    },
    res_contact: {
      columns:
        '*id integer, name, vat, street, street2, city, zip, country_id integer, phone, email, is_company integer, active integer',
      rows: [
        ...customers.map((one) => [
          one.id,
          one.name,
          one.vat,
          one.street,
          null,
          one.city,
          one.zip,
          customers.findIndex(({ countryCode }) => countryCode === one.countryCode) + 60,
          one.phone,
          one.email,
          1,
          1,
        ]),
        [
          40,
          'Mill Supplies',
          'GB1',
          'x',
          null,
          'y',
          '1',
          60,
          '+44 20 555 9000',
          'a@b.example',
          1,
          1,
        ],
      ],
      foreign: { country_id: 'res_nation.id' },
    },
    res_nation: {
      columns: '*id integer, name, code, phone_code integer',
      rows: customers
        .filter(
          (one, index) => customers.findIndex(({ country }) => country === one.country) === index,
        )
        .map((one) => [customers.indexOf(one) + 60, one.country, one.countryCode, 44]),
    },
    res_money: {
      columns: '*id integer, name, symbol',
      rows: [
        [1, 'EUR', '€'],
        [2, 'USD', '$'],
      ],
    },
    ledger_tax: {
      columns: '*id integer, name, amount numeric, type_tax_use',
      rows: [
        [7, '20% S', 20, 'sale'],
        [8, '0% Z', 0, 'sale'],
      ],
    },
    uom: {
      columns: '*id integer, name, factor numeric',
      rows: items
        .filter((one, index) => items.findIndex(({ unit }) => unit === one.unit) === index)
        .map((one) => [items.indexOf(one) + 1, one.unit, 1]),
    },
    product: {
      columns: '*id integer, name, default_code, list_price numeric, standard_price numeric',
      rows: items.map((one) => [one.id, one.name, one.code, one.price, one.price / 2]),
    },
  },
  sections: {
    header: {
      table: 'ledger_move',
      key: 'id',
      match: 'name',
      where: { move_type: 'out_invoice', state: 'posted' },
    },
    lines: { table: 'ledger_move_line', key: 'id', match: 'move_id', matchFrom: 'id' },
    customer: { table: 'res_contact', key: 'id', match: 'id', matchFrom: 'partner_id' },
  },
  fields: {
    number: 'ledger_move.name',
    issue_date: 'ledger_move.invoice_date|ledger_move.date',
    due_date: 'ledger_move.invoice_date_due',
    currency: 'res_money.name',
    purchase_order: 'ledger_move.ref',
    buyer_reference: 'ledger_move.ref',
    'totals.net': 'ledger_move.amount_untaxed',
    'totals.lines': 'ledger_move.amount_untaxed',
    'totals.tax': 'ledger_move.amount_tax',
    'totals.gross': 'ledger_move.amount_total',
    'totals.due': 'ledger_move.amount_total',
    'buyer.name': 'res_contact.name',
    'buyer.trn': 'res_contact.vat',
    'buyer.address.line1': 'res_contact.street',
    'buyer.address.city': 'res_contact.city',
    'buyer.address.post_code': 'res_contact.zip',
    'buyer.address.country': 'res_nation.code|res_nation.name!map',
    'buyer.contact.phone': 'res_contact.phone',
    'buyer.contact.email': 'res_contact.email',
    'lines[].id': 'ledger_move_line.id|ledger_move_line.sequence',
    'lines[].sku': 'product.default_code|ledger_move_line.product_id',
    'lines[].name': 'product.name|ledger_move_line.name',
    'lines[].description': 'ledger_move_line.name|product.name',
    'lines[].qty': 'ledger_move_line.quantity',
    'lines[].unit': 'uom.name!map',
    'lines[].unit_price': 'ledger_move_line.price_unit',
    'lines[].gross_price': 'ledger_move_line.price_unit',
    'lines[].allowances[].percent': 'ledger_move_line.discount',
    'lines[].net': 'ledger_move_line.price_subtotal',
    'lines[].tax.category': 'ledger_tax.name!map|ledger_tax.amount!map|ledger_move_line.tax_id!map',
    'lines[].tax.rate': 'ledger_tax.amount',
  },
};

const b1: Layout = {
  name: 'short-codes',
  isHeldOut: false,
  tables: {
    ...noise,
    OSLD: {
      columns:
        '*DocEntry integer, DocNum integer, DocType, CANCELED, DocDate datetime, DocDueDate datetime, CardCode, CardName, ' +
        'Address, NumAtCard, DocCur, DocRate numeric, DiscPrcnt numeric, VatSum numeric, DocTotal numeric, PaidToDate numeric, ' +
        'Comments, SlpCode integer, CreateDate datetime',
      rows: bills.map((one) => [
        one.id,
        one.id * 10 + 3,
        'I',
        'N',
        `${one.date} 00:00:00`,
        `${one.due} 00:00:00`,
        one.customer.code,
        one.customer.name,
        `${one.customer.street}\n${one.customer.city}`,
        one.order,
        one.currency,
        one.currency === 'USD' ? 0.9 : 1,
        0,
        one.tax,
        one.gross,
        0,
        null,
        3,
        `${one.date} 00:00:00`,
      ]),
    },
    SLD1: {
      columns:
        '*DocEntry integer, *LineNum integer, ItemCode, Dscription, Quantity numeric, unitMsr, Price numeric, ' +
        'PriceBefDi numeric, DiscPrcnt numeric, LineTotal numeric, VatGroup, VatPrcnt numeric, VatSum numeric, WhsCode',
      rows: byLine(bills, (one, line) => [
        one.id,
        line.position - 1,
        line.item.code,
        line.item.name,
        line.quantity,
        line.item.unit,
        Math.round(line.price * (100 - line.discount)) / 100,
        line.price,
        line.discount,
        line.net,
        line.item.taxCode,
        line.item.rate,
        line.tax,
        '01',
      ]),
    },
    OCRM: {
      columns:
        '*CardCode, CardName, CardType, LicTradNum, Phone1, E_Mail, Address, City, ZipCode, Country, Currency',
      rows: customers.map((one) => [
        one.code,
        one.name,
        'C',
        one.vat,
        one.phone,
        one.email,
        one.street,
        one.city,
        one.zip,
        one.countryCode,
        'EUR',
      ]),
    },
    OITT: {
      columns: '*ItemCode, ItemName, InvntryUom, AvgPrice numeric, OnHand numeric',
      rows: items.map((one) => [one.code, one.name, one.unit, one.price, 10]),
    },
    OQTE: {
      columns:
        '*DocEntry integer, DocNum integer, DocDate datetime, CardCode, CardName, DocTotal numeric',
      rows: bills
        .slice(0, 9)
        .map((one) => [
          one.id - 3000,
          one.id,
          one.date,
          one.customer.code,
          one.customer.name,
          one.gross,
        ]),
    },
    OPUR: {
      columns:
        '*DocEntry integer, DocNum integer, DocDate datetime, CardCode, CardName, DocTotal numeric',
      rows: bills
        .slice(0, 9)
        .map((one) => [one.id - 2000, one.id, one.date, 'V100', 'Mill Supplies', one.gross]),
    },
  },
  sections: {
    header: { table: 'OSLD', key: 'DocEntry', match: 'DocNum' },
    lines: { table: 'SLD1', key: 'LineNum', match: 'DocEntry', matchFrom: 'DocEntry' },
    customer: { table: 'OCRM', key: 'CardCode', match: 'CardCode', matchFrom: 'CardCode' },
  },
  fields: {
    number: 'OSLD.DocNum',
    issue_date: 'OSLD.DocDate',
    due_date: 'OSLD.DocDueDate',
    currency: 'OSLD.DocCur',
    'exchange_rate.rate': 'OSLD.DocRate',
    purchase_order: 'OSLD.NumAtCard',
    buyer_reference: 'OSLD.NumAtCard',
    'notes[]': 'OSLD.Comments',
    'totals.tax': 'OSLD.VatSum',
    'totals.gross': 'OSLD.DocTotal',
    'totals.due': 'OSLD.DocTotal',
    'buyer.name': 'OSLD.CardName|OCRM.CardName',
    'buyer.trn': 'OCRM.LicTradNum',
    'buyer.address.line1': 'OCRM.Address|OSLD.Address',
    'buyer.address.city': 'OCRM.City',
    'buyer.address.post_code': 'OCRM.ZipCode',
    'buyer.address.country': 'OCRM.Country',
    'buyer.contact.phone': 'OCRM.Phone1',
    'buyer.contact.email': 'OCRM.E_Mail',
    'lines[].id': 'SLD1.LineNum',
    'lines[].sku': 'SLD1.ItemCode',
    'lines[].name': 'SLD1.Dscription|OITT.ItemName',
    'lines[].description': 'SLD1.Dscription|OITT.ItemName',
    'lines[].qty': 'SLD1.Quantity',
    'lines[].unit': 'SLD1.unitMsr!map|OITT.InvntryUom!map',
    'lines[].unit_price': 'SLD1.Price',
    'lines[].gross_price': 'SLD1.PriceBefDi',
    'lines[].net': 'SLD1.LineTotal',
    'lines[].tax.category': 'SLD1.VatGroup|SLD1.VatPrcnt!map',
    'lines[].tax.rate': 'SLD1.VatPrcnt',
  },
};

const next: Layout = {
  name: 'parent-names',
  isHeldOut: false,
  tables: {
    ...noise,
    'tabSale Invoice': {
      columns:
        '*name, creation timestamp, modified timestamp, owner, docstatus integer, customer, customer_name, tax_id, ' +
        'posting_date date, due_date date, currency, conversion_rate numeric, po_no, net_total numeric, ' +
        'total_taxes_and_charges numeric, grand_total numeric, outstanding_amount numeric, is_return integer, company',
      rows: invoices.map((one) => [
        one.number,
        `${one.date} 08:00:00`,
        `${one.date} 08:05:00`,
        'sara@firm.example',
        one.isDraft ? 0 : 1,
        one.customer.code,
        one.customer.name,
        one.customer.vat,
        one.date,
        one.due,
        one.currency,
        one.currency === 'USD' ? 0.9 : 1,
        one.order,
        sign(one) * one.net,
        sign(one) * one.tax,
        sign(one) * one.gross,
        0,
        one.kind === 'credit' ? 1 : 0,
        'Our Firm',
      ]),
    },
    'tabSale Invoice Item': {
      columns:
        '*name, parent, parenttype, idx integer, item_code, item_name, description, qty numeric, uom, rate numeric, ' +
        'amount numeric, tax_code, tax_rate numeric',
      rows: byLine(invoices, (one, line) => [
        `r${line.id}`,
        one.number,
        'Sale Invoice',
        line.position,
        line.item.code,
        line.item.name,
        `${line.item.name}, boxed`,
        sign(one) * line.quantity,
        line.item.unit,
        Math.round(line.price * (100 - line.discount)) / 100,
        sign(one) * line.net,
        line.item.taxCode,
        line.item.rate,
      ]),
    },
    tabCustomer: {
      columns: '*name, customer_name, customer_group, territory, tax_id, mobile_no, email_id',
      rows: customers.map((one) => [
        one.code,
        one.name,
        'All',
        one.country,
        one.vat,
        one.phone,
        one.email,
      ]),
    },
    tabItem: {
      columns: '*name, item_name, stock_uom',
      rows: items.map((one) => [one.code, one.name, one.unit]),
    },
    'tabPurchase Invoice': {
      columns: '*name, supplier, posting_date date, grand_total numeric, docstatus integer',
      rows: bills.map((one) => [`P${one.id}`, 'Mill', one.date, 12, 1]),
    },
    'tabPurchase Invoice Item': {
      columns: '*name, parent, item_code, qty numeric, rate numeric, amount numeric',
      rows: bills.map((one) => [`p${one.id}`, `P${one.id}`, 'PUMP-50', 1, 12, 12]),
    },
  },
  sections: {
    header: {
      table: 'tabSale Invoice',
      key: 'name',
      match: 'name',
      where: { docstatus: '1', is_return: '0' },
    },
    lines: { table: 'tabSale Invoice Item', key: 'name', match: 'parent', matchFrom: 'name' },
    customer: { table: 'tabCustomer', key: 'name', match: 'name', matchFrom: 'customer' },
  },
  fields: {
    number: 'tabSale Invoice.name',
    issue_date: 'tabSale Invoice.posting_date',
    due_date: 'tabSale Invoice.due_date',
    currency: 'tabSale Invoice.currency',
    'exchange_rate.rate': 'tabSale Invoice.conversion_rate',
    purchase_order: 'tabSale Invoice.po_no',
    'totals.net': 'tabSale Invoice.net_total',
    'totals.lines': 'tabSale Invoice.net_total',
    'totals.tax': 'tabSale Invoice.total_taxes_and_charges',
    'totals.gross': 'tabSale Invoice.grand_total',
    'totals.due': 'tabSale Invoice.grand_total',
    'buyer.name': 'tabSale Invoice.customer_name|tabCustomer.customer_name',
    'buyer.trn': 'tabSale Invoice.tax_id|tabCustomer.tax_id',
    'buyer.contact.phone': 'tabCustomer.mobile_no',
    'buyer.contact.email': 'tabCustomer.email_id',
    'lines[].id': 'tabSale Invoice Item.idx|tabSale Invoice Item.name',
    'lines[].sku': 'tabSale Invoice Item.item_code',
    'lines[].name':
      'tabSale Invoice Item.item_name|tabItem.item_name|tabSale Invoice Item.description',
    'lines[].description':
      'tabSale Invoice Item.description|tabSale Invoice Item.item_name|tabItem.item_name',
    'lines[].qty': 'tabSale Invoice Item.qty',
    'lines[].unit': 'tabSale Invoice Item.uom!map|tabItem.stock_uom!map',
    'lines[].unit_price': 'tabSale Invoice Item.rate',
    'lines[].net': 'tabSale Invoice Item.amount',
    'lines[].tax.category': 'tabSale Invoice Item.tax_code|tabSale Invoice Item.tax_rate!map',
    'seller.name': 'tabSale Invoice.company',
    'lines[].tax.rate': 'tabSale Invoice Item.tax_rate',
    'buyer.address.country': 'tabCustomer.territory!map',
  },
};

const deutsch: Layout = {
  name: 'german',
  isHeldOut: false,
  hasDiscounts: true,
  tables: {
    ...noise,
    Rechnungen: {
      columns:
        '*RechnungID integer, RechnungsNr, KundenNr, RechnungsDatum, FaelligAm, Waehrung, Bestellzeichen, NettoBetrag numeric, ' +
        'MwStBetrag numeric, BruttoBetrag numeric, Bemerkung, Sachbearbeiter, AngelegtAm datetime',
      rows: bills.map((one) => [
        one.id,
        one.number,
        one.customer.code,
        german(one.date),
        german(one.due),
        one.currency,
        one.order,
        one.net,
        one.tax,
        one.gross,
        null,
        'MH',
        `${one.date} 10:00:00`,
      ]),
    },
    RechnungsPositionen: {
      columns:
        '*ID integer, RechnungID integer, PosNr integer, ArtikelNr, Bezeichnung, Menge numeric, Mengeneinheit, ' +
        'Einzelpreis numeric, RabattProz numeric, MwStSatz numeric, Steuerschluessel, Gesamtpreis numeric, Einkaufspreis numeric',
      rows: byLine(bills, (one, line) => [
        line.id,
        one.id,
        line.position,
        line.item.code,
        line.item.name,
        line.quantity,
        line.item.unit,
        line.price,
        line.discount,
        line.item.rate,
        line.item.taxCode,
        line.net,
        line.price / 2,
      ]),
    },
    Kunden: {
      columns:
        '*KundenNr, Firma, Ansprechpartner, Strasse, PLZ, Ort, Land, Telefon, EMail, UStIdNr, Rabatt numeric',
      rows: customers.map((one) => [
        one.code,
        one.name,
        `${one.first} ${one.last}`,
        one.street,
        one.zip,
        one.city,
        one.country,
        one.phone,
        one.email,
        one.vat,
        0,
      ]),
    },
    Artikel: {
      columns: '*ArtikelNr, Bezeichnung, Einheit, VKPreis numeric, EKPreis numeric, Warengruppe',
      rows: items.map((one) => [one.code, one.name, one.unit, one.price, one.price / 2, 'A']),
    },
    Angebote: {
      columns:
        '*AngebotID integer, AngebotsNr, KundenNr, AngebotsDatum, NettoBetrag numeric, BruttoBetrag numeric',
      rows: bills
        .slice(0, 8)
        .map((one) => [
          one.id,
          `A${one.id}`,
          one.customer.code,
          german(one.date),
          one.net,
          one.gross,
        ]),
    },
    AngebotsPositionen: {
      columns:
        '*ID integer, AngebotID integer, PosNr integer, ArtikelNr, Bezeichnung, Menge numeric, Einzelpreis numeric',
      rows: byLine(bills.slice(0, 8), (one, line) => [
        line.id,
        one.id,
        line.position,
        line.item.code,
        line.item.name,
        line.quantity,
        line.price,
      ]),
    },
    Lieferanten: { columns: '*LieferantenNr, Firma, Ort', rows: [['L1', 'Mill', 'Leeds']] },
    EingangsRechnungen: {
      columns: '*ID integer, RechnungsNr, LieferantenNr, RechnungsDatum, BruttoBetrag numeric',
      rows: [[1, 'M-1', 'L1', '01.01.2026', 12]],
    },
  },
  sections: {
    header: { table: 'Rechnungen', key: 'RechnungID', match: 'RechnungsNr' },
    lines: {
      table: 'RechnungsPositionen',
      key: 'ID',
      match: 'RechnungID',
      matchFrom: 'RechnungID',
    },
    customer: { table: 'Kunden', key: 'KundenNr', match: 'KundenNr', matchFrom: 'KundenNr' },
  },
  fields: {
    number: 'Rechnungen.RechnungsNr',
    issue_date: 'Rechnungen.RechnungsDatum!date',
    due_date: 'Rechnungen.FaelligAm!date',
    currency: 'Rechnungen.Waehrung',
    purchase_order: 'Rechnungen.Bestellzeichen',
    buyer_reference: 'Rechnungen.Bestellzeichen',
    'notes[]': 'Rechnungen.Bemerkung',
    'totals.net': 'Rechnungen.NettoBetrag',
    'totals.lines': 'Rechnungen.NettoBetrag',
    'totals.tax': 'Rechnungen.MwStBetrag',
    'totals.gross': 'Rechnungen.BruttoBetrag',
    'totals.due': 'Rechnungen.BruttoBetrag',
    'buyer.name': 'Kunden.Firma',
    'buyer.contact.name': 'Kunden.Ansprechpartner',
    'buyer.trn': 'Kunden.UStIdNr',
    'buyer.address.line1': 'Kunden.Strasse',
    'buyer.address.city': 'Kunden.Ort',
    'buyer.address.post_code': 'Kunden.PLZ',
    'buyer.address.country': 'Kunden.Land!map',
    'buyer.contact.phone': 'Kunden.Telefon',
    'buyer.contact.email': 'Kunden.EMail',
    'lines[].id': 'RechnungsPositionen.PosNr|RechnungsPositionen.ID',
    'lines[].sku': 'RechnungsPositionen.ArtikelNr',
    'lines[].name': 'RechnungsPositionen.Bezeichnung|Artikel.Bezeichnung',
    'lines[].description': 'RechnungsPositionen.Bezeichnung|Artikel.Bezeichnung',
    'lines[].qty': 'RechnungsPositionen.Menge',
    'lines[].unit': 'RechnungsPositionen.Mengeneinheit!map|Artikel.Einheit!map',
    'lines[].unit_price': 'RechnungsPositionen.Einzelpreis',
    'lines[].gross_price': 'RechnungsPositionen.Einzelpreis',
    'lines[].allowances[].percent': 'RechnungsPositionen.RabattProz',
    'lines[].net': 'RechnungsPositionen.Gesamtpreis',
    'lines[].tax.category': 'RechnungsPositionen.Steuerschluessel|RechnungsPositionen.MwStSatz!map',
    'lines[].tax.rate': 'RechnungsPositionen.MwStSatz',
  },
};

const melayu: Layout = {
  name: 'malay',
  isHeldOut: false,
  tables: {
    ...noise,
    Invois: {
      columns:
        '*NoInvois, TarikhInvois date, TarikhAkhir date, KodPelanggan, MataWang, JumlahBersih numeric, JumlahCukai numeric, ' +
        'JumlahKasar numeric, Catatan, Batal integer',
      rows: done
        .filter(({ kind }) => kind === 'invoice')
        .map((one) => [
          one.number,
          one.date,
          one.due,
          one.customer.code,
          'MYR',
          one.net,
          one.tax,
          one.gross,
          null,
          0,
        ]),
    },
    ButiranInvois: {
      columns:
        '*NoInvois, *Bil integer, KodBarang, Keterangan, Kuantiti numeric, Unit, HargaUnit numeric, KadarCukai numeric, ' +
        'KodCukai, Jumlah numeric',
      rows: byLine(bills, (one, line) => [
        one.number,
        line.position,
        line.item.code,
        line.item.name,
        line.quantity,
        line.item.unit,
        Math.round(line.price * (100 - line.discount)) / 100,
        line.item.rate / 100,
        line.item.rate === 0 ? 'E' : 'SV-8',
        line.net,
      ]),
    },
    Pelanggan: {
      columns:
        '*KodPelanggan, NamaPelanggan, NoPendaftaran, NoTIN, Alamat, Bandar, Poskod, Negeri, Negara, NoTel, Emel',
      rows: customers.map((one) => [
        one.code,
        one.name,
        `2019${one.id}000${one.id}`,
        `C${one.id}5845632`,
        one.street,
        one.city,
        one.zip,
        one.state,
        one.country,
        one.phone,
        one.email,
      ]),
    },
    Sebutharga: {
      columns: '*NoSebutharga, Tarikh date, KodPelanggan, JumlahKasar numeric',
      rows: bills.slice(0, 5).map((one) => [`Q${one.id}`, one.date, one.customer.code, one.gross]),
    },
    Pembekal: { columns: '*KodPembekal, NamaPembekal, Bandar', rows: [['S1', 'Mill', 'Ipoh']] },
  },
  sections: {
    header: { table: 'Invois', key: 'NoInvois', match: 'NoInvois' },
    lines: { table: 'ButiranInvois', key: 'Bil', match: 'NoInvois', matchFrom: 'NoInvois' },
    customer: {
      table: 'Pelanggan',
      key: 'KodPelanggan',
      match: 'KodPelanggan',
      matchFrom: 'KodPelanggan',
    },
  },
  fields: {
    number: 'Invois.NoInvois',
    issue_date: 'Invois.TarikhInvois',
    due_date: 'Invois.TarikhAkhir',
    currency: 'Invois.MataWang',
    'notes[]': 'Invois.Catatan',
    'totals.net': 'Invois.JumlahBersih',
    'totals.lines': 'Invois.JumlahBersih',
    'totals.tax': 'Invois.JumlahCukai',
    'totals.gross': 'Invois.JumlahKasar',
    'totals.due': 'Invois.JumlahKasar',
    'buyer.name': 'Pelanggan.NamaPelanggan',
    'buyer.trn': 'Pelanggan.NoTIN',
    'buyer.identifiers[].id': 'Pelanggan.NoTIN',
    'buyer.registration_id': 'Pelanggan.NoPendaftaran',
    'buyer.address.line1': 'Pelanggan.Alamat',
    'buyer.address.city': 'Pelanggan.Bandar',
    'buyer.address.post_code': 'Pelanggan.Poskod',
    'buyer.address.subdivision': 'Pelanggan.Negeri',
    'buyer.address.country': 'Pelanggan.Negara!map',
    'buyer.contact.phone': 'Pelanggan.NoTel',
    'buyer.contact.email': 'Pelanggan.Emel',
    'lines[].id': 'ButiranInvois.Bil',
    'lines[].sku': 'ButiranInvois.KodBarang',
    'lines[].name': 'ButiranInvois.Keterangan',
    'lines[].description': 'ButiranInvois.Keterangan',
    'lines[].qty': 'ButiranInvois.Kuantiti',
    'lines[].unit': 'ButiranInvois.Unit!map',
    'lines[].unit_price': 'ButiranInvois.HargaUnit',
    'lines[].net': 'ButiranInvois.Jumlah',
    'lines[].tax.category':
      'ButiranInvois.KodCukai|ButiranInvois.KodCukai!map|ButiranInvois.KadarCukai!map',
    'lines[].tax.rate': 'ButiranInvois.KadarCukai!multiply',
  },
};

const kinds: Layout = {
  name: 'typed-moves',
  isHeldOut: false,
  hasDiscounts: true,
  tables: {
    ...noise,
    custtrans: {
      columns:
        '*id integer, transno integer, type integer, custno, trandate datetime, order_ integer, reference, rate numeric, ' +
        'ovamount numeric, ovgst numeric, ovdiscount numeric, alloc numeric, settled integer',
      rows: done.flatMap((one, index) => [
        [
          one.id,
          index + 1,
          one.kind === 'credit' ? 11 : 10,
          one.customer.code,
          `${one.date} 00:00:00`,
          0,
          '',
          1,
          sign(one) * one.net,
          sign(one) * one.tax,
          0,
          0,
          0,
        ],
        [
          one.id + 500,
          index + 1,
          12,
          one.customer.code,
          `${one.due} 00:00:00`,
          0,
          `chq ${index}`,
          1,
          -one.gross,
          0,
          0,
          one.gross,
          1,
        ],
      ]),
    },
    stockmoves: {
      columns:
        '*stkmoveno integer, stockid, type integer, transno integer, loccode, trandate datetime, custno, price numeric, ' +
        'qty numeric, discountpercent numeric, standardcost numeric, narrative',
      rows: byLine(done, (one, line) => [
        line.id,
        line.item.code,
        one.kind === 'credit' ? 11 : 10,
        done.indexOf(one) + 1,
        'MEL',
        `${one.date} 00:00:00`,
        one.customer.code,
        line.price,
        -sign(one) * line.quantity,
        line.discount / 100,
        line.price / 2,
        '',
      ]),
    },
    stockmovestaxes: {
      columns: '*stkmoveno integer, *taxauthid integer, taxrate numeric, taxontax integer',
      rows: byLine(done, (_, line) => [line.id, 1, line.item.rate / 100, 0]),
    },
    custmaster: {
      columns:
        '*custno, name, address1, address2, address3, address4, address5, address6, currcode, paymentterms, taxref',
      rows: customers.map((one) => [
        one.code,
        one.name,
        one.street,
        one.city,
        one.state,
        one.zip,
        '',
        one.country,
        one.id % 2 ? 'EUR' : 'USD',
        '30',
        one.vat,
      ]),
    },
    stockmaster: {
      columns: '*stockid, description, longdescription, units, categoryid, actualcost numeric',
      rows: items.map((one) => [one.code, one.name, one.name, one.unit, 'A', one.price / 2]),
    },
    doctypes: {
      columns: '*typeid integer, typename, typeno integer',
      rows: [
        [10, 'Sales Invoice', 60],
        [11, 'Credit Note', 5],
        [12, 'Receipt', 60],
        [30, 'Sales Order', 1],
      ],
    },
    paymentterms: {
      columns: '*termsindicator, terms, daysbeforedue integer',
      rows: [
        ['30', '30 days', 30],
        ['CA', 'Cash', 0],
      ],
    },
  },
  sections: {
    header: { table: 'custtrans', key: 'id', match: 'transno', where: { type: '10' } },
    lines: {
      table: 'stockmoves',
      key: 'stkmoveno',
      match: 'transno',
      matchFrom: 'transno',
      where: { type: '10' },
    },
    customer: { table: 'custmaster', key: 'custno', match: 'custno', matchFrom: 'custno' },
  },
  fields: {
    number: 'custtrans.transno',
    issue_date: 'custtrans.trandate',
    currency: 'custmaster.currcode',
    'exchange_rate.rate': 'custtrans.rate',
    'payment_terms[].note': 'paymentterms.terms',
    'totals.net': 'custtrans.ovamount',
    'totals.lines': 'custtrans.ovamount',
    'totals.tax': 'custtrans.ovgst',
    'buyer.name': 'custmaster.name',
    'buyer.trn': 'custmaster.taxref',
    'buyer.address.line1': 'custmaster.address1',
    'buyer.address.city': 'custmaster.address2',
    'buyer.address.subdivision': 'custmaster.address3',
    'buyer.address.post_code': 'custmaster.address4',
    'buyer.address.country': 'custmaster.address6!map',
    'lines[].id': 'stockmoves.stkmoveno',
    'lines[].sku': 'stockmoves.stockid',
    'lines[].name': 'stockmaster.description|stockmaster.longdescription',
    'lines[].description':
      'stockmaster.description|stockmaster.longdescription|stockmoves.narrative',
    'lines[].qty': 'stockmoves.qty!negate,abs,multiply',
    'lines[].unit': 'stockmaster.units!map',
    'lines[].unit_price': 'stockmoves.price',
    'lines[].gross_price': 'stockmoves.price',
    'lines[].allowances[].percent': 'stockmoves.discountpercent!multiply',
    'lines[].tax.category': 'stockmovestaxes.taxrate!map',
    'lines[].tax.rate': 'stockmovestaxes.taxrate!multiply',
  },
};

const included: Layout = {
  name: 'tax-included',
  isHeldOut: false,
  tables: {
    ...noise,
    invoices: {
      columns:
        '*id integer, invoice_number, client_id integer, issued_on date, due_on date, currency, subtotal numeric, vat numeric, ' +
        'total numeric, created_at timestamp, updated_at timestamp, status',
      rows: invoices.map((one) => [
        one.id,
        one.number,
        one.customer.id,
        one.date,
        one.due,
        one.currency,
        sign(one) * one.net,
        sign(one) * one.tax,
        sign(one) * one.gross,
        `${one.date} 08:00:00`,
        `${one.date} 08:00:00`,
        one.isDraft ? 'draft' : 'sent',
      ]),
      foreign: { client_id: 'clients.id' },
    },
    invoice_rows: {
      columns:
        '*id integer, invoice_id integer, product_id integer, label, qty numeric, price numeric, vat_rate numeric, row_total numeric',
      rows: byLine(invoices, (one, line) => {
        const price = gross(Math.round(line.price * (100 - line.discount)) / 100, line.item.rate);
        return [
          line.id,
          one.id,
          line.item.id,
          line.item.name,
          sign(one) * line.quantity,
          price,
          line.item.rate,
          Math.round(sign(one) * line.quantity * price * 100) / 100,
        ];
      }),
      foreign: { invoice_id: 'invoices.id' },
    },
    clients: {
      columns:
        '*id integer, company_name, first_name, last_name, vat_number, street, city, postal_code, country, phone, email',
      rows: customers.map((one) => [
        one.id,
        one.name,
        one.first,
        one.last,
        one.vat,
        one.street,
        one.city,
        one.zip,
        one.countryCode,
        one.phone,
        one.email,
      ]),
    },
    estimates: {
      columns: '*id integer, estimate_number, client_id integer, issued_on date, total numeric',
      rows: bills
        .slice(0, 6)
        .map((one) => [one.id, `E${one.id}`, one.customer.id, one.date, one.gross]),
    },
    payments: {
      columns: '*id integer, invoice_id integer, amount numeric, paid_on date',
      rows: bills.map((one) => [one.id, one.id, one.gross, one.due]),
    },
  },
  sections: {
    header: { table: 'invoices', key: 'id', match: 'invoice_number', where: { status: 'sent' } },
    lines: { table: 'invoice_rows', key: 'id', match: 'invoice_id', matchFrom: 'id' },
    customer: { table: 'clients', key: 'id', match: 'id', matchFrom: 'client_id' },
  },
  fields: {
    number: 'invoices.invoice_number',
    issue_date: 'invoices.issued_on',
    due_date: 'invoices.due_on',
    currency: 'invoices.currency',
    'totals.net': 'invoices.subtotal',
    'totals.lines': 'invoices.subtotal',
    'totals.tax': 'invoices.vat',
    'totals.gross': 'invoices.total',
    'totals.due': 'invoices.total',
    'buyer.name': 'clients.company_name',
    'buyer.contact.name': 'clients.first_name!concat|clients.last_name!concat',
    'buyer.trn': 'clients.vat_number',
    'buyer.address.line1': 'clients.street',
    'buyer.address.city': 'clients.city',
    'buyer.address.post_code': 'clients.postal_code',
    'buyer.address.country': 'clients.country',
    'buyer.contact.phone': 'clients.phone',
    'buyer.contact.email': 'clients.email',
    'lines[].id': 'invoice_rows.id',
    'lines[].sku': 'invoice_rows.product_id',
    'lines[].name': 'invoice_rows.label',
    'lines[].description': 'invoice_rows.label',
    'lines[].qty': 'invoice_rows.qty',
    'lines[].unit_price': 'invoice_rows.price!divide,subtract,multiply',
    'lines[].net': 'invoice_rows.row_total!divide,subtract,multiply',
    'lines[].tax.category': 'invoice_rows.vat_rate!map',
    'lines[].tax.rate': 'invoice_rows.vat_rate',
  },
};

const flat: Layout = {
  name: 'one-table',
  isHeldOut: false,
  tables: {
    ...noise,
    sales_export: {
      columns:
        '*rowno integer, invoice_no, invoice_date, customer_no, customer_name, customer_address, customer_city, customer_country, ' +
        'vat_id, article, article_text, quantity numeric, unit, price numeric, net numeric, vat_percent numeric, vat_code, currency',
      rows: byLine(bills, (one, line) => [
        line.id,
        one.number,
        one.date.replaceAll('-', ''),
        one.customer.code,
        one.customer.name,
        one.customer.street,
        one.customer.city,
        one.customer.countryCode,
        one.customer.vat,
        line.item.code,
        line.item.name,
        line.quantity,
        line.item.unit,
        Math.round(line.price * (100 - line.discount)) / 100,
        line.net,
        line.item.rate,
        line.item.taxCode,
        one.currency,
      ]),
    },
  },
  sections: {
    header: { table: 'sales_export', key: 'invoice_no', match: 'invoice_no', repeats: true },
    lines: { table: 'sales_export', key: 'rowno', match: 'invoice_no', matchFrom: 'invoice_no' },
  },
  fields: {
    number: 'sales_export.invoice_no',
    issue_date: 'sales_export.invoice_date!date',
    currency: 'sales_export.currency',
    'buyer.name': 'sales_export.customer_name',
    'buyer.trn': 'sales_export.vat_id',
    'buyer.address.line1': 'sales_export.customer_address',
    'buyer.address.city': 'sales_export.customer_city',
    'buyer.address.country': 'sales_export.customer_country',
    'lines[].id': 'sales_export.rowno',
    'lines[].sku': 'sales_export.article',
    'lines[].name': 'sales_export.article_text',
    'lines[].description': 'sales_export.article_text',
    'lines[].qty': 'sales_export.quantity',
    'lines[].unit': 'sales_export.unit!map',
    'lines[].unit_price': 'sales_export.price',
    'lines[].net': 'sales_export.net',
    'lines[].tax.category': 'sales_export.vat_code|sales_export.vat_percent!map',
    'lines[].tax.rate': 'sales_export.vat_percent',
  },
};

/** ERPs of several styles. */
export const layouts: readonly Layout[] = [
  odoo,
  b1,
  next,
  deutsch,
  melayu,
  kinds,
  included,
  flat,
  ...heldOut,
  pieces,
  abbreviations,
  inCents,
  indonesian,
  amountsApart,
  companies,
  softDeletes,
  webShop,
  recordTypes,
  arabic,
  citiesApart,
  ledgerGerman,
  impliedDecimals,
  customFields,
  portuguese,
  julianDays,
  numericKinds,
];

/** As known systems have them; first figures, before anything was done for them, stand in docs/performance.md. */
export const knownSystems: readonly Layout[] = [
  prefixedColumns,
  bareReferences,
  paddedCodes,
  orderAsInvoice,
  partyModel,
  entityTable,
  baseAmounts,
  sharedLines,
  ...smallSystems,
  storesAndPersons,
  numberedColumns,
  typeLetters,
  selectedNumbers,
  addressRows,
  documentAmounts,
  provisionalNumbers,
  billToCustomers,
  salesAndPurchases,
  namesAsKeys,
  creditByParent,
  invoicesOfOrders,
  ...openSystems,
];
