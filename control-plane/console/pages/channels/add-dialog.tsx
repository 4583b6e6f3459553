import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { useDesignTexts } from '../../design/design-texts.ts';
import { Dialog } from '../../design/dialog.tsx';
import { SelectField, TextField } from '../../design/field.tsx';
import { ProblemNote } from '../../design/page.tsx';
import { useChannelTexts } from '../../texts/channels.ts';
import { type AppChannel, addApp, appChannels, appsQuery, providersOf } from './queries.ts';
import { SettingFields, type SettingRow, settingsOf } from './setting-fields.tsx';
import { useAppTexts } from './texts.ts';

/** Connects an account at a provider; in the sandbox a name is enough. */
export function AddAppDialog({ onClose }: { onClose: () => void }) {
  const t = useAppTexts();
  const shared = useDesignTexts();
  const channels = useChannelTexts();
  const queryClient = useQueryClient();
  const [channel, setChannel] = useState<AppChannel>('wa');
  const [provider, setProvider] = useState<string>(providersOf.wa[0]);
  const [name, setName] = useState('');
  const [rows, setRows] = useState<readonly SettingRow[]>([]);
  const add = useMutation({
    mutationFn: () => addApp(channel, { provider, name, settings: settingsOf(rows) }),
    onSuccess: async () => {
      await queryClient.invalidateQueries(appsQuery(channel));
      onClose();
    },
  });
  return (
    <Dialog
      title={t('connect')}
      onClose={onClose}
      onSubmit={() => !add.isPending && add.mutate()}
      actions={
        <>
          <Button onClick={onClose}>{shared('cancel')}</Button>
          <Button type="submit" kind="main" isBusy={add.isPending}>
            {t('connect')}
          </Button>
        </>
      }
    >
      <SelectField
        label={t('channel')}
        value={channel}
        onChange={({ target }) => {
          const next = target.value as AppChannel;
          setChannel(next);
          setProvider(providersOf[next][0]);
        }}
      >
        {appChannels.map((each) => (
          <option key={each} value={each}>
            {channels(each)}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t('provider')}
        value={provider}
        onChange={({ target }) => setProvider(target.value)}
      >
        {providersOf[channel].map((each) => (
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
      <SettingFields rows={rows} onChange={setRows} />
      {add.error && <ProblemNote error={add.error} />}
    </Dialog>
  );
}
