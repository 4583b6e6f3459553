import { expect, test } from 'vitest';
import { judge, readReport } from './sending-report.ts';

const now = new Date('2026-11-21T08:00:00Z');
const as4 = (errorDetails: string | null) => ({
  sendingResult: 'AS4_ERROR_MESSAGE_RECEIVED',
  as4ResponseErrors: [
    {
      errorCode: 'EBMS:0004',
      description: 'An undefined error.',
      errorDetails,
      severity: 'failure',
    },
  ],
});

test.each([
  ['success', { overallSuccess: true, as4SendingDateTime: '2026-11-21T10:00:00+02:00' }, 'sent'],
  ['not serviced', as4('PEPPOL:NOT_SERVICED'), 'refused PEPPOL:NOT_SERVICED'],
  ['another AS4 error', as4('could not be processed'), 'refused EBMS:0004'],
  ['an AS4 error without detail', as4(null), 'refused EBMS:0004'],
  [
    'an AS4 error without errors',
    { sendingResult: 'AS4_ERROR_MESSAGE_RECEIVED' },
    'refused AS4_ERROR',
  ],
  ['invalid parameters', { sendingResult: 'INVALID_PARAMETERS' }, 'refused INVALID_PARAMETERS'],
  [
    'a lasting transport error',
    { sendingResult: 'TRANSPORT_ERROR_NO_RETRY' },
    'refused TRANSPORT_ERROR_NO_RETRY',
  ],
  ['a transport error', { sendingResult: 'TRANSPORT_ERROR' }, 'retriable 60000'],
  ['no signal', { sendingResult: 'NO_SIGNAL_MESSAGE_RECEIVED' }, 'retriable 60000'],
  ['an invalid signal', { sendingResult: 'INVALID_SIGNAL_MESSAGE_RECEIVED' }, 'retriable 60000'],
  ['an expired certificate', { c3CertCheckResult: 'EXPIRED' }, 'retriable 3600000'],
  [
    'an unregistered receiver',
    { lookupException: { message: 'The participant is not registered' } },
    'refused SMP:NOT_REGISTERED',
  ],
  ['an SMP that does not answer', { lookupError: 'connect timed out' }, 'retriable 60000'],
  [
    'an envelope not accepted',
    { sbdhParsingException: { message: 'invalid-sbd-xml' } },
    'refused SBDH',
  ],
  ['nothing said', {}, 'retriable 60000'],
])('%s', (_name, report, expected) => {
  const body = JSON.stringify({ overallSuccess: false, ...report });
  const verdict = judge(readReport(body)!, now);
  const more = {
    sent: '',
    refused: ` ${verdict.kind === 'refused' && verdict.errors[0]?.code}`,
    retriable: ` ${verdict.kind === 'retriable' && verdict.afterMs}`,
  };
  expect(verdict.kind + more[verdict.kind]).toBe(expected);
});

test('the time of sending is given in UTC', () => {
  const report = readReport(
    '{"overallSuccess":true,"as4SendingDateTime":"2026-11-21T10:00:00+02:00"}',
  );
  expect(judge(report!, now)).toEqual({ kind: 'sent', at: '2026-11-21T08:00:00.000Z' });
});

test.each(['', '<html>', '"text"', '[]', '{}', '{"overallSuccess":"yes"}', 'null'])(
  '%j is no report',
  (body) => {
    expect(readReport(body)).toBeUndefined();
  },
);
