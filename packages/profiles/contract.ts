import type { CimObject } from '@drawbridge/binding/build.ts';
import type { Binding } from '@drawbridge/binding/compile.ts';
import type { CodeLists, RuleSet } from '@drawbridge/rules/rule.ts';
import type { Filled } from './field-rows.ts';

export const profileIds = ['PINT-AE', 'PINT-MY', 'BIS-3.0'] as const;
export type ProfileId = (typeof profileIds)[number];

export type DocumentType = 'invoice' | 'credit-note';

/**
 * A published rule set in the window in which the authority wants it; chosen by the invoice's issue
 * date.
 */
export interface RuleRelease {
  readonly version: string;
  /** First and last issue date it holds for, `YYYY-MM-DD`. */
  readonly from: string;
  readonly until?: string;
  readonly billing: readonly RuleSet[];
  readonly selfBilling: readonly RuleSet[];
}

/** A field the authority asks for, in plain words; the mapping endpoint shows which are mapped. */
export interface FieldRow {
  /** Path in the JSON form of the CIM. */
  readonly path: string;
  readonly term: string;
  readonly name: string;
  /** What it is, and where an ERP usually keeps it. */
  readonly help: string;
  readonly required: 'always' | 'conditional' | 'optional';
}

/** What a clearance authority granted, to be put into the document. */
export interface Clearance {
  readonly uin: string;
  readonly validationUrl?: string;
  /** UTC instant, ISO 8601. */
  readonly clearedAt: string;
}

/** A clearance market's own document: another syntax for the same CIM. */
export interface ClearanceStep {
  readonly authority: string;
  /** Adds what the authority wants of the moment of first emission; called once. */
  readonly stamp: (cim: CimObject, at: Date) => CimObject;
  /** The authority's dialect of the document. */
  readonly document: (cim: CimObject, type: DocumentType) => ClearanceDocument;
  /** The CIM with the authority's identifier in it. */
  readonly embed: (cim: CimObject, clearance: Clearance) => CimObject;
}

export type ClearanceDocument =
  | { readonly kind: 'emitted'; readonly xml: string }
  /** The CIM lacks what the authority's document needs. */
  | { readonly kind: 'incomplete'; readonly missing: readonly { path: string; message: string }[] };

/** One country on one network: one folder, one line in the registry. */
export interface Profile {
  readonly id: ProfileId;
  readonly title: string;
  readonly bindings: Readonly<Record<DocumentType, Binding>>;
  readonly releases: readonly RuleRelease[];
  readonly codeLists: { readonly billing: CodeLists; readonly selfBilling: CodeLists };
  /** Type codes (UNCL1001) that are written as a credit note. */
  readonly creditNoteTypeCodes: readonly string[];
  /**
   * Fills what the profile fixes and what arithmetic gives; never overwrites what the source says.
   */
  readonly complete: (cim: CimObject) => CimObject;
  readonly fields: readonly FieldRow[];
  /** Where `complete` has moved a value to → where the source had it. */
  readonly movedPaths?: Readonly<Record<string, string>>;
  /** Which of them `complete` fills from others. */
  readonly filled: Filled;
  /** Where the document goes after it is validated. */
  readonly route: 'exchange' | ClearanceStep;
}
