/**
 * Settings with a change of some of them; null removes one.
 *
 *     mergedSettings({ from: 'ACME', auth_token: 's3cret' }, { from: null })  // { auth_token: 's3cret' }
 */
export function mergedSettings(
  held: Readonly<Record<string, unknown>>,
  change: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const all = Object.entries({ ...held, ...change });
  return Object.fromEntries(all.filter(([, value]) => value !== null));
}
