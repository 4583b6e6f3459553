import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Problem } from '../../api/client.ts';
import { mayDo, useSession } from '../../api/session.ts';
import { Button } from '../../design/button.tsx';
import { useDesignTexts } from '../../design/design-texts.ts';
import { Dialog } from '../../design/dialog.tsx';
import { SelectField, TextField } from '../../design/field.tsx';
import { ProblemNote, Skeleton } from '../../design/page.tsx';
import { useWhileShown } from '../../design/use-while-shown.ts';
import { SettingFields } from '../../setting-forms/setting-fields.tsx';
import type { SettingValues } from '../../setting-forms/setting-shape.ts';
import { type ConnectorKind, connectorKindsQuery } from '../connector/connector-kinds.ts';
import { profiles } from '../connector/search.ts';
import { addConnector, agentsQuery, connectorsQuery } from './queries.ts';
import { useSourcesTexts } from './texts.ts';

/** Binds a source: one that an agent holds, or one that is reached from here. */
export function AddConnectorDialog({ onClose }: { onClose: () => void }) {
  const t = useSourcesTexts();
  const shared = useDesignTexts();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const whileShown = useWhileShown();
  const mayReadAgents = mayDo(useSession(), 'einvoicing', 'agents:read');
  const agents = useQuery({ ...agentsQuery, enabled: mayReadAgents });
  const kinds = useQuery(connectorKindsQuery);
  const [reached, setReached] = useState('agent');
  const kind = kinds.data?.find((each) => each.kind === reached);
  const [name, setName] = useState('');
  const [profile, setProfile] = useState(profiles[0]!);
  const [agent, setAgent] = useState('');
  const [settings, setSettings] = useState<SettingValues>({});
  const add = useMutation({
    mutationFn: (chosen: ConnectorKind) =>
      addConnector({
        name,
        default_profile: profile,
        pattern: chosen.pattern,
        kind: chosen.kind,
        ...(chosen.pattern === 'agent' && { agent_id: agent }),
        settings: { ...settings },
      }),
    onSuccess: async ({ id }) => {
      await queryClient.invalidateQueries({ queryKey: connectorsQuery.queryKey });
      await whileShown(() => navigate({ to: '/sources/$id', params: { id } }));
    },
  });
  const problems = add.error instanceof Problem ? add.error.fields : {};
  return (
    <Dialog
      title={t('add')}
      isWide
      onClose={onClose}
      onSubmit={() => kind && !add.isPending && add.mutate(kind)}
      actions={
        <>
          <Button onClick={onClose}>{shared('cancel')}</Button>
          <Button type="submit" kind="main" isBusy={add.isPending} disabled={kind === undefined}>
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
        problem={problems.name?.join(' ')}
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
      {kinds.error && <ProblemNote error={kinds.error} onRetry={() => void kinds.refetch()} />}
      {kinds.isPending && <Skeleton />}
      {kind && (
        <>
          <SelectField
            label={t('reach')}
            value={reached}
            onChange={({ target }) => {
              setReached(target.value);
              setSettings({});
              add.reset(); // what was said of the other kind
            }}
          >
            {kinds.data?.map((each) => (
              <option key={each.kind} value={each.kind}>
                {each.pattern === 'agent' ? t('byAgent') : t('fromHere', { kind: each.title })}
              </option>
            ))}
          </SelectField>
          {kind.pattern === 'agent' && (
            <SelectField
              label={t('host')}
              hint={agents.data?.results.length === 0 && t('enrolFirst')}
              required
              value={agent}
              problem={problems.agent_id?.join(' ')}
              onChange={({ target }) => setAgent(target.value)}
            >
              <option value="" />
              {agents.data?.results.map(({ id, hostname }) => (
                <option key={id} value={id}>
                  {hostname}
                </option>
              ))}
            </SelectField>
          )}
          <SettingFields
            key={kind.kind}
            schema={kind.settings}
            layout={kind.layout}
            values={settings}
            problems={problems}
            onChange={setSettings}
          />
        </>
      )}
      {add.error && <ProblemNote error={add.error} />}
    </Dialog>
  );
}
