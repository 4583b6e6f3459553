import { cents, total } from './enterprise-trade.ts';
import { hexKey, hyphenKey } from './hex-keys.ts';
import type { Layout, LayoutTable } from './layout.ts';
import { at, midnight, tableOf } from './tables.ts';

const guid = (table: string, row: number | string) =>
  hyphenKey(`status apart ${table}`, row).toUpperCase();
const rowVersion = (row: number) => `0x${(20_481 + row * 7).toString(16).padStart(16, '0')}`;
const later = (date: string, days: number) =>
  new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
const rowsOf = (text: string) => text.split('\n').map((row) => row.split(';'));

interface Customer {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  readonly street: string;
  readonly street2: string | null;
  readonly town: string;
  readonly zip: string;
  /** The town of the post office. */
  readonly postTown: string;
  readonly district: string | null;
  readonly country: string;
  readonly taxNumber: string;
  readonly phone: string | null;
  readonly first: string;
  readonly last: string;
  readonly email: string | null;
  readonly terms: string;
  readonly means: string;
  readonly currency: string;
}

const customers: readonly Customer[] = rowsOf(
  `C0001;Quinta do Outeiro, Lda;Estrada Nacional 103, n.º 412;;Prado;4730-452;Vila Verde;03;PT;508142237;253 921 440;Helena;Barros;geral@quintadoouteiro.example;2;TRF;EUR
C0002;Câmara Municipal de Amares;Largo do Município;;Amares;4720-058;Amares;03;PT;502774150;253 993 761;Rui;Tavares;compras@cm-amares.example;3;TRF;EUR
C0003;Jardins & Companhia, Unipessoal Lda;Rua da Restauração 88;2.º Esq.;Porto;4050-499;Porto;13;PT;510336825;226 094 118;Sara;Lemos;sara.lemos@jardins-companhia.example;2;MB;EUR
C0004;Hotel Foz do Cávado, SA;Avenida Marginal 1;;Esposende;4740-213;Esposende;03;PT;500658293;253 969 300;Nuno;Fontes;economato@fozdocavado.example;2;TRF;EUR
C0005;Herdade Vale de Açor, SA;Monte Novo;Apartado 27;Vale de Açor;7400-555;Ponte de Sor;12;PT;515501476;242 204 090;Inês;Cordeiro;;3;CHQ;EUR
C0006;Manuel Antunes Pires;Rua do Poço 14;;Fermentões;4800-180;Guimarães;03;PT;214377809;;Manuel;Pires;mapires@correio.example;1;NUM;EUR
E0001;Viveros del Miño, S.L.;Polígono As Gándaras, parcela 5;;Torneiros;36410;O Porriño;;ES;ESB36128845;+34 986 331 207;Xoán;Lago;pedidos@viverosmino.example;3;TRF;EUR
E0002;Pépinières Charpentier SARL;ZA des Landes 3;Bâtiment C;Ploumagoar;22970;Guingamp;;FR;FR61412345678;+33 2 96 44 10 52;Anne;Charpentier;achats@charpentier.example;2;TRF;EUR
E0003;Santa Maria Resorts, SA;Rua 1 de Junho 9;;Santa Maria;4111;Espargos;;CV;251348807;+238 242 1130;Djamila;Évora;manutencao@smresorts.example;2;TRF;USD
E0004;Green Acres Irrigation LLC;480 Kempton Street;Unit 6;New Bedford;02740;New Bedford;;US;US 04-3318842;+1 508 555 0163;Carl;Medeiros;;3;TRF;EUR
VD;Consumidor Final;Desconhecida;;Desconhecida;0000-000;Desconhecida;;PT;999999990;;;;;1;NUM;EUR`,
).map((cells, index) => ({
  id: index + 1,
  code: cells[0]!,
  name: cells[1]!,
  street: cells[2]!,
  street2: cells[3] || null,
  town: cells[4]!,
  zip: cells[5]!,
  postTown: cells[6]!,
  district: cells[7] || null,
  country: cells[8]!,
  taxNumber: cells[9]!,
  phone: cells[10] || null,
  first: cells[11]!,
  last: cells[12]!,
  email: cells[13] || null,
  terms: cells[14]!,
  means: cells[15]!,
  currency: cells[16]!,
}));

/** Code; description; units of sale and of stock; how many of the one in the other; price in euros; cost; tax; family. */
const goods = rowsOf(
  `BOM-075;Bomba submersível 0,75 kW;UN;UN;1;286.4;171.84;23;BOMB
TUB-PE32;Tubo PEAD 32 mm PN10;MT;MT;1;1.85;1.02;23;TUBO
ASP-360;Aspersor rotativo 360°;UN;UN;1;12.35;7.16;23;REGA
PRG-06;Programador de rega 6 zonas;UN;UN;1;94.7;58.71;23;REGA
CHV-01;Válvula de esfera 1";UN;UN;1;8.95;4.83;23;TUBO
FLT-DSC;Filtro de discos 2";UN;UN;1;41.6;24.96;23;REGA
ADB-25;Adubo orgânico, saco de 25 kg;SC;SC;1;17.2;11.35;06;JARD
SEM-RLV;Semente de relvado;KG;KG;1;6.45;3.87;06;JARD
PLT-OLV;Oliveira em vaso;UN;UN;1;24.8;14.88;06;JARD
AGP-12;Água mineral 1,5 L;CX;UN;12;5.4;3.24;13;JARD
MAO-TEC;Mão-de-obra técnica;HR;HR;1;28;0;23;SERV
FRM-MAN;Formação em manutenção de rega;UN;UN;1;180;0;07;SERV`,
).map((cells, index) => ({
  id: index + 1,
  code: cells[0]!,
  name: cells[1]!,
  unit: cells[2]!,
  stockUnit: cells[3]!,
  factor: Number(cells[4]),
  price: Number(cells[5]),
  cost: Number(cells[6]),
  tax: cells[7]!,
  family: cells[8]!,
  isService: cells[8] === 'SERV',
}));
type Good = (typeof goods)[number];

/** Code; rate; description; code and text of an exemption. */
const taxes = rowsOf(
  `23;23;Taxa normal;;
13;13;Taxa intermédia;;
06;6;Taxa reduzida;;
05;0;Isento - exportação;M05;Isento artigo 14.º do CIVA
07;0;Isento - formação profissional;M07;Isento artigo 9.º do CIVA
16;0;Isento - transmissão intracomunitária;M16;Isento artigo 14.º do RITI`,
).map(([code = '', rate, text = '', reason, law]) => ({
  code,
  rate: Number(rate),
  text,
  reason: reason || null,
  law: law || null,
}));
const rateOf = (code: string) => taxes.find((tax) => tax.code === code)!.rate;
const isInUnion = ({ country }: Pick<Customer, 'country'>) => ['ES', 'FR'].includes(country);
const taxFor = ({ tax }: Good, customer: Customer) => {
  if (customer.country === 'PT') return tax;
  return isInUnion(customer) ? '16' : '05';
};

const terms = rowsOf(`1;Pronto pagamento;0
2;Factura a 30 dias;30
3;Factura a 60 dias;60`).map(([code = '', text = '', days]) => ({
  code,
  text,
  days: Number(days),
}));
/** Dollars for a euro, in the course of time. */
const dollarsOn = (date: string) => (date < '2025-09-01' ? 1.08 : 1.16);

interface Line {
  readonly id: number;
  readonly position: number;
  /** None: a remark. */
  readonly good: Good | null;
  readonly text: string;
  readonly quantity: number;
  readonly price: number;
  readonly discount: number;
  readonly before: number;
  readonly reduction: number;
  readonly net: number;
  readonly taxCode: string | null;
  readonly tax: number;
}
interface Sale {
  readonly id: number;
  readonly type: string;
  readonly series: string;
  readonly number: number;
  readonly date: string;
  readonly due: string;
  readonly customer: Customer;
  readonly currency: string;
  readonly rate: number;
  readonly order: string | null;
  readonly note: string | null;
  /** The document that it corrects. */
  readonly of: string | null;
  readonly isCancelled: boolean;
  readonly lines: readonly Line[];
}

const lineIds = { sale: 0, purchase: 0 };
function lineOf(text: string, position: number, base: Omit<Sale, 'lines'>): Line {
  lineIds.sale += 1;
  const id = lineIds.sale;
  const [, code = '', count = '0', off = '0'] = /^([^*]+)(?:\*([\d.]+))?(?:-([\d.]+))?$/.exec(
    text,
  )!;
  const good = goods.find((each) => each.code === code);
  if (good === undefined) {
    const empty = { quantity: 0, price: 0, discount: 0, before: 0, reduction: 0, net: 0, tax: 0 };
    return { ...empty, id, position, good: null, text, taxCode: null };
  }
  const sign = base.type === 'NC' ? -1 : 1;
  const quantity = sign * Number(count);
  const price = cents(good.price * base.rate);
  const discount = Number(off);
  const before = cents(quantity * price);
  const reduction = cents((before * discount) / 100);
  const net = cents(before - reduction);
  const taxCode = taxFor(good, base.customer);
  const tax = cents((net * rateOf(taxCode)) / 100);
  const amounts = { quantity, price, discount, before, reduction, net, taxCode, tax };
  return { ...amounts, id, position, good, text: good.name };
}

const lastNumbers = new Map<string, number>();
function saleOf(cells: readonly string[], index: number): Sale {
  const [type = '', date = '', code, currency = '', order, note, of, state, lines = ''] = cells;
  const series = date.slice(0, 4);
  const number = (lastNumbers.get(type + series) ?? 0) + 1;
  lastNumbers.set(type + series, number);
  const customer = customers.find((each) => each.code === code)!;
  const days = terms.find((each) => each.code === customer.terms)!.days;
  const base = {
    id: index + 1,
    type,
    series,
    number,
    date,
    due: type === 'NC' ? date : later(date, days),
    customer,
    currency,
    rate: currency === 'EUR' ? 1 : dollarsOn(date),
    order: order || null,
    note: note || null,
    of: of || null,
    isCancelled: state === 'A',
  };
  return {
    ...base,
    lines: lines.split(' + ').map((text, place) => lineOf(text, place + 1, base)),
  };
}

