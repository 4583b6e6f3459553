import type { OutboundDocument } from '../contract.ts';

/** The identifiers of one transmission, each `scheme::value` as access points write them. */
export interface Addressing {
  readonly sender: string;
  readonly receiver: string;
  readonly documentType: string;
  readonly process: string;
  readonly countryC1: string;
}

/** The namespace of the Peppol envelope (SBDH). */
export const envelopeNamespace =
  'http://www.unece.org/cefact/namespaces/StandardBusinessDocumentHeader';
export const participantScheme = 'iso6523-actorid-upis';
const documentTypeScheme = 'busdox-docid-qns';
const wildcardScheme = 'peppol-doctype-wildcard';
const processScheme = 'cenbii-procid-ubl';

/** Identifiers of a document; one that already has a scheme keeps it. */
export function addressing(document: OutboundDocument): Addressing {
  return {
    sender: participant(document.sender),
    receiver: participant(document.receiver),
    documentType: withScheme(document.documentTypeId, documentTypeSchemeOf(document)),
    process: withScheme(document.processId, processScheme),
    countryC1: document.countryC1,
  };
}

/** In lower case, because participant values are compared without case. */
function participant({ scheme, id }: { scheme: string; id: string }): string {
  return `${participantScheme}::${scheme}:${id}`.toLowerCase();
}

// PINT customizations belong to the wildcard scheme: receivers register them as `…@ae-1*`.
function documentTypeSchemeOf({ documentTypeId }: OutboundDocument): string {
  return documentTypeId.includes('##urn:peppol:pint:') ? wildcardScheme : documentTypeScheme;
}

const schemePattern = /^(busdox-docid-qns|peppol-doctype-wildcard|cenbii-procid-ubl)::/;

function withScheme(id: string, scheme: string): string {
  return schemePattern.test(id) ? id : `${scheme}::${id}`;
}

/** The path segments, with `#`, `::` and slashes percent-encoded. */
export function pathOf({ sender, receiver, documentType, process, countryC1 }: Addressing): string {
  return [sender, receiver, documentType, process, countryC1].map(encodeURIComponent).join('/');
}
