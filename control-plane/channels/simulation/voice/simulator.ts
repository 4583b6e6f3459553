import { type Endpoint, type RunningSimulator, serve } from '../../../simulation/server.ts';
import { type Dialect, type VoiceControl, VoiceNetwork, type VoiceOptions } from './network.ts';

/** The parts of a simulator that differ between voice providers. */
export interface SimulatedVoiceProvider {
  /** The name of the folder. */
  readonly kind: string;
  /** Settings with which a configuration reaches it. */
  readonly settings: Readonly<Record<string, string>>;
  dialect(network: VoiceNetwork): Dialect;
  endpoints(network: VoiceNetwork): readonly Endpoint[];
}

export interface ControlledVoiceSimulator extends RunningSimulator {
  readonly settings: Readonly<Record<string, string>>;
  readonly control: VoiceControl;
}

/**
 * Starts a provider on the loopback interface: it fetches and plays our documents. The last digits
 * of a number decide what becomes of a call to it: `callBehaviourOf`.
 */
export async function startVoiceSimulator(
  { kind, settings, dialect, endpoints }: SimulatedVoiceProvider,
  options: VoiceOptions,
): Promise<ControlledVoiceSimulator> {
  const network = new VoiceNetwork(options, dialect);
  const controls = network.controlEndpoints(kind, () => settings);
  const running = await serve([...endpoints(network), ...controls], options.port ?? 0);
  network.url = running.url;
  return {
    url: running.url,
    settings,
    control: network.control(),
    stop: () => {
      network.stop();
      return running.stop();
    },
  };
}
