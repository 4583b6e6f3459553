import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { useDesignTexts } from '../../design/design-texts.ts';
import { Dialog } from '../../design/dialog.tsx';
import { SelectField, TextField } from '../../design/field.tsx';
import { ProblemNote } from '../../design/page.tsx';
import { useWhileShown } from '../../design/use-while-shown.ts';
import styles from './field-dialog.module.css';
import { type FieldSource, withField } from './mapping-change.ts';
import type { Mapping, SourceColumn } from './queries.ts';
import { StepFields } from './step-fields.tsx';
import { useConnectorTexts } from './texts.ts';
import { useSaveMapping } from './use-save-mapping.ts';

interface FieldDialogProps {
  readonly mapping: Mapping;
  /** A field of the invoice, mapped or not. */
  readonly target: string;
  onClose(): void;
}

/** Where a field of the invoice comes from: another column, or always the same, and how it is read. */
export function FieldDialog({ mapping, target, onClose }: FieldDialogProps) {
  const t = useConnectorTexts();
  const shared = useDesignTexts();
  const whileShown = useWhileShown();
  const save = useSaveMapping();
  const held = mapping.fields.find((field) => field.target === target);
  const about = mapping.coverage.fields.find(({ path }) => path === target);
  const [source, setSource] = useState<FieldSource>(held ?? { transforms: [] });
  const [isConstant, setConstant] = useState(held?.value !== undefined);
  const change = useMutation({
    mutationFn: (wanted: FieldSource | undefined) =>
      save(mapping.version, withField(mapping, target, wanted)),
    onSuccess: () => whileShown(onClose),
  });
  const wanted = isConstant
    ? { value: source.value ?? '' }
    : { ...(source.from && { from: source.from }), transforms: source.transforms ?? [] };
  const column = mapping.columns.find((each) => isSame(each, source.from));
  return (
    <Dialog
      isWide
      title={about?.name ?? <code>{target}</code>}
      onClose={onClose}
      onSubmit={() => !change.isPending && change.mutate(wanted)}
      actions={
        <>
          {held && (
            <Button
              kind="dangerous"
              isBusy={change.isPending}
              onClick={() => change.mutate(undefined)}
            >
              {t('remove')}
            </Button>
          )}
          <Button onClick={onClose}>{shared('cancel')}</Button>
          <Button type="submit" kind="main" isBusy={change.isPending}>
            {t('save')}
          </Button>
        </>
      }
    >
      <p>
        <code>{target}</code> {about?.help && <bdi lang="en">{about.help}</bdi>}
      </p>
      {held?.status === 'approved' && <p>{t('approvedChange')}</p>}
      <fieldset className={styles.choices}>
        <legend>{t('from')}</legend>
        {[false, true].map((each) => (
          <label key={String(each)} className={styles.choice}>
            <input
              type="radio"
              name="source"
              checked={isConstant === each}
              onChange={() => setConstant(each)}
            />
            {t(each ? 'fromConstant' : 'fromColumn')}
          </label>
        ))}
      </fieldset>
      {isConstant ? (
        <TextField
          label={t('value')}
          dir="auto"
          required
          maxLength={1_000}
          value={source.value ?? ''}
          onChange={(event) => setSource({ ...source, value: event.target.value })}
        />
      ) : (
        <>
          <ColumnField
            columns={mapping.columns}
            chosen={source.from}
            onChange={(from) => setSource({ ...source, from })}
          />
          {column && column.samples.length > 0 && (
            <p className={styles.samples}>
              {t('samples')} <bdi>{column.samples.join(' · ')}</bdi>
            </p>
          )}
          <StepFields
            steps={source.transforms ?? []}
            columns={mapping.columns
              .filter(({ section }) => section === source.from?.section)
              .map((each) => each.column)}
            onChange={(transforms) => setSource({ ...source, transforms })}
          />
        </>
      )}
      {change.error && <ProblemNote error={change.error} />}
    </Dialog>
  );
}

type Place = NonNullable<FieldSource['from']>;

const isSame = (one: Place, other: Place | undefined) =>
  one.section === other?.section && one.column === other.column;

interface ColumnFieldProps {
  readonly columns: readonly SourceColumn[];
  readonly chosen: Place | undefined;
  onChange(place: Place): void;
}

function ColumnField({ columns, chosen, onChange }: ColumnFieldProps) {
  const t = useConnectorTexts();
  const at = columns.findIndex((each) => isSame(each, chosen));
  const sections = Map.groupBy(
    columns.map((column, index) => ({ ...column, index })),
    ({ section, origin }) => (section === origin ? section : `${section} (${origin})`),
  );
  return (
    <SelectField
      label={t('column')}
      required
      value={at < 0 ? '' : String(at)}
      onChange={({ target }) => {
        const { section, column } = columns[Number(target.value)]!;
        onChange({ section, column });
      }}
    >
      <option value="" disabled>
        {chosen === undefined ? t('choose') : `${chosen.section}.${chosen.column}`}
      </option>
      {[...sections].map(([name, inside]) => (
        <optgroup key={name} label={name}>
          {inside.map(({ column, index, samples }) => (
            <option key={index} value={index}>
              {samples[0] === undefined ? column : `${column} · ${samples[0].slice(0, 40)}`}
            </option>
          ))}
        </optgroup>
      ))}
    </SelectField>
  );
}
