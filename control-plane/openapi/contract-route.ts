import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AnyRoute, route } from '../platform/http/route.ts';

/** Path of the OpenAPI file of a service, which `npm run write` makes from its routes. */
export function openapiFile(service: string): string {
  return join(import.meta.dirname, `${service}.json`);
}

/** Serves the OpenAPI file of a service, with this installation's address. */
export function contractRoute(service: string, path: string): AnyRoute {
  let body: Promise<string> | undefined;
  return route({
    method: 'get',
    path,
    operationId: 'getContract',
    summary: 'The OpenAPI file of this service',
    auth: { public: 'The contract is no secret: clients are made from it.' },
    responses: { 200: { description: 'OpenAPI 3.1', mediaType: 'application/json' } },
    handler: async () => {
      body ??= servedText(service);
      return { status: 200, body: await body };
    },
  });
}

async function servedText(service: string): Promise<string> {
  const contract = JSON.parse(await readFile(openapiFile(service), 'utf8'));
  return JSON.stringify({
    ...contract,
    servers: [{ url: '/', description: 'This address' }],
  });
}
