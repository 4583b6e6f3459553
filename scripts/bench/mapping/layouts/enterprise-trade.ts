/** Whom a firm sells to; what nobody has asked for is missing. */
export interface Buyer {
  readonly id: number;
  readonly name: string;
  readonly taxNumber: string | null;
  /** In the register of firms. */
  readonly register: string | null;
  readonly street: string;
  readonly street2: string | null;
  readonly city: string;
  readonly zip: string | null;
  /** State, emirate or province. */
  readonly region: string | null;
  readonly country: string;
  readonly phone: string | null;
  readonly email: string | null;
  readonly first: string;
  readonly last: string;
  readonly currency: string;
  readonly isHome: boolean;
}

type RateClass = 'standard' | 'middle' | 'reduced' | 'zero';

export interface Good {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  readonly text: string;
  readonly unit: 'piece' | 'hour' | 'metre' | 'kilogram' | 'box' | 'litre';
  readonly isService: boolean;
  /** Without tax, in the firm's currency. */
  readonly price: number;
  readonly cost: number;
  readonly rateClass: RateClass;
}

export interface SoldLine {
  readonly id: number;
  readonly position: number;
  readonly good: Good;
  readonly quantity: number;
  /** Before discount, without tax. */
  readonly price: number;
  /** Percent. */
  readonly discount: number;
  readonly net: number;
  /** Percent. */
  readonly rate: number;
  readonly tax: number;
}

export interface SalesDocument {
  readonly id: number;
  /** Counts invoices and credit notes each for itself. */
  readonly serial: number;
  readonly kind: 'invoice' | 'credit';
  readonly state: 'draft' | 'done' | 'cancelled';
  readonly isPaid: boolean;
  readonly buyer: Buyer;
  readonly date: string;
  readonly days: number;
  readonly due: string;
  readonly delivered: string;
  readonly currency: string;
  /** What one of the document's currency is worth in the firm's. */
  readonly exchange: number;
  readonly order: string | null;
  readonly note: string | null;
  readonly lines: readonly SoldLine[];
  readonly net: number;
  readonly tax: number;
  readonly gross: number;
}

/** Where the firm is, and what it reckons with. */
export interface TradeSettings {
  readonly home: 'AE' | 'MY' | 'BE' | 'DE';
  readonly seed: number;
  readonly documents: number;
  readonly currency: string;
  /** What one of each is worth in the firm's currency. */
  readonly exchanges: Readonly<Record<string, number>>;
  /** Percent; what goes abroad has none. */
  readonly rates: Readonly<Record<RateClass, number>>;
  /** Whether tax is rounded for each line, or for all of a rate. */
  readonly taxOf: 'line' | 'rate';
}

/** Half a cent goes up, away from zero. */
export const cents = (value: number) =>
  (Math.sign(value) * Math.round(Number((Math.abs(value) * 100).toFixed(6)))) / 100;
export const total = (values: readonly number[]) =>
  cents(values.reduce((sum, value) => sum + value, 0));

