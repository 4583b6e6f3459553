import { cents, total } from './enterprise-trade.ts';
import { hyphenKey } from './hex-keys.ts';
import type { Cell, Layout, LayoutTable } from './layout.ts';
import { midnight, tableOf } from './tables.ts';

type Content<T> = Cell | ((row: T, index: number) => Cell);
type Columns<T> = Readonly<Record<string, Content<T>>>;

const texts = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((row) => row.split(';').map((cell) => cell.trim()));
const after = (date: string, days: number) =>
  new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
/** A time of the day as one number: hours, minutes and seconds, of eight bits each from the second byte on. */
const clock = (hour: number, minute: number, second: number) =>
  hour * 16_777_216 + minute * 65_536 + second * 256;
const guid = (table: string, ref: number) => hyphenKey(`tiger ${table}`, ref).toUpperCase();
const monthOf = (date: string) => Number(date.slice(5, 7));
const yearOf = (date: string) => Number(date.slice(0, 4));

/** Who entered a record and when. */
const block = <T extends object>(date: (row: T) => string): Columns<T> => ({
  'CAPIBLOCK_CREATEDBY smallint': 3,
  'CAPIBLOCK_CREADEDDATE datetime': (row) => midnight(date(row)),
  'CAPIBLOCK_CREATEDHOUR smallint': 10,
  'CAPIBLOCK_CREATEDMIN smallint': (_row, index) => (index * 7) % 60,
  'CAPIBLOCK_CREATEDSEC smallint': (_row, index) => (index * 13) % 60,
  'CAPIBLOCK_MODIFIEDBY smallint': 0,
  'CAPIBLOCK_MODIFIEDDATE datetime': null,
  'CAPIBLOCK_MODIFIEDHOUR smallint, CAPIBLOCK_MODIFIEDMIN smallint, CAPIBLOCK_MODIFIEDSEC smallint': 0,
});
const site: Columns<unknown> = {
  'SITEID smallint': 0,
  'RECSTATUS smallint': 1,
  'ORGLOGICREF int': 0,
};

/** Of currencies; the firm's own is 0 in documents, and has no row under that number. */
const currencies: Readonly<Record<string, number>> = { TL: 0, USD: 1, EUR: 20 };

/**
 * Code; name; second line of it; address; its second line; district; town; city; its code; post code; country; its code;
 * telephone; mail; in charge; tax number; tax office; currency; plan.
 */
const accounts = texts(`
120.01.0001;Antalya Sahil Otelcilik ve Turizm A.Ş.;;Güllük Cad. No:114;Kat 2;Elmalı Mah.;Muratpaşa;ANTALYA;07;07040;TÜRKİYE;TR;0242 312 40 18;muhasebe@sahilotel.example;Derya Aksoy;0700412288;Kurumlar;TL;30G
120.01.0002;Kapadokya Taş Konak İşletmeleri Ltd. Şti.;;Aydınlı Mah. Kule Sok. No:9;;Göreme;Merkez;NEVŞEHİR;50;50180;TÜRKİYE;TR;0384 271 21 90;info@taskonak.example;Murat Yıldız;8260097714;Nevşehir;TL;30G
120.01.0003;Boğaziçi Catering Hizmetleri San. ve Tic. A.Ş.;;Organize Sanayi Bölgesi 4. Cad. No:22;B Blok;Yukarı Dudullu;Ümraniye;İSTANBUL;34;34775;TÜRKİYE;TR;0216 527 60 00;satinalma@bogazicicatering.example;Elif Demirtaş;1800561190;Sarıgazi;TL;60G
120.01.0004;Ege Mutfak Restoran Grubu A.Ş.;;Mustafa Kemal Sahil Blv. No:301;;Üçkuyular;Balçova;İZMİR;35;35330;TÜRKİYE;TR;0232 278 09 45;fatura@egemutfak.example;Onur Çetin;3250077842;Balçova;TL;60G
120.01.0005;Uludağ Kayak Merkezi Turizm Ltd. Şti.;;1. Gelişim Bölgesi;;Uludağ;Osmangazi;BURSA;16;16370;TÜRKİYE;TR;0224 285 21 03;;;8890342217;Osmangazi;TL;30G
120.01.0006;Hasan Korkmaz - Liman Lokantası;;Yalı Mah. Çarşı İçi No:5;;Yalı;Fethiye;MUĞLA;48;48300;TÜRKİYE;TR;0252 614 33 07;limanlokantasi@eposta.example;Hasan Korkmaz;;Fethiye;TL;PSN
120.01.0007;Başkent Yemekhane ve Organizasyon A.Ş.;;Ostim Mah. 1207. Sok. No:41;;Ostim;Yenimahalle;ANKARA;06;06374;TÜRKİYE;TR;0312 354 11 20;muhasebe@baskentyemek.example;Sibel Kaya;1410688302;Ostim;TL;30G
120.02.0001;Hotelbedarf Rhein-Main GmbH;;Hanauer Landstr. 287;Halle 3;;;FRANKFURT AM MAIN;;60314;ALMANYA;DE;+49 69 40 15 77 0;einkauf@hotelbedarf.example;Jens Vogt;DE214885601;;EUR;PSN
120.02.0002;Batumi Seaside Hotels LLC;;Ninoshvili Street 12;;;;BATUMI;;6010;GÜRCİSTAN;GE;+995 422 29 30 11;purchasing@batumiseaside.example;Nino Beridze;245610933;;USD;60G
120.02.0003;Gastro Wien Handels GmbH;;Laxenburger Straße 151;;;;WIEN;;1100;AVUSTURYA;AT;+43 1 602 33 18;office@gastrowien.example;Martina Gruber;ATU58214407;;EUR;30G
320.01.0001;Paşabahçe Bölge Dağıtım Ltd. Şti.;;İkitelli OSB Metal İş Sanayi Sitesi 9. Blok;No:14;İkitelli;Başakşehir;İSTANBUL;34;34490;TÜRKİYE;TR;0212 671 40 55;siparis@pbdagitim.example;Kemal Usta;7220415563;İkitelli;TL;60G
320.01.0002;Ayvalık Zeytin Birliği;;Sakarya Mah. Atatürk Blv. No:77;;Sakarya;Ayvalık;BALIKESİR;10;10400;TÜRKİYE;TR;0266 312 18 20;;;1290088123;Ayvalık;TL;30G
320.01.0003;Hızlı Nakliyat ve Depolama A.Ş.;;Nakliyeciler Sitesi C Blok No:3;;Zeytinburnu;Zeytinburnu;İSTANBUL;34;34025;TÜRKİYE;TR;0212 546 77 10;;Cem Arslan;4650210098;Davutpaşa;TL;PSN
`).map(
  (
    [
      code = '',
      name = '',
      name2 = '',
      street = '',
      street2 = '',
      district = '',
      town = '',
      city = '',
      cityCode = '',
      zip = '',
      country = '',
      countryCode = '',
      phone = '',
      mail = '',
      person = '',
      taxNumber = '',
      taxOffice = '',
      currency = '',
      plan = '',
    ],
    index,
  ) => ({
    code,
    name,
    name2,
    street,
    street2,
    district,
    town,
    city,
    cityCode,
    zip,
    country,
    countryCode,
    phone,
    mail,
    person,
    taxNumber,
    taxOffice,
    currency,
    plan,
    ref: 11 + index * 3,
    isHome: countryCode === 'TR',
    isSupplier: code.startsWith('320'),
    // A sole trader goes by his own number.
    ownNumber: taxNumber === '' ? '28431906572' : '',
  }),
);
type Account = (typeof accounts)[number];

const plans = texts(`
PSN;Peşin;0
30G;30 gün vadeli;30
60G;60 gün vadeli;60
`).map(([code = '', name = '', days = ''], index) => ({
  code,
  name,
  ref: index + 1,
  days: Number(days),
}));
const planOf = (code: string) => plans.find((each) => each.code === code)!;

const units = texts(`
1;ADET;Adet
1;KOLI;Koli
2;KG;Kilogram
3;LT;Litre
4;PAKET;Paket
5;SAAT;Saat
`).map(([set = '', code = '', name = ''], index) => ({
  set: Number(set),
  code,
  name,
  ref: 21 + index,
}));
const unitOf = (code: string) => units.find((each) => each.code === code)!;
const sets = ['ADET SETİ', 'KİLOGRAM', 'LİTRE', 'PAKET', 'HİZMET'].map((name, index) => ({
  name,
  ref: index + 1,
  code: `0${index + 1}`,
}));

