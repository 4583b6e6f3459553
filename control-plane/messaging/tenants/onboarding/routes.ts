import { z } from 'zod';
import {
  einvoicingPermissions,
  einvoicingRoles,
  einvoicingRoleTable,
} from '../../../people/roles/einvoicing-roles.ts';
import { permissions, roles, roleTable } from '../../../people/roles/messaging-roles.ts';
import { type AnyRoute, route } from '../../../platform/http/route.ts';
import { type TenantRoutesContext, tag } from '../context.ts';
import { onboardingView, roleView } from '../schema.ts';
import { type Facts, findFacts } from '../store.ts';
import { openWallet } from '../wallet/store.ts';

interface Step {
  readonly step: string;
  readonly isDone: (facts: Facts) => boolean;
  /** The API call for this step; null: the host does it. */
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

/** Only for channels that the host charges for; that of the sandbox is filled from the start. */
const funds = (channel: string): Step => ({
  step: 'Have the wallet topped up.',
  isDone: ({ sold, hasFunds }) => hasFunds || !sold.includes(channel),
  next: null,
});

/** The set-up steps for each thing that a tenant may want to use. */
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
        step: 'Prove the sender: publish the DNS record that GET /tenants/branding/ shows. Until then mail comes from the host.',
        isDone: ({ hasProvedSender }) => hasProvedSender,
        next: 'POST /tenants/branding/verify/',
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
      funds('wa'),
      contact,
    ],
  },
  {
    id: 'sms',
    title: 'SMS',
    steps: [
      app('sms', 'Connect a provider.', 'POST /sms/v1/apps/'),
      template('sms', 'Keep a text, registered where carriers ask.', 'POST /sms/v1/templates/'),
      funds('sms'),
      contact,
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

export function onboardingRoutes({ db }: TenantRoutesContext): AnyRoute[] {
  return [
    route({
      method: 'get',
      path: '/tenants/onboarding-options/',
      operationId: 'listOnboardingOptions',
      summary: 'List the steps to set up each channel, and which are done',
      tag,
      auth: { scope: 'tenant:read' },
      limit: 'read',
      responses: { 200: { description: 'The flows.', schema: onboardingView } },
      handler: async ({ principal: { tenantId, environment } }) => {
        const facts = await db.tenant(tenantId, async (tx) => {
          await openWallet(tx, tenantId, environment);
          return findFacts(tx, tenantId, environment);
        });
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
      handler: async () => ({ status: 200, body: { results: shownRoles } }),
    }),
  ];
}

function show({ id, title, steps: all }: Flow, facts: Facts) {
  const steps = all.map(({ step, isDone, next }) => ({ step, done: isDone(facts), next }));
  const open = steps.filter(({ done }) => !done);
  const next = open.find((each) => each.next !== null)?.next ?? null;
  return { id, title, done: open.length === 0, next, steps };
}

const shownRoles = [
  ...roles.map((name) => showRole('messaging', name, roleTable[name], permissions)),
  ...einvoicingRoles.map((name) =>
    showRole('e-invoicing', name, einvoicingRoleTable[name], einvoicingPermissions),
  ),
];

function showRole<Permission extends string>(
  service: 'messaging' | 'e-invoicing',
  name: string,
  row: { readonly description: string; readonly permissions: readonly Permission[] },
  meanings: Readonly<Record<Permission, string>>,
) {
  const held = row.permissions.map((each) => ({ name: each, description: meanings[each] }));
  return { service, name, description: row.description, permissions: held };
}
