import type { FieldRow } from './contract.ts';

/** A field that every document of the profile needs. */
export function always(path: string, term: string, name: string, help: string): FieldRow {
  return { path, term, name, help, required: 'always' };
}

/** A field that documents of some kind need; `help` says which. */
export function conditional(path: string, term: string, name: string, help: string): FieldRow {
  return { path, term, name, help, required: 'conditional' };
}
