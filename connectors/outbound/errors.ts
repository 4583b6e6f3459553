import type { Failure } from '@drawbridge/outbound/outcome.ts';
import type { ConnectorFault } from '../contract.ts';
import { fault, networkFault } from '../fault.ts';

/** The fault of a request that got no answer; `where` names the server. */
export function failureFault({ code }: Failure, where: string): ConnectorFault {
  const known = networkFault(code, where);
  if (known !== undefined) return known;
  const isSlow = /TIMEOUT/.test(code);
  const message = isSlow ? 'did not answer in time.' : `did not answer (${code}).`;
  return fault('unreachable', `${where} ${message}`, 'later');
}

const retryAfterMax = 86_400;

/** The fault of an answer that is none: its status says whether asking again can help. */
export function answerFault(
  {
    status,
    headers,
  }: { readonly status: number; readonly headers: Readonly<Record<string, string>> },
  where: string,
): ConnectorFault {
  if (status === 401 || status === 403) {
    const message = `${where} refuses these credentials (${status}).`;
    return fault('access_denied', message, 'never');
  }
  if (status >= 300 && status < 400) {
    const message = `${where} answers with a redirect (${status}), which is not followed: name the address that it leads to.`;
    return fault('redirect', message, 'never');
  }
  const seconds = Number(headers['retry-after']);
  const isLater = status === 408 || status === 425 || status === 429 || status >= 500;
  const retry =
    isLater && seconds > 0 ? { afterSeconds: Math.min(seconds, retryAfterMax) } : 'later';
  if (status === 429) return fault('overloaded', `${where} asks for fewer requests (429).`, retry);
  if (isLater) return fault('unreachable', `${where} answered ${status}.`, retry);
  const message = `${where} answered ${status}: check the paths in the settings.`;
  return fault('statement_failed', message, 'never');
}

/** The answer of `where` holds no JSON, or not what the settings say. */
export function answerUnreadable(where: string, detail: string): ConnectorFault {
  return fault('answer_unreadable', `${where} answered ${detail}`, 'never');
}
