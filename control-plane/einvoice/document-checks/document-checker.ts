/**
 * Checks documents: small ones at once, and large ones on threads, so that no document holds the
 * thread which serves for longer than some milliseconds. Either way the same functions judge.
 */
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { CimObject } from '@drawbridge/cim/json.ts';
import { type BatchedDocument, unpackDocuments } from '@drawbridge/link/documents.ts';
import type { Method, Result } from '@drawbridge/link/methods.ts';
import { infer } from '@drawbridge/mapping/infer.ts';
import type { Mapping } from '@drawbridge/mapping/mapping.ts';
import type { Clearance, Profile } from '@drawbridge/profiles/contract.ts';
import type { SourceDocument } from '@drawbridge/records/document.ts';
import {
  type Examination,
  type ExaminationInput,
  examineDocument,
} from '@drawbridge/validation/preview/examine.ts';
import {
  type DocumentIdentity,
  decideVerdict,
  identify,
  type Verdict,
  type VerdictInput,
} from '@drawbridge/validation/source/verdict.ts';
import type { Validator } from '@drawbridge/validation/validate.ts';
import { type CallOutcome, faultOutcome, outcomeOf } from '../../agents/agent-call.ts';
import type {
  ThreadOutcome,
  ThreadPool,
  ThreadTask,
} from '../../platform/concurrency/thread-pool.ts';
import { JsonBytes } from '../../platform/db/insert.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { type MappingSample, sampleFrom } from '../connectors/mapping-sample.ts';
import { type FinalDocument, finalDocumentOf } from '../pipeline/submission/final-document.ts';
import { type ReceivedReading, readReceived } from '../received/reading.ts';
import { verdictReport } from '../validate/report.ts';
import { whole } from './large-outcomes.ts';
import { piecesOf, type SourcePieces } from './source-pieces.ts';
import { sizeOf } from './source-size.ts';
import type {
  BodyAnswer,
  DocumentTask,
  MappingAnswer,
  ProposalInput,
  Refused,
  TaskResults,
} from './tasks.ts';

/** The program of the threads. */
export const documentThread = new URL('./thread.ts', import.meta.url);

/** Bytes of a document as its source gives it: of that size, checking takes about 10 ms. */
const smallBytesMax = 48_000;
/** Columns of a source from which a mapping is proposed in some ten milliseconds. */
const fewColumns = 100;
/** Bytes of a batch as it is compressed: unpacked it may have a hundred times as many. */
const smallBatchBytesMax = 4_000;
/** A document as XML is about that much longer, with all its tags. */
const smallXmlLengthMax = smallBytesMax * 4;

/** A verdict on a small document, or on a large one with what is only stored of it as bytes. */
export type StoredVerdict = Verdict | LargeVerdict;
type LargeVerdict = Verdict<JsonBytes, Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>;

export class DocumentChecker {
  readonly #validator: Validator;
  readonly #threads: ThreadPool;

  constructor(validator: Validator, threads: ThreadPool) {
    this.#validator = validator;
    this.#threads = threads;
  }

