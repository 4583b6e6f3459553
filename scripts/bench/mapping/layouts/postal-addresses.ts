import type { Layout, LayoutTable } from './layout.ts';
import { at, tableOf } from './tables.ts';
import { bills, byLine, customers, done, type Invoice, invoices, items } from './trade.ts';

type Line = Invoice['lines'][number];
type Customer = Invoice['customer'];

const round = (value: number) => Math.round(value * 100) / 100;
const sum = (values: readonly number[]) => round(values.reduce((all, value) => all + value, 0));
const dirhams = 3.6725;
const recIds = 5_637_144_576;
const company = 'gmt';
const dayOf = (date: string) => at(date, '00:00:00');
const never = '1900-01-01 00:00:00';

const isCredit = ({ kind }: Invoice) => kind === 'credit';
const sign = (one: Invoice) => (isCredit(one) ? -1 : 1);
const currency = (one: Invoice) => (one.currency === 'USD' ? 'USD' : 'AED');
const own = (one: Invoice, amount: number) =>
  currency(one) === 'USD' ? round(amount * dirhams) : amount;
const rateOf = ({ item }: Line) => (item.rate === 0 ? 0 : 5);
const taxOf = (line: Line) => round((line.net * rateOf(line)) / 100);
const taxes = (one: Invoice) => sum(one.lines.map(taxOf));
const gross = (one: Invoice) => round(one.net + taxes(one));
const discounts = (one: Invoice) =>
  sum(one.lines.map((line) => round(line.quantity * line.price) - line.net));
const isPaid = ({ id }: Invoice) => id % 3 === 0;
const quantity = (one: Invoice) => one.lines.reduce((all, line) => all + line.quantity, 0);
const taxGroup = (line: Line) => (line.item.rate === 0 ? 'ZERO' : 'FULL');
const taxCode = (line: Line) => (line.item.rate === 0 ? 'VAT0' : 'VAT5');

/** The head office is billed for what its depot orders. */
const depot = `${customers[0]!.code}-1`;
const orderAccount = ({ customer, id }: Invoice) =>
  customer.id === customers[0]!.id && id % 2 === 0 ? depot : customer.code;
const accounts = [
  ...customers.map((one) => ({ one, account: one.code, billTo: '', nth: one.id })),
  { one: customers[0]!, account: depot, billTo: customers[0]!.code, nth: 90 },
];

const invoiceId = ({ id, kind }: Invoice) =>
  kind === 'credit'
    ? `SCN-${String(id - 4000).padStart(6, '0')}`
    : `INV-${String(id - 4000).padStart(6, '0')}`;
const voucher = ({ id }: Invoice) => `SIV-${String(id - 3000).padStart(8, '0')}`;
const salesId = ({ id }: Invoice) => `SO-${String(id - 4000).padStart(6, '0')}`;
const lot = (line: Line) => `LOT-${String(line.id - 90_000).padStart(6, '0')}`;
const partyOf = (nth: number) => recIds + 1000 + nth;
const contactParty = (id: number) => recIds + 1500 + id;
const locationOf = (nth: number) => recIds + 2000 + nth;
const addressOf = (nth: number) => recIds + 3000 + nth;
const phoneOf = (id: number) => recIds + 4000 + id;
const mailOf = (id: number) => recIds + 4500 + id;
const productOf = (id: number) => recIds + 5000 + id;
const journal = ({ id }: Invoice) => recIds + 60_000 + id;
const units: Readonly<Record<string, string>> = { PCS: 'ea', M: 'm', HR: 'h', L: 'ltr', KG: 'kg' };
const iso3: Readonly<Record<string, string>> = {
  DE: 'DEU',
  AE: 'ARE',
  CH: 'CHE',
  ES: 'ESP',
  MY: 'MYS',
  FR: 'FRA',
  PT: 'PRT',
  GB: 'GBR',
  SE: 'SWE',
};
const countries = [...new Map(customers.map((one) => [one.countryCode, one])).values()];
const trn = ({ id, countryCode, vat }: Customer) =>
  countryCode === 'AE' ? `100${String(id * 7_919).padStart(9, '4')}003` : vat;

const stamps = {
  'MODIFIEDDATETIME datetime': at('2026-02-01'),
  'MODIFIEDBY nvarchar(20)': 'hadi',
  'CREATEDDATETIME datetime': at('2026-02-01'),
  'CREATEDBY nvarchar(20)': 'hadi',
} as const;
const shared = { 'RECVERSION int': 1, 'PARTITION bigint': recIds } as const;
const kept = { 'DATAAREAID nvarchar(4)': company, ...shared } as const;

const lines = byLine(done, (one, line) => ({ one, line }));
const ordered = byLine(invoices, (one, line) => ({ one, line }));
const open = invoices.filter(({ isDraft }) => isDraft);
const bought = bills.slice(0, 14);
const purchases = bought.map((one) => ({
  one,
  line: one.lines[0]!,
  price: round(one.lines[0]!.price / 2),
}));
const costOf = ({ line, price }: (typeof purchases)[number]) => round(line.quantity * price);

const vendors = [
  { nth: 1, name: 'Creek Metals LLC' },
  { nth: 2, name: 'Mill Supplies FZCO' },
];

const parties = [
  ...accounts.map(({ one, account, nth }) => ({
    id: partyOf(nth),
    name: account === depot ? `${one.name} Depot` : one.name,
    isPerson: false,
    location: locationOf(nth),
    one,
  })),
  ...customers.map((one) => ({
    id: contactParty(one.id),
    name: `${one.first} ${one.last}`,
    isPerson: true,
    location: 0,
    one,
  })),
  ...vendors.map(({ nth, name }) => ({
    id: partyOf(nth + 94),
    name,
    isPerson: false,
    location: 0,
    one: customers[1]!,
  })),
];

