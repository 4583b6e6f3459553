import { escapeXml } from './sbdh.ts';

/** An Invoice Response of Peppol (transaction 3.1, T111), as data. */
export interface InvoiceResponse {
  readonly id: string;
  readonly issuedAt: Date;
  /** Who answers: the buyer. */
  readonly sender: ResponseParty;
  /** Who is answered: the supplier. */
  readonly receiver: ResponseParty;
  /** UNCL4343. */
  readonly code: string;
  readonly note: string | undefined;
  readonly clarifications: readonly {
    readonly list: 'OPStatusReason' | 'OPStatusAction';
    readonly code: string;
    readonly text: string | undefined;
  }[];
  readonly document: {
    readonly number: string;
    /** `YYYY-MM-DD` */
    readonly issueDate: string;
    /** UNCL1001. */
    readonly typeCode: string;
  };
}

interface ResponseParty {
  readonly scheme: string;
  readonly id: string;
  readonly name: string;
}

const oasis = 'urn:oasis:names:specification:ubl:schema:xsd';
const customization = 'urn:fdc:peppol.eu:poacc:trns:invoice_response:3';

/** How access points name the transaction. */
export const invoiceResponseType = `${oasis}:ApplicationResponse-2::ApplicationResponse##${customization}::2.1`;
export const invoiceResponseProcess = 'urn:fdc:peppol.eu:poacc:bis:invoice_response:3';

/** The XML of an Invoice Response. */
export function writeInvoiceResponse(response: InvoiceResponse): string {
  const { id, issuedAt, sender, receiver, code, note, clarifications, document } = response;
  const [date, time] = issuedAt.toISOString().split('T');
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<ApplicationResponse xmlns="${oasis}:ApplicationResponse-2"`,
    ` xmlns:cac="${oasis}:CommonAggregateComponents-2" xmlns:cbc="${oasis}:CommonBasicComponents-2">`,
    element('cbc:CustomizationID', customization),
    element('cbc:ProfileID', invoiceResponseProcess),
    element('cbc:ID', id),
    element('cbc:IssueDate', date!),
    element('cbc:IssueTime', time!.slice(0, 8)),
    note === undefined ? '' : element('cbc:Note', note),
    party('SenderParty', sender),
    party('ReceiverParty', receiver),
    '<cac:DocumentResponse><cac:Response>',
    element('cbc:ResponseCode', code, { listID: 'UNCL4343OpSubset' }),
    element('cbc:EffectiveDate', date!),
    ...clarifications.map(
      ({ list, code: reason, text }) =>
        `<cac:Status>${element('cbc:StatusReasonCode', reason, { listID: list })}` +
        `${text === undefined ? '' : element('cbc:StatusReason', text)}</cac:Status>`,
    ),
    '</cac:Response><cac:DocumentReference>',
    element('cbc:ID', document.number),
    element('cbc:IssueDate', document.issueDate),
    element('cbc:DocumentTypeCode', document.typeCode, { listID: 'UNCL1001' }),
    '</cac:DocumentReference>',
    namedParty('IssuerParty', receiver),
    namedParty('RecipientParty', sender),
    '</cac:DocumentResponse></ApplicationResponse>',
  ].join('');
}

function party(role: string, { scheme, id, name }: ResponseParty): string {
  const endpoint = element('cbc:EndpointID', id, { schemeID: scheme });
  const registered = element('cbc:RegistrationName', name);
  return `<cac:${role}>${endpoint}<cac:PartyLegalEntity>${registered}</cac:PartyLegalEntity></cac:${role}>`;
}

function namedParty(role: string, { name }: ResponseParty): string {
  return `<cac:${role}><cac:PartyName>${element('cbc:Name', name)}</cac:PartyName></cac:${role}>`;
}

function element(name: string, text: string, attributes: Readonly<Record<string, string>> = {}) {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`);
  return `<${name}${written.join('')}>${escapeXml(text)}</${name}>`;
}
