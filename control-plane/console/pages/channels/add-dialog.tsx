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
import { useChannelTexts } from '../../texts/channels.ts';
import {
  type AppChannel,
  addApp,
  appChannels,
  appsQuery,
  type ProviderKind,
  providerKindsQuery,
} from './queries.ts';
import { useAppTexts } from './texts.ts';

interface AddAppDialogProps {
  /** Which one is chosen at first. */
  readonly first: AppChannel;
  onClose(): void;
}

/** Connects an account at a provider; in the sandbox a name is enough. */
export function AddAppDialog({ first, onClose }: AddAppDialogProps) {
  const t = useAppTexts();
  const shared = useDesignTexts();
  const channels = useChannelTexts();
  const queryClient = useQueryClient();
  const whileShown = useWhileShown();
  const isSandbox = useSession().environment === 'sandbox';
  const kinds = useQuery(providerKindsQuery);
  const [channel, setChannel] = useState(first);
  const offered = kinds.data?.filter((each) => each.channel === channel) ?? [];
  const [provider, setProvider] = useState('');
  const kind = offered.find((each) => each.provider === provider) ?? offered[0];
  const [name, setName] = useState('');
  const [settings, setSettings] = useState<SettingValues>({});
  const add = useMutation({
    mutationFn: ({ provider }: ProviderKind) => addApp(channel, { provider, name, settings }),
    onSuccess: async () => {
      await queryClient.invalidateQueries(appsQuery(channel));
      whileShown(onClose);
    },
  });
  const choose = (provider: string) => {
    setProvider(provider);
    setSettings({});
    add.reset(); // what was said of the other one
  };
  const problems = add.error instanceof Problem ? add.error.fields : {};
  return (
    <Dialog
      title={t('connect')}
      onClose={onClose}
      onSubmit={() => kind && !add.isPending && add.mutate(kind)}
      actions={
        <>
          <Button onClick={onClose}>{shared('cancel')}</Button>
          <Button type="submit" kind="main" isBusy={add.isPending} disabled={kind === undefined}>
            {t('connect')}
          </Button>
        </>
      }
    >
      <SelectField
        label={t('channel')}
        value={channel}
        onChange={({ target }) => {
          setChannel(target.value as AppChannel);
          choose('');
        }}
      >
        {appChannels.map((each) => (
          <option key={each} value={each}>
            {channels(each)}
          </option>
        ))}
      </SelectField>
      {kinds.error && <ProblemNote error={kinds.error} onRetry={() => void kinds.refetch()} />}
      {kinds.isPending && <Skeleton />}
      {kind && (
        <SelectField
          label={t('provider')}
          value={kind.provider}
          onChange={({ target }) => choose(target.value)}
        >
          {offered.map(({ provider, title }) => (
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