/** Name; street; second line; city; code; region; phone; first and last name; tax number; register. */
const buyers: Readonly<Record<TradeSettings['home'] | 'others', string>> = {
  AE: `Al Noor Marine Services LLC;Warehouse 14, Al Quoz 3;P.O. Box 44912;Dubai;;DXB;+971 4 338 2210;Faisal Rahman;100283746500003;CN-1183726
Jebel Ali Fabrication FZE;Plot S60412;Gate 5;Dubai;;DXB;+971 4 881 7730;Priya Nair;100394857200003;JAFZA-20918
Khalifa Contracting Est.;Hamdan Street 118;;Abu Dhabi;;AUH;+971 2 676 1190;Khalid Al Mansoori;100182736400003;CN-2209114
Corniche Hospitality Group;Tower B, Floor 19;Corniche Road;Abu Dhabi;;AUH;;Yasmin Haddad;100475869300003;CN-1002938
Sharjah Cold Stores LLC;Industrial Area 6;P.O. Box 3310;Sharjah;;SHJ;+971 6 534 8821;Biju Thomas;100586970400003;
Ajman Glass Works LLC;Al Jurf 2;;Ajman;;AJM;+971 6 748 0012;Omar Saleh;100697081500003;CN-77120
RAK Ceramics Trading;Al Hamra Industrial Zone;Unit 7;Ras Al Khaimah;;RAK;+971 7 244 5510;Lina Farah;100708192600003;RAK-55810
Fujairah Bunkering Co;Port Road;;Fujairah;;FUJ;+971 9 222 8841;Hassan Karimi;;FJ-30021
Desert Rose Interiors;Showroom 3, Sheikh Zayed Road;;Dubai;;DXB;+971 50 774 1209;Mariam Youssef;;
Falcon Aviation Catering;Dubai South, Block C;P.O. Box 90021;Dubai;;DXB;+971 4 870 3344;Sunil Menon;100819203700003;DS-4411`,
  MY: `Syarikat Maju Jaya Sdn Bhd;12 Jalan Perindustrian 4;Taman Perindustrian Puchong;Puchong;47100;SGR;+60 3-8060 1122;Ahmad Faizal;C20983746510;200301018273
Tan & Lim Engineering Sdn Bhd;Lot 88, Jalan Kilang Lama;;Kulim;09000;KDH;+60 4-490 3321;Lim Wei Han;C19872635410;199801009182
Penang Precision Parts Sdn Bhd;Plot 21, Bayan Lepas FTZ;Phase 3;Bayan Lepas;11900;PNG;+60 4-641 7788;Goh Siew Ling;C24567812090;200901034455
Johor Palm Mills Berhad;Batu 9, Jalan Kota Tinggi;;Johor Bahru;81800;JHR;+60 7-861 2040;Rajesh Kumar;C11122233440;198501004321
Kedai Elektrik Bersatu;7 Jalan Sultan;;Kuala Terengganu;20000;TRG;;Nurul Aini;IG4455667788;
Borneo Timber Exports Sdn Bhd;Mile 5, Jalan Utara;P.O. Box 1120;Sandakan;90000;SBH;+60 89-273 410;Jackson Voon;C30011223340;201201007766
Sarawak Hydro Services Sdn Bhd;Lot 301, Jalan Tun Jugah;;Kuching;93350;SWK;+60 82-366 900;Dayang Fatimah;C28877665540;201601012345
Restoran Selera Kampung;22 Lorong Haji Taib;;Kuala Lumpur;50350;KUL;+60 12-338 9921;Zainab Yusof;;
Melaka Port Logistics Sdn Bhd;Jalan Pelabuhan 1;;Melaka;75250;MLK;+60 6-282 7712;Chong Kah Wai;C25544332210;201001028811
Universiti Teknologi Perak;Persiaran Ilmu 1;;Ipoh;31750;PRK;+60 5-368 8000;Dr Halim Osman;G10020030040;`,
  BE: `Brouwerij De Zwaan NV;Stationsstraat 41;;Leuven;3000;VBR;+32 16 22 41 70;Pieter Claes;BE0412345678;0412345678
Ateliers Lambert SPRL;Rue du Moulin 12;Zoning Industriel;Liège;4000;LIE;+32 4 223 18 90;Élodie Lambert;BE0478901267;0478901267
Van den Bossche Transport BV;Havenlaan 86C;bus 204;Brussel;1000;BRU;+32 2 421 55 00;Luc Van den Bossche;BE0834567801;0834567801
Gemeente Oostkamp;Kapellestraat 19;;Oostkamp;8020;WVL;+32 50 81 98 80;Katrien Desmet;;0207494678
Chocolaterie Vandaele;Grote Markt 3;;Ieper;8900;WVL;;Sofie Vandaele;BE0654321789;0654321789
Pharma Wallonie SA;Avenue Einstein 2;;Wavre;1300;WBR;+32 10 48 70 10;Jérôme Dubois;BE0456789012;0456789012
Bouwbedrijf Maes & Zonen;Industrieweg 7;;Mechelen;2800;ANT;+32 15 20 31 44;Jan Maes;BE0445566778;0445566778
Imprimerie Noël SCRL;Rue Haute 55;;Namur;5000;NAM;+32 81 22 10 04;Benoît Noël;BE0498877665;0498877665
Zorgcentrum Sint-Anna VZW;Kloosterstraat 9;;Hasselt;3500;LIM;+32 11 26 77 31;Ann Peeters;;0409988776
Garage Hendrickx;Steenweg 210;;Genk;3600;LIM;+32 89 35 12 60;Tom Hendrickx;BE0711223344;0711223344`,
  DE: `Müller & Söhne Maschinenbau GmbH;Industriestraße 27;Halle 4;Stuttgart;70565;BW;+49 711 78412-0;Jürgen Müller;DE811234567;HRB 21774
Bäckerei Grünwald KG;Marktplatz 2;;Würzburg;97070;BY;+49 931 35520;Sabine Grünwald;DE134998877;HRA 6120
Nordlicht Windkraft AG;Am Sandtorkai 50;;Hamburg;20457;HH;+49 40 3070 880;Dr. Torsten Petersen;DE219887766;HRB 99120
Stadtwerke Görlitz;Demianiplatz 23;;Görlitz;02826;SN;+49 3581 33500;Heike Schulze;DE140331122;
Weingut Schäfer;Rheinallee 11;;Rüdesheim;65385;HE;;Klaus Schäfer;;
Elektro Yıldız e.K.;Sonnenallee 104;Hinterhaus;Berlin;12045;BE;+49 30 6830 4411;Emre Yıldız;DE301122334;HRA 50118
Klinikum Niederrhein gGmbH;Krankenhausweg 1;;Wesel;46483;NW;+49 281 104-0;Birgit Weßling;DE120099881;HRB 8812
Autohaus Krüger GmbH & Co. KG;Berliner Ring 300;;Wolfsburg;38440;NI;+49 5361 8950;Stefan Krüger;DE116677554;HRA 100233
Fischfeinkost Hansen;Fischkai 8;;Bremerhaven;27572;HB;+49 471 73120;Inga Hansen;DE114455667;
Chemie Leuna Service GmbH;Am Haupttor 5;Bau 4310;Leuna;06237;ST;+49 3461 4360;Ronny Kästner;DE233445566;HRB 15509`,
  others: `Hansen Marine ApS;Kajgade 4;;Aarhus;8000;;+45 86 12 33 10;Mette Hansen;DK29887766;DK;EUR
Jaipur Textiles Pvt Ltd;Sector 5, Vidhyadhar Nagar;;Jaipur;302039;RJ;+91 141 233 0099;Anil Sharma;08AABCJ1234K1Z5;IN;USD
Lone Star Pumps Inc.;2100 Harbor Blvd;Suite 300;Houston;77011;TX;+1 713 555 0147;Dana Whitfield;;US;USD
Osaka Seiki Co., Ltd.;2-4-9 Nishi-ku;;Osaka;550-0004;;+81 6 6531 2200;Kenji Tanaka;;JP;USD
Société Azur Énergie;14 avenue du Port;;Marseille;13002;;+33 4 91 00 21 21;Chloé Martin;FR40303265045;FR;EUR
Al Jazeera Trading WLL;Salwa Road 77;P.O. Box 2205;Doha;;;+974 4465 1020;Nasser Al Thani;;QA;USD
Cape Agri (Pty) Ltd;18 Voortrekker Rd;;Cape Town;7441;WC;;Johan Botha;4120198765;ZA;USD
Singapore Offshore Pte Ltd;3 Tuas South Ave 9;#02-11;Singapore;637020;;+65 6861 3390;Tan Mei Fen;201412345K;SG;USD
Tallér Béla Kft.;Fő utca 17;;Győr;9021;;+36 96 311 402;Béla Tallér;HU12345676;HU;EUR
Nilo Comércio Lda;Rua do Ouro 90;;Lisboa;1100-063;;+351 21 342 0099;Rui Nilo;PT501964843;PT;EUR`,
};

