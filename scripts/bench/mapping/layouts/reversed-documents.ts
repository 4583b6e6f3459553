import { cents, total } from './enterprise-trade.ts';
import { hexKey } from './hex-keys.ts';
import type { Layout, LayoutTable } from './layout.ts';
import { at, midnight, tableOf } from './tables.ts';

/** Keys of the firm's own rows; those that come with the system are short numbers. */
const key = (table: string, row: number | string) =>
  hexKey(`openbravo ${table}`, row).toUpperCase();
const daysAfter = (date: string, days: number) =>
  new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);

const client = key('client', 1);
const org = key('org', 1);
const clerk = key('user', 'clerk');
const owned = {
  'ad_client_id varchar(32)': client,
  'ad_org_id varchar(32)': org,
  'isactive char(1)': 'Y',
  'created timestamp': at('2025-10-01', '09:02:11'),
  'createdby varchar(32)': clerk,
  'updated timestamp': at('2026-04-30', '18:40:55'),
  'updatedby varchar(32)': clerk,
} as const;
const shipped = {
  ...owned,
  'ad_client_id varchar(32)': '0',
  'ad_org_id varchar(32)': '0',
  'createdby varchar(32)': '0',
  'updatedby varchar(32)': '0',
} as const;
/** Of each row with an owner. */
const owners = { ad_client_id: 'ad_client.ad_client_id', ad_org_id: 'ad_org.ad_org_id' } as const;

const types = [
  { id: 'ARI', name: 'AR Invoice', print: 'Factura', base: 'ARI', isSale: 'Y', isReversal: 'N' },
  {
    id: 'ARIR',
    name: 'Reversed Sales Invoice',
    print: 'Factura anulada',
    base: 'ARI',
    isSale: 'Y',
    isReversal: 'Y',
  },
  {
    id: 'ARC',
    name: 'AR Credit Memo',
    print: 'Factura rectificativa',
    base: 'ARC',
    isSale: 'Y',
    isReversal: 'N',
  },
  {
    id: 'API',
    name: 'AP Invoice',
    print: 'Factura de proveedor',
    base: 'API',
    isSale: 'N',
    isReversal: 'N',
  },
  {
    id: 'APC',
    name: 'AP CreditMemo',
    print: 'Abono de proveedor',
    base: 'APC',
    isSale: 'N',
    isReversal: 'N',
  },
  { id: 'SOO', name: 'Standard Order', print: 'Pedido', base: 'SOO', isSale: 'Y', isReversal: 'N' },
  { id: 'ARR', name: 'AR Receipt', print: 'Cobro', base: 'ARR', isSale: 'Y', isReversal: 'N' },
  { id: 'APP', name: 'AP Payment', print: 'Pago', base: 'APP', isSale: 'N', isReversal: 'N' },
] as const;
type TypeId = (typeof types)[number]['id'];
const typeKey = (id: TypeId) => key('doctype', id);

interface Partner {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  readonly shop: string | null;
  readonly isVendor: boolean;
  readonly taxNumber: string | null;
  readonly street: string;
  readonly street2: string | null;
  readonly city: string;
  readonly zip: string;
  readonly province: string | null;
  readonly country: string;
  readonly phone: string | null;
  readonly first: string;
  readonly last: string;
  readonly email: string | null;
  readonly term: number;
  readonly currency: string;
}
/** Code; name; name of the shop; C or V; tax number; street; more of it; town; code; province; country; phone; person; e-mail; days. */
const partners: readonly Partner[] =
  `C0101;Ultramarinos La Giralda, S.L.;;C;B41772093;Calle Feria 88;;Sevilla;41002;Sevilla;ES;954 38 21 70;Rocío Vázquez;compras@lagiralda.example;30
C0104;Hostelería Sierra Blanca, S.A.;Hotel Sierra Blanca;C;A29430187;Avenida Ricardo Soriano 12;Planta 1;Marbella;29601;Málaga;ES;952 77 40 15;Ignacio Prados;administracion@sierrablanca.example;60
C0107;Antonia Robles Cano;Casa Antonia;C;25961403K;Plaza de la Constitución 4;;Úbeda;23400;Jaén;ES;;Antonia Robles;;0
C0112;Cooperativa Gourmet del Norte, S. Coop.;;C;F48221906;Polígono Ugaldeguren 2, nave 7;;Zamudio;48170;Bizkaia;ES;94 452 18 66;Jon Etxeberria;facturas@gourmetnorte.example;30
C0118;Mercearia Ribeirinha, Lda.;;C;PT503118274;Rua de Belomonte 31;;Porto;4050-097;;PT;+351 22 200 4718;Teresa Fontes;geral@ribeirinha.example;30
C0121;Épicerie du Vieux Lyon SARL;;C;FR76498210335;18 rue Saint-Jean;;Lyon;69005;;FR;+33 4 78 37 60 21;Hugo Perrin;contact@vieuxlyon.example;30
C0125;Atlas Fine Foods SARL;;C;;12 rue Ibn Batouta;Quartier Gauthier;Casablanca;20060;;MA;+212 522 27 41 08;Salma Idrissi;achats@atlasfine.example;60
C0130;Hudson Olive Importers Inc.;;C;;410 Washington Street;Suite 2B;New York;10013;;US;+1 212 555 0162;Erin Walsh;ap@hudsonolive.example;60
C0133;Colegio Virgen de la Cabeza;;C;G23114508;Calle Baños 2;;Andújar;23740;Jaén;ES;953 50 11 92;Pilar Soto;secretaria@vcabeza.example;60
V0201;Vidrios y Envases de Linares, S.L.;;V;B23087715;Carretera de Baños km 2;;Linares;23700;Jaén;ES;953 69 30 41;Luis Hervás;ventas@vidrioslinares.example;60
V0204;Transportes Guadalquivir, S.A.;;V;A14205531;Calle Ingeniero Torres Quevedo 9;;Córdoba;14013;Córdoba;ES;957 29 88 10;Marta Cano;;30`
    .split('\n')
    .map((row, index) => {
      const cells = row.split(';');
      const at = (place: number) => cells[place] ?? '';
      const [first = '', ...last] = at(12).split(' ');
      return {
        id: index + 1,
        code: at(0),
        name: at(1),
        shop: at(2) || null,
        isVendor: at(3) === 'V',
        taxNumber: at(4) || null,
        street: at(5),
        street2: at(6) || null,
        city: at(7),
        zip: at(8),
        province: at(9) || null,
        country: at(10),
        phone: at(11) || null,
        first,
        last: last.join(' '),
        email: at(13) || null,
        term: Number(at(14)),
        currency: at(10) === 'US' ? 'USD' : 'EUR',
      };
    });
const partnerOf = (code: string) => partners.find((each) => each.code === code)!;

const countries = [
  { id: '100', code: 'US', name: 'United States' },
  { id: '102', code: 'FR', name: 'France' },
  { id: '106', code: 'ES', name: 'Spain' },
  { id: '245', code: 'MA', name: 'Morocco' },
  { id: '272', code: 'PT', name: 'Portugal' },
];
const countryId = (code: string) => countries.find((each) => each.code === code)!.id;
const provinces = ['Sevilla', 'Málaga', 'Jaén', 'Bizkaia', 'Córdoba'];
const currencies: Readonly<Record<string, string>> = { EUR: '102', USD: '100' };
/** What a dollar is worth. */
const dollar = 0.921;

interface Product {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  readonly text: string | null;
  readonly unit: string;
  readonly rate: number;
  readonly price: number;
  readonly cost: number;
  readonly isService: boolean;
}
const products: readonly Product[] =
  `AOVE-500;Aceite de oliva virgen extra 500 ml;Picual, cosecha temprana;EA;4;9.6;5.2
AOVE-5L;Aceite de oliva virgen extra 5 l;Garrafa PET;EA;4;48.75;29.3
ACT-MZN;Aceituna manzanilla 1 kg;En salmuera;KG;10;6.35;3.1
ACT-GOR;Aceituna gordal 1 kg;Aliñada;KG;10;8.9;4.6
PAT-OLV;Paté de aceituna negra 140 g;;EA;10;3.45;1.7
JAB-OLV;Jabón de aceite de oliva;Pastilla de 100 g;EA;21;4.2;1.55
EST-REG;Estuche de regalo tres aceites;Con corcho y folleto;EA;21;32.5;17.9
CAT-GRP;Cata guiada para grupos;Precio por hora;HR;21;75;30
PRT-TRA;Portes;;EA;21;18;14`
    .split('\n')
    .map((row, index) => {
      const [code = '', name = '', text = '', unit = '', rate = '', ...rest] = row.split(';');
      const [price = '', cost = ''] = rest;
      return {
        id: index + 1,
        code,
        name,
        text: text || null,
        unit,
        rate: Number(rate),
        price: Number(price),
        cost: Number(cost),
        isService: unit === 'HR' || code === 'PRT-TRA',
      };
    });
