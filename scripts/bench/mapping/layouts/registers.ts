import {
  type Buyer,
  cents,
  countries,
  type Good,
  linesOf,
  ratesOf,
  type SalesDocument,
  type SoldLine,
  total,
  tradeOf,
} from './enterprise-trade.ts';
import { hyphenKey } from './hex-keys.ts';
import type { Layout, LayoutTable } from './layout.ts';
import { at, midnight, tableOf } from './tables.ts';

const { documents, buyers, goods } = tradeOf({
  home: 'MY',
  seed: 61_403,
  documents: 148,
  currency: 'MYR',
  exchanges: { USD: 4.41, EUR: 4.78 },
  rates: { standard: 10, middle: 8, reduced: 5, zero: 0 },
  taxOf: 'rate',
});

const typeOf = ({ kind }: SalesDocument) => (kind === 'credit' ? 'CRM' : 'INV');
const reference = ({ kind, serial }: SalesDocument) =>
  `${kind === 'credit' ? 'CM' : 'AR'}${String(serial).padStart(6, '0')}`;
const own = ({ exchange }: SalesDocument, amount: number) => cents(amount * exchange);
const period = ({ date }: SalesDocument) => `${date.slice(0, 4)}${date.slice(5, 7)}`;
const isReleased = ({ state }: SalesDocument) => (state === 'draft' ? 0 : 1);
/** Some drafts are on hold, the others only wait to be released. */
const isHeld = ({ state, id }: SalesDocument) => state === 'draft' && id % 2 === 0;
/** On hold, balanced, canceled, closed or open. */
const statusOf = (one: SalesDocument) => {
  const { state, isPaid } = one;
  if (state === 'draft') return isHeld(one) ? 'H' : 'B';
  if (state === 'cancelled') return 'L';
  return isPaid ? 'C' : 'N';
};
const balance = ({ state, isPaid, gross }: SalesDocument) =>
  isPaid || state === 'cancelled' ? 0 : gross;
const account = ({ id }: Buyer) => 3000 + id;
const accountCode = ({ id, name }: Buyer) =>
  `${name
    .replaceAll(/[^A-Za-z]/g, '')
    .slice(0, 4)
    .toUpperCase()}${String(id).padStart(4, '0')}`;
/** Documents keep their own copy of the address when somebody changed it. */
const billAddress = ({ id, buyer }: SalesDocument) => (id % 8 === 0 ? 9000 + id : 7000 + buyer.id);
const taxIds: Readonly<Record<number, string>> = { 10: 'SST10', 8: 'SVT8', 5: 'SST5', 0: 'EXEMPT' };
const taxId = (rate: number, { isHome }: Buyer) => (isHome ? taxIds[rate]! : 'EXPORT');
const categories: Readonly<Record<Good['rateClass'], string>> = {
  standard: 'TAXABLE',
  middle: 'SERVICE',
  reduced: 'REDUCED',
  zero: 'EXEMPT',
};
const termsOf = (days: number) => (days === 0 ? 'COD' : `${days}D`);
const units: Readonly<Record<Good['unit'], string>> = {
  piece: 'EA',
  hour: 'HOUR',
  metre: 'METER',
  kilogram: 'KG',
  box: 'BOX',
  litre: 'LITER',
};
const extended = ({ quantity, price }: SoldLine) => cents(quantity * price);
const reduction = (line: SoldLine) => cents(extended(line) - line.net);
const orderNumber = ({ id }: SalesDocument) => `SO${String(id + 1200).padStart(6, '0')}`;
const hasOrder = ({ id }: SalesDocument) => id % 3 !== 0;

const tenant = { '*CompanyID int': 2 } as const;
const stamps = (screen: string) => ({
  'CreatedByID uniqueidentifier': 'b5344897-037e-4d58-b5c3-1bdfd0f47bf9',
  'CreatedByScreenID char(8)': screen,
  'CreatedDateTime datetime': at('2026-06-30', '09:11:02'),
  'LastModifiedByID uniqueidentifier': 'b5344897-037e-4d58-b5c3-1bdfd0f47bf9',
  'LastModifiedByScreenID char(8)': screen,
  'LastModifiedDateTime datetime': at('2026-06-30', '16:40:55'),
});

const receipts = documents.filter(({ isPaid, kind }) => isPaid && kind === 'invoice');
/** Invoices, credit memos and payments are all registered in one table. */
const registered = [
  ...documents.map((one) => ({ one, type: typeOf(one), number: reference(one), isReceipt: false })),
  ...receipts.map((one) => ({
    one,
    type: 'PMT',
    number: `PM${String(one.id).padStart(6, '0')}`,
    isReceipt: true,
  })),
];
const classOf = (type: string) => (type === 'INV' ? 'N' : 'P');

