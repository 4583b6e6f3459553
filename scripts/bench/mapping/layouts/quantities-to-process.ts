import type { Cell, Layout, LayoutTable } from './layout.ts';
import { at, tableOf } from './tables.ts';
import { bills, customers, type Invoice, invoices, items } from './trade.ts';

type Line = Invoice['lines'][number];

const round = (value: number) => Math.round(value * 100) / 100;
/** With as many decimals as a price has there. */
const fine = (value: number) => Math.round(value * 10_000) / 10_000;
const usDollarRate = 0.92;
const isForeign = ({ currency }: Invoice) => currency !== 'EUR';
const rateOf = (one: Invoice) => (isForeign(one) ? usDollarRate : 1);
const own = (one: Invoice, amount: number) => round(amount * rateOf(one));
const midnight = (date: string) => at(date, '00:00:00.000');
const never = null;
const countries = [...new Map(customers.map((one) => [one.countryCode, one])).values()];
const countryOf = (code: string) =>
  countries.findIndex(({ countryCode }) => countryCode === code) + 1;
const supplier = { ...customers[0]!, id: 90, code: 'MIL001', name: 'Mill Supplies Ltd' };
const unitIds: Readonly<Record<string, number>> = { PCS: 1, M: 2, HR: 3, L: 4, KG: 5 };
const isService = (line: Line) => line.item.unit === 'HR';
const taxOf = (rate: number) => (rate === 0 ? 2 : 1);

const docTypes = { invoice: 0, credit: 1, received: 2, salesOrder: 4, purchaseOrder: 5 } as const;
const states = { unprocessed: 1, quotation: 2, archived: 4 } as const;

interface Document {
  readonly one: Invoice;
  readonly id: number;
  readonly type: number;
  readonly state: number;
  readonly isBought?: true;
}

const documents: readonly Document[] = [
  ...invoices.map((one) => ({
    one,
    id: one.id,
    type: one.kind === 'credit' ? docTypes.credit : docTypes.invoice,
    state: one.isDraft ? states.unprocessed : states.archived,
  })),
  ...bills.slice(0, 12).map((one) => ({
    one,
    id: one.id + 1000,
    type: docTypes.salesOrder,
    state: one.id % 3 === 0 ? states.quotation : states.unprocessed,
  })),
  ...bills.slice(5, 15).map((one) => ({
    one,
    id: one.id + 2000,
    type: docTypes.received,
    state: states.archived,
    isBought: true as const,
  })),
  ...bills.slice(8, 12).map((one) => ({
    one,
    id: one.id + 3000,
    type: docTypes.purchaseOrder,
    state: states.unprocessed,
    isBought: true as const,
  })),
];
const isArchived = ({ state }: Document) => state === states.archived;
const isOrder = ({ type }: Document) =>
  type === docTypes.salesOrder || type === docTypes.purchaseOrder;
const currencyOf = ({ one, isBought }: Document) => (isForeign(one) && !isBought ? 1 : 0);
const partyOf = ({ one, isBought }: Document) => (isBought ? supplier : one.customer);

type Amounts = Readonly<Record<string, (document: Document) => Cell>>;

/** With and without what is taken off, in the firm's money and in that of the document, which are often the same. */
function totals(of: 'Inv' | 'Ord'): Amounts {
  const own2 = (amountOf: (one: Invoice) => number) => (document: Document) =>
    document.isBought
      ? round(amountOf(document.one) / 2)
      : own(document.one, amountOf(document.one));
  const theirs = (amountOf: (one: Invoice) => number) => (document: Document) =>
    document.isBought ? round(amountOf(document.one) / 2) : amountOf(document.one);
  const net = ({ net }: Invoice) => net;
  const tax = ({ tax }: Invoice) => tax;
  const gross = ({ gross }: Invoice) => gross;
  return {
    [`${of}DiscAmnt float, ${of}DiscAmntEx float`]: () => 0,
    [`${of}TotExclDEx float, ${of}TotExcl float`]: own2(net),
    [`${of}TotTaxDEx float, ${of}TotTax float`]: own2(tax),
    [`${of}TotInclDEx float, ${of}TotIncl float`]: own2(gross),
    [`f${of}DiscAmntForeign float, f${of}DiscAmntExForeign float`]: () => 0,
    [`f${of}TotExclDExForeign float, f${of}TotExclForeign float`]: theirs(net),
    [`f${of}TotTaxDExForeign float, f${of}TotTaxForeign float`]: theirs(tax),
    [`f${of}TotInclDExForeign float, f${of}TotInclForeign float`]: theirs(gross),
    [`${of}TotRounding float, f${of}TotForeignRounding float`]: () => 0,
  };
}