const productOf = (code: string) => products.find((each) => each.code === code)!;
const units = [
  { id: '100', code: 'EA', name: 'Unit', symbol: 'Ea', isShipped: true },
  { id: '101', code: 'HR', name: 'Hour', symbol: 'h', isShipped: true },
  { id: key('uom', 'KG'), code: 'KG', name: 'Kilogram', symbol: 'kg', isShipped: false },
];
const unitId = (code: string) => units.find((each) => each.code === code)!.id;

/** Code; name; percent; S for sales, P for purchases; category of the product. */
const taxes = `V21;Entregas IVA 21%;21;S;21
V10;Entregas IVA 10%;10;S;10
V04;Entregas IVA 4%;4;S;4
INT;Entregas intracomunitarias;0;S;21
EXP;Exportaciones;0;S;21
C21;Adquisiciones IVA 21%;21;P;21
C10;Adquisiciones IVA 10%;10;P;10`
  .split('\n')
  .map((row, index) => {
    const [code = '', name = '', rate = '', use = '', category = ''] = row.split(';');
    return {
      id: key('tax', code),
      code,
      name,
      rate: Number(rate),
      use,
      category: Number(category),
      line: (index + 1) * 10,
    };
  });
type Tax = (typeof taxes)[number];
const taxOf = (code: string) => taxes.find((each) => each.code === code)!;
function taxFor({ country, isVendor }: Partner, { rate }: Product): Tax {
  if (isVendor) return taxOf('C21');
  if (country === 'ES') return taxOf(rate === 21 ? 'V21' : rate === 10 ? 'V10' : 'V04');
  return taxOf(country === 'PT' || country === 'FR' ? 'INT' : 'EXP');
}

interface PlainLine {
  readonly product: Product;
  readonly text: string | null;
  readonly quantity: number;
  /** Before an offer, and after it. */
  readonly list: number;
  readonly price: number;
  readonly net: number;
  readonly taxed: Tax;
}
interface Line extends PlainLine {
  readonly tax: number;
}
/** Percent that an offer takes off. */
const offer = 10;
/** Base and tax of each kind of tax, which is rounded for all its lines together. */
function byTax(lines: readonly PlainLine[]) {
  return [...new Set(lines.map(({ taxed }) => taxed))].map((taxed) => {
    const base = total(lines.filter((line) => line.taxed === taxed).map(({ net }) => net));
    return { taxed, base, tax: cents((base * taxed.rate) / 100) };
  });
}
/** `product:quantity`, and with `:o` on offer, with `:p2.50` at another price. */
function linesOf(texts: string, partner: Partner, sign: number): readonly Line[] {
  const lines = texts.split(',').map((text): PlainLine => {
    const [code = '', many = '', special = ''] = text.split(':');
    const product = productOf(code);
    const quantity = sign * Number(many);
    const usual = partner.isVendor ? product.cost : product.price;
    const own = special.startsWith('p') ? Number(special.slice(1)) : usual;
    const list = partner.currency === 'USD' ? cents(own / dollar) : own;
    const price = special === 'o' ? cents(list * (1 - offer / 100)) : list;
    return {
      product,
      text: product.code === 'CAT-GRP' ? 'Grupo de 12 personas' : null,
      quantity,
      list,
      price,
      net: cents(quantity * price),
      taxed: taxFor(partner, product),
    };
  });
  const plain = ({ net, taxed }: PlainLine) => cents((net * taxed.rate) / 100);
  return lines.map((line) => {
    const same = lines.filter(({ taxed }) => taxed === line.taxed);
    if (same.at(-1) !== line) return { ...line, tax: plain(line) };
    const { tax } = byTax(same)[0]!;
    return { ...line, tax: cents(tax - total(same.slice(0, -1).map(plain))) };
  });
}

type Status = 'DR' | 'CO' | 'VO';
/** Type; state; day; partner; their order or number; an order before it; lines; note; day of accounting, if another. */
const documents = `ARI;CO;2026-01-12;C0101;P-2291;o;AOVE-500:48,ACT-MZN:20;
API;CO;2026-01-14;V0201;FV26/0118;;EST-REG:100:p6.4;
ARI;CO;2026-01-15;C0104;;o;AOVE-5L:16:o,PAT-OLV:60,JAB-OLV:40;Entregar por la puerta de servicio
ARI;CO;2026-01-21;C0107;;;AOVE-500:6,JAB-OLV:3;
ARI;CO;2026-01-26;C0118;ENC 14/26;o;AOVE-500:120:o,AOVE-5L:10;
ARI;CO;2026-01-30;C0112;4410-A;o;ACT-GOR:36,ACT-MZN:36,PAT-OLV:96:o,PRT-TRA:1;
ARI;VO;2026-02-03;C0101;P-2310;;AOVE-500:84;
ARIR;VO;2026-02-03;C0101;P-2310;;AOVE-500:84;
ARI;CO;2026-02-04;C0101;P-2310;o;AOVE-500:48,EST-REG:12;
ARC;CO;2026-02-06;C0104;;;PAT-OLV:4;Tarros rotos
ARI;CO;2026-02-11;C0121;CDE-0188;o;AOVE-500:60,ACT-GOR:24,JAB-OLV:48;
API;CO;2026-02-13;V0204;A-2026-77;;PRT-TRA:22:p14.5;;2026-02-28
ARI;CO;2026-02-17;C0130;HO-55120;o;AOVE-500:480,AOVE-5L:80,PAT-OLV:240;FOB Algeciras
ARI;CO;2026-02-24;C0133;;;CAT-GRP:3,AOVE-500:10;
ARI;CO;2026-02-27;C0125;BC/2026/041;o;AOVE-5L:24,ACT-MZN:120;
ARC;CO;2026-03-03;C0121;CDE-0188;;ACT-GOR:2,JAB-OLV:1;
ARI;CO;2026-03-06;C0112;4433-A;o;AOVE-500:36,ACT-GOR:12:p8.5,PRT-TRA:1;
API;CO;2026-03-10;V0201;FV26/0207;;EST-REG:60:p6.4,PRT-TRA:1;
ARI;CO;2026-03-12;C0104;;;CAT-GRP:2,EST-REG:8:o;;2026-03-31
ARI;CO;2026-03-18;C0107;;;AOVE-5L:2,ACT-GOR:3,PAT-OLV:5,JAB-OLV:2;
APC;CO;2026-03-20;V0201;AB26/0011;;EST-REG:4:p6.4;
ARI;CO;2026-03-25;C0118;ENC 39/26;o;AOVE-500:96:o,ACT-MZN:48;
ARI;CO;2026-03-31;C0130;HO-55187;o;AOVE-500:600:o,EST-REG:30;FOB Algeciras
ARC;CO;2026-04-07;C0112;4433-A;;ACT-GOR:1:p8.5;
ARI;CO;2026-04-10;C0101;P-2377;o;AOVE-500:36,AOVE-5L:6,ACT-MZN:15;
ARI;CO;2026-04-16;C0121;CDE-0243;o;AOVE-500:72,PAT-OLV:72;
API;CO;2026-04-20;V0204;A-2026-131;;PRT-TRA:17:p14.5;
ARI;DR;2026-04-28;C0133;;;EST-REG:25;
ARI;DR;2026-04-29;C0125;;;AOVE-5L:30;
API;DR;2026-04-30;V0201;;;EST-REG:40:p6.4;`
  .split('\n')
  .map((row, index) => {
    const [type = '', status = '', date = '', code = '', theirs = '', ordered = '', ...rest] =
      row.split(';');
    const [texts = '', note = '', accounted = ''] = rest;
    const partner = partnerOf(code);
    const isReversal = type === 'ARIR';
    const lines = linesOf(texts, partner, isReversal ? -1 : 1);
    const net = total(lines.map((line) => line.net));
    const tax = total(lines.map((line) => line.tax));
    return {
      index,
      id: key('invoice', index + 1),
      type: type as TypeId,
      status: status as Status,
      isSale: !partner.isVendor,
      isReversal,
      isCredit: type === 'ARC' || type === 'APC',
      isDone: status === 'CO',
      date,
      due: daysAfter(date, partner.term),
      accounted: accounted || date,
      partner,
      theirs: theirs || null,
      hasOrder: ordered === 'o',
      lines,
      note: note || null,
      net,
      tax,
      gross: cents(net + tax),
      isPaid: status === 'VO' || (status === 'CO' && index % 3 !== 1 && index < 20),
    };
  });