  /** What becomes of a body of `POST /v1/validate`, which is of no use to the caller afterwards. */
  async report(
    tenantId: string,
    body: Uint8Array<ArrayBuffer>,
  ): Promise<ThreadOutcome<Exclude<BodyAnswer, Refused>>> {
    return unlessRefused(await this.#run('report', tenantId, bodyTask('report', body)));
  }

  /** A body of `PUT …/mapping`, parsed; the body is of no use to the caller afterwards. */
  async mapping(
    tenantId: string,
    body: Uint8Array<ArrayBuffer>,
  ): Promise<ThreadOutcome<Exclude<MappingAnswer, Refused>>> {
    return unlessRefused(await this.#run('mapping', tenantId, bodyTask('mapping', body)));
  }

  /** The verdict on a document of a source. */
  async verdict(
    tenantId: string,
    input: Omit<VerdictInput, 'validator'>,
  ): Promise<ThreadOutcome<StoredVerdict>> {
    if (sizeOf(input.source) <= smallBytesMax) {
      return { kind: 'done', result: decideVerdict({ ...input, validator: this.#validator }) };
    }
    const outcome = await this.#run('verdict', tenantId, verdictTask('verdict', input));
    if (outcome.kind !== 'done') return outcome;
    const { cim, ...verdict } = outcome.result;
    const model = cim === undefined ? undefined : new JsonBytes(cim);
    return { kind: 'done', result: { ...verdict, cim: model } as LargeVerdict };
  }

  /** What makes a document of a source known. */
  async identity(
    tenantId: string,
    input: Omit<VerdictInput, 'validator'>,
  ): Promise<ThreadOutcome<DocumentIdentity>> {
    if (sizeOf(input.source) <= smallBytesMax) return { kind: 'done', result: identify(input) };
    const outcome = await this.verdict(tenantId, input);
    return outcome.kind === 'done' ? { kind: 'done', result: outcome.result.identity } : outcome;
  }

  /** The same verdict as the body of an answer. */
  async sourceReport(
    tenantId: string,
    input: Omit<VerdictInput, 'validator'>,
  ): Promise<ThreadOutcome<ReturnType<typeof verdictReport> | Uint8Array<ArrayBuffer>>> {
    if (sizeOf(input.source) <= smallBytesMax) {
      const verdict = decideVerdict({ ...input, validator: this.#validator });
      return { kind: 'done', result: verdictReport(input.profile, verdict) };
    }
    const task = verdictTask('source-report', input);
    const outcome = await this.#run('source-report', tenantId, task);
    return outcome.kind === 'done' ? { kind: 'done', result: outcome.result.json } : outcome;
  }

  /** A cleared document with its identifier; the model is JSON. */
  async final(
    tenantId: string,
    profile: Profile,
    model: string,
    clearance: Clearance,
  ): Promise<ThreadOutcome<FinalDocument>> {
    if (model.length <= smallBytesMax) {
      const cim = JSON.parse(model) as CimObject;
      const result = finalDocumentOf(this.#validator, profile, cim, clearance);
      return { kind: 'done', result };
    }
    const prepare = async () =>
      prepared({ kind: 'final', profile: profile.id, cim: model, clearance });
    return this.#run('final', tenantId, { bytes: model.length, prepare, isDue: true });
  }

  /** What a document that came in says, and the verdict on it. */
  async received(tenantId: string, xml: string): Promise<ThreadOutcome<ReceivedReading>> {
    if (xml.length <= smallXmlLengthMax) {
      return { kind: 'done', result: readReceived(this.#validator, xml) };
    }
    const prepare = async () => prepared({ kind: 'received', xml });
    return this.#run('received', tenantId, { bytes: xml.length, prepare });
  }

  /** The mapping that columns and documents of a source suggest. */
  async proposal(tenantId: string, input: ProposalInput): Promise<ThreadOutcome<Mapping>> {
    const { columns, joins, documents } = input;
    const sizes = documents.map(sizeOf).reduce((sum, size) => sum + size, 0);
    if (sizes <= smallBytesMax && columns.length <= fewColumns) {
      return { kind: 'done', result: infer(columns, input.profile, { documents, joins }) };
    }
    const prepare = async () => {
      const sources: SourcePieces[] = [];
      for (const document of documents) sources.push(await piecesOf(document));
      const task = {
        kind: 'proposal',
        profile: input.profile.id,
        columns,
        joins,
        sources,
      } as const;
      return prepared(task, sources.flatMap(buffersOf));
    };
    return this.#run('proposal', tenantId, { bytes: sizes, prepare });
  }

  /** What a document of a source gives for a mapping. */
  async sample(
    tenantId: string,
    source: SourceDocument,
    mapping: Mapping,
  ): Promise<ThreadOutcome<MappingSample>> {
    const bytes = sizeOf(source);
    if (bytes <= smallBytesMax) return { kind: 'done', result: sampleFrom(source, mapping) };
    const prepare = async () => {
      const pieces = await piecesOf(source);
      return prepared({ kind: 'sample', source: pieces, mapping }, buffersOf(pieces));
    };
    return this.#run('sample', tenantId, { bytes, prepare });
  }

  /** What a document of a source would come to, were its mapping approved. */
  async examine(
    tenantId: string,
    input: Omit<ExaminationInput, 'validator'>,
  ): Promise<ThreadOutcome<Examination>> {
    const bytes = sizeOf(input.source);
    if (bytes <= smallBytesMax) {
      return { kind: 'done', result: examineDocument({ ...input, validator: this.#validator }) };
    }
    const prepare = async () => {
      const source = await piecesOf(input.source);
      const profile = input.profile.id;
      return prepared({ ...input, kind: 'examination', profile, source }, buffersOf(source));
    };
    return this.#run('examination', tenantId, { bytes, prepare });
  }

  /** The outcome in the text of an agent's answer. */
  async answer(tenantId: string, method: Method, text: string): Promise<CallOutcome> {
    if (text.length <= smallBytesMax) return outcomeOf(method, text);
    const prepare = async () => prepared({ kind: 'answer', method, text });
    const read = await this.#run('answer', tenantId, { bytes: text.length, prepare, isDue: true });
    if (read.kind !== 'done') {
      return faultOutcome('result_too_large', 'The agent’s answer took too much to read.', 'never');
    }
    if (read.result.kind !== 'answered') return read.result;
    return { kind: 'answered', result: (await whole(read.result.result)) as Result<Method> };
  }

  /** The documents of a batch; undefined when they do not read. */
  async batch(
    tenantId: string,
    content: Uint8Array,
  ): Promise<readonly BatchedDocument[] | undefined> {
    if (content.length <= smallBatchBytesMax) return unpackDocuments(content);
    const prepare = async () => prepared({ kind: 'batch', content });
    const read = await this.#run('batch', tenantId, {
      bytes: content.length,
      prepare,
      isDue: true,
    });
    if (read.kind !== 'done' || read.result.portions === undefined) return undefined;
    const documents: BatchedDocument[] = [];
    const decoder = new TextDecoder();
    for (const portion of read.result.portions) {
      for (const each of JSON.parse(decoder.decode(portion))) documents.push(each);
      await yieldToOthers();
    }
    return documents;
  }

  #run<Kind extends DocumentTask['kind']>(
    _kind: Kind,
    tenantId: string,
    task: ThreadTask,
  ): Promise<ThreadOutcome<TaskResults[Kind]>> {
    return this.#threads.run(tenantId, task);
  }
}

function verdictTask(
  kind: 'verdict' | 'source-report',
  { source, profile, ...rest }: Omit<VerdictInput, 'validator'>,
): ThreadTask {
  return {
    bytes: sizeOf(source),
    prepare: async () => {
      const pieces = await piecesOf(source);
      return prepared({ ...rest, kind, profile: profile.id, source: pieces }, buffersOf(pieces));
    },
  };
}

function bodyTask(kind: 'report' | 'mapping', body: Uint8Array<ArrayBuffer>): ThreadTask {
  // A view of a larger buffer would take that with it.
  const own = body.length === body.buffer.byteLength ? body : new Uint8Array(body);
  return { bytes: body.length, prepare: async () => prepared({ kind, body: own }, [own.buffer]) };
}

/** What is wrong with a body is thrown here, as its route would throw it. */
function unlessRefused<Answer extends { readonly kind: string }>(
  outcome: ThreadOutcome<Answer>,
): ThreadOutcome<Exclude<Answer, Refused>> {
  if (outcome.kind !== 'done') return outcome;
  const result: Answer | Refused = outcome.result;
  if (!isRefused(result)) return { kind: 'done', result: result as Exclude<Answer, Refused> };
  const { code, status, detail, extra } = result.error;
  throw new ApiError(code, status, detail, extra);
}

function isRefused(result: { readonly kind: string }): result is Refused {
  return result.kind === 'refused';
}

function prepared(task: DocumentTask, transfer: readonly ArrayBuffer[] = []) {
  return { task, transfer };
}

function buffersOf({ pieces }: SourcePieces): ArrayBuffer[] {
  return pieces.map(({ buffer }) => buffer);
}
