/**
 * T-SQL into PostgreSQL's SQL: as much as the tests of this connector say, and no more. What is not
 * known here is left as it stands, so that PostgreSQL refuses it.
 */

/** A piece of text, or what stands in parentheses. */
type Node = string | readonly Node[];

/** One statement for PostgreSQL, or for the server itself. */
export interface Translated {
  /** First word of the statement, in capitals. */
  readonly verb: string;
  readonly text: string;
  /** The parameters whose values are bound, in their order: `p1`. */
  readonly bound: readonly string[];
  /** The T-SQL itself, for what the server does without PostgreSQL. */
  readonly source: string;
}

const token =
  /--[^\n]*|\/\*[\s\S]*?\*\/|N?'(?:[^']|'')*'|"(?:[^"]|"")*"|\[(?:[^\]]|\]\])*\]|@@?[\w$]+|\d+(?:\.\d+)?|[#\w$\u0080-\uffff]+|<=|>=|<>|!=|\S/g;

/** The statements of a batch. */
export function translate(batch: string): readonly Translated[] {
  const tokens = (batch.match(token) ?? []).filter((one) => !/^(--|\/\*)/.test(one));
  return statementsOf(tokens).map((statement) => {
    const bound: string[] = [];
    const [verb = ''] = statement;
    const text = translateList(treeOf(statement), bound);
    return { verb: verb.toUpperCase(), text, bound, source: statement.join(' ') };
  });
}

/** Words with which a statement begins. */
const beginnings: ReadonlySet<string> = new Set(
  (
    'SELECT WITH INSERT UPDATE DELETE CREATE DROP ALTER GRANT DENY REVOKE SET BEGIN COMMIT ROLLBACK ' +
    'PRINT USE TRUNCATE IF'
  ).split(' '),
);

/** Words of a beginning that belong to the statement before: `INSERT … SELECT`. */
const within: Readonly<Record<string, readonly string[]>> = {
  WITH: ['SELECT', 'INSERT', 'UPDATE', 'DELETE'],
  INSERT: ['SELECT', 'WITH'],
  UPDATE: ['SET'],
  CREATE: ['SELECT', 'WITH', 'SET'],
  ALTER: ['SET', 'DROP', 'WITH'],
  DROP: ['IF'],
};

function statementsOf(tokens: readonly string[]): string[][] {
  const statements: string[][] = [];
  let current: string[] = [];
  let depth = 0;
  let expected: string[] = [];
  for (const [at, one] of tokens.entries()) {
    const word = one.toUpperCase();
    if (one === ';' && depth === 0) {
      if (current.length > 0) statements.push(current);
      current = [];
      continue;
    }
    if (one === '(') depth += 1;
    if (one === ')') depth -= 1;
    const verb = current[0]?.toUpperCase() ?? '';
    const before = tokens[at - 1]?.toUpperCase() ?? '';
    const isHint = word === 'WITH' && tokens[at + 1] === '(';
    const isList = ['GRANT', 'DENY', 'REVOKE'].includes(verb) && !current.some(isRecipient);
    const isJoined = ['UNION', 'ALL', 'EXCEPT', 'INTERSECT'].includes(before) || isHint || isList;
    if (current.length > 0 && depth === 0 && beginnings.has(word) && !isJoined) {
      const index = expected.indexOf(word);
      if (index >= 0) {
        expected = verb === 'WITH' ? [] : expected;
      } else {
        statements.push(current);
        current = [];
      }
    }
    if (current.length === 0) expected = [...(within[word] ?? [])];
    current.push(one);
  }
  if (current.length > 0) statements.push(current);
  return statements;
}

function isRecipient(one: string): boolean {
  return /^(TO|FROM)$/i.test(one);
}

function treeOf(tokens: readonly string[]): Node[] {
  const root: Node[] = [];
  const open: Node[][] = [root];
  for (const one of tokens) {
    const list = open.at(-1) ?? root;
    if (one === '(') {
      const group: Node[] = [];
      list.push(group);
      open.push(group);
    } else if (one === ')') {
      open.pop();
    } else {
      list.push(one);
    }
  }
  return root;
}