type Document = (typeof documents)[number];
const prefixes: Readonly<Record<string, string>> = {
  ARI: 'F26/',
  ARIR: 'FA26/',
  ARC: 'R26/',
  API: '100',
  APC: '110',
};
const numberOf = ({ type, index }: Document) => {
  const nth = documents.slice(0, index + 1).filter((each) => each.type === type).length;
  return `${prefixes[type]}${String(nth).padStart(4, '0')}`;
};
const lines = documents.flatMap((one) =>
  one.lines.map((line, place) => ({
    one,
    line,
    place: place + 1,
    id: key('invoice line', `${one.index} ${place}`),
  })),
);
const invoiceTaxes = documents.flatMap((one) =>
  byTax(one.lines).map((each, place) => ({ one, ...each, place: place + 1 })),
);
const ordered = documents.filter(({ hasOrder }) => hasOrder);
const orderId = ({ index }: Document) => key('order', index);
const orderLineId = ({ index }: Document, place: number) => key('order line', `${index} ${place}`);
/** A credit note lessens what is owed. */
const owed = ({ isCredit, gross }: Document) => (isCredit ? -gross : gross);
const termId = ({ term }: Partner) => key('payment term', term);
const methodId = ({ code }: Partner) => key('payment method', code === 'C0107' ? 2 : 1);
const listId = ({ isVendor, currency }: Partner) =>
  key('price list', isVendor ? 'purchase' : currency);
const locationId = ({ id }: Partner) => key('location', id);
const partnerId = ({ id }: Partner) => key('partner', id);
const placeId = ({ id }: Partner) => key('partner location', id);
const contactId = ({ id }: Partner) => key('user', id);

