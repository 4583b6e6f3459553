import type { Edge } from '../edge.ts';
import type { Settings } from '../settings.ts';
import type { Home } from '../store/home.ts';
import type { Identity } from '../store/identity.ts';

/** One row of what the doctor says. */
export interface Finding {
  readonly component: string;
  readonly target: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly detail: string;
  /** What a person does about it; absent when all is well. */
  readonly action?: string;
}

export interface Patient {
  readonly edge: Edge;
  readonly settings: Settings;
  readonly home: Home;
  /** Undefined before enrolment. */
  readonly identity: Identity | undefined;
}

/** Looks at one thing; never throws for what it finds. */
export type Check = (patient: Patient) => Promise<readonly Finding[]>;

export const timeoutMs = 10_000;
