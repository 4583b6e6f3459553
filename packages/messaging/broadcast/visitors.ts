import { isbot } from 'isbot';

/** What is known of who opens a link; header names in lower case. */
export interface Visit {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

const prefetchHeaders = ['purpose', 'sec-purpose', 'x-purpose', 'x-moz'];

/**
 * Whether a program opened the link and not a person: previews of chat apps, scanners of mail,
 * browsers that fetch ahead. Who sends no user agent is none that a person uses.
 */
export function isProgram({ method, headers }: Visit): boolean {
  const agent = String(headers['user-agent'] ?? '');
  const isAhead = prefetchHeaders.some((name) => /prefetch|preview/i.test(String(headers[name])));
  return method !== 'GET' || isAhead || agent.trim() === '' || isbot(agent);
}
