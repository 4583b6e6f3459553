import { type ReactNode, useId, useState } from 'react';
import { CheckList } from '../../design/check-list.tsx';
import { SelectField, TextAreaField, TextField } from '../../design/field.tsx';
import { useLanguage } from '../../texts/language.ts';
import styles from './setting-fields.module.css';
import { settingLabels } from './setting-labels.ts';
import {
  discriminatorOf,
  isValues,
  jsonOf,
  linesOf,
  pairsOf,
  problemAt,
  type SettingSchema,
  type SettingShape,
  type SettingValues,
  shapeOf,
  withValue,
} from './setting-shape.ts';
import { useSettingTexts } from './texts.ts';

interface SettingFieldProps {
  readonly schema: SettingSchema;
  /** As the API names it when something is wrong with it: settings.list.path */
  readonly path: string;
  readonly isRequired: boolean;
  readonly value: unknown;
  /** What the API has kept so far. */
  readonly held: unknown;
  readonly problems: Readonly<Record<string, readonly string[]>>;
  onChange(value: unknown): void;
}

/** One setting, as its schema asks for it. */
export function SettingField(props: SettingFieldProps) {
  const Part = partOf[shapeOf(props.schema)];
  return <Part {...props} />;
}

const partOf: Readonly<Record<SettingShape, (props: SettingFieldProps) => ReactNode>> = {
  text: Text,
  'long-text': LongText,
  number: Numeric,
  switch: Switch,
  choice: Choice,
  several: Several,
  lines: Lines,
  pairs: Pairs,
  group: Group,
  variants: Variants,
  json: Json,
};

/** What a setting is called; one that is newer than the texts is called as in English. */
function Label({ title = '' }: { title: string | undefined }) {
  const language = useLanguage();
  const translated = language === 'en' ? undefined : settingLabels[title]?.[language];
  return translated ?? <bdi lang="en">{title}</bdi>;
}

function Hint({ schema, held }: Pick<SettingFieldProps, 'schema' | 'held'>) {
  const t = useSettingTexts();
  const { description, examples = [], secret } = schema;
  const usual = ['string', 'number'].includes(typeof schema.default) ? schema.default : '';
  return (
    <>
      {description && (
        <>
          <bdi lang="en">{/[.…]$/.test(description) ? description : `${description}.`}</bdi>{' '}
        </>
      )}
      {examples.length > 0 && (
        <>
          {t('example')} <bdi>{String(examples[0])}</bdi>.{' '}
        </>
      )}
      {usual !== '' && schema.enum === undefined && (
        <>
          {t('ifEmpty')} <bdi>{String(usual)}</bdi>.{' '}
        </>
      )}
      {secret && held !== undefined && t('kept')}
    </>
  );
}

/** What all fields of one control have in common. */
function commonOf({ schema, path, isRequired, held, problems }: SettingFieldProps) {
  return {
    label: <Label title={schema.title} />,
    hint: <Hint schema={schema} held={held} />,
    required: isRequired,
    problem: problemAt(problems, path, true),
  };
}

