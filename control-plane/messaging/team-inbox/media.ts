/** Fetches the files that people send, which networks keep for some time only. */
import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileNameOf } from '@drawbridge/messaging/inbox/file-name.ts';
import { mediaTypeOf, sniffedBytes } from '@drawbridge/messaging/inbox/media-type.ts';
import type { InboundContent, WireRequest } from '../../channels/contract.ts';
import { given } from '../../channels/reading.ts';
import type { Environment } from '../../platform/auth/principal.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { newId } from '../../platform/ids.ts';
import type { Job } from '../../platform/jobs/job.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { AppDesk, OpenedApp } from '../apps/desk.ts';
import { findApp } from '../apps/store.ts';
import type { Place } from '../contacts/store.ts';
import type { MessageHooks } from '../messages/hooks.ts';
import type { MessageRow } from '../messages/message-row.ts';
import { findMessages } from '../messages/store.ts';
import type { ProviderCalls } from '../provider-calls.ts';
import type { Fetched, Wire } from '../wire.ts';
import { insertAttachment } from './attachment-store.ts';
import type { AttachmentEdge } from './attachments.ts';
import { findContactOf } from './conversation-store.ts';
import { conversationIdOf } from './item-id.ts';
import { hasFile, noteFileFault } from './media-store.ts';
import { attachmentBytesMax } from './upload.ts';

export interface MediaEdge extends AttachmentEdge {
  readonly desk: AppDesk;
  readonly calls: ProviderCalls;
  readonly wires: Readonly<Record<Environment, Wire>>;
}

export const mediaQueue = 'inbound-file';

export interface MediaPayload {
  readonly environment: Environment;
  readonly attempts: number;
}

type Media = Extract<InboundContent, { kind: 'media' }>;
/** A network's own trouble passes; after some hours it has the file no more. */
const attemptDelaysMs = [5_000, 30_000, 300_000, 1_800_000, 7_200_000] as const;

/** Has the files of messages fetched that people send, from the transaction that takes them. */
export function mediaHooks({ jobs }: { readonly jobs: Jobs }): MessageHooks {
  return {
    received: async (tx, { tenantId, environment }, messages) => {
      const withFile = messages.filter((row) => row.content.kind === 'media' && row.contact_id);
      if (withFile.length === 0) return;
      const payload: MediaPayload = { environment, attempts: 0 };
      const wanted = withFile.map(({ id: key }) => ({ queue: mediaQueue, key, payload }));
      await jobs.enqueue(tx, tenantId, wanted);
    },
  };
}

