import { Folded, SettingField } from './setting-field.tsx';
import {
  isValues,
  partsOf,
  problemAt,
  type SettingSchema,
  type SettingValues,
  withValue,
} from './setting-shape.ts';
import { useSettingTexts } from './texts.ts';

interface SettingFieldsProps {
  readonly schema: SettingSchema;
  /** Members that say how documents of a source are read. */
  readonly layout?: readonly string[];
  readonly values: SettingValues;
  /** What the API has kept so far, secrets as dots; nothing of what is new. */
  readonly held?: SettingValues;
  /** Whether the API keeps a secret that is left empty. */
  readonly keepsSecrets?: boolean;
  /** Sentences of the API by field of the request. */
  readonly problems: Readonly<Record<string, readonly string[]>>;
  onChange(values: SettingValues): void;
}

/** A field for each setting of a source or a provider; what few need is folded away. */
export function SettingFields({
  schema,
  layout = [],
  values,
  held,
  keepsSecrets = false,
  problems,
  onChange,
}: SettingFieldsProps) {
  const t = useSettingTexts();
  const field = (name: string) => (
    <SettingField
      key={name}
      schema={schema.properties![name]!}
      path={`settings.${name}`}
      isRequired={schema.required?.includes(name) ?? false}
      value={values[name]}
      held={isValues(held) ? held[name] : undefined}
      keepsSecrets={keepsSecrets}
      problems={problems}
      onChange={(value) => onChange(withValue(values, name, value))}
    />
  );
  return partsOf(schema, layout).map(({ key, names }) => {
    if (key === 'main') return names.map(field);
    const isWrong = names.some((name) => problemAt(problems, `settings.${name}`, true));
    return (
      <Folded key={key} summary={t(key)} isOpen={isWrong}>
        {key === 'layout' && <p>{t('layoutText')}</p>}
        {names.map(field)}
      </Folded>
    );
  });
}
