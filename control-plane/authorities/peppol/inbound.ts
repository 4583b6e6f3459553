import { z } from 'zod';
import type {
  AuthorityContext,
  AuthorityError,
  InboundAnswer,
  Known,
  OutboundDocument,
} from '../contract.ts';
import { type ApplicationResponse, readApplicationResponse } from './application-response.ts';
import { transfer } from './transfer.ts';

const mlsType = 'urn:peppol:edec:mls:1.0';
const invoiceResponseType = 'urn:fdc:peppol.eu:poacc:trns:invoice_response:3';
/** Only the latest messages are read, because each takes a call. */
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

const history = z.array(z.object({ id: z.string(), docTypeID: z.string().nullish() }));

/** Inbound messages of a type, newest first. */
async function listed(
  documentType: string,
  token: string,
  context: AuthorityContext,
): Promise<string[]> {
  const list = parseJson(await get('/api/ops/inbound/history', token, context));
  const rows = history.safeParse(list).data ?? [];
  return rows.filter((row) => row.docTypeID?.includes(documentType)).map(({ id }) => id);
}

/** Reads messages; those that the access point does not return now are left out. */
async function* inbound(ids: readonly string[], token: string, context: AuthorityContext) {
  for (const id of ids) {
    const path = `/api/ops/inbound/${encodeURIComponent(id)}/payload`;
    const xml = await get(path, token, context);
    if (xml !== undefined) yield { id, response: readApplicationResponse(xml) };
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