/** Code; name; unit; price; VAT; group; tariff number; its own barcode. */
const items = texts(`
BRD.0140;Su bardağı 290 cc;KOLI;612.5;20;CAM;7013.37.00;8693357014029
TBK.0027;Servis tabağı 27 cm, porselen;ADET;148.9;20;PORSELEN;6911.10.00;8690412027118
CTL.0012;Çatal kaşık bıçak takımı, 12 parça;PAKET;945;20;METAL;8215.20.10;8691105120014
HVL.0050;Otel havlusu 50x90;ADET;86.75;10;TEKSTIL;6302.60.00;8690021050902
PCT.0100;Kağıt peçete 100'lü;PAKET;34.2;20;KAGIT;4818.30.00;8692001100347
ZYT.0005;Natürel sızma zeytinyağı;LT;268;1;GIDA;1509.20.00;8698720005016
UNU.0025;Tip 550 un;KG;21.35;1;GIDA;1101.00.15;8693440250255
KTP.0001;Mutfak El Kitabı;ADET;310;0;KITAP;4901.99.00;9786050812345
`).map(
  (
    [code = '', name = '', unit = '', price = '', vat = '', group = '', tariff = '', barcode = ''],
    index,
  ) => ({
    code,
    name,
    unit,
    group,
    tariff,
    barcode,
    ref: 105 + index * 2,
    isService: false,
    price: Number(price),
    vat: Number(vat),
  }),
);
const services = texts(`
HZM.001;Nakliye bedeli;ADET;1850;20
HZM.002;Depolama hizmeti;SAAT;420;20
`).map(([code = '', name = '', unit = '', price = '', vat = ''], index) => ({
  code,
  name,
  unit,
  group: '',
  tariff: '',
  barcode: '',
  ref: 105 + index,
  isService: true,
  price: Number(price),
  vat: Number(vat),
}));

/** Lira for one dollar, which the firm reports in. */
const dollar = (date: string) =>
  cents(42.9 + (Date.parse(date) - Date.parse('2026-01-01')) / 86_400_000 / 50);

/**
 * Kind; account; date; waybill so many days before; number on paper or of their order; notes; plan if another; lira for one of
 * the currency; percent off all; cancelled; what is sold or bought: item, quantity, price, percent off.
 */
const documents = texts(`
8;120.01.0001;2026-01-08;0;SO-2026/004;Sezon öncesi sevkiyat;;;1;;;BRD.0140 20 612.5 5 + TBK.0027 120 148.9 10 + PCT.0100 60 34.2
1;320.01.0001;2026-01-12;0;A-118220;;;;1;;;BRD.0140 150 395 + TBK.0027 900 92.4 8
8;120.01.0003;2026-01-15;3;BC 77120;Depo 2'ye teslim;Randevu ile;;1;;;UNU.0025 850 21.35 4 + ZYT.0005 96 268
8;120.02.0001;2026-01-22;2;RM-40118;Exportlieferung;;;50.44;;;CTL.0012 40 19.5 + HVL.0050 300 1.5
8;120.01.0002;2026-01-28;0;;;;;1;;;TBK.0027 36 148.9
10;120.01.0005;2026-01-30;0;;Proforma;;;1;;;CTL.0012 10 945 10
8;120.01.0006;2026-02-04;0;;Tezgahta ödendi;;;1;;;PCT.0100 25 34.2 + ZYT.0005 10 268 2.5
8;120.01.0004;2026-02-11;1;EM-5521;;;;1;2;;CTL.0012 18 945 5 + BRD.0140 6 612.5 + HVL.0050 200 86.75 12
3;120.01.0001;2026-02-13;0;IADE-1;Kırık bardak iadesi;;;1;;;BRD.0140 2 612.5 5
8;120.01.0007;2026-02-20;0;BY/0091;;;;1;;1;UNU.0025 400 21.35
8;120.01.0007;2026-02-20;0;BY/0091;Fiyat düzeltildi;;;1;;;UNU.0025 400 20.9
4;320.01.0003;2026-02-27;0;HN-2290;Şubat nakliye;;;1;;;HZM.001 6 1850 + HZM.002 12 420
8;120.02.0002;2026-03-05;4;BSH 0311;Incoterms FCA;Two pallets;;43.92;;;BRD.0140 60 14.5 + TBK.0027 400 3.5 + KTP.0001 12 7.5
1;320.01.0002;2026-03-09;0;2026/337;;;;1;;;ZYT.0005 600 201.5
8;120.01.0005;2026-03-12;0;;Kar sezonu bitmeden;;;1;;;HVL.0050 150 86.75 7.5 + KTP.0001 4 310
8;120.01.0003;2026-03-24;2;BC 77384;Depo 2'ye teslim;;30G;1;;;ZYT.0005 144 268 3 + PCT.0100 500 34.2 15
6;320.01.0001;2026-03-27;0;IADE-P1;Kusurlu mal;;;1;;;TBK.0027 24 92.4 8
8;120.02.0003;2026-04-02;1;GW-1180;;;;50.92;;;CTL.0012 25 20 + PCT.0100 200 1
8;120.01.0004;2026-04-10;0;EM-5610;;;;1;;1;TBK.0027 60 148.9 10
8;120.01.0001;2026-04-16;0;SO-2026/051;İkinci parti;;;1;1.5;;TBK.0027 240 148.9 10 + HVL.0050 400 86.75 12 + BRD.0140 12 612.5 5 + KTP.0001 2 310
3;120.01.0003;2026-04-20;0;IADE-7;Vadesi geçmiş ürün;;;1;;;UNU.0025 50 21.35 4
8;120.01.0002;2026-05-05;2;TK-12;;;;1;;;CTL.0012 8 945 + ZYT.0005 24 268
1;320.01.0001;2026-05-11;0;A-118951;;;;1;;;CTL.0012 120 610 5
8;120.01.0007;2026-05-18;0;BY/0144;;;;1;;;PCT.0100 80 34.2 + UNU.0025 1000 21.35 5
4;320.01.0003;2026-05-29;0;HN-2411;;;;1;;;HZM.001 4 1850
8;120.02.0001;2026-06-04;3;RM-40377;Exportlieferung;;;52.1;;;HVL.0050 800 1.5 + TBK.0027 150 3
3;120.02.0001;2026-06-12;0;RM-R4;Beschädigt;;;52.46;;;HVL.0050 20 1.5
8;120.01.0006;2026-06-17;0;;;;30G;1;;;BRD.0140 3 612.5 + TBK.0027 12 148.9 5
`).map((row, index) => {
  const [kind = '', account = '', date = '', before = '', paper = '', note = ''] = row;
  const [note2 = '', other = '', rate = '', general = '', cancelled = '', goods = ''] =
    row.slice(6);
  const client = accounts.find(({ code }) => code === account)!;
  const exchange = Number(rate);
  const lines = goods.split('+').map((part, position) => {
    const [code = '', quantity = '', price = '', percent = '0'] = part.trim().split(' ');
    const good = [...items, ...services].find((each) => each.code === code)!;
    const foreign = cents(Number(quantity) * Number(price));
    const amount = cents(foreign * exchange);
    const own = cents((amount * Number(percent)) / 100);
    // Of what is off all, each line has its part.
    const share = cents((cents(amount - own) * Number(general)) / 100);
    const off = cents(own + share);
    const net = cents(amount - off);
    const vat = client.isHome ? good.vat : 0;
    return {
      position,
      good,
      foreign,
      amount,
      own,
      part: share,
      off,
      net,
      vat,
      quantity: Number(quantity),
      pricing: Number(price),
      percent: Number(percent),
      price: cents(Number(price) * exchange),
      tax: cents((net * vat) / 100),
    };
  });
  const net = total(lines.map((line) => line.net));
  const tax = total(lines.map((line) => line.tax));
  const plan = planOf(other === '' ? client.plan : other);
  const isSale = ['3', '8', '10'].includes(kind);
  return {
    kind: Number(kind),
    client,
    date,
    paper,
    note,
    note2,
    exchange,
    lines,
    net,
    tax,
    plan,
    isSale,
    index,
    ref: 501 + index,
    shipped: after(date, -before),
    due: after(date, plan.days),
    general: Number(general || '0'),
    isCancelled: cancelled === '1',
    amount: total(lines.map((line) => line.amount)),
    off: total(lines.map((line) => line.off)),
    part: total(lines.map((line) => line.part)),
    gross: cents(net + tax),
    /** In the currency of the document. */
    foreign: client.isHome ? cents(net + tax) : total(lines.map((line) => line.foreign)),
    currency: currencies[client.currency]!,
    report: dollar(date),
    comesIn: [1, 3, 4].includes(Number(kind)),
  };
});
type Document = (typeof documents)[number];
const sales = documents.filter(({ kind }) => kind === 8);

const numberOf = (one: Document) => {
  const serial = (all: readonly Document[]) => String(all.indexOf(one) + 41).padStart(9, '0');
  if (one.kind === 8) return `${one.client.isHome ? 'HTL' : 'HTX'}2026${serial(sales)}`;
  if (one.kind === 10) return '0000000000000007';
  if (one.kind === 6) return `HTI2026${serial(documents.filter(({ kind }) => kind === 6))}`;
  return `${one.client.countryCode}${one.client.code.slice(-1)}2026${String(310 + one.index).padStart(9, '0')}`;
};
const flag = (is: boolean) => (is ? 1 : 0);
const plain = (columns: string) => ({ [columns]: 0 });
const bare = (columns: string) => ({ [columns]: '' });
const exempt = (vat: number, { isHome }: Account) => (vat > 0 ? '' : isHome ? '335' : '301');

