import assert from 'node:assert/strict';
import type { Entry, State } from '../store/connecting.ts';
import type { Findings, WorkId } from './work.ts';

export type { State } from '../store/connecting.ts';

export const begin: State = { version: 2, entries: [], before: {} };

/** Among what was taken back: the profile for which a draft was written. */
export const draftedProfile = 'proposed';

/** The newest answer to a question, or undefined. */
export function answer(state: State, id: string): string | undefined {
  const found = state.entries.findLast((each) => each.id === id && each.by !== 'work');
  return found === undefined ? undefined : String(found.value);
}

/** What work found, or undefined. */
export function finding<Id extends WorkId>(state: State, id: Id): Findings[Id] | undefined {
  const found = state.entries.findLast((each) => each.id === id && each.by === 'work');
  return found?.value as Findings[Id] | undefined;
}

type Success<Found> = Exclude<Found, { readonly kind: 'fault' }>;

/** What work found that went well, as the steps before have made sure. */
export function success<Id extends WorkId>(state: State, id: Id): Success<Findings[Id]> {
  const found = finding(state, id);
  assert(isSuccess(found), `${id} has gone well before it is used`);
  return found;
}

function isSuccess<Found extends object>(found: Found | undefined): found is Success<Found> {
  return found !== undefined && !('kind' in found && found.kind === 'fault');
}

export function withEntry(state: State, added: Entry): State {
  return { ...state, entries: [...state.entries, added] };
}

/** The state before that was answered or found; the same one where it never was. */
export function forget(state: State, id: string, secrets: ReadonlySet<string>): State {
  const at = state.entries.findIndex((each) => each.id === id);
  return at < 0 ? state : cutAt(state, at, secrets);
}

/** The state before the last answer of a person; undefined where there is none. */
export function back(state: State, secrets: ReadonlySet<string>): State | undefined {
  const at = state.entries.findLastIndex(({ by }) => by === 'person');
  return at < 0 ? undefined : cutAt(state, at, secrets);
}

function cutAt(state: State, at: number, secrets: ReadonlySet<string>): State {
  const taken = state.entries
    .slice(at)
    .filter(({ id, by }) => by !== 'work' && !secrets.has(id))
    .map(({ id, value }) => [id, String(value)] as const);
  const isDrafted = state.entries.slice(at).some(({ id }) => id === 'proposed');
  const drafted = isDrafted ? { [draftedProfile]: answer(state, 'profile')! } : {};
  return {
    ...state,
    entries: state.entries.slice(0, at),
    before: { ...state.before, ...Object.fromEntries(taken), ...drafted },
  };
}
