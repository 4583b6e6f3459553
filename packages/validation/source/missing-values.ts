import { type CimObject, type CimValue, groupsOf, textOf } from '@drawbridge/cim/json.ts';
import type { Finding } from '../validate.ts';

/** A field without a value, for which a rule refuses the document. */
export interface MissingValue {
  /** As a mapping names it. */
  readonly path: string;
  readonly rule: string;
  readonly message: string;
}

/** Findings at fields without a value: a rule's fault is shown at the field that it asks for first. */
export function missingValues(
  cim: CimObject,
  findings: readonly Pick<Finding, 'path' | 'rule' | 'message'>[],
): readonly MissingValue[] {
  return findings.flatMap(({ path, rule, message }) => {
    if (path === undefined || !isAbsent(cim, path)) return [];
    // The same field in each of a thousand lines is one.
    return [{ path: path.replaceAll(/\[\d+\]/g, '[]'), rule, message }];
  });
}

/** Whether nothing stands at a path such as `lines[2].name`; positions count from 1. */
function isAbsent(cim: CimObject, path: string): boolean {
  const parts = path.split(/[.[\]]+/).filter((part) => part !== '');
  const value = parts.reduce<CimValue | undefined>((at, part) => {
    if (/^\d+$/.test(part)) return Array.isArray(at) ? at[Number(part) - 1] : at;
    return groupsOf(at)[0]?.[part];
  }, cim);
  return textOf(value) === undefined && groupsOf(value).length === 0;
}
