import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { SelectField } from '../../design/field.tsx';
import { Form } from '../../design/form.tsx';
import { Card, Facts, ProblemNote, Skeleton } from '../../design/page.tsx';
import { type ReportSettings, reportSettingsQuery, setReportSettings } from './queries.ts';
import { useSettingsTexts } from './texts.ts';

const choices = ['en', 'ar', 'ms', 'off'] as const;
type Choice = (typeof choices)[number];

/** Whether whoever made a broadcast gets its report by mail, and in which language. */
export function BroadcastReports({ mayWrite }: { readonly mayWrite: boolean }) {
  const t = useSettingsTexts();
  const { data, error, refetch } = useQuery(reportSettingsQuery);
  return (
    <Card title={t('reports')}>
      <p>{t('reportsText')}</p>
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        !error && <Skeleton lines={1} />
      ) : (
        <Content settings={data} mayWrite={mayWrite} />
      )}
    </Card>
  );
}

function Content({
  settings,
  mayWrite,
}: {
  readonly settings: ReportSettings;
  readonly mayWrite: boolean;
}) {
  const t = useSettingsTexts();
  const queryClient = useQueryClient();
  const held = settings.mail_to_creator ? settings.language : 'off';
  const [chosen, setChosen] = useState<Choice>(held);
  const change = useMutation({
    mutationFn: () =>
      setReportSettings({
        mail_to_creator: chosen !== 'off',
        language: chosen === 'off' ? settings.language : chosen,
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: reportSettingsQuery.queryKey }),
  });
  if (!mayWrite) return <Facts facts={[[t('reportMail'), t(`report_${held}`), 'mail'] as const]} />;
  return (
    <Form saving={change} onSubmit={() => change.mutate()}>
      <SelectField
        label={t('reportMail')}
        value={chosen}
        onChange={({ target }) => setChosen(target.value as Choice)}
      >
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {t(`report_${choice}`)}
          </option>
        ))}
      </SelectField>
      {change.error && <ProblemNote error={change.error} />}
      {change.isSuccess && <p role="status">{t('saved')}</p>}
      <Button type="submit" isBusy={change.isPending}>
        {t('save')}
      </Button>
    </Form>
  );
}
