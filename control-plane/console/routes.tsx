/** One row a page; its code comes when the page is opened. */
import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { type SignInAnswer, signInAnswerOf } from './api/provider-sign-in.ts';
import { sessionQuery } from './api/session.ts';
import { connectorSearchOf } from './pages/connector/search.ts';
import type { Contract } from './pages/docs/queries.ts';
import { invoiceSearchOf } from './pages/invoices/search.ts';
import { NotFound, PageProblem } from './shell/page-problem.tsx';
import { Shell } from './shell/shell.tsx';

const root = createRootRouteWithContext<{ readonly queryClient: QueryClient }>()({
  component: Outlet,
  errorComponent: PageProblem,
  notFoundComponent: NotFound,
});

/** A path of the console, below which it stays also when a browser has resolved its dots. */
function isOwnPath(path: string): boolean {
  if (!/^\/(?![/\\])/.test(path)) return false;
  return new URL(`/console${path}`, window.location.origin).pathname.startsWith('/console/');
}

interface SignInSearch extends SignInAnswer {
  readonly next?: string | undefined;
  /** The sign-in name of a workspace. */
  readonly workspace?: string | undefined;
}

interface ProveSearch extends SignInAnswer {
  readonly done?: 1 | undefined;
}

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  // Where to go afterwards. What is not named here passes through as it came, so it is named also where
  // it is left out.
  validateSearch: (search: Record<string, unknown>): SignInSearch => ({
    ...signInAnswerOf(search),
    next: typeof search.next === 'string' && isOwnPath(search.next) ? search.next : undefined,
    workspace: search.workspace === undefined ? undefined : String(search.workspace),
  }),
  component: lazyRouteComponent(() => import('./pages/sign-in/page.tsx'), 'SignInPage'),
});

const prove = createRoute({
  getParentRoute: () => root,
  path: '/prove',
  validateSearch: (search: Record<string, unknown>): ProveSearch => ({
    ...signInAnswerOf(search),
    done: search.done === 1 ? 1 : undefined,
  }),
  component: lazyRouteComponent(() => import('./pages/prove/page.tsx'), 'ProvePage'),
});

const docs = createRoute({
  getParentRoute: () => root,
  path: '/docs',
  validateSearch: ({ api }: { api?: unknown }): { api?: Contract | undefined } => ({
    api: api === 'einvoicing' || api === 'messaging' ? api : undefined,
  }),
  component: lazyRouteComponent(() => import('./pages/docs/page.tsx'), 'DocsPage'),
});

/** All pages of people who are signed in. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ context: { queryClient }, location }) => {
    const session = await queryClient.ensureQueryData(sessionQuery);
    if (session === null) throw redirect({ to: '/sign-in', search: { next: location.href } });
  },
  component: Shell,
  errorComponent: PageProblem,
});

const overview = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/overview/page.tsx'), 'OverviewPage'),
});

const invoices = createRoute({
  getParentRoute: () => signedIn,
  path: '/invoices',
  validateSearch: invoiceSearchOf,
  component: lazyRouteComponent(() => import('./pages/invoices/page.tsx'), 'InvoicesPage'),
});

const invoice = createRoute({
  getParentRoute: () => signedIn,
  path: '/invoices/$id',
  component: lazyRouteComponent(() => import('./pages/invoice/page.tsx'), 'InvoicePage'),
});

const invoiceDocument = createRoute({
  getParentRoute: () => signedIn,
  path: '/invoices/$id/document',
  component: lazyRouteComponent(
    () => import('./pages/invoice-document/page.tsx'),
    'InvoiceDocumentPage',
  ),
});

const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
/** An address with `to=12` asks for a text. */
const typedText = (value: unknown) => (value === undefined ? undefined : String(value));

const keys = createRoute({
  getParentRoute: () => signedIn,
  path: '/keys',
  component: lazyRouteComponent(() => import('./pages/keys/page.tsx'), 'KeysPage'),
});

const webhooks = createRoute({
  getParentRoute: () => signedIn,
  path: '/webhooks',
  component: lazyRouteComponent(() => import('./pages/webhooks/page.tsx'), 'WebhooksPage'),
});

const webhook = createRoute({
  getParentRoute: () => signedIn,
  path: '/webhooks/$id',
  // The state of the deliveries that are shown.
  validateSearch: ({ state }: Record<string, unknown>): { state?: string | undefined } => ({
    state: text(state),
  }),
  component: lazyRouteComponent(() => import('./pages/webhook/page.tsx'), 'WebhookPage'),
});

