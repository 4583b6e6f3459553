import { cents, total } from './enterprise-trade.ts';
import { hexKey, hyphenKey } from './hex-keys.ts';
import type { Layout, LayoutTable } from './layout.ts';
import { at, midnight, tableOf } from './tables.ts';

const later = (date: string, days: number) =>
  new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
const rowsOf = (text: string) => text.split('\n').map((row) => row.split(';'));

/** What an address row holds; the names and tax numbers of all parties stand here. */
interface Address {
  readonly id: number;
  /** 1: a party's own, 2: for letters, 8: the firm's, 11: for deliveries. */
  readonly type: number;
  readonly of: number;
  readonly short: string;
  readonly name: string;
  readonly phone: string;
  readonly street: string;
  readonly house: string;
  readonly flat: string;
  readonly zip: string;
  readonly city: string;
  readonly post: string;
  readonly region: number | null;
  readonly country: number;
  readonly taxNumber: string;
  readonly symbol: string;
}

const regions = [
  'dolnośląskie',
  'kujawsko-pomorskie',
  'lubelskie',
  'lubuskie',
  'łódzkie',
  'małopolskie',
  'mazowieckie',
  'opolskie',
  'podkarpackie',
  'podlaskie',
  'pomorskie',
  'śląskie',
];
/** Name; code within the Union, code of all; whether in the Union. */
const nations = rowsOf(
  `Polska;PL;PL;1
Niemcy;DE;DE;1
Czechy;CZ;CZ;1
Holandia;NL;NL;1
Ukraina;;UA;0`,
).map(([name = '', union = '', code = '', inUnion], index) => ({
  id: index + 1,
  name,
  union,
  code,
  isInUnion: inUnion === '1',
}));

/** Symbol; short name; full name; street; house; flat; code; city; region; country; tax number; register; phone; mail; person. */
const parties = rowsOf(
  `OGROD-MAL;Ogrodnictwo Malinowski;Ogrodnictwo Malinowski Spółka Jawna;Polna;14;;85-123;Bydgoszcz;2;1;589-201-77-38;190123459;52 371 40 22;zakupy@malinowski.example;Marek;Malinowski
ZIELONY;Zielony Zakątek;Centrum Ogrodnicze Zielony Zakątek Sp. z o.o.;Szosa Lubicka;168;3;87-100;Toruń;2;1;739-284-41-55;220178644;56 648 11 09;biuro@zielonyzakatek.example;Ewa;Kurek
GMINA-OS;Gmina Osielsko;Gmina Osielsko;Szosa Gdańska;55A;;86-031;Osielsko;2;1;955-210-38-72;365402916;52 324 18 00;;Anna;Wilk
KOWALCZYK;PHU Kowalczyk;Przedsiębiorstwo Handlowo-Usługowe KOWALCZYK Jan Kowalczyk;Dworcowa;7;12;88-100;Inowrocław;2;1;604-017-72-51;301184270;600 218 774;jan@phukowalczyk.example;Jan;Kowalczyk
DEBOWY;Hotel Pod Dębem S.A.;Hotel Pod Dębem S.A.;Grunwaldzka;411;;80-309;Gdańsk;11;1;893-114-62-01;141298734;58 554 30 30;zaopatrzenie@poddebem.example;Iwona;Sikora
GRUNLAND;Grünland Gartenbedarf;Grünland Gartenbedarf GmbH;Storkower Straße;108;;10407;Berlin;;2;DE811907980;;+49 30 4402 7711;einkauf@gruenland.example;Birgit;Hahn
ZAHRADA;Zahrada Morava s.r.o.;Zahrada Morava s.r.o.;Vídeňská;89;;639 00;Brno;;3;CZ27735291;;+420 543 210 118;objednavky@zahradamorava.example;Petr;Dvořák
SADSVIT;TOV Sadowyj Swit;TOV Sadowyj Swit;wul. Horodocka;224;5;79022;Lwów;;5;UA384106513027;;+380 32 297 44 80;office@sadsvit.example;Oksana;Melnyk
NASIONA;Nasiona Kujaw;Nasiona Kujaw Sp. z o.o.;Składowa;3;;87-800;Włocławek;2;1;676-228-53-17;;54 231 77 40;handel@nasionakujaw.example;Tomasz;Rak
GREENTOOL;Greentools B.V.;Greentools B.V.;Havenweg;21;;3089 JK;Rotterdam;;4;NL810422918B01;;+31 10 428 7700;sales@greentools.example;Joost;Visser`,
).map((cells, index) => ({
  id: index + 1,
  symbol: cells[0]!,
  short: cells[1]!,
  name: cells[2]!,
  street: cells[3]!,
  house: cells[4]!,
  flat: cells[5]!,
  zip: cells[6]!,
  city: cells[7]!,
  region: cells[8] === '' ? null : Number(cells[8]),
  country: Number(cells[9]),
  taxNumber: cells[10]!,
  register: cells[11]!,
  phone: cells[12]!,
  email: cells[13]!,
  first: cells[14]!,
  surname: cells[15]!,
  isSupplier: index > 7,
}));
type Party = (typeof parties)[number];
const partyOf = (symbol: string) => parties.find((each) => each.symbol === symbol)!;

const own: Address = {
  id: 1,
  type: 8,
  of: 1,
  short: 'Zielnik Hurt Sp. z o.o.',
  name: 'Zielnik Hurt Spółka z ograniczoną odpowiedzialnością',
  phone: '52 320 65 10',
  street: 'Przemysłowa',
  house: '8',
  flat: '',
  zip: '85-758',
  city: 'Bydgoszcz',
  post: 'Bydgoszcz',
  region: 2,
  country: 1,
  taxNumber: '957-110-88-24',
  symbol: '',
};
const addresses: readonly Address[] = [
  own,
  ...parties.map((party) => ({
    ...party,
    id: 100 + party.id,
    type: 1,
    of: party.id,
    post: party.city,
  })),
  {
    ...partyOf('DEBOWY'),
    id: 131,
    type: 11,
    of: 1,
    short: 'Hotel Pod Dębem - ogród',
    street: 'Spacerowa',
    house: '2',
    post: 'Gdańsk',
    taxNumber: '',
  },
];
/** One customer has moved: older documents point to the older row. */
const moved = '2025-06-01';
const history: readonly (Address & { readonly row: number; readonly from: string })[] = [
  ...addresses.map((address) => ({
    ...address,
    row: 500 + address.id,
    from: address.symbol === 'OGROD-MAL' ? moved : '2024-10-14',
  })),
  {
    ...addresses.find(({ symbol }) => symbol === 'OGROD-MAL')!,
    row: 499,
    from: '2024-10-14',
    street: 'Kolejowa',
    house: '2',
    flat: '9',
    zip: '86-021',
    city: 'Żołędowo',
    post: 'Osielsko',
  },
].sort((one, other) => one.row - other.row);
const addressOn = ({ id, symbol }: Party, date: string) =>
  symbol === 'OGROD-MAL' && date < moved ? 499 : 600 + id;

const lineOfAddress = ({ street, house, flat }: Address) =>
  flat === '' ? `${street} ${house}` : `${street} ${house}/${flat}`;
const addressColumns = <T extends Address>(prefix: 'adr' | 'adrh') =>
  ({
    [`${prefix}_Nazwa varchar(53)`]: ({ short }: T) => short,
    [`${prefix}_NazwaPelna varchar(255)`]: ({ name }: T) => name,
    [`${prefix}_Telefon varchar(35)`]: ({ phone }: T) => phone,
    [`${prefix}_Faks varchar(35)`]: '',
    [`${prefix}_Ulica varchar(60)`]: ({ street }: T) => street,
    [`${prefix}_NrDomu varchar(10)`]: ({ house }: T) => house,
    [`${prefix}_NrLokalu varchar(10)`]: ({ flat }: T) => flat,
    [`${prefix}_Adres varchar(82)`]: lineOfAddress,
    [`${prefix}_Kod varchar(8)`]: ({ zip }: T) => zip,
    [`${prefix}_Miejscowosc varchar(40)`]: ({ city }: T) => city,
    [`${prefix}_Poczta varchar(40)`]: ({ post }: T) => post,
    [`${prefix}_Gmina varchar(40), ${prefix}_Powiat varchar(40), ${prefix}_Skrytka varchar(10)`]:
      '',
    [`${prefix}_IdWojewodztwo int`]: ({ region }: T) => region,
    [`${prefix}_IdPanstwo int`]: ({ country }: T) => country,
    [`${prefix}_NIP varchar(20)`]: ({ taxNumber }: T) => taxNumber,
    [`${prefix}_Symbol varchar(20)`]: ({ symbol }: T) => symbol,
    [`${prefix}_IdGminy int, ${prefix}_IdWersja int`]: null,
    [`${prefix}_IdZmienil int`]: 1,
  }) as const;
const addressEnd = (prefix: 'adr' | 'adrh') => ({
  [`${prefix}_NrEORI varchar(17)`]: '',
  [`${prefix}_NrUrzeduSkarbowego varchar(8), ${prefix}_IdWewPodmiot3KSeF varchar(16)`]: null,
});

/** Number; symbol; rate; name. */
const taxes = rowsOf(
  `100001;23;23;Stawka podstawowa 23%
100002;8;8;Stawka obniżona 8%
100003;5;5;Stawka obniżona 5%
100004;0;0;Stawka 0%
100005;zw;0;Zwolnione z VAT
100010;ue;0;Dostawa wewnątrzwspólnotowa 0%
100011;ex;0;Eksport 0%`,
).map(([id, symbol = '', rate, name = '']) => ({
  id: Number(id),
  symbol,
  rate: Number(rate),
  name,
}));
const taxOf = (symbol: string) => taxes.find((tax) => tax.symbol === symbol)!;

