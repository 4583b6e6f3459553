import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { TextField } from '../../design/field.tsx';
import { Form } from '../../design/form.tsx';
import { ProblemNote } from '../../design/page.tsx';
import { changePassword, sessionsQuery } from './queries.ts';
import { useProfileTexts } from './texts.ts';

export function PasswordForm() {
  const t = useProfileTexts();
  const queryClient = useQueryClient();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const change = useMutation({
    mutationFn: () => changePassword(current, next),
    onSuccess: async () => {
      setCurrent('');
      setNext('');
      await queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
    },
  });
  return (
    <Form saving={change} onSubmit={() => change.mutate()}>
      <TextField
        label={t('currentPassword')}
        type="password"
        autoComplete="current-password"
        required
        value={current}
        onChange={({ target }) => setCurrent(target.value)}
      />
      <TextField
        label={t('newPassword')}
        hint={t('newPasswordHint')}
        type="password"
        autoComplete="new-password"
        required
        value={next}
        onChange={({ target }) => setNext(target.value)}
      />
      {change.error && <ProblemNote error={change.error} />}
      {change.isSuccess && <p role="status">{t('passwordChanged')}</p>}
      <Button type="submit" isBusy={change.isPending}>
        {t('changePassword')}
      </Button>
    </Form>
  );
}
