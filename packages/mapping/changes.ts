import { meaning } from './fingerprint.ts';
import type { Mapping, MappingField } from './mapping.ts';

type Fields = Pick<Mapping, 'fields'>;

/** A target that says something else than what was last approved. */
export interface MappingChange {
  readonly target: string;
  /** As it was approved; undefined for one that is new. */
  readonly was?: MappingField;
  /** As it is now; undefined for one that was taken out. */
  readonly now?: MappingField;
}

/**
 * What counts as last approved once a mapping is replaced: its approved fields, and, as long as some wait for approval,
 * those of before whose target has none.
 */
export function approvedAfter(before: Fields | undefined, { fields }: Fields): Fields {
  const approved = fields.filter(({ status }) => status === 'approved');
  if (approved.length === fields.length) return { fields: approved };
  const targets = new Set(approved.map(({ target }) => target));
  const kept = before?.fields.filter(({ target }) => !targets.has(target)) ?? [];
  return { fields: [...approved, ...kept] };
}

/** What a mapping says otherwise than what was last approved; nothing where nothing ever was. */
export function changesOf(approved: Fields | undefined, { fields }: Fields): MappingChange[] {
  if (approved === undefined || approved.fields.length === 0) return [];
  const meant = new Set(approved.fields.map(meaning));
  const means = new Set(fields.map(meaning));
  const gone = approved.fields.filter((field) => !means.has(meaning(field)));
  const come = fields.filter((field) => !meant.has(meaning(field)));
  const targets = new Set([...gone, ...come].map(({ target }) => target));
  return [...targets].flatMap((target) => {
    const was = gone.filter((field) => field.target === target);
    const now = come.filter((field) => field.target === target);
    // A list of plain values has several fields of one target.
    const pairs = Math.max(was.length, now.length);
    return Array.from({ length: pairs }, (_, at) => ({
      target,
      ...(was[at] && { was: was[at] }),
      ...(now[at] && { now: now[at] }),
    }));
  });
}
