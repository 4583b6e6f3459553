/** `live` is production, `sandbox` the test side; nothing made in one is seen from the other. */
export const environments = ['live', 'sandbox'] as const;
export type Environment = (typeof environments)[number];

/** Who a request acts for, once its credential was accepted. */
export interface Principal {
  readonly tenantId: string;
  readonly environment: Environment;
  /** Id of the API key, or of the user of a session. */
  readonly id: string;
  /** Permissions such as `invoices:write`; `*` holds all. */
  readonly scopes: readonly string[];
  /** The tenant's own rate limits by name, per second; what it lacks is the settings'. */
  readonly limits?: Readonly<Record<string, number>>;
}

export type AuthOutcome =
  | { readonly kind: 'accepted'; readonly principal: Principal }
  | {
      readonly kind: 'refused';
      readonly code: RefusalCode;
      /** A sentence for the caller; holds nothing of the credential. */
      readonly detail: string;
    };

export type RefusalCode =
  | 'missing_credentials'
  | 'invalid_credentials'
  | 'revoked_credentials'
  | 'wrong_environment'
  | 'ip_not_allowed';

/** What an authenticator is told of a request. */
export interface Credentials {
  /** The Authorization header as it came. */
  readonly authorization: string | undefined;
  readonly ip: string;
  /** The environment of the address the request came to. */
  readonly environment: Environment;
}

export type Authenticate = (credentials: Credentials) => Promise<AuthOutcome>;

/** True when the principal may do what needs this permission. */
export function permits({ scopes }: Principal, scope: string): boolean {
  return scopes.includes('*') || scopes.includes(scope);
}
