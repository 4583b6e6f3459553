import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { mayDo, useSession } from '../../api/session.ts';
import { Button } from '../../design/button.tsx';
import { Facts, ProblemNote } from '../../design/page.tsx';
import { type Company, companyQuery, questionsQuery, saveCompany } from '../company/queries.ts';
import styles from './discovery-card.module.css';
import { useDiscoveryTexts } from './discovery-texts.ts';
import type { CompanyAnswer } from './queries.ts';

/** What the source says of the company that the company profile does not say yet, to be taken over. */
export function FoundCompany({ answers }: { answers: readonly CompanyAnswer[] }) {
  const t = useDiscoveryTexts();
  const mayWrite = mayDo(useSession(), 'einvoicing', 'company:write');
  const queryClient = useQueryClient();
  const profile = useQuery(companyQuery);
  const questions = useQuery(questionsQuery);
  const company = profile.data?.company;
  const take = useMutation({
    mutationFn: (found: readonly CompanyAnswer[]) => {
      const said = Object.fromEntries(found.map(({ field, value }) => [field, value]));
      return saveCompany({ ...said, ...company } as Company);
    },
    onSuccess: (now) => queryClient.setQueryData(companyQuery.queryKey, now),
  });
  const fresh = answers.filter(({ field }) => company?.[field] === undefined);
  if (take.isSuccess) return <p role="status">{t('companyTaken')}</p>;
  if (!mayWrite || profile.data === undefined || fresh.length === 0) return null;
  const labelOf = (field: string) =>
    questions.data?.results.find(({ name }) => name === field)?.label ?? field;
  return (
    <article className={styles.layout}>
      <h3>{t('company')}</h3>
      <p>{t('companyText')}</p>
      <Facts
        facts={fresh.map(({ field, value, from }) => [
          <bdi key={field} lang="en">
            {labelOf(field)}
          </bdi>,
          <>
            <bdi>{value}</bdi> <code>{from}</code>
          </>,
          field,
        ])}
      />
      <Button isBusy={take.isPending} onClick={() => take.mutate(fresh)}>
        {t('companyTake')}
      </Button>
      {take.error && <ProblemNote error={take.error} />}
    </article>
  );
}
