import type { Channel } from '../contacts/queries.ts';
import type { Condition } from './queries.ts';

/** What a condition asks for, as it is chosen. */
export const conditionKinds = [
  'is',
  'exists',
  'missing',
  'at_least',
  'at_most',
  'above',
  'below',
  'text',
  'created_since',
  'created_before',
  'reachable',
  'segment_id',
] as const;
export type ConditionKind = (typeof conditionKinds)[number];

/** A condition while it is written: `value` as it was typed or chosen. */
export interface ConditionDraft {
  readonly kind: ConditionKind;
  readonly attribute: string;
  readonly value: string;
  /** A condition that these fields cannot show, kept as it came. */
  readonly original?: Condition;
}

export const emptyDraft: ConditionDraft = { kind: 'is', attribute: '', value: '' };

const bounds = ['at_least', 'at_most', 'above', 'below'] as const;

export const asksAttribute = (kind: ConditionKind): boolean =>
  conditionKinds.indexOf(kind) < conditionKinds.indexOf('text');
export const asksValue = (kind: ConditionKind): boolean => kind !== 'exists' && kind !== 'missing';

/** The condition of the API; undefined while something is missing. */
export function conditionOf({
  kind,
  attribute: typed,
  value: typedValue,
  original,
}: ConditionDraft): Condition | undefined {
  if (original !== undefined) return original;
  const attribute = typed.trim();
  const value = typedValue.trim();
  if (asksAttribute(kind) && attribute === '') return undefined;
  if (asksValue(kind) && value === '') return undefined;
  switch (kind) {
    case 'is': {
      const values = value.split('|').map((each) => typedAs(each.trim()));
      return { attribute, is: values.length === 1 ? values[0]! : values };
    }
    case 'exists':
    case 'missing':
      return { attribute, exists: kind === 'exists' };
    case 'at_least':
    case 'at_most':
    case 'above':
    case 'below': {
      const bound = boundOf(value);
      return bound === undefined ? undefined : { attribute, [kind]: bound };
    }
    case 'text':
      return { text: value };
    case 'created_since':
      return { created_since: startOf(value) };
    case 'created_before':
      return { created_before: startOf(value) };
    case 'reachable':
      return { reachable: value as Channel };
    case 'segment_id':
      return { segment_id: value };
  }
}

/** A condition as it is shown in fields. */
export function draftOf(condition: Condition): ConditionDraft {
  const draft = simpleDraftOf(condition);
  const again = draft && JSON.stringify(conditionOf(draft));
  return draft && again === JSON.stringify(condition)
    ? draft
    : { ...emptyDraft, ...draft, original: condition };
}

function simpleDraftOf(condition: Condition): ConditionDraft | undefined {
  if ('is' in condition) {
    const values = Array.isArray(condition.is) ? condition.is : [condition.is];
    return { kind: 'is', attribute: condition.attribute, value: values.map(String).join(' | ') };
  }
  if ('exists' in condition) {
    const kind = condition.exists ? 'exists' : 'missing';
    return { kind, attribute: condition.attribute, value: '' };
  }
  if ('attribute' in condition) {
    const given = bounds.filter((name) => condition[name] !== undefined);
    const [kind] = given;
    if (kind === undefined || given.length > 1) return undefined;
    return { kind, attribute: condition.attribute, value: String(condition[kind]) };
  }
  if ('text' in condition) return { ...emptyDraft, kind: 'text', value: condition.text };
  if ('created_since' in condition) {
    return { ...emptyDraft, kind: 'created_since', value: dayOf(condition.created_since) };
  }
  if ('created_before' in condition) {
    return { ...emptyDraft, kind: 'created_before', value: dayOf(condition.created_before) };
  }
  if ('reachable' in condition) {
    return { ...emptyDraft, kind: 'reachable', value: condition.reachable };
  }
  return { ...emptyDraft, kind: 'segment_id', value: condition.segment_id };
}

/** `true` and `false` are flags; a number fits a text that says it, so it can be one. */
function typedAs(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  return text !== '' && String(Number(text)) === text ? Number(text) : text;
}

function boundOf(text: string): number | string | undefined {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return text;
  const number = Number(text);
  return Number.isFinite(number) ? number : undefined;
}

/** The first instant of a day, where the reader is. */
const startOf = (day: string) => new Date(`${day}T00:00:00`).toISOString();

function dayOf(instant: string): string {
  const at = new Date(instant);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}
