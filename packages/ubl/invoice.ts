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
  paidAmounts,
  payment,
  project,
  receipt,
  statement,
  taxAndTotals,
} from './header.ts';
import {
  itemAndPrice,
  lineAllowancesCharges,
  lineHead,
  lineReferences,
  lineTaxTotals,
} from './line.ts';
import { invoiceNamespace, namespaces } from './namespaces.ts';
import { parties } from './party.ts';
import vocabulary from './vocabulary.json' with { type: 'json' };

/** UBL 2.1 Invoice: where each business term is written. Row order is element order. */
export const invoice: SyntaxTable = {
  root: 'Invoice',
  namespace: invoiceNamespace,
  namespaces,
  standard: vocabulary,
  rows: [
    ...identification,
    bind('IBT-009', '0..1', 'cbc:DueDate'),
    bind('IBT-003', '0..1', 'cbc:InvoiceTypeCode'),
    bind('IBT-022', '0..n', 'cbc:Note'),
    bind('IBT-007', '0..1', 'cbc:TaxPointDate'),
    ...currencies,
    ...orderAndPrecedingInvoices,
    despatch,
    receipt,
    statement,
    originator,
    contract,
    documents,
    project,
    ...parties,
    delivery,
    ...payment,
    paidAmounts,
    allowancesCharges,
    exchangeRate,
    ...taxAndTotals,
    group('IBG-25', '1..n', 'cac:InvoiceLine', [
      ...lineHead('cbc:InvoicedQuantity', '1..1'),
      ...lineReferences,
      lineAllowancesCharges,
      lineTaxTotals,
      ...itemAndPrice('1..1'),
    ]),
  ],
};
