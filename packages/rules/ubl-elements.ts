import { type Element, elementPath, reach } from './element.ts';

/** Lines of either document. Published rules name both, and mean them wherever they stand. */
export const lineElements = ['cac:InvoiceLine', 'cac:CreditNoteLine'] as const;

/** The document type code of either document. */
export const typeCodeElements = ['cbc:InvoiceTypeCode', 'cbc:CreditNoteTypeCode'] as const;

const quantity = {
  invoiced: elementPath('cbc:InvoicedQuantity'),
  credited: elementPath('cbc:CreditedQuantity'),
};

/** Quantities of a line, whichever document it is written for. */
export function quantitiesOf(line: Element): readonly Element[] {
  const invoiced = reach(line, quantity.invoiced);
  const credited = reach(line, quantity.credited);
  if (credited.length === 0) return invoiced;
  return invoiced.length === 0 ? credited : [...invoiced, ...credited];
}

/** Amounts that name a currency, wherever they stand. */
export const amountElements = [
  'cbc:Amount',
  'cbc:BaseAmount',
  'cbc:PriceAmount',
  'cbc:TaxAmount',
  'cbc:TaxableAmount',
  'cbc:LineExtensionAmount',
  'cbc:TaxExclusiveAmount',
  'cbc:TaxInclusiveAmount',
  'cbc:AllowanceTotalAmount',
  'cbc:ChargeTotalAmount',
  'cbc:PrepaidAmount',
  'cbc:PayableRoundingAmount',
  'cbc:PayableAmount',
] as const;

/** Dates, wherever they stand. */
export const dateElements = [
  'cbc:IssueDate',
  'cbc:DueDate',
  'cbc:TaxPointDate',
  'cbc:StartDate',
  'cbc:EndDate',
  'cbc:ActualDeliveryDate',
] as const;
