import type { Reply } from '../../../simulation/server.ts';

/** Codes in the answer: status, title. */
const refusals: Readonly<Record<number, readonly [number, string]>> = {
  3: [400, 'Application does not have the capability to make this API call'],
  4: [400, 'Application request limit reached'],
  10: [403, 'Application does not have permission for this action'],
  100: [400, 'Invalid parameter'],
  190: [401, 'Invalid OAuth access token'],
  200: [403, 'Permissions error'],
  368: [403, 'Temporarily blocked for policies violations'],
  80007: [400, 'Rate limit issues'],
  130429: [429, 'Rate limit hit'],
  130497: [403, 'Business account is restricted from messaging users in this country'],
  131000: [500, 'Something went wrong'],
  131008: [400, 'Required parameter is missing'],
  131009: [400, 'Parameter value is not valid'],
  131016: [500, 'Service unavailable'],
  131021: [400, 'Recipient cannot be sender'],
  131030: [400, 'Recipient phone number not in allowed list'],
  131031: [403, 'Business Account locked'],
  131037: [403, 'Display name approval needed'],
  131044: [400, 'Billing issue'],
  131045: [500, 'Incorrect certificate'],
  131051: [400, 'Unsupported message type'],
  131056: [400, '(Business Account, Consumer Account) pair rate limit hit'],
  131057: [500, 'Business Account is in maintenance mode'],
  131062: [400, 'Business-scoped User ID recipients are not supported for this message'],
  131063: [403, 'Marketing messages are disabled for this business'],
  132000: [400, 'Template Param Count Mismatch'],
  132001: [404, 'Template does not exist'],
  132005: [400, 'Template Hydrated Text too long'],
  132007: [400, 'Template Format Character Policy Violated'],
  132008: [400, 'Template parameter value is invalid'],
  132012: [400, 'Template Parameter Format Mismatch'],
  132015: [400, 'Template is Paused'],
  132016: [400, 'Template is Disabled'],
  132068: [400, 'Flow is blocked'],
  132069: [400, 'Flow is throttled'],
  133004: [503, 'Server Temporarily Unavailable'],
  133016: [400, 'Account register deregister rate limit exceeded'],
  135000: [400, 'Generic user error'],
  137000: [400, 'Recipient identity key hash mismatch'],
};

/** Codes that come by webhook after the message was accepted. */
const failures: Readonly<Record<number, string>> = {
  130472: 'User is part of an experiment',
  131026: 'Message undeliverable',
  131042: 'Business eligibility payment issue',
  131047: 'Re-engagement message',
  131048: 'Spam Rate limit hit',
  131049: 'This message was not delivered to maintain healthy ecosystem engagement',
  131050: 'User has stopped marketing messages',
  131052: 'Media download error',
  131053: 'Media upload error',
  131064: 'Template category is being reviewed',
};

/** The error envelope of a refusal. */
export function refusal(code: number, details: string): Reply {
  const [status, title] = refusals[code] ?? [400, 'Error'];
  return {
    status,
    body: {
      error: {
        message: `(#${code}) ${title}`,
        type: 'OAuthException',
        code,
        error_data: { messaging_product: 'whatsapp', details },
        fbtrace_id: 'A1b2C3d4E5f6G7h8',
      },
    },
  };
}

/**
 * The outcome for a magic recipient: a number that ends in a six-digit error code, or in a 9, zeros
 * and a shorter code, so that consecutive numbers seldom hit one.
 */
export function outcomeOf(
  recipient: string,
): { readonly kind: 'refused' | 'failed'; readonly code: number } | undefined {
  const digits = recipient.slice(-6);
  if (!/^[19]\d{5}$/.test(digits)) return undefined;
  const code = Number(digits.replace(/^9/, ''));
  if (Object.hasOwn(refusals, code)) return { kind: 'refused', code };
  return Object.hasOwn(failures, code) ? { kind: 'failed', code } : undefined;
}

/** Magic recipients, with how messages to them fail. */
export const magicCodes: readonly (readonly [string, string])[] = [
  ...Object.entries(refusals).map(
    ([code, [status, title]]) =>
      [
        `…${code.length === 6 ? code : `9${code.padStart(5, '0')}`}`,
        `HTTP ${status}: ${title}`,
      ] as const,
  ),
  ...Object.entries(failures).map(
    ([code, title]) => [`…${code}`, `failed later: ${title}`] as const,
  ),
];

/** The `errors` member of a failed status. */
export function failure(code: number) {
  const title = failures[code] ?? 'Error';
  const href = 'https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/';
  return [{ code, title, message: title, error_data: { details: `${title}.` }, href }];
}
