import type { OutboundDocument } from '../contract.ts';

/** The identifiers of one transmission, each `scheme::value` as access points write them. */
export interface Addressing {
  readonly sender: string;
  readonly receiver: string;
  readonly documentType: string;
  readonly process: string;
  readonly countryC1: string;
}

export const participantScheme = 'iso6523-actorid-upis';
const documentTypeScheme = 'busdox-docid-qns';
const wildcardScheme = 'peppol-doctype-wildcard';
const processScheme = 'cenbii-procid-ubl';

/** Identifiers of a document; those that come with a scheme of their own keep it. */
export function addressing(document: OutboundDocument): Addressing {
  return {
    sender: participant(document.sender),
    receiver: participant(document.receiver),
    documentType: withScheme(document.documentTypeId, documentTypeSchemeOf(document)),
    process: withScheme(document.processId, processScheme),
    countryC1: document.countryC1,
  };
}

/** Participant values are compared case-insensitively: written in lower case. */
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

/** As path segments: `#`, `::` and slashes percent-encoded. */
export function pathOf({ sender, receiver, documentType, process, countryC1 }: Addressing): string {
  return [sender, receiver, documentType, process, countryC1].map(encodeURIComponent).join('/');
}
