import { Validator } from '@drawbridge/validation/validate.ts';
import { openHub } from '../agents/hub.ts';
import { openIdentity } from '../agents/identity.ts';
import { linkUpgrade } from '../agents/link.ts';
import { type AgentsEdge, agentRoutes } from '../agents/routes.ts';
import { absent, type Module, type OpenModule, type Platform } from '../module.ts';
import type { AnyRoute } from '../platform/http/route.ts';
import { anywhere, publicOnly } from '../platform/net/address.ts';
import { GuardedSocket } from '../platform/net/guarded-socket.ts';
import type { WebhookRoutesContext } from '../webhooks/endpoints/endpoint.ts';
import { webhookEndpointRoutes } from '../webhooks/endpoints/routes.ts';
import { openProbes } from '../webhooks/probe.ts';
import { agentCalls } from './agent-calls.ts';
import { agentNews } from './agent-news.ts';
import { openEndpoints } from './authority-endpoints.ts';
import { mappingRoutes } from './connectors/mapping-routes.ts';
import { OpenConnectors } from './connectors/open.ts';
import { type ConnectorRoutesContext, connectorRoutes } from './connectors/routes.ts';
import { Intake } from './invoices/intake.ts';
import { type InvoiceRoutesContext, invoiceRoutes } from './invoices/routes.ts';
import { Verdicts } from './invoices/verdicts.ts';
import { AuthorityDesk } from './pipeline/authority-desk.ts';
import type { PipelineContext } from './pipeline/course.ts';
import { courtesy } from './pipeline/courtesy.ts';
import { startPipeline } from './pipeline/workers.ts';
import { type ValidateRoutesContext, validateRoutes } from './validate/routes.ts';
import { webhookFace } from './webhook-face.ts';

/** The e-invoicing service: its endpoints, its pipeline, and the agents that feed it. */
export const einvoiceModule: Module = {
  name: 'einvoice',
  service: 'einvoice',
  describe: () =>
    routesOf({
      agents: absent(),
      connectors: absent(),
      endpoints: absent(),
      invoices: absent(),
      validate: absent(),
    }),
  open,
};

interface Contexts {
  readonly agents: AgentsEdge;
  readonly connectors: ConnectorRoutesContext;
  readonly endpoints: WebhookRoutesContext;
  readonly invoices: InvoiceRoutesContext;
  readonly validate: ValidateRoutesContext;
}

function routesOf({ agents, connectors, endpoints, invoices, validate }: Contexts): AnyRoute[] {
  return [
    ...invoiceRoutes(invoices),
    ...validateRoutes(validate),
    ...connectorRoutes(connectors),
    ...mappingRoutes(connectors),
    ...webhookEndpointRoutes(webhookFace, endpoints),
    ...agentRoutes(agents),
  ];
}

async function open(platform: Platform): Promise<OpenModule> {
  const { db, jobs, secrets, clock, random, log, settings } = platform;
  const identity = await openIdentity(db, secrets, random);
  const hub = await openHub({ db, log, clock, random, identity, news: agentNews(jobs, secrets) });
  const authorities = await openEndpoints({ path: settings.authoritiesFile, clock, random });
  const connectors = new OpenConnectors({
    clock,
    secrets,
    allowedRoots: settings.connectorRoots,
    socket: () => new GuardedSocket(settings.connectorAllowPrivate ? anywhere : publicOnly),
    agentCall: agentCalls(hub),
  });
  const validator = new Validator();
  const intake = new Intake(db, jobs, clock, random);
  const pipeline: Omit<PipelineContext, 'lanes'> = {
    ...{ db, jobs, clock, random, log },
    validator,
    authorities: new AuthorityDesk(authorities.endpoints, clock),
    sources: connectors,
    giveWay: courtesy(() => intake.quiet()),
    settings: {
      sourceGiveUpMs: settings.sourceGiveUpHours * 3_600_000,
      authorityGiveUpMs: settings.authorityGiveUpHours * 3_600_000,
    },
  };
  const verdicts = new Verdicts(db);
  await verdicts.start();
  const workers = startPipeline(pipeline, connectors);
  const probes = await openProbes({ db, clock, random });
  const connectorRoutesContext = { db, clock, random, secrets, open: connectors };
  return {
    routes: routesOf({
      agents: { db, hub, publicKey: identity.publicKey, clock, random },
      connectors: connectorRoutesContext,
      validate: { connectors: connectorRoutesContext, validator },
      endpoints: {
        ...{ db, clock, random, probes, seal: secrets },
        allowLoopback: settings.webhookAllowPrivate,
      },
      invoices: { db, clock, random, intake, verdicts, waitDefaultMs: settings.submitWaitMs },
    }),
    upgrade: linkUpgrade(hub),
    simulators: () => authorities.simulators,
    close: async (graceMs) => {
      await verdicts.stop();
      await probes.close();
      await workers.stop(graceMs);
      await hub.close(graceMs);
      await connectors.close();
      await authorities.close();
    },
  };
}
