import type { ConnectorFault } from '@drawbridge/connectors/contract.ts';
import { isOfSettings } from '@drawbridge/connectors/fault.ts';
import type { ApiError } from '../../platform/http/errors.ts';
import { fail } from '../errors.ts';

/** The errors of `unanswered`. */
export const unansweredErrors = ['source_not_allowed', 'source_unreachable'] as const;

/** The error of a request whose source gave no answer: by an outage, or by its settings alone. */
export function unanswered(fault: ConnectorFault): ApiError {
  if (isOfSettings(fault)) return fail('source_not_allowed', fault.message);
  return fail('source_unreachable', `The source did not answer: ${fault.message}`, {
    headers: { 'retry-after': '5' },
  });
}
