// Printed by `npm run write` from terms.ts and views.ts.

/**
 * An invoice or credit note in the JSON form of the CIM. Every member may be absent: the rules of a
 * profile say which are required. Amounts are strings, because a JSON number is not exact.
 * `CimObject` is the loose form, which may also hold values without a term.
 */
export type Invoice = {
  /** X-ubl-version UBL version */
  readonly ubl_version?: string;
  /** IBT-024 Specification identifier */
  readonly specification_id?: string;
  /** IBT-023 Business process type */
  readonly business_process?: string;
  /** BTAE-02 Invoice transaction type code */
  readonly transaction_type?: string;
  /** IBT-001 Invoice number */
  readonly number?: string;
  /** BTAE-07 Unique identifier number */
  readonly uuid?: string;
  /** IBT-002 Invoice issue date */
  readonly issue_date?: string;
  /** IBT-168 Invoice issue time */
  readonly issue_time?: string;
  /** IBT-009 Payment due date */
  readonly due_date?: string;
  /** IBT-003 Invoice type code */
  readonly type_code?: string;
  /** IBT-022 Invoice note */
  readonly notes?: readonly string[];
  /** IBT-007 Tax point date */
  readonly tax_point_date?: string;
  /** IBT-005 Invoice currency code */
  readonly currency?: string;
  /** IBT-006 Tax accounting currency code */
  readonly tax_currency?: string;
  /** IBT-019 Buyer accounting reference */
  readonly accounting_reference?: string;
  /** IBT-010 Buyer reference */
  readonly buyer_reference?: string;
  /** IBG-14 Invoicing period */
  readonly period?: Period;
  /** X-credit-reason Credit note reason */
  readonly credit_reasons?: readonly CreditReason[];
  /** IBT-013 Purchase order reference */
  readonly purchase_order?: string;
  /** IBT-014 Sales order reference */
  readonly sales_order?: string;
  /** IBG-03 Preceding invoice reference */
  readonly preceding_invoices?: readonly PrecedingInvoice[];
  /** IBT-016 Despatch advice reference */
  readonly despatch_advice?: string;
  /** IBT-015 Receiving advice reference */
  readonly receiving_advice?: string;
  /** BTAE-21 Customs reference number */
  readonly customs_reference?: string;
  /** IBT-017 Tender or lot reference */
  readonly tender_reference?: string;
  /** IBT-012 Contract reference */
  readonly contract_reference?: string;
  /** BTAE-05 Contract value */
  readonly contract_value?: string;
  /** IBT-011 Project reference */
  readonly project_reference?: string;
  /** IBG-24 Additional supporting documents */
  readonly documents?: readonly Document[];
  /** IBG-04 Seller */
  readonly seller?: Seller;
  /** IBG-07 Buyer */
  readonly buyer?: Buyer;
  /** BTAE-01 Beneficiary ID */
  readonly beneficiary_id?: string;
  /** BTAE-14 Principal ID */
  readonly principal_id?: string;
  /** IBG-10 Payee */
  readonly payee?: Payee;
  /** IBG-11 Seller tax representative */
  readonly tax_representative?: TaxRepresentative;
  /** IBG-13 Delivery information */
  readonly delivery?: Delivery;
  /** IBG-16 Payment instructions */
  readonly payment_means?: readonly PaymentMeans[];
  /** IBG-33 Payment terms */
  readonly payment_terms?: readonly PaymentTerms[];
  /** IBG-35 Paid amounts */
  readonly paid_amounts?: readonly PaidAmount[];
  /** X-allowance-charge Document level allowances and charges */
  readonly allowances_charges?: readonly AllowanceCharge[];
  /** X-exchange-rate Currency exchange rate */
  readonly exchange_rate?: ExchangeRate;
  /** X-tax-total Tax totals */
  readonly tax_totals?: readonly TaxTotal[];
  /** IBG-22 Document totals */
  readonly totals?: Totals;
  /** IBG-25 Invoice line */
  readonly lines?: readonly Line[];
  /** IBG-20 Document level allowances */
  readonly allowances?: readonly AllowanceCharge[];
  /** IBG-21 Document level charges */
  readonly charges?: readonly AllowanceCharge[];
  /** IBG-23 Tax breakdown */
  readonly tax_breakdown?: readonly TaxTotalBreakdown[];
  /** IBT-200 Tax included indicator */
  readonly tax_included?: boolean;
};

