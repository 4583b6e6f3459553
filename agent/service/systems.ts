import type { ServiceDefinition } from './definition.ts';
import { launchdDefinition } from './launchd.ts';
import { systemdDefinition } from './systemd.ts';
import { windowsDefinition } from './windows-task.ts';

const systems: Readonly<
  Record<string, (executable: string, env: NodeJS.ProcessEnv) => ServiceDefinition>
> = {
  linux: systemdDefinition,
  darwin: launchdDefinition,
  win32: (executable, env) => windowsDefinition(executable, env.ProgramData ?? 'C:\\ProgramData'),
};

/** Operating systems, by Node's names, on which an agent can be a service. */
export const serviceSystems = Object.keys(systems);

/** The service of an agent with that executable on that system. */
export function serviceDefinitionOf(
  system: string,
  executable: string,
  env: NodeJS.ProcessEnv,
): ServiceDefinition {
  return systems[system]!(executable, env);
}
