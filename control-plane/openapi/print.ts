import { modules } from '../modules/registry.ts';
import { services } from '../modules/services.ts';
import { describe } from '../platform/http/openapi.ts';

const servers = [
  { url: 'http://localhost:8080', description: 'Production' },
  { url: 'http://localhost:8081', description: 'Sandbox' },
];

/** The text of a service's document, from the routes of its modules. */
export function openapiText(name: string): string {
  const service = services.find((row) => row.name === name)!;
  const own = modules.filter((module) => module.service === name);
  const routes = own.flatMap((module) => module.describe());
  return `${JSON.stringify(describe({ ...service, routes }, servers), undefined, 2)}\n`;
}
