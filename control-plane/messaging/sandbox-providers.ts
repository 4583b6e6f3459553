/** The sandbox's providers: simulators on the loopback, with a separate account for each app. */
import type { App } from '../channels/contract.ts';
import { channelSimulator, channels } from '../channels/registry.ts';
import type { AppHistory, ChannelSimulator } from '../channels/simulation/contract.ts';

/** The address of a provider. */
export interface ChannelEndpoint {
  readonly url: string;
  /** Settings for a new app that gives none: an account at a simulator. */
  readonly settings: () => Readonly<Record<string, string>>;
  /** Settings in place of those that an app stored. */
  readonly overriding?: Readonly<Record<string, string>>;
  /**
   * Opens the app's account at a simulator, as its owner would in the provider's console, and
   * teaches it what a provider would remember.
   */
  readonly register?: (app: App, history: AppHistory) => Promise<void>;
}

export interface Chance {
  readonly clock: () => Date;
  /** A number in [0, 1). */
  readonly random: () => number;
}

/** A simulator that runs in the sandbox in place of a provider. */
export type Played = ChannelEndpoint & { stop(): Promise<void> };

type Settings = Readonly<Record<string, string>>;

/** Starts the simulator of each of these providers, on a free port of the loopback. */
export async function startSandboxProviders(
  chance: Chance,
  isWanted: (provider: string) => boolean,
): Promise<ReadonlyMap<string, Played>> {
  const wanted = channels.filter(({ id }) => isWanted(id));
  const played = wanted.map(async ({ id }) => {
    return [id, await play(await channelSimulator(id), chance)] as const;
  });
  return new Map(await Promise.all(played));
}

/** Used until an app registers its address. */
const nowhere = 'http://127.0.0.1:1/';

async function play({ start, account }: ChannelSimulator, chance: Chance): Promise<Played> {
  const simulator = await start({ ...chance, isSending: true, webhookUrl: nowhere });
  const { url } = simulator;
  const common = (await (await fetch(`${url}/_control/settings`)).json()) as Settings;
  const digits = (count: number) =>
    Array.from({ length: count }, () => Math.floor(chance.random() * 10)).join('');
  return {
    url,
    settings: () => ({ ...common, ...account.settings(digits) }),
    overriding: Object.fromEntries(
      Object.entries(common).filter(([name]) => account.addresses?.includes(name)),
    ),
    register: async (app, history) => {
      for (const [name, body] of account.open(app as App<Settings>, history)) {
        await fetch(`${url}/_control/${name}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
      }
    },
    stop: () => simulator.stop(),
  };
}
