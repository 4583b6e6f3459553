import type { Socket } from 'node:net';
import type { SourceDocument } from '@drawbridge/records/document.ts';
import type { z } from 'zod';
import type { AgentCall } from './agent/call.ts';

/** The five patterns of the specification. */
export const patterns = ['API', 'database', 'file', 'agent', 'email'] as const;
export type Pattern = (typeof patterns)[number];

/** Whether trying again can help. */
export type Retry = 'never' | 'later' | { readonly afterSeconds: number };

/**
 * An edge error as the rest of the product sees it; `message` is a sentence that helps a person and
 * holds no secret.
 */
export interface ConnectorFault {
  readonly code: string;
  readonly message: string;
  readonly retry: Retry;
}

export type ReadOutcome =
  | { readonly kind: 'found'; readonly document: SourceDocument }
  /** The source answered, and has no such document. */
  | { readonly kind: 'missing' }
  /** The source holds it but it cannot be used (more than one match, over a limit, unreadable). */
  | { readonly kind: 'unusable'; readonly fault: ConnectorFault }
  /**
   * The source did not answer, or is not set up so that it can; the submission is not at fault.
   * `retry: 'never'` means that a person must act first (a wrong password, a renamed table).
   */
  | { readonly kind: 'unreachable'; readonly fault: ConnectorFault };

/** One column of a section, with a few sample values for people and for mapping inference. */
export interface ColumnDescription {
  readonly section: string;
  readonly origin: string;
  readonly column: string;
  readonly type: string;
  readonly samples: readonly string[];
}

export type DescribeOutcome =
  | { readonly kind: 'described'; readonly columns: readonly ColumnDescription[] }
  | { readonly kind: 'unreachable'; readonly fault: ConnectorFault };

export type TestOutcome =
  | {
      readonly kind: 'ok';
      readonly detail: string;
      /** A few refs that `read` would find, newest first. */
      readonly sampleRefs: readonly string[];
    }
  | { readonly kind: 'failed'; readonly fault: ConnectorFault };

/**
 * One page of refs of documents that changed since `cursor`, oldest first; the cursor is opaque.
 * The fault `cursor_invalid` says that the settings changed under the cursor: begin again without.
 */
export type ListOutcome =
  | {
      readonly kind: 'page';
      readonly refs: readonly string[];
      readonly cursor: string;
      readonly more: boolean;
    }
  | { readonly kind: 'unreachable'; readonly fault: ConnectorFault };

/** What is written into the ERP when an invoice is settled. */
export interface Confirmation {
  readonly invoiceId: string;
  readonly sourceRef: string;
  readonly status: 'cleared' | 'delivered' | 'acknowledged' | 'rejected';
  readonly profile: string;
  readonly uin?: string;
  readonly validationUrl?: string;
  /** UTC instants, ISO 8601. */
  readonly settledAt: string;
  readonly cancellableUntil?: string;
}

export interface WriteBackCommand {
  /** The same command may arrive twice; it is applied once. */
  readonly idempotencyKey: string;
  /** The sandbox writes to `einv_status_sandbox` only, never to the ERP's own tables. */
  readonly environment: 'live' | 'sandbox';
  readonly confirmation: Confirmation;
}

export type WriteBackOutcome =
  | { readonly kind: 'written'; readonly target: string }
  /** This very command had been applied before. */
  | { readonly kind: 'already'; readonly target: string }
  /**
   * The slot holds another invoice's confirmation (`found`: its id), or is not there; a person must
   * look.
   */
  | { readonly kind: 'conflict'; readonly found: string }
  | { readonly kind: 'unsupported' }
  | { readonly kind: 'unreachable'; readonly fault: ConnectorFault };

/** A source that is open. Methods never throw for what a source does; a throw is a bug of ours. */
export interface Connector {
  test(signal: AbortSignal): Promise<TestOutcome>;
  describe(signal: AbortSignal): Promise<DescribeOutcome>;
  read(ref: string, signal: AbortSignal): Promise<ReadOutcome>;
  /** Many at once where the source can; the outcomes stand in the order of `refs`. */
  readMany(refs: readonly string[], signal: AbortSignal): Promise<readonly ReadOutcome[]>;
  list(cursor: string | undefined, signal: AbortSignal): Promise<ListOutcome>;
  writeBack(command: WriteBackCommand, signal: AbortSignal): Promise<WriteBackOutcome>;
  close(): Promise<void>;
}

/** What a kind may use of the outside; given by whoever opens it. */
export interface ConnectorContext {
  readonly clock: () => Date;
  /** Folders in which `files` and `sqlite` may open what settings name; elsewhere is refused. */
  readonly allowedRoots: readonly string[];
  /**
   * Makes a socket, not connected yet, for kinds that dial a server; it may refuse an address (code
   * ERR_ADDRESS_REFUSED). A plain one when left out.
   */
  readonly socket?: () => Socket;
  /** How the `agent` kind reaches its bridge agent; absent where no agent is assigned. */
  readonly agentCall?: AgentCall;
}

/** One kind of source: one folder, one line in the registry. */
export interface ConnectorKind<Settings = unknown> {
  readonly kind: string;
  readonly pattern: Pattern;
  readonly title: string;
  /**
   * Settings as the API, the CLI wizard and the mask see them; a secret field carries
   * `.meta({ secret: true })`.
   */
  readonly settings: z.ZodType<Settings>;
  /** Opens lazily: a source that cannot be reached shows in the outcomes, not here. */
  open(settings: Settings, context: ConnectorContext): Promise<Connector>;
}

/** Limits of one source document (beyond them `read` answers `unusable`) and of the answers. */
export const limits = {
  rowsMax: 50_000,
  valueBytesMax: 1_048_576,
  readTimeoutMs: 30_000,
  refLengthMax: 512,
  /** Refs of one page of `list`. */
  pageSize: 200,
  /** Sample values of one column in `describe`, and the characters of each. */
  samplesMax: 3,
  sampleLengthMax: 200,
} as const;
