const urn = 'urn:oasis:names:specification:ubl:schema:xsd';

/** Prefixes of UBL 2.1 as emitted documents declare them. */
export const namespaces = {
  cac: `${urn}:CommonAggregateComponents-2`,
  cbc: `${urn}:CommonBasicComponents-2`,
} as const;

/** The namespace of an invoice. */
export const invoiceNamespace = `${urn}:Invoice-2`;
/** The namespace of a credit note. */
export const creditNoteNamespace = `${urn}:CreditNote-2`;
