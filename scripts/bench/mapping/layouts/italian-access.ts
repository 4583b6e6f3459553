import type { Layout } from './layout.ts';
import { tableOf } from './tables.ts';
import { byLine, customers, done, type Invoice, invoices, items } from './trade.ts';

const isCredit = ({ kind }: Invoice) => kind === 'credit';
const day = (date: string) => `${date} 00:00:00`;
const nations: Readonly<Record<string, string>> = {
  DE: 'Germania',
  AE: 'Emirati Arabi',
  CH: 'Svizzera',
  ES: 'Spagna',
  MY: 'Malesia',
  FR: 'Francia',
  PT: 'Portogallo',
  GB: 'Regno Unito',
  SE: 'Svezia',
};
const units: Readonly<Record<string, string>> = {
  PCS: 'pz',
  M: 'mt',
  HR: 'ore',
  L: 'lt',
  KG: 'kg',
};
const lines = byLine(done, (one, line) => ({ one, line }));
const vatCode = (rate: number) => (rate === 0 ? '41' : '20');
/** Numbers begin anew with each kind, and are written with the year. */
const numbered = new Map(
  [done.filter((one) => !isCredit(one)), done.filter(isCredit)].flatMap((all) =>
    all.map((one, index) => [one, index + 1] as const),
  ),
);
const numberOf = (one: Invoice) => `${numbered.get(one) ?? 0}/${isCredit(one) ? 'NC' : '26'}`;

/**
 * What somebody at the firm made with Access twenty years ago: names with spaces and accents, dates with the midnight, prices and sums
 * worked out by forms and not kept, a table for each thing that once was tried. Home-made, after no system.
 */
