import type { Message } from './message.ts';

const oasis = 'urn:oasis:names:specification:ubl:schema:xsd';
const head =
  `<ApplicationResponse xmlns="${oasis}:ApplicationResponse-2"` +
  ` xmlns:cac="${oasis}:CommonAggregateComponents-2"` +
  ` xmlns:cbc="${oasis}:CommonBasicComponents-2">`;

/** Reasons of a rejecting receiver, one for each line of the MLS. */
const rejectionLines = [
  { line: '/Invoice/cac:InvoiceLine[1]/cbc:ID', reason: 'BV', text: 'A rule of the receiver.' },
  { line: 'NA', reason: 'SV', text: 'Not valid by the schema of the receiver.' },
] as const;

/** A message level status on a received document. */
export function mlsXml(message: Message, code: 'AP' | 'AB' | 'RE', at: Date): string {
  const lines = code === 'RE' ? rejectionLines.map(lineXml).join('') : '';
  return response(message, {
    documentId: message.instanceId,
    customization: 'urn:peppol:edec:mls:1.0',
    profile: 'urn:peppol:edec:mls',
    code,
    at,
    lines,
  });
}

/** An invoice response (AB, IP, UQ, CA, RE, AP, PD) of the buyer. */
export function responseXml(message: Message, number: string, code: string, at: Date): string {
  return response(message, {
    documentId: number,
    customization: 'urn:fdc:peppol.eu:poacc:trns:invoice_response:3',
    profile: 'urn:fdc:peppol.eu:poacc:bis:invoice_response:3',
    code,
    at,
    lines: '',
  });
}

interface Parts {
  /**
   * The answered document: the instance id in an MLS, the invoice's number in an invoice response.
   */
  readonly documentId: string;
  readonly customization: string;
  readonly profile: string;
  readonly code: string;
  readonly at: Date;
  readonly lines: string;
}

function response(message: Message, parts: Parts): string {
  const { documentId, customization, profile, code, at, lines } = parts;
  const [date, time] = at.toISOString().split('T');
  const endpoint = ({ value }: { value: string }) => {
    const [scheme, id] = value.split(':');
    return `<cbc:EndpointID schemeID="${scheme}">${id}</cbc:EndpointID>`;
  };
  return [
    head,
    `<cbc:CustomizationID>${customization}</cbc:CustomizationID>`,
    `<cbc:ProfileID>${profile}</cbc:ProfileID><cbc:ID>${message.instanceId}-${code}</cbc:ID>`,
    `<cbc:IssueDate>${date}</cbc:IssueDate><cbc:IssueTime>${time}</cbc:IssueTime>`,
    `<cac:SenderParty>${endpoint(message.receiver)}</cac:SenderParty>`,
    `<cac:ReceiverParty>${endpoint(message.sender)}</cac:ReceiverParty>`,
    '<cac:DocumentResponse>',
    `<cac:Response><cbc:ResponseCode>${code}</cbc:ResponseCode></cac:Response>`,
    `<cac:DocumentReference><cbc:ID>${documentId}</cbc:ID></cac:DocumentReference>`,
    `${lines}</cac:DocumentResponse></ApplicationResponse>`,
  ].join('');
}

function lineXml({ line, reason, text }: (typeof rejectionLines)[number]): string {
  return [
    `<cac:LineResponse><cac:LineReference><cbc:LineID>${line}</cbc:LineID></cac:LineReference>`,
    `<cac:Response><cbc:Description>${text}</cbc:Description>`,
    `<cac:Status><cbc:StatusReasonCode listID="PEPPOLSTATUS">${reason}</cbc:StatusReasonCode>`,
    '</cac:Status></cac:Response></cac:LineResponse>',
  ].join('');
}
