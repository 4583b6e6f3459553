import { bind, group, type Row, wrap } from '@drawbridge/binding/table.ts';
import { allowanceCharge, reference, type TaxCategoryTerms, taxCategory } from './parts.ts';

/** Parts of a line that InvoiceLine and CreditNoteLine share. */

/** From the number of the line to its order lines; `quantityElement` is the document type's. */
export function lineHead(quantityElement: string, netCard: '0..1' | '1..1'): readonly Row[] {
  return [
    bind('IBT-126', '1..1', 'cbc:ID'),
    bind('IBT-127', '0..n', 'cbc:Note'),
    bind('IBT-129', '0..1', quantityElement, { attributes: { unitCode: 'IBT-130' } }),
    bind('IBT-131', netCard, 'cbc:LineExtensionAmount'),
    bind('IBT-133', '0..1', 'cbc:AccountingCost'),
    group('IBG-26', '0..n', 'cac:InvoicePeriod', [
      bind('IBT-134', '0..1', 'cbc:StartDate'),
      bind('IBT-135', '0..1', 'cbc:EndDate'),
    ]),
    group('X-order-line', '0..n', 'cac:OrderLineReference', [
      bind('IBT-132', '1..1', 'cbc:LineID'),
      reference('line_order', '0..1', 'cac:OrderReference', 'IBT-183'),
    ]),
  ];
}

/** Why a line is credited; credit notes only. */
export const lineCreditReason: Row = group(
  'X-line-credit-reason',
  '0..n',
  'cac:DiscrepancyResponse',
  [
    bind('X-line-credit-reason-code', '0..1', 'cbc:ResponseCode'),
    bind('X-line-credit-reason-text', '0..n', 'cbc:Description'),
  ],
);

/** Despatch lines and documents. */
export const lineReferences: readonly Row[] = [
  group('X-despatch-line', '0..n', 'cac:DespatchLineReference', [
    bind('X-despatch-line-id', '1..1', 'cbc:LineID'),
    reference('line_despatch', '0..1', 'cac:DocumentReference', 'IBT-184'),
  ]),
  group('X-line-document', '0..n', 'cac:DocumentReference', [
    bind('IBT-128', '1..1', 'cbc:ID', { attributes: { schemeID: 'IBT-128-1' } }),
    bind('X-line-document-type', '0..1', 'cbc:DocumentTypeCode'),
  ]),
];

/** Allowances and charges of the line. */
export const lineAllowancesCharges: Row = allowanceCharge({
  group: 'X-line-allowance-charge',
  isCharge: 'X-line-is-charge',
  reasonCode: 'IBT-140',
  reason: 'IBT-139',
  percent: 'IBT-138',
  amount: 'IBT-136',
  base: 'IBT-137',
  tax: 'X-line-allowance-tax',
  category: {
    category: 'X-line-allowance-tax-category',
    rate: 'X-line-allowance-tax-rate',
    exemptionCode: 'X-line-allowance-tax-exemption-code',
    exemption: 'X-line-allowance-tax-exemption',
    scheme: 'X-line-allowance-tax-scheme',
  },
});

/** Tax of the line itself, which Malaysia requires. */
export const lineTaxTotals: Row = group('X-line-tax-total', '0..n', 'cac:TaxTotal', [
  bind('X-line-tax-amount', '1..1', 'cbc:TaxAmount'),
  bind('X-line-tax-included', '0..1', 'cbc:TaxIncludedIndicator'),
  group('X-line-tax-subtotal', '0..n', 'cac:TaxSubtotal', [
    bind('X-line-taxable', '0..1', 'cbc:TaxableAmount'),
    bind('X-line-subtotal-amount', '1..1', 'cbc:TaxAmount'),
    bind('X-line-units', '0..1', 'cbc:BaseUnitMeasure', {
      attributes: { unitCode: 'X-line-units-unit' },
    }),
    bind('X-line-per-unit', '0..1', 'cbc:PerUnitAmount'),
    wrap(
      'tax_category',
      '1..1',
      'cac:TaxCategory',
      taxCategory({
        category: 'X-line-tax-category',
        rate: 'X-line-tax-rate',
        exemptionCode: 'X-line-exemption-code',
        exemption: 'X-line-exemption',
        scheme: 'X-line-tax-scheme',
      }),
    ),
  ]),
]);