/** Symbol; name; more of it; unit of stock; unit of sale; how many in it; price of it; cost; tax; PKWiU; CN. */
const goods = rowsOf(
  `SEK-01;Sekator ręczny;Ostrza ze stali węglowej;szt.;szt.;1;34.9;19.8;23;25.73.10.0;8201500000
WAZ-20;Wąż ogrodowy 20 m;Trzy warstwy, 1/2 cala;szt.;szt.;1;89;52.4;23;22.19.30.0;3917390090
DON-25;Donica 25 cm;Terakota;szt.;szt.;1;12.6;6.1;23;23.49.11.0;6914100000
NAW-10;Nawóz uniwersalny 10 kg;;szt.;szt.;1;42.5;27.3;8;20.15.79.0;3105209000
ZIE-50;Ziemia uniwersalna 50 l;;szt.;szt.;1;15.2;8.9;8;20.15.80.0;3101000000
NAS-TR;Nasiona trawy;Mieszanka na słońce;kg;kg;1;22;13.5;8;01.19.31.0;1209250000
SOK-03;Sok jabłkowy 3 l;Karton po cztery;szt.;op.;4;69.6;44;5;10.32.12.0;2009790000
MIO-09;Miód wielokwiatowy 0,9 kg;;szt.;szt.;1;28;17.5;5;01.49.21.0;0409000000
MON-GR;Montaż nawadniania;;godz.;godz.;1;120;0;23;43.22.11.0;
SZK-OG;Szkolenie ogrodnicze;Jeden dzień;usł.;usł.;1;350;0;zw;85.59.19.0;
TRA-DO;Transport;;km;km;1;2.8;0;23;49.41.19.0;`,
).map((cells, index) => ({
  id: 2001 + index,
  symbol: cells[0]!,
  name: cells[1]!,
  text: cells[2]!,
  stockUnit: cells[3]!,
  unit: cells[4]!,
  factor: Number(cells[5]),
  price: Number(cells[6]),
  cost: Number(cells[7]),
  tax: cells[8]!,
  pkwiu: cells[9]!,
  cn: cells[10]!,
  isService: index > 7,
}));
type Good = (typeof goods)[number];

const kinds = {
  FZ: 1,
  FS: 2,
  KFZ: 5,
  KFS: 6,
  PZ: 10,
  WZ: 11,
  RW: 13,
  ZD: 15,
  ZK: 16,
  PA: 21,
} as const;
type Kind = keyof typeof kinds;

interface Position {
  readonly id: number;
  readonly place: number;
  readonly good: Good;
  readonly sign: number;
  readonly quantity: number;
  /** Before discount, in the document's currency. */
  readonly price: number;
  readonly discount: number;
  /** After discount, in the document's currency. */
  readonly worth: number;
  readonly tax: (typeof taxes)[number];
  /** In złoty. */
  readonly ownPrice: number;
  readonly net: number;
  readonly vat: number;
  readonly corrects: number | null;
}
interface Trade {
  readonly id: number;
  readonly kind: Kind;
  readonly state: number;
  readonly date: string;
  readonly party: Party | null;
  readonly currency: string;
  readonly rate: number;
  readonly days: number;
  readonly order: string;
  readonly note: string;
  readonly base: Trade | null;
  readonly number: number;
  readonly positions: readonly Position[];
}

const ids = { document: 3400, position: 7000 };
function positionOf(text: string, place: number, of: Omit<Trade, 'positions'>): Position {
  const [symbol = '', count = '', discount = '0'] = text.split(' ');
  const good = goods.find((each) => each.symbol === symbol)!;
  const { kind, party, rate, base } = of;
  const isBought = kind === 'FZ' || kind === 'ZD' || kind === 'KFZ';
  const isSalesCorrection = kind === 'KFS' || kind === 'KFZ';
  const quantity = Number(count);
  const price = cents((isBought ? good.cost : good.price) / rate);
  const worth = cents(quantity * price * (1 - Number(discount) / 100));
  const net = cents(worth * rate);
  const nation = nations[(party?.country ?? 1) - 1]!;
  const abroad = nation.isInUnion ? 'ue' : 'ex';
  const tax = taxOf(nation.code === 'PL' ? good.tax : abroad);
  const vat = cents((net * tax.rate) / 100);
  const corrected = base?.positions.find((each) => each.good.id === good.id);
  ids.position += 1;
  return {
    id: ids.position,
    place,
    good,
    sign: isSalesCorrection ? -1 : 1,
    quantity,
    price,
    discount: Number(discount),
    worth,
    tax,
    ownPrice: cents(price * rate),
    net,
    vat,
    corrects: isSalesCorrection ? corrected!.id : null,
  };
}

/** Złoty for a euro. */
const euroOn = (date: string) => (date < '2025-07-01' ? 4.1814 : 4.2563);
const written: Trade[] = [];
const numberFor = (kind: Kind, month: string) =>
  written.filter((each) => each.kind === kind && each.date.startsWith(month)).length + 1;
const nameOf = ({ kind, number, date }: Pick<Trade, 'kind' | 'number' | 'date'>) =>
  `${kind} ${number}/MAG/${date.slice(5, 7)}/${date.slice(0, 4)}`;

/**
 * Kind; state (0: open order, 1: done, 2: cancelled, 3: put off); date; party; currency; days; their number; remark; what it
 * follows or corrects; lines: symbol, count, discount.
 */
rowsOf(
  `FZ;1;2025-01-07;NASIONA;PLN;30;FV/2025/01/0044;;;NAS-TR 200, ZIE-50 400
FZ;1;2025-01-08;GREENTOOL;EUR;60;INV-25118;;;SEK-01 120, WAZ-20 60
ZK;8;2025-01-10;ZIELONY;PLN;14;ZAM/17;;;SEK-01 24, DON-25 100 10
FS;1;2025-01-14;ZIELONY;PLN;14;ZAM/17;;ZK 1/MAG/01/2025;SEK-01 24, DON-25 100 10
FS;1;2025-01-20;OGROD-MAL;PLN;14;;Odbiór własny.;;NAW-10 20, ZIE-50 60 5, WAZ-20 4
PA;1;2025-01-22;;PLN;0;;;;MIO-09 2
FS;1;2025-02-03;GMINA-OS;PLN;30;UM 12/2025;Mechanizm podzielonej płatności;;MON-GR 16, NAS-TR 45
FS;1;2025-02-11;DEBOWY;PLN;21;HPD-2025-0031;;;SOK-03 12, MIO-09 30
KFS;1;2025-02-17;ZIELONY;PLN;14;ZAM/17;Zwrot uszkodzonych donic;FS 1/MAG/01/2025;DON-25 8 10
FS;1;2025-02-24;GRUNLAND;EUR;30;B-250219;Lieferung frei Berlin;;WAZ-20 40 5, SEK-01 60
FS;2;2025-03-05;KOWALCZYK;PLN;14;;;;NAW-10 40
FS;1;2025-03-05;KOWALCZYK;PLN;14;;;;NAW-10 30, DON-25 48
PA;1;2025-03-08;;PLN;0;;;;DON-25 3, ZIE-50 2
FS;1;2025-03-19;ZAHRADA;PLN;30;OBJ 2025-77;;;DON-25 240 12.5
FS;1;2025-04-02;OGROD-MAL;PLN;14;;;;NAS-TR 12.5, SEK-01 6, TRA-DO 38
ZD;8;2025-04-07;NASIONA;PLN;30;;;;NAS-TR 150
FZ;1;2025-04-14;NASIONA;PLN;30;FV/2025/04/0209;;ZD 1/MAG/04/2025;NAS-TR 150
FS;1;2025-04-23;ZIELONY;PLN;14;ZAM/58;;;ZIE-50 200 7.5, NAW-10 50 7.5, DON-25 60, WAZ-20 10
KFZ;1;2025-04-28;NASIONA;PLN;30;KOR/2025/04/0012;;FZ 1/MAG/04/2025;NAS-TR 20
FS;1;2025-05-12;SADSVIT;EUR;45;SD-118;;;SEK-01 100 10, WAZ-20 25
FS;1;2025-06-09;OGROD-MAL;PLN;14;;Nowy adres od czerwca.;;NAW-10 15, MIO-09 6
ZK;8;2025-06-16;GMINA-OS;PLN;30;UM 44/2025;;;SZK-OG 2, NAS-TR 20
FS;1;2025-06-24;GMINA-OS;PLN;30;UM 44/2025;;ZK 1/MAG/06/2025;SZK-OG 2, NAS-TR 20
FS;1;2025-07-08;DEBOWY;PLN;21;HPD-2025-0164;Dostawa do ogrodu;;DON-25 36, ZIE-50 24, MON-GR 6.5
KFS;1;2025-07-15;DEBOWY;PLN;21;HPD-2025-0164;;FS 1/MAG/07/2025;MON-GR 1.5
FS;1;2025-08-04;KOWALCZYK;PLN;14;;;;SEK-01 12, TRA-DO 112
RW;1;2025-08-29;;PLN;0;;Zużycie własne;;DON-25 4, ZIE-50 2
FS;1;2025-09-16;GRUNLAND;EUR;30;B-250911;;;DON-25 300 15
PA;1;2025-09-20;;PLN;0;;;;SOK-03 1
FS;1;2025-10-07;ZIELONY;PLN;14;ZAM/121;;;SOK-03 20 5, MIO-09 48
FS;3;2025-10-21;DEBOWY;PLN;21;HPD-2025-0240;;;ZIE-50 80
ZK;7;2025-11-05;ZAHRADA;PLN;30;OBJ 2025-301;;;WAZ-20 30
FS;1;2025-11-18;OGROD-MAL;PLN;14;;;;WAZ-20 8 5, SEK-01 10
KFS;1;2025-11-25;OGROD-MAL;PLN;14;;Błędna ilość;FS 1/MAG/11/2025;SEK-01 2`,
).forEach((cells) => {
  const [kind, state, date = '', symbol, currency = '', days, order = '', note = '', of, lines] =
    cells;
  ids.document += 3;
  const base = {
    id: ids.document,
    kind: kind as Kind,
    state: Number(state),
    date,
    party: parties.find((each) => each.symbol === symbol) ?? null,
    currency,
    rate: currency === 'EUR' ? euroOn(date) : 1,
    days: Number(days),
    order,
    note,
    base: written.find((each) => nameOf(each) === of) ?? null,
    number: numberFor(kind as Kind, date.slice(0, 7)),
  };
  written.push({
    ...base,
    positions: lines!.split(', ').map((text, place) => positionOf(text, place + 1, base)),
  });
});

/** What an invoice does to the stock is a document of its own, which shares the lines. */
const stockKinds: Partial<Record<Kind, Kind>> = { FS: 'WZ', FZ: 'PZ' };
const movesStock = ({ kind, state, positions }: Trade) =>
  stockKinds[kind] !== undefined && state !== 3 && positions.some(({ good }) => !good.isService);
const stockId = ({ id }: Trade) => id + 1;
const stockDocuments: readonly Trade[] = written.filter(movesStock).map((one, index, all) => ({
  ...one,
  id: stockId(one),
  kind: stockKinds[one.kind]!,
  number: all.filter(({ kind, date }, place) => {
    const isSameMonth = date.slice(0, 7) === one.date.slice(0, 7);
    return kind === one.kind && isSameMonth && place <= index;
  }).length,
  order: one.kind === 'FZ' ? one.order : '',
  note: '',
  base: one,
}));
const documents = [...written, ...stockDocuments].sort((one, other) => one.id - other.id);

