import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Problem } from '../../api/client.ts';
import { Button } from '../../design/button.tsx';
import { useDesignTexts } from '../../design/design-texts.ts';
import { Dialog } from '../../design/dialog.tsx';
import { SelectField, TextField } from '../../design/field.tsx';
import { ProblemNote } from '../../design/page.tsx';
import { useSettled } from '../../design/use-settled.ts';
import { useWhileShown } from '../../design/use-while-shown.ts';
import { useFormats } from '../../texts/formats.ts';
import { type ConditionDraft, conditionOf, draftOf, emptyDraft } from './condition-draft.ts';
import { ConditionFields } from './condition-fields.tsx';
import {
  addSegment,
  type Condition,
  changeSegment,
  countQuery,
  type Segment,
  type SegmentQuery,
  segmentsKey,
} from './queries.ts';
import styles from './segment-dialog.module.css';
import { useSegmentTexts } from './texts.ts';

const groups = ['all', 'any', 'none'] as const;
type Group = (typeof groups)[number];

interface DraftRow {
  readonly key: number;
  readonly group: Group;
  readonly draft: ConditionDraft;
}

interface SegmentDialogProps {
  /** Undefined: a new one. */
  readonly segment?: Segment;
  onClose(): void;
}

/** A list, or a query with the number of those who fit it now. */
export function SegmentDialog({ segment, onClose }: SegmentDialogProps) {
  const t = useSegmentTexts();
  const shared = useDesignTexts();
  const queryClient = useQueryClient();
  const whileShown = useWhileShown();
  const [name, setName] = useState(segment?.name ?? '');
  const [kind, setKind] = useState<'list' | 'query'>(
    segment !== undefined && segment.query === null ? 'list' : 'query',
  );
  const [rows, setRows] = useState(() => rowsOf(segment?.query ?? null));
  const lastKey = useRef(rows.length);
  const query = kind === 'query' ? queryOf(rows) : undefined;
  const isWhole = kind === 'list' || query !== undefined;
  const keep = useMutation({
    mutationFn: () =>
      segment === undefined ? addSegment(name, query) : changeSegment(segment.id, name, query),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: segmentsKey });
      whileShown(onClose);
    },
  });
  const ofName = keep.error instanceof Problem ? keep.error.fields.name?.[0] : undefined;
  const change = (key: number, part: Partial<DraftRow>) =>
    setRows(rows.map((row) => (row.key === key ? { ...row, ...part } : row)));
  return (
    <Dialog
      title={segment === undefined ? t('add') : t('edit')}
      isWide
      onClose={onClose}
      onSubmit={() => isWhole && !keep.isPending && keep.mutate()}
      actions={
        <>
          <Button onClick={onClose}>{shared('cancel')}</Button>
          <Button type="submit" kind="main" isBusy={keep.isPending} disabled={!isWhole}>
            {t('keep')}
          </Button>
        </>
      }
    >
      <TextField
        label={t('name')}
        dir="auto"
        required
        maxLength={100}
        value={name}
        problem={ofName}
        onChange={({ target }) => setName(target.value)}
      />
      {segment === undefined && (
        <SelectField
          label={t('kind')}
          hint={kind === 'list' ? t('listText') : t('queryText')}
          value={kind}
          onChange={({ target }) => setKind(target.value as 'list' | 'query')}
        >
          <option value="query">{t('query')}</option>
          <option value="list">{t('list')}</option>
        </SelectField>
      )}
      {kind === 'query' && (
        <>
          {groups.map((group) => (
            <fieldset key={group} className={styles.group}>
              <legend>{t(`group_${group}`)}</legend>
              {rows
                .filter((row) => row.group === group)
                .map((row) => (
                  <ConditionFields
                    key={row.key}
                    draft={row.draft}
                    ownId={segment?.id}
                    onChange={(draft) => change(row.key, { draft })}
                    onRemove={() => setRows(rows.filter(({ key }) => key !== row.key))}
                  />
                ))}
              <Button
                onClick={() => {
                  lastKey.current += 1;
                  setRows([...rows, { key: lastKey.current, group, draft: emptyDraft }]);
                }}
              >
                {t('addCondition')}
              </Button>
            </fieldset>
          ))}
          <LiveCount query={query} />
        </>
      )}
      {keep.error && ofName === undefined && <ProblemNote error={keep.error} />}
    </Dialog>
  );
}

/** How many fit what is on the screen. */
function LiveCount({ query }: { query: SegmentQuery | undefined }) {
  const t = useSegmentTexts();
  const formats = useFormats();
  const settled = useSettled(JSON.stringify(query ?? null));
  const shown = JSON.parse(settled) as SegmentQuery | null;
  const { data, error } = useQuery({
    ...countQuery(shown ?? {}),
    enabled: shown !== null,
    placeholderData: keepPreviousData,
  });
  if (error && query !== undefined) return <ProblemNote error={error} />;
  return (
    <p className={styles.count} role="status">
      {query === undefined || data === undefined
        ? t('countNothing')
        : t('count', { count: data.contacts, shown: formats.number(data.contacts) })}
    </p>
  );
}

function rowsOf(query: SegmentQuery | null): readonly DraftRow[] {
  if (query === null) return [{ key: 0, group: 'all', draft: emptyDraft }];
  const conditions = groups.flatMap((group) =>
    (query[group] ?? []).map((condition) => ({ group, draft: draftOf(condition) })),
  );
  return conditions.map((row, key) => ({ key, ...row }));
}

/** Undefined while a condition is not whole, or there is none. */
function queryOf(rows: readonly DraftRow[]): SegmentQuery | undefined {
  const made = rows.map(({ group, draft }) => ({ group, condition: conditionOf(draft) }));
  if (made.length === 0 || made.some(({ condition }) => condition === undefined)) return undefined;
  const query: { [Key in Group]?: Condition[] } = {};
  for (const { group, condition } of made) (query[group] ??= []).push(condition!);
  return query;
}