const invoiceTable = tableOf(documents, {
  '*LOGICALREF int': ({ ref }) => ref,
  'GRPCODE smallint': ({ isSale }) => (isSale ? 2 : 1),
  'TRCODE smallint': ({ kind }) => kind,
  'FICHENO varchar(17)': numberOf,
  'DATE_ datetime': ({ date }) => midnight(date),
  'TIME_ int': (_one, index) => clock(9 + (index % 8), (index * 11) % 60, 20),
  'DOCODE varchar(33)': ({ paper }) => paper,
  'SPECODE varchar(11)': ({ client }) => (client.isHome ? '' : 'IHRACAT'),
  ...bare('CYPHCODE varchar(11)'),
  'CLIENTREF int': ({ client }) => client.ref,
  ...plain('RECVREF int, CENTERREF int'),
  'ACCOUNTREF int': ({ client }) => 900 + client.ref,
  ...plain('SOURCEINDEX smallint, SOURCECOSTGRP smallint'),
  'CANCELLED smallint': ({ isCancelled }) => flag(isCancelled),
  'ACCOUNTED smallint': ({ isCancelled, index }) => flag(!isCancelled && index < 24),
  ...plain('PAIDINCASH smallint, FROMKASA smallint'),
  'ENTEGSET smallint': 247,
  ...plain('VAT float'),
  'ADDDISCOUNTS float': ({ part }) => part,
  'TOTALDISCOUNTS float': ({ off }) => off,
  'TOTALDISCOUNTED float': ({ net }) => net,
  ...plain('ADDEXPENSES float, TOTALEXPENSES float, DISTEXPENSE float, TOTALDEPOZITO float'),
  ...plain('TOTALPROMOTIONS float, VATINCGROSS float'),
  'TOTALVAT float': ({ tax }) => tax,
  'GROSSTOTAL float': ({ amount }) => amount,
  'NETTOTAL float': ({ gross }) => gross,
  'GENEXP1 varchar(51)': ({ note }) => note,
  'GENEXP2 varchar(51)': ({ note2 }) => note2,
  ...bare('GENEXP3 varchar(51), GENEXP4 varchar(51), GENEXP5 varchar(51), GENEXP6 varchar(51)'),
  ...plain('INTERESTAPP float'),
  'TRCURR smallint': ({ currency }) => currency,
  'TRRATE float': ({ exchange }) => exchange,
  'TRNET float': ({ foreign }) => foreign,
  'REPORTRATE float': ({ report }) => report,
  'REPORTNET float': ({ gross, report }) => cents(gross / report),
  ...plain('ONLYONEPAYLINE smallint, KASTRANSREF int'),
  'PAYDEFREF int': ({ plan }) => plan.ref,
  'PRINTCNT smallint': 1,
  ...plain('GVATINC smallint, BRANCH smallint, DEPARTMENT smallint'),
  'ACCFICHEREF int': ({ isCancelled, index }) => (!isCancelled && index < 24 ? 3300 + index : 0),
  ...plain('ADDEXPACCREF int, ADDEXPCENTREF int, DECPRDIFF smallint'),
  // Some are entered on a later day.
  ...block<Document>(({ date, index }) => after(date, index % 6 === 2 ? 1 : 0)),
  'SALESMANREF int': ({ isSale, client }) => (isSale ? (client.isHome ? 1 : 2) : 0),
  ...plain('CANCELLEDACC smallint'),
  'SHPTYPCOD varchar(11)': ({ isSale }) => (isSale ? 'KARAYOLU' : ''),
  ...bare('SHPAGNCOD varchar(17), TRACKNR varchar(101)'),
  'GENEXCTYP smallint, LINEEXCTYP smallint': ({ client }) => (client.isHome ? 1 : 2),
  ...bare('TRADINGGRP varchar(17)'),
  ...plain('TEXTINC smallint'),
  ...site,
  ...plain('FACTORYNR smallint, WFSTATUS int'),
  'SHIPINFOREF int': ({ kind, client }) => (kind === 8 && client.ref === 17 ? 2 : 0),
  ...plain('DISTORDERREF int, SENDCNT smallint, DLVCLIENT smallint, COSTOFSALEFCREF int'),
  ...plain('OPSTAT smallint'),
  ...bare('DOCTRACKINGNR varchar(51)'),
  ...plain('TOTALADDTAX float, PAYMENTTYPE smallint, INFIDX float, ACCOUNTEDCNT smallint'),
  ...bare('ORGLOGOID varchar(25)'),
  ...plain('FROMEXIM smallint'),
  ...bare('FRGTYPCOD varchar(5)'),
  ...plain('EXIMFCTYPE smallint, FROMORDWITHPAY smallint, PROJECTREF int, WFLOWCRDREF int'),
  ...plain('STATUS smallint'),
  'DEDUCTIONPART1 smallint': 2,
  'DEDUCTIONPART2 smallint': 3,
  ...plain('TOTALEXADDTAX float, EXACCOUNTED smallint, FROMBANK smallint, BNTRANSREF int'),
  'DOCDATE datetime': ({ date }) => midnight(date),
  'EINVOICE smallint': ({ client, kind }) => (kind === 10 || !client.isHome ? 0 : 1),
  'PROFILEID smallint': ({ kind }) => (kind === 8 ? 2 : 0),
  'GUID varchar(37)': ({ ref }) => guid('invoice', ref),
  'ESTATUS smallint': ({ kind, isCancelled }) => (kind === 8 && !isCancelled ? 12 : 0),
  'VATEXCEPTREASON varchar(201)': ({ client }) => (client.isHome ? '' : '11/1-a Mal ihracatı'),
  ...bare('SERIALCODE varchar(17)'),
  ...plain('EINVOICETYP smallint'),
  'VATEXCEPTCODE varchar(11)': ({ client }) => (client.isHome ? '' : '301'),
  ...plain('OFFERREF int'),
});

/** Goods and services, behind each what is off it, and at the end what is off all. */
const rows = documents.flatMap((one) => {
  const own = one.lines.flatMap((line) => [
    { one, line, kind: line.good.isService ? 4 : 0, percent: 0, taken: 0, hasParent: false },
    ...(line.own === 0
      ? []
      : [{ one, line, kind: 2, percent: line.percent, taken: line.own, hasParent: true }]),
  ]);
  const all =
    one.part === 0
      ? []
      : [
          {
            one,
            line: one.lines[0]!,
            kind: 2,
            percent: one.general,
            taken: one.part,
            hasParent: false,
          },
        ];
  return [...own, ...all].map((row, position) => ({ ...row, number: position + 1 }));
});
type Row = (typeof rows)[number];
const refOf = (row: Row) => 2001 + rows.indexOf(row);
const parentOf = ({ one, line, hasParent }: Row) =>
  hasParent
    ? refOf(rows.find((each) => each.one === one && each.line === line && each.kind !== 2)!)
    : 0;
/** What a line of goods or services has, and a discount has not. */
const sold =
  (content: (line: Row['line'], one: Document) => number) =>
  ({ line, one, kind }: Row) =>
    kind === 2 ? 0 : content(line, one);
const ordered = sales.filter(({ paper, isCancelled }) => paper !== '' && !isCancelled);
const orderOf = (one: Document) => (ordered.includes(one) ? 701 + ordered.indexOf(one) : 0);
const shipped = documents.filter(({ kind }) => [1, 3, 6, 8].includes(kind));
const waybillOf = (one: Document) => (shipped.includes(one) ? 301 + shipped.indexOf(one) : 0);

