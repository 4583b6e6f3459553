import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { isNamedWithin } from '@drawbridge/connectors/allowed-path.ts';
import type {
  AgentCall,
  Connector,
  ImportCommand,
  ListOutcome,
  ReadOutcome,
  RejectionCommand,
  RejectionOutcome,
  WriteBackCommand,
  WriteBackOutcome,
} from '@drawbridge/connectors/contract.ts';
import { fault, privateAddress } from '@drawbridge/connectors/fault.ts';
import { connectorKind } from '@drawbridge/connectors/registry.ts';
import { writeConfirmation } from '@drawbridge/connectors/write-confirmation.ts';
import type { SourceDocument, SourceRow } from '@drawbridge/records/document.ts';
import { type Environment, environments } from '../../platform/auth/principal.ts';
import { storable } from '../../platform/db/storable.ts';
import { invalid } from '../../platform/http/errors.ts';
import type { Clock } from '../../platform/ids.ts';
import { isAllowedHost } from '../../platform/outbound/address.ts';
import type { Secrets } from '../../platform/secrets/secrets.ts';
import type { Sources } from '../pipeline/work-item.ts';
import type { WriteBacks } from '../pipeline/write-back/write-back.ts';
import type { DraftImports } from '../received/import-draft.ts';
import type { Rejections } from '../received/send-response.ts';
import type { SourceLists } from '../received/source-listing.ts';
import { sourcePolicy } from './source-thread/source-policy.ts';
import { SourceThread } from './source-thread/source-thread.ts';
import type { ConnectorRow } from './store.ts';

export interface OpenConnectorsOptions {
  readonly clock: Clock;
  readonly secrets: Secrets;
  /** Folders of this host that file-based kinds of a tenant may read. */
  readonly allowedRoots: (tenantId: string) => readonly string[];
  /** Milliseconds of one call to a source that is opened here. */
  readonly timeoutMs: number;
  /** Whether customers may name servers at private addresses. */
  readonly allowPrivate: boolean;
  /** A way to ask one agent of a tenant. */
  readonly agentCall: (tenantId: string, agentId: string) => AgentCall;
}

interface OpenConnector {
  /** The settings and agent with which it was opened; a change of either opens it again. */
  readonly settings: string;
  readonly agentId: string | null;
  readonly connector: Promise<Connector>;
}

/** How many sources stay open on a node; the one unused for longest is closed for the next. */
const openMax = 500;

/** Connectors of tenants, opened when first used and again when their settings changed. */
export class OpenConnectors implements Sources, WriteBacks, DraftImports, SourceLists, Rejections {
  readonly #options: OpenConnectorsOptions;
  readonly #thread: SourceThread;
  /** By the connector and who uses it, in the order of use, the latest at the end. */
  readonly #connectors = new Map<string, OpenConnector>();

  constructor(options: OpenConnectorsOptions) {
    this.#options = options;
    this.#thread = new SourceThread(options.clock);
  }

  /**
   * Whether the settings name a folder or server that this host does not read for the tenant, as far as can
   * be told without calling it. Throws `invalid_request` with the member that does.
   */
  async requireAllowedPlaces(tenantId: string, kind: string, settings: unknown): Promise<void> {
    const { allowedRoots, allowPrivate } = this.#options;
    const policy = sourcePolicy(allowPrivate);
    for (const place of connectorKind(kind)?.places?.(settings) ?? []) {
      const field = `settings.${place.member}`;
      if (place.kind === 'host') {
        if (!isAllowedHost(place.host, policy)) throw invalid(field, privateAddress);
      } else if (!(await isNamedWithin(place.path, allowedRoots(tenantId)))) {
        throw invalid(
          field,
          'is outside the folders that may be read: name a place in your own folder, such as "outbox"',
        );
      }
    }
  }

  /** The source of a connector; opening it sends nothing yet. */
  use(tenantId: string, row: ConnectorRow): Promise<Connector> {
    return this.#use(tenantId, row, row.id);
  }

  #use(tenantId: string, row: ConnectorRow, key: string): Promise<Connector> {
    const known = this.#connectors.get(key);
    const isSame = known?.settings === row.settings && known.agentId === row.agent_id;
    if (known !== undefined && !isSame) void this.#close(key);
    const opened = isSame && known !== undefined ? known : this.#openConnector(tenantId, row, key);
    this.#connectors.delete(key);
    this.#connectors.set(key, opened);
    const [oldest] = this.#connectors.keys();
    if (this.#connectors.size > openMax && oldest !== undefined) void this.#close(oldest);
    return opened.connector;
  }

