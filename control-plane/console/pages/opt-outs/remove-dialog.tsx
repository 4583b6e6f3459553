import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { useDesignTexts } from '../../design/design-texts.ts';
import { Dialog } from '../../design/dialog.tsx';
import { TextField } from '../../design/field.tsx';
import { ProblemNote } from '../../design/page.tsx';
import { useWhileShown } from '../../design/use-while-shown.ts';
import { useChannelTexts } from '../../texts/channels.ts';
import { type OptOut, optOutsKey, removeOptOut } from './queries.ts';
import { useOptOutTexts } from './texts.ts';

interface RemoveOptOutDialogProps {
  readonly optOut: OptOut;
  onClose(): void;
}

/** An address may be written to again: how that is known is kept. */
export function RemoveOptOutDialog({ optOut, onClose }: RemoveOptOutDialogProps) {
  const t = useOptOutTexts();
  const shared = useDesignTexts();
  const channels = useChannelTexts();
  const queryClient = useQueryClient();
  const whileShown = useWhileShown();
  const [note, setNote] = useState('');
  const remove = useMutation({
    mutationFn: () => removeOptOut(optOut.id, note.trim()),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: optOutsKey });
      whileShown(onClose);
    },
  });
  return (
    <Dialog
      title={t('removeTitle', { address: optOut.address, channel: channels(optOut.channel) })}
      onClose={onClose}
      onSubmit={() => !remove.isPending && remove.mutate()}
      actions={
        <>
          <Button onClick={onClose}>{shared('cancel')}</Button>
          <Button type="submit" kind="dangerous" isBusy={remove.isPending}>
            {t('remove')}
          </Button>
        </>
      }
    >
      <p>{t('removeText')}</p>
      <TextField
        label={t('howKnown')}
        dir="auto"
        required
        maxLength={1_000}
        value={note}
        onChange={({ target }) => setNote(target.value)}
      />
      {remove.error && <ProblemNote error={remove.error} />}
    </Dialog>
  );
}