/** IBG-14 Invoicing period */
type Period = {
  /** IBT-073 Invoicing period start date */
  readonly start?: string;
  /** IBT-074 Invoicing period end date */
  readonly end?: string;
  /** IBT-008 Tax point date code (AE: frequency of billing, BTAE-06) */
  readonly code?: string;
  /** X-period-description Frequency of billing (MY) */
  readonly description?: string;
};

/** X-credit-reason Credit note reason */
type CreditReason = {
  /** BTAE-03 Credit note reason code */
  readonly code?: string;
  /** X-credit-reason-text Credit note reason */
  readonly description?: string;
};

/** IBG-03 Preceding invoice reference */
type PrecedingInvoice = {
  /** IBT-025 Preceding invoice reference */
  readonly number?: string;
  /** BTMY-018 Preceding invoice IRBM unique id */
  readonly uin?: string;
  /** IBT-026 Preceding invoice issue date */
  readonly issue_date?: string;
};

/** IBG-24 Additional supporting documents */
type Document = {
  /** IBT-122 Supporting document reference */
  readonly id?: string;
  /** IBT-018-1 Invoiced object identifier scheme */
  readonly scheme?: string;
  /** X-document-type-code Document type code */
  readonly type_code?: string;
  /** X-document-type Document type */
  readonly type?: string;
  /** IBT-123 Supporting document description */
  readonly description?: string;
  /** IBT-125 Attached document */
  readonly attachment?: string;
  /** IBT-125-1 Attached document MIME code */
  readonly mime_code?: string;
  /** IBT-125-2 Attached document filename */
  readonly filename?: string;
  /** IBT-124 External document location */
  readonly url?: string;
  /** X-validation-date IRBM validation date */
  readonly validation_date?: string;
  /** X-validation-time IRBM validation time */
  readonly validation_time?: string;
};

/** IBG-04 Seller */
type Seller = {
  /** IBT-034 Seller electronic address */
  readonly endpoint?: string;
  /** IBT-034-1 Seller electronic address scheme */
  readonly endpoint_scheme?: string;
  /** BTMY-006 Industry classification (MSIC) code */
  readonly industry_code?: string;
  /** X-seller-activity Business activity description */
  readonly industry_name?: string;
  /** X-seller-id Seller identifiers */
  readonly identifiers?: readonly SellerIdentifier[];
  /** IBT-028 Seller trading name */
  readonly trading_name?: string;
  /** IBG-05 Seller postal address */
  readonly address?: SellerAddress;
  /** X-seller-tax Seller tax registrations */
  readonly tax_registrations?: readonly SellerTaxRegistration[];
  /** IBT-027 Seller name */
  readonly name?: string;
  /** IBT-030 Seller legal registration identifier */
  readonly registration_id?: string;
  /** IBT-030-1 Seller legal registration scheme */
  readonly registration_scheme?: string;
  /** BTAE-15 Seller legal registration identifier type */
  readonly registration_type?: string;
  /** BTAE-12 Seller licence authority (or passport country) */
  readonly registration_authority?: string;
  /** IBT-033 Seller additional legal information */
  readonly legal_form?: string;
  /** X-seller-legal-country Seller registration country */
  readonly legal_country?: string;
  /** IBG-06 Seller contact */
  readonly contact?: SellerContact;
  /** IBT-031 Seller tax identifier */
  readonly trn?: string;
  /** IBT-032 Seller tax registration identifier */
  readonly tin?: string;
};

/** X-seller-id Seller identifiers */
type SellerIdentifier = {
  /** IBT-029 Seller identifier */
  readonly id?: string;
  /** IBT-029-1 Seller identifier scheme */
  readonly scheme?: string;
};

/** IBG-05 Seller postal address */
type SellerAddress = {
  /** IBT-035 Seller address line 1 */
  readonly line1?: string;
  /** IBT-036 Seller address line 2 */
  readonly line2?: string;
  /** IBT-162 Seller address line 3 */
  readonly line3?: string;
  /** IBT-037 Seller city */
  readonly city?: string;
  /** IBT-038 Seller post code */
  readonly post_code?: string;
  /** IBT-039 Seller country subdivision */
  readonly subdivision?: string;
  /** X-seller-state Seller state code */
  readonly subdivision_code?: string;
  /** IBT-040 Seller country code */
  readonly country?: string;
};

