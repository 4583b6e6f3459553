import { SelectField, TextField } from '../../design/field.tsx';
import { useBroadcastTexts } from '../broadcasts/texts.ts';
import { type Draft, type VariableDraft, variableOf } from './draft.ts';
import styles from './page.module.css';

interface VariableFieldsProps {
  readonly name: string;
  readonly draft: Draft;
  onChange(part: Pick<Draft, 'variables'>): void;
}

/** Where the value of one variable comes from. */
export function VariableFields({ name, draft, onChange }: VariableFieldsProps) {
  const t = useBroadcastTexts();
  const own = variableOf(draft, name);
  const { from, text, missing } = own;
  const change = (part: Partial<VariableDraft>) =>
    onChange({ variables: { ...draft.variables, [name]: { ...own, ...part } } });
  return (
    <fieldset className={styles.row}>
      <legend>
        <bdi>{t('variable', { name })}</bdi>
      </legend>
      <SelectField
        label={t('source')}
        value={from}
        onChange={({ target }) =>
          change({ from: target.value as VariableDraft['from'], text: '', missing: '' })
        }
      >
        <option value="attribute">{t('fromAttribute')}</option>
        <option value="value">{t('fromValue')}</option>
      </SelectField>
      <TextField
        label={t(from === 'value' ? 'value' : 'attribute')}
        hint={from === 'attribute' ? t('attributeHint') : undefined}
        required
        dir="auto"
        maxLength={from === 'value' ? 1_000 : 64}
        value={text}
        onChange={({ target }) => change({ text: target.value })}
      />
      {from === 'attribute' && (
        <TextField
          label={t('default')}
          dir="auto"
          maxLength={1_000}
          value={missing}
          onChange={({ target }) => change({ missing: target.value })}
        />
      )}
    </fieldset>
  );
}