const documentLines = documents.flatMap((document) =>
  document.one.lines.map((line) => ({ document, line })),
);
type Sold = (typeof documentLines)[number];
const quantities = ['fQuantity', 'fQtyChange', 'fQtyToProcess', 'fQtyLastProcess', 'fQtyProcessed'];
/** What of a line a quantity of it is: what is archived was processed last, and nothing is left. */
const isWhole = (quantity: string, document: Document) =>
  quantity === 'fQuantity' ||
  (isArchived(document)
    ? quantity === 'fQtyLastProcess' || quantity === 'fQtyProcessed'
    : quantity === 'fQtyToProcess');

/** The totals of a line for each of its quantities. */
function lineTotals(suffix: '' | 'Foreign'): Readonly<Record<string, (sold: Sold) => Cell>> {
  const columns: Record<string, (sold: Sold) => Cell> = {};
  for (const quantity of quantities) {
    const amount =
      (of: (line: Line) => number) =>
      ({ document, line }: Sold): Cell =>
        !isWhole(quantity, document)
          ? 0
          : suffix === ''
            ? own(document.one, of(line))
            : round(of(line));
    const full = ({ quantity: count, price }: Line) => count * price;
    const taxOfFull = (line: Line) => (full(line) * line.item.rate) / 100;
    columns[`${quantity}LineTotIncl${suffix} float`] = amount(({ net, tax }) => net + tax);
    columns[`${quantity}LineTotExcl${suffix} float`] = amount(({ net }) => net);
    columns[`${quantity}LineTotInclNoDisc${suffix} float`] = amount(
      (line) => full(line) + taxOfFull(line),
    );
    columns[`${quantity}LineTotExclNoDisc${suffix} float`] = amount(full);
    columns[`${quantity}LineTaxAmount${suffix} float`] = amount(({ tax }) => tax);
    columns[`${quantity}LineTaxAmountNoDisc${suffix} float`] = amount(taxOfFull);
  }
  return columns;
}

const postings = invoices.filter(({ isDraft }) => !isDraft);
const stamp = (table: string) => ({
  [`${table}_iBranchID integer`]: 0,
  [`${table}_dCreatedDate datetime, ${table}_dModifiedDate datetime`]: at('2026-01-05'),
  [`${table}_iCreatedBranchID integer, ${table}_iModifiedBranchID integer`]: 0,
  [`${table}_iCreatedAgentID integer, ${table}_iModifiedAgentID integer`]: 2,
  [`${table}_iChangeSetID integer`]: 114,
  [`${table}_Checksum binary`]: null,
});

