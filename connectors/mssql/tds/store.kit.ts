/** The database behind the test server: PostgreSQL, which looks like SQL Server where tests look. */
import pg from 'pg';
import type { ServerMessage } from './tokens.kit.ts';
import { castType, createTable, quoted, type Translated } from './translation.kit.ts';

/** The catalogue views and functions that statements of the tests name. */
const catalogue = `
CREATE SCHEMA tds;
CREATE SCHEMA dbo;
CREATE COLLATION tds.ignoring_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE FUNCTION tds.try_convert(value text, INOUT result anyelement) LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('SELECT CAST(%L AS %s)', value, pg_typeof(result)) INTO result;
EXCEPTION WHEN others THEN
  result := NULL;
END $$;
CREATE FUNCTION tds.db_id() RETURNS integer LANGUAGE sql AS 'SELECT 5';
CREATE FUNCTION tds.version() RETURNS text LANGUAGE sql AS $$SELECT 'Microsoft SQL Server 2016'$$;
CREATE FUNCTION tds.spid() RETURNS integer LANGUAGE sql AS 'SELECT pg_backend_pid()';
CREATE FUNCTION tds.trancount() RETURNS integer LANGUAGE sql AS 'SELECT 0';
CREATE FUNCTION tds.user_name() RETURNS text LANGUAGE sql AS $$
  SELECT replace(current_user, current_database() || '_', '') $$;
CREATE SEQUENCE tds.row_versions;
CREATE FUNCTION tds.next_row_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW := jsonb_populate_record(NEW, jsonb_build_object(TG_ARGV[0], nextval('tds.row_versions')));
  RETURN NEW;
END $$;
CREATE TABLE tds.settings (snapshot_isolation_state smallint NOT NULL);
INSERT INTO tds.settings VALUES (1);
CREATE VIEW tds.databases AS
  SELECT tds.db_id() AS database_id, current_database()::text AS name, snapshot_isolation_state
  FROM tds.settings;
CREATE VIEW tds.visible AS
  SELECT t.oid, t.relname, t.relkind, s.nspname FROM pg_class AS t
  JOIN pg_namespace AS s ON s.oid = t.relnamespace
  WHERE t.relkind IN ('r', 'v') AND s.nspname NOT IN ('pg_catalog', 'information_schema', 'tds')
  AND s.nspname !~ '^pg_' AND (has_table_privilege(t.oid, 'SELECT, INSERT, UPDATE')
    OR has_any_column_privilege(t.oid, 'SELECT, INSERT, UPDATE'));
CREATE VIEW tds.tables AS SELECT nspname::text AS table_schema, relname::text AS table_name,
  CASE relkind WHEN 'v' THEN 'VIEW' ELSE 'BASE TABLE' END AS table_type FROM tds.visible;
CREATE VIEW tds.columns AS
  SELECT v.nspname::text AS table_schema, v.relname::text AS table_name,
    a.attname::text AS column_name, a.attnum AS ordinal_position,
    CASE split_part(t.typname, '(', 1) WHEN 'rowversion' THEN 'timestamp' WHEN 'int4' THEN 'int'
      WHEN 'text' THEN 'nvarchar' ELSE split_part(t.typname, '(', 1) END AS data_type,
    substring(t.typname FROM '\\((\\d+),')::integer AS numeric_precision,
    substring(t.typname FROM ',(\\d+)\\)')::integer AS numeric_scale
  FROM tds.visible AS v JOIN pg_attribute AS a ON a.attrelid = v.oid
  JOIN pg_type AS t ON t.oid = a.atttypid WHERE a.attnum > 0 AND NOT a.attisdropped;
CREATE VIEW tds.key_column_usage AS SELECT * FROM information_schema.key_column_usage;
CREATE VIEW tds.table_constraints AS SELECT * FROM information_schema.table_constraints;
CREATE VIEW tds.all_columns AS SELECT attname AS name FROM pg_attribute;
CREATE FUNCTION tds.has_perms_by_name(securable text, class text, permission text)
RETURNS integer LANGUAGE plpgsql AS $$
BEGIN
  IF upper(class) = 'OBJECT' THEN
    RETURN has_table_privilege(translate(securable, '[]', '""'), permission)::integer;
  ELSIF upper(class) = 'SCHEMA' THEN
    RETURN has_schema_privilege(translate(securable, '[]', ''), 'CREATE')::integer;
  END IF;
  -- CREATE TABLE in the database: whoever may make something in the default schema.
  RETURN has_schema_privilege('dbo', 'CREATE')::integer;
EXCEPTION WHEN undefined_table OR invalid_schema_name THEN
  RETURN NULL;
END $$;
CREATE FUNCTION tds.has_perms_by_name(securable text, class text, permission text, part text, kind text)
RETURNS integer LANGUAGE sql AS $$
  SELECT has_column_privilege(translate(securable, '[]', '""'), part, permission)::integer $$;
GRANT USAGE ON SCHEMA tds, dbo TO PUBLIC;
GRANT SELECT ON ALL TABLES IN SCHEMA tds TO PUBLIC;
GRANT USAGE ON SEQUENCE tds.row_versions TO PUBLIC;
`;

