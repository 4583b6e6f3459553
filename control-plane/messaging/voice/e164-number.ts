import { readNumber } from '../contacts/actions.ts';
import { invalid } from '../errors.ts';

/** A number in E.164. Throws `invalid_request`. */
export function numberAt(field: string, text: string): string {
  try {
    return readNumber(text);
  } catch {
    throw invalid(field, 'must be a number in E.164, as +60312345678');
  }
}
