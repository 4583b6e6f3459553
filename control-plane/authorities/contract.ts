import type { z } from 'zod';

/** HTTP as data: an authority adapter is a codec, one dispatcher does all the sending. */
export interface WireRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Path and query below the endpoint's base address, already encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface WireResponse {
  readonly status: number;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What the pipeline hands to an authority: the frozen bytes, and what addressing needs. */
export interface OutboundDocument {
  readonly invoiceId: string;
  /**
   * Our own id for this document towards the authority, stable over retries (e.g. the SBDH instance
   * id).
   */
  readonly submissionKey: string;
  readonly profile: string;
  /** The exact bytes first emitted (UTF-8 XML): resent as they are, never made anew. */
  readonly xml: string;
  readonly number: string;
  /** `YYYY-MM-DD` */
  readonly issueDate: string;
  readonly sender: { readonly scheme: string; readonly id: string; readonly tin?: string };
  readonly receiver: { readonly scheme: string; readonly id: string };
  readonly documentTypeId: string;
  readonly processId: string;
  /** ISO 3166-1 alpha-2 of the sender (C1). */
  readonly countryC1: string;
}

/** A refusal or error of the authority, decoded. `code` is the authority's own. */
export interface AuthorityError {
  readonly code: string;
  readonly message: string;
  /** XPath or JSON pointer as the authority gave it, when it did. */
  readonly location?: string;
  /** The same text as the authority gave it in other languages, by BCP 47 tag (e.g. `ms`). */
  readonly translations?: Readonly<Record<string, string>>;
}

/** What an authority did to a document after it had cleared it. */
export type AuthorityStatus = 'cancelled' | 'rejection-requested';

/** What one exchange with the authority told us about one document. */
export type SubmissionOutcome =
  /** Taken, verdict to come: ask again with `reference` after the delay. */
  | { readonly kind: 'pending'; readonly reference: string; readonly pollAfterMs: number }
  | {
      readonly kind: 'cleared';
      readonly uin: string;
      readonly reference: string;
      readonly validationUrl?: string;
      readonly clearedAt: string;
      readonly cancellableUntil?: string;
      readonly authorityStatus?: AuthorityStatus;
    }
  | { readonly kind: 'delivered'; readonly reference: string; readonly deliveredAt: string }
  | { readonly kind: 'refused'; readonly errors: readonly AuthorityError[] }
  /**
   * The authority's fault or the network's, certain that nothing was taken: send the same bytes
   * again.
   */
  | { readonly kind: 'retry'; readonly afterMs?: number; readonly reason: string }
  /** It may have been taken: look up before anything is sent again. */
  | { readonly kind: 'unknown'; readonly reason: string; readonly afterMs?: number }
  /** Our credentials or configuration are wrong: a person must act; the invoice waits. */
  | { readonly kind: 'misconfigured'; readonly reason: string };

/** Where an adapter sends, per environment: the only thing in which environments differ. */
export interface AuthorityEndpoint {
  readonly baseUrl: string;
  readonly credentials: Readonly<Record<string, string>>;
}

/**
 * Sends one request; throws `WireFault` when no response came. Given by the dispatcher (timeouts,
 * TLS, SSRF are its matter).
 */
export type Exchange = (request: WireRequest) => Promise<WireResponse>;

export class WireFault extends Error {
  /** `sent` false: the connection was refused or never made, so nothing can have been taken. */
  readonly sent: boolean;
  constructor(message: string, sent: boolean) {
    super(message);
    this.name = 'WireFault';
    this.sent = sent;
  }
}

export interface AuthorityContext {
  readonly endpoint: AuthorityEndpoint;
  readonly exchange: Exchange;
  readonly clock: () => Date;
  /** Tokens and the like, shared by all calls to this endpoint, kept by the caller. */
  readonly cache: Map<string, { value: string; expiresAt: number }>;
}

/** One document whose standing is asked. */
export interface LookUp {
  readonly document: OutboundDocument;
  /** From `pending`; absent after a lost answer. */
  readonly reference?: string;
  /**
   * When it was last sent. An authority's search lags behind what it has taken, so without this a
   * fresh document may be answered `retry` (which the authority's own duplicate guard then
   * catches).
   */
  readonly sentAt?: Date;
}

/** A message that came in for a sender and says something of one of his documents, or nothing. */
export type InboundAnswer =
  | { readonly kind: 'response'; readonly id: string; readonly response: BusinessResponse }
  /** It reads as no answer, and will not the next time. */
  | { readonly kind: 'unreadable'; readonly id: string };

/** Which of the network's ids were looked at before. */
export type Known = (ids: readonly string[]) => Promise<ReadonlySet<string>>;

/** A receiver's business answer to a delivered document (Peppol: an Invoice Response). */
export interface BusinessResponse {
  /** The number of the invoice it answers. */
  readonly number: string;
  /** Who answers: the receiver of that invoice. */
  readonly from: { readonly scheme: string; readonly id: string };
  /** Who is answered: the sender of that invoice. */
  readonly to: { readonly scheme: string; readonly id: string };
  /** When it was given, where it says so. */
  readonly issuedAt?: Date;
  /**
   * UNCL4343: AB acknowledged, IP in process, UQ query, CA conditionally accepted, RE, AP, PD paid.
   */
  readonly code: string;
  readonly note?: string;
}

/** An authority or network. Outcomes stand in the order of the documents. */
export interface Authority {
  readonly id: string;
  /** The endpoint's credentials, all strings; a secret field carries `.meta({ secret: true })`. */
  readonly settings: z.ZodType;
  /** How many documents one `submit` may carry. */
  readonly batchMax: number;
  submit(
    documents: readonly OutboundDocument[],
    context: AuthorityContext,
  ): Promise<readonly SubmissionOutcome[]>;
  /** Asks how documents that are pending or unknown stand; it never sends a document. */
  lookUp(
    questions: readonly LookUp[],
    context: AuthorityContext,
  ): Promise<readonly SubmissionOutcome[]>;
  /**
   * Business answers that came in lately and are not known yet, oldest first; empty where the
   * network cannot be asked. Each is listed again until newer ones push it out.
   */
  responses?(context: AuthorityContext, known: Known): Promise<readonly InboundAnswer[]>;
}
