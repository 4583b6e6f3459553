/** A JSON object from the network. */
export type Json = Readonly<Record<string, unknown>>;
