import { z } from 'zod';

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

/** A secret that a change leaves as it is, and the address, which the change makes another one. */
export interface LeftSecret {
  readonly secret: string;
  readonly address: string;
}

/**
 * The secret that would be sent elsewhere by a change of an address (`.meta({ secretsGoTo: true })`): who changes
 * settings does not know their secrets, and must not have them sent to a server of his. Undefined: there is none.
 */
export function secretSentElsewhere(
  schema: z.ZodType,
  held: Readonly<Record<string, unknown>>,
  change: Readonly<Record<string, unknown>> = {},
): LeftSecret | undefined {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const named = (mark: 'secret' | 'secretsGoTo') =>
    Object.entries(properties).flatMap(([name, property]) =>
      (property as Readonly<Record<string, unknown>>)[mark] === true ? [name] : [],
    );
  const address = named('secretsGoTo').find(
    (name) => name in change && change[name] !== held[name],
  );
  const secret = named('secret').find((name) => held[name] !== undefined && !(name in change));
  return address === undefined || secret === undefined ? undefined : { secret, address };
}

/** Said of such a secret. */
export function neededAgain({ address }: LeftSecret): string {
  return `is needed again, since "${address}" is another one, to which it would be sent`;
}
