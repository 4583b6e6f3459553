import { cents, total } from './enterprise-trade.ts';
import type { Layout, LayoutTable } from './layout.ts';
import { midnight, tableOf } from './tables.ts';

const blank = ' ';
/** Keys of digits have zeros before them. */
const padded = (digits: number | string) => String(digits).padStart(15, '0');
const daysAfter = (date: string, days: number) =>
  new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);

interface Customer {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  readonly short: string;
  readonly street: string;
  readonly park: string;
  readonly city: string;
  readonly zip: string;
  readonly state: string;
  readonly country: string;
  readonly nationality: string;
  readonly phone: string;
  readonly contact: string;
  readonly email: string;
  readonly taxNumber: string;
  readonly terms: string;
  readonly area: string;
}
const customers: readonly Customer[] =
  `1042;Kinta Valley Rubber Works Sdn Bhd;KINTARUBBER;Lot 7, Jalan Perusahaan 3;Kawasan Perusahaan Menglembu;Ipoh;31450;Perak;Malaysia;MYS;05-281 4470;Rosnah Idris;accounts@kintarubber.example;C21893347080;30;NTH
1055;Selayang Hydraulics Enterprise;SELAYANG;12 Jalan Industri 1/4;;Batu Caves;68100;Selangor;Malaysia;MYS;03-6187 2290;Wong Kok Leong;;C20411873090;30;CEN
1061;Perwira Marine Engineering Sdn Bhd;PERWIRA;Jeti 4, Jalan Pelabuhan;Pangkalan TLDM;Lumut;32100;Perak;Malaysia;MYS;05-683 7101;Captain Hanif Rashid;workshop@perwira.example;C24790112040;60;NTH
1077;Tanjung Agro Mills Berhad;TANJUNGAGRO;Batu 4, Jalan Gebeng;Kawasan Industri Gebeng;Kuantan;26080;Pahang;Malaysia;MYS;09-583 9955;Noraini Salleh;ap@tanjungagro.example;C11208845020;60;EST
1083;Lim Brothers Hardware;LIMBROS;88 Lebuh Pantai;;George Town;10300;Pulau Pinang;Malaysia;MYS;04-261 7733;Lim Chee Seng;;;00;NTH
1090;Straits Coupling Supplies Pte Ltd;STRAITS;18 Tuas View Close;#03-09;Singapore;637468;;Singapore;SGP;+65 6862 7715;Grace Tan;grace@straitscoupling.example;201734118K;30;EXP
1096;Jurong Process Valves Pte Ltd;JURONGPROC;41 Pioneer Sector 2;;Singapore;628393;;Singapore;SGP;+65 6265 0188;Desmond Koh;finance@jurongvalves.example;199808442M;30;EXP
1102;Temburong Oilfield Services Sdn Bhd;TEMBURONG;Unit 5, Spg 88 Jalan Kiulap;Kiulap Complex;Bandar Seri Begawan;BE1518;Brunei-Muara;Brunei;BRN;+673 223 8140;Awang Zulkifli;office@temburong.example;;00;EXP
1108;Dinding Palm Products Sdn Bhd;DINDING;Lot 1190, Jalan Kampung Koh;;Sitiawan;32000;Perak;Malaysia;MYS;05-691 2020;Siva Subramaniam;siva@dindingpalm.example;C23377019050;30;NTH`
    .split('\n')
    .map((row) => {
      const cells = row.split(';');
      const at = (place: number) => cells[place] ?? '';
      return {
        id: Number(at(0)),
        code: padded(at(0)),
        name: at(1),
        short: at(2),
        street: at(3),
        park: at(4) || blank,
        city: at(5),
        zip: at(6),
        state: at(7) || blank,
        country: at(8),
        nationality: at(9),
        phone: at(10),
        contact: at(11),
        email: at(12) || blank,
        taxNumber: at(13) || blank,
        terms: at(14),
        area: at(15),
      };
    });
const customerOf = (id: number) => customers.find((each) => each.id === id)!;

interface Item {
  readonly code: string;
  readonly name: string;
  readonly text: string;
  readonly unit: string;
  readonly taxCode: string;
  readonly price: number;
  readonly cost: number;
  readonly tariff: string;
  readonly group: string;
}
const items: readonly Item[] =
  `H-R2-13;Hydraulic hose R2 13 mm;Two braids of wire, 275 bar;M;S10;18.4;11.2;4009.22.90;HOSE
H-R2-25;Hydraulic hose R2 25 mm;Two braids of wire, 165 bar;M;S10;41.75;25.9;4009.22.90;HOSE
F-BSP-13;Hose fitting BSP 13 mm;Female, swaged, zinc plated;EA;S10;9.35;5.15;7307.92.10;FITT
F-JIC-08;Hose fitting JIC 8;Male, stainless steel;EA;S10;22.8;13.4;7307.22.90;FITT
C-CAM-50;Camlock coupling 50 mm;Type C, aluminium;EA;S10;36.9;21;7609.00.00;FITT
K-SEAL-70;Seal kit for 70 mm cylinder;Polyurethane, with wiper;SET;S05;128;74.5;4016.93.20;SEAL
V-BALL-20;Ball valve 20 mm;Brass, with lever;EA;S05;27.6;16.8;8481.80.63;VALV
L-AW-46;Hydraulic oil AW 46;In drums, price of a litre;L;S10;11.65;8.3;2710.19.44;LUBR
B-ASM-01;Hose assembly handbook;Printed, 212 pages;EA;EXM;45;17;4901.99.10;BOOK
P-GLV-09;Rubber gloves size 9;Pair, oil resistant;PR;EXM;6.9;3.2;4015.19.00;SAFE`
    .split('\n')
    .map((row) => {
      const [code = '', name = '', text = '', unit = '', taxCode = '', ...rest] = row.split(';');
      const [price = '', cost = '', tariff = '', group = ''] = rest;
      return {
        code,
        name,
        text,
        unit,
        taxCode,
        price: Number(price),
        cost: Number(cost),
        tariff,
        group,
      };
    });
/** In what is sold by more than one. */
const packs: Readonly<Record<string, string>> = { M: 'ROL', PR: 'CTN' };
const itemOf = (code: string) => items.find((each) => each.code === code)!;
const rates: Readonly<Record<string, number>> = { S10: 10, S05: 5, EXM: 0, EXP: 0 };

interface Line {
  readonly item: Item;
  readonly quantity: number;
  readonly price: number;
  readonly discount: number;
  readonly reduction: number;
  readonly net: number;
  readonly taxCode: string;
  readonly tax: number;
}
/** `item:quantity`, and where it is not the usual: `:discount:price`. */
function lineOf(text: string, customer: Customer): Line {
  const [code = '', many = '', less = '', special = ''] = text.split(':');
  const item = itemOf(code);
  const quantity = Number(many);
  const price = special === '' ? item.price : Number(special);
  const discount = Number(less);
  const reduction = cents((quantity * price * discount) / 100);
  const net = cents(cents(quantity * price) - reduction);
  const taxCode = customer.area === 'EXP' ? 'EXP' : item.taxCode;
  const tax = cents((net * rates[taxCode]!) / 100);
  return { item, quantity, price, discount, reduction, net, taxCode, tax };
}