const members = createRoute({
  getParentRoute: () => signedIn,
  path: '/members',
  component: lazyRouteComponent(() => import('./pages/members/page.tsx'), 'MembersPage'),
});

interface AuditSearch {
  readonly action?: string | undefined;
  readonly actor?: string | undefined;
  readonly outcome?: string | undefined;
}

const auditLog = createRoute({
  getParentRoute: () => signedIn,
  path: '/audit-log',
  validateSearch: (search: Record<string, unknown>): AuditSearch => ({
    action: typedText(search.action),
    actor: typedText(search.actor),
    outcome: text(search.outcome),
  }),
  component: lazyRouteComponent(() => import('./pages/audit-log/page.tsx'), 'AuditLogPage'),
});

const profile = createRoute({
  getParentRoute: () => signedIn,
  path: '/profile',
  component: lazyRouteComponent(() => import('./pages/profile/page.tsx'), 'ProfilePage'),
});

const settings = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings',
  component: lazyRouteComponent(() => import('./pages/settings/page.tsx'), 'SettingsPage'),
});

const identityProvider = createRoute({
  getParentRoute: () => signedIn,
  path: '/identity-provider',
  component: lazyRouteComponent(
    () => import('./pages/identity-provider/page.tsx'),
    'IdentityProviderPage',
  ),
});

const wallet = createRoute({
  getParentRoute: () => signedIn,
  path: '/wallet',
  component: lazyRouteComponent(() => import('./pages/wallet/page.tsx'), 'WalletPage'),
});

const branding = createRoute({
  getParentRoute: () => signedIn,
  path: '/branding',
  component: lazyRouteComponent(() => import('./pages/branding/page.tsx'), 'BrandingPage'),
});

const sources = createRoute({
  getParentRoute: () => signedIn,
  path: '/sources',
  component: lazyRouteComponent(() => import('./pages/sources/page.tsx'), 'SourcesPage'),
});

const connector = createRoute({
  getParentRoute: () => signedIn,
  path: '/sources/$id',
  validateSearch: connectorSearchOf,
  component: lazyRouteComponent(() => import('./pages/connector/page.tsx'), 'ConnectorPage'),
});

const agentBundles = createRoute({
  getParentRoute: () => signedIn,
  path: '/sources/agents/$id/bundles',
  component: lazyRouteComponent(() => import('./pages/agent-bundles/page.tsx'), 'AgentBundlesPage'),
});

const company = createRoute({
  getParentRoute: () => signedIn,
  path: '/company',
  component: lazyRouteComponent(() => import('./pages/company/page.tsx'), 'CompanyPage'),
});

interface ReceivedSearch {
  readonly status?: string | undefined;
  readonly number?: string | undefined;
  readonly cancelled?: true | undefined;
}

const received = createRoute({
  getParentRoute: () => signedIn,
  path: '/received',
  validateSearch: (search: Record<string, unknown>): ReceivedSearch => ({
    status: text(search.status),
    number: typedText(search.number),
    cancelled: search.cancelled === true ? true : undefined,
  }),
  component: lazyRouteComponent(() => import('./pages/received/page.tsx'), 'ReceivedPage'),
});

const receivedDocument = createRoute({
  getParentRoute: () => signedIn,
  path: '/received/$id',
  component: lazyRouteComponent(
    () => import('./pages/received-document/page.tsx'),
    'ReceivedDocumentPage',
  ),
});

const readableReceived = createRoute({
  getParentRoute: () => signedIn,
  path: '/received/$id/document',
  component: lazyRouteComponent(
    () => import('./pages/received-readable/page.tsx'),
    'ReadableReceivedPage',
  ),
});

const participants = createRoute({
  getParentRoute: () => signedIn,
  path: '/received/participants',
  component: lazyRouteComponent(() => import('./pages/participants/page.tsx'), 'ParticipantsPage'),
});

interface InboxSearch {
  readonly view?: string | undefined;
  readonly channel?: string | undefined;
  readonly tag?: string | undefined;
  /** The conversation that is open. */
  readonly id?: string | undefined;
}

const inbox = createRoute({
  getParentRoute: () => signedIn,
  path: '/inbox',
  validateSearch: (search: Record<string, unknown>): InboxSearch => ({
    view: text(search.view),
    channel: text(search.channel),
    tag: text(search.tag),
    id: text(search.id),
  }),
  component: lazyRouteComponent(() => import('./pages/inbox/page.tsx'), 'InboxPage'),
});

const cannedReplies = createRoute({
  getParentRoute: () => signedIn,
  path: '/inbox/canned-replies',
  component: lazyRouteComponent(
    () => import('./pages/canned-replies/page.tsx'),
    'CannedRepliesPage',
  ),
});