/** X-seller-tax Seller tax registrations */
type SellerTaxRegistration = {
  /** X-seller-tax-id Seller tax registration */
  readonly id?: string;
  /** IBT-031-1 Seller tax scheme code */
  readonly scheme?: string;
};

/** IBG-06 Seller contact */
type SellerContact = {
  /** IBT-041 Seller contact point */
  readonly name?: string;
  /** IBT-042 Seller contact telephone */
  readonly phone?: string;
  /** IBT-043 Seller contact e-mail */
  readonly email?: string;
};

/** IBG-07 Buyer */
type Buyer = {
  /** IBT-049 Buyer electronic address */
  readonly endpoint?: string;
  /** IBT-049-1 Buyer electronic address scheme */
  readonly endpoint_scheme?: string;
  /** X-buyer-industry Buyer industry classification */
  readonly industry_code?: string;
  /** X-buyer-activity Buyer business activity */
  readonly industry_name?: string;
  /** X-buyer-id Buyer identifiers */
  readonly identifiers?: readonly BuyerIdentifier[];
  /** IBT-045 Buyer trading name */
  readonly trading_name?: string;
  /** IBG-08 Buyer postal address */
  readonly address?: BuyerAddress;
  /** X-buyer-tax Buyer tax registrations */
  readonly tax_registrations?: readonly BuyerTaxRegistration[];
  /** IBT-044 Buyer name */
  readonly name?: string;
  /** IBT-047 Buyer legal registration identifier */
  readonly registration_id?: string;
  /** IBT-047-1 Buyer legal registration scheme */
  readonly registration_scheme?: string;
  /** BTAE-16 Buyer legal registration identifier type */
  readonly registration_type?: string;
  /** BTAE-11 Buyer licence authority (or passport country) */
  readonly registration_authority?: string;
  /** X-buyer-legal-form Buyer additional legal information */
  readonly legal_form?: string;
  /** X-buyer-legal-country Buyer registration country */
  readonly legal_country?: string;
  /** IBG-09 Buyer contact */
  readonly contact?: BuyerContact;
  /** IBT-048 Buyer tax identifier */
  readonly trn?: string;
};

/** X-buyer-id Buyer identifiers */
type BuyerIdentifier = {
  /** IBT-046 Buyer identifier */
  readonly id?: string;
  /** IBT-046-1 Buyer identifier scheme */
  readonly scheme?: string;
};

/** IBG-08 Buyer postal address */
type BuyerAddress = {
  /** IBT-050 Buyer address line 1 */
  readonly line1?: string;
  /** IBT-051 Buyer address line 2 */
  readonly line2?: string;
  /** IBT-163 Buyer address line 3 */
  readonly line3?: string;
  /** IBT-052 Buyer city */
  readonly city?: string;
  /** IBT-053 Buyer post code */
  readonly post_code?: string;
  /** IBT-054 Buyer country subdivision */
  readonly subdivision?: string;
  /** X-buyer-state Buyer state code */
  readonly subdivision_code?: string;
  /** IBT-055 Buyer country code */
  readonly country?: string;
};

/** X-buyer-tax Buyer tax registrations */
type BuyerTaxRegistration = {
  /** IBT-048 Buyer tax identifier */
  readonly id?: string;
  /** IBT-048-1 Buyer tax scheme code */
  readonly scheme?: string;
};

/** IBG-09 Buyer contact */
type BuyerContact = {
  /** IBT-056 Buyer contact point */
  readonly name?: string;
  /** IBT-057 Buyer contact telephone */
  readonly phone?: string;
  /** IBT-058 Buyer contact e-mail */
  readonly email?: string;
};

/** IBG-10 Payee */
type Payee = {
  /** X-payee-id Payee identifiers */
  readonly identifiers?: readonly PayeeIdentifier[];
  /** IBT-059 Payee name */
  readonly name?: string;
  /** IBT-061 Payee legal registration identifier */
  readonly registration_id?: string;
  /** IBT-061-1 Payee legal registration scheme */
  readonly registration_scheme?: string;
};

