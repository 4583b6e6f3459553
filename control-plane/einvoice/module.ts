import { Validator } from '@drawbridge/validation/validate.ts';
import type { BundlesContext } from '../agents/bundles/bundles.ts';
import { bundleRoutes } from '../agents/bundles/routes.ts';
import { openHub } from '../agents/hub.ts';
import { openIdentities } from '../agents/identities.ts';
import { linkUpgrade } from '../agents/link-endpoint.ts';
import { type AgentRoutesContext, agentRoutes } from '../agents/routes.ts';
import { pruneAnswers, pruneCommands, pruneEvents } from '../agents/store.ts';
import { absent, type Module, type OpenModule, type Platform } from '../modules/contract.ts';
import { type AuditLogApi, auditLogRoutes } from '../people/audit-log/routes.ts';
import { providerSignInRoutes } from '../people/identity-provider/routes.ts';
import { type PeopleContext, peopleRoutes } from '../people/routes.ts';
import { browserSessionRoutes } from '../people/sessions/browser-routes.ts';
import type { TenantKeysContext } from '../platform/auth/tenant-keys.ts';
import { openThreadPool } from '../platform/concurrency/thread-pool.ts';
import type { Db } from '../platform/db/database.ts';
import type { AnyRoute } from '../platform/http/route.ts';
import { createRequestTimes } from '../platform/metrics/request-times.ts';
import { type RetentionRoutesContext, retentionRoutes } from '../platform/retention/routes.ts';
import type { WebhookRoutesContext } from '../webhooks/endpoints/endpoint.ts';
import { webhookEndpointRoutes } from '../webhooks/endpoints/routes.ts';
import { openTestDeliveries } from '../webhooks/test-deliveries.ts';
import { agentCalls } from './agent-calls.ts';
import { agentEventHandlers } from './agent-events.ts';
import { apiKeyRoutes } from './api-keys/routes.ts';
import { openEndpoints, readAuthorityEndpoints } from './authority-endpoints.ts';
import { type CompanyRoutesContext, companyRoutes } from './company/routes.ts';
import { connectorKindsRoute } from './connector-kinds/routes.ts';
import { approvalPolicyRoutes } from './connectors/approval-policy/routes.ts';
import { waitingRoute } from './connectors/approval-policy/waiting-route.ts';
import { discoveryRoute } from './connectors/discovery/routes.ts';
import type { MappingRoutesContext } from './connectors/mapping-place.ts';
import { mappingRoutes } from './connectors/mapping-routes.ts';
import { OpenConnectors } from './connectors/open-connectors.ts';
import { connectorRoutes } from './connectors/routes.ts';
import { makeTenantFolder, tenantFolders } from './connectors/tenant-folders.ts';
import { DocumentChecker, documentThread } from './document-checks/document-checker.ts';
import { addEinvoicingGauges } from './gauges.ts';
import { Intake } from './invoices/intake.ts';
import { type InvoiceRoutesContext, invoiceRoutes } from './invoices/routes.ts';
import { VerdictListener } from './invoices/verdict-listener.ts';
import { peopleApi } from './people-api.ts';
import { AuthorityGateway } from './pipeline/submission/authority-gateway.ts';
import type { PipelineContext } from './pipeline/work-item.ts';
import { startPipeline } from './pipeline/workers.ts';
import { createYieldToRequests } from './pipeline/yield-to-requests.ts';
import { type NetworkRouteContext, networkRoutes } from './received/network-route.ts';
import { participantRoutes } from './received/participants.ts';
import { type ReceivedRoutesContext, receivedRoutes } from './received/routes.ts';
import { startReceiving } from './received/workers.ts';
import { retentionApi } from './retention/api.ts';
import { pruneInvoices } from './retention/store.ts';
import { startMovingDocuments } from './stored-documents/move.ts';
import { type ValidateRoutesContext, validateRoutes } from './validate/routes.ts';
import { webhookApi } from './webhook-api.ts';

/**
 * The e-invoicing service: its endpoints, its pipeline, and the agents that read documents for it.
 */
export const einvoiceModule: Module = {
  name: 'einvoice',
  service: 'einvoice',
  describe: () =>
    routesOf({
      agents: absent(),
      bundles: absent(),
      apiKeys: absent(),
      auditLog: absent(),
      company: absent(),
      connectors: absent(),
      endpoints: absent(),
      invoices: absent(),
      people: absent(),
      received: absent(),
      retention: absent(),
      validate: absent(),
    }),
  checkFiles: async ({ authoritiesFile }) => void (await readAuthorityEndpoints(authoritiesFile)),
  open,
};

const auditLogApi: AuditLogApi = {
  service: 'einvoice',
  path: '/v1/audit-log',
  exportPath: '/v1/audit-log/export',
};

interface Contexts {
  readonly agents: AgentRoutesContext;
  readonly bundles: BundlesContext;
  readonly apiKeys: TenantKeysContext;
  readonly auditLog: { readonly db: Db };
  readonly company: CompanyRoutesContext;
  readonly connectors: MappingRoutesContext;
  readonly endpoints: WebhookRoutesContext;
  readonly invoices: InvoiceRoutesContext;
  readonly people: PeopleContext;
  readonly received: ReceivedRoutesContext & NetworkRouteContext;
  readonly retention: RetentionRoutesContext;
  readonly validate: ValidateRoutesContext;
}

