import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { usePagedRows } from '../../api/paging.ts';
import { Button } from '../../design/button.tsx';
import { useDesignTexts } from '../../design/design-texts.ts';
import { Dialog } from '../../design/dialog.tsx';
import { SelectField, TextField } from '../../design/field.tsx';
import { ProblemNote } from '../../design/page.tsx';
import { useWhileShown } from '../../design/use-while-shown.ts';
import { connectorsQuery } from '../sources/queries.ts';
import { type Participant, participantsQuery, saveParticipant } from './queries.ts';
import { useParticipantTexts } from './texts.ts';

interface ParticipantDialogProps {
  /** Undefined: a new one. */
  readonly participant?: Participant;
  onClose(): void;
}

export function ParticipantDialog({ participant, onClose }: ParticipantDialogProps) {
  const t = useParticipantTexts();
  const shared = useDesignTexts();
  const queryClient = useQueryClient();
  const whileShown = useWhileShown();
  const { rows: connectors } = usePagedRows(connectorsQuery);
  const [address, setAddress] = useState(participant?.id ?? '');
  const [importTo, setImportTo] = useState(participant?.import_to ?? '');
  const keep = useMutation({
    mutationFn: () => saveParticipant(address.trim(), importTo === '' ? null : importTo),
    onSuccess: async () => {
      await queryClient.invalidateQueries(participantsQuery);
      whileShown(onClose);
    },
  });
  return (
    <Dialog
      title={participant === undefined ? t('add') : t('edit')}
      onClose={onClose}
      onSubmit={() => !keep.isPending && keep.mutate()}
      actions={
        <>
          <Button onClick={onClose}>{shared('cancel')}</Button>
          <Button type="submit" kind="main" isBusy={keep.isPending}>
            {t('keep')}
          </Button>
        </>
      }
    >
      <TextField
        label={t('address')}
        hint={t('addressHint')}
        dir="ltr"
        required
        readOnly={participant !== undefined}
        pattern="\s*\d{4}:\S{1,50}\s*"
        title={t('addressHint')}
        spellCheck={false}
        value={address}
        onChange={({ target }) => setAddress(target.value)}
      />
      <SelectField
        label={t('importTo')}
        hint={t('importToHint')}
        value={importTo}
        onChange={({ target }) => setImportTo(target.value)}
      >
        <option value="">{t('nowhere')}</option>
        {connectors.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      {keep.error && <ProblemNote error={keep.error} />}
    </Dialog>
  );
}
