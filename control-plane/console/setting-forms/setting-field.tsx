/** One setting, as its schema asks for it: a control, or fields of fields. */
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from '../design/button.tsx';
import { SelectField, TextField } from '../design/field.tsx';
import { useFormats } from '../texts/formats.ts';
import {
  Choice,
  Hint,
  Label,
  Lines,
  LongText,
  Numeric,
  Pairs,
  ProblemText,
  type SettingFieldProps,
  Several,
  Switch,
  Text,
  useLabel,
} from './setting-controls.tsx';
import styles from './setting-fields.module.css';
import {
  isValues,
  optionsOf,
  partsOf,
  problemAt,
  type SettingSchema,
  type SettingShape,
  shapeOf,
  summaryOf,
  titleMemberOf,
  withValue,
} from './setting-shape.ts';
import { useSettingTexts } from './texts.ts';

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
  options: Options,
  list: List,
  entries: Entries,
};

/** Fields that belong together, under their name. */
function Framed(props: SettingFieldProps & { readonly children: ReactNode }) {
  const { schema, keepsSecrets, children } = props;
  return (
    <fieldset className={styles.group}>
      <legend>
        <Label title={schema.title} />
      </legend>
      <p className={styles.hint}>
        <Hint
          schema={{ ...schema, default: undefined }}
          held={undefined}
          keepsSecrets={keepsSecrets}
        />
      </p>
      {children}
    </fieldset>
  );
}

function Group(props: SettingFieldProps) {
  const { isRequired, value } = props;
  const isThere = isValues(value) && Object.keys(value).length > 0;
  return (
    <Framed {...props}>
      <Members {...props} isThere={isRequired || isThere} />
    </Framed>
  );
}

interface MembersProps extends SettingFieldProps {
  /** Whether there is such a group, so that what it needs must be filled in. */
  readonly isThere: boolean;
  /** A member that is chosen above the fields. */
  readonly chosen?: string | undefined;
}

/** The fields of a group; what few need is folded away. */
function Members({ schema, isThere, chosen, ...props }: MembersProps) {
  const t = useSettingTexts();
  const { path, held, problems, onChange } = props;
  const values = isValues(props.value) ? props.value : {};
  const field = (name: string) => (
    <SettingField
      {...props}
      key={name}
      schema={schema.properties![name]!}
      path={`${path}.${name}`}
      isRequired={isThere && (schema.required?.includes(name) ?? false)}
      value={values[name]}
      held={isValues(held) ? held[name] : undefined}
      onChange={(value) => onChange(withValue(values, name, value))}
    />
  );
  return (
    <>
      <ProblemText problem={chosen ? undefined : problemAt(problems, path, false)} />
      {partsOf(schema, []).map(({ key, names }) => {
        const shown = names.filter((name) => name !== chosen).map(field);
        if (key === 'main') return shown;
        const isWrong = names.some((name) => problemAt(problems, `${path}.${name}`, true));
        return (
          <Folded key={key} summary={t('advanced')} isOpen={isWrong}>
            {shown}
          </Folded>
        );
      })}
    </>
  );
}

interface FoldedProps {
  readonly summary: ReactNode;
  readonly isOpen: boolean;
  readonly children: ReactNode;
}

export function Folded({ summary, isOpen, children }: FoldedProps) {
  return (
    <details
      className={styles.part}
      open={isOpen || undefined}
      // The browser cannot show what it refuses while that is folded away.
      onInvalidCapture={({ currentTarget }) => {
        currentTarget.open = true;
      }}
    >
      <summary>{summary}</summary>
      {children}
    </details>
  );
}

function Options(props: SettingFieldProps) {
  return (
    <Framed {...props}>
      <ChosenOption {...props} />
    </Framed>
  );
}

/** One of several forms of a value, and the fields of that form. */
function ChosenOption(props: SettingFieldProps) {
  const t = useSettingTexts();
  const labelOf = useLabel();
  const { schema, path, problems, isRequired, value = schema.default, onChange } = props;
  const options = optionsOf(schema);
  const [chosen, setChosen] = useState(() => options.find(({ isOf }) => isOf(value))?.title);
  const option = options.find(({ title }) => title === chosen);
  const member = titleMemberOf(schema);
  const isWord = member !== undefined;
  return (
    <>
      <SelectField
        label={
          isWord ? <Label title={schema.oneOf![0]!.properties![member]!.title} /> : t('optionOf')
        }
        problem={problemAt(problems, path, false)}
        required={isRequired}
        value={chosen ?? ''}
        onChange={({ target }) => {
          const next = options.find(({ title }) => title === target.value);
          setChosen(next?.title);
          onChange(next?.start);
        }}
      >
        {(chosen === undefined || !(isRequired || schema.default !== undefined)) && (
          <option value="">{isRequired ? '' : t('usual')}</option>
        )}
        {options.map(({ title }) => (
          <option key={title} value={title}>
            {isWord ? title : labelOf(title)}
          </option>
        ))}
      </SelectField>
      {option?.schema.type === 'object' && (
        <Members
          {...props}
          key={option.title}
          schema={option.schema}
          value={value}
          isThere
          chosen={member}
        />
      )}
      {option?.schema.type === 'string' && (
        <SettingField {...props} key={option.title} schema={option.schema} isRequired />
      )}
    </>
  );
}

/** Values in an order. */
function List(props: SettingFieldProps) {
  const { value } = props;
  return (
    <Rows
      {...props}
      rowSchema={props.schema.items ?? {}}
      start={(Array.isArray(value) ? value : []).map((each) => ['', each])}
      onRows={(rows) => props.onChange(rows.map((row) => row.value))}
    />
  );
}

