import { absent, type Module, type OpenModule, type Platform } from '../modules/contract.ts';
import { addNewMember } from '../people/members/new-member.ts';
import { type PeopleContext, peopleRoutes } from '../people/routes.ts';
import { addKey } from '../platform/auth/issue.ts';
import { LoopTurns } from '../platform/concurrency/loop-turns.ts';
import { openThreadPool } from '../platform/concurrency/thread-pool.ts';
import type { Tx } from '../platform/db/tx.ts';
import type { AnyRoute } from '../platform/http/route.ts';
import { openNames } from '../platform/outbound/dns.ts';
import { type RetentionRoutesContext, retentionRoutes } from '../platform/retention/routes.ts';
import type { WebhookRoutesContext } from '../webhooks/endpoints/endpoint.ts';
import { webhookEndpointRoutes } from '../webhooks/endpoints/routes.ts';
import { openTestDeliveries } from '../webhooks/test-deliveries.ts';
import type { BroadcastContext } from './broadcast/context.ts';
import { broadcastHooks } from './broadcast/hooks.ts';
import { broadcastMergeHooks } from './broadcast/merge-hooks.ts';
import { openBroadcasts } from './broadcast/module.ts';
import { broadcastRoutes } from './broadcast/routes.ts';
import { readChannelEndpoints } from './channel-endpoints.ts';
import { sheetThread } from './contacts/imports/file-reader.ts';
import { type ImportContext, startImporter } from './contacts/imports/importer.ts';
import { startFileReading } from './contacts/imports/preview.ts';
import { prunePreviews } from './contacts/imports/preview-store.ts';
import type { MergeContext } from './contacts/merge/routes.ts';
import { contactRoutes } from './contacts/routes.ts';
import { type MessagesContexts, messagesRoutes, openMessages } from './messages/module.ts';
import { moveMessages } from './messages/receiving/store.ts';
import { peopleApi } from './people-api.ts';
import { retentionApi } from './retention/api.ts';
import { oldContacts } from './retention/contacts.ts';
import { pruneMessages } from './retention/store.ts';
import {
  type InboxRoutesContext,
  inboxRoutes,
  openInbox,
  openInboxHooks,
} from './team-inbox/inbox.ts';
import { endedCallHook } from './team-inbox/messages/ended-calls.ts';
import { startProofChecks } from './tenants/branding/proofs.ts';
import type { TenantRoutesContext } from './tenants/context.ts';
import { tenantRoutes } from './tenants/routes.ts';
import { announceLowWallets } from './tenants/wallet/low-wallets.ts';
import { readVoiceEndpoints } from './voice/endpoint-file.ts';
import { openVoice, voiceRoutes } from './voice/module.ts';
import { webhookApi } from './webhook-api.ts';

const walletsMs = 10_000;
const firstEmail = 'owner@drawbridge.example';

/** The messaging service: members and their sessions, tenants, contacts, messages, calls. */
export const messagingModule: Module = {
  name: 'messaging',
  service: 'messaging',
  describe: () => [
    ...routesOf({
      people: absent(),
      tenants: absent(),
      contacts: absent(),
      messages: absent(),
      broadcasts: absent(),
      inbox: absent(),
      endpoints: absent(),
      retention: absent(),
    }),
    ...voiceRoutes(),
  ],
  checkFiles: async ({ channelsFile, voiceEndpointsFile }) => {
    await readChannelEndpoints(channelsFile);
    await readVoiceEndpoints(voiceEndpointsFile);
  },
  open,
};

interface Contexts {
  readonly people: PeopleContext;
  readonly tenants: TenantRoutesContext;
  readonly contacts: ImportContext & MergeContext;
  readonly messages: MessagesContexts;
  readonly inbox: InboxRoutesContext;
  readonly broadcasts: BroadcastContext;
  readonly endpoints: WebhookRoutesContext;
  readonly retention: RetentionRoutesContext;
}

function routesOf(contexts: Contexts): AnyRoute[] {
  const { people, tenants, contacts, messages, inbox, broadcasts, endpoints, retention } = contexts;
  return [
    ...peopleRoutes(peopleApi, people),
    ...tenantRoutes(tenants),
    ...contactRoutes(contacts),
    ...messagesRoutes(messages),
    ...inboxRoutes(inbox),
    ...webhookEndpointRoutes(webhookApi, endpoints),
    ...broadcastRoutes(broadcasts),
    ...retentionRoutes(retentionApi, retention),
  ];
}