const signOf = ({ positions }: Trade) => positions[0]!.sign;
const isStock = ({ kind }: Trade) => ['WZ', 'PZ', 'RW'].includes(kind);
/** The document that moves what stands in a line. */
const stockIdOf = (one: Trade, { good }: Position) => {
  if (one.kind === 'RW') return one.id;
  return movesStock(one) && !good.isService ? stockId(one) : null;
};
const sumOf = (one: Trade, of: (position: Position) => number) =>
  isStock(one) ? 0 : cents(signOf(one) * total(one.positions.map(of)));
const netOf = (one: Trade) => sumOf(one, ({ net }) => net);
const vatOf = (one: Trade) => sumOf(one, ({ vat }) => vat);
const grossOf = (one: Trade) => cents(netOf(one) + vatOf(one));
/** In the document's currency; abroad there is no tax. */
const foreignVat = (one: Trade) => (one.currency === 'PLN' ? vatOf(one) : 0);
const foreignGross = (one: Trade) => cents(sumOf(one, ({ worth }) => worth) + foreignVat(one));
const partial = (isService: boolean, of: (position: Position) => number) => (one: Trade) =>
  sumOf(one, (position) => (position.good.isService === isService ? of(position) : 0));
const withVat = ({ net, vat }: Position) => cents(net + vat);
const costOf = (one: Trade) =>
  total(one.positions.map(({ good, quantity }) => (good.isService ? 0 : quantity * good.cost)));
const dueOf = ({ date, days }: Trade) => later(date, days);
const isPaid = (one: Trade) => one.state === 1 && dueOf(one) < '2025-10-01' && one.id % 4 !== 0;
const isSale = ({ kind }: Trade) => ['FS', 'KFS', 'PA', 'ZK'].includes(kind);
const isInvoice = ({ kind }: Trade) => ['FS', 'KFS', 'FZ', 'KFZ'].includes(kind);
const contactOf = ({ party }: Trade) => (party === null ? '' : `${party.first} ${party.surname}`);
const none = (amount: (one: Trade) => number) => (one: Trade) =>
  isStock(one) ? null : amount(one);
const paymentOf = ({ kind, days }: Trade) => {
  if (kind === 'PA') return 1;
  return { 14: 2, 21: 3, 30: 4, 45: 5, 60: 6 }[days] ?? null;
};