const lineTable = tableOf(rows, {
  '*LOGICALREF int': refOf,
  'STOCKREF int': sold(({ good }) => good.ref),
  'LINETYPE smallint': ({ kind }) => kind,
  ...plain('PREVLINEREF int, PREVLINENO smallint'),
  'DETLINE smallint': 0,
  'TRCODE smallint': ({ one }) => one.kind,
  // Of the waybill, which may be older.
  'DATE_ datetime': ({ one }) => midnight(one.shipped),
  'FTIME int': clock(9, 30, 0),
  'GLOBTRANS smallint': ({ kind, hasParent }) => flag(kind === 2 && !hasParent),
  'CALCTYPE smallint': 0,
  ...plain('PRODORDERREF int, SOURCETYPE smallint, SOURCEINDEX smallint, SOURCECOSTGRP smallint'),
  ...plain('SOURCEWSREF int, SOURCEPOLNREF int, DESTTYPE smallint, DESTINDEX smallint'),
  ...plain('DESTCOSTGRP smallint, DESTWSREF int, DESTPOLNREF int, FACTORYNR smallint'),
  'IOCODE smallint': ({ one, kind }) => (kind !== 0 || one.kind === 10 ? 0 : one.comesIn ? 1 : 4),
  'STFICHEREF int': ({ one }) => waybillOf(one),
  'STFICHELNNO smallint': ({ number }) => number,
  'INVOICEREF int': ({ one }) => one.ref,
  'INVOICELNNO smallint': ({ number }) => number,
  'CLIENTREF int': ({ one }) => one.client.ref,
  'ORDTRANSREF int': ({ one, line, kind }) =>
    kind === 0 && orderOf(one) > 0 ? orderOf(one) * 10 + line.position : 0,
  'ORDFICHEREF int': ({ one, kind }) => (kind === 0 ? orderOf(one) : 0),
  ...plain('CENTERREF int'),
  'ACCOUNTREF int': ({ one }) => (one.isSale ? 600 : 153),
  'VATACCREF int': ({ one }) => (one.isSale ? 391 : 191),
  ...plain('VATCENTERREF int, PRACCREF int, PRCENTERREF int, PRVATACCREF int, PRVATCENREF int'),
  'PAYDEFREF int': ({ one }) => one.plan.ref,
  ...bare('SPECODE varchar(17), DELVRYCODE varchar(11)'),
  'AMOUNT float': sold(({ quantity }) => quantity),
  'PRICE float': sold(({ price }) => price),
  'TOTAL float': ({ line, kind, taken }) => (kind === 2 ? taken : line.amount),
  'PRCURR smallint': sold((_line, one) => one.currency),
  'PRPRICE float': sold(({ pricing }, one) => (one.currency === 0 ? 0 : pricing)),
  'TRCURR smallint': ({ one }) => one.currency,
  'TRRATE float': ({ one }) => one.exchange,
  'REPORTRATE float': ({ one }) => one.report,
  ...plain('DISTCOST float'),
  'DISTDISC float': sold(({ off }) => off),
  ...plain('DISTEXP float, DISTPROM float'),
  'DISCPER float': ({ percent }) => percent,
  ...bare('LINEEXP varchar(251)'),
  'UOMREF int': sold(({ good }) => unitOf(good.unit).ref),
  'USREF int': sold(({ good }) => unitOf(good.unit).set),
  'UINFO1 float': sold(() => 1),
  'UINFO2 float': sold(({ good }) => (good.unit === 'KOLI' ? 24 : 1)),
  ...plain('UINFO3 float, UINFO4 float, UINFO5 float, UINFO6 float, UINFO7 float, UINFO8 float'),
  ...plain('PLNAMOUNT float, VATINC smallint'),
  'VAT float': sold(({ vat }) => vat),
  'VATAMNT float': sold(({ tax }) => tax),
  'VATMATRAH float': sold(({ net }) => net),
  ...plain('BILLEDITEM int'),
  'BILLED smallint': 1,
  ...plain('CPSTFLAG smallint, RETCOSTTYPE smallint, SOURCELINK int, RETCOST float'),
  ...plain('RETCOSTCURR float'),
  'OUTCOST float': ({ line, kind, one }) =>
    kind === 0 && one.kind === 8 ? cents(line.good.price * 0.66) : 0,
  ...plain('OUTCOSTCURR float, RETAMOUNT float, FAREGREF int, FAATTRIB smallint'),
  'CANCELLED smallint': ({ one }) => flag(one.isCancelled),
  'LINENET float': sold(({ net }) => net),
  ...plain('DISTADDEXP float, FADACCREF int, FADCENTERREF int, FARACCREF int, FARCENTERREF int'),
  ...plain('DIFFPRICE float, DIFFPRCOST float, DECPRDIFF smallint, LPRODSTAT smallint'),
  ...plain('PRDEXPTOTAL float, DIFFREPPRICE float, DIFFPRCRCOST float'),
  'SALESMANREF int': ({ one }) => (one.isSale ? (one.client.isHome ? 1 : 2) : 0),
  ...plain('FAPLACCREF int, FAPLCENTERREF int'),
  ...bare('OUTPUTIDCODE varchar(25)'),
  ...plain('DREF int, COSTRATE float, XPRICEUPD smallint, XPRICE float, XREPRATE float'),
  ...plain('DISTCOEF float, TRANSQCOK smallint'),
  ...site,
  ...plain('WFSTATUS int, POLINEREF int, PLNSTTRANSREF int, NETDISCFLAG smallint'),
  ...plain('NETDISCPERC float, NETDISCAMNT float, VATCALCDIFF float, CONDITIONREF int'),
  'PRRATE float': sold((_line, one) => (one.currency === 0 ? 0 : one.exchange)),
  ...plain('ADDTAXRATE float, ADDTAXAMOUNT float, PROJECTREF int, STATUS smallint'),
  'MONTH_ smallint': ({ one }) => monthOf(one.shipped),
  'YEAR_ smallint': ({ one }) => yearOf(one.shipped),
  'PARENTLNREF int': parentOf,
  ...bare('GLOBALID varchar(51)'),
  'GUID varchar(37)': (row) => guid('stline', refOf(row)),
  'VATEXCEPTREASON varchar(201)': '',
  'VATEXCEPTCODE varchar(11)': ({ one, line, kind }) =>
    kind === 2 ? '' : exempt(line.vat, one.client),
});

const clientTable = tableOf(accounts, {
  '*LOGICALREF int': ({ ref }) => ref,
  'ACTIVE smallint': 0,
  'CARDTYPE smallint': ({ isSupplier }) => (isSupplier ? 2 : 1),
  'CODE varchar(17)': ({ code }) => code,
  'DEFINITION_ varchar(201)': ({ name }) => name,
  'SPECODE varchar(11)': ({ isHome }) => (isHome ? 'YURTICI' : 'YURTDISI'),
  ...bare('CYPHCODE varchar(11)'),
  'ADDR1 varchar(201)': ({ street }) => street,
  'ADDR2 varchar(201)': ({ street2 }) => street2,
  'CITY varchar(21)': ({ city }) => city,
  'COUNTRY varchar(21)': ({ country }) => country,
  'POSTCODE varchar(11)': ({ zip }) => zip,
  'TELNRS1 varchar(51)': ({ phone }) => phone,
  ...bare('TELNRS2 varchar(51), FAXNR varchar(51)'),
  'TAXNR varchar(16)': ({ taxNumber }) => taxNumber,
  'TAXOFFICE varchar(31)': ({ taxOffice }) => taxOffice,
  'INCHARGE varchar(61)': ({ person }) => person,
  ...plain('DISCRATE float, EXTENREF int'),
  'PAYMENTREF int': ({ plan }) => planOf(plan).ref,
  'EMAILADDR varchar(251)': ({ mail }) => mail,
  ...bare('WEBADDR varchar(41)'),
  ...plain('WARNMETHOD smallint'),
  ...bare('WARNEMAILADDR varchar(251), WARNFAXNR varchar(51)'),
  'CLANGUAGE smallint': ({ isHome }) => (isHome ? 1 : 2),
  ...bare('VATNR varchar(21)'),
  ...plain('BLOCKED smallint'),
  ...bare('BANKBRANCHS1 varchar(51), BANKBRANCHS2 varchar(51), BANKACCOUNTS1 varchar(51)'),
  ...bare('BANKACCOUNTS2 varchar(51), DELIVERYMETHOD varchar(21), DELIVERYFIRM varchar(17)'),
  'CCURRENCY smallint': ({ currency }) => currencies[currency]!,
  ...plain('TEXTINC smallint'),
  ...site,
  ...bare('EDINO varchar(31), TRADINGGRP varchar(17)'),
  ...block<Account>(() => '2024-02-19'),
  ...plain('PAYMENTPROC smallint, CRATEDIFFPROC smallint, WFSTATUS int'),
  ...bare('PPGROUPCODE varchar(17)'),
  ...plain('PPGROUPREF int'),
  ...bare('TAXOFFCODE varchar(13), TOWNCODE varchar(13)'),
  'TOWN varchar(51)': ({ town }) => town,
  ...bare('DISTRICTCODE varchar(13)'),
  'DISTRICT varchar(51)': ({ district }) => district,
  'CITYCODE varchar(13)': ({ cityCode }) => cityCode,
  'COUNTRYCODE varchar(13)': ({ countryCode }) => countryCode,
  ...plain('ORDSENDMETHOD smallint'),
  ...bare('ORDSENDEMAILADDR varchar(251), ORDSENDFAXNR varchar(51)'),
  ...plain('DSPSENDMETHOD smallint'),
  ...bare('DSPSENDEMAILADDR varchar(251), DSPSENDFAXNR varchar(51)'),
  ...plain('INVSENDMETHOD smallint'),
  ...bare('INVSENDEMAILADDR varchar(251), INVSENDFAXNR varchar(51)'),
  ...plain('SUBSCRIBERSTAT smallint'),
  ...bare('SUBSCRIBEREXT varchar(51), AUTOPAIDBANK varchar(17)'),
  ...plain('PAYMENTTYPE smallint, LASTSENDREMLEV smallint, EXTACCESSFLAGS int'),
  ...bare('CELLPHONE varchar(51), STATECODE varchar(13), STATENAME varchar(51)'),
  ...bare('BANKIBANS1 varchar(51), BANKIBANS2 varchar(51)'),
  'TCKNO varchar(16)': ({ ownNumber }) => ownNumber,
  'ISPERSCOMP smallint': ({ ownNumber }) => flag(ownNumber !== ''),
  'ACCEPTEINV smallint': ({ isHome, ownNumber }) => flag(isHome && ownNumber === ''),
  ...bare('EINVOICEID varchar(41)'),
  'PROFILEID smallint': ({ isHome, ownNumber }) => (isHome && ownNumber === '' ? 2 : 0),
  ...bare('ISPERCURR varchar(1)'),
  'ISFOREIGN smallint': ({ isHome }) => flag(!isHome),
  'DEFINITION2 varchar(201)': ({ name2 }) => name2,
  'NAME varchar(61)': ({ ownNumber }) => (ownNumber === '' ? '' : 'Hasan'),
  'SURNAME varchar(61)': ({ ownNumber }) => (ownNumber === '' ? '' : 'Korkmaz'),
  'GUID varchar(37)': ({ ref }) => guid('clcard', ref),
  'POSTLABELCODE varchar(101)': ({ isHome, ownNumber, mail }) =>
    isHome && ownNumber === ''
      ? `urn:mail:defaultpk@${mail.split('@')[1] ?? 'eposta.example'}`
      : '',
  ...bare('SENDERLABELCODE varchar(101)'),
});

