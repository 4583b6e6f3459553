import { join } from 'node:path';
import { modules } from './modules.ts';
import { describe } from './platform/http/openapi.ts';
import { services } from './services.ts';

const servers = [
  { url: 'http://localhost:8080', description: 'Production' },
  { url: 'http://localhost:8081', description: 'Sandbox' },
];
const folder = join(import.meta.dirname, 'openapi');

/** The text of a service's document, from the rows of its modules. */
export function openapiText(name: string): string {
  const service = services.find((row) => row.name === name)!;
  const own = modules.filter((module) => module.service === name);
  const routes = own.flatMap((module) => module.describe());
  return `${JSON.stringify(describe({ ...service, routes }, servers), undefined, 2)}\n`;
}

/** Where the document is checked in. */
export function openapiFile(name: string): string {
  return join(folder, `${name}.json`);
}