const invoicing: Readonly<Record<string, LayoutTable>> = {
  c_invoice: tableOf(
    documents,
    {
      '*c_invoice_id varchar(32)': ({ id }) => id,
      ...owned,
      'issotrx char(1)': ({ isSale }) => (isSale ? 'Y' : 'N'),
      'documentno varchar(30)': numberOf,
      'docstatus varchar(60)': ({ status }) => status,
      'docaction varchar(60)': ({ status }) =>
        status === 'DR' ? 'CO' : status === 'CO' ? 'RE' : '--',
      'processing char(1)': 'N',
      'processed char(1)': ({ status }) => (status === 'DR' ? 'N' : 'Y'),
      'posted varchar(60)': ({ status }) => (status === 'DR' ? 'N' : 'Y'),
      'c_doctype_id varchar(32)': ({ status, type }) => (status === 'DR' ? '0' : typeKey(type)),
      'c_doctypetarget_id varchar(32)': ({ type }) => typeKey(type),
      'c_order_id varchar(32)': (one) => (one.hasOrder ? orderId(one) : null),
      'description varchar(255)': ({ note }) => note,
      'isprinted char(1)': 'N',
      'salesrep_id varchar(32)': ({ isSale }) => (isSale ? clerk : null),
      'dateinvoiced timestamp': ({ date }) => midnight(date),
      'dateprinted timestamp': null,
      'dateacct timestamp': ({ accounted }) => midnight(accounted),
      'c_bpartner_id varchar(32)': ({ partner }) => partnerId(partner),
      'c_bpartner_location_id varchar(32)': ({ partner }) => placeId(partner),
      'poreference varchar(20)': ({ theirs }) => theirs,
      'isdiscountprinted char(1)': 'N',
      'dateordered timestamp': ({ hasOrder, date }) =>
        hasOrder ? midnight(daysAfter(date, -3)) : null,
      'c_currency_id varchar(32)': ({ partner }) => currencies[partner.currency]!,
      'paymentrule varchar(60)': 'P',
      'c_paymentterm_id varchar(32)': ({ partner }) => termId(partner),
      'c_charge_id varchar(32)': null,
      'chargeamt numeric': 0,
      'totallines numeric': ({ net }) => net,
      'grandtotal numeric': ({ gross }) => gross,
      'm_pricelist_id varchar(32)': ({ partner }) => listId(partner),
      'istaxincluded char(1)': 'N',
      'c_campaign_id varchar(32), c_project_id varchar(32), c_activity_id varchar(32)': null,
      'createfrom char(1), generateto char(1)': 'N',
      'ad_user_id varchar(32)': ({ partner }) => contactId(partner),
      'copyfrom char(1)': null,
      'isselfservice char(1)': 'N',
      'ad_orgtrx_id varchar(32), user1_id varchar(32), user2_id varchar(32)': null,
      'withholdingamount numeric': 0,
      'taxdate timestamp': ({ status, date }) => (status === 'DR' ? null : midnight(date)),
      'c_withholding_id varchar(32)': null,
      'ispaid char(1)': ({ isPaid }) => (isPaid ? 'Y' : 'N'),
      'totalpaid numeric': (one) => (one.isPaid ? owed(one) : 0),
      'outstandingamt numeric': (one) => (one.isPaid || !one.isDone ? 0 : owed(one)),
      'daystilldue numeric': 0,
      'dueamt numeric': 0,
      'lastcalculatedondate timestamp': at('2026-04-30', '18:40:55'),
      'updatepaymentmonitor char(1)': 'N',
      'fin_paymentmethod_id varchar(32)': ({ partner }) => methodId(partner),
      'fin_payment_priority_id varchar(32)': null,
      'finalsettlement timestamp': ({ isPaid, isDone, due }) =>
        isPaid && isDone ? midnight(due) : null,
      'daysoutstanding numeric, percentageoverdue numeric': 0,
      'c_costcenter_id varchar(32), a_asset_id varchar(32)': null,
      'calculate_promotions char(1)': 'N',
      'prepaymentamt numeric': 0,
      'em_aprm_addpayment char(1), em_aprm_processinvoice char(1)': null,
    },
    {
      ...owners,
      c_doctype_id: 'c_doctype.c_doctype_id',
      c_doctypetarget_id: 'c_doctype.c_doctype_id',
      c_order_id: 'c_order.c_order_id',
      salesrep_id: 'ad_user.ad_user_id',
      c_bpartner_id: 'c_bpartner.c_bpartner_id',
      c_bpartner_location_id: 'c_bpartner_location.c_bpartner_location_id',
      c_currency_id: 'c_currency.c_currency_id',
      c_paymentterm_id: 'c_paymentterm.c_paymentterm_id',
      m_pricelist_id: 'm_pricelist.m_pricelist_id',
      ad_user_id: 'ad_user.ad_user_id',
      fin_paymentmethod_id: 'fin_paymentmethod.fin_paymentmethod_id',
    },
  ),
  c_invoiceline: tableOf(
    lines,
    {
      '*c_invoiceline_id varchar(32)': ({ id }) => id,
      ...owned,
      'c_invoice_id varchar(32)': ({ one }) => one.id,
      'c_orderline_id varchar(32)': ({ one, place }) =>
        one.hasOrder ? orderLineId(one, place) : null,
      'm_inoutline_id varchar(32)': null,
      'line numeric': ({ place }) => place * 10,
      'description varchar(2000)': ({ line }) => line.text,
      'financial_invoice_line char(1)': 'N',
      'account_id varchar(32)': null,
      'm_product_id varchar(32)': ({ line }) => key('product', line.product.id),
      'qtyinvoiced numeric': ({ line }) => line.quantity,
      'pricelist numeric': ({ line }) => line.list,
      'priceactual numeric': ({ line }) => line.price,
      'pricelimit numeric': 0,
      'linenetamt numeric': ({ line }) => line.net,
      'c_charge_id varchar(32)': null,
      'chargeamt numeric': 0,
      'c_uom_id varchar(32)': ({ line }) => unitId(line.product.unit),
      'c_tax_id varchar(32)': ({ line }) => line.taxed.id,
      's_resourceassignment_id varchar(32)': null,
      'taxamt numeric': 0,
      'm_attributesetinstance_id varchar(32)': null,
      'isdescription char(1)': 'N',
      'quantityorder numeric, m_product_uom_id varchar(32)': null,
      'c_invoice_discount_id varchar(32), c_projectline_id varchar(32)': null,
      'm_offer_id varchar(32)': null,
      'pricestd numeric': ({ line }) => line.list,
      'excludeforwithholding char(1), iseditlinenetamt char(1)': 'N',
      'taxbaseamt numeric': ({ line }) => line.net,
      'line_gross_amount numeric, gross_unit_price numeric': 0,
      'grosspricelist numeric, grosspricestd numeric': 0,
      'c_bpartner_id varchar(32)': ({ one }) => partnerId(one.partner),
      'periodnumber numeric, c_period_id varchar(32), defplantype varchar(60)': null,
      'isdeferred char(1), explode char(1)': 'N',
      'bom_parent_id varchar(32)': null,
      'match_lccosts char(1)': 'N',
      'c_costcenter_id varchar(32), user1_id varchar(32), user2_id varchar(32)': null,
    },
    {
      ...owners,
      c_invoice_id: 'c_invoice.c_invoice_id',
      c_orderline_id: 'c_orderline.c_orderline_id',
      m_product_id: 'm_product.m_product_id',
      c_uom_id: 'c_uom.c_uom_id',
      c_tax_id: 'c_tax.c_tax_id',
      c_bpartner_id: 'c_bpartner.c_bpartner_id',
    },
  ),
  c_invoicelinetax: tableOf(
    lines,
    {
      '*c_invoicelinetax_id varchar(32)': ({ id }) => key('line tax', id),
      ...owned,
      'c_invoice_id varchar(32)': ({ one }) => one.id,
      'c_invoiceline_id varchar(32)': ({ id }) => id,
      'c_tax_id varchar(32)': ({ line }) => line.taxed.id,
      'line numeric': 10,
      'taxbaseamt numeric': ({ line }) => line.net,
      'taxamt numeric': ({ line }) => line.tax,
      'recalculate char(1)': 'N',
    },
    {
      ...owners,
      c_invoice_id: 'c_invoice.c_invoice_id',
      c_invoiceline_id: 'c_invoiceline.c_invoiceline_id',
      c_tax_id: 'c_tax.c_tax_id',
    },
  ),
  c_invoicetax: tableOf(
    invoiceTaxes,
    {
      'c_tax_id varchar(32)': ({ taxed }) => taxed.id,
      'c_invoice_id varchar(32)': ({ one }) => one.id,
      ...owned,
      'taxbaseamt numeric': ({ base }) => base,
      'taxamt numeric': ({ tax }) => tax,
      'line numeric': ({ place }) => place * 10,
      '*c_invoicetax_id varchar(32)': ({ one, place }) =>
        key('invoice tax', `${one.index} ${place}`),
      'recalculate char(1)': 'N',
    },
    { ...owners, c_invoice_id: 'c_invoice.c_invoice_id', c_tax_id: 'c_tax.c_tax_id' },
  ),
  c_invoiceline_offer: tableOf(
    lines.filter(({ line }) => line.price !== line.list),
    {
      '*c_invoiceline_offer_id varchar(32)': ({ id }) => key('line offer', id),
      ...owned,
      'c_invoiceline_id varchar(32)': ({ id }) => id,
      'line numeric': 10,
      'm_offer_id varchar(32)': key('offer', 1),
      'priceadjustmentamt numeric': ({ line }) => cents(line.list - line.price),
      'baseactualprice numeric': ({ line }) => line.list,
      'totalamt numeric, displayedtotalamt numeric': ({ line }) =>
        cents(line.quantity * line.list - line.net),
    },
    {
      ...owners,
      c_invoiceline_id: 'c_invoiceline.c_invoiceline_id',
      m_offer_id: 'm_offer.m_offer_id',
    },
  ),
  c_invoice_reverse: tableOf(
    documents.filter(({ isReversal }) => isReversal),
    {
      '*c_invoice_reverse_id varchar(32)': ({ index }) => key('reverse', index),
      ...owned,
      'c_invoice_id varchar(32)': ({ id }) => id,
      'reversed_c_invoice_id varchar(32)': ({ index }) => documents[index - 1]!.id,
    },
    {
      ...owners,
      c_invoice_id: 'c_invoice.c_invoice_id',
      reversed_c_invoice_id: 'c_invoice.c_invoice_id',
    },
  ),
  fin_payment_schedule: tableOf(
    documents.filter(({ status }) => status !== 'DR'),
    {
      '*fin_payment_schedule_id varchar(32)': ({ index }) => key('schedule', index),
      ...owned,
      'c_invoice_id varchar(32)': ({ id }) => id,
      'c_order_id varchar(32)': null,
      'duedate timestamp, origduedate timestamp': ({ due }) => midnight(due),
      'fin_paymentmethod_id varchar(32)': ({ partner }) => methodId(partner),
      'c_currency_id varchar(32)': ({ partner }) => currencies[partner.currency]!,
      'amount numeric': owed,
      'paidamt numeric': (one) => (one.isPaid ? owed(one) : 0),
      'outstandingamt numeric': (one) => (one.isPaid ? 0 : owed(one)),
      'fin_payment_priority_id varchar(32)': null,
      'update_payment_plan char(1)': 'Y',
      'description varchar(255)': null,
      'expecteddate timestamp': ({ due, index }) =>
        midnight(index % 7 === 4 ? daysAfter(due, 10) : due),
    },
    {
      ...owners,
      c_invoice_id: 'c_invoice.c_invoice_id',
      fin_paymentmethod_id: 'fin_paymentmethod.fin_paymentmethod_id',
      c_currency_id: 'c_currency.c_currency_id',
    },
  ),
  fin_payment: tableOf(
    documents.filter(({ isPaid, isDone }) => isPaid && isDone),
    {
      '*fin_payment_id varchar(32)': ({ index }) => key('payment', index),
      ...owned,
      'isreceipt char(1)': ({ isSale }) => (isSale ? 'Y' : 'N'),
      'c_bpartner_id varchar(32)': ({ partner }) => partnerId(partner),
      'paymentdate timestamp': ({ due }) => midnight(due),
      'c_currency_id varchar(32)': ({ partner }) => currencies[partner.currency]!,
      'amount numeric': owed,
      'writeoffamt numeric': 0,
      'fin_paymentmethod_id varchar(32)': ({ partner }) => methodId(partner),
      'documentno varchar(30)': ({ index }) => String(400_011 + index),
      'referenceno varchar(40)': null,
      'status varchar(60)': ({ isSale }) => (isSale ? 'RPPC' : 'PPM'),
      'processed char(1), posted varchar(60)': 'Y',
      'description varchar(2000)': (one) => `Factura nº: ${numberOf(one)}`,
      'fin_financial_account_id varchar(32)': key('financial account', 1),
      'c_doctype_id varchar(32)': ({ isSale }) => typeKey(isSale ? 'ARR' : 'APP'),
      'finacc_txn_amount numeric': (one) => cents(owed(one) * worth(one)),
      'finacc_txn_convert_rate numeric': worth,
      'generated_credit numeric, used_credit numeric': 0,
    },
    {
      ...owners,
      c_bpartner_id: 'c_bpartner.c_bpartner_id',
      c_currency_id: 'c_currency.c_currency_id',
      fin_paymentmethod_id: 'fin_paymentmethod.fin_paymentmethod_id',
      fin_financial_account_id: 'fin_financial_account.fin_financial_account_id',
      c_doctype_id: 'c_doctype.c_doctype_id',
    },
  ),
  c_conversion_rate_document: tableOf(
    documents.filter(({ partner }) => partner.currency !== 'EUR'),
    {
      '*c_conversion_rate_document_id varchar(32)': ({ index }) => key('document rate', index),
      ...owned,
      'c_currency_id varchar(32)': currencies.USD!,
      'c_currency_id_to varchar(32)': currencies.EUR!,
      'rate numeric': worth,
      'foreign_amount numeric': (one) => cents(one.gross * worth(one)),
      'c_invoice_id varchar(32)': ({ id }) => id,
      'fin_payment_id varchar(32), aprm_finacc_transaction_v_id varchar(32)': null,
    },
    {
      ...owners,
      c_currency_id: 'c_currency.c_currency_id',
      c_currency_id_to: 'c_currency.c_currency_id',
      c_invoice_id: 'c_invoice.c_invoice_id',
    },
  ),
};
function worth({ partner }: Document): number {
  return partner.currency === 'USD' ? dollar : 1;
}

