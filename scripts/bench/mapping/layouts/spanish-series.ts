import type { Layout } from './layout.ts';
import { tableOf } from './tables.ts';
import { byLine, customers, done, type Invoice, invoices, items } from './trade.ts';

const usDollarsForEuro = 1.08;
const round = (value: number) => Math.round(value * 100) / 100;
const isCorrection = ({ kind }: Invoice) => kind === 'credit';
const sign = (one: Invoice) => (isCorrection(one) ? -1 : 1);
const isVoid = ({ id }: Invoice) => id % 19 === 0;
const isAbroad = ({ currency }: Invoice) => currency !== 'EUR';
const rateOf = (one: Invoice) => (isAbroad(one) ? usDollarsForEuro : 1);
const seriesOf = (one: Invoice) => (isCorrection(one) ? 'R' : isAbroad(one) ? 'E' : 'A');
/** Each series counts for itself. */
const numbered = new Map(
  ['A', 'E', 'R'].flatMap((series) =>
    done
      .filter((one) => seriesOf(one) === series)
      .map((one, index) => [one.id, index + 1] as const),
  ),
);
const codeOf = (one: Invoice) => `FAC2026${seriesOf(one)}${numbered.get(one.id) ?? 0}`;
/** The invoice before it of an ordinary series. */
const corrected = (one: Invoice) =>
  done.filter((other) => other.id < one.id && !isCorrection(other)).at(-1)!;
const taxCode = (rate: number) => (rate === 0 ? 'IVA0' : 'IVA20');
const bought = done.slice(0, 15);
const lines = byLine(done, (one, line) => ({ one, line }));
const nations: Readonly<Record<string, readonly [code: string, name: string]>> = {
  DE: ['DEU', 'Alemania'],
  AE: ['ARE', 'Emiratos Árabes Unidos'],
  CH: ['CHE', 'Suiza'],
  ES: ['ESP', 'España'],
  MY: ['MYS', 'Malasia'],
  FR: ['FRA', 'Francia'],
  PT: ['PRT', 'Portugal'],
  GB: ['GBR', 'Reino Unido'],
  SE: ['SWE', 'Suecia'],
};
const nation = (code: string) => nations[code]?.[0] ?? '';
const perRate = done.flatMap((one) =>
  [...new Set(one.lines.map(({ item }) => item.rate))].map((rate) => {
    const of = one.lines.filter(({ item }) => item.rate === rate);
    const net = round(of.reduce((sum, line) => sum + line.net, 0));
    const tax = round((net * rate) / 100);
    return { one, rate, net, tax };
  }),
);

/** Of each rate together. */
const taxOf = (one: Invoice) =>
  round(perRate.filter((each) => each.one === one).reduce((sum, each) => sum + each.tax, 0));
const totalOf = (one: Invoice) => round(one.net + taxOf(one));

/**
 * Spanish names without spaces or marks; a correction is an invoice of another series that tells which it corrects, with
 * amounts below zero, and what is void keeps its number (FacturaScripts 2017).
 */
