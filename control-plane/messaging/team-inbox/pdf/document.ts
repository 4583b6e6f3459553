/** A conversation, as it is to be printed. Nothing here is looked up and nothing comes from the clock. */
export interface ConversationDocument {
  readonly conversationId: string;
  readonly tenant: Branding;
  /** IANA name, e.g. `Asia/Dubai`; times are printed in it and in UTC. */
  readonly timeZone: string;
  readonly contact: Party;
  /** Channels in the words of the API (`wa`, `sms`, `botchat`, `rcs`, `voice`). */
  readonly channels: readonly string[];
  /** Members of the tenant that took part. */
  readonly participants: readonly Party[];
  /** In the order in which they are to be printed. */
  readonly entries: readonly Entry[];
  readonly consents: readonly ConsentLine[];
  /** Older ones are left out. */
  readonly hasMoreConsents?: boolean;
  readonly extent: Extent;
  readonly exportedBy: string;
  /** As of when it is true: of the newest thing in it, so that printing again gives the same. */
  readonly exportedAt: Date;
}

/** What of the conversation was asked for: a piece of it must not pass for the whole. */
export interface Extent {
  readonly since?: Date;
  /** Exclusive. */
  readonly until?: Date;
  readonly hasNotes: boolean;
}

export interface Branding {
  readonly name: string;
  /** A PNG or JPEG file. */
  readonly logo?: Uint8Array;
  /** As `#1a2b3c`; another form is ignored. */
  readonly colour?: string;
}

export interface Party {
  readonly name: string;
  /** What stands beside the name: numbers, addresses, a role. */
  readonly details?: readonly string[];
}

/** `call`: `text` says how it went. `event`: the conversation was assigned, closed, reopened. */
export type EntryKind = 'message' | 'note' | 'call' | 'event';

export interface Entry {
  readonly kind: EntryKind;
  readonly at: Date;
  /** Of messages and calls: from the contact, or to it. */
  readonly direction?: 'in' | 'out';
  readonly channel?: string;
  readonly author: string;
  readonly text: string;
  /** What became of it, oldest first; the last one is where it stands. */
  readonly states?: readonly { readonly name: string; readonly at?: Date }[];
  /** Why it did not come to pass. */
  readonly problem?: string;
  readonly media?: readonly Medium[];
}

export interface Medium {
  /** What it is, e.g. `image`, `video`, `document`. */
  readonly type: string;
  readonly filename?: string;
  readonly contentType?: string;
  readonly bytes?: number;
  /** A PNG or JPEG file, as small as it is shown; a labelled box stands for what has none. */
  readonly thumbnail?: Uint8Array;
  /** Where the picture is kept, until its thumbnail is made for the part that it is printed in. */
  readonly storedAt?: string;
  /** Why there is none. */
  readonly problem?: string;
}

/** A yes or no to being written to on a channel, or to calls being recorded (`recording`). */
export interface ConsentLine {
  readonly at: Date;
  readonly channel: string;
  readonly address: string;
  readonly state: string;
  readonly source: string;
  readonly note?: string;
}

/** A document, or the piece of one that goes into a file. */
export interface DocumentPart extends ConversationDocument {
  /** From 1. */
  readonly number: number;
  readonly count: number;
  /** Of its first entry in the whole, from 1. */
  readonly firstEntry: number;
  readonly entryCount: number;
}
