import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { useDesignTexts } from '../../design/design-texts.ts';
import { Dialog } from '../../design/dialog.tsx';
import { SelectField, TextField } from '../../design/field.tsx';
import { ProblemNote } from '../../design/page.tsx';
import { SettingFields, type SettingRow, settingsOf } from '../channels/setting-fields.tsx';
import { addProvider, providersQuery, voiceProviders } from './queries.ts';
import { useVoiceTexts } from './texts.ts';

export function AddProviderDialog({ onClose }: { onClose: () => void }) {
  const t = useVoiceTexts();
  const shared = useDesignTexts();
  const queryClient = useQueryClient();
  const [provider, setProvider] = useState<(typeof voiceProviders)[number]>('twilio-voice');
  const [name, setName] = useState('');
  const [from, setFrom] = useState('');
  const [rows, setRows] = useState<readonly SettingRow[]>([]);
  const add = useMutation({
    mutationFn: () =>
      addProvider({ provider, name, from_number: from.trim(), settings: settingsOf(rows) }),
    onSuccess: async () => {
      await queryClient.invalidateQueries(providersQuery);
      onClose();
    },
  });
  return (
    <Dialog
      title={t('addProvider')}
      onClose={onClose}
      onSubmit={() => !add.isPending && add.mutate()}
      actions={
        <>
          <Button onClick={onClose}>{shared('cancel')}</Button>
          <Button type="submit" kind="main" isBusy={add.isPending}>
            {t('addProvider')}
          </Button>
        </>
      }
    >
      <SelectField
        label={t('provider')}
        value={provider}
        onChange={({ target }) => setProvider(target.value as typeof provider)}
      >
        {voiceProviders.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </SelectField>
      <TextField
        label={t('name')}
        dir="auto"
        required
        maxLength={100}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <TextField
        label={t('from')}
        type="tel"
        dir="ltr"
        required
        value={from}
        onChange={({ target }) => setFrom(target.value)}
      />
      <SettingFields rows={rows} onChange={setRows} />
      {add.error && <ProblemNote error={add.error} />}
    </Dialog>
  );
}
