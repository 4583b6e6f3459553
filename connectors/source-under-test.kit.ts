/** What a kind's own test gives to the contract suite: a real source, and how to look at it from outside. */
import type { Connector, WriteBackCommand } from './contract.ts';

/** A document as a harness stores it; `number` is what its ref is made of. */
export interface SampleDocument {
  readonly number: string;
  readonly buyer: string;
  /** With ten decimals, so that a column of that scale prints it the same. */
  readonly total: string;
  readonly issued_on: string;
  readonly lines: readonly SampleLine[];
}

interface SampleLine {
  readonly line_no: string;
  readonly description: string;
  readonly price: string;
}

/** A running source and the means to fill and inspect it. */
export interface SourceUnderTest {
  readonly connector: Connector;
  /** A connector whose source does not answer, set up with the password `secretInTests`. */
  readonly unreachable: Connector;
  refOf(number: string): string;
  /** Refs of one page. */
  readonly pageSize: number;
  insert(documents: readonly SampleDocument[]): Promise<void>;
  /** Makes `refOf(number)` match two documents. */
  insertTwins(number: string): Promise<void>;
  /** Confirmations are written nowhere in a source of this kind. */
  readonly writesNothing?: true;
  /** The confirmation in the side table or folder, read from outside the connector. */
  sideStatus(
    environment: WriteBackCommand['environment'],
    ref: string,
  ): Promise<Readonly<Record<string, unknown>> | undefined>;
  /** Present where confirmations can go into columns of the header. */
  readonly columns?: {
    readonly connector: Connector;
    /** The slot's columns of the header of `number`. */
    slot(number: string): Promise<Readonly<Record<string, unknown>> | undefined>;
  };
  /** Present where drafts are taken: what is there of one, read from outside the connector. */
  readonly drafts?: {
    stored(environment: WriteBackCommand['environment'], id: string): Promise<StoredDraft>;
    /** Somebody goes on with the draft in the ERP. */
    goOn(id: string): Promise<void>;
    /** Deletes the header alone, in the ERP; absent where there is one file for all. */
    deleteHeader?(id: string): Promise<void>;
    /** Takes a column from the table of headers, as if an earlier version had made it. */
    dropColumn?(column: string): Promise<void>;
    /** In the source's own tables, where `columns.connector` puts it. */
    own?(id: string): Promise<StoredDraft>;
  };
  /** A source that works on and on. */
  readonly endless: {
    /** Opened with a limit of time, which reading `refs` exceeds by far. */
    open(timeoutMs: number): Promise<Connector>;
    readonly refs: readonly string[];
    /** Whether something is at work there for us; undefined where only the call itself works. */
    isWorking?(): Promise<boolean>;
    /** The source ends the sessions that are at work, as one does that is stopped. */
    interrupt?(): Promise<void>;
  };
  stop(): Promise<void>;
}

/** What a source holds of a draft. */
interface StoredDraft {
  readonly header: Readonly<Record<string, unknown>> | undefined;
  readonly lines: number;
}
