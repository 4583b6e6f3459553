import { type RunningSimulator, serve } from '../../simulation/server.ts';
import type { AuthoritySimulator, AuthoritySimulatorOptions } from '../simulation/contract.ts';
import { controlEndpoints, controlOf, type PeppolControl } from './simulator/control.ts';
import { phase4Endpoints } from './simulator/phase4.ts';
import { phossApEndpoints } from './simulator/phoss-ap.ts';
import { SimulatorState } from './simulator/state.ts';

export type { PeppolControl } from './simulator/control.ts';

export interface PeppolSimulator extends RunningSimulator {
  readonly control: PeppolControl;
}

/**
 * A simulator on loopback of an access point in both dialects, with the network and its receivers.
 * X-Token `sandbox-token`. The last four digits of the receiver's value choose what happens
 * (`magicEndings`): 9991 is not registered, 9992 not serviced, 9993 gives no signal, 9994 rejects
 * by MLS, 9995 acknowledges and accepts later, 9996 sends no MLS, 9997 has an expired certificate,
 * 9998 fails once … Switches and the clock: `control`, or HTTP below `/_control`.
 */
export async function startPeppolSimulator({
  clock,
  random,
  port = 0,
}: AuthoritySimulatorOptions): Promise<PeppolSimulator> {
  const state = new SimulatorState(clock, random);
  const endpoints = [
    ...controlEndpoints(state),
    ...phossApEndpoints(state),
    ...phase4Endpoints(state),
  ];
  const running = await serve(endpoints, port);
  return { ...running, control: controlOf(state) };
}

export const simulator: AuthoritySimulator = {
  credentials: { dialect: 'phoss-ap', token: 'sandbox-token' },
  start: startPeppolSimulator,
};