/** Type; date; customer; currency; the customer's order; remark; document corrected or carried on; A: cancelled; lines. */
const sales: readonly Sale[] = rowsOf(
  `ORC;2025-01-03;C0001;EUR;;;;;Proposta válida por 30 dias + BOM-075*2 + TUB-PE32*150 + MAO-TEC*6
ECL;2025-01-07;C0001;EUR;;;;;BOM-075*2 + TUB-PE32*150 + MAO-TEC*6
FA;2025-01-09;C0001;EUR;;;ECL 2025/1;;BOM-075*2 + TUB-PE32*150 + MAO-TEC*6
FA;2025-01-22;C0003;EUR;ENC 88;;;;ASP-360*20-10 + PRG-06*1
FA;2025-02-04;C0002;EUR;REQ 2025/117;Compromisso n.º 311/2025.;;;PLT-OLV*40-5 + ADB-25*60 + MAO-TEC*16
NC;2025-02-10;C0003;EUR;ENC 88;Devolução de quatro unidades.;FA 2025/2;;ASP-360*4-10
FA;2025-02-18;E0001;EUR;PC-4471;;;;FLT-DSC*12-7.5 + CHV-01*50
GR;2025-02-28;C0004;EUR;;;;;AGP-12*48
FA;2025-03-03;C0004;EUR;;;GR 2025/1;;AGP-12*48 + SEM-RLV*25
FA;2025-03-12;C0005;EUR;HVA 209;;;A;ADB-25*120-5 + BOM-075*1
FA;2025-03-13;C0005;EUR;HVA 209;Substitui a factura anulada.;;;ADB-25*120-5 + BOM-075*2
FA;2025-04-02;E0003;USD;SMR/25/031;;;;PRG-06*6 + ASP-360*80-10 + TUB-PE32*400 + CHV-01*24
ORC;2025-04-15;C0006;EUR;;;;;PRG-06*1 + ASP-360*6
FA;2025-04-24;C0006;EUR;;;;;SEM-RLV*7.5
FA;2025-05-15;C0001;EUR;;Entregue em duas vezes.;;;PLT-OLV*12 + ADB-25*10 + CHV-01*8
NC;2025-05-20;C0001;EUR;;Plantas danificadas no transporte.;FA 2025/9;;PLT-OLV*2
ECL;2025-05-28;C0004;EUR;;;;;AGP-12*60-2.5 + MAO-TEC*3
FA;2025-06-05;C0004;EUR;;;ECL 2025/2;;AGP-12*60-2.5 + MAO-TEC*3
FA;2025-07-01;E0002;EUR;BC 70512;;;;FLT-DSC*4
FA;2025-09-10;C0002;EUR;REQ 2025/840;;;;FRM-MAN*2 + MAO-TEC*4.5
FA;2025-10-21;C0003;EUR;ENC 131;;;;PRG-06*3-5 + CHV-01*40 + MAO-TEC*10
GR;2025-11-04;C0001;EUR;;;;A;TUB-PE32*50
FA;2025-12-16;E0004;USD;PO 20-1187;;;;ASP-360*200-15 + FLT-DSC*20
FA;2026-01-08;C0001;EUR;;;;;BOM-075*1 + FRM-MAN*1
ECL;2026-01-13;E0001;EUR;PC-4802;;;;CHV-01*120-10 + FLT-DSC*6
FA;2026-01-20;E0001;EUR;PC-4802;;ECL 2026/1;;CHV-01*120-10 + FLT-DSC*6
NC;2026-01-27;E0001;EUR;PC-4802;;FA 2026/2;;FLT-DSC*1
FA;2026-02-11;C0005;EUR;HVA 244;;;;TUB-PE32*600-12.5 + ASP-360*36
FA;2026-02-25;C0004;EUR;;;;;AGP-12*72-2.5 + SEM-RLV*10 + PLT-OLV*6`,
).map(saleOf);
const drafts: readonly Sale[] = rowsOf(
  `FA;2026-03-02;C0003;EUR;ENC 150;;;;ASP-360*12 + CHV-01*20
FA;2026-03-03;C0006;EUR;;;;;ADB-25*4`,
).map((cells, index) => ({ ...saleOf(cells, 900 + index), number: 0 }));

const netOf = ({ lines }: Sale) => total(lines.map(({ net }) => net));
const taxOf = ({ lines }: Sale) => total(lines.map(({ tax }) => tax));
const grossOf = (one: Sale) => cents(netOf(one) + taxOf(one));
const beforeOf = ({ lines }: Sale) => total(lines.map(({ before }) => before));
const reductionOf = ({ lines }: Sale) => total(lines.map(({ reduction }) => reduction));
const marginOf = ({ lines, rate }: Sale) =>
  total(lines.map(({ net, quantity, good }) => net - quantity * (good?.cost ?? 0) * rate));
const nameOf = ({ type, series, number }: Pick<Sale, 'type' | 'series' | 'number'>) =>
  `${type} ${series}/${number}`;
const keyOf = ({ id }: Pick<Sale, 'id'>) => guid('CabecDoc', id);
const lineKey = ({ id }: Pick<Line, 'id'>) => guid('LinhasDoc', id);
const byName = (name: string) => sales.find((one) => nameOf(one) === name)!;
const isInvoice = ({ type }: Sale) => type === 'FA' || type === 'NC';
const isOnTheWay = ({ type }: Sale) => type === 'FA' || type === 'GR';
const isFollowed = (one: Sale) => sales.some(({ of, type }) => type === 'FA' && of === nameOf(one));
/** 0: at home, 1: in the Union, 2: outside. */
const taxSpace = ({ customer }: Sale) => {
  if (customer.country === 'PT') return 0;
  return isInUnion(customer) ? 1 : 2;
};
const user = ({ id }: Pick<Sale, 'id'>) => (id % 3 === 0 ? 'cfreitas' : 'admin');
const sellerOf = ({ customer }: Sale) => (customer.country === 'PT' ? '1' : '2');
const home = {
  street: 'Parque Industrial de Celeirós',
  street2: 'Lote 18',
  town: 'Celeirós',
  zip: '4705-414',
  postTown: 'Braga',
  district: '03',
};

/** Where the hotel has its second house. */
const second = {
  street: 'Rua da Praia 40',
  street2: null,
  town: 'Apúlia',
  zip: '4740-055',
  postTown: 'Apúlia',
  district: '03',
};

