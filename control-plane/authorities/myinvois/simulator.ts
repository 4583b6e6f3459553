import { type RunningSimulator, serve } from '../../simulation/server.ts';
import { controlEndpoints, controlOf, type MyInvoisControl } from './simulator/control.ts';
import { providerEndpoints } from './simulator/provider.ts';
import { World } from './simulator/world.ts';

export type { MyInvoisControl } from './simulator/control.ts';

export interface SimulatorOptions {
  readonly clock: () => Date;
  /** In [0, 1): makes identifiers, so a seeded one makes runs repeatable. */
  readonly random: () => number;
  readonly port?: number;
}

export interface MyInvoisSimulator extends RunningSimulator {
  readonly control: MyInvoisControl;
}

/**
 * A loopback MyInvois: the published paths, limits, envelopes and validators, checked by code of
 * its own. Clients `sandbox-client` and `sandbox-intermediary`, secret `sandbox-secret`. Magic
 * invoice numbers end in -CF999 (any CF number: refused with it), -SLOW (ten minutes), -LOST
 * (taken, the answer lost), -503 (first try), -BUYERREJECT; TIN C40400000000 is unknown to the
 * register. Switches and the clock: `control`, or HTTP below `/_control`.
 */
export async function startMyInvoisSimulator({
  clock,
  random,
  port = 0,
}: SimulatorOptions): Promise<MyInvoisSimulator> {
  const world = new World(clock, random);
  const endpoints = [...controlEndpoints(world), ...providerEndpoints(world)];
  const running = await serve(endpoints, port);
  return { ...running, control: controlOf(world) };
}