const subledgers: Readonly<Record<string, LayoutTable>> = {
  CUSTTRANS: tableOf(
    [
      ...done.map((one) => ({ one, isPayment: false })),
      ...bills.filter(isPaid).map((one) => ({ one, isPayment: true })),
    ],
    {
      'ACCOUNTNUM nvarchar(20)': ({ one }) => one.customer.code,
      'TRANSDATE datetime': ({ one, isPayment }) => dayOf(isPayment ? one.due : one.date),
      'VOUCHER nvarchar(20)': ({ one, isPayment }) => (isPayment ? `ARP-${one.id}` : voucher(one)),
      'INVOICE nvarchar(20)': ({ one, isPayment }) => (isPayment ? '' : invoiceId(one)),
      'TXT nvarchar(60)': ({ one, isPayment }) =>
        isPayment ? 'Customer payment' : `Sales invoice ${invoiceId(one)}`,
      'AMOUNTCUR numeric': ({ one, isPayment }) =>
        isPayment ? -gross(one) : sign(one) * gross(one),
      'AMOUNTMST numeric': ({ one, isPayment }) =>
        (isPayment ? -1 : sign(one)) * own(one, gross(one)),
      'SETTLEAMOUNTCUR numeric': ({ one, isPayment }) =>
        isPayment ? -gross(one) : isPaid(one) ? sign(one) * gross(one) : 0,
      'SETTLEAMOUNTMST numeric': ({ one, isPayment }) =>
        isPayment ? -own(one, gross(one)) : isPaid(one) ? sign(one) * own(one, gross(one)) : 0,
      'CURRENCYCODE nvarchar(3)': ({ one }) => currency(one),
      'DUEDATE datetime': ({ one, isPayment }) => (isPayment ? never : dayOf(one.due)),
      'LASTSETTLEVOUCHER nvarchar(20)': ({ one }) => (isPaid(one) ? `ARP-${one.id}` : ''),
      'LASTSETTLEDATE datetime, CLOSED datetime': ({ one }) =>
        isPaid(one) ? dayOf(one.due) : never,
      'TRANSTYPE int': ({ isPayment }) => (isPayment ? 15 : 2),
      'APPROVED int': 1,
      'APPROVER bigint': 0,
      'EXCHADJUSTMENT numeric': 0,
      'DOCUMENTNUM nvarchar(20)': '',
      'DOCUMENTDATE datetime': never,
      'EXCHRATE numeric': ({ one }) => (currency(one) === 'USD' ? 367.25 : 100),
      'FIXEDEXCHRATE int, CORRECT int, PREPAYMENT int': 0,
      'PAYMMODE nvarchar(10), PAYMSPEC nvarchar(10), PAYMREFERENCE nvarchar(20)': '',
      'POSTINGPROFILE nvarchar(10)': 'GEN',
      'DEFAULTDIMENSION bigint': recIds + 17,
      'ORDERACCOUNT nvarchar(20)': ({ one }) => orderAccount(one),
      'PAYMID nvarchar(40), DELIVERYMODE nvarchar(10)': '',
      ...stamps,
      ...kept,
      '*RECID bigint': ({ one, isPayment }) => recIds + (isPayment ? 90_000 : 80_000) + one.id,
    },
  ),
  TAXTRANS: tableOf(
    [
      ...lines.map((each) => ({
        ...each,
        isBought: false,
        base: -sign(each.one) * each.line.net,
        tax: -sign(each.one) * taxOf(each.line),
      })),
      ...purchases.map((each) => ({
        ...each,
        isBought: true,
        base: costOf(each),
        tax: round((costOf(each) * rateOf(each.line)) / 100),
      })),
    ],
    {
      'VOUCHER nvarchar(20)': ({ one, isBought }) => (isBought ? `PIV-${one.id}` : voucher(one)),
      'TRANSDATE datetime': ({ one }) => dayOf(one.date),
      'TAXCODE nvarchar(10)': ({ line }) => taxCode(line),
      'TAXGROUP nvarchar(10)': ({ isBought }) => (isBought ? 'AP-DOM' : 'AR-DOM'),
      'TAXITEMGROUP nvarchar(10)': ({ line }) => taxGroup(line),
      'TAXDIRECTION int': ({ isBought }) => (isBought ? 2 : 1),
      'TAXAMOUNT numeric': ({ one, tax, isBought }) => (isBought ? tax : own(one, tax)),
      'TAXBASEAMOUNT numeric': ({ one, base, isBought }) => (isBought ? base : own(one, base)),
      'TAXAMOUNTCUR numeric, SOURCETAXAMOUNTCUR numeric': ({ tax }) => tax,
      'TAXBASEAMOUNTCUR numeric, SOURCEBASEAMOUNTCUR numeric': ({ base }) => base,
      'TAXAMOUNTREP numeric, TAXBASEAMOUNTREP numeric': 0,
      'CURRENCYCODE nvarchar(3), SOURCECURRENCYCODE nvarchar(3)': ({ one, isBought }) =>
        isBought ? 'AED' : currency(one),
      'TAXVALUE numeric': ({ line }) => rateOf(line),
      'TAXBASEQTY numeric, TAXINCOSTPRICE numeric': 0,
      'TAXORIGIN int': 1,
      'TAXPERIOD nvarchar(10)': 'Q',
      'EXEMPTTAX int': 0,
      'EXEMPTCODE nvarchar(10)': '',
      'INVENTTRANSID nvarchar(20)': ({ line, isBought }) =>
        isBought ? `P${lot(line)}` : lot(line),
      'SOURCE int, SOURCETABLEID int': ({ isBought }) => (isBought ? 492 : 64),
      'SOURCERECID bigint': ({ line, isBought }) => recIds + (isBought ? 30_000 : 0) + line.id,
      'JOURNALNUM nvarchar(20), INVOICEID nvarchar(20), STATEMENTID nvarchar(100)': '',
      'TAXJURISDICTIONCODE nvarchar(10), TAXBOOK nvarchar(10)': '',
      'INTRACOMVAT int, EUROTRIANGULATION int, UNREALIZEDTAX int, TAXAUTOGENERATED int': 0,
      'REALIZEDDATE datetime': never,
      ...kept,
      '*RECID bigint': (_one, index) => recIds + 100_000 + index,
    },
  ),
  GENERALJOURNALENTRY: tableOf(done, {
    'LEDGER bigint': recIds + 3,
    'ACCOUNTINGDATE datetime': ({ date }) => dayOf(date),
    'JOURNALNUMBER nvarchar(20)': ({ id }) => `GJ-${id}`,
    'SUBLEDGERVOUCHER nvarchar(20)': voucher,
    'SUBLEDGERVOUCHERDATAAREAID nvarchar(4)': company,
    'DOCUMENTNUMBER nvarchar(20)': '',
    'JOURNALCATEGORY int': 2,
    'FISCALCALENDARPERIOD bigint': recIds + 26,
    ...stamps,
    ...shared,
    '*RECID bigint': ({ id }) => recIds + 110_000 + id,
  }),
  GENERALJOURNALACCOUNTENTRY: tableOf(
    done.flatMap((one) => [
      { one, account: '130100-BILL', posting: 31, amount: sign(one) * gross(one), nth: 0 },
      { one, account: '401100-SALE', posting: 51, amount: -sign(one) * one.net, nth: 1 },
      { one, account: '222100-VATP', posting: 14, amount: -sign(one) * taxes(one), nth: 2 },
    ]),
    {
      'GENERALJOURNALENTRY bigint': ({ one }) => recIds + 110_000 + one.id,
      'LEDGERACCOUNT nvarchar(500)': ({ account }) => account,
      'LEDGERDIMENSION bigint': ({ nth }) => recIds + 40 + nth,
      'POSTINGTYPE int': ({ posting }) => posting,
      'TRANSACTIONCURRENCYAMOUNT numeric': ({ amount }) => amount,
      'TRANSACTIONCURRENCYCODE nvarchar(3)': ({ one }) => currency(one),
      'ACCOUNTINGCURRENCYAMOUNT numeric': ({ one, amount }) => own(one, amount),
      'REPORTINGCURRENCYAMOUNT numeric': 0,
      'ISCREDIT int': ({ amount }) => (amount < 0 ? 1 : 0),
      'ISCORRECTION int': 0,
      'QUANTITY numeric': 0,
      'TEXT nvarchar(60), PAYMENTREFERENCE nvarchar(20)': '',
      ...shared,
      '*RECID bigint': (_one, index) => recIds + 120_000 + index,
    },
  ),
  TAXTABLE: {
    columns:
      '*TAXCODE nvarchar(10), TAXNAME nvarchar(60), TAXACCOUNTGROUP nvarchar(10), TAXCURRENCYCODE nvarchar(3), TAXPERIOD nvarchar(10), TAXBASE int, TAXCALCMETHOD int, TAXROUNDOFF numeric, PRINTCODE nvarchar(10), DATAAREAID nvarchar(4), RECID bigint',
    rows: [
      ['VAT5', 'UAE VAT standard', 'VAT', 'AED', 'Q', 0, 0, 0.01, 'S', company, recIds + 501],
      ['VAT0', 'UAE VAT zero rated', 'VAT', 'AED', 'Q', 0, 0, 0.01, 'Z', company, recIds + 502],
      ['VATRC', 'Reverse charge', 'VAT', 'AED', 'Q', 0, 0, 0.01, 'R', company, recIds + 503],
    ],
  },
  TAXDATA: {
    columns:
      '*TAXCODE nvarchar(10), *TAXFROMDATE datetime, TAXTODATE datetime, TAXLIMITMIN numeric, TAXLIMITMAX numeric, TAXVALUE numeric, VATEXEMPTPCT numeric, DATAAREAID nvarchar(4), RECID bigint',
    rows: [
      ['VAT5', '2018-01-01 00:00:00', never, 0, 0, 5, 0, company, recIds + 511],
      ['VAT0', '2018-01-01 00:00:00', never, 0, 0, 0, 0, company, recIds + 512],
      ['VATRC', '2018-01-01 00:00:00', never, 0, 0, 5, 0, company, recIds + 513],
    ],
  },
  TAXONITEM: {
    columns:
      '*TAXITEMGROUP nvarchar(10), *TAXCODE nvarchar(10), DATAAREAID nvarchar(4), RECID bigint',
    rows: [
      ['FULL', 'VAT5', company, recIds + 521],
      ['FULL', 'VATRC', company, recIds + 522],
      ['ZERO', 'VAT0', company, recIds + 523],
    ],
  },
};

