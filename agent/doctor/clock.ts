import { type Check, timeoutMs } from './finding.ts';

/** Signatures and the authorities' windows are judged by the minute. */
const skewSecondsMax = 120;

export const checkClock: Check = async ({ edge, identity }) => {
  if (identity === undefined) return [];
  const row = { component: 'clock', target: identity.url };
  const action = 'Switch on time synchronisation on this host.';
  let date: string | null;
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(identity.url, { method: 'HEAD', redirect: 'manual', signal });
    date = response.headers.get('date');
  } catch {
    const detail = 'the control plane does not answer over HTTP';
    return [{ ...row, status: 'fail', detail, action: 'Let this host dial out to that address.' }];
  }
  const skewMs = edge.clock().getTime() - Date.parse(date ?? '');
  if (Number.isNaN(skewMs))
    return [{ ...row, status: 'warn', detail: 'no time was given', action }];
  const skewSeconds = Math.round(skewMs / 1_000);
  const detail = `${skewSeconds} s from the control plane’s`;
  if (Math.abs(skewSeconds) <= skewSecondsMax) return [{ ...row, status: 'ok', detail }];
  return [{ ...row, status: 'fail', detail, action }];
};
