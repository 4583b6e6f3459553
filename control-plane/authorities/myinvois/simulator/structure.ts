import { type Element, find, readTree } from '../../../simulation/xml-tree.ts';

const namespaces = {
  root: 'urn:oasis:names:specification:ubl:schema:xsd:Invoice-2',
  aggregate: 'urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2',
  basic: 'urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2',
} as const;

/** Elements without which a document is not a MyInvois document at all. */
const skeleton = [
  'ID',
  'IssueDate',
  'IssueTime',
  'InvoiceTypeCode',
  'DocumentCurrencyCode',
  'AccountingSupplierParty',
  'AccountingCustomerParty',
  'TaxTotal',
  'LegalMonetaryTotal',
  'InvoiceLine',
];

/**
 * The order of elements in the UBL schema. Aggregates hold elements, basic components hold text.
 */
const order = [
  'UBLExtensions',
  'ID',
  'IssueDate',
  'IssueTime',
  'InvoiceTypeCode',
  'DocumentCurrencyCode',
  'TaxCurrencyCode',
  'InvoicePeriod',
  'BillingReference',
  'AdditionalDocumentReference',
  'Signature',
  'AccountingSupplierParty',
  'AccountingCustomerParty',
  'Delivery',
  'PaymentMeans',
  'PaymentTerms',
  'PrepaidPayment',
  'AllowanceCharge',
  'TaxExchangeRate',
  'TaxTotal',
  'LegalMonetaryTotal',
  'InvoiceLine',
];

/**
 * The document's root, or why the structure validator refuses it. All types have the root Invoice.
 */
export function readStructure(xml: string): Element | { readonly fault: string } {
  const root = readTree(xml);
  if ('fault' in root) return { fault: `XmlNotWellFormed: ${root.fault}` };
  if (root.name !== 'Invoice' || root.namespace !== namespaces.root) {
    return { fault: `RootElementNotValid: {${root.namespace}}${root.name}` };
  }
  for (const name of skeleton) {
    if (find(root, name) === undefined) return { fault: `ElementMissing: /Invoice/${name}` };
  }
  const misplaced = root.children.find((child, index) => {
    const before = order.indexOf(root.children[index - 1]?.name ?? '');
    const here = order.indexOf(child.name);
    return here !== -1 && here < before;
  });
  if (misplaced !== undefined) {
    return { fault: `ElementOutOfOrder: /Invoice/${misplaced.name}` };
  }
  const stray = strayNamespace(root);
  return stray === undefined ? root : { fault: `NamespaceNotValid: ${stray}` };
}

function strayNamespace(from: Element): string | undefined {
  for (const child of from.children) {
    if (child.name === 'UBLExtensions') continue;
    const expected = child.children.length > 0 ? namespaces.aggregate : namespaces.basic;
    if (child.namespace !== expected && child.namespace !== namespaces.aggregate) {
      return `{${child.namespace}}${child.name}`;
    }
    const inner = strayNamespace(child);
    if (inner !== undefined) return inner;
  }
  return undefined;
}
