import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Db } from '../../platform/db/database.ts';
import type { Objects } from '../../platform/objects/objects.ts';
import { findContent, type Stage } from '../invoices/store.ts';
import { readObjectKeys } from './store.ts';

/** What reading needs. */
export interface StoredDocumentsContext {
  readonly db: Db;
  readonly objects: Objects;
}

/**
 * The bytes of one stage, or the model as JSON, wherever they are; without a stage those of the last.
 * Undefined when the invoice does not have it. Throws when the object store lacks what it should have.
 */
export async function readDocument(
  { db, objects }: StoredDocumentsContext,
  tenantId: string,
  invoiceId: string,
  stage: Stage | undefined,
): Promise<string | Readable | undefined> {
  const { content, keys } = await db.tenant(tenantId, async (tx) => ({
    content: await findContent(tx, tenantId, invoiceId, stage),
    keys: await readObjectKeys(tx, tenantId, invoiceId),
  }));
  if (content !== undefined || stage === 'cim') return content;
  const key = stage === undefined ? (keys.get('final') ?? keys.get('document')) : keys.get(stage);
  if (key === undefined) return undefined;
  const found = await objects.get(key);
  if (found === undefined) throw new Error(`the object store at ${objects.place} lacks ${key}`);
  // What fails on the way ends the answer, as it does for every stream.
  return pipeline(found.stream, createGunzip(), () => {});
}