const orders: Readonly<Record<string, LayoutTable>> = {
  c_order: tableOf(
    ordered,
    {
      '*c_order_id varchar(32)': orderId,
      ...owned,
      'issotrx char(1)': 'Y',
      'documentno varchar(30)': ({ index }) => String(50_000 + index),
      'docstatus varchar(60)': 'CO',
      'docaction varchar(60)': 'CL',
      'processed char(1)': 'Y',
      'c_doctype_id varchar(32), c_doctypetarget_id varchar(32)': typeKey('SOO'),
      'description varchar(255)': null,
      'isdelivered char(1)': 'Y',
      'dateordered timestamp': ({ date }) => midnight(daysAfter(date, -3)),
      'datepromised timestamp': ({ date }) => midnight(date),
      'c_bpartner_id varchar(32)': ({ partner }) => partnerId(partner),
      'billto_id varchar(32), c_bpartner_location_id varchar(32)': ({ partner }) =>
        placeId(partner),
      'poreference varchar(20)': ({ theirs }) => theirs,
      'c_currency_id varchar(32)': ({ partner }) => currencies[partner.currency]!,
      'paymentrule varchar(60)': 'P',
      'c_paymentterm_id varchar(32)': ({ partner }) => termId(partner),
      'invoicerule varchar(60)': 'D',
      'deliveryrule varchar(60)': 'A',
      'totallines numeric': ({ net }) => net,
      'grandtotal numeric': ({ gross }) => gross,
      'm_warehouse_id varchar(32)': key('warehouse', 1),
      'm_pricelist_id varchar(32)': ({ partner }) => listId(partner),
      'istaxincluded char(1)': 'N',
      'fin_paymentmethod_id varchar(32)': ({ partner }) => methodId(partner),
    },
    {
      ...owners,
      c_doctype_id: 'c_doctype.c_doctype_id',
      c_bpartner_id: 'c_bpartner.c_bpartner_id',
      billto_id: 'c_bpartner_location.c_bpartner_location_id',
      c_bpartner_location_id: 'c_bpartner_location.c_bpartner_location_id',
      c_currency_id: 'c_currency.c_currency_id',
      c_paymentterm_id: 'c_paymentterm.c_paymentterm_id',
      m_pricelist_id: 'm_pricelist.m_pricelist_id',
    },
  ),
  c_orderline: tableOf(
    lines.filter(({ one }) => one.hasOrder),
    {
      '*c_orderline_id varchar(32)': ({ one, place }) => orderLineId(one, place),
      ...owned,
      'c_order_id varchar(32)': ({ one }) => orderId(one),
      'line numeric': ({ place }) => place * 10,
      'c_bpartner_id varchar(32)': ({ one }) => partnerId(one.partner),
      'dateordered timestamp': ({ one }) => midnight(daysAfter(one.date, -3)),
      'description varchar(2000)': null,
      'm_product_id varchar(32)': ({ line }) => key('product', line.product.id),
      'c_uom_id varchar(32)': ({ line }) => unitId(line.product.unit),
      'qtyordered numeric, qtydelivered numeric, qtyinvoiced numeric': ({ line }) => line.quantity,
      'qtyreserved numeric': 0,
      'pricelist numeric, pricestd numeric': ({ line }) => line.list,
      'priceactual numeric': ({ line }) => line.price,
      'linenetamt numeric': ({ line }) => line.net,
      'discount numeric': ({ line }) => (line.price === line.list ? 0 : offer),
      'c_tax_id varchar(32)': ({ line }) => line.taxed.id,
    },
    {
      ...owners,
      c_order_id: 'c_order.c_order_id',
      m_product_id: 'm_product.m_product_id',
      c_uom_id: 'c_uom.c_uom_id',
      c_tax_id: 'c_tax.c_tax_id',
    },
  ),
};

const users = [
  {
    id: '0',
    login: 'System',
    name: 'System',
    first: null,
    last: null,
    email: null,
    phone: null,
    partner: null,
  },
  {
    id: clerk,
    login: 'mcarmen',
    name: 'María del Carmen Ortega',
    first: 'María del Carmen',
    last: 'Ortega',
    email: 'mcarmen@sierramagina.example',
    phone: null,
    partner: null,
  },
  ...partners.map((partner) => ({
    id: contactId(partner),
    login: null,
    name: `${partner.first} ${partner.last}`,
    first: partner.first,
    last: partner.last,
    email: partner.email,
    phone: partner.phone,
    partner,
  })),
];
const seller = { id: 900, street: 'Carretera de Mancha Real km 4', city: 'Jimena', zip: '23530' };
const places = [
  ...partners.map((partner) => ({ ...partner, key: locationId(partner) })),
  {
    ...seller,
    street2: 'Apartado 21',
    province: 'Jaén' as string | null,
    country: 'ES',
    key: key('location', seller.id),
  },
];
const relations: Readonly<Record<string, LayoutTable>> = {
  c_bpartner: tableOf(
    partners,
    {
      '*c_bpartner_id varchar(32)': partnerId,
      ...owned,
      'value varchar(40)': ({ code }) => code,
      'name varchar(60)': ({ name }) => name,
      'name2 varchar(60)': ({ shop }) => shop,
      'description varchar(255)': null,
      'issummary char(1)': 'N',
      'c_bp_group_id varchar(32)': ({ isVendor }) => key('partner group', isVendor ? 2 : 1),
      'isonetime char(1), isprospect char(1)': 'N',
      'isvendor char(1)': ({ isVendor }) => (isVendor ? 'Y' : 'N'),
      'iscustomer char(1)': ({ isVendor }) => (isVendor ? 'N' : 'Y'),
      'isemployee char(1), issalesrep char(1)': 'N',
      'referenceno varchar(40), duns char(11), url varchar(120)': null,
      'ad_language varchar(6)': ({ country }) => (country === 'ES' ? 'es_ES' : 'en_US'),
      'taxid varchar(20)': ({ taxNumber }) => taxNumber,
      'istaxexempt char(1)': 'N',
      'c_invoiceschedule_id varchar(32), rating char(1)': null,
      'salesvolume numeric, numberemployees numeric': 0,
      'naics char(6), firstsale timestamp': null,
      'acqusitioncost numeric, potentiallifetimevalue numeric': 0,
      'actuallifetimevalue numeric': ({ id }) => id * 411.5,
      'shareofcustomer numeric': 0,
      'paymentrule varchar(60)': 'P',
      'so_creditlimit numeric': ({ id }) => id * 1000,
      'so_creditused numeric': (partner) =>
        total(
          documents
            .filter((one) => one.partner === partner && one.isDone && !one.isPaid)
            .map((one) => owed(one)),
        ),
      'c_paymentterm_id varchar(32)': termId,
      'm_pricelist_id varchar(32)': (partner) => (partner.isVendor ? null : listId(partner)),
      'isdiscountprinted char(1)': 'N',
      'so_description varchar(255), poreference varchar(20), paymentrulepo varchar(60)': null,
      'po_pricelist_id varchar(32)': (partner) => (partner.isVendor ? listId(partner) : null),
      'po_paymentterm_id varchar(32)': null,
      'documentcopies numeric': 0,
      'c_greeting_id varchar(32)': null,
      'invoicerule varchar(60)': 'I',
      'deliveryrule varchar(60)': 'A',
      'deliveryviarule varchar(60)': 'D',
      'salesrep_id varchar(32), bpartner_parent_id varchar(32)': null,
      'socreditstatus varchar(60)': 'O',
      'showpriceinorder char(1)': 'Y',
      'invoicegrouping varchar(60)': '000000000000000',
      'fixmonthday numeric, fixmonthday2 numeric, fixmonthday3 numeric': null,
      'isworker char(1)': 'N',
      'upc varchar(30), fiscalcode varchar(16), isofiscalcode char(2)': null,
      'so_bp_taxcategory_id varchar(32), po_bp_taxcategory_id varchar(32)': null,
      'fin_paymentmethod_id varchar(32)': methodId,
      'po_paymentmethod_id varchar(32)': null,
      'fin_financial_account_id varchar(32)': key('financial account', 1),
      'customer_blocking char(1), vendor_blocking char(1)': 'N',
      'so_payment_blocking char(1), po_payment_blocking char(1)': 'N',
    },
    {
      ...owners,
      c_bp_group_id: 'c_bp_group.c_bp_group_id',
      c_paymentterm_id: 'c_paymentterm.c_paymentterm_id',
      m_pricelist_id: 'm_pricelist.m_pricelist_id',
      po_pricelist_id: 'm_pricelist.m_pricelist_id',
      fin_paymentmethod_id: 'fin_paymentmethod.fin_paymentmethod_id',
      fin_financial_account_id: 'fin_financial_account.fin_financial_account_id',
    },
  ),
  c_bp_group: {
    columns:
      '*c_bp_group_id varchar(32), ad_client_id varchar(32), ad_org_id varchar(32), isactive char(1), value varchar(40), name varchar(60), isdefault char(1)',
    rows: [
      [key('partner group', 1), client, org, 'Y', 'CLI', 'Clientes', 'Y'],
      [key('partner group', 2), client, org, 'Y', 'PRO', 'Proveedores', 'N'],
    ],
    foreign: owners,
  },
  c_bpartner_location: tableOf(
    partners,
    {
      '*c_bpartner_location_id varchar(32)': placeId,
      ...owned,
      'name varchar(60)': ({ city, street }) => `${city}, ${street}`,
      'isbillto char(1), isshipto char(1), ispayfrom char(1), isremitto char(1)': 'Y',
      'phone varchar(40)': ({ phone }) => phone,
      'phone2 varchar(40), fax varchar(40), c_salesregion_id varchar(32)': null,
      'c_bpartner_id varchar(32)': partnerId,
      'c_location_id varchar(32)': locationId,
      'istaxlocation char(1)': 'N',
      'upc varchar(30)': null,
    },
    {
      ...owners,
      c_bpartner_id: 'c_bpartner.c_bpartner_id',
      c_location_id: 'c_location.c_location_id',
    },
  ),
  c_location: tableOf(
    places,
    {
      '*c_location_id varchar(32)': (place) => place.key,
      ...owned,
      'address1 varchar(60)': ({ street }) => street,
      'address2 varchar(60)': ({ street2 }) => street2,
      'city varchar(60)': ({ city }) => city,
      'postal varchar(10)': ({ zip }) => zip,
      'postal_add varchar(10)': null,
      'c_country_id varchar(32)': ({ country }) => countryId(country),
      'c_region_id varchar(32)': ({ province }) =>
        province === null ? null : key('region', province),
      'c_city_id varchar(32), regionname varchar(60)': null,
    },
    {
      ...owners,
      c_country_id: 'c_country.c_country_id',
      c_region_id: 'c_region.c_region_id',
    },
  ),
  c_region: tableOf(
    provinces,
    {
      '*c_region_id varchar(32)': (name) => key('region', name),
      ...shipped,
      'value varchar(40)': (name) => name.slice(0, 2).toUpperCase(),
      'name varchar(60)': (name) => name,
      'description varchar(255)': null,
      'c_country_id varchar(32)': '106',
      'isdefault char(1)': 'N',
    },
    { ...owners, c_country_id: 'c_country.c_country_id' },
  ),
  c_country: tableOf(
    countries,
    {
      '*c_country_id varchar(32)': ({ id }) => id,
      ...shipped,
      'name varchar(60), description varchar(255)': ({ name }) => name,
      'countrycode char(2)': ({ code }) => code,
      'hasregion char(1)': ({ code }) => (code === 'ES' ? 'Y' : 'N'),
      'regionname varchar(60)': ({ code }) => (code === 'ES' ? 'Provincia' : null),
      'expressionphone varchar(20)': null,
      'displaysequence varchar(20)': '@C@, @P@',
      'isdefault char(1)': ({ code }) => (code === 'ES' ? 'Y' : 'N'),
      'ibancode varchar(2)': ({ code }) => (code === 'ES' ? 'ES' : null),
      'c_currency_id varchar(32)': ({ code }) =>
        code === 'US' ? currencies.USD! : currencies.EUR!,
    },
    { ...owners, c_currency_id: 'c_currency.c_currency_id' },
  ),
  ad_user: tableOf(
    users,
    {
      '*ad_user_id varchar(32)': ({ id }) => id,
      ...owned,
      'name varchar(60)': ({ name }) => name,
      'description varchar(255), password varchar(255)': null,
      'email varchar(255)': ({ email }) => email,
      'supervisor_id varchar(32)': null,
      'c_bpartner_id varchar(32)': ({ partner }) => (partner === null ? null : partnerId(partner)),
      'processing char(1)': 'N',
      'emailuser varchar(60), c_bpartner_location_id varchar(32)': null,
      'title varchar(40), comments varchar(2000)': null,
      'phone varchar(40)': ({ phone }) => phone,
      'phone2 varchar(40), fax varchar(40), birthday timestamp': null,
      'firstname varchar(60)': ({ first }) => first,
      'lastname varchar(60)': ({ last }) => last,
      'username varchar(60)': ({ login }) => login,
      'islocked char(1)': 'N',
    },
    { ...owners, c_bpartner_id: 'c_bpartner.c_bpartner_id' },
  ),
};