const around: Readonly<Record<string, LayoutTable>> = {
  PostAR: tableOf(postings, {
    '*AutoIdx bigint': ({ id }) => id + 10_000,
    'TxDate datetime': ({ date }) => midnight(date),
    'Id varchar(5)': ({ kind }) => (kind === 'credit' ? 'Crn' : 'OInv'),
    'AccountLink int': ({ customer }) => customer.id,
    'TrCodeID int': ({ kind }) => (kind === 'credit' ? 32 : 31),
    'Debit float': (one) => (one.kind === 'credit' ? 0 : own(one, one.gross)),
    'Credit float': (one) => (one.kind === 'credit' ? own(one, one.gross) : 0),
    'iCurrencyID int': (one) => (isForeign(one) ? 1 : 0),
    'fExchangeRate float': rateOf,
    'fForeignDebit float': ({ kind, gross }) => (kind === 'credit' ? 0 : gross),
    'fForeignCredit float': ({ kind, gross }) => (kind === 'credit' ? gross : 0),
    'Description varchar(100)': 'Tax Invoice',
    'TaxTypeID int': 1,
    'Reference varchar(50)': ({ number }) => number,
    'Order_No varchar(50)': '',
    'ExtOrderNum varchar(100)': ({ order }) => order,
    'cAuditNumber varchar(50)': ({ id }) => `${id}.0001`,
    'Tax_Amount float': (one) => own(one, one.tax),
    'fForeignTax float': ({ tax }) => tax,
    'Project int': 0,
    'Outstanding float': (one) => (one.id % 3 === 0 ? 0 : own(one, one.gross)),
    'fForeignOutstanding float': (one) => (one.id % 3 === 0 ? 0 : one.gross),
    'cAllocs text': '',
    'InvNumKey bigint': ({ id }) => id,
    'UserName varchar(50)': 'Admin',
    ...stamp('PostAR'),
  }),
  PostST: tableOf(
    documentLines.filter(({ document }) => isArchived(document)),
    {
      '*AutoIdx bigint': (_sold, index) => index + 20_000,
      'TxDate datetime': ({ document }) => midnight(document.one.date),
      'Id varchar(5)': ({ document }) => (document.isBought ? 'Grv' : 'OInv'),
      'AccountLink int': ({ line }) => line.item.id,
      'TrCodeID int': 34,
      'Debit float': ({ document }) => (document.isBought ? 1 : 0),
      'Credit float': ({ line }) => round(line.price / 2) * line.quantity,
      'Description varchar(100)': ({ document }) => partyOf(document).name,
      'Reference varchar(50)': ({ document }) => document.one.number,
      'Quantity float': ({ line }) => line.quantity,
      'Cost float': ({ line }) => round(line.price / 2),
      'DrCrAccount int': ({ document }) => partyOf(document).id,
      'InvNumKey bigint': ({ document }) => document.id,
    },
  ),
  PostGL: tableOf(postings, {
    '*AutoIdx bigint': ({ id }) => id + 30_000,
    'TxDate datetime': ({ date }) => midnight(date),
    'Id varchar(5)': 'OInv',
    'AccountLink int': 4010,
    'Debit float': 0,
    'Credit float': (one) => own(one, one.net),
    'Description varchar(100)': ({ customer }) => customer.name,
    'Reference varchar(50)': ({ number }) => number,
    'Tax_Amount float': (one) => own(one, one.tax),
    'DrCrAccount int': ({ customer }) => customer.id,
  }),
  Vendor: tableOf([supplier], {
    '*DCLink int': ({ id }) => id,
    'Account varchar(20)': ({ code }) => code,
    'Name varchar(150)': ({ name }) => name,
    'Contact_Person varchar(30)': '',
    'Physical1 varchar(40), Post1 varchar(40)': 'Kai 4',
    'Physical3 varchar(40), Post3 varchar(40)': 'Hamburg',
    'PhysicalPC varchar(15), PostPC varchar(15)': '20457',
    'Telephone varchar(25)': '',
    'Tax_Number varchar(50)': 'DE811111111',
    'Registration varchar(50)': '',
    'EMail varchar(200)': 'sales@mill.example',
    'AccountTerms int': 30,
    'On_Hold bit': 0,
    'iCurrencyID int': 0,
  }),
  TrCodes: {
    columns:
      '*idTrCodes int, iModule int, Code varchar(20), Description varchar(50), DebitTrans bit, TaxTypeID int',
    rows: [
      [31, 5, 'IN', 'Tax invoice', 1, 1],
      [32, 5, 'CN', 'Credit note', 0, 1],
      [33, 5, 'PM', 'Payment', 0, 3],
      [34, 11, 'SALE', 'Sale of stock', 0, 3],
    ],
  },
  SalesRep: {
    columns:
      '*idSalesRep int, Code varchar(20), Name varchar(50), Rep_On_Hold bit, cEmail varchar(50)',
    rows: [
      [1, 'PR', 'Paul Roy', 0, 'paul@firm.example'],
      [2, 'LK', 'Lena Kurz', 0, 'lena@firm.example'],
    ],
  },
  Project: {
    columns:
      '*ProjectLink int, ProjectCode varchar(20), ProjectName varchar(50), ActiveProject bit',
    rows: [[1, 'GEN', 'General', 1]],
  },
  WhseMst: {
    columns:
      '*WhseLink int, Code varchar(20), Name varchar(40), DefaultWhse bit, Address1 varchar(40)',
    rows: [[1, 'MSTR', 'Master Warehouse', 1, '']],
  },
  Accounts: {
    columns:
      '*AccountLink int, Master_Sub_Account varchar(50), Description varchar(50), iAccountType int, ActiveAccount bit',
    rows: [
      [1200, '1200', 'Accounts receivable', 5, 1],
      [2150, '2150', 'VAT control', 8, 1],
      [4010, '4010', 'Sales', 1, 1],
    ],
  },
  Entities: {
    columns:
      '*idEntities int, Name varchar(150), Address1 varchar(40), Address2 varchar(40), Address3 varchar(40), Registration varchar(50), ' +
      'Tax_Number varchar(50), Telephone varchar(25), EMail varchar(200), HomeCurrency varchar(20)',
    rows: [
      [1, 'Drawbridge Pumps', '1 Dock Road', '', 'Hamburg', 'HRB 1', 'DE123456824', '', '', 'EUR'],
    ],
  },
  CurrencyHist: tableOf([...new Set(invoices.filter(isForeign).map(({ date }) => date))], {
    '*idCurrencyHist int': (_date, index) => index + 1,
    'iCurrencyID int': 1,
    'dRateDate datetime': midnight,
    'fBuyRate float, fSellRate float': usDollarRate,
  }),
  _btblCbStatement: {
    columns:
      '*idCbStatement int, dTxDate datetime, cReference varchar(50), cDescription varchar(100), fDebit float, fCredit float, bReconciled bit',
    rows: [[1, '2026-02-04 00:00:00.000', 'IV-26-0031', 'Payment', 1200, 0, 1]],
  },
  _rtblAgents: {
    columns:
      '*idAgents int, cAgentName varchar(50), cFirstName varchar(50), cEmail varchar(50), bAgentActive bit',
    rows: [
      [1, 'Admin', '', '', 1],
      [2, 'Lena', 'Lena', 'lena@firm.example', 1],
    ],
  },
};

