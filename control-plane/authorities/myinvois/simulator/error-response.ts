import type { Reply } from '../../../simulation/server.ts';

/** An error in the envelope that MyInvois answers calls with. */
export function errorResponse(
  status: number,
  code: string,
  message: string | null,
  target: string | null = null,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return { status, headers, body: { error: { code, message, target, details: null } } };
}
