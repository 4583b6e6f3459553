import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeErrors, earlierUuid } from './errors.ts';

const cases = [
  {
    name: 'a synchronous error with details: the details, located by target',
    envelope: {
      error: {
        code: 'ValidationError',
        message: null,
        target: null,
        details: [{ code: 'submission', target: 'submission', message: 'Invalid structure.' }],
      },
    },
    errors: [{ code: 'submission', message: 'Invalid structure.', location: 'submission' }],
  },
  {
    name: 'a synchronous error without details: itself',
    envelope: {
      error: {
        code: 'ValidationError',
        message: 'JSON is not valid',
        target: 'submission',
        details: null,
      },
    },
    errors: [{ code: 'ValidationError', message: 'JSON is not valid', location: 'submission' }],
  },
  {
    name: 'a rejected document: the detail, with the outer code where it has none',
    envelope: {
      code: '3',
      message: 'Validation Error',
      target: 'INV9',
      propertyPath: null,
      details: [
        {
          code: null,
          message: 'ArrayItemNotValid: #/Invoice[0]',
          target: '[0]',
          propertyPath: '#/Invoice[0]',
          details: null,
        },
      ],
    },
    errors: [{ code: '3', message: 'ArrayItemNotValid: #/Invoice[0]', location: '#/Invoice[0]' }],
  },
  {
    name: 'a validation step: the inner errors, with the Malay text',
    envelope: {
      errorCode: 'Error02',
      error: 'Step02',
      errorMS: 'Ralat',
      propertyPath: null,
      innerError: [
        { errorCode: 'CF321', error: 'Too old.', errorMS: 'Terlalu lama.', propertyPath: '/I/D' },
        { errorCode: 'CF414', error: 'Phone.', errorMs: 'Telefon.', innerError: null },
      ],
    },
    errors: [
      {
        code: 'CF321',
        message: 'Too old.',
        location: '/I/D',
        translations: { ms: 'Terlalu lama.' },
      },
      { code: 'CF414', message: 'Phone.', translations: { ms: 'Telefon.' } },
    ],
  },
  {
    name: 'an inner error that is one object, two levels down',
    envelope: { errorCode: 'A', error: 'a', innerError: { innerError: [{ errorCode: 'B' }] } },
    errors: [{ code: 'B', message: 'a' }],
  },
  {
    name: 'a numeric code',
    envelope: { error: { code: 3, message: 'three' } },
    errors: [{ code: '3', message: 'three' }],
  },
  {
    name: 'a text',
    envelope: 'gateway says no',
    errors: [{ code: 'Unspecified', message: 'gateway says no' }],
  },
  {
    name: 'nothing',
    envelope: undefined,
    errors: [{ code: 'Unspecified', message: 'no reason given' }],
  },
];

test.each(cases)('$name', ({ envelope, errors }) => {
  expect(decodeErrors(envelope)).toEqual(errors);
});

test('any envelope gives at least one error with code and message, in bounded time', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (envelope) => {
      const errors = decodeErrors(envelope);
      expect(errors.length).toBeGreaterThan(0);
      expect(errors.length).toBeLessThanOrEqual(100);
      for (const { code, message } of errors) expect(code && message).toBeTruthy();
    }),
    { numRuns: 300 },
  );
});

test('a deeply nested envelope is read to a limited depth', () => {
  const endless: Record<string, unknown> = { code: 'X', message: 'x' };
  endless.details = [endless, endless];
  expect(decodeErrors(endless).length).toBe(100);
});

const own = 'A'.repeat(26);
const first = 'B'.repeat(26);

test.each([
  ['DS302 names both, the second is the earlier', 'DS302', `${own} … UUID ${first} match`, first],
  ['Error03 names only the earlier', 'Error03', `like ${first}.`, first],
  ['the sentence without a code', '3', `Duplicated submitted document with UUID ${first}`, first],
  ['only our own is named', 'DS302', `UUID ${own}`, undefined],
  ['rejected at once, so that ours has no id yet', 'DS302', `${own} … ${first}`, first, ''],
  ['another error with a UUID in it', 'CF321', `document ${first} is too old`, undefined],
])('earlier document: %s', (_name, code, message, expected, known = own) => {
  expect(earlierUuid([{ code, message }], known || undefined)).toBe(expected);
});
