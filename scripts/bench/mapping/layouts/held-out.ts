import type { Layout } from './layout.ts';
import { bills, byLine, customers, done, invoices, items } from './trade.ts';

const spanish: Layout = {
  name: 'spanish',
  isHeldOut: true,
  hasDiscounts: true,
  tables: {
    facturascli: {
      columns:
        '*idfactura integer, codigo, numero, codcliente, nombrecliente, cifnif, direccion, codpostal, ciudad, provincia, ' +
        'codpais, fecha date, hora, vencimiento date, coddivisa, tasaconv numeric, neto numeric, totaliva numeric, total numeric, ' +
        'totalrecargo numeric, observaciones, numero2, pagada integer, codpago, codalmacen, codejercicio',
      rows: bills.map((one) => [
        one.id,
        one.number,
        String(one.id - 4000),
        one.customer.code,
        one.customer.name,
        one.customer.vat,
        one.customer.street,
        one.customer.zip,
        one.customer.city,
        one.customer.state,
        one.customer.countryCode,
        one.date,
        '10:00:00',
        one.due,
        one.currency,
        1,
        one.net,
        one.tax,
        one.gross,
        0,
        null,
        one.order,
        0,
        'CONT',
        'ALG',
        '2026',
      ]),
    },
    lineasfacturascli: {
      columns:
        '*idlinea integer, idfactura integer, orden integer, referencia, descripcion, cantidad numeric, pvpunitario numeric, ' +
        'pvpsindto numeric, dtopor numeric, codimpuesto, iva numeric, recargo numeric, pvptotal numeric, coste numeric',
      rows: byLine(bills, (one, line) => [
        line.id,
        one.id,
        line.position,
        line.item.code,
        line.item.name,
        line.quantity,
        line.price,
        Math.round(line.quantity * line.price * 100) / 100,
        line.discount,
        line.item.taxCode === 'S' ? 'IVA20' : 'IVA0',
        line.item.rate,
        0,
        line.net,
        line.price / 2,
      ]),
    },
    clientes: {
      columns:
        '*codcliente, nombre, razonsocial, cifnif, telefono1, email, codpago, fechaalta date',
      rows: customers.map((one) => [
        one.code,
        one.name,
        one.name,
        one.vat,
        one.phone,
        one.email,
        'CONT',
        '2020-01-01',
      ]),
    },
    facturasprov: {
      columns:
        '*idfactura integer, codigo, codproveedor, nombre, fecha date, neto numeric, totaliva numeric, total numeric',
      rows: bills.map((one) => [one.id, `P${one.id}`, 'V1', 'Molino', one.date, 10, 2, 12]),
    },
    lineasfacturasprov: {
      columns:
        '*idlinea integer, idfactura integer, referencia, descripcion, cantidad numeric, pvpunitario numeric, pvptotal numeric',
      rows: bills.map((one) => [one.id, one.id, 'X', 'Harina', 1, 10, 10]),
    },
    presupuestoscli: {
      columns: '*idpresupuesto integer, codigo, codcliente, fecha date, total numeric',
      rows: bills
        .slice(0, 6)
        .map((one) => [one.id, `PR${one.id}`, one.customer.code, one.date, one.gross]),
    },
    articulos: {
      columns: '*referencia, descripcion, pvp numeric, codfamilia, stockfis numeric',
      rows: items.map((one) => [one.code, one.name, one.price, 'A', 5]),
    },
  },
  sections: {
    header: { table: 'facturascli', key: 'idfactura', match: 'codigo' },
    lines: {
      table: 'lineasfacturascli',
      key: 'idlinea',
      match: 'idfactura',
      matchFrom: 'idfactura',
    },
    customer: {
      table: 'clientes',
      key: 'codcliente',
      match: 'codcliente',
      matchFrom: 'codcliente',
    },
  },
  fields: {
    number: 'facturascli.codigo',
    issue_date: 'facturascli.fecha',
    due_date: 'facturascli.vencimiento',
    currency: 'facturascli.coddivisa',
    'exchange_rate.rate': 'facturascli.tasaconv',
    'notes[]': 'facturascli.observaciones',
    purchase_order: 'facturascli.numero2',
    buyer_reference: 'facturascli.numero2',
    'payment_means[].code': 'facturascli.codpago!map',
    'totals.net': 'facturascli.neto',
    'totals.lines': 'facturascli.neto',
    'totals.tax': 'facturascli.totaliva',
    'totals.gross': 'facturascli.total',
    'totals.due': 'facturascli.total',
    'buyer.name': 'facturascli.nombrecliente|clientes.nombre|clientes.razonsocial',
    'buyer.trn': 'facturascli.cifnif|clientes.cifnif',
    'buyer.address.line1': 'facturascli.direccion',
    'buyer.address.city': 'facturascli.ciudad',
    'buyer.address.post_code': 'facturascli.codpostal',
    'buyer.address.subdivision': 'facturascli.provincia',
    'buyer.address.country': 'facturascli.codpais',
    'buyer.contact.phone': 'clientes.telefono1',
    'buyer.contact.email': 'clientes.email',
    'lines[].id': 'lineasfacturascli.idlinea|lineasfacturascli.orden',
    'lines[].sku': 'lineasfacturascli.referencia',
    'lines[].name': 'lineasfacturascli.descripcion|articulos.descripcion',
    'lines[].description': 'lineasfacturascli.descripcion|articulos.descripcion',
    'lines[].qty': 'lineasfacturascli.cantidad',
    'lines[].unit_price': 'lineasfacturascli.pvpunitario',
    'lines[].gross_price': 'lineasfacturascli.pvpunitario',
    'lines[].allowances[].percent': 'lineasfacturascli.dtopor',
    'lines[].net': 'lineasfacturascli.pvptotal',
    'lines[].tax.category': 'lineasfacturascli.codimpuesto!map|lineasfacturascli.iva!map',
    'lines[].tax.rate': 'lineasfacturascli.iva',
  },
};

