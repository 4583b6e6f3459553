import { useQuery } from '@tanstack/react-query';
import { Button } from '../../design/button.tsx';
import { SelectField, TextField } from '../../design/field.tsx';
import { channels, useChannelTexts } from '../../texts/channels.ts';
import {
  asksAttribute,
  asksValue,
  type ConditionDraft,
  type ConditionKind,
  conditionKinds,
} from './condition-draft.ts';
import { segmentChoicesQuery } from './queries.ts';
import styles from './segment-dialog.module.css';
import { useSegmentTexts } from './texts.ts';

interface ConditionFieldsProps {
  readonly draft: ConditionDraft;
  /** The segment that is edited, which cannot refer to itself. */
  readonly ownId: string | undefined;
  onChange(draft: ConditionDraft): void;
  onRemove(): void;
}

/** One condition: what is asked, of which attribute, and its value. */
export function ConditionFields({ draft, ownId, onChange, onRemove }: ConditionFieldsProps) {
  const t = useSegmentTexts();
  const { kind, attribute, value, original } = draft;
  const remove = (
    <Button kind="plain" aria-label={t('removeCondition')} onClick={onRemove}>
      ×
    </Button>
  );
  if (original !== undefined) {
    return (
      <div className={styles.condition}>
        <code dir="ltr">{JSON.stringify(original)}</code>
        {remove}
      </div>
    );
  }
  return (
    <div className={styles.condition}>
      <SelectField
        label={t('condition')}
        value={kind}
        onChange={({ target }) =>
          onChange({ kind: target.value as ConditionKind, attribute, value: '' })
        }
      >
        {conditionKinds.map((each) => (
          <option key={each} value={each}>
            {t(`if_${each}`)}
          </option>
        ))}
      </SelectField>
      {asksAttribute(kind) && (
        <TextField
          label={t('attribute')}
          dir="auto"
          required
          maxLength={64}
          value={attribute}
          onChange={({ target }) => onChange({ ...draft, attribute: target.value })}
        />
      )}
      {asksValue(kind) && (
        <ValueField
          kind={kind}
          value={value}
          ownId={ownId}
          onChange={(typed) => onChange({ ...draft, value: typed })}
        />
      )}
      {remove}
    </div>
  );
}

interface ValueFieldProps {
  readonly kind: ConditionKind;
  readonly value: string;
  readonly ownId: string | undefined;
  onChange(value: string): void;
}

function ValueField({ kind, value, ownId, onChange }: ValueFieldProps) {
  const t = useSegmentTexts();
  const channelTexts = useChannelTexts();
  const { data: segments } = useQuery(segmentChoicesQuery);
  if (kind === 'reachable' || kind === 'segment_id') {
    const options =
      kind === 'reachable'
        ? channels.map((each) => ({ id: each as string, name: channelTexts(each) }))
        : (segments?.results.filter(({ id, query }) => query === null && id !== ownId) ?? []);
    return (
      <SelectField
        label={t(kind === 'reachable' ? 'channel' : 'list')}
        required
        value={value}
        onChange={({ target }) => onChange(target.value)}
      >
        <option value="">{t('choose')}</option>
        {options.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
    );
  }
  const isDay = kind === 'created_since' || kind === 'created_before';
  return (
    <TextField
      label={t(isDay ? 'day' : 'value')}
      type={isDay ? 'date' : 'text'}
      dir="auto"
      required
      maxLength={200}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