  async read(
    tenantId: string,
    row: ConnectorRow,
    refs: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly ReadOutcome[]> {
    const connector = await this.use(tenantId, row);
    const outcomes: ReadOutcome[] = [];
    for (const outcome of await connector.readMany(refs, signal)) {
      outcomes.push(await textOnly(outcome));
    }
    return outcomes;
  }

  async list(
    tenantId: string,
    row: ConnectorRow,
    environment: Environment,
    cursor: string | undefined,
    signal: AbortSignal,
  ): Promise<ListOutcome> {
    // A source remembers what it has listed: each environment that wants all documents has one of its own.
    const isShared = environments.every((each) => row.receives[each] !== undefined);
    const key = isShared ? `${row.id} ${environment}` : row.id;
    const connector = await this.#use(tenantId, row, key);
    return storable(await connector.list(cursor, signal));
  }

  async write(
    tenantId: string,
    row: ConnectorRow,
    command: WriteBackCommand,
    signal: AbortSignal,
  ): Promise<WriteBackOutcome> {
    const connector = await this.use(tenantId, row);
    return storable(await writeConfirmation(connector, command, signal));
  }

  async importDraft(
    tenantId: string,
    row: ConnectorRow,
    command: ImportCommand,
    signal: AbortSignal,
  ): Promise<WriteBackOutcome> {
    const connector = await this.use(tenantId, row);
    const outcome = await connector.importDraft?.(command, signal);
    return outcome === undefined ? { kind: 'unsupported' } : storable(outcome);
  }

  async rejectDocument(
    tenantId: string,
    row: ConnectorRow,
    command: RejectionCommand,
    signal: AbortSignal,
  ): Promise<RejectionOutcome> {
    const connector = await this.use(tenantId, row);
    const outcome = await connector.rejectDocument?.(command, signal);
    return outcome === undefined ? { kind: 'unsupported' } : storable(outcome);
  }

  /** Closes the source of a connector, if it is open on this node. */
  async closeConnector(id: string): Promise<void> {
    const keys = [id, ...environments.map((environment) => `${id} ${environment}`)];
    await Promise.all(keys.map((key) => this.#close(key)));
  }

  async #close(key: string): Promise<void> {
    const opened = this.#connectors.get(key);
    this.#connectors.delete(key);
    // A source that could not be opened need not be closed.
    await opened?.connector.then((connector) => connector.close()).catch(() => {});
  }

  async close(): Promise<void> {
    await Promise.all([...this.#connectors.keys()].map((key) => this.#close(key)));
    await this.#thread.close();
  }

  #openConnector(tenantId: string, row: ConnectorRow, key: string): OpenConnector {
    const { secrets, clock, allowedRoots, timeoutMs, agentCall, allowPrivate } = this.#options;
    const kind = connectorKind(row.kind);
    if (kind === undefined) throw new Error(`no connector kind ${row.kind}`);
    const settings = JSON.parse(openSettings(secrets, row)) as unknown;
    const context = { allowedRoots: allowedRoots(tenantId), owner: tenantId };
    const connector =
      kind.isReadElsewhere === true
        ? kind.open(settings, {
            ...context,
            clock,
            // A bridge agent keeps to its own limit, and the answer takes its time.
            ...(row.agent_id === null
              ? { timeoutMs }
              : { agentCall: agentCall(tenantId, row.agent_id) }),
          })
        : this.#thread.open({ ...context, kind: row.kind, settings, timeoutMs, allowPrivate });
    const opened = { settings: row.settings, agentId: row.agent_id, connector };
    // A source that cannot be opened is tried again next time.
    connector.catch(() => this.#connectors.get(key) === opened && this.#connectors.delete(key));
    return opened;
  }
}

/** Seals a connector's settings, so that they open for this connector only. */
export function sealSettings(secrets: Secrets, id: string, settings: unknown): string {
  return secrets.seal(JSON.stringify(settings), id);
}

/** The settings as JSON text. */
export function openSettings(
  secrets: Secrets,
  { id, settings }: Pick<ConnectorRow, 'id' | 'settings'>,
): string {
  return secrets.open(settings, id);
}

/** Refuses texts that neither XML nor the database can hold: U+0000 and unpaired surrogates. */
async function textOnly(outcome: ReadOutcome): Promise<ReadOutcome> {
  if (outcome.kind !== 'found') return storable(outcome);
  const problem = await problemOf(outcome.document);
  if (problem === undefined) return outcome;
  return { kind: 'unusable', fault: fault('binary_value', storable(problem), 'never') };
}

/** Rows that are looked at before others are served. */
const rowsAtOnce = 500;

async function problemOf({ sections, xml = '' }: SourceDocument): Promise<string | undefined> {
  if (!isText(xml)) return 'The file holds U+0000 or half a character, which is no text.';
  for (const rows of Object.values(sections)) {
    for (const [at, row] of rows.entries()) {
      if (at % rowsAtOnce === rowsAtOnce - 1) await yieldToOthers();
      const column = columnWithoutText(row);
      if (column === undefined) continue;
      return (
        `Column "${column}" of "${row.origin}" holds U+0000 or half a character, which is no text. ` +
        'Mend the row, or leave the column out of the section.'
      );
    }
  }
  return undefined;
}

function columnWithoutText({ origin, key, values }: SourceRow): string | undefined {
  if (!isText(key)) return 'key';
  if (!isText(origin)) return 'origin';
  for (const column in values) {
    if (!isText(column) || !isText(values[column] ?? '')) return column;
  }
  return undefined;
}

function isText(value: string): boolean {
  return !value.includes('\0') && value.isWellFormed();
}