/** The item and its price. */
export function itemAndPrice(itemCard: '0..1' | '1..1'): readonly Row[] {
  return [wrap('item', itemCard, 'cac:Item', item), price, priceExtension];
}

const lineTax: TaxCategoryTerms = {
  category: 'IBT-151',
  rate: 'IBT-152',
  exemptionCode: 'IBT-186',
  exemption: 'IBT-185',
  scheme: 'IBT-167',
};

const item: readonly Row[] = [
  bind('IBT-154', '0..n', 'cbc:Description'),
  bind('IBT-153', '0..1', 'cbc:Name'),
  reference('buyer_item', '0..1', 'cac:BuyersItemIdentification', 'IBT-156'),
  reference('seller_item', '0..1', 'cac:SellersItemIdentification', 'IBT-155'),
  wrap('standard_item', '0..1', 'cac:StandardItemIdentification', [
    bind('IBT-157', '1..1', 'cbc:ID', { attributes: { schemeID: 'IBT-157-1' } }),
  ]),
  group('X-additional-item-id', '0..n', 'cac:AdditionalItemIdentification', [
    bind('BTAE-17', '1..1', 'cbc:ID', { attributes: { schemeID: 'BTAE-17-1' } }),
  ]),
  wrap('origin', '0..1', 'cac:OriginCountry', [bind('IBT-159', '0..1', 'cbc:IdentificationCode')]),
  group('X-classification', '0..n', 'cac:CommodityClassification', [
    bind('BTAE-09', '0..1', 'cbc:NatureCode'),
    bind('BTAE-13', '0..1', 'cbc:CommodityCode'),
    bind('IBT-158', '0..1', 'cbc:ItemClassificationCode', {
      attributes: { listID: 'IBT-158-1', listVersionID: 'IBT-158-2' },
    }),
  ]),
  group('IBG-30', '0..n', 'cac:ClassifiedTaxCategory', taxCategory(lineTax, 'X-tax-per-unit')),
  group('IBG-32', '0..n', 'cac:AdditionalItemProperty', [
    bind('IBT-160', '1..1', 'cbc:Name'),
    bind('IBT-161', '0..1', 'cbc:Value'),
  ]),
  group('X-item-instance', '0..n', 'cac:ItemInstance', [
    wrap('lot', '0..1', 'cac:LotIdentification', [
      bind('BTAE-24', '0..1', 'cbc:LotNumberID'),
      bind('X-lot-expiry', '0..1', 'cbc:ExpiryDate'),
    ]),
  ]),
];

const price: Row = wrap('price', '0..1', 'cac:Price', [
  bind('IBT-146', '1..1', 'cbc:PriceAmount'),
  bind('IBT-149', '0..1', 'cbc:BaseQuantity', { attributes: { unitCode: 'IBT-150' } }),
  group('X-price-allowance', '0..n', 'cac:AllowanceCharge', [
    bind('X-price-is-charge', '1..1', 'cbc:ChargeIndicator', { fixed: 'false' }),
    bind('X-price-factor', '0..1', 'cbc:MultiplierFactorNumeric'),
    bind('IBT-147', '1..1', 'cbc:Amount'),
    bind('IBT-148', '0..1', 'cbc:BaseAmount'),
  ]),
]);

const priceExtension: Row = group('X-price-extension', '0..1', 'cac:ItemPriceExtension', [
  bind('BTAE-10', '1..1', 'cbc:Amount', { currency: 'accounting' }),
  group('X-accounting-tax', '0..n', 'cac:TaxTotal', [
    bind('BTAE-08', '1..1', 'cbc:TaxAmount', { currency: 'accounting' }),
  ]),
]);
