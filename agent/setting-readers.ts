import { delimiter, resolve } from 'node:path';
import type { SecureVersion } from 'node:tls';
import { type ForwardProxy, readExceptions, readProxy } from '@drawbridge/outbound/proxy.ts';

/** How a setting is read: from a person's text in the environment, and from the configuration file. */
export interface Reader<T> {
  /** Undefined when the text is not a value of this setting. */
  (text: string): T | undefined;
  /** JSON Schema of its form in the configuration file. */
  readonly schema: Readonly<Record<string, unknown>>;
}

export const path = reader((text) => (text === '' ? undefined : resolve(text)), {
  type: 'string',
  minLength: 1,
});

export const optionalPath = reader((text) => (text === '' ? '' : resolve(text)), {
  type: 'string',
});

export const paths = reader<readonly string[]>(
  (text) =>
    text
      .split(delimiter)
      .filter((part) => part !== '')
      .map((part) => resolve(part)),
  {
    type: 'array',
    items: { type: 'string', minLength: 1 },
  },
);

/** An object, as no proxy is a value too. */
export const proxyAddress = reader<{ readonly proxy: ForwardProxy | undefined }>(
  (text) => {
    if (text === '') return { proxy: undefined };
    const proxy = readProxy(text);
    return proxy && { proxy };
  },
  { type: 'string', description: 'With a password in it: env:NAME, file:PATH or keyring:NAME.' },
);

export const exceptions = reader((text) => readExceptions(text), { type: 'string' });

export const tlsVersion = reader<SecureVersion>(
  (text) => (text === '1.2' || text === '1.3' ? `TLSv${text}` : undefined),
  { type: 'string', enum: ['1.2', '1.3'] },
);

export const flag = reader<boolean>(
  (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
  { type: 'boolean' },
);

export function integer(min: number, max: number): Reader<number> {
  const schema = { type: 'integer', minimum: min, maximum: max };
  return reader((text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? value : undefined;
  }, schema);
}

/** The text of the environment for a value of the configuration file; undefined when it is no plain value. */
export function textOf(value: unknown): string | undefined {
  if (Array.isArray(value)) {
    return value.every((one) => typeof one === 'string') ? value.join(delimiter) : undefined;
  }
  const isPlain = ['string', 'number', 'boolean'].includes(typeof value);
  return isPlain ? String(value) : undefined;
}

function reader<T>(
  read: (text: string) => T | undefined,
  schema: Readonly<Record<string, unknown>>,
): Reader<T> {
  return Object.assign(read, { schema });
}
