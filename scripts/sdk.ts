/** Prints a client of an API: `npm run -s sdk -- python messaging > drawbridge_messaging.py`. */
import { openapiText } from '@drawbridge/control-plane/openapi/print.ts';
import { pythonClient } from '@drawbridge/sdk/python.ts';
import { typescriptClient } from '@drawbridge/sdk/typescript.ts';
import { argumentsOf } from './arguments.ts';

const usage = `Usage: npm run -s sdk -- LANGUAGE SERVICE

  LANGUAGE  typescript or python
  SERVICE   einvoice or messaging

Prints a client in one file that needs nothing else:

  npm run -s sdk -- typescript einvoice > drawbridge-einvoice.ts
  npm run -s sdk -- python messaging > drawbridge_messaging.py`;

const printers = { typescript: typescriptClient, python: pythonClient };

const [language = '', service = ''] = argumentsOf(usage, { options: {} }).positionals;
const print = printers[language as keyof typeof printers];
if (print === undefined || !['einvoice', 'messaging'].includes(service)) {
  console.error(usage);
  process.exitCode = 2;
} else {
  process.stdout.write(print(JSON.parse(openapiText(service))));
}