const goods: Readonly<Record<string, LayoutTable>> = {
  LG_001_ITEMS: tableOf(items, {
    '*LOGICALREF int': ({ ref }) => ref,
    'ACTIVE smallint': 0,
    'CARDTYPE smallint': 1,
    'CODE varchar(25)': ({ code }) => code,
    'NAME varchar(51)': ({ name }) => name,
    'STGRPCODE varchar(17)': ({ group }) => group,
    ...bare('PRODUCERCODE varchar(101), SPECODE varchar(11), CYPHCODE varchar(11)'),
    'CLASSTYPE smallint': 0,
    'PURCHBRWS smallint, SALESBRWS smallint, MTRLBRWS smallint': 1,
    'VAT float': ({ vat }) => vat,
    ...plain('PAYMENTREF int, TRACKTYPE smallint, LOCTRACKING smallint, TOOL smallint'),
    ...plain('AUTOINCSL smallint, DIVLOTSIZE smallint, SHELFLIFE float, SHELFDATE smallint'),
    ...plain('DOMINANTREFS1 int, DOMINANTREFS2 int, IMAGEINC smallint, TEXTINC smallint'),
    ...plain('DEPRTYPE smallint, DEPRRATE float, DEPRDUR smallint, SALVAGEVAL float'),
    ...plain('REVALFLAG smallint, REVDEPRFLAG smallint, PARTDEP smallint, DEPRTYPE2 smallint'),
    ...plain('APPROVED smallint'),
    'UNITSETREF int': ({ unit }) => unitOf(unit).set,
    ...plain('QCCSETREF int, DISTAMOUNT float'),
    ...block<object>(() => '2024-02-19'),
    ...site,
    ...bare('UNIVID varchar(25)'),
    ...plain('DISTLOTUNITS smallint, COMBLOTUNITS smallint, WFSTATUS int'),
    'DISTPOINT float, CAMPPOINT float': 0,
    ...bare('ISONR varchar(17), GROUPNR varchar(51), PRODCOUNTRY varchar(17)'),
    ...plain('ADDTAXREF int, QPRODAMNT float'),
    'SELLVAT float, RETURNVAT float': ({ vat }) => vat,
    ...bare('LOGOID varchar(25), ADDTAXCODE varchar(11)'),
    'GTIPCODE varchar(25)': ({ tariff }) => tariff,
    ...plain('CPACODEREF int'),
    'EANBARCODE varchar(25)': ({ barcode }) => barcode,
    'SELLPRVAT float, RETURNPRVAT float': ({ vat }) => vat,
    ...bare('NAME2 varchar(201), NAME3 varchar(201), NAME4 varchar(201)'),
    'GUID varchar(37)': ({ ref }) => guid('items', ref),
  }),
  LG_001_SRVCARD: tableOf(services, {
    '*LOGICALREF int': ({ ref }) => ref,
    'ACTIVE smallint': 0,
    // Bought.
    'CARDTYPE smallint': 1,
    'CODE varchar(25)': ({ code }) => code,
    'DEFINITION_ varchar(201)': ({ name }) => name,
    ...bare('SPECODE varchar(11), CYPHCODE varchar(11)'),
    'VAT float': ({ vat }) => vat,
    ...plain('EXTENREF int, PAYMENTREF int'),
    'UNITSETREF int': ({ unit }) => unitOf(unit).set,
    ...plain('TEXTINC smallint'),
    ...site,
    ...block<object>(() => '2024-02-19'),
    'RETURNVAT float': ({ vat }) => vat,
  }),
  LG_001_UNITSETF: tableOf(sets, {
    '*LOGICALREF int': ({ ref }) => ref,
    'CODE varchar(17)': ({ code }) => code,
    'NAME varchar(51)': ({ name }) => name,
    'CARDTYPE smallint': 5,
    ...plain('SPECITEM smallint'),
    ...bare('SPECODE varchar(11), CYPHCODE varchar(11)'),
    ...site,
  }),
  LG_001_UNITSETL: tableOf(units, {
    '*LOGICALREF int': ({ ref }) => ref,
    'CODE varchar(11)': ({ code }) => code,
    'NAME varchar(51)': ({ name }) => name,
    'UNITSETREF int': ({ set }) => set,
    'LINENR smallint': ({ code }) => (code === 'KOLI' ? 2 : 1),
    'MAINUNIT smallint': ({ code }) => flag(code !== 'KOLI'),
    'CONVFACT1 float': 1,
    'CONVFACT2 float': ({ code }) => (code === 'KOLI' ? 24 : 1),
    ...plain('WIDTH float, LENGTH float, HEIGHT float, AREA float, VOLUME_ float, WEIGHT float'),
    ...plain('WIDTHREF int, LENGTHREF int, HEIGHTREF int, AREAREF int, VOLUMEREF int'),
    ...plain('WEIGHTREF int'),
    'DIVUNIT smallint': 1,
    'GLOBALCODE varchar(11)': ({ code }) =>
      ({ ADET: 'C62', KOLI: 'BX', KG: 'KGM', LT: 'LTR', PAKET: 'PA', SAAT: 'HUR' })[code]!,
  }),
  LG_001_PRCLIST: tableOf(items, {
    '*LOGICALREF int': (_item, index) => index + 1,
    'CARDREF int': ({ ref }) => ref,
    ...bare('CLIENTCODE varchar(17), CLSPECODE varchar(11)'),
    'PAYPLANREF int': 0,
    'PRICE float': ({ price }) => price,
    'UOMREF int': ({ unit }) => unitOf(unit).ref,
    'INCVAT smallint': 0,
    'CURRENCY smallint': 160,
    'PRIORITY smallint': 0,
    'PTYPE smallint': 2,
    'MTRLTYPE smallint': 0,
    'LEADTIME int': 0,
    'BEGDATE datetime': midnight('2026-01-01'),
    'ENDDATE datetime': midnight('2026-12-31'),
    'ACTIVE smallint': 0,
  }),
};