const goods: Readonly<Record<string, LayoutTable>> = {
  m_product: tableOf(
    products,
    {
      '*m_product_id varchar(32)': ({ id }) => key('product', id),
      ...owned,
      'value varchar(40)': ({ code }) => code,
      'name varchar(60)': ({ name }) => name,
      'description varchar(255)': ({ text }) => text,
      'documentnote varchar(2000), help varchar(2000)': null,
      'upc varchar(30)': ({ id, isService }) => (isService ? null : `84100${20_018 + id * 7}4`),
      'sku varchar(30)': null,
      'c_uom_id varchar(32)': ({ unit }) => unitId(unit),
      'salesrep_id varchar(32)': null,
      'issummary char(1)': 'N',
      'isstocked char(1)': ({ isService }) => (isService ? 'N' : 'Y'),
      'ispurchased char(1), issold char(1)': 'Y',
      'isbom char(1), isinvoiceprintdetails char(1), ispicklistprintdetails char(1)': 'N',
      'isverified char(1)': 'N',
      'm_product_category_id varchar(32)': ({ isService }) =>
        key('product category', isService ? 2 : 1),
      'classification char(1)': null,
      'volume numeric, weight numeric': 0,
      'shelfwidth numeric, shelfheight numeric, shelfdepth numeric': 0,
      'unitsperpallet numeric': 0,
      'c_taxcategory_id varchar(32)': ({ rate }) => key('tax category', rate),
      'discontinued char(1)': 'N',
      'discontinuedby timestamp': null,
      'producttype varchar(60)': ({ isService }) => (isService ? 'S' : 'I'),
      'imageurl varchar(120), descriptionurl varchar(120)': null,
      'guaranteedays numeric': 0,
      'versionno varchar(20), m_attributeset_id varchar(32)': null,
      'm_locator_id varchar(32), ad_image_id varchar(32), c_bpartner_id varchar(32)': null,
      'ispriceprinted char(1)': 'Y',
      'name2 varchar(60)': null,
      'costtype varchar(60)': 'AV',
      'coststd numeric': ({ cost }) => cost,
      'stock_min numeric': null,
      'production char(1), isgeneric char(1)': 'N',
    },
    {
      ...owners,
      c_uom_id: 'c_uom.c_uom_id',
      m_product_category_id: 'm_product_category.m_product_category_id',
      c_taxcategory_id: 'c_taxcategory.c_taxcategory_id',
    },
  ),
  m_product_category: {
    columns:
      '*m_product_category_id varchar(32), ad_client_id varchar(32), ad_org_id varchar(32), isactive char(1), value varchar(40), name varchar(60), isdefault char(1)',
    rows: [
      [key('product category', 1), client, org, 'Y', 'ALI', 'Alimentación', 'Y'],
      [key('product category', 2), client, org, 'Y', 'SER', 'Servicios', 'N'],
    ],
    foreign: owners,
  },
  m_pricelist: {
    columns:
      '*m_pricelist_id varchar(32), ad_client_id varchar(32), ad_org_id varchar(32), isactive char(1), name varchar(60), description varchar(255), basepricelist_id varchar(32), istaxincluded char(1), issopricelist char(1), isdefault char(1), c_currency_id varchar(32), enforcepricelimit char(1), costbased char(1)',
    rows: [
      [
        key('price list', 'EUR'),
        client,
        org,
        'Y',
        'Tarifa general',
        null,
        null,
        'N',
        'Y',
        'Y',
        '102',
        'N',
        'N',
      ],
      [
        key('price list', 'USD'),
        client,
        org,
        'Y',
        'Tarifa dólar',
        null,
        null,
        'N',
        'Y',
        'N',
        '100',
        'N',
        'N',
      ],
      [
        key('price list', 'purchase'),
        client,
        org,
        'Y',
        'Tarifa de compras',
        null,
        null,
        'N',
        'N',
        'Y',
        '102',
        'N',
        'N',
      ],
    ],
    foreign: { ...owners, c_currency_id: 'c_currency.c_currency_id' },
  },
  m_pricelist_version: {
    columns:
      '*m_pricelist_version_id varchar(32), ad_client_id varchar(32), ad_org_id varchar(32), isactive char(1), name varchar(60), m_pricelist_id varchar(32), validfrom timestamp',
    rows: ['EUR', 'USD', 'purchase'].map((list) => [
      key('price list version', list),
      client,
      org,
      'Y',
      `2026 ${list}`,
      key('price list', list),
      midnight('2026-01-01'),
    ]),
    foreign: { ...owners, m_pricelist_id: 'm_pricelist.m_pricelist_id' },
  },
  m_productprice: tableOf(
    products.flatMap((product) => ['EUR', 'USD', 'purchase'].map((list) => ({ product, list }))),
    {
      '*m_productprice_id varchar(32)': ({ product, list }) =>
        key('product price', `${product.id} ${list}`),
      ...owned,
      'm_pricelist_version_id varchar(32)': ({ list }) => key('price list version', list),
      'm_product_id varchar(32)': ({ product }) => key('product', product.id),
      'pricelist numeric, pricestd numeric': ({ product, list }) => {
        if (list === 'purchase') return product.cost;
        return list === 'USD' ? cents(product.price / dollar) : product.price;
      },
      'pricelimit numeric': 0,
    },
    {
      ...owners,
      m_pricelist_version_id: 'm_pricelist_version.m_pricelist_version_id',
      m_product_id: 'm_product.m_product_id',
    },
  ),
  m_offer: {
    columns:
      '*m_offer_id varchar(32), ad_client_id varchar(32), ad_org_id varchar(32), isactive char(1), name varchar(60), priority numeric, addamt numeric, discount numeric, fixed numeric, datefrom timestamp, dateto timestamp',
    rows: [
      [
        key('offer', 1),
        client,
        org,
        'Y',
        'Campaña 2026',
        10,
        0,
        offer,
        null,
        midnight('2026-01-01'),
        null,
      ],
    ],
    foreign: owners,
  },
  c_uom: tableOf(
    units,
    {
      '*c_uom_id varchar(32)': ({ id }) => id,
      ...shipped,
      'ad_client_id varchar(32)': ({ isShipped }) => (isShipped ? '0' : client),
      'x12de355 varchar(4)': ({ code }) => code,
      'uomsymbol varchar(10)': ({ symbol }) => symbol,
      'name varchar(60)': ({ name }) => name,
      'description varchar(255)': null,
      'stdprecision numeric': 2,
      'costingprecision numeric': 4,
      'isdefault char(1)': ({ code }) => (code === 'EA' ? 'Y' : 'N'),
      'breakdown char(1)': 'N',
      'uomtype varchar(60)': null,
    },
    owners,
  ),
  c_taxcategory: tableOf(
    [21, 10, 4],
    {
      '*c_taxcategory_id varchar(32)': (rate) => key('tax category', rate),
      ...owned,
      'name varchar(60)': (rate) =>
        rate === 21 ? 'IVA Normal' : rate === 10 ? 'IVA Reducido' : 'IVA Superreducido',
      'description varchar(255)': null,
      'isdefault char(1)': (rate) => (rate === 21 ? 'Y' : 'N'),
      'asbom char(1)': 'N',
    },
    owners,
  ),
  c_tax: tableOf(
    taxes,
    {
      '*c_tax_id varchar(32)': ({ id }) => id,
      ...owned,
      'name varchar(60)': ({ name }) => name,
      'description varchar(255)': null,
      'taxindicator varchar(10)': null,
      'validfrom timestamp': midnight('2012-09-01'),
      'issummary char(1), requirestaxcertificate char(1)': 'N',
      'rate numeric': ({ rate }) => rate,
      'parent_tax_id varchar(32)': null,
      'c_country_id varchar(32)': '106',
      'c_region_id varchar(32)': null,
      'to_country_id varchar(32)': ({ code }) => (code === 'INT' || code === 'EXP' ? null : '106'),
      'to_region_id varchar(32)': null,
      'c_taxcategory_id varchar(32)': ({ category }) => key('tax category', category),
      'isdefault char(1)': ({ code }) => (code === 'V21' ? 'Y' : 'N'),
      'istaxexempt char(1)': ({ code }) => (code === 'INT' || code === 'EXP' ? 'Y' : 'N'),
      'sopotype varchar(60)': ({ use }) => use,
      'cascade char(1)': 'N',
      'c_bp_taxcategory_id varchar(32)': null,
      'line numeric': ({ line }) => line,
      'iswithholdingtax char(1), isnotaxable char(1)': 'N',
      'deducpercent numeric, originalrate numeric': null,
      'istaxundeductable char(1), istaxdeductable char(1), isnovat char(1)': 'N',
      'baseamount varchar(60)': 'LNA',
      'c_taxbase_id varchar(32)': null,
      'doctaxamount varchar(60)': 'D',
      'iscashvat char(1)': 'N',
    },
    {
      ...owners,
      c_country_id: 'c_country.c_country_id',
      to_country_id: 'c_country.c_country_id',
      c_taxcategory_id: 'c_taxcategory.c_taxcategory_id',
    },
  ),
};

