import { useQuery } from '@tanstack/react-query';
import { Card, ProblemNote, Skeleton } from '../../design/page.tsx';
import { approvalPolicyQuery, waitingApprovalsQuery } from './approval-queries.ts';
import { useApprovalTexts } from './approval-texts.ts';
import { WaitingApprovals } from './waiting-approvals.tsx';

interface WaitingCardProps {
  /** Nothing is shown while nothing waits. */
  readonly isHiddenWhenEmpty?: boolean;
}

/** What somebody has put forward, for another one to approve. */
export function WaitingCard({ isHiddenWhenEmpty = false }: WaitingCardProps) {
  const t = useApprovalTexts();
  const { data, error, refetch } = useQuery(waitingApprovalsQuery);
  const { data: policy } = useQuery(approvalPolicyQuery);
  if (isHiddenWhenEmpty && (data === undefined ? !error : data.results.length === 0)) return null;
  return (
    <Card title={t('waiting')}>
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <Skeleton lines={2} />}
      {data?.results.length === 0 && <p>{t('nothingWaits')}</p>}
      {data && data.results.length > 0 && (
        <WaitingApprovals
          waiting={data.results}
          takesTwo={(kind) => kind === 'live_submission' || policy?.mappings === 'two'}
        />
      )}
    </Card>
  );
}