/** A column of an answer, its type in T-SQL's words. */
export interface StoreColumn {
  readonly name: string;
  readonly type: string;
}

export type StoreAnswer =
  | { readonly kind: 'done'; readonly count: number | undefined }
  | { readonly kind: 'failed'; readonly error: ServerMessage; readonly isRolledBack: boolean }
  | { readonly kind: 'cancelled' };

/** What a session does with the rows of an answer. */
export interface RowReceiver {
  columns(columns: readonly StoreColumn[]): void;
  row(values: readonly (string | null)[]): void;
}

/** The database of one test server. */
export class Store {
  readonly url: string;
  readonly #admin: pg.Client;
  /** T-SQL's type of the columns of tables: by table and place. */
  readonly #types = new Map<string, string>();
  readonly #roles: string[] = [];

  private constructor(url: string) {
    this.url = url;
    this.#admin = new pg.Client({ connectionString: url });
  }

  /** Makes an empty database look like one of SQL Server. */
  static async open(url: string): Promise<Store> {
    const store = new Store(url);
    await store.#admin.connect();
    store.#admin.on('error', () => undefined);
    await store.#admin.query(catalogue);
    return store;
  }

  async allowSnapshots(isAllowed: boolean): Promise<void> {
    const state = isAllowed ? 1 : 0;
    await this.#admin.query('UPDATE tds.settings SET snapshot_isolation_state = $1', [state]);
  }

  async cancel(processId: number): Promise<void> {
    await this.#admin.query('SELECT pg_cancel_backend($1)', [processId]);
  }

  /** A session, as a role of PostgreSQL when one is named. */
  async session(role: string | undefined): Promise<StoreSession> {
    const client = new pg.Client({ connectionString: this.url });
    client.on('error', () => undefined);
    await client.connect();
    await client.query(`SET TimeZone = 'UTC'; SET search_path = dbo, tds`);
    if (role !== undefined) await client.query(`SET ROLE ${quoted(role)}`);
    return new StoreSession(client, this.#types, (type) => this.#define(type));
  }

  /** A domain for a type of T-SQL; made beside all transactions, whoever needs it. */
  async #define(type: string): Promise<void> {
    const collate = /^n?(var)?char/.test(type) ? ' COLLATE tds.ignoring_case' : '';
    await this.#admin.query(
      `DO $do$ BEGIN CREATE DOMAIN tds.${quoted(type)} AS ${castType(type)}${collate}; ` +
        'EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $do$',
    );
  }

  /** A role without rights; roles are the same in all databases of the server behind. */
  async addRole(name: string): Promise<void> {
    await this.#admin.query(`CREATE ROLE ${quoted(name)}; GRANT ${quoted(name)} TO CURRENT_USER`);
    this.#roles.push(name);
  }

  async execute(text: string): Promise<void> {
    await this.#admin.query(text);
  }

  async close(): Promise<void> {
    for (const role of this.#roles) {
      await this.#admin.query(`DROP OWNED BY ${quoted(role)}; DROP ROLE ${quoted(role)}`);
    }
    await this.#admin.end();
  }
}

