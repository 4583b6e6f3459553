import type { Binding } from '@drawbridge/binding/compile.ts';
import type { CimObject } from '@drawbridge/binding/json/build.ts';
import type { RuleSet } from '@drawbridge/rules/rule.ts';
import type { CodeLists } from '@drawbridge/rules/scope.ts';
import type { CompanyFacts } from './company-facts.ts';
import type { ExplanationTable, Language } from './explanation-texts.ts';
import type { TaxCategories } from './tax-categories.ts';

/** The two documents that a profile has. */
export type DocumentType = 'invoice' | 'credit-note';

/**
 * A published rule set and the issue dates for which the authority requires it.
 */
export interface RuleRelease {
  readonly version: string;
  /** First and last issue date for which it holds, `YYYY-MM-DD`. */
  readonly from: string;
  readonly until?: string;
  readonly billing: readonly RuleSet[];
  readonly selfBilling: readonly RuleSet[];
}

/**
 * A field that the authority requires, in plain words; the mapping endpoint shows which are mapped.
 */
export interface FieldRow {
  /** Path in the JSON form of the CIM. */
  readonly path: string;
  readonly term: string;
  readonly name: string;
  /** What it is, and where an ERP usually has it. */
  readonly help: string;
  readonly required: 'always' | 'conditional' | 'optional';
}

/** Path of a field that a profile fills → the paths it needs for that. */
export type Filled = Readonly<Record<string, readonly string[]>>;

/** The identifier, link and instant that a clearance authority gave, for the document. */
export interface Clearance {
  readonly uin: string;
  readonly validationUrl?: string;
  /** UTC instant, ISO 8601. */
  readonly clearedAt: string;
}

/** The step of a clearance market, which has another document for the same CIM. */
export interface ClearanceStep {
  readonly authority: string;
  /** Adds what the authority requires of the instant of first emission; called once. */
  readonly stamp: (cim: CimObject, at: Date) => CimObject;
  /** Writes the authority's own document. */
  readonly document: (cim: CimObject, type: DocumentType) => ClearanceDocument;
  /** Returns the CIM with the authority's identifier. */
  readonly embed: (cim: CimObject, clearance: Clearance) => CimObject;
}

/** The document for an authority to clear, or what is missing for it. */
export type ClearanceDocument =
  | { readonly kind: 'emitted'; readonly xml: string }
  /** The CIM lacks what the authority's document needs. */
  | { readonly kind: 'incomplete'; readonly missing: readonly { path: string; message: string }[] };

/** One country on one network: one folder, one line in the registry. */
export interface Profile {
  /** The authority's name for it; the first part of each rule's full id. */
  readonly id: string;
  readonly title: string;
  readonly bindings: Readonly<Record<DocumentType, Binding>>;
  readonly releases: readonly RuleRelease[];
  readonly codeLists: { readonly billing: CodeLists; readonly selfBilling: CodeLists };
  /** Type codes (UNCL1001) that are written as a credit note. */
  readonly creditNoteTypeCodes: readonly string[];
  readonly company: CompanyFacts;
  readonly taxCategories: TaxCategories;
  /**
   * Fills the values that the profile fixes and those that can be computed; never changes a value
   * of the source.
   */
  readonly complete: (cim: CimObject) => CimObject;
  readonly fields: readonly FieldRow[];
  /** Path to which `complete` moves a value → its path in the source. */
  readonly movedPaths?: Readonly<Record<string, string>>;
  /** Explanations of its rules: its own table first, then those of its rule sets. */
  readonly explanations: Readonly<Record<Language, readonly ExplanationTable[]>>;
  /** The fields that `complete` fills from others. */
  readonly filled: Filled;
  /** Where the document is sent after validation. */
  readonly route: 'exchange' | ClearanceStep;
}
