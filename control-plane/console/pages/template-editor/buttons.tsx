import { useRef } from 'react';
import { Button } from '../../design/button.tsx';
import { SelectField, TextField } from '../../design/field.tsx';
import { useTemplateTexts } from '../templates/texts.ts';
import { type ButtonDraft, holdsVariable } from './draft.ts';
import styles from './page.module.css';

/** As many as the network takes. */
const buttonsMax = 10;

interface ButtonFieldsProps {
  readonly buttons: readonly ButtonDraft[];
  readonly problemOf: (at: number) => string | undefined;
  onChange(buttons: readonly ButtonDraft[]): void;
}

export function ButtonFields({ buttons, problemOf, onChange }: ButtonFieldsProps) {
  const t = useTemplateTexts();
  const lastKey = useRef(buttons.length);
  const change = (key: number, part: Partial<ButtonDraft>) =>
    onChange(buttons.map((each) => (each.key === key ? { ...each, ...part } : each)));
  return (
    <>
      {buttons.map(({ key, kind, text, target, example }, at) => (
        <fieldset key={key} className={styles.button}>
          <SelectField
            label={t('kind')}
            value={kind}
            onChange={(event) =>
              change(key, { kind: event.target.value as ButtonDraft['kind'], target: '' })
            }
          >
            <option value="quick-reply">{t('quick_reply')}</option>
            <option value="url">{t('url')}</option>
            <option value="phone">{t('phone')}</option>
          </SelectField>
          <TextField
            label={t('buttonText')}
            dir="auto"
            required
            maxLength={100}
            value={text}
            problem={problemOf(at)}
            onChange={(event) => change(key, { text: event.target.value })}
          />
          {kind !== 'quick-reply' && (
            <TextField
              label={t(kind === 'url' ? 'address' : 'number')}
              dir="ltr"
              required
              maxLength={kind === 'url' ? 2_000 : 32}
              value={target}
              onChange={(event) => change(key, { target: event.target.value })}
            />
          )}
          {kind === 'url' && holdsVariable(target) && (
            <TextField
              label={t('addressExample')}
              dir="ltr"
              maxLength={2_000}
              value={example}
              onChange={(event) => change(key, { example: event.target.value })}
            />
          )}
          <Button
            kind="plain"
            aria-label={t('removeButton', { text })}
            onClick={() => onChange(buttons.filter((each) => each.key !== key))}
          >
            ×
          </Button>
        </fieldset>
      ))}
      {buttons.length < buttonsMax && (
        <div>
          <Button
            onClick={() => {
              lastKey.current += 1;
              const key = lastKey.current;
              onChange([
                ...buttons,
                { key, kind: 'quick-reply', text: '', target: '', example: '' },
              ]);
            }}
          >
            {t('addButton')}
          </Button>
        </div>
      )}
    </>
  );
}
