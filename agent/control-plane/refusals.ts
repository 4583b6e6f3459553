import { lookUp } from '@drawbridge/cim/look-up.ts';
import type { ErrorName } from '../errors.ts';

/** What an error of the API is here, so that it comes with a next step; others go by their status. */
const byCode: Readonly<Record<string, ErrorName>> = {
  wrong_environment: 'api_address_other',
  tenant_suspended: 'workspace_suspended',
  second_person_needed: 'second_person_needed',
  second_person_required: 'second_person_needed',
  mapping_changed: 'mapping_changed',
  mapping_invalid: 'mapping_refused',
  objections_open: 'objections_open',
  preview_under_way: 'try_later',
  source_unreachable: 'agent_not_serving',
};

/** The error of this agent for one of the API. */
export function errorOf(code: string, status: number): ErrorName {
  const known = lookUp(byCode, code);
  if (known !== undefined) return known;
  if (status === 401) return 'api_key_refused';
  if (status === 403) return 'not_permitted';
  if (status === 404) return 'api_missing';
  if (status === 429 || status >= 500) return 'try_later';
  return 'api_refused';
}
