import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Badge } from '../../design/badge.tsx';
import { Button, ButtonLink } from '../../design/button.tsx';
import { TextField } from '../../design/field.tsx';
import { Form } from '../../design/form.tsx';
import { Card, Page, ProblemNote } from '../../design/page.tsx';
import { Table } from '../../design/table.tsx';
import { useFormats } from '../../texts/formats.ts';
import { type ImportPreview, importRates, previewImport, ratesKey } from '../rates/queries.ts';
import { useRateTexts } from '../rates/texts.ts';
import styles from './page.module.css';

/** Rates from a file: what is wrong with it is shown, and nothing is imported before it is right. */
export function RateImportPage() {
  const t = useRateTexts();
  const [file, setFile] = useState<File>();
  const looking = useMutation({ mutationFn: previewImport });
  return (
    <Page
      title={t('importTitle')}
      lead={t('importLead')}
      actions={<ButtonLink to="/calls/rates">{t('rates')}</ButtonLink>}
    >
      <Card>
        <Form onSubmit={() => file && !looking.isPending && looking.mutate(file)}>
          <TextField
            label={t('file')}
            type="file"
            required
            accept=".csv,.txt"
            onChange={({ target }) => {
              looking.reset();
              setFile(target.files?.[0]);
            }}
          />
          <Button type="submit" kind="main" isBusy={looking.isPending}>
            {t('look')}
          </Button>
        </Form>
        {looking.error && <ProblemNote error={looking.error} />}
      </Card>
      {looking.data && file && <Preview preview={looking.data} file={file} />}
    </Page>
  );
}

interface PreviewProps {
  readonly preview: ImportPreview;
  readonly file: File;
}

function Preview({ preview, file }: PreviewProps) {
  const t = useRateTexts();
  const formats = useFormats();
  const { counts, problems } = preview;
  const said = (count: number) => ({ count, shown: formats.number(count) });
  return (
    <>
      <Card title={t('check')}>
        <p>
          <Badge tone="good">{t('created', said(counts.created))}</Badge>{' '}
          <Badge>{t('unchanged', said(counts.unchanged))}</Badge>{' '}
          <Badge tone={counts.problems > 0 ? 'bad' : 'neutral'}>
            {t('problems', said(counts.problems))}
          </Badge>
        </p>
        {problems.length > 0 && (
          <>
            <p>{t('mend')}</p>
            <Kinds problems={problems} />
          </>
        )}
        {counts.problems === 0 && counts.created > 0 && (
          <Import file={file} count={counts.created} />
        )}
      </Card>
      <Rows preview={preview} />
    </>
  );
}

function Import({ file, count }: { readonly file: File; readonly count: number }) {
  const t = useRateTexts();
  const formats = useFormats();
  const queryClient = useQueryClient();
  const importing = useMutation({
    mutationFn: () => importRates(file),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ratesKey }),
  });
  if (importing.data) {
    const { created } = importing.data;
    return <p role="status">{t('done', { count: created, shown: formats.number(created) })}</p>;
  }
  return (
    <>
      {importing.error && <ProblemNote error={importing.error} />}
      <Button kind="main" isBusy={importing.isPending} onClick={() => importing.mutate()}>
        {t('start', { count, shown: formats.number(count) })}
      </Button>
    </>
  );
}

function Kinds({ problems }: Pick<ImportPreview, 'problems'>) {
  const t = useRateTexts();
  const formats = useFormats();
  return (
    <Table
      label={t('kinds')}
      rows={problems}
      keyOf={({ field, problem }) => `${field} ${problem}`}
      columns={[
        { name: 'field', title: t('field'), cell: ({ field }) => <bdi>{field}</bdi> },
        { name: 'problem', title: t('problem'), cell: ({ problem }) => problem },
        {
          name: 'rows',
          title: t('rows'),
          isAmount: true,
          cell: ({ rows }) => formats.number(rows),
        },
        {
          name: 'line',
          title: t('firstLine'),
          isAmount: true,
          cell: ({ first_line }) => formats.number(first_line),
        },
      ]}
    />
  );
}

function Rows({ preview: { columns, rows } }: { readonly preview: ImportPreview }) {
  const t = useRateTexts();
  const formats = useFormats();
  return (
    <Card title={t('seen')}>
      <p>{t('seenText')}</p>
      <Table
        label={t('seen')}
        keepsColumns
        rows={rows}
        keyOf={({ line }) => String(line)}
        columns={[
          {
            name: 'line',
            title: t('line'),
            cell: ({ line, problems }) => (
              <>
                {formats.number(line)}
                {problems.map(({ field, problem }) => (
                  <div key={`${field} ${problem}`} className={styles.problem}>
                    <bdi>{field}</bdi>: {problem}
                  </div>
                ))}
              </>
            ),
          },
          ...columns.map((name, at) => ({
            name,
            title: <bdi>{name}</bdi>,
            cell: ({ cells }: ImportPreview['rows'][number]) => <bdi>{cells[at]}</bdi>,
          })),
        ]}
      />
    </Card>
  );
}