const terms = [
  { days: 0, code: 'CON', name: 'Al contado' },
  { days: 30, code: '30D', name: '30 días' },
  { days: 60, code: '60D', name: '60 días fecha factura' },
];
const firm = 'Aceites Sierra Mágina';
const setup: Readonly<Record<string, LayoutTable>> = {
  ad_client: {
    columns:
      '*ad_client_id varchar(32), isactive char(1), value varchar(40), name varchar(60), description varchar(255), c_currency_id varchar(32), ad_language varchar(6), ismultilingualdocuments char(1)',
    rows: [
      ['0', 'Y', 'System', 'System', null, '102', 'en_US', 'N'],
      [client, 'Y', 'SMAGINA', `Grupo ${firm}`, null, '102', 'es_ES', 'N'],
    ],
  },
  ad_org: {
    columns:
      '*ad_org_id varchar(32), ad_client_id varchar(32), isactive char(1), value varchar(40), name varchar(60), description varchar(255), issummary char(1), ad_orgtype_id varchar(32), isperiodcontrolallowed char(1), c_calendar_id varchar(32), isready char(1), social_name varchar(60), c_currency_id varchar(32), c_acctschema_id varchar(32)',
    rows: [
      ['0', '0', 'Y', '0', '*', 'All Organizations', 'Y', '0', 'N', null, 'Y', null, null, null],
      [org, client, 'Y', 'ASM', firm, null, 'N', '1', 'Y', null, 'Y', `${firm}, S.L.`, '102', null],
    ],
    foreign: { ad_client_id: 'ad_client.ad_client_id', c_currency_id: 'c_currency.c_currency_id' },
  },
  ad_orginfo: {
    columns:
      '*ad_org_id varchar(32), ad_client_id varchar(32), isactive char(1), c_location_id varchar(32), duns char(11), taxid varchar(20), c_bpartner_id varchar(32), istaxundeductable char(1), c_tax_id varchar(32), logo varchar(200), reference_order char(1), your_company_document_image varchar(32), automatic_writeoff_amt numeric',
    rows: [
      ['0', '0', 'Y', null, '?', '?', null, 'N', null, null, null, null, null],
      [
        org,
        client,
        'Y',
        key('location', seller.id),
        '?',
        'B23448801',
        null,
        'N',
        null,
        null,
        null,
        null,
        0.05,
      ],
    ],
    foreign: { ...owners, c_location_id: 'c_location.c_location_id' },
  },
  c_doctype: tableOf(
    [
      { id: '', name: '** New **', print: '** New **', base: '---', isSale: 'N', isReversal: 'N' },
      ...types,
    ],
    {
      '*c_doctype_id varchar(32)': ({ id }) => (id === '' ? '0' : key('doctype', id)),
      ...owned,
      'name varchar(60)': ({ name }) => name,
      'printname varchar(60)': ({ print }) => print,
      'documentnote varchar(2000)': null,
      'docbasetype varchar(60)': ({ base }) => base,
      'issotrx char(1)': ({ isSale }) => isSale,
      'docsubtypeso varchar(60)': ({ id }) => (id === 'SOO' ? 'SO' : null),
      'hasproforma char(1)': 'N',
      'c_doctypeproforma_id varchar(32), c_doctypeshipment_id varchar(32)': null,
      'c_doctypeinvoice_id varchar(32)': ({ id }) => (id === 'SOO' ? typeKey('ARI') : null),
      'isdocnocontrolled char(1)': ({ id }) => (id === '' ? 'N' : 'Y'),
      'docnosequence_id varchar(32)': null,
      'hascharges char(1)': 'N',
      'documentcopies numeric': 0,
      'isdefault char(1)': ({ id }) => (['ARI', 'API', 'SOO'].includes(id) ? 'Y' : 'N'),
      'isreversal char(1)': ({ isReversal }) => isReversal,
      'c_doctype_reversed_id varchar(32)': ({ id }) => (id === 'ARI' ? typeKey('ARIR') : null),
      'ad_table_id varchar(32)': ({ base }) => (base.startsWith('A') ? '318' : '259'),
      'isexpense char(1), isreturn char(1)': 'N',
    },
    {
      ...owners,
      c_doctypeinvoice_id: 'c_doctype.c_doctype_id',
      c_doctype_reversed_id: 'c_doctype.c_doctype_id',
    },
  ),
  c_paymentterm: tableOf(
    terms,
    {
      '*c_paymentterm_id varchar(32)': ({ days }) => key('payment term', days),
      ...owned,
      'value varchar(40)': ({ code }) => code,
      'name varchar(60)': ({ name }) => name,
      'description varchar(255), documentnote varchar(2000)': null,
      'isnextbusinessday char(1), isduefixed char(1)': 'N',
      'fixmonthday numeric, fixmonthday2 numeric, fixmonthday3 numeric': null,
      'fixmonthcutoff numeric, fixmonthoffset numeric': 0,
      'netdays numeric': ({ days }) => days,
      'isvalid char(1)': 'Y',
      'isdefault char(1)': ({ days }) => (days === 30 ? 'Y' : 'N'),
    },
    owners,
  ),
  fin_paymentmethod: {
    columns:
      '*fin_paymentmethod_id varchar(32), ad_client_id varchar(32), ad_org_id varchar(32), isactive char(1), name varchar(60), description varchar(255), automatic_receipt char(1), automatic_payment char(1), payin_allow char(1), payout_allow char(1)',
    rows: [
      [key('payment method', 1), client, org, 'Y', 'Transferencia', null, 'N', 'N', 'Y', 'Y'],
      [key('payment method', 2), client, org, 'Y', 'Efectivo', null, 'N', 'N', 'Y', 'Y'],
    ],
    foreign: owners,
  },
  fin_financial_account: {
    columns:
      '*fin_financial_account_id varchar(32), ad_client_id varchar(32), ad_org_id varchar(32), isactive char(1), name varchar(60), description varchar(255), c_currency_id varchar(32), type varchar(60), c_bpartner_id varchar(32), routingno varchar(20), swiftcode varchar(20), codebank varchar(20), codebranch varchar(20), codeaccount varchar(20), iban varchar(34), currentbalance numeric, creditlimit numeric, isdefault char(1)',
    rows: [
      [
        key('financial account', 1),
        client,
        org,
        'Y',
        'Caja Rural de Jaén',
        null,
        '102',
        'B',
        null,
        null,
        'BCOEESMM067',
        '3067',
        '0041',
        '2238100417',
        'ES5030670041112238100417',
        61_204.18,
        0,
        'Y',
      ],
    ],
    foreign: { ...owners, c_currency_id: 'c_currency.c_currency_id' },
  },
  c_currency: {
    columns:
      '*c_currency_id varchar(32), ad_client_id varchar(32), ad_org_id varchar(32), isactive char(1), iso_code char(3), cursymbol varchar(10), description varchar(255), stdprecision numeric, costingprecision numeric, priceprecision numeric, issymbolrightside char(1)',
    rows: [
      ['100', '0', '0', 'Y', 'USD', '$', 'US Dollar', 2, 4, 2, 'N'],
      ['102', '0', '0', 'Y', 'EUR', '€', 'Euro', 2, 4, 2, 'Y'],
      ['114', '0', '0', 'Y', 'GBP', '£', 'Pound Sterling', 2, 4, 2, 'N'],
    ],
    foreign: owners,
  },
  c_conversion_rate: {
    columns:
      '*c_conversion_rate_id varchar(32), ad_client_id varchar(32), ad_org_id varchar(32), isactive char(1), c_currency_id varchar(32), c_currency_id_to varchar(32), validfrom timestamp, validto timestamp, conversionratetype char(1), multiplyrate numeric, dividerate numeric',
    rows: [
      [
        key('rate', 1),
        client,
        '0',
        'Y',
        '100',
        '102',
        midnight('2026-01-01'),
        midnight('2026-12-31'),
        'S',
        dollar,
        1.085_776,
      ],
      [
        key('rate', 2),
        client,
        '0',
        'Y',
        '102',
        '100',
        midnight('2026-01-01'),
        midnight('2026-12-31'),
        'S',
        1.085_776,
        dollar,
      ],
    ],
    foreign: {
      ...owners,
      c_currency_id: 'c_currency.c_currency_id',
      c_currency_id_to: 'c_currency.c_currency_id',
    },
  },
};

