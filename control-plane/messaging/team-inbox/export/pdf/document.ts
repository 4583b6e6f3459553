/** A conversation to print. The printer looks nothing up and reads no clock. */
export interface ConversationDocument {
  readonly conversationId: string;
  readonly tenant: Branding;
  /** IANA name, e.g. `Asia/Dubai`; times are printed in it and in UTC. */
  readonly timeZone: string;
  readonly contact: Party;
  /** Channels under the API's names (`wa`, `sms`, `botchat`, `rcs`, `voice`). */
  readonly channels: readonly string[];
  /** Members of the tenant who took part. */
  readonly participants: readonly Party[];
  /** In printing order. */
  readonly entries: readonly Entry[];
  readonly consents: readonly ConsentLine[];
  /** There are older consents, which are left out. */
  readonly hasMoreConsents?: boolean;
  readonly extent: Extent;
  readonly exportedBy: string;
  /** The time of the newest item in it, so that printing again gives the same bytes. */
  readonly exportedAt: Date;
}

/** Which part of the conversation was requested: a part must not look like the whole. */
interface Extent {
  readonly since?: Date;
  /** Exclusive. */
  readonly until?: Date;
  readonly hasNotes: boolean;
}

interface Branding {
  readonly name: string;
  /** A PNG or JPEG file. */
  readonly logo?: Uint8Array;
  /** As `#1a2b3c`; any other form is ignored. */
  readonly colour?: string;
}

export interface Party {
  readonly name: string;
  /** Printed next to the name: numbers, addresses, a role. */
  readonly details?: readonly string[];
}

/**
 * `call`: `text` describes how it went. `event`: the conversation was assigned, closed, reopened.
 */
type EntryKind = 'message' | 'note' | 'call' | 'event';

export interface Entry {
  readonly kind: EntryKind;
  readonly at: Date;
  /** Of messages and calls: from the contact or to the contact. */
  readonly direction?: 'in' | 'out';
  readonly channel?: string;
  readonly author: string;
  readonly text: string;
  /** Its states, oldest first; the last one is the present state. */
  readonly states?: readonly { readonly name: string; readonly at?: Date }[];
  /** Why it failed. */
  readonly problem?: string;
  readonly media?: readonly Medium[];
}

export interface Medium {
  /** The kind of file, e.g. `image`, `video`, `document`. */
  readonly type: string;
  readonly filename?: string;
  readonly contentType?: string;
  readonly bytes?: number;
  /** A PNG or JPEG file in its printed size; without it a labelled box is printed. */
  readonly thumbnail?: Uint8Array;
  /** Where the picture is stored, until the thumbnail for its part is made. */
  readonly storedAt?: string;
  /** Why there is no thumbnail. */
  readonly problem?: string;
}

/** A yes or no to messages on a channel, or to recorded calls (`recording`). */
interface ConsentLine {
  readonly at: Date;
  readonly channel: string;
  readonly address: string;
  readonly state: string;
  readonly source: string;
  readonly note?: string;
}

/** A document, or the part of one that goes into one file. */
export interface DocumentPart extends ConversationDocument {
  /** The number of the part, from 1. */
  readonly number: number;
  readonly count: number;
  /** The number of its first entry in the whole document, from 1. */
  readonly firstEntry: number;
  readonly entryCount: number;
}
