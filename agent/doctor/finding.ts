import type { AgentNetwork } from '../network/network.ts';
import type { Runtime } from '../runtime.ts';
import type { Settings } from '../settings.ts';
import type { Home } from '../store/home.ts';
import type { Identity } from '../store/identity.ts';

/** One row of the doctor's report. */
export interface Finding {
  readonly component: string;
  readonly target: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly detail: string;
  /** What a person should do about it; absent when all is well. */
  readonly action?: string;
}

interface CheckContext {
  readonly runtime: Runtime;
  readonly settings: Settings;
  readonly home: Home;
  /** Undefined before enrolment. */
  readonly identity: Identity | undefined;
  /** Undefined when its certificates cannot be read. */
  readonly network: AgentNetwork | undefined;
}

/** Checks one thing; returns faults as findings and never throws for them. */
export type Check = (patient: CheckContext) => Promise<readonly Finding[]>;

export const timeoutMs = 10_000;
