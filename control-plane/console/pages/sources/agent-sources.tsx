import { useQuery } from '@tanstack/react-query';
import { useFormats } from '../../texts/formats.ts';
import { agentQuery } from './queries.ts';
import { useSourcesTexts } from './texts.ts';

/** What an agent has read of each of its sources. */
export function AgentSources({ id }: { id: string }) {
  const t = useSourcesTexts();
  const formats = useFormats();
  const { data } = useQuery(agentQuery(id));
  if (data === undefined || data.sources.length === 0) return null;
  return (
    <ul>
      {data.sources.map(({ connector, documents, last_read_at }) => (
        <li key={connector}>
          <bdi>{connector}</bdi>:{' '}
          {t('documents', { count: documents, when: formats.instant(last_read_at) })}
        </li>
      ))}
    </ul>
  );
}
