import type { OutboundDocument } from '../contract.ts';
import { documentType, documentTypes, type WorkflowParameter } from './answers.ts';
import { call } from './call.ts';
import type { Session } from './exchange.ts';
import { typeCodeOf } from './frozen-document.ts';

/** How long a window is cached; windows change rarely, by decree. */
const keptMs = 24 * 3_600_000;
/** How long a failed look-up is cached. */
const keptAfterFailureMs = 60_000;

/**
 * Hours after validation in which the issuer may cancel, as the authority publishes them for this
 * type of document; undefined when it does not say (the invoice is cleared all the same).
 */
export async function cancellationHours(
  document: OutboundDocument,
  validatedAt: Date,
  session: Session,
): Promise<number | undefined> {
  const parameters = await workflowParameters(typeCodeOf(document.xml), session);
  const at = validatedAt.getTime();
  const active = parameters.find(
    (row) =>
      row.parameter.toLowerCase() === 'cancellationduration' &&
      Date.parse(row.activeFrom ?? '1970-01-01') <= at &&
      at <= Date.parse(row.activeTo ?? '9999-12-31'),
  );
  return active?.value;
}

async function workflowParameters(
  typeCode: string,
  session: Session,
): Promise<readonly WorkflowParameter[]> {
  const { cache, clock, endpoint } = session.context;
  const key = JSON.stringify(['myinvois-workflow', endpoint.baseUrl, typeCode]);
  const known = cache.get(key);
  if (known !== undefined && known.expiresAt > clock().getTime()) return JSON.parse(known.value);
  const parameters = await fetchParameters(Number(typeCode), session);
  cache.set(key, {
    value: JSON.stringify(parameters ?? []),
    expiresAt: clock().getTime() + (parameters === undefined ? keptAfterFailureMs : keptMs),
  });
  return parameters ?? [];
}

async function fetchParameters(
  typeCode: number,
  session: Session,
): Promise<readonly WorkflowParameter[] | undefined> {
  const list = await get('/api/v1.0/documenttypes', session);
  const row = documentTypes
    .safeParse(list)
    .data?.result.find((type) => type.invoiceTypeCode === typeCode);
  if (row === undefined) return undefined;
  const type = await get(`/api/v1.0/documenttypes/${row.id}`, session);
  return documentType.safeParse(type).data?.workflowParameters ?? undefined;
}

async function get(path: string, session: Session): Promise<unknown> {
  const result = await call(session, { method: 'GET', path, headers: {} });
  return result.kind === 'answer' && result.status === 200 ? result.body : undefined;
}