/**
 * Invoices, credit notes, orders, quotations and what was received in one table by two numbers; each line has five quantities
 * and six totals of each, in the firm's money and in that of the document, which for the firm's own are the same; a letter for the
 * type before many a name; its own currency is none of those in the table (Sage Evolution, from Pastel).
 */
export const quantitiesToProcess: Layout = {
  name: 'quantities-to-process',
  isHeldOut: true,
  hasDiscounts: true,
  tables: {
    ...around,
    InvNum: tableOf(documents, {
      '*AutoIndex bigint': ({ id }) => id,
      'DocType int': ({ type }) => type,
      'DocVersion int': 1,
      'DocState int': ({ state }) => state,
      'DocFlag int': (document) => (isOrder(document) ? 1 : 0),
      'OrigDocID bigint': 0,
      'InvNumber varchar(50)': (document) =>
        isArchived(document) && !document.isBought ? document.one.number : '',
      'GrvNumber varchar(50)': (document) =>
        isArchived(document) && document.isBought ? `GRV${document.id}` : '',
      'GrvID bigint': 0,
      'AccountID int': (document) => partyOf(document).id,
      'Description varchar(50)': ({ type }) =>
        ['Tax Invoice', 'Credit Note', 'Goods Received', '', 'Sales Order', 'Purchase Order'][
          type
        ]!,
      'InvDate datetime': ({ one }) => midnight(one.date),
      'OrderDate datetime': ({ one }) => midnight(one.date),
      'DueDate datetime': ({ one }) => midnight(one.due),
      'DeliveryDate datetime': ({ one }) => midnight(one.date),
      'TaxInclusive bit': 0,
      'Email_Sent int': 1,
      'Address1 varchar(40)': (document) => partyOf(document).street,
      'Address2 varchar(40)': '',
      'Address3 varchar(40)': (document) => partyOf(document).city,
      'Address4 varchar(40)': (document) => partyOf(document).state,
      'Address5 varchar(40)': '',
      'Address6 varchar(40)': (document) => partyOf(document).zip,
      'PAddress1 varchar(40)': (document) => partyOf(document).street,
      'PAddress2 varchar(40)': '',
      'PAddress3 varchar(40)': (document) => partyOf(document).city,
      'PAddress4 varchar(40)': (document) => partyOf(document).state,
      'PAddress5 varchar(40)': '',
      'PAddress6 varchar(40)': (document) => partyOf(document).zip,
      'DelMethodID int': 0,
      'DocRepID int': ({ one }) => (one.id % 2) + 1,
      'OrderNum varchar(50)': (document) =>
        isOrder(document) ? `${document.isBought ? 'PO' : 'SO'}${document.id}` : '',
      'DeliveryNote varchar(50)': '',
      'InvDisc float': 0,
      'Message1 varchar(255)': ({ one }) => (one.id % 6 === 0 ? 'Thank you for your order' : ''),
      'Message2 varchar(255), Message3 varchar(255)': '',
      'ProjectID int': 0,
      'TillID int': 0,
      'POSAmntTendered float, POSChange float': 0,
      'GrvSplitFixedCost float, GrvSplitFixedAmnt float': 0,
      'OrderStatusID int, OrderPriorityID int': 0,
      'ExtOrderNum varchar(100)': ({ one, isBought }) => (isBought ? `MS-${one.id}` : one.order),
      'ForeignCurrencyID int': currencyOf,
      ...totals('Inv'),
      ...totals('Ord'),
      'bUseFixedPrices bit': 0,
      'iDocPrinted int': (document) => (isArchived(document) ? 1 : 0),
      'iINVNUMAgentID int': 2,
      'fExchangeRate float': ({ one, isBought }) => (isBought ? 1 : rateOf(one)),
      'cTaxNumber varchar(50)': (document) => partyOf(document).vat,
      'cAccountName varchar(150)': (document) => partyOf(document).name,
      'iProspectID int, iOpportunityID int': 0,
      'bInvRounding bit': 1,
      'iInvSettlementTermsID int': 0,
      'cSettlementTermInvMsg varchar(255)': '',
      'iOrderCancelReasonID int': 0,
      'iLinkedDocID bigint': 0,
      'bLinkedTemplate bit': 0,
      'iEUNoTCID int, iPOAuthStatus int, iPOIncidentID int, iSupervisorID int, iMergedDocID int': 0,
      'iDocEmailed int': 0,
      'fDepositAmountForeign float, fRefundAmount float': 0,
      'bTaxPerLine bit': 1,
      'fDepositAmountTotal float, fDepositAmountUnallocated float, fDepositAmountNew float': 0,
      'cContact varchar(50)': (document) => `${partyOf(document).first} ${partyOf(document).last}`,
      'cTelephone varchar(50)': (document) => partyOf(document).phone,
      'cFax varchar(50)': '',
      'cEmail varchar(200)': (document) => partyOf(document).email,
      'cCellular varchar(50)': '',
      'iInsuranceState int': 0,
      'cAuthorisedBy varchar(50), cClaimNumber varchar(50), cPolicyNumber varchar(50)': '',
      'dIncidentDate datetime': never,
      'cExcessAccName varchar(50), cExcessAccCont1 varchar(50)': '',
      'fExcessAmt float, fExcessPct float, fExcessExclusive float, fExcessTax float': 0,
      'InvNum_iInvoiceSplitDocID int': 0,
      ...stamp('InvNum'),
    }),
    _btblInvoiceLines: tableOf(documentLines, {
      '*idInvoiceLines bigint': ({ document, line }) =>
        line.id + (document.id - document.one.id) * 100,
      'iInvoiceID bigint': ({ document }) => document.id,
      'iOrigLineID bigint, iGrvLineID bigint': 0,
      'iLineDocketMode int': 0,
      'cDescription varchar(100)': ({ line }) => line.item.name,
      'iUnitsOfMeasureStockingID int, iUnitsOfMeasureID int': ({ line }) =>
        isService(line) ? 0 : unitIds[line.item.unit]!,
      'iUnitsOfMeasureCategoryID int': 1,
      'fQuantity float': ({ line }) => line.quantity,
      'fQtyChange float': 0,
      'fQtyToProcess float': ({ document, line }) => (isArchived(document) ? 0 : line.quantity),
      'fQtyLastProcess float, fQtyProcessed float': ({ document, line }) =>
        isArchived(document) ? line.quantity : 0,
      'fQtyReserved float, fQtyReservedChange float': 0,
      'cLineNotes varchar(1024)': '',
      'fUnitPriceExcl float': ({ document, line }) => fine(line.price * rateOf(document.one)),
      'fUnitPriceIncl float': ({ document, line }) =>
        fine(line.price * rateOf(document.one) * (1 + line.item.rate / 100)),
      'iUnitPriceOverrideReasonID int': 0,
      'fUnitCost float': ({ line }) => round(line.price / 2),
      'fLineDiscount float': ({ line }) => line.discount,
      'iLineDiscountReasonID int, iReturnReasonID int': 0,
      'fTaxRate float': ({ line }) => line.item.rate,
      'bIsSerialItem bit': 0,
      'bIsWhseItem bit': 1,
      'fAddCost float': 0,
      'cTradeinItem varchar(20)': '',
      'iStockCodeID int': ({ line }) => line.item.id,
      'iJobID int': 0,
      'iWarehouseID int': 1,
      'iTaxTypeID int': ({ line }) => taxOf(line.item.rate),
      'iPriceListNameID int': 1,
      ...lineTotals(''),
      'fUnitPriceExclForeign float': ({ line }) => line.price,
      'fUnitPriceInclForeign float': ({ line }) => fine(line.price * (1 + line.item.rate / 100)),
      'fUnitCostForeign float': ({ line }) => round(line.price / 2),
      'fAddCostForeign float': 0,
      ...lineTotals('Foreign'),
      'iLineRepID int': ({ document }) => (document.one.id % 2) + 1,
      'iLineProjectID int': 0,
      'iLedgerAccountID int': 0,
      'iModule int': 0,
      'bChargeCom bit': 1,
      'bIsLotItem bit': 0,
      'iLotID int': 0,
      'cLotNumber varchar(50)': '',
      'dLotExpiryDate datetime': never,
      'iMFPID int': 0,
      'iLineID bigint': ({ line }) => line.position,
      'iLinkedLineID bigint': 0,
      'fQtyLinkedUsed float': 0,
      'fUnitPriceExclOrig float': ({ document, line }) => fine(line.price * rateOf(document.one)),
      'fUnitPriceExclForeignOrig float': ({ line }) => line.price,
      'iDeliveryMethodID int': 0,
      'fQtyDeliver float': ({ line }) => line.quantity,
      'dDeliveryDate datetime': never,
      'iDeliveryStatus int': 0,
      'fQtyForDelivery float': 0,
      'bPromotionApplied bit': 0,
      'fPromotionPriceExcl float, fPromotionPriceIncl float': 0,
      ...stamp('_btblInvoiceLines'),
    }),
    Client: tableOf(customers, {
      '*DCLink int': ({ id }) => id,
      'Account varchar(20)': ({ code }) => code,
      'Name varchar(150)': ({ name }) => name,
      'Title varchar(5), Init varchar(6)': '',
      'Contact_Person varchar(30)': ({ first, last }) => `${first} ${last}`,
      'Physical1 varchar(40)': ({ street }) => street,
      'Physical2 varchar(40)': '',
      'Physical3 varchar(40)': ({ city }) => city,
      'Physical4 varchar(40)': ({ state }) => state,
      'Physical5 varchar(40)': '',
      'PhysicalPC varchar(15)': ({ zip }) => zip,
      'Addressee varchar(40)': '',
      'Post1 varchar(40)': ({ street }) => street,
      'Post2 varchar(40)': '',
      'Post3 varchar(40)': ({ city }) => city,
      'Post4 varchar(40)': ({ state }) => state,
      'Post5 varchar(40)': '',
      'PostPC varchar(15)': ({ zip }) => zip,
      'Delivered_To varchar(30)': '',
      'Telephone varchar(25)': ({ phone }) => phone,
      'Telephone2 varchar(25), Fax1 varchar(25), Fax2 varchar(25)': '',
      'AccountTerms int': 30,
      'CT int': 0,
      'Tax_Number varchar(50)': ({ vat }) => vat,
      'Registration varchar(50)': ({ id }) => `HRB ${4000 + id}`,
      'Credit_Limit float': 25_000,
      'RepID int': ({ id }) => (id % 2) + 1,
      'Interest_Rate float, Discount float': 0,
      'On_Hold bit': 0,
      'BFOpenType int': 0,
      'EMail varchar(200)': ({ email }) => email,
      'BankLink int': 0,
      'BranchCode varchar(30), BankAccNum varchar(30), BankAccType varchar(30)': '',
      'AutoDisc float': 0,
      'DiscMtrxRow int, MainAccLink int': 0,
      'CashDebtor bit': 0,
      'DCBalance float, fForeignBalance float': ({ id }) => id * 110,
      'CheckTerms bit, UseEmail bit': 1,
      'iIncidentTypeID int, iBusTypeID int, iBusClassID int': 0,
      'iCountryID int': ({ countryCode }) => countryOf(countryCode),
      'iAgentID int': 2,
      'dTimeStamp datetime': at('2026-01-04'),
      'cAccDescription varchar(80)': '',
      'cWebPage varchar(50)': '',
      'iClassID int': 0,
      'iAreasID int': 0,
      'cBankRefNr varchar(30)': '',
      'iCurrencyID int': 0,
      'bStatPrint bit, bStatEmail bit': 1,
      'cStatEmailPass varchar(160)': '',
      'bForCurAcc bit': 0,
      'iSettlementTermsID int': 0,
      'bSourceDocPrint bit, bSourceDocEmail bit': 1,
      'iEUCountryID int': 0,
      'iDefTaxTypeID int': 1,
      ...stamp('Client'),
    }),
    StkItem: tableOf(items, {
      '*StockLink int': ({ id }) => id,
      'Code varchar(400)': ({ code }) => code,
      'Description_1 varchar(50)': ({ name }) => name,
      'Description_2 varchar(50), Description_3 varchar(50)': '',
      'ItemGroup varchar(20)': '001',
      'Pack varchar(5)': '',
      'TTI varchar(5), TTC varchar(5), TTG varchar(5), TTR varchar(5)': ({ rate }) =>
        String(taxOf(rate)),
      'Bar_Code varchar(20)': '',
      'Re_Ord_Lvl float, Re_Ord_Qty float, Min_Lvl float, Max_Lvl float': 0,
      'AveUCst float, LatUCst float, LowUCst float, HigUCst float, StdUCst float': ({ price }) =>
        round(price / 2),
      'Qty_On_Hand float': 120,
      'LGrvCount float': 0,
      'ServiceItem bit': ({ unit }) => (unit === 'HR' ? 1 : 0),
      'ItemActive bit': 1,
      'ReservedQty float, QtyOnPO float, QtyOnSO float': 0,
      'WhseItem bit': 1,
      'SerialItem bit, DuplicateSN bit, StrictSN bit': 0,
      'BomCode varchar(1)': '',
      'cModel varchar(50), cRevision varchar(20), cExtDescription varchar(255)': '',
      'cSimpleCode varchar(20)': ({ code }) => code,
      'bCommissionItem bit': 1,
      'iUOMStockingUnitID int, iUOMDefPurchaseUnitID int, iUOMDefSellUnitID int': (one) =>
        one.unit === 'HR' ? 0 : unitIds[one.unit]!,
      ...stamp('StkItem'),
    }),
    TaxRate: {
      columns:
        '*idTaxRate int, Code varchar(5), Description varchar(50), TaxRate float, bApplyTaxInRegion bit, bAllowOverride bit, dTaxRateTimeStamp datetime',
      rows: [
        [1, '1', 'Standard Rate', 20, 0, 0, '2025-02-03 10:41:07'],
        [2, '2', 'Zero Rate', 0, 0, 0, '2025-02-03 10:41:07'],
        [3, '3', 'Exempt', 0, 0, 0, '2025-02-03 10:41:07'],
      ],
    },
    Currency: {
      columns:
        '*CurrencyLink int, CurrencyCode varchar(5), CurrencySymbol varchar(5), Description varchar(50), cCentSymbol varchar(5), bIsEuro bit',
      rows: [
        [1, 'USD', '$', 'US Dollar', 'c', 0],
        [2, 'GBP', '£', 'Pound Sterling', 'p', 0],
      ],
    },
    _etblUnits: {
      columns:
        '*idUnits int, iUnitCategoryID int, cUnitCode varchar(20), cUnitDescription varchar(50), bUnitActive bit',
      rows: [
        [1, 1, 'EA', 'Each', 1],
        [2, 1, 'MTR', 'Metre', 1],
        [4, 1, 'LTR', 'Litre', 1],
        [5, 1, 'KG', 'Kilogram', 1],
      ],
    },
    _rtblCountry: tableOf(countries, {
      '*idCountry int': (_one, index) => index + 1,
      'cCountryCode varchar(10)': ({ countryCode }) => countryCode,
      'cCountryName varchar(50)': ({ country }) => country,
    }),
  },
  sections: {
    header: {
      table: 'InvNum',
      key: 'AutoIndex',
      match: 'InvNumber',
      where: { DocState: '4', DocType: '0' },
    },
    lines: {
      table: '_btblInvoiceLines',
      key: 'idInvoiceLines',
      match: 'iInvoiceID',
      matchFrom: 'AutoIndex',
    },
    customer: { table: 'Client', key: 'DCLink', match: 'DCLink', matchFrom: 'AccountID' },
  },
  // Of the firm's own currency the foreign amounts are the others, and no document has a discount of its own or a rest.
  fields: {
    number: 'InvNum.InvNumber',
    issue_date: 'InvNum.InvDate|InvNum.OrderDate|InvNum.DeliveryDate',
    due_date: 'InvNum.DueDate',
    'delivery.date': 'InvNum.DeliveryDate',
    currency: 'Currency.CurrencyCode|InvNum.ForeignCurrencyID!map|Currency.Description!map',
    'exchange_rate.rate': 'InvNum.fExchangeRate',
    purchase_order: 'InvNum.ExtOrderNum',
    buyer_reference: 'InvNum.ExtOrderNum',
    'notes[]': 'InvNum.Message1',
    'totals.net':
      'InvNum.fInvTotExclForeign|InvNum.fInvTotExclDExForeign|InvNum.fOrdTotExclForeign|InvNum.fOrdTotExclDExForeign',
    'totals.lines':
      'InvNum.fInvTotExclForeign|InvNum.fInvTotExclDExForeign|InvNum.fOrdTotExclForeign|InvNum.fOrdTotExclDExForeign',
    'totals.tax':
      'InvNum.fInvTotTaxForeign|InvNum.fInvTotTaxDExForeign|InvNum.fOrdTotTaxForeign|InvNum.fOrdTotTaxDExForeign',
    'totals.gross':
      'InvNum.fInvTotInclForeign|InvNum.fInvTotInclDExForeign|InvNum.fOrdTotInclForeign|InvNum.fOrdTotInclDExForeign',
    'totals.due':
      'InvNum.fInvTotInclForeign|InvNum.fInvTotInclDExForeign|InvNum.fOrdTotInclForeign|InvNum.fOrdTotInclDExForeign',
    'buyer.name': 'InvNum.cAccountName|Client.Name',
    'buyer.trn': 'InvNum.cTaxNumber|Client.Tax_Number',
    'buyer.registration_id': 'Client.Registration',
    'buyer.address.line1': 'Client.Physical1|Client.Post1|InvNum.Address1|InvNum.PAddress1',
    'buyer.address.line2': 'Client.Physical2|Client.Post2|InvNum.Address2|InvNum.PAddress2',
    'buyer.address.city': 'Client.Physical3|Client.Post3|InvNum.Address3|InvNum.PAddress3',
    'buyer.address.subdivision': 'Client.Physical4|Client.Post4|InvNum.Address4|InvNum.PAddress4',
    'buyer.address.post_code': 'Client.PhysicalPC|Client.PostPC|InvNum.Address6|InvNum.PAddress6',
    'buyer.address.country': '_rtblCountry.cCountryCode|_rtblCountry.cCountryName!map',
    'buyer.contact.name': 'InvNum.cContact|Client.Contact_Person',
    'buyer.contact.phone': 'InvNum.cTelephone|Client.Telephone',
    'buyer.contact.email': 'InvNum.cEmail|Client.EMail',
    'lines[].id': '_btblInvoiceLines.iLineID|_btblInvoiceLines.idInvoiceLines',
    'lines[].sku': 'StkItem.Code|StkItem.cSimpleCode|_btblInvoiceLines.iStockCodeID',
    'lines[].name': '_btblInvoiceLines.cDescription|StkItem.Description_1',
    'lines[].description': '_btblInvoiceLines.cDescription|StkItem.Description_1',
    'lines[].qty':
      '_btblInvoiceLines.fQuantity|_btblInvoiceLines.fQtyLastProcess|_btblInvoiceLines.fQtyProcessed|_btblInvoiceLines.fQtyDeliver',
    'lines[].unit':
      '_etblUnits.cUnitCode!map|_etblUnits.cUnitDescription!map|_btblInvoiceLines.iUnitsOfMeasureID!map|_btblInvoiceLines.iUnitsOfMeasureStockingID!map',
    'lines[].unit_price':
      '_btblInvoiceLines.fUnitPriceExclForeign|_btblInvoiceLines.fUnitPriceExclForeignOrig',
    'lines[].gross_price':
      '_btblInvoiceLines.fUnitPriceExclForeign|_btblInvoiceLines.fUnitPriceExclForeignOrig',
    'lines[].allowances[].percent': '_btblInvoiceLines.fLineDiscount',
    'lines[].net':
      '_btblInvoiceLines.fQuantityLineTotExclForeign|_btblInvoiceLines.fQtyLastProcessLineTotExclForeign|_btblInvoiceLines.fQtyProcessedLineTotExclForeign',
    'lines[].accounting.amount':
      '_btblInvoiceLines.fQuantityLineTotInclForeign|_btblInvoiceLines.fQtyLastProcessLineTotInclForeign|_btblInvoiceLines.fQtyProcessedLineTotInclForeign',
    'lines[].accounting.tax_totals[].amount':
      '_btblInvoiceLines.fQuantityLineTaxAmountForeign|_btblInvoiceLines.fQtyLastProcessLineTaxAmountForeign|_btblInvoiceLines.fQtyProcessedLineTaxAmountForeign',
    'lines[].tax.rate': '_btblInvoiceLines.fTaxRate|TaxRate.TaxRate',
    'lines[].tax.category':
      '_btblInvoiceLines.fTaxRate!map|_btblInvoiceLines.iTaxTypeID!map|TaxRate.TaxRate!map|TaxRate.Code!map|TaxRate.Description!map|' +
      'TaxRate.idTaxRate!map|StkItem.TTI!map|StkItem.TTC!map',
  },
};