const dealt: Readonly<Record<string, LayoutTable>> = {
  dok__Dokument: tableOf(
    documents,
    {
      '*dok_Id int': ({ id }) => id,
      'dok_Typ int': ({ kind }) => kinds[kind],
      'dok_Podtyp int': (one) => (one.kind === 'WZ' || one.kind === 'PZ' ? 1 : 0),
      'dok_MagId int': 1,
      'dok_Nr int': ({ number }) => number,
      'dok_NrRoz char(3)': null,
      'dok_NrPelny varchar(30)': nameOf,
      'dok_NrPelnyOryg varchar(30)': ({ order }) => order,
      'dok_DoDokId int': ({ base }) => base?.id ?? null,
      'dok_DoDokNrPelny varchar(30)': ({ base }) => (base === null ? '' : nameOf(base)),
      'dok_DoDokDataWyst datetime': ({ base }) => (base === null ? null : midnight(base.date)),
      'dok_MscWyst varchar(40)': 'Bydgoszcz',
      'dok_DataWyst datetime': ({ date }) => midnight(date),
      'dok_DataMag datetime': ({ date, id }) => midnight(later(date, id % 5 === 0 ? -1 : 0)),
      'dok_DataOtrzym datetime': ({ kind, date }) =>
        kind === 'FZ' || kind === 'KFZ' ? midnight(later(date, 2)) : null,
      'dok_PlatnikId int': ({ party }) => party?.id ?? null,
      'dok_PlatnikAdreshId int': ({ party, date }) =>
        party === null ? null : addressOn(party, date),
      'dok_OdbiorcaId int': ({ party }) => party?.id ?? null,
      'dok_OdbiorcaAdreshId int': ({ party, date }) =>
        party === null ? null : addressOn(party, date),
      'dok_PlatId int': paymentOf,
      'dok_PlatTermin datetime': (one) => (isStock(one) ? null : midnight(dueOf(one))),
      'dok_Wystawil varchar(40)': ({ id }) => (id % 2 === 0 ? 'Joanna Pawlak' : 'Szef'),
      'dok_Odebral varchar(40)': contactOf,
      'dok_PersonelId int': ({ id }) => (id % 2 === 0 ? 2 : 1),
      'dok_CenyPoziom int': (one) => (isSale(one) ? 1 : null),
      'dok_CenyTyp int': ({ kind }) => (kind === 'PA' ? 0 : 1),
      'dok_CenyKurs money': 1,
      'dok_CenyNarzut money, dok_RabatProc money': 0,
      'dok_WartUsNetto money': partial(true, ({ net }) => net),
      'dok_WartUsBrutto money': partial(true, withVat),
      'dok_WartTwNetto money': partial(false, ({ net }) => net),
      'dok_WartTwBrutto money': partial(false, withVat),
      'dok_WartOpZwr money, dok_WartOpWyd money': 0,
      'dok_WartMag money, dok_WartMagP money': (one) =>
        isStock(one) || movesStock(one) ? costOf(one) : 0,
      'dok_WartMagR money': (one) => (one.kind === 'WZ' ? costOf(one) : 0),
      'dok_WartNetto money': netOf,
      'dok_WartVat money': vatOf,
      'dok_WartBrutto money': grossOf,
      'dok_KwWartosc money': none(foreignGross),
      'dok_KwGotowka money': none((one) => (one.kind === 'PA' ? grossOf(one) : 0)),
      'dok_KwKarta money': none(() => 0),
      'dok_KwDoZaplaty money': none(foreignGross),
      'dok_KwKredyt money': none((one) => (one.kind === 'PA' ? 0 : foreignGross(one))),
      'dok_KwReszta money': none(() => 0),
      'dok_Waluta char(3)': ({ currency }) => currency,
      'dok_WalutaKurs money': ({ rate }) => rate,
      'dok_Uwagi varchar(500)': ({ note }) => note,
      'dok_KatId int': (one) => (isSale(one) || one.kind === 'WZ' ? 1 : 2),
      'dok_Tytul varchar(50)': ({ kind }) =>
        kind === 'KFS' ? 'Faktura korygująca' : kind === 'FS' ? 'Faktura VAT' : '',
      'dok_Podtytul varchar(50)': '',
      'dok_Status int': ({ state }) => state,
      'dok_StatusKsieg int': (one) => (isInvoice(one) && one.state === 1 ? 1 : 0),
      'dok_StatusFiskal int': ({ kind }) => (kind === 'PA' ? 1 : 0),
      'dok_StatusBlok bit, dok_JestTylkoDoOdczytu bit': 0,
      'dok_JestRuchMag bit': (one) => (isStock(one) || movesStock(one) ? 1 : 0),
      'dok_JestZmianaDatyDokKas bit, dok_JestHOP bit, dok_JestVatNaEksport bit': 0,
      'dok_JestVatAuto bit': 1,
      'dok_Algorytm int': 0,
      'dok_KartaId int, dok_KredytId int': null,
      'dok_RodzajOperacjiVat int': ({ party }) => (party === null || party.country === 1 ? 0 : 3),
      'dok_KodRodzajuTransakcji int, dok_StatusEx int, dok_ObiektGT int': null,
      'dok_Rozliczony bit': (one) => (isPaid(one) ? 1 : 0),
      'dok_RejId int': null,
      'dok_TerminRealizacji datetime': ({ kind, date }) =>
        kind === 'ZK' || kind === 'ZD' ? midnight(later(date, 7)) : null,
      'dok_WalutaLiczbaJednostek int': 1,
      'dok_WalutaRodzajKursu int': ({ currency }) => (currency === 'PLN' ? null : 2),
      'dok_WalutaDataKursu datetime': ({ currency, date }) =>
        currency === 'PLN' ? null : midnight(later(date, -1)),
      'dok_WalutaIdBanku int': ({ currency }) => (currency === 'PLN' ? null : 1),
      'dok_CenyLiczbaJednostek int': 1,
      'dok_CenyRodzajKursu int, dok_CenyDataKursu datetime, dok_CenyIdBanku int': null,
      'dok_KwPrzelew money, dok_KwGotowkaPrzedplata money': none(() => 0),
      'dok_KwPrzelewPrzedplata money': none(() => 0),
      'dok_DefiniowalnyId int, dok_TransakcjaId int, dok_TransakcjaSymbol varchar(30)': null,
      'dok_TransakcjaData datetime, dok_PodsumaVatFSzk int, dok_ZlecenieId int': null,
      'dok_NaliczajFundusze bit': 0,
      'dok_PrzetworzonoZKwZD bit, dok_VatMarza bit': 0,
      'dok_DstNr int, dok_DstNrRoz char(3), dok_DstNrPelny varchar(30)': null,
      'dok_ObslugaDokDost int, dok_AkcyzaZwolnienieId int': null,
      'dok_ProceduraMarzy int': -1,
      'dok_FakturaUproszczona bit': 0,
      'dok_DataZakonczenia datetime': null,
      'dok_MetodaKasowa bit': 0,
      'dok_TypNrIdentNabywcy int': 0,
      'dok_NrIdentNabywcy varchar(20)': null,
      'dok_AdresDostawyId int': ({ note }) => (note === 'Dostawa do ogrodu' ? 131 : null),
      'dok_AdresDostawyAdreshId int': ({ note }) => (note === 'Dostawa do ogrodu' ? 631 : null),
      'dok_VenderoId int, dok_VenderoSymbol varchar(30), dok_VenderoData datetime': null,
      'dok_SelloId int, dok_SelloSymbol varchar(100), dok_SelloData datetime': null,
      'dok_TransakcjaJednolitaId int': null,
      'dok_PodpisanoElektronicznie bit': 0,
      'dok_UwagiExt varchar(3500)': '',
      'dok_VenderoStatus int': null,
      'dok_ZaimportowanoDoEwidencjiAkcyzowej bit': 0,
      'dok_TermPlatStatus int, dok_TermPlatTransId nvarchar(128)': null,
      'dok_DokumentFiskalnyDlaPodatnikaVat bit, dok_CesjaPlatnikOdbiorca bit': 0,
      'dok_WartOplRecykl money': 0,
      'dok_TermPlatIdKonfig int, dok_TermPlatIdZadania int, dok_PromoZenCardStatus int': null,
      'dok_NrRachunkuBankowegoPdm int': (one) => {
        if (!isSale(one) || one.kind === 'PA') return null;
        return one.currency === 'EUR' ? 2 : 1;
      },
      'dok_SzybkaPlatnosc bit': 0,
      'dok_MechanizmPodzielonejPlatnosci bit': ({ note }) => (note.startsWith('Mechanizm') ? 1 : 0),
      'dok_IdSesjiKasowej int': null,
      'dok_KwKartaPrzedplata money': none(() => 0),
      'dok_IdPanstwaRozpoczeciaWysylki int, dok_IdPanstwaKonsumenta int': null,
      'dok_InformacjeDodatkowe varchar(255)': null,
      'dok_ZnacznikiGTUNaPozycji bit': 1,
      'dok_TypDatyUjeciaKorekty int': ({ kind }) => (kind === 'KFS' || kind === 'KFZ' ? 1 : null),
      'dok_DataUjeciaKorekty datetime': ({ kind, date }) =>
        kind === 'KFS' || kind === 'KFZ' ? midnight(date) : null,
      'dok_IdPrzyczynyZwolnieniaZVAT int': ({ positions, kind }) =>
        kind !== 'WZ' && positions.some(({ tax }) => tax.symbol === 'zw') ? 3 : null,
      'dok_NumerKSeF varchar(64), dok_DataNumeruKSeF datetime, dok_DoNumerKSeF varchar(64)': null,
      'dok_KodRodzajuTransportu int': null,
      'dok_DodatkoweInfoRodzajuTransportu varchar(350), dok_CzasWysylkiTransportu varchar(8)': '',
      'dok_CzasPrzewozuTransportu varchar(3)': '',
      'dok_StatusKSeF int': 0,
      'dok_KorektaDanychNabywcy bit': 0,
      'dok_WegielNumerOswiadczenia varchar(50), dok_SesjaKSeF varchar(64)': null,
      'dok_IdPrzetwarzaniaKSeF varchar(64), dok_SrodowiskoKSeF int, dok_BladKSeF varchar': null,
      'dok_DataRozpoczeciaPrzetwarzaniaKSeF datetime, dok_XmlHashKSeF varchar(64)': null,
      'dok_TermPlatTerminalId nvarchar(40)': null,
      'dok_FiskalizacjaNumer nvarchar(60)': ({ kind, id }) => (kind === 'PA' ? `W${id}` : null),
      'dok_FiskalizacjaData datetime': ({ kind, date }) =>
        kind === 'PA' ? at(date, '13:05:22') : null,
      'dok_FiskalizacjaIdUrzadzenia nvarchar(40)': ({ kind }) =>
        kind === 'PA' ? 'EAZ2101884120' : null,
      'dok_DataWystawieniaKSeF datetime': null,
      'dok_FormaDokumentowania int': 0,
      'dok_CzekaNaKSeF bit, dok_VatRozliczanyPrzezUslugobiorce bit, dok_PodlegaOplSpec bit': 0,
      'dok_DataNumeruKSeFOryg varchar(100)': null,
      'dok_RolaOdbiorcyKSeF int': 0,
      'dok_VatMetodaLiczenia int, dok_TerminWysylkiDoKSeF datetime': null,
      'dok_ZrealizowaneZRezerwacja bit': 0,
      'dok_NumerKSeFId int, dok_DoNumerKSeFId int': null,
    },
    { dok_KatId: 'sl_Kategoria.kat_Id' },
  ),
  dok_Pozycja: tableOf(
    written.flatMap((one) => one.positions.map((position) => ({ one, position }))),
    {
      '*ob_Id int': ({ position }) => position.id,
      'ob_DoId int': ({ position }) => position.corrects,
      'ob_Znak smallint': ({ position }) => position.sign,
      'ob_Status int': 0,
      'ob_DokHanId int': ({ one }) => (isStock(one) ? null : one.id),
      'ob_DokMagId int': ({ one, position }) => stockIdOf(one, position),
      'ob_TowId int': ({ position }) => position.good.id,
      'ob_TowRodzaj int': ({ position }) => (position.good.isService ? 2 : 1),
      'ob_Opis varchar(255)': ({ position }) => (position.id % 11 === 4 ? 'Partia z wiosny' : ''),
      'ob_DokHanLp int': ({ one, position }) => (isStock(one) ? null : position.place),
      'ob_DokMagLp int': ({ one, position }) =>
        stockIdOf(one, position) === null ? null : position.place,
      'ob_Ilosc money': ({ position }) => position.quantity,
      'ob_IloscMag money': ({ position }) =>
        position.good.isService ? 0 : position.quantity * position.good.factor,
      'ob_Jm varchar(10)': ({ position }) => position.good.unit,
      'ob_CenaMag money': ({ position }) => cents(position.good.cost / position.good.factor),
      'ob_CenaWaluta money': ({ position }) => position.price,
      'ob_CenaNetto money': ({ position }) => position.ownPrice,
      'ob_CenaBrutto money': ({ position }) =>
        cents(position.ownPrice * (1 + position.tax.rate / 100)),
      'ob_Rabat money': ({ position }) => position.discount,
      'ob_WartMag money': ({ position }) => cents(position.quantity * position.good.cost),
      'ob_WartNetto money': ({ position }) => position.net,
      'ob_WartVat money': ({ position }) => position.vat,
      'ob_WartBrutto money': ({ position }) => withVat(position),
      'ob_VatId int': ({ position }) => position.tax.id,
      'ob_VatProc money': ({ position }) => position.tax.rate,
      'ob_Termin datetime': ({ one }) =>
        one.kind === 'ZK' || one.kind === 'ZD' ? midnight(later(one.date, 7)) : null,
      'ob_MagId int': 1,
      'ob_NumerSeryjny varchar(40)': null,
      'ob_KategoriaId int': null,
      'ob_Akcyza bit': 0,
      'ob_AkcyzaKwota money, ob_AkcyzaWartosc money': null,
      'ob_CenaNabycia money, ob_WartNabycia money': null,
      'ob_PrzyczynaKorektyId int': ({ position }) => (position.sign < 0 ? 1 : null),
      'ob_CenaPobranaZCennika int': 1,
      'ob_TowPkwiu varchar(20)': ({ position }) => position.good.pkwiu,
      'ob_TowKodCN varchar(10)': ({ position }) => position.good.cn || null,
      'ob_SyncId varchar(255)': null,
      'ob_OplCukrowaPodlega bit': 0,
      'ob_OplCukrowaObj money, ob_OplCukrowaKwCukier money, ob_OplCukrowaKwKofeina money': null,
      'ob_OplCukrowaKwSuma money, ob_OplCukrowaWartCukier money': null,
      'ob_OplCukrowaWartKofeina money, ob_OplCukrowaWartSuma money': null,
      'ob_OplCukrowaKwCukierEx money, ob_OplCukrowaParametry int': null,
      'ob_OplCukrowaCukierZawartoscEx money': null,
      'ob_OznaczenieGTU int': null,
      'ob_KsefUUID varchar(50)': ({ one, position }) =>
        one.kind === 'FS' ? hyphenKey('ob_KsefUUID', position.id) : null,
      'ob_WegielOpisPochodzenia varchar(255)': '',
      'ob_WegielDataWprowadzeniaLubNabycia varchar(255)': '',
      'ob_IdOpakowanieKaucyjne int, ob_KaucjaRodzajOpakowania int': null,
      'ob_KaucjaOpakowanieZwracane bit': null,
      'ob_DodatkoweInformacjeSystemuKaucyjnego varchar(14)': null,
    },
    {
      ob_DoId: 'dok_Pozycja.ob_Id',
      ob_DokHanId: 'dok__Dokument.dok_Id',
      ob_DokMagId: 'dok__Dokument.dok_Id',
      ob_TowId: 'tw__Towar.tw_Id',
    },
  ),
  dok_Vat: tableOf(
    written
      .filter((one) => isInvoice(one) || one.kind === 'PA')
      .flatMap((one) =>
        [...new Set(one.positions.map(({ tax }) => tax))].map((tax) => {
          const of = (amount: (position: Position) => number) =>
            sumOf(one, (position) => (position.tax === tax ? amount(position) : 0));
          return {
            one,
            tax,
            net: of(({ net }) => net),
            vat: of(({ vat }) => vat),
            worth: of(({ worth }) => worth),
          };
        }),
      ),
    {
      '*vt_Id int': (_, index) => 4100 + index,
      'vt_DokId int': ({ one }) => one.id,
      'vt_VatId int': ({ tax }) => tax.id,
      'vt_VatProc money': ({ tax }) => tax.rate,
      'vt_WartNetto money': ({ net }) => net,
      'vt_WartVat money': ({ vat }) => vat,
      'vt_WartBrutto money': ({ net, vat }) => cents(net + vat),
      'vt_WartNettoWaluta money': ({ worth }) => worth,
      'vt_WartVatWaluta money': ({ one, vat }) => (one.currency === 'PLN' ? vat : 0),
      'vt_WartBruttoWaluta money': ({ one, worth, vat }) =>
        cents(worth + (one.currency === 'PLN' ? vat : 0)),
    },
    { vt_DokId: 'dok__Dokument.dok_Id', vt_VatId: 'sl_StawkaVAT.vat_Id' },
  ),
};

/** 39: to be received, 40: to be paid, 19: arrived at the bank. */
const owed = written
  .filter((one) => isInvoice(one) && one.state !== 2)
  .map((one) => ({ one, type: one.kind === 'FS' || one.kind === 'KFZ' ? 39 : 40, isBank: false }));
const arrived = written
  .filter((one) => one.kind === 'FS' && isPaid(one))
  .map((one) => ({ one, type: 19, isBank: true }));
const finance = [...owed, ...arrived].map((row, index) => ({ ...row, id: 9000 + index }));
type Finance = (typeof finance)[number];
const rest = (amount: (one: Trade) => number) => (row: Finance) =>
  row.isBank || isPaid(row.one) ? 0 : Math.abs(amount(row.one));
const whole = (amount: (one: Trade) => number) => (row: Finance) => Math.abs(amount(row.one));