const inboxStatistics = createRoute({
  getParentRoute: () => signedIn,
  path: '/inbox/statistics',
  // Of how many days.
  validateSearch: ({ days }: Record<string, unknown>): { days?: number | undefined } => ({
    days: typeof days === 'number' ? days : undefined,
  }),
  component: lazyRouteComponent(
    () => import('./pages/inbox-statistics/page.tsx'),
    'InboxStatisticsPage',
  ),
});

const inboxHours = createRoute({
  getParentRoute: () => signedIn,
  path: '/inbox/hours',
  component: lazyRouteComponent(() => import('./pages/inbox-hours/page.tsx'), 'InboxHoursPage'),
});

interface ContactSearch {
  readonly text?: string | undefined;
  /** Its name. */
  readonly segment?: string | undefined;
}

const contacts = createRoute({
  getParentRoute: () => signedIn,
  path: '/contacts',
  validateSearch: (search: Record<string, unknown>): ContactSearch => ({
    text: typedText(search.text),
    segment: typedText(search.segment),
  }),
  component: lazyRouteComponent(() => import('./pages/contacts/page.tsx'), 'ContactsPage'),
});

const contact = createRoute({
  getParentRoute: () => signedIn,
  path: '/contacts/$id',
  component: lazyRouteComponent(() => import('./pages/contact/page.tsx'), 'ContactPage'),
});

const segments = createRoute({
  getParentRoute: () => signedIn,
  path: '/contacts/segments',
  component: lazyRouteComponent(() => import('./pages/segments/page.tsx'), 'SegmentsPage'),
});

interface OptOutSearch {
  readonly channel?: string | undefined;
  readonly address?: string | undefined;
}

const optOuts = createRoute({
  getParentRoute: () => signedIn,
  path: '/contacts/opt-outs',
  validateSearch: (search: Record<string, unknown>): OptOutSearch => ({
    channel: text(search.channel),
    address: typedText(search.address),
  }),
  component: lazyRouteComponent(() => import('./pages/opt-outs/page.tsx'), 'OptOutsPage'),
});

const contactMerge = createRoute({
  getParentRoute: () => signedIn,
  path: '/contacts/$id/merge',
  // The other contact.
  validateSearch: (search: Record<string, unknown>): { with?: string | undefined } => ({
    with: text(search.with),
  }),
  component: lazyRouteComponent(() => import('./pages/contact-merge/page.tsx'), 'ContactMergePage'),
});

const contactImport = createRoute({
  getParentRoute: () => signedIn,
  path: '/contacts/import',
  validateSearch: (search: Record<string, unknown>): { id?: string | undefined } => ({
    id: text(search.id),
  }),
  component: lazyRouteComponent(
    () => import('./pages/contact-import/page.tsx'),
    'ContactImportPage',
  ),
});

interface BroadcastSearch {
  readonly channel?: string | undefined;
  readonly status?: string | undefined;
}

const broadcasts = createRoute({
  getParentRoute: () => signedIn,
  path: '/broadcasts',
  validateSearch: (search: Record<string, unknown>): BroadcastSearch => ({
    channel: text(search.channel),
    status: text(search.status),
  }),
  component: lazyRouteComponent(() => import('./pages/broadcasts/page.tsx'), 'BroadcastsPage'),
});

const broadcastComposer = createRoute({
  getParentRoute: () => signedIn,
  path: '/broadcasts/new',
  component: lazyRouteComponent(
    () => import('./pages/broadcast-composer/page.tsx'),
    'BroadcastComposerPage',
  ),
});

const broadcast = createRoute({
  getParentRoute: () => signedIn,
  path: '/broadcasts/$id',
  component: lazyRouteComponent(() => import('./pages/broadcast/page.tsx'), 'BroadcastPage'),
});

const templates = createRoute({
  getParentRoute: () => signedIn,
  path: '/templates',
  validateSearch: (search: Record<string, unknown>): BroadcastSearch => ({
    channel: text(search.channel),
    status: text(search.status),
  }),
  component: lazyRouteComponent(() => import('./pages/templates/page.tsx'), 'TemplatesPage'),
});

const templateEditor = createRoute({
  getParentRoute: () => signedIn,
  path: '/templates/new',
  validateSearch: (search: Record<string, unknown>): { channel?: string; from?: string } => ({
    ...(typeof search.channel === 'string' && { channel: search.channel }),
    ...(typeof search.from === 'string' && { from: search.from }),
  }),
  component: lazyRouteComponent(
    () => import('./pages/template-editor/page.tsx'),
    'TemplateEditorPage',
  ),
});