const headersOf = (all: readonly Sale[]) =>
  tableOf(
    all,
    {
      'Data datetime': ({ date }) => midnight(date),
      'Zona nvarchar(2)': ({ customer }) => (customer.country === 'PT' ? '01' : '02'),
      'Entidade nvarchar(12)': ({ customer }) => customer.code,
      'TipoDoc nvarchar(5)': ({ type }) => type,
      'NumDoc int': ({ number }) => number,
      'CondPag nvarchar(2)': ({ customer }) => customer.terms,
      'DescPag real': 0,
      'TotalMerc float': beforeOf,
      'TotalIva float': taxOf,
      'TotalDesc float': reductionOf,
      'TotalOutros float': 0,
      'ModoExp nvarchar(5)': ({ id }) => (id % 2 === 0 ? '01' : '03'),
      'ModoPag nvarchar(5)': ({ customer }) => customer.means,
      'UtilizaMoradaAltEntrega bit': 0,
      'MoradaAltEntrega nvarchar(10)': null,
      'Seccao nvarchar(2)': '1',
      'RegimeIva nvarchar(1)': (one) => String(taxSpace(one)),
      'Moeda nvarchar(3)': ({ currency }) => currency,
      'Cambio float': ({ rate }) => rate,
      'Requisicao nvarchar(20)': ({ order }) => order,
      'DataVencimento datetime': ({ due }) => midnight(due),
      'LocalCarga nvarchar(50)': 'N/ Armazém',
      'HoraCarga nvarchar(5)': '09:30',
      'LocalDescarga nvarchar(50)': 'V/ Morada',
      'HoraDescarga nvarchar(5)': null,
      'Matricula nvarchar(25)': (one) => (isOnTheWay(one) && one.id % 2 === 1 ? '42-RX-18' : null),
      'Filial nvarchar(3)': '000',
      'Serie nvarchar(5)': ({ series }) => series,
      'MoedaDaUEM bit': ({ currency }) => (currency === 'EUR' ? 1 : 0),
      'Arredondamento smallint, ArredondamentoIva smallint': 2,
      'IntrastatNatA nvarchar(2)': (one) => (taxSpace(one) === 1 ? '1' : null),
      'IntrastatNatB nvarchar(2)': (one) => (taxSpace(one) === 1 ? '1' : null),
      'IntrastatCondEnt nvarchar(3)': (one) => (taxSpace(one) === 1 ? 'EXW' : null),
      'IntrastatModoTransp nvarchar(1)': (one) => (taxSpace(one) === 1 ? '3' : null),
      'IntrastatPorto nvarchar(4), Diario nvarchar(5)': null,
      'NumDiario int': null,
      'DataUltimaActualizacao datetime': ({ date }) => at(date, '17:52:06'),
      'RespCobranca nvarchar(3)': null,
      'NumContribuinte nvarchar(20)': ({ customer }) => customer.taxNumber,
      'Nome nvarchar(50)': ({ customer }) => customer.name,
      'Morada nvarchar(50)': ({ customer }) => customer.street,
      'Localidade nvarchar(50)': ({ customer }) => customer.town,
      'CodPostal nvarchar(15)': ({ customer }) => customer.zip,
      'CodPostalLocalidade nvarchar(50)': ({ customer }) => customer.postTown,
      'Utilizador nvarchar(20)': user,
      'Posto nvarchar(3)': '001',
      'DocsOriginais ntext': ({ type, of }) => (type === 'FA' ? of : null),
      'Observacoes ntext': ({ note }) => note,
      'PercentagemRetencao float, TotalRetencao float': 0,
      'DataCarga nvarchar(20)': (one) => (isOnTheWay(one) ? one.date : null),
      'DataDescarga nvarchar(20), TipoOperacao nvarchar(2)': null,
      'VersaoUltAct timestamp': ({ id }) => rowVersion(id),
      '*Id uniqueidentifier': keyOf,
      'IdCabecTesouraria uniqueidentifier': null,
      'TipoEntidade nvarchar(1)': 'C',
      'DescEntidade real': 0,
      'Responsavel nvarchar(25), Referencia nvarchar(20)': null,
      'FluxoDocumental nvarchar(3)': null,
      'AnoCBL smallint': ({ series }) => Number(series),
      'IdGDOC uniqueidentifier, ObraID uniqueidentifier': null,
      'IdCabecEstorno uniqueidentifier': null,
      'CDU_CabVar1 nvarchar(15), CDU_CabVar2 nvarchar(15), CDU_CabVar3 nvarchar(15)': null,
      'CDU_CabVar4 nvarchar(15), CDU_CabVar5 nvarchar(15)': null,
      'IdDocB2B uniqueidentifier, LocalOperacao varchar(2)': null,
      'TotalEcotaxa float': 0,
      'DE_IL nvarchar(20)': null,
      'CambioMBase float': 1,
      'CambioMAlt float': 200.482,
      'IDDiarioCaixa uniqueidentifier': null,
      'TipoEntidadeEntrega nvarchar(1)': 'C',
      'EntidadeEntrega nvarchar(12)': ({ customer }) => customer.code,
      'NomeEntrega nvarchar(50)': ({ customer }) => customer.name,
      'MoradaEntrega nvarchar(50)': (one) => deliveryOf(one).street,
      'LocalidadeEntrega nvarchar(50)': (one) => deliveryOf(one).town,
      'CodPostalEntrega nvarchar(15)': (one) => deliveryOf(one).zip,
      'CodPostalLocalidadeEntrega nvarchar(50)': (one) => deliveryOf(one).postTown,
      'IdCabecMovCbl uniqueidentifier': (one) =>
        isInvoice(one) && one.number > 0 ? guid('CabecMovCBL', one.id) : null,
      'TotalRecargo float, TotalRetencaoGarantia float': 0,
      'Grupo varchar(30), Origem varchar(15)': null,
      'OrigemPOS bit': 0,
      'Versao varchar(5)': null,
      'IDAvenca uniqueidentifier, ContaDomiciliacao varchar(5)': null,
      'Distrito varchar(2)': ({ customer }) => customer.district,
      'DistritoEntrega varchar(2)': (one) => deliveryOf(one).district,
      'IntrastatRegEstatistico varchar(1)': null,
      'Morada2 nvarchar(50)': ({ customer }) => customer.street2,
      'TipoLancamento varchar(3)': '000',
      'TipoEntidadeFac nvarchar(1)': 'C',
      'EntidadeFac nvarchar(12)': ({ customer }) => customer.code,
      'NomeFac nvarchar(150)': ({ customer }) => customer.name,
      'MoradaFac nvarchar(50)': ({ customer }) => customer.street,
      'Morada2Fac nvarchar(50)': ({ customer }) => customer.street2,
      'LocalidadeFac nvarchar(50)': ({ customer }) => customer.town,
      'CodigoPostalFac nvarchar(15)': ({ customer }) => customer.zip,
      'LocalidadeCodigoPostalFac nvarchar(50)': ({ customer }) => customer.postTown,
      'NumContribuinteFac nvarchar(20)': ({ customer }) => customer.taxNumber,
      'DistritoFac varchar(2)': ({ customer }) => customer.district,
      'EntidadeDescarga nvarchar(12)': ({ customer }) => customer.code,
      'TotalIEC float': 0,
      'DataGravacao datetime': ({ date, id }) => at(date, id % 2 === 0 ? '11:20:35' : '16:04:51'),
      'PendentePorLinha bit': 0,
      'Assinatura nvarchar(255)': (one) =>
        isInvoice(one) || one.type === 'GR' ? `${hexKey('assinatura', one.id)}=` : null,
      'VersaoAssinatura nvarchar(20)': (one) => (isInvoice(one) || one.type === 'GR' ? '1' : null),
      'RegimeIvaReembolsos smallint': 0,
      'EspacoFiscal smallint': taxSpace,
      'Morada2Entrega nvarchar(50)': (one) => deliveryOf(one).street2,
      'IdOportunidade uniqueidentifier, NumProposta smallint': null,
      'PaisFac nvarchar(2), Pais nvarchar(2)': ({ customer }) => customer.country,
      'RefDocOrig varchar(50)': ({ type, of }) => (type === 'NC' ? of!.split('/')[1]! : null),
      'Certificado varchar(50)': (one) => (isInvoice(one) || one.type === 'GR' ? '0012/AT' : null),
      'IdDocOrigem uniqueidentifier': ({ type, of }) => (type === 'NC' ? keyOf(byName(of!)) : null),
      'ModuloOrigem nvarchar(1)': 'V',
      'CambioADataDoc bit': 1,
      'WBSItem nvarchar(100)': null,
      'B2BTrataTrans bit, B2BEnvioNaGravacao bit': 0,
      'PaisEntrega nvarchar(2)': ({ customer }) => customer.country,
      'MoradaCarga nvarchar(50)': home.street,
      'Morada2Carga nvarchar(50)': home.street2,
      'LocalidadeCarga nvarchar(50)': home.town,
      'CodPostalCarga nvarchar(15)': home.zip,
      'CodPostalLocalidadeCarga nvarchar(50)': home.postTown,
      'DistritoCarga varchar(2)': home.district,
      'PaisCarga nvarchar(2)': 'PT',
      'CAE varchar(15)': null,
      'Resumo bit': 0,
      'IDRegularizacao uniqueidentifier': null,
      'TotalIS float': 0,
      'TrataIvaCaixa bit': 0,
      'CDU_CodigoLocalizacao varchar(13), ContratoID uniqueidentifier': null,
      'Documento nvarchar(50)': nameOf,
      'RefTipoDocOrig varchar(50)': ({ type, of }) => (type === 'NC' ? of!.split(' ')[0]! : null),
      'RefSerieDocOrig varchar(50)': ({ type, of }) => (type === 'NC' ? of!.slice(3, 7) : null),
      'TotalDocumento float': grossOf,
      'CertificadoRecuperacao nvarchar(50)': null,
      'MargemDoc float': marginOf,
      'TipoFiscal varchar(3)': ({ type }) => (type === 'FA' ? 'FT' : type),
      'TipoTerceiro nvarchar(3)': '001',
      'Desatualizado bit': 0,
      'DataHoraCarga datetime': (one) => (isOnTheWay(one) ? at(one.date, '09:30:00') : null),
      'DataHoraDescarga datetime, LastIndexDate datetime': null,
      'PercentagemCativacao float, ValorEntregue float': 0,
      'ServContinuados bit': 0,
      'CriadoPor nvarchar(20)': user,
    },
    {
      TipoDoc: 'DocumentosVenda.Documento',
      CondPag: 'CondPag.CondPag',
      Moeda: 'Moedas.Moeda',
      Pais: 'Paises.Pais',
    },
  );

/** One customer has a second address, where some of the goods go. */
function deliveryOf({ customer, id }: Sale) {
  return customer.code === 'C0004' && id % 2 === 1 ? second : customer;
}

const linesOf = (all: readonly Sale[]) =>
  all.flatMap((one) => one.lines.map((line) => ({ one, line })));
type LineRow = ReturnType<typeof linesOf>[number];
/** The line of the document that was carried on. */
const originOf = ({ one, line }: LineRow) =>
  one.of === null ? undefined : byName(one.of).lines.find(({ good }) => good?.id === line.good?.id);

