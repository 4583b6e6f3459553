import type { Socket } from 'node:net';
import type { Draft } from '@drawbridge/cim/draft.ts';
import type { Method, Params, Result } from '@drawbridge/link/methods.ts';
import type { FoundCompanyValue } from '@drawbridge/mapping/discovery/found-company.ts';
import type { CreditNotes } from '@drawbridge/mapping/discovery/sections/credit-notes.ts';
import type { ShownDocument } from '@drawbridge/mapping/discovery/shown-document.ts';
import type { Join } from '@drawbridge/mapping/mapping.ts';
import type { SourceDocument } from '@drawbridge/records/document.ts';
import type { z } from 'zod';
import type { Network } from './outbound/network.ts';

/** The five patterns of the specification. */
export const patterns = ['API', 'database', 'file', 'agent', 'email'] as const;
/** One of the five patterns. */
export type Pattern = (typeof patterns)[number];

/** Whether trying again can help. */
export type Retry = 'never' | 'later' | { readonly afterSeconds: number };

/**
 * A fault of a source as the rest of the product sees it; `message` is a sentence that helps a
 * person and holds no secret.
 */
export interface ConnectorFault {
  readonly code: string;
  readonly message: string;
  readonly retry: Retry;
}

/** The source did not answer, or is not set up so that it can. */
export interface Unreachable {
  readonly kind: 'unreachable';
  readonly fault: ConnectorFault;
}

/** What reading one document came to. */
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
  | Unreachable;

/** One column of a section, with a few sample values for people and for mapping inference. */
export interface ColumnDescription {
  readonly section: string;
  readonly origin: string;
  readonly column: string;
  readonly type: string;
  readonly samples: readonly string[];
}

/** The columns of a source, or why they cannot be read. */
export type DescribeOutcome =
  | {
      readonly kind: 'described';
      readonly columns: readonly ColumnDescription[];
      /** Sections whose row is found by a column of another section's row. */
      readonly joins?: Readonly<Record<string, Join>> | undefined;
    }
  | Unreachable;

/** A table, file or sheet of a source, for a person to know it by. */
export interface FoundPlace {
  readonly name: string;
  /** About how many; absent where nothing says so. */
  readonly rows?: number | undefined;
  readonly columns: number;
  /** Its declared key; empty where there is none. */
  readonly key: readonly string[];
  /** Columns of dates, each with the latest that was seen. */
  readonly dates: readonly { readonly column: string; readonly latest: string }[];
}

/** A way in which the documents of a source may be read. */
export interface LayoutProposal {
  /** What it is taken from: "FrontAccounting 2.4 (tables 0_…)", "the tables themselves". */
  readonly title: string;
  readonly documents: 'invoices' | 'credit notes';
  /**
   * The members of the kind's settings that `ConnectorKind.layout` names, to be put in place of those
   * that are there.
   */
  readonly layout: Readonly<Record<string, unknown>>;
  /** Why, a sentence each, by section or other part of the layout. */
  readonly reasons: Readonly<Record<string, string>>;
  /** 0 to 1. */
  readonly confidence: number;
  /** What a person should know of it, a sentence each. */
  readonly notes: readonly string[];
  /** Codes of the source → categories of UNCL5305, for a person to confirm. */
  readonly taxCodes?: Readonly<Record<string, string>> | undefined;
}

/** What a person has said of a source that is looked through. */
export interface DiscoverWish {
  /** The table in which the invoices stand. */
  readonly header?: string | undefined;
}