/** Values by name. */
function Entries(props: SettingFieldProps) {
  const { schema, value } = props;
  const { additionalProperties: each, propertyNames = {} } = schema;
  return (
    <Rows
      {...props}
      rowSchema={typeof each === 'object' ? each : {}}
      nameSchema={propertyNames}
      start={Object.entries(isValues(value) ? value : {})}
      onRows={(rows) => {
        const named = rows.filter(({ name }) => name !== '');
        props.onChange(Object.fromEntries(named.map((row) => [row.name, row.value])));
      }}
    />
  );
}

interface RowOfValues {
  /** Of this form alone. */
  readonly key: number;
  readonly name: string;
  readonly value: unknown;
}

interface RowsProps extends SettingFieldProps {
  readonly rowSchema: SettingSchema;
  /** Where values have names. */
  readonly nameSchema?: SettingSchema;
  readonly start: readonly (readonly [name: string, value: unknown])[];
  onRows(rows: readonly RowOfValues[]): void;
}

/** Values of one schema: added, changed, put into another order, removed. */
function Rows({ rowSchema, nameSchema, start, onRows, ...props }: RowsProps) {
  const t = useSettingTexts();
  const labelOf = useLabel();
  const { schema, path, held, problems } = props;
  const [rows, setRows] = useState<readonly RowOfValues[]>(() =>
    start.map(([name, value], key) => ({ key, name, value })),
  );
  const lastKey = useRef(start.length);
  const change = (next: readonly RowOfValues[]) => {
    setRows(next);
    onRows(next);
  };
  const move = (from: number, to: number) => {
    const others = rows.toSpliced(from, 1);
    change(others.toSpliced(to, 0, rows[from]!));
  };
  const add = () => {
    lastKey.current += 1;
    const value = shapeOf(rowSchema) === 'group' ? {} : undefined;
    change([...rows, { key: lastKey.current, name: '', value }]);
  };
  return (
    <Framed {...props}>
      <ProblemText problem={problemAt(problems, path, false)} />
      {rows.map((row, at) => {
        const step = nameSchema === undefined ? String(at) : row.name;
        return (
          <Row
            {...props}
            key={row.key}
            row={row}
            at={at}
            schema={rowSchema}
            nameSchema={nameSchema}
            path={`${path}.${step}`}
            held={isValues(held) ? held[step] : undefined}
            isNew={row.key > start.length - 1}
            isNameTaken={rows.some(({ key, name }) => key < row.key && name === row.name)}
            onRow={(part) =>
              change(rows.map((each) => (each.key === row.key ? { ...each, ...part } : each)))
            }
            onRemove={() => change(rows.toSpliced(at, 1))}
            {...(at > 0 && { onUp: () => move(at, at - 1) })}
            {...(at < rows.length - 1 && { onDown: () => move(at, at + 1) })}
          />
        );
      })}
      <div>
        <Button aria-label={`${t('add')}: ${labelOf(schema.title ?? '')}`} onClick={add}>
          {t('add')}
        </Button>
      </div>
    </Framed>
  );
}

interface RowProps extends SettingFieldProps {
  readonly row: RowOfValues;
  readonly at: number;
  readonly nameSchema: SettingSchema | undefined;
  /** Added in this form: it is open, and takes the focus. */
  readonly isNew: boolean;
  readonly isNameTaken: boolean;
  onRow(part: Partial<RowOfValues>): void;
  onRemove(): void;
  onUp?(): void;
  onDown?(): void;
}

function Row(props: RowProps) {
  const { row, at, schema, nameSchema, isNew, isNameTaken, onRow, onRemove, onUp, onDown } = props;
  const { path, problems } = props;
  const t = useSettingTexts();
  const formats = useFormats();
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isNew) element.current?.querySelector<HTMLElement>('input, select, textarea')?.focus();
  }, [isNew]);
  const name = nameSchema === undefined ? formats.number(at + 1) : row.name || t('unnamed');
  const summary = summaryOf(row.value);
  const own = { ...props, value: row.value, onChange: (value: unknown) => onRow({ value }) };
  const shape = shapeOf(schema);
  const [isFolded] = useState(!isNew);
  return (
    <Folded
      summary={
        <>
          <bdi>{name}</bdi>
          {summary !== '' && (
            <>
              {' '}
              <bdi className={styles.summary}>{summary}</bdi>
            </>
          )}
        </>
      }
      isOpen={!isFolded || problemAt(problems, path, true) !== undefined}
    >
      <div ref={element} className={styles.row}>
        {nameSchema && (
          <TextField
            ref={(input) => input?.setCustomValidity(isNameTaken ? t('nameTaken') : '')}
            label={nameSchema.title ? <Label title={nameSchema.title} /> : t('name')}
            problem={isNameTaken ? t('nameTaken') : undefined}
            dir="ltr"
            spellCheck={false}
            autoComplete="off"
            required
            maxLength={nameSchema.maxLength}
            value={row.name}
            onChange={({ target }) => onRow({ name: target.value })}
          />
        )}
        {shape === 'group' && <Members {...own} isThere />}
        {shape === 'options' && <ChosenOption {...own} isRequired />}
        {shape !== 'group' && shape !== 'options' && <SettingField {...own} isRequired />}
        <div className={styles.rowActions}>
          {onUp && <Button onClick={onUp}>{t('up')}</Button>}
          {onDown && <Button onClick={onDown}>{t('down')}</Button>}
          <Button aria-label={t('removeNamed', { name })} onClick={onRemove}>
            {t('remove')}
          </Button>
        </div>
      </div>
    </Folded>
  );
}