const receivables: Readonly<Record<string, LayoutTable>> = {
  ARRegister: tableOf(registered, {
    ...tenant,
    'BranchID int': 16,
    '*DocType char(3)': ({ type }) => type,
    '*RefNbr nvarchar(15)': ({ number }) => number,
    'OrigModule char(2)': ({ one, isReceipt }) => (!isReceipt && hasOrder(one) ? 'SO' : 'AR'),
    'DocDate datetime': ({ one, isReceipt }) => midnight(isReceipt ? one.due : one.date),
    'OrigDocDate datetime': null,
    'DueDate datetime': ({ one, isReceipt }) => (isReceipt ? null : midnight(one.due)),
    'TranPeriodID char(6), FinPeriodID char(6)': ({ one }) => period(one),
    'CustomerID int': ({ one }) => account(one.buyer),
    'CustomerLocationID int': ({ one }) => 5000 + one.buyer.id,
    'CuryID nvarchar(5)': ({ one }) => one.currency,
    'ARAccountID int': 1190,
    'ARSubID int': 467,
    'LineCntr int': ({ one, isReceipt }) => (isReceipt ? 0 : one.lines.length),
    'AdjCntr int': ({ isReceipt }) => (isReceipt ? 1 : 0),
    'DRSchedCntr int': 0,
    'CuryInfoID bigint': ({ one, isReceipt }) => (isReceipt ? 60_000 : 40_000) + one.id,
    'CuryOrigDocAmt decimal': ({ one }) => one.gross,
    'OrigDocAmt decimal': ({ one }) => own(one, one.gross),
    'CuryDocBal decimal': ({ one, isReceipt }) => (isReceipt ? 0 : balance(one)),
    'DocBal decimal': ({ one, isReceipt }) => (isReceipt ? 0 : own(one, balance(one))),
    'CuryOrigDiscAmt decimal, OrigDiscAmt decimal, CuryDiscTaken decimal, DiscTaken decimal': 0,
    'CuryDiscBal decimal, DiscBal decimal, DocDisc decimal, CuryDocDisc decimal': 0,
    'CuryChargeAmt decimal, ChargeAmt decimal': 0,
    'DocDesc nvarchar(512)': ({ one, isReceipt }) =>
      isReceipt ? 'Payment received' : (one.note ?? null),
    'TaxCalcMode char(1)': 'T',
    'DocClass char(1)': ({ type }) => classOf(type),
    'BatchNbr nvarchar(15)': ({ one }) => (isReleased(one) === 1 ? `GL${one.id}` : null),
    'BatchSeq smallint': 0,
    'Released bit': ({ one, isReceipt }) => (isReceipt ? 1 : isReleased(one)),
    'ReleasedToVerify bit': 0,
    'OpenDoc bit': ({ one, isReceipt }) => (isReceipt || balance(one) === 0 ? 0 : 1),
    'Hold bit': ({ one }) => (isHeld(one) ? 1 : 0),
    'Scheduled bit, Voided bit, PendingProcessing bit, SelfVoidingDoc bit': 0,
    'NoteID uniqueidentifier': ({ number }) => hyphenKey('ARRegister', number),
    'ClosedDate datetime': ({ one }) => (one.isPaid ? midnight(one.due) : null),
    'RefNoteID uniqueidentifier': null,
    'ClosedFinPeriodID char(6), ClosedTranPeriodID char(6)': null,
    'RGOLAmt decimal, CuryRoundDiff decimal, RoundDiff decimal': 0,
    'ScheduleID nvarchar(15), ImpRefNbr nvarchar(15), StatementDate datetime': null,
    'SalesPersonID int': ({ one }) => 70 + (one.id % 2),
    'IsTaxValid bit, IsTaxPosted bit, IsTaxSaved bit, NonTaxable bit': 0,
    'OrigDocType char(3), OrigRefNbr nvarchar(15)': null,
    'Status char(1)': ({ one, isReceipt }) => (isReceipt ? 'C' : statusOf(one)),
    'CuryDiscountedDocTotal decimal, DiscountedDocTotal decimal': 0,
    'CuryDiscountedTaxableTotal decimal, DiscountedTaxableTotal decimal': 0,
    'CuryDiscountedPrice decimal, DiscountedPrice decimal': 0,
    'HasPPDTaxes bit, PendingPPD bit': 0,
    'CuryInitDocBal decimal, InitDocBal decimal': 0,
    'IsMigratedRecord bit, PaymentsByLinesAllowed bit': 0,
    'ApproverID uniqueidentifier, ApproverWorkgroupID int': null,
    'Approved bit': 1,
    'Rejected bit, DontApprove bit': 0,
    'RetainageAcctID int, RetainageSubID int': null,
    'RetainageApply bit, IsRetainageDocument bit': 0,
    'DefRetainagePct decimal, CuryLineRetainageTotal decimal, LineRetainageTotal decimal': 0,
    'CuryRetainageTotal decimal, RetainageTotal decimal, CuryRetainageUnreleasedAmt decimal': 0,
    'RetainageUnreleasedAmt decimal, CuryRetainedTaxTotal decimal, RetainedTaxTotal decimal': 0,
    'CuryRetainedDiscTotal decimal, RetainedDiscTotal decimal': 0,
    'IsCancellation bit, IsCorrection bit, IsUnderCorrection bit': 0,
    'Canceled bit': ({ one, isReceipt }) => (!isReceipt && one.state === 'cancelled' ? 1 : 0),
    ...stamps('AR301000'),
  }),
  ARInvoice: tableOf(documents, {
    ...tenant,
    '*DocType char(3)': typeOf,
    '*RefNbr nvarchar(15)': reference,
    'TermsID nvarchar(10)': ({ days }) => termsOf(days),
    'InvoiceNbr nvarchar(40)': ({ order }) => order,
    'InvoiceDate datetime, DiscDate datetime': ({ date }) => midnight(date),
    'TaxZoneID nvarchar(10)': ({ buyer }) => (buyer.isHome ? 'MYSST' : 'EXPORT'),
    'AvalaraCustomerUsageType char(1)': '0',
    'ExternalTaxExemptionNumber nvarchar(30)': null,
    'MasterRefNbr nvarchar(15), InstallmentNbr smallint, InstallmentCntr smallint': null,
    'CuryTaxTotal decimal': ({ tax }) => tax,
    'TaxTotal decimal': (one) => own(one, one.tax),
    'CuryLineTotal decimal': ({ net }) => net,
    'LineTotal decimal': (one) => own(one, one.net),
    'CuryMiscTot decimal, MiscTot decimal, CuryFreightTot decimal, FreightTot decimal': 0,
    'CuryVatTaxableTotal decimal': ({ lines }) =>
      total(lines.filter(({ rate }) => rate > 0).map(({ net }) => net)),
    'VatTaxableTotal decimal': (one) =>
      own(one, total(one.lines.filter(({ rate }) => rate > 0).map(({ net }) => net))),
    'CuryVatExemptTotal decimal': ({ lines }) =>
      total(lines.filter(({ rate }) => rate === 0).map(({ net }) => net)),
    'VatExemptTotal decimal': (one) =>
      own(one, total(one.lines.filter(({ rate }) => rate === 0).map(({ net }) => net))),
    'CuryDiscTot decimal, DiscTot decimal': 0,
    'CuryCommnAmt decimal, CommnAmt decimal, CuryCommnblAmt decimal, CommnblAmt decimal': 0,
    'CommnPct decimal': 0,
    'CuryWhTaxBal decimal, WhTaxBal decimal': 0,
    'CreditHold bit': 0,
    'ApprovedCredit bit': 1,
    'ApprovedCreditAmt decimal': 0,
    'ApplyPaymentWhenTaxAvailable bit': 0,
    'BillAddressID int, BillContactID int': billAddress,
    'ShipAddressID int, ShipContactID int': ({ buyer }) => 7000 + buyer.id,
    'DontPrint bit, Printed bit': ({ state }) => (state === 'draft' ? 0 : 1),
    'DontEmail bit, Emailed bit': 0,
    'PaymentMethodID nvarchar(10)': ({ id }) => (id % 5 === 0 ? 'CHECK' : 'WIRE'),
    'PMInstanceID int, CashAccountID int': null,
    'ProjectID int': 0,
    'WorkgroupID int': null,
    'OwnerID int': 70,
    'ApplyOverdueCharge bit, Revoked bit, PendingPPDVATAdj bit': 0,
    'DisableAutomaticDiscountCalculation bit': 0,
    'SubmitToMyInvois bit': 0,
  }),
  ARTran: tableOf(linesOf(documents), {
    ...tenant,
    'BranchID int': 16,
    '*TranType char(3)': ({ one }) => typeOf(one),
    '*RefNbr nvarchar(15)': ({ one }) => reference(one),
    '*LineNbr int': ({ line }) => line.position,
    'SortOrder int': ({ line }) => line.position,
    'SOOrderType char(2)': ({ one }) => (hasOrder(one) ? 'SO' : null),
    'SOOrderNbr nvarchar(15)': ({ one }) => (hasOrder(one) ? orderNumber(one) : null),
    'SOOrderLineNbr int': ({ one, line }) => (hasOrder(one) ? line.position : null),
    'SOShipmentType char(1), SOShipmentNbr nvarchar(15), SOShipmentLineNbr int': null,
    'CustomerID int': ({ one }) => account(one.buyer),
    'LineType char(2)': ({ one, line }) =>
      hasOrder(one) ? (line.good.isService ? 'GN' : 'GI') : null,
    'ProjectID int': 0,
    'TaskID int': null,
    'CuryInfoID bigint': ({ one }) => 40_000 + one.id,
    'InventoryID int': ({ line }) => 10_100 + line.good.id,
    'SubItemID int': null,
    'SiteID int': 154,
    'LocationID int, LotSerialNbr nvarchar(100), ExpireDate datetime': null,
    'TranDesc nvarchar(256)': ({ line }) => line.good.name,
    'UOM nvarchar(6)': ({ line }) => units[line.good.unit],
    'Qty decimal, BaseQty decimal': ({ line }) => line.quantity,
    'UnitCost decimal': ({ line }) => line.good.cost,
    'TranCost decimal': ({ line }) => cents(line.quantity * line.good.cost),
    'CuryUnitPrice decimal': ({ line }) => line.price,
    'UnitPrice decimal': ({ one, line }) => own(one, line.price),
    'CuryExtPrice decimal': ({ line }) => extended(line),
    'ExtPrice decimal': ({ one, line }) => own(one, extended(line)),
    'DiscPct decimal': ({ line }) => line.discount,
    'CuryDiscAmt decimal': ({ line }) => reduction(line),
    'DiscAmt decimal': ({ one, line }) => own(one, reduction(line)),
    'ManualDisc bit': ({ line }) => (line.discount > 0 ? 1 : 0),
    'ManualPrice bit': 0,
    'DiscountID nvarchar(10), DiscountSequenceID nvarchar(10)': null,
    'CuryTranAmt decimal': ({ line }) => line.net,
    'TranAmt decimal': ({ one, line }) => own(one, line.net),
    'CuryTaxableAmt decimal': ({ line }) => line.net,
    'TaxableAmt decimal': ({ one, line }) => own(one, line.net),
    'CuryTaxAmt decimal': ({ line }) => line.tax,
    'TaxAmt decimal': ({ one, line }) => own(one, line.tax),
    'GroupDiscountRate decimal, DocumentDiscountRate decimal': 1,
    'AccountID int': ({ line }) => (line.good.isService ? 1240 : 1233),
    'SubID int': 467,
    'TaxCategoryID nvarchar(15)': ({ line }) => categories[line.good.rateClass],
    'TranClass char(1)': 'N',
    'DrCr char(1)': ({ one }) => (one.kind === 'credit' ? 'D' : 'C'),
    'TranDate datetime': ({ one }) => midnight(one.date),
    'FinPeriodID char(6), TranPeriodID char(6)': ({ one }) => period(one),
    'Released bit': ({ one }) => isReleased(one),
    'Canceled bit': ({ one }) => (one.state === 'cancelled' ? 1 : 0),
    'SalesPersonID int': ({ one }) => 70 + (one.id % 2),
    'EmployeeID int': null,
    'CommnPct decimal, CuryCommnAmt decimal, CommnAmt decimal': 0,
    'Commissionable bit': 1,
    'Date datetime': null,
    'DeferredCode nvarchar(10), DRTermStartDate datetime, DRTermEndDate datetime': null,
    'OrigInvoiceType char(3), OrigInvoiceNbr nvarchar(15), OrigInvoiceLineNbr int': null,
    'CaseCD nvarchar(10), CostCodeID int, ReasonCode nvarchar(20)': null,
    'NoteID uniqueidentifier': ({ line }) => hyphenKey('ARTran', line.id),
    ...stamps('AR301000'),
  }),
  ARTax: tableOf(linesOf(documents), {
    ...tenant,
    '*TranType char(3)': ({ one }) => typeOf(one),
    '*RefNbr nvarchar(15)': ({ one }) => reference(one),
    '*LineNbr int': ({ line }) => line.position,
    '*TaxID nvarchar(60)': ({ one, line }) => taxId(line.rate, one.buyer),
    'TaxRate decimal': ({ line }) => line.rate,
    'CuryInfoID bigint': ({ one }) => 40_000 + one.id,
    'CuryTaxableAmt decimal': ({ line }) => line.net,
    'TaxableAmt decimal': ({ one, line }) => own(one, line.net),
    'CuryTaxAmt decimal': ({ line }) => line.tax,
    'TaxAmt decimal': ({ one, line }) => own(one, line.tax),
    'NonDeductibleTaxRate decimal': 100,
    'CuryExpenseAmt decimal, ExpenseAmt decimal': 0,
  }),
  TaxTran: tableOf(
    documents.flatMap((one) => ratesOf(one.lines).map((rate) => ({ one, ...rate }))),
    {
      ...tenant,
      '*Module char(2)': 'AR',
      '*TranType char(3)': ({ one }) => typeOf(one),
      '*RefNbr nvarchar(15)': ({ one }) => reference(one),
      '*RecordID int': (_row, index) => index + 1,
      'BranchID int': 16,
      'TaxID nvarchar(60)': ({ one, rate }) => taxId(rate, one.buyer),
      'JurisType nvarchar(9), JurisName nvarchar(200)': '',
      'TaxZoneID nvarchar(10)': ({ one }) => (one.buyer.isHome ? 'MYSST' : 'EXPORT'),
      'TaxPeriodID char(6), FinPeriodID char(6)': ({ one }) => period(one),
      'VendorID int': 3901,
      'TaxType char(1)': 'S',
      'TaxBucketID int': 1,
      'TaxRate decimal': ({ rate }) => rate,
      'CuryID nvarchar(5)': ({ one }) => one.currency,
      'CuryInfoID bigint': ({ one }) => 40_000 + one.id,
      'CuryTaxableAmt decimal': ({ base }) => base,
      'TaxableAmt decimal': ({ one, base }) => own(one, base),
      'CuryTaxAmt decimal': ({ tax }) => tax,
      'TaxAmt decimal': ({ one, tax }) => own(one, tax),
      'CuryExemptedAmt decimal, ExemptedAmt decimal': 0,
      'TranDate datetime': ({ one }) => midnight(one.date),
      'Released bit': ({ one }) => isReleased(one),
      'Voided bit': 0,
      'AccountID int': 1215,
      'Description nvarchar(256)': null,
    },
  ),
  ARPayment: tableOf(receipts, {
    ...tenant,
    '*DocType char(3)': 'PMT',
    '*RefNbr nvarchar(15)': ({ id }) => `PM${String(id).padStart(6, '0')}`,
    'PaymentMethodID nvarchar(10)': 'WIRE',
    'CashAccountID int': 1174,
    'ExtRefNbr nvarchar(40)': ({ id }) => `TT${id * 17}`,
    'AdjDate datetime': ({ due }) => midnight(due),
    'CuryUnappliedBal decimal, UnappliedBal decimal': 0,
    'Cleared bit': 1,
  }),
  ARAdjust: tableOf(receipts, {
    ...tenant,
    '*AdjgDocType char(3)': 'PMT',
    '*AdjgRefNbr nvarchar(15)': ({ id }) => `PM${String(id).padStart(6, '0')}`,
    '*AdjNbr int': 0,
    '*AdjdDocType char(3)': 'INV',
    '*AdjdRefNbr nvarchar(15)': reference,
    'AdjdCustomerID int, CustomerID int': ({ buyer }) => account(buyer),
    'CuryAdjdAmt decimal, CuryAdjgAmt decimal': ({ gross }) => gross,
    'AdjAmt decimal': (one) => own(one, one.gross),
    'Released bit': 1,
    'Voided bit': 0,
    'AdjgDocDate datetime': ({ due }) => midnight(due),
  }),
};

