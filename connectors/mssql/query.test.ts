import { expect, test } from 'vitest';
import { isOneQuery } from './query.ts';

test.each([
  'SELECT k FROM kept WHERE k = @p1',
  '  -- which ones\n select [delete], "update", k AS next FROM kept;\n',
  "SELECT 'DELETE FROM kept; COMMIT' AS k, N'it''s' AS n",
  '/* a /* nested */ comment with DELETE */ WITH w AS (SELECT 1 AS k) SELECT k FROM w',
  'SELECT CASE WHEN k = 1 THEN 1.5e3 ELSE 0xFF END AS k FROM kept ORDER BY k OFFSET 0 ROWS FETCH NEXT 5 ROWS ONLY',
  'SELECT [a]]b; DROP TABLE kept] FROM kept',
  'SELECT $5.20 AS k, @p1 AS ref, #t.k FROM #t',
])('%j is one query', (text) => {
  expect(isOneQuery(text)).toBe(true);
});

test.each([
  ['nothing', ''],
  ['a comment only', '-- SELECT'],
  ['another statement', 'DELETE FROM kept'],
  ['a second one after a semicolon', 'SELECT 1 AS k; DELETE FROM kept'],
  ['a second one after nothing', 'SELECT 1 AS k DELETE FROM kept'],
  ['one after a number', 'SELECT 1DELETE FROM kept'],
  ['one after a number with exponent', 'SELECT 1eDELETE FROM kept'],
  ['one after money', 'SELECT $5DELETE FROM kept'],
  ['one after money of another country', 'SELECT £5DELETE FROM kept'],
  ['one after a string', "SELECT 'a'DELETE FROM kept"],
  ['one after a quoted name', 'SELECT 1 AS [k]DELETE FROM kept'],
  ['one after a comment that ended', 'SELECT 1 AS k /* /* */ */ DELETE FROM kept'],
  ['one after a blank of another script', 'SELECT 1 AS k\u00a0DELETE FROM kept'],
  ['one after a line end that not all take for one', "SELECT 1 AS k --\r '\n DELETE FROM kept --'"],
  ['one after a line separator', 'SELECT 1 AS k --\u2028DELETE FROM kept'],
  ['a string that nothing closes', "SELECT 'a AS k"],
  ['a name that nothing closes', 'SELECT [a AS k'],
  ['a copy', 'SELECT k INTO copied FROM kept'],
  ['a procedure', 'EXEC write_all'],
  ['a sequence', 'SELECT NEXT VALUE FOR ids AS k'],
  ['another server', "SELECT k FROM OPENQUERY(other, 'DELETE FROM kept')"],
  ['a file', "SELECT k FROM OPENROWSET(BULK 'C:\\secret', SINGLE_CLOB) AS f"],
  ['the end of the transaction', 'SELECT 1 AS k COMMIT'],
  ['another transaction', 'SELECT 1 AS k SAVE TRANSACTION a'],
  ['a setting', 'SELECT 1 AS k SET XACT_ABORT ON'],
  ['a write behind WITH', 'WITH w AS (SELECT 1 AS k) DELETE FROM kept'],
  ['a merge', 'WITH w AS (SELECT 1 AS k) MERGE kept USING w ON 1 = 1 WHEN MATCHED THEN DELETE'],
])('%s is refused', (_what, text) => {
  expect(isOneQuery(text)).toBe(false);
});
