/**
 * The team inbox: `const inbox = await openInbox(platform, { objects, queue })`. Its hooks go to
 * whoever writes messages and calls, its routes to the service.
 */
import type { Platform } from '../../module.ts';
import type { AnyRoute } from '../../platform/http/route.ts';
import type { Job } from '../../platform/jobs/job.ts';
import type { Objects } from '../../platform/objects/objects.ts';
import type { ContactHooks } from '../contacts/hooks.ts';
import type { MessageHooks } from '../messages/hooks.ts';
import type { QueueEdge } from '../messages/queue.ts';
import type { ProviderCalls } from '../provider-calls.ts';
import type { MemberHooks } from '../tenants/hooks.ts';
import { type AttachmentEdge, attachmentRoutes, sweepOrphans } from './attachments.ts';
import { conversationRoutes } from './conversations.ts';
import { courseRoutes } from './course.ts';
import { type WakePayload, wakeConversation, wakeQueue } from './desk.ts';
import type { InboxEdge } from './edge.ts';
import { type EventsEdge, eventRoutes } from './events.ts';
import { type ExportEdge, exportRoutes } from './exports.ts';
import { type InboxHooks, inboxHooks } from './intake.ts';
import { type LeaverPayload, leaverHooks, leaverQueue, unassignLeaver } from './leavers.ts';
import { fetchMedia, type MediaEdge, type MediaPayload, mediaHooks, mediaQueue } from './media.ts';
import { inboxMergeHooks } from './merge.ts';
import { messageRoutes } from './messages.ts';
import { openPress } from './pdf/press.ts';
import { openPdfSigners } from './pdf/signer.ts';
import { type ReplyEdge, replyRoutes } from './reply.ts';
import { settingsRoutes } from './settings.ts';
import { statsRoutes } from './stats.ts';
import { openWatchtower } from './watch.ts';

export interface InboxOptions {
  readonly objects: Objects;
  /** By which channels send. */
  readonly queue: QueueEdge;
  readonly calls: ProviderCalls;
  /** By which files are fetched. */
  readonly wires: MediaEdge['wires'];
}

export type InboxContext = AttachmentEdge & ReplyEdge & EventsEdge & ExportEdge;

export interface Inbox {
  readonly context: InboxContext;
  readonly hooks: InboxHooks;
  /** To be among the hooks after the inbox's own, which make the conversation. */
  readonly mediaHooks: MessageHooks;
  readonly contactHooks: ContactHooks;
  readonly memberHooks: MemberHooks;
  /** Ends what would not end by itself. */
  drain(): void;
  close(graceMs: number): Promise<void>;
}

const sweepMs = 60_000;

export async function openInbox(platform: Platform, options: InboxOptions): Promise<Inbox> {
  const { db, jobs, clock, random, log } = platform;
  const watchtower = await openWatchtower({ db, clock, log });
  const edge: InboxEdge = { db, jobs, clock, random, changed: watchtower.changed };
  const { queue, objects, calls, wires } = options;
  const hooks = inboxHooks(edge);
  const [press, signers] = [openPress(), await openPdfSigners(platform)];
  const context: InboxContext = { ...edge, queue, objects, hooks, watchtower, press, signers };
  const waking = jobs.work<WakePayload>({
    ...{ queue: wakeQueue, batch: 20, concurrency: 1 },
    handler: async (claimed) => {
      for (const job of claimed) await wake(edge, job);
    },
  });
  const unassigning = jobs.work<LeaverPayload>({
    ...{ queue: leaverQueue, batch: 1, concurrency: 1 },
    handler: async (claimed) => {
      for (const job of claimed) await unassignLeaver(edge, job);
    },
  });
  const media: MediaEdge = { ...edge, objects, desk: queue.desk, calls, wires };
  const fetching = jobs.work<MediaPayload>({
    ...{ queue: mediaQueue, batch: 1, concurrency: 4 },
    handler: async (claimed) => {
      for (const job of claimed) await fetchMedia(media, job);
    },
  });
  const sweeping = setInterval(() => {
    sweepOrphans(context).catch((err: unknown) =>
      log.warn({ err }, 'files that nobody names were not removed; it is tried again'),
    );
  }, sweepMs);
  return {
    ...{
      context,
      hooks,
      mediaHooks: mediaHooks(edge),
      contactHooks: inboxMergeHooks(edge),
      memberHooks: leaverHooks(edge),
      drain: watchtower.drain,
    },
    close: async (graceMs) => {
      clearInterval(sweeping);
      await watchtower.close();
      await press.close();
      await waking.stop(graceMs);
      await unassigning.stop(graceMs);
      await fetching.stop(graceMs);
    },
  };
}

/** The endpoints of the inbox. */
export function inboxRoutes(context: InboxContext): AnyRoute[] {
  return [
    ...messageRoutes(context),
    ...conversationRoutes(context),
    ...courseRoutes(context),
    ...replyRoutes(context),
    ...attachmentRoutes(context),
    ...exportRoutes(context),
    ...statsRoutes(context),
    ...settingsRoutes(context),
    ...eventRoutes(context),
  ];
}

async function wake(edge: InboxEdge, job: Job<WakePayload>): Promise<void> {
  await edge.db.tenant(job.tenantId, async (tx) => {
    await wakeConversation(tx, job.tenantId, edge, job.payload);
    await edge.jobs.complete(tx, job.tenantId, [job]);
  });
}
