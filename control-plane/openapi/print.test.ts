import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { services } from '../modules/services.ts';
import { openapiFile, openapiText } from './print.ts';

test.each(services)(
  'the checked-in file of $name is up to date with its routes',
  async ({ name }) => {
    // `npm run control-plane -- openapi --write` updates it.
    expect(await readFile(openapiFile(name), 'utf8')).toBe(openapiText(name));
  },
);

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