const places = [
  ...buyers.map((one) => ({ id: 7000 + one.id, one, isDefault: 1 })),
  ...documents
    .filter(({ id }) => id % 8 === 0)
    .map(({ id, buyer }) => ({
      id: 9000 + id,
      one: { ...buyer, street: `Accounts office, ${buyer.street}` },
      isDefault: 0,
    })),
];
type Place = (typeof places)[number];
const addressLines = {
  'AddressLine1 nvarchar(50)': ({ one }: Place) => one.street,
  'AddressLine2 nvarchar(50)': ({ one }: Place) => one.street2,
  'AddressLine3 nvarchar(50)': null,
  'City nvarchar(50)': ({ one }: Place) => one.city,
  'CountryID nvarchar(2)': ({ one }: Place) => one.country,
  'State nvarchar(50)': ({ one }: Place) => one.region,
  'PostalCode nvarchar(20)': ({ one }: Place) => one.zip,
  'IsValidated bit': 0,
};
const contactLines = {
  'Title nvarchar(50), Salutation nvarchar(255)': null,
  'Attention nvarchar(255)': ({ one }: Place) => `${one.first} ${one.last}`,
  'FullName nvarchar(255)': ({ one }: Place) => one.name,
  'Email nvarchar(255)': ({ one }: Place) => one.email,
  'Phone1 nvarchar(50)': ({ one }: Place) => one.phone,
  'Phone1Type char(3)': 'B1',
  'Phone2 nvarchar(50), Phone3 nvarchar(50), Fax nvarchar(50)': null,
};
const firm = {
  id: 3900,
  code: 'SELANGOR',
  name: 'Selangor Flow Systems Sdn Bhd',
};
const taxOffice = { id: 3901, code: 'JKDM', name: 'Jabatan Kastam Diraja Malaysia' };
const supplier = { id: 3902, code: 'NINGBO', name: 'Ningbo Valve Manufacturing Co' };