/** What a source holds, and how its invoices may be read. */
export type DiscoverOutcome =
  | {
      readonly kind: 'discovered';
      /** The source as people know it, without credentials: "PostgreSQL at db:5432/erp". */
      readonly source: string;
      /** What the server says it is: "MariaDB 10.11.6"; empty where there is none. */
      readonly product: string;
      readonly places: readonly FoundPlace[];
      /** The surest first; empty when nothing looks like invoices. */
      readonly layouts: readonly LayoutProposal[];
      /** Other places that might hold the header, the likeliest first. */
      readonly alternatives: readonly string[];
      readonly creditNotes: CreditNotes;
      /** What it says of the company whose books it keeps, for a person to confirm. */
      readonly company: readonly FoundCompanyValue[];
      /** The newest documents, read as the first layout says. */
      readonly documents: readonly ShownDocument[];
      /** What was left out or could not be read, and why, in plain words. */
      readonly notes: readonly string[];
    }
  /** The kind has nothing to look through. */
  | { readonly kind: 'unsupported' }
  | Unreachable;

/** Whether a source answers. */
export type TestOutcome =
  | {
      readonly kind: 'ok';
      readonly detail: string;
      /** A few refs that `read` would find, newest first. */
      readonly sampleRefs: readonly string[];
      /** What keeps confirmations from being written, found without writing one. */
      readonly writeBack?: ConnectorFault;
    }
  | { readonly kind: 'failed'; readonly fault: ConnectorFault };

/**
 * One page of refs of documents that changed since `cursor`, oldest first; the cursor is opaque.
 * The fault `cursor_invalid` says that the settings changed since: list again without a cursor.
 */
export type ListOutcome =
  | {
      readonly kind: 'page';
      readonly refs: readonly string[];
      /** What grows when each of them changes, as text; absent where the source tells nothing. */
      readonly versions?: readonly string[];
      readonly cursor: string;
      readonly more: boolean;
    }
  | Unreachable;

/** What is written into the ERP when an invoice is settled. */
export interface Confirmation {
  readonly invoiceId: string;
  readonly sourceRef: string;
  /** `invalid`: our checks rejected it, and it was never sent; `cancelled`: by its authority, after it was cleared. */
  readonly status: 'cleared' | 'delivered' | 'acknowledged' | 'rejected' | 'invalid' | 'cancelled';
  readonly profile: string;
  readonly uin?: string;
  readonly validationUrl?: string;
  /** UTC instants, ISO 8601. */
  readonly settledAt: string;
  readonly cancellableUntil?: string;
  /** Earlier invoices of the document that were rejected or cancelled: what is stored of them is replaced. */
  readonly replaces?: readonly string[];
}

/** A confirmation to write for one document. */
export interface WriteBackCommand {
  /** The same command may arrive twice; it is applied once. */
  readonly idempotencyKey: string;
  /** The sandbox writes to `einv_status_sandbox` only, never to the ERP's own tables. */
  readonly environment: 'live' | 'sandbox';
  readonly confirmation: Confirmation;
}

/** What writing a confirmation came to; `target` names the table or file. */
export type WriteBackOutcome =
  | { readonly kind: 'written'; readonly target: string }
  /** This command was applied before. */
  | { readonly kind: 'already'; readonly target: string }
  /**
   * Another invoice's confirmation is stored for this document (`found`: its id), or there is no
   * place to store one. A person must look at it.
   */
  | { readonly kind: 'conflict'; readonly found: string }
  | { readonly kind: 'unsupported' }
  | Unreachable;

/** A supplier's document, to be put into the ERP as a draft or taken out of it again. */
export interface ImportCommand {
  /** The same command may arrive twice; it is applied once. */
  readonly idempotencyKey: string;
  /** The sandbox writes to its own side tables and folders only. */
  readonly environment: 'live' | 'sandbox';
  /** `undo` takes the draft out, unless somebody has gone on with it in the ERP. */
  readonly action: 'import' | 'undo';
  readonly document: {
    /** Its id in this product. */
    readonly id: string;
    readonly profile?: string;
    /** The network or source that it came from, and its id there. */
    readonly source: string;
    readonly networkId: string;
    /** UTC, ISO 8601. */
    readonly receivedAt: string;
    readonly draft: Draft;
    /** The document as it came; left out where it is too large for the way. */
    readonly xml?: string;
  };
}