const booked = documents.filter(({ kind, isCancelled }) => kind !== 10 && !isCancelled);
/** As the current account knows it. */
const moduleKind = ({ kind }: Document) => 30 + kind;
const isDebit = ({ kind }: Document) => [6, 8].includes(kind);
const movements: Readonly<Record<string, LayoutTable>> = {
  LG_001_01_STFICHE: tableOf(shipped, {
    '*LOGICALREF int': waybillOf,
    'GRPCODE smallint': ({ isSale }) => (isSale ? 2 : 1),
    'TRCODE smallint': ({ kind }) => kind,
    'IOCODE smallint': ({ comesIn }) => (comesIn ? 1 : 4),
    'FICHENO varchar(17)': ({ index }) => `IRS2026${String(index + 512).padStart(9, '0')}`,
    'DATE_ datetime': (one) => midnight(one.shipped),
    'FTIME int': clock(9, 30, 0),
    'DOCODE varchar(33)': ({ paper }) => paper,
    'INVNO varchar(17)': numberOf,
    ...bare('SPECODE varchar(11), CYPHCODE varchar(11)'),
    'INVOICEREF int': ({ ref }) => ref,
    'CLIENTREF int': ({ client }) => client.ref,
    ...plain('RECVREF int, ACCOUNTREF int, CENTERREF int, PRODORDERREF int'),
    ...bare('PORDERFICHENO varchar(17)'),
    ...plain('SOURCETYPE smallint, SOURCEINDEX smallint, SOURCEWSREF int, SOURCEPOLNREF int'),
    ...plain('BRANCH smallint, DEPARTMENT smallint, COMPBRANCH smallint'),
    'CANCELLED smallint': ({ isCancelled }) => flag(isCancelled),
    'BILLED smallint': 1,
    'ACCOUNTED smallint': 0,
    'UPDCURR smallint, INUSE smallint': 0,
    ...plain('ADDDISCOUNTS float'),
    'TOTALDISCOUNTS float': ({ off }) => off,
    'TOTALDISCOUNTED float': ({ net }) => net,
    ...plain('ADDEXPENSES float, TOTALEXPENSES float, TOTALDEPOZITO float, TOTALPROMOTIONS float'),
    'TOTALVAT float': ({ tax }) => tax,
    'GROSSTOTAL float': ({ amount }) => amount,
    'NETTOTAL float': ({ gross }) => gross,
    ...bare('GENEXP1 varchar(51), GENEXP2 varchar(51), GENEXP3 varchar(51), GENEXP4 varchar(51)'),
    'REPORTRATE float': ({ report }) => report,
    'REPORTNET float': ({ gross, report }) => cents(gross / report),
    'PAYDEFREF int': ({ plan }) => plan.ref,
    ...block<Document>((one) => one.shipped),
    'SALESMANREF int': ({ isSale }) => (isSale ? 1 : 0),
    'TRCURR smallint': ({ currency }) => currency,
    'TRRATE float': ({ exchange }) => exchange,
    'TRNET float': ({ foreign }) => foreign,
    ...site,
    'STATUS smallint': 1,
    'DOCDATE datetime': (one) => midnight(one.shipped),
    'GUID varchar(37)': (one) => guid('stfiche', waybillOf(one)),
  }),
  LG_001_01_CLFLINE: tableOf(booked, {
    '*LOGICALREF int': (_one, index) => 4001 + index,
    'CLIENTREF int': ({ client }) => client.ref,
    'CLACCREF int': ({ client }) => 900 + client.ref,
    ...plain('CLCENTERREF int, CASHCENTERREF int, CASHACCREF int, VIRMANREF int'),
    'SOURCEFREF int': ({ ref }) => ref,
    'DATE_ datetime': ({ date }) => midnight(date),
    ...plain('DEPARTMENT smallint, BRANCH smallint'),
    'MODULENR smallint': 4,
    'TRCODE smallint': moduleKind,
    'LINENR smallint': 0,
    ...bare('SPECODE varchar(11), CYPHCODE varchar(11)'),
    'TRANNO varchar(17)': numberOf,
    'DOCODE varchar(33)': ({ paper }) => paper,
    'LINEEXP varchar(251)': ({ note }) => note,
    'ACCOUNTED smallint': ({ index }) => flag(index < 24),
    'SIGN smallint': (one) => (isDebit(one) ? 0 : 1),
    'AMOUNT float': ({ gross }) => gross,
    'TRCURR smallint': ({ currency }) => currency,
    'TRRATE float': ({ exchange }) => exchange,
    'TRNET float': ({ foreign }) => foreign,
    'REPORTRATE float': ({ report }) => report,
    'REPORTNET float': ({ gross, report }) => cents(gross / report),
    ...bare('EXTENTYPE varchar(1)'),
    'PAYDEFREF int': ({ plan }) => plan.ref,
    ...plain('ACCFICHEREF int, PRINTCNT smallint'),
    ...block<Document>(({ date }) => date),
    'CANCELLED smallint': 0,
    ...site,
    'MONTH_ smallint': ({ date }) => monthOf(date),
    'YEAR_ smallint': ({ date }) => yearOf(date),
    'DOCDATE datetime': ({ date }) => midnight(date),
  }),
  LG_001_01_PAYTRANS: tableOf(booked, {
    '*LOGICALREF int': (_one, index) => 5001 + index,
    'CARDREF int': ({ client }) => client.ref,
    // The day due; the day of the document is PROCDATE.
    'DATE_ datetime': ({ due }) => midnight(due),
    'MODULENR smallint': 4,
    'SIGN smallint': (one) => (isDebit(one) ? 0 : 1),
    'FICHEREF int': ({ ref }) => ref,
    'FICHELINEREF int': 0,
    'TRCODE smallint': ({ kind }) => kind,
    'TOTAL float': ({ gross }) => gross,
    'PAID float': ({ gross, index }) => (index < 8 ? gross : 0),
    ...plain('EARLYINTRATE float, LATELYINTRATE float, CROSSREF int, PAIDINCASH smallint'),
    'CANCELLED smallint': 0,
    'PROCDATE datetime': ({ date }) => midnight(date),
    'TRCURR smallint': ({ currency }) => currency,
    'TRRATE float': ({ exchange }) => exchange,
    'REPORTRATE float': ({ report }) => report,
    ...plain('MODIFIED smallint, REMINDLEV smallint'),
    'REMINDDATE datetime': null,
    ...plain('CROSSCURR smallint, CROSSTOTAL float, DISCFLAG smallint'),
    ...site,
    'PAYNO smallint': 1,
    'DAYS smallint': ({ plan }) => plan.days,
    'TRNET float': ({ foreign }) => foreign,
    'DISCDUEDATE datetime': ({ due }) => midnight(due),
  }),
  LG_001_01_ORFICHE: tableOf(ordered, {
    '*LOGICALREF int': orderOf,
    'TRCODE smallint': 1,
    'FICHENO varchar(17)': (_one, index) => `SIP${String(index + 88).padStart(10, '0')}`,
    'DATE_ datetime': (one) => midnight(after(one.shipped, -5)),
    'TIME_ int': clock(14, 5, 0),
    'DOCODE varchar(33)': ({ paper }) => paper,
    ...bare('SPECODE varchar(11), CYPHCODE varchar(11)'),
    'CLIENTREF int': ({ client }) => client.ref,
    ...plain('RECVREF int, ACCOUNTREF int, CENTERREF int, SOURCEINDEX smallint'),
    ...plain('UPDCURR smallint, ADDDISCOUNTS float'),
    'TOTALDISCOUNTS float': ({ off }) => off,
    'TOTALDISCOUNTED float': ({ net }) => net,
    ...plain('ADDEXPENSES float, TOTALEXPENSES float, TOTALPROMOTIONS float'),
    'TOTALVAT float': ({ tax }) => tax,
    'GROSSTOTAL float': ({ amount }) => amount,
    'NETTOTAL float': ({ gross }) => gross,
    'REPORTRATE float': ({ report }) => report,
    'REPORTNET float': ({ gross, report }) => cents(gross / report),
    ...bare('GENEXP1 varchar(51), GENEXP2 varchar(51), GENEXP3 varchar(51), GENEXP4 varchar(51)'),
    'EXTENREF int': 0,
    'PAYDEFREF int': ({ plan }) => plan.ref,
    'PRINTCNT smallint, BRANCH smallint, DEPARTMENT smallint': 0,
    'STATUS smallint': 4,
    ...block<Document>((one) => after(one.shipped, -5)),
    'SALESMANREF int': 1,
    'CUSTORDNO varchar(51)': ({ paper }) => paper,
    'CANCELLED smallint': 0,
    'TRCURR smallint': ({ currency }) => currency,
    'TRRATE float': ({ exchange }) => exchange,
    'TRNET float': ({ foreign }) => foreign,
    ...site,
  }),
  LG_001_01_ORFLINE: tableOf(
    ordered.flatMap((one) => one.lines.map((line) => ({ one, line }))),
    {
      '*LOGICALREF int': ({ one, line }) => orderOf(one) * 10 + line.position,
      'STOCKREF int': ({ line }) => line.good.ref,
      'ORDFICHEREF int': ({ one }) => orderOf(one),
      'CLIENTREF int': ({ one }) => one.client.ref,
      'LINETYPE smallint': 0,
      'LINENO_ smallint': ({ line }) => line.position + 1,
      'TRCODE smallint': 1,
      'DATE_ datetime': ({ one }) => midnight(after(one.shipped, -5)),
      'AMOUNT float, SHIPPEDAMOUNT float': ({ line }) => line.quantity,
      'PRICE float': ({ line }) => line.price,
      'TOTAL float': ({ line }) => line.amount,
      ...plain('DISCPER float'),
      'DISTDISC float': ({ line }) => line.off,
      'VAT float': ({ line }) => line.vat,
      'VATAMNT float': ({ line }) => line.tax,
      'VATMATRAH float, LINENET float': ({ line }) => line.net,
      ...bare('LINEEXP varchar(251)'),
      'UOMREF int': ({ line }) => unitOf(line.good.unit).ref,
      'USREF int': ({ line }) => unitOf(line.good.unit).set,
      'CLOSED smallint': 1,
      'CANCELLED smallint': 0,
      'DUEDATE datetime': ({ one }) => midnight(one.shipped),
      'TRCURR smallint': ({ one }) => one.currency,
      'TRRATE float': ({ one }) => one.exchange,
    },
  ),
};

const cards: Readonly<Record<string, LayoutTable>> = {
  LG_001_PAYPLANS: tableOf(plans, {
    '*LOGICALREF int': ({ ref }) => ref,
    'CODE varchar(17)': ({ code }) => code,
    'DEFINITION_ varchar(51)': ({ name }) => name,
    ...bare('SPECODE varchar(11), CYPHCODE varchar(11)'),
    ...plain('EARLYINTRATE float, LATELYINTRATE float'),
    ...site,
    'ACTIVE smallint': 0,
  }),
  LG_001_SHIPINFO: tableOf(
    [
      { ref: 1, client: 11, name: 'Sahil Otel Belek', street: 'İskele Mevkii', city: 'ANTALYA' },
      { ref: 2, client: 17, name: 'Depo 2', street: 'Şekerpınar Yolu No:8', city: 'KOCAELİ' },
    ],
    {
      '*LOGICALREF int': ({ ref }) => ref,
      'CLIENTREF int': ({ client }) => client,
      'CODE varchar(17)': ({ ref }) => `SVK${ref}`,
      'NAME varchar(51)': ({ name }) => name,
      ...bare('SPECODE varchar(11), CYPHCODE varchar(11)'),
      'ADDR1 varchar(201)': ({ street }) => street,
      ...bare('ADDR2 varchar(201)'),
      'CITY varchar(21)': ({ city }) => city,
      'COUNTRY varchar(21)': 'TÜRKİYE',
      ...bare('POSTCODE varchar(11), TELNRS1 varchar(51), FAXNR varchar(51)'),
      ...site,
    },
  ),
  LG_SLSMAN: tableOf(['Gökhan Er', 'Aylin Şen'], {
    '*LOGICALREF int': (_name, index) => index + 1,
    'ACTIVE smallint': 0,
    'CARDTYPE smallint': 1,
    'CODE varchar(17)': (_name, index) => `PLS${index + 1}`,
    'DEFINITION_ varchar(51)': (name) => name,
    'FIRMNR smallint': 1,
    ...bare('SPECODE varchar(11), EMAILADDR varchar(251), TELNUMBER varchar(51)'),
  }),
};

