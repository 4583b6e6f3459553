import { type Finding, type Step, type StoredDocument, typeNames } from './document.ts';
import type { SimulatorState } from './state.ts';

/** A document as a submission lists it. */
export function summaryView(
  document: StoredDocument,
  state: SimulatorState,
): Record<string, unknown> {
  const { facts } = document;
  return {
    ...identity(document, state),
    issuerTin: facts.supplier.tin,
    issuerName: facts.supplier.name,
    receiverId: facts.buyer.idValue,
    receiverName: facts.buyer.name,
    totalExcludingTax: facts.totals.excludingTax,
    totalDiscount: facts.totals.discount,
    totalNetAmount: facts.totals.net,
    totalPayableAmount: facts.totals.payable,
  };
}

/** The same document as recent and search list it: other names for parties and totals. */
export function listView(document: StoredDocument, state: SimulatorState): Record<string, unknown> {
  const { facts } = document;
  return {
    ...identity(document, state),
    supplierTIN: facts.supplier.tin,
    supplierName: facts.supplier.name,
    buyerTIN: facts.buyer.tin,
    buyerName: facts.buyer.name,
    totalSales: facts.totals.excludingTax,
    totalDiscount: facts.totals.discount,
    netAmount: facts.totals.net,
    total: facts.totals.payable,
    submissionChannel: 'ERP',
    intermediaryName: null,
    intermediaryTIN: null,
    intermediaryROB: null,
  };
}

function identity(document: StoredDocument, state: SimulatorState): Record<string, unknown> {
  const { facts } = document;
  return {
    uuid: document.uuid,
    [state.switches.submissionUidSpelling]: document.submissionUid,
    longId: document.longId ?? '',
    internalId: facts.number,
    typeName: typeNames[facts.typeCode],
    typeVersionName: facts.version,
    dateTimeIssued: iso(facts.issuedAt),
    dateTimeReceived: iso(document.receivedAt),
    dateTimeValidated: iso(document.validatedAt),
    status: document.status,
    cancelDateTime: iso(document.cancelledAt),
    rejectRequestDateTime: iso(document.rejectRequestedAt),
    documentStatusReason: document.statusReason ?? null,
    createdByUserId: document.clientId,
  };
}

/** A document with the verdict of each validator. */
export function detailsView(
  document: StoredDocument,
  state: SimulatorState,
): Record<string, unknown> {
  const verdict = document.status === 'Cancelled' ? 'Valid' : document.status;
  return {
    ...summaryView(document, state),
    validationResults: {
      status: verdict,
      validationSteps: document.steps.map((step) => stepView(step, state)),
    },
  };
}

function stepView(step: Step, state: SimulatorState): Record<string, unknown> {
  if (step.findings.length === 0) return { status: 'Valid', name: step.name, error: null };
  return {
    status: 'Invalid',
    name: step.name,
    error: {
      propertyName: null,
      propertyPath: null,
      errorCode: step.outerCode,
      error: step.name,
      [state.switches.malaySpelling]: 'Ralat pengesahan',
      target: null,
      innerError: step.findings.map((finding) => findingView(finding, state)),
    },
  };
}

function findingView(finding: Finding, state: SimulatorState): Record<string, unknown> {
  return {
    propertyName: finding.path.split('/').at(-1),
    propertyPath: finding.path,
    errorCode: finding.code,
    error: finding.message,
    [state.switches.malaySpelling]: finding.malay,
    target: null,
    innerError: null,
  };
}

/** The overall word for a submission's documents. */
export function overallStatus(documents: readonly StoredDocument[], state: SimulatorState): string {
  if (documents.some((document) => document.status === 'Submitted')) {
    return state.switches.inProgressSpelling;
  }
  const invalid = documents.filter((document) => document.status === 'Invalid').length;
  if (invalid === 0) return 'Valid';
  return invalid === documents.length ? 'Invalid' : 'Partially Valid';
}

function iso(date: Date | undefined): string | null {
  return date === undefined || Number.isNaN(date.getTime())
    ? null
    : date.toISOString().replace('.000Z', 'Z');
}
