import type { Authenticate, Principal } from '../auth/principal.ts';
import type { ErrorRow } from './errors.ts';
import type { AnyRoute } from './route.ts';

/** One API: its routes, its errors, its authentication and its rate limits. */
export interface Service {
  /** Its word in the audit log. */
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly routes: readonly AnyRoute[];
  readonly errors: Readonly<Record<string, ErrorRow>>;
  readonly authenticate: Authenticate;
  /** Counts one request against the named limit; without it nothing is limited. */
  readonly count?: (limit: string, principal: Principal) => Promise<LimitVerdict>;
}

/** What a rate limit says of one request. */
export interface LimitVerdict {
  readonly isGranted: boolean;
  readonly max: number;
  readonly windowMs: number;
  /** How many more are granted now. */
  readonly remaining: number;
  /** Milliseconds from now until one more is granted; 0 when some remain. */
  readonly retryAfterMs: number;
}