const rates = sales.filter(({ currency }) => currency !== 0);
const countries = texts(`
TR;TÜRKİYE;792
DE;ALMANYA;276
GE;GÜRCİSTAN;268
AT;AVUSTURYA;040
`).map(([code = '', name = '', digits = '']) => ({ code, name, digits }));
const firms = [
  {
    nr: 1,
    name: 'HİTAL OTEL MALZEMELERİ',
    title: 'Hital Otel Malzemeleri Sanayi ve Ticaret A.Ş.',
    street: 'Çobançeşme Mah. Sanayi Cad.',
    taxNumber: '4630118872',
    mersis: '0463011887200014',
    mail: 'efatura@hital.example',
  },
  {
    nr: 2,
    name: 'HİTAL TEST',
    title: 'Hital Deneme Firması',
    street: '',
    taxNumber: '',
    mersis: '',
    mail: '',
  },
];
const systems: Readonly<Record<string, LayoutTable>> = {
  L_CAPIFIRM: tableOf(firms, {
    '*LOGICALREF int': ({ nr }) => nr,
    'NR smallint': ({ nr }) => nr,
    'NAME varchar(51)': ({ name }) => name,
    'TITLE varchar(201)': ({ title }) => title,
    'STREET varchar(51)': ({ street }) => street,
    ...bare('ROAD varchar(51)'),
    'DOORNR varchar(21)': ({ nr }) => (nr === 1 ? 'No:60' : ''),
    'DISTRICT varchar(31)': ({ nr }) => (nr === 1 ? 'Yenibosna' : ''),
    'CITY varchar(31)': 'İSTANBUL',
    'COUNTRY varchar(31)': 'TÜRKİYE',
    'ZIPCODE varchar(17)': ({ nr }) => (nr === 1 ? '34197' : ''),
    'PHONE1 varchar(51)': ({ nr }) => (nr === 1 ? '0212 603 18 40' : ''),
    ...bare('PHONE2 varchar(51), FAX varchar(51)'),
    'TAXOFF varchar(31)': ({ nr }) => (nr === 1 ? 'Yenibosna' : ''),
    'TAXNR varchar(16)': ({ taxNumber }) => taxNumber,
    ...bare('SECURNR varchar(31), DIRECT varchar(31), CPANAME varchar(51), CPASTREET varchar(31)'),
    ...bare('CPAROAD varchar(31), CPADOORNR varchar(11), CPADISTRICT varchar(31)'),
    ...bare('CPACITY varchar(21), CPAPHONE varchar(16), CPATAXOFF varchar(31)'),
    ...bare('CPATAXNR varchar(16), CPACHAMBNR varchar(31)'),
    'BEGMON smallint, BEGDAY smallint': 1,
    ...plain('USEREXT smallint'),
    'PERNR smallint': 1,
    ...plain('COUNTOFLEG smallint, CTABLE smallint, WORKDAYFLGS1 smallint'),
    ...plain('WORKDAYFLGS2 smallint, WORKDAYFLGS3 smallint, WORKDAYFLGS4 smallint'),
    ...plain('WORKDAYFLGS5 smallint, WORKDAYFLGS6 smallint'),
    'WORKDAYFLGS7 smallint': 1,
    'LOCALCTYP smallint': 160,
    'FIRMREPCURR smallint': 1,
    'SEPEXCHTABLE smallint, VATROUNDMTD smallint': 0,
    ...bare('FIRMEUVATNUMBER varchar(31)'),
    'MAJVERSNR smallint': 2,
    'MINVERSNR smallint': 78,
    'RELVERSNR smallint': 0,
    ...plain('SITEID smallint'),
    ...bare('ORGCHART varchar(51)'),
    ...plain('LOCALCALDR smallint'),
    'FIRMLANG smallint': 1,
    ...bare('TAXOFFCODE varchar(13)'),
    'CNTRYCODE varchar(13)': 'TR',
    ...plain('LONGPERIODS smallint'),
    ...bare('LOGOID varchar(25)'),
    'EMAILADDR varchar(251)': ({ mail }) => mail,
    'WEBADDR varchar(101)': '',
    'MODDATE datetime': midnight('2026-01-02'),
    'MODTIME int': clock(8, 12, 0),
    'TRADEREGISNO varchar(51)': ({ nr }) => (nr === 1 ? '418830-5' : ''),
    'ACCEPTEINV smallint': 1,
    'EINVOICEID varchar(101)': ({ nr }) => (nr === 1 ? 'urn:mail:defaultgb@hital.example' : ''),
    'PROFILEID smallint': 2,
    'NACECODE varchar(25)': ({ nr }) => (nr === 1 ? '46.44.01' : ''),
    'MERSISNO varchar(31)': ({ mersis }) => mersis,
    'OFFICALTITLE varchar(201)': ({ title }) => title,
  }),
  L_CAPIPERIOD: tableOf(firms, {
    '*LOGICALREF int': ({ nr }) => nr,
    'NR smallint': 1,
    'FIRMNR smallint': ({ nr }) => nr,
    'BEGDATE datetime': midnight('2026-01-01'),
    'ENDDATE datetime': midnight('2026-12-31'),
    'ACTIVE smallint': 1,
    'PERLOCALCTYPE smallint': 160,
    'PERREPCURR smallint': 1,
  }),
  L_CAPIDIV: tableOf([1], {
    '*LOGICALREF int': 1,
    'FIRMNR smallint': 1,
    'NR smallint': 0,
    'NAME varchar(51)': 'Merkez',
    ...bare('STREET varchar(51), ROAD varchar(51), DOORNR varchar(21), DISTRICT varchar(31)'),
    ...bare('CITY varchar(31), COUNTRY varchar(31), ZIPCODE varchar(17), PHONE1 varchar(51)'),
    ...bare('TAXNR varchar(16)'),
  }),
  L_CAPIWHOUSE: tableOf(['Merkez depo', 'İade depo'], {
    '*LOGICALREF int': (_name, index) => index + 1,
    'FIRMNR smallint': 1,
    'NR smallint': (_name, index) => index,
    'NAME varchar(51)': (name) => name,
    'DIVISNR smallint, FACTNR smallint, COSTGRP smallint': 0,
  }),
  L_CAPIUSER: tableOf(['LOGO', 'MUHASEBE', 'FATURA'], {
    '*LOGICALREF int': (_name, index) => index + 1,
    'NR smallint': (_name, index) => index + 1,
    'NAME varchar(31)': (name) => name,
    'FIRMNR smallint': 1,
    'ACTIVE smallint': 1,
  }),
  L_CURRENCYLIST: tableOf(
    [
      [1, 'USD', 'Amerikan Doları', '$'],
      [17, 'GBP', 'İngiliz Sterlini', '£'],
      [20, 'EUR', 'Euro', '€'],
      [160, 'TL', 'Türk Lirası', '₺'],
    ] as const,
    {
      '*LOGICALREF int': (_row, index) => index + 1,
      'FIRMNR smallint': 1,
      'CURTYPE smallint': ([type]) => type,
      'CURCODE varchar(6)': ([, code]) => code,
      'CURNAME varchar(31)': ([, , name]) => name,
      'COEF smallint': 1,
      'SUBDIGITS smallint': 2,
      'SUBNAME varchar(31)': '',
      ...plain('DIVFLAG smallint, EMUCURR smallint, EURORATE float, SUBLIMIT smallint'),
      'CURSYMBOL varchar(6)': ([, , , symbol]) => symbol,
      ...plain('ROUNDMTD smallint, TRIEXCH smallint'),
      'CURINUSE smallint': 1,
      ...bare('GLOBALID varchar(51)'),
    },
  ),
  L_DAILYEXCHANGES: tableOf(rates, {
    '*LREF int': (_one, index) => index + 1,
    'DATE_ int': ({ date }) =>
      yearOf(date) * 65_536 + monthOf(date) * 256 + Number(date.slice(8, 10)),
    'CRTYPE smallint': ({ currency }) => currency,
    'RATES1 float': ({ exchange }) => cents(exchange - 0.04),
    'RATES2 float': ({ exchange }) => exchange,
    'RATES3 float': ({ exchange }) => cents(exchange - 0.09),
    'RATES4 float': ({ exchange }) => cents(exchange + 0.11),
    'EDATE datetime': ({ date }) => midnight(date),
    ...bare('GLOBALID varchar(51)'),
  }),
  L_COUNTRY: tableOf(countries, {
    '*LOGICALREF int': (_row, index) => index + 1,
    'CODE varchar(13)': ({ code }) => code,
    'NAME varchar(51)': ({ name }) => name,
    'COUNTRYNR smallint': (_row, index) => index + 1,
    ...bare('STATESTR varchar(51), NAME2 varchar(51)'),
    'EDICODE varchar(13)': ({ digits }) => digits,
  }),
};

/**
 * Logo Tiger at a wholesaler in Turkey: the numbers of the firm and of the year stand in the names of the tables; sales, returns,
 * purchases, services received and proformas are in one table, told apart by a code, and what is cancelled stays there; a
 * discount is a line of its own behind the goods, or at the end for all of them, and the line of goods has only its amount;
 * amounts and prices are in lira, also when the document is in another currency, in which there is its total only; lira is the
 * currency 0, that has no row among the currencies; the day due is in the payments. No foreign key is declared and texts are
 * empty rather than null. Names and codes after the vendor's description of the fields and database classes published on GitHub;
 * that the rate is 1 in lira, and the customer's order number stands as the number on paper, are assumptions.
 */
