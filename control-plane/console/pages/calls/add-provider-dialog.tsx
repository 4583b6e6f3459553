import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Problem } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { Button } from '../../design/button.tsx';
import { useDesignTexts } from '../../design/design-texts.ts';
import { Dialog } from '../../design/dialog.tsx';
import { SelectField, TextField } from '../../design/field.tsx';
import { ProblemNote, Skeleton } from '../../design/page.tsx';
import { useWhileShown } from '../../design/use-while-shown.ts';
import { SettingFields } from '../../setting-forms/setting-fields.tsx';
import type { SettingValues } from '../../setting-forms/setting-shape.ts';
import type { ProviderKind } from '../channels/queries.ts';
import { addProvider, providersQuery, voiceProviderKindsQuery } from './queries.ts';
import { useVoiceTexts } from './texts.ts';

export function AddProviderDialog({ onClose }: { onClose: () => void }) {
  const t = useVoiceTexts();
  const shared = useDesignTexts();
  const queryClient = useQueryClient();
  const whileShown = useWhileShown();
  const isSandbox = useSession().environment === 'sandbox';
  const kinds = useQuery(voiceProviderKindsQuery);
  const [provider, setProvider] = useState('');
  const kind = kinds.data?.find((each) => each.provider === provider) ?? kinds.data?.[0];
  const [name, setName] = useState('');
  const [from, setFrom] = useState('');
  const [settings, setSettings] = useState<SettingValues>({});
  const add = useMutation({
    mutationFn: ({ provider }: ProviderKind) =>
      addProvider({ provider, name, from_number: from.trim(), settings }),
    onSuccess: async () => {
      await queryClient.invalidateQueries(providersQuery);
      whileShown(onClose);
    },
  });
  const problems = add.error instanceof Problem ? add.error.fields : {};
  return (
    <Dialog
      title={t('addProvider')}
      onClose={onClose}
      onSubmit={() => kind && !add.isPending && add.mutate(kind)}
      actions={
        <>
          <Button onClick={onClose}>{shared('cancel')}</Button>
          <Button type="submit" kind="main" isBusy={add.isPending} disabled={kind === undefined}>
            {t('addProvider')}
          </Button>
        </>
      }
    >
      {kinds.error && <ProblemNote error={kinds.error} onRetry={() => void kinds.refetch()} />}
      {kinds.isPending && <Skeleton />}
      {kind && (
        <SelectField
          label={t('provider')}
          value={kind.provider}
          onChange={({ target }) => {
            setProvider(target.value);
            setSettings({});
            add.reset(); // what was said of the other one
          }}
        >
          {kinds.data?.map(({ provider, title }) => (
            <option key={provider} value={provider}>
              {title}
            </option>
          ))}
        </SelectField>
      )}
      <TextField
        label={t('name')}
        dir="auto"
        required
        maxLength={100}
        value={name}
        problem={problems.name?.join(' ')}
        onChange={({ target }) => setName(target.value)}
      />
      <TextField
        label={t('from')}
        type="tel"
        dir="ltr"
        required
        value={from}
        problem={problems.from_number?.join(' ')}
        onChange={({ target }) => setFrom(target.value)}
      />
      {isSandbox && <p>{t('settingsSandbox')}</p>}
      {kind && (
        <SettingFields
          key={kind.provider}
          schema={kind.settings}
          values={settings}
          problems={problems}
          onChange={setSettings}
        />
      )}
      {add.error && <ProblemNote error={add.error} />}
    </Dialog>
  );
}
