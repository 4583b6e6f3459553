import { useQuery } from '@tanstack/react-query';
import { Badge } from '../../design/badge.tsx';
import { useFormats } from '../../texts/formats.ts';
import { type AgentFinding, type AgentStatus, agentQuery } from './queries.ts';
import { useSourcesTexts } from './texts.ts';

/** What waits at an agent, how much room it has, and what its doctor found, with what helps. */
export function AgentState({ id }: { id: string }) {
  const t = useSourcesTexts();
  const formats = useFormats();
  const { data } = useQuery(agentQuery(id));
  if (data === undefined) return null;
  const { status } = data;
  if (status === null) return t('notTold');
  const troubles = status.findings.filter((each) => each.status !== 'ok');
  return (
    <>
      <ul>
        <Queue queue={status.queue} />
        <li>
          {t('free', { bytes: formats.megabytes(status.disk.free_bytes) })}
          <Full condition={status.disk} />
        </li>
        {status.waiting.map(({ connector, detail, since }) => (
          <li key={connector}>
            <Badge tone="warning">{t('waits', { when: formats.instant(since) })}</Badge>{' '}
            <bdi>{connector}</bdi>: <bdi>{detail}</bdi>
          </li>
        ))}
        {troubles.map((finding) => (
          <Finding key={`${finding.component} ${finding.target}`} finding={finding} />
        ))}
        {troubles.length === 0 && status.examined_at !== null && <li>{t('well')}</li>}
      </ul>
      {t('told', { when: formats.instant(status.received_at) })}
    </>
  );
}

function Queue({ queue }: { queue: AgentStatus['queue'] }) {
  const t = useSourcesTexts();
  const formats = useFormats();
  const oldest = (at: string | null) => at !== null && t('oldest', { when: formats.instant(at) });
  return (
    <>
      <li>
        {t('toWrite', { waiting: queue.pending_commands })} {oldest(queue.oldest_pending_at)}
      </li>
      <li>
        {t('toDeliver', { waiting: queue.unsent_events, documents: queue.unsent_documents })}{' '}
        {oldest(queue.oldest_unsent_at)}
        <Full condition={queue} />
      </li>
    </>
  );
}

function Full({
  condition: { state, detail },
}: {
  condition: AgentStatus['disk'] | AgentStatus['queue'];
}) {
  const t = useSourcesTexts();
  if (state === 'room') return null;
  return (
    <>
      {' '}
      <Badge tone="bad">{t('full')}</Badge> <bdi>{detail}</bdi>
    </>
  );
}

/** In the words of `drawbridge doctor`. */
function Finding({ finding }: { finding: AgentFinding }) {
  const t = useSourcesTexts();
  const { component, target, status, detail, action } = finding;
  return (
    <li>
      <Badge tone={status === 'fail' ? 'bad' : 'warning'}>
        {t(status === 'fail' ? 'fails' : 'warns')}
      </Badge>{' '}
      <bdi lang="en">
        {component} {target}: {detail}
      </bdi>
      {action && (
        <>
          <br />
          <bdi lang="en">{action}</bdi>
        </>
      )}
    </li>
  );
}
