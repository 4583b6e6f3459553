import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../../api/session.ts';
import { Button } from '../../design/button.tsx';
import { CheckList } from '../../design/check-list.tsx';
import { Copyable } from '../../design/copyable.tsx';
import { useDesignTexts } from '../../design/design-texts.ts';
import { Dialog } from '../../design/dialog.tsx';
import { TextField } from '../../design/field.tsx';
import { ProblemNote } from '../../design/page.tsx';
import { issueKey, keysQuery, type Scope } from './queries.ts';
import { useKeysTexts } from './texts.ts';

/** Makes a key of what the person may do, and shows it once. */
export function IssueDialog({ onClose }: { onClose: () => void }) {
  const t = useKeysTexts();
  const shared = useDesignTexts();
  const { permissions } = useSession();
  const queryClient = useQueryClient();
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly string[]>([]);
  const issue = useMutation({
    mutationFn: () => issueKey(name, scopes as Scope[]),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keysQuery.queryKey }),
  });
  const key = issue.data?.key;
  if (key) {
    return (
      <Dialog
        title={t('issued')}
        onClose={onClose}
        onSubmit={onClose}
        actions={
          <Button type="submit" kind="main">
            {t('kept')}
          </Button>
        }
      >
        <p>{t('issuedText')}</p>
        <Copyable label={t('key')} text={key} />
      </Dialog>
    );
  }
  return (
    <Dialog
      title={t('issue')}
      onClose={onClose}
      staysOpen={issue.isPending}
      onSubmit={() => issue.mutate()}
      actions={
        <>
          <Button disabled={issue.isPending} onClick={onClose}>
            {shared('cancel')}
          </Button>
          <Button type="submit" kind="main" isBusy={issue.isPending} disabled={scopes.length === 0}>
            {t('issue')}
          </Button>
        </>
      }
    >
      <TextField
        label={t('name')}
        hint={t('nameHint')}
        required
        maxLength={100}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <CheckList
        label={t('may')}
        options={permissions.einvoicing.filter((each) => each !== '*')}
        chosen={scopes}
        onChange={setScopes}
      />
      {issue.error && <ProblemNote error={issue.error} />}
    </Dialog>
  );
}
