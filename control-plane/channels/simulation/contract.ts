/** What the product knows of a simulator: each adapter's registry entry names one. */
import type { RunningSimulator } from '../../simulation/server.ts';
import type { MagicTable } from './control-endpoints.ts';
import type { ProviderOptions } from './simulated-provider.ts';
import type { VoiceOptions } from './voice/network.ts';

/** Options of every simulated channel. */
interface ChannelSimulatorOptions extends ProviderOptions {
  /** The address for webhooks; for SMS only inbound messages. */
  readonly webhookUrl: string;
  /** Messages a second; absent: the provider's own limit. */
  readonly messagesPerSecond?: number;
}

/** A simulated channel that can run as a separate process, and play its provider in the sandbox. */
export interface ChannelSimulator {
  /** The name of the folder. */
  readonly kind: string;
  readonly magic: MagicTable;
  readonly account: SandboxAccount;
  start(options: ChannelSimulatorOptions): Promise<RunningSimulator>;
}

type Settings = Readonly<Record<string, string>>;

/** What a provider knows of an app, and its simulator only until its process ends. */
export interface AppHistory {
  readonly templates: readonly {
    readonly id: string;
    readonly status: string;
    /** The body with which it was submitted. */
    readonly submission: object;
  }[];
  /** Who wrote to the app, by phone number or the network's id. */
  readonly people: readonly {
    readonly address: string;
    readonly wroteAt: string;
    readonly isBlocking: boolean;
  }[];
}

type ControlCall = readonly [name: string, body: object];

/** The account at the simulator that each app of the sandbox gets. */
export interface SandboxAccount {
  /** The settings that differ between the apps of one simulator; `digits` gives random ones. */
  settings(digits: (count: number) => string): Settings;
  /** Settings that say where the simulator is. An app may have stored those of an earlier start. */
  readonly addresses?: readonly string[];
  /** The control calls that open the account, and teach the simulator the app's history. */
  open(
    app: { readonly settings: Settings; readonly callbackUrl: string },
    history: AppHistory,
  ): readonly ControlCall[];
}

interface RunningVoiceSimulator extends RunningSimulator {
  /** Settings with which a configuration reaches this simulator. */
  readonly settings: Settings;
}

/** A simulated voice provider or PBX. */
export interface VoiceSimulator {
  /** The name of the folder. */
  readonly kind: string;
  /**
   * A secret in `settings` that the simulator must know again after a restart, because stored
   * configurations name it: the name of its file in DRAWBRIDGE_HOME, and how it is made.
   */
  readonly secret?: { readonly file: string; make(): string };
  start(options: VoiceOptions & { readonly secret?: string }): Promise<RunningVoiceSimulator>;
}