const relations: Readonly<Record<string, LayoutTable>> = {
  BAccount: tableOf(
    [
      ...buyers.map((one) => ({
        id: account(one),
        code: accountCode(one),
        name: one.name,
        type: 'CU',
        place: 7000 + one.id,
        tax: one.taxNumber,
        country: one.country,
      })),
      { ...firm, type: 'OB', place: 6900, tax: 'B16-1809-32000456', country: 'MY' },
      { ...taxOffice, type: 'VE', place: 6901, tax: null, country: 'MY' },
      { ...supplier, type: 'VE', place: 6902, tax: null, country: 'CN' },
    ],
    {
      ...tenant,
      '*BAccountID int': ({ id }) => id,
      'AcctCD nvarchar(30)': ({ code }) => code,
      'AcctName nvarchar(255), LegalName nvarchar(255)': ({ name }) => name,
      'AcctReferenceNbr nvarchar(50)': null,
      'Type char(2)': ({ type }) => type,
      'Status char(1)': 'A',
      'ClassID nvarchar(10)': 'DEFAULT',
      'ParentBAccountID int': null,
      'ConsolidateToParent bit': 0,
      'DefAddressID int, DefContactID int': ({ place }) => place,
      'DefLocationID int': ({ place }) => place - 2000,
      'PrimaryContactID int': null,
      'TaxRegistrationID nvarchar(50)': ({ tax }) => tax,
      'CountryID nvarchar(2)': ({ country }) => country,
      'WorkgroupID int, OwnerID int, CampaignSourceID nvarchar(10)': null,
      'NoteID uniqueidentifier': ({ id }) => hyphenKey('BAccount', id),
      'DeletedDatabaseRecord bit': 0,
      ...stamps('AR303000'),
    },
  ),
  Customer: tableOf(buyers, {
    ...tenant,
    '*BAccountID int': account,
    'CustomerClassID nvarchar(10)': ({ isHome }) => (isHome ? 'LOCAL' : 'EXPORT'),
    'CustomerGroup nvarchar(10), LanguageID nvarchar(4)': null,
    'DefBillAddressID int, DefBillContactID int': ({ id }) => 7000 + id,
    'TermsID nvarchar(10)': '30D',
    'CuryID nvarchar(5)': ({ currency }) => currency,
    'CuryRateTypeID nvarchar(6)': 'SPOT',
    'AllowOverrideCury bit, AllowOverrideRate bit': 1,
    'ARAcctID int, DiscTakenAcctID int, PrepaymentAcctID int': 1190,
    'ARSubID int, DiscTakenSubID int, PrepaymentSubID int': 467,
    'AutoApplyPayments bit, PrintStatements bit, SendStatementByEmail bit': 0,
    'CreditRule char(1)': 'D',
    'CreditLimit decimal': ({ id }) => id * 1500,
    'CreditDaysPastDue smallint': 30,
    'StatementCycleId nvarchar(10)': 'MONTHEND',
    'StatementType char(1)': 'O',
    'StatementLastDate datetime': null,
    'SmallBalanceAllow bit, SmallBalanceLimit decimal, FinChargeApply bit': 0,
    'DefPaymentMethodID nvarchar(10)': 'WIRE',
    'PrintInvoices bit': 1,
    'MailInvoices bit, PrintDunningLetters bit, MailDunningLetters bit': 0,
    'SharedCreditCustomerID int': account,
    ...stamps('AR303000'),
  }),
  ARAddress: tableOf(places, {
    ...tenant,
    '*AddressID int': ({ id }) => id,
    'CustomerID int': ({ one }) => account(one),
    'CustomerAddressID int': ({ one }) => 7000 + one.id,
    'RevisionID int': 1,
    'IsDefaultBillAddress bit': ({ isDefault }) => isDefault,
    ...addressLines,
    ...stamps('AR301000'),
  }),
  ARContact: tableOf(places, {
    ...tenant,
    '*ContactID int': ({ id }) => id,
    'CustomerID int': ({ one }) => account(one),
    'CustomerContactID int': ({ one }) => 7000 + one.id,
    'RevisionID int': 1,
    'IsDefaultContact bit': ({ isDefault }) => isDefault,
    ...contactLines,
    ...stamps('AR301000'),
  }),
  Address: tableOf(
    [
      ...buyers.map((one) => ({ id: 7000 + one.id, account: account(one), one, isDefault: 1 })),
      {
        id: 6900,
        account: firm.id,
        one: {
          ...buyers[0]!,
          street: '8 Jalan Utas 15/7',
          street2: null,
          city: 'Shah Alam',
          zip: '40200',
          region: 'SGR',
          country: 'MY',
        },
        isDefault: 1,
      },
    ],
    {
      ...tenant,
      '*AddressID int': ({ id }) => id,
      'BAccountID int': ({ account: of }) => of,
      'RevisionID int': 1,
      'AddressType char(2)': 'BS',
      ...addressLines,
      'TaxLocationCode nvarchar(30)': null,
      ...stamps('CR303000'),
    },
  ),
  Contact: tableOf(
    [
      ...buyers.map((one) => ({ id: 7000 + one.id, account: account(one), one, isDefault: 1 })),
      {
        id: 6900,
        account: firm.id,
        one: {
          ...buyers[0]!,
          name: firm.name,
          first: 'Farah',
          last: 'Idris',
          phone: '+60 3-5512 9000',
          email: 'ar@selflow.example',
        },
        isDefault: 1,
      },
    ],
    {
      ...tenant,
      '*ContactID int': ({ id }) => id,
      'BAccountID int': ({ account: of }) => of,
      'ContactType char(2)': 'AP',
      'DefAddressID int': ({ id }) => id,
      'DisplayName nvarchar(255)': ({ one }) => `${one.last}, ${one.first}`,
      'FirstName nvarchar(50)': ({ one }) => one.first,
      'LastName nvarchar(100)': ({ one }) => one.last,
      ...contactLines,
      'WebSite nvarchar(255)': null,
      'IsActive bit': 1,
      ...stamps('CR303000'),
    },
  ),
  Location: tableOf(buyers, {
    ...tenant,
    '*LocationID int': ({ id }) => 5000 + id,
    'BAccountID int': account,
    'LocationCD nvarchar(30)': 'MAIN',
    'LocType char(2)': 'CU',
    'Descr nvarchar(60)': 'Primary Location',
    'DefAddressID int, DefContactID int': ({ id }) => 7000 + id,
    'TaxRegistrationID nvarchar(50)': ({ taxNumber }) => taxNumber,
    'CTaxZoneID nvarchar(10)': ({ isHome }) => (isHome ? 'MYSST' : 'EXPORT'),
    'CShipTermsID nvarchar(10), CCarrierID nvarchar(15), CFOBPointID nvarchar(15)': null,
    'CSalesAcctID int': 1233,
    'CBranchID int': 16,
    'IsActive bit, IsDefault bit': 1,
  }),
  CSAnswers: tableOf(
    buyers.filter(({ register }) => register !== null),
    {
      ...tenant,
      '*RefNoteID uniqueidentifier': (one) => hyphenKey('BAccount', account(one)),
      '*AttributeID nvarchar(10)': 'BRN',
      'Value nvarchar(255)': ({ register }) => register,
    },
  ),
};

