import type { OutboundDocument } from '../contract.ts';
import { addressing, envelopeNamespace, participantScheme } from './identifiers.ts';

/**
 * Puts the document into a Peppol SBDH. Its instance id is the submission key, so that all tries
 * are the same message.
 */
export function envelope(document: OutboundDocument, createdAt: Date): string {
  const { sender, receiver, documentType, process, countryC1 } = addressing(document);
  const [typeScheme, typeId] = cut(documentType);
  const [processScheme, processId] = cut(process);
  const { standard, type, version } = typeParts(typeId);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<StandardBusinessDocument xmlns="${envelopeNamespace}"><StandardBusinessDocumentHeader>`,
    '<HeaderVersion>1.0</HeaderVersion>',
    party('Sender', cut(sender)[1]),
    party('Receiver', cut(receiver)[1]),
    `<DocumentIdentification><Standard>${escapeXml(standard)}</Standard>`,
    `<TypeVersion>${escapeXml(version)}</TypeVersion>`,
    `<InstanceIdentifier>${escapeXml(document.submissionKey)}</InstanceIdentifier>`,
    `<Type>${escapeXml(type)}</Type>`,
    `<CreationDateAndTime>${createdAt.toISOString()}</CreationDateAndTime>`,
    '</DocumentIdentification><BusinessScope>',
    scope('DOCUMENTID', typeId, typeScheme),
    scope('PROCESSID', processId, processScheme),
    scope('COUNTRY_C1', countryC1),
    '</BusinessScope></StandardBusinessDocumentHeader>',
    document.xml.replace(/^\uFEFF?\s*<\?xml[^>]*\?>\s*/, ''),
    '</StandardBusinessDocument>',
  ].join('');
}

function party(role: 'Sender' | 'Receiver', value: string): string {
  const authority = `Authority="${participantScheme}"`;
  return `<${role}><Identifier ${authority}>${escapeXml(value)}</Identifier></${role}>`;
}

function scope(type: string, instance: string, scheme?: string): string {
  const identifier = scheme === undefined ? '' : `<Identifier>${escapeXml(scheme)}</Identifier>`;
  const value = `<InstanceIdentifier>${escapeXml(instance)}</InstanceIdentifier>`;
  return `<Scope><Type>${type}</Type>${value}${identifier}</Scope>`;
}

function cut(identifier: string): readonly [scheme: string, value: string] {
  const at = identifier.indexOf('::');
  return [identifier.slice(0, at), identifier.slice(at + 2)];
}

/** The parts of `{namespace}::{root}##{customization}::{version}`. */
function typeParts(typeId: string): { standard: string; type: string; version: string } {
  const [head = ''] = typeId.split('##');
  const [standard = '', type = ''] = head.split('::');
  return { standard, type, version: typeId.slice(typeId.lastIndexOf('::') + 2) };
}

/** The text with markup escaped. */
export function escapeXml(text: string): string {
  return text.replace(/[<>&"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
