import { SelectField, TextField } from '../../design/field.tsx';
import { useTemplateTexts } from '../templates/texts.ts';
import { type Draft, holdsVariable, variablesIn } from './draft.ts';
import styles from './page.module.css';

const formats = ['text', 'image', 'video', 'document', 'location'] as const;

interface PartProps {
  readonly draft: Draft;
  onChange(part: Partial<Draft>): void;
}

/** What stands above the text: a line, a file, a place. */
export function HeaderFields({
  draft: { headerFormat, headerText, headerExample },
  problem,
  onChange,
}: PartProps & { readonly problem: string | undefined }) {
  const t = useTemplateTexts();
  const isText = headerFormat === 'text';
  const isFile = headerFormat !== '' && headerFormat !== 'location' && !isText;
  return (
    <div className={styles.row}>
      <SelectField
        label={t('header')}
        value={headerFormat}
        problem={isText ? undefined : problem}
        onChange={({ target }) =>
          onChange({ headerFormat: target.value as Draft['headerFormat'], headerExample: '' })
        }
      >
        <option value="">{t('noHeader')}</option>
        {formats.map((each) => (
          <option key={each} value={each}>
            {t(each)}
          </option>
        ))}
      </SelectField>
      {isText && (
        <TextField
          label={t('headerText')}
          dir="auto"
          maxLength={200}
          value={headerText}
          problem={problem}
          onChange={({ target }) => onChange({ headerText: target.value })}
        />
      )}
      {(isFile || (isText && holdsVariable(headerText))) && (
        <TextField
          label={t(isFile ? 'sample' : 'headerExample')}
          dir="auto"
          maxLength={1_000}
          value={headerExample}
          onChange={({ target }) => onChange({ headerExample: target.value })}
        />
      )}
    </div>
  );
}

/** A value for each variable, for the preview and for reviewers. */
export function Examples({
  draft: { body, examples },
  isReviewed,
  onChange,
}: PartProps & { readonly isReviewed: boolean }) {
  const t = useTemplateTexts();
  const variables = variablesIn(body);
  if (variables.length === 0) return null;
  return (
    <>
      <h2>{t('examples')}</h2>
      {isReviewed && <p>{t('examplesHint')}</p>}
      <div className={styles.row}>
        {variables.map((name) => (
          <TextField
            key={name}
            label={<bdi>{t('example', { name })}</bdi>}
            dir="auto"
            required={isReviewed}
            maxLength={500}
            value={examples[name] ?? ''}
            onChange={({ target }) => onChange({ examples: { ...examples, [name]: target.value } })}
          />
        ))}
      </div>
    </>
  );
}