const setup: Readonly<Record<string, LayoutTable>> = {
  Branch: {
    columns:
      '*CompanyID int, *BranchID int, BranchCD nvarchar(30), OrganizationID int, BAccountID int, BaseCuryID nvarchar(5), CountryID nvarchar(2), RoleName nvarchar(64), Active bit, LedgerID int, PhoneMask nvarchar(50), AcctName nvarchar(255)',
    rows: [[2, 16, firm.code, 5, firm.id, 'MYR', 'MY', null, 1, 1, null, firm.name]],
  },
  Organization: {
    columns:
      '*CompanyID int, *OrganizationID int, OrganizationCD nvarchar(30), OrganizationName nvarchar(60), OrganizationType nvarchar(30), BAccountID int, BaseCuryID nvarchar(5), TaxRegistrationID nvarchar(50), Status char(1)',
    rows: [
      [2, 5, firm.code, firm.name, 'WithoutBranches', firm.id, 'MYR', 'B16-1809-32000456', 'A'],
    ],
  },
  CurrencyInfo: tableOf(registered, {
    ...tenant,
    '*CuryInfoID bigint': ({ one, isReceipt }) => (isReceipt ? 60_000 : 40_000) + one.id,
    'ModuleCode char(2)': 'AR',
    'IsReadOnly bit, BaseCalc bit': 1,
    'BaseCuryID nvarchar(5)': 'MYR',
    'CuryID nvarchar(5)': ({ one }) => one.currency,
    'CuryRateTypeID nvarchar(6)': ({ one }) => (one.exchange === 1 ? null : 'SPOT'),
    'CuryEffDate datetime': ({ one }) => midnight(one.date),
    'CuryMultDiv char(1)': 'M',
    'CuryRate decimal': ({ one }) => one.exchange,
    'RecipRate decimal': ({ one }) => Math.round(1e8 / one.exchange) / 1e8,
  }),
  CurrencyList: {
    columns:
      '*CompanyID int, *CuryID nvarchar(5), Description nvarchar(60), CurySymbol nvarchar(10), CuryCaption nvarchar(60), DecimalPlaces smallint, IsActive bit, IsFinancial bit',
    rows: [
      [2, 'MYR', 'Malaysian Ringgit', 'RM', 'MYR', 2, 1, 1],
      [2, 'USD', 'US Dollar', '$', 'USD', 2, 1, 1],
      [2, 'EUR', 'Euro', '€', 'EUR', 2, 1, 1],
    ],
  },
  CurrencyRate: {
    columns:
      '*CompanyID int, *CuryRateID int, FromCuryID nvarchar(5), ToCuryID nvarchar(5), CuryRateType nvarchar(6), CuryEffDate datetime, CuryMultDiv char(1), CuryRate decimal, RateReciprocal decimal',
    rows: [
      [2, 1, 'USD', 'MYR', 'SPOT', midnight('2026-01-01'), 'M', 4.41, 0.226757],
      [2, 2, 'EUR', 'MYR', 'SPOT', midnight('2026-01-01'), 'M', 4.78, 0.209205],
    ],
  },
  Terms: tableOf([0, 14, 30, 60], {
    ...tenant,
    '*TermsID nvarchar(10)': termsOf,
    'Descr nvarchar(60)': (days) => (days === 0 ? 'Cash on delivery' : `Net ${days} days`),
    'VisibleTo char(2)': 'AL',
    'DueType char(1)': 'N',
    'DayDue00 smallint': (days) => days,
    'DiscType char(1)': 'N',
    'DayDisc smallint, DiscPercent decimal': 0,
    'InstallmentType char(1)': 'S',
  }),
  Tax: {
    columns:
      '*CompanyID int, *TaxID nvarchar(60), Descr nvarchar(100), TaxType char(1), TaxCalcType char(1), TaxCalcLevel char(1), TaxApplyTermsDisc char(1), ReverseTax bit, ZeroTaxable bit, ExemptTax bit, TaxVendorID int, SalesTaxAcctID int, OutDate datetime',
    rows: [
      [2, 'SST10', 'Sales tax 10%', 'S', 'D', '1', 'X', 0, 0, 0, 3901, 1215, null],
      [2, 'SST5', 'Sales tax 5%', 'S', 'D', '1', 'X', 0, 0, 0, 3901, 1215, null],
      [2, 'SVT8', 'Service tax 8%', 'S', 'D', '1', 'X', 0, 0, 0, 3901, 1215, null],
      [2, 'EXEMPT', 'Exempt', 'S', 'D', '1', 'X', 0, 0, 1, 3901, 1215, null],
      [2, 'EXPORT', 'Export of goods', 'S', 'D', '1', 'X', 0, 1, 0, 3901, 1215, null],
    ],
  },
  TaxRev: {
    columns:
      '*CompanyID int, *TaxID nvarchar(60), *RevisionID int, TaxType char(1), TaxBucketID int, TaxRate decimal, TaxableMin decimal, TaxableMax decimal, StartDate datetime, EndDate datetime, Outdated bit',
    rows: (
      [
        ['SST10', 10],
        ['SST5', 5],
        ['SVT8', 8],
        ['EXEMPT', 0],
        ['EXPORT', 0],
      ] as const
    ).map(([id, rate]) => [
      2,
      id,
      1,
      'S',
      1,
      rate,
      0,
      0,
      midnight('2024-03-01'),
      midnight('9999-06-06'),
      0,
    ]),
  },
  TaxZone: {
    columns:
      '*CompanyID int, *TaxZoneID nvarchar(10), Descr nvarchar(60), IsExternal bit, DfltTaxCategoryID nvarchar(15)',
    rows: [
      [2, 'MYSST', 'Malaysia', 0, 'TAXABLE'],
      [2, 'EXPORT', 'Outside Malaysia', 0, 'EXEMPT'],
    ],
  },
  TaxCategory: tableOf(Object.values(categories), {
    ...tenant,
    '*TaxCategoryID nvarchar(15)': (id) => id,
    'Descr nvarchar(256)': (id) => `${id[0]}${id.slice(1).toLowerCase()} supplies`,
    'TaxCatFlag bit': 0,
    'Active bit': 1,
  }),
  PaymentMethod: {
    columns:
      '*CompanyID int, *PaymentMethodID nvarchar(10), Descr nvarchar(255), PaymentType char(3), UseForAR bit, IsActive bit',
    rows: [
      [2, 'WIRE', 'Telegraphic transfer', 'DDT', 1, 1],
      [2, 'CHECK', 'Cheque', 'CHC', 1, 1],
    ],
  },
  Country: tableOf(countries, {
    ...tenant,
    '*CountryID nvarchar(2)': ({ two }) => two,
    'Description nvarchar(60)': ({ name }) => name,
    'CountryValidationMethod char(1)': 'I',
    'SalesTerritoryID nvarchar(15)': null,
  }),
  State: {
    columns: '*CompanyID int, *CountryID nvarchar(2), *StateID nvarchar(50), Name nvarchar(30)',
    rows: [
      [2, 'MY', 'SGR', 'Selangor'],
      [2, 'MY', 'KDH', 'Kedah'],
      [2, 'MY', 'PNG', 'Pulau Pinang'],
      [2, 'MY', 'JHR', 'Johor'],
      [2, 'MY', 'SBH', 'Sabah'],
      [2, 'MY', 'SWK', 'Sarawak'],
    ],
  },
  Account: {
    columns:
      '*CompanyID int, *AccountID int, AccountCD nvarchar(10), Description nvarchar(60), Type char(1), Active bit',
    rows: [
      [2, 1190, '12000', 'Accounts receivable', 'A', 1],
      [2, 1215, '22000', 'SST payable', 'L', 1],
      [2, 1233, '40000', 'Sales of goods', 'I', 1],
      [2, 1240, '40100', 'Services', 'I', 1],
    ],
  },
  Users: {
    columns:
      '*CompanyID int, *PKID uniqueidentifier, Username nvarchar(64), FirstName nvarchar(255), LastName nvarchar(255), Email nvarchar(128), State char(1)',
    rows: [
      [
        2,
        'b5344897-037e-4d58-b5c3-1bdfd0f47bf9',
        'farah',
        'Farah',
        'Idris',
        'farah@selflow.example',
        'A',
      ],
    ],
  },
  SalesPerson: {
    columns:
      '*CompanyID int, *SalesPersonID int, SalesPersonCD nvarchar(10), Descr nvarchar(60), CommnPct decimal, IsActive bit',
    rows: [
      [2, 70, 'SP001', 'Farah Idris', 2, 1],
      [2, 71, 'SP002', 'Daniel Wong', 2, 1],
    ],
  },
};