const paid: Readonly<Record<string, LayoutTable>> = {
  nz__Finanse: tableOf(
    finance,
    {
      '*nzf_Id int': ({ id }) => id,
      'nzf_Typ int': ({ type }) => type,
      'nzf_Podtyp int': 0,
      'nzf_Numer int': ({ isBank, one, id }) => (isBank ? id - 8990 : one.number),
      'nzf_NumerPelny varchar(144)': ({ isBank, one, id }) =>
        isBank ? `BP ${id - 8990}/${one.date.slice(0, 4)}` : nameOf(one),
      'nzf_NrFaktury varchar(35)': null,
      'nzf_Data datetime': ({ isBank, one }) => midnight(isBank ? dueOf(one) : one.date),
      'nzf_TypObiektu int': 1,
      'nzf_IdObiektu int': ({ one }) => one.party!.id,
      'nzf_IdAdresu int': ({ one }) => 100 + one.party!.id,
      'nzf_IdHistoriiAdresu int': ({ one }) => addressOn(one.party!, one.date),
      'nzf_IdDokumentAuto int': ({ isBank, one }) => (isBank ? null : one.id),
      'nzf_IdKasy int, nzf_IdKarta int': null,
      'nzf_IdRachunku int': ({ isBank, one }) => {
        if (!isBank) return null;
        return one.currency === 'EUR' ? 2 : 1;
      },
      'nzf_IdKategorii int': ({ type }) => (type === 40 ? 2 : 1),
      'nzf_IdWaluty char(3)': ({ one }) => one.currency,
      'nzf_Kurs money': ({ one }) => one.rate,
      'nzf_LiczbaJednostek int': 1,
      'nzf_RodzajKursu int': ({ one }) => (one.currency === 'PLN' ? null : 2),
      'nzf_DataKursu datetime': ({ one }) =>
        one.currency === 'PLN' ? null : midnight(later(one.date, -1)),
      'nzf_IdBanku int': null,
      'nzf_WartoscPierwotna money': whole(grossOf),
      'nzf_Wartosc money': rest(grossOf),
      'nzf_WartoscPierwotnaWaluta money': whole(foreignGross),
      'nzf_WartoscWaluta money': rest(foreignGross),
      'nzf_VATPierwotny money': whole(vatOf),
      'nzf_VATPozostalo money': rest(vatOf),
      'nzf_VATPierwotnyWaluta money': whole(foreignVat),
      'nzf_VATPozostaloWaluta money': rest(foreignVat),
      'nzf_Splata money': ({ isBank, one }) => (isBank || isPaid(one) ? Math.abs(grossOf(one)) : 0),
      'nzf_SplataWaluta money': ({ isBank, one }) =>
        isBank || isPaid(one) ? Math.abs(foreignGross(one)) : 0,
      'nzf_RodzajSplaty int': 0,
      'nzf_TerminPlatnosci datetime': ({ isBank, one }) => (isBank ? null : midnight(dueOf(one))),
      'nzf_DataOstatniejSplaty datetime': ({ one }) => (isPaid(one) ? midnight(dueOf(one)) : null),
      'nzf_Tytulem varchar(144)': ({ isBank, one }) => (isBank ? nameOf(one) : ''),
      'nzf_Opis varchar(255)': '',
      'nzf_Wystawil varchar(40)': 'Joanna Pawlak',
      'nzf_Odebral varchar(255)': '',
      'nzf_IdWystawil int': 2,
      'nzf_Status int': ({ isBank, one }) => (isBank || isPaid(one) ? 2 : 1),
      'nzf_IdRozliczenia int, nzf_IdRozrachunku int, nzf_Powiazanie int': null,
      'nzf_TypOdsetek int': 0,
      'nzf_StopaOdsetek money, nzf_KwotaRachunkuVAT money': 0,
      'nzf_Program int': 8,
      'nzf_Gotowkowa bit, nzf_Korekta bit, nzf_Nota bit, nzf_Zaliczka bit, nzf_Transfer bit': 0,
      'nzf_Przeniesiony bit, nzf_Wydrukowana bit, nzf_WyslanaHB bit, nzf_MetodaKasowa bit': 0,
      'nzf_TypPrzelewu char(1)': 'N',
      'nzf_MechanizmPodzielonejPlatnosci bit': 0,
      'nzf_Transakcja varchar(144), nzf_NumerWyciagu varchar(50), nzf_PRB varchar(50)': null,
      'nzf_PodSymbol char(6), nzf_PodOkres char(7), nzf_ZUSNrDecyzji varchar(50)': null,
    },
    {
      nzf_IdAdresu: 'adr__Ewid.adr_Id',
      nzf_IdHistoriiAdresu: 'adr_Historia.adrh_Id',
      nzf_IdDokumentAuto: 'dok__Dokument.dok_Id',
      nzf_IdKategorii: 'sl_Kategoria.kat_Id',
      nzf_IdRozrachunku: 'nz__Finanse.nzf_Id',
    },
  ),
  rb__RachBankowy: tableOf(
    [
      {
        name: 'PKO PLN',
        number: '56102018110000010203456789',
        currency: 'PLN',
        of: 1,
        isOwn: true,
      },
      {
        name: 'PKO EUR',
        number: '54102018110000150203457012',
        currency: 'EUR',
        of: 1,
        isOwn: true,
      },
      { name: 'mBank', number: '12114020040000320275519043', currency: 'PLN', of: 9, isOwn: false },
    ],
    {
      '*rb_Id int': (_, index) => index + 1,
      'rb_Nazwa varchar(50)': ({ name }) => name,
      'rb_Numer varchar(50)': ({ number }) => number,
      'rb_Bank varchar(255)': ({ number }) =>
        number.startsWith('12') ? 'mBank S.A.' : 'PKO Bank Polski S.A.',
      'rb_Podstawowy bit': ({ currency }) => (currency === 'PLN' ? 1 : 0),
      'rb_IdObiektu int': ({ of }) => of,
      'rb_TypObiektu int': ({ isOwn }) => (isOwn ? 0 : 1),
      'rb_IdWaluty char(3)': ({ currency }) => currency,
      'rb_Status int': 1,
      'rb_Analityka varchar(5)': '',
      'rb_SWIFT varchar(11)': ({ isOwn }) => (isOwn ? 'BPKOPLPW' : ''),
    },
  ),
  sl_FormaPlatnosci: tableOf(
    rowsOf(`Gotówka;0;2
Przelew 14 dni;14;0
Przelew 21 dni;21;0
Przelew 30 dni;30;0
Przelew 45 dni;45;0
Przelew 60 dni;60;0
Karta;0;1`),
    {
      '*fp_Id int': (_, index) => index + 1,
      'fp_Nazwa varchar(50)': ([name = '']) => name,
      'fp_Termin int': ([, days]) => Number(days),
      'fp_Typ int': ([, , type]) => Number(type),
      'fp_RachBankId int, fp_CentId int, fp_InstKredytId int': null,
      'fp_Glowna bit': ([name]) => (name === 'Przelew 14 dni' ? 1 : 0),
      'fp_Aktywna bit': 1,
      'fp_TerminalPlatniczy bit': 0,
      'fp_FormaPlatnosciWysylajJako int, fp_OpisPlatnosciInna varchar(255)': null,
    },
  ),
};

