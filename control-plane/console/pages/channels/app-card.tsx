import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Badge } from '../../design/badge.tsx';
import { Button, ButtonLink } from '../../design/button.tsx';
import { Confirm } from '../../design/confirm.tsx';
import { CopyField } from '../../design/copy-field.tsx';
import { Card, Facts, ProblemNote } from '../../design/page.tsx';
import { useClock } from '../../texts/clock.ts';
import { useFormats } from '../../texts/formats.ts';
import styles from './app-card.module.css';
import {
  type App,
  type AppChannel,
  type AppPatch,
  appsQuery,
  changeApp,
  providerKindsQuery,
  removeApp,
} from './queries.ts';
import { SettingsDialog } from './settings-dialog.tsx';
import { useAppTexts } from './texts.ts';

interface AppCardProps {
  readonly channel: AppChannel;
  readonly app: App;
  readonly mayWrite: boolean;
}

/** One app: whether it works, and the addresses that its provider has to know. */
export function AppCard({ channel, app, mayWrite }: AppCardProps) {
  const t = useAppTexts();
  const formats = useFormats();
  const clock = useClock();
  const queryClient = useQueryClient();
  const { id, name, provider, state, stopped_reason, quality, tier } = app;
  const [isChanging, setChanging] = useState(false);
  const kind = useQuery(providerKindsQuery).data?.find((each) => each.provider === provider);
  const settled = () => queryClient.invalidateQueries(appsQuery(channel));
  const change = useMutation({
    mutationFn: (body: AppPatch) => changeApp(channel, id, body),
    onSettled: settled,
  });
  const ago = (instant: string | null) =>
    instant === null ? (
      <Badge tone="warning">{t('never')}</Badge>
    ) : (
      <time dateTime={instant} title={formats.instant(instant)}>
        {formats.ago(instant, clock())}
      </time>
    );
  return (
    <Card title={<bdi>{name}</bdi>}>
      <p>
        <Badge tone={state === 'active' ? 'good' : 'bad'}>{t(state)}</Badge> {stopped_reason}
      </p>
      <Facts
        facts={[
          [t('provider'), kind?.title ?? provider, 'provider'],
          [t('quality'), quality, 'quality'],
          [t('tier'), tier, 'tier'],
          [t('speed'), formats.number(app.messages_per_second), 'speed'],
          [t('lastInbound'), ago(app.last_inbound_at), 'inbound'],
          [t('lastStatus'), app.status_url && ago(app.last_status_at), 'status'],
          [
            t('registration'),
            t(app.url_registration === 'automatic' ? 'automatic' : 'manual'),
            'registration',
          ],
        ]}
      />
      <CopyField label={t('inboundUrl')} text={app.inbound_url} />
      {app.status_url !== null && <CopyField label={t('statusUrl')} text={app.status_url} />}
      {app.url_registration === 'manual' && app.url_help && (
        <p className={styles.help}>{app.url_help}</p>
      )}
      {change.error && <ProblemNote error={change.error} />}
      <div className={styles.actions}>
        <ButtonLink to="/inbox" search={{ channel }}>
          {t('conversations')}
        </ButtonLink>
        {mayWrite && (
          <>
            <Button
              isChanging
              isBusy={change.isPending}
              onClick={() => change.mutate({ state: state === 'active' ? 'stopped' : 'active' })}
            >
              {t(state === 'active' ? 'stop' : 'activate')}
            </Button>
            <Button disabled={kind === undefined} onClick={() => setChanging(true)}>
              {t('settings')}
            </Button>
            <Confirm
              action={t('remove')}
              title={t('removeTitle', { name })}
              isDangerous
              onConfirm={() => removeApp(channel, id).then(settled)}
            >
              {t('removeText')}
            </Confirm>
          </>
        )}
      </div>
      {kind && isChanging && (
        <SettingsDialog
          title={t('settingsOf', { name })}
          schema={kind.settings}
          held={app.settings}
          save={(settings) => changeApp(channel, id, { settings }).then(settled)}
          onClose={() => setChanging(false)}
        />
      )}
    </Card>
  );
}