export const spanishSeries: Layout = {
  name: 'spanish-series',
  isHeldOut: true,
  hasDiscounts: true,
  tables: {
    facturascli: tableOf(
      done,
      {
        'apartado varchar(10)': null,
        'cifnif varchar(30)': ({ customer }) => customer.vat,
        'ciudad varchar(100)': ({ customer }) => customer.city,
        'codagente varchar(10)': '1',
        'codalmacen varchar(4)': 'ALG',
        'codcliente varchar(6)': ({ customer }) => String(customer.id).padStart(6, '0'),
        'coddir integer': ({ customer }) => customer.id * 2,
        'coddivisa varchar(3)': ({ currency }) => currency,
        'codejercicio varchar(4)': '2026',
        'codigo varchar(20)': (one) => codeOf(one),
        'codigorect varchar(20)': (one) => (isCorrection(one) ? codeOf(corrected(one)) : null),
        'codpago varchar(10)': ({ id }) => (id % 4 === 0 ? 'CONT' : 'TRANS'),
        'codpais varchar(20)': ({ customer }) => nation(customer.countryCode),
        'codpostal varchar(10)': ({ customer }) => customer.zip,
        'codserie varchar(2)': (one) => seriesOf(one),
        'direccion varchar(100)': ({ customer }) => customer.street,
        'editable tinyint(1)': 1,
        'fecha date': ({ date }) => date,
        'vencimiento date': ({ due }) => due,
        'femail date': ({ id, date }) => (id % 2 === 0 ? date : null),
        'hora time': ({ id }) => `10:${String(id % 60).padStart(2, '0')}:00`,
        'idasiento integer': ({ id }) => id - 3500,
        'idasientop integer': null,
        '*idfactura integer': ({ id }) => id - 4000,
        'idfacturarect integer': (one) => (isCorrection(one) ? corrected(one).id - 4000 : null),
        'idpagodevol integer, idprovincia integer': null,
        'irpf double': 0,
        'netosindto double': (one) => sign(one) * one.net,
        'neto double': (one) => sign(one) * one.net,
        'nogenerarasiento tinyint(1)': 0,
        'nombrecliente varchar(100)': ({ customer }) => customer.name,
        'numero varchar(12)': ({ id }) => String(numbered.get(id) ?? 0),
        'numero2 varchar(50)': ({ order }) => order,
        observaciones: ({ id }) => (id % 5 === 0 ? 'Entregar por la mañana' : ''),
        'pagada tinyint(1)': ({ id }) => (id % 3 === 0 ? 1 : 0),
        'anulada tinyint(1)': (one) => (isVoid(one) ? 1 : 0),
        'porcomision double': 0,
        'provincia varchar(100)': ({ customer }) => customer.state,
        'recfinanciero double': null,
        'tasaconv double': (one) => rateOf(one),
        'total double': (one) => sign(one) * totalOf(one),
        'totaleuros double': (one) => round((sign(one) * totalOf(one)) / rateOf(one)),
        'totalirpf double': 0,
        'totaliva double': (one) => sign(one) * taxOf(one),
        'totalrecargo double': 0,
        'tpv tinyint(1)': 0,
        'codtrans varchar(8)': null,
        'codigoenv varchar(200)': null,
        'nombreenv varchar(200)': ({ id, customer }) => (id % 6 === 0 ? customer.first : null),
        'apellidosenv varchar(200)': ({ id, customer }) => (id % 6 === 0 ? customer.last : null),
        'apartadoenv varchar(10)': null,
        'direccionenv varchar(100)': ({ id }) => (id % 6 === 0 ? 'Muelle 4' : null),
        'codpostalenv varchar(10)': ({ id, customer }) => (id % 6 === 0 ? customer.zip : null),
        'ciudadenv varchar(100)': ({ id, customer }) => (id % 6 === 0 ? customer.city : null),
        'provinciaenv varchar(100)': ({ id, customer }) => (id % 6 === 0 ? customer.state : null),
        'codpaisenv varchar(20)': ({ id, customer }) =>
          id % 6 === 0 ? nation(customer.countryCode) : null,
        'idimprenta integer': null,
        'numdocs integer': 0,
        'dtopor1 double, dtopor2 double, dtopor3 double, dtopor4 double, dtopor5 double': 0,
      },
      {
        codserie: 'series.codserie',
        codejercicio: 'ejercicios.codejercicio',
        idasiento: 'co_asientos.idasiento',
      },
    ),
    lineasfacturascli: tableOf(
      lines,
      {
        'cantidad double': ({ one, line }) => sign(one) * line.quantity,
        'codimpuesto varchar(10)': ({ line }) => taxCode(line.item.rate),
        descripcion: ({ line }) => line.item.name,
        'dtolineal double': 0,
        'dtopor double': ({ line }) => line.discount,
        'dtopor2 double, dtopor3 double, dtopor4 double': 0,
        'idalbaran integer': ({ one }) => one.id - 3900,
        'idfactura integer': ({ one }) => one.id - 4000,
        '*idlinea integer': ({ line }) => line.id - 90_000,
        'idlineaalbaran integer': ({ line }) => line.id - 89_000,
        'irpf double': 0,
        'iva double': ({ line }) => line.item.rate,
        'porcomision double': 0,
        'pvpsindto double': ({ one, line }) => round(sign(one) * line.quantity * line.price),
        'pvptotal double': ({ one, line }) => sign(one) * line.net,
        'pvpunitario double': ({ line }) => line.price,
        'recargo double': 0,
        'referencia varchar(18)': ({ line }) => line.item.code,
        'codcombinacion varchar(18)': null,
        'orden integer': 0,
        'mostrar_cantidad tinyint(1), mostrar_precio tinyint(1)': 1,
      },
      { idfactura: 'facturascli.idfactura' },
    ),
    lineasivafactcli: tableOf(
      perRate,
      {
        'codimpuesto varchar(10)': ({ rate }) => taxCode(rate),
        'idfactura integer': ({ one }) => one.id - 4000,
        '*idlinea integer': (_row, index) => index + 1,
        'iva double': ({ rate }) => rate,
        'neto double': ({ one, net }) => sign(one) * net,
        'recargo double': 0,
        'totaliva double': ({ one, tax }) => sign(one) * tax,
        'totallinea double': ({ one, net, tax }) => sign(one) * round(net + tax),
        'totalrecargo double': 0,
      },
      { idfactura: 'facturascli.idfactura' },
    ),
    clientes: tableOf(customers, {
      'capitalimpagado double': null,
      'cifnif varchar(30)': ({ vat }) => vat,
      'codagente varchar(10)': '1',
      '*codcliente varchar(6)': ({ id }) => String(id).padStart(6, '0'),
      'codcontacto varchar(6), codcuentadom varchar(6), codcuentarem varchar(6)': null,
      'coddivisa varchar(3)': 'EUR',
      'codedi varchar(17)': null,
      'codgrupo varchar(6)': null,
      'codpago varchar(10)': 'TRANS',
      'codserie varchar(2)': 'A',
      'codsubcuenta varchar(15)': ({ id }) => `43000000${String(id).padStart(2, '0')}`,
      'codtiporappel varchar(10)': null,
      'contacto varchar(100)': ({ first, last }) => `${first} ${last}`,
      'copiasfactura integer': null,
      'debaja tinyint(1)': 0,
      'diaspago varchar(10)': null,
      'email varchar(100)': ({ email }) => email,
      'fax varchar(30)': '',
      'fechabaja date': null,
      'fechaalta date': '2025-02-01',
      'idsubcuenta integer': ({ id }) => id + 300,
      'ivaincluido tinyint(1)': 0,
      'nombre varchar(100)': ({ name }) => name.split(' ')[0] ?? '',
      'razonsocial varchar(100)': ({ name }) => name,
      observaciones: '',
      'recargo tinyint(1)': 0,
      'regimeniva varchar(20)': 'General',
      'riesgoalcanzado double, riesgomax double': 0,
      'telefono1 varchar(30)': ({ phone }) => phone,
      'telefono2 varchar(30)': '',
      'tipoidfiscal varchar(25)': 'NIF',
      'personafisica tinyint(1)': 0,
      'web varchar(250)': '',
      'codproveedor varchar(6), codtarifa varchar(6)': null,
    }),
    dirclientes: tableOf(
      customers.flatMap((one) => [
        { one, id: one.id * 2, street: one.street, isBilling: 1 },
        { one, id: one.id * 2 + 1, street: 'Muelle 4', isBilling: 0 },
      ]),
      {
        'codcliente varchar(6)': ({ one }) => String(one.id).padStart(6, '0'),
        'codpais varchar(20)': ({ one }) => nation(one.countryCode),
        'apartado varchar(10)': '',
        'idprovincia integer': null,
        'provincia varchar(100)': ({ one }) => one.state,
        'ciudad varchar(100)': ({ one }) => one.city,
        'codpostal varchar(10)': ({ one }) => one.zip,
        'direccion varchar(100)': ({ street }) => street,
        'domenvio tinyint(1)': ({ isBilling }) => 1 - isBilling,
        'domfacturacion tinyint(1)': ({ isBilling }) => isBilling,
        'descripcion varchar(100)': ({ isBilling }) => (isBilling === 1 ? 'Principal' : 'Muelle'),
        '*id integer': ({ id }) => id,
        'fecha date': '2025-02-01',
      },
      { codcliente: 'clientes.codcliente' },
    ),
    articulos: tableOf(
      items,
      {
        '*referencia varchar(18)': ({ code }) => code,
        'codfamilia varchar(8)': 'BOMB',
        'codfabricante varchar(8)': null,
        descripcion: ({ name }) => name,
        'pvp double': ({ price }) => price,
        'factualizado date': '2025-12-01',
        'costemedio double, preciocoste double': ({ price }) => price / 2,
        'tipo varchar(10)': null,
        'codimpuesto varchar(10)': ({ rate }) => taxCode(rate),
        'bloqueado tinyint(1)': 0,
        'secompra tinyint(1), sevende tinyint(1)': 1,
        'publico tinyint(1)': 0,
        'equivalencia varchar(25), partnumber varchar(38), codbarras varchar(18)': null,
        'stockfis double': 40,
        'stockmin double, stockmax double': 0,
        'controlstock tinyint(1), nostock tinyint(1), trazabilidad tinyint(1)': 0,
        observaciones: '',
        'codsubcuentacom varchar(15), codsubcuentairpfcom varchar(15)': null,
      },
      { codimpuesto: 'impuestos.codimpuesto', codfamilia: 'familias.codfamilia' },
    ),
    familias: {
      columns: '*codfamilia varchar(8), descripcion, madre',
      rows: [['BOMB', 'Bombas', null]],
    },
    impuestos: {
      columns:
        '*codimpuesto varchar(10), descripcion varchar(50), iva double, recargo double, codsubcuentarep, codsubcuentasop',
      rows: [
        ['IVA0', 'IVA 0%', 0, 0, null, null],
        ['IVA20', 'IVA 20%', 20, 0, null, null],
      ],
    },
    paises: tableOf(Object.entries(nations), {
      '*codpais varchar(20)': ([, [code]]) => code,
      'codiso varchar(2)': ([code]) => code,
      'nombre varchar(100)': ([, [, name]]) => name,
      'validarprov tinyint(1)': null,
      bandera: null,
    }),
    divisas: {
      columns:
        '*coddivisa varchar(3), codiso, descripcion, simbolo, tasaconv double, tasaconv_compra double, fecha date, bandera',
      rows: [
        ['EUR', '978', 'EUROS', '€', 1, 1, null, null],
        ['USD', '840', 'DÓLARES EE.UU.', '$', usDollarsForEuro, usDollarsForEuro, null, null],
      ],
    },
    formaspago: {
      columns:
        '*codpago varchar(10), descripcion, genrecibos, codcuenta, domiciliado tinyint(1), imprimir tinyint(1), vencimiento varchar(20)',
      rows: [
        ['CONT', 'Al contado', 'Pagados', null, 0, 1, '+0day'],
        ['TRANS', 'Transferencia bancaria a 30 días', 'Emitidos', '1', 0, 1, '+1month'],
      ],
    },
    series: {
      columns:
        '*codserie varchar(2), descripcion, siniva tinyint(1), irpf double, codejercicio, numfactura integer',
      rows: [
        ['A', 'SERIE A', 0, 0, null, 1],
        ['E', 'EXPORTACIÓN', 0, 0, null, 1],
        ['R', 'RECTIFICATIVAS', 0, 0, null, 1],
      ],
    },
    ejercicios: {
      columns:
        '*codejercicio varchar(4), nombre, fechainicio date, fechafin date, estado, longsubcuenta integer, plancontable',
      rows: [['2026', '2026', '2026-01-01', '2026-12-31', 'ABIERTO', 10, '08']],
    },
    almacenes: {
      columns:
        '*codalmacen varchar(4), nombre, codpais, provincia, poblacion, codpostal, direccion, telefono',
      rows: [['ALG', 'ALMACEN GENERAL', 'ESP', 'M', 'Madrid', '28013', 'Calle Mar 1', '']],
    },
    agentes: {
      columns:
        '*codagente varchar(10), nombre, apellidos, dnicif, email, telefono, porcomision double',
      rows: [['1', 'Paco', 'Pepe', '00000014Z', 'p@b.example', null, 0]],
    },
    empresa: {
      columns:
        '*id integer, nombre, nombrecorto, cifnif, direccion, ciudad, provincia, codpostal, codpais, telefono, email, coddivisa, codalmacen, codserie, codpago, regimeniva',
      rows: [
        [
          1,
          'Nuestra Empresa S.L.',
          'Nuestra',
          'B00000014',
          'Calle Mar 1',
          'Madrid',
          'M',
          '28013',
          'ESP',
          '91 1',
          'a@b.example',
          'EUR',
          'ALG',
          'A',
          'TRANS',
          'General',
        ],
      ],
    },
    albaranescli: tableOf(invoices, {
      '*idalbaran integer': ({ id }) => id - 3900,
      'cifnif varchar(30)': ({ customer }) => customer.vat,
      'ciudad varchar(100)': ({ customer }) => customer.city,
      'codcliente varchar(6)': ({ customer }) => String(customer.id).padStart(6, '0'),
      'coddivisa varchar(3)': ({ currency }) => currency,
      'codejercicio varchar(4)': '2026',
      'codigo varchar(20)': ({ id }) => `ALB2026A${id - 3900}`,
      'codpago varchar(10)': 'TRANS',
      'codpais varchar(20)': ({ customer }) => nation(customer.countryCode),
      'codserie varchar(2)': 'A',
      'direccion varchar(100)': ({ customer }) => customer.street,
      'fecha date': ({ date }) => date,
      'idfactura integer': ({ id, isDraft }) => (isDraft ? null : id - 4000),
      'neto double': (one) => sign(one) * one.net,
      'nombrecliente varchar(100)': ({ customer }) => customer.name,
      'numero varchar(12)': ({ id }) => String(id - 3900),
      'numero2 varchar(50)': ({ order }) => order,
      'ptefactura tinyint(1)': ({ isDraft }) => (isDraft ? 1 : 0),
      'tasaconv double': (one) => rateOf(one),
      'total double': (one) => sign(one) * one.gross,
      'totaliva double': (one) => sign(one) * one.tax,
    }),
    lineasalbaranescli: tableOf(
      byLine(invoices, (one, line) => ({ one, line })),
      {
        'cantidad double': ({ one, line }) => sign(one) * line.quantity,
        'codimpuesto varchar(10)': ({ line }) => taxCode(line.item.rate),
        descripcion: ({ line }) => line.item.name,
        'dtopor double': ({ line }) => line.discount,
        'idalbaran integer': ({ one }) => one.id - 3900,
        '*idlinea integer': ({ line }) => line.id - 89_000,
        'iva double': ({ line }) => line.item.rate,
        'pvpsindto double': ({ one, line }) => round(sign(one) * line.quantity * line.price),
        'pvptotal double': ({ one, line }) => sign(one) * line.net,
        'pvpunitario double': ({ line }) => line.price,
        'referencia varchar(18)': ({ line }) => line.item.code,
      },
      { idalbaran: 'albaranescli.idalbaran' },
    ),
    presupuestoscli: tableOf(invoices.slice(0, 10), {
      '*idpresupuesto integer': ({ id }) => id - 4000,
      'codigo varchar(20)': ({ id }) => `PRE2026A${id - 4000}`,
      'codcliente varchar(6)': ({ customer }) => String(customer.id).padStart(6, '0'),
      'nombrecliente varchar(100)': ({ customer }) => customer.name,
      'fecha date': ({ date }) => date,
      'finoferta date': ({ due }) => due,
      'neto double': ({ net }) => net,
      'totaliva double': ({ tax }) => tax,
      'total double': ({ gross }) => gross,
      'status integer': 0,
    }),
    facturasprov: tableOf(bought, {
      'cifnif varchar(30)': 'B00000022',
      'codagente varchar(10)': '1',
      'codalmacen varchar(4)': 'ALG',
      'coddivisa varchar(3)': 'EUR',
      'codejercicio varchar(4)': '2026',
      'codigo varchar(20)': ({ id }) => `FAC2026A${id - 4000}C`,
      'codigorect varchar(20)': null,
      'codpago varchar(10)': 'TRANS',
      'codproveedor varchar(6)': '000001',
      'codserie varchar(2)': 'A',
      'editable tinyint(1)': 1,
      'fecha date': ({ date }) => date,
      'hora time': '10:00:00',
      'idasiento integer': ({ id }) => id - 3300,
      '*idfactura integer': ({ id }) => id - 4000,
      'idfacturarect integer': null,
      'irpf double': 0,
      'neto double': ({ net }) => net,
      'nombre varchar(100)': 'Molino S.A.',
      'numero varchar(12)': ({ id }) => String(id - 4000),
      'numproveedor varchar(50)': ({ id }) => `M-${id}`,
      observaciones: '',
      'pagada tinyint(1), anulada tinyint(1)': 0,
      'tasaconv double': 1,
      'total double, totaleuros double': ({ gross }) => gross,
      'totalirpf double, totalrecargo double': 0,
      'totaliva double': ({ tax }) => tax,
    }),
    lineasfacturasprov: tableOf(
      byLine(bought, (one, line) => ({ one, line })),
      {
        'cantidad double': ({ line }) => line.quantity,
        'codimpuesto varchar(10)': ({ line }) => taxCode(line.item.rate),
        descripcion: ({ line }) => line.item.name,
        'dtopor double': 0,
        'idfactura integer': ({ one }) => one.id - 4000,
        '*idlinea integer': ({ line }) => line.id - 90_000,
        'iva double': ({ line }) => line.item.rate,
        'pvpsindto double, pvptotal double': ({ line }) => line.net,
        'pvpunitario double': ({ line }) => line.price,
        'referencia varchar(18)': ({ line }) => line.item.code,
      },
      { idfactura: 'facturasprov.idfactura' },
    ),
    proveedores: {
      columns:
        '*codproveedor varchar(6), nombre, razonsocial, cifnif, telefono1, email, codpago, acreedor tinyint(1)',
      rows: [['000001', 'Molino', 'Molino S.A.', 'B00000022', '', 'm@b.example', 'TRANS', 0]],
    },
    co_asientos: tableOf(done, {
      '*idasiento integer': ({ id }) => id - 3500,
      'codejercicio varchar(4)': '2026',
      concepto: (one) => `Factura de venta ${codeOf(one)} - ${one.customer.name}`,
      documento: (one) => codeOf(one),
      tipodocumento: 'Factura de cliente',
      'fecha date': ({ date }) => date,
      'importe double': (one) => round((sign(one) * totalOf(one)) / rateOf(one)),
      'numero integer': ({ id }) => id - 4000,
      'editable tinyint(1)': 0,
    }),
    stocks: tableOf(items, {
      '*idstock integer': ({ id }) => id,
      'codalmacen varchar(4)': 'ALG',
      'referencia varchar(18)': ({ code }) => code,
      'cantidad double, disponible double': 40,
      'stockmin double, stockmax double': 0,
    }),
    fs_users: {
      columns: '*nick varchar(12), password, codagente, admin tinyint(1), last_login date, last_ip',
      rows: [['admin', 'x', '1', 1, '2026-02-01', '::1']],
    },
    fs_vars: { columns: '*name varchar(35), varchar', rows: [['numlin', '3']] },
  },
  sections: {
    header: {
      table: 'facturascli',
      key: 'idfactura',
      match: 'codigo',
      where: { anulada: '0', idfacturarect: null },
    },
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
    issue_time: 'facturascli.hora',
    due_date: 'facturascli.vencimiento',
    currency: 'facturascli.coddivisa|divisas.coddivisa',
    'exchange_rate.rate': 'facturascli.tasaconv!divide|divisas.tasaconv!divide',
    'notes[]': 'facturascli.observaciones',
    purchase_order: 'facturascli.numero2',
    buyer_reference: 'facturascli.numero2',
    'payment_means[].code':
      'facturascli.codpago!map|formaspago.codpago!map|formaspago.descripcion!map',
    'payment_terms[].note': 'formaspago.descripcion',
    'totals.net': 'facturascli.neto|facturascli.netosindto',
    'totals.lines': 'facturascli.neto|facturascli.netosindto',
    'totals.tax': 'facturascli.totaliva',
    'totals.gross': 'facturascli.total',
    'totals.due': 'facturascli.total',
    'buyer.name': 'facturascli.nombrecliente|clientes.razonsocial',
    'buyer.trn': 'facturascli.cifnif|clientes.cifnif',
    'PINT-MY:buyer.identifiers[].id': 'facturascli.cifnif|clientes.cifnif',
    'buyer.address.line1': 'facturascli.direccion|dirclientes.direccion',
    'buyer.address.city': 'facturascli.ciudad|dirclientes.ciudad',
    'buyer.address.post_code': 'facturascli.codpostal|dirclientes.codpostal',
    'buyer.address.subdivision': 'facturascli.provincia|dirclientes.provincia',
    'buyer.address.country':
      'facturascli.codpais!map|dirclientes.codpais!map|paises.codiso|paises.codpais!map|paises.nombre!map',
    'buyer.contact.name': 'clientes.contacto',
    'buyer.contact.phone': 'clientes.telefono1',
    'buyer.contact.email': 'clientes.email',
    'lines[].id': 'lineasfacturascli.idlinea',
    'lines[].sku': 'lineasfacturascli.referencia|articulos.referencia',
    'lines[].name': 'lineasfacturascli.descripcion|articulos.descripcion',
    'lines[].description': 'lineasfacturascli.descripcion|articulos.descripcion',
    'lines[].qty': 'lineasfacturascli.cantidad',
    'lines[].unit_price': 'lineasfacturascli.pvpunitario',
    'lines[].gross_price': 'lineasfacturascli.pvpunitario',
    'lines[].allowances[].percent': 'lineasfacturascli.dtopor',
    'lines[].net': 'lineasfacturascli.pvptotal',
    'lines[].tax.rate': 'lineasfacturascli.iva|impuestos.iva',
    'lines[].tax.category':
      'lineasfacturascli.codimpuesto!map|lineasfacturascli.iva!map|impuestos.iva!map|impuestos.codimpuesto!map|' +
      'impuestos.descripcion!map|articulos.codimpuesto!map',
  },
};
