import { Link } from '@tanstack/react-router';
import { mayDo, useSession } from '../../api/session.ts';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { Card } from '../../design/page.tsx';
import styles from './lacking.module.css';
import type { CoveredField, Mapping } from './queries.ts';
import { useConnectorTexts } from './texts.ts';

interface LackingProps {
  readonly mapping: Mapping;
  /** Undefined for those who may not. */
  readonly onChange: ((target: string) => void) | undefined;
}

/** Fields that nobody fills: what each means, and where ERPs keep it. */
export function Lacking({ mapping, onChange }: LackingProps) {
  const t = useConnectorTexts();
  const maySeeCompany = mayDo(useSession(), 'einvoicing', 'company:read');
  const { fields } = mapping.coverage;
  const missing = fields.filter(({ state }) => state === 'missing');
  const conditional = fields.filter(({ state }) => state === 'conditional');
  return (
    <>
      {missing.length > 0 && (
        <Card title={t('missing')}>
          <p>
            {t('missingText')} {maySeeCompany && <Link to="/company">{t('company')}</Link>}
          </p>
          <FieldList fields={missing} isMissing onChange={onChange} />
        </Card>
      )}
      {conditional.length > 0 && (
        <Card>
          <details>
            <summary>{t('conditional', { count: conditional.length })}</summary>
            <FieldList fields={conditional} onChange={onChange} />
          </details>
        </Card>
      )}
    </>
  );
}

interface FieldListProps extends Pick<LackingProps, 'onChange'> {
  readonly fields: readonly CoveredField[];
  readonly isMissing?: boolean;
}

function FieldList({ fields, isMissing, onChange }: FieldListProps) {
  const t = useConnectorTexts();
  return (
    <ul className={styles.list}>
      {fields.map(({ path, name, help, message }) => (
        <li key={path} className={styles.field}>
          <div>
            <strong lang="en">{name}</strong> {isMissing && <Badge tone="bad">{t('lacks')}</Badge>}
            <div lang="en">{help}</div>
            {isMissing && (
              <div lang="en" dir="auto" className={styles.message}>
                {message}
              </div>
            )}
          </div>
          {onChange && (
            <Button aria-label={t('chooseOne', { target: path })} onClick={() => onChange(path)}>
              {t('choose')}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
