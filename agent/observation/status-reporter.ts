import type { AgentStatus } from '@drawbridge/link/agent-status.ts';
import { limits } from '@drawbridge/link/limits.ts';
import type { Finding } from '../doctor/finding.ts';
import type { Health } from '../health.ts';
import type { Report } from '../log/events.ts';
import type { Redact } from '../log/redaction.ts';
import { setAsideTexts } from '../store/set-aside.ts';
import type { Store } from '../store/store.ts';

export interface StatusContext {
  readonly store: Pick<Store, 'depths' | 'setAside' | 'setAsideCounts'>;
  readonly health: Pick<Health, 'report'>;
  readonly clock: () => Date;
  /** Of the secrets that the agent can read now. */
  redaction(): Redact;
  /** What the doctor finds now. */
  examine(): Promise<readonly Finding[]>;
  /** Bytes that are free where the agent's home is. */
  freeBytes(): number;
  /** There is a status to send. */
  changed(): void;
  readonly report: Report;
}

export interface StatusReporter {
  /** A session began; what was sent in the one before may be lost. */
  linked(): void;
  /** The status that is to be sent now; undefined when it says nothing new, or the last is too young. */
  next(): AgentStatus | undefined;
  /** The agent ends, and its store is closed: nothing is read any more. */
  stop(): void;
}

/** How often the doctor looks: it dials every source. */
const examineEveryMs = 900_000;
const freeBytesStep = 64 * 1_048_576;

/** Says how the agent is, to its control plane: when that changed, and at most once a minute. */
export function createStatusReporter(context: StatusContext): StatusReporter {
  const { clock } = context;
  let findings: readonly Finding[] = [];
  let examinedAt: Date | undefined;
  let isExamining = false;
  let isStopped = false;
  let sent = '';
  let sentAt = Number.NEGATIVE_INFINITY;

  async function examine(): Promise<void> {
    isExamining = true;
    try {
      findings = await context.examine();
    } catch (error) {
      if (!isStopped) context.report('doctor_failed', (error as Error).message);
    }
    examinedAt = clock();
    isExamining = false;
    if (!isStopped) context.changed();
  }

  return {
    linked: () => {
      sent = '';
    },
    stop: () => {
      isStopped = true;
    },
    next: () => {
      if (isStopped) return undefined;
      const now = clock().getTime();
      const isDue = examinedAt === undefined || now >= examinedAt.getTime() + examineEveryMs;
      if (isDue && !isExamining) void examine();
      if (examinedAt === undefined || now < sentAt + limits.statusMs) return undefined;
      const status = statusOf(context, findings, examinedAt);
      const text = JSON.stringify(status);
      if (text === sent) return undefined;
      sent = text;
      sentAt = now;
      return status;
    },
  };
}

function statusOf(
  { store, health, redaction, freeBytes }: StatusContext,
  findings: readonly Finding[],
  examinedAt: Date,
): AgentStatus {
  const redact = redaction();
  const depths = store.depths();
  const { queue, disk, waiting } = health.report();
  return {
    queue: {
      state: queue.state,
      detail: redact(queue.detail),
      pending_commands: depths.pendingCommands,
      oldest_pending_at: depths.oldestPendingAt,
      unsent_events: depths.unsentEvents,
      unsent_documents: depths.unsentDocuments,
      unsent_bytes: depths.unsentBytes,
      oldest_unsent_at: depths.oldestUnsentAt,
    },
    disk: {
      state: disk.state,
      detail: redact(disk.detail),
      free_bytes: Math.floor(freeBytes() / freeBytesStep) * freeBytesStep,
    },
    waiting: waiting
      .slice(0, limits.statusRowsMax)
      .map(({ connector, detail, since }) => ({ connector, detail: redact(detail), since })),
    findings: worstFirst([...findings, ...setAsideFindings(store)])
      .slice(0, limits.statusRowsMax)
      .map(({ component, target, status, detail, code }) => {
        const row = { component, target: redact(target), status, detail: redact(detail) };
        return { ...row, ...(code !== undefined && { code }) };
      }),
    examined_at: examinedAt.toISOString(),
  };
}

/** They hold up no others, so that nothing else would tell of them. */
function setAsideFindings(store: StatusContext['store']): Finding[] {
  return [...setAsideTexts(store)].map(([connector, text]) => {
    const detail = `Set aside: ${text}`;
    const code = 'documents_set_aside';
    return { component: 'connector', target: connector, status: 'warn', detail, code };
  });
}

const order = ['fail', 'warn', 'ok'] as const;

function worstFirst(findings: readonly Finding[]): Finding[] {
  return findings.toSorted((a, b) => order.indexOf(a.status) - order.indexOf(b.status));
}
