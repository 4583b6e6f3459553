/**
 * The messaging service with its pages, and people who write to it:
 *
 *     const console = await startMessagingConsole();
 *     const { page, faults } = await console.arrive('/console/inbox', { role: 'agent' });
 *     await console.write('+60123456789', 'hello');
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContextOptions } from 'playwright-core';
import { einvoiceModule } from '../../control-plane/einvoice/module.ts';
import { type ServiceKit, startService } from '../../control-plane/messaging/service.kit.ts';
import type { MemberRoles } from '../../control-plane/people/roles/member-roles.ts';
import { webhooksModule } from '../../control-plane/webhooks/module.ts';
import { buildConsole, signIn, startPeople, type Visitor } from './console.ts';

export interface MessagingConsole {
  readonly kit: ServiceKit;
  /** A new member, signed in, at a page. */
  arrive(
    path: string,
    roles?: Partial<MemberRoles>,
    options?: BrowserContextOptions,
  ): Promise<Visitor>;
  /** A person writes an SMS, through the simulator of the provider. */
  write(from: string, text: string): Promise<void>;
  /** Closes what was visited. */
  leave(): Promise<void>;
  stop(): Promise<void>;
}

/** `env`: environment variables in addition to those of every test. */
export async function startMessagingConsole(
  env: Readonly<Record<string, string>> = {},
): Promise<MessagingConsole> {
  await buildConsole();
  const kit = await startService(env, [webhooksModule, einvoiceModule]);
  const people = await startPeople({ app: kit.app, tenantId: kit.tenantId, url: kit.url });
  const { simulators } = JSON.parse(await readFile(join(kit.home, 'credentials.json'), 'utf8'));
  const body = { provider: 'generic-http-sms', name: 'Support' };
  const number = (await kit.ask('POST /sms/v1/apps/', { body })).body.settings.from;
  return {
    kit,
    arrive: async (path, roles = { role: 'admin' }, options = {}) => {
      const visit = await people.arrive(roles, options);
      await visit.page.goto(path);
      await signIn(visit);
      return visit;
    },
    write: async (from, text) => {
      const response = await fetch(`${simulators['generic-http-sms']}/_control/inbound`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ from: from.slice(1), to: number, text }),
      });
      if (!response.ok) throw new Error(await response.text());
    },
    leave: people.leave,
    stop: async () => {
      await people.stop();
      await kit.stop();
    },
  };
}
