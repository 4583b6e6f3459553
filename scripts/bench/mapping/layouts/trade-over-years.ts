import { type Buyer, type SalesDocument, type TradeSettings, tradeOf } from './enterprise-trade.ts';

/** Firms at home in Britain, where the other trade has none; the same cells as there. */
const britishFirms = `Harrogate Catering Supplies Ltd;14 Station Parade;;Harrogate;HG1 1UE;North Yorkshire;01423 500 218;Helen Marsh;GB 238 3839 38;04471120
Bristol Marine Engineers Ltd;Unit 9;Albion Dockside;Bristol;BS1 6UT;Avon;0117 929 4410;Gareth Pugh;GB 771 2204 15;05530981
The Copper Kettle;3 Castle Street;;Ludlow;SY8 1AT;Shropshire;01584 873 004;Rosie Tanner;;
Clyde Valley Foods Ltd;22 Dalziel Drive;Motherwell Food Park;Motherwell;ML1 4AB;Lanarkshire;01698 260 330;Iain McAllister;GB 502 9981 70;SC208814
Carreg Lwyd Quarries Ltd;Lon y Graig;;Bangor;LL57 4HN;Gwynedd;01248 600 121;Eleri Hughes;GB 640 1182 33;02218834
St Brigid's Primary School;Falls Road;;Belfast;BT12 6FB;County Antrim;028 9032 7781;Siobhan Quinn;;
Mercia Motor Factors Ltd;Units 3-5;Heath Mill Lane;Birmingham;B9 4AL;West Midlands;0121 773 6002;Balvinder Gill;GB 119 4420 08;03312209
Fenland Packaging Ltd;Wisbech Road;;March;PE15 0AX;Cambridgeshire;01354 652 900;Tom Ayres;GB 887 0031 46;06674502
Okafor & Daughters;118 Rye Lane;;London;SE15 4RZ;;020 7732 1190;Grace Okafor;GB 334 9017 62;09981177
Kernow Cider Company;The Old Orchard;Trebartha;Launceston;PL15 7PA;Cornwall;01566 782 040;Jago Trevanion;GB 905 6671 21;07720034`;

interface LongerTrade extends Omit<TradeSettings, 'home'> {
  readonly home: TradeSettings['home'] | 'GB';
  /** The first day, and days from one document to the next. */
  readonly from: string;
  readonly every: number;
}

const days = (date: string) => Date.parse(date) / 86_400_000;
const dated = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10);

/** The trade of a firm for more than a year. */
export function longTradeOf({ home, from, every, ...settings }: LongerTrade) {
  const trade = tradeOf({ ...settings, home: home === 'GB' ? 'BE' : home });
  const buyers = home === 'GB' ? asBritish(trade.buyers) : trade.buyers;
  const documents = trade.documents.map((one, index): SalesDocument => {
    const date = days(from) + Math.floor(index * every);
    return {
      ...one,
      buyer: buyers[one.buyer.id - 1]!,
      date: dated(date),
      due: dated(date + one.days),
      delivered: dated(date + days(one.delivered) - days(one.date)),
    };
  });
  return { documents, buyers, goods: trade.goods };
}

function asBritish(buyers: readonly Buyer[]): readonly Buyer[] {
  const rows = britishFirms.split('\n').map((row) => row.split(';'));
  return buyers.map((buyer, index) => {
    const cells = rows[index];
    if (cells === undefined) return buyer;
    const [name = '', street = '', street2, city = '', zip, region, phone, person = ''] = cells;
    const [first = '', ...last] = person.split(' ');
    const [domain = ''] = name.toLowerCase().split(/[^a-z]+/);
    return {
      ...buyer,
      name,
      street,
      street2: street2 || null,
      city,
      zip: zip || null,
      region: region || null,
      phone: phone || null,
      first,
      last: last.join(' '),
      taxNumber: cells[8] || null,
      register: cells[9] || null,
      country: 'GB',
      email: buyer.email === null ? null : `office@${domain}${buyer.id}.example`,
    };
  });
}
