import { writeFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { services } from '../services.ts';

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
      // All that is served: no other command waits for it to be read.
      const { openapiFile, openapiText } = await import('../contract.ts');
      if (!write) {
        console.log(openapiText(service));
        return;
      }
      for (const { name } of services) await writeFile(openapiFile(name), openapiText(name));
    });
}
