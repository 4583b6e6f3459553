import type { OutboundDocument } from '../contract.ts';

export interface SampleChanges {
  /** UTC, `YYYY-MM-DDThh:mm:ssZ`. */
  readonly issuedAt: string;
  readonly typeCode?: string;
  readonly reference?: string;
  /** A last change of the XML: text to find, and its replacement. */
  readonly change?: readonly [string | RegExp, string];
}

const oasis = 'urn:oasis:names:specification:ubl:schema:xsd';

/** A good MyInvois document of version 1.0, written by hand after the published sample. */
export function sampleXml(number: string, { issuedAt, typeCode, ...more }: SampleChanges): string {
  const [date, time] = issuedAt.split('T');
  const xml = `<?xml version="1.0" encoding="UTF-8"?>
<Invoice xmlns="${oasis}:Invoice-2"
  xmlns:cac="${oasis}:CommonAggregateComponents-2" xmlns:cbc="${oasis}:CommonBasicComponents-2">
<cbc:ID>${number}</cbc:ID>
<cbc:IssueDate>${date}</cbc:IssueDate>
<cbc:IssueTime>${time}</cbc:IssueTime>
<cbc:InvoiceTypeCode listVersionID="1.0">${typeCode ?? '01'}</cbc:InvoiceTypeCode>
<cbc:DocumentCurrencyCode>MYR</cbc:DocumentCurrencyCode>
${more.reference === undefined ? '' : reference(more.reference)}
<cac:AccountingSupplierParty><cac:Party>
<cbc:IndustryClassificationCode name="Wholesale of computers">46510</cbc:IndustryClassificationCode>
${party('Kedai Satu Sdn Bhd', { TIN: 'C2584563222', BRN: '202001234567', SST: 'NA', TTX: 'NA' })}
</cac:Party></cac:AccountingSupplierParty>
<cac:AccountingCustomerParty><cac:Party>
${party('Pembeli Dua Sdn Bhd', { TIN: 'C1234567890', BRN: '201901234567', SST: 'NA' })}
</cac:Party></cac:AccountingCustomerParty>
${taxTotal}
<cac:LegalMonetaryTotal>
${amounts({ LineExtension: 100, TaxExclusive: 100, TaxInclusive: 106, Payable: 106 })}
</cac:LegalMonetaryTotal>
<cac:InvoiceLine>
<cbc:ID>1</cbc:ID>
<cbc:InvoicedQuantity unitCode="C62">2</cbc:InvoicedQuantity>
${amounts({ LineExtension: 100 })}
${taxTotal}
<cac:Item>
<cbc:Description>Laptop stand</cbc:Description>
<cac:CommodityClassification>
<cbc:ItemClassificationCode listID="CLASS">003</cbc:ItemClassificationCode>
</cac:CommodityClassification>
</cac:Item>
<cac:Price>${amounts({ Price: 50 })}</cac:Price>
<cac:ItemPriceExtension>${amounts({ '': 100 })}</cac:ItemPriceExtension>
</cac:InvoiceLine>
</Invoice>`;
  return more.change === undefined ? xml : xml.replace(more.change[0], more.change[1]);
}

function amounts(named: Readonly<Record<string, number>>): string {
  return Object.entries(named)
    .map(([name, value]) => {
      const element = `cbc:${name}Amount`;
      return `<${element} currencyID="MYR">${value.toFixed(2)}</${element}>`;
    })
    .join('\n');
}

function reference(uuid: string): string {
  return `<cac:BillingReference><cac:InvoiceDocumentReference>
<cbc:ID>before</cbc:ID><cbc:UUID>${uuid}</cbc:UUID>
</cac:InvoiceDocumentReference></cac:BillingReference>`;
}

const taxTotal = `<cac:TaxTotal>
${amounts({ Tax: 6 })}
<cac:TaxSubtotal>
${amounts({ Taxable: 100, Tax: 6 })}
<cac:TaxCategory>
<cbc:ID>02</cbc:ID>
<cbc:Percent>6</cbc:Percent>
<cac:TaxScheme><cbc:ID schemeID="UN/ECE 5153" schemeAgencyID="6">OTH</cbc:ID></cac:TaxScheme>
</cac:TaxCategory>
</cac:TaxSubtotal>
</cac:TaxTotal>`;

function party(name: string, ids: Readonly<Record<string, string>>): string {
  const identifications = Object.entries(ids).map(
    ([scheme, value]) => `<cac:PartyIdentification>
<cbc:ID schemeID="${scheme}">${value}</cbc:ID>
</cac:PartyIdentification>`,
  );
  return `${identifications.join('\n')}
<cac:PostalAddress>
<cbc:CityName>Kuala Lumpur</cbc:CityName>
<cbc:PostalZone>50480</cbc:PostalZone>
<cbc:CountrySubentityCode>14</cbc:CountrySubentityCode>
<cac:AddressLine><cbc:Line>Lot 66</cbc:Line></cac:AddressLine>
<cac:Country>
<cbc:IdentificationCode listID="ISO3166-1" listAgencyID="6">MYS</cbc:IdentificationCode>
</cac:Country>
</cac:PostalAddress>
<cac:PartyLegalEntity><cbc:RegistrationName>${name}</cbc:RegistrationName></cac:PartyLegalEntity>
<cac:Contact><cbc:Telephone>+60123456789</cbc:Telephone></cac:Contact>`;
}

/** The same as an `OutboundDocument`. */
export function sampleDocument(number: string, changes: SampleChanges): OutboundDocument {
  return {
    invoiceId: `inv_${number}`,
    submissionKey: `key-${number}`,
    profile: 'PINT-MY',
    xml: sampleXml(number, changes),
    number,
    issueDate: changes.issuedAt.slice(0, 10),
    sender: { scheme: '0230', id: 'C2584563222', tin: 'C2584563222' },
    receiver: { scheme: '0230', id: 'C1234567890' },
    documentTypeId: '',
    processId: '',
    countryC1: 'MY',
  };
}