/** X-payee-id Payee identifiers */
type PayeeIdentifier = {
  /** IBT-060 Payee identifier */
  readonly id?: string;
  /** IBT-060-1 Payee identifier scheme */
  readonly scheme?: string;
};

/** IBG-11 Seller tax representative */
type TaxRepresentative = {
  /** X-representative-id Representative identifiers */
  readonly identifiers?: readonly TaxRepresentativeIdentifier[];
  /** IBT-062 Tax representative name */
  readonly name?: string;
  /** IBG-12 Tax representative postal address */
  readonly address?: TaxRepresentativeAddress;
  /** X-representative-tax Tax registrations */
  readonly tax_registrations?: readonly TaxRepresentativeTaxRegistration[];
  /** IBT-063 Tax representative tax identifier */
  readonly trn?: string;
};

/** X-representative-id Representative identifiers */
type TaxRepresentativeIdentifier = {
  /** X-representative-id-id Representative identifier */
  readonly id?: string;
  /** X-representative-id-scheme Its scheme */
  readonly scheme?: string;
};

/** IBG-12 Tax representative postal address */
type TaxRepresentativeAddress = {
  /** IBT-064 Tax representative address line 1 */
  readonly line1?: string;
  /** IBT-065 Tax representative address line 2 */
  readonly line2?: string;
  /** IBT-164 Tax representative address line 3 */
  readonly line3?: string;
  /** IBT-066 Tax representative city */
  readonly city?: string;
  /** IBT-067 Tax representative post code */
  readonly post_code?: string;
  /** IBT-068 Tax representative subdivision */
  readonly subdivision?: string;
  /** X-representative-state Its state code */
  readonly subdivision_code?: string;
  /** IBT-069 Tax representative country code */
  readonly country?: string;
};

/** X-representative-tax Tax registrations */
type TaxRepresentativeTaxRegistration = {
  /** IBT-063 Tax representative tax identifier */
  readonly id?: string;
  /** X-representative-tax-scheme Its tax scheme */
  readonly scheme?: string;
};

/** IBG-13 Delivery information */
type Delivery = {
  /** IBT-072 Actual delivery date */
  readonly date?: string;
  /** IBT-071 Deliver to location identifier */
  readonly location_id?: string;
  /** IBT-071-1 Deliver to location scheme */
  readonly location_scheme?: string;
  /** IBG-15 Deliver to address */
  readonly address?: DeliveryAddress;
  /** X-delivery-party-id Deliver to party identifiers */
  readonly party_ids?: readonly DeliveryPartyId[];
  /** IBT-070 Deliver to party name */
  readonly party_name?: string;
  /** X-delivery-registration Deliver to registration id */
  readonly party_registration_id?: string;
  /** X-delivery-terms Delivery terms */
  readonly terms?: readonly DeliveryTerms[];
  /** X-shipment Shipment */
  readonly shipment?: DeliveryShipment;
};

/** IBG-15 Deliver to address */
type DeliveryAddress = {
  /** IBT-075 Deliver to address line 1 */
  readonly line1?: string;
  /** IBT-076 Deliver to address line 2 */
  readonly line2?: string;
  /** IBT-165 Deliver to address line 3 */
  readonly line3?: string;
  /** IBT-077 Deliver to city */
  readonly city?: string;
  /** IBT-078 Deliver to post code */
  readonly post_code?: string;
  /** IBT-079 Deliver to country subdivision */
  readonly subdivision?: string;
  /** X-delivery-state Deliver to state code */
  readonly subdivision_code?: string;
  /** IBT-080 Deliver to country code */
  readonly country?: string;
};

/** X-delivery-party-id Deliver to party identifiers */
type DeliveryPartyId = {
  /** BTAE-23 Deliver to party ID */
  readonly id?: string;
  /** X-delivery-party-id-scheme Deliver to party ID scheme */
  readonly scheme?: string;
};

/** X-delivery-terms Delivery terms */
type DeliveryTerms = {
  /** BTAE-22 Incoterms */
  readonly incoterms?: string;
  /** X-incoterms-scheme Incoterms scheme */
  readonly scheme?: string;
};

