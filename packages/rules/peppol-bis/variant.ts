/** What differs between billing and self-billing. */
export interface Variant {
  readonly id: string;
  readonly version: string;
  /** Beginning of the specification identifier. */
  readonly specification: string;
  /** Business process → its code in the published rules. */
  readonly processes: Readonly<Record<string, '01' | '02'>>;
  /** Processes in which the type codes are restricted. */
  readonly restricted: readonly string[];
  readonly typeCodesMessage: string;
  /** Whether the tax of a category must be in the invoice currency at every place. */
  readonly subtotalsInInvoiceCurrency: boolean;
  readonly national: boolean;
}

const compliant = 'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc';

const everywhere = {
  'urn:peppol:france:billing:regulated': '01',
  'urn:peppol:france:billing:non-regulated': '01',
  'urn:peppol:bis:billing_with_response': '02',
} as const;

/** Invoices that the seller writes. */
export const billing: Variant = {
  id: 'PEPPOL-EN16931-UBL',
  version: '3.0.21',
  specification: `${compliant}:billing:3.0`,
  processes: { 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0': '01', ...everywhere },
  restricted: ['01', '02'],
  typeCodesMessage: 'The type code is not one that Peppol BIS Billing allows.',
  subtotalsInInvoiceCurrency: true,
  national: true,
};

/** Invoices that the buyer writes. */
export const selfBilling: Variant = {
  id: 'PEPPOL-EN16931-UBL-SB',
  version: '3.0.2',
  specification: `${compliant}:selfbilling:3.0`,
  processes: { 'urn:fdc:peppol.eu:2017:poacc:selfbilling:01:1.0': '01', ...everywhere },
  restricted: ['01'],
  typeCodesMessage: 'The type code is not one that Peppol BIS Self-Billing allows.',
  subtotalsInInvoiceCurrency: false,
  national: false,
};