type Kind = 'I' | 'C' | 'D';
/** Date; customer; kind; order; the customer's order; lines; place of delivery; what is credited. */
const sold = `2026-01-07;1042;I;7301;PO 26/0031;H-R2-13:40,F-BSP-13:80:5
2026-01-09;1055;I;7302;SH-1188;C-CAM-50:12
2026-01-14;1090;I;7303;SCS26-0107;H-R2-25:60:10,F-JIC-08:48,K-SEAL-70:4
2026-01-20;1061;I;7304;;V-BALL-20:16,L-AW-46:418,P-GLV-09:24;LUMUT
2026-01-22;1083;I;7305;;F-BSP-13:30,B-ASM-01:2
2026-01-28;1077;I;7306;TAM/4500281;K-SEAL-70:10:7.5,H-R2-13:120:0:17.25
2026-02-03;1042;I;7307;PO 26/0066;H-R2-25:25,C-CAM-50:6,B-ASM-01:1
2026-02-05;1042;C;7308;PO 26/0031;F-BSP-13:10:5;;1
2026-02-10;1096;I;7309;JPV-88140;V-BALL-20:100:12.5
2026-02-12;1108;I;7310;DPP 0219;L-AW-46:836:0:10.9,P-GLV-09:60
2026-02-19;1061;I;7311;PM-2026-12;H-R2-13:75,F-JIC-08:20:5,K-SEAL-70:2,P-GLV-09:12;LUMUT
2026-02-24;1102;I;7312;;C-CAM-50:40:5,B-ASM-01:3
2026-03-03;1055;I;7313;SH-1204;H-R2-13:33
2026-03-05;1077;I;7314;TAM/4500302;H-R2-25:80:7.5,F-BSP-13:64
2026-03-05;1090;D;7315;SCS26-0107;F-JIC-08:2;;3
2026-03-11;1077;I;7314;TAM/4500302;H-R2-25:40:7.5
2026-03-17;1083;I;7316;;V-BALL-20:4,P-GLV-09:10
2026-03-19;1096;C;7317;JPV-88140;V-BALL-20:8:12.5;;9
2026-03-24;1090;I;7318;SCS26-0131;H-R2-13:200:10,H-R2-25:30:10
2026-03-31;1108;I;7319;DPP 0244;K-SEAL-70:5,V-BALL-20:9,L-AW-46:209
2026-04-02;1042;I;7320;PO 26/0102;F-JIC-08:36:5,C-CAM-50:8
2026-04-08;1077;C;7321;TAM/4500302;F-BSP-13:4;;14
2026-04-14;1061;I;7322;PM-2026-19;H-R2-25:18,L-AW-46:627:2.5;DOCK2
2026-04-21;1055;I;7323;SH-1231;P-GLV-09:48,B-ASM-01:1`
  .split('\n')
  .map((row, index) => {
    const [date = '', buyer = '', kind = '', order = '', theirs = '', ...rest] = row.split(';');
    const [lines = '', place = '', credited = ''] = rest;
    const customer = customerOf(Number(buyer));
    return {
      index,
      date,
      customer,
      kind: kind as Kind,
      order: padded(order),
      theirs: theirs || blank,
      lines: lines.split(',').map((text) => lineOf(text, customer)),
      place: place || blank,
      credited: Number(credited),
    };
  });
const firstNumbers: Readonly<Record<Kind, number>> = { I: 105_201, C: 3307, D: 811 };
const numberOf = ({ kind, index }: { readonly kind: Kind; readonly index: number }) =>
  padded(
    firstNumbers[kind] + sold.slice(0, index).filter((earlier) => earlier.kind === kind).length,
  );

const documents = sold.map((one) => {
  const sign = one.kind === 'C' ? -1 : 1;
  const lines = one.lines.map((line, place) => ({
    ...line,
    place: place + 1,
    quantity: sign * line.quantity,
    reduction: sign * line.reduction,
    net: sign * line.net,
    tax: sign * line.tax,
    cost: cents(sign * line.quantity * line.item.cost),
  }));
  const net = total(lines.map((line) => line.net));
  const tax = total(lines.map((line) => line.tax));
  return {
    ...one,
    number: numberOf(one),
    lines,
    net,
    tax,
    gross: cents(net + tax),
    isPaid: one.index % 3 === 0,
    // Each run of invoices has a register of its own.
    register: 2210 + Math.floor(one.index / 3),
    inRegister: (one.index % 3) + 1,
    year: Number(one.date.slice(0, 4)),
    month: Number(one.date.slice(5, 7)),
  };
});
type Document = (typeof documents)[number];
const detail = documents.flatMap((one) => one.lines.map((line) => ({ one, line })));
const terms = [
  { code: '00', text: 'Cash on delivery', days: 0 },
  { code: '30', text: '30 days from invoice', days: 30 },
  { code: '60', text: '60 days from invoice', days: 60 },
];
const daysOf = ({ customer }: Document) => terms.find(({ code }) => code === customer.terms)!.days;

/** Orders: those of the documents, one of them delivered in two parts, and those without an invoice. */
interface Order {
  readonly order: string;
  readonly kind: string;
  readonly status: string;
  readonly date: string;
  readonly customer: Customer;
  readonly theirs: string;
  readonly place: string;
  readonly invoice: string;
  readonly invoiced: string | null;
  readonly lines: readonly Line[];
}
const invoiced: readonly Order[] = [...new Set(documents.map(({ order }) => order))].map(
  (order): Order => {
    const parts = documents.filter((one) => one.order === order);
    const last = parts.at(-1)!;
    const first = sold[parts[0]!.index]!;
    const later = parts.slice(1).flatMap(({ index }) => sold[index]!.lines);
    return {
      order,
      kind: last.kind === 'I' ? 'O' : last.kind,
      status: '9',
      date: daysAfter(first.date, last.kind === 'I' ? -4 : 0),
      customer: first.customer,
      theirs: first.theirs,
      place: first.place,
      invoice: last.number,
      invoiced: last.date,
      lines: first.lines.map((line) => {
        const more = later.filter(({ item }) => item === line.item);
        return {
          ...line,
          quantity: line.quantity + more.reduce((sum, { quantity }) => sum + quantity, 0),
        };
      }),
    };
  },
);
const uninvoiced: readonly Order[] = `7324;1;2026-04-20;1096;JPV-88201;V-BALL-20:60:12.5
7325;8;2026-04-22;1042;PO 26/0119;H-R2-13:90,F-BSP-13:120:5
7326;\\;2026-04-23;1083;;C-CAM-50:2
7327;S;2026-04-24;1102;;L-AW-46:209,K-SEAL-70:1`
  .split('\n')
  .map((row): Order => {
    const [order = '', status = '', date = '', buyer = '', theirs = '', lines = ''] =
      row.split(';');
    const customer = customerOf(Number(buyer));
    return {
      order: padded(order),
      kind: 'O',
      status,
      date,
      customer,
      theirs: theirs || blank,
      place: blank,
      invoice: blank,
      invoiced: null,
      lines: lines.split(',').map((text) => lineOf(text, customer)),
    };
  });
const orders = [...invoiced, ...uninvoiced];
const orderLines = orders.flatMap((order) =>
  order.lines.map((line, index) => ({ order, line, place: index + 1 })),
);
const placeInOrder = (one: Document, item: Item) =>
  orderLines.find(({ order, line }) => order.order === one.order && line.item === item)!.place;

const places = [
  { id: 1061, code: 'LUMUT', name: 'Perwira Marine, Lumut yard', street: 'Gate 2, Jalan Nakhoda' },
  { id: 1061, code: 'DOCK2', name: 'Perwira Marine, dry dock 2', street: 'Jalan Limbungan' },
  { id: 1077, code: 'MILL2', name: 'Tanjung Agro, mill 2', street: 'Batu 11, Jalan Gambang' },
];
const placeOf = ({ customer, place }: Order) =>
  places.find(({ id, code }) => id === customer.id && code === place);

const stamp = (index: number) => `0x${(180_000 + index).toString(16).padStart(16, '0')}`;
const currency = {
  'PostCurrency char(3)': 'MYR',
  'ConvRate decimal': 1,
  'MulDiv char(1)': 'M',
  'AccountCur char(3)': 'MYR',
  'AccConvRate decimal': 1,
  'AccMulDiv char(1)': 'M',
  'TriangCurrency char(3)': blank,
  'TriangRate decimal': 0,
  'TriangMulDiv char(1)': blank,
} as const;

