import { z } from 'zod';
import type {
  AuthorityContext,
  AuthorityError,
  BusinessResponse,
  OutboundDocument,
} from '../contract.ts';
import { type ApplicationResponse, readApplicationResponse } from './application-response.ts';
import { transfer } from './transfer.ts';

const mlsType = 'urn:peppol:edec:mls:1.0';
const invoiceResponseType = 'urn:fdc:peppol.eu:poacc:trns:invoice_response:3';
/** Only the latest messages are looked at; each costs a call. */
const messagesMax = 50;

/**
 * The receiver's reasons for rejecting a document: the MLS that came in for it, found among the
 * access point's inbound messages; empty when it is not there (the rejection stands without it).
 */
export async function fetchRejection(
  document: OutboundDocument,
  token: string,
  context: AuthorityContext,
): Promise<readonly AuthorityError[]> {
  for await (const { response } of inbound(mlsType, token, context)) {
    if (response.documentId === document.submissionKey && response.code === 'RE') {
      return rejectionErrors(response);
    }
  }
  return [];
}

/**
 * One error a line, with BV, BW, FD or SV as its code; the whole as one when there are no lines.
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

/** The buyers' invoice responses among the latest inbound messages, newest first. */
export async function fetchResponses(
  token: string,
  context: AuthorityContext,
): Promise<readonly BusinessResponse[]> {
  const found: BusinessResponse[] = [];
  for await (const { id, response } of inbound(invoiceResponseType, token, context)) {
    const { documentId, sender, code, description } = response;
    const note = description === undefined ? {} : { note: description };
    found.push({ id, number: documentId, from: sender, code, ...note });
  }
  return found;
}

const history = z.array(z.object({ id: z.string(), docTypeID: z.string().nullish() }));

async function* inbound(documentType: string, token: string, context: AuthorityContext) {
  const list = parseJson(await get('/api/ops/inbound/history', token, context));
  const rows = history.safeParse(list).data ?? [];
  const wanted = rows.filter((row) => row.docTypeID?.includes(documentType));
  for (const { id } of wanted.slice(0, messagesMax)) {
    const path = `/api/ops/inbound/${encodeURIComponent(id)}/payload`;
    const response = readApplicationResponse((await get(path, token, context)) ?? '');
    if (response !== undefined) yield { id, response };
  }
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