const addressBook: Readonly<Record<string, LayoutTable>> = {
  DIRPARTYTABLE: tableOf(parties, {
    'NAME nvarchar(100), KNOWNAS nvarchar(100)': ({ name }) => name,
    'NAMEALIAS nvarchar(20)': ({ name }) => name.slice(0, 20),
    'PARTYNUMBER nvarchar(40)': (_one, index) => String(index + 1).padStart(9, '0'),
    'LANGUAGEID nvarchar(7)': 'en-us',
    'INSTANCERELATIONTYPE bigint': ({ isPerson }) => (isPerson ? 2975 : 2978),
    'PRIMARYADDRESSLOCATION bigint': ({ location }) => location,
    'PRIMARYCONTACTPHONE bigint': ({ one, location }) => (location === 0 ? 0 : phoneOf(one.id)),
    'PRIMARYCONTACTEMAIL bigint': ({ one, location }) => (location === 0 ? 0 : mailOf(one.id)),
    'PRIMARYCONTACTFAX bigint, PRIMARYCONTACTURL bigint': 0,
    'DUNSNUMBERRECID bigint': 0,
    'ORGNUMBER nvarchar(30), ADDRESSBOOKNAMES nvarchar(60)': '',
    ...stamps,
    ...shared,
    '*RECID bigint': ({ id }) => id,
  }),
  DIRPERSONNAME: tableOf(customers, {
    'PERSON bigint': ({ id }) => contactParty(id),
    'FIRSTNAME nvarchar(25)': ({ first }) => first,
    'MIDDLENAME nvarchar(25)': '',
    'LASTNAME nvarchar(25)': ({ last }) => last,
    'LASTNAMEPREFIX nvarchar(10)': '',
    'VALIDFROM datetime': at('2024-01-01'),
    'VALIDTO datetime': '2154-12-31 23:59:59',
    ...shared,
    '*RECID bigint': ({ id }) => recIds + 1700 + id,
  }),
  CONTACTPERSON: tableOf(customers, {
    'CONTACTPERSONID nvarchar(20)': ({ id }) => `CP-${String(id).padStart(5, '0')}`,
    'PARTY bigint': ({ id }) => contactParty(id),
    'CONTACTFORPARTY bigint': ({ id }) => partyOf(id),
    'CUSTACCOUNT nvarchar(20)': ({ code }) => code,
    'INACTIVE int, VIP int, MAILINGS int': 0,
    'DEPARTMENT nvarchar(50), FUNCTION_ nvarchar(20), MEMO ntext': '',
    ...stamps,
    ...kept,
    '*RECID bigint': ({ id }) => recIds + 1800 + id,
  }),
  DIRPARTYLOCATION: tableOf(accounts, {
    'PARTY bigint': ({ nth }) => partyOf(nth),
    'LOCATION bigint': ({ nth }) => locationOf(nth),
    'ISPOSTALADDRESS int, ISPRIMARY int': 1,
    'ISROLEBUSINESS int, ISROLEINVOICE int': 1,
    'ISROLEDELIVERY int, ISROLEHOME int, ISPRIVATE int': 0,
    ...shared,
    '*RECID bigint': ({ nth }) => recIds + 2500 + nth,
  }),
  LOGISTICSLOCATION: tableOf(
    [
      ...accounts.map(({ one, nth }) => ({ one, id: locationOf(nth), isPostal: 1 })),
      ...customers.map((one) => ({ one, id: phoneOf(one.id) + 200, isPostal: 0 })),
    ],
    {
      'LOCATIONID nvarchar(30)': (_one, index) => String(index + 1).padStart(9, '0'),
      'DESCRIPTION nvarchar(60)': ({ one }) => one.city,
      'ISPOSTALADDRESS int': ({ isPostal }) => isPostal,
      'PARENTLOCATION bigint, DUNSNUMBERRECID bigint': 0,
      ...shared,
      '*RECID bigint': ({ id }) => id,
    },
  ),
  LOGISTICSPOSTALADDRESS: tableOf(accounts, {
    'LOCATION bigint': ({ nth }) => locationOf(nth),
    'ADDRESS nvarchar(250)': ({ one }) =>
      `${one.street}\n${one.zip} ${one.city}\n${iso3[one.countryCode]}`,
    'STREET nvarchar(250)': ({ one, billTo }) => (billTo === '' ? one.street : 'Dock 4'),
    'STREETNUMBER nvarchar(20), BUILDINGCOMPLIMENT nvarchar(60), POSTBOX nvarchar(20)': '',
    'DISTRICTNAME nvarchar(60), COUNTY nvarchar(10)': '',
    'CITY nvarchar(60)': ({ one }) => one.city,
    'ZIPCODE nvarchar(10)': ({ one }) => one.zip,
    'STATE nvarchar(10)': ({ one }) => one.state,
    'COUNTRYREGIONID nvarchar(10)': ({ one }) => iso3[one.countryCode]!,
    'CITYRECID bigint, ZIPCODERECID bigint, DISTRICT bigint': 0,
    'LATITUDE numeric, LONGITUDE numeric, TIMEZONE int, ISPRIVATE int': 0,
    'VALIDFROM datetime': at('2024-01-01'),
    'VALIDTO datetime': '2154-12-31 23:59:59',
    ...stamps,
    ...shared,
    '*RECID bigint': ({ nth }) => addressOf(nth),
  }),
  LOGISTICSELECTRONICADDRESS: tableOf(
    customers.flatMap((one) => [
      { one, id: phoneOf(one.id), type: 1 },
      { one, id: mailOf(one.id), type: 2 },
    ]),
    {
      'LOCATION bigint': ({ one }) => phoneOf(one.id) + 200,
      'TYPE int': ({ type }) => type,
      'LOCATOR nvarchar(255)': ({ one, type }) => (type === 1 ? one.phone : one.email),
      'LOCATOREXTENSION nvarchar(10), COUNTRYREGIONCODE nvarchar(5)': '',
      'DESCRIPTION nvarchar(60)': ({ type }) => (type === 1 ? 'Switchboard' : 'Accounts'),
      'ISPRIMARY int': 1,
      'ISMOBILEPHONE int, ISINSTANTMESSAGE int, ISPRIVATE int': 0,
      ...stamps,
      ...shared,
      '*RECID bigint': ({ id }) => id,
    },
  ),
  LOGISTICSADDRESSCOUNTRYREGION: tableOf(countries, {
    '*COUNTRYREGIONID nvarchar(10)': ({ countryCode }) => iso3[countryCode]!,
    'ISOCODE nvarchar(10)': ({ countryCode }) => countryCode,
    'ADDRFORMAT nvarchar(10)': '0001',
    'CURRENCYCODE nvarchar(3)': '',
    'TIMEZONE int': 0,
    ...shared,
    'RECID bigint': (_one, index) => recIds + 600 + index,
  }),
  LOGISTICSADDRESSCOUNTRYREGIONTRANSLATION: tableOf(countries, {
    '*COUNTRYREGIONID nvarchar(10)': ({ countryCode }) => iso3[countryCode]!,
    '*LANGUAGEID nvarchar(7)': 'en-us',
    'SHORTNAME nvarchar(255), LONGNAME nvarchar(255)': ({ country }) => country,
    ...shared,
    'RECID bigint': (_one, index) => recIds + 650 + index,
  }),
  TAXREGISTRATION: tableOf(
    customers.filter(({ countryCode }) => countryCode === 'AE'),
    {
      'REGISTRATIONNUMBER nvarchar(60)': trn,
      'TAXREGISTRATIONTYPEAPPLICABILITYRULE bigint': recIds + 71,
      'DIRPARTYLOCATION bigint': ({ id }) => recIds + 2500 + id,
      'ISPRIMARYADDRESSRESTRICTED int': 1,
      'VALIDFROM datetime': at('2018-01-01'),
      'VALIDTO datetime': '2154-12-31 23:59:59',
      ...shared,
      '*RECID bigint': ({ id }) => recIds + 700 + id,
    },
  ),
};

