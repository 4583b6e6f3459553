/** What a sample invoice says, beside what all of them do. */
export interface CiiSample {
  readonly lines?: readonly CiiLine[];
  readonly category?: string;
  readonly rate?: string;
  readonly exemption?: string;
  /** XML of an allowance of the document. */
  readonly allowances?: string;
  /** Whether the buyer's VAT number, and what need not be there besides, is left out. */
  readonly isBare?: boolean;
}

interface CiiLine {
  readonly name: string;
  readonly quantity: string;
  readonly price: string;
  readonly net: string;
  /** XML of an allowance of the line. */
  readonly allowance?: string;
}

const pump: CiiLine = { name: 'Pump', quantity: '2', price: '10.00', net: '20.00' };

/** A Cross Industry Invoice as EN 16931 wants it, between two Belgian companies. */
export function ciiOf(sample: CiiSample = {}): string {
  const { lines = [pump], category = 'S', rate = '21', exemption, isBare = false } = sample;
  const optional = (text: string) => (isBare ? '' : text);
  const tax = `<ram:TypeCode>VAT</ram:TypeCode>${exemption === undefined ? '' : `<ram:ExemptionReason>${exemption}</ram:ExemptionReason>`}<ram:BasisAmount>20.00</ram:BasisAmount><ram:CategoryCode>${category}</ram:CategoryCode><ram:RateApplicablePercent>${rate}</ram:RateApplicablePercent>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<rsm:CrossIndustryInvoice xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100" xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100" xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100">
  <rsm:ExchangedDocumentContext><ram:GuidelineSpecifiedDocumentContextParameter><ram:ID>urn:cen.eu:en16931:2017</ram:ID></ram:GuidelineSpecifiedDocumentContextParameter></rsm:ExchangedDocumentContext>
  <rsm:ExchangedDocument>
    <ram:ID>RE-7</ram:ID><ram:TypeCode>380</ram:TypeCode>
    <ram:IssueDateTime><udt:DateTimeString format="102">20260302</udt:DateTimeString></ram:IssueDateTime>
    ${optional('<ram:IncludedNote><ram:Content>Thank you</ram:Content></ram:IncludedNote>')}
  </rsm:ExchangedDocument>
  <rsm:SupplyChainTradeTransaction>
    ${lines.map((line, at) => lineOf(line, at + 1, category, rate)).join('')}
    <ram:ApplicableHeaderTradeAgreement>
      <ram:BuyerReference>PO 4500123</ram:BuyerReference>
      <ram:SellerTradeParty>
        <ram:Name>Brouwerij De Sluis BV</ram:Name>
        <ram:SpecifiedLegalOrganization><ram:ID schemeID="0208">0403019261</ram:ID></ram:SpecifiedLegalOrganization>
        ${optional('<ram:DefinedTradeContact><ram:PersonName>An Peeters</ram:PersonName><ram:EmailURIUniversalCommunication><ram:URIID>an@sluis.example</ram:URIID></ram:EmailURIUniversalCommunication></ram:DefinedTradeContact>')}
        <ram:PostalTradeAddress><ram:PostcodeCode>2800</ram:PostcodeCode><ram:LineOne>Vaartdijk 12</ram:LineOne><ram:CityName>Mechelen</ram:CityName><ram:CountryID>BE</ram:CountryID></ram:PostalTradeAddress>
        <ram:URIUniversalCommunication><ram:URIID schemeID="0208">0403019261</ram:URIID></ram:URIUniversalCommunication>
        ${optional('<ram:SpecifiedTaxRegistration><ram:ID schemeID="FC">22/123</ram:ID></ram:SpecifiedTaxRegistration>')}
        <ram:SpecifiedTaxRegistration><ram:ID schemeID="VA">BE0403019261</ram:ID></ram:SpecifiedTaxRegistration>
      </ram:SellerTradeParty>
      <ram:BuyerTradeParty>
        <ram:Name>Horeca Groothandel Noord NV</ram:Name>
        <ram:PostalTradeAddress><ram:PostcodeCode>1000</ram:PostcodeCode><ram:LineOne>Havenlaan 86</ram:LineOne><ram:CityName>Brussel</ram:CityName><ram:CountryID>BE</ram:CountryID></ram:PostalTradeAddress>
        <ram:URIUniversalCommunication><ram:URIID schemeID="0208">0884303369</ram:URIID></ram:URIUniversalCommunication>
        ${optional('<ram:SpecifiedTaxRegistration><ram:ID schemeID="VA">BE0884303369</ram:ID></ram:SpecifiedTaxRegistration>')}
      </ram:BuyerTradeParty>
    </ram:ApplicableHeaderTradeAgreement>
    <ram:ApplicableHeaderTradeDelivery/>
    <ram:ApplicableHeaderTradeSettlement>
      <ram:InvoiceCurrencyCode>EUR</ram:InvoiceCurrencyCode>
      <ram:SpecifiedTradeSettlementPaymentMeans><ram:TypeCode>30</ram:TypeCode><ram:PayeePartyCreditorFinancialAccount><ram:IBANID>BE71096123456769</ram:IBANID></ram:PayeePartyCreditorFinancialAccount></ram:SpecifiedTradeSettlementPaymentMeans>
      <ram:ApplicableTradeTax>${tax}</ram:ApplicableTradeTax>
      ${sample.allowances ?? ''}
      <ram:SpecifiedTradePaymentTerms><ram:Description>30 days net</ram:Description><ram:DueDateDateTime><udt:DateTimeString format="102">20260401</udt:DateTimeString></ram:DueDateDateTime></ram:SpecifiedTradePaymentTerms>
    </ram:ApplicableHeaderTradeSettlement>
  </rsm:SupplyChainTradeTransaction>
</rsm:CrossIndustryInvoice>`;
}

function lineOf(line: CiiLine, number: number, category: string, rate: string): string {
  return `<ram:IncludedSupplyChainTradeLineItem>
      <ram:AssociatedDocumentLineDocument><ram:LineID>${number}</ram:LineID></ram:AssociatedDocumentLineDocument>
      <ram:SpecifiedTradeProduct><ram:SellerAssignedID>P-${number}</ram:SellerAssignedID><ram:Name>${line.name}</ram:Name></ram:SpecifiedTradeProduct>
      <ram:SpecifiedLineTradeAgreement><ram:NetPriceProductTradePrice><ram:ChargeAmount>${line.price}</ram:ChargeAmount></ram:NetPriceProductTradePrice></ram:SpecifiedLineTradeAgreement>
      <ram:SpecifiedLineTradeDelivery><ram:BilledQuantity unitCode="C62">${line.quantity}</ram:BilledQuantity></ram:SpecifiedLineTradeDelivery>
      <ram:SpecifiedLineTradeSettlement>
        <ram:ApplicableTradeTax><ram:TypeCode>VAT</ram:TypeCode><ram:CategoryCode>${category}</ram:CategoryCode><ram:RateApplicablePercent>${rate}</ram:RateApplicablePercent></ram:ApplicableTradeTax>
        ${line.allowance ?? ''}
        <ram:SpecifiedTradeSettlementLineMonetarySummation><ram:LineTotalAmount>${line.net}</ram:LineTotalAmount></ram:SpecifiedTradeSettlementLineMonetarySummation>
      </ram:SpecifiedLineTradeSettlement>
    </ram:IncludedSupplyChainTradeLineItem>`;
}
