/** Fetches the files that people send, because networks keep them for a limited time only. */
import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileNameOf } from '@drawbridge/messaging/inbox/file-name.ts';
import type { InboundContent, WireRequest } from '../../../channels/contract.ts';
import { given } from '../../../channels/untrusted-input.ts';
import type { Environment } from '../../../platform/auth/principal.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { newId } from '../../../platform/ids.ts';
import type { Job } from '../../../platform/jobs/job.ts';
import type { Jobs } from '../../../platform/jobs/jobs.ts';
import type { Download } from '../../../platform/outbound/download.ts';
import type { AppOpener, OpenedApp } from '../../apps/app-opener.ts';
import { findApp } from '../../apps/store.ts';
import { type FetchFault, mediaTypeOfFile, retryFetch } from '../../fetched-file.ts';
import type { MessageHooks } from '../../messages/hooks.ts';
import type { MessageRow } from '../../messages/message-row.ts';
import { findMessages } from '../../messages/store.ts';
import type { ProviderCalls } from '../../provider-calls.ts';
import type { Wire } from '../../wire.ts';
import { findContactOf } from '../conversations/store.ts';
import { conversationIdOf } from '../item-id.ts';
import { hasFile, saveFileProblem } from './inbound-media-store.ts';
import type { AttachmentContext } from './routes.ts';
import { insertAttachment } from './store.ts';
import { attachmentBytesMax } from './upload.ts';

export interface InboundMediaContext extends AttachmentContext {
  readonly appOpener: AppOpener;
  readonly calls: ProviderCalls;
  readonly wires: Readonly<Record<Environment, Wire>>;
}

export const inboundMediaQueue = 'inbound-file';

export interface InboundMediaPayload {
  readonly environment: Environment;
  readonly attempts: number;
}

type Media = Extract<InboundContent, { kind: 'media' }>;

/** Queues a job for each inbound file, in the transaction that stores its message. */
export function inboundMediaHooks({ jobs }: { readonly jobs: Jobs }): MessageHooks {
  return {
    received: async (tx, { tenantId, environment }, messages) => {
      const withFile = messages.filter((row) => row.content.kind === 'media' && row.contact_id);
      if (withFile.length === 0) return;
      const payload: InboundMediaPayload = { environment, attempts: 0 };
      const wanted = withFile.map(({ id: key }) => ({ queue: inboundMediaQueue, key, payload }));
      await jobs.enqueue(tx, tenantId, wanted);
    },
  };
}

/** Fetches the file of one message; stores it once, however often the job runs. */
export async function fetchInboundMedia(
  context: InboundMediaContext,
  job: Job<InboundMediaPayload>,
): Promise<void> {
  const { db, jobs, appOpener } = context;
  const scope = { tenantId: job.tenantId, environment: job.payload.environment };
  const found = await db.tenant(scope.tenantId, async (tx) => {
    const [row] = await findMessages(tx, scope, [job.key]);
    const app = row && (await findApp(tx, scope, row.app_id));
    if (app === undefined || (await hasFile(tx, scope, job.key))) return undefined;
    return { row: row!, opened: appOpener.open(scope, app) };
  });
  if (found === undefined) {
    return db.tenant(scope.tenantId, (tx) => jobs.complete(tx, scope.tenantId, [job]));
  }
  const folder = await mkdtemp(join(tmpdir(), 'inbound-'));
  try {
    const path = join(folder, 'file');
    const fetched = await fetchTo(path, context, scope, found.opened, found.row.content as Media);
    const fault = fetched.kind === 'failed' ? fetched : undefined;
    const mediaType = fault === undefined ? await mediaTypeOfFile(path) : undefined;
    if (fetched.kind === 'fetched' && mediaType !== undefined) {
      await keep(context, scope, job, found.row, { ...fetched, path, mediaType });
    } else {
      await db.tenant(scope.tenantId, (tx) => {
        const { reason, retry } = fault ?? unwanted;
        const save = () => saveFileProblem(tx, scope, job.key, reason);
        return retryFetch(tx, context, job, { reason, retry }, save);
      });
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const unwanted: FetchFault = { reason: 'files of this type are not accepted', retry: 'never' };

async function fetchTo(
  path: string,
  context: InboundMediaContext,
  scope: TenantScope,
  opened: OpenedApp,
  { source }: Media,
): Promise<Download> {
  const request = await requestOf(context, scope, opened, source);
  if ('kind' in request) return request;
  return context.wires[scope.environment].fetchTo(path, request, attachmentBytesMax);
}

async function requestOf(
  { appOpener, calls, clock }: InboundMediaContext,
  scope: TenantScope,
  opened: OpenedApp,
  source: Media['source'],
): Promise<WireRequest | Extract<Download, { kind: 'failed' }>> {
  const { channel, app } = opened;
  const { media } = channel;
  const failed = (reason: string, retry: FetchFault['retry']) =>
    ({ kind: 'failed', reason, retry }) as const;
  if (media === undefined) return failed('the provider has no call for files', 'never');
  await appOpener.prepare(scope, opened);
  const token = await calls.token(scope.environment, channel, app);
  if (token.kind !== 'token') return failed('the provider gives no token', 'later');
  const context = { now: clock(), ...given({ token: token.token }) };
  if ('url' in source) return fileRequest(source.url);
  if (media.address === undefined) return failed('the provider has no call for files', 'never');
  const request = media.address.request(source.providerId, app, context);
  const answer = await calls.exchange(scope.environment, channel.id, request);
  if (answer.kind !== 'answered') return failed(answer.reason, 'later');
  const url = media.address.read(answer.response, app);
  if (url !== undefined) return fileRequest(url);
  const { status } = answer.response;
  return failed(`HTTP ${status}`, status === 429 || status >= 500 ? 'later' : 'never');

  function fileRequest(address: string) {
    if (!URL.canParse(address)) return failed('the address of the file is not valid', 'never');
    return media!.file(address, app, context);
  }
}

interface Kept {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly mediaType: string;
}

/**
 * Stores the bytes before the row, under a key that contains the message id, so a retry overwrites
 * them.
 */
async function keep(
  { db, jobs, clock, random, objects }: InboundMediaContext,
  scope: TenantScope,
  job: Job,
  { id: message_id, contact_id, content }: MessageRow,
  { path, bytes, sha256, mediaType: media_type }: Kept,
): Promise<void> {
  const object_key = `inbox/${scope.tenantId}/${message_id}`;
  await objects.put(object_key, { stream: createReadStream(path), bytes, sha256 });
  const created_at = clock();
  const id = newId('att', () => created_at, random);
  const { filename, type } = content as Media;
  const name = fileNameOf(filename ?? type, media_type);
  const isKept = await db.tenant(scope.tenantId, async (tx) => {
    const contact = await findContactOfMessage(tx, scope, message_id);
    await jobs.complete(tx, scope.tenantId, [job]);
    if (contact === undefined) return false;
    await insertAttachment(tx, scope, {
      id,
      conversation_id: conversationIdOf(contact),
      name,
      media_type,
      bytes,
      sha256,
      object_key,
      author: contact_id ?? contact,
      message_id,
      created_at,
    });
    return true;
  });
  if (!isKept) await objects.remove(object_key);
}

/** The present contact of the message; undefined when the conversation was deleted. */
async function findContactOfMessage(
  tx: Tx,
  scope: TenantScope,
  messageId: string,
): Promise<string | undefined> {
  const [row] = await findMessages(tx, scope, [messageId]);
  return row?.contact_id == null
    ? undefined
    : findContactOf(tx, scope, conversationIdOf(row.contact_id));
}
