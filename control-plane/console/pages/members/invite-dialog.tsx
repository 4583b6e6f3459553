import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { useDesignTexts } from '../../design/design-texts.ts';
import { Dialog } from '../../design/dialog.tsx';
import { TextField } from '../../design/field.tsx';
import { ProblemNote } from '../../design/page.tsx';
import { useWhileShown } from '../../design/use-while-shown.ts';
import { invitationsQuery, invite, type Roles } from './queries.ts';
import { RoleFields } from './role-fields.tsx';
import { useMembersTexts } from './texts.ts';

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const t = useMembersTexts();
  const shared = useDesignTexts();
  const queryClient = useQueryClient();
  const whileShown = useWhileShown();
  const [email, setEmail] = useState('');
  const [roles, setRoles] = useState<Roles>({ role: null, einvoicing_role: 'operator' });
  const change = useMutation({
    mutationFn: () => invite(email, roles),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: invitationsQuery.queryKey });
      whileShown(onClose);
    },
  });
  return (
    <Dialog
      title={t('invite')}
      onClose={onClose}
      onSubmit={() => change.mutate()}
      actions={
        <>
          <Button onClick={onClose}>{shared('cancel')}</Button>
          <Button type="submit" kind="main" isBusy={change.isPending}>
            {t('send')}
          </Button>
        </>
      }
    >
      <TextField
        label={t('email')}
        type="email"
        required
        value={email}
        onChange={({ target }) => setEmail(target.value)}
      />
      <RoleFields roles={roles} onChange={setRoles} />
      {change.error && <ProblemNote error={change.error} />}
    </Dialog>
  );
}
