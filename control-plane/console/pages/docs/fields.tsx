import { useState } from 'react';
import styles from './fields.module.css';
import { Prose } from './prose.tsx';
import {
  type Field,
  fieldsOf,
  limitsOf,
  resolved,
  type Schema,
  type Schemas,
  typeOf,
} from './schema.ts';
import { useDocsTexts } from './texts.ts';

interface FieldsProps {
  readonly schema: Schema;
  readonly schemas: Schemas;
}

/** The fields of a schema; those within a field come when it is opened, so that none is endless. */
function Fields({ schema, schemas }: FieldsProps) {
  return (
    <ul className={styles.fields}>
      {fieldsOf(schema, schemas).map((field) => (
        <li key={field.name}>
          <OneField field={field} schemas={schemas} />
        </li>
      ))}
    </ul>
  );
}

function OneField({ field, schemas }: { field: Field; schemas: Schemas }) {
  const t = useDocsTexts();
  const { name, isRequired, schema } = field;
  const limits = limitsOf(schema, schemas);
  const description = schema.description ?? resolved(schema, schemas).description;
  return (
    <>
      <code>
        <b>{name}</b>
      </code>{' '}
      <span className={styles.soft}>
        {typeOf(schema, schemas)} {!isRequired && t('optional')}
      </span>
      {limits.map((limit) => (
        <code key={limit} className={styles.limit}>
          {limit}
        </code>
      ))}
      {description && <Prose text={description} />}
      {fieldsOf(schema, schemas).length > 0 && (
        <Opened title={t('fieldsOf', { name })} schema={schema} schemas={schemas} />
      )}
    </>
  );
}

/** Fields that are on the page once they were opened. */
export function Opened({ title, schema, schemas }: FieldsProps & { readonly title: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && <Fields schema={schema} schemas={schemas} />}
    </details>
  );
}
