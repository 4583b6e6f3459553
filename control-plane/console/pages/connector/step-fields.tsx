import { Button } from '../../design/button.tsx';
import { SelectField, TextAreaField, TextField } from '../../design/field.tsx';
import styles from './field-dialog.module.css';
import type { Transform } from './queries.ts';
import { useConnectorTexts } from './texts.ts';
import { type Control, linesOf, pairsOf, stepForms, stepKinds } from './transform-kinds.ts';

interface StepFieldsProps {
  readonly steps: readonly Transform[];
  /** Of the section that the field is read from. */
  readonly columns: readonly string[];
  onChange(steps: Transform[]): void;
}

/** The steps from a value of the source to one of the invoice, in their order. */
export function StepFields({ steps, columns, onChange }: StepFieldsProps) {
  const t = useConnectorTexts();
  return (
    <>
      {steps.map((step, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a step is what stands at its place
        <fieldset key={at} className={styles.step}>
          <legend>{t('step', { position: at + 1 })}</legend>
          <SelectField
            label={t('stepKind')}
            value={step.kind}
            onChange={({ target }) =>
              onChange(steps.with(at, stepForms[target.value as Transform['kind']].empty))
            }
          >
            {stepKinds.map((kind) => (
              <option key={kind} value={kind}>
                {t(`step_${kind}`)}
              </option>
            ))}
          </SelectField>
          {Object.entries(stepForms[step.kind].controls).map(([member, control]) => (
            <MemberField
              key={`${step.kind} ${member}`}
              label={t(`member_${member as keyof typeof memberNames}`)}
              control={control as Control}
              columns={columns}
              value={(step as unknown as Readonly<Record<string, unknown>>)[member]}
              onChange={(value) => onChange(steps.with(at, withMember(step, member, value)))}
            />
          ))}
          <Button
            kind="plain"
            aria-label={t('removeStep', { position: at + 1 })}
            onClick={() => onChange(steps.toSpliced(at, 1))}
          >
            ×
          </Button>
        </fieldset>
      ))}
      <div>
        <Button onClick={() => onChange([...steps, stepForms.trim.empty])}>{t('addStep')}</Button>
      </div>
    </>
  );
}

/** Members that a step has besides its kind. */
const memberNames = {
  value: 0,
  values: 0,
  list: 0,
  unmapped: 0,
  format: 0,
  point: 0,
  places: 0,
  by: 0,
  on_top: 0,
  columns: 0,
  separator: 0,
  start: 0,
  length: 0,
  part: 0,
} as const;

/** A member that is not filled in is left out. */
function withMember(step: Transform, member: string, value: unknown): Transform {
  const { [member]: _, ...rest } = step as unknown as Record<string, unknown>;
  return { ...rest, ...(value === undefined ? {} : { [member]: value }) } as unknown as Transform;
}

interface MemberFieldProps {
  readonly label: string;
  readonly control: Control;
  readonly columns: readonly string[];
  readonly value: unknown;
  onChange(value: unknown): void;
}

function MemberField({ label, control, columns, value, onChange }: MemberFieldProps) {
  const t = useConnectorTexts();
  switch (control.kind) {
    case 'text':
      return (
        <TextField
          label={label}
          dir="auto"
          maxLength={1_000}
          value={String(value ?? '')}
          onChange={({ target }) => onChange(target.value)}
        />
      );
    case 'number':
      return (
        <TextField
          label={label}
          type="number"
          min={0}
          value={value === undefined ? '' : String(value)}
          onChange={({ target }) =>
            onChange(target.value === '' ? undefined : Number(target.value))
          }
        />
      );
    case 'choice':
      return (
        <SelectField
          label={label}
          value={String(value ?? '')}
          onChange={({ target }) => onChange(target.value || undefined)}
        >
          {control.isOptional && <option value="">{t('noChoice')}</option>}
          {control.of.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </SelectField>
      );
    case 'columns':
      return (
        <TextField
          label={label}
          hint={t('columnsHint', { columns: columns.slice(0, 12).join(', ') })}
          dir="ltr"
          value={(value as readonly string[]).join(', ')}
          onChange={({ target }) => onChange(target.value.split(/\s*,\s*/))}
        />
      );
    case 'pairs':
      return <PairsField label={label} value={value} onChange={onChange} />;
    case 'operand':
      return <OperandField label={label} columns={columns} value={value} onChange={onChange} />;
  }
}

function PairsField({
  label,
  value,
  onChange,
}: Pick<MemberFieldProps, 'label' | 'value' | 'onChange'>) {
  const t = useConnectorTexts();
  return (
    <TextAreaField
      label={label}
      hint={t('pairsHint')}
      rows={5}
      // What is typed is no table at every moment: the text is kept, and the table follows.
      defaultValue={linesOf(value as Readonly<Record<string, string>>)}
      onChange={({ target }) => onChange(pairsOf(target.value))}
    />
  );
}

type Operand = { readonly column?: string; readonly value?: string };

function OperandField({ label, columns, value, onChange }: Omit<MemberFieldProps, 'control'>) {
  const t = useConnectorTexts();
  const { column, value: text = '' } = value as Operand;
  return (
    <>
      <SelectField
        label={label}
        value={column ?? ''}
        onChange={({ target }) =>
          onChange(target.value === '' ? { value: '' } : { column: target.value })
        }
      >
        <option value="">{t('aNumber')}</option>
        {[...new Set([...columns, ...(column === undefined ? [] : [column])])].map((each) => (
          <option key={each}>{each}</option>
        ))}
      </SelectField>
      {column === undefined && (
        <TextField
          label={t('number')}
          dir="ltr"
          inputMode="decimal"
          required
          value={text}
          onChange={({ target }) => onChange({ value: target.value })}
        />
      )}
    </>
  );
}