/** Code; name; more of it; unit; price in euros; rate; a letter for services. */
const goods = `PMP-1100;Centrifugal pump 1.1 kW;Cast iron, three phases, flange DN 50;piece;412.5;standard
PMP-2200;Centrifugal pump 2.2 kW;Stainless steel, three phases;piece;688;standard
VLV-025;Ball valve DN 25;Brass, with lever;piece;18.9;standard
VLV-050;Ball valve DN 50;Brass, with lever;piece;46.35;standard
HOS-PVC;Suction hose 2";Reinforced, sold by the metre;metre;7.8;standard
CAB-3X2;Cable 3 x 2.5;Copper, halogen free;metre;1.95;standard
GSK-KIT;Gasket kit;For pumps of the series PMP;box;24.75;standard
OIL-H46;Hydraulic oil H46;Barrel, price of a litre;litre;3.42;standard
LUB-GRS;Bearing grease;Lithium;kilogram;11.6;standard
FLT-10M;Filter element 10 µm;Pack of six;box;57.2;standard
SNS-PT1;Pressure sensor 0-10 bar;4 to 20 mA;piece;129;standard
PLC-S12;Control unit S12;With display;piece;845;standard
BRK-16A;Circuit breaker 16 A;Type C;piece;9.45;standard
LED-PNL;LED panel 60 x 60;4000 K;piece;38.2;standard
SRV-INS;Installation on site;Hours of a fitter;hour;72;middle;S
SRV-ENG;Engineering;Hours of an engineer;hour;110;middle;S
SRV-CAL;Calibration;With certificate;piece;95;middle;S
FRT-STD;Freight;To the door;piece;45;standard;S
WTR-19L;Drinking water 19 l;Bottle to return;piece;4.1;reduced
COF-1KG;Coffee beans;Roasted;kilogram;16.8;reduced
RCE-BAS;Basmati rice;Sack of 20 kg;box;31.5;reduced
BOK-MAN;Service manual;Printed;piece;22;reduced
MED-KIT;First aid kit;After DIN 13157;box;34.9;zero
TRN-SAF;Safety training;For a day, up to ten people;piece;640;zero;S`;