const camel: Layout = {
  name: 'sales-orders',
  isHeldOut: true,
  hasDiscounts: true,
  tables: {
    SalesOrderHeader: {
      columns:
        '*SalesOrderID integer, RevisionNumber integer, OrderDate datetime, DueDate datetime, ShipDate datetime, Status integer, ' +
        'SalesOrderNumber, PurchaseOrderNumber, AccountNumber, CustomerID integer, BillToAddressID integer, ShipToAddressID integer, ' +
        'ShipMethod, SubTotal numeric, TaxAmt numeric, Freight numeric, TotalDue numeric, Comment, rowguid, ModifiedDate datetime',
      rows: bills.map((one) => [
        one.id,
        2,
        `${one.date} 00:00:00`,
        `${one.due} 00:00:00`,
        `${one.date} 00:00:00`,
        5,
        `SO${one.id}`,
        one.order || null,
        '10-4020',
        one.customer.id,
        one.customer.id + 500,
        one.customer.id + 500,
        'CARGO 5',
        one.net,
        one.tax,
        0,
        one.gross,
        null,
        `${one.id}0000-aaaa`,
        `${one.date} 00:00:00`,
      ]),
      foreign: {
        CustomerID: 'Customer.CustomerID',
        BillToAddressID: 'Address.AddressID',
        ShipToAddressID: 'Address.AddressID',
      },
    },
    SalesOrderDetail: {
      columns:
        '*SalesOrderID integer, *SalesOrderDetailID integer, OrderQty integer, ProductID integer, UnitPrice numeric, ' +
        'UnitPriceDiscount numeric, LineTotal numeric, ModifiedDate datetime',
      rows: byLine(bills, (one, line) => [
        one.id,
        line.id,
        line.quantity,
        line.item.id,
        line.price,
        line.discount / 100,
        line.net,
        `${one.date} 00:00:00`,
      ]),
      foreign: { SalesOrderID: 'SalesOrderHeader.SalesOrderID', ProductID: 'Product.ProductID' },
    },
    Customer: {
      columns:
        '*CustomerID integer, Title, FirstName, LastName, CompanyName, SalesPerson, EmailAddress, Phone, ModifiedDate datetime',
      rows: customers.map((one) => [
        one.id,
        'Mr.',
        one.first,
        one.last,
        one.name,
        'x\\pamela0',
        one.email,
        one.phone,
        '2026-01-01 00:00:00',
      ]),
    },
    Address: {
      columns:
        '*AddressID integer, AddressLine1, AddressLine2, City, StateProvince, CountryRegion, PostalCode, ModifiedDate datetime',
      rows: customers.map((one) => [
        one.id + 500,
        one.street,
        null,
        one.city,
        one.state,
        one.country,
        one.zip,
        '2026-01-01 00:00:00',
      ]),
    },
    Product: {
      columns:
        '*ProductID integer, Name, ProductNumber, Color, StandardCost numeric, ListPrice numeric, Size, ProductCategoryID integer',
      rows: items.map((one) => [
        one.id,
        one.name,
        one.code,
        null,
        one.price / 2,
        one.price,
        null,
        1,
      ]),
    },
    ProductCategory: { columns: '*ProductCategoryID integer, Name', rows: [[1, 'Pumps']] },
  },
  sections: {
    header: { table: 'SalesOrderHeader', key: 'SalesOrderID', match: 'SalesOrderNumber' },
    lines: {
      table: 'SalesOrderDetail',
      key: 'SalesOrderDetailID',
      match: 'SalesOrderID',
      matchFrom: 'SalesOrderID',
    },
    customer: {
      table: 'Customer',
      key: 'CustomerID',
      match: 'CustomerID',
      matchFrom: 'CustomerID',
    },
  },
  fields: {
    number: 'SalesOrderHeader.SalesOrderNumber',
    issue_date: 'SalesOrderHeader.OrderDate|SalesOrderHeader.ShipDate',
    due_date: 'SalesOrderHeader.DueDate',
    'delivery.date': 'SalesOrderHeader.ShipDate',
    purchase_order: 'SalesOrderHeader.PurchaseOrderNumber',
    buyer_reference: 'SalesOrderHeader.PurchaseOrderNumber',
    'notes[]': 'SalesOrderHeader.Comment',
    'charges[].amount': 'SalesOrderHeader.Freight',
    'totals.net': 'SalesOrderHeader.SubTotal',
    'totals.lines': 'SalesOrderHeader.SubTotal',
    'totals.tax': 'SalesOrderHeader.TaxAmt',
    'totals.gross': 'SalesOrderHeader.TotalDue',
    'totals.due': 'SalesOrderHeader.TotalDue',
    'buyer.name': 'Customer.CompanyName',
    'buyer.contact.name': 'Customer.FirstName!concat|Customer.LastName!concat',
    'buyer.address.line1': 'Address.AddressLine1',
    'buyer.address.city': 'Address.City',
    'buyer.address.subdivision': 'Address.StateProvince',
    'buyer.address.post_code': 'Address.PostalCode',
    'buyer.address.country': 'Address.CountryRegion!map',
    'buyer.contact.phone': 'Customer.Phone',
    'buyer.contact.email': 'Customer.EmailAddress',
    'lines[].id': 'SalesOrderDetail.SalesOrderDetailID',
    'lines[].sku': 'Product.ProductNumber|SalesOrderDetail.ProductID',
    'lines[].name': 'Product.Name',
    'lines[].description': 'Product.Name',
    'lines[].qty': 'SalesOrderDetail.OrderQty',
    'lines[].unit_price': 'SalesOrderDetail.UnitPrice',
    'lines[].gross_price': 'SalesOrderDetail.UnitPrice',
    'lines[].allowances[].percent': 'SalesOrderDetail.UnitPriceDiscount!multiply',
    'lines[].net': 'SalesOrderDetail.LineTotal',
  },
};