const receivables: Readonly<Record<string, LayoutTable>> = {
  ArTrnSummary: tableOf(
    documents,
    {
      '*TrnYear decimal': ({ year }) => year,
      '*TrnMonth decimal': ({ month }) => month,
      '*Register decimal': ({ register }) => register,
      '*Invoice varchar(20)': ({ number }) => number,
      '*SummaryLine decimal': ({ inRegister }) => inRegister,
      'InvoiceDate datetime': ({ date }) => midnight(date),
      'Branch varchar(10)': '10',
      'Salesperson varchar(20)': ({ customer }) => (customer.area === 'EXP' ? '200' : '100'),
      'Customer varchar(15)': ({ customer }) => customer.code,
      'OrderType char(2)': ({ kind }) => (kind === 'I' ? 'SO' : 'CN'),
      'InterBranchTrf char(1)': 'N',
      'CustomerPoNumber varchar(30)': ({ theirs }) => theirs,
      'MerchandiseValue decimal': ({ net }) => net,
      'FreightValue decimal, OtherValue decimal': 0,
      'TaxValue decimal': ({ tax }) => tax,
      'ForeignMerchVal decimal': ({ net }) => net,
      'ForeignFreightVal decimal, ForeignOtherVal decimal': 0,
      'ForeignTaxVal decimal': ({ tax }) => tax,
      'ExchangeRate decimal': 1,
      'MulDiv char(1)': 'M',
      'Currency char(3)': 'MYR',
      'CommissionValue decimal': ({ net }) => cents(net * 0.015),
      'DiscValue decimal': ({ lines }) => total(lines.map(({ reduction }) => reduction)),
      'MerchandiseCost decimal': ({ lines }) => total(lines.map(({ cost }) => cost)),
      'Source char(1)': 'S',
      'DocumentType char(1)': ({ kind }) => kind,
      'TaxExemptNumber varchar(30)': ({ customer }) =>
        customer.area === 'EXP' ? `K2/${customer.id}` : blank,
      'TaxExemptOverride char(1)': 'N',
      'SettlementDisc decimal': 0,
      'ExemptValue decimal': ({ lines }) =>
        total(lines.filter(({ taxCode }) => rates[taxCode] === 0).map(({ net }) => net)),
      'CashCredit char(2)': 'CR',
      'TaxUpd char(1), InvoiceRegPrted char(1), CommissionsUpd char(1)': 'Y',
      'SalesOrder varchar(20)': ({ order }) => order,
      'OrdInvXrefPrted char(1), SalesTurnOPrted char(1)': 'N',
      'InvoiceCount decimal': ({ kind }) => (kind === 'I' ? 1 : 0),
      'Area varchar(10)': ({ customer }) => customer.area,
      'InterfaceFlag char(1)': 'Y',
      'TermsCode char(2)': ({ customer }) => customer.terms,
      'FstUpdated char(1)': 'N',
      'CreditedInvoice varchar(20)': ({ credited }) =>
        credited === 0 ? blank : documents[credited - 1]!.number,
      'GlobalTaxUpd char(1)': 'N',
      'SalesOrderJob varchar(20)': blank,
      'Operator varchar(20)': ({ index }) => (index % 4 === 1 ? 'FARID' : 'MEILING'),
      'DepositType char(1)': blank,
      'LastPrintedDel varchar(20)': ({ kind, index }) =>
        kind === 'I' ? padded(44_020 + index) : blank,
      'InProcessFlag char(1), SubAccount varchar(15)': blank,
      'UserField1 char(1), UserField2 char(1), UserField3 char(1)': blank,
      'EecInvoiceFlag char(1)': 'N',
      'Nationality char(3)': ({ customer }) => customer.nationality,
      'DispatchAccount varchar(35)': blank,
      'DisAnalysisEntry decimal, DispatchAmount decimal': 0,
      'WarehouseAccount varchar(35)': blank,
      'WhAnalysisEntry decimal, WarehouseAmount decimal': 0,
      'BranchSalesAccount varchar(35)': blank,
      'BrSalesAnaEntry decimal, BranchSalesAmount decimal': 0,
      'BranchCostAccount varchar(35)': blank,
      'BrCstAnalysisEntry decimal, BranchCostAmount decimal': 0,
      'TimeStamp timestamp': ({ index }) => stamp(index),
    },
    {
      Branch: 'SalBranch.Branch',
      Customer: 'ArCustomer.Customer',
      OrderType: 'TblSoTypes.OrderType',
      Currency: 'TblCurrency.Currency',
      SalesOrder: 'SorMaster.SalesOrder',
      Area: 'SalArea.Area',
      TermsCode: 'TblArTerms.TermsCode',
    },
  ),
  ArTrnDetail: tableOf(
    detail,
    {
      '*TrnYear decimal': ({ one }) => one.year,
      '*TrnMonth decimal': ({ one }) => one.month,
      '*Register decimal': ({ one }) => one.register,
      '*Invoice varchar(20)': ({ one }) => one.number,
      '*SummaryLine decimal': ({ one }) => one.inRegister,
      '*DetailLine decimal': ({ line }) => line.place,
      'InvoiceDate datetime': ({ one }) => midnight(one.date),
      'Branch varchar(10)': '10',
      'Salesperson varchar(20)': ({ one }) => (one.customer.area === 'EXP' ? '200' : '100'),
      'Customer varchar(15)': ({ one }) => one.customer.code,
      'OrderType char(2)': ({ one }) => (one.kind === 'I' ? 'SO' : 'CN'),
      'InterBranchTrf char(1)': 'N',
      'StockCode varchar(30)': ({ line }) => line.item.code,
      'Warehouse varchar(10)': 'FG',
      'Area varchar(10)': ({ one }) => one.customer.area,
      'ProductClass varchar(20)': ({ line }) => line.item.group,
      'TaxCode char(3)': ({ line }) => line.taxCode,
      'TaxStatus char(1)': 'N',
      'HistoryReqd char(1)': 'Y',
      'CustomerClass varchar(10)': ({ one }) => (one.customer.area === 'EXP' ? 'EXPORT' : 'TRADE'),
      'QtyInvoiced decimal': ({ line }) => line.quantity,
      'Mass decimal, Volume decimal': 0,
      'NetSalesValue decimal': ({ line }) => line.net,
      'TaxValue decimal': ({ line }) => line.tax,
      'CostValue decimal': ({ line }) => line.cost,
      'DiscValue decimal': ({ line }) => line.reduction,
      'LineType char(1)': '1',
      'PriceCode varchar(10)': 'A',
      'DocumentType char(1)': ({ one }) => one.kind,
      'ProductClassUpd char(1), GlDistrUpd char(1), SalespersonUpd char(1)': 'Y',
      'SalesGlIntReqd char(1), StockUpd char(1), InterfaceFlag char(1)': 'Y',
      'GlYear decimal': ({ one }) => one.year,
      'GlPeriod decimal': ({ one }) => one.month,
      'SalesTurnOPrted char(1)': 'N',
      'TaxCodeFst char(3)': blank,
      'TaxValueFst decimal': 0,
      'SalesOrder varchar(20)': ({ one }) => one.order,
      'ContractPrcNum varchar(20), Bin varchar(20)': blank,
      'LineInvoiceDisc decimal': 0,
      'UserField1 char(1), UserField2 char(1)': blank,
      'TaxableValue decimal': ({ line }) => (rates[line.taxCode] === 0 ? 0 : line.net),
      'CustomerPoNumber varchar(30)': ({ one }) => one.theirs,
      'AbcUpd char(1)': 'N',
      'BuyingGroup varchar(10)': blank,
      'PostValue decimal': ({ line }) => line.net,
      'PostCurrency char(3)': 'MYR',
      'PostConvRate decimal': 1,
      'PostMulDiv char(1)': 'M',
      'AccountCur char(3)': 'MYR',
      'AccountConvRate decimal': 1,
      'AccountMulDiv char(1)': 'M',
      'TriangCurrency char(3)': blank,
      'TriangConvRate decimal': 0,
      'TriangMulDiv char(1), Version char(5), Release char(5)': blank,
      'EecInvoiceFlag char(1)': 'N',
      'Nationality char(3)': ({ one }) => one.customer.nationality,
      'SalesOrderLine decimal': ({ one, line }) => placeInOrder(one, line.item),
      'TransactionGlCode varchar(35)': ({ line }) => `4000-${line.item.group}`,
      'DiscountGlCode varchar(35)': '4900',
      'CostGlCode varchar(35)': ({ line }) => `5000-${line.item.group}`,
      'GlIntUpdated char(1), GlIntPrinted char(1)': 'Y',
      'GlIntYear decimal': ({ one }) => one.year,
      'GlIntPeriod decimal': ({ one }) => one.month,
      'GlJournal decimal': ({ one }) => 9000 + one.register,
      'ControlType char(1)': blank,
      'TranAnalysisEntry decimal, DscAnalysisEntry decimal, CstAnalysisEntry decimal': 0,
      'WarehouseAccount varchar(35)': '1400',
      'WhAnalysisEntry decimal': 0,
      'WarehouseAmount decimal': ({ line }) => -line.cost,
      'TaxAccount varchar(35)': ({ line }) => (line.tax === 0 ? blank : '2300'),
      'TimeStamp timestamp': (_row, index) => stamp(400 + index),
    },
    {
      Branch: 'SalBranch.Branch',
      Customer: 'ArCustomer.Customer',
      OrderType: 'TblSoTypes.OrderType',
      StockCode: 'InvMaster.StockCode',
      Warehouse: 'InvWhControl.Warehouse',
      Area: 'SalArea.Area',
      TaxCode: 'AdmTax.TaxCode',
      SalesOrder: 'SorMaster.SalesOrder',
    },
  ),
  ArInvoice: tableOf(
    documents,
    {
      '*Customer varchar(15)': ({ customer }) => customer.code,
      '*Invoice varchar(20)': ({ number }) => number,
      '*DocumentType char(1)': ({ kind }) => kind,
      'NextPaymEntry decimal': ({ isPaid }) => (isPaid ? 2 : 1),
      'InvoiceDate datetime': ({ date }) => midnight(date),
      'TermsCode char(2)': ({ customer }) => customer.terms,
      'Branch varchar(10)': '10',
      'Salesperson varchar(20)': ({ customer }) => (customer.area === 'EXP' ? '200' : '100'),
      'InvoiceYear decimal': ({ year }) => year,
      'InvoiceMonth decimal': ({ month }) => month,
      'YearInvBalZero decimal': ({ isPaid, year }) => (isPaid ? year : 0),
      'MonthInvBalZero decimal': ({ isPaid, month }) => (isPaid ? month + 1 : 0),
      'InvoiceBal1 decimal': ({ isPaid, gross }) => (isPaid ? 0 : gross),
      'InvoiceBal2 decimal, InvoiceBal3 decimal': 0,
      'OrigDiscValue decimal': 0,
      'CustomerPoNumber varchar(30)': ({ theirs }) => theirs,
      'StoreNumber varchar(20)': blank,
      'SalesOrder varchar(20)': ({ order }) => order,
      'LastDelNote varchar(20)': ({ kind, index }) =>
        kind === 'I' ? padded(44_020 + index) : blank,
      'ProofOfDelivery char(1)': 'N',
      'PodReference varchar(30)': blank,
      'PodEntryDate datetime': null,
      'Area varchar(10)': ({ customer }) => customer.area,
      'CurrencyValue decimal': ({ gross }) => gross,
      ...currency,
      'RetentionInv char(1)': 'N',
      'TaxStatus char(1)': 'N',
      'TaxPortion decimal': ({ tax }) => tax,
      'FixExchangeRate char(1)': 'N',
      'NextRevalNo decimal': 1,
      'TaxCode char(3)': blank,
      'DiscBal decimal': 0,
      'PaymentRunFlag char(1), CollectionRunFlag char(1), InvoicePdcFlag char(1)': blank,
      'OrigInvRate decimal': 1,
      'TimeStamp timestamp': ({ index }) => stamp(900 + index),
    },
    {
      Customer: 'ArCustomer.Customer',
      TermsCode: 'TblArTerms.TermsCode',
      SalesOrder: 'SorMaster.SalesOrder',
    },
  ),
  ArInvoicePay: tableOf(
    documents.filter(({ isPaid }) => isPaid),
    {
      '*Customer varchar(15)': ({ customer }) => customer.code,
      '*Invoice varchar(20)': ({ number }) => number,
      '*DocumentType char(1)': ({ kind }) => kind,
      '*EntryNumber decimal': 1,
      'TrnType char(1)': 'P',
      'JournalDate datetime': (one) => midnight(daysAfter(one.date, daysOf(one))),
      'Journal decimal': (_one, index) => 1311 + index,
      'Reference varchar(30)': ({ number }) => `TT ${number.slice(-5)}`,
      'TrnValue decimal': ({ gross }) => -gross,
      'DiscValue decimal': 0,
      'TrnYear decimal': ({ year }) => year,
      'TrnMonth decimal': ({ month }) => month + 1,
      'SalesOrder varchar(20)': blank,
      'PostValue decimal': ({ gross }) => -gross,
      'PostCurrency char(3)': 'MYR',
      'PostConvRate decimal': 1,
      'Branch varchar(10)': '10',
      'InvoiceNotation varchar(50)': blank,
      'TimeStamp timestamp': ({ index }) => stamp(1200 + index),
    },
    { Customer: 'ArCustomer.Customer' },
  ),
  ArCustomer: tableOf(
    customers,
    {
      '*Customer varchar(15)': ({ code }) => code,
      'Name varchar(50)': ({ name }) => name,
      'ShortName varchar(20)': ({ short }) => short,
      'ExemptFinChg char(1)': 'Y',
      'MaintHistory char(1)': 'Y',
      'CustomerType char(1), MasterAccount varchar(15), StoreNumber varchar(20)': blank,
      'PrtMasterAdd char(1)': 'N',
      'CreditStatus char(1)': '0',
      'CreditLimit decimal': ({ id }) => (id - 1000) * 500,
      'InvoiceCount decimal': ({ id }) =>
        documents.filter(({ customer }) => customer.id === id).length,
      'Salesperson varchar(20)': ({ area }) => (area === 'EXP' ? '200' : '100'),
      'Salesperson1 varchar(20), Salesperson2 varchar(20), Salesperson3 varchar(20)': blank,
      'PriceCode varchar(10)': 'A',
      'CustomerClass varchar(10)': ({ area }) => (area === 'EXP' ? 'EXPORT' : 'TRADE'),
      'Branch varchar(10)': '10',
      'TermsCode char(2)': (each) => each.terms,
      'InvDiscCode varchar(10)': blank,
      'BalanceType char(1)': 'I',
      'Area varchar(10)': ({ area }) => area,
      'LineDiscCode varchar(10)': ({ id }) => (id % 2 === 0 ? 'D1' : blank),
      'TaxStatus char(1)': 'N',
      'TaxExemptNumber varchar(30)': ({ area, id }) => (area === 'EXP' ? `K2/${id}` : blank),
      'SpecialInstrs varchar(30)': blank,
      'PriceCategoryTable varchar(260)': blank,
      'DateLastSale datetime': ({ id }) =>
        midnight(documents.findLast(({ customer }) => customer.id === id)!.date),
      'DateLastPay datetime': null,
      'OutstOrdVal decimal, NumOutstOrd decimal': 0,
      'Telephone varchar(20)': ({ phone }) => phone,
      'Contact varchar(50)': ({ contact }) => contact,
      'AddTelephone varchar(20)': ({ id }) => (id === 1061 ? '012-558 7101' : blank),
      'Fax varchar(20)': ({ id }) => (id === 1042 ? '05-281 4471' : blank),
      'Telex varchar(10), TelephoneExtn char(5)': blank,
      'Currency char(3)': 'MYR',
      'UserField1 varchar(10)': blank,
      'UserField2 decimal': 0,
      'GstExemptFlag char(1)': 'N',
      'GstExemptNum varchar(15), GstLevel char(1)': blank,
      'DetailMoveReqd char(1)': 'Y',
      'InterfaceFlag char(1)': 'Y',
      'ContractPrcReqd char(1)': 'N',
      'BuyingGroup1 varchar(10), BuyingGroup2 varchar(10), BuyingGroup3 varchar(10)': blank,
      'BuyingGroup4 varchar(10), BuyingGroup5 varchar(10)': blank,
      'StatementReqd char(1), BackOrdReqd char(1)': 'Y',
      'ShippingInstrs varchar(50)': ({ area }) => (area === 'EXP' ? 'Causeway lorry' : blank),
      'ShippingInstrsCod varchar(6), StateCode char(3)': blank,
      'DateCustAdded datetime': midnight('2019-08-01'),
      'StockInterchange char(1), MaintLastPrcPaid char(1), IbtCustomer char(1)': 'N',
      'SoDefaultDoc char(2)': '0',
      'CounterSlsOnly char(1)': 'N',
      'PaymentStatus char(1)': blank,
      'Nationality char(3)': ({ nationality }) => nationality,
      'HighestBalance decimal': ({ id }) => (id - 1000) * 310,
      'CustomerOnHold char(1)': ({ id }) => (id === 1083 ? 'Y' : 'N'),
      'InvCommentCode varchar(10), EdiSenderCode varchar(40)': blank,
      'RelOrdOsValue decimal': 0,
      'EdiFlag char(1)': 'N',
      'SoDefaultType char(2)': 'SO',
      'Email varchar(255)': ({ email }) => email,
      'ApplyOrdDisc char(1), ApplyLineDisc char(1)': 'Y',
      'FaxInvoices char(1), FaxStatements char(1)': 'N',
      'HighInvDays decimal': 0,
      'HighInv varchar(20), DocFax varchar(20), DocFaxContact varchar(50)': blank,
      'SoldToAddr1 varchar(40)': ({ street }) => street,
      'SoldToAddr2 varchar(40)': ({ park }) => park,
      'SoldToAddr3 varchar(40)': ({ city }) => city,
      'SoldToAddr3Loc varchar(40)': blank,
      'SoldToAddr4 varchar(40)': ({ state }) => state,
      'SoldToAddr5 varchar(40)': ({ country }) => country,
      'SoldPostalCode varchar(10)': ({ zip }) => zip,
      'SoldToGpsLat decimal, SoldToGpsLong decimal': 0,
      'ShipToAddr1 varchar(40)': ({ id, street }) => (id === 1042 ? 'Store 3, Lot 9' : street),
      'ShipToAddr2 varchar(40)': ({ park }) => park,
      'ShipToAddr3 varchar(40)': ({ city }) => city,
      'ShipToAddr3Loc varchar(40)': blank,
      'ShipToAddr4 varchar(40)': ({ state }) => state,
      'ShipToAddr5 varchar(40)': ({ country }) => country,
      'ShipPostalCode varchar(10)': ({ id, zip }) => (id === 1055 ? '68120' : zip),
      'ShipToGpsLat decimal, ShipToGpsLong decimal': 0,
      'State char(2), CountyZip char(5), City char(3)': blank,
      'State1 char(2), CountyZip1 char(5), City1 char(3)': blank,
      'DefaultOrdType char(2)': 'SO',
      'PoNumberMandatory char(1)': 'N',
      'CreditCheckFlag char(1)': 'Y',
      'CompanyTaxNumber varchar(15)': ({ taxNumber }) => taxNumber,
      'DeliveryTerms char(3)': ({ area }) => (area === 'EXP' ? 'DAP' : blank),
      'TransactionNature decimal': 0,
      'DeliveryTermsC char(3)': blank,
      'TransactionNatureC decimal': 0,
      'RouteCode varchar(10)': blank,
      'FaxQuotes char(1)': 'N',
      'RouteDistance decimal': 0,
      'TpmCustomerFlag char(1)': 'N',
      'SalesWarehouse varchar(10)': 'FG',
      'TpmPricingFlag char(1)': 'N',
      'ArStatementNo char(2)': '00',
      'TpmCreditCheck char(1), WholeOrderShipFlag char(1)': 'N',
      'MinimumOrderValue decimal': 0,
      'MinimumOrderChgCod varchar(6)': blank,
      'UkVatFlag char(1)': 'N',
      'UkCurrency char(3), LanguageCode char(2), ShippingLocation varchar(10)': blank,
      'AltMethodFlag char(1)': 'N',
      'SalesAllowed char(1), UnappPayAllowed char(1), PaymentsAllowed char(1)': 'Y',
      'QuotesAllowed char(1), CrNotesAllowed char(1), DrNotesAllowed char(1)': 'Y',
      'QueryAllowed char(1)': 'Y',
      'TimeStamp timestamp': ({ id }) => stamp(id),
    },
    {
      Branch: 'SalBranch.Branch',
      TermsCode: 'TblArTerms.TermsCode',
      Area: 'SalArea.Area',
      Currency: 'TblCurrency.Currency',
      SalesWarehouse: 'InvWhControl.Warehouse',
    },
  ),
  ArMultAddress: tableOf(
    places,
    {
      '*Customer varchar(15)': ({ id }) => padded(id),
      '*AddrCode char(5)': ({ code }) => code,
      'ShipToName varchar(50)': ({ name }) => name,
      'ShipToAddr1 varchar(40)': ({ street }) => street,
      'ShipToAddr2 varchar(40)': blank,
      'ShipToAddr3 varchar(40)': ({ id }) => customerOf(id).city,
      'ShipToAddr3Loc varchar(40)': blank,
      'ShipToAddr4 varchar(40)': ({ id }) => customerOf(id).state,
      'ShipToAddr5 varchar(40)': 'Malaysia',
      'ShipPostalCode varchar(10)': ({ id }) => customerOf(id).zip,
      'ShipToGpsLat decimal, ShipToGpsLong decimal': 0,
      'Area varchar(10)': ({ id }) => customerOf(id).area,
      'State char(2), CountyZip char(5), City char(3), RouteCode varchar(10)': blank,
      'RouteDistance decimal': 0,
      'Nationality char(3)': 'MYS',
      'GeographicArea varchar(10), TaxRegnNum varchar(20), LanguageCode char(2)': blank,
      'ShippingLocation varchar(10), DeliveryTerms char(3)': blank,
      'TimeStamp timestamp': (_place, index) => stamp(3000 + index),
    },
    { Customer: 'ArCustomer.Customer', Area: 'SalArea.Area' },
  ),
  ArCustomerBal: tableOf(
    customers,
    {
      '*Customer varchar(15)': ({ code }) => code,
      'CurrentBalance1 decimal': ({ id }) =>
        total(
          documents
            .filter(({ customer, isPaid }) => customer.id === id && !isPaid)
            .map(({ gross }) => gross),
        ),
      'CurrentBalance2 decimal, CurrentBalance3 decimal': 0,
      'BalBroughtFwd1 decimal, BalBroughtFwd2 decimal, BalBroughtFwd3 decimal': 0,
      'MtdSales1 decimal, MtdSales2 decimal, MtdSales3 decimal': 0,
      'YtdSales decimal': ({ id }) =>
        total(documents.filter(({ customer }) => customer.id === id).map(({ net }) => net)),
      'YtdProfit decimal, PrevYearSales decimal, PrevYearProfit decimal': 0,
      'AveragePayDays decimal': 38,
      'TimeStamp timestamp': ({ id }) => stamp(4000 + id),
    },
    { Customer: 'ArCustomer.Customer' },
  ),
  ArControl: tableOf([1], {
    '*CtlFlag char(1)': 'C',
    'FinYear decimal': 2026,
    'FinPeriod decimal': 4,
    'NextInvoice varchar(20)': padded(105_240),
    'NextCreditNote varchar(20)': padded(3310),
    'NextRegister decimal': 2218,
    'AgeDays1 decimal': 30,
    'AgeDays2 decimal': 60,
    'AgeDays3 decimal': 90,
    'AgeDays4 decimal': 120,
    'TimeStamp timestamp': stamp(1),
  }),
};

