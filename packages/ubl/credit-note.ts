import { bind, group, type SyntaxTable } from '@drawbridge/binding/table.ts';
import {
  allowancesCharges,
  contract,
  currencies,
  delivery,
  despatch,
  documents,
  exchangeRate,
  identification,
  orderAndPrecedingInvoices,
  originator,
  payment,
  receipt,
  statement,
  taxAndTotals,
} from './header.ts';
import {
  itemAndPrice,
  lineAllowancesCharges,
  lineCreditReason,
  lineHead,
  lineReferences,
  lineTaxTotals,
} from './line.ts';
import { creditNoteNamespace, namespaces } from './namespaces.ts';
import { parties } from './party.ts';
import vocabulary from './vocabulary.json' with { type: 'json' };

/**
 * UBL 2.1 CreditNote. It has no due date, project reference or prepaid payment, and another order
 * than Invoice.
 */
export const creditNote: SyntaxTable = {
  root: 'CreditNote',
  namespace: creditNoteNamespace,
  namespaces,
  standard: vocabulary,
  rows: [
    ...identification,
    bind('IBT-007', '0..1', 'cbc:TaxPointDate'),
    bind('IBT-003', '0..1', 'cbc:CreditNoteTypeCode'),
    bind('IBT-022', '0..n', 'cbc:Note'),
    ...currencies,
    group('X-credit-reason', '0..n', 'cac:DiscrepancyResponse', [
      bind('BTAE-03', '0..1', 'cbc:ResponseCode'),
      bind('X-credit-reason-text', '0..n', 'cbc:Description'),
    ]),
    ...orderAndPrecedingInvoices,
    despatch,
    receipt,
    contract,
    documents,
    statement,
    originator,
    ...parties,
    delivery,
    ...payment,
    exchangeRate,
    allowancesCharges,
    ...taxAndTotals,
    group('IBG-25', '1..n', 'cac:CreditNoteLine', [
      ...lineHead('cbc:CreditedQuantity', '0..1'),
      lineCreditReason,
      ...lineReferences,
      lineTaxTotals,
      lineAllowancesCharges,
      ...itemAndPrice('0..1'),
    ]),
  ],
};
