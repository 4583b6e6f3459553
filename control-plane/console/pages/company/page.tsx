import { useQuery } from '@tanstack/react-query';
import { mayDo, useSession } from '../../api/session.ts';
import { Badge } from '../../design/badge.tsx';
import { Card, EmptyState, Facts, Page, ProblemNote, Skeleton } from '../../design/page.tsx';
import { CompanyForm } from './form.tsx';
import {
  type Company,
  companyQuery,
  type Lacking,
  type Question,
  questionsQuery,
} from './queries.ts';
import { useCompanyTexts } from './texts.ts';

/** What the company says of itself once, for all its sources. */
export function CompanyPage() {
  const t = useCompanyTexts();
  const mayWrite = mayDo(useSession(), 'einvoicing', 'company:write');
  const profile = useQuery(companyQuery);
  const questions = useQuery(questionsQuery);
  const error = profile.error ?? questions.error;
  const retry = () => {
    void profile.refetch();
    void questions.refetch();
  };
  const isHere = profile.data !== undefined && questions.data !== undefined;
  return (
    <Page title={t('title')} lead={t('lead')}>
      {error && <ProblemNote error={error} onRetry={retry} />}
      {!isHere && !error && <Skeleton lines={8} />}
      {isHere && mayWrite && (
        <CompanyForm questions={questions.data.results} company={profile.data.company} />
      )}
      {isHere && !mayWrite && (
        <Told questions={questions.data.results} company={profile.data.company} />
      )}
      {profile.data?.company && <LackingCard lacking={profile.data.lacking} />}
    </Page>
  );
}

interface ToldProps {
  readonly questions: readonly Question[];
  readonly company: Company | undefined;
}

/** For those who may not change it. */
function Told({ questions, company }: ToldProps) {
  const t = useCompanyTexts();
  if (company === undefined) return <EmptyState title={t('noneTitle')}>{t('none')}</EmptyState>;
  return (
    <Card>
      <Facts
        facts={questions.map(({ name, label }) => [
          <bdi key={name} lang="en">
            {label}
          </bdi>,
          company[name as keyof Company] && <bdi>{company[name as keyof Company]}</bdi>,
          name,
        ])}
      />
    </Card>
  );
}

/** What the sources have to hold, by profile. */
function LackingCard({ lacking }: { lacking: readonly Lacking[] }) {
  const t = useCompanyTexts();
  return (
    <Card title={t('lacking')}>
      <p>{t('lackingText')}</p>
      <ul>
        {lacking.map(({ profile, fields }) => (
          <li key={profile}>
            {profile}{' '}
            {fields.length === 0 ? (
              <Badge tone="good">{t('nothing')}</Badge>
            ) : (
              <code>{fields.join(', ')}</code>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
