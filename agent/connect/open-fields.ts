import { withCompany } from '@drawbridge/mapping/company.ts';
import { isAvailable } from '@drawbridge/mapping/coverage.ts';
import type { Mapping } from '@drawbridge/mapping/mapping.ts';
import type { Company } from '@drawbridge/profiles/company.ts';
import type { Profile } from '@drawbridge/profiles/contract.ts';
import type { OpenField } from './work.ts';

/** Less sure proposals are asked for, as far as they are required. */
export const sureMin = 0.8;

/** Required fields that nothing fills, or that a doubtful column does. */
export function openFields(
  mapping: Mapping,
  profile: Profile,
  company: Company | undefined,
): OpenField[] {
  const whole = withCompany(mapping, company, profile.id);
  const byTarget = new Map(whole.fields.map((field) => [field.target, field]));
  const isThere = (path: string) => isAvailable(path, byTarget, profile.filled);
  const missing = new Set(
    profile.fields.flatMap(({ path, required }) =>
      required === 'always' && !isThere(path) ? [path] : [],
    ),
  );
  // What follows from another open field is there once that one is.
  const follows = (path: string) => {
    const needs = profile.filled[path] ?? [];
    return (
      needs.some((need) => missing.has(need)) &&
      needs.every((need) => isThere(need) || missing.has(need))
    );
  };
  return profile.fields.flatMap(({ path, name, help, required }) => {
    const field = byTarget.get(path);
    const isDoubtful = required === 'always' && (field?.confidence ?? 1) < sureMin;
    if (!isDoubtful && (!missing.has(path) || follows(path))) return [];
    const from = field?.from && `${field.from.section}.${field.from.column}`;
    return [{ path, name, help, ...(from !== undefined && { from }) }];
  });
}

/** Whether each document has to have a field. */
export function isRequired({ fields }: Profile, target: string): boolean {
  return fields.some(({ path, required }) => path === target && required === 'always');
}
