import type { z } from 'zod';

/** A request as data: an adapter only writes and reads messages, one dispatcher sends them all. */
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

/** A document for an authority: the bytes of its first emission, and its addressing. */
export interface OutboundDocument {
  readonly invoiceId: string;
  /**
   * This product's id of the document for the authority, the same for all retries (e.g. the SBDH
   * instance id).
   */
  readonly submissionKey: string;
  readonly profile: string;
  /** The exact bytes of the first emission (UTF-8 XML); a retry sends the same bytes. */
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

/** What happened to a document at the authority after its clearance. */
export type AuthorityStatus = 'cancelled' | 'rejection-requested';

/** The outcome of one exchange with the authority for one document. */
export type SubmissionOutcome =
  /** Accepted for processing: ask for the verdict with `reference` after the delay. */
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
   * A fault of the authority or the network, and certainly nothing was accepted: send the same
   * bytes again.
   */
  | { readonly kind: 'retry'; readonly afterMs?: number; readonly reason: string }
  /** It may have been accepted: look it up before anything is sent again. */
  | { readonly kind: 'unknown'; readonly reason: string; readonly afterMs?: number }
  /** Credentials or configuration are wrong: the invoice waits until a person corrects them. */
  | { readonly kind: 'misconfigured'; readonly reason: string };

/** Where an adapter sends; the only thing in which environments differ. */
export interface AuthorityEndpoint {
  readonly baseUrl: string;
  readonly credentials: Readonly<Record<string, string>>;
}

/**
 * Sends one request; throws `WireFault` when no response came. The dispatcher provides it, with
 * timeouts, TLS and address checks.
 */
export type Exchange = (request: WireRequest) => Promise<WireResponse>;

export class WireFault extends Error {
  /** False when no connection was made, so that nothing can have been accepted. */
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
  /** Tokens and similar values, shared by all calls to this endpoint and kept by the caller. */
  readonly cache: Map<string, { value: string; expiresAt: number }>;
}

/** A document whose status is asked for. */
export interface LookUp {
  readonly document: OutboundDocument;
  /** The reference of a `pending` outcome; absent after a lost answer. */
  readonly reference?: string;
  /**
   * When it was last sent. An authority's search lists a document only some time after it arrived,
   * so without this a new document may get the outcome `retry`; the authority then refuses the
   * duplicate.
   */
  readonly sentAt?: Date;
}

/** An incoming message for a sender: a business response, or one that cannot be read. */
export type InboundAnswer =
  | { readonly kind: 'response'; readonly id: string; readonly response: BusinessResponse }
  /** It cannot be read, now or later. */
  | { readonly kind: 'unreadable'; readonly id: string };

/** A business document that came in over a network for one of its participants. */
export type InboundDocument =
  | {
      readonly kind: 'document';
      /** The access point's id of the message, by which it lists it again. */
      readonly id: string;
      /** The network's own id (Peppol: the SBDH instance id), the same for each copy of it. */
      readonly networkId: string;
      readonly sender: { readonly scheme: string; readonly id: string };
      readonly receiver: { readonly scheme: string; readonly id: string };
      /** The document without its envelope. */
      readonly xml: string;
    }
  /** It cannot be read, now or later. */
  | { readonly kind: 'unreadable'; readonly id: string; readonly reason: string };

/** Returns those of the network's message ids that were handled before. */
export type Known = (ids: readonly string[]) => Promise<ReadonlySet<string>>;

/** A receiver's business answer to a delivered document (Peppol: an Invoice Response). */
export interface BusinessResponse {
  /** The number of the invoice it answers. */
  readonly number: string;
  /** The receiver of that invoice, who answers. */
  readonly from: { readonly scheme: string; readonly id: string };
  /** The sender of that invoice. */
  readonly to: { readonly scheme: string; readonly id: string };
  /** When it was issued, if it says so. */
  readonly issuedAt?: Date;
  /**
   * UNCL4343: AB acknowledged, IP in process, UQ query, CA conditionally accepted, RE, AP, PD paid.
   */
  readonly code: string;
  readonly note?: string;
}

/** An authority or network. Outcomes have the order of the documents. */
export interface Authority {
  /** The folder's name. */
  readonly id: string;
  /** Its name for people. */
  readonly title: string;
  /** The endpoint's credentials, all strings; a secret field carries `.meta({ secret: true })`. */
  readonly settings: z.ZodType;
  /** How many documents one `submit` may carry. */
  readonly batchMax: number;
  submit(
    documents: readonly OutboundDocument[],
    context: AuthorityContext,
  ): Promise<readonly SubmissionOutcome[]>;
  /** Asks for the status of pending or unknown documents; never sends a document. */
  lookUp(
    questions: readonly LookUp[],
    context: AuthorityContext,
  ): Promise<readonly SubmissionOutcome[]>;
  /**
   * Recent business answers that are not known yet, oldest first; empty where the network cannot be
   * asked. An answer is listed again until newer ones displace it.
   */
  responses?(context: AuthorityContext, known: Known): Promise<readonly InboundAnswer[]>;
  /**
   * Recent business documents for its participants that are not known yet, oldest first; as with
   * responses they are listed again.
   */
  documents?(context: AuthorityContext, known: Known): Promise<readonly InboundDocument[]>;
  /**
   * What reads a document that the network brings by itself (`POST /v1/networks/{authority}/documents`);
   * undefined when `secret` is not the one that the endpoint's credentials name.
   */
  pushed?(
    secret: string,
    endpoint: AuthorityEndpoint,
  ): ((body: string) => InboundDocument) | undefined;
}
