import type { Environment } from '../platform/auth/principal.ts';
import type { Shape } from './administration.ts';

/** The tenant and environment of the voice providers. */
export interface ScopeOptions extends Shape {
  readonly tenant: string;
  readonly environment: Environment;
}

/** Options of a configuration, both for adding and for updating it. */
export interface ProviderOptions {
  readonly name?: string;
  readonly from?: string;
  readonly settings?: string;
  readonly callsPerSecond?: string;
  readonly recordingPolicy?: string;
  readonly recordingDays?: string;
}

export interface AddOptions extends ScopeOptions, ProviderOptions {
  readonly provider: string;
}