const salesOrders: Readonly<Record<string, LayoutTable>> = {
  SorMaster: tableOf(
    orders,
    {
      '*SalesOrder varchar(20)': ({ order }) => order,
      'NextDetailLine decimal': ({ lines }) => lines.length + 1,
      'OrderStatus char(1)': ({ status }) => status,
      'ActiveFlag char(1)': ({ status }) => (status === '9' ? 'N' : blank),
      'CancelledFlag char(1)': ({ status }) => (status === '\\' ? 'Y' : blank),
      'DocumentType char(1)': ({ kind }) => kind,
      'Customer varchar(15)': ({ customer }) => customer.code,
      'Salesperson varchar(20)': ({ customer }) => (customer.area === 'EXP' ? '200' : '100'),
      'CustomerPoNumber varchar(30)': ({ theirs }) => theirs,
      'OrderDate datetime, EntrySystemDate datetime': ({ date }) => midnight(date),
      'ReqShipDate datetime': ({ date }) => midnight(daysAfter(date, 3)),
      'DateLastDocPrt datetime': ({ date }) => midnight(date),
      'ShippingInstrs varchar(50)': ({ customer }) =>
        customer.area === 'EXP' ? 'Causeway lorry' : blank,
      'ShippingInstrsCod varchar(6)': blank,
      'AltShipAddrFlag char(1)': ({ place }) => (place === blank ? 'N' : 'Y'),
      'InvoiceCount decimal': ({ order }) => documents.filter((one) => one.order === order).length,
      'InvTermsOverride char(2)': ({ customer }) => customer.terms,
      'CreditAuthority char(3)': blank,
      'Branch varchar(10)': '10',
      'SpecialInstrs varchar(30)': (_order, index) =>
        index % 6 === 2 ? 'Cap all hose ends' : blank,
      'EntInvoice varchar(20)': blank,
      'EntInvoiceDate datetime': null,
      'DiscPct1 decimal, DiscPct2 decimal, DiscPct3 decimal': 0,
      'OrderType char(2)': ({ kind }) => (kind === 'O' ? 'SO' : 'CN'),
      'TaxExemptFlag char(1)': 'N',
      'Area varchar(10)': ({ customer }) => customer.area,
      'TaxExemptNumber varchar(30)': ({ customer }) =>
        customer.area === 'EXP' ? `K2/${customer.id}` : blank,
      'TaxExemptOverride char(1)': 'N',
      'CashCredit char(2)': 'CR',
      'Warehouse varchar(10)': 'FG',
      'LastInvoice varchar(20)': ({ invoice }) => invoice,
      'ScheduledOrdFlag char(1), GstExemptFlag char(1)': 'N',
      'GstExemptNum varchar(15)': blank,
      'GstExemptORide char(1), IbtFlag char(1)': 'N',
      'OrdAcknwPrinted char(1), DetCustMvmtReqd char(1)': 'Y',
      'DocumentFormat char(2)': '0',
      'FixExchangeRate char(1)': 'N',
      'ExchangeRate decimal': 1,
      'MulDiv char(1)': 'M',
      'Currency char(3)': 'MYR',
      'GstDeduction char(1), OrderStatusFail char(1)': blank,
      'ConsolidatedOrder char(1)': 'N',
      'CreditedInvDate datetime': null,
      'Job varchar(20)': blank,
      'SerialisedFlag char(1), CounterSalesFlag char(1)': 'N',
      'Nationality char(3)': ({ customer }) => customer.nationality,
      'DeliveryTerms char(3)': ({ customer }) => (customer.area === 'EXP' ? 'DAP' : blank),
      'TransactionNature decimal, TransportMode decimal, ProcessFlag decimal': 0,
      'JobsExistFlag char(1)': 'N',
      'AlternateKey varchar(10)': blank,
      'LastOperator varchar(20)': 'MEILING',
      'HierarchyFlag char(1), DepositFlag char(1), EdiSource char(1)': blank,
      'DeliveryNote varchar(20)': blank,
      'Operator varchar(20)': 'MEILING',
      'LastDelNote datetime, DateLastInvPrt datetime': ({ invoiced: date }) =>
        date === null ? null : midnight(date),
      'Salesperson2 varchar(20), Salesperson3 varchar(20), Salesperson4 varchar(20)': blank,
      'CommissionSales1 decimal': 1.5,
      'CustomerName varchar(50)': (order) => placeOf(order)?.name ?? order.customer.name,
      'ShipAddress1 varchar(40)': (order) => placeOf(order)?.street ?? order.customer.street,
      'ShipAddress2 varchar(40)': (order) =>
        placeOf(order) === undefined ? order.customer.park : blank,
      'ShipAddress3 varchar(40)': ({ customer }) => customer.city,
      'ShipAddress3Loc varchar(40)': blank,
      'ShipAddress4 varchar(40)': ({ customer }) => customer.state,
      'ShipAddress5 varchar(40)': ({ customer }) => customer.country,
      'ShipPostalCode varchar(10)': ({ customer }) => customer.zip,
      'ShipToGpsLat decimal, ShipToGpsLong decimal': 0,
      'ExtendedTaxCode char(3)': blank,
      'MultiShipCode char(5)': ({ place }) => place,
      'WebCreated char(1)': 'N',
      'Quote varchar(20)': blank,
      'QuoteVersion decimal': 0,
      'Email varchar(255)': ({ customer }) => customer.email,
      'CompanyTaxNo varchar(15)': ({ customer }) => customer.taxNumber,
      'StandardComment varchar(10), SalesOrderSource varchar(6)': blank,
      'TimeStamp timestamp': (_order, index) => stamp(5000 + index),
    },
    {
      Customer: 'ArCustomer.Customer',
      Branch: 'SalBranch.Branch',
      OrderType: 'TblSoTypes.OrderType',
      Area: 'SalArea.Area',
      Warehouse: 'InvWhControl.Warehouse',
      Currency: 'TblCurrency.Currency',
    },
  ),
  SorDetail: tableOf(
    orderLines,
    {
      '*SalesOrder varchar(20)': ({ order }) => order.order,
      '*SalesOrderLine decimal': ({ place }) => place,
      'LineType char(1)': '1',
      'MStockCode varchar(30)': ({ line }) => line.item.code,
      'MStockDes varchar(50)': ({ line }) => line.item.name,
      'MWarehouse varchar(10)': 'FG',
      'MBin varchar(20)': blank,
      'MOrderQty decimal': ({ line }) => line.quantity,
      'MShipQty decimal': ({ order, line }) => (order.status === '8' ? line.quantity : 0),
      'MBackOrderQty decimal': ({ order, line }) => (order.status === '1' ? line.quantity : 0),
      'MUnitCost decimal': ({ line }) => line.item.cost,
      'MBomFlag char(1), MParentKitType char(1)': blank,
      'MQtyPer decimal, MScrapPercentage decimal': 0,
      'MPrintComponent char(1), MComponentSeq varchar(6), MQtyChangesFlag char(1)': blank,
      'MOptionalFlag char(1)': blank,
      'MDecimals decimal': 0,
      'MOrderUom varchar(10)': ({ line }) => line.item.unit,
      'MStockQtyToShp decimal': 0,
      'MStockingUom varchar(10)': ({ line }) => line.item.unit,
      'MConvFactOrdUm decimal': 1,
      'MMulDivPrcFct char(1)': 'M',
      'MPrice decimal': ({ line }) => line.price,
      'MPriceUom varchar(10)': ({ line }) => line.item.unit,
      'MCommissionCode char(2)': '0',
      'MDiscPct1 decimal': ({ line }) => line.discount,
      'MDiscPct2 decimal, MDiscPct3 decimal': 0,
      'MDiscValFlag char(1)': blank,
      'MDiscValue decimal': 0,
      'MProductClass varchar(20)': ({ line }) => line.item.group,
      'MTaxCode char(3)': ({ line }) => line.taxCode,
      'MLineShipDate datetime': ({ order }) => midnight(daysAfter(order.date, 3)),
      'MAllocStatSched char(1), MFstTaxCode char(3)': blank,
      'MStockUnitMass decimal, MStockUnitVol decimal': 0,
      'MPriceCode varchar(10)': 'A',
      'MConvFactAlloc decimal': 1,
      'MMulDivQtyFct char(1)': 'M',
      'MTraceableType char(1), MMpsFlag char(1), MPickingSlip char(1)': blank,
      'MMovementReqd char(1)': 'Y',
      'MSerialMethod char(1), MContract varchar(20), MBuyingGroup varchar(10)': blank,
      'MCusSupStkCode varchar(30)': ({ order, line }) =>
        order.customer.id === 1077 ? `TAM-${line.item.code.slice(-2)}7` : blank,
      'MCusRetailPrice decimal': 0,
      'MTariffCode varchar(15)': ({ line }) => line.item.tariff,
      'MInvoicePrinted char(1)': ({ order }) => (order.status === '9' ? 'Y' : blank),
      'MCustRequestDat datetime': ({ order }) => midnight(daysAfter(order.date, 5)),
      'MLastDelNote varchar(20), MUserDef char(4)': blank,
      'MQtyDispatched decimal': 0,
      'MCreditOrderNo varchar(20)': blank,
      'MCreditOrderLine decimal': 0,
      'QtyReserved decimal': 0,
      'NComment varchar(100)': blank,
      'NCommentFromLin decimal, NMscChargeValue decimal': 0,
      'NMscProductCls varchar(20), NMscTaxCode char(3), NChargeCode varchar(6)': blank,
      'CreditReason varchar(6)': ({ order }) => (order.kind === 'C' ? 'RET' : blank),
      'SalesOrderInitLine decimal': ({ place }) => place,
      'SalesOrderDetStat char(1)': blank,
      'TimeStamp timestamp': (_line, index) => stamp(6000 + index),
    },
    {
      SalesOrder: 'SorMaster.SalesOrder',
      MStockCode: 'InvMaster.StockCode',
      MWarehouse: 'InvWhControl.Warehouse',
      MTaxCode: 'AdmTax.TaxCode',
    },
  ),
};

