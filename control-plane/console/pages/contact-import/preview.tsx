import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { mayDo, useSession } from '../../api/session.ts';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { SelectField, TextField } from '../../design/field.tsx';
import { Card, ProblemNote, Skeleton } from '../../design/page.tsx';
import { Table } from '../../design/table.tsx';
import { useWhileShown } from '../../design/use-while-shown.ts';
import { useFormats } from '../../texts/formats.ts';
import styles from './page.module.css';
import {
  type Column,
  choose,
  discard,
  importQuery,
  type Preview,
  type PreviewPatch,
  previewQuery,
  start,
} from './queries.ts';
import { useImportTexts } from './texts.ts';

const encodings = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1256',
  'iso-8859-15',
  'ibm850',
  'gb18030',
] as const;
const separators = [
  [',', 'comma'],
  [';', 'semicolon'],
  ['\t', 'tab'],
  ['|', 'bar'],
] as const;
const headerRowsShown = 10;
const fields = ['phone', 'name', 'segments', 'attribute', 'ignored'] as const;

/** How the file is read, what each column becomes, and what would be left out. */
export function PreviewView({ id }: { id: string }) {
  const t = useImportTexts();
  const formats = useFormats();
  const navigate = useNavigate({ from: '/contacts/import' });
  const whileShown = useWhileShown();
  const queryClient = useQueryClient();
  const mayWrite = mayDo(useSession(), 'messaging', 'contacts:write');
  const { data: preview, error, refetch } = useQuery(previewQuery(id));
  const change = useMutation({
    mutationFn: (patch: PreviewPatch) => choose(id, patch),
    onSuccess: (next) => queryClient.setQueryData(previewQuery(id).queryKey, next),
  });
  // Whoever leaves a field for the button changes and starts: the start waits for the change.
  const changing = useRef<Promise<unknown>>(undefined);
  // Changes go one after the other, each from what the one before it made of the columns.
  const keep = (patchOf: (latest: Preview) => PreviewPatch) => {
    const make = () =>
      change.mutateAsync(patchOf(queryClient.getQueryData(previewQuery(id).queryKey)!));
    const kept = changing.current?.then(make, make) ?? make();
    changing.current = kept;
    const settle = () => {
      if (changing.current === kept) changing.current = undefined;
    };
    kept.then(settle, settle);
  };
  const begin = useMutation({
    mutationFn: async () => {
      await changing.current;
      return start(id);
    },
    onSuccess: (run) => queryClient.setQueryData(importQuery(id).queryKey, run),
    onSettled: () => queryClient.invalidateQueries(importQuery(id)),
  });
  const drop = useMutation({
    mutationFn: () => discard(id),
    onSuccess: () => whileShown(() => navigate({ search: {} })),
  });
  if (error) return <ProblemNote error={error} onRetry={() => void refetch()} />;
  if (preview === undefined) return <Skeleton lines={8} />;
  const { counts, notes, problems } = preview;
  return (
    <>
      {[...new Set([change.error, begin.error, drop.error])].map(
        (problem) => problem && <ProblemNote key={String(problem)} error={problem} />,
      )}
      <Reading preview={preview} mayWrite={mayWrite} onChange={(patch) => keep(() => patch)} />
      <Columns
        preview={preview}
        mayWrite={mayWrite}
        onChange={(changed) =>
          keep(({ reading }) => ({ columns: columnsWith(reading.columns, changed) }))
        }
      />
      <Card title={t('check')}>
        <p>
          <Badge tone="good">
            {t('usable', { count: counts.usable, shown: formats.number(counts.usable) })}
          </Badge>{' '}
          <Badge tone={counts.problems > 0 ? 'bad' : 'neutral'}>
            {t('leftOut', { count: counts.problems, shown: formats.number(counts.problems) })}
          </Badge>
        </p>
        {notes.length > 0 && (
          <ul>
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        )}
        {problems.length > 0 && (
          <Table
            label={t('problems')}
            rows={problems}
            keyOf={({ field, problem }) => `${field} ${problem}`}
            columns={[
              { name: 'field', title: t('field'), cell: ({ field }) => <bdi>{field}</bdi> },
              { name: 'problem', title: t('problem'), cell: ({ problem }) => problem },
              {
                name: 'rows',
                title: t('rows'),
                isAmount: true,
                cell: (row) => formats.number(row.rows),
              },
              {
                name: 'line',
                title: t('firstLine'),
                isAmount: true,
                cell: ({ first_line }) => formats.number(first_line),
              },
            ]}
          />
        )}
        {mayWrite && (
          <div className={styles.actions}>
            <Button
              kind="main"
              isBusy={begin.isPending}
              disabled={counts.usable === 0}
              onClick={() => begin.mutate()}
            >
              {t('start', { count: counts.usable, shown: formats.number(counts.usable) })}
            </Button>
            <Button isBusy={drop.isPending} onClick={() => drop.mutate()}>
              {t('discard')}
            </Button>
            <span className={styles.samples}>
              {t('expires', { when: formats.instant(preview.expires_at) })}
            </span>
          </div>
        )}
      </Card>
      <Rows preview={preview} />
    </>
  );
}

