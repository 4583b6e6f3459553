import type {
  ConnectorFault,
  DiscoverOutcome,
  LayoutProposal,
} from '@drawbridge/connectors/contract.ts';
import type { FoundCompanyValue } from '@drawbridge/mapping/discovery/found-company.ts';
import type { ShownDocument } from '@drawbridge/mapping/discovery/shown-document.ts';
import type { Mapping } from '@drawbridge/mapping/mapping.ts';
import type { Company } from '@drawbridge/profiles/company.ts';
import type { ErrorName } from '../errors.ts';
import type { FieldChange } from './mapping-changes.ts';
import type { WorkContext } from './work-context.ts';

/** What work is given, by the id under which its finding is kept. */
export interface WorkInputs {
  /** Whether a path is a folder or a database. */
  readonly path: { readonly path: string };
  /** Logs in, and looks for what invoices consist of. */
  readonly source: { readonly source: Source; readonly header?: string };
  /** Lists the tables with their columns. */
  readonly tables: { readonly source: Source };
  /** Reads the first rows of the newest table of a folder or mailbox, as they stand there. */
  readonly rows: { readonly source: Source };
  /** Reads the newest documents. */
  readonly documents: { readonly source: Source };
  /** Keeps the source as a connector. */
  readonly kept: { readonly source: Source; readonly name: KeptName };
  /** Whether this host is enrolled. */
  readonly identity: object;
  /** Asks the control plane what it knows of the company. */
  readonly remote: { readonly access: RemoteAccess };
  /** Adds what was said to what the control plane knows of the company. */
  readonly company: { readonly access: RemoteAccess; readonly company: Company };
  /** Proposes a mapping, and tries it on the newest documents. */
  readonly proposed: {
    readonly trial: Trial;
    /** The profile of a proposal that was taken back. */
    readonly earlier?: string;
  };
  /** Changes the mapping that was tried before, and tries it again. */
  readonly tried: ChangedTrial;
  readonly retried: ChangedTrial;
  /** Approves the mapping, and submits a document. */
  readonly accepted: {
    readonly access: RemoteAccess;
    readonly trial: Trial;
    readonly ref?: string;
    /** Answers to objections by their ids. */
    readonly reasons: Readonly<Record<string, string>>;
  };
  /** Says what happens to new documents. */
  readonly policy: {
    readonly access: RemoteAccess;
    readonly connectorId: string;
    readonly connector: string;
    readonly hold: Hold;
  };
}

/** What work finds, by its id. */
export interface Findings {
  readonly path: FoundPath;
  readonly source: FoundSource;
  readonly tables: FoundTables;
  readonly rows: FoundRows;
  readonly documents: FoundDocuments;
  readonly kept: FoundKept;
  readonly identity: FoundIdentity;
  readonly remote: FoundRemote;
  readonly company: FoundRemote;
  readonly proposed: FoundMapping;
  readonly tried: FoundMapping;
  readonly retried: FoundMapping;
  readonly accepted: FoundAcceptance;
  readonly policy: FoundPolicy;
}

/** What work is known by. */
export type WorkId = keyof WorkInputs;

/** Something to be done outside. */
export type Work<Id extends WorkId = WorkId> = {
  readonly [Each in Id]: { readonly id: Each } & WorkInputs[Each];
}[Id];

/** What does work, by its id. */
export type Performers<Id extends WorkId = WorkId> = {
  readonly [Each in Id]: (context: WorkContext, todo: WorkInputs[Each]) => Promise<Findings[Each]>;
};

/** A mapping that is changed before it is tried. */
export interface ChangedTrial {
  readonly trial: Trial;
  /** Absent where an older version has tried it: then the draft is changed. */
  readonly mapping?: Mapping;
  readonly changes: readonly FieldChange[];
}

/** What new documents wait for; `none`: they are not submitted by themselves. */
export type Hold = 'release' | 'approval' | 'none';

/** How the control plane is called in the name of a person. */
export interface RemoteAccess {
  /** The API key, or where it is kept. */
  readonly key: string;
  /** Where it is not the address that the agent is enrolled with. */
  readonly url?: string;
}

/** A mapping that is tried. */
export interface Trial {
  readonly connector: string;
  readonly profile: string;
  readonly company: Company;
}

/** What failed at the control plane, or where a mapping was tried. */
export interface RemoteFault {
  readonly kind: 'fault';
  readonly error: ErrorName;
  readonly cause: string;
  /** The answers that were refused, by their names in the company profile. */
  readonly refused?: readonly string[];
}

export interface FoundIdentity {
  readonly isEnrolled: boolean;
  /** The environment of the process names an API key. */
  readonly hasKey: boolean;
  /** Of the company, as the control plane has signed it. */
  readonly country?: string;
  /** That for which all mappings of this host are made; absent where there are none, or several. */
  readonly profile?: string;
}

export type FoundRemote =
  | RemoteFault
  | { readonly kind: 'company'; readonly url: string; readonly company: Company };

export type FoundPolicy =
  | RemoteFault
  /** Documents that are issued from that day on are submitted by themselves; absent: none is. */
  | { readonly kind: 'set'; readonly from?: string };

