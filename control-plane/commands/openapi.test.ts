import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { services } from '../services.ts';
import { openapiFile, openapiText } from './openapi.ts';

test.each(services)('the file of $name is what its rows give', async ({ name }) => {
  // `npm run control-plane -- openapi --write` brings it up to date.
  expect(await readFile(openapiFile(name), 'utf8')).toBe(openapiText(name));
});
