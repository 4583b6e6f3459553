import type { SourceDocument } from '@drawbridge/records/document.ts';
import { parseJsonText } from '@drawbridge/records/json.ts';
import type { ReadOutcome, Unreachable } from '../contract.ts';
import { pickDocuments } from '../file-content/documents.ts';
import type { DetailsAnswer, RawAnswer } from './answers.ts';
import type { MyInvoisApi } from './api.ts';
import { xmlOfUblJson } from './ubl-json.ts';

/** Reads a received document, with what MyInvois says of it in its header. */
export async function readReceived(
  api: MyInvoisApi,
  uuid: string,
  signal: AbortSignal,
): Promise<ReadOutcome> {
  const outcome = await api.raw(uuid, signal);
  if (outcome.kind === 'cancelled') {
    const document = { ref: uuid, sections: {} };
    return { kind: 'found', document: withHeader(document, uuid, factsOf(outcome.details)) };
  }
  if (outcome.kind !== 'raw') return outcome;
  const { raw } = outcome;
  const read = await contentOf(raw, signal);
  if (read.kind !== 'found') return read;
  const until = await rejectableUntil(api, raw, read.document, signal);
  if (typeof until === 'object') return until;
  const facts = { ...factsOf(raw), rejectable_until: until ?? null };
  return { kind: 'found', document: withHeader(read.document, uuid, facts) };
}

function factsOf(details: DetailsAnswer) {
  return {
    uuid: details.uuid,
    long_id: details.longId || null,
    submission_uid: details.submissionUid ?? details.submissionUID ?? null,
    myinvois_status: details.status,
    validated_at: details.dateTimeValidated ?? null,
    cancelled_at: details.cancelDateTime ?? null,
    status_reason: details.documentStatusReason ?? null,
  };
}

/** The document in it: XML, UBL in JSON, which is written as XML, or any other JSON. */
async function contentOf({ document }: RawAnswer, signal: AbortSignal): Promise<ReadOutcome> {
  const isXml = document.trimStart().startsWith('<');
  const parsed = isXml ? undefined : parseJsonText(document);
  const xml = isXml ? document : parsed?.kind === 'parsed' ? xmlOfUblJson(parsed.value) : undefined;
  const bytes = Buffer.from(xml ?? document);
  const name = xml === undefined ? 'document.json' : 'document.xml';
  const file = { name, size: bytes.length, chunks: () => [bytes] };
  const pick = await pickDocuments(file, { headerLine: 1 }, [{ name }], signal);
  return pick({ name });
}

async function rejectableUntil(
  api: MyInvoisApi,
  { typeName, dateTimeValidated }: RawAnswer,
  { sections }: SourceDocument,
  signal: AbortSignal,
): Promise<string | undefined | Unreachable> {
  if (!typeName || !dateTimeValidated) return undefined;
  const code = sections.header?.[0]?.values.InvoiceTypeCode ?? undefined;
  const validatedAt = new Date(dateTimeValidated);
  const hours = await api.rejectionHours({ code, name: typeName }, validatedAt, signal);
  if (typeof hours !== 'number') return hours;
  return new Date(validatedAt.getTime() + hours * 3_600_000).toISOString();
}

function withHeader(
  document: SourceDocument,
  ref: string,
  facts: Readonly<Record<string, string | null>>,
): SourceDocument {
  const [header, ...rest] = document.sections.header ?? [];
  const row = header ?? { origin: 'MyInvois', key: '1', values: {} };
  const values = { ...row.values, ...facts };
  const sections = { ...document.sections, header: [{ ...row, values }, ...rest] };
  return { ...document, ref, sections };
}
