import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Badge } from '../../design/badge.tsx';
import { Button, ButtonLink } from '../../design/button.tsx';
import { TextField } from '../../design/field.tsx';
import { Card, Facts, Page, ProblemNote, Skeleton } from '../../design/page.tsx';
import { Progress } from '../../design/progress.tsx';
import { useWhileShown } from '../../design/use-while-shown.ts';
import { useFormats } from '../../texts/formats.ts';
import { contactsKey } from '../contacts/queries.ts';
import { segmentsKey } from '../segments/queries.ts';
import styles from './page.module.css';
import { PreviewView } from './preview.tsx';
import { type Import, importQuery, previewQuery, upload } from './queries.ts';
import { useImportTexts } from './texts.ts';

const route = getRouteApi('/signed-in/contacts/import');

/** Contacts from a file: what is guessed is shown, and nothing is imported before the start. */
export function ContactImportPage() {
  const t = useImportTexts();
  const { id } = route.useSearch();
  return (
    <Page title={t('title')} lead={t('lead')}>
      {id === undefined ? <Upload /> : <Imported id={id} />}
    </Page>
  );
}

function Upload() {
  const t = useImportTexts();
  const navigate = useNavigate({ from: '/contacts/import' });
  const whileShown = useWhileShown();
  const queryClient = useQueryClient();
  const [file, setFile] = useState<File>();
  const sending = useMutation({
    mutationFn: upload,
    onSuccess: (preview) => {
      queryClient.setQueryData(previewQuery(preview.id).queryKey, preview);
      void whileShown(() => navigate({ search: { id: preview.id } }));
    },
  });
  return (
    <Card>
      <form
        className={styles.upload}
        onSubmit={(event) => {
          event.preventDefault();
          if (file !== undefined && !sending.isPending) sending.mutate(file);
        }}
      >
        <TextField
          label={t('file')}
          hint={t('fileHint')}
          type="file"
          required
          accept=".csv,.txt,.tsv,.xlsx"
          onChange={({ target }) => setFile(target.files?.[0])}
        />
        <Button type="submit" kind="main" isBusy={sending.isPending}>
          {t('look')}
        </Button>
      </form>
      {sending.error && <ProblemNote error={sending.error} />}
    </Card>
  );
}

function Imported({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(importQuery(id));
  if (error) return <ProblemNote error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton lines={8} />;
  const isOpen = data.state === 'preview' || data.state === 'uploading';
  return isOpen ? <PreviewView id={id} /> : <Run run={data} />;
}

function Run({ run }: { run: Import }) {
  const t = useImportTexts();
  const formats = useFormats();
  const queryClient = useQueryClient();
  const { state, rows, created, updated, failed } = run;
  const isDone = state === 'done';
  useEffect(() => {
    if (!isDone) return;
    void queryClient.invalidateQueries({ queryKey: contactsKey });
    void queryClient.invalidateQueries({ queryKey: segmentsKey });
  }, [isDone, queryClient]);
  return (
    <Card title={t('result')}>
      <p>
        <Badge tone={isDone ? (failed > 0 ? 'warning' : 'good') : 'neutral'}>{t(state)}</Badge>
      </p>
      {!isDone && <Progress label={t('progress')} done={created + updated + failed} of={rows} />}
      <Facts
        facts={[
          [t('rows'), formats.number(rows), 'rows'],
          [t('created'), formats.number(created), 'created'],
          [t('updated'), formats.number(updated), 'updated'],
          [t('failed'), formats.number(failed), 'failed'],
          [t('finished'), run.finished_at && formats.instant(run.finished_at), 'finished'],
        ]}
      />
      {isDone && (
        <div className={styles.actions}>
          {failed > 0 && (
            <a href={run.problems_url} download>
              {t('problemFile')}
            </a>
          )}
          <ButtonLink to="/contacts">{t('toContacts')}</ButtonLink>
          <ButtonLink to="/contacts/import">{t('another')}</ButtonLink>
        </div>
      )}
      {isDone && failed > 0 && <p>{t('problemText')}</p>}
    </Card>
  );
}
