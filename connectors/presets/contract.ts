import type { ProposedSection } from '@drawbridge/mapping/discovery/sections/section.ts';

/** Kinds of connectors that read SQL databases. */
export type DatabaseKind = 'mssql' | 'mysql' | 'postgres' | 'sqlite';

/** A section of a preset; its table as documented, without what stands around it at a site. */
export type PresetSection = ProposedSection;

/** A version of a product, by what its tables have. */
export interface PresetVersion {
  readonly version: string;
  /** `table.column` that later versions have, and this one and those before have not; the newest first. */
  readonly has: readonly string[];
  /** Members of sections that differ in this version. */
  readonly sections?: Readonly<Record<string, Partial<PresetSection>>>;
}

/**
 * How a known ERP keeps invoices, as data: how its database is recognised, and what an invoice consists of
 * there. Presets stand in `registry.ts`; `contract.suite.ts` tests any of them.
 */
export interface Preset {
  readonly id: string;
  /** The product's own name. */
  readonly title: string;
  /** Databases that the vendor runs it on. */
  readonly runsOn: readonly DatabaseKind[];
  /** Where the facts come from. */
  readonly source: string;
  /** What stands before and after the names of all tables, and differs from site to site. */
  readonly around?: { readonly before?: RegExp; readonly after?: RegExp };
  /** Tables that no other product has together. */
  readonly fingerprint: readonly string[];
  /**
   * Documented tables of the newest version, those that invoices need: `name: type`, separated by commas;
   * columns of the primary key begin with `*`. Types are integer, decimal, text, date, timestamp, boolean.
   */
  readonly tables: Readonly<Record<string, string>>;
  /** The newest first; the last one has nothing of what the others have. */
  readonly versions: readonly PresetVersion[];
  /** What an invoice consists of, with the filters that leave out drafts, quotes and purchases. */
  readonly sections: Readonly<Record<string, PresetSection>>;
  readonly creditNotes: {
    /** What differs from the sections of an invoice; a filter is added to those. */
    readonly sections: Readonly<Record<string, Partial<PresetSection>>>;
    /** Where their columns are called otherwise than those of invoices. */
    readonly changes?: { readonly column: string; readonly key: string };
    readonly note: string;
  };
  /** How a cancelled invoice is told from others. */
  readonly cancellation: string;
  readonly taxCodes: {
    /** Where the codes stand, and how the category is found. */
    readonly note: string;
    /** Codes that the product comes with → categories of UNCL5305, for a person to confirm. */
    readonly codes: Readonly<Record<string, string>>;
  };
  /** How changes are listed; in order of the header's key when left out. */
  readonly changes?: { readonly column: string; readonly key: string };
  /** What that order cannot see, a sentence each. */
  readonly blindSpots: readonly string[];
  /** Where a confirmation may stand in the product itself; Drawbridge writes beside it (einv_status). */
  readonly writeBack: string;
}

/** A column as documented. */
export interface DocumentedColumn {
  readonly name: string;
  readonly type: ColumnType;
  readonly isKey: boolean;
}

const columnTypes = ['integer', 'decimal', 'text', 'date', 'timestamp', 'boolean'] as const;
export type ColumnType = (typeof columnTypes)[number];

/** The columns of a documented table. */
export function columnsOf(text: string): readonly DocumentedColumn[] {
  return text.split(', ').map((part) => {
    const at = part.lastIndexOf(': ');
    const type = columnTypes.find((each) => each === part.slice(at + 2));
    if (type === undefined) throw new Error(`a column is documented as "name: type": ${part}`);
    return { name: part.slice(0, at).replace(/^\*/, ''), type, isKey: part.startsWith('*') };
  });
}