function Text(props: SettingFieldProps) {
  const { schema, value, onChange } = props;
  const secrecy = schema.secret
    ? { type: 'password', autoComplete: 'new-password' }
    : { type: schema.format === 'date' ? 'date' : 'text', autoComplete: 'off' };
  return (
    <TextField
      {...commonOf(props)}
      {...secrecy}
      dir="ltr"
      spellCheck={false}
      maxLength={schema.maxLength}
      value={typeof value === 'string' ? value : ''}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

function LongText(props: SettingFieldProps) {
  const { schema, value, onChange } = props;
  return (
    <TextAreaField
      {...commonOf(props)}
      dir="ltr"
      spellCheck={false}
      maxLength={schema.maxLength}
      value={typeof value === 'string' ? value : ''}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

function Numeric(props: SettingFieldProps) {
  const { schema, value, onChange } = props;
  return (
    <TextField
      {...commonOf(props)}
      type="number"
      dir="ltr"
      min={schema.minimum}
      max={schema.maximum}
      value={typeof value === 'number' ? value : ''}
      onChange={({ target }) => onChange(target.value === '' ? undefined : target.valueAsNumber)}
    />
  );
}

function Choice(props: SettingFieldProps) {
  const t = useSettingTexts();
  const { schema, value = schema.default, onChange } = props;
  return (
    <SelectField
      {...commonOf(props)}
      value={typeof value === 'string' ? value : ''}
      onChange={({ target }) => onChange(target.value)}
    >
      {schema.default === undefined && <option value="">{t('usual')}</option>}
      {schema.enum?.map((each) => (
        <option key={each}>{each}</option>
      ))}
    </SelectField>
  );
}

function Switch(props: SettingFieldProps) {
  const id = useId();
  const { schema, value = schema.default, onChange } = props;
  const { label, hint, problem } = commonOf(props);
  return (
    <div>
      <label>
        <input
          type="checkbox"
          aria-describedby={`${id}-hint`}
          aria-invalid={problem !== undefined || undefined}
          checked={value === true}
          onChange={({ target }) => onChange(target.checked)}
        />{' '}
        {label}
      </label>
      <div id={`${id}-hint`}>
        <div className={styles.hint}>{hint}</div>
        <ProblemText problem={problem} />
      </div>
    </div>
  );
}

function ProblemText({ problem }: { problem: string | undefined }) {
  if (problem === undefined) return null;
  return (
    <div className={styles.problem} role="alert">
      {problem}
    </div>
  );
}

function Several(props: SettingFieldProps) {
  const { schema, value, onChange } = props;
  const { hint, problem } = commonOf(props);
  return (
    <div>
      <CheckList
        label={<Label title={schema.title} />}
        options={schema.items?.enum ?? []}
        chosen={Array.isArray(value) ? value : []}
        onChange={onChange}
      />
      <div className={styles.hint}>{hint}</div>
      <ProblemText problem={problem} />
    </div>
  );
}

function Lines(props: SettingFieldProps) {
  const t = useSettingTexts();
  const print = (value: unknown) => (Array.isArray(value) ? value.join('\n') : '');
  return <Parsed {...props} help={t('oneLine')} fault="" print={print} parse={linesOf} />;
}

function Pairs(props: SettingFieldProps) {
  const t = useSettingTexts();
  const print = (value: unknown) =>
    Object.entries(isValues(value) ? value : {})
      .map(([name, each]) => `${name}: ${each}`)
      .join('\n');
  return <Parsed {...props} help={t('pairs')} fault={t('noPairs')} print={print} parse={pairsOf} />;
}

function Json(props: SettingFieldProps) {
  const t = useSettingTexts();
  const print = (value: unknown) => (value === undefined ? '' : JSON.stringify(value, null, 2));
  return <Parsed {...props} help={t('deep')} fault={t('noJson')} print={print} parse={jsonOf} />;
}

interface ParsedProps extends SettingFieldProps {
  readonly help: string;
  /** What is said while the text cannot be parsed; it is not sent then. */
  readonly fault: string;
  print(value: unknown): string;
  /** Undefined for a text that cannot be parsed. */
  parse(text: string): unknown;
}

/** A text that stands for a value. */
function Parsed({ help, fault, print, parse, ...props }: ParsedProps) {
  const { value, onChange } = props;
  const [text, setText] = useState(() => print(value));
  const common = commonOf(props);
  const isWrong = text.trim() !== '' && parse(text) === undefined;
  return (
    <TextAreaField
      {...common}
      hint={
        <>
          {common.hint}
          {help}
        </>
      }
      problem={isWrong ? fault : common.problem}
      dir="ltr"
      spellCheck={false}
      value={text}
      onChange={({ target }) => {
        const parsed = target.value.trim() === '' ? undefined : parse(target.value);
        const isParsed = parsed !== undefined || target.value.trim() === '';
        target.setCustomValidity(isParsed ? '' : fault);
        setText(target.value);
        if (isParsed) onChange(parsed);
      }}
    />
  );
}

function Group(props: SettingFieldProps) {
  const { schema, isRequired, value, onChange } = props;
  const values = isValues(value) ? value : {};
  return (
    <Fields {...props} isWhole={isRequired || Object.keys(values).length > 0} onChange={onChange}>
      <p className={styles.hint}>
        <Hint schema={schema} held={undefined} />
      </p>
    </Fields>
  );
}

interface FieldsProps extends SettingFieldProps {
  /** Whether there is such a group, so that what it needs must be filled in. */
  readonly isWhole: boolean;
  /** A member that is chosen above the fields. */
  readonly chosen?: string | undefined;
  /** Title of the whole. */
  readonly title?: string | undefined;
  readonly children: ReactNode;
}

function Fields({ schema, title, isWhole, chosen, children, ...props }: FieldsProps) {
  const { path, held, problems, onChange } = props;
  const values: SettingValues = isValues(props.value) ? props.value : {};
  const members = Object.entries(schema.properties ?? {}).filter(([name]) => name !== chosen);
  return (
    <fieldset className={styles.group}>
      <legend>
        <Label title={title ?? schema.title} />
      </legend>
      {children}
      <ProblemText problem={chosen ? undefined : problemAt(problems, path, false)} />
      {members.map(([name, each]) => (
        <SettingField
          key={name}
          schema={each}
          path={`${path}.${name}`}
          isRequired={isWhole && (schema.required?.includes(name) ?? false)}
          value={values[name]}
          held={isValues(held) ? held[name] : undefined}
          problems={problems}
          onChange={(value) => onChange(withValue(values, name, value))}
        />
      ))}
    </fieldset>
  );
}

/** One of several forms of a setting, which a member of it tells apart. */
function Variants(props: SettingFieldProps) {
  const t = useSettingTexts();
  const { schema, path, problems, isRequired, value = schema.default, onChange } = props;
  const member = discriminatorOf(schema)!;
  const wordOf = (variant: SettingSchema) => String(variant.properties![member]!.const);
  const current = isValues(value) ? value[member] : undefined;
  const variant = schema.oneOf!.find((each) => wordOf(each) === current);
  const choose = (word: string) => onChange(word === '' ? undefined : { [member]: word });
  return (
    <Fields
      {...props}
      schema={variant ?? {}}
      title={schema.title}
      value={value}
      isWhole
      chosen={member}
    >
      <SelectField
        label={<Label title={schema.oneOf![0]!.properties![member]!.title} />}
        hint={<Hint schema={{ ...schema, default: undefined }} held={undefined} />}
        problem={problemAt(problems, path, false)}
        required={isRequired}
        value={variant ? wordOf(variant) : ''}
        onChange={({ target }) => choose(target.value)}
      >
        {schema.default === undefined && <option value="">{t('usual')}</option>}
        {schema.oneOf!.map((each) => (
          <option key={wordOf(each)}>{wordOf(each)}</option>
        ))}
      </SelectField>
    </Fields>
  );
}
