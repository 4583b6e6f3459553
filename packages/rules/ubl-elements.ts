import { type Element, elementPath, reach } from './language/element.ts';

/** Lines of either document type. Published rules name both, at any place. */
export const lineElements = ['cac:InvoiceLine', 'cac:CreditNoteLine'] as const;

/** The document type code of either document. */
export const typeCodeElements = ['cbc:InvoiceTypeCode', 'cbc:CreditNoteTypeCode'] as const;

const quantity = {
  invoiced: elementPath('cbc:InvoicedQuantity'),
  credited: elementPath('cbc:CreditedQuantity'),
};

/** Quantities of a line of either document type. */
export function quantitiesOf(line: Element): readonly Element[] {
  const invoiced = reach(line, quantity.invoiced);
  const credited = reach(line, quantity.credited);
  if (credited.length === 0) return invoiced;
  return invoiced.length === 0 ? credited : [...invoiced, ...credited];
}

/** Amounts with a currency, at any place. */
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

/** Dates, at any place. */
export const dateElements = [
  'cbc:IssueDate',
  'cbc:DueDate',
  'cbc:TaxPointDate',
  'cbc:StartDate',
  'cbc:EndDate',
  'cbc:ActualDeliveryDate',
] as const;