const hints = /^(UPDLOCK|HOLDLOCK|ROWLOCK|NOLOCK|SERIALIZABLE|READPAST|XLOCK)$/i;

/** One list: a statement, or what stands in parentheses. */
function translateList(nodes: readonly Node[], bound: string[]): string {
  const parts: string[] = [];
  let limit: string | undefined;
  let isLocked = false;
  for (let at = 0; at < nodes.length; at += 1) {
    const node = nodes[at] ?? '';
    const next = nodes[at + 1];
    if (typeof node !== 'string') {
      parts.push(`(${translateList(node, bound)})`);
      continue;
    }
    const word = node.toUpperCase();
    if (word === 'TOP') {
      limit = typeof next === 'string' ? next : translateList(next ?? [], bound);
      at += 1;
    } else if (word === 'WITH' && Array.isArray(next) && next.some(isHint)) {
      isLocked ||= next.some((one) => typeof one === 'string' && /^(UPD|X)LOCK$/i.test(one));
      at += 1;
    } else if (/^(TRY_)?CONVERT$/.test(word) && Array.isArray(next)) {
      parts.push(translateConvert(word, next, bound));
      at += 1;
    } else if (/^(TRY_)?CAST$/.test(word) && Array.isArray(next)) {
      const as = next.findLastIndex((one) => typeof one === 'string' && /^AS$/i.test(one));
      const swapped = [...next.slice(as + 1), ',', ...next.slice(0, as)];
      parts.push(translateConvert(word.replace('CAST', 'CONVERT'), swapped, bound));
      at += 1;
    } else if (word === 'NEXT' && /^VALUE$/i.test(String(next))) {
      parts.push(`nextval('${String(nodes[at + 3])}')`);
      at += 3;
    } else if (word === 'COLLATE') {
      parts.push(/bin2?$/i.test(String(next)) ? 'COLLATE "C"' : '');
      at += 1;
    } else {
      parts.push(translateWord(node, bound));
    }
  }
  const end = [limit === undefined ? '' : `LIMIT ${limit}`, isLocked ? 'FOR UPDATE' : ''];
  return [...parts, ...end]
    .filter((part) => part !== '')
    .join(' ')
    .replace(/ \. /g, '.');
}

function isHint(node: Node): boolean {
  return typeof node === 'string' && hints.test(node);
}

/** CONVERT(type, value, style) as a cast; TRY_CONVERT as a function that answers NULL. */
function translateConvert(name: string, nodes: readonly Node[], bound: string[]): string {
  const [type = [], value = []] = splitAtCommas(nodes);
  const target = castType(typeName(type));
  const text = translateList(value, bound);
  return name.startsWith('TRY_')
    ? `tds.try_convert(CAST(${text} AS text), CAST(NULL AS ${target}))`
    : `CAST(${text} AS ${target})`;
}

function splitAtCommas(nodes: readonly Node[]): Node[][] {
  const parts: Node[][] = [[]];
  for (const node of nodes) {
    if (node === ',') parts.push([]);
    else parts.at(-1)?.push(node);
  }
  return parts;
}

/** `decimal(38,10)`, `nvarchar(max)`. */
function typeName(nodes: readonly Node[]): string {
  const [base = '', size] = nodes;
  const inner = Array.isArray(size) ? `(${size.join('').toLowerCase()})` : '';
  return `${String(base)
    .replace(/^\[(.*)\]$/, '$1')
    .toLowerCase()}${inner}`;
}

const types: Readonly<Record<string, string>> = {
  tinyint: 'smallint',
  bit: 'smallint',
  int: 'integer',
  integer: 'integer',
  money: 'numeric(19,4)',
  smallmoney: 'numeric(10,4)',
  float: 'double precision',
  datetime: 'timestamp(3)',
  smalldatetime: 'timestamp(0)',
  uniqueidentifier: 'uuid',
  // Eight bytes that only row versions are made of.
  rowversion: 'bigint',
  timestamp: 'bigint',
  'binary(8)': 'bigint',
  sysname: 'varchar(128)',
  text: 'text',
  ntext: 'text',
  xml: 'text',
};