export const italianAccess: Layout = {
  name: 'italian-access',
  isHeldOut: true,
  hasDiscounts: true,
  tables: {
    Fatture: tableOf(done, {
      '*"ID Fattura" integer': ({ id }) => id - 3_000,
      '"N° Fattura"': (one) => numberOf(one),
      '"Tipo Doc"': (one) => (isCredit(one) ? 'NOTA CREDITO' : 'FATTURA'),
      '"Data" datetime': ({ date }) => day(date),
      '"ID Cliente" integer': ({ customer }) => customer.id,
      '"Condizioni"': '30 gg d.f.',
      '"ID Pagamento" integer': ({ id }) => (id % 4 === 0 ? 1 : 2),
      '"Scadenza" datetime': ({ due }) => day(due),
      '"Vs Ordine"': ({ order }) => order || null,
      '"N° DDT"': ({ id }) => `D${id - 3_500}`,
      '"Data DDT" datetime': ({ date }) => day(date),
      '"Causale"': 'Vendita',
      '"Vettore"': null,
      '"N Colli" integer': ({ lines: all }) => all.length,
      '"Peso Kg" double': null,
      '"Sconto Cassa" double': 0,
      '"Spese Incasso" currency': 0,
      '"Annotazioni"': ({ id }) => (id % 7 === 0 ? 'Consegna al magazzino 2' : null),
      '"Stampata" bit': -1,
      '"Pagata" bit': ({ id }) => (id % 3 === 0 ? -1 : 0),
      '"Data Pagamento" datetime': ({ id, due }) => (id % 3 === 0 ? day(due) : null),
      '"Agente"': ({ id }) => (id % 2 ? 'Rossi' : null),
    }),
    'Righe Fattura': tableOf(lines, {
      '*"ID Riga" integer': ({ line }) => line.id - 90_000,
      '"ID Fattura" integer': ({ one }) => one.id - 3_000,
      '"Riga" integer': ({ line }) => line.position,
      '"Cod Articolo"': ({ line }) => line.item.code,
      '"Descrizione"': ({ line }) => line.item.name,
      '"U M"': ({ line }) => units[line.item.unit] ?? '',
      '"Quantità" double': ({ line }) => line.quantity,
      '"Prezzo" currency': ({ line }) => line.price,
      '"Sconto" double': ({ line }) => line.discount / 100,
      '"Cod IVA"': ({ line }) => vatCode(line.item.rate),
      '"Omaggio" bit': 0,
    }),
    Clienti: tableOf(customers, {
      '*"ID Cliente" integer': ({ id }) => id,
      '"Ragione Sociale"': ({ name }) => name,
      '"Ragione Sociale 2"': null,
      '"Indirizzo"': ({ street }) => street,
      '"CAP"': ({ zip }) => zip,
      '"Località"': ({ city }) => city,
      '"Prov"': ({ state }) => state,
      '"Nazione"': ({ countryCode }) => nations[countryCode] ?? '',
      '"Telefono"': ({ phone }) => phone,
      '"Fax"': null,
      '"Cellulare"': null,
      '"E-mail"': ({ email }) => email,
      '"Referente"': ({ first, last }) => `${first} ${last}`,
      '"Partita IVA"': ({ vat }) => vat,
      '"Codice Fiscale"': null,
      '"Codice SDI"': 'XXXXXXX',
      '"ID Pagamento" integer': 2,
      '"Listino" integer': 1,
      '"Fido" currency': 10_000,
      '"Note"': ({ id }) => (id % 4 === 0 ? 'chiamare prima' : null),
      '"Inserito il" datetime': '2009-05-14 00:00:00',
    }),
    Articoli: tableOf(items, {
      '*"Cod Articolo"': ({ code }) => code,
      '"Descrizione"': ({ name }) => name,
      '"U M"': ({ unit }) => units[unit] ?? '',
      '"Prezzo Listino" currency': ({ price }) => price,
      '"Prezzo Acquisto" currency': ({ price }) => price / 2,
      '"Cod IVA"': ({ rate }) => vatCode(rate),
      '"Giacenza" double': 22,
      '"Scorta Minima" double': 5,
      '"Fornitore"': 'Molino',
      '"Foto"': null,
    }),
    'Codici IVA': {
      columns: '*"Cod IVA", "Aliquota" double, "Descrizione IVA"',
      rows: [
        ['20', 0.2, 'IVA ordinaria'],
        ['10', 0.1, 'IVA ridotta'],
        ['41', 0, 'Non imponibile art. 41'],
      ],
    },
    Pagamenti: {
      columns: '*"ID Pagamento" integer, "Descrizione Pagamento", "Giorni" integer, "Banca"',
      rows: [
        [1, 'Ricevuta bancaria 30 gg', 30, 'Nostra banca'],
        [2, 'Bonifico bancario 30 gg', 30, null],
        [3, 'Rimessa diretta', 0, null],
      ],
    },
    Fornitori: {
      columns:
        '*"ID Fornitore" integer, "Ragione Sociale", "Indirizzo", "Località", "Partita IVA", "Telefono"',
      rows: [
        [1, 'Molino Srl', 'Via Po 3', 'Cuneo', 'IT01234567890', '0171 1'],
        [2, 'Ferramenta Gallo', 'Via Alba 9', 'Asti', 'IT09876543210', '0141 2'],
      ],
    },
    Acquisti: tableOf(invoices.slice(0, 12), {
      '*"ID Acquisto" integer': ({ id }) => id,
      '"N° Fattura"': ({ id }) => `A${id}`,
      '"Data" datetime': ({ date }) => day(date),
      '"ID Fornitore" integer': ({ id }) => (id % 2) + 1,
      '"Imponibile" currency': 100,
      '"IVA" currency': 20,
      '"Totale" currency': 120,
      '"Pagata" bit': 0,
    }),
    Preventivi: tableOf(invoices.slice(20, 30), {
      '*"ID Preventivo" integer': ({ id }) => id,
      '"N° Preventivo"': ({ id }) => `P${id - 4_000}`,
      '"Data" datetime': ({ date }) => day(date),
      '"ID Cliente" integer': ({ customer }) => customer.id,
      '"Oggetto"': 'Fornitura',
      '"Accettato" bit': ({ id }) => (id % 2 ? -1 : 0),
    }),
    'Righe Preventivo': tableOf(
      byLine(invoices.slice(20, 30), (one, line) => ({ one, line })),
      {
        '*"ID Riga" integer': ({ line }) => line.id - 80_000,
        '"ID Preventivo" integer': ({ one }) => one.id,
        '"Cod Articolo"': ({ line }) => line.item.code,
        '"Descrizione"': ({ line }) => line.item.name,
        '"Quantità" double': ({ line }) => line.quantity,
        '"Prezzo" currency': ({ line }) => line.price,
      },
    ),
    'Copia di Clienti': tableOf(customers.slice(0, 7), {
      '*"ID Cliente" integer': ({ id }) => id,
      '"Ragione Sociale"': ({ name }) => name,
      '"Indirizzo"': ({ street }) => street,
      '"CAP"': ({ zip }) => zip,
      '"Località"': ({ city }) => city,
      '"Partita IVA"': ({ vat }) => vat,
    }),
    Magazzino: tableOf(lines.slice(0, 40), {
      '*"ID Movimento" integer': ({ line }) => line.id,
      '"Data" datetime': ({ one }) => day(one.date),
      '"Cod Articolo"': ({ line }) => line.item.code,
      '"Carico" double': 0,
      '"Scarico" double': ({ line }) => line.quantity,
    }),
    'Prima Nota': tableOf(done.slice(0, 20), {
      '*"ID" integer': ({ id }) => id,
      '"Data" datetime': ({ date }) => day(date),
      '"Descrizione"': (one) => `Ft ${numberOf(one)} ${one.customer.name}`,
      '"Entrata" currency': ({ gross }) => gross,
      '"Uscita" currency': null,
    }),
    Impostazioni: {
      columns:
        '*"ID" integer, "Nostra Ragione Sociale", "Nostra P IVA", "Nostro Indirizzo", "Ultimo Numero" integer',
      rows: [[1, 'Pompe Bianchi snc', 'IT11122233344', 'Via Roma 8, Cuneo', 45]],
    },
    'Errori di incollamento': { columns: '"F1", "F2", "F3"', rows: [['x', null, null]] },
  },
  sections: {
    header: {
      table: 'Fatture',
      key: 'ID Fattura',
      match: 'N° Fattura',
      where: { 'Tipo Doc': 'FATTURA' },
    },
    lines: {
      table: 'Righe Fattura',
      key: 'ID Riga',
      match: 'ID Fattura',
      matchFrom: 'ID Fattura',
    },
    customer: {
      table: 'Clienti',
      key: 'ID Cliente',
      match: 'ID Cliente',
      matchFrom: 'ID Cliente',
    },
  },
  fields: {
    number: 'Fatture.N° Fattura',
    issue_date: 'Fatture.Data',
    due_date: 'Fatture.Scadenza',
    purchase_order: 'Fatture.Vs Ordine',
    buyer_reference: 'Fatture.Vs Ordine',
    'delivery.date': 'Fatture.Data DDT',
    'notes[]': 'Fatture.Annotazioni',
    'payment_terms[].note': 'Fatture.Condizioni|Pagamenti.Descrizione Pagamento',
    'payment_means[].code': 'Fatture.ID Pagamento!map|Pagamenti.Descrizione Pagamento!map',
    'buyer.name': 'Clienti.Ragione Sociale',
    'buyer.trn': 'Clienti.Partita IVA',
    'PINT-MY:buyer.identifiers[].id': 'Clienti.Partita IVA',
    'buyer.address.line1': 'Clienti.Indirizzo',
    'buyer.address.city': 'Clienti.Località',
    'buyer.address.post_code': 'Clienti.CAP',
    'buyer.address.subdivision': 'Clienti.Prov',
    'buyer.address.country': 'Clienti.Nazione!map',
    'buyer.contact.name': 'Clienti.Referente',
    'buyer.contact.phone': 'Clienti.Telefono',
    'buyer.contact.email': 'Clienti.E-mail',
    'lines[].id': 'Righe Fattura.Riga|Righe Fattura.ID Riga',
    'lines[].sku': 'Righe Fattura.Cod Articolo|Articoli.Cod Articolo',
    'lines[].name': 'Righe Fattura.Descrizione|Articoli.Descrizione',
    'lines[].description': 'Righe Fattura.Descrizione|Articoli.Descrizione',
    'lines[].qty': 'Righe Fattura.Quantità',
    'lines[].unit': 'Righe Fattura.U M!map|Articoli.U M!map',
    'lines[].unit_price': 'Righe Fattura.Prezzo',
    'lines[].gross_price': 'Righe Fattura.Prezzo',
    'lines[].allowances[].percent': 'Righe Fattura.Sconto!multiply',
    'lines[].tax.rate': 'Codici IVA.Aliquota!multiply|Righe Fattura.Cod IVA!map',
    'lines[].tax.category':
      'Righe Fattura.Cod IVA!map|Codici IVA.Aliquota!map|Codici IVA.Descrizione IVA!map|Codici IVA.Cod IVA!map|Articoli.Cod IVA!map',
  },
};
