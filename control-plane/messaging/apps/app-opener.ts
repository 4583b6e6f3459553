/** Opens apps: decrypts their settings, and adds the addresses of the provider and of our webhooks. */
import { SingleFlight } from '@drawbridge/concurrency/single-flight.ts';
import type { App, Channel } from '../../channels/contract.ts';
import { channelById } from '../../channels/registry.ts';
import type { Environment } from '../../platform/auth/principal.ts';
import type { TenantScope } from '../../platform/auth/tenant-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Secrets } from '../../platform/secrets/secrets.ts';
import type { ChannelEndpoints } from '../channel-endpoints.ts';
import { historyOf } from './history.ts';
import type { AppRow } from './store.ts';

export interface OpenedApp {
  readonly row: AppRow;
  readonly channel: Channel;
  readonly app: App;
}

export interface AppOpenerOptions {
  readonly db: Db;
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

/** SMS providers have an address for each purpose, the others one for all. */
export function webhookAddresses(channel: AppRow['channel'], { callbackUrl }: App) {
  const [inbound, status] = channel === 'sms' ? ['inbound/', 'dlr/'] : ['', ''];
  return { inbound: callbackUrl + inbound, status: callbackUrl + status };
}

export class AppOpener {
  readonly #options: AppOpenerOptions;
  readonly #prepared = new Set<string>();
  readonly #preparing = new SingleFlight<void>();

  constructor(options: AppOpenerOptions) {
    this.#options = options;
  }

  open({ tenantId, environment }: TenantScope, row: AppRow): OpenedApp {
    const { endpoints, publicUrl } = this.#options;
    const channel = channelById(row.provider);
    const path = callbackPaths[row.channel](tenantId, row.id);
    const endpoint = endpoints.of(environment, row.provider);
    const app = {
      id: row.id,
      endpoint: endpoint?.url ?? channel.endpoint,
      settings: channel.settings.parse({ ...this.settingsOf(row), ...endpoint?.overriding }),
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

  /**
   * Registers the app with the provider's simulator, if there is one, and teaches it the app's
   * history; once per process.
   */
  async prepare(scope: TenantScope, opened: OpenedApp): Promise<void> {
    const { row, app } = opened;
    const register = this.#options.endpoints.of(scope.environment, row.provider)?.register;
    const key = `${row.id} ${row.updated_at.getTime()}`;
    if (register === undefined || this.#prepared.has(key)) return;
    await this.#preparing.join(key, async () => {
      await register(app, await historyOf(this.#options.db, scope, row, app, opened.channel));
      this.#prepared.add(key);
    });
  }
}
