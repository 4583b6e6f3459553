import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { mayDo, useSession } from '../../api/session.ts';
import { Button } from '../../design/button.tsx';
import { SelectField } from '../../design/field.tsx';
import { Form } from '../../design/form.tsx';
import { Card, Facts, ProblemNote, Skeleton } from '../../design/page.tsx';
import { PermissionNote } from '../../design/permission-note.tsx';
import {
  type ApprovalPolicy,
  approvalPolicyQuery,
  setApprovalPolicy,
  waitingApprovalsQuery,
} from './approval-queries.ts';
import { useApprovalTexts } from './approval-texts.ts';

const subjects = ['mappings', 'live_submission'] as const;

/** How many people it takes to put something into use. */
export function ApprovalPolicyCard() {
  const t = useApprovalTexts();
  const mayWrite = mayDo(useSession(), 'einvoicing', 'members:write');
  const { data, error, refetch } = useQuery(approvalPolicyQuery);
  return (
    <Card title={t('policy')}>
      <p>{t('policyText')}</p>
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <Skeleton lines={2} />}
      {data && mayWrite && <Fields policy={data} />}
      {data && !mayWrite && (
        <>
          <Facts facts={subjects.map((name) => [t(name), t(data[name]), name] as const)} />
          <PermissionNote permission="members:write" />
        </>
      )}
    </Card>
  );
}

function Fields({ policy }: { policy: ApprovalPolicy }) {
  const t = useApprovalTexts();
  const queryClient = useQueryClient();
  const [chosen, setChosen] = useState(policy);
  const change = useMutation({
    mutationFn: () => setApprovalPolicy(chosen),
    onSuccess: (kept) => {
      queryClient.setQueryData(approvalPolicyQuery.queryKey, kept);
      return queryClient.invalidateQueries(waitingApprovalsQuery);
    },
  });
  return (
    <Form saving={change} onSubmit={() => change.mutate()}>
      {subjects.map((name) => (
        <SelectField
          key={name}
          label={t(name)}
          hint={t(`${name}_hint`)}
          value={chosen[name]}
          onChange={({ target }) =>
            setChosen({ ...chosen, [name]: target.value === 'two' ? 'two' : 'one' })
          }
        >
          <option value="one">{t('one')}</option>
          <option value="two">{t('two')}</option>
        </SelectField>
      ))}
      {change.error && <ProblemNote error={change.error} />}
      {change.isSuccess && <p role="status">{t('saved')}</p>}
      <Button type="submit" isBusy={change.isPending}>
        {t('save')}
      </Button>
    </Form>
  );
}
