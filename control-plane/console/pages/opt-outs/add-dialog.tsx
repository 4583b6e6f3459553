import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Problem } from '../../api/client.ts';
import { Button } from '../../design/button.tsx';
import { useDesignTexts } from '../../design/design-texts.ts';
import { Dialog } from '../../design/dialog.tsx';
import { SelectField, TextField } from '../../design/field.tsx';
import { ProblemNote } from '../../design/page.tsx';
import { useWhileShown } from '../../design/use-while-shown.ts';
import { channels, useChannelTexts } from '../../texts/channels.ts';
import { addOptOut, type OptOutRequest, optOutsKey } from './queries.ts';
import { useOptOutTexts } from './texts.ts';

export function AddOptOutDialog({ onClose }: { onClose: () => void }) {
  const t = useOptOutTexts();
  const shared = useDesignTexts();
  const channelTexts = useChannelTexts();
  const queryClient = useQueryClient();
  const whileShown = useWhileShown();
  const [channel, setChannel] = useState<OptOutRequest['channel']>('sms');
  const [address, setAddress] = useState('');
  const [note, setNote] = useState('');
  const add = useMutation({
    mutationFn: () => addOptOut({ channel, address: address.trim(), note: note.trim() }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: optOutsKey });
      whileShown(onClose);
    },
  });
  const problems = add.error instanceof Problem ? add.error.fields : {};
  return (
    <Dialog
      title={t('add')}
      onClose={onClose}
      onSubmit={() => !add.isPending && add.mutate()}
      actions={
        <>
          <Button onClick={onClose}>{shared('cancel')}</Button>
          <Button type="submit" kind="main" isBusy={add.isPending}>
            {t('keep')}
          </Button>
        </>
      }
    >
      <SelectField
        label={t('channel')}
        value={channel}
        onChange={({ target }) =>
          setChannel(channels.find((each) => each === target.value) ?? channel)
        }
      >
        {channels.map((each) => (
          <option key={each} value={each}>
            {channelTexts(each)}
          </option>
        ))}
      </SelectField>
      <TextField
        label={t('address')}
        hint={t('addressHint')}
        dir="ltr"
        required
        maxLength={200}
        value={address}
        problem={problems.address?.join(' ')}
        onChange={({ target }) => setAddress(target.value)}
      />
      <TextField
        label={t('why')}
        hint={t('whyHint')}
        dir="auto"
        required
        maxLength={1_000}
        value={note}
        problem={problems.note?.join(' ')}
        onChange={({ target }) => setNote(target.value)}
      />
      {add.error && Object.keys(problems).length === 0 && <ProblemNote error={add.error} />}
    </Dialog>
  );
}
