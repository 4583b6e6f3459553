/** Languages that every text exists in. */
export const languages = ['en'] as const;
/** One of the languages. */
export type Language = (typeof languages)[number];

/** A text as written: complete, or a template (`use`) with the values of its {gaps}. */
export type Entry = Readonly<Record<string, string>>;

/** Texts by rule id, or by family (`UBL-CR-*`). */
export type ExplanationTable = Readonly<Record<string, Entry>>;