const stock: Readonly<Record<string, LayoutTable>> = {
  InventoryItem: tableOf(goods, {
    ...tenant,
    '*InventoryID int': ({ id }) => 10_100 + id,
    'InventoryCD nvarchar(30)': ({ code }) => code,
    'Descr nvarchar(256)': ({ name }) => name,
    'Body ntext': ({ text }) => text,
    'ItemClassID int': 18,
    'ItemStatus char(2)': 'AC',
    'ItemType char(1)': ({ isService }) => (isService ? 'S' : 'F'),
    'StkItem bit': ({ isService }) => (isService ? 0 : 1),
    'ValMethod char(1)': 'A',
    'BaseUnit nvarchar(6), SalesUnit nvarchar(6), PurchaseUnit nvarchar(6)': ({ unit }) =>
      units[unit],
    'TaxCategoryID nvarchar(15)': ({ rateClass }) => categories[rateClass],
    'SalesAcctID int': 1233,
    'BasePrice decimal': ({ price }) => price,
    'HSTariffCode nvarchar(30), CountryOfOrigin nvarchar(2)': null,
    'DeletedDatabaseRecord bit': 0,
    ...stamps('IN202500'),
  }),
  INUnit: tableOf(Object.values(units), {
    ...tenant,
    '*RecordID int': (_unit, index) => index + 1,
    'UnitType smallint': 3,
    'FromUnit nvarchar(6), ToUnit nvarchar(6)': (unit) => unit,
    'UnitMultDiv char(1)': 'M',
    'UnitRate decimal': 1,
  }),
  INSiteStatus: tableOf(
    goods.filter(({ isService }) => !isService),
    {
      ...tenant,
      '*InventoryID int': ({ id }) => 10_100 + id,
      '*SubItemID int': 0,
      '*SiteID int': 154,
      'QtyOnHand decimal, QtyAvail decimal': 60,
    },
  ),
  SOOrder: tableOf(documents.filter(hasOrder), {
    ...tenant,
    '*OrderType char(2)': 'SO',
    '*OrderNbr nvarchar(15)': orderNumber,
    'CustomerID int': ({ buyer }) => account(buyer),
    'CustomerOrderNbr nvarchar(40)': ({ order }) => order,
    'OrderDate datetime, RequestDate datetime': ({ delivered }) => midnight(delivered),
    'ShipDate datetime': ({ delivered }) => midnight(delivered),
    'Status char(1)': 'C',
    'OrderDesc nvarchar(256)': null,
    'CuryID nvarchar(5)': ({ currency }) => currency,
    'CuryInfoID bigint': ({ id }) => 40_000 + id,
    'CuryOrderTotal decimal': ({ gross }) => gross,
    'CuryLineTotal decimal': ({ net }) => net,
    'CuryTaxTotal decimal': ({ tax }) => tax,
    'OrderQty decimal': ({ lines }) => total(lines.map(({ quantity }) => quantity)),
    'TermsID nvarchar(10)': ({ days }) => termsOf(days),
    'Hold bit, Cancelled bit': 0,
    ...stamps('SO301000'),
  }),
  SOLine: tableOf(linesOf(documents.filter(hasOrder)), {
    ...tenant,
    '*OrderType char(2)': 'SO',
    '*OrderNbr nvarchar(15)': ({ one }) => orderNumber(one),
    '*LineNbr int': ({ line }) => line.position,
    'InventoryID int': ({ line }) => 10_100 + line.good.id,
    'TranDesc nvarchar(256)': ({ line }) => line.good.name,
    'OrderQty decimal, ShippedQty decimal': ({ line }) => line.quantity,
    'UOM nvarchar(6)': ({ line }) => units[line.good.unit],
    'CuryUnitPrice decimal': ({ line }) => line.price,
    'DiscPct decimal': ({ line }) => line.discount,
    'CuryLineAmt decimal': ({ line }) => line.net,
    'TaxCategoryID nvarchar(15)': ({ line }) => categories[line.good.rateClass],
  }),
  SOShipment: tableOf(documents.filter(hasOrder), {
    ...tenant,
    '*ShipmentNbr nvarchar(15)': ({ id }) => `SH${String(id).padStart(6, '0')}`,
    'ShipmentType char(1)': 'I',
    'ShipDate datetime': ({ delivered }) => midnight(delivered),
    'CustomerID int': ({ buyer }) => account(buyer),
    'Status char(1)': 'C',
  }),
  APRegister: tableOf(documents.slice(0, 22), {
    ...tenant,
    '*DocType char(3)': 'INV',
    '*RefNbr nvarchar(15)': ({ id }) => `AP${String(id).padStart(6, '0')}`,
    'DocDate datetime': ({ date }) => midnight(date),
    'VendorID int': supplier.id,
    'CuryID nvarchar(5)': 'MYR',
    'CuryOrigDocAmt decimal, OrigDocAmt decimal': (one) => cents(own(one, one.net) * 0.6),
    'CuryDocBal decimal, DocBal decimal': 0,
    'Status char(1)': 'C',
    'Released bit': 1,
    'DocDesc nvarchar(256)': 'Goods',
  }),
  APInvoice: tableOf(documents.slice(0, 22), {
    ...tenant,
    '*DocType char(3)': 'INV',
    '*RefNbr nvarchar(15)': ({ id }) => `AP${String(id).padStart(6, '0')}`,
    'InvoiceNbr nvarchar(40)': ({ id }) => `NB${id * 3}`,
    'InvoiceDate datetime': ({ date }) => midnight(date),
    'DueDate datetime': ({ due }) => midnight(due),
    'TermsID nvarchar(10)': '30D',
    'CuryLineTotal decimal, LineTotal decimal': (one) => cents(own(one, one.net) * 0.6),
    'CuryTaxTotal decimal, TaxTotal decimal': 0,
  }),
  APTran: tableOf(documents.slice(0, 22), {
    ...tenant,
    '*TranType char(3)': 'INV',
    '*RefNbr nvarchar(15)': ({ id }) => `AP${String(id).padStart(6, '0')}`,
    '*LineNbr int': 1,
    'InventoryID int': ({ lines }) => 10_100 + lines[0]!.good.id,
    'TranDesc nvarchar(256)': ({ lines }) => lines[0]!.good.name,
    'Qty decimal': 1,
    'CuryUnitCost decimal, CuryTranAmt decimal, TranAmt decimal': (one) =>
      cents(own(one, one.net) * 0.6),
  }),
  GLTran: tableOf(
    documents
      .filter(({ state }) => state !== 'draft')
      .flatMap((one) => [
        { one, nth: 1, account: 1190, debit: one.gross },
        { one, nth: 2, account: 1233, debit: -one.net },
        { one, nth: 3, account: 1215, debit: -one.tax },
      ]),
    {
      ...tenant,
      '*Module char(2)': 'AR',
      '*BatchNbr nvarchar(15)': ({ one }) => `GL${one.id}`,
      '*LineNbr int': ({ nth }) => nth,
      'AccountID int': ({ account: of }) => of,
      'SubID int': 467,
      'RefNbr nvarchar(15)': ({ one }) => reference(one),
      'TranType char(3)': ({ one }) => typeOf(one),
      'TranDate datetime': ({ one }) => midnight(one.date),
      'TranDesc nvarchar(512)': ({ one }) => one.buyer.name,
      'CuryDebitAmt decimal': ({ one, debit }) =>
        Math.max(0, one.kind === 'credit' ? -debit : debit),
      'CuryCreditAmt decimal': ({ one, debit }) =>
        Math.max(0, one.kind === 'credit' ? debit : -debit),
      'DebitAmt decimal': ({ one, debit }) =>
        own(one, Math.max(0, one.kind === 'credit' ? -debit : debit)),
      'CreditAmt decimal': ({ one, debit }) =>
        own(one, Math.max(0, one.kind === 'credit' ? debit : -debit)),
      'Released bit, Posted bit': 1,
    },
  ),
};

