/** What is wrong with a field in plain words, in place of the validator's own. */
import { z } from 'zod';

type Issue = z.core.$ZodIssue;

/** Values or fields of a list that a sentence names. */
const shownMax = 20;

/** The validator's own messages; any other was written for this field. */
const isRaw = (message: string) => /^(Invalid |Too (small|big)|Unrecognized )/.test(message);

/**
 * The issues as they are told: those of a union that can be only one form are those of that form.
 */
export function toldIssues(issues: readonly Issue[]): readonly Issue[] {
  return issues.flatMap((issue) => {
    if (issue.code !== 'invalid_union' || !isRaw(issue.message)) return [issue];
    const fitting = issue.errors.filter((branch) => !branch.some(isOfWrongKind));
    if (fitting.length !== 1) return [issue];
    const inside = fitting[0]!.map((each) => ({ ...each, path: [...issue.path, ...each.path] }));
    return toldIssues(inside);
  });
}

function isOfWrongKind({ code, path }: Issue): boolean {
  return code === 'invalid_type' && path.length === 0;
}

const keysMax = 50;
const keyLengthMax = 100;

/** The paths of the fields that an issue is of, `live.peppol.token`; that of the whole is empty. */
export function fieldsOf(issue: Issue): readonly string[] {
  const at = issue.path.map(String);
  if (issue.code !== 'unrecognized_keys') return [at.join('.')];
  return issue.keys.slice(0, keysMax).map((key) => [...at, key.slice(0, keyLengthMax)].join('.'));
}

/** A sentence to put behind the name of the field; it never repeats the value that was sent. */
export function wordsOf(issue: Issue): string {
  if (!isRaw(issue.message)) return issue.message;
  switch (issue.code) {
    case 'unrecognized_keys':
      return 'is not a known field';
    case 'invalid_type':
      return issue.message.endsWith('received undefined')
        ? 'is required'
        : `must be ${kindOf(issue.expected)}`;
    case 'invalid_value':
      return `must be ${oneOf(issue.values)}`;
    case 'too_small':
      return `must ${bound(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum, issue.exact)}`;
    case 'too_big':
      return `must ${bound(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum, issue.exact)}`;
    case 'invalid_format':
      return formats[issue.format] ?? 'has a form that is not accepted';
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_union':
      return unionWords(issue);
    case 'invalid_key':
      return `is no name that is accepted: it ${wordsOf(issue.issues[0]!)}`;
    default:
      return 'is not accepted';
  }
}

/** The `error` of a parse that names the fields that there are where one is not known. */
export const namesKnownFields: z.core.$ZodErrorMap = ({ code, inst }) =>
  code === 'unrecognized_keys' && inst instanceof z.ZodObject
    ? `is not a known field: there are ${Object.keys(inst.shape).slice(0, shownMax).join(', ')}`
    : undefined;

const formats: Readonly<Record<string, string>> = {
  email: 'must be an e-mail address',
  url: 'must be a web address',
  datetime: 'must be an instant such as 2026-01-31T08:00:00Z',
  date: 'must be a day such as 2026-01-31',
  time: 'must be a time of day such as 08:00',
  uuid: 'must be a UUID',
  base64: 'must be base64',
};

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

function kindOf(expected: string): string {
  return kinds[expected] ?? `of another kind (${expected})`;
}

function oneOf(values: readonly unknown[]): string {
  const shown = values.slice(0, shownMax).map(String);
  const more = values.length > shownMax ? ' …' : '';
  return shown.length === 1 ? shown[0]! : `one of ${shown.join(', ')}${more}`;
}

function bound(
  origin: string,
  compared: string,
  limit: number | bigint,
  isExact: boolean | undefined,
): string {
  const units = { string: 'character', array: 'item', set: 'item', map: 'item' } as const;
  const unit = Object.hasOwn(units, origin) ? units[origin as keyof typeof units] : undefined;
  const how = isExact === true ? 'exactly' : compared;
  if (unit === undefined) return `be ${how} ${limit}`;
  return `have ${how} ${limit} ${unit}${Number(limit) === 1 ? '' : 's'}`;
}

function unionWords(issue: Extract<Issue, { code: 'invalid_union' }>): string {
  const { options } = issue as { readonly options?: readonly unknown[] };
  if (options !== undefined) return `must be ${oneOf(options)}`;
  const expected = issue.errors.flatMap((branch) =>
    branch.flatMap((each) =>
      each.code === 'invalid_type' && each.path.length === 0 ? [kindOf(each.expected)] : [],
    ),
  );
  if (expected.length < issue.errors.length) return 'has none of the forms that are accepted';
  return `must be ${[...new Set(expected)].join(' or ')}`;
}