const linesTable = (all: readonly Sale[]) =>
  tableOf(
    linesOf(all),
    {
      '*Id uniqueidentifier': ({ line }) => lineKey(line),
      'IdCabecDoc uniqueidentifier': ({ one }) => keyOf(one),
      'NumLinha smallint': ({ line }) => line.position,
      'Artigo nvarchar(48)': ({ line }) => line.good?.code ?? null,
      'Desconto1 real': ({ line }) => line.discount,
      'Desconto2 real, Desconto3 real': 0,
      'TaxaIva real': ({ line }) => (line.taxCode === null ? 0 : rateOf(line.taxCode)),
      'CodIva nvarchar(2)': ({ line }) => line.taxCode,
      'Quantidade float': ({ line }) => line.quantity,
      'PCM float': ({ line }) => line.good?.cost ?? 0,
      'PrecUnit float': ({ line }) => line.price,
      'RegimeIva nvarchar(1)': ({ one }) => String(taxSpace(one)),
      'Data datetime': ({ one }) => midnight(one.date),
      'TipoLinha nvarchar(2)': ({ line: { good } }) => {
        if (good === null) return '60';
        return good.isService ? '20' : '10';
      },
      'Seccao nvarchar(2)': '1',
      'Armazem nvarchar(5), Localizacao nvarchar(30)': ({ line: { good } }) =>
        good === null || good.isService ? null : 'A1',
      'MovSTK nvarchar(1)': ({ line: { good } }) => (good === null || good.isService ? 'N' : 'S'),
      'FactorConv float': ({ line }) => line.good?.factor ?? 1,
      'ArredFConv float': 0,
      'NumLinhaSTKGerada int': ({ line: { good, position }, one }) =>
        good === null || good.isService || !isOnTheWay(one) ? 0 : position,
      'DataStock datetime': ({ one }) => midnight(one.date),
      'DataSaida datetime': ({ one }) => (isOnTheWay(one) ? midnight(one.date) : null),
      'DescontoComercial real': 0,
      'Comissao real': 1.5,
      'Lote nvarchar(20)': ({ line }) => (line.good === null ? null : '<L01>'),
      'PrecoLiquido float': ({ line }) => line.net,
      'TotalIliquido float': ({ line }) => line.before,
      'TotalDA float': ({ line }) => line.reduction,
      'TotalDC float, TotalDF float': 0,
      'TotalIva float': ({ line }) => line.tax,
      'TotalRecargo float': 0,
      'TaxaRecargo real': 0,
      'IntrastatCodigoPautal nvarchar(20)': null,
      'IntrastatMassaLiq float, IntrastatValorLiq float': 0,
      'IntrastatRegiao nvarchar(2), IntrastatPaisOrigem nvarchar(2)': null,
      'Descricao nvarchar(512)': ({ line }) => line.text,
      'Unidade nvarchar(5)': ({ line }) => line.good?.unit ?? null,
      'DataEntrega datetime': ({ one }) => midnight(later(one.date, 2)),
      'Vendedor nvarchar(3)': ({ one }) => sellerOf(one),
      'ContaCBL nvarchar(20)': ({ line: { good } }) => {
        if (good === null) return null;
        return good.isService ? '721111' : '711111';
      },
      'CCustoCBL nvarchar(15), AnaliticaCBL nvarchar(20), FuncionalCBL nvarchar(15)': null,
      'IDObra uniqueidentifier, WBSItem nvarchar(100)': null,
      'Devolucao bit': ({ one }) => (one.type === 'NC' ? 1 : 0),
      'PCMDevolucao float': ({ one, line }) => (one.type === 'NC' ? (line.good?.cost ?? 0) : 0),
      'PercIvaDedutivel real, PercIncidenciaIVA real': 100,
      'IvaNaoDedutivel float': 0,
      'EstadoAdiantamento nvarchar(1), EstadoOrigem nvarchar(1)': null,
      'Ecotaxa float, TotalEcotaxa float': 0,
      'CodIvaEcotaxa nvarchar(2)': null,
      'TaxaIvaEcotaxa real, ValorIEC float, TotalIEC float': 0,
      'CodIvaIEC nvarchar(2)': null,
      'TaxaIvaIEC real, BaseCalculoIncidencia float': 0,
      'RegraCalculoIncidencia smallint': 0,
      'ValorLiquidoDesconto float, IvaValorDesconto float': 0,
      'Margem float': ({ one, line }) =>
        cents(line.net - line.quantity * (line.good?.cost ?? 0) * one.rate),
      'TipoCustoPrevisto smallint': 1,
      'CustoPrevisto float': ({ line }) => line.good?.cost ?? 0,
      'Formula nvarchar(10)': null,
      'VariavelA float, VariavelB float, VariavelC float, QuantFormula float': 0,
      'IDHistorico uniqueidentifier, IdLinhaPai uniqueidentifier': null,
      'IDLinhaOriginal uniqueidentifier': (row) => {
        const origin = originOf(row);
        return origin === undefined ? null : lineKey(origin);
      },
      'IdLinhaEstorno uniqueidentifier, MotivoEstorno nvarchar(5)': null,
      'IdLinhaOrigemCopia uniqueidentifier, ModuloOrigemCopia nvarchar(1)': null,
      'TipoOperacao nvarchar(2)': null,
      'CDU_LinVar1 nvarchar(15), CDU_LinVar2 nvarchar(15), CDU_LinVar3 nvarchar(15)': null,
      'CDU_LinVar4 nvarchar(15), CDU_LinVar5 nvarchar(15)': null,
      'VersaoUltAct timestamp': ({ line }) => rowVersion(line.id),
    },
    { IdCabecDoc: all === drafts ? 'CabecDocRascunhos.Id' : 'CabecDoc.Id' },
  );

/** What a document has of each rate. */
const taxRows = sales.filter(isInvoice).flatMap((one) =>
  [...new Set(one.lines.map(({ taxCode }) => taxCode!))].map((code) => {
    const lines = one.lines.filter(({ taxCode }) => taxCode === code);
    return {
      one,
      code,
      base: total(lines.map(({ net }) => net)),
      tax: total(lines.map(({ tax }) => tax)),
    };
  }),
);
const open = sales.filter(
  (one) => isInvoice(one) && !one.isCancelled && (one.date > '2025-09-01' || one.id % 6 === 0),
);

const sold: Readonly<Record<string, LayoutTable>> = {
  CabecDoc: headersOf(sales),
  CabecDocRascunhos: headersOf(drafts),
  CabecDocStatus: tableOf(
    sales,
    {
      '*IdCabecDoc uniqueidentifier': keyOf,
      'Estado nvarchar(1)': (one) => (isFollowed(one) ? 'T' : 'P'),
      'DocImp bit': (one) => (isInvoice(one) ? 1 : 0),
      'Fechado bit': (one) => (isFollowed(one) ? 1 : 0),
      'Anulado bit': ({ isCancelled }) => (isCancelled ? 1 : 0),
      'MotivoAnulacao nvarchar(5)': ({ isCancelled }) => (isCancelled ? '001' : null),
      'DataAnulacao datetime': ({ isCancelled, date }) =>
        isCancelled ? at(date, '18:15:40') : null,
      'ObservacoesAnulacao nvarchar(100)': ({ isCancelled }) =>
        isCancelled ? 'Quantidade errada' : null,
      'UtilizadorAnulacao nvarchar(20)': ({ isCancelled }) => (isCancelled ? 'admin' : null),
      'DataImp datetime': (one) => (isInvoice(one) ? at(one.date, '16:30:12') : null),
      'ATDocCodeID nvarchar(200)': ({ type, id }) => (type === 'GR' ? `48213377${id}` : null),
      'EnvioEDI bit, Exportado bit': 0,
      'VersaoUltAct timestamp': ({ id }) => rowVersion(id),
    },
    { IdCabecDoc: 'CabecDoc.Id' },
  ),
  LinhasDoc: linesTable(sales),
  LinhasDocRascunhos: linesTable(drafts),
  LinhasDocStatus: tableOf(
    linesOf(sales),
    {
      '*IdLinhasDoc uniqueidentifier': ({ line }) => lineKey(line),
      'EstadoTrans nvarchar(1)': ({ one }) => (isFollowed(one) ? 'T' : 'P'),
      'Quantidade float': ({ line }) => line.quantity,
      'QuantReserv float': 0,
      'QuantTrans float': ({ one, line }) => (isFollowed(one) ? line.quantity : 0),
      'QuantCopiada float, QuantSatisfeita float': 0,
      'Fechado bit': ({ one }) => (isFollowed(one) ? 1 : 0),
      'DataPrevista datetime': null,
    },
    { IdLinhasDoc: 'LinhasDoc.Id' },
  ),
  LinhasDocTrans: tableOf(
    linesOf(sales).filter((row) => row.one.type === 'FA' && originOf(row) !== undefined),
    {
      '*IdLinhasDoc uniqueidentifier': ({ line }) => lineKey(line),
      '*IdLinhasDocOrigem uniqueidentifier': (row) => lineKey(originOf(row)!),
      'QuantTrans float': ({ line }) => line.quantity,
    },
    { IdLinhasDoc: 'LinhasDoc.Id', IdLinhasDocOrigem: 'LinhasDoc.Id' },
  ),
  ResumoIva: tableOf(taxRows, {
    '*Id uniqueidentifier': (_, index) => guid('ResumoIva', index + 1),
    'IDOrig uniqueidentifier': ({ one }) => keyOf(one),
    'Modulo nvarchar(1)': 'V',
    'Filial nvarchar(3)': '000',
    'TipoDoc nvarchar(5)': ({ one }) => one.type,
    'Serie nvarchar(5)': ({ one }) => one.series,
    'NumDoc int': ({ one }) => one.number,
    'CodIva nvarchar(2)': ({ code }) => code,
    'TaxaIva real': ({ code }) => rateOf(code),
    'TaxaRecargo real': 0,
    'Incidencia float': ({ base }) => base,
    'Valor float': ({ tax }) => tax,
    'ValorRecargo float, AcertoIVA float, IvaNaoDedutivel float, ValorDesconto float': 0,
    'IdHistorico uniqueidentifier': ({ one }) => guid('Historico', one.id),
  }),
  Pendentes: tableOf(
    open,
    {
      '*IdHistorico uniqueidentifier': ({ id }) => guid('Historico', id),
      'Modulo nvarchar(1)': 'V',
      'Filial nvarchar(3)': '000',
      'TipoConta nvarchar(3)': 'CCC',
      'TipoEntidade nvarchar(1)': 'C',
      'Entidade nvarchar(12)': ({ customer }) => customer.code,
      'TipoDoc nvarchar(5)': ({ type }) => type,
      'Serie nvarchar(5)': ({ series }) => series,
      'NumDocInt int': ({ number }) => number,
      'NumDoc nvarchar(20)': ({ number }) => String(number),
      'NumPrestacao smallint': 1,
      'Estado nvarchar(3)': 'PEN',
      'DataDoc datetime': ({ date }) => midnight(date),
      'DataVenc datetime': ({ due }) => midnight(due),
      'ValorTotal float': grossOf,
      'ValorPendente float': grossOf,
      'TotalIva float': taxOf,
      'Moeda nvarchar(3)': ({ currency }) => currency,
      'Cambio float': ({ rate }) => rate,
      'CondPag nvarchar(2)': ({ customer }) => customer.terms,
      'ModoPag nvarchar(5)': ({ customer }) => customer.means,
      'Observacoes nvarchar(250)': null,
    },
    { Moeda: 'Moedas.Moeda' },
  ),
};

