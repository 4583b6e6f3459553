/** Opens apps: decrypts their settings, and adds the addresses of the provider and of our webhooks. */
import type { App, Channel } from '../../channels/contract.ts';
import { channelById } from '../../channels/registry.ts';
import type { Environment } from '../../platform/auth/principal.ts';
import type { TenantScope } from '../../platform/auth/tenant-scope.ts';
import type { Secrets } from '../../platform/secrets/secrets.ts';
import type { ChannelEndpoints } from '../channel-endpoints.ts';
import type { AppRow } from './store.ts';

export interface OpenedApp {
  readonly row: AppRow;
  readonly channel: Channel;
  readonly app: App;
}

export interface AppOpenerOptions {
  readonly secrets: Secrets;
  readonly endpoints: ChannelEndpoints;
  readonly publicUrl: (environment: Environment) => string;
}

/** Webhooks of the chat app are per tenant, the others per app, as their paths say. */
const callbackPaths = {
  wa: (tenantId: string) => `/wa/v1/webhooks/${tenantId}/`,
  sms: (_: string, appId: string) => `/sms/v1/webhooks/${appId}/`,
  botchat: (_: string, appId: string) => `/botchat/v1/webhooks/${appId}/`,
  rcs: (_: string, appId: string) => `/rcs/v1/webhooks/${appId}/`,
} as const;

export class AppOpener {
  readonly #options: AppOpenerOptions;
  readonly #prepared = new Set<string>();

  constructor(options: AppOpenerOptions) {
    this.#options = options;
  }

  open({ tenantId, environment }: TenantScope, row: AppRow): OpenedApp {
    const { endpoints, publicUrl } = this.#options;
    const channel = channelById(row.provider);
    const path = callbackPaths[row.channel](tenantId, row.id);
    const app = {
      id: row.id,
      endpoint: endpoints.of(environment, row.provider)?.url ?? channel.endpoint,
      settings: channel.settings.parse(this.settingsOf(row)),
      callbackUrl: publicUrl(environment) + path,
    };
    return { row, channel, app };
  }

  /** The settings with their secrets. */
  settingsOf({ id, settings }: AppRow): Readonly<Record<string, unknown>> {
    return JSON.parse(this.#options.secrets.open(settings, id)) as Record<string, unknown>;
  }

  seal(id: string, settings: unknown): string {
    return this.#options.secrets.seal(JSON.stringify(settings), id);
  }

  /** Settings that the sandbox fills in when an app leaves them out. */
  defaults(environment: Environment, provider: string): Readonly<Record<string, string>> {
    return this.#options.endpoints.of(environment, provider)?.settings() ?? {};
  }

  /** Registers the app with the provider's simulator, if there is one; once per process. */
  async prepare({ environment }: TenantScope, { row, app }: OpenedApp): Promise<void> {
    const register = this.#options.endpoints.of(environment, row.provider)?.register;
    const key = `${row.id} ${row.updated_at.getTime()}`;
    if (register === undefined || this.#prepared.has(key)) return;
    await register(app);
    this.#prepared.add(key);
  }
}
