import enEn16931 from './en/en16931.json' with { type: 'json' };
import enPeppolBis from './en/peppol-bis.json' with { type: 'json' };
import enPint from './en/pint.json' with { type: 'json' };
import enPintAe from './en/pint-ae.json' with { type: 'json' };
import enPintMy from './en/pint-my.json' with { type: 'json' };
import enPlaces from './en/places.json' with { type: 'json' };
import enStages from './en/stages.json' with { type: 'json' };
import enTemplates from './en/templates.json' with { type: 'json' };

/** Languages that every text exists in. */
export const languages = ['en'] as const;
export type Language = (typeof languages)[number];

/** What is said of a rule, ready to be shown. */
export interface Text {
  /** What the authority wants, and how the document failed it. */
  readonly why: string;
  /** What is allowed, and how to mend it. */
  readonly fix: string;
  /** Where the value usually stands in an ERP. */
  readonly erp: string;
}

/** As written: whole texts, or a template (`use`) and what its {gaps} are filled with. */
export type Entry = Readonly<Record<string, string>>;

export type TableName = 'pint' | 'pint-ae' | 'pint-my' | 'en16931' | 'peppol-bis' | 'stages';

/** The texts of one language. A translation has the same files and keys. */
export interface TextSet {
  readonly tables: Readonly<Record<TableName, Readonly<Record<string, Entry>>>>;
  readonly templates: Readonly<Record<string, Text>>;
  /** Places in ERPs, by name: an `erp` of `@name` stands for one. */
  readonly places: Readonly<Record<string, string>>;
}

/** Static imports, because a packaged binary cannot follow a glob. */
export const textSets: Readonly<Record<Language, TextSet>> = {
  en: {
    tables: {
      pint: enPint,
      'pint-ae': enPintAe,
      'pint-my': enPintMy,
      en16931: enEn16931,
      'peppol-bis': enPeppolBis,
      stages: enStages,
    },
    templates: enTemplates,
    places: enPlaces,
  },
};

/** The text of a rule in one table: its own entry, else that of its family (`UBL-CR-*`). */
export function textOf(set: TextSet, table: TableName, id: string): Text | undefined {
  const entries = set.tables[table];
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

/** A place in a template that its user fills. */
export const gap = /\{([A-Za-z]+)\}/g;