const regular = customers.filter(({ last }) => last !== '');

const relations: Readonly<Record<string, LayoutTable>> = {
  Clientes: tableOf(
    customers,
    {
      '*Cliente nvarchar(12)': ({ code }) => code,
      'Nome nvarchar(50)': ({ name }) => name,
      'Fac_Mor nvarchar(50)': ({ street }) => street,
      'Fac_Local nvarchar(50)': ({ town }) => town,
      'Fac_Cp nvarchar(15)': ({ zip }) => zip,
      'Fac_Cploc nvarchar(50)': ({ postTown }) => postTown,
      'Fac_Tel nvarchar(20)': ({ phone }) => phone,
      'Fac_Fax nvarchar(20)': null,
      'Desconto real': 0,
      'TipoPrec nvarchar(1)': '0',
      'TipoCred nvarchar(1)': '1',
      'LimiteCred float': ({ id }) => (id % 2 === 0 ? 5000 : 0),
      'TotalDeb float': ({ id }) =>
        total(open.filter((one) => one.customer.id === id).map((one) => grossOf(one) / one.rate)),
      'NumContrib nvarchar(20)': ({ taxNumber }) => taxNumber,
      'Pais nvarchar(2)': ({ country }) => country,
      'TipoCli nvarchar(1)': null,
      'AvisosVenc bit': 1,
      'ModoPag nvarchar(5)': ({ means }) => means,
      'CondPag nvarchar(2)': (one) => one.terms,
      'Moeda nvarchar(3)': ({ currency }) => currency,
      'ModoExp nvarchar(5)': '01',
      'Vendedor nvarchar(3)': ({ country }) => (country === 'PT' ? '1' : '2'),
      'Zona nvarchar(2)': ({ country }) => (country === 'PT' ? '01' : '02'),
      'NumViasDoc smallint': 2,
      'ExcluirRecap bit': 0,
      'EnderecoWeb nvarchar(50)': ({ email }) =>
        email === null ? null : `www.${email.split('@')[1]!}`,
      'DataCriacao datetime': at('2024-11-18', '10:02:14'),
      'CriacaoAutomatica bit': 0,
      'RubricaPagamentos nvarchar(35), RubricaRecebimentos nvarchar(35)': null,
      'TipoTerceiro nvarchar(3)': '001',
      'ClienteAnulado bit': 0,
      'VendasNaoConvertidas float, EncomendasPendentes float': 0,
      'IntrastatCliente bit': (one) => (isInUnion(one) ? 1 : 0),
      'IntrastatPorto nvarchar(4), SuporteAvisosVencimento nvarchar(1)': null,
      'DataUltimaActualizacao datetime': at('2026-01-05', '09:12:58'),
      'Notas ntext': ({ code }) => (code === 'C0002' ? 'Indicar sempre o compromisso.' : null),
      'EfectuaRetencao bit': 0,
      'Idioma nvarchar(3)': null,
      'UtilizaIdioma bit': 0,
      'TipoOperIntraCom nvarchar(2)': null,
      'VersaoUltAct timestamp': ({ id }) => rowVersion(id),
      'EfectuaOutrasRetencoes bit': 0,
      'IdContactoCob uniqueidentifier': null,
      'ExcluirAlertasCob bit, AlertaValorSaldoCob bit': 0,
      'ValorSaldoCob float': 0,
      'AlertaIdadeSaldoCob bit': 0,
      'IdadeSaldoCob smallint, CalendarioCob ntext, Fac_Mor1 nvarchar(50)': null,
      'LimiteCredValor bit, LimiteCredIdade bit': 0,
      'LimiteIdadeSaldo int, LimiteValorSaldo float, IdGDOC uniqueidentifier': null,
      'Telefone2 nvarchar(20)': null,
      'DebitoLetrasNovas bit, DebitoLetrasReformadas bit': 0,
      'CDU_CampoVar1 nvarchar(15), CDU_CampoVar2 nvarchar(15)': null,
      'CDU_CampoVar3 nvarchar(15)': null,
      'B2BTrataTrans bit, B2BUtilArtigosParceiro bit, B2BEnvioNaGravacao bit': 0,
      'B2BEnderecoMail nvarchar(100), B2BCertificado nvarchar(250)': null,
      'LocalOperacao varchar(2)': null,
      'SujeitoRecargo bit': 0,
      'CodPRIEMPRE nvarchar(10), Situacao nvarchar(10), Equipa nvarchar(10)': null,
      'Descricao varchar(50)': ({ name }) => name,
      'Distrito varchar(2)': ({ district }) => district,
      'GestaoDiasPag bit': 0,
      'DiaPagamento1 tinyint, DiaPagamento2 tinyint': null,
      'PessoaSingular bit': ({ taxNumber }) => (taxNumber.startsWith('2') ? 1 : 0),
      'CodigoGLN varchar(20), ModoRec nvarchar(5)': null,
      'Fac_Mor2 nvarchar(50)': ({ street2 }) => street2,
      'NomeFiscal nvarchar(150)': ({ name }) => name,
      'EncargosBanco bit': 0,
      'CodigoIEC nvarchar(15), SegmentoTerceiro nvarchar(10)': null,
      'RegimeIvaReembolsos smallint': 0,
      'Factoring bit': 0,
      'CambioADataDoc bit': 1,
      'ContribuinteNaoResidente nvarchar(20)': null,
      'ActividadeEmpresarial bit': 1,
      'AutoFacturacao bit, TrataIvaCaixa bit, FacturacaoAgrupadaBilling bit': 0,
      'EntidadeParceira nvarchar(5), LastIndexDate datetime': null,
      'IVACativo bit': 0,
      'PercentagemCativacao float': 0,
      'ContaRecebimentos nvarchar(5)': null,
      'EntidadeDoEstado bit': ({ code }) => (code === 'C0002' ? 1 : 0),
    },
    { Pais: 'Paises.Pais', CondPag: 'CondPag.CondPag', Moeda: 'Moedas.Moeda' },
  ),
  MoradasAlternativasClientes: tableOf([second], {
    '*Cliente nvarchar(12)': 'C0004',
    '*MoradaAlternativa nvarchar(10)': 'APULIA',
    'Morada nvarchar(50)': ({ street }) => street,
    'Morada2 nvarchar(50)': null,
    'Localidade nvarchar(50)': ({ town }) => town,
    'Cp nvarchar(15)': ({ zip }) => zip,
    'CpLocalidade nvarchar(50)': ({ postTown }) => postTown,
    'Telefone nvarchar(20), Fax nvarchar(20)': null,
    'Distrito varchar(2)': ({ district }) => district,
    'Pais nvarchar(2)': 'PT',
    'MoradaPorDefeito bit': 0,
  }),
  Contactos: tableOf(regular, {
    '*Id uniqueidentifier': ({ id }) => guid('Contactos', id),
    'Contacto nvarchar(20)': ({ first, id }) => `${first.slice(0, 3).toUpperCase()}${id}`,
    'Titulo nvarchar(10)': null,
    'PrimeiroNome nvarchar(50)': ({ first }) => first,
    'UltimoNome nvarchar(50)': ({ last }) => last,
    'Nome nvarchar(100)': ({ first, last }) => `${first} ${last}`,
    'Morada nvarchar(50), Localidade nvarchar(50), CodPostal nvarchar(15)': null,
    'Telefone nvarchar(20)': ({ phone }) => phone,
    'Telemovel nvarchar(20), Fax nvarchar(20)': null,
    'Email nvarchar(100)': ({ email }) => email,
    'DataCriacao datetime': at('2024-11-18', '10:05:41'),
    'Inactivo bit': 0,
  }),
  LinhasContactoEntidades: tableOf(
    regular,
    {
      '*Id uniqueidentifier': ({ id }) => guid('LinhasContactoEntidades', id),
      'IDContacto uniqueidentifier': ({ id }) => guid('Contactos', id),
      'TipoEntidade nvarchar(1)': 'C',
      'Entidade nvarchar(12)': ({ code }) => code,
      'TipoContacto nvarchar(15)': 'COMPRAS',
      'Telefone nvarchar(20)': ({ phone }) => phone,
      'Telemovel nvarchar(20)': null,
      'Email nvarchar(100)': ({ email }) => email,
    },
    { IDContacto: 'Contactos.Id' },
  ),
  Vendedores: tableOf(
    [
      { code: '1', name: 'Catarina Freitas' },
      { code: '2', name: 'Paulo Seabra' },
    ],
    {
      '*Vendedor nvarchar(3)': ({ code }) => code,
      'Nome nvarchar(50)': ({ name }) => name,
      'Morada nvarchar(50), Localidade nvarchar(50), Telefone nvarchar(20)': null,
      'Email nvarchar(100)': ({ name }) =>
        `${name.split(' ')[1]!.toLowerCase()}@hidrominho.example`,
      'Comissao real': 1.5,
      'Inactivo bit': 0,
    },
  ),
};

