import { isbot } from 'isbot';

/** What is known of the visitor of a link; header names in lower case. */
export interface Visit {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

const prefetchHeaders = ['purpose', 'sec-purpose', 'x-purpose', 'x-moz'];

/**
 * Whether a program opened the link and not a person: previews of chat apps, mail scanners,
 * browsers that prefetch. A visitor without a user agent counts as a program, because browsers send
 * one.
 */
export function isProgram({ method, headers }: Visit): boolean {
  const agent = String(headers['user-agent'] ?? '');
  const isAhead = prefetchHeaders.some((name) => /prefetch|preview/i.test(String(headers[name])));
  return method !== 'GET' || isAhead || agent.trim() === '' || isbot(agent);
}
