import { absent, type Module, type OpenModule, type Platform } from '../module.ts';
import { issueKey } from '../platform/auth/issue.ts';
import type { AnyRoute } from '../platform/http/route.ts';
import { openObjects } from '../platform/objects/objects.ts';
import type { WebhookRoutesContext } from '../webhooks/endpoints/endpoint.ts';
import { webhookEndpointRoutes } from '../webhooks/endpoints/routes.ts';
import { openProbes } from '../webhooks/probe.ts';
import type { BroadcastEdge } from './broadcast/edge.ts';
import { openBroadcasts } from './broadcast/module.ts';
import { broadcastRoutes } from './broadcast/routes.ts';
import { type ImportEdge, startImporting } from './contacts/imports/apply.ts';
import type { MergeEdge } from './contacts/merge.ts';
import { contactRoutes } from './contacts/routes.ts';
import { openMailer } from './mail.ts';
import type { MessageHooks } from './messages/hooks.ts';
import { type MessagesContexts, messagesRoutes, openMessages } from './messages/module.ts';
import { moveMessages } from './messages/people-store.ts';
import { callTeller } from './team-inbox/call-teller.ts';
import { type InboxContext, inboxRoutes, openInbox } from './team-inbox/inbox.ts';
import type { TenantRoutesContext } from './tenants/context.ts';
import { tenantRoutes } from './tenants/routes.ts';
import { tellLowWallets } from './tenants/wallet-watch.ts';
import { makeMember } from './token/accounts.ts';
import { type TokenRoutesContext, tokenRoutes } from './token/routes.ts';
import { openSessions } from './token/sessions.ts';
import { sweepSignIn } from './token/store.ts';
import { openVoice, voiceRoutes } from './voice/module.ts';
import { webhookFace } from './webhook-face.ts';

const sweepMs = 3_600_000;
const walletsMs = 10_000;
const firstEmail = 'owner@drawbridge.example';

/** The messaging service: people and their sessions, tenants, contacts, messages. */
export const messagingModule: Module = {
  name: 'messaging',
  service: 'messaging',
  describe: () => [
    ...routesOf({
      ...{ token: absent(), tenants: absent(), contacts: absent(), messages: absent() },
      ...{ broadcasts: absent(), inbox: absent(), endpoints: absent() },
    }),
    ...voiceRoutes(),
  ],
  open,
};

interface Contexts {
  readonly token: TokenRoutesContext;
  readonly tenants: TenantRoutesContext;
  readonly contacts: ImportEdge & MergeEdge;
  readonly messages: MessagesContexts;
  readonly inbox: InboxContext;
  readonly broadcasts: BroadcastEdge;
  readonly endpoints: WebhookRoutesContext;
}

function routesOf(contexts: Contexts): AnyRoute[] {
  const { token, tenants, contacts, messages, inbox, broadcasts, endpoints } = contexts;
  return [
    ...tokenRoutes(token),
    ...tenantRoutes(tenants),
    ...contactRoutes(contacts),
    ...messagesRoutes(messages),
    ...inboxRoutes(inbox),
    ...webhookEndpointRoutes(webhookFace, endpoints),
    ...broadcastRoutes(broadcasts),
  ];
}

async function open(platform: Platform): Promise<OpenModule> {
  const { db, jobs, clock, random, log, settings } = platform;
  const sessions = await openSessions(platform);
  const { home, smtpUrl, mailFrom: from } = settings;
  const mailer = openMailer({ home, smtpUrl, from, clock, random });
  const sweeping = setInterval(() => {
    db.system((tx) => sweepSignIn(tx, clock())).catch((err: unknown) => {
      log.warn({ err }, 'sessions that are over were not swept; it is tried again');
    });
  }, sweepMs);
  const watching = setInterval(() => {
    tellLowWallets(platform).catch((err: unknown) => {
      log.warn({ err }, 'low wallets were not told of; it is tried again');
    });
  }, walletsMs);
  const edge = { db, jobs, clock, random };
  const importing = startImporting(edge);
  const hooks: MessageHooks[] = [];
  const messages = await openMessages(platform, hooks);
  const objects = openObjects({
    ...{ home, url: settings.objectStore, key: settings.objectStoreKey },
  });
  const { sender, desk, queue, calls, wires } = messages;
  const inbox = await openInbox(platform, { objects, queue, calls, wires });
  hooks.push(inbox.hooks, inbox.mediaHooks);
  const broadcasts = openBroadcasts(platform, { sender, desk, calls, all: hooks });
  hooks.push(broadcasts.hooks);
  messages.start();
  const probes = await openProbes({ db, clock, random });
  broadcasts.start();
  const voice = await openVoice(platform, { objects, callEnded: callTeller(inbox.hooks) });
  const routes = routesOf({
    token: { db, sessions },
    tenants: { ...edge, mailer, memberHooks: inbox.memberHooks },
    contacts: { ...edge, contactHooks: [{ merged: moveMessages }, inbox.contactHooks] },
    messages: messages.contexts,
    inbox: inbox.context,
    endpoints: {
      ...{ db, clock, random, probes, seal: platform.secrets },
      allowLoopback: settings.webhookAllowPrivate,
    },
    broadcasts: broadcasts.edge,
  });
  return {
    routes: [...routes, ...voice.routes],
    authenticate: sessions.authenticate,
    simulators: () => ({ ...messages.simulators, ...voice.simulators }),
    firstStart: async (tenantId) => ({ messaging: await firstCredentials(platform, tenantId) }),
    drain: inbox.drain,
    close: async (graceMs) => {
      clearInterval(sweeping);
      clearInterval(watching);
      await voice.close(graceMs);
      await importing.stop(graceMs);
      await broadcasts.close(graceMs);
      await messages.close(graceMs);
      await inbox.close(graceMs);
      await probes.close();
      await sessions.close();
    },
  };
}

/** An owner and a key for each environment. */
async function firstCredentials(platform: Platform, tenantId: string) {
  const { db, random } = platform;
  const member = { email: firstEmail, name: 'Owner', role: 'owner' } as const;
  const { password } = await makeMember(platform, tenantId, member);
  const key = async (environment: 'live' | 'sandbox') => {
    const request = { environment, name: `first ${environment} key`, scopes: ['role:owner'] };
    return (await issueKey(db, tenantId, { family: 'jc', ...request }, random)).text;
  };
  return {
    email: firstEmail,
    password,
    sandbox_key: await key('sandbox'),
    live_key: await key('live'),
  };
}
