import { type Element, find, findAll, textAt } from '../../../simulation/xml-tree.ts';

type Status = 'Submitted' | 'Valid' | 'Invalid' | 'Cancelled';

/** One finding of a validator, as codes and texts in both languages. */
export interface Finding {
  readonly code: string;
  readonly path: string;
  readonly message: string;
  readonly malay: string;
}

export interface Step {
  readonly name: string;
  readonly outerCode: string;
  readonly findings: readonly Finding[];
}

/** What the simulator stores of an accepted document. */
export interface StoredDocument {
  readonly uuid: string;
  readonly submissionUid: string;
  readonly clientId: string;
  /** The taxpayer who sent it and may cancel it. */
  readonly taxpayer: string;
  readonly facts: Facts;
  readonly root: Element;
  readonly xml: string;
  readonly hash: string;
  readonly receivedAt: Date;
  status: Status;
  longId: string | undefined;
  validatedAt: Date | undefined;
  steps: readonly Step[];
  cancelledAt: Date | undefined;
  rejectRequestedAt: Date | undefined;
  statusReason: string | undefined;
}

/** What lists and checks need to know of a document. */
export interface Facts {
  readonly number: string;
  readonly typeCode: string;
  readonly version: string;
  readonly issuedAt: Date;
  readonly supplier: PartyFacts;
  readonly buyer: PartyFacts;
  /** UUIDs of documents this one refers to. */
  readonly references: readonly string[];
  readonly totals: Readonly<Record<'excludingTax' | 'discount' | 'net' | 'payable', number>>;
}

interface PartyFacts {
  readonly tin: string;
  readonly name: string;
  readonly idType: string;
  readonly idValue: string;
}

/** Receivers see what was valid, also once its issuer has cancelled it. */
export function isShownToReceivers({ status }: StoredDocument): boolean {
  return status === 'Valid' || status === 'Cancelled';
}

export function readFacts(root: Element): Facts {
  const type = find(root, 'InvoiceTypeCode');
  return {
    number: textAt(root, 'ID'),
    typeCode: type?.text ?? '',
    version: type?.attributes.listVersionID ?? '',
    issuedAt: new Date(`${textAt(root, 'IssueDate')}T${textAt(root, 'IssueTime')}`),
    supplier: readParty(root, 'AccountingSupplierParty/Party'),
    buyer: readParty(root, 'AccountingCustomerParty/Party'),
    references: findAll(root, 'BillingReference/InvoiceDocumentReference/UUID')
      .map((uuid) => uuid.text)
      .filter((uuid) => /^[0-9A-Z]{26}$/.test(uuid)),
    totals: {
      excludingTax: Number(textAt(root, 'LegalMonetaryTotal/TaxExclusiveAmount')),
      discount: Number(textAt(root, 'LegalMonetaryTotal/AllowanceTotalAmount') || 0),
      net: Number(textAt(root, 'LegalMonetaryTotal/LineExtensionAmount') || 0),
      payable: Number(textAt(root, 'LegalMonetaryTotal/PayableAmount')),
    },
  };
}

function readParty(root: Element, path: string): PartyFacts {
  const ids = findAll(root, `${path}/PartyIdentification/ID`);
  const identity = ids.find((id) => personalSchemes.includes(id.attributes.schemeID ?? ''));
  return {
    tin: ids.find((id) => id.attributes.schemeID === 'TIN')?.text ?? '',
    name: textAt(root, `${path}/PartyLegalEntity/RegistrationName`),
    idType: identity?.attributes.schemeID ?? '',
    idValue: identity?.text ?? '',
  };
}

/** Registration schemes: a party has exactly one of these besides its TIN. */
export const personalSchemes: readonly string[] = ['BRN', 'NRIC', 'PASSPORT', 'ARMY'];

export const typeNames: Readonly<Record<string, string>> = {
  '01': 'Invoice',
  '02': 'Credit Note',
  '03': 'Debit Note',
  '04': 'Refund Note',
  '11': 'Self-Billed Invoice',
  '12': 'Self-Billed Credit Note',
  '13': 'Self-Billed Debit Note',
  '14': 'Self-Billed Refund Note',
};

export function isSelfBilled(typeCode: string): boolean {
  return typeCode.startsWith('1');
}