function routesOf(contexts: Contexts): AnyRoute[] {
  const { agents, bundles, apiKeys, auditLog, company, connectors } = contexts;
  const { endpoints, invoices, people, received, retention, validate } = contexts;
  return [
    ...peopleRoutes(peopleApi, people),
    ...browserSessionRoutes(people),
    ...providerSignInRoutes(people),
    ...invoiceRoutes(invoices),
    ...validateRoutes(validate),
    ...receivedRoutes(received),
    ...participantRoutes(received),
    ...networkRoutes(received),
    ...companyRoutes(company),
    connectorKindsRoute,
    ...connectorRoutes(connectors),
    ...approvalPolicyRoutes(connectors),
    waitingRoute(connectors),
    discoveryRoute(connectors),
    ...mappingRoutes(connectors),
    ...webhookEndpointRoutes(webhookApi, endpoints),
    ...agentRoutes(agents),
    ...bundleRoutes(bundles),
    ...apiKeyRoutes(apiKeys),
    ...retentionRoutes(retentionApi, retention),
    ...auditLogRoutes(auditLogApi, auditLog),
  ];
}

async function open(platform: Platform): Promise<OpenModule> {
  const { db, jobs, secrets, objects, clock, random, stopwatch, log, metrics, settings } = platform;
  const identities = await openIdentities({ db, secrets, random, log });
  const eventHandlers = agentEventHandlers(jobs, secrets);
  const threads = openThreadPool({
    program: documentThread,
    threads: settings.documentThreads,
    measured: { metrics, stopwatch },
  });
  const validator = new Validator();
  const checker = new DocumentChecker(validator, threads);
  const hub = await openHub({
    db,
    log,
    clock,
    random,
    identities,
    suspended: platform.suspended,
    eventHandlers,
    readAnswer: (...given) => checker.answer(...given),
  });
  const endpoints = await openEndpoints({ path: settings.authoritiesFile, clock, random });
  const connectors = new OpenConnectors({
    clock,
    secrets,
    allowedRoots: (tenantId) => tenantFolders(settings, tenantId),
    timeoutMs: settings.sourceTimeoutMs,
    allowPrivate: settings.connectorAllowPrivate,
    agentCall: agentCalls(hub),
  });
  const intake = new Intake(db, { jobs, metrics }, clock, random);
  const authorities = new AuthorityGateway(endpoints.endpoints, clock, {
    times: createRequestTimes(metrics.authorityRequestSeconds, stopwatch),
  });
  const pipeline: Omit<PipelineContext, 'concurrency' | 'pullPortions'> = {
    db,
    jobs,
    clock,
    random,
    log,
    metrics,
    checker,
    authorities,
    sources: connectors,
    yieldToRequests: createYieldToRequests(() => intake.whenIdle()),
    settings: {
      sourceGiveUpMs: settings.sourceGiveUpHours * 3_600_000,
      authorityGiveUpMs: settings.authorityGiveUpHours * 3_600_000,
    },
  };
  const verdicts = new VerdictListener(db);
  await verdicts.start();
  const workers = startPipeline(pipeline, connectors);
  const receiving = startReceiving(
    { ...pipeline, imports: connectors, lists: connectors, rejections: connectors },
    settings.networkPollSeconds * 1_000,
  );
  const { documentsToObjectsDays: movedAfterDays } = settings;
  const moving =
    movedAfterDays === undefined
      ? undefined
      : startMovingDocuments({ db, objects, clock, log }, movedAfterDays);
  addEinvoicingGauges(platform, hub);
  const testDeliveries = await openTestDeliveries({ db, clock, random });
  const connectorRoutesContext = { db, jobs, clock, random, secrets, open: connectors, checker };
  return {
    routes: routesOf({
      agents: { db, hub, identities, clock, random },
      bundles: { db, log, identities, clock, random, eventHandlers },
      apiKeys: { db, clock, random },
      people: platform.people,
      auditLog: { db },
      retention: { db, clock },
      company: { db, clock, identities },
      connectors: connectorRoutesContext,
      validate: { connectors: connectorRoutesContext, validator, checker },
      endpoints: {
        db,
        jobs,
        clock,
        random,
        testDeliveries,
        seal: secrets,
        allowLoopback: settings.webhookAllowPrivate,
      },
      received: { db, jobs, clock, random, checker, authorities },
      invoices: {
        db,
        jobs,
        objects,
        clock,
        random,
        intake,
        verdicts,
        waitDefaultMs: settings.submitWaitMs,
        metrics,
      },
    }),
    upgrade: linkUpgrade(hub),
    prunables: [
      { kind: 'agent_event', lifeDays: settings.agentHistoryDays, prune: pruneEvents },
      { kind: 'agent_answer', lifeDays: settings.agentHistoryDays, prune: pruneAnswers },
      { kind: 'agent_command', lifeDays: settings.agentHistoryDays, prune: pruneCommands },
    ],
    tenantPrunables: [{ kind: 'invoice', prune: pruneInvoices }],
    simulators: () => endpoints.simulators,
    firstStart: async (_, tenantId) => ({
      connector_folder: await makeTenantFolder(settings, tenantId),
    }),
    drain: async (graceMs) => {
      await Promise.all([
        verdicts.stop(),
        workers.stop(graceMs),
        receiving.stop(graceMs),
        hub.close(graceMs),
        moving?.stop(),
      ]);
    },
    close: async () => {
      await testDeliveries.close();
      await threads.close();
      await connectors.close();
      await authorities.close();
      await endpoints.close();
      await identities.close();
    },
  };
}
