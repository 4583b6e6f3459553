/** What a writer prints: text by path from the root of the project. */
export type Written = Readonly<Record<string, string>>;
