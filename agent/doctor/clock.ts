import { openHttpClient } from '@drawbridge/connectors/outbound/client.ts';
import { type Check, timeoutMs } from './finding.ts';

/** Signatures and the authorities' time windows allow a clock to be off by minutes only. */
const skewSecondsMax = 120;

export const checkClock: Check = async ({ runtime, identity, network }) => {
  if (identity === undefined || network === undefined) return [];
  const row = { component: 'clock', target: identity.url };
  const client = openHttpClient({ totalMs: timeoutMs, bodyBytesMax: 0 }, network);
  const outcome = await client.send({ method: 'HEAD', url: identity.url, headers: {} });
  await client.close();
  if (outcome.kind !== 'answered') {
    const detail = 'the control plane does not answer over HTTP';
    return [{ ...row, status: 'fail', detail, code: 'control_plane_silent' }];
  }
  const skewMs = runtime.clock().getTime() - Date.parse(outcome.answer.headers.date ?? '');
  if (Number.isNaN(skewMs))
    return [{ ...row, status: 'warn', detail: 'no time was given', code: 'clock_off' }];
  const skewSeconds = Math.round(skewMs / 1_000);
  const detail = `${skewSeconds} s from the control plane’s`;
  if (Math.abs(skewSeconds) <= skewSecondsMax) return [{ ...row, status: 'ok', detail }];
  return [{ ...row, status: 'fail', detail, code: 'clock_off' }];
};
