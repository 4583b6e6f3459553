import { cii } from './cii.ts';
import type { StandardRow, StandardSyntax } from './syntax.ts';

/** What elements of CII are called in ZUGFeRD 1.0, which is an earlier draft of it. */
const names: Readonly<Record<string, string>> = {
  ExchangedDocument: 'HeaderExchangedDocument',
  SupplyChainTradeTransaction: 'SpecifiedSupplyChainTradeTransaction',
  ApplicableHeaderTradeAgreement: 'ApplicableSupplyChainTradeAgreement',
  ApplicableHeaderTradeDelivery: 'ApplicableSupplyChainTradeDelivery',
  ApplicableHeaderTradeSettlement: 'ApplicableSupplyChainTradeSettlement',
  SpecifiedLineTradeAgreement: 'SpecifiedSupplyChainTradeAgreement',
  SpecifiedLineTradeDelivery: 'SpecifiedSupplyChainTradeDelivery',
  SpecifiedLineTradeSettlement: 'SpecifiedSupplyChainTradeSettlement',
  SpecifiedTradeSettlementHeaderMonetarySummation: 'SpecifiedTradeSettlementMonetarySummation',
  SpecifiedTradeSettlementLineMonetarySummation: 'SpecifiedTradeSettlementMonetarySummation',
  RateApplicablePercent: 'ApplicablePercent',
  IssuerAssignedID: 'ID',
};

const renamed = (path: string) =>
  path
    .split('.')
    .map((name) => names[name] ?? name)
    .join('.');

const rowsOf = (rows: readonly StandardRow[]): readonly StandardRow[] =>
  rows.map(([target, column, transform]) =>
    transform === undefined ? [target, renamed(column)] : [target, renamed(column), transform],
  );

/** ZUGFeRD 1.0, of 2014 to 2018: the elements of CII, some by other names. */
export const zugferd1: StandardSyntax = {
  name: 'ZUGFeRD 1.0',
  title: 'ZUGFeRD 1.0 invoices',
  root: 'CrossIndustryDocument',
  namespace: 'urn:ferd:CrossIndustryDocument:invoice:1p0',
  lines: renamed(cii.lines),
  listElements: cii.listElements?.map(renamed) ?? [],
  elementKeys: cii.elementKeys,
  marks: cii.marks.map(renamed),
  header: rowsOf(cii.header),
  line: rowsOf(cii.line),
  sections: cii.sections.map((section) => ({
    ...section,
    path: renamed(section.path),
    rows: rowsOf(section.rows),
  })),
};
