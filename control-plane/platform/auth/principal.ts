/** `live` is production, `sandbox` is for tests; neither sees what was made in the other. */
export const environments = ['live', 'sandbox'] as const;
/** One of the two environments. */
export type Environment = (typeof environments)[number];

/** Who a request acts for, once its credential was accepted. */
export interface Principal {
  readonly tenantId: string;
  readonly environment: Environment;
  /** Id of the API key, or of the user of a session. */
  readonly id: string;
  /** The session, when a person calls; an API key has none. */
  readonly sessionId?: string;
  /** When the person last showed who they are, in a browser; a caller with a key or a token is not asked. */
  readonly provenAt?: Date;
  /** Who vouched for the person: the own password, or the provider of the session's tenant, and of it alone. */
  readonly signedInBy?: 'password' | 'provider';
  /** Permissions such as `invoices:write`; `*` holds all. */
  readonly scopes: readonly string[];
  /** The tenant's own rate limits by name, per second; for other names the settings hold. */
  readonly limits?: Readonly<Record<string, number>>;
}

/** The accepted principal, or why a credential was refused. */
export type AuthOutcome =
  | { readonly kind: 'accepted'; readonly principal: Principal }
  | {
      readonly kind: 'refused';
      readonly code: RefusalCode;
      /** A sentence for the caller; it contains no part of the credential. */
      readonly detail: string;
      /** Whose credential it is, when it is one of ours: the id of the key. */
      readonly known?: { readonly tenantId: string; readonly id: string };
    };

/** Codes of refused credentials, as in the error table. */
export type RefusalCode =
  | 'missing_credentials'
  | 'invalid_credentials'
  | 'revoked_credentials'
  | 'wrong_environment'
  | 'ip_not_allowed'
  | 'tenant_suspended';

/** What a request tells of the browser that sends it. */
export interface BrowserCall {
  /** The Cookie header as it came. */
  readonly cookie: string | undefined;
  /** Whether a page of this address sends it: others can make a browser send our cookies. */
  readonly isOwnPage: boolean;
  /** Whether the page says that a person did something since its last request; what says nothing comes from nobody. */
  readonly isByPerson: boolean;
  /** Whether the browser speaks TLS with us, or with the proxy before us. */
  readonly isSecure: boolean;
}

/** What an authenticator gets of a request. */
export interface Credentials {
  /** The Authorization header as it came. */
  readonly authorization: string | undefined;
  /** Undefined where no browser can be: of frames and commands. */
  readonly browser?: BrowserCall;
  readonly ip: string;
  /** The environment of the address the request came to. */
  readonly environment: Environment;
}

/** Accepts or refuses the credentials of a request. */
export type Authenticate = (credentials: Credentials) => Promise<AuthOutcome>;

/** True when the principal has this permission. */
export function permits({ scopes }: Principal, scope: string): boolean {
  return scopes.includes('*') || scopes.includes(scope);
}
