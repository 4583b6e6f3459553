import { type Element, find, findAll, readTree, textAt } from '../../../simulation/xml-tree.ts';

/** The addresses of one transmission, each split at `::`. */
export interface Message {
  readonly instanceId: string;
  readonly sender: Identifier;
  readonly receiver: Identifier;
  readonly documentType: Identifier;
  readonly process: Identifier;
  readonly countryC1: string;
}

export interface Identifier {
  readonly scheme: string;
  readonly value: string;
}

export function write({ scheme, value }: Identifier): string {
  return `${scheme}::${value}`;
}

const participantScheme = 'iso6523-actorid-upis';
const typeSchemes = ['busdox-docid-qns', 'peppol-doctype-wildcard'];
const processScheme = 'cenbii-procid-ubl';

/** Reads `scheme::value`; undefined for another form. */
export function readIdentifier(text: string | undefined): Identifier | undefined {
  const at = text?.indexOf('::') ?? -1;
  if (text === undefined || at < 1 || at + 2 >= text.length) return undefined;
  return { scheme: text.slice(0, at), value: text.slice(at + 2) };
}

/** What is wrong with the addresses, undefined when nothing is. */
export function addressFault(message: Message): string | undefined {
  const { sender, receiver, documentType, process, countryC1 } = message;
  for (const [name, id] of [
    ['sending', sender],
    ['receiving', receiver],
  ] as const) {
    const isWellFormed = id.scheme === participantScheme && /^\d{4}:\S{1,50}$/.test(id.value);
    if (!isWellFormed) return `Failed to parse the ${name} participant ID '${write(id)}'`;
  }
  const isType =
    typeSchemes.includes(documentType.scheme) &&
    /^\S+::[A-Za-z]+##\S+::\d+(\.\d+)*$/.test(documentType.value);
  if (!isType) return `Failed to parse the document type ID '${write(documentType)}'`;
  if (process.scheme !== processScheme || !/^\S+$/.test(process.value)) {
    return `Failed to parse the process ID '${write(process)}'`;
  }
  return /^[A-Z]{2}$/.test(countryC1) ? undefined : `C1 country '${countryC1}' is not a country`;
}

/** How the document differs from its addresses in root, namespace, customization or profile. */
export function documentFault(root: Element, message: Message): string | undefined {
  const [head = '', tail = ''] = message.documentType.value.split('##');
  const [namespace, name] = head.split('::');
  const customization = tail.slice(0, tail.lastIndexOf('::'));
  if (root.namespace !== namespace || root.name !== name) {
    return `the root is {${root.namespace}}${root.name}, not ${head}`;
  }
  const stated = textAt(root, 'CustomizationID');
  const agrees = customization.endsWith('*')
    ? stated.startsWith(customization.slice(0, -1))
    : stated === customization ||
      (message.documentType.scheme === 'peppol-doctype-wildcard' &&
        stated.startsWith(customization));
  if (!agrees) return `CustomizationID '${stated}' is not '${customization}'`;
  const profile = textAt(root, 'ProfileID');
  return profile === message.process.value
    ? undefined
    : `ProfileID '${profile}' is not '${message.process.value}'`;
}

/**
 * The envelope's message and payload, or the id of its fault in Peppol's SBDH reader.
 */
export function readEnvelope(
  xml: string,
): { readonly message: Message; readonly payload: Element } | { readonly fault: string } {
  const root = readTree(xml);
  if ('fault' in root || root.name !== 'StandardBusinessDocument') {
    return { fault: 'invalid-sbd-xml' };
  }
  const header = find(root, 'StandardBusinessDocumentHeader');
  if (header === undefined) return { fault: 'missing-sbdh' };
  if (textAt(header, 'HeaderVersion') !== '1.0') return { fault: 'invalid-header-version' };
  const sender = party(header, 'Sender');
  if (typeof sender === 'string') return { fault: sender };
  const receiver = party(header, 'Receiver');
  if (typeof receiver === 'string') return { fault: receiver };
  const payload = root.children.find((child) => child !== header);
  if (payload === undefined) return { fault: 'invalid-business-message' };
  const scopes = findAll(header, 'BusinessScope/Scope');
  if (scopes.length === 0) return { fault: 'business-scope-missing' };
  const documentType = scope(scopes, 'DOCUMENTID', 'busdox-docid-qns');
  if (documentType === undefined) return { fault: 'missing-document-type-identifier' };
  const process = scope(scopes, 'PROCESSID', processScheme);
  if (process === undefined) return { fault: 'missing-process-identifier' };
  const countryC1 = scope(scopes, 'COUNTRY_C1', '')?.value;
  if (countryC1 === undefined) return { fault: 'missing-country-c1' };
  const identification = find(header, 'DocumentIdentification') ?? header;
  if (textAt(identification, 'Standard') !== payload.namespace) {
    return { fault: 'invalid-standard' };
  }
  const version = documentType.value.slice(documentType.value.lastIndexOf('::') + 2);
  if (textAt(identification, 'TypeVersion') !== version) return { fault: 'invalid-type-version' };
  const instanceId = textAt(identification, 'InstanceIdentifier');
  return {
    message: { instanceId, sender, receiver, documentType, process, countryC1 },
    payload,
  };
}

