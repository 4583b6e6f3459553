import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { openapiFile, openapiText } from './contract.ts';
import { services } from './services.ts';

test.each(services)('the file of $name is what its rows give', async ({ name }) => {
  // `npm run control-plane -- openapi --write` brings it up to date.
  expect(await readFile(openapiFile(name), 'utf8')).toBe(openapiText(name));
});

test.each([
  ['/contacts/bulk-import/', ['multipart/form-data', 'text/csv']],
  ['/voice/api/rate-cards/import/', ['multipart/form-data', 'text/csv']],
  ['/team-inbox/api/conversations/{id}/attachments/', ['multipart/form-data']],
])('what POST %s takes as a file is described, and how it is refused', (path, types) => {
  const { requestBody, responses } = JSON.parse(openapiText('messaging')).paths[path].post;
  expect(Object.keys(requestBody.content)).toEqual(types);
  expect(Object.keys(responses)).toEqual(expect.arrayContaining(['413', '415']));
  expect(responses[429].headers).toHaveProperty('Retry-After');
});