const suppliers = [
  { id: 5008, name: 'Shah Alam Rubber Compounds Sdn Bhd', city: 'Shah Alam', zip: '40200' },
  { id: 5013, name: 'Foshan Fluid Fittings Co Ltd', city: 'Foshan', zip: '528000' },
];
const bills = documents
  .filter(({ kind, index }) => kind === 'I' && index % 4 === 0)
  .map((one, index) => {
    const net = total(one.lines.map(({ cost }) => cost));
    const tax = cents(net * 0.1);
    return { one, index, supplier: suppliers[index % 2]!, net, tax, gross: cents(net + tax) };
  });
const stockAndPayables: Readonly<Record<string, LayoutTable>> = {
  InvMaster: tableOf(
    items,
    {
      '*StockCode varchar(30)': ({ code }) => code,
      'Description varchar(50)': ({ name }) => name,
      'LongDesc varchar(100)': ({ text }) => text,
      'AlternateKey1 varchar(20), AlternateKey2 varchar(20), EccUser char(1)': blank,
      'StockUom varchar(10)': ({ unit }) => unit,
      'AlternateUom varchar(10), OtherUom varchar(10)': ({ unit }) => packs[unit] ?? unit,
      'ConvFactAltUom decimal': ({ unit }) => (packs[unit] === undefined ? 1 : 50),
      'ConvMulDiv char(1)': 'M',
      'ConvFactOthUom decimal': ({ unit }) => (packs[unit] === undefined ? 1 : 50),
      'MulDiv char(1)': 'M',
      'Mass decimal, Volume decimal, Decimals decimal': 0,
      'PriceCategory char(1)': 'A',
      'PriceMethod char(1)': 'C',
      'Supplier varchar(15)': (_item, index) => padded(suppliers[index % 2]!.id),
      'CycleCount decimal': 0,
      'ProductClass varchar(20)': ({ group }) => group,
      'TaxCode char(3)': ({ taxCode }) => taxCode,
      'OtherTaxCode char(3)': blank,
      'ListPriceCode varchar(10)': 'A',
      'SerialMethod char(1), InterfaceFlag char(1), KitType char(1)': 'N',
      'LowLevelCode decimal': 0,
      'Buyer varchar(20)': '01',
      'Planner varchar(20)': blank,
      'TraceableType char(1), MpsFlag char(1), BulkIssueFlag char(1)': 'N',
      'AbcClass char(1)': blank,
      'LeadTime decimal': 14,
      'StockMovementReq char(1)': 'Y',
      'CostUom varchar(10)': ({ unit }) => unit,
      'MinPricePct decimal, LabourCost decimal': 0,
      'MaterialCost decimal': ({ cost }) => cost,
      'FixOverhead decimal, VariableOverhead decimal': 0,
      'PartCategory char(1)': 'B',
      'DrawOfficeNum varchar(20)': blank,
      'WarehouseToUse varchar(10)': 'FG',
      'BuyingRule char(1)': 'A',
      'Ebq decimal': 1,
      'ShelfLife decimal': 0,
      'GstTaxCode char(3)': blank,
      'PrcInclGst char(1)': 'N',
      'UserField1 varchar(30)': blank,
      'UserField2 decimal': 0,
      'TariffCode varchar(15)': ({ tariff }) => tariff,
      'SupplementaryUnit char(1)': 'N',
      'CountryOfOrigin char(3)': (_item, index) => (index % 2 === 0 ? 'MYS' : 'CHN'),
      'StockOnHold char(1)': blank,
      'DateStkAdded datetime': midnight('2019-08-01'),
      'ReturnableItem char(1)': 'N',
      'TimeStamp timestamp': (_item, index) => stamp(7000 + index),
    },
    {
      Supplier: 'ApSupplier.Supplier',
      TaxCode: 'AdmTax.TaxCode',
      WarehouseToUse: 'InvWhControl.Warehouse',
    },
  ),
  InvPrice: tableOf(
    items.flatMap((item) => ['A', 'B'].map((code) => ({ item, code }))),
    {
      '*StockCode varchar(30)': ({ item }) => item.code,
      '*PriceCode varchar(10)': ({ code }) => code,
      'SellingPrice decimal': ({ item, code }) => cents(item.price * (code === 'A' ? 1 : 0.94)),
      'PriceBasis char(1)': 'S',
      'CommissionCode char(2)': '0',
      'TimeStamp timestamp': (_price, index) => stamp(7100 + index),
    },
    { StockCode: 'InvMaster.StockCode' },
  ),
  InvWarehouse: tableOf(
    items,
    {
      '*StockCode varchar(30)': ({ code }) => code,
      '*Warehouse varchar(10)': 'FG',
      'QtyOnHand decimal': (_item, index) => 60 + index * 35,
      'QtyAllocated decimal, QtyOnOrder decimal, QtyInTransit decimal': 0,
      'UnitCost decimal': ({ cost }) => cost,
      'DefaultBin varchar(20)': 'A01',
      'TimeStamp timestamp': (_item, index) => stamp(7200 + index),
    },
    { StockCode: 'InvMaster.StockCode', Warehouse: 'InvWhControl.Warehouse' },
  ),
  InvWhControl: {
    columns: '*Warehouse varchar(10), Description varchar(50), Branch varchar(10)',
    rows: [
      ['FG', 'Finished goods, Lahat', '10'],
      ['RM', 'Raw materials, Lahat', '10'],
    ],
  },
  ApSupplier: tableOf(
    suppliers,
    {
      '*Supplier varchar(15)': ({ id }) => padded(id),
      'SupplierName varchar(50)': ({ name }) => name,
      'SupShortName varchar(20)': ({ name }) => name.slice(0, 10).toUpperCase(),
      'SupplierType char(1)': blank,
      'SupplierClass varchar(10)': 'RAW',
      'Bank varchar(15)': 'MBB',
      'Branch varchar(10)': '10',
      'Telephone varchar(20)': ({ id }) => `03-5512 ${id}`,
      'Fax varchar(20)': blank,
      'Contact varchar(50)': 'Accounts receivable',
      'Area varchar(10)': blank,
      'Email varchar(255)': ({ id }) => `ar@supplier${id}.example`,
      'Currency char(3)': 'MYR',
      'CurrentBalance decimal': ({ id }) =>
        total(bills.filter(({ supplier }) => supplier.id === id).map(({ gross }) => gross)),
      'TermsCode char(2)': '30',
      'TaxRegnNum varchar(20)': ({ id }) => `C2${id}771020`,
      'BankAccount varchar(20)': ({ id }) => `5140${id}8890`,
      'BankBranch varchar(50)': 'Maybank Shah Alam',
      'Nationality char(3)': ({ id }) => (id === 5008 ? 'MYS' : 'CHN'),
      'OnHold char(1)': 'N',
      'TimeStamp timestamp': ({ id }) => stamp(id),
    },
    { Currency: 'TblCurrency.Currency' },
  ),
  ApSupplierAddr: tableOf(
    suppliers,
    {
      '*Supplier varchar(15)': ({ id }) => padded(id),
      'SupAddr1 varchar(40)': ({ id }) => `${id - 5000} Industrial Road`,
      'SupAddr2 varchar(40)': blank,
      'SupAddr3 varchar(40)': ({ city }) => city,
      'SupAddr3Loc varchar(40), SupAddr4 varchar(40)': blank,
      'SupAddr5 varchar(40)': ({ id }) => (id === 5008 ? 'Malaysia' : 'China'),
      'SupPostalCode varchar(10)': ({ zip }) => zip,
      'RemitName varchar(50)': ({ name }) => name,
      'TimeStamp timestamp': ({ id }) => stamp(100 + id),
    },
    { Supplier: 'ApSupplier.Supplier' },
  ),
  ApInvoice: tableOf(
    bills,
    {
      '*Supplier varchar(15)': ({ supplier }) => padded(supplier.id),
      '*Invoice varchar(20)': ({ supplier, index }) => `${supplier.id}-${880 + index * 3}`,
      'NextPaymEntry decimal': 1,
      'JournalDate datetime': ({ one }) => midnight(one.date),
      'Journal decimal': ({ index }) => 611 + index,
      'Branch varchar(10)': '10',
      'InvoiceDate datetime': ({ one }) => midnight(one.date),
      'DiscountDate datetime': null,
      'DueDate datetime': ({ one }) => midnight(daysAfter(one.date, 30)),
      'Reference varchar(30)': 'Compounds and fittings',
      'OrigInvValue decimal, MthInvBal1 decimal': ({ gross }) => gross,
      'OrigDiscValue decimal, MthInvBal2 decimal, MthInvBal3 decimal': 0,
      'ManualChqDate datetime': null,
      'InvoiceStatus char(1)': blank,
      'Currency char(3)': 'MYR',
      'Bank varchar(15)': 'MBB',
      'InvoiceYear decimal': 2026,
      'InvoiceMonth decimal': ({ one }) => one.month,
      'ExchangeRate decimal': 1,
      'FirstTaxCode char(3)': 'S10',
      'WithTaxValue decimal, WithTaxRate decimal': 0,
      'CurrencyValue decimal': ({ gross }) => gross,
      ...currency,
      'Tax2Value decimal': 0,
      'TimeStamp timestamp': ({ index }) => stamp(8000 + index),
    },
    { Supplier: 'ApSupplier.Supplier', Currency: 'TblCurrency.Currency' },
  ),
};

