import { Facts } from '../../design/page.tsx';
import { useLanguage } from '../../texts/language.ts';
import styles from './finding.module.css';
import type { Finding } from './queries.ts';
import { useInvoicePageTexts } from './texts.ts';

/** One broken rule: what it says, where the value came from, and what helps. */
export function FindingNote({ finding }: { finding: Finding }) {
  const t = useInvoicePageTexts();
  const language = useLanguage();
  const { rule, message, severity, field, source, explanation, translations } = finding;
  const isWarning = severity === 'warning';
  return (
    <article className={`${styles.finding} ${isWarning ? styles.warning : ''}`}>
      <h3 dir="auto">{translations?.[language] ?? message}</h3>
      <p className={styles.rule}>
        {isWarning ? t('warning') : t('refused')} · <code>{rule}</code>
      </p>
      {explanation && <p dir="auto">{explanation.why}</p>}
      <Facts
        facts={[
          [
            t('inErp'),
            source && (
              <code>
                {source.origin}.{source.column} ({source.key})
              </code>
            ),
            'erp',
          ],
          [t('value'), source && <code>{source.value ?? t('empty')}</code>, 'value'],
          [t('usually'), source ? undefined : explanation?.erp, 'usually'],
          [t('element'), <code key="field">{field}</code>, 'field'],
        ]}
      />
      {explanation && (
        <p className={styles.fix}>
          <strong>{t('fix')}</strong> <bdi>{explanation.fix}</bdi>
        </p>
      )}
    </article>
  );
}
