import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { mayDo, useSession } from '../../api/session.ts';
import { Button } from '../../design/button.tsx';
import { useDesignTexts } from '../../design/design-texts.ts';
import { Dialog } from '../../design/dialog.tsx';
import { SelectField, TextAreaField, TextField } from '../../design/field.tsx';
import { ProblemNote } from '../../design/page.tsx';
import { profiles } from '../connector/search.ts';
import {
  addConnector,
  agentsQuery,
  connectorsQuery,
  isReach,
  type Reach,
  reachable,
  settingsOf,
} from './queries.ts';
import { useSourcesTexts } from './texts.ts';

/** Binds a source: one that an agent holds, or one that is reached from here. */
export function AddConnectorDialog({ onClose }: { onClose: () => void }) {
  const t = useSourcesTexts();
  const shared = useDesignTexts();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const mayReadAgents = mayDo(useSession(), 'einvoicing', 'agents:read');
  const agents = useQuery({ ...agentsQuery, enabled: mayReadAgents });
  const [reach, setReach] = useState<Reach>('agent');
  const [name, setName] = useState('');
  const [profile, setProfile] = useState(profiles[0]!);
  const [agent, setAgent] = useState('');
  const [source, setSource] = useState('');
  const [settings, setSettings] = useState('');
  const parsed = settingsOf(settings);
  const add = useMutation({
    mutationFn: () =>
      addConnector({
        name,
        default_profile: profile,
        ...(reach === 'agent'
          ? { pattern: 'agent', kind: 'agent', agent_id: agent, settings: { connector: source } }
          : { ...reachable[reach], settings: parsed ?? {} }),
      }),
    onSuccess: async ({ id }) => {
      await queryClient.invalidateQueries({ queryKey: connectorsQuery.queryKey });
      await navigate({ to: '/sources/$id', params: { id } });
    },
  });
  return (
    <Dialog
      title={t('add')}
      onClose={onClose}
      onSubmit={() => !add.isPending && add.mutate()}
      actions={
        <>
          <Button onClick={onClose}>{shared('cancel')}</Button>
          <Button
            type="submit"
            kind="main"
            isBusy={add.isPending}
            disabled={reach !== 'agent' && parsed === undefined}
          >
            {t('add')}
          </Button>
        </>
      }
    >
      <TextField
        label={t('name')}
        dir="auto"
        required
        maxLength={200}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <SelectField
        label={t('profile')}
        value={profile}
        onChange={({ target }) => setProfile(profiles.find((each) => each === target.value)!)}
      >
        {profiles.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </SelectField>
      <SelectField
        label={t('reach')}
        value={reach}
        onChange={({ target }) => isReach(target.value) && setReach(target.value)}
      >
        <option value="agent">{t('byAgent')}</option>
        {Object.keys(reachable).map((kind) => (
          <option key={kind} value={kind}>
            {t('fromHere', { kind })}
          </option>
        ))}
      </SelectField>
      {reach === 'agent' ? (
        <>
          <SelectField
            label={t('host')}
            hint={agents.data?.results.length === 0 && t('enrolFirst')}
            required
            value={agent}
            onChange={({ target }) => setAgent(target.value)}
          >
            <option value="" />
            {agents.data?.results.map(({ id, hostname }) => (
              <option key={id} value={id}>
                {hostname}
              </option>
            ))}
          </SelectField>
          <TextField
            label={t('sourceName')}
            hint={t('sourceNameHint')}
            dir="auto"
            required
            maxLength={100}
            value={source}
            onChange={({ target }) => setSource(target.value)}
          />
        </>
      ) : (
        <TextAreaField
          label={t('settings')}
          hint={t('settingsHint')}
          dir="ltr"
          rows={5}
          required
          value={settings}
          problem={settings !== '' && parsed === undefined ? t('noJson') : undefined}
          onChange={({ target }) => setSettings(target.value)}
        />
      )}
      {add.error && <ProblemNote error={add.error} />}
    </Dialog>
  );
}
