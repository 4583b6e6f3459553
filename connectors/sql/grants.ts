import type { ConnectorFault } from '../contract.ts';
import { fault } from '../fault.ts';
import { sideTableName } from '../stored-confirmation.ts';
import { findTable, loadCatalogue } from './catalogue.ts';
import type { Dialect } from './dialect.ts';
import { newDraftTables } from './draft-side-tables.ts';
import type { RunStatement, SqlDriver } from './driver.ts';
import { targetOf } from './import-draft.ts';
import type { Rights, Users } from './rights.ts';
import type { SqlSettings } from './settings.ts';

/**
 * What keeps confirmations from being written, found by reading the rights in force and never by
 * writing; undefined when nothing does, or where the database knows no rights.
 */
export async function findLackingRights(
  driver: SqlDriver,
  settings: SqlSettings,
  signal: AbortSignal,
): Promise<ConnectorFault | undefined> {
  const { rights, dialect } = driver;
  if (settings.writeBack.mode === 'none' || rights === undefined) return undefined;
  const found = await driver.inWriteTransaction(
    async () => undefined,
    async (run) => {
      const value = await checkRights(run, dialect, rights, settings);
      return { commit: false, value: { kind: 'checked', value } as const };
    },
    signal,
  );
  return found.kind === 'checked' ? found.value : found.fault;
}

async function checkRights(
  run: RunStatement,
  dialect: Dialect,
  rights: Rights,
  settings: SqlSettings,
): Promise<ConnectorFault | undefined> {
  const who = await run({ text: rights.who, values: [], rowsMax: 1 });
  if (who.kind !== 'rows') return who.fault;
  const [user, schema] = who.rows[0] ?? [];
  const check = { run, dialect, rights, user: user ?? '', schema: schema ?? '' };
  return settings.writeBack.mode === 'columns'
    ? checkColumns(check, settings)
    : checkSideTable(check, settings);
}

/** What putting a draft in and taking it out again takes; the row is locked as for an update. */
const ofDrafts = 'SELECT, INSERT, UPDATE, DELETE';

/** Where tables of this product are needed; the sandbox never writes to the ERP's own. */
function environmentsOf(isOwn: boolean): readonly ('live' | 'sandbox')[] {
  return isOwn ? ['sandbox'] : ['live', 'sandbox'];
}

/** What writing to the side table takes. */
const privileges = ['SELECT', 'INSERT', 'UPDATE'] as const;

interface Check {
  readonly run: RunStatement;
  readonly dialect: Dialect;
  readonly rights: Rights;
  readonly user: string;
  /** The default one. */
  readonly schema: string;
}

async function checkSideTable(
  check: Check,
  settings: SqlSettings,
): Promise<ConnectorFault | undefined> {
  const { run, dialect, rights } = check;
  const { writeBack } = settings;
  const schema = (writeBack.mode === 'none' ? undefined : writeBack.schema) ?? check.schema;
  const table = sideTableName('live');
  const lacking: string[] = [];
  for (const privilege of privileges) {
    const right = { privilege, schema, table };
    const asked = await run(rights.held(right));
    if (asked.kind !== 'rows') return asked.fault;
    const isHeld = rights.isHeld(asked.rows, right);
    if (isHeld === false) lacking.push(privilege);
    if (isHeld === undefined) return checkCreating(check, schema, table);
  }
  if (lacking.length === 0) {
    // Rights on all tables of a schema say nothing of whether this one is there.
    const known = await loadCatalogue(run, dialect, [table]);
    if (known.kind !== 'catalogue') return known.fault;
    const isThere = known.tables.some((one) => one.schema === schema);
    return isThere ? undefined : checkCreating(check, schema, table);
  }
  const what = `table ${schema}.${table} (${lacking.join(', ')})`;
  const granted = grants(check, lacking.join(', '), schema, table);
  // Who has no right at all does not see whether the table is there.
  const isSeen = lacking.length < privileges.length;
  return denied(what, isSeen ? granted : [sideTable(check, schema, table), ...granted]);
}

function sideTable({ dialect, rights }: Check, schema: string, table: string): string {
  const quoted = [schema, table].map(dialect.quote).join('.');
  return ifMissing(rights, quoted, dialect.createSideTable(quoted));
}

function ifMissing(rights: Rights, table: string, create: string): string {
  return rights.ifMissing?.(table, create) ?? create;
}

async function checkCreating(
  check: Check,
  schema: string,
  table: string,
): Promise<ConnectorFault | undefined> {
  const { run, rights, user } = check;
  const creating = await run(rights.creates(schema));
  if (creating.kind !== 'rows') return creating.fault;
  if (rights.isCreating(creating.rows, schema)) return undefined;
  return denied(`schema ${schema}: ${user} cannot make the table ${table} there`, [
    sideTable(check, schema, table),
    ...grants(check, privileges.join(', '), schema, table),
  ]);
}