/** X-shipment Shipment */
type DeliveryShipment = {
  /** X-shipment-id Shipment id */
  readonly id?: string;
  /** X-consignment Consignment */
  readonly consignments?: readonly DeliveryShipmentConsignment[];
  /** X-freight Other charges (MY) */
  readonly charges?: readonly DeliveryShipmentCharge[];
};

/** X-consignment Consignment */
type DeliveryShipmentConsignment = {
  /** X-consignment-id Consignment id */
  readonly id?: string;
  /** X-consignment-incoterms Incoterms (MY) */
  readonly incoterms?: string;
};

/** X-freight Other charges (MY) */
type DeliveryShipmentCharge = {
  /** X-freight-indicator Other charges indicator */
  readonly is_charge?: boolean;
  /** X-freight-reason Other charges reason */
  readonly reason?: string;
  /** X-freight-amount Other charges amount */
  readonly amount?: string;
};

/** IBG-16 Payment instructions */
type PaymentMeans = {
  /** IBT-178 Payment instructions ID */
  readonly id?: string;
  /** IBT-081 Payment means type code */
  readonly code?: string;
  /** IBT-082 Payment means text */
  readonly name?: string;
  /** IBT-083 Remittance information */
  readonly remittance?: string;
  /** IBT-083-1 Remittance information scheme */
  readonly remittance_scheme?: string;
  /** IBG-18 Payment card information */
  readonly card?: PaymentMeansCard;
  /** IBG-17 Credit transfer */
  readonly account?: PaymentMeansAccount;
  /** IBG-19 Direct debit */
  readonly mandate?: PaymentMeansMandate;
};

/** IBG-18 Payment card information */
type PaymentMeansCard = {
  /** IBT-087 Payment card primary account number */
  readonly number?: string;
  /** X-card-network Payment card network */
  readonly network?: string;
  /** IBT-088 Payment card holder name */
  readonly holder?: string;
};

/** IBG-17 Credit transfer */
type PaymentMeansAccount = {
  /** IBT-084 Payment account identifier */
  readonly id?: string;
  /** IBT-084-1 Payment account identifier scheme */
  readonly scheme?: string;
  /** IBT-085 Payment account name */
  readonly name?: string;
  /** IBT-086 Payment service provider identifier */
  readonly branch?: string;
  /** X-branch-name Payment service provider name */
  readonly branch_name?: string;
  /** IBG-34 Payee bank branch address */
  readonly branch_address?: PaymentMeansAccountBranchAddress;
};

/** IBG-34 Payee bank branch address */
type PaymentMeansAccountBranchAddress = {
  /** IBT-169 Account address line 1 */
  readonly line1?: string;
  /** IBT-170 Account address line 2 */
  readonly line2?: string;
  /** IBT-174 Account address line 3 */
  readonly line3?: string;
  /** IBT-171 Account city */
  readonly city?: string;
  /** IBT-172 Account post code */
  readonly post_code?: string;
  /** IBT-173 Account subdivision */
  readonly subdivision?: string;
  /** X-branch-state Account state code */
  readonly subdivision_code?: string;
  /** IBT-175 Account country code */
  readonly country?: string;
};

/** IBG-19 Direct debit */
type PaymentMeansMandate = {
  /** IBT-089 Mandate reference identifier */
  readonly id?: string;
  /** IBT-091 Debited account identifier */
  readonly account?: string;
};

/** IBG-33 Payment terms */
type PaymentTerms = {
  /** IBT-187 Terms payment instructions ID */
  readonly instruction_id?: string;
  /** IBT-020 Payment terms */
  readonly note?: string;
};

/** IBG-35 Paid amounts */
type PaidAmount = {
  /** IBT-179 Payment identifier */
  readonly id?: string;
  /** IBT-180 Paid amount */
  readonly amount?: string;
  /** IBT-181 The date when the paid amount was received */
  readonly date?: string;
  /** BTMY-017 Prepayment time */
  readonly time?: string;
};

