/** What threads do with large documents: the same functions that judge small ones. Pure. */
import { gzipSync } from 'node:zlib';
import type { CimObject } from '@drawbridge/cim/json.ts';
import type { DescribeOutcome } from '@drawbridge/connectors/contract.ts';
import { type BatchedDocument, unpackDocuments } from '@drawbridge/link/documents.ts';
import type { Method, Result } from '@drawbridge/link/methods.ts';
import { infer } from '@drawbridge/mapping/infer.ts';
import type { Mapping } from '@drawbridge/mapping/mapping.ts';
import type { Company } from '@drawbridge/profiles/company.ts';
import type { Clearance, Profile } from '@drawbridge/profiles/contract.ts';
import { profileById } from '@drawbridge/profiles/registry.ts';
import type { SourceDocument } from '@drawbridge/records/document.ts';
import {
  type Examination,
  type ExaminationInput,
  examineDocument,
} from '@drawbridge/validation/preview/examine.ts';
import type { ClearedInvoice } from '@drawbridge/validation/source/corrected-invoices.ts';
import { decideVerdict, type Verdict } from '@drawbridge/validation/source/verdict.ts';
import type { Validator } from '@drawbridge/validation/validate.ts';
import type { z } from 'zod';
import { type CallOutcome, outcomeOf } from '../../agents/agent-call.ts';
import { portions } from '../../platform/concurrency/portions.ts';
import { ApiError, type ErrorExtra } from '../../platform/http/errors.ts';
import { invalidRequest } from '../../platform/http/input.ts';
import { parseJson } from '../../platform/http/json-body.ts';
import { type MappingSample, sampleFrom } from '../connectors/mapping-sample.ts';
import { type MappingRequest, mappingRequest } from '../connectors/mapping-schema.ts';
import { type FinalDocument, finalDocumentOf } from '../pipeline/submission/final-document.ts';
import { type ReceivedReading, readReceived } from '../received/reading.ts';
import { reportOf, type ValidationRequest, verdictReport } from '../validate/report.ts';
import { validationRequest } from '../validate/schema.ts';
import { inPieces } from './large-outcomes.ts';
import { documentOf, type SourcePieces } from './source-pieces.ts';
import { sizeOf } from './source-size.ts';

export type DocumentTask =
  | { readonly kind: 'report'; readonly body: Uint8Array }
  | { readonly kind: 'mapping'; readonly body: Uint8Array }
  | {
      /** With `source-report` the answer to whoever asks for the verdict, as JSON. */
      readonly kind: 'verdict' | 'source-report';
      readonly source: SourcePieces;
      readonly profile: string;
      readonly mapping: Mapping | undefined;
      readonly company?: Company | undefined;
      readonly cleared?: readonly ClearedInvoice[] | undefined;
      readonly connectorId: string;
      readonly now: Date;
    }
  | {
      readonly kind: 'final';
      readonly profile: string;
      /** JSON of the model. */
      readonly cim: string;
      readonly clearance: Clearance;
    }
  | { readonly kind: 'received'; readonly xml: string }
  | { readonly kind: 'answer'; readonly method: Method; readonly text: string }
  | { readonly kind: 'batch'; readonly content: Uint8Array }
  | (Omit<ProposalInput, 'profile' | 'documents'> & {
      readonly kind: 'proposal';
      readonly profile: string;
      readonly sources: readonly SourcePieces[];
    })
  | { readonly kind: 'sample'; readonly source: SourcePieces; readonly mapping: Mapping }
  | (Omit<ExaminationInput, 'validator' | 'profile' | 'source'> & {
      readonly kind: 'examination';
      readonly source: SourcePieces;
      readonly profile: string;
    });

/** What a mapping is proposed from. */
export interface ProposalInput {
  readonly profile: Profile;
  readonly columns: Described['columns'];
  readonly joins: Described['joins'];
  readonly documents: readonly SourceDocument[];
}

type Described = Extract<DescribeOutcome, { readonly kind: 'described' }>;

/** What becomes of a body of `POST /v1/validate`; plain, to be copied between threads. */
export type BodyAnswer =
  | { readonly kind: 'report'; readonly json: Uint8Array<ArrayBuffer> }
  | Refused
  /** It holds no document, but says where one is. */
  | { readonly kind: 'source'; readonly request: ValidationRequest };

/** What a caller is told whose body cannot be used. */
export interface Refused {
  readonly kind: 'refused';
  readonly error: PlainError;
}

interface PlainError {
  readonly code: string;
  readonly status: number;
  readonly detail: string;
  readonly extra: ErrorExtra;
}

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * A verdict whose large parts are bytes, which are only stored: the model as JSON, where its values
 * came from as JSON under gzip, documents as XML.
 */
type WrittenVerdict = Verdict<Bytes | undefined, Bytes, Bytes>;