async function checkColumns(
  check: Check,
  { sections, writeBack }: SqlSettings,
): Promise<ConnectorFault | undefined> {
  const { run, dialect, rights } = check;
  const { header } = sections;
  // What else is wrong with such settings is told where it is used.
  if (header === undefined || 'query' in header || writeBack.mode !== 'columns') return undefined;
  const catalogue = await loadCatalogue(run, dialect, [header.table]);
  if (catalogue.kind !== 'catalogue') return catalogue.fault;
  const found = findTable(catalogue.tables, header.table);
  const [schema, table] =
    found === undefined ? splitName(header.table) : [found.schema, found.table];
  const columns = Object.values(writeBack.columns).flatMap((column) => column ?? []);
  if (found === undefined) {
    const needed = `SELECT, UPDATE (${columns.map(dialect.quote).join(', ')})`;
    const statements = grants(check, needed, schema ?? check.schema, table);
    return denied(`table ${header.table} (SELECT, UPDATE)`, statements);
  }
  const lacking: string[] = [];
  for (const column of columns) {
    const right = { privilege: 'UPDATE', schema: found.schema, table, column } as const;
    const asked = await run(rights.held(right));
    if (asked.kind !== 'rows') return asked.fault;
    if (rights.isHeld(asked.rows, right) === false) lacking.push(column);
  }
  if (lacking.length === 0) return undefined;
  const what = `columns ${lacking.join(', ')} of table ${found.schema}.${table} (UPDATE)`;
  const update = `UPDATE (${lacking.map(dialect.quote).join(', ')})`;
  return denied(what, grants(check, update, found.schema, table));
}

function grants(
  { dialect, rights, user }: Check,
  privileges: string,
  schema: string,
  table: string,
): string[] {
  return grantStatements(dialect, rights, { privileges, schema, table, user });
}

function denied(what: string, statements: readonly string[]): ConnectorFault {
  const remedy = `An administrator grants it: ${statements.join('; ')}.`;
  return fault('access_denied', `permission denied for ${what}. ${remedy}`, 'never');
}

/** A grant on a table, with what its schema asks for. */
function grantStatements(
  dialect: Dialect,
  rights: Rights,
  grant: {
    readonly privileges: string;
    readonly schema: string | undefined;
    readonly table: string;
    readonly user: string;
  },
): string[] {
  const { privileges, schema, table, user } = grant;
  const name = [schema, table].flatMap((part) => part ?? []).map(dialect.quote);
  const enter = schema === undefined ? undefined : rights.enter?.(schema, user);
  return [
    ...(enter === undefined ? [] : [enter]),
    `GRANT ${privileges} ON ${name.join('.')} TO ${rights.account(user)}`,
  ];
}

/** "sales.invoice" as schema and table; without a schema it is undefined. */
function splitName(name: string): [schema: string | undefined, table: string] {
  const at = name.indexOf('.');
  return at < 0 ? [undefined, name] : [name.slice(0, at), name.slice(at + 1)];
}

/** The least rights that the settings need, as a script that an administrator runs. */
export function grantScript(
  dialect: Dialect,
  rights: Rights,
  settings: SqlSettings,
  users: Users,
): string {
  const { sections, writeBack } = settings;
  const lines: string[] = [
    comment(
      `The least rights of Drawbridge in ${users.database}, for an administrator to run there.`,
    ),
    comment('Logins, where they are not there yet: choose a password for each.'),
    ...[...new Set([users.reader, users.writer])].map((user) => comment(`${rights.login(user)};`)),
    '',
    comment(`${users.reader} reads.`),
  ];
  const add = (...statements: readonly string[]) => {
    for (const statement of statements) {
      if (!lines.includes(`${statement};`)) lines.push(`${statement};`);
    }
  };
  const grantOn = (name: string, given: string, user: string) => {
    const [schema = users.schema, table] = splitName(name);
    add(...grantStatements(dialect, rights, { privileges: given, schema, table, user }));
  };
  if (Object.keys(sections).length === 0) add(...rights.readAll(users));
  for (const [name, section] of Object.entries(sections)) {
    if ('table' in section) grantOn(section.table, 'SELECT', users.reader);
    else
      lines.push(comment(`Section ${name} is a query: grant SELECT on each table that it reads.`));
  }
  const make = (
    schema: string | undefined,
    table: string,
    create: (quoted: string) => string,
    given: string,
  ) => {
    const quoted = [schema, table].flatMap((part) => part ?? []).map(dialect.quote);
    const name = quoted.join('.');
    add(ifMissing(rights, name, create(name)));
    add(
      ...grantStatements(dialect, rights, { privileges: given, schema, table, user: users.writer }),
    );
  };
  if (writeBack.mode !== 'none') {
    lines.push('', comment(`${users.writer} writes confirmations.`));
    for (const environment of environmentsOf(writeBack.mode === 'columns')) {
      const schema = writeBack.schema ?? users.schema;
      const table = sideTableName(environment);
      make(schema, table, dialect.createSideTable, privileges.join(', '));
    }
  }
  const drafts = targetOf(settings);
  if (drafts.mode !== 'none') {
    lines.push(
      '',
      comment(`${users.writer} puts drafts of suppliers' documents in, and takes them out.`),
    );
    const schema = (drafts.mode === 'side-table' ? drafts.schema : undefined) ?? users.schema;
    for (const environment of environmentsOf(drafts.mode === 'insert')) {
      for (const { name, columns, key } of newDraftTables(environment)) {
        make(schema, name, (quoted) => dialect.createTable(quoted, columns, key), ofDrafts);
      }
    }
    const own = drafts.mode === 'insert' ? [drafts.header, drafts.lines] : [];
    for (const one of own) if (one !== undefined) grantOn(one.table, ofDrafts, users.writer);
  }
  const { header } = sections;
  if (writeBack.mode === 'columns' && header !== undefined && 'table' in header) {
    const columns = Object.values(writeBack.columns).flatMap((column) => column ?? []);
    const update = `UPDATE (${columns.map(dialect.quote).join(', ')})`;
    grantOn(header.table, `SELECT, ${update}`, users.writer);
  }
  return `${lines.join('\n')}\n`;
}

/** One line, whatever a name holds: what comes after it would be run. */
function comment(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are meant.
  return `-- ${text.replace(/[\0-\x1f\x7f\x85\u2028\u2029]/g, ' ')}`;
}
