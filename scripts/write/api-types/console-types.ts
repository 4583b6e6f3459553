import openapiTs, { astToString } from 'openapi-typescript';
import { openapi } from '../openapi.ts';
import type { Written } from '../written.ts';

const notice = '/** Written by `npm run write` from the OpenAPI file. */\n';

/** The types of both APIs, for the pages of the console. */
export async function consoleTypes(): Promise<Written> {
  const files = await Promise.all(
    Object.entries(openapi()).map(async ([path, text]) => {
      const name = path.replace(/^.*\/(\w+)\.json$/, '$1');
      const types = astToString(await openapiTs(JSON.parse(text)));
      return [`control-plane/console/api/${name}-api.d.ts`, notice + types] as const;
    }),
  );
  return Object.fromEntries(files);
}
