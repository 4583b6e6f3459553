import { markupProviders } from '@drawbridge/control-plane/messaging/voice/templates/schema.ts';
import { profiles } from '@drawbridge/profiles/registry.ts';
import type { Written } from './written.ts';

interface Registered {
  readonly id: string;
  readonly title: string;
}

/** Of the registries, what the console offers: title by id. */
export function registeredKinds(): Written {
  const text = [
    '/** Written by `npm run write` from the registries: title by id. */',
    listed('profiles', profiles),
    '',
    listed('markupProviders', markupProviders),
    '',
  ].join('\n');
  return { 'control-plane/console/api/registered-kinds.ts': text };
}

function listed(name: string, entries: readonly Registered[]): string {
  const rows = entries.map(({ id, title }) => `  ${keyOf(id)}: '${title}',`);
  return [`export const ${name} = {`, ...rows, '} as const;'].join('\n');
}

function keyOf(id: string): string {
  return /^[a-z]\w*$/i.test(id) ? id : `'${id}'`;
}