/** The message that carries a document: its type and process are what the document says. */
export function messageOf(document: {
  readonly sender: string;
  readonly receiver: string;
  readonly xml: string;
  readonly instanceId: string;
}): Message {
  const root = readTree(document.xml);
  const stated = (name: string) => ('fault' in root ? '' : textAt(root, name));
  const type = 'fault' in root ? '' : `${root.namespace}::${root.name}`;
  return {
    instanceId: document.instanceId,
    sender: { scheme: participantScheme, value: document.sender },
    receiver: { scheme: participantScheme, value: document.receiver },
    documentType: {
      scheme: 'busdox-docid-qns',
      value: `${type}##${stated('CustomizationID')}::2.1`,
    },
    process: { scheme: processScheme, value: stated('ProfileID') },
    countryC1: 'MY',
  };
}

const envelopeNamespace = 'http://www.unece.org/cefact/namespaces/StandardBusinessDocumentHeader';

/** The document in its envelope, as a receiving access point hands it on. */
export function writeEnvelope(message: Message, xml: string, at: Date): string {
  const { instanceId, sender, receiver, documentType, process, countryC1 } = message;
  const [head = ''] = documentType.value.split('##');
  const [standard, type] = head.split('::');
  const version = documentType.value.slice(documentType.value.lastIndexOf('::') + 2);
  const address = (role: string, { scheme, value }: Identifier) =>
    `<sh:${role}><sh:Identifier Authority="${scheme}">${value}</sh:Identifier></sh:${role}>`;
  const scopeOf = (name: string, { scheme, value }: Identifier) =>
    `<sh:Scope><sh:Type>${name}</sh:Type><sh:InstanceIdentifier>${value}</sh:InstanceIdentifier>` +
    `<sh:Identifier>${scheme}</sh:Identifier></sh:Scope>`;
  return [
    `<?xml version="1.0" encoding="UTF-8"?>\n<sh:StandardBusinessDocument xmlns:sh="${envelopeNamespace}">`,
    '<sh:StandardBusinessDocumentHeader><sh:HeaderVersion>1.0</sh:HeaderVersion>',
    address('Sender', sender),
    address('Receiver', receiver),
    `<sh:DocumentIdentification><sh:Standard>${standard}</sh:Standard>`,
    `<sh:TypeVersion>${version}</sh:TypeVersion>`,
    `<sh:InstanceIdentifier>${instanceId}</sh:InstanceIdentifier><sh:Type>${type}</sh:Type>`,
    `<sh:CreationDateAndTime>${at.toISOString()}</sh:CreationDateAndTime>`,
    '</sh:DocumentIdentification><sh:BusinessScope>',
    scopeOf('DOCUMENTID', documentType),
    scopeOf('PROCESSID', process),
    '<sh:Scope><sh:Type>COUNTRY_C1</sh:Type>',
    `<sh:InstanceIdentifier>${countryC1}</sh:InstanceIdentifier></sh:Scope>`,
    '</sh:BusinessScope></sh:StandardBusinessDocumentHeader>\n',
    xml.replace(/^\uFEFF?\s*<\?xml[^>]*\?>\s*/, ''),
    '\n</sh:StandardBusinessDocument>',
  ].join('');
}

function party(header: Element, role: 'Sender' | 'Receiver'): Identifier | string {
  const ids = findAll(header, `${role}/Identifier`);
  const [id] = ids;
  const name = role.toLowerCase();
  if (id === undefined || ids.length > 1) return `invalid-${name}-count`;
  if (id.attributes.Authority !== participantScheme) return `invalid-${name}-authority`;
  return id.text === '' ? `invalid-${name}-value` : { scheme: participantScheme, value: id.text };
}

function scope(
  scopes: readonly Element[],
  type: string,
  defaultScheme: string,
): Identifier | undefined {
  const found = scopes.find((element) => textAt(element, 'Type') === type);
  const value = found === undefined ? '' : textAt(found, 'InstanceIdentifier');
  if (found === undefined || value === '') return undefined;
  return { scheme: textAt(found, 'Identifier') || defaultScheme, value };
}
