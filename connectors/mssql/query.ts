/** Reserved words that begin or end a statement, write, or reach beyond the database. */
const forbidden: ReadonlySet<string> = new Set(
  (
    'ADD ALTER BACKUP BEGIN BREAK BULK CHECKPOINT CLOSE COMMIT CONTINUE CREATE DBCC DEALLOCATE ' +
    'DECLARE DELETE DENY DISK DROP DUMP EXEC EXECUTE GOTO GRANT IF INSERT INTO KILL LOAD MERGE ' +
    'OPEN OPENDATASOURCE OPENQUERY OPENROWSET PRINT PROC PROCEDURE RAISERROR READTEXT RECONFIGURE ' +
    'RESTORE RETURN REVERT REVOKE ROLLBACK SAVE SET SETUSER SHUTDOWN TRIGGER TRUNCATE UPDATE ' +
    'UPDATETEXT USE WAITFOR WHILE WRITETEXT'
  ).split(' '),
);

/** A comment (or its beginning), a string, a quoted name, a word, number or variable, or a sign. */
const token =
  /--[^\n]*|\/\*|N?'(?:[^']|'')*'|"(?:[^"]|"")*"|\[(?:[^\]]|\]\])*\]|[@#$_\p{L}\p{M}\p{N}]+|\S/gu;
const word = /^[@#$_\p{L}\p{M}\p{N}]/u;
/** What programs may take for the end of a line, or not: a comment would end somewhere else. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are meant.
const unclear = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f\x85\u2028\u2029]|\r(?!\n)/;
/** In `1DELETE` a number ends and a statement begins. */
const number = /^\$?\d*(?:e\d*)?$|^0x[\da-f]*$/i;

/**
 * Whether a text of T-SQL is one query and does nothing else. T-SQL needs nothing between two
 * statements and has no transaction that cannot write: so words decide, which no name can be.
 */
export function isOneQuery(text: string): boolean {
  const words = unclear.test(text) ? undefined : wordsOf(text);
  const [first] = words ?? [];
  if (words === undefined || (first !== 'SELECT' && first !== 'WITH')) return false;
  // A sequence that was asked for its next value does not go back.
  return !words.some((one, at) => forbidden.has(one) || isPair(words, at, 'NEXT', 'VALUE'));
}

/** The words outside of quotes and comments; undefined when the text is not one statement. */
function wordsOf(text: string): string[] | undefined {
  const words: string[] = [];
  for (let at = 0; at < text.length; ) {
    token.lastIndex = at;
    const found = token.exec(text);
    if (found === null) break;
    const [piece] = found;
    at = found.index + piece.length;
    if (piece === '/*') at = endOfComment(text, at);
    // A quote that nothing closes, or another statement after this one.
    else if (/^['"[]$/.test(piece) || (piece === ';' && text.slice(at).trim() !== '')) return;
    else if (/^[$\d]/.test(piece) && !number.test(piece)) return;
    else if (word.test(piece) && !piece.endsWith("'")) words.push(piece.toUpperCase());
  }
  return words;
}

function isPair(words: readonly string[], at: number, one: string, next: string): boolean {
  return words[at] === one && words[at + 1] === next;
}

/** T-SQL's comments hold comments; one that nothing closes ends with the text. */
function endOfComment(text: string, start: number): number {
  const mark = /\/\*|\*\//g;
  mark.lastIndex = start;
  for (let depth = 1; depth > 0; ) {
    const found = mark.exec(text);
    if (found === null) return text.length;
    depth += found[0] === '/*' ? 1 : -1;
  }
  return mark.lastIndex;
}
