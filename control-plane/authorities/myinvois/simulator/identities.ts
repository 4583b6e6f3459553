/** An API client: a taxpayer's own ERP, or an intermediary that acts for others. */
export interface Client {
  readonly id: string;
  readonly secret: string;
  readonly kind: 'taxpayer' | 'intermediary';
  /** TIN of its owner; `*` lets it submit for any supplier (a sandbox convenience, not LHDN's). */
  readonly tin: string;
  /** TINs an intermediary may represent; absent: any. */
  readonly represents?: readonly string[];
  /** A client made for the other environment: it is refused with 403. */
  readonly isForeign?: boolean;
}

/** A registered taxpayer, for the TIN search and the checks of number pairs. */
export interface Taxpayer {
  readonly tin: string;
  readonly name: string;
  readonly idType: string;
  readonly idValue: string;
}

/** The caller of a call. */
export interface Identity {
  readonly clientId: string;
  readonly isIntermediary: boolean;
  /** TIN of the taxpayer whose documents these are: the represented one, or the client's own. */
  readonly taxpayer: string;
  /** Supplier TINs it may submit: `*` for any. */
  readonly mayIssue: string;
}

/** Clients that every simulator knows, for users of the sandbox. */
const sandboxClients: readonly Client[] = [
  { id: 'sandbox-client', secret: 'sandbox-secret', kind: 'taxpayer', tin: '*' },
  { id: 'sandbox-intermediary', secret: 'sandbox-secret', kind: 'intermediary', tin: '*' },
  {
    id: 'production-client',
    secret: 'sandbox-secret',
    kind: 'taxpayer',
    tin: '*',
    isForeign: true,
  },
];

/** TIN that no taxpayer has: a buyer or supplier with it is refused by the taxpayer validator. */
export const unknownTin = 'C40400000000';

export class Identities {
  readonly clients = new Map(sandboxClients.map((client) => [client.id, client]));
  readonly taxpayers = new Map<string, Taxpayer>();
  readonly #tokens = new Map<string, { identity: Identity; expiresAt: number }>();
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  /** Issues a token, or gives the OAuth error code. */
  logIn(
    form: URLSearchParams,
    onBehalfOf: string | undefined,
    expiresAt: Date,
  ): { token: string } | { error: string; status: number } {
    const client = this.clients.get(form.get('client_id') ?? '');
    if (form.get('grant_type') === null) return { error: 'invalid_request', status: 400 };
    if (form.get('grant_type') !== 'client_credentials') {
      return { error: 'unsupported_grant_type', status: 400 };
    }
    if (client === undefined || client.secret !== form.get('client_secret')) {
      return { error: 'invalid_client', status: 400 };
    }
    if (client.isForeign === true) return { error: 'forbidden', status: 403 };
    if ((form.get('scope') ?? 'InvoicingAPI') !== 'InvoicingAPI') {
      return { error: 'invalid_scope', status: 400 };
    }
    const represented = onBehalfOf?.split(':')[0];
    if (represented !== undefined && !mayRepresent(client, represented)) {
      return { error: 'unauthorised_client', status: 400 };
    }
    const token = `sim-${code(this.#random, 40)}`;
    this.#tokens.set(token, {
      identity: {
        clientId: client.id,
        isIntermediary: client.kind === 'intermediary',
        taxpayer: represented ?? (client.tin === '*' ? client.id : client.tin),
        mayIssue: represented ?? client.tin,
      },
      expiresAt: expiresAt.getTime(),
    });
    return { token };
  }

  /** The caller with this bearer token, if it is valid. */
  bearer(authorization: string, now: Date): Identity | undefined {
    const known = this.#tokens.get(authorization.replace(/^Bearer\s+/i, ''));
    return known !== undefined && known.expiresAt > now.getTime() ? known.identity : undefined;
  }

  /** Makes every token invalid, as a restart of the identity service does. */
  revokeTokens(): void {
    this.#tokens.clear();
  }
}

function mayRepresent(client: Client, tin: string): boolean {
  if (client.kind !== 'intermediary') return false;
  return client.represents === undefined || client.represents.includes(tin);
}

const alphabet = 'ABCDEFGHJKMNPQRSTVWXYZ0123456789';

/** A random code of capital letters and digits. */
export function code(random: () => number, length: number): string {
  return Array.from(
    { length },
    () => alphabet[Math.floor(random() * alphabet.length) % alphabet.length],
  ).join('');
}
