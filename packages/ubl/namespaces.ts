const urn = 'urn:oasis:names:specification:ubl:schema:xsd';

/** Prefixes of UBL 2.1 as emitted documents declare them. */
export const namespaces = {
  cac: `${urn}:CommonAggregateComponents-2`,
  cbc: `${urn}:CommonBasicComponents-2`,
} as const;

/** Of the root elements. */
export const invoiceNamespace = `${urn}:Invoice-2`;
export const creditNoteNamespace = `${urn}:CreditNote-2`;
