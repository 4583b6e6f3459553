/** A control for each kind of value, with the name, the help and what is wrong. */
import { useId, useState } from 'react';
import { CheckList } from '../design/check-list.tsx';
import { SelectField, TextAreaField, TextField } from '../design/field.tsx';
import { useLanguage } from '../texts/language.ts';
import styles from './setting-fields.module.css';
import { settingHelps } from './setting-helps.ts';
import { settingLabels } from './setting-labels.ts';
import {
  choicesOf,
  isValues,
  linesOf,
  pairsOf,
  problemAt,
  type SettingSchema,
} from './setting-shape.ts';
import { useSettingTexts } from './texts.ts';

export interface SettingFieldProps {
  readonly schema: SettingSchema;
  /** As the API names it when something is wrong with it: settings.list.path */
  readonly path: string;
  readonly isRequired: boolean;
  readonly value: unknown;
  /** What the API has kept so far. */
  readonly held: unknown;
  /** Whether the API keeps a secret that is left empty. */
  readonly keepsSecrets: boolean;
  readonly problems: Readonly<Record<string, readonly string[]>>;
  onChange(value: unknown): void;
}

/** What a setting is called; one that is newer than the texts is called as in English. */
export function Label({ title = '' }: { title: string | undefined }) {
  const language = useLanguage();
  const translated = language === 'en' ? undefined : settingLabels[title]?.[language];
  return translated ?? <bdi lang="en">{title}</bdi>;
}

/** The same as a text, for options and names of buttons. */
export function useLabel(): (title: string) => string {
  const language = useLanguage();
  return (title) => (language === 'en' ? undefined : settingLabels[title]?.[language]) ?? title;
}

/** A help text; what stands between backticks is a name in a program. */
function Help({ text }: { text: string }) {
  const language = useLanguage();
  const translated = language === 'en' ? undefined : settingHelps[text]?.[language];
  const parts = (translated ?? text).split('`');
  const marked = parts.map((part, at) => (at % 2 === 1 ? <code key={part}>{part}</code> : part));
  return translated === undefined ? <bdi lang="en">{marked}</bdi> : marked;
}

type HintProps = Pick<SettingFieldProps, 'schema' | 'held' | 'keepsSecrets'>;

export function Hint({ schema, held, keepsSecrets }: HintProps) {
  const t = useSettingTexts();
  const { description, examples = [], secret } = schema;
  const usual = ['string', 'number'].includes(typeof schema.default) ? schema.default : '';
  return (
    <>
      {description && (
        <>
          <Help text={description} />
          {/[.…]$/.test(description) ? ' ' : '. '}
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
      {secret && held !== undefined && t(keepsSecrets ? 'stays' : 'kept')}
    </>
  );
}

/** What all fields of one control have in common. */
function commonOf(props: SettingFieldProps) {
  const { schema, path, isRequired, held, keepsSecrets, problems } = props;
  const isKept = keepsSecrets && schema.secret === true && held !== undefined;
  return {
    label: <Label title={schema.title} />,
    hint: <Hint schema={schema} held={held} keepsSecrets={keepsSecrets} />,
    required: isRequired && !isKept,
    problem: problemAt(problems, path, true),
  };
}

export function Text(props: SettingFieldProps) {
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

/** A key of several lines is hidden as a password is, in a field that keeps its lines. */
export function LongText(props: SettingFieldProps) {
  const { schema, value, onChange } = props;
  return (
    <div className={schema.secret ? styles.secret : undefined}>
      <TextAreaField
        {...commonOf(props)}
        dir="ltr"
        autoComplete="off"
        spellCheck={false}
        maxLength={schema.maxLength}
        value={typeof value === 'string' ? value : ''}
        onChange={({ target }) => onChange(target.value)}
      />
    </div>
  );
}

export function Numeric(props: SettingFieldProps) {
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

export function Choice(props: SettingFieldProps) {
  const t = useSettingTexts();
  const { schema, value = schema.default, onChange } = props;
  return (
    <SelectField
      {...commonOf(props)}
      value={typeof value === 'string' ? value : ''}
      onChange={({ target }) => onChange(target.value)}
    >
      {schema.default === undefined && <option value="">{t('usual')}</option>}
      {choicesOf(schema).map((each) => (
        <option key={each}>{each}</option>
      ))}
    </SelectField>
  );
}

/** A setting that is true or left out has no other value to be switched to. */
export function Switch(props: SettingFieldProps) {
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
          onChange={({ target }) =>
            onChange(target.checked || schema.const === undefined ? target.checked : undefined)
          }
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

export function ProblemText({ problem }: { problem: string | undefined }) {
  if (problem === undefined) return null;
  return (
    <div className={styles.problem} role="alert">
      {problem}
    </div>
  );
}

export function Several(props: SettingFieldProps) {
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

export function Lines(props: SettingFieldProps) {
  const t = useSettingTexts();
  const print = (value: unknown) => (Array.isArray(value) ? value.join('\n') : '');
  return <Parsed {...props} help={t('oneLine')} fault="" print={print} parse={linesOf} />;
}

export function Pairs(props: SettingFieldProps) {
  const t = useSettingTexts();
  const print = (value: unknown) =>
    Object.entries(isValues(value) ? value : {})
      .map(([name, each]) => `${name}: ${each}`)
      .join('\n');
  return <Parsed {...props} help={t('pairs')} fault={t('noPairs')} print={print} parse={pairsOf} />;
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