/** A required field that nothing fills, or a doubtful column. */
export interface OpenField {
  readonly path: string;
  readonly name: string;
  readonly help: string;
  readonly from?: string;
}

export interface TriedMapping {
  readonly kind: 'mapping';
  /** What was tried. A further try begins with it, so that answers which are taken back leave nothing. */
  readonly mapping?: Mapping;
  /** Fields whose proposals are sure. */
  readonly sure: number;
  readonly open: readonly OpenField[];
  /** Targets of doubtful proposals that are not required. */
  readonly unsure: readonly string[];
  readonly values: readonly {
    readonly target: string;
    readonly values: number;
    readonly recognised: number;
    readonly unrecognised: readonly string[];
    readonly list: string;
  }[];
  readonly columns: readonly { readonly place: string; readonly sample: string }[];
  readonly documents: { readonly read: number; readonly passed: number; readonly refused: number };
  readonly refusals: readonly {
    readonly rule: string;
    readonly message: string;
    readonly documents: number;
  }[];
  readonly objections: readonly { readonly id: string; readonly words: string }[];
  /** Fields without which rules refuse documents. */
  readonly lacking: readonly OpenField[];
  /** Targets whose amounts have too many decimals. */
  readonly unrounded: readonly string[];
  /** Targets that need not be there, and whose values refuse documents. */
  readonly refusing: readonly string[];
  /** The newest document that would pass. */
  readonly passing?: string;
}
export type FoundMapping = RemoteFault | TriedMapping;

export type FoundAcceptance =
  | RemoteFault
  | {
      readonly kind: 'open';
      readonly objections: readonly { readonly id: string; readonly words: string }[];
    }
  /** No document could be submitted. */
  | { readonly kind: 'approved'; readonly connectorId: string }
  /** The mapping is approved, and the document was submitted before or is rejected. */
  | {
      readonly kind: 'not-accepted';
      readonly connectorId: string;
      readonly ref: string;
      /** Of the invoice that is rejected; undefined where none was made. */
      readonly id: string | undefined;
      readonly why: string;
    }
  | {
      readonly kind: 'accepted';
      readonly connectorId: string;
      readonly ref: string;
      readonly id: string;
      readonly status: string;
    };

/** A source that is not kept yet. */
export interface Source {
  readonly kind: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Folders that it may read besides those of the settings. */
  readonly roots: readonly string[];
}

export interface FoundPath {
  readonly kind: 'folder' | 'file' | 'other' | 'empty' | 'unreadable' | 'missing';
  /** The kind of connector that reads it; absent where none does. */
  readonly connector?: string;
  /** Absolute. */
  readonly path: string;
  /** The folder that must be allowed for it; absent when it is. */
  readonly folder?: string;
  /** A file was named whose folder has others of its kind, with which it is read. */
  readonly beside?: { readonly file: string; readonly files: number };
}

/** What a source holds, and how its invoices may be read. */
export interface Discovered {
  readonly kind: 'discovered';
  /** "MariaDB 10.11.6"; of files what they are: "/invoices: 3 files: 3 CSV of one layout". */
  readonly product: string;
  /** Whether it consists of tables, of which others can be chosen. */
  readonly isDatabase: boolean;
  readonly places: number;
  /** Those of invoices, the surest first. */
  readonly layouts: readonly LayoutProposal[];
  readonly alternatives: readonly string[];
  /** What it says of its own company; absent where an older version has looked. */
  readonly company?: readonly FoundCompanyValue[];
  readonly notes: readonly string[];
}

export type FoundSource =
  | { readonly kind: 'fault'; readonly fault: ConnectorFault }
  | Discovered
  /** A kind that has nothing to look through. */
  | { readonly kind: 'plain' };

export interface KnownTable {
  readonly name: string;
  readonly columns: readonly string[];
}

export type FoundTables =
  | { readonly kind: 'fault'; readonly fault: ConnectorFault }
  | { readonly kind: 'tables'; readonly tables: readonly KnownTable[] };

export type FoundRows =
  | { readonly kind: 'fault'; readonly fault: ConnectorFault }
  | { readonly kind: 'rows'; readonly rows: readonly (readonly string[])[] };

export type FoundDocuments =
  | { readonly kind: 'fault'; readonly fault: ConnectorFault }
  | {
      readonly kind: 'documents';
      readonly documents: readonly ShownDocument[];
      /** What keeps confirmations from being written. */
      readonly writeBack?: string;
    };

/** Under which name a source is to be kept. */
export interface KeptName {
  readonly name: string;
  /** A person named it, so that no other is taken in its place. */
  readonly isGiven: boolean;
}

/** The name under which the source is kept. */
export interface Kept {
  readonly name: string;
  /** It was there before, and was changed. */
  readonly wasThere?: true;
}

export type FoundKept = Kept | (RemoteFault & { readonly name: string });

/** What the questions need of a discovery. */
export function discovered(found: Extract<DiscoverOutcome, { kind: 'discovered' }>): Discovered {
  const { source, product, places, layouts, alternatives, company, notes } = found;
  return {
    kind: 'discovered',
    product: product === '' ? source : product,
    isDatabase: product !== '',
    places: places.length,
    layouts: layouts.filter(({ documents }) => documents === 'invoices'),
    alternatives,
    company,
    notes,
  };
}
