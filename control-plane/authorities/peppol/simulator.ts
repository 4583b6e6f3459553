import { type RunningSimulator, serve } from '../../simulation/server.ts';
import { controlEndpoints, controlOf, type PeppolControl } from './simulator/control.ts';
import { phase4Endpoints } from './simulator/phase4.ts';
import { phossApEndpoints } from './simulator/phoss-ap.ts';
import { World } from './simulator/world.ts';

export type { PeppolControl } from './simulator/control.ts';

export interface SimulatorOptions {
  readonly clock: () => Date;
  /** In [0, 1): makes identifiers, so a seeded one makes runs repeatable. */
  readonly random: () => number;
  readonly port?: number;
}

export interface PeppolSimulator extends RunningSimulator {
  readonly control: PeppolControl;
}

/**
 * A loopback access point in both dialects, with the network and its receivers behind it. X-Token
 * `sandbox-token`. The last four digits of the receiver's value choose what happens
 * (`magicEndings`): 9991 is not registered, 9992 not serviced, 9993 gives no signal, 9994 rejects
 * by MLS, 9995 acknowledges and accepts later, 9996 sends no MLS, 9997 has an expired certificate,
 * 9998 fails once … Switches and the clock: `control`, or HTTP below `/_control`.
 */
export async function startPeppolSimulator({
  clock,
  random,
  port = 0,
}: SimulatorOptions): Promise<PeppolSimulator> {
  const world = new World(clock, random);
  const endpoints = [
    ...controlEndpoints(world),
    ...phossApEndpoints(world),
    ...phase4Endpoints(world),
  ];
  const running = await serve(endpoints, port);
  return { ...running, control: controlOf(world) };
}
