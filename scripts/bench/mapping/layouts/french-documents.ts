import type { Layout } from './layout.ts';
import { at, tableOf } from './tables.ts';
import { byLine, customers, type Invoice, invoices, items } from './trade.ts';

type Line = Invoice['lines'][number];

interface Piece {
  readonly one: Invoice;
  readonly domain: number;
  readonly type: number;
  readonly number: string;
  readonly third: string;
}

const countries: Readonly<Record<string, string>> = {
  DE: 'Allemagne',
  AE: 'Emirats Arabes Unis',
  CH: 'Suisse',
  ES: 'Espagne',
  MY: 'Malaisie',
  FR: 'France',
  PT: 'Portugal',
  GB: 'Royaume-Uni',
  SE: 'Suède',
};
const unitNames: Readonly<Record<string, string>> = {
  PCS: 'Pièce',
  M: 'Mètre',
  HR: 'Heure',
  L: 'Litre',
  KG: 'Kilo',
};
const units = Object.values(unitNames);

const isCredit = ({ kind }: Invoice) => kind === 'credit';
const sign = (one: Invoice) => (isCredit(one) ? -1 : 1);
const day = (date: string) => at(date, '00:00:00');
const piece = (prefix: string, { id }: Invoice) => `${prefix}${String(id - 3900).padStart(6, '0')}`;
const supplier = 'FMOULIN';

/** Invoices that are not in the books yet have type 6, those that are 7; quotes, orders and deliveries stand beside them. */
const sold: readonly Piece[] = invoices.map((one) => ({
  one,
  domain: 0,
  type: one.isDraft ? 6 : 7,
  number: piece(isCredit(one) ? 'AV' : 'FA', one),
  third: one.customer.code,
}));
const before = [
  { type: 0, prefix: 'DE', count: 9 },
  { type: 1, prefix: 'BC', count: 14 },
  { type: 3, prefix: 'BL', count: 6 },
].flatMap(({ type, prefix, count }) =>
  invoices
    .slice(20, 20 + count)
    .map((one) => ({ one, domain: 0, type, number: piece(prefix, one), third: one.customer.code })),
);
const bought: readonly Piece[] = invoices.slice(0, 12).map((one, index) => ({
  one,
  domain: 1,
  type: index % 3 === 0 ? 12 : 17,
  number: piece(index % 3 === 0 ? 'FBC' : 'FFA', one),
  third: supplier,
}));
const pieces = [...sold, ...before, ...bought];
const lines = pieces.flatMap((of) => byLine([of.one], (one, line) => ({ of, one, line })));

const signOf = ({ of, one }: { of: Piece; one: Invoice }) =>
  of.type === 6 || of.type === 7 ? sign(one) : 1;
const grossPrice = ({ price, item }: Line) => Math.round(price * (100 + item.rate)) / 100;
const isPaid = ({ id }: Invoice) => id % 3 === 0;

/**
 * Two words a name, all kinds of documents in one table, the due date and the way of payment in a third, the
 * type of a document as a number (Sage 100 Gestion commerciale). What the types mean: github.com/pafnow/sage100c; columns: public
 * programs that read these tables.
 */
