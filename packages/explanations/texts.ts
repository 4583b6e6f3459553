import type { Entry, ExplanationTable, Language } from '@drawbridge/profiles/explanation-texts.ts';
import enPlaces from './en/places.json' with { type: 'json' };
import enStages from './en/stages.json' with { type: 'json' };
import enTemplates from './en/templates.json' with { type: 'json' };

/** The text of a rule, ready to be shown. */
export interface Text {
  /** What the authority requires, and how the document broke it. */
  readonly why: string;
  /** What is allowed, and how to correct the document. */
  readonly fix: string;
  /** Where the value usually is in an ERP. */
  readonly erp: string;
}

/** The texts of one language besides those of rules. A translation has the same files and keys. */
export interface TextSet {
  /** The product's own codes. */
  readonly stages: ExplanationTable;
  readonly templates: Readonly<Record<string, Text>>;
  /** Places in ERPs by name; an `erp` of `@name` refers to one. */
  readonly places: Readonly<Record<string, string>>;
}

/** Static imports, because a packaged binary cannot follow a glob. */
export const textSets: Readonly<Record<Language, TextSet>> = {
  en: {
    stages: enStages,
    templates: enTemplates,
    places: enPlaces,
  },
};

/** The text of a rule in one table: its own entry, else that of its family (`UBL-CR-*`). */
export function textOf(set: TextSet, entries: ExplanationTable, id: string): Text | undefined {
  const family = id.replace(/[^-]+$/, '*');
  const key = [id, family].find((each) => Object.hasOwn(entries, each));
  return key === undefined ? undefined : rendered(set, entries[key]!);
}

function rendered(set: TextSet, { use, ...own }: Entry): Text {
  const template = use === undefined ? undefined : set.templates[use]!;
  const part = (name: keyof Text): string => {
    const text =
      template?.[name].replace(gap, (_, parameter: string) => own[parameter]!) ?? own[name]!;
    return text.startsWith('@') ? set.places[text.slice(1)]! : text;
  };
  return { why: part('why'), fix: part('fix'), erp: part('erp') };
}

/** A gap in a template, which each use fills. */
export const gap = /\{([A-Za-z]+)\}/g;
