import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { z } from 'zod';
import { limits } from './limits.ts';
import { connectorName, ref } from './methods.ts';
import { readSourceDocument, type SourceDocument } from './source-document.ts';

/** A place in the changes of a source, as its connector writes it. */
const cursor = z.string().max(4_096);
const queue = z.string().min(1).max(64);

/**
 * Documents of a watched connector as the agent read them, in the order of their changes. It is the same
 * message whatever carries it.
 */
export const documentsRead = z.object({
  connector: connectorName,
  /** Names the agent's queue; another one counts anew. */
  queue,
  /** Counts the batches of this connector in that queue, from 1. */
  sequence: z.int().min(1),
  /** From where the source is read on after this batch. */
  cursor,
  refs: z.array(ref).min(1).max(limits.pageRefsMax),
  /** What `packDocuments` made of the documents, base64; what is none does not unpack. */
  content: z.string().max(Math.ceil(limits.batchBytesMax / 3) * 4),
});

/** The message as it is sent. */
export type DocumentsRead = z.infer<typeof documentsRead>;

/** How far the control plane has stored what an agent read of a connector. */
export const confirmedSource = z.object({
  connector: connectorName,
  queue,
  sequence: z.int().min(1),
  cursor,
});

/** The last batch of a connector that the control plane has stored. */
export type ConfirmedSource = z.infer<typeof confirmedSource>;

/** What a comparison of a whole source with what the agent has seen of it came to. */
export const sourceReconciled = z.object({
  connector: connectorName,
  /** UTC instant, ISO 8601. */
  at: z.iso.datetime(),
  /** Documents that the source has. */
  documents: z.int().min(0),
  /** Behind the cursor and never seen: committed late, or written by a clock that was set back. */
  late: z.int().min(0),
  /** Changed without moving past the cursor. */
  edited: z.int().min(0),
  /** Seen once, and not in the source any more. */
  deleted: z.int().min(0),
  /** The first of them. */
  examples: z
    .array(z.object({ kind: z.enum(['late', 'edited', 'deleted']), ref }))
    .max(limits.examplesMax),
});

/** The message as it is sent. */
export type SourceReconciled = z.infer<typeof sourceReconciled>;

/** A document of a batch; null where it must be asked for, because it is too large or cannot be used. */
export type BatchedDocument = SourceDocument | null;

/** The content of a batch, compressed, of its documents as JSON text. */
export function packDocuments(documents: readonly (string | null)[]): Buffer {
  return deflateRawSync(`[${documents.map((text) => text ?? 'null').join(',')}]`, { level: 1 });
}

/** The documents of a batch, in its order; undefined when they do not read, or are over the limit. */
export function unpackDocuments(content: Uint8Array): readonly BatchedDocument[] | undefined {
  try {
    const text = inflateRawSync(content, { maxOutputLength: limits.batchTextBytesMax });
    const values: unknown = JSON.parse(text.toString('utf8'));
    if (!Array.isArray(values) || values.length > limits.pageRefsMax) return undefined;
    const documents = values.map((value) => (value === null ? null : readSourceDocument(value)));
    return documents.includes(undefined) ? undefined : (documents as BatchedDocument[]);
  } catch {
    return undefined; // too large, no JSON, or not compressed as we do it
  }
}
