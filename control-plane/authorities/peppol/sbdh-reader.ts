import { SaxesParser } from 'saxes';
import type { InboundDocument } from '../contract.ts';
import { envelopeNamespace, participantScheme } from './identifiers.ts';

const depthMax = 20;

interface Party {
  readonly scheme: string;
  readonly id: string;
}

/** Reads `iso6523-actorid-upis::0235:1008765432`, also without its scheme; undefined for other text. */
export function readParticipant(text: string | null | undefined): Party | undefined {
  const prefix = `${participantScheme}::`;
  const value = text?.startsWith(prefix) ? text.slice(prefix.length) : text;
  const [, scheme, id] = /^(\d{4}):(\S{1,50})$/.exec(value ?? '') ?? [];
  return scheme === undefined || id === undefined ? undefined : { scheme, id: id.toLowerCase() };
}

/**
 * Opens a Peppol SBDH: its addresses, its instance id, and the document in it as it was written. The
 * id of the message is its instance id.
 */
export function openEnvelope(xml: string): InboundDocument {
  const read = readHeader(xml);
  if (typeof read === 'string') return { kind: 'unreadable', id: '', reason: read };
  const { values, start, end } = read;
  const sender = readParticipant(values.get('Sender/Identifier'));
  const receiver = readParticipant(values.get('Receiver/Identifier'));
  const networkId = values.get('DocumentIdentification/InstanceIdentifier');
  if (sender === undefined || receiver === undefined || !networkId || networkId.length > 200) {
    const reason = 'The envelope lacks a sender, a receiver or an instance identifier.';
    return { kind: 'unreadable', id: '', reason };
  }
  return {
    kind: 'document',
    id: networkId,
    networkId,
    sender,
    receiver,
    xml: xml.slice(start, end),
  };
}

interface Header {
  /** Text by the last two names of its path. */
  readonly values: ReadonlyMap<string, string>;
  /** Where the document in the envelope begins, and where it ends. */
  readonly start: number;
  readonly end: number;
}

/** The header and the place of the document, or why there is none. */
function readHeader(xml: string): Header | string {
  const values = new Map<string, string>();
  const open: string[] = [];
  let text = '';
  let start: number | undefined;
  let end: number | undefined;
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('doctype', () => {
    throw new Error('a document type declaration is not allowed');
  });
  parser.on('opentag', (tag) => {
    if (
      open.length === 0 &&
      (tag.local !== 'StandardBusinessDocument' || tag.uri !== envelopeNamespace)
    ) {
      throw new Error('it is no StandardBusinessDocument');
    }
    const isDocument = open.length === 1 && tag.uri !== envelopeNamespace;
    if (isDocument && start !== undefined) throw new Error('it holds more than one document');
    // The parser stands behind the tag; a `<` cannot stand within one.
    if (isDocument) start = xml.lastIndexOf('<', parser.position - 1);
    if (open.length >= depthMax && start === undefined) throw new Error('it is too deep');
    open.push(tag.local);
    text = '';
  });
  parser.on('text', (part) => {
    if (start === undefined) text += part;
  });
  parser.on('closetag', () => {
    if (start === undefined && text.trim() !== '')
      values.set(open.slice(-2).join('/'), text.trim());
    text = '';
    open.pop();
    if (open.length === 1 && start !== undefined) end ??= parser.position;
  });
  try {
    parser.write(xml).close();
  } catch (error) {
    return `The envelope does not read: ${(error as Error).message}`.slice(0, 300);
  }
  if (start === undefined || end === undefined) return 'The envelope holds no document.';
  return { values, start, end };
}
