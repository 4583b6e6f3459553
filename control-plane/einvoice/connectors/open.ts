import type { Socket } from 'node:net';
import type { AgentCall } from '@drawbridge/connectors/agent/call.ts';
import type {
  Connector,
  ReadOutcome,
  WriteBackCommand,
  WriteBackOutcome,
} from '@drawbridge/connectors/contract.ts';
import { fault } from '@drawbridge/connectors/fault.ts';
import { connectorKind } from '@drawbridge/connectors/registry.ts';
import type { SourceDocument } from '@drawbridge/records/document.ts';
import { storable } from '../../platform/db/storable.ts';
import type { Clock } from '../../platform/ids.ts';
import type { Secrets } from '../../platform/secrets/secrets.ts';
import type { Sources } from '../pipeline/course.ts';
import type { WriteBacks } from '../pipeline/write-back.ts';
import type { ConnectorRow } from './store.ts';

export interface OpenConnectorsOptions {
  readonly clock: Clock;
  readonly secrets: Secrets;
  /** Folders on this host that file-based kinds may read; none: they are for agents only. */
  readonly allowedRoots: readonly string[];
  /** Sockets for kinds that dial a server, which refuse addresses that customers may not name. */
  readonly socket: () => Socket;
  /** A way to ask one agent of a tenant. */
  readonly agentCall: (tenantId: string, agentId: string) => AgentCall;
}

interface Held {
  /** What it was opened with: a change of either opens it again. */
  readonly settings: string;
  readonly agentId: string | null;
  readonly connector: Promise<Connector>;
}

/** How many sources stay open on a node; the one that rested longest is closed for the next. */
const openMax = 500;

/** Connectors of tenants, opened when first used and again when their settings changed. */
export class OpenConnectors implements Sources, WriteBacks {
  readonly #options: OpenConnectorsOptions;
  /** Those used last stand last. */
  readonly #held = new Map<string, Held>();

  constructor(options: OpenConnectorsOptions) {
    this.#options = options;
  }

  /** The source of a connector; opening reaches nobody yet. */
  use(tenantId: string, row: ConnectorRow): Promise<Connector> {
    const known = this.#held.get(row.id);
    const isSame = known?.settings === row.settings && known.agentId === row.agent_id;
    if (known !== undefined && !isSame) void this.forget(row.id);
    const held = isSame && known !== undefined ? known : this.#open(tenantId, row);
    this.#held.delete(row.id);
    this.#held.set(row.id, held);
    const [oldest] = this.#held.keys();
    if (this.#held.size > openMax && oldest !== undefined) void this.forget(oldest);
    return held.connector;
  }

  async read(
    tenantId: string,
    row: ConnectorRow,
    refs: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly ReadOutcome[]> {
    const connector = await this.use(tenantId, row);
    return (await connector.readMany(refs, signal)).map(textOnly);
  }

  async write(
    tenantId: string,
    row: ConnectorRow,
    command: WriteBackCommand,
    signal: AbortSignal,
  ): Promise<WriteBackOutcome> {
    const connector = await this.use(tenantId, row);
    return storable(await connector.writeBack(command, signal));
  }

  /** Closes the source of a connector, if it is open on this node. */
  async forget(id: string): Promise<void> {
    const held = this.#held.get(id);
    this.#held.delete(id);
    // A source that could not be opened has nothing to close.
    await held?.connector.then((connector) => connector.close()).catch(() => {});
  }

  async close(): Promise<void> {
    await Promise.all([...this.#held.keys()].map((id) => this.forget(id)));
  }

  #open(tenantId: string, row: ConnectorRow): Held {
    const { secrets, clock, allowedRoots, agentCall, socket } = this.#options;
    const kind = connectorKind(row.kind);
    if (kind === undefined) throw new Error(`no connector kind ${row.kind}`);
    const connector = kind.open(JSON.parse(openSettings(secrets, row)), {
      ...{ clock, allowedRoots, socket },
      ...(row.agent_id === null ? {} : { agentCall: agentCall(tenantId, row.agent_id) }),
    });
    const held = { settings: row.settings, agentId: row.agent_id, connector };
    // A source that cannot be opened is asked again next time.
    connector.catch(() => this.#held.get(row.id) === held && this.#held.delete(row.id));
    return held;
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

/** Neither XML nor the database holds U+0000 or half of a surrogate pair. */
function textOnly(outcome: ReadOutcome): ReadOutcome {
  if (outcome.kind !== 'found') return storable(outcome);
  const problem = problemOf(outcome.document);
  if (problem === undefined) return outcome;
  return { kind: 'unusable', fault: fault('binary_value', storable(problem), 'never') };
}

function problemOf({ sections }: SourceDocument): string | undefined {
  for (const { origin, key, values } of Object.values(sections).flat()) {
    const texts = [['key', key], ['origin', origin], ...Object.entries(values)] as const;
    const wrong = texts.find(([column, value]) => !isText(column) || !isText(value ?? ''));
    if (wrong === undefined) continue;
    return (
      `Column "${wrong[0]}" of "${origin}" holds U+0000 or half a character, which is no text. ` +
      'Mend the row, or leave the column out of the section.'
    );
  }
  return undefined;
}

function isText(value: string): boolean {
  return !value.includes('\0') && value.isWellFormed();
}
