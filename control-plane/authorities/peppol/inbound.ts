import { z } from 'zod';
import type {
  AuthorityContext,
  AuthorityError,
  InboundAnswer,
  InboundDocument,
  Known,
  OutboundDocument,
} from '../contract.ts';
import { type ApplicationResponse, readApplicationResponse } from './application-response.ts';
import { openEnvelope, readParticipant } from './sbdh-reader.ts';
import { transfer } from './transfer.ts';

const mlsType = 'urn:peppol:edec:mls:1.0';
const invoiceResponseType = 'urn:fdc:peppol.eu:poacc:trns:invoice_response:3';
/** What a document type id holds of the types that are documents: UBL invoices and credit notes. */
const documentTypes = [':Invoice-2::Invoice##', ':CreditNote-2::CreditNote##'];
/** Only so many messages are read at once, because each takes a call. */
const messagesMax = 50;

/**
 * The receiver's reasons for rejecting a document, from its MLS among the access point's inbound
 * messages; empty when the MLS is missing, which does not change the rejection.
 */
export async function fetchRejection(
  document: OutboundDocument,
  token: string,
  context: AuthorityContext,
): Promise<readonly AuthorityError[]> {
  const wanted = (await listed(mlsType, token, context)).slice(0, messagesMax);
  for await (const { response } of inbound(wanted, token, context)) {
    if (response?.documentId === document.submissionKey && response.code === 'RE') {
      return rejectionErrors(response);
    }
  }
  return [];
}

/**
 * One error for each line, with the code BV, BW, FD or SV; one for the whole document when there
 * are no lines.
 */
export function rejectionErrors(response: ApplicationResponse): readonly AuthorityError[] {
  const otherwise = response.description ?? 'rejected by the receiver';
  if (response.lines.length === 0) return [{ code: response.code, message: otherwise }];
  return response.lines.map(({ location, reason, description }) => ({
    code: reason ?? response.code,
    message: description ?? otherwise,
    ...(location === undefined ? {} : { location }),
  }));
}

/**
 * The buyers' invoice responses among the inbound messages that are not known yet, oldest first.
 */
export async function fetchResponses(
  token: string,
  context: AuthorityContext,
  known: Known,
): Promise<readonly InboundAnswer[]> {
  const ids = await listed(invoiceResponseType, token, context);
  const seen = await known(ids);
  const unseen = ids.filter((id) => !seen.has(id)).slice(0, messagesMax);
  const found: InboundAnswer[] = [];
  for await (const { id, response } of inbound(unseen, token, context)) {
    found.push(response === undefined ? { kind: 'unreadable', id } : answerOf(id, response));
  }
  return found.reverse();
}

function answerOf(id: string, response: ApplicationResponse): InboundAnswer {
  const { documentId, sender, receiver, code, description, issuedAt } = response;
  return {
    kind: 'response',
    id,
    response: {
      number: documentId,
      from: sender,
      to: receiver,
      code,
      ...(issuedAt === undefined ? {} : { issuedAt }),
      ...(description === undefined ? {} : { note: description }),
    },
  };
}

/** The invoices and credit notes that are not known yet, oldest first. */
export async function fetchDocuments(
  token: string,
  context: AuthorityContext,
  known: Known,
): Promise<readonly InboundDocument[]> {
  const rows = (await history(token, context)).filter(({ docTypeID }) =>
    documentTypes.some((type) => docTypeID?.includes(type)),
  );
  const seen = await known(rows.map(({ id }) => id));
  // Oldest first, so that what a call leaves out comes with the next one.
  const unseen = rows.filter(({ id }) => !seen.has(id)).reverse();
  const found: InboundDocument[] = [];
  for (const row of unseen.slice(0, messagesMax)) {
    const body = await payload(row.id, token, context);
    if (body !== undefined) found.push(documentOf(row, body));
  }
  return found;
}

/** An access point keeps the envelope, or the document and the addresses beside it. */
function documentOf(row: HistoryRow, body: string): InboundDocument {
  const receiver = readParticipant(row.receiverID);
  const sender = readParticipant(row.senderID);
  const opened = openEnvelope(body);
  if (opened.kind === 'document') return { ...opened, id: row.id };
  if (receiver === undefined || sender === undefined) return { ...opened, id: row.id };
  const networkId = row.sbdhInstanceID ?? row.id;
  return { kind: 'document', id: row.id, networkId, sender, receiver, xml: body };
}

const historyRow = z.object({
  id: z.string(),
  docTypeID: z.string().nullish(),
  senderID: z.string().nullish(),
  receiverID: z.string().nullish(),
  sbdhInstanceID: z.string().nullish(),
});
type HistoryRow = z.infer<typeof historyRow>;

/** Inbound messages, newest first. */
async function history(token: string, context: AuthorityContext): Promise<HistoryRow[]> {
  const list = parseJson(await get('/api/ops/inbound/history', token, context));
  return z.array(historyRow).safeParse(list).data ?? [];
}

/** The ids of inbound messages of a type, newest first. */
async function listed(
  documentType: string,
  token: string,
  context: AuthorityContext,
): Promise<string[]> {
  const rows = await history(token, context);
  return rows.filter((row) => row.docTypeID?.includes(documentType)).map(({ id }) => id);
}

/** Reads messages; those that the access point does not return now are left out. */
async function* inbound(ids: readonly string[], token: string, context: AuthorityContext) {
  for (const id of ids) {
    const xml = await payload(id, token, context);
    if (xml !== undefined) yield { id, response: readApplicationResponse(xml) };
  }
}

function payload(id: string, token: string, context: AuthorityContext) {
  return get(`/api/ops/inbound/${encodeURIComponent(id)}/payload`, token, context);
}

async function get(
  path: string,
  token: string,
  context: AuthorityContext,
): Promise<string | undefined> {
  const result = await transfer(context, token, { method: 'GET', path, headers: {} });
  return result.kind === 'answer' && result.status === 200 ? result.body : undefined;
}

function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return undefined; // treated like a list without entries
  }
}