const suppliers = rowsOf(
  `F0001;Plásticos do Ave, SA;Rua da Indústria 210;Ribeirão;4760-718;Vila Nova de Famalicão;13;PT;504199374;252 491 880
F0002;Aguas y Riegos de Castilla, S.A.;Carretera de Burgos km 4;Valladolid;47009;Valladolid;;ES;ESA47021133;+34 983 210 047
F0003;Energia Minho, SA;Avenida Central 77;Braga;4710-229;Braga;03;PT;509812643;800 200 317`,
).map((cells) => ({
  code: cells[0]!,
  name: cells[1]!,
  street: cells[2]!,
  town: cells[3]!,
  zip: cells[4]!,
  postTown: cells[5]!,
  district: cells[6] || null,
  country: cells[7]!,
  taxNumber: cells[8]!,
  phone: cells[9]!,
}));
/** Type; date; supplier; its number; text; quantity; price; tax. */
const purchases = rowsOf(
  `VFA;2025-01-15;F0001;FT 2025/884;Tubo PEAD 32 mm PN10;1000;1.02;23
VFA;2025-02-12;F0002;A-25/00317;Filtro de discos 2";60;24.96;16
ECF;2025-02-27;F0002;;Programador de rega 6 zonas;20;58.71;16
VFA;2025-03-20;F0002;A-25/00702;Programador de rega 6 zonas;20;58.71;16
VFA;2025-04-07;F0003;FAC 0425118843;Electricidade;1;312.4;23
VNC;2025-04-22;F0001;NC 2025/61;Tubo PEAD 32 mm PN10;100;1.02;23
VFA;2025-10-06;F0003;FAC 1025220915;Electricidade;1;287.15;23`,
).map((cells, index) => {
  const [type = '', date = '', code, theirs, text = '', count, price, tax = ''] = cells;
  const sign = type === 'VNC' ? 1 : -1;
  const net = cents(sign * Number(count) * Number(price));
  lineIds.purchase += 1;
  return {
    id: index + 1,
    type,
    date,
    supplier: suppliers.find((each) => each.code === code)!,
    theirs: theirs || null,
    text,
    good: goods.find(({ name }) => name === text),
    quantity: sign * Number(count),
    price: Number(price),
    taxCode: tax,
    net,
    tax: cents((net * rateOf(tax)) / 100),
    line: lineIds.purchase,
  };
});
type Purchase = (typeof purchases)[number];
const purchaseKey = ({ id }: Purchase) => guid('CabecCompras', id);
const purchaseNumber = (one: Purchase) =>
  purchases.filter(({ type, id }) => type === one.type && id <= one.id).length;

const bought: Readonly<Record<string, LayoutTable>> = {
  Fornecedores: tableOf(
    suppliers,
    {
      '*Fornecedor nvarchar(12)': ({ code }) => code,
      'Nome nvarchar(50)': ({ name }) => name,
      'Morada nvarchar(50)': ({ street }) => street,
      'Local nvarchar(50)': ({ town }) => town,
      'Cp nvarchar(15)': ({ zip }) => zip,
      'CpLoc nvarchar(50)': ({ postTown }) => postTown,
      'Tel nvarchar(20)': ({ phone }) => phone,
      'Fax nvarchar(20)': null,
      'Desconto real': 0,
      'PrazoEnt nvarchar(3)': null,
      'TotalDeb float, LimiteCred float': 0,
      'NumContrib nvarchar(20)': ({ taxNumber }) => taxNumber,
      'Pais nvarchar(2)': ({ country }) => country,
      'TipoFor nvarchar(1)': null,
      'CondPag nvarchar(2)': '2',
      'ModoPag nvarchar(5)': 'TRF',
      'Moeda nvarchar(3)': 'EUR',
      'ModoExp nvarchar(5)': null,
      'NumViasDoc smallint': 1,
      'ExcluirRecap bit': 0,
      'EnderecoWeb nvarchar(50)': null,
      'DataCriacao datetime': at('2024-11-18', '11:40:03'),
      'CriacaoAutomatica bit': 0,
      'TipoTerceiro nvarchar(3)': '001',
      'FornecedorAnulado bit, RegimeEspecial bit': 0,
      'ComprasNaoConvertidas float, EncomendasPendentes float': 0,
      'DataUltimaActualizacao datetime': at('2025-12-02', '15:27:30'),
      'Notas ntext, Idioma nvarchar(3), Morada1 nvarchar(50), Morada2 nvarchar(50)': null,
      'LocalOperacao varchar(2), Descricao varchar(50)': null,
      'Distrito varchar(2)': ({ district }) => district,
      'PessoaSingular bit': 0,
      'NomeFiscal nvarchar(150)': ({ name }) => name,
      'RegimeIvaReembolsos smallint': 0,
      'CambioADataDoc bit, AutoFacturacao bit, TrataIvaCaixa bit': 0,
    },
    { Pais: 'Paises.Pais', CondPag: 'CondPag.CondPag', Moeda: 'Moedas.Moeda' },
  ),
  CabecCompras: tableOf(
    purchases,
    {
      '*Id uniqueidentifier': purchaseKey,
      'DataDoc datetime': ({ date }) => midnight(date),
      'DataIntroducao datetime': ({ date }) => midnight(later(date, 3)),
      'DataVencimento datetime': ({ date }) => midnight(later(date, 30)),
      'Filial nvarchar(3)': '000',
      'TipoDoc nvarchar(5)': ({ type }) => type,
      'Serie nvarchar(5)': '2025',
      'NumDoc int': purchaseNumber,
      'NumDocExterno nvarchar(20)': ({ theirs }) => theirs,
      'TipoEntidade nvarchar(1)': 'F',
      'Entidade nvarchar(12)': ({ supplier }) => supplier.code,
      'Nome nvarchar(50)': ({ supplier }) => supplier.name,
      'Morada nvarchar(50)': ({ supplier }) => supplier.street,
      'Morada2 nvarchar(50)': null,
      'Localidade nvarchar(50)': ({ supplier }) => supplier.town,
      'CodPostal nvarchar(15)': ({ supplier }) => supplier.zip,
      'CodPostalLocalidade nvarchar(50)': ({ supplier }) => supplier.postTown,
      'NumContribuinte nvarchar(20)': ({ supplier }) => supplier.taxNumber,
      'Distrito varchar(2)': ({ supplier }) => supplier.district,
      'Pais nvarchar(2)': ({ supplier }) => supplier.country,
      'CondPag nvarchar(2)': '2',
      'ModoPag nvarchar(5)': 'TRF',
      'ModoExp nvarchar(5)': null,
      'Moeda nvarchar(3)': 'EUR',
      'Cambio float, CambioMBase float': 1,
      'CambioMAlt float': 200.482,
      'DescPag real, DescFornecedor real': 0,
      'TotalMerc float': ({ net }) => net,
      'TotalIva float': ({ tax }) => tax,
      'TotalDesc float, TotalOutros float, TotalDespesasAdicionais float': 0,
      'TotalDocumento float': ({ net, tax }) => cents(net + tax),
      'RegimeIva nvarchar(1)': ({ supplier }) => (supplier.country === 'PT' ? '0' : '1'),
      'Observacoes ntext, Requisicao nvarchar(20), Referencia nvarchar(20)': null,
      'Documento nvarchar(50)': (one) => `${one.type} 2025/${purchaseNumber(one)}`,
      'DataUltimaActualizacao datetime': ({ date }) => at(later(date, 3), '12:08:19'),
      'Utilizador nvarchar(20)': 'cfreitas',
      'Posto nvarchar(3)': '001',
      'ObraID uniqueidentifier, IdCabecMovCbl uniqueidentifier': null,
      'VersaoUltAct timestamp': ({ id }) => rowVersion(id),
    },
    {
      TipoDoc: 'DocumentosCompra.Documento',
      CondPag: 'CondPag.CondPag',
      Moeda: 'Moedas.Moeda',
      Pais: 'Paises.Pais',
    },
  ),
  CabecComprasStatus: tableOf(
    purchases,
    {
      '*IdCabecCompras uniqueidentifier': purchaseKey,
      'Estado nvarchar(1)': ({ type }) => (type === 'ECF' ? 'T' : 'P'),
      'DocImp bit': 0,
      'Fechado bit': ({ type }) => (type === 'ECF' ? 1 : 0),
      'Anulado bit': 0,
    },
    { IdCabecCompras: 'CabecCompras.Id' },
  ),
  LinhasCompras: tableOf(
    purchases,
    {
      '*Id uniqueidentifier': ({ line }) => guid('LinhasCompras', line),
      'IdCabecCompras uniqueidentifier': purchaseKey,
      'NumLinha smallint': 1,
      'Artigo nvarchar(48)': ({ good }) => good?.code ?? null,
      'Descricao nvarchar(512)': ({ text }) => text,
      'TipoLinha nvarchar(2)': ({ good }) => (good === undefined ? '20' : '10'),
      'Quantidade float': ({ quantity }) => quantity,
      'Unidade nvarchar(5)': ({ good }) => good?.unit ?? 'UN',
      'FactorConv float': 1,
      'PrecUnit float': ({ price }) => price,
      'Desconto1 real, Desconto2 real, Desconto3 real': 0,
      'CodIva nvarchar(2)': ({ taxCode }) => taxCode,
      'TaxaIva real': ({ taxCode }) => rateOf(taxCode),
      'PrecoLiquido float, TotalIliquido float': ({ net }) => net,
      'TotalIva float': ({ tax }) => tax,
      'TotalDA float, TotalDC float, TotalDF float': 0,
      'Armazem nvarchar(5), Localizacao nvarchar(30)': ({ good }) =>
        good === undefined ? null : 'A1',
      'DataDoc datetime': ({ date }) => midnight(date),
    },
    { IdCabecCompras: 'CabecCompras.Id' },
  ),
};

const codeAndName = (text: string) =>
  rowsOf(text).map(([code = '', name = '']) => ({ code, name }));
const units = codeAndName(`UN;Unidade
MT;Metro
KG;Quilograma
SC;Saco
CX;Caixa
HR;Hora`);
const kinds = rowsOf(
  `ORC;Orçamento;0;R;0
ECL;Encomenda de cliente;2;R;0
GR;Guia de remessa;3;R;0
FA;Factura;4;R;1
FS;Factura simplificada;4;R;1
NC;Nota de crédito;4;P;1
ND;Nota de débito;4;R;1`,
);