/** Fetches the file of one message: kept once, however often the job is begun. */
export async function fetchMedia(edge: MediaEdge, job: Job<MediaPayload>): Promise<void> {
  const { db, jobs, desk } = edge;
  const place = { tenantId: job.tenantId, environment: job.payload.environment };
  const found = await db.tenant(place.tenantId, async (tx) => {
    const [row] = await findMessages(tx, place, [job.key]);
    const app = row && (await findApp(tx, place, row.app_id));
    if (app === undefined || (await hasFile(tx, place, job.key))) return undefined;
    return { row: row!, opened: desk.open(place, app) };
  });
  if (found === undefined) {
    return db.tenant(place.tenantId, (tx) => jobs.complete(tx, place.tenantId, [job]));
  }
  const folder = await mkdtemp(join(tmpdir(), 'inbound-'));
  try {
    const path = join(folder, 'file');
    const fetched = await fetchTo(path, edge, place, found.opened, found.row.content as Media);
    const fault = fetched.kind === 'failed' ? fetched : undefined;
    const mediaType = fault === undefined ? mediaTypeOf(await headOf(path)) : undefined;
    if (fetched.kind === 'fetched' && mediaType !== undefined) {
      await keep(edge, place, job, found.row, path, { ...fetched, mediaType });
    } else {
      await giveUpOrWait(edge, place, job, fault ?? unwanted);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type Fault = Pick<Extract<Fetched, { kind: 'failed' }>, 'reason' | 'retry'>;
const unwanted: Fault = { reason: 'the file is of no type that is kept', retry: 'never' };

async function fetchTo(
  path: string,
  edge: MediaEdge,
  place: Place,
  opened: OpenedApp,
  { source }: Media,
): Promise<Fetched> {
  const request = await requestOf(edge, place, opened, source);
  if ('kind' in request) return request;
  return edge.wires[place.environment].fetchTo(path, request, attachmentBytesMax);
}

async function requestOf(
  { desk, calls, clock }: MediaEdge,
  place: Place,
  opened: OpenedApp,
  source: Media['source'],
): Promise<WireRequest | Extract<Fetched, { kind: 'failed' }>> {
  const { channel, app } = opened;
  const { media } = channel;
  const failed = (reason: string, retry: Fault['retry']) =>
    ({ kind: 'failed', reason, retry }) as const;
  if (media === undefined) return failed('the provider has no call for it', 'never');
  await desk.prepare(place, opened);
  const token = await calls.token(place.environment, channel, app);
  if (token.kind !== 'token') return failed('the provider gives no token', 'later');
  const context = { now: clock(), ...given({ token: token.token }) };
  if ('url' in source) return fileRequest(source.url);
  if (media.address === undefined) return failed('the provider has no call for it', 'never');
  const request = media.address.request(source.providerId, app, context);
  const answer = await calls.exchange(place.environment, channel.id, request);
  if (answer.kind !== 'answered') return failed(answer.reason, 'later');
  const url = media.address.read(answer.response, app);
  if (url !== undefined) return fileRequest(url);
  const { status } = answer.response;
  return failed(`HTTP ${status}`, status === 429 || status >= 500 ? 'later' : 'never');

  function fileRequest(address: string) {
    if (!URL.canParse(address)) return failed('the address of the file is none', 'never');
    return media!.file(address, app, context);
  }
}

async function headOf(path: string): Promise<Uint8Array> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(sniffedBytes), 0, sniffedBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

interface Kept {
  readonly bytes: number;
  readonly sha256: string;
  readonly mediaType: string;
}

/** Puts the bytes first, under a key that follows from the message: begun again, it is the same. */
async function keep(
  { db, jobs, clock, random, objects }: MediaEdge,
  place: Place,
  job: Job,
  { id: message_id, contact_id, content }: MessageRow,
  path: string,
  { bytes, sha256, mediaType: media_type }: Kept,
): Promise<void> {
  const object_key = `inbox/${place.tenantId}/${message_id}`;
  await objects.put(object_key, { stream: createReadStream(path), bytes, sha256 });
  const created_at = clock();
  const id = newId('att', () => created_at, random);
  const { filename, type } = content as Media;
  const name = fileNameOf(filename ?? type, media_type);
  const isKept = await db.tenant(place.tenantId, async (tx) => {
    const contact = await ownerOf(tx, place, message_id);
    await jobs.complete(tx, place.tenantId, [job]);
    if (contact === undefined) return false;
    await insertAttachment(tx, place, {
      ...{ id, conversation_id: conversationIdOf(contact), name, media_type, bytes, sha256 },
      ...{ object_key, author: contact_id ?? contact, message_id, created_at },
    });
    return true;
  });
  if (!isKept) await objects.remove(object_key);
}

/** Whose message it is now; undefined when the person's conversation is gone. */
async function ownerOf(tx: Tx, place: Place, messageId: string): Promise<string | undefined> {
  const [row] = await findMessages(tx, place, [messageId]);
  return row?.contact_id == null
    ? undefined
    : findContactOf(tx, place, conversationIdOf(row.contact_id));
}

async function giveUpOrWait(
  { db, jobs, clock }: MediaEdge,
  place: Place,
  job: Job<MediaPayload>,
  { reason, retry }: Fault,
): Promise<void> {
  const { attempts } = job.payload;
  const delayMs = retry === 'never' ? undefined : attemptDelaysMs[attempts];
  await db.tenant(place.tenantId, async (tx) => {
    if (delayMs === undefined) {
      await noteFileFault(tx, place, job.key, reason);
      return jobs.complete(tx, place.tenantId, [job]);
    }
    const runAt = new Date(clock().getTime() + delayMs);
    const payload = { ...job.payload, attempts: attempts + 1 };
    return jobs.reschedule(tx, place.tenantId, [{ job, runAt, payload, error: reason }]);
  });
}