const relations: Readonly<Record<string, LayoutTable>> = {
  adr__Ewid: tableOf(addresses, {
    '*adr_Id int': ({ id }) => id,
    'adr_IdObiektu int': ({ of }) => of,
    'adr_TypAdresu int': ({ type }) => type,
    ...addressColumns<Address>('adr'),
    'adr_DataZmiany datetime': ({ symbol }) =>
      at(symbol === 'OGROD-MAL' ? moved : '2024-10-14', '09:14:33'),
    ...addressEnd('adr'),
  }),
  adr_Historia: tableOf(
    history,
    {
      '*adrh_Id int': ({ row }) => row,
      'adrh_IdAdresu int': ({ id }) => id,
      ...addressColumns<Address>('adrh'),
      'adrh_DataZmiany datetime': ({ from }) => at(from, '09:14:33'),
      ...addressEnd('adrh'),
    },
    { adrh_IdAdresu: 'adr__Ewid.adr_Id' },
  ),
  adr_Email: tableOf(
    parties.filter(({ email }) => email !== ''),
    {
      '*am_Id int': ({ id }) => id,
      'am_IdAdres int': ({ id }) => 100 + id,
      'am_Email varchar(100)': ({ email }) => email,
      'am_Podstawowy bit': 1,
      'am_Rodzaj int': 1,
    },
    { am_IdAdres: 'adr__Ewid.adr_Id' },
  ),
  tel__Ewid: tableOf(parties, {
    '*tel_Id int': ({ id }) => id,
    'tel_IdAdresu int': ({ id }) => 100 + id,
    'tel_Nazwa varchar(50)': 'Telefon',
    'tel_Numer varchar(35)': ({ phone }) => phone,
    'tel_Faks bit': 0,
    'tel_Typ int': 1,
    'tel_Podstawowy bit': 1,
  }),
  kh__Kontrahent: tableOf(
    parties,
    {
      '*kh_Id int': ({ id }) => id,
      'kh_Symbol varchar(20)': ({ symbol }) => symbol,
      'kh_Rodzaj int': ({ isSupplier }) => (isSupplier ? 1 : 2),
      'kh_REGON varchar(20)': ({ register }) => register,
      'kh_IdOdbiorca int': null,
      'kh_Kontakt varchar(60)': ({ first, surname }) => `${first} ${surname}`,
      'kh_PESEL varchar(11), kh_NrDowodu varchar(20)': '',
      'kh_DataWyd datetime': null,
      'kh_OrganWyd varchar(255)': '',
      'kh_CentrumAut bit, kh_InstKredytowa bit': 0,
      'kh_PrefKontakt varchar(50)': '',
      'kh_WWW varchar(255)': ({ email }) => (email === '' ? '' : `www.${email.split('@')[1]!}`),
      'kh_EMail varchar(255)': ({ email }) => email,
      'kh_IdGrupa int': ({ isSupplier }) => (isSupplier ? 2 : 1),
      'kh_IdFormaP int': 2,
      'kh_Cena int': ({ isSupplier }) => (isSupplier ? null : 1),
      'kh_PlatOdroczone bit': 1,
      'kh_OdbDet bit': 0,
      'kh_IdRabat int': null,
      'kh_MaxDokKred int': 0,
      'kh_MaxWartDokKred money, kh_MaxWartKred money': 0,
      'kh_MaxDniSp int': 0,
      'kh_NrAnalitykaD varchar(5), kh_NrAnalitykaO varchar(5)': ({ id }) =>
        String(id).padStart(5, '0'),
      'kh_Uwagi varchar(255)': '',
      'kh_ZgodaDO bit': 1,
      'kh_IdOsobaDO int': null,
      'kh_ZgodaMark bit, kh_ZgodaEMail bit, kh_CzyKomunikat bit': 0,
      'kh_Komunikat varchar(255)': '',
      'kh_KomunikatZawsze bit': 0,
      'kh_KomunikatOd datetime, kh_Grafika image': null,
      'kh_Pole1 varchar(50), kh_Pole2 varchar(50), kh_Pole3 varchar(50)': '',
      'kh_Pole4 varchar(50), kh_Pole5 varchar(50), kh_Pole6 varchar(50)': '',
      'kh_Pole7 varchar(50), kh_Pole8 varchar(50)': '',
      'kh_Jednorazowy bit': 0,
      'kh_Pracownik varchar(60)': '',
      'kh_Zablokowany bit, kh_AdresKoresp bit, kh_UpowaznienieVAT bit': 0,
      'kh_DataVAT datetime, kh_OsobaVAT int': null,
      'kh_ProcKarta money, kh_ProcKredyt money, kh_ProcGotowka money': 0,
      'kh_ProcPozostalo money': 100,
      'kh_IdKategoriaKH int': ({ isSupplier }) => (isSupplier ? 2 : 1),
      'kh_IdEwVATSp int, kh_IdEwVATSpKateg int, kh_IdEwVATZak int': null,
      'kh_EwVATSpMcOdliczenia int, kh_EwVATZakRodzaj int, kh_EwVATZakSposobOdliczenia int': 0,
      'kh_TransakcjaVATSp int, kh_TransakcjaVATZak int': ({ country }) => (country === 1 ? 0 : 3),
      'kh_PodVATZarejestrowanyWUE bit': ({ country }) => ([2, 3, 4].includes(country) ? 1 : 0),
      'kh_DataWaznosciVAT datetime': null,
      'kh_OpisOperacji varchar(255)': '',
      'kh_PlatPrzelew bit': 1,
      'kh_GaduGadu varchar(20), kh_Skype varchar(255), kh_Powitanie varchar(255)': '',
      'kh_AdresDostawy bit': ({ symbol }) => (symbol === 'DEBOWY' ? 1 : 0),
      'kh_IdRodzajKontaktu int, kh_IdPozyskany int, kh_IdBranza int, kh_IdRegion int': null,
      'kh_LiczbaPrac int': null,
      'kh_IdOpiekun int': 2,
      'kh_Imie varchar(20)': ({ symbol }) => (symbol === 'KOWALCZYK' ? 'Jan' : ''),
      'kh_Nazwisko varchar(51)': ({ symbol }) => (symbol === 'KOWALCZYK' ? 'Kowalczyk' : ''),
      'kh_CRM bit, kh_Potencjalny bit': 0,
      'kh_IdDodal int, kh_IdZmienil int': 1,
      'kh_DataDodania datetime': at('2024-10-14', '09:10:02'),
      'kh_DataZmiany datetime': at('2025-06-01', '10:31:45'),
      'kh_ProcPrzelew money': 0,
      'kh_DataOkolicznosciowa datetime': null,
      'kh_Osoba bit': ({ symbol }) => (symbol === 'KOWALCZYK' ? 1 : 0),
      'kh_IdRachunkuWirtualnego int': null,
      'kh_KRS varchar(255)': ({ name }) => (name.includes('Sp. z o.o.') ? '0000418823' : ''),
      'kh_Domena varchar(50)': null,
      'kh_Akcyza int': 1,
      'kh_EFakturyZgoda bit': 1,
      'kh_EFakturyData datetime': midnight('2024-10-14'),
      'kh_MetodaKasowa bit': 0,
      'kh_Lokalizacja nvarchar(256)': null,
      'kh_StatusAkcyza int': 0,
      'kh_CzynnyPodatnikVAT bit': 1,
      'kh_WzwIdFS int, kh_WzwIdWZ int, kh_WzwIdZK int, kh_WzwIdKFS int': -1,
      'kh_StawkaVATPrzychod int, kh_StawkaVATWydatek int, kh_MalyPojazd int': null,
      'kh_CelZakupu int': 0,
      'kh_OdbiorcaCesjaPlatnosci bit': 0,
      'kh_IdNabywca int': null,
      'kh_BrakPPDlaRozrachunkowAuto bit': 0,
      'kh_DomyslnaWaluta char(3)': ({ country }) =>
        country === 1 || country === 3 ? 'PLN' : 'EUR',
      'kh_DomyslnyTypCeny int, kh_DomyslnyRachBankowyId int': null,
      'kh_StosujSzybkaPlatnosc bit': 0,
      'kh_NrAkcyzowy varchar(13)': null,
      'kh_RolaOdbiorcyKSeF int': 0,
      'kh_SKPodmiotReprezentujacy bit': 0,
    },
    {
      kh_IdOdbiorca: 'kh__Kontrahent.kh_Id',
      kh_IdNabywca: 'kh__Kontrahent.kh_Id',
      kh_IdGrupa: 'sl_GrupaKh.grk_Id',
      kh_IdKategoriaKH: 'sl_Kategoria.kat_Id',
      kh_IdOpiekun: 'pd_Uzytkownik.uz_Id',
    },
  ),
  kh_Pracownik: tableOf(
    parties,
    {
      '*pk_Id int': ({ id }) => id,
      'pk_IdKh int': ({ id }) => id,
      'pk_Imie varchar(20)': ({ first }) => first,
      'pk_Nazwisko varchar(30)': ({ surname }) => surname,
      'pk_Stanowisko varchar(50)': ({ isSupplier }) => (isSupplier ? 'handlowiec' : 'zaopatrzenie'),
      'pk_Telefon varchar(35)': ({ phone }) => phone,
      'pk_TelKomorka varchar(35)': '',
      'pk_EMail varchar(100)': ({ email }) => email,
      'pk_Podstaw bit': 1,
      'pk_Uwagi varchar(500), pk_Powitanie varchar(255), pk_Domena varchar(50)': '',
      'pk_IdOpiekun int': 2,
      'pk_IdDzial int, pk_IdGrupa int, pk_IdBranza int, pk_IdRegion int': null,
      'pk_Zablokowany bit, pk_AdresKoresp bit, pk_AdresDostawy bit': 0,
      'pk_DataDodania datetime': at('2024-10-14', '09:20:11'),
    },
    {
      pk_IdKh: 'kh__Kontrahent.kh_Id',
      pk_IdGrupa: 'sl_GrupaKh.grk_Id',
      pk_IdOpiekun: 'pd_Uzytkownik.uz_Id',
    },
  ),
  pd__Podmiot: tableOf([own], {
    '*pd_Id int': 1,
    'pd_Regon varchar(20)': '341208876',
    'pd_LicNazwaFirmy varchar(50)': ({ short }) => short,
    'pd_LicNIP varchar(20)': ({ taxNumber }) => taxNumber,
    'pd_LicUlica varchar(60)': lineOfAddress,
    'pd_LicKod varchar(8)': ({ zip }) => zip,
    'pd_LicMiejscowosc varchar(40)': ({ city }) => city,
    'pd_LicWojewodztwo int': ({ region }) => region,
    'pd_LicTelefon varchar(50)': ({ phone }) => phone,
    'pd_LicFaks varchar(50)': '',
    'pd_LicEmail varchar(100)': 'biuro@zielnikhurt.example',
    'pd_LicOsobaOdp varchar(50)': 'Joanna Pawlak',
    'pd_LicInneDane bit': 0,
    'pd_LicCentrala int, pd_LicIdGminy int': null,
    'pd_LicKorNazwa varchar(50), pd_LicKorUlica varchar(60), pd_LicKorKod varchar(8)': '',
    'pd_LicKorMiejscowosc varchar(40), pd_LicKorOsobaOdp varchar(50)': '',
    'pd_LicKorWojewodztwo int': -1,
    'pd_LicUzUlica varchar(60), pd_LicUzKod varchar(8), pd_LicUzMiejscowosc varchar(40)': '',
    'pd_LicUzOsobaOdp varchar(50), pd_LicUzTelefon varchar(50)': '',
    'pd_NIPUE varchar(20)': 'PL9571108824',
    'pd_NrKRS varchar(10)': '0000390114',
    'pd_NazwaRejestru varchar(50)': 'KRS',
    'pd_NumerRejestru varchar(50)': '0000390114',
    'pd_OrganRejestrowy varchar(50)': 'Sąd Rejonowy w Bydgoszczy',
    'pd_OrganZaloz varchar(50), pd_NazwaDlaPlatnika varchar(31), pd_NrBDO varchar(9)': '',
    'pd_Email varchar(100), pd_EmailWystawca varchar(100)': 'biuro@zielnikhurt.example',
    'pd_WWW varchar(255)': 'www.zielnikhurt.example',
    'pd_KodEKD varchar(20)': '46.61.Z',
    'pd_KodKGN varchar(20)': '',
    'pd_OpisDzialalnosci varchar(255)': 'Sprzedaż hurtowa maszyn i urządzeń rolniczych',
    'pd_FormaPrawna int': 5,
    'pd_OsobaFizyczna bit': 0,
    'pd_PodVATZarejestrowanyWUE bit, pd_DzHandlowa bit': 1,
    'pd_DzProdukcyjna bit, pd_DzUslugowa bit': 0,
    'pd_DataRejestracji datetime': midnight('2011-05-30'),
    'pd_Kasa int, pd_RachBankowy int': 1,
    'pd_UrzSkarbowy int': 40,
    'pd_DaneDemo bit, pd_CRM bit': 0,
    'pd_Obraz image, pd_DataRozpDzial datetime, pd_IdWlasciciela int': null,
    'pd_UtworzonoZBazy varchar(50), pd_UtworzonoZPodmiotu varchar(50)': null,
  }),
  pd_Uzytkownik: tableOf(
    [
      { id: 1, mark: 'SZ', first: '', surname: 'Szef' },
      { id: 2, mark: 'JP', first: 'Joanna', surname: 'Pawlak' },
    ],
    {
      '*uz_Id int': ({ id }) => id,
      'uz_Identyfikator varchar(3)': ({ mark }) => mark,
      'uz_Imie varchar(20)': ({ first }) => first,
      'uz_Nazwisko varchar(30)': ({ surname }) => surname,
      'uz_Login varchar(255), uz_Haslo varchar(100)': '',
      'uz_EMail varchar(100)': ({ id }) => (id === 2 ? 'biuro@zielnikhurt.example' : ''),
      'uz_IdMagazynu int': 1,
      'uz_IdKasy int': null,
      'uz_Status bit': 1,
    },
    { uz_IdMagazynu: 'sl_Magazyn.mag_Id' },
  ),
};

