import type { ConnectorKind } from './queries.ts';
import { SettingField } from './setting-field.tsx';
import styles from './setting-fields.module.css';
import { isValues, partsOf, problemAt, type SettingValues, withValue } from './setting-shape.ts';
import { useSettingTexts } from './texts.ts';

interface SettingFieldsProps {
  readonly kind: ConnectorKind;
  readonly values: SettingValues;
  /** What the API has kept so far, secrets as dots; nothing of a new source. */
  readonly held?: SettingValues;
  /** Sentences of the API by field of the request. */
  readonly problems: Readonly<Record<string, readonly string[]>>;
  onChange(values: SettingValues): void;
}

/** A field for each setting of a source; what few need is folded away. */
export function SettingFields({
  kind: { settings, layout },
  values,
  held,
  problems,
  onChange,
}: SettingFieldsProps) {
  const t = useSettingTexts();
  const field = (name: string) => (
    <SettingField
      key={name}
      schema={settings.properties![name]!}
      path={`settings.${name}`}
      isRequired={settings.required?.includes(name) ?? false}
      value={values[name]}
      held={isValues(held) ? held[name] : undefined}
      problems={problems}
      onChange={(value) => onChange(withValue(values, name, value))}
    />
  );
  return partsOf(settings, layout).map(({ key, names }) => {
    if (key === 'main') return names.map(field);
    const isWrong = names.some((name) => problemAt(problems, `settings.${name}`, true));
    return (
      <details
        key={key}
        className={styles.part}
        open={isWrong || undefined}
        // The browser cannot show what it refuses while that is folded away.
        onInvalidCapture={({ currentTarget }) => {
          currentTarget.open = true;
        }}
      >
        <summary>{t(key)}</summary>
        {key === 'layout' && <p>{t('layoutText')}</p>}
        {names.map(field)}
      </details>
    );
  });
}
