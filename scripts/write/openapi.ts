import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { services } from '@drawbridge/control-plane/modules/services.ts';
import { openapiFile } from '@drawbridge/control-plane/openapi/contract-route.ts';
import { openapiText } from '@drawbridge/control-plane/openapi/print.ts';
import type { Written } from './written.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The OpenAPI document of each service, from the rows of its routes. */
export function openapi(): Written {
  return Object.fromEntries(
    services.map(({ name }) => [relative(root, openapiFile(name)), openapiText(name)]),
  );
}
