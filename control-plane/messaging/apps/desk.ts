/** Apps as they are used: opened, with the address of their provider and of their webhooks. */
import type { App, Channel } from '../../channels/contract.ts';
import { channelById } from '../../channels/registry.ts';
import type { Environment } from '../../platform/auth/principal.ts';
import type { Secrets } from '../../platform/secrets/secrets.ts';
import type { ChannelEndpoints } from '../channel-endpoints.ts';
import type { Place } from '../contacts/store.ts';
import type { AppRow } from './store.ts';

export interface OpenedApp {
  readonly row: AppRow;
  readonly channel: Channel;
  readonly app: App;
}

export interface AppDeskOptions {
  readonly secrets: Secrets;
  readonly endpoints: ChannelEndpoints;
  readonly publicUrl: (environment: Environment) => string;
}

/** Webhooks of the chat app come for a tenant, of the others for an app, as their paths say. */
const callbackPaths = {
  wa: (tenantId: string) => `/wa/v1/webhooks/${tenantId}/`,
  sms: (_: string, appId: string) => `/sms/v1/webhooks/${appId}/`,
  botchat: (_: string, appId: string) => `/botchat/v1/webhooks/${appId}/`,
  rcs: (_: string, appId: string) => `/rcs/v1/webhooks/${appId}/`,
} as const;

export class AppDesk {
  readonly #options: AppDeskOptions;
  readonly #prepared = new Set<string>();

  constructor(options: AppDeskOptions) {
    this.#options = options;
  }

  open({ tenantId, environment }: Place, row: AppRow): OpenedApp {
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

  /** The settings as they were given, secrets and all. */
  settingsOf({ id, settings }: AppRow): Readonly<Record<string, unknown>> {
    return JSON.parse(this.#options.secrets.open(settings, id)) as Record<string, unknown>;
  }

  seal(id: string, settings: unknown): string {
    return this.#options.secrets.seal(JSON.stringify(settings), id);
  }

  /** What an app of the sandbox needs no settings of its own for. */
  defaults(environment: Environment, provider: string): Readonly<Record<string, string>> {
    return this.#options.endpoints.of(environment, provider)?.settings() ?? {};
  }

  /** Opens the app's account where a simulator plays its provider; once while this process runs. */
  async prepare({ environment }: Place, { row, app }: OpenedApp): Promise<void> {
    const register = this.#options.endpoints.of(environment, row.provider)?.register;
    const key = `${row.id} ${row.updated_at.getTime()}`;
    if (register === undefined || this.#prepared.has(key)) return;
    await register(app);
    this.#prepared.add(key);
  }
}