const typesByOid: Readonly<Record<number, string>> = {
  16: 'bit',
  17: 'varbinary(max)',
  20: 'bigint',
  21: 'smallint',
  23: 'int',
  700: 'real',
  701: 'float',
  1082: 'date',
  1083: 'time',
  1114: 'datetime2',
  1184: 'datetimeoffset',
  2950: 'uniqueidentifier',
};

/** One session in PostgreSQL. */
export class StoreSession {
  readonly #client: pg.Client;
  readonly #types: Map<string, string>;
  readonly #define: (type: string) => Promise<void>;
  isInTransaction = false;

  constructor(
    client: pg.Client,
    types: Map<string, string>,
    define: (type: string) => Promise<void>,
  ) {
    this.#client = client;
    this.#types = types;
    this.#define = define;
  }

  get processId(): number {
    return (this.#client as unknown as { readonly processID: number }).processID;
  }

  async begin(isSnapshot: boolean): Promise<void> {
    await this.#client.query(isSnapshot ? 'BEGIN ISOLATION LEVEL REPEATABLE READ' : 'BEGIN');
    this.isInTransaction = true;
  }

  async end(isCommit: boolean): Promise<void> {
    await this.#client.query(isCommit ? 'COMMIT' : 'ROLLBACK');
    this.isInTransaction = false;
  }

  /** A statement that fails leaves the transaction as it was before it. */
  async run(
    statement: Translated,
    values: ReadonlyMap<string, string | null>,
    receiver: RowReceiver,
  ): Promise<StoreAnswer> {
    if (this.isInTransaction) await this.#client.query('SAVEPOINT statement');
    try {
      const count = await this.#runOne(statement, values, receiver);
      if (this.isInTransaction) await this.#client.query('RELEASE SAVEPOINT statement');
      return { kind: 'done', count };
    } catch (error) {
      const answer = failureOf(error);
      const isRolledBack = answer.kind === 'failed' && answer.isRolledBack && this.isInTransaction;
      if (isRolledBack) await this.end(false);
      else if (this.isInTransaction) await this.#client.query('ROLLBACK TO SAVEPOINT statement');
      return answer.kind === 'failed' ? { ...answer, isRolledBack } : answer;
    }
  }

  /** The one condition that is known: `IF OBJECT_ID(N'[schema].[table]', N'U') IS NULL`. */
  async isMissing(condition: string): Promise<boolean> {
    const name = /OBJECT_ID \( N?'([^']*)'/i.exec(condition)?.[1] ?? '';
    const { rows } = await this.#client.query<{ found: string | null }>(
      'SELECT to_regclass($1) AS found',
      [name.replaceAll(/[[\]]/g, '"')],
    );
    return rows[0]?.found === null;
  }

  async close(): Promise<void> {
    await this.#client.end();
  }

  async #runOne(
    statement: Translated,
    values: ReadonlyMap<string, string | null>,
    receiver: RowReceiver,
  ): Promise<number | undefined> {
    if (statement.verb === 'CREATE' && /^CREATE TABLE/i.test(statement.source)) {
      await this.#createTable(statement.source);
      return undefined;
    }
    const bound = statement.bound.map((name) => {
      if (!values.has(name)) throw declared(name);
      return values.get(name) ?? null;
    });
    const count = await this.#stream(statement.text, bound, receiver);
    const isWrite = ['INSERT', 'UPDATE', 'DELETE', 'SELECT', 'WITH'].includes(statement.verb);
    return isWrite ? count : undefined;
  }

  #stream(
    text: string,
    values: readonly (string | null)[],
    receiver: RowReceiver,
  ): Promise<number | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
    const query = new pg.Query<(string | null)[]>({
      text,
      values: [...values],
      rowMode: 'array',
      queryMode: 'extended',
      types: { getTypeParser: () => (value: string) => value },
    } as pg.QueryArrayConfig);
    let isBegun = false;
    const begin = ({ fields }: pg.ResultBuilder) => {
      if (isBegun || fields.length === 0) return;
      isBegun = true;
      receiver.columns(fields.map((field) => this.#columnOf(field)));
    };
    query.on('row', (row, result) => {
      begin(result!);
      receiver.row(row);
    });
    query.on('error', reject);
    query.on('end', (result) => {
      begin(result);
      resolve(result.rowCount ?? undefined);
    });
    this.#client.query(query);
    return promise;
  }

  #columnOf(field: pg.FieldDef): StoreColumn {
    const { name, tableID, columnID, dataTypeID, dataTypeModifier: modifier } = field;
    const nameless =
      name === '?column?' || /^(numeric|varchar|text|int8|count|try_convert)$/.test(name);
    const known = this.#types.get(`${tableID}.${columnID}`);
    const type = known ?? typesByOid[dataTypeID] ?? sizedType(dataTypeID, modifier);
    return { name: nameless ? '' : name, type };
  }

  async #createTable(source: string): Promise<void> {
    const { text, types, rowVersions, table } = createTable(source);
    for (const type of types) await this.#define(type);
    await this.#client.query(text);
    for (const column of rowVersions) {
      await this.#client.query(
        `CREATE TRIGGER row_version BEFORE INSERT OR UPDATE ON ${table} FOR EACH ROW ` +
          `EXECUTE FUNCTION tds.next_row_version('${column}')`,
      );
    }
    const { rows } = await this.#client.query<{ id: string; type: string }>(
      'SELECT a.attrelid || $1 || a.attnum AS id, t.typname AS type FROM pg_attribute AS a ' +
        `JOIN pg_type AS t ON t.oid = a.atttypid JOIN pg_namespace AS n ON n.oid = t.typnamespace ` +
        `WHERE n.nspname = 'tds' AND a.attnum > 0 AND t.typtype = 'd'`,
      ['.'],
    );
    for (const { id, type } of rows) this.#types.set(id, type);
  }
}

