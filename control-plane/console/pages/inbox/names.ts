import { useQuery } from '@tanstack/react-query';
import { useSession } from '../../api/session.ts';
import { teamQuery } from './queries.ts';
import { useInboxTexts } from './texts.ts';

export type NameOf = (author: string | null) => string;

/** Who wrote or did something; null: the person or a program. */
export function useNames(): NameOf {
  const t = useInboxTexts();
  const { user } = useSession();
  const { data: team } = useQuery(teamQuery);
  return (author) => {
    if (author === null || author.startsWith('key_')) return t('automatic');
    if (author === user.id) return t('you');
    return team?.results.find(({ id }) => id === author)?.name ?? author;
  };
}