const goodsOf = (worth: number): readonly Good[] =>
  goods.split('\n').map((row, index) => {
    const [code = '', name = '', text = '', unit = '', price = '', rateClass = '', service] =
      row.split(';');
    const own = cents(Number(price) * worth);
    return {
      id: index + 1,
      code,
      name,
      text,
      unit: unit as Good['unit'],
      isService: service === 'S',
      price: own,
      cost: cents(own * 0.62),
      rateClass: rateClass as RateClass,
    };
  });

function buyersOf({ home, currency }: TradeSettings): readonly Buyer[] {
  const rows = (of: keyof typeof buyers) => buyers[of].split('\n').map((row) => row.split(';'));
  const neighbours = (['AE', 'MY', 'BE', 'DE'] as const).filter((each) => each !== home);
  const all = [
    ...rows(home).map((cells) => ({ cells, country: home as string, pays: currency })),
    ...neighbours.flatMap((each) =>
      rows(each)
        .slice(0, 3)
        .map((cells) => ({ cells, country: each as string, pays: paidIn(each) })),
    ),
    ...rows('others').map((cells) => ({ cells, country: cells[9]!, pays: cells[10]! })),
  ];
  return all.map(({ cells, country, pays }, index) => {
    const [name = '', street = '', street2, city = '', zip, region, phone, person = ''] = cells;
    const [first = '', ...last] = person.split(' ');
    const [domain = ''] = name.toLowerCase().split(/[^a-z]+/);
    return {
      id: index + 1,
      name,
      taxNumber: cells[8] || null,
      register: cells.length === 10 ? cells[9] || null : null,
      street,
      street2: street2 || null,
      city,
      zip: zip || null,
      region: region || null,
      country,
      phone: phone || null,
      email: index % 6 === 4 ? null : `office@${domain || 'firm'}${index + 1}.example`,
      first,
      last: last.join(' '),
      currency: pays,
      isHome: country === home,
    };
  });
}

const paidIn = (country: 'AE' | 'MY' | 'BE' | 'DE') =>
  country === 'BE' || country === 'DE' ? 'EUR' : 'USD';

