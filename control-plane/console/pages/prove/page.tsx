import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { leaveForProof, tellProven } from '../../api/provider-sign-in.ts';
import { Button } from '../../design/button.tsx';
import { Page, ProblemNote, Skeleton } from '../../design/page.tsx';
import { problemKey, useSignInProblemTexts } from '../../texts/sign-in-problems.ts';
import { useProveTexts } from './texts.ts';

const route = getRouteApi('/prove');
const proven = '/prove?done=1';

/** A window of its own, in which somebody shows at their identity provider that it is still them. */
export function ProvePage() {
  const t = useProveTexts();
  const why = useSignInProblemTexts();
  const { done, problem, request_id } = route.useSearch();
  const [error, setError] = useState<unknown>();
  const isBack = done === 1 || problem !== undefined;
  useEffect(() => {
    if (!isBack) leaveForProof(proven).catch(setError);
    else if (problem === undefined) {
      tellProven();
      window.close(); // a browser may refuse it: then the text says what to do
    }
  }, [isBack, problem]);
  const again = () => {
    setError(undefined);
    leaveForProof(proven).catch(setError);
  };
  return (
    <main>
      <Page title={t('title')}>
        {error !== undefined && <ProblemNote error={error} onRetry={again} />}
        {!isBack && error === undefined && <Skeleton lines={2} />}
        {isBack && problem === undefined && <p role="status">{t('done')}</p>}
        {problem !== undefined && (
          <div role="alert">
            <p>{why(problemKey(problem))}</p>
            <p>
              <code>
                {problem} {request_id && `· ${request_id}`}
              </code>
            </p>
            <Button onClick={again}>{t('again')}</Button>
          </div>
        )}
      </Page>
    </main>
  );
}