/** A document of a supplier that its authority is asked to have cancelled. */
export interface RejectionCommand {
  /** As `list` names it. */
  readonly ref: string;
  /** For the supplier, at most 300 characters. */
  readonly reason: string;
}

/** What asking for a rejection came to. */
export type RejectionOutcome =
  | { readonly kind: 'rejected' }
  /** It was asked for before. */
  | { readonly kind: 'already' }
  /** The authority does not take it, now or later. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unsupported' }
  | Unreachable;

/**
 * An open source. Methods return a source's faults as outcomes; a throw is a bug of this product. Each
 * ends within the time limit of its context, or as soon as its signal aborts, and what it was doing in
 * the source is stopped there too. Reading cannot write, and answers within `limits`.
 */
export interface Connector {
  /** Logs in to the source, and names a few documents that could be read. */
  test(signal: AbortSignal): Promise<TestOutcome>;
  /** The columns of the source, with samples. */
  describe(signal: AbortSignal): Promise<DescribeOutcome>;
  /**
   * Looks through all of the source for what an invoice consists of, whatever the layout in the settings
   * says; absent where a kind has nothing to look through.
   */
  discover?(wish: DiscoverWish, signal: AbortSignal): Promise<DiscoverOutcome>;
  /** Reads the document that `ref` names. */
  read(ref: string, signal: AbortSignal): Promise<ReadOutcome>;
  /** Many at once where the source can; the outcomes stand in the order of `refs`. */
  readMany(refs: readonly string[], signal: AbortSignal): Promise<readonly ReadOutcome[]>;
  /** The next page of changed documents; without a cursor the first one. */
  list(cursor: string | undefined, signal: AbortSignal): Promise<ListOutcome>;
  /**
   * What `list` answered was not stored: it is listed again. Absent where a source remembers nothing of what
   * it has listed.
   */
  forgetListed?(): void;
  /**
   * The next page of all documents there are, in an order that changes do not alter, so that what `list`
   * could not see is found: what was committed late, or has gone. Its pages may be larger, and its cursor
   * is of its own. Absent where a source cannot tell.
   */
  listAll?(cursor: string | undefined, signal: AbortSignal): Promise<ListOutcome>;
  /**
   * Whether it is told of documents that our checks rejected (`invalid`). Others are not: a confirmation in a
   * row changes the row, and what was rejected is submitted again when it changes.
   */
  readonly takesInvalid?: boolean;
  /** Writes a confirmation into the ERP, once for each idempotency key. */
  writeBack(command: WriteBackCommand, signal: AbortSignal): Promise<WriteBackOutcome>;
  /**
   * Resolves when a document may be new or changed, so that it is listed early, and when `signal`
   * aborts; absent where a source tells nothing by itself. What is new is decided by `list` alone.
   */
  changed?(signal: AbortSignal): Promise<void>;
  /**
   * Puts a draft into the ERP, or takes it out again; `already` when that is done. Absent where the
   * kind takes none.
   */
  importDraft?(command: ImportCommand, signal: AbortSignal): Promise<WriteBackOutcome>;
  /**
   * Asks the authority that holds a supplier's document to have it cancelled; once in effect, however often
   * it is asked. Absent where the kind takes no rejections.
   */
  rejectDocument?(command: RejectionCommand, signal: AbortSignal): Promise<RejectionOutcome>;
  /** Closes connections and files; the connector is not used afterwards. */
  close(): Promise<void>;
}

/** What a bridge agent can be asked to do with one of its connectors. */
export type AgentMethod = Exclude<Method, 'connectors.list'>;

/** The answer of a bridge agent to a call. */
export type AgentReply<M extends AgentMethod = AgentMethod> =
  /** The outcome; whoever brings it has checked it by the method's schema. */
  | { readonly kind: 'answered'; readonly result: Result<M> }
  /** The agent is offline, did not answer in time, or gave an answer that does not read. */
  | Unreachable;

/** Asks the bridge agent; settles when it answers, is found offline, or `signal` aborts. */
export type AgentCall = <M extends AgentMethod>(
  method: M,
  params: Params<M>,
  signal: AbortSignal,
) => Promise<AgentReply<M>>;

