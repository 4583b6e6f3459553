import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { schemaFile, schemaPath } from './database-schema.ts';

test('schema.sql is the schema that the migrations make', async () => {
  const printed = await schemaFile();
  const checkedIn = await readFile(join(import.meta.dirname, '../..', schemaPath), 'utf8');
  expect(printed[schemaPath], 'run "npm run write"').toBe(checkedIn);
});