const bpartner: Layout = {
  name: 'partners',
  isHeldOut: true,
  tables: {
    c_invoice: {
      columns:
        '*c_invoice_id integer, ad_client_id integer, issotrx, documentno, docstatus, c_doctype_id integer, dateinvoiced date, ' +
        'dateacct date, c_bpartner_id integer, c_currency_id integer, c_paymentterm_id integer, totallines numeric, grandtotal numeric, ' +
        'poreference, description, ispaid, istaxincluded, created timestamp, updated timestamp',
      rows: invoices
        .filter(({ kind }) => kind === 'invoice')
        .flatMap((one) => [
          [
            one.id,
            11,
            'Y',
            one.number,
            one.isDraft ? 'DR' : 'CO',
            116,
            one.date,
            one.date,
            one.customer.id,
            one.currency === 'USD' ? 100 : 102,
            105,
            one.net,
            one.gross,
            one.order || null,
            null,
            'N',
            'N',
            `${one.date} 08:00:00`,
            `${one.date} 08:00:00`,
          ],
          [
            one.id + 900,
            11,
            'N',
            `V${one.id}`,
            'CO',
            123,
            one.date,
            one.date,
            77,
            102,
            105,
            10,
            12,
            null,
            null,
            'N',
            'N',
            `${one.date} 08:00:00`,
            `${one.date} 08:00:00`,
          ],
        ]),
    },
    c_invoiceline: {
      columns:
        '*c_invoiceline_id integer, c_invoice_id integer, line integer, m_product_id integer, description, qtyinvoiced numeric, ' +
        'pricelist numeric, priceactual numeric, c_uom_id integer, c_tax_id integer, linenetamt numeric, taxamt numeric',
      rows: byLine(
        invoices.filter(({ kind }) => kind === 'invoice'),
        (one, line) => [
          line.id,
          one.id,
          line.position * 10,
          line.item.id,
          null,
          line.quantity,
          line.price,
          Math.round(line.price * (100 - line.discount)) / 100,
          items.findIndex(({ unit }) => unit === line.item.unit) + 1,
          line.item.rate === 0 ? 9 : 8,
          line.net,
          line.tax,
        ],
      ),
    },
    c_bpartner: {
      columns: '*c_bpartner_id integer, value, name, name2, taxid, iscustomer, isvendor',
      rows: [
        ...customers.map((one) => [one.id, one.code, one.name, null, one.vat, 'Y', 'N']),
        [77, 'V77', 'Mill', null, 'GB77', 'N', 'Y'],
      ],
    },
    c_currency: {
      columns: '*c_currency_id integer, iso_code, cursymbol, description',
      rows: [
        [100, 'USD', '$', 'US Dollar'],
        [102, 'EUR', '€', 'Euro'],
      ],
    },
    c_tax: {
      columns: '*c_tax_id integer, name, rate numeric, istaxexempt',
      rows: [
        [8, 'Standard', 20, 'N'],
        [9, 'Zero', 0, 'N'],
      ],
    },
    c_uom: {
      columns: '*c_uom_id integer, x12de355, uomsymbol, name',
      rows: items
        .filter((one, index) => items.findIndex(({ unit }) => unit === one.unit) === index)
        .map((one) => [items.indexOf(one) + 1, one.unit, one.unit, one.unit]),
    },
    c_paymentterm: {
      columns: '*c_paymentterm_id integer, value, name, netdays integer',
      rows: [
        [105, 'N30', '30 Days Net', 30],
        [106, 'IMM', 'Immediate', 0],
      ],
    },
    m_product: {
      columns: '*m_product_id integer, value, name, description, c_uom_id integer, producttype',
      rows: items.map((one) => [
        one.id,
        one.code,
        one.name,
        null,
        items.findIndex(({ unit }) => unit === one.unit) + 1,
        'I',
      ]),
    },
    c_order: {
      columns:
        '*c_order_id integer, documentno, dateordered date, c_bpartner_id integer, grandtotal numeric',
      rows: bills
        .slice(0, 9)
        .map((one) => [one.id, `O${one.id}`, one.date, one.customer.id, one.gross]),
    },
    c_orderline: {
      columns:
        '*c_orderline_id integer, c_order_id integer, line integer, m_product_id integer, qtyordered numeric, priceactual numeric, linenetamt numeric',
      rows: byLine(bills.slice(0, 9), (one, line) => [
        line.id,
        one.id,
        line.position * 10,
        line.item.id,
        line.quantity,
        line.price,
        line.net,
      ]),
    },
  },
  sections: {
    header: {
      table: 'c_invoice',
      key: 'c_invoice_id',
      match: 'documentno',
      where: { docstatus: 'CO', issotrx: 'Y' },
    },
    lines: {
      table: 'c_invoiceline',
      key: 'c_invoiceline_id',
      match: 'c_invoice_id',
      matchFrom: 'c_invoice_id',
    },
    customer: {
      table: 'c_bpartner',
      key: 'c_bpartner_id',
      match: 'c_bpartner_id',
      matchFrom: 'c_bpartner_id',
    },
  },
  fields: {
    number: 'c_invoice.documentno',
    issue_date: 'c_invoice.dateinvoiced|c_invoice.dateacct',
    currency: 'c_currency.iso_code',
    purchase_order: 'c_invoice.poreference',
    buyer_reference: 'c_invoice.poreference',
    'notes[]': 'c_invoice.description',
    'payment_terms[].note': 'c_paymentterm.name',
    'totals.net': 'c_invoice.totallines',
    'totals.lines': 'c_invoice.totallines',
    'totals.gross': 'c_invoice.grandtotal',
    'totals.due': 'c_invoice.grandtotal',
    'buyer.name': 'c_bpartner.name',
    'buyer.trn': 'c_bpartner.taxid',
    'lines[].id': 'c_invoiceline.line|c_invoiceline.c_invoiceline_id',
    'lines[].sku': 'm_product.value|c_invoiceline.m_product_id',
    'lines[].name': 'm_product.name',
    'lines[].description': 'm_product.name|m_product.description|c_invoiceline.description',
    'lines[].qty': 'c_invoiceline.qtyinvoiced',
    'lines[].unit': 'c_uom.uomsymbol!map|c_uom.name!map|c_uom.x12de355!map',
    'lines[].unit_price': 'c_invoiceline.priceactual',
    'lines[].gross_price': 'c_invoiceline.pricelist',
    'lines[].net': 'c_invoiceline.linenetamt',
    'lines[].tax.category': 'c_tax.name!map|c_tax.rate!map',
    'lines[].tax.rate': 'c_tax.rate',
  },
};