const setup: Readonly<Record<string, LayoutTable>> = {
  SysproAdmin: {
    columns:
      '*Company char(4), CompanyName varchar(50), DatabaseName varchar(128), SqlCompany char(1), TimeStamp timestamp',
    rows: [
      ['A', 'Lahat Hose & Fittings Sdn Bhd', 'SysproCompanyA', 'Y', stamp(2)],
      ['T', 'Lahat Hose & Fittings (TEST)', 'SysproCompanyT', 'Y', stamp(3)],
    ],
  },
  AdmTax: tableOf(
    [
      { code: 'S10', text: 'Sales tax 10%', rate: 10, before: 6, from: '2018-09-01' },
      { code: 'S05', text: 'Sales tax 5%', rate: 5, before: 6, from: '2018-09-01' },
      { code: 'EXM', text: 'Exempted goods', rate: 0, before: 0, from: '2018-09-01' },
      { code: 'EXP', text: 'Exports', rate: 0, before: 0, from: '2015-04-01' },
    ],
    {
      '*TaxCode char(3)': ({ code }) => code,
      'Description varchar(50)': ({ text }) => text,
      'TaxRateDecimals decimal': 2,
      'CurTaxRate decimal': ({ rate }) => rate,
      'EffectiveDate datetime': ({ from }) => midnight(from),
      'PrevTaxRate decimal': ({ before }) => before,
      'TaxGlCode varchar(35)': '2300',
      'ApTaxGlCode varchar(35)': '1350',
      'AdvancedTaxGlCode varchar(35)': blank,
      'MtdTaxValue decimal, YtdTaxValue decimal': 0,
      'ExtendedTaxCode char(1)': 'N',
      'TimeStamp timestamp': (_tax, index) => stamp(20 + index),
    },
  ),
  TblArTerms: tableOf(terms, {
    '*TermsCode char(2)': ({ code }) => code,
    'Description varchar(50)': ({ text }) => text,
    'DueDays decimal': ({ days }) => days,
    'DueDayOfMonth decimal, DiscDays decimal, DiscPct decimal': 0,
    'CashInvoice char(1)': ({ days }) => (days === 0 ? 'Y' : 'N'),
    'TimeStamp timestamp': (_terms, index) => stamp(40 + index),
  }),
  TblCurrency: {
    columns:
      '*Currency char(3), Description varchar(50), BuyExchangeRate decimal, BuyMulDiv char(1), SellExchangeRate decimal, SellMulDiv char(1), EffectiveDate datetime, TimeStamp timestamp',
    rows: [
      ['MYR', 'Malaysian ringgit', 1, 'M', 1, 'M', midnight('2019-08-01'), stamp(50)],
      ['USD', 'US dollar', 4.38, 'M', 4.46, 'M', midnight('2026-04-01'), stamp(51)],
    ],
  },
  TblSoTypes: {
    columns: '*OrderType char(2), Description varchar(50), TimeStamp timestamp',
    rows: [
      ['SO', 'Standard order', stamp(60)],
      ['CN', 'Returns and corrections', stamp(61)],
    ],
  },
  SalArea: {
    columns: '*Area varchar(10), Description varchar(50), TaxCode char(3), TimeStamp timestamp',
    rows: [
      ['NTH', 'Northern states', blank, stamp(70)],
      ['CEN', 'Klang valley', blank, stamp(71)],
      ['EST', 'East coast', blank, stamp(72)],
      ['EXP', 'Abroad', 'EXP', stamp(73)],
    ],
  },
  SalBranch: {
    columns:
      '*Branch varchar(10), Description varchar(50), DefaultWarehouse varchar(10), TimeStamp timestamp',
    rows: [['10', 'Lahat', 'FG', stamp(80)]],
  },
  SalSalesperson: {
    columns:
      '*Branch varchar(10), *Salesperson varchar(20), Name varchar(50), CommissionPct decimal, TimeStamp timestamp',
    rows: [
      ['10', '100', 'Azman Yusof', 1.5, stamp(90)],
      ['10', '200', 'Patricia Gomez', 1.5, stamp(91)],
    ],
  },
};

