import type { FindingCode } from '@drawbridge/link/findings.ts';
import type { AgentNetwork } from '../network/network.ts';
import type { Runtime } from '../runtime.ts';
import type { Settings } from '../settings.ts';
import type { Home } from '../store/home.ts';
import type { Identity } from '../store/identity.ts';

/** One row of the doctor's report. */
export interface Finding extends CheckedFinding {
  /** What a person should do about it; absent when all is well. */
  readonly action?: string;
}

/** As a check found it. */
export interface CheckedFinding {
  readonly component: string;
  readonly target: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly detail: string;
  /** Says what a person should do about it; absent when all is well. */
  readonly code?: FindingCode;
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
export type Check = (context: CheckContext) => Promise<readonly CheckedFinding[]>;

export const timeoutMs = 10_000;
