/** Options and arguments that several of the host's commands take, and what is said of a wrong one. */
import { InvalidArgumentError, Option } from 'commander';
import { z } from 'zod';
import { email } from '../people/accounts/email.ts';
import { cidrOf } from '../platform/auth/address-ranges.ts';
import { environments } from '../platform/auth/principal.ts';
import { day, zonedInstant } from '../platform/http/time-input.ts';

/** `--environment sandbox|live`; the caller says whether it must be given. */
export function environmentOption(description: string): Option {
  return new Option('--environment <name>', description).choices([...environments]);
}

/** A text of this form. */
export function matching(pattern: RegExp, problem: string): (value: string) => string {
  return (value) => {
    if (pattern.test(value)) return value;
    throw new InvalidArgumentError(problem);
  };
}

export const tenantId = matching(
  /^[0-9a-f-]{36}$/,
  'the id of a tenant is needed, as `tenant list` shows it',
);

export function tenantName(value: string): string {
  const length = [...value].length;
  if (value.trim() !== '' && length <= 200) return value;
  throw new InvalidArgumentError('1 to 200 characters are needed');
}

/** A whole number within both bounds. */
export function wholeNumber(min: number, max: number): (value: string) => number {
  return (value) => {
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw new InvalidArgumentError(`a whole number from ${min} to ${max} is needed`);
  };
}

const dayOrInstant = z.union([day(), zonedInstant()]);

/** A day (UTC) or an instant since 1970, before which nothing has an id. */
export function instant(value: string): Date {
  // Date itself reads 5, 01/02/2027 and the 31st of February.
  const at = dayOrInstant.safeParse(value).success ? new Date(value) : undefined;
  if (at !== undefined && at.getTime() >= 0) return at;
  throw new InvalidArgumentError(
    'a day or an ISO 8601 instant with its zone is needed, such as 2026-11-24T09:00:00Z',
  );
}

export function emailAddress(value: string): string {
  const parsed = email.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new InvalidArgumentError('an e-mail address is needed');
}

/** One of several addresses or ranges, after those before it. */
export function addressRanges(value: string, before: string[] = []): string[] {
  const range = cidrOf(value);
  if (range === undefined) throw new InvalidArgumentError('an address or CIDR range is needed');
  return [...before, range];
}