/** PostgreSQL's type for one of T-SQL. */
export function castType(name: string): string {
  const known = types[name];
  if (known !== undefined) return known;
  const [, base = '', size = ''] = /^(\w+)(\(.*\))?$/.exec(name) ?? [];
  switch (base) {
    case 'decimal':
    case 'numeric':
      return `numeric${size === '' ? '(18,0)' : size}`;
    case 'varchar':
    case 'nvarchar':
      return size === '' || size === '(max)' ? 'text' : `varchar${size}`;
    case 'char':
    case 'nchar':
      return `char${size}`;
    case 'binary':
    case 'varbinary':
      return 'bytea';
    case 'datetime2':
      return 'timestamp(6)';
    case 'datetimeoffset':
      return 'timestamptz(6)';
    case 'time':
      return 'time(6)';
    default:
      return name;
  }
}

const words: Readonly<Record<string, string>> = {
  INFORMATION_SCHEMA: 'tds',
  SYS: 'tds',
  SCHEMA_NAME: 'current_schema',
  DB_NAME: 'current_database',
  DB_ID: 'tds.db_id',
  HAS_PERMS_BY_NAME: 'tds.has_perms_by_name',
  QUOTENAME: 'quote_ident',
  USER_NAME: 'tds.user_name',
  COUNT_BIG: 'count',
  LEN: 'length',
  ISNULL: 'coalesce',
  SYSUTCDATETIME: 'clock_timestamp',
  NONCLUSTERED: '',
  CLUSTERED: '',
};

function translateWord(one: string, bound: string[]): string {
  if (/^N'/.test(one)) return one.slice(1);
  if (one.startsWith('@@')) return `tds.${one.slice(2).toLowerCase()}()`;
  if (one.startsWith('@')) {
    bound.push(one.slice(1));
    return `$${bound.length}`;
  }
  if (one.startsWith('[')) {
    return `"${one.slice(1, -1).replaceAll(']]', ']').replaceAll('"', '""')}"`;
  }
  return words[one.toUpperCase()] ?? one;
}

const constraint = /^(PRIMARY|UNIQUE|CONSTRAINT|CHECK|FOREIGN|INDEX)$/i;

/** CREATE TABLE with a domain of PostgreSQL for each type, so that the type can be told again. */
export function createTable(source: string): {
  readonly text: string;
  readonly types: readonly string[];
  readonly rowVersions: readonly string[];
  readonly table: string;
} {
  const tree = treeOf(source.match(token) ?? []);
  const at = tree.findIndex((node) => Array.isArray(node));
  const body = tree[at] as readonly Node[];
  const table = translateList(tree.slice(2, at), []);
  const found = new Set<string>();
  const rowVersions: string[] = [];
  const columns = splitAtCommas(body).map((nodes) => {
    const [name = '', type = '', size] = nodes;
    if (constraint.test(String(name))) return translateList(nodes, []);
    const hasSize = Array.isArray(size);
    const written = typeName(hasSize ? [type, size] : [type]);
    const whole = defaultSizes[written] ?? written;
    found.add(whole);
    const column = translateWord(String(name), []);
    if (whole === 'rowversion') rowVersions.push(column);
    const rest = translateList(nodes.slice(hasSize ? 3 : 2), []);
    return `${column} tds.${quoted(whole)} ${rest}`;
  });
  const text = `CREATE TABLE ${table} (${columns.join(', ')})`;
  return { text, types: [...found], rowVersions, table };
}

const defaultSizes: Readonly<Record<string, string>> = {
  integer: 'int',
  decimal: 'decimal(18,0)',
  numeric: 'numeric(18,0)',
  timestamp: 'rowversion',
  char: 'char(1)',
  varchar: 'varchar(1)',
  nvarchar: 'nvarchar(1)',
  'datetime2(7)': 'datetime2',
  'datetimeoffset(7)': 'datetimeoffset',
};

/** A name of PostgreSQL. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