/** The effects that a kind may use, passed by its caller. */
export interface ConnectorContext {
  readonly clock: () => Date;
  /** Folders in which `files` and `sqlite` may open what settings name; elsewhere is refused. */
  readonly allowedRoots: readonly string[];
  /** Whose source it is: a process that has read for one owner never reads for another. */
  readonly owner?: string;
  /** Milliseconds that one call may take: `limits.callTimeoutMs` when left out. */
  readonly timeoutMs?: number;
  /**
   * Makes an unconnected socket for kinds that connect to a server; it may refuse an address (code
   * ERR_ADDRESS_REFUSED). Default: a plain socket.
   */
  readonly socket?: () => Socket;
  /** Proxies and trusted certificates of this host, for kinds that connect to a server. */
  readonly network?: Network;
  /** How the `agent` kind reaches its bridge agent; absent where no agent is assigned. */
  readonly agentCall?: AgentCall;
}

/** What settings name outside this product, and which of their members names it. */
export type NamedPlace =
  | { readonly kind: 'path'; readonly member: string; readonly path: string }
  | { readonly kind: 'host'; readonly member: string; readonly host: string };

/**
 * How a person says in one line where a source is, besides a password; what the line says goes into the
 * settings that are named here.
 */
export type AddressForm =
  /** `scheme://user@host:port/database`: `host`, `port`, `database`, `user`. The first scheme is proposed. */
  | { readonly kind: 'server'; readonly schemes: readonly string[]; readonly port: number }
  /** `scheme://user@host:port/MAILBOX`: `host`, `port`, `mailbox`, `user`. */
  | { readonly kind: 'mailbox'; readonly schemes: readonly string[]; readonly port: number }
  /** The path of a file that begins with `mark`: `file`. */
  | { readonly kind: 'file'; readonly mark: string; readonly example: string }
  /** The path of a folder, or of one of its files: `folder`. */
  | { readonly kind: 'folder'; readonly example: string };

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
  /**
   * Members of the settings that say how documents are read, and neither where the source is nor who
   * logs in: what discovery proposes, and what may be changed without sending secrets again.
   */
  readonly layout?: readonly string[];
  /** Offers the kind in `drawbridge connect`; absent where a source needs more than its address. */
  readonly address?: AddressForm;
  /** The least rights that the settings need, as a script that an administrator of the source runs. */
  readonly grants?: (settings: Settings) => string;
  /** What the settings name outside, to be judged before anything is read or called; absent: nothing. */
  readonly places?: (settings: Settings) => readonly NamedPlace[];
  /** Some of its sources want to be told of documents that our own checks rejected: `Connector.takesInvalid`. */
  readonly mayTakeInvalid?: true;
  /** Its sources are read by another process: what they answer is not taken apart in this one. */
  readonly isReadElsewhere?: true;
  /** Connects later, on use: a source that cannot be reached shows in the outcomes, not here. */
  open(settings: Settings, context: ConnectorContext): Promise<Connector>;
}

/** Limits of one source document (beyond them `read` answers `unusable`) and of the answers. */
export const limits = {
  rowsMax: 50_000,
  valueBytesMax: 1_048_576,
  /** Of all values that one statement or file answers with. */
  answerBytesMax: 33_554_432,
  callTimeoutMs: 30_000,
  refLengthMax: 512,
  /** Refs of one page of `list`; of one that a single statement reads; of `listAll`. */
  pageSize: 200,
  tablePageSize: 1_000,
  wholePageSize: 5_000,
  /** Sample values of one column in `describe`, and the characters of each. */
  samplesMax: 3,
  sampleLengthMax: 200,
  /** Of a discovery: tables, layouts, documents, and columns of dates of one table. */
  placesMax: 400,
  layoutsMax: 20,
  shownDocumentsMax: 3,
  dateColumnsMax: 5,
  notesMax: 100,
} as const;