const numericOid = 1_700;
const paddedOid = 1_042;
const varcharOid = 1_043;

function sizedType(oid: number, modifier: number): string {
  if (oid === numericOid) {
    const sizes = modifier - 4;
    return modifier < 0 ? 'numeric(38,10)' : `numeric(${sizes >> 16},${sizes & 0xffff})`;
  }
  const length = modifier - 4;
  if (oid === paddedOid && length > 0 && length <= 4_000) return `nchar(${length})`;
  return oid === varcharOid && length > 0 && length <= 4_000
    ? `nvarchar(${length})`
    : 'nvarchar(max)';
}

function declared(name: string): Error {
  const message = `Must declare the scalar variable "@${name}".`;
  return Object.assign(new Error(message), { code: 'TDS137' });
}

/** SQLSTATEs, or their classes, as numbers of SQL Server. */
const numbers: readonly (readonly [state: string, number: number, severity: number])[] = [
  ['TDS137', 137, 15],
  ['23505', 2_627, 14],
  ['23502', 515, 16],
  ['42P01', 208, 16],
  ['3F000', 2_760, 16],
  ['42703', 207, 16],
  ['42P07', 2_714, 16],
  ['42P06', 2_714, 16],
  ['42501', 229, 14],
  ['22012', 8_134, 16],
  ['22P02', 8_114, 16],
  ['22003', 8_115, 16],
  ['22007', 241, 16],
  ['22008', 242, 16],
  ['22', 8_114, 16],
  ['40001', 3_960, 16],
  ['40P01', 1_205, 13],
  ['55P03', 1_222, 16],
  ['42', 102, 15],
];

function failureOf(error: unknown): StoreAnswer {
  const { code = '', message = 'unknown' } = error as { code?: string; message?: string };
  if (code === '57014') return { kind: 'cancelled' };
  const row = numbers.find(([state]) => code.startsWith(state));
  const [, number, severity] = row ?? ['', 50_000, 16];
  const isRolledBack = number === 1_205 || number === 3_960;
  return { kind: 'failed', error: { number, severity, message }, isRolledBack };
}
