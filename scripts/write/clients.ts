import { services } from '@drawbridge/control-plane/modules/services.ts';
import { openapiText } from '@drawbridge/control-plane/openapi/print.ts';
import { typescriptClient } from '@drawbridge/sdk/typescript.ts';
import type { Written } from './written.ts';

/** The client of each service as `npm run sdk` prints it in TypeScript; the demos call through them. */
export function clients(): Written {
  return Object.fromEntries(
    services.map(({ name }) => [
      `packages/sdk/clients/${name}.ts`,
      typescriptClient(JSON.parse(openapiText(name))),
    ]),
  );
}