/** X-allowance-charge Document level allowances and charges */
type AllowanceCharge = {
  /** X-is-charge Charge indicator */
  readonly is_charge?: boolean;
  /** IBT-098 Reason code (charge: IBT-105) */
  readonly reason_code?: string;
  /** IBT-097 Reason (charge: IBT-104) */
  readonly reason?: string;
  /** IBT-094 Percentage (charge: IBT-101) */
  readonly percent?: number | string;
  /** IBT-092 Amount (charge: IBT-099) */
  readonly amount?: string;
  /** IBT-093 Base amount (charge: IBT-100) */
  readonly base?: string;
  /** X-allowance-tax Tax of the allowance or charge */
  readonly tax?: AllowanceChargeTax;
};

/** X-allowance-tax Tax of the allowance or charge */
type AllowanceChargeTax = {
  /** IBT-095 Tax category code (charge: IBT-102) */
  readonly category?: string;
  /** IBT-096 Tax rate (charge: IBT-103) */
  readonly rate?: number | string;
  /** IBT-196 Exemption reason code (charge: IBT-198) */
  readonly exemption_code?: string;
  /** IBT-197 Exemption reason (charge: IBT-199) */
  readonly exemption?: string;
  /** IBT-095-1 Tax scheme (charge: IBT-102-1) */
  readonly scheme?: string;
};

/** X-exchange-rate Currency exchange rate */
type ExchangeRate = {
  /** X-exchange-source Source currency */
  readonly source?: string;
  /** X-exchange-target Target currency */
  readonly target?: string;
  /** BTAE-04 Currency exchange rate */
  readonly rate?: number | string;
};

/** X-tax-total Tax totals */
type TaxTotal = {
  /** IBT-110 Invoice total tax amount (in tax currency: IBT-111) */
  readonly amount?: string;
  /** IBT-200 Tax included indicator */
  readonly included?: boolean;
  /** IBG-23 Tax breakdown */
  readonly breakdown?: readonly TaxTotalBreakdown[];
};

/** IBG-23 Tax breakdown */
type TaxTotalBreakdown = {
  /** IBT-116 Tax category taxable amount */
  readonly taxable?: string;
  /** IBT-117 Tax category tax amount */
  readonly amount?: string;
  /** IBT-118 Tax category code */
  readonly category?: string;
  /** IBT-119 Tax category rate */
  readonly rate?: number | string;
  /** IBT-121 Tax exemption reason code */
  readonly exemption_code?: string;
  /** IBT-120 Tax exemption reason text */
  readonly exemption?: string;
  /** IBT-118-1 Tax scheme code */
  readonly scheme?: string;
};

/** IBG-22 Document totals */
type Totals = {
  /** IBT-106 Sum of invoice line net amount */
  readonly lines?: string;
  /** IBT-109 Invoice total amount without tax */
  readonly net?: string;
  /** IBT-112 Invoice total amount with tax */
  readonly gross?: string;
  /** IBT-107 Sum of allowances on document level */
  readonly allowances?: string;
  /** IBT-108 Sum of charges on document level */
  readonly charges?: string;
  /** IBT-113 Paid amount */
  readonly prepaid?: string;
  /** IBT-114 Rounding amount */
  readonly rounding?: string;
  /** IBT-115 Amount due for payment */
  readonly due?: string;
  /** IBT-110 Invoice total tax amount */
  readonly tax?: string;
  /** IBT-111 Invoice total tax amount in tax accounting currency */
  readonly tax_accounting?: string;
};

