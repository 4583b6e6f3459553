import { reading } from './fingerprint.ts';
import type { Mapping, MappingField } from './mapping.ts';

/** The fields to approve. */
export type Selection =
  | { readonly kind: 'all' }
  /** Proposals at least this sure, 0 to 1. */
  | { readonly kind: 'confidence'; readonly minimum: number }
  | { readonly kind: 'targets'; readonly targets: readonly string[] };

/** Who approves, and when (UTC instant, ISO 8601). */
export interface Approver {
  readonly by: string;
  readonly at: string;
}

/** The mapping after an approval, and what it changed. */
export interface Approval {
  readonly mapping: Mapping;
  /** Targets that this approval changed. */
  readonly approved: readonly string[];
  /** Selected targets that are not in the mapping. */
  readonly unknown: readonly string[];
}

/** Approves the selected fields; earlier approvals are not changed. */
export function approve(mapping: Mapping, selection: Selection, approver: Approver): Approval {
  const approved: string[] = [];
  const fields = mapping.fields.map((field) => {
    if (field.status === 'approved' || !isSelected(field, selection)) return field;
    approved.push(field.target);
    return stamped(field, approver);
  });
  const known = new Set(mapping.fields.map((field) => field.target));
  const named = selection.kind === 'targets' ? selection.targets : [];
  const unknown = named.filter((target) => !known.has(target));
  return { mapping: { ...mapping, fields }, approved, unknown };
}

function isSelected(field: MappingField, selection: Selection): boolean {
  switch (selection.kind) {
    case 'all':
      return true;
    case 'confidence':
      return (field.confidence ?? 0) >= selection.minimum;
    case 'targets':
      return selection.targets.includes(field.target);
  }
}

function stamped(field: MappingField, { by, at }: Approver): MappingField {
  return { ...field, status: 'approved', approved_by: by, approved_at: at };
}

/** Who sends a mapping. */
export interface Sender extends Approver {
  /** The person behind `by`, or `by` itself where it is a key of nobody in particular. */
  readonly actor: string;
  readonly isPerson: (actor: string) => boolean;
}

/**
 * Replaces the current mapping by one that a client sends. Fields with the same meaning, whose rows are found
 * as before, keep their approval, confidence and reason. A changed field is approved only if the client says
 * so, and then by that client. Fields that are not sent are removed.
 */
export function replace(current: Mapping, sent: Mapping, sender: Sender): Mapping {
  const known = Map.groupBy(current.fields, (field) => field.target);
  const fields = sent.fields.map((field) => {
    const said = reading(field, sent);
    const same = known.get(field.target)?.find((each) => reading(each, current) === said);
    if (same?.status === 'approved' && field.status === 'approved') return same;
    const { approved_by: _by, approved_at: _at, proposed_by: _proposer, ...rest } = field;
    const plain = { ...provenance(same), ...rest, proposed_by: proposerOf(same, sender) };
    return field.status === 'approved' ? stamped(plain, sender) : plain;
  });
  return { ...sent, fields };
}

/** Who has put a field forward stays so, until a person takes it over from a key of nobody. */
function proposerOf(same: MappingField | undefined, { actor, isPerson }: Sender): string {
  const before = same?.status === 'proposed' ? same.proposed_by : undefined;
  if (before === undefined) return actor;
  return isPerson(before) || !isPerson(actor) ? before : actor;
}

function provenance(field: MappingField | undefined): Partial<MappingField> {
  return {
    ...(field?.confidence === undefined ? {} : { confidence: field.confidence }),
    ...(field?.reason === undefined ? {} : { reason: field.reason }),
  };
}