export const discountsAsLines: Layout = {
  name: 'discounts-as-lines',
  isHeldOut: false,
  hasDiscounts: true,
  tables: {
    ...cards,
    LG_001_CLCARD: clientTable,
    ...goods,
    LG_001_01_INVOICE: invoiceTable,
    LG_001_01_STLINE: lineTable,
    ...movements,
    ...systems,
  },
  sections: {
    header: {
      table: 'LG_001_01_INVOICE',
      key: 'LOGICALREF',
      match: 'FICHENO',
      where: { TRCODE: '8', CANCELLED: '0' },
    },
    lines: {
      table: 'LG_001_01_STLINE',
      key: 'LOGICALREF',
      match: 'INVOICEREF',
      matchFrom: 'LOGICALREF',
      where: { LINETYPE: '0' },
    },
    customer: {
      table: 'LG_001_CLCARD',
      key: 'LOGICALREF',
      match: 'LOGICALREF',
      matchFrom: 'CLIENTREF',
    },
  },
  // The percentage is in the line of the discount only; what is divided is lira by the rate; exports have no tax or discount.
  fields: {
    number: 'LG_001_01_INVOICE.FICHENO|LG_001_01_CLFLINE.TRANNO|LG_001_01_STFICHE.INVNO',
    issue_date:
      'LG_001_01_INVOICE.DATE_|LG_001_01_INVOICE.DOCDATE|LG_001_01_CLFLINE.DATE_|LG_001_01_CLFLINE.DOCDATE|' +
      'LG_001_01_PAYTRANS.PROCDATE',
    due_date: 'LG_001_01_PAYTRANS.DATE_|LG_001_01_PAYTRANS.DISCDUEDATE',
    'delivery.date':
      'LG_001_01_STFICHE.DATE_|LG_001_01_STFICHE.DOCDATE|LG_001_01_STLINE.DATE_|LG_001_01_ORFLINE.DUEDATE',
    currency:
      'LG_001_01_INVOICE.TRCURR!map|LG_001_01_STLINE.TRCURR!map|LG_001_01_STLINE.PRCURR!map|' +
      'LG_001_01_CLFLINE.TRCURR!map|LG_001_01_PAYTRANS.TRCURR!map|LG_001_01_STFICHE.TRCURR!map|LG_001_CLCARD.CCURRENCY!map',
    'exchange_rate.rate':
      'LG_001_01_INVOICE.TRRATE|LG_001_01_STLINE.TRRATE|LG_001_01_CLFLINE.TRRATE|LG_001_01_PAYTRANS.TRRATE|' +
      'LG_001_01_STFICHE.TRRATE',
    purchase_order:
      'LG_001_01_INVOICE.DOCODE|LG_001_01_CLFLINE.DOCODE|LG_001_01_STFICHE.DOCODE|LG_001_01_ORFICHE.CUSTORDNO|' +
      'LG_001_01_ORFICHE.DOCODE',
    buyer_reference:
      'LG_001_01_INVOICE.DOCODE|LG_001_01_CLFLINE.DOCODE|LG_001_01_STFICHE.DOCODE|LG_001_01_ORFICHE.CUSTORDNO|' +
      'LG_001_01_ORFICHE.DOCODE',
    'notes[]':
      'LG_001_01_INVOICE.GENEXP1|LG_001_01_INVOICE.GENEXP2|LG_001_01_CLFLINE.LINEEXP|LG_001_01_INVOICE.VATEXCEPTREASON',
    'payment_terms[].note':
      'LG_001_PAYPLANS.DEFINITION_|LG_001_PAYPLANS.CODE|LG_001_01_PAYTRANS.DAYS',
    'totals.lines':
      'LG_001_01_INVOICE.TOTALDISCOUNTED!divide|LG_001_01_STFICHE.TOTALDISCOUNTED!divide',
    'totals.net':
      'LG_001_01_INVOICE.TOTALDISCOUNTED!divide|LG_001_01_STFICHE.TOTALDISCOUNTED!divide',
    'totals.tax': 'LG_001_01_INVOICE.TOTALVAT|LG_001_01_STFICHE.TOTALVAT',
    'totals.gross':
      'LG_001_01_INVOICE.TRNET|LG_001_01_CLFLINE.TRNET|LG_001_01_PAYTRANS.TRNET|LG_001_01_STFICHE.TRNET|' +
      'LG_001_01_INVOICE.NETTOTAL!divide|LG_001_01_CLFLINE.AMOUNT!divide|LG_001_01_PAYTRANS.TOTAL!divide',
    'totals.due':
      'LG_001_01_INVOICE.TRNET|LG_001_01_CLFLINE.TRNET|LG_001_01_PAYTRANS.TRNET|LG_001_01_STFICHE.TRNET|' +
      'LG_001_01_INVOICE.NETTOTAL!divide|LG_001_01_CLFLINE.AMOUNT!divide|LG_001_01_PAYTRANS.TOTAL!divide',
    'accounting.totals.gross':
      'LG_001_01_INVOICE.NETTOTAL|LG_001_01_CLFLINE.AMOUNT|LG_001_01_PAYTRANS.TOTAL|LG_001_01_STFICHE.NETTOTAL',
    'accounting.totals.tax': 'LG_001_01_INVOICE.TOTALVAT|LG_001_01_STFICHE.TOTALVAT',
    'seller.name': 'L_CAPIFIRM.TITLE|L_CAPIFIRM.OFFICALTITLE|L_CAPIFIRM.NAME',
    'seller.trn': 'L_CAPIFIRM.TAXNR',
    'seller.tin': 'L_CAPIFIRM.TAXNR',
    'seller.registration_id': 'L_CAPIFIRM.TRADEREGISNO|L_CAPIFIRM.MERSISNO',
    'seller.address.line1': 'L_CAPIFIRM.STREET',
    'seller.address.city': 'L_CAPIFIRM.CITY',
    'seller.address.subdivision': 'L_CAPIFIRM.CITY',
    'seller.address.post_code': 'L_CAPIFIRM.ZIPCODE',
    'seller.address.country': 'L_CAPIFIRM.CNTRYCODE|L_CAPIFIRM.COUNTRY!map',
    'seller.contact.phone': 'L_CAPIFIRM.PHONE1',
    'seller.contact.email': 'L_CAPIFIRM.EMAILADDR',
    'seller.industry_code': 'L_CAPIFIRM.NACECODE',
    'buyer.name': 'LG_001_CLCARD.DEFINITION_',
    'buyer.trn': 'LG_001_CLCARD.TAXNR',
    'PINT-MY:buyer.identifiers[].id': 'LG_001_CLCARD.TAXNR',
    'buyer.address.line1': 'LG_001_CLCARD.ADDR1',
    'buyer.address.line2': 'LG_001_CLCARD.ADDR2',
    'buyer.address.city': 'LG_001_CLCARD.CITY',
    'buyer.address.subdivision': 'LG_001_CLCARD.CITYCODE|LG_001_CLCARD.CITY',
    'buyer.address.post_code': 'LG_001_CLCARD.POSTCODE',
    'buyer.address.country':
      'LG_001_CLCARD.COUNTRYCODE|LG_001_CLCARD.COUNTRY!map|L_COUNTRY.CODE|L_COUNTRY.NAME!map|L_COUNTRY.EDICODE!map',
    'buyer.contact.name': 'LG_001_CLCARD.INCHARGE',
    'buyer.contact.phone': 'LG_001_CLCARD.TELNRS1',
    'buyer.contact.email': 'LG_001_CLCARD.EMAILADDR',
    'lines[].id':
      'LG_001_01_STLINE.INVOICELNNO|LG_001_01_STLINE.STFICHELNNO|LG_001_01_STLINE.LOGICALREF|LG_001_01_STLINE.GUID',
    'lines[].sku': 'LG_001_ITEMS.CODE',
    'lines[].name': 'LG_001_ITEMS.NAME',
    'lines[].description': 'LG_001_ITEMS.NAME',
    'lines[].classifications[].code': 'LG_001_ITEMS.GTIPCODE',
    'lines[].qty': 'LG_001_01_STLINE.AMOUNT',
    'lines[].unit':
      'LG_001_UNITSETL.GLOBALCODE|LG_001_UNITSETL.CODE!map|LG_001_UNITSETL.NAME!map|LG_001_01_STLINE.UOMREF!map',
    'lines[].unit_price': 'LG_001_01_STLINE.PRICE!divide',
    'lines[].gross_price': 'LG_001_01_STLINE.PRICE!divide',
    'lines[].allowances[].amount': 'LG_001_01_STLINE.DISTDISC',
    'lines[].net': 'LG_001_01_STLINE.LINENET!divide|LG_001_01_STLINE.VATMATRAH!divide',
    'lines[].accounting.tax_totals[].amount': 'LG_001_01_STLINE.VATAMNT',
    'lines[].tax.rate': 'LG_001_01_STLINE.VAT',
    'lines[].tax.category': 'LG_001_01_STLINE.VAT!map|LG_001_01_STLINE.VATEXCEPTCODE!map',
  },
};