const french: Layout = {
  name: 'french',
  isHeldOut: true,
  hasDiscounts: true,
  tables: {
    app_facture: {
      columns:
        '*rowid integer, ref, type integer, fk_soc integer, datec timestamp, datef date, date_lim_reglement date, paye integer, ' +
        'fk_statut integer, total_ht numeric, total_tva numeric, total_ttc numeric, ref_client, note_public, multicurrency_code, fk_user_author integer',
      rows: done.map((one) => [
        one.id,
        one.number,
        one.kind === 'credit' ? 2 : 0,
        one.customer.id,
        `${one.date} 08:00:00`,
        one.date,
        one.due,
        0,
        1,
        (one.kind === 'credit' ? -1 : 1) * one.net,
        (one.kind === 'credit' ? -1 : 1) * one.tax,
        (one.kind === 'credit' ? -1 : 1) * one.gross,
        one.order || null,
        null,
        one.currency,
        1,
      ]),
    },
    app_facturedet: {
      columns:
        '*rowid integer, fk_facture integer, fk_product integer, label, description, qty numeric, subprice numeric, remise_percent numeric, ' +
        'tva_tx numeric, total_ht numeric, total_tva numeric, total_ttc numeric, rang integer, fk_unit integer, buy_price_ht numeric',
      rows: byLine(done, (one, line) => [
        line.id,
        one.id,
        line.item.id,
        null,
        line.item.name,
        line.quantity,
        line.price,
        line.discount,
        line.item.rate,
        line.net,
        line.tax,
        Math.round((line.net + line.tax) * 100) / 100,
        line.position,
        null,
        line.price / 2,
      ]),
    },
    app_societe: {
      columns:
        '*rowid integer, nom, name_alias, code_client, address, zip, town, fk_pays integer, phone, email, siren, tva_intra, client integer, fournisseur integer',
      rows: customers.map((one) => [
        one.id,
        one.name,
        null,
        one.code,
        one.street,
        one.zip,
        one.city,
        customers.findIndex(({ country }) => country === one.country) + 1,
        one.phone,
        one.email,
        `${552000000 + one.id}`,
        one.vat,
        1,
        0,
      ]),
    },
    app_c_country: {
      columns: '*rowid integer, code, code_iso, label',
      rows: customers
        .filter(
          (one, index) => customers.findIndex(({ country }) => country === one.country) === index,
        )
        .map((one) => [customers.indexOf(one) + 1, one.countryCode, null, one.country]),
    },
    app_product: {
      columns: '*rowid integer, ref, label, price numeric, tva_tx numeric',
      rows: items.map((one) => [one.id, one.code, one.name, one.price, one.rate]),
    },
    app_propal: {
      columns:
        '*rowid integer, ref, fk_soc integer, datep date, total_ht numeric, total_ttc numeric',
      rows: bills
        .slice(0, 7)
        .map((one) => [one.id, `PR${one.id}`, one.customer.id, one.date, one.net, one.gross]),
    },
    app_propaldet: {
      columns:
        '*rowid integer, fk_propal integer, fk_product integer, description, qty numeric, subprice numeric, total_ht numeric',
      rows: byLine(bills.slice(0, 7), (one, line) => [
        line.id,
        one.id,
        line.item.id,
        line.item.name,
        line.quantity,
        line.price,
        line.net,
      ]),
    },
    app_facture_fourn: {
      columns:
        '*rowid integer, ref, ref_supplier, fk_soc integer, datef date, total_ht numeric, total_tva numeric, total_ttc numeric',
      rows: bills
        .slice(0, 7)
        .map((one) => [one.id, `F${one.id}`, `S${one.id}`, 3, one.date, 10, 2, 12]),
    },
  },
  sections: {
    header: { table: 'app_facture', key: 'rowid', match: 'ref', where: { type: '0' } },
    lines: { table: 'app_facturedet', key: 'rowid', match: 'fk_facture', matchFrom: 'rowid' },
    customer: { table: 'app_societe', key: 'rowid', match: 'rowid', matchFrom: 'fk_soc' },
  },
  fields: {
    number: 'app_facture.ref',
    issue_date: 'app_facture.datef',
    due_date: 'app_facture.date_lim_reglement',
    currency: 'app_facture.multicurrency_code',
    purchase_order: 'app_facture.ref_client',
    buyer_reference: 'app_facture.ref_client',
    'notes[]': 'app_facture.note_public',
    'totals.net': 'app_facture.total_ht',
    'totals.lines': 'app_facture.total_ht',
    'totals.tax': 'app_facture.total_tva',
    'totals.gross': 'app_facture.total_ttc',
    'totals.due': 'app_facture.total_ttc',
    'buyer.name': 'app_societe.nom',
    'buyer.trn': 'app_societe.tva_intra',
    'buyer.registration_id': 'app_societe.siren',
    'buyer.address.line1': 'app_societe.address',
    'buyer.address.city': 'app_societe.town',
    'buyer.address.post_code': 'app_societe.zip',
    'buyer.address.country': 'app_c_country.code|app_c_country.label!map',
    'buyer.contact.phone': 'app_societe.phone',
    'buyer.contact.email': 'app_societe.email',
    'lines[].id': 'app_facturedet.rang|app_facturedet.rowid',
    'lines[].sku': 'app_product.ref',
    'lines[].name': 'app_facturedet.description|app_product.label|app_facturedet.label',
    'lines[].description': 'app_facturedet.description|app_product.label|app_facturedet.label',
    'lines[].qty': 'app_facturedet.qty',
    'lines[].unit_price': 'app_facturedet.subprice',
    'lines[].gross_price': 'app_facturedet.subprice',
    'lines[].allowances[].percent': 'app_facturedet.remise_percent',
    'lines[].net': 'app_facturedet.total_ht',
    'lines[].tax.category': 'app_facturedet.tva_tx!map',
    'lines[].tax.rate': 'app_facturedet.tva_tx',
  },
};

/** Layouts that were written after the proposals were tuned with the others. */
export const heldOut: readonly Layout[] = [spanish, camel, bpartner, french];