const template = createRoute({
  getParentRoute: () => signedIn,
  path: '/templates/$channel/$id',
  component: lazyRouteComponent(() => import('./pages/template/page.tsx'), 'TemplatePage'),
});

const channels = createRoute({
  getParentRoute: () => signedIn,
  path: '/channels',
  component: lazyRouteComponent(() => import('./pages/channels/page.tsx'), 'ChannelsPage'),
});

const calls = createRoute({
  getParentRoute: () => signedIn,
  path: '/calls',
  validateSearch: (
    search: Record<string, unknown>,
  ): { status?: string | undefined; to?: string | undefined } => ({
    status: text(search.status),
    to: typedText(search.to),
  }),
  component: lazyRouteComponent(() => import('./pages/calls/page.tsx'), 'CallsPage'),
});

const call = createRoute({
  getParentRoute: () => signedIn,
  path: '/calls/$id',
  component: lazyRouteComponent(() => import('./pages/call/page.tsx'), 'CallPage'),
});

interface RecordingSearch {
  /** Its id. */
  readonly call?: string | undefined;
  readonly to?: string | undefined;
  readonly state?: string | undefined;
  /** Days, both included. */
  readonly first?: string | undefined;
  readonly last?: string | undefined;
}

const recordings = createRoute({
  getParentRoute: () => signedIn,
  path: '/calls/recordings',
  validateSearch: (search: Record<string, unknown>): RecordingSearch => ({
    call: text(search.call),
    to: typedText(search.to),
    state: text(search.state),
    first: dayText(search.first),
    last: dayText(search.last),
  }),
  component: lazyRouteComponent(() => import('./pages/recordings/page.tsx'), 'RecordingsPage'),
});

/** A day as `YYYY-MM-DD`. */
function dayText(value: unknown): string | undefined {
  const isDay = typeof value === 'string' && !Number.isNaN(Date.parse(`${value}T00:00:00Z`));
  return isDay ? value : undefined;
}

interface RateSearch {
  readonly prefix?: string | undefined;
  readonly number?: string | undefined;
}

const rates = createRoute({
  getParentRoute: () => signedIn,
  path: '/calls/rates',
  validateSearch: (search: Record<string, unknown>): RateSearch => ({
    prefix: typedText(search.prefix),
    number: typedText(search.number),
  }),
  component: lazyRouteComponent(() => import('./pages/rates/page.tsx'), 'RatesPage'),
});

const rateImport = createRoute({
  getParentRoute: () => signedIn,
  path: '/calls/rates/import',
  component: lazyRouteComponent(() => import('./pages/rate-import/page.tsx'), 'RateImportPage'),
});

const callFlows = createRoute({
  getParentRoute: () => signedIn,
  path: '/call-flows',
  component: lazyRouteComponent(() => import('./pages/call-flows/page.tsx'), 'CallFlowsPage'),
});

const callFlowEditor = createRoute({
  getParentRoute: () => signedIn,
  path: '/call-flows/new',
  component: lazyRouteComponent(() => import('./pages/call-flow/editor.tsx'), 'CallFlowEditorPage'),
});

const callFlow = createRoute({
  getParentRoute: () => signedIn,
  path: '/call-flows/$id',
  component: lazyRouteComponent(() => import('./pages/call-flow/page.tsx'), 'CallFlowPage'),
});

const callFlowChange = createRoute({
  getParentRoute: () => signedIn,
  path: '/call-flows/$id/edit',
  component: lazyRouteComponent(() => import('./pages/call-flow/editor.tsx'), 'CallFlowChangePage'),
});

export const routeTree = root.addChildren([
  signIn,
  prove,
  docs,
  signedIn.addChildren([
    overview,
    invoices,
    invoice,
    invoiceDocument,
    keys,
    webhooks,
    webhook,
    members,
    auditLog,
    profile,
    settings,
    identityProvider,
    wallet,
    branding,
    sources,
    connector,
    agentBundles,
    company,
    received,
    receivedDocument,
    readableReceived,
    participants,
    inbox,
    cannedReplies,
    inboxStatistics,
    inboxHours,
    contacts,
    contact,
    segments,
    optOuts,
    contactMerge,
    contactImport,
    broadcasts,
    broadcastComposer,
    broadcast,
    templates,
    templateEditor,
    template,
    channels,
    calls,
    call,
    recordings,
    rates,
    rateImport,
    callFlows,
    callFlowEditor,
    callFlow,
    callFlowChange,
  ]),
]);