/** IBG-25 Invoice line */
type Line = {
  /** IBT-126 Invoice line identifier */
  readonly id?: string;
  /** IBT-127 Invoice line note */
  readonly note?: string;
  /** IBT-129 Invoiced quantity */
  readonly qty?: number | string;
  /** IBT-130 Invoiced quantity unit of measure code */
  readonly unit?: string;
  /** IBT-131 Invoice line net amount */
  readonly net?: string;
  /** IBT-133 Invoice line buyer accounting reference */
  readonly accounting_reference?: string;
  /** IBG-26 Invoice line period */
  readonly period?: LinePeriod;
  /** X-order-line Order line references */
  readonly order_lines?: readonly LineOrderLine[];
  /** X-line-credit-reason Line credit reason */
  readonly credit_reasons?: readonly LineCreditReason[];
  /** X-despatch-line Despatch line references */
  readonly despatch_lines?: readonly LineDespatchLine[];
  /** X-line-document Line documents */
  readonly documents?: readonly LineDocument[];
  /** X-line-allowance-charge Line allowances and charges */
  readonly allowances_charges?: readonly LineAllowanceCharge[];
  /** X-line-tax-total Line tax totals (MY) */
  readonly tax_totals?: readonly LineTaxTotal[];
  /** IBT-154 Item description */
  readonly description?: string;
  /** IBT-153 Item name */
  readonly name?: string;
  /** IBT-156 Item buyer's identifier */
  readonly buyer_item_id?: string;
  /** IBT-155 Item seller's identifier */
  readonly sku?: string;
  /** IBT-157 Item standard identifier */
  readonly standard_id?: string;
  /** IBT-157-1 Item standard identifier scheme */
  readonly standard_id_scheme?: string;
  /** X-additional-item-id Additional item identifiers */
  readonly additional_ids?: readonly LineAdditionalId[];
  /** IBT-159 Item country of origin */
  readonly origin_country?: string;
  /** X-classification Item classifications */
  readonly classifications?: readonly LineClassification[];
  /** IBG-30 Line tax information */
  readonly tax?: LineTax;
  /** IBG-32 Item attributes */
  readonly attributes?: readonly LineAttribute[];
  /** X-item-instance Lots */
  readonly lots?: readonly LineLot[];
  /** IBT-146 Item net price */
  readonly unit_price?: string;
  /** IBT-149 Item price base quantity */
  readonly base_qty?: number | string;
  /** IBT-150 Item price base quantity unit */
  readonly base_unit?: string;
  /** X-price-allowance Price allowance */
  readonly price_allowances?: readonly LinePriceAllowance[];
  /** X-price-extension Line amounts in accounting currency */
  readonly accounting?: LineAccounting;
  /** IBG-27 Line allowances */
  readonly allowances?: readonly LineAllowanceCharge[];
  /** IBG-28 Line charges */
  readonly charges?: readonly LineAllowanceCharge[];
  /** IBT-148 Item gross price */
  readonly gross_price?: string;
  /** IBT-147 Item price discount */
  readonly price_discount?: string;
};

/** IBG-26 Invoice line period */
type LinePeriod = {
  /** IBT-134 Invoice line period start date */
  readonly start?: string;
  /** IBT-135 Invoice line period end date */
  readonly end?: string;
};

/** X-order-line Order line references */
type LineOrderLine = {
  /** IBT-132 Referenced purchase order line */
  readonly line_id?: string;
  /** IBT-183 Purchase order reference */
  readonly order?: string;
};

/** X-line-credit-reason Line credit reason */
type LineCreditReason = {
  /** X-line-credit-reason-code Line credit reason code */
  readonly code?: string;
  /** X-line-credit-reason-text Line credit reason */
  readonly description?: string;
};

/** X-despatch-line Despatch line references */
type LineDespatchLine = {
  /** X-despatch-line-id Despatch line */
  readonly line_id?: string;
  /** IBT-184 Despatch advice reference */
  readonly advice?: string;
};

/** X-line-document Line documents */
type LineDocument = {
  /** IBT-128 Invoice line object identifier */
  readonly id?: string;
  /** IBT-128-1 Invoice line object identifier scheme */
  readonly scheme?: string;
  /** X-line-document-type Line document type code */
  readonly type_code?: string;
};

/** X-line-allowance-charge Line allowances and charges */
type LineAllowanceCharge = {
  /** X-line-is-charge Charge indicator */
  readonly is_charge?: boolean;
  /** IBT-140 Reason code (charge: IBT-145) */
  readonly reason_code?: string;
  /** IBT-139 Reason (charge: IBT-144) */
  readonly reason?: string;
  /** IBT-138 Percentage (charge: IBT-143) */
  readonly percent?: number | string;
  /** IBT-136 Amount (charge: IBT-141) */
  readonly amount?: string;
  /** IBT-137 Base amount (charge: IBT-142) */
  readonly base?: string;
  /** X-line-allowance-tax Its tax */
  readonly tax?: LineAllowanceChargeTax;
};