/** What becomes of a body of `PUT …/mapping`. */
export type MappingAnswer =
  | { readonly kind: 'mapping'; readonly request: MappingRequest }
  | Refused;

export interface TaskResults {
  readonly report: BodyAnswer;
  readonly mapping: MappingAnswer;
  readonly verdict: WrittenVerdict;
  readonly 'source-report': { readonly json: Bytes };
  readonly final: FinalDocument;
  readonly received: ReceivedReading;
  readonly proposal: Mapping;
  readonly sample: MappingSample;
  readonly examination: Examination;
  /** With its documents in pieces. */
  readonly answer: CallOutcome;
  /** Documents of a batch, some together as JSON; undefined when they do not read. */
  readonly batch: { readonly portions: readonly Bytes[] | undefined };
}

/** Does one task. */
export function perform(
  validator: Validator,
  task: DocumentTask,
): TaskResults[DocumentTask['kind']] | Promise<CallOutcome> {
  switch (task.kind) {
    case 'report':
      return orRefused(() => answerTo(validator, task.body));
    case 'mapping':
      return orRefused(() => {
        return { kind: 'mapping', request: parsed(mappingRequest, task.body) } as const;
      });
    case 'verdict':
      return written(verdictOf(validator, task));
    case 'source-report': {
      const report = verdictReport(profileById(task.profile)!, verdictOf(validator, task));
      return { json: new TextEncoder().encode(JSON.stringify(report)) };
    }
    case 'final': {
      const cim = JSON.parse(task.cim) as CimObject;
      return finalDocumentOf(validator, profileById(task.profile)!, cim, task.clearance);
    }
    case 'received':
      return readReceived(validator, task.xml);
    case 'proposal': {
      const { columns, joins, sources } = task;
      const documents = sources.map(documentOf);
      return infer(columns, profileById(task.profile)!, { documents, joins });
    }
    case 'sample':
      return sampleFrom(documentOf(task.source), task.mapping);
    case 'examination': {
      const profile = profileById(task.profile)!;
      return examineDocument({ ...task, validator, profile, source: documentOf(task.source) });
    }
    case 'answer':
      return answerOf(task.method, task.text);
    case 'batch':
      return { portions: portionsOf(unpackDocuments(task.content)) };
  }
}

async function answerOf(method: Method, text: string): Promise<CallOutcome> {
  const outcome = outcomeOf(method, text);
  if (outcome.kind !== 'answered') return outcome;
  return { kind: 'answered', result: (await inPieces(outcome.result)) as Result<Method> };
}

/** Characters of documents that are parsed between two requests. */
const portionLengthMax = 262_144;

function portionsOf(documents: readonly BatchedDocument[] | undefined): Bytes[] | undefined {
  if (documents === undefined) return undefined;
  const encoder = new TextEncoder();
  const length = (document: BatchedDocument) => (document === null ? 0 : sizeOf(document));
  const all = [...portions(documents, length, portionLengthMax)];
  return all.map((portion) => encoder.encode(JSON.stringify(portion)));
}

function verdictOf(
  validator: Validator,
  {
    source,
    profile,
    ...rest
  }: Extract<DocumentTask, { readonly kind: 'verdict' | 'source-report' }>,
): Verdict {
  return decideVerdict({
    ...rest,
    validator,
    source: documentOf(source),
    profile: profileById(profile)!,
  });
}

function answerTo(validator: Validator, bytes: Uint8Array): BodyAnswer {
  const request = parsed(validationRequest, bytes);
  if (request.connector_id !== undefined) return { kind: 'source', request };
  const json = new TextEncoder().encode(JSON.stringify(reportOf(validator, request)));
  return { kind: 'report', json };
}

function parsed<Schema extends z.ZodType>(schema: Schema, bytes: Uint8Array): z.output<Schema> {
  const { data, error } = schema.safeParse(parseJson(bytes));
  if (error !== undefined) throw invalidRequest(error.issues);
  return data as z.output<Schema>;
}

/** An error for the caller goes over as plain values. */
function orRefused<Answer>(work: () => Answer): Answer | Refused {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { code, status, message: detail, extra } = error;
    return { kind: 'refused', error: { code, status, detail, extra } };
  }
}

/** A tenth of the time of the usual level, for a result that is a third longer. */
const compression = { level: 1 };

function written(verdict: Verdict): WrittenVerdict {
  const { cim, provenance, document, clearance } = { clearance: undefined, ...verdict };
  const encoder = new TextEncoder();
  const encoded = (text: string | undefined) =>
    text === undefined ? undefined : encoder.encode(text);
  return {
    ...verdict,
    cim: encoded(JSON.stringify(cim)),
    provenance:
      provenance === undefined
        ? undefined
        : new Uint8Array(gzipSync(JSON.stringify(provenance), compression)),
    document: encoded(document),
    clearance: encoded(clearance),
  } as WrittenVerdict;
}
