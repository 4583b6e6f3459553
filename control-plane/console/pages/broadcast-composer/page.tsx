import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { Problem } from '../../api/client.ts';
import { newKey } from '../../api/new-key.ts';
import { Button, ButtonLink } from '../../design/button.tsx';
import { SelectField } from '../../design/field.tsx';
import { Card, EmptyState, Page, ProblemNote, Skeleton } from '../../design/page.tsx';
import { UnsavedChanges } from '../../design/unsaved-changes.tsx';
import { useWhileShown } from '../../design/use-while-shown.ts';
import { useChannelTexts } from '../../texts/channels.ts';
import { useFormats } from '../../texts/formats.ts';
import { broadcastsKey, createBroadcast, forecast } from '../broadcasts/queries.ts';
import { useBroadcastTexts } from '../broadcasts/texts.ts';
import { type AppChannel, appsQuery } from '../channels/queries.ts';
import { variablesOf } from '../templates/parts.ts';
import { sendableTemplatesQuery, type Template } from '../templates/queries.ts';
import { AudienceFields, ScheduleFields } from './audience.tsx';
import { type Draft, requestOf } from './draft.ts';
import { ForecastCard } from './forecast.tsx';
import styles from './page.module.css';
import { TestDialog } from './test-dialog.tsx';
import { VariableFields } from './variables.tsx';

export function BroadcastComposerPage() {
  const t = useBroadcastTexts();
  const { data, error, refetch } = useQuery(sendableTemplatesQuery);
  return (
    <Page title={t('write')}>
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <Skeleton lines={8} />}
      {data?.length === 0 && (
        <EmptyState
          title={t('noTemplates')}
          action={<ButtonLink to="/templates">{t('toTemplates')}</ButtonLink>}
        >
          {t('noTemplatesText')}
        </EmptyState>
      )}
      {data && data.length > 0 && <Composer templates={data} />}
    </Page>
  );
}

const empty: Draft = {
  segment: '',
  appId: '',
  variables: {},
  at: '',
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  hours: undefined,
  isConsentNeeded: false,
  areLinksCounted: true,
};

function Composer({ templates }: { templates: readonly Template[] }) {
  const t = useBroadcastTexts();
  const formats = useFormats();
  const navigate = useNavigate();
  const whileShown = useWhileShown();
  const queryClient = useQueryClient();
  const [templateId, setTemplateId] = useState('');
  const [draft, setDraft] = useState<Draft>(empty);
  const [isTesting, setTesting] = useState(false);
  const template = templates.find(({ id }) => id === templateId);
  const request = template && requestOf(template, draft);
  const look = useMutation({ mutationFn: forecast });
  // A repeat after a lost answer has the key of before, and makes one broadcast.
  const key = useRef(newKey());
  const send = useMutation({
    mutationFn: () => createBroadcast(request!, key.current),
    onSuccess: async ({ id }) => {
      await queryClient.invalidateQueries({ queryKey: broadcastsKey });
      await whileShown(() => navigate({ to: '/broadcasts/$id', params: { id } }));
    },
    onError: (error) => {
      if (error instanceof Problem) key.current = newKey();
    },
  });
  const isCurrent =
    look.data !== undefined && JSON.stringify(look.variables) === JSON.stringify(request);
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  return (
    <>
      <UnsavedChanges isUnsaved={draft !== empty && !send.isPending} />
      <form
        className={styles.composer}
        onSubmit={(event) => {
          event.preventDefault();
          // Enter in a field looks, and never sends.
          if (request !== undefined && !isCurrent && !look.isPending) look.mutate(request);
        }}
      >
        <div className={styles.fields}>
          <Card title={t('what')}>
            <TemplateField
              templates={templates}
              value={templateId}
              onChange={(id) => {
                setTemplateId(id);
                change({ variables: {}, appId: '' });
              }}
            />
            {template && (
              <>
                <p className={styles.text} dir="auto">
                  {template.body}
                </p>
                <AppField
                  channel={template.channel as AppChannel}
                  value={draft.appId}
                  onChange={(appId) => change({ appId })}
                />
                {variablesOf(template).map((name) => (
                  <VariableFields
                    key={`${template.id} ${name}`}
                    name={name}
                    draft={draft}
                    onChange={change}
                  />
                ))}
              </>
            )}
          </Card>
          <Card title={t('who')}>
            <AudienceFields draft={draft} onChange={change} />
          </Card>
          <Card title={t('whenTitle')}>
            <ScheduleFields draft={draft} onChange={change} />
          </Card>
        </div>
        <div className={styles.side}>
          {look.data && <ForecastCard forecast={look.data} isCurrent={isCurrent} />}
          {look.error && <ProblemNote error={look.error} />}
          {send.error && <ProblemNote error={send.error} />}
          <div className={styles.actions}>
            {isCurrent ? (
              <Button
                kind="main"
                isChanging
                isBusy={send.isPending}
                onClick={() => send.mutate()}
                disabled={look.data.recipients === 0 || !look.data.is_affordable}
              >
                {t(draft.at === '' ? 'go' : 'plan', {
                  count: look.data.recipients,
                  shown: formats.number(look.data.recipients),
                })}
              </Button>
            ) : (
              <Button type="submit" kind="main" isBusy={look.isPending}>
                {t('check')}
              </Button>
            )}
            <Button disabled={template === undefined} onClick={() => setTesting(true)}>
              {t('testTitle')}
            </Button>
          </div>
        </div>
      </form>
      {isTesting && template && (
        <TestDialog template={template} draft={draft} onClose={() => setTesting(false)} />
      )}
    </>
  );
}

interface ChoiceProps {
  readonly value: string;
  onChange(value: string): void;
}

function TemplateField({
  templates,
  value,
  onChange,
}: ChoiceProps & { readonly templates: readonly Template[] }) {
  const t = useBroadcastTexts();
  const channels = useChannelTexts();
  return (
    <SelectField
      label={t('template')}
      required
      value={value}
      onChange={({ target }) => onChange(target.value)}
    >
      <option value="">{t('choose')}</option>
      {[...Map.groupBy(templates, ({ channel }) => channel)].map(([channel, own]) => (
        <optgroup key={channel} label={channels(channel as AppChannel)}>
          {own.map(({ id, name, language }) => (
            <option key={id} value={id}>
              {name} ({language})
            </option>
          ))}
        </optgroup>
      ))}
    </SelectField>
  );
}

/** Asked for where a channel has several apps. */
function AppField({ channel, value, onChange }: ChoiceProps & { readonly channel: AppChannel }) {
  const t = useBroadcastTexts();
  const { data } = useQuery(appsQuery(channel));
  if (data === undefined || data.results.length < 2) return null;
  return (
    <SelectField
      label={t('app')}
      required
      value={value}
      onChange={({ target }) => onChange(target.value)}
    >
      <option value="">{t('choose')}</option>
      {data.results.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}