/**
 * Openbravo at an oil mill in Spain: what is sold and bought, credited and voided stands in one table, told apart by types of
 * document, which are keys of 32 digits; a voided invoice keeps its amounts and is matched by one of a reversed type below zero; a draft
 * has no type yet; tax of lines and of documents, days due and what an offer takes off stand each in a table of its own, the price
 * being after it; rows that come with the system have short numbers for keys. Columns of invoices, their lines and taxes, schedules
 * and the firm after its published model, newer ones and those of the rest from memory; without receipts, accounts and accounting.
 */
export const reversedDocuments: Layout = {
  name: 'reversed-documents',
  isHeldOut: false,
  tables: { ...setup, ...goods, ...relations, ...orders, ...invoicing },
  sections: {
    header: {
      table: 'c_invoice',
      key: 'c_invoice_id',
      match: 'documentno',
      where: { c_doctype_id: typeKey('ARI'), docstatus: 'CO', issotrx: 'Y' },
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
  // The rule of payment is the same everywhere and not in use; what the method says is.
  fields: {
    number: 'c_invoice.documentno',
    issue_date: 'c_invoice.dateinvoiced!date|c_invoice.taxdate!date',
    due_date: 'fin_payment_schedule.duedate!date|fin_payment_schedule.origduedate!date',
    currency:
      'c_currency.iso_code|c_currency.cursymbol!map|c_currency.description!map|c_invoice.c_currency_id!map|' +
      'fin_payment_schedule.c_currency_id!map',
    'exchange_rate.rate':
      'c_conversion_rate_document.rate|c_conversion_rate.multiplyrate|c_conversion_rate.dividerate!divide',
    purchase_order: 'c_invoice.poreference|c_order.poreference',
    buyer_reference: 'c_invoice.poreference|c_order.poreference',
    'notes[]': 'c_invoice.description',
    'payment_terms[].note': 'c_paymentterm.name|c_paymentterm.value|c_paymentterm.netdays',
    'payment_means[].code':
      'fin_paymentmethod.name!map|c_invoice.fin_paymentmethod_id!map|fin_payment_schedule.fin_paymentmethod_id!map',
    'payment_means[].account.id': 'fin_financial_account.iban',
    'totals.lines': 'c_invoice.totallines',
    'totals.net': 'c_invoice.totallines',
    'totals.gross': 'c_invoice.grandtotal|fin_payment_schedule.amount',
    'totals.due':
      'c_invoice.grandtotal|c_invoice.outstandingamt|fin_payment_schedule.amount|' +
      'fin_payment_schedule.outstandingamt',
    'totals.prepaid': 'c_invoice.totalpaid|fin_payment_schedule.paidamt',
    'tax_breakdown[].amount': 'c_invoicetax.taxamt',
    'tax_breakdown[].taxable': 'c_invoicetax.taxbaseamt',
    'seller.name': 'ad_org.social_name|ad_org.name',
    'seller.trn': 'ad_orginfo.taxid',
    'seller.address.line1': 'c_location.address1',
    'seller.address.line2': 'c_location.address2',
    'seller.address.city': 'c_location.city',
    'seller.address.post_code': 'c_location.postal',
    'seller.address.subdivision': 'c_region.name',
    'seller.address.country': 'c_country.countrycode',
    'buyer.name': 'c_bpartner.name',
    'buyer.trn': 'c_bpartner.taxid',
    'PINT-MY:buyer.identifiers[].id': 'c_bpartner.taxid',
    'buyer.address.line1': 'c_location.address1',
    'buyer.address.line2': 'c_location.address2',
    'buyer.address.city': 'c_location.city',
    'buyer.address.post_code': 'c_location.postal',
    'buyer.address.subdivision': 'c_region.name',
    'buyer.address.country':
      'c_country.countrycode|c_country.name!map|c_country.description!map|c_location.c_country_id!map',
    'buyer.contact.name': 'ad_user.name|ad_user.firstname!concat|ad_user.lastname!concat',
    'buyer.contact.phone': 'ad_user.phone|c_bpartner_location.phone',
    'buyer.contact.email': 'ad_user.email',
    'lines[].id': 'c_invoiceline.line|c_invoiceline.c_invoiceline_id',
    'lines[].sku': 'm_product.value',
    'lines[].name': 'm_product.name',
    'lines[].description': 'm_product.description|m_product.name|c_invoiceline.description',
    'lines[].qty': 'c_invoiceline.qtyinvoiced',
    'lines[].unit':
      'c_uom.x12de355!map|c_uom.uomsymbol!map|c_uom.name!map|c_invoiceline.c_uom_id!map',
    'lines[].unit_price': 'c_invoiceline.priceactual',
    'lines[].gross_price':
      'c_invoiceline.pricelist|c_invoiceline.pricestd|c_invoiceline.priceactual',
    'lines[].net': 'c_invoiceline.linenetamt|c_invoiceline.taxbaseamt|c_invoicelinetax.taxbaseamt',
    'lines[].accounting.tax_totals[].amount': 'c_invoicelinetax.taxamt',
    'lines[].tax.rate': 'c_tax.rate',
    'lines[].tax.category': 'c_tax.rate!map|c_tax.name!map|c_invoiceline.c_tax_id!map',
  },
};