/**
 * SYSPRO 7 at a maker of hoses in Malaysia, who writes all invoices in ringgit: posted invoices are a summary and its details, known
 * by year, month, register and number; a letter tells invoices from credit and debit notes, credit is below zero; the open items
 * stand apart and are all that has the total with tax; details have neither a text nor a price, both are of the order; what has
 * no value is a space, keys of digits have zeros before them, the country is the last line of the address; no day due. The many
 * foreign keys of more than one column (details to their summary, both to open items and orders) are left out, as the form of
 * a layout has one column for each. Columns of receivables, orders, items and suppliers after published scripts, those of orders
 * and items cut short; those of control, taxes, terms, currencies, areas and companies from memory.
 */
export const summariesAndDetails: Layout = {
  name: 'summaries-and-details',
  isHeldOut: false,
  hasDiscounts: true,
  netPrice: 'ArTrnDetail.NetSalesValue',
  tables: { ...setup, ...receivables, ...salesOrders, ...stockAndPayables },
  sections: {
    header: {
      table: 'ArTrnSummary',
      key: 'Invoice',
      match: 'Invoice',
      where: { DocumentType: 'I' },
    },
    lines: {
      table: 'ArTrnDetail',
      key: 'DetailLine',
      match: 'Invoice',
      matchFrom: 'Invoice',
    },
    customer: {
      table: 'ArCustomer',
      key: 'Customer',
      match: 'Customer',
      matchFrom: 'Customer',
    },
  },
  // What a name or an address of the order says is where goods go, and its last invoice is not always this one.
  fields: {
    number: 'ArTrnSummary.Invoice|ArTrnDetail.Invoice|ArInvoice.Invoice',
    issue_date:
      'ArTrnSummary.InvoiceDate!date|ArTrnDetail.InvoiceDate!date|ArInvoice.InvoiceDate!date',
    currency:
      'ArTrnSummary.Currency|ArCustomer.Currency|SorMaster.Currency|TblCurrency.Currency|' +
      'TblCurrency.Description!map|ArTrnDetail.PostCurrency|ArTrnDetail.AccountCur|' +
      'ArInvoice.PostCurrency|ArInvoice.AccountCur',
    'exchange_rate.rate':
      'ArTrnSummary.ExchangeRate|SorMaster.ExchangeRate|ArTrnDetail.PostConvRate|' +
      'ArTrnDetail.AccountConvRate|ArInvoice.ConvRate|ArInvoice.AccConvRate|ArInvoice.OrigInvRate',
    purchase_order:
      'ArTrnSummary.CustomerPoNumber|ArTrnDetail.CustomerPoNumber|ArInvoice.CustomerPoNumber|' +
      'SorMaster.CustomerPoNumber',
    buyer_reference:
      'ArTrnSummary.CustomerPoNumber|ArTrnDetail.CustomerPoNumber|ArInvoice.CustomerPoNumber|' +
      'SorMaster.CustomerPoNumber',
    'notes[]': 'SorMaster.SpecialInstrs|SorMaster.ShippingInstrs',
    'payment_terms[].note': 'TblArTerms.Description|TblArTerms.DueDays',
    'totals.lines': 'ArTrnSummary.MerchandiseValue|ArTrnSummary.ForeignMerchVal',
    'totals.net': 'ArTrnSummary.MerchandiseValue|ArTrnSummary.ForeignMerchVal',
    'totals.tax': 'ArTrnSummary.TaxValue|ArTrnSummary.ForeignTaxVal|ArInvoice.TaxPortion',
    'totals.gross': 'ArInvoice.CurrencyValue',
    'totals.due': 'ArInvoice.CurrencyValue|ArInvoice.InvoiceBal1',
    'seller.name': 'SysproAdmin.CompanyName',
    'buyer.name': 'ArCustomer.Name',
    'buyer.trn': 'ArCustomer.CompanyTaxNumber|SorMaster.CompanyTaxNo',
    'PINT-MY:buyer.identifiers[].id': 'ArCustomer.CompanyTaxNumber|SorMaster.CompanyTaxNo',
    'buyer.address.line1': 'ArCustomer.SoldToAddr1',
    'buyer.address.line2': 'ArCustomer.SoldToAddr2',
    'buyer.address.city': 'ArCustomer.SoldToAddr3',
    'buyer.address.subdivision': 'ArCustomer.SoldToAddr4',
    'buyer.address.post_code': 'ArCustomer.SoldPostalCode',
    'buyer.address.country':
      'ArCustomer.SoldToAddr5!map|ArCustomer.Nationality!map|ArTrnSummary.Nationality!map|' +
      'ArTrnDetail.Nationality!map|SorMaster.Nationality!map',
    'buyer.contact.name': 'ArCustomer.Contact',
    'buyer.contact.phone': 'ArCustomer.Telephone',
    'buyer.contact.email': 'ArCustomer.Email|SorMaster.Email',
    'lines[].id': 'ArTrnDetail.DetailLine',
    'lines[].sku': 'ArTrnDetail.StockCode|InvMaster.StockCode|SorDetail.MStockCode',
    'lines[].name': 'InvMaster.Description|SorDetail.MStockDes',
    'lines[].description': 'InvMaster.Description|InvMaster.LongDesc|SorDetail.MStockDes',
    'lines[].classifications[].code': 'InvMaster.TariffCode|SorDetail.MTariffCode',
    'lines[].qty': 'ArTrnDetail.QtyInvoiced',
    'lines[].unit':
      'InvMaster.StockUom!map|InvMaster.CostUom!map|SorDetail.MStockingUom!map|SorDetail.MOrderUom!map|' +
      'SorDetail.MPriceUom!map',
    'lines[].unit_price': 'SorDetail.MPrice|ArTrnDetail.NetSalesValue!divide',
    'lines[].gross_price': 'SorDetail.MPrice|ArTrnDetail.NetSalesValue!divide',
    'lines[].allowances[].percent': 'SorDetail.MDiscPct1',
    'lines[].allowances[].amount': 'ArTrnDetail.DiscValue',
    'lines[].net': 'ArTrnDetail.NetSalesValue|ArTrnDetail.PostValue',
    'lines[].accounting.tax_totals[].amount': 'ArTrnDetail.TaxValue',
    'lines[].tax.rate': 'AdmTax.CurTaxRate|ArTrnDetail.TaxCode!map|SorDetail.MTaxCode!map',
    'lines[].tax.category':
      'ArTrnDetail.TaxCode!map|SorDetail.MTaxCode!map|AdmTax.TaxCode!map|AdmTax.Description!map|' +
      'AdmTax.CurTaxRate!map',
  },
};