interface ReadingProps {
  readonly preview: Preview;
  readonly mayWrite: boolean;
  onChange(patch: PreviewPatch): void;
}

function Reading({ preview, mayWrite, onChange }: ReadingProps) {
  const t = useImportTexts();
  const formats = useFormats();
  const { reading, default_country: country, segment } = preview;
  const [typedCountry, setCountry] = useState(country ?? '');
  const [typedSegment, setSegment] = useState(segment ?? '');
  const isCountry = /^[A-Z]{2}$/.test(typedCountry);
  return (
    <Card title={<bdi>{preview.filename ?? t('title')}</bdi>}>
      <div className={styles.choices}>
        {reading.encoding !== null && (
          <SelectField
            label={t('encoding')}
            hint={reading.encoding_certain ? undefined : t('encodingUncertain')}
            disabled={!mayWrite}
            value={reading.encoding}
            onChange={({ target }) =>
              onChange({ encoding: target.value as (typeof encodings)[number] })
            }
          >
            {encodings.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </SelectField>
        )}
        {reading.separator !== null && (
          <SelectField
            label={t('separator')}
            disabled={!mayWrite}
            value={reading.separator}
            onChange={({ target }) =>
              onChange({ separator: target.value as (typeof separators)[number][0] })
            }
          >
            {separators.map(([each, text]) => (
              <option key={each} value={each}>
                {t(text)}
              </option>
            ))}
          </SelectField>
        )}
        {reading.sheets.length > 1 && (
          <SelectField
            label={t('sheet')}
            disabled={!mayWrite}
            value={reading.sheet ?? ''}
            onChange={({ target }) => onChange({ sheet: target.value })}
          >
            {reading.sheets.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </SelectField>
        )}
        <SelectField
          label={t('headerRow')}
          disabled={!mayWrite}
          value={reading.header_row}
          onChange={({ target }) => onChange({ header_row: Number(target.value) })}
        >
          <option value={0}>{t('noHeader')}</option>
          {Array.from({ length: Math.max(headerRowsShown, reading.header_row) }, (_, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the number of the line is what it is
            <option key={at} value={at + 1}>
              {t('line', { line: formats.number(at + 1) })}
            </option>
          ))}
        </SelectField>
        <TextField
          label={t('country')}
          hint={t('countryHint')}
          disabled={!mayWrite}
          maxLength={2}
          dir="ltr"
          value={typedCountry}
          onChange={({ target }) => setCountry(target.value.toUpperCase())}
          onBlur={() => {
            if (typedCountry !== (country ?? '') && (isCountry || typedCountry === '')) {
              onChange({ default_country: typedCountry || null });
            }
          }}
        />
        <TextField
          label={t('segment')}
          hint={t('segmentHint')}
          disabled={!mayWrite}
          maxLength={100}
          dir="auto"
          value={typedSegment}
          onChange={({ target }) => setSegment(target.value)}
          onBlur={() => {
            if (typedSegment.trim() !== (segment ?? '')) {
              onChange({ segment: typedSegment.trim() || null });
            }
          }}
        />
      </div>
    </Card>
  );
}

interface ColumnsProps {
  readonly preview: Preview;
  readonly mayWrite: boolean;
  onChange(changed: Column): void;
}

/** What each column of the file becomes. */
function Columns({ preview, mayWrite, onChange }: ColumnsProps) {
  const t = useImportTexts();
  const formats = useFormats();
  const { columns } = preview.reading;
  return (
    <Card title={t('columns')}>
      <Table
        label={t('columns')}
        rows={columns}
        keyOf={({ column }) => String(column)}
        columns={[
          {
            name: 'name',
            title: t('column'),
            cell: ({ column, name, issue }) => (
              <>
                <bdi>{name || t('columnNumber', { column: formats.number(column) })}</bdi>
                {issue && <div className={styles.problem}>{t(issue)}</div>}
              </>
            ),
          },
          {
            name: 'samples',
            title: t('samples'),
            cell: ({ column }) => (
              <bdi className={styles.samples}>
                {preview.samples[column - 1]?.slice(0, 3).join(' · ')}
              </bdi>
            ),
          },
          {
            name: 'field',
            title: t('becomes'),
            cell: (own) => (
              <div className={styles.column}>
                <SelectField
                  label={t('becomesOf', { name: own.name || formats.number(own.column) })}
                  disabled={!mayWrite}
                  value={own.field}
                  onChange={({ target }) =>
                    onChange({ ...own, field: target.value as Column['field'] })
                  }
                >
                  {fields.map((each) => (
                    <option key={each} value={each}>
                      {t(`as_${each}`)}
                    </option>
                  ))}
                </SelectField>
                {own.field === 'attribute' && (
                  <AttributeName
                    key={own.attribute}
                    column={own}
                    mayWrite={mayWrite}
                    onChange={(attribute) => onChange({ ...own, attribute })}
                  />
                )}
              </div>
            ),
          },
        ]}
      />
    </Card>
  );
}

/** All columns, one of them changed. */
function columnsWith(
  columns: readonly Column[],
  changed: Column,
): NonNullable<PreviewPatch['columns']> {
  return columns.map((own) => {
    const { column, field, attribute } = own.column === changed.column ? changed : own;
    // One column is the phone, and one the segments: the former one is an attribute again.
    const isTaken =
      own.column !== changed.column &&
      field === changed.field &&
      (field === 'phone' || field === 'segments');
    if (isTaken) return { column, field: 'attribute' as const };
    return { column, field, ...(field === 'attribute' && attribute && { attribute }) };
  });
}

interface AttributeNameProps {
  readonly column: Column;
  readonly mayWrite: boolean;
  onChange(attribute: string): void;
}

function AttributeName({ column, mayWrite, onChange }: AttributeNameProps) {
  const t = useImportTexts();
  const [name, setName] = useState(column.attribute ?? '');
  return (
    <TextField
      label={t('attributeName')}
      dir="auto"
      disabled={!mayWrite}
      maxLength={64}
      value={name}
      onChange={({ target }) => setName(target.value)}
      onBlur={() => {
        if (name.trim() !== '' && name.trim() !== column.attribute) onChange(name.trim());
      }}
    />
  );
}

/** The first rows, as they are in the file, with what is wrong with them. */
function Rows({ preview }: { preview: Preview }) {
  const t = useImportTexts();
  const formats = useFormats();
  const { rows, reading } = preview;
  return (
    <Card title={t('firstRows', { count: rows.length, shown: formats.number(rows.length) })}>
      <Table
        label={t('rows')}
        rows={rows}
        keyOf={({ line }) => String(line)}
        columns={[
          {
            name: 'line',
            title: t('lineTitle'),
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
          ...reading.columns.map(({ column, name }) => ({
            name: String(column),
            title: <bdi>{name || formats.number(column)}</bdi>,
            cell: ({ cells }: Preview['rows'][number]) => <bdi>{cells[column - 1]}</bdi>,
          })),
        ]}
      />
    </Card>
  );
}