/** Numbers from 0 to below 1, the same at each run. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

const notes = [
  'Please quote the number of this document when paying.',
  'Delivered in two parts.',
  'As agreed by telephone.',
  'Replacement under warranty excluded.',
];
const day = (since: number) => new Date(Date.UTC(2026, 0, 5 + since)).toISOString().slice(0, 10);

/** The sales of a firm: invoices and credit notes, some of them drafts or cancelled. */
export function tradeOf(settings: TradeSettings) {
  const next = numbersFrom(settings.seed);
  const pick = <T>(from: readonly T[]) => from[Math.floor(next() * from.length)]!;
  const sold = goodsOf(settings.home === 'AE' ? 4.2 : settings.home === 'MY' ? 4.6 : 1);
  const known = buyersOf(settings);
  const homely = known.filter(({ isHome }) => isHome);
  const serials = { invoice: 0, credit: 0 };
  const ids = { line: 0 };

  const lineOf = (position: number, buyer: Buyer, exchange: number): SoldLine => {
    const good = pick(sold);
    const isWhole = good.unit === 'piece' || good.unit === 'box';
    const quantity = isWhole ? 1 + Math.floor(next() * 24) : Math.ceil(next() * 80) / 4;
    const price = cents((good.price * (0.9 + Math.floor(next() * 5) / 20)) / exchange);
    const discount = next() < 0.7 ? 0 : pick([2.5, 5, 10, 15]);
    const net = cents(quantity * price * (1 - discount / 100));
    const rate = buyer.isHome ? settings.rates[good.rateClass] : 0;
    const tax = cents((net * rate) / 100);
    ids.line += 1;
    return { id: ids.line, position, good, quantity, price, discount, net, rate, tax };
  };

  const documentAt = (index: number): SalesDocument => {
    const kind = index % 10 === 7 ? 'credit' : 'invoice';
    const state = index % 17 === 11 ? 'draft' : index % 19 === 13 ? 'cancelled' : 'done';
    const buyer = next() < 0.72 ? pick(homely) : pick(known);
    const { currency } = buyer;
    const exchange = currency === settings.currency ? 1 : settings.exchanges[currency]!;
    const lines = Array.from({ length: 1 + Math.floor(next() * 5) }, (_, position) =>
      lineOf(position + 1, buyer, exchange),
    );
    const days = pick([0, 14, 30, 30, 60]);
    const begun = Math.floor(index * 1.6);
    const net = total(lines.map((line) => line.net));
    const tax = taxOf(settings, lines);
    serials[kind] += 1;
    return {
      id: index + 1,
      serial: serials[kind],
      kind,
      state,
      isPaid: state === 'done' && next() < 0.4,
      buyer,
      date: day(begun),
      days,
      due: day(begun + days),
      delivered: day(begun - Math.floor(next() * 4)),
      currency,
      exchange,
      order: next() < 0.55 ? `PO-${4100 + index * 3}` : null,
      note: next() < 0.2 ? pick(notes) : null,
      lines,
      net,
      tax,
      gross: cents(net + tax),
    };
  };

  const documents = Array.from({ length: settings.documents }, (_, index) => documentAt(index));
  return { documents, buyers: known, goods: sold };
}

function taxOf({ taxOf: by }: TradeSettings, lines: readonly SoldLine[]): number {
  return by === 'line'
    ? total(lines.map(({ tax }) => tax))
    : total(ratesOf(lines).map(({ tax }) => tax));
}

/** Base and tax of each rate that a document has. */
export function ratesOf(lines: readonly SoldLine[]) {
  const rates = [...new Set(lines.map(({ rate }) => rate))].sort((one, other) => other - one);
  return rates.map((rate) => {
    const base = total(lines.filter((line) => line.rate === rate).map(({ net }) => net));
    return { rate, base, tax: cents((base * rate) / 100) };
  });
}

/** A row for each line of the documents, with its document. */
export function linesOf(documents: readonly SalesDocument[]) {
  return documents.flatMap((one) => one.lines.map((line) => ({ one, line })));
}

/** Countries of the trade: two letters, three, digits, name. */
export const countries = `AE;ARE;784;United Arab Emirates
MY;MYS;458;Malaysia
BE;BEL;056;Belgium
DE;DEU;276;Germany
DK;DNK;208;Denmark
IN;IND;356;India
US;USA;840;United States
JP;JPN;392;Japan
FR;FRA;250;France
QA;QAT;634;Qatar
ZA;ZAF;710;South Africa
SG;SGP;702;Singapore
HU;HUN;348;Hungary
PT;PRT;620;Portugal
GB;GBR;826;United Kingdom
CN;CHN;156;China`
  .split('\n')
  .map((row, index) => {
    const [two = '', three = '', digits = '', name = ''] = row.split(';');
    return { id: index + 1, two, three, digits, name };
  });

export const countryOf = (two: string) => countries.find((each) => each.two === two)!;