const lists: Readonly<Record<string, LayoutTable>> = {
  Artigo: tableOf(goods, {
    '*Artigo nvarchar(48)': ({ code }) => code,
    'Descricao nvarchar(512)': ({ name }) => name,
    'TipoArtigo nvarchar(2)': ({ isService }) => (isService ? '2' : '3'),
    'UnidadeBase nvarchar(5)': ({ stockUnit }) => stockUnit,
    'UnidadeVenda nvarchar(5)': ({ unit }) => unit,
    'UnidadeCompra nvarchar(5), UnidadeEntrada nvarchar(5), UnidadeSaida nvarchar(5)': ({
      stockUnit,
    }) => stockUnit,
    'Iva nvarchar(2)': ({ tax }) => tax,
    'CodBarras nvarchar(48)': ({ id, isService }) =>
      isService ? null : `56012345${String(10_010 + id * 17)}`,
    'Familia nvarchar(10)': ({ family }) => family,
    'SubFamilia nvarchar(10), Marca nvarchar(10), Modelo nvarchar(10)': null,
    'MovStock nvarchar(1)': ({ isService }) => (isService ? 'N' : 'S'),
    'STKActual float': ({ id, isService }) => (isService ? 0 : 40 + id * 13),
    'STKMinimo float, STKMaximo float, STKReposicao float': 0,
    'PCMedio float, PCUltimo float': ({ cost }) => cost,
    'PCPadrao float': 0,
    'DataUltEntrada datetime': midnight('2025-03-20'),
    'DataUltSaida datetime': midnight('2026-02-25'),
    'Peso float, Volume float': 0,
    'TratamentoLotes bit, TratamentoSeries bit': 0,
    'TratamentoDim smallint': 0,
    'ArtigoPai nvarchar(48), DimValor nvarchar(20)': null,
    'ArmazemSugestao nvarchar(5), LocalizacaoSugestao nvarchar(30)': ({ isService }) =>
      isService ? null : 'A1',
    'Fornecedor nvarchar(12)': null,
    'Desconto real': 0,
    'PermiteDevolucao bit': 1,
    'SujeitoEcotaxa bit, ArtigoAnulado bit': 0,
    'IntrastatPautal nvarchar(20)': null,
    'Observacoes ntext, Caracteristicas ntext, Garantia nvarchar(20)': null,
    'CDU_CampoVar1 nvarchar(15), CDU_CampoVar2 nvarchar(15)': null,
    'DataUltimaActualizacao datetime': at('2026-02-25', '16:04:51'),
    'VersaoUltAct timestamp': ({ id }) => rowVersion(id),
  }),
  ArtigoMoeda: tableOf(
    goods,
    {
      '*Artigo nvarchar(48)': ({ code }) => code,
      '*Moeda nvarchar(3)': 'EUR',
      '*Unidade nvarchar(5)': ({ unit }) => unit,
      'PVP1 float': ({ price }) => price,
      'PVP2 float': ({ price }) => cents(price * 0.95),
      'PVP3 float, PVP4 float, PVP5 float, PVP6 float': 0,
      'PVP1IvaIncluido bit, PVP2IvaIncluido bit, PVP3IvaIncluido bit': 0,
      'PVP4IvaIncluido bit, PVP5IvaIncluido bit, PVP6IvaIncluido bit': 0,
    },
    { Moeda: 'Moedas.Moeda' },
  ),
  ArtigoArmazem: tableOf(
    goods.filter(({ isService }) => !isService),
    {
      '*Artigo nvarchar(48)': ({ code }) => code,
      '*Armazem nvarchar(5), *Localizacao nvarchar(30)': 'A1',
      '*Lote nvarchar(20)': '<L01>',
      'StkActual float': ({ id }) => 40 + id * 13,
      'PCMedio float, PCUltimo float': ({ cost }) => cost,
    },
  ),
  Armazens: tableOf(['A1'], {
    '*Armazem nvarchar(5)': (code) => code,
    'Descricao nvarchar(50)': 'Armazém de Celeirós',
    'Morada nvarchar(50)': home.street,
    'Localidade nvarchar(50)': home.town,
    'Cp nvarchar(15)': home.zip,
    'CpLocalidade nvarchar(50)': home.postTown,
    'Telefone nvarchar(20)': null,
    'Distrito varchar(2)': home.district,
    'Pais nvarchar(2)': 'PT',
  }),
  Familias: tableOf(
    codeAndName(`BOMB;Bombas
TUBO;Tubagem e acessórios
REGA;Rega
JARD;Jardim
SERV;Serviços`),
    { '*Familia nvarchar(10)': ({ code }) => code, 'Descricao nvarchar(50)': ({ name }) => name },
  ),
  Unidades: tableOf(units, {
    '*Unidade nvarchar(5)': ({ code }) => code,
    'Descricao nvarchar(50)': ({ name }) => name,
    'NumDecimais smallint': ({ code }) => (code === 'UN' ? 0 : 2),
  }),
  Iva: tableOf(taxes, {
    '*Iva nvarchar(2)': ({ code }) => code,
    'Taxa real': ({ rate }) => rate,
    'Descricao nvarchar(50)': ({ text }) => text,
    'TipoIva smallint': 0,
    'PercIncidencia real': 100,
    'IncluirValorDocs bit': 0,
    'CodigoMotivoIsencao nvarchar(3)': ({ reason }) => reason,
    'MotivoIsencao nvarchar(100)': ({ law }) => law,
    'TaxaRecargo real': 0,
    'Inactivo bit': 0,
  }),
  Moedas: tableOf(
    rowsOf(`EUR;Euro;1;Euro;Cêntimo
USD;Dólar americano;1.16;Dólar;Cêntimo
PTE;Escudo;200.482;Escudo;Centavo`),
    {
      '*Moeda nvarchar(3)': ([code = '']) => code,
      'Descricao nvarchar(50)': ([, name = '']) => name,
      'Compra float, Venda float': ([, , rate]) => Number(rate),
      'DataCambio datetime': midnight('2025-09-01'),
      'DecArredonda smallint': 2,
      'DecPrecUnit smallint': 3,
      'DescParteInteira nvarchar(20)': ([, , , whole = '']) => whole,
      'DescParteDecimal nvarchar(20)': ([, , , , part = '']) => part,
    },
  ),
  CondPag: tableOf(terms, {
    '*CondPag nvarchar(2)': ({ code }) => code,
    'Descricao nvarchar(50)': ({ text }) => text,
    'Dias smallint': ({ days }) => days,
    'Desconto real': 0,
    'TipoCondicao nvarchar(1)': '1',
    'NumPrestacoes smallint': 1,
  }),
  DocumentosBancos: tableOf(
    codeAndName(`TRF;Transferência bancária
CHQ;Cheque
MB;Multibanco
NUM;Numerário`),
    {
      '*Movim nvarchar(5)': ({ code }) => code,
      'Descricao nvarchar(60)': ({ name }) => name,
      'PermiteAltAposExp bit, Letra bit, ChequePreDatado bit, Recibo bit': 0,
      'ExportaN68 bit, ControlarValorAdicional bit': 0,
    },
  ),
  Paises: tableOf(
    codeAndName(`PT;Portugal
ES;Espanha
FR;França
CV;Cabo Verde
US;Estados Unidos`),
    {
      '*Pais nvarchar(2)': ({ code }) => code,
      'Descricao nvarchar(50)': ({ name }) => name,
      'UniaoEuropeia bit': ({ code }) => (['PT', 'ES', 'FR'].includes(code) ? 1 : 0),
      'Intrastat nvarchar(3)': ({ code }) => (['PT', 'ES', 'FR'].includes(code) ? code : null),
    },
  ),
  Distritos: tableOf(
    codeAndName(`03;Braga
11;Lisboa
12;Portalegre
13;Porto`),
    {
      '*Distrito varchar(2)': ({ code }) => code,
      'Descricao varchar(50)': ({ name }) => name,
    },
  ),
  Zonas: tableOf(
    codeAndName(`01;Mercado nacional
02;Mercado externo`),
    { '*Zona nvarchar(2)': ({ code }) => code, 'Descricao nvarchar(50)': ({ name }) => name },
  ),
  DocumentosVenda: tableOf(kinds, {
    '*Documento nvarchar(5)': ([code = '']) => code,
    'Descricao nvarchar(60)': ([, name = '']) => name,
    'TipoDocumento smallint': ([, , group]) => Number(group),
    'PagarReceber nvarchar(1)': ([, , , side = '']) => side,
    'LigacaoCC bit': ([, , , , signed]) => Number(signed),
    'LiquidacaoAutomatica bit': ([code]) => (code === 'FS' ? 1 : 0),
    'PermiteAltAposExp bit, RecolhaDE_IL bit, BalAnaliticaALT bit': 0,
    'PermiteDocNegativo bit, PermiteLinhasNegativas bit': 0,
    'PermiteEstorno bit': ([code]) => (code === 'NC' ? 1 : 0),
    'PendentePorLinha bit': 0,
    'DocumentoFactura bit': ([code = '']) => (['FA', 'FS'].includes(code) ? 1 : 0),
    'GeraAssinatura bit': ([code, , , , signed]) => (code === 'GR' ? 1 : Number(signed)),
    'BensCirculacao bit': ([code = '']) => (['FA', 'GR'].includes(code) ? 1 : 0),
    'Inactivo bit': ([code]) => (code === 'ND' ? 1 : 0),
    'ValorLimite money': 0,
    'DocNaoValorizado bit, ReservaAutomatica bit': 0,
  }),
  SeriesVendas: tableOf(
    kinds.flatMap(([code = '']) => ['2025', '2026'].map((series) => ({ code, series }))),
    {
      '*TipoDoc nvarchar(5)': ({ code }) => code,
      '*Serie nvarchar(5)': ({ series }) => series,
      'Descricao nvarchar(50)': ({ series }) => `Série ${series}`,
      'SeriePorDefeito bit': ({ series }) => (series === '2026' ? 1 : 0),
      'DataInicial datetime': ({ series }) => midnight(`${series}-01-01`),
      'DataFinal datetime': ({ series }) => midnight(`${series}-12-31`),
      'Numerador int': ({ code, series }) =>
        sales.filter((one) => one.type === code && one.series === series).length,
      'DescricaoVia01 nvarchar(50)': 'Original',
      'DescricaoVia02 nvarchar(50)': 'Duplicado',
      'DescricaoVia03 nvarchar(50), DescricaoVia04 nvarchar(50)': null,
      'TipoComunicacao smallint': 0,
      'AutoFacturacao bit, SerieRappel bit': 0,
    },
    { TipoDoc: 'DocumentosVenda.Documento' },
  ),
  DocumentosCompra: tableOf(
    codeAndName(`ECF;Encomenda a fornecedor
VFA;V/ Factura
VNC;V/ Nota de crédito`),
    {
      '*Documento nvarchar(5)': ({ code }) => code,
      'Descricao nvarchar(60)': ({ name }) => name,
      'TipoDocumento smallint': ({ code }) => (code === 'ECF' ? 2 : 4),
      'PagarReceber nvarchar(1)': ({ code }) => (code === 'VNC' ? 'R' : 'P'),
      'Inactivo bit': 0,
    },
  ),
  ContasBancarias: tableOf(
    [
      {
        code: '0001',
        bank: '0035',
        name: 'CGD - Conta à ordem',
        iban: 'PT29003500990001234573018',
      },
      {
        code: '0002',
        bank: '0010',
        name: 'BPI - Conta à ordem',
        iban: 'PT71001000004512208000172',
      },
    ],
    {
      '*Conta nvarchar(5)': ({ code }) => code,
      'DescConta nvarchar(50)': ({ name }) => name,
      'Banco nvarchar(5)': ({ bank }) => bank,
      'NumConta nvarchar(20)': ({ iban }) => iban.slice(12, 23),
      'NIB nvarchar(34)': ({ iban }) => iban.slice(4),
      'IBAN nvarchar(34)': ({ iban }) => iban,
      'Moeda nvarchar(3)': 'EUR',
      'TipoConta nvarchar(1)': 'B',
      'SaldoActual float': ({ code }) => (code === '0001' ? 18_402.77 : 2_310.05),
      'Inactiva bit': 0,
    },
    { Moeda: 'Moedas.Moeda' },
  ),
  ParametrosGCP: tableOf([1], {
    '*Id smallint': (id) => id,
    'MoedaBase nvarchar(3)': 'EUR',
    'MoedaAlternativa nvarchar(3)': 'PTE',
    'ContaPagamento nvarchar(5)': '0001',
    'TransformaDocVenda nvarchar(5)': 'FA',
    'DocVendaPorDefeito nvarchar(5)': 'FA',
    'ClientePorDefeito nvarchar(12)': 'VD',
    'ArmazemPorDefeito nvarchar(5)': 'A1',
    'IvaPorDefeito nvarchar(2)': '23',
    'CondPagPorDefeito nvarchar(2)': '2',
    'NumCasasDecimaisQtd smallint': 2,
    'ControlaLimiteCredito bit, AlertaStockMinimo bit': 1,
  }),
};