const wares: Readonly<Record<string, LayoutTable>> = {
  tw__Towar: tableOf(
    goods,
    {
      '*tw_Id int': ({ id }) => id,
      'tw_Zablokowany bit': 0,
      'tw_Rodzaj int': ({ isService }) => (isService ? 2 : 1),
      'tw_Symbol varchar(20)': ({ symbol }) => symbol,
      'tw_Nazwa varchar(50)': ({ name }) => name,
      'tw_Opis varchar(255)': ({ text }) => text,
      'tw_IdVatSp int, tw_IdVatZak int': ({ tax }) => taxOf(tax).id,
      'tw_JakPrzySp bit': 1,
      'tw_JednMiary varchar(10)': ({ stockUnit }) => stockUnit,
      'tw_PKWiU varchar(20)': ({ pkwiu }) => pkwiu,
      'tw_SWW varchar(20)': '',
      'tw_IdRabat int, tw_IdOpakowanie int': null,
      'tw_PrzezWartosc bit': 0,
      'tw_IdPodstDostawca int': ({ id }) => (id === 2006 ? 9 : null),
      'tw_DostSymbol varchar(20)': '',
      'tw_CzasDostawy int': null,
      'tw_UrzNazwa varchar(50)': ({ name }) => name.slice(0, 18),
      'tw_PLU int': null,
      'tw_PodstKodKresk varchar(20)': ({ id, isService }) =>
        isService ? '' : `590${4_117_000_000 + id * 37}`,
      'tw_IdTypKodu int': null,
      'tw_CenaOtwarta bit, tw_WagaEtykiet bit, tw_KontrolaTW bit': 0,
      'tw_StanMin money': ({ isService }) => (isService ? null : 10),
      'tw_JednStanMin varchar(10)': ({ stockUnit }) => stockUnit,
      'tw_DniWaznosc int': null,
      'tw_IdGrupa int': ({ isService }) => (isService ? 2 : 1),
      'tw_WWW varchar(255)': '',
      'tw_SklepInternet bit': 0,
      'tw_Pole1 varchar(50), tw_Pole2 varchar(50), tw_Pole3 varchar(50)': '',
      'tw_Pole4 varchar(50), tw_Pole5 varchar(50), tw_Pole6 varchar(50)': '',
      'tw_Pole7 varchar(50), tw_Pole8 varchar(50), tw_Uwagi varchar(255)': '',
      'tw_Logo binary(50)': null,
      'tw_Usuniety bit': 0,
      'tw_Objetosc money, tw_Masa money, tw_Charakter text': null,
      'tw_JednMiaryZak varchar(10)': ({ stockUnit }) => stockUnit,
      'tw_JMZakInna bit': 0,
      'tw_KodTowaru varchar(20)': ({ cn }) => cn || null,
      'tw_IdKrajuPochodzenia int, tw_IdUJM int': null,
      'tw_JednMiarySprz varchar(10)': ({ unit }) => unit,
      'tw_JMSprzInna bit': ({ factor }) => (factor === 1 ? 0 : 1),
      'tw_SerwisAukcyjny bit': 0,
      'tw_IdProducenta int': null,
      'tw_SprzedazMobilna bit, tw_IsFundPromocji bit': 0,
      'tw_IdFundPromocji int, tw_DomyslnaKategoria int': null,
      'tw_Wysokosc money, tw_Szerokosc money, tw_Glebokosc money, tw_StanMaks money': null,
      'tw_Akcyza bit, tw_AkcyzaZaznacz bit': 0,
      'tw_AkcyzaKwota money': null,
      'tw_ObrotMarza bit, tw_OdwrotneObciazenie bit': 0,
      'tw_ProgKwotowyOO int': 0,
      'tw_DodawalnyDoZW bit': 1,
      'tw_isbn varchar(255), tw_KodUProducenta varchar(255), tw_Komunikat varchar(255)': null,
      'tw_MechanizmPodzielonejPlatnosci bit': 0,
      'tw_GrupaJpkVat int': -1,
      'tw_OplCukrowaPodlega bit': 0,
      'tw_DataZmianyVatSprzedazy datetime, tw_MasaNetto money': null,
      'tw_ObjetySysKaucyjnym bit': 0,
    },
    { tw_IdPodstDostawca: 'kh__Kontrahent.kh_Id', tw_IdGrupa: 'sl_GrupaTw.grt_Id' },
  ),
  tw_Cena: tableOf(
    goods,
    {
      '*tc_Id int': (_, index) => index + 1,
      'tc_IdTowar int': ({ id }) => id,
      'tc_CenaNetto0 money': ({ cost, factor }) => cents(cost / factor),
      'tc_CenaNetto1 money': ({ price, factor }) => cents(price / factor),
      'tc_CenaBrutto1 money': ({ price, factor, tax }) =>
        cents((price / factor) * (1 + taxOf(tax).rate / 100)),
      'tc_CenaNetto2 money': ({ price, factor }) => cents((price / factor) * 0.95),
      'tc_CenaBrutto2 money': ({ price, factor, tax }) =>
        cents((price / factor) * 0.95 * (1 + taxOf(tax).rate / 100)),
      'tc_CenaNetto3 money, tc_CenaBrutto3 money': 0,
      'tc_IdWaluta0 char(3), tc_IdWaluta1 char(3), tc_IdWaluta2 char(3)': 'PLN',
      'tc_WalutaId char(3), tc_WalutaKurs money, tc_CenaNettoWaluta money': null,
      'tc_WalutaJedn varchar(10)': '',
    },
    { tc_IdTowar: 'tw__Towar.tw_Id' },
  ),
  tw_Stan: tableOf(
    goods.filter(({ isService }) => !isService),
    {
      '*st_TowId int': ({ id }) => id,
      '*st_MagId int': 1,
      'st_Stan money': ({ id }) => (id - 1990) * 7,
      'st_StanMin money': 10,
      'st_StanRez money, st_StanMax money': 0,
    },
    { st_TowId: 'tw__Towar.tw_Id' },
  ),
};

const lists: Readonly<Record<string, LayoutTable>> = {
  sl_StawkaVAT: tableOf(taxes, {
    '*vat_Id int': ({ id }) => id,
    'vat_Nazwa varchar(50)': ({ name }) => name,
    'vat_Stawka money': ({ rate }) => rate,
    'vat_Symbol varchar(20)': ({ symbol }) => symbol,
    'vat_CzySystemowa bit, vat_CzyWidoczna bit': 1,
    'vat_Pozycja int, vat_PozSprzedaz int, vat_PozZakup int': (_, index) => index + 1,
    'vat_PozRR int, vat_PozDomyslna int': 0,
    'vat_Rodzaj int': ({ symbol }) => ({ zw: 1, ue: 3, ex: 2 })[symbol] ?? 0,
    'vat_StawkaZagraniczna bit, vat_StawkaZagranicznaPdst bit': 0,
    'vat_IdPanstwo int, vat_UePanstwo bit': null,
  }),
  sl_Panstwo: tableOf(nations, {
    '*pa_Id int': ({ id }) => id,
    'pa_Nazwa varchar(50)': ({ name }) => name,
    'pa_KodPanstwaUE varchar(2)': ({ union }) => union,
    'pa_CzlonekUE bit': ({ isInUnion }) => (isInUnion ? 1 : 0),
    'pa_KodPanstwaISO varchar(2)': ({ code }) => code,
  }),
  sl_Wojewodztwo: tableOf(regions, {
    '*woj_Id int': (_, index) => index + 1,
    'woj_Nazwa varchar(50)': (name) => name,
  }),
  sl_Waluta: tableOf(
    rowsOf(`PLN;złoty polski
EUR;euro
USD;dolar amerykański`),
    {
      '*wl_Symbol char(3)': ([symbol = '']) => symbol,
      'wl_Nazwa varchar(50)': ([, name = '']) => name,
      'wl_LiczbaJednostek int': 1,
      'wl_Widoczna bit': 1,
    },
  ),
  sl_WalutaKurs: tableOf(['2025-01-07', '2025-02-21', '2025-05-09', '2025-09-15'], {
    '*wk_Id int': (_, index) => index + 1,
    'wk_Symbol char(3)': 'EUR',
    'wk_Data datetime': (date) => midnight(date),
    'wk_IdBanku int': 1,
    'wk_Zakup money': (date) => Number((euroOn(date) - 0.0412).toFixed(4)),
    'wk_Sredni money': (date) => euroOn(date),
    'wk_Sprzedaz money': (date) => Number((euroOn(date) + 0.0412).toFixed(4)),
  }),
  sl_Kategoria: tableOf(['Sprzedaż', 'Zakup'], {
    '*kat_Id int': (_, index) => index + 1,
    'kat_Nazwa varchar(50)': (name) => name,
    'kat_Podtytul varchar(60)': '',
    'kat_Typ int': (_, index) => index + 1,
  }),
  sl_GrupaKh: tableOf(['Odbiorcy', 'Dostawcy'], {
    '*grk_Id int': (_, index) => index + 1,
    'grk_Nazwa varchar(50)': (name) => name,
  }),
  sl_GrupaTw: tableOf(['Towary', 'Usługi'], {
    '*grt_Id int': (_, index) => index + 1,
    'grt_Nazwa varchar(50)': (name) => name,
    'grt_NrAnalityka varchar(3)': '',
    'rowguid uniqueidentifier': (_, index) => hyphenKey('sl_GrupaTw', index + 1).toUpperCase(),
  }),
  sl_Magazyn: tableOf(['Główny'], {
    '*mag_Id int': 1,
    'mag_Symbol varchar(3)': 'MAG',
    'mag_Nazwa varchar(50)': (name) => name,
    'mag_Status int': 0,
    'mag_Opis varchar(255)': '',
    'mag_Analityka varchar(5)': '01',
    'mag_Glowny bit': 1,
    'mag_POS bit': 0,
    'mag_POSIdent uniqueidentifier': null,
    'mag_POSNazwa varchar(255), mag_POSAdres varchar(82)': '',
  }),
  ins_Parametr: tableOf(['WersjaBazy', 'KluczPodmiotu'], {
    '*par_Id int': (_, index) => index + 1,
    'par_Nazwa varchar(50)': (name) => name,
    'par_Wartosc varchar(255)': (name) =>
      name === 'WersjaBazy' ? '1.84' : hexKey('ins_Parametr', name),
  }),
};

