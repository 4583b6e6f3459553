import { writeFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { services } from '../modules/services.ts';
import { openapiFile } from '../openapi/contract-route.ts';

/** `openapi`: prints a service's OpenAPI document, or writes the checked-in files. */
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
      // Imported here, because it loads all services and other commands do not need them.
      const { openapiText } = await import('../openapi/print.ts');
      if (!write) {
        console.log(openapiText(service));
        return;
      }
      for (const { name } of services) await writeFile(openapiFile(name), openapiText(name));
    });
}