export const frenchDocuments: Layout = {
  name: 'french-documents',
  isHeldOut: true,
  hasDiscounts: true,
  tables: {
    F_DOCENTETE: tableOf(pieces, {
      'DO_Domaine smallint': ({ domain }) => domain,
      'DO_Type smallint': ({ type }) => type,
      'DO_Piece varchar(13)': ({ number }) => number,
      'DO_Date datetime': ({ one }) => day(one.date),
      'DO_Ref varchar(17)': ({ one }) => one.order,
      'DO_Tiers varchar(17)': ({ third }) => third,
      'CO_No integer': ({ one }) => (one.id % 2) + 1,
      'DO_Period smallint': 1,
      'DO_Devise smallint': 1,
      'DO_Cours numeric': 1,
      'DE_No integer': 1,
      'LI_No integer': ({ one }) => one.customer.id + 40,
      'CT_NumPayeur varchar(17)': ({ third }) => third,
      'DO_Expedit smallint, DO_NbFacture smallint': 1,
      'DO_BLFact smallint': 0,
      'DO_TxEscompte numeric': 0,
      'DO_Reliquat smallint': 0,
      'DO_Imprim smallint': ({ one }) => (one.isDraft ? 0 : 1),
      'CA_Num varchar(13)': '',
      'DO_Coord01 varchar(25), DO_Coord02 varchar(25), DO_Coord03 varchar(25), DO_Coord04 varchar(25)':
        '',
      'DO_Souche smallint': 0,
      'DO_DateLivr datetime': ({ one }) => day(one.date),
      'DO_Condition smallint, DO_Tarif smallint, DO_Colisage smallint, DO_TypeColis smallint': 1,
      'DO_Transaction smallint': 11,
      'DO_Langue smallint, DO_Ecart numeric': 0,
      'DO_Regime smallint': 21,
      'N_CatCompta smallint': ({ one }) => (one.customer.countryCode === 'FR' ? 1 : 2),
      'DO_Ventile smallint, AB_No integer': 0,
      'DO_DebutAbo datetime, DO_FinAbo datetime, DO_DebutPeriod datetime, DO_FinPeriod datetime':
        '1753-01-01 00:00:00',
      'CG_Num varchar(13)': ({ domain }) => (domain === 0 ? '4110000' : '4010000'),
      'DO_Statut smallint': 2,
      'DO_Heure varchar(9)': '000104107',
      'CA_No integer, CO_NoCaissier integer, DO_Transfere smallint, DO_Cloture smallint': 0,
      'DO_NoWeb varchar(17)': '',
      'DO_Attente smallint': 0,
      'DO_Provenance smallint': ({ type, one }) =>
        (type === 6 || type === 7) && isCredit(one) ? 2 : 0,
      'MR_No integer, DO_TypeFrais smallint, DO_ValFrais numeric, DO_TypeLigneFrais smallint': 0,
      'DO_Taxe1 numeric, DO_Taxe2 numeric, DO_Taxe3 numeric, DO_MajCpta smallint': 0,
      'DO_Motif varchar(69)': '',
      'DO_Contact varchar(35)': ({ one, domain }) =>
        domain === 0 ? `${one.customer.first} ${one.customer.last}` : '',
      'DO_FactureElec smallint, DO_TypeTransac smallint': 0,
      'DO_DateLivrRealisee datetime': ({ one }) => day(one.date),
      'DO_FactureFrs varchar(35)': ({ domain, one }) => (domain === 1 ? `M-${one.id}` : ''),
      'DO_PieceOrig varchar(13)': '',
      'DO_Valide smallint': ({ one }) => (one.isDraft ? 0 : 1),
      'DO_Coffre smallint': 0,
      'DO_CodeTaxe1 varchar(5)': null,
      'DO_TotalHT numeric, DO_TotalHTNet numeric': (of) => of.one.net * signOf({ of, one: of.one }),
      'DO_TotalTTC numeric, DO_NetAPayer numeric': (of) =>
        of.one.gross * signOf({ of, one: of.one }),
      'DO_MontantRegle numeric': ({ type, one }) =>
        type === 7 && isPaid(one) ? one.gross * sign(one) : 0,
      'cbProt smallint': 0,
      '*cbMarq integer': (_of, index) => index + 1,
      'cbCreateur char(4)': 'COLS',
      'cbModification datetime': ({ one }) => at(one.date),
      'cbReplication integer, cbFlag smallint': 0,
    }),
    F_DOCLIGNE: tableOf(lines, {
      'DO_Domaine smallint': ({ of }) => of.domain,
      'DO_Type smallint': ({ of }) => of.type,
      'CT_Num varchar(17)': ({ of }) => of.third,
      'DO_Piece varchar(13)': ({ of }) => of.number,
      'DL_PieceBC varchar(13), DL_PieceBL varchar(13)': '',
      'DO_Date datetime, DL_DateBC datetime, DL_DateBL datetime': ({ one }) => day(one.date),
      'DL_Ligne integer': ({ line }) => line.position * 1000,
      'DO_Ref varchar(17)': ({ one }) => one.order,
      'DL_TNomencl smallint, DL_TRemPied smallint, DL_TRemExep smallint': 0,
      'AR_Ref varchar(19)': ({ line }) => line.item.code,
      'DL_Design varchar(69)': ({ line }) => line.item.name,
      'DL_Qte numeric': (row) => row.line.quantity * signOf(row),
      'DL_QteBC numeric, DL_QteBL numeric': (row) => row.line.quantity * signOf(row),
      'DL_PoidsNet numeric, DL_PoidsBrut numeric': ({ line }) => line.quantity * 250,
      'DL_Remise01REM_Valeur numeric': ({ line }) => line.discount,
      'DL_Remise01REM_Type smallint': ({ line }) => (line.discount > 0 ? 1 : 0),
      'DL_Remise02REM_Valeur numeric, DL_Remise02REM_Type smallint': 0,
      'DL_Remise03REM_Valeur numeric, DL_Remise03REM_Type smallint': 0,
      'DL_PrixUnitaire numeric': ({ line }) => line.price,
      'DL_PUBC numeric': 0,
      'DL_Taxe1 numeric': ({ line }) => line.item.rate,
      'DL_TypeTaux1 smallint, DL_TypeTaxe1 smallint, DL_Taxe2 numeric, DL_TypeTaux2 smallint': 0,
      'CO_No integer': ({ one }) => (one.id % 2) + 1,
      'DL_PrixRU numeric, DL_CMUP numeric': ({ line }) => line.item.price / 2,
      'DL_MvtStock smallint': ({ of }) => (of.type === 7 ? 3 : 0),
      'AF_RefFourniss varchar(19)': '',
      'EU_Enumere varchar(35)': ({ line }) => unitNames[line.item.unit] ?? '',
      'EU_Qte numeric': (row) => row.line.quantity * signOf(row),
      'DL_TTC smallint': 0,
      'DE_No integer, DL_NoRef smallint': 1,
      'DL_TypePL smallint': 0,
      'DL_PUDevise numeric': ({ line }) => line.price,
      'DL_PUTTC numeric': ({ line }) => grossPrice(line),
      'DL_No integer': (_row, index) => index + 7001,
      'DO_DateLivr datetime': ({ one }) => day(one.date),
      'CA_Num varchar(13)': '',
      'DL_Taxe3 numeric, DL_Frais numeric': 0,
      'DL_Valorise smallint': 1,
      'AR_RefCompose varchar(19)': null,
      'DL_NonLivre smallint': 0,
      'AC_RefClient varchar(19)': '',
      'DL_MontantHT numeric': (row) => row.line.net * signOf(row),
      'DL_MontantTTC numeric': (row) =>
        Math.round((row.line.net + row.line.tax) * 100 * signOf(row)) / 100,
      'DL_FactPoids smallint, DL_Escompte smallint': 0,
      'DL_PiecePL varchar(13)': '',
      'DL_CodeTaxe1 varchar(5)': ({ line }) => (line.item.rate === 0 ? 'C00' : 'C20'),
      'DL_CodeTaxe2 varchar(5), DL_CodeTaxe3 varchar(5)': null,
      '*cbMarq integer': (_row, index) => index + 30_001,
      'cbCreateur char(4)': 'COLS',
      'cbModification datetime': ({ one }) => at(one.date),
    }),
    F_DOCREGL: tableOf(
      pieces.filter(({ type }) => type !== 0),
      {
        'DR_No integer': (_of, index) => index + 301,
        'DO_Domaine smallint': ({ domain }) => domain,
        'DO_Type smallint': ({ type }) => type,
        'DO_Piece varchar(13)': ({ number }) => number,
        'DR_TypeRegl smallint': 2,
        'DR_Date datetime': ({ one }) => day(one.due),
        'DR_Libelle varchar(35)': '',
        'DR_Pourcent numeric, DR_Montant numeric, DR_MontantDev numeric': 0,
        'DR_Equil smallint': 1,
        'EC_No integer': 0,
        'DR_Regle smallint': ({ type, one }) => (type === 7 && isPaid(one) ? 1 : 0),
        'N_Reglement smallint': ({ one }) => (one.id % 4 === 0 ? 1 : 2),
        '*cbMarq integer': (_of, index) => index + 301,
      },
    ),
    F_COMPTET: tableOf(
      [
        ...customers.map((one) => ({ one, isSupplier: false })),
        { one: customers[5]!, isSupplier: true },
      ],
      {
        'CT_Num varchar(17)': ({ one, isSupplier }) => (isSupplier ? supplier : one.code),
        'CT_Intitule varchar(69)': ({ one, isSupplier }) =>
          isSupplier ? 'Moulin du Nord' : one.name,
        'CT_Type smallint': ({ isSupplier }) => (isSupplier ? 1 : 0),
        'CG_NumPrinc varchar(13)': ({ isSupplier }) => (isSupplier ? '4010000' : '4110000'),
        'CT_Qualite varchar(17)': 'SA',
        'CT_Classement varchar(17)': ({ one }) => one.name.slice(0, 9).toUpperCase(),
        'CT_Contact varchar(35)': ({ one }) => `${one.first} ${one.last}`,
        'CT_Adresse varchar(35)': ({ one }) => one.street,
        'CT_Complement varchar(35)': '',
        'CT_CodePostal varchar(9)': ({ one }) => one.zip,
        'CT_Ville varchar(35)': ({ one }) => one.city,
        'CT_CodeRegion varchar(25)': ({ one }) => one.state,
        'CT_Pays varchar(35)': ({ one }) => countries[one.countryCode] ?? '',
        'CT_Raccourci varchar(7)': '',
        'BT_Num smallint': 0,
        'N_Devise smallint': 1,
        'CT_Ape varchar(7)': ({ one }) => `46${one.id}9Z`,
        'CT_Identifiant varchar(25)': ({ one, isSupplier }) =>
          isSupplier ? 'FR40303265045' : one.vat,
        'CT_Siret varchar(15)': ({ one }) => `5520${one.id}0013400${one.id}`,
        'CT_Statistique01 varchar(21)': ({ one }) => (one.id % 2 ? 'Industrie' : 'Négoce'),
        'CT_Statistique02 varchar(21), CT_Statistique03 varchar(21), CT_Commentaire varchar(35)':
          '',
        'CT_Encours numeric': 15_000,
        'CT_Assurance numeric': 0,
        'CT_NumPayeur varchar(17)': ({ one, isSupplier }) => (isSupplier ? supplier : one.code),
        'N_Risque smallint, N_CatTarif smallint, N_CatCompta smallint, N_Period smallint': 1,
        'CO_No integer': ({ one }) => (one.id % 2) + 1,
        'CT_Taux01 numeric, CT_Taux02 numeric': 0,
        'CT_Facture smallint': 1,
        'CT_BLFact smallint, CT_Langue smallint': 0,
        'CT_EdiCode varchar(23)': '',
        'CT_DateCreate datetime': '2021-03-01 00:00:00',
        'CT_Sommeil smallint': 0,
        'CT_Telephone varchar(21)': ({ one }) => one.phone,
        'CT_Telecopie varchar(21)': '',
        'CT_EMail varchar(69)': ({ one }) => one.email,
        'CT_Site varchar(69)': '',
        '*cbMarq integer': (_row, index) => index + 1,
      },
    ),
    F_LIVRAISON: tableOf(customers, {
      '*LI_No integer': ({ id }) => id + 40,
      'CT_Num varchar(17)': ({ code }) => code,
      'LI_Intitule varchar(35)': ({ name }) => `${name.split(' ')[0]} dépôt`,
      'LI_Adresse varchar(35)': ({ id }) => `Quai ${id}`,
      'LI_Complement varchar(35)': '',
      'LI_CodePostal varchar(9)': ({ zip }) => zip,
      'LI_Ville varchar(35)': ({ city }) => city,
      'LI_Pays varchar(35)': ({ countryCode }) => countries[countryCode] ?? '',
      'LI_Contact varchar(35), LI_Telephone varchar(21), LI_EMail varchar(69)': '',
      'LI_Principal smallint': 1,
    }),
    F_ARTICLE: tableOf(items, {
      'AR_Ref varchar(19)': ({ code }) => code,
      'AR_Design varchar(69)': ({ name }) => name,
      'FA_CodeFamille varchar(11)': ({ unit }) => (unit === 'HR' ? 'PREST' : 'MARCH'),
      'AR_Raccourci varchar(7), AR_CodeBarre varchar(19), AR_Pays varchar(35)': '',
      'AR_Garantie smallint': 0,
      'AR_UnitePoids smallint': 3,
      'AR_PoidsNet numeric, AR_PoidsBrut numeric': 250,
      'AR_UniteVen smallint': ({ unit }) => units.indexOf(unitNames[unit] ?? '') + 1,
      'AR_PrixAch numeric': ({ price }) => price / 2,
      'AR_Coef numeric': 2,
      'AR_PrixVen numeric': ({ price }) => price,
      'AR_PrixTTC smallint, AR_Gamme1 smallint, AR_Gamme2 smallint': 0,
      'AR_SuiviStock smallint': 2,
      'AR_Sommeil smallint': 0,
      '*cbMarq integer': ({ id }) => id,
    }),
    F_ARTSTOCK: tableOf(items, {
      'AR_Ref varchar(19)': ({ code }) => code,
      'DE_No integer': 1,
      'AS_QteMini numeric, AS_QteMaxi numeric': 0,
      'AS_MontSto numeric': ({ price }) => price * 20,
      'AS_QteSto numeric': 40,
      '*cbMarq integer': ({ id }) => id,
    }),
    F_TAXE: {
      columns:
        'TA_Intitule varchar(35), TA_TTaux smallint, TA_Taux numeric, TA_Type smallint, CG_Num varchar(13), ' +
        'TA_No integer, TA_Code varchar(5), TA_NP numeric, TA_Sens smallint, TA_Provenance smallint, *cbMarq integer',
      rows: [
        ['TVA collectée 20%', 0, 20, 0, '4457120', 1, 'C20', 0, 1, 0, 1],
        ['TVA exonérée', 0, 0, 0, '4457100', 2, 'C00', 0, 1, 0, 2],
        ['TVA déductible 20%', 0, 20, 0, '4456620', 3, 'D20', 0, 0, 0, 3],
      ],
    },
    F_ECRITUREC: tableOf(
      sold
        .filter(({ type }) => type === 7)
        .flatMap((of) => ['4110000', '7070000', '4457120'].map((account) => ({ of, account }))),
      {
        'JO_Num varchar(7)': 'VTE',
        '*EC_No integer': (_row, index) => index + 1,
        'JM_Date datetime': '2026-01-01 00:00:00',
        'EC_Jour smallint': ({ of }) => Number(of.one.date.slice(8)),
        'EC_Date datetime': ({ of }) => day(of.one.date),
        'EC_Piece varchar(13), EC_RefPiece varchar(17)': ({ of }) => of.number,
        'CG_Num varchar(13)': ({ account }) => account,
        'CT_Num varchar(17)': ({ of, account }) => (account === '4110000' ? of.third : null),
        'EC_Intitule varchar(35)': ({ of }) => of.one.customer.name,
        'N_Reglement smallint': 2,
        'EC_Echeance datetime': ({ of }) => day(of.one.due),
        'EC_Sens smallint': ({ account }) => (account === '4110000' ? 0 : 1),
        'EC_Montant numeric': ({ of, account }) =>
          account === '4110000' ? of.one.gross : account === '7070000' ? of.one.net : of.one.tax,
        'EC_Lettrage varchar(3)': '',
      },
    ),
    P_DEVISE: {
      columns:
        'D_Intitule varchar(35), D_Format varchar(31), D_Cours numeric, D_CoursP numeric, D_Monnaie varchar(21), ' +
        'D_SousMonnaie varchar(21), D_CodeISO varchar(3), D_Sigle varchar(5), D_Mode smallint, N_DeviseCot smallint, ' +
        'cbIndice smallint, *cbMarq integer',
      rows: [
        ['Euro', '# ##0,00', 1, 1, 'Euro', 'Cent', 'EUR', '€', 0, 0, 1, 1],
        ['Dollar US', '# ##0,00', 1.08, 1, 'Dollar', 'Cent', 'USD', '$', 0, 1, 2, 2],
        ['Livre Sterling', '# ##0,00', 0.86, 1, 'Livre', 'Penny', 'GBP', '£', 0, 1, 3, 3],
      ],
    },
    P_REGLEMENT: {
      columns:
        'R_Intitule varchar(35), R_Code varchar(3), R_ModePaieDebit smallint, cbIndice smallint, *cbMarq integer',
      rows: [
        ['Chèque', 'CHQ', 0, 1, 1],
        ['Virement', 'VIR', 0, 2, 2],
        ['Carte bancaire', 'CB', 0, 3, 3],
        ['', '', 0, 4, 4],
      ],
    },
    P_UNITE: tableOf([...units, ''], {
      'U_Intitule varchar(21)': (name) => name,
      'U_Correspondance smallint': 0,
      'cbIndice smallint': (_name, index) => index + 1,
      '*cbMarq integer': (_name, index) => index + 1,
    }),
    P_DOSSIER: {
      columns:
        'D_RaisonSoc varchar(35), D_Profession varchar(35), D_Adresse varchar(35), D_Complement varchar(35), ' +
        'D_CodePostal varchar(9), D_Ville varchar(35), D_CodeRegion varchar(25), D_Pays varchar(35), D_Commentaire varchar(255), ' +
        'D_Ape varchar(7), D_Siret varchar(15), D_Identifiant varchar(25), D_Telephone varchar(21), D_Telecopie varchar(21), ' +
        'D_EMailSoc varchar(69), D_Site varchar(69), D_DebutExo01 datetime, D_FinExo01 datetime, *cbMarq integer',
      rows: [
        [
          'Pompes du Rhône SAS',
          'Négoce',
          '12 quai Rambaud',
          '',
          '69002',
          'Lyon',
          'ARA',
          'France',
          '',
          '4669B',
          '55210055400013',
          'FR76552100554',
          '+33 4 72 00 00 00',
          '',
          'compta@pompes.example',
          '',
          '2026-01-01 00:00:00',
          '2026-12-31 00:00:00',
          1,
        ],
      ],
    },
    F_COLLABORATEUR: {
      columns:
        '*CO_No integer, CO_Nom varchar(35), CO_Prenom varchar(35), CO_Fonction varchar(35), CO_EMail varchar(69)',
      rows: [
        [1, 'Durand', 'Luc', 'Vente', 'luc@pompes.example'],
        [2, 'Petit', 'Eva', 'Vente', 'eva@pompes.example'],
      ],
    },
    F_DEPOT: {
      columns:
        '*DE_No integer, DE_Intitule varchar(35), DE_Adresse varchar(35), DE_CodePostal varchar(9), DE_Ville varchar(35)',
      rows: [[1, 'Dépôt principal', '12 quai Rambaud', '69002', 'Lyon']],
    },
  },
  sections: {
    header: {
      table: 'F_DOCENTETE',
      key: 'cbMarq',
      match: 'DO_Piece',
      where: { DO_Provenance: '0', DO_Type: '7' },
    },
    lines: { table: 'F_DOCLIGNE', key: 'cbMarq', match: 'DO_Piece', matchFrom: 'DO_Piece' },
    customer: { table: 'F_COMPTET', key: 'cbMarq', match: 'CT_Num', matchFrom: 'DO_Tiers' },
  },
  fields: {
    number: 'F_DOCENTETE.DO_Piece',
    issue_date: 'F_DOCENTETE.DO_Date',
    due_date: 'F_DOCREGL.DR_Date',
    currency:
      'P_DEVISE.D_CodeISO|F_DOCENTETE.DO_Devise!map|P_DEVISE.D_Intitule!map|P_DEVISE.D_Sigle!map',
    'exchange_rate.rate': 'F_DOCENTETE.DO_Cours',
    purchase_order: 'F_DOCENTETE.DO_Ref',
    buyer_reference: 'F_DOCENTETE.DO_Ref',
    'delivery.date': 'F_DOCENTETE.DO_DateLivr|F_DOCENTETE.DO_DateLivrRealisee',
    'payment_means[].code':
      'F_DOCREGL.N_Reglement!map|P_REGLEMENT.R_Intitule!map|P_REGLEMENT.R_Code!map',
    'totals.net': 'F_DOCENTETE.DO_TotalHTNet|F_DOCENTETE.DO_TotalHT',
    'totals.lines': 'F_DOCENTETE.DO_TotalHT|F_DOCENTETE.DO_TotalHTNet',
    'totals.gross': 'F_DOCENTETE.DO_TotalTTC|F_DOCENTETE.DO_NetAPayer',
    'totals.due': 'F_DOCENTETE.DO_NetAPayer|F_DOCENTETE.DO_TotalTTC',
    'totals.prepaid': 'F_DOCENTETE.DO_MontantRegle',
    'buyer.name': 'F_COMPTET.CT_Intitule',
    'buyer.trn': 'F_COMPTET.CT_Identifiant',
    'PINT-MY:buyer.identifiers[].id': 'F_COMPTET.CT_Identifiant',
    'buyer.registration_id': 'F_COMPTET.CT_Siret',
    'buyer.address.line1': 'F_COMPTET.CT_Adresse',
    'buyer.address.city': 'F_COMPTET.CT_Ville',
    'buyer.address.post_code': 'F_COMPTET.CT_CodePostal',
    'buyer.address.subdivision': 'F_COMPTET.CT_CodeRegion',
    'buyer.address.country': 'F_COMPTET.CT_Pays!map',
    'buyer.contact.name': 'F_DOCENTETE.DO_Contact|F_COMPTET.CT_Contact',
    'buyer.contact.phone': 'F_COMPTET.CT_Telephone',
    'buyer.contact.email': 'F_COMPTET.CT_EMail',
    'lines[].id': 'F_DOCLIGNE.DL_Ligne|F_DOCLIGNE.DL_No|F_DOCLIGNE.cbMarq',
    'lines[].sku': 'F_DOCLIGNE.AR_Ref|F_ARTICLE.AR_Ref',
    'lines[].name': 'F_DOCLIGNE.DL_Design|F_ARTICLE.AR_Design',
    'lines[].description': 'F_DOCLIGNE.DL_Design|F_ARTICLE.AR_Design',
    'lines[].qty': 'F_DOCLIGNE.DL_Qte|F_DOCLIGNE.EU_Qte',
    'lines[].unit': 'F_DOCLIGNE.EU_Enumere!map|P_UNITE.U_Intitule!map|F_ARTICLE.AR_UniteVen!map',
    'lines[].unit_price': 'F_DOCLIGNE.DL_PrixUnitaire|F_DOCLIGNE.DL_PUDevise',
    'lines[].gross_price': 'F_DOCLIGNE.DL_PrixUnitaire|F_DOCLIGNE.DL_PUDevise',
    'lines[].allowances[].percent': 'F_DOCLIGNE.DL_Remise01REM_Valeur',
    'lines[].net': 'F_DOCLIGNE.DL_MontantHT',
    'lines[].tax.rate': 'F_DOCLIGNE.DL_Taxe1|F_TAXE.TA_Taux',
    'lines[].tax.category':
      'F_DOCLIGNE.DL_CodeTaxe1!map|F_DOCLIGNE.DL_Taxe1!map|F_TAXE.TA_Taux!map|F_TAXE.TA_Code!map|F_TAXE.TA_Intitule!map',
  },
};