const beside: Readonly<Record<string, LayoutTable>> = {
  SALESTABLE: tableOf(invoices, {
    'SALESID nvarchar(20)': salesId,
    'SALESNAME nvarchar(60)': ({ customer }) => customer.name,
    'CUSTACCOUNT nvarchar(20)': orderAccount,
    'INVOICEACCOUNT nvarchar(20)': ({ customer }) => customer.code,
    'DELIVERYDATE datetime, RECEIPTDATEREQUESTED datetime, SHIPPINGDATEREQUESTED datetime': ({
      date,
    }) => dayOf(date),
    'SALESTYPE int': (one) => (isCredit(one) ? 4 : 3),
    'SALESSTATUS int, DOCUMENTSTATUS int': ({ isDraft }) => (isDraft ? 1 : 3),
    'CURRENCYCODE nvarchar(3)': currency,
    'PAYMENT nvarchar(10)': 'Net30',
    'CUSTGROUP nvarchar(10)': '30',
    'TAXGROUP nvarchar(10)': 'AR-DOM',
    'VATNUM nvarchar(20)': ({ customer }) => trn(customer),
    'INCLTAX int, FIXEDEXCHRATE numeric, DISCPERCENT numeric': 0,
    'PURCHORDERFORMNUM nvarchar(20)': ({ order }) => order,
    'CUSTOMERREF nvarchar(60)': '',
    'DELIVERYNAME nvarchar(60)': ({ customer }) => customer.name,
    'DELIVERYPOSTALADDRESS bigint': ({ customer }) => addressOf(customer.id),
    'EMAIL nvarchar(80), PHONE nvarchar(20), URL nvarchar(255)': '',
    'INVENTSITEID nvarchar(10)': '1',
    'INVENTLOCATIONID nvarchar(10)': 'JAFZA',
    'RETURNITEMNUM nvarchar(20)': (one) => (isCredit(one) ? `RMA-${one.id}` : ''),
    ...stamps,
    ...kept,
    '*RECID bigint': ({ id }) => recIds + 20_000 + id,
  }),
  SALESLINE: tableOf(ordered, {
    'SALESID nvarchar(20)': ({ one }) => salesId(one),
    'LINENUM numeric': ({ line }) => line.position,
    'ITEMID nvarchar(20)': ({ line }) => line.item.code,
    'SALESSTATUS int': ({ one }) => (one.isDraft ? 1 : 3),
    'NAME nvarchar(1000)': ({ line }) => line.item.name,
    'SALESPRICE numeric': ({ line }) => line.price,
    'CURRENCYCODE nvarchar(3)': ({ one }) => currency(one),
    'LINEPERCENT numeric': ({ line }) => line.discount,
    'LINEDISC numeric': 0,
    'LINEAMOUNT numeric': ({ one, line }) => sign(one) * line.net,
    'SALESQTY numeric, QTYORDERED numeric': ({ one, line }) => sign(one) * line.quantity,
    'REMAINSALESPHYSICAL numeric, REMAINSALESFINANCIAL numeric': ({ one, line }) =>
      one.isDraft ? line.quantity : 0,
    'SALESUNIT nvarchar(10)': ({ line }) => units[line.item.unit]!,
    'TAXGROUP nvarchar(10)': 'AR-DOM',
    'TAXITEMGROUP nvarchar(10)': ({ line }) => taxGroup(line),
    'INVENTTRANSID nvarchar(20)': ({ line }) => lot(line),
    'INVENTDIMID nvarchar(20)': 'DIM-000001',
    'PRICEUNIT numeric': 1,
    'CUSTACCOUNT nvarchar(20)': ({ one }) => orderAccount(one),
    'CUSTGROUP nvarchar(10)': '30',
    ...stamps,
    ...kept,
    '*RECID bigint': ({ line }) => recIds + 200_000 + line.id,
  }),
  CUSTINVOICETABLE: tableOf(open, {
    'INVOICEID nvarchar(20)': '',
    'ORDERACCOUNT nvarchar(20), INVOICEACCOUNT nvarchar(20)': ({ customer }) => customer.code,
    'NAME nvarchar(60)': ({ customer }) => customer.name,
    'INVOICEDATE datetime': ({ date }) => dayOf(date),
    'DUEDATE datetime': ({ due }) => dayOf(due),
    'CURRENCYCODE nvarchar(3)': currency,
    'PAYMENT nvarchar(10)': 'Net30',
    'POSTINGPROFILE nvarchar(10)': 'GEN',
    'TAXGROUP nvarchar(10)': 'AR-DOM',
    'INCLTAX int, POSTED int, CREDITCORRECTION int': 0,
    'POSTALADDRESS bigint': ({ customer }) => addressOf(customer.id),
    'CUSTOMERREF nvarchar(60)': ({ order }) => order,
    ...stamps,
    ...kept,
    '*RECID bigint': ({ id }) => recIds + 25_000 + id,
  }),
  CUSTINVOICELINE: tableOf(open, {
    'PARENTRECID bigint': ({ id }) => recIds + 25_000 + id,
    'LINENUM numeric': 1,
    'DESCRIPTION nvarchar(1000)': 'Service call',
    'QUANTITY numeric': 1,
    'UNITPRICE numeric, AMOUNTCUR numeric': ({ net }) => net,
    'TAXGROUP nvarchar(10)': 'AR-DOM',
    'TAXITEMGROUP nvarchar(10)': 'FULL',
    'LEDGERDIMENSION bigint': recIds + 41,
    ...kept,
    '*RECID bigint': ({ id }) => recIds + 26_000 + id,
  }),
  CUSTPACKINGSLIPJOUR: tableOf(bills, {
    'SALESID nvarchar(20)': salesId,
    'PACKINGSLIPID nvarchar(20)': ({ id }) => `PS-${id}`,
    'LEDGERVOUCHER nvarchar(20)': ({ id }) => `PSV-${id}`,
    'ORDERACCOUNT nvarchar(20)': orderAccount,
    'INVOICEACCOUNT nvarchar(20)': ({ customer }) => customer.code,
    'DELIVERYDATE datetime': ({ date }) => dayOf(date),
    'DELIVERYNAME nvarchar(60)': ({ customer }) => customer.name,
    'DELIVERYPOSTALADDRESS bigint': ({ customer }) => addressOf(customer.id),
    'QTY numeric': quantity,
    'PURCHASEORDER nvarchar(20)': ({ order }) => order,
    'CUSTOMERREF nvarchar(60), DLVTERM nvarchar(10), DLVMODE nvarchar(10)': '',
    ...stamps,
    ...kept,
    '*RECID bigint': ({ id }) => recIds + 27_000 + id,
  }),
  VENDTABLE: tableOf(vendors, {
    '*ACCOUNTNUM nvarchar(20)': ({ nth }) => `V-00${nth}`,
    'INVOICEACCOUNT nvarchar(20)': '',
    'PARTY bigint': ({ nth }) => partyOf(nth + 94),
    'VENDGROUP nvarchar(10)': '40',
    'CURRENCY nvarchar(3)': 'AED',
    'PAYMTERMID nvarchar(10)': 'Net30',
    'TAXGROUP nvarchar(10)': 'AP-DOM',
    'VATNUM nvarchar(20)': ({ nth }) => `10037770050${nth}003`,
    'BLOCKED int': 0,
    ...stamps,
    ...kept,
    'RECID bigint': ({ nth }) => recIds + 9100 + nth,
  }),
  VENDINVOICEJOUR: tableOf(purchases, {
    'PURCHID nvarchar(20)': ({ one }) => `PO-${one.id}`,
    'ORDERACCOUNT nvarchar(20), INVOICEACCOUNT nvarchar(20)': 'V-001',
    'INVOICEID nvarchar(20)': ({ one }) => `CM/${one.id}`,
    'INTERNALINVOICEID nvarchar(20)': '',
    'INVOICEDATE datetime, DOCUMENTDATE datetime': ({ one }) => dayOf(one.date),
    'DUEDATE datetime': ({ one }) => dayOf(one.due),
    'LEDGERVOUCHER nvarchar(20)': ({ one }) => `PIV-${one.id}`,
    'CURRENCYCODE nvarchar(3)': 'AED',
    'EXCHRATE numeric': 100,
    'SALESBALANCE numeric': costOf,
    'SUMTAX numeric': (each) => round((costOf(each) * rateOf(each.line)) / 100),
    'INVOICEAMOUNT numeric': (each) =>
      round(costOf(each) + round((costOf(each) * rateOf(each.line)) / 100)),
    'SUMLINEDISC numeric, ENDDISC numeric, SUMMARKUP numeric': 0,
    'INVOICEROUNDOFF numeric': 0,
    'PAYMENT nvarchar(10)': 'Net30',
    'VENDGROUP nvarchar(10)': '40',
    'VATNUM nvarchar(20)': '100377700501003',
    'PURCHASETYPE int': 3,
    ...stamps,
    ...kept,
    '*RECID bigint': ({ one }) => recIds + 29_000 + one.id,
  }),
  VENDINVOICETRANS: tableOf(purchases, {
    'PURCHID nvarchar(20)': ({ one }) => `PO-${one.id}`,
    'INVOICEID nvarchar(20)': ({ one }) => `CM/${one.id}`,
    'INVOICEDATE datetime': ({ one }) => dayOf(one.date),
    'LINENUM numeric': 1,
    'ITEMID nvarchar(20)': ({ line }) => line.item.code,
    'NAME nvarchar(1000)': ({ line }) => line.item.name,
    'QTY numeric': ({ line }) => line.quantity,
    'PURCHPRICE numeric': ({ price }) => price,
    'PURCHUNIT nvarchar(10)': ({ line }) => units[line.item.unit]!,
    'LINEAMOUNT numeric': costOf,
    'TAXAMOUNT numeric': (each) => round((costOf(each) * rateOf(each.line)) / 100),
    'TAXGROUP nvarchar(10)': 'AP-DOM',
    'TAXITEMGROUP nvarchar(10)': ({ line }) => taxGroup(line),
    'CURRENCYCODE nvarchar(3)': 'AED',
    'INVENTTRANSID nvarchar(20)': ({ line }) => `P${lot(line)}`,
    ...kept,
    '*RECID bigint': ({ line }) => recIds + 30_000 + line.id,
  }),
  INVENTTRANS: tableOf(lines, {
    'ITEMID nvarchar(20)': ({ line }) => line.item.code,
    'STATUSISSUE int': ({ one }) => (isCredit(one) ? 0 : 1),
    'STATUSRECEIPT int': ({ one }) => (isCredit(one) ? 1 : 0),
    'DATEPHYSICAL datetime, DATEFINANCIAL datetime': ({ one }) => dayOf(one.date),
    'QTY numeric': ({ one, line }) => -sign(one) * line.quantity,
    'COSTAMOUNTPOSTED numeric': ({ one, line }) =>
      -sign(one) * round((line.quantity * line.item.price) / 2),
    'COSTAMOUNTADJUSTMENT numeric': 0,
    'CURRENCYCODE nvarchar(3)': 'AED',
    'INVOICEID nvarchar(20)': ({ one }) => invoiceId(one),
    'VOUCHER nvarchar(20)': ({ one }) => voucher(one),
    'INVENTDIMID nvarchar(20)': 'DIM-000001',
    'INVENTTRANSORIGIN bigint': ({ line }) => recIds + 230_000 + line.id,
    ...kept,
    '*RECID bigint': ({ line }) => recIds + 240_000 + line.id,
  }),
  PRICEDISCTABLE: tableOf(items, {
    'RELATION int': 4,
    'ACCOUNTCODE int': 2,
    'ACCOUNTRELATION nvarchar(20)': '',
    'ITEMCODE int': 0,
    'ITEMRELATION nvarchar(20)': ({ code }) => code,
    'UNITID nvarchar(10)': ({ unit }) => units[unit]!,
    'CURRENCY nvarchar(3)': 'AED',
    'AMOUNT numeric': ({ price }) => price,
    'PERCENT1 numeric, PERCENT2 numeric, QUANTITYAMOUNTFROM numeric': 0,
    'FROMDATE datetime, TODATE datetime': never,
    ...kept,
    '*RECID bigint': ({ id }) => recIds + 800 + id,
  }),
  ENUMIDTABLE: {
    columns: '*ID int, NAME nvarchar(40)',
    rows: [
      [416, 'SalesType'],
      [417, 'SalesStatus'],
      [3215, 'LogisticsElectronicAddressMethodType'],
    ],
  },
  ENUMVALUETABLE: {
    columns: '*ENUMID int, *ENUMVALUE int, NAME nvarchar(40)',
    rows: [
      [416, 0, 'Journal'],
      [416, 2, 'Subscription'],
      [416, 3, 'Sales'],
      [416, 4, 'ReturnItem'],
      [417, 1, 'Backorder'],
      [417, 2, 'Delivered'],
      [417, 3, 'Invoiced'],
      [417, 4, 'Canceled'],
      [3215, 1, 'Phone'],
      [3215, 2, 'Email'],
    ],
  },
  NUMBERSEQUENCETABLE: {
    columns:
      '*RECID bigint, NUMBERSEQUENCE nvarchar(20), TXT nvarchar(60), FORMAT nvarchar(100), NEXTREC bigint, LOWEST bigint, HIGHEST bigint, CONTINUOUS int, BLOCKED int',
    rows: [
      [recIds + 401, 'Acco_1', 'Sales invoice', 'INV-######', 46, 1, 999_999, 1, 0],
      [recIds + 402, 'Acco_2', 'Sales credit note', 'SCN-######', 42, 1, 999_999, 1, 0],
      [recIds + 403, 'Acco_3', 'Sales invoice voucher', 'SIV-########', 1046, 1, 99_999_999, 1, 0],
    ],
  },
  USERINFO: {
    columns:
      '*ID nvarchar(8), NAME nvarchar(40), ENABLE int, COMPANY nvarchar(4), NETWORKALIAS nvarchar(80), LANGUAGE nvarchar(7)',
    rows: [
      ['Admin', 'Admin', 1, 'DAT', 'admin@gmt.example', 'en-us'],
      ['hadi', 'Hadi Nasser', 1, company, 'hadi@gmt.example', 'en-us'],
    ],
  },
};