async function open(platform: Platform): Promise<OpenModule> {
  const { db, jobs, clock, random, log, objects, settings, people } = platform;
  const watching = setInterval(() => {
    announceLowWallets(platform).catch((err: unknown) => {
      log.warn({ err }, 'low wallets were not reported; this will be retried');
    });
  }, walletsMs);
  const common = { db, jobs, clock, random };
  const names = openNames({ servers: settings.dnsServers });
  const proofs = { ...common, names, secrets: platform.secrets };
  const checkingProofs = startProofChecks(proofs);
  const importing = startImporter(common);
  const fileThreads = openThreadPool({
    program: sheetThread,
    threads: 1,
    measured: { metrics: platform.metrics, stopwatch: platform.stopwatch },
  });
  const imports = {
    ...common,
    threads: fileThreads,
    turns: new LoopTurns({ stopwatch: platform.stopwatch }),
  };
  const readingFiles = startFileReading(imports);
  const inboxHooks = await openInboxHooks(platform);
  people.memberHooks.add(inboxHooks.members);
  // The inbox's message hooks come first: they create the conversation to which media belong.
  const hooks = [inboxHooks.messages, inboxHooks.media, broadcastHooks({ clock })];
  const messages = await openMessages(platform, hooks);
  const { sender, appOpener, queue, calls, wires } = messages;
  const inbox = await openInbox(platform, { hooks: inboxHooks, objects, queue, calls, wires });
  const broadcasts = openBroadcasts(platform, { sender, appOpener, calls, hooks });
  const testDeliveries = await openTestDeliveries({ db, clock, random });
  const voice = await openVoice(platform, {
    objects,
    callEnded: endedCallHook(inboxHooks.messages),
  });
  const routes = routesOf({
    people,
    tenants: { ...proofs, limits: platform.limits },
    contacts: {
      ...imports,
      contactHooks: [broadcastMergeHooks, { merged: moveMessages }, inboxHooks.contacts],
    },
    messages: messages.contexts,
    inbox: inbox.context,
    endpoints: {
      db,
      clock,
      random,
      jobs,
      testDeliveries,
      seal: platform.secrets,
      allowLoopback: settings.webhookAllowPrivate,
    },
    broadcasts: broadcasts.context,
    retention: { db, clock },
  });
  return {
    routes: [...routes, ...voice.routes],
    prunables: [{ kind: 'contact_import_preview', lifeDays: 1, prune: prunePreviews }],
    // Messages first: a contact goes with the last of its own.
    tenantPrunables: [{ kind: 'message', prune: pruneMessages }, oldContacts({ clock, random })],
    simulators: () => ({ ...messages.simulators, ...voice.simulators }),
    started: () => messages.started(),
    firstStart: async (tx, tenantId) => ({
      messaging: await firstCredentials(platform, tx, tenantId),
    }),
    drain: async (graceMs) => {
      clearInterval(watching);
      await Promise.all([
        voice.drain(graceMs),
        checkingProofs.stop(graceMs),
        importing.stop(graceMs),
        readingFiles.stop(graceMs),
        broadcasts.drain(graceMs),
        messages.drain(graceMs),
        inbox.drain(graceMs),
      ]);
    },
    close: async () => {
      await voice.close();
      await messages.close();
      await inbox.close();
      await testDeliveries.close();
      await fileThreads.close();
    },
  };
}

/** An owner and a key for each environment. */
async function firstCredentials(platform: Platform, tx: Tx, tenantId: string) {
  const member = { email: firstEmail, name: 'Owner', role: 'owner' } as const;
  const { password } = await addNewMember(tx, tenantId, member, platform);
  const key = async (environment: 'live' | 'sandbox') => {
    const name = `first ${environment} key`;
    const request = { family: 'jc', environment, name, scopes: ['role:owner'] } as const;
    return (await addKey(tx, tenantId, request, platform.random)).text;
  };
  return {
    email: firstEmail,
    password,
    sandbox_key: await key('sandbox'),
    live_key: await key('live'),
  };
}
