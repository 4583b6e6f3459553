/**
 * The team inbox.
 *
 * ```ts
 * const hooks = await openInboxHooks(platform); // for the parts that write messages and calls
 * const inbox = await openInbox(platform, { hooks, objects, queue, calls, wires });
 * const routes = inboxRoutes(inbox.context);
 * ```
 */

import type { Platform } from '../../modules/contract.ts';
import type { MemberHooks } from '../../people/members/hooks.ts';
import { sessionChannel } from '../../people/sessions/store.ts';
import type { AnyRoute } from '../../platform/http/route.ts';
import type { Job } from '../../platform/jobs/job.ts';
import type { Objects } from '../../platform/objects/objects.ts';
import type { ContactHooks } from '../contacts/hooks.ts';
import type { MessageHooks } from '../messages/hooks.ts';
import type { QueueContext } from '../messages/sending/queue.ts';
import type { ProviderCalls } from '../provider-calls.ts';
import {
  fetchInboundMedia,
  type InboundMediaContext,
  type InboundMediaPayload,
  inboundMediaHooks,
  inboundMediaQueue,
} from './attachments/inbound-media.ts';
import {
  type AttachmentContext,
  attachmentRoutes,
  sweepRemovedObjects,
} from './attachments/routes.ts';
import { cannedReplyRoutes } from './canned-replies/routes.ts';
import type { InboxContext } from './context.ts';
import { type WakePayload, wakeConversation, wakeQueue } from './conversations/actions.ts';
import {
  type DepartedMemberPayload,
  departedMemberHooks,
  departedMemberQueue,
  unassignDepartedMember,
} from './conversations/departed-members.ts';
import { historyRoutes } from './conversations/history-routes.ts';
import { inboxMergeHooks } from './conversations/merge.ts';
import { conversationRoutes } from './conversations/routes.ts';
import { openPdfSigners } from './export/pdf/signing/signer.ts';
import { openPdfWorker } from './export/pdf/worker/pdf-worker.ts';
import { type ExportContext, exportRoutes } from './export/routes.ts';
import { type EventHub, openEventHub } from './live-events/event-hub.ts';
import { type LiveEventsContext, liveEventRoutes } from './live-events/routes.ts';
import { type InboxHooks, inboxHooks } from './messages/hooks.ts';
import { type ReplyContext, replyRoutes } from './messages/reply.ts';
import { messageRoutes } from './messages/routes.ts';
import { settingsRoutes } from './settings/routes.ts';
import { statsRoutes } from './statistics/routes.ts';
import { teamRoutes } from './team/routes.ts';

/** What the inbox does when messages, calls, contacts and members change. */
export interface OpenInboxHooks {
  readonly context: InboxContext;
  readonly eventHub: EventHub;
  readonly messages: InboxHooks;
  /** Must come after `messages` among the hooks, because those create the conversation. */
  readonly media: MessageHooks;
  readonly contacts: ContactHooks;
  readonly members: MemberHooks;
}

export interface InboxOptions {
  readonly hooks: OpenInboxHooks;
  readonly objects: Objects;
  /** Queues messages that members send. */
  readonly queue: QueueContext;
  readonly calls: ProviderCalls;
  /** HTTP clients that fetch the files people send. */
  readonly wires: InboundMediaContext['wires'];
}

export type InboxRoutesContext = AttachmentContext &
  ReplyContext &
  LiveEventsContext &
  ExportContext;

export interface Inbox {
  readonly context: InboxRoutesContext;
  /**
   * Ends the event streams, which would not end otherwise; takes no more jobs, and lets those
   * under way finish for at most `graceMs` milliseconds.
   */
  drain(graceMs: number): Promise<void>;
  close(): Promise<void>;
}

const sweepMs = 60_000;

/** Made before the inbox, because the parts that the inbox sends with call these hooks. */
export async function openInboxHooks(platform: Platform): Promise<OpenInboxHooks> {
  const { db, jobs, clock, random, log, suspended } = platform;
  const eventHub = await openEventHub({ db, clock, random, log, suspended, sessionChannel });
  const context: InboxContext = { db, jobs, clock, random, changed: eventHub.changed };
  return {
    context,
    eventHub,
    messages: inboxHooks(context),
    media: inboundMediaHooks(context),
    contacts: inboxMergeHooks(context),
    members: departedMemberHooks(context),
  };
}

/** Starts the work of the inbox. */
export async function openInbox(platform: Platform, options: InboxOptions): Promise<Inbox> {
  const { jobs, log } = platform;
  const { hooks, queue, objects, calls, wires } = options;
  const { context, eventHub } = hooks;
  const [pdfWorker, signers] = [openPdfWorker(), await openPdfSigners(platform)];
  const routesContext: InboxRoutesContext = {
    ...context,
    queue,
    objects,
    hooks: hooks.messages,
    eventHub,
    pdfWorker,
    signers,
  };
  const waking = jobs.work<WakePayload>({
    queue: wakeQueue,
    batch: 20,
    concurrency: 1,
    handler: async (claimed) => {
      for (const job of claimed) await wake(context, job);
    },
  });
  const unassigning = jobs.work<DepartedMemberPayload>({
    queue: departedMemberQueue,
    batch: 1,
    concurrency: 1,
    handler: async (claimed) => {
      for (const job of claimed) await unassignDepartedMember(context, job);
    },
  });
  const media: InboundMediaContext = {
    ...context,
    objects,
    appOpener: queue.appOpener,
    calls,
    wires,
  };
  const fetching = jobs.work<InboundMediaPayload>({
    queue: inboundMediaQueue,
    batch: 1,
    concurrency: 4,
    handler: async (claimed) => {
      for (const job of claimed) await fetchInboundMedia(media, job);
    },
  });
  const sweeping = setInterval(() => {
    sweepRemovedObjects(routesContext).catch((err: unknown) =>
      log.warn({ err }, 'removed files were not deleted; the next sweep tries again'),
    );
  }, sweepMs);
  return {
    context: routesContext,
    drain: async (graceMs) => {
      clearInterval(sweeping);
      eventHub.drain();
      await Promise.all([waking, unassigning, fetching].map((worker) => worker.stop(graceMs)));
    },
    close: async () => {
      await eventHub.close();
      await pdfWorker.close();
    },
  };
}

/** The endpoints of the inbox. */
export function inboxRoutes(context: InboxRoutesContext): AnyRoute[] {
  return [
    ...messageRoutes(context),
    ...conversationRoutes(context),
    ...historyRoutes(context),
    ...replyRoutes(context),
    ...cannedReplyRoutes(context),
    ...attachmentRoutes(context),
    ...exportRoutes(context),
    ...statsRoutes(context),
    ...settingsRoutes(context),
    ...liveEventRoutes(context),
    ...teamRoutes(context),
  ];
}

async function wake(context: InboxContext, job: Job<WakePayload>): Promise<void> {
  await context.db.tenant(job.tenantId, async (tx) => {
    await wakeConversation(tx, job.tenantId, context, job.payload);
    await context.jobs.complete(tx, job.tenantId, [job]);
  });
}
