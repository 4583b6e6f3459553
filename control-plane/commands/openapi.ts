import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { modules } from '../modules.ts';
import { describe } from '../platform/http/openapi.ts';
import { services } from '../services.ts';

const servers = [
  { url: 'http://localhost:8080', description: 'Production' },
  { url: 'http://localhost:8081', description: 'Sandbox' },
];
const folder = join(import.meta.dirname, '../openapi');

/** `openapi`: prints a service's document, or writes the files that are checked in. */
export function addOpenapi(program: Command): void {
  program
    .command('openapi')
    .description('print the OpenAPI 3.1 document of a service')
    .addOption(
      new Option('--service <name>', 'which one')
        .choices(services.map(({ name }) => name))
        .default('einvoice'),
    )
    .option('--write', `write the files of all services under control-plane/openapi/`)
    .action(async ({ service, write }: { service: string; write?: boolean }) => {
      if (!write) {
        console.log(openapiText(service));
        return;
      }
      for (const { name } of services) await writeFile(openapiFile(name), openapiText(name));
    });
}

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
