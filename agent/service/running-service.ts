/** The service of this host, as the other commands of the agent see it. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Runtime } from '../runtime.ts';
import type { Settings } from '../settings.ts';
import { serviceName } from './definition.ts';
import { serviceUserHome, unitFile } from './systemd.ts';

const unit = `${serviceName}.service`;

/**
 * The home folder of the agent that an upgrade is for: root means that of the service, where there is one
 * and nothing else was said.
 */
export function homeOfInstalled({ home }: Settings, env: Runtime['env']): string {
  const isOfService =
    process.getuid?.() === 0 && !env.DRAWBRIDGE_AGENT_HOME && existsSync(unitFile);
  return isOfService ? join(serviceUserHome, '.drawbridge-agent') : home;
}

/** Whether systemd runs the agent now. */
export function isServiceActive(): boolean {
  if (!existsSync(unitFile)) return false;
  return succeeds('systemctl', 'is-active', '--quiet', unit);
}

/** Starts the service anew; false when it did not say that it is ready. */
export function restartService(): boolean {
  return succeeds('systemctl', 'restart', unit);
}

function succeeds(program: string, ...args: string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false; // it says why in its own log
  }
}