/**
 * After Subiekt GT, a Polish wholesaler: documents of every kind in one table by a number (2 sales invoice, 6 its correction,
 * 1 purchase invoice, 11 delivery, 16 order, 21 receipt), lines that point to an invoice and to the delivery at once, and a
 * state in which 2 is cancelled and 3 put off. Parties have no name: names, tax numbers and addresses are rows of one table,
 * the firm's own among them, and a document points to a row of that table's history. All sums are in złoty, whatever the
 * document's currency; the price in its currency is before discount, its sums are in the table of rates and in that of debts.
 * Names after published listings of a database's columns; lists of banks, countries, regions, currencies and telephones partly
 * from memory. From documents to parties and addresses, and from lines to rates, no key is declared.
 */
export const addressHistory: Layout = {
  name: 'address-history',
  isHeldOut: false,
  hasDiscounts: true,
  tables: { ...lists, ...wares, ...relations, ...paid, ...dealt },
  sections: {
    header: {
      table: 'dok__Dokument',
      key: 'dok_Id',
      match: 'dok_NrPelny',
      where: { dok_Typ: '2', dok_Status: '1' },
    },
    lines: { table: 'dok_Pozycja', key: 'ob_Id', match: 'ob_DokHanId', matchFrom: 'dok_Id' },
    customer: {
      table: 'kh__Kontrahent',
      key: 'kh_Id',
      match: 'kh_Id',
      matchFrom: 'dok_PlatnikId',
    },
  },
  fields: {
    number: 'dok__Dokument.dok_NrPelny|nz__Finanse.nzf_NumerPelny',
    issue_date: 'dok__Dokument.dok_DataWyst|nz__Finanse.nzf_Data',
    due_date: 'dok__Dokument.dok_PlatTermin|nz__Finanse.nzf_TerminPlatnosci',
    currency: 'dok__Dokument.dok_Waluta|nz__Finanse.nzf_IdWaluty|sl_Waluta.wl_Symbol',
    'exchange_rate.rate': 'dok__Dokument.dok_WalutaKurs|nz__Finanse.nzf_Kurs',
    purchase_order: 'dok__Dokument.dok_NrPelnyOryg',
    buyer_reference: 'dok__Dokument.dok_NrPelnyOryg',
    'notes[]': 'dok__Dokument.dok_Uwagi',
    'payment_terms[].note': 'sl_FormaPlatnosci.fp_Nazwa',
    'payment_means[].code':
      'sl_FormaPlatnosci.fp_Nazwa!map|sl_FormaPlatnosci.fp_Typ!map|sl_FormaPlatnosci.fp_Id!map|dok__Dokument.dok_PlatId!map',
    'payment_means[].account.id': 'rb__RachBankowy.rb_Numer',
    // dok_WartNetto, dok_WartVat and dok_WartBrutto are in złoty.
    'totals.tax': 'nz__Finanse.nzf_VATPierwotnyWaluta',
    'totals.gross': 'dok__Dokument.dok_KwWartosc|nz__Finanse.nzf_WartoscPierwotnaWaluta',
    'totals.due':
      'dok__Dokument.dok_KwDoZaplaty|dok__Dokument.dok_KwWartosc|dok__Dokument.dok_KwKredyt|' +
      'nz__Finanse.nzf_WartoscPierwotnaWaluta|nz__Finanse.nzf_WartoscWaluta',
    'tax_breakdown[].taxable': 'dok_Vat.vt_WartNettoWaluta',
    'tax_breakdown[].amount': 'dok_Vat.vt_WartVatWaluta',
    'tax_breakdown[].rate': 'dok_Vat.vt_VatProc|sl_StawkaVAT.vat_Stawka',
    'tax_breakdown[].category':
      'dok_Vat.vt_VatId!map|sl_StawkaVAT.vat_Symbol!map|sl_StawkaVAT.vat_Nazwa!map',
    'accounting.totals.tax': 'dok__Dokument.dok_WartVat|nz__Finanse.nzf_VATPierwotny',
    'accounting.totals.gross': 'dok__Dokument.dok_WartBrutto|nz__Finanse.nzf_WartoscPierwotna',
    'seller.name': 'pd__Podmiot.pd_LicNazwaFirmy|adr__Ewid.adr_NazwaPelna|adr__Ewid.adr_Nazwa',
    'seller.trn': 'pd__Podmiot.pd_LicNIP|pd__Podmiot.pd_NIPUE|adr__Ewid.adr_NIP',
    'seller.tin': 'pd__Podmiot.pd_LicNIP|pd__Podmiot.pd_NIPUE|adr__Ewid.adr_NIP',
    'seller.registration_id':
      'pd__Podmiot.pd_Regon|pd__Podmiot.pd_NrKRS|pd__Podmiot.pd_NumerRejestru',
    'seller.address.line1':
      'pd__Podmiot.pd_LicUlica|adr__Ewid.adr_Adres|adr__Ewid.adr_Ulica!concat|adr__Ewid.adr_NrDomu!concat',
    'seller.address.city': 'pd__Podmiot.pd_LicMiejscowosc|adr__Ewid.adr_Miejscowosc',
    'seller.address.post_code': 'pd__Podmiot.pd_LicKod|adr__Ewid.adr_Kod',
    'seller.address.subdivision':
      'sl_Wojewodztwo.woj_Nazwa|pd__Podmiot.pd_LicWojewodztwo!map|adr__Ewid.adr_IdWojewodztwo!map',
    'seller.address.country':
      'sl_Panstwo.pa_KodPanstwaISO|sl_Panstwo.pa_KodPanstwaUE|sl_Panstwo.pa_Nazwa!map|adr__Ewid.adr_IdPanstwo!map',
    'seller.contact.name':
      'dok__Dokument.dok_Wystawil|pd__Podmiot.pd_LicOsobaOdp|pd_Uzytkownik.uz_Imie!concat|pd_Uzytkownik.uz_Nazwisko!concat',
    'seller.contact.phone': 'pd__Podmiot.pd_LicTelefon|adr__Ewid.adr_Telefon',
    'seller.contact.email':
      'pd__Podmiot.pd_Email|pd__Podmiot.pd_LicEmail|pd__Podmiot.pd_EmailWystawca|pd_Uzytkownik.uz_EMail',
    'seller.industry_code': 'pd__Podmiot.pd_KodEKD',
    'seller.industry_name': 'pd__Podmiot.pd_OpisDzialalnosci',
    // adrh_Nazwa is a short name.
    'buyer.name': 'adr_Historia.adrh_NazwaPelna|adr__Ewid.adr_NazwaPelna',
    'buyer.trn': 'adr_Historia.adrh_NIP|adr__Ewid.adr_NIP',
    'PINT-MY:buyer.identifiers[].id':
      'adr_Historia.adrh_NIP|adr__Ewid.adr_NIP|kh__Kontrahent.kh_REGON',
    'buyer.registration_id': 'kh__Kontrahent.kh_REGON|kh__Kontrahent.kh_KRS',
    'buyer.address.line1':
      'adr_Historia.adrh_Adres|adr__Ewid.adr_Adres|adr_Historia.adrh_Ulica!concat|adr_Historia.adrh_NrDomu!concat|' +
      'adr__Ewid.adr_Ulica!concat|adr__Ewid.adr_NrDomu!concat',
    'buyer.address.city': 'adr_Historia.adrh_Miejscowosc|adr__Ewid.adr_Miejscowosc',
    'buyer.address.post_code': 'adr_Historia.adrh_Kod|adr__Ewid.adr_Kod',
    'buyer.address.subdivision':
      'sl_Wojewodztwo.woj_Nazwa|adr_Historia.adrh_IdWojewodztwo!map|adr__Ewid.adr_IdWojewodztwo!map',
    // The code of the Union is empty for other countries.
    'buyer.address.country':
      'sl_Panstwo.pa_KodPanstwaISO|sl_Panstwo.pa_Nazwa!map|sl_Panstwo.pa_Id!map|adr_Historia.adrh_IdPanstwo!map|' +
      'adr__Ewid.adr_IdPanstwo!map',
    'buyer.contact.name':
      'kh__Kontrahent.kh_Kontakt|dok__Dokument.dok_Odebral|kh_Pracownik.pk_Imie!concat|kh_Pracownik.pk_Nazwisko!concat',
    'buyer.contact.phone':
      'adr_Historia.adrh_Telefon|adr__Ewid.adr_Telefon|tel__Ewid.tel_Numer|kh_Pracownik.pk_Telefon',
    'buyer.contact.email': 'kh__Kontrahent.kh_EMail|adr_Email.am_Email|kh_Pracownik.pk_EMail',
    'lines[].id': 'dok_Pozycja.ob_DokHanLp|dok_Pozycja.ob_Id',
    'lines[].sku': 'tw__Towar.tw_Symbol',
    'lines[].name': 'tw__Towar.tw_Nazwa',
    'lines[].description': 'tw__Towar.tw_Nazwa|tw__Towar.tw_Opis|dok_Pozycja.ob_Opis',
    'lines[].classifications[].code':
      'dok_Pozycja.ob_TowKodCN|tw__Towar.tw_KodTowaru|dok_Pozycja.ob_TowPkwiu|tw__Towar.tw_PKWiU',
    // ob_IloscMag counts in the unit of the stock.
    'lines[].qty': 'dok_Pozycja.ob_Ilosc',
    'lines[].unit': 'dok_Pozycja.ob_Jm!map|tw__Towar.tw_JednMiarySprz!map',
    'lines[].unit_price': 'dok_Pozycja.ob_CenaWaluta',
    'lines[].gross_price': 'dok_Pozycja.ob_CenaWaluta',
    'lines[].allowances[].percent': 'dok_Pozycja.ob_Rabat',
    'lines[].accounting.amount': 'dok_Pozycja.ob_WartBrutto',
    'lines[].accounting.tax_totals[].amount': 'dok_Pozycja.ob_WartVat',
    'lines[].tax.rate':
      'dok_Pozycja.ob_VatProc|sl_StawkaVAT.vat_Stawka|dok_Pozycja.ob_VatId!map|sl_StawkaVAT.vat_Id!map',
    'lines[].tax.category':
      'dok_Pozycja.ob_VatId!map|dok_Pozycja.ob_VatProc!map|sl_StawkaVAT.vat_Id!map|sl_StawkaVAT.vat_Symbol!map|' +
      'sl_StawkaVAT.vat_Nazwa!map|sl_StawkaVAT.vat_Stawka!map|sl_StawkaVAT.vat_Rodzaj!map',
  },
};