/** X-line-allowance-tax Its tax */
type LineAllowanceChargeTax = {
  /** X-line-allowance-tax-category Tax category */
  readonly category?: string;
  /** X-line-allowance-tax-rate Tax rate */
  readonly rate?: number | string;
  /** X-line-allowance-tax-exemption-code Exemption reason code */
  readonly exemption_code?: string;
  /** X-line-allowance-tax-exemption Exemption reason */
  readonly exemption?: string;
  /** X-line-allowance-tax-scheme Tax scheme */
  readonly scheme?: string;
};

/** X-line-tax-total Line tax totals (MY) */
type LineTaxTotal = {
  /** X-line-tax-amount Line tax amount */
  readonly amount?: string;
  /** X-line-tax-included Tax included indicator */
  readonly included?: boolean;
  /** X-line-tax-subtotal Line tax breakdown (MY) */
  readonly breakdown?: readonly LineTaxTotalBreakdown[];
};

/** X-line-tax-subtotal Line tax breakdown (MY) */
type LineTaxTotalBreakdown = {
  /** X-line-taxable Line taxable amount */
  readonly taxable?: string;
  /** X-line-subtotal-amount Line tax amount */
  readonly amount?: string;
  /** X-line-units Number of units at a fixed rate */
  readonly units?: number | string;
  /** X-line-units-unit Unit of the fixed rate */
  readonly units_unit?: string;
  /** X-line-per-unit Amount per unit */
  readonly per_unit?: string;
  /** X-line-tax-category Line tax category */
  readonly category?: string;
  /** X-line-tax-rate Line tax rate */
  readonly rate?: number | string;
  /** X-line-exemption-code Exemption code */
  readonly exemption_code?: string;
  /** X-line-exemption Exemption reason */
  readonly exemption?: string;
  /** X-line-tax-scheme Line tax scheme */
  readonly scheme?: string;
};

/** X-additional-item-id Additional item identifiers */
type LineAdditionalId = {
  /** BTAE-17 Service accounting code */
  readonly id?: string;
  /** BTAE-17-1 Service accounting code scheme */
  readonly scheme?: string;
};

/** X-classification Item classifications */
type LineClassification = {
  /** BTAE-09 Type of goods or services (reverse charge) */
  readonly nature?: string;
  /** BTAE-13 Item type */
  readonly item_type?: string;
  /** IBT-158 Item classification identifier */
  readonly code?: string;
  /** IBT-158-1 Item classification scheme */
  readonly list?: string;
  /** IBT-158-2 Item classification scheme version */
  readonly list_version?: string;
};

/** IBG-30 Line tax information */
type LineTax = {
  /** IBT-151 Invoiced item tax category code */
  readonly category?: string;
  /** IBT-152 Invoiced item tax rate */
  readonly rate?: number | string;
  /** X-tax-per-unit Tax amount per unit */
  readonly per_unit?: string;
  /** IBT-186 Line tax exemption reason code */
  readonly exemption_code?: string;
  /** IBT-185 Line tax exemption reason */
  readonly exemption?: string;
  /** IBT-167 Line tax scheme code */
  readonly scheme?: string;
};

/** IBG-32 Item attributes */
type LineAttribute = {
  /** IBT-160 Item attribute name */
  readonly name?: string;
  /** IBT-161 Item attribute value */
  readonly value?: string;
};

/** X-item-instance Lots */
type LineLot = {
  /** BTAE-24 Batch number */
  readonly number?: string;
  /** X-lot-expiry Lot expiry date */
  readonly expiry?: string;
};

/** X-price-allowance Price allowance */
type LinePriceAllowance = {
  /** X-price-is-charge Charge indicator */
  readonly is_charge?: boolean;
  /** X-price-factor Price discount percentage */
  readonly percent?: number | string;
  /** IBT-147 Item price discount */
  readonly discount?: string;
  /** IBT-148 Item gross price */
  readonly gross_price?: string;
};

/** X-price-extension Line amounts in accounting currency */
type LineAccounting = {
  /** BTAE-10 Invoice line amount payable (AED); MY: subtotal */
  readonly amount?: string;
  /** X-accounting-tax Line tax in accounting currency */
  readonly tax_totals?: readonly LineAccountingTaxTotal[];
};

/** X-accounting-tax Line tax in accounting currency */
type LineAccountingTaxTotal = {
  /** BTAE-08 VAT line amount (AED) */
  readonly amount?: string;
};
