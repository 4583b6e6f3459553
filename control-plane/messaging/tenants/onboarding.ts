import { z } from 'zod';
import { type AnyRoute, route } from '../../platform/http/route.ts';
import { permissions, roles, roleTable } from '../rbac.ts';
import { type TenantRoutesContext, tag } from './context.ts';
import { onboardingView, roleView } from './schema.ts';
import { findFacts, type Facts as StoredFacts } from './store.ts';

interface Step {
  readonly step: string;
  readonly isDone: (facts: Facts) => boolean;
  /** The call that does it; null: the host does it. */
  readonly next: string | null;
}

interface Flow {
  readonly id: string;
  readonly title: string;
  readonly steps: readonly Step[];
}

const contact: Step = {
  step: 'Add a contact to write to.',
  isDone: ({ hasContact }) => hasContact,
  next: 'POST /contacts/',
};

const app = (channel: string, step: string, next: string): Step => {
  return { step, isDone: ({ apps }) => apps.includes(channel), next };
};

const template = (channel: string, step: string, next: string): Step => {
  return { step, isDone: ({ templates }) => templates.includes(channel), next };
};

/** Money is needed where the host asks for it; the sandbox lets those without a wallet pass. */
const funds = (channel: string): Step => ({
  step: 'Have the wallet topped up.',
  isDone: ({ sold, hasFunds, hasWallet, isSandbox }) =>
    hasFunds || !sold.includes(channel) || (isSandbox && !hasWallet),
  next: null,
});

/** What is to be done once, by what one wants to use. */
const flows: readonly Flow[] = [
  {
    id: 'workspace',
    title: 'The workspace',
    steps: [
      {
        step: 'Say who mail comes from.',
        isDone: ({ hasSender }) => hasSender,
        next: 'PATCH /tenants/branding/',
      },
      {
        step: 'Issue an API key for your systems.',
        isDone: ({ hasKey }) => hasKey,
        next: 'POST /tenants/api-keys/',
      },
    ],
  },
  {
    id: 'wa',
    title: 'Chat app',
    steps: [
      {
        step: 'Name the business account on the network.',
        isDone: ({ hasWaba }) => hasWaba,
        next: 'PUT /tenants/waba-info/',
      },
      app('wa', 'Connect a number of the account.', 'POST /wa/v1/apps/'),
      template('wa', 'Have a template approved, to write first.', 'POST /wa/v1/templates/'),
      ...[funds('wa'), contact],
    ],
  },
  {
    id: 'sms',
    title: 'SMS',
    steps: [
      app('sms', 'Connect a provider.', 'POST /sms/v1/apps/'),
      template('sms', 'Keep a text, registered where carriers ask.', 'POST /sms/v1/templates/'),
      ...[funds('sms'), contact],
    ],
  },
  {
    id: 'botchat',
    title: 'Bot chat',
    steps: [app('botchat', 'Connect a bot.', 'POST /botchat/v1/bots/'), funds('botchat'), contact],
  },
  {
    id: 'rcs',
    title: 'RCS',
    steps: [app('rcs', 'Connect an agent.', 'POST /rcs/v1/apps/'), funds('rcs'), contact],
  },
  { id: 'voice', title: 'Voice', steps: [funds('voice'), contact] },
];

type Facts = StoredFacts & { readonly isSandbox: boolean };

export function onboardingRoutes({ db }: TenantRoutesContext): AnyRoute[] {
  return [
    route({
      method: 'get',
      path: '/tenants/onboarding-options/',
      operationId: 'listOnboardingOptions',
      summary: 'List what is to be set up, channel by channel, and what is done',
      tag,
      auth: { scope: 'tenant:read' },
      limit: 'read',
      responses: { 200: { description: 'The flows.', schema: onboardingView } },
      handler: async ({ principal: { tenantId, environment } }) => {
        const stored = await db.tenant(tenantId, (tx) => findFacts(tx, tenantId, environment));
        const facts = { ...stored, isSandbox: environment === 'sandbox' };
        return { status: 200, body: { results: flows.map((flow) => show(flow, facts)) } };
      },
    }),
    route({
      method: 'get',
      path: '/tenants/roles/',
      operationId: 'listRoles',
      summary: 'List roles and what each may do',
      tag,
      auth: { scope: 'tenant:read' },
      limit: 'read',
      responses: {
        200: {
          description: 'All roles.',
          schema: z.strictObject({ results: z.array(roleView) }).meta({ id: 'RoleList' }),
        },
      },
      handler: async () => ({ status: 200, body: { results: roles.map(showRole) } }),
    }),
  ];
}

function show({ id, title, steps: all }: Flow, facts: Facts) {
  const steps = all.map(({ step, isDone, next }) => ({ step, done: isDone(facts), next }));
  const open = steps.filter(({ done }) => !done);
  const next = open.find((each) => each.next !== null)?.next ?? null;
  return { id, title, done: open.length === 0, next, steps };
}

function showRole(name: (typeof roles)[number]) {
  const { description, permissions: held } = roleTable[name];
  const shown = held.map((each) => ({ name: each, description: permissions[each] }));
  return { name, description, permissions: shown };
}
