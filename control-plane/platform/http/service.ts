import type { Authenticate, Principal } from '../auth/principal.ts';
import type { ErrorRow } from './errors.ts';
import type { AnyRoute } from './route.ts';

/** One API: its rows, its errors, how it knows its callers and how much it lets them do. */
export interface Service {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly routes: readonly AnyRoute[];
  readonly errors: Readonly<Record<string, ErrorRow>>;
  readonly authenticate: Authenticate;
  /** Counts one request against the named limit; none: nothing is limited. */
  readonly count?: (limit: string, principal: Principal) => Promise<LimitVerdict>;
}

/** What a rate limit says to one request. */
export interface LimitVerdict {
  readonly isGranted: boolean;
  readonly max: number;
  readonly windowMs: number;
  /** How many more are granted now. */
  readonly remaining: number;
  /** When one more is granted, from now; 0 when there are some left. */
  readonly retryAfterMs: number;
}