/**
 * After Primavera ERP, the database of one company: sales of every type in one table (invoices FA, credit notes NC with
 * negative quantities and sums, quotations ORC, orders ECL, delivery notes GR), numbered by type and year, so that NumDoc
 * alone is no number of an invoice. Whether a document is cancelled stands in a table beside it (Anulado), not in its row.
 * The buyer is copied into the document three times: as customer, for billing, for delivery. TotalMerc is before discounts.
 * Rates of exchange are for a unit of the base currency. Drafts have tables of the same form. The company's own name and
 * address are in the system's database, not in this one.
 * CabecDoc, Clientes, Fornecedores after the published script of a database, except for some empty columns; lines and states
 * after programs that read them; other lists, NIB, IBAN and persons partly from memory. Declared keys lead to lists and from
 * lines and states to their documents, none to the customer.
 */
export const statusApart: Layout = {
  name: 'status-apart',
  isHeldOut: false,
  hasDiscounts: true,
  tables: { ...lists, ...relations, ...bought, ...sold },
  sections: {
    // Anulado is in another table, which a filter of the header cannot say.
    header: { table: 'CabecDoc', key: 'Id', match: 'Documento', where: { TipoDoc: 'FA' } },
    lines: { table: 'LinhasDoc', key: 'Id', match: 'IdCabecDoc', matchFrom: 'Id' },
    customer: { table: 'Clientes', key: 'Cliente', match: 'Cliente', matchFrom: 'Entidade' },
  },
  fields: {
    number: 'CabecDoc.Documento',
    issue_date: 'CabecDoc.Data|LinhasDoc.Data',
    due_date: 'CabecDoc.DataVencimento|Pendentes.DataVenc',
    currency: 'CabecDoc.Moeda|Moedas.Moeda',
    'exchange_rate.rate': 'CabecDoc.Cambio!divide|Pendentes.Cambio!divide',
    purchase_order: 'CabecDoc.Requisicao',
    buyer_reference: 'CabecDoc.Requisicao|CabecDoc.Referencia',
    'notes[]': 'CabecDoc.Observacoes',
    'payment_terms[].note': 'CondPag.Descricao|CabecDoc.CondPag!map|Clientes.CondPag!map',
    'payment_means[].code':
      'CabecDoc.ModoPag!map|Clientes.ModoPag!map|DocumentosBancos.Movim!map|DocumentosBancos.Descricao!map',
    'payment_means[].account.id': 'ContasBancarias.IBAN|ContasBancarias.NIB',
    // TotalMerc is before discounts, so lines and net stand in no column.
    'totals.tax': 'CabecDoc.TotalIva',
    'totals.gross': 'CabecDoc.TotalDocumento',
    'totals.due': 'CabecDoc.TotalDocumento|Pendentes.ValorPendente',
    'tax_breakdown[].taxable': 'ResumoIva.Incidencia',
    'tax_breakdown[].amount': 'ResumoIva.Valor',
    'tax_breakdown[].rate': 'ResumoIva.TaxaIva|Iva.Taxa',
    'tax_breakdown[].category': 'ResumoIva.CodIva!map|Iva.Iva!map',
    'buyer.name': 'CabecDoc.Nome|CabecDoc.NomeFac|Clientes.Nome|Clientes.NomeFiscal',
    'buyer.trn': 'CabecDoc.NumContribuinte|CabecDoc.NumContribuinteFac|Clientes.NumContrib',
    'PINT-MY:buyer.identifiers[].id':
      'CabecDoc.NumContribuinte|CabecDoc.NumContribuinteFac|Clientes.NumContrib',
    'buyer.address.line1': 'CabecDoc.Morada|CabecDoc.MoradaFac|Clientes.Fac_Mor',
    'buyer.address.line2': 'CabecDoc.Morada2|CabecDoc.Morada2Fac|Clientes.Fac_Mor2',
    'buyer.address.city':
      'CabecDoc.Localidade|CabecDoc.LocalidadeFac|Clientes.Fac_Local|CabecDoc.CodPostalLocalidade|' +
      'CabecDoc.LocalidadeCodigoPostalFac|Clientes.Fac_Cploc',
    'buyer.address.post_code': 'CabecDoc.CodPostal|CabecDoc.CodigoPostalFac|Clientes.Fac_Cp',
    'buyer.address.subdivision':
      'CabecDoc.Distrito!map|CabecDoc.DistritoFac!map|Clientes.Distrito!map|Distritos.Distrito!map|Distritos.Descricao',
    'buyer.address.country':
      'CabecDoc.Pais|CabecDoc.PaisFac|Clientes.Pais|Paises.Pais|Paises.Descricao!map',
    'buyer.contact.name':
      'Contactos.Nome|Contactos.PrimeiroNome!concat|Contactos.UltimoNome!concat',
    'buyer.contact.phone': 'Clientes.Fac_Tel|Contactos.Telefone|LinhasContactoEntidades.Telefone',
    'buyer.contact.email': 'Contactos.Email|LinhasContactoEntidades.Email',
    'lines[].id': 'LinhasDoc.NumLinha|LinhasDoc.Id',
    'lines[].sku': 'LinhasDoc.Artigo|Artigo.Artigo',
    'lines[].name': 'LinhasDoc.Descricao|Artigo.Descricao',
    'lines[].description': 'LinhasDoc.Descricao|Artigo.Descricao',
    'lines[].qty': 'LinhasDoc.Quantidade|LinhasDocStatus.Quantidade',
    'lines[].unit':
      'LinhasDoc.Unidade!map|Unidades.Unidade!map|Unidades.Descricao!map|Artigo.UnidadeVenda!map',
    'lines[].unit_price': 'LinhasDoc.PrecUnit',
    'lines[].gross_price': 'LinhasDoc.PrecUnit',
    'lines[].allowances[].percent': 'LinhasDoc.Desconto1',
    'lines[].allowances[].amount': 'LinhasDoc.TotalDA',
    'lines[].net': 'LinhasDoc.PrecoLiquido',
    'lines[].accounting.tax_totals[].amount': 'LinhasDoc.TotalIva',
    'lines[].tax.rate': 'LinhasDoc.TaxaIva|Iva.Taxa|LinhasDoc.CodIva!map|Iva.Iva!map',
    'lines[].tax.category':
      'LinhasDoc.CodIva!map|LinhasDoc.TaxaIva!map|Iva.Iva!map|Iva.Taxa!map|Iva.Descricao!map|' +
      'Iva.CodigoMotivoIsencao!map|Iva.MotivoIsencao!map',
  },
};
