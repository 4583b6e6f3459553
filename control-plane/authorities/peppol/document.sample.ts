import type { OutboundDocument } from '../contract.ts';

const customization = 'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0';
const profile = 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0';
const oasis = 'urn:oasis:names:specification:ubl:schema:xsd';

/**
 * The parts of an invoice that an access point reads, for the receiver with this value of scheme
 * 0192.
 */
export function sampleDocument(number: string, receiver = '991825827'): OutboundDocument {
  return {
    invoiceId: `inv_${number}`,
    submissionKey: `8d6e1e1c-0000-4000-8000-${number}`,
    profile: 'BIS-3.0',
    xml: `<?xml version="1.0" encoding="UTF-8"?>
<Invoice xmlns="${oasis}:Invoice-2" xmlns:cbc="${oasis}:CommonBasicComponents-2">
<cbc:CustomizationID>${customization}</cbc:CustomizationID>
<cbc:ProfileID>${profile}</cbc:ProfileID>
<cbc:ID>${number}</cbc:ID>
</Invoice>`,
    number,
    issueDate: '2026-11-20',
    sender: { scheme: '0208', id: '0787709727' },
    receiver: { scheme: '0192', id: receiver },
    documentTypeId: `${oasis}:Invoice-2::Invoice##${customization}::2.1`,
    processId: profile,
    countryC1: 'BE',
  };
}