/**
 * Acumatica: a number of the tenant before each key; documents and payments in one register by a type of three letters, what only an
 * invoice has in a second table by the same key; each amount in the currency of the document and in that of the books; addresses of
 * documents are copies; name, address and tax number of a customer stand in three tables; no key is declared. Columns of
 * ARRegister after a class published on GitHub (ARRegisterAlias2), the others from memory.
 */
export const registers: Layout = {
  name: 'registers',
  isHeldOut: true,
  hasDiscounts: true,
  tables: { ...setup, ...stock, ...relations, ...receivables },
  sections: {
    header: {
      table: 'ARRegister',
      key: 'RefNbr',
      match: 'RefNbr',
      where: { DocType: 'INV', Released: '1' },
    },
    lines: {
      table: 'ARTran',
      key: 'LineNbr',
      match: 'RefNbr',
      matchFrom: 'RefNbr',
      where: { TranType: 'INV' },
    },
    customer: {
      table: 'Customer',
      key: 'BAccountID',
      match: 'BAccountID',
      matchFrom: 'CustomerID',
    },
  },
  fields: {
    number: 'ARRegister.RefNbr|ARInvoice.RefNbr|ARTran.RefNbr',
    issue_date: 'ARRegister.DocDate|ARInvoice.InvoiceDate|ARTran.TranDate|TaxTran.TranDate',
    due_date: 'ARRegister.DueDate',
    'delivery.date': 'SOOrder.ShipDate|SOShipment.ShipDate',
    currency:
      'ARRegister.CuryID|CurrencyInfo.CuryID|CurrencyList.CuryID|TaxTran.CuryID|SOOrder.CuryID|Customer.CuryID',
    'exchange_rate.rate':
      'CurrencyInfo.CuryRate|CurrencyInfo.RecipRate!divide|CurrencyRate.CuryRate|CurrencyRate.RateReciprocal!divide',
    purchase_order: 'ARInvoice.InvoiceNbr|SOOrder.CustomerOrderNbr',
    buyer_reference: 'ARInvoice.InvoiceNbr|SOOrder.CustomerOrderNbr',
    'notes[]': 'ARRegister.DocDesc',
    'payment_terms[].note': 'Terms.Descr|ARInvoice.TermsID|Terms.TermsID',
    'payment_means[].code':
      'ARInvoice.PaymentMethodID!map|PaymentMethod.PaymentMethodID!map|PaymentMethod.Descr!map|PaymentMethod.PaymentType!map|Customer.DefPaymentMethodID!map',
    'totals.lines': 'ARInvoice.CuryLineTotal|SOOrder.CuryLineTotal',
    'totals.net': 'ARInvoice.CuryLineTotal|SOOrder.CuryLineTotal',
    'totals.tax': 'ARInvoice.CuryTaxTotal|SOOrder.CuryTaxTotal',
    'totals.gross': 'ARRegister.CuryOrigDocAmt|SOOrder.CuryOrderTotal',
    'totals.due': 'ARRegister.CuryOrigDocAmt|ARRegister.CuryDocBal',
    'accounting.totals.tax': 'ARInvoice.TaxTotal',
    'accounting.totals.gross': 'ARRegister.OrigDocAmt',
    'tax_breakdown[].rate': 'TaxTran.TaxRate',
    'tax_breakdown[].taxable': 'TaxTran.CuryTaxableAmt',
    'tax_breakdown[].amount': 'TaxTran.CuryTaxAmt',
    'seller.name':
      'Branch.AcctName|Organization.OrganizationName|BAccount.AcctName|BAccount.LegalName|Contact.FullName',
    'seller.trn': 'Organization.TaxRegistrationID|BAccount.TaxRegistrationID',
    'seller.address.line1': 'Address.AddressLine1',
    'seller.address.city': 'Address.City',
    'seller.address.post_code': 'Address.PostalCode',
    'seller.address.subdivision': 'Address.State',
    'seller.address.country': 'Branch.CountryID|Address.CountryID|BAccount.CountryID',
    'seller.contact.phone': 'Contact.Phone1',
    'seller.contact.email': 'Contact.Email|Users.Email',
    'seller.contact.name': 'Contact.Attention|SalesPerson.Descr',
    'buyer.name': 'BAccount.AcctName|BAccount.LegalName|ARContact.FullName|Contact.FullName',
    'buyer.trn': 'BAccount.TaxRegistrationID|Location.TaxRegistrationID',
    'PINT-MY:buyer.identifiers[].id':
      'BAccount.TaxRegistrationID|Location.TaxRegistrationID|CSAnswers.Value',
    'buyer.registration_id': 'CSAnswers.Value',
    'buyer.address.line1': 'ARAddress.AddressLine1|Address.AddressLine1',
    'buyer.address.line2': 'ARAddress.AddressLine2|Address.AddressLine2',
    'buyer.address.city': 'ARAddress.City|Address.City',
    'buyer.address.post_code': 'ARAddress.PostalCode|Address.PostalCode',
    'buyer.address.subdivision': 'ARAddress.State|Address.State|State.StateID|State.Name',
    'buyer.address.country':
      'ARAddress.CountryID|Address.CountryID|BAccount.CountryID|Country.CountryID|Country.Description!map',
    'buyer.contact.name':
      'ARContact.Attention|Contact.Attention|Contact.DisplayName|Contact.FirstName!concat|Contact.LastName!concat',
    'buyer.contact.phone': 'ARContact.Phone1|Contact.Phone1',
    'buyer.contact.email': 'ARContact.Email|Contact.Email',
    'lines[].id': 'ARTran.LineNbr|ARTran.SortOrder',
    'lines[].sku': 'InventoryItem.InventoryCD',
    'lines[].name': 'ARTran.TranDesc|InventoryItem.Descr',
    'lines[].description': 'ARTran.TranDesc|InventoryItem.Descr|InventoryItem.Body',
    'lines[].qty': 'ARTran.Qty|ARTran.BaseQty',
    'lines[].unit':
      'ARTran.UOM!map|InventoryItem.SalesUnit!map|InventoryItem.BaseUnit!map|INUnit.FromUnit!map|INUnit.ToUnit!map',
    'lines[].unit_price': 'ARTran.CuryUnitPrice',
    'lines[].gross_price': 'ARTran.CuryUnitPrice',
    'lines[].allowances[].percent': 'ARTran.DiscPct',
    'lines[].allowances[].amount': 'ARTran.CuryDiscAmt',
    'lines[].net': 'ARTran.CuryTranAmt|ARTran.CuryTaxableAmt|ARTax.CuryTaxableAmt',
    'lines[].accounting.amount': 'ARTran.TranAmt|ARTran.TaxableAmt|ARTax.TaxableAmt',
    'lines[].accounting.tax_totals[].amount':
      'ARTran.TaxAmt|ARTran.CuryTaxAmt|ARTax.TaxAmt|ARTax.CuryTaxAmt',
    'lines[].tax.rate': 'ARTax.TaxRate|TaxRev.TaxRate',
    'lines[].tax.category':
      'ARTran.TaxCategoryID!map|ARTax.TaxID!map|ARTax.TaxRate!map|TaxRev.TaxRate!map|TaxRev.TaxID!map|Tax.TaxID!map|Tax.Descr!map|' +
      'TaxCategory.TaxCategoryID!map|TaxCategory.Descr!map|InventoryItem.TaxCategoryID!map',
  },
};
