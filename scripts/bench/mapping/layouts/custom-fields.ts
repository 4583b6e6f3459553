import type { Layout } from './layout.ts';
import { tableOf } from './tables.ts';
import { byLine, customers, type Invoice, invoices, items } from './trade.ts';

const epoch = (date: string) => Date.parse(`${date}T15:20:00Z`) / 1000;
const key = (id: number) =>
  `7f3c${String(id).padStart(4, '0')}-0b1e-4d2a-9c55-${String(id).padStart(12, '0')}`;
const stateOf = ({ isDraft, id }: Invoice) => (isDraft ? 0 : id % 17 === 0 ? 2 : 1);
const isOf = ({ kind }: Invoice) => (kind === 'credit' ? 3 : 2);

/** A rented service in Spanish: types and states as numbers with tables of names, addresses and fields of one's own as rows. */
export const customFields: Layout = {
  name: 'custom-fields',
  isHeldOut: false,
  hasDiscounts: true,
  tables: {
    comprobantes: tableOf(
      invoices,
      {
        '*id': ({ id }) => key(id),
        'empresa_id integer': 1,
        'tipo_id integer': isOf,
        folio: ({ number }) => number,
        'estado_id integer': stateOf,
        contacto_id: ({ customer }) => `ct-${customer.code}`,
        'emitido_en integer': ({ date }) => epoch(date),
        'vence_en integer': ({ due }) => epoch(due),
        'moneda_id integer': ({ currency }) => (currency === 'USD' ? 840 : 978),
        'tipo_cambio numeric': 1,
        'subtotal numeric': ({ net }) => net,
        'impuestos numeric': ({ tax }) => tax,
        'total numeric': ({ gross }) => gross,
        'saldo numeric': ({ gross }) => gross,
        relacionado_id: ({ kind, id }) => (kind === 'credit' ? key(id - 1) : null),
        'creado_en integer': ({ date }) => epoch(date) + 60,
        'actualizado_en integer': ({ date }) => epoch(date) + 90_000,
      },
      { relacionado_id: 'comprobantes.id' },
    ),
    partidas: {
      columns:
        '*id integer, comprobante_id, orden integer, producto_codigo, concepto, cantidad numeric, unidad, valor_unitario numeric, ' +
        'descuento_pct numeric, importe numeric, tasa_id integer',
      rows: byLine(invoices, (one, line) => [
        line.id,
        key(one.id),
        line.position,
        line.item.code,
        line.item.name,
        line.quantity,
        line.item.unit,
        line.price,
        line.discount,
        line.net,
        line.item.rate === 0 ? 1 : 2,
      ]),
      foreign: { comprobante_id: 'comprobantes.id' },
    },
    tipos_comprobante: {
      columns: '*id integer, nombre, clave',
      rows: [
        [1, 'Cotización', 'COT'],
        [2, 'Factura', 'FAC'],
        [3, 'Nota de crédito', 'NCR'],
      ],
    },
    estados_comprobante: {
      columns: '*id integer, nombre',
      rows: [
        [0, 'Borrador'],
        [1, 'Emitido'],
        [2, 'Anulado'],
      ],
    },
    contactos: tableOf([...customers, { ...customers[0]!, code: 'P1', name: 'Harinas SA' }], {
      '*id': ({ code }) => `ct-${code}`,
      'empresa_id integer': 1,
      razon_social: ({ name }) => name,
      'es_cliente integer': ({ code }) => (code === 'P1' ? 0 : 1),
      'es_proveedor integer': ({ code }) => (code === 'P1' ? 1 : 0),
      correo: ({ email }) => email,
      telefono: ({ phone }) => phone,
      'creado_en integer': epoch('2025-02-03'),
    }),
    direcciones: tableOf(
      customers.flatMap((one) => [
        { one, type: 'fiscal' },
        { one, type: 'envio' },
      ]),
      {
        '*id integer': (_, index) => index + 1,
        entidad_tipo: 'contacto',
        entidad_id: ({ one }) => `ct-${one.code}`,
        tipo: ({ type }) => type,
        calle: ({ one, type }) => (type === 'fiscal' ? one.street : 'Bodega 4'),
        ciudad: ({ one }) => one.city,
        estado: ({ one }) => one.state,
        codigo_postal: ({ one }) => one.zip,
        pais_codigo: ({ one }) => one.countryCode,
      },
    ),
    campos: {
      columns: '*id integer, entidad, clave, etiqueta, tipo_dato',
      rows: [
        [1, 'contacto', 'nit', 'NIT / RFC', 'texto'],
        [2, 'contacto', 'segmento', 'Segmento', 'lista'],
        [3, 'comprobante', 'orden_compra', 'Orden de compra', 'texto'],
      ],
    },
    campo_valores: tableOf(
      [
        ...customers.flatMap((one) => [
          { field: 1, entity: `ct-${one.code}`, value: one.vat },
          { field: 2, entity: `ct-${one.code}`, value: one.id % 2 === 0 ? 'Oro' : 'Plata' },
        ]),
        ...invoices
          .filter(({ order }) => order !== '')
          .map((one) => ({ field: 3, entity: key(one.id), value: one.order })),
      ],
      {
        '*id integer': (_, index) => index + 1,
        'campo_id integer': ({ field }) => field,
        entidad_id: ({ entity }) => entity,
        valor: ({ value }) => value,
      },
      { campo_id: 'campos.id' },
    ),
    monedas: {
      columns: '*id integer, codigo, nombre, simbolo',
      rows: [
        [840, 'USD', 'Dólar', '$'],
        [978, 'EUR', 'Euro', '€'],
      ],
    },
    tasas: {
      columns: '*id integer, nombre, porcentaje numeric',
      rows: [
        [1, 'Exento', 0],
        [2, 'IVA general', 20],
      ],
    },
    productos: tableOf(items, {
      '*id integer': ({ id }) => id,
      codigo: ({ code }) => code,
      nombre: ({ name }) => name,
      'precio numeric': ({ price }) => price,
      unidad: ({ unit }) => unit,
      'activo integer': 1,
    }),
    cobros: tableOf(invoices.slice(0, 15), {
      '*id integer': (_, index) => index + 1,
      comprobante_id: ({ id }) => key(id),
      'fecha integer': ({ due }) => epoch(due),
      'monto numeric': ({ gross }) => gross,
    }),
  },
  sections: {
    header: {
      table: 'comprobantes',
      key: 'id',
      match: 'folio',
      where: { tipo_id: '2', estado_id: '1' },
    },
    lines: { table: 'partidas', key: 'id', match: 'comprobante_id', matchFrom: 'id' },
    customer: { table: 'contactos', key: 'id', match: 'id', matchFrom: 'contacto_id' },
  },
  fields: {
    number: 'comprobantes.folio',
    issue_date: 'comprobantes.emitido_en!date|comprobantes.creado_en!date',
    due_date: 'comprobantes.vence_en!date',
    currency: 'monedas.codigo|comprobantes.moneda_id!map',
    'exchange_rate.rate': 'comprobantes.tipo_cambio',
    purchase_order: 'campo_valores.valor',
    buyer_reference: 'campo_valores.valor',
    'totals.net': 'comprobantes.subtotal',
    'totals.lines': 'comprobantes.subtotal',
    'totals.tax': 'comprobantes.impuestos',
    'totals.gross': 'comprobantes.total',
    'totals.due': 'comprobantes.saldo|comprobantes.total',
    'buyer.name': 'contactos.razon_social',
    'buyer.trn': 'campo_valores.valor',
    'buyer.address.line1': 'direcciones.calle',
    'buyer.address.city': 'direcciones.ciudad',
    'buyer.address.subdivision': 'direcciones.estado',
    'buyer.address.post_code': 'direcciones.codigo_postal',
    'buyer.address.country': 'direcciones.pais_codigo',
    'buyer.contact.phone': 'contactos.telefono',
    'buyer.contact.email': 'contactos.correo',
    'lines[].id': 'partidas.id|partidas.orden',
    'lines[].sku': 'partidas.producto_codigo|productos.codigo',
    'lines[].name': 'partidas.concepto|productos.nombre',
    'lines[].description': 'partidas.concepto|productos.nombre',
    'lines[].qty': 'partidas.cantidad',
    'lines[].unit': 'partidas.unidad!map|productos.unidad!map',
    'lines[].unit_price': 'partidas.valor_unitario',
    'lines[].gross_price': 'partidas.valor_unitario',
    'lines[].allowances[].percent': 'partidas.descuento_pct',
    'lines[].net': 'partidas.importe',
    'lines[].tax.rate': 'tasas.porcentaje',
    'lines[].tax.category': 'tasas.porcentaje!map|tasas.nombre!map|partidas.tasa_id!map',
  },
};
