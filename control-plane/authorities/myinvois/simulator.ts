import { type RunningSimulator, serve } from '../../simulation/server.ts';
import type { AuthoritySimulator, AuthoritySimulatorOptions } from '../simulation/contract.ts';
import { controlEndpoints, controlOf, type MyInvoisControl } from './simulator/control.ts';
import { providerEndpoints } from './simulator/endpoints.ts';
import { SimulatorState } from './simulator/state.ts';

export type { MyInvoisControl } from './simulator/control.ts';

export interface MyInvoisSimulator extends RunningSimulator {
  readonly control: MyInvoisControl;
}

/**
 * A simulator of MyInvois on loopback: the published paths, limits, envelopes and validators, in
 * separate code. Clients `sandbox-client` and `sandbox-intermediary`, secret `sandbox-secret`.
 * Magic invoice numbers end in -CF999 (any CF number: refused with it), -SLOW (ten minutes), -LOST
 * (accepted, but the answer is lost), -503 (first try), -BUYERREJECT; the TIN C40400000000 is not
 * registered. Switches and the clock: `control`, or HTTP below `/_control`.
 */
export async function startMyInvoisSimulator({
  clock,
  random,
  port = 0,
}: AuthoritySimulatorOptions): Promise<MyInvoisSimulator> {
  const state = new SimulatorState(clock, random);
  const endpoints = [...controlEndpoints(state), ...providerEndpoints(state)];
  const running = await serve(endpoints, port);
  return { ...running, control: controlOf(state) };
}

export const simulator: AuthoritySimulator = {
  credentials: { client_id: 'sandbox-client', client_secret: 'sandbox-secret' },
  start: startMyInvoisSimulator,
};