/**
 * Dynamics 365 Finance and Operations of a firm in Dubai: names, addresses, telephones and mail are records that two or three
 * keys lead to; no key is declared; rates stand for a hundred, taxes are negative in their own table, and what is not posted is
 * kept in other tables. Names after the Common Data Model of Microsoft (MicrosoftDocs/common-data-model-and-service).
 */
export const postalAddresses: Layout = {
  name: 'postal-addresses',
  isHeldOut: true,
  hasDiscounts: true,
  tables: {
    ...beside,
    ...addressBook,
    ...subledgers,
    CUSTINVOICEJOUR: tableOf(done, {
      'CUSTGROUP nvarchar(10)': '30',
      'REFNUM int': 0,
      'SALESID nvarchar(20)': salesId,
      'ORDERACCOUNT nvarchar(20)': orderAccount,
      'INVOICEACCOUNT nvarchar(20)': ({ customer }) => customer.code,
      'INVOICEDATE datetime': ({ date }) => dayOf(date),
      'DUEDATE datetime': ({ due }) => dayOf(due),
      'CASHDISC numeric, CASHDISCPERCENT numeric': 0,
      'CASHDISCDATE datetime, CASHDISCBASEDATE datetime': never,
      'CASHDISCCODE nvarchar(10)': '',
      'QTY numeric': (one) => sign(one) * quantity(one),
      'VOLUME numeric, WEIGHT numeric': 0,
      'SUMLINEDISC numeric': (one) => sign(one) * discounts(one),
      'SUMLINEDISCMST numeric': (one) => sign(one) * own(one, discounts(one)),
      'SALESBALANCE numeric': (one) => sign(one) * one.net,
      'SALESBALANCEMST numeric': (one) => sign(one) * own(one, one.net),
      'ENDDISC numeric, ENDDISCMST numeric': 0,
      'SUMMARKUP numeric, SUMMARKUPMST numeric': 0,
      'SUMTAX numeric': (one) => sign(one) * taxes(one),
      'SUMTAXMST numeric': (one) => sign(one) * own(one, taxes(one)),
      'INVOICEROUNDOFF numeric, INVOICEROUNDOFFMST numeric': 0,
      'INVOICEAMOUNT numeric': (one) => sign(one) * gross(one),
      'INVOICEAMOUNTMST numeric': (one) => sign(one) * own(one, gross(one)),
      'CURRENCYCODE nvarchar(3)': currency,
      'EXCHRATE numeric': (one) => (currency(one) === 'USD' ? 367.25 : 100),
      'EXCHRATESECONDARY numeric': 0,
      'INVOICEID nvarchar(20)': invoiceId,
      'LEDGERVOUCHER nvarchar(20)': voucher,
      'UPDATED int, ONETIMECUSTOMER int, BACKORDER int, PREPAYMENT int, PROFORMA int': 0,
      'CUSTOMERREF nvarchar(60)': ({ order, id }) => (order === '' || id % 3 === 0 ? '' : order),
      'PURCHASEORDER nvarchar(20)': ({ order }) => order,
      'LANGUAGEID nvarchar(7)': 'en-us',
      'PAYMENT nvarchar(10)': 'Net30',
      'PAYMENTSCHED nvarchar(10), PAYMDAYID nvarchar(10), PAYMID nvarchar(20)': '',
      'POSTINGPROFILE nvarchar(10)': 'GEN',
      'DLVTERM nvarchar(10), DLVMODE nvarchar(10)': ({ id }) => (id % 2 === 0 ? 'EXW' : ''),
      'DOCUMENTNUM nvarchar(20)': '',
      'DOCUMENTDATE datetime, FIXEDDUEDATE datetime': never,
      'TAXGROUP nvarchar(10)': 'AR-DOM',
      'TAXITEMGROUP nvarchar(10), TAXINVOICESALESID nvarchar(20)': '',
      'TAXPRINTONINVOICE int': 1,
      'TAXSPECIFYBYLINE int, INCLTAX int': 0,
      'LISTCODE int, TRIANGULATION int': 0,
      'EUSALESLIST nvarchar(10)': '',
      'VATNUM nvarchar(20)': ({ customer }) => trn(customer),
      'ENTERPRISENUMBER nvarchar(20), NUMBERSEQUENCEGROUP nvarchar(10)': '',
      'SALESTYPE int': (one) => (isCredit(one) ? 4 : 3),
      'SALESORIGINID nvarchar(10), BILLOFLADINGID nvarchar(20), LOG ntext': '',
      'RETURNITEMNUM nvarchar(20)': (one) => (isCredit(one) ? `RMA-${one.id}` : ''),
      'RETURNREASONCODEID nvarchar(10)': (one) => (isCredit(one) ? 'Defect' : ''),
      'RETURNSTATUS int': (one) => (isCredit(one) ? 4 : 0),
      'INVENTLOCATIONID nvarchar(10)': 'JAFZA',
      'PRINTMGMTSITEID nvarchar(10)': '1',
      'PRINTEDORIGINALS int': 1,
      'SENTELECTRONICALLY int, GIROTYPE int, COVSTATUS int, ISCORRECTION int': 0,
      'INTERCOMPANYPOSTED int': 0,
      'INTERCOMPANYCOMPANYID nvarchar(4), INTERCOMPANYPURCHID nvarchar(20), PARMID nvarchar(20)':
        '',
      'INVOICINGNAME nvarchar(60)': ({ customer }) => customer.name,
      'DELIVERYNAME nvarchar(60)': (one) =>
        orderAccount(one) === depot ? `${one.customer.name} Depot` : one.customer.name,
      'INVOICEPOSTALADDRESS bigint': ({ customer }) => addressOf(customer.id),
      'DELIVERYPOSTALADDRESS bigint': (one) =>
        orderAccount(one) === depot ? addressOf(90) : addressOf(one.customer.id),
      'CONTACTPERSONID nvarchar(20)': ({ customer }) =>
        `CP-${String(customer.id).padStart(5, '0')}`,
      'WORKERSALESTAKER bigint': recIds + 81,
      'DEFAULTDIMENSION bigint': recIds + 17,
      'SOURCEDOCUMENTHEADER bigint': ({ id }) => recIds + 130_000 + id,
      'SOURCEDOCUMENTLINE bigint': ({ id }) => recIds + 140_000 + id,
      'REASONTABLEREF bigint, REVERSEDRECID bigint, DIRECTDEBITMANDATE bigint': 0,
      'ONACCOUNTAMOUNT numeric, REVERSECHARGEAMOUNT numeric': 0,
      'MCRDUEAMOUNT numeric, MCRPAYMAMOUNT numeric': 0,
      'MCREMAIL nvarchar(80)': '',
      'TRANSPORTATIONDOCUMENT bigint': 0,
      ...stamps,
      ...kept,
      '*RECID bigint': journal,
    }),
    CUSTINVOICETRANS: tableOf(lines, {
      'INVOICEID nvarchar(20)': ({ one }) => invoiceId(one),
      'INVOICEDATE datetime': ({ one }) => dayOf(one.date),
      'LINENUM numeric': ({ line }) => line.position,
      'LINECREATIONSEQUENCENUMBER int': ({ line }) => line.position,
      'INVENTTRANSID nvarchar(20)': ({ line }) => lot(line),
      'DLVDATE datetime': ({ one }) => dayOf(one.date),
      'ITEMID nvarchar(20)': ({ line }) => line.item.code,
      'EXTERNALITEMID nvarchar(20)': '',
      'NAME nvarchar(1000)': ({ line }) => line.item.name,
      'QTY numeric, INVENTQTY numeric': ({ one, line }) => sign(one) * line.quantity,
      'QTYPHYSICAL numeric': ({ one, line }) => sign(one) * line.quantity,
      'REMAIN numeric, REMAINBEFORE numeric': 0,
      'PRICEUNIT numeric': 1,
      'SALESPRICE numeric': ({ line }) => line.price,
      'SALESMARKUP numeric': 0,
      'LINEDISC numeric, MULTILNDISC numeric, MULTILNPERCENT numeric': 0,
      'LINEPERCENT numeric, DISCPERCENT numeric': ({ line }) => line.discount,
      'DISCAMOUNT numeric': ({ line }) => round((line.price * line.discount) / 100),
      'SUMLINEDISC numeric': ({ one, line }) =>
        sign(one) * round(round(line.quantity * line.price) - line.net),
      'SUMLINEDISCMST numeric': ({ one, line }) =>
        sign(one) * own(one, round(round(line.quantity * line.price) - line.net)),
      'LINEAMOUNT numeric': ({ one, line }) => sign(one) * line.net,
      'LINEAMOUNTMST numeric, STATLINEAMOUNTMST numeric': ({ one, line }) =>
        sign(one) * own(one, line.net),
      'LINEAMOUNTTAX numeric, LINEAMOUNTTAXMST numeric': 0,
      'TAXAMOUNT numeric': ({ one, line }) => sign(one) * taxOf(line),
      'TAXAMOUNTMST numeric': ({ one, line }) => sign(one) * own(one, taxOf(line)),
      'TAXGROUP nvarchar(10)': 'AR-DOM',
      'TAXITEMGROUP nvarchar(10)': ({ line }) => taxGroup(line),
      'TAXWRITECODE nvarchar(10)': '',
      'TAXAUTOGENERATED int': 0,
      'CURRENCYCODE nvarchar(3)': ({ one }) => currency(one),
      'SALESUNIT nvarchar(10)': ({ line }) => units[line.item.unit]!,
      'SALESID nvarchar(20), ORIGSALESID nvarchar(20)': ({ one }) => salesId(one),
      'SALESGROUP nvarchar(10), NUMBERSEQUENCEGROUP nvarchar(10)': '',
      'INVENTDIMID nvarchar(20)': 'DIM-000001',
      'INVENTREFID nvarchar(20), INVENTREFTRANSID nvarchar(20)': '',
      'INVENTREFTYPE int': 0,
      'COUNTRYREGIONOFSHIPMENT nvarchar(10), ORIGCOUNTRYREGIONID nvarchar(10)': 'ARE',
      'INTRASTATCOMMODITY bigint': 0,
      'STATPROCID nvarchar(10), TRANSPORT nvarchar(10), LINEHEADER ntext': '',
      'COMMISSCALC int, COMMISSAMOUNTCUR numeric, COMMISSAMOUNTMST numeric': 0,
      'DELIVERYTYPE int, PARTDELIVERY int': 0,
      'STOCKEDPRODUCT int': ({ line }) => (line.item.unit === 'HR' ? 0 : 1),
      'DELIVERYPOSTALADDRESS bigint': ({ one }) => addressOf(one.customer.id),
      'CUSTOMERLINENUM bigint, PARENTRECID bigint, REVERSEDRECID bigint': 0,
      'LEDGERDIMENSION bigint': recIds + 41,
      'DEFAULTDIMENSION bigint': recIds + 17,
      'SALESCATEGORY bigint, RETAILCATEGORY bigint, SOURCEDOCUMENTLINE bigint': 0,
      'RETURNDISPOSITIONCODEID nvarchar(10)': ({ one }) => (isCredit(one) ? 'CRED' : ''),
      'RETURNARRIVALDATE datetime, RETURNCLOSEDDATE datetime': never,
      'WEIGHT numeric, PDSCWQTY numeric, REVERSECHARGE_W int': 0,
      ...stamps,
      ...kept,
      '*RECID bigint': ({ line }) => recIds + line.id,
    }),
    CUSTTABLE: tableOf(accounts, {
      'ACCOUNTNUM nvarchar(20)': ({ account }) => account,
      'INVOICEACCOUNT nvarchar(20)': ({ billTo }) => billTo,
      'CUSTGROUP nvarchar(10)': '30',
      'PARTY bigint': ({ nth }) => partyOf(nth),
      'CURRENCY nvarchar(3)': 'AED',
      'PAYMTERMID nvarchar(10)': 'Net30',
      'PAYMMODE nvarchar(10), PAYMSCHED nvarchar(10), CASHDISC nvarchar(10)': '',
      'CREDITMAX numeric': 50_000,
      'CREDITRATING nvarchar(10)': '',
      'MANDATORYCREDITLIMIT int, BLOCKED int, INCLTAX int, ONETIMECUSTOMER int': 0,
      'TAXGROUP nvarchar(10)': 'AR-DOM',
      'VATNUM nvarchar(20)': ({ one }) => trn(one),
      'TAXLICENSENUM nvarchar(20)': '',
      'IDENTIFICATIONNUMBER nvarchar(50)': ({ one }) => `CN-${110_000 + one.id}`,
      'ORGID nvarchar(20), VENDACCOUNT nvarchar(20), OURACCOUNTNUM nvarchar(20)': '',
      'LINEDISC nvarchar(10), MULTILINEDISC nvarchar(10), ENDDISC nvarchar(10)': '',
      'PRICEGROUP nvarchar(10), SALESGROUP nvarchar(10), SALESDISTRICTID nvarchar(20)': '',
      'DLVTERM nvarchar(10), DLVMODE nvarchar(10)': '',
      'INVENTSITEID nvarchar(10)': '1',
      'INVENTLOCATION nvarchar(10)': 'JAFZA',
      'CONTACTPERSONID nvarchar(20)': ({ one }) => `CP-${String(one.id).padStart(5, '0')}`,
      'STATISTICSGROUP nvarchar(10), SEGMENTID nvarchar(20), COMPANYCHAINID nvarchar(20)': '',
      'MAINCONTACTWORKER bigint, DEFAULTDIMENSION bigint': 0,
      'ACCOUNTSTATEMENT int': 1,
      ...stamps,
      ...kept,
      '*RECID bigint': ({ nth }) => recIds + 900 + nth,
    }),
    PAYMTERM: {
      columns:
        '*PAYMTERMID nvarchar(10), DESCRIPTION nvarchar(60), PAYMMETHOD int, NUMOFDAYS int, NUMOFMONTHS int, CASH int, DATAAREAID nvarchar(4), RECID bigint',
      rows: [
        ['Net30', 'Net 30 days', 0, 30, 0, 0, company, recIds + 321],
        ['COD', 'Cash on delivery', 3, 0, 0, 1, company, recIds + 322],
      ],
    },
    CURRENCY: {
      columns:
        '*CURRENCYCODE nvarchar(3), CURRENCYCODEISO nvarchar(3), TXT nvarchar(120), SYMBOL nvarchar(5), ROUNDINGPRECISION numeric, PARTITION bigint, RECID bigint',
      rows: [
        ['AED', 'AED', 'UAE dirham', '', 0.01, recIds, recIds + 331],
        ['USD', 'USD', 'US dollar', '$', 0.01, recIds, recIds + 332],
        ['EUR', 'EUR', 'Euro', '€', 0.01, recIds, recIds + 333],
      ],
    },
    INVENTTABLE: tableOf(items, {
      '*ITEMID nvarchar(20)': ({ code }) => code,
      'ITEMTYPE int': ({ unit }) => (unit === 'HR' ? 2 : 0),
      'PRODUCT bigint': ({ id }) => productOf(id),
      'NAMEALIAS nvarchar(20)': ({ name }) => name.slice(0, 20),
      'BOMUNITID nvarchar(10)': '',
      'COSTGROUPID nvarchar(10), REQGROUPID nvarchar(10)': '',
      'ABCVALUE int': 0,
      'NETWEIGHT numeric, TARAWEIGHT numeric, UNITVOLUME numeric': 0,
      'PRIMARYVENDORID nvarchar(20)': 'V-001',
      'ORIGCOUNTRYREGIONID nvarchar(10), INTRACODE nvarchar(10)': '',
      ...stamps,
      ...kept,
      'RECID bigint': ({ id }) => recIds + 5200 + id,
    }),
    ECORESPRODUCT: tableOf(items, {
      'DISPLAYPRODUCTNUMBER nvarchar(70)': ({ code }) => code,
      'SEARCHNAME nvarchar(100)': ({ name }) => name.replaceAll(' ', ''),
      'PRODUCTTYPE int': ({ unit }) => (unit === 'HR' ? 2 : 1),
      ...stamps,
      ...shared,
      '*RECID bigint': ({ id }) => productOf(id),
    }),
    ECORESPRODUCTTRANSLATION: tableOf(items, {
      'PRODUCT bigint': ({ id }) => productOf(id),
      'LANGUAGEID nvarchar(7)': 'en-us',
      'NAME nvarchar(60)': ({ name }) => name,
      'DESCRIPTION nvarchar(1000)': ({ name }) => `${name}, boxed`,
      ...shared,
      '*RECID bigint': ({ id }) => productOf(id) + 100,
    }),
    UNITOFMEASURE: tableOf(Object.values(units), {
      'SYMBOL nvarchar(10)': (symbol) => symbol,
      'UNITOFMEASURECLASS int': (symbol) => (symbol === 'ea' ? 9 : 5),
      'DECIMALPRECISION int': 2,
      ...shared,
      '*RECID bigint': (_symbol, index) => recIds + 351 + index,
    }),
  },
  // A return order is told by a number that the table of enumerations explains.
  sections: {
    header: {
      table: 'CUSTINVOICEJOUR',
      key: 'RECID',
      match: 'INVOICEID',
      where: { SALESTYPE: '3' },
    },
    lines: {
      table: 'CUSTINVOICETRANS',
      key: 'RECID',
      match: 'INVOICEID',
      matchFrom: 'INVOICEID',
    },
    customer: {
      table: 'CUSTTABLE',
      key: 'RECID',
      match: 'ACCOUNTNUM',
      matchFrom: 'INVOICEACCOUNT',
    },
  },
  fields: {
    number: 'CUSTINVOICEJOUR.INVOICEID|CUSTTRANS.INVOICE',
    issue_date: 'CUSTINVOICEJOUR.INVOICEDATE|CUSTTRANS.TRANSDATE',
    due_date: 'CUSTINVOICEJOUR.DUEDATE|CUSTTRANS.DUEDATE',
    'delivery.date': 'CUSTINVOICETRANS.DLVDATE|CUSTPACKINGSLIPJOUR.DELIVERYDATE',
    currency:
      'CUSTINVOICEJOUR.CURRENCYCODE|CUSTTRANS.CURRENCYCODE|SALESTABLE.CURRENCYCODE|CURRENCY.CURRENCYCODE|CURRENCY.CURRENCYCODEISO',
    'exchange_rate.rate':
      'CUSTINVOICEJOUR.EXCHRATE!divide,multiply|CUSTTRANS.EXCHRATE!divide,multiply',
    purchase_order:
      'CUSTINVOICEJOUR.PURCHASEORDER|SALESTABLE.PURCHORDERFORMNUM|CUSTINVOICEJOUR.CUSTOMERREF',
    buyer_reference:
      'CUSTINVOICEJOUR.CUSTOMERREF|CUSTINVOICEJOUR.PURCHASEORDER|SALESTABLE.PURCHORDERFORMNUM',
    'payment_terms[].note': 'PAYMTERM.DESCRIPTION|CUSTINVOICEJOUR.PAYMENT',
    'totals.net': 'CUSTINVOICEJOUR.SALESBALANCE',
    'totals.lines': 'CUSTINVOICEJOUR.SALESBALANCE',
    'totals.tax': 'CUSTINVOICEJOUR.SUMTAX',
    'totals.gross': 'CUSTINVOICEJOUR.INVOICEAMOUNT|CUSTTRANS.AMOUNTCUR',
    'totals.due': 'CUSTINVOICEJOUR.INVOICEAMOUNT|CUSTTRANS.AMOUNTCUR',
    'buyer.name': 'CUSTINVOICEJOUR.INVOICINGNAME|DIRPARTYTABLE.NAME|DIRPARTYTABLE.KNOWNAS',
    'buyer.trn': 'CUSTINVOICEJOUR.VATNUM|CUSTTABLE.VATNUM|SALESTABLE.VATNUM',
    'PINT-MY:buyer.identifiers[].id':
      'CUSTINVOICEJOUR.VATNUM|CUSTTABLE.VATNUM|CUSTTABLE.IDENTIFICATIONNUMBER',
    'buyer.registration_id': 'CUSTTABLE.IDENTIFICATIONNUMBER',
    'buyer.address.line1': 'LOGISTICSPOSTALADDRESS.STREET|LOGISTICSPOSTALADDRESS.ADDRESS',
    'buyer.address.city': 'LOGISTICSPOSTALADDRESS.CITY',
    'buyer.address.post_code': 'LOGISTICSPOSTALADDRESS.ZIPCODE',
    'buyer.address.subdivision': 'LOGISTICSPOSTALADDRESS.STATE',
    'buyer.address.country':
      'LOGISTICSPOSTALADDRESS.COUNTRYREGIONID!map|LOGISTICSADDRESSCOUNTRYREGION.ISOCODE|' +
      'LOGISTICSADDRESSCOUNTRYREGIONTRANSLATION.SHORTNAME!map|LOGISTICSADDRESSCOUNTRYREGIONTRANSLATION.LONGNAME!map',
    'buyer.contact.name': 'DIRPERSONNAME.FIRSTNAME!concat|DIRPERSONNAME.LASTNAME!concat',
    'buyer.contact.phone': 'LOGISTICSELECTRONICADDRESS.LOCATOR',
    'buyer.contact.email': 'LOGISTICSELECTRONICADDRESS.LOCATOR',
    'lines[].id':
      'CUSTINVOICETRANS.LINENUM|CUSTINVOICETRANS.LINECREATIONSEQUENCENUMBER|CUSTINVOICETRANS.RECID',
    'lines[].sku': 'CUSTINVOICETRANS.ITEMID|INVENTTABLE.ITEMID|ECORESPRODUCT.DISPLAYPRODUCTNUMBER',
    'lines[].name': 'CUSTINVOICETRANS.NAME|ECORESPRODUCTTRANSLATION.NAME',
    'lines[].description':
      'CUSTINVOICETRANS.NAME|ECORESPRODUCTTRANSLATION.DESCRIPTION|ECORESPRODUCTTRANSLATION.NAME',
    'lines[].qty': 'CUSTINVOICETRANS.QTY|CUSTINVOICETRANS.INVENTQTY|CUSTINVOICETRANS.QTYPHYSICAL',
    'lines[].unit': 'CUSTINVOICETRANS.SALESUNIT!map|UNITOFMEASURE.SYMBOL!map',
    'lines[].unit_price': 'CUSTINVOICETRANS.SALESPRICE',
    'lines[].gross_price': 'CUSTINVOICETRANS.SALESPRICE',
    'lines[].allowances[].percent': 'CUSTINVOICETRANS.LINEPERCENT|CUSTINVOICETRANS.DISCPERCENT',
    'lines[].allowances[].amount': 'CUSTINVOICETRANS.SUMLINEDISC',
    'lines[].net': 'CUSTINVOICETRANS.LINEAMOUNT',
    'lines[].accounting.tax_totals[].amount': 'CUSTINVOICETRANS.TAXAMOUNT',
    'lines[].tax.rate': 'TAXTRANS.TAXVALUE|TAXDATA.TAXVALUE',
    'lines[].tax.category':
      'CUSTINVOICETRANS.TAXITEMGROUP!map|TAXTRANS.TAXCODE!map|TAXTRANS.TAXVALUE!map|TAXTRANS.TAXITEMGROUP!map|' +
      'TAXDATA.TAXVALUE!map|TAXDATA.TAXCODE!map|TAXTABLE.TAXCODE!map|TAXTABLE.TAXNAME!map|TAXTABLE.PRINTCODE|' +
      'TAXONITEM.TAXCODE!map|TAXONITEM.TAXITEMGROUP!map',
  },
};
