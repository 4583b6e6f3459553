import { Badge } from '../../design/badge.tsx';
import { Card, Facts } from '../../design/page.tsx';
import { useFormats } from '../../texts/formats.ts';
import type { Forecast } from '../broadcasts/queries.ts';
import { Skipped } from '../broadcasts/skipped.tsx';
import { useBroadcastTexts } from '../broadcasts/texts.ts';
import styles from './page.module.css';

/** What a broadcast would do: to whom, at what cost, and who is left out. */
export function ForecastCard({ forecast, isCurrent }: { forecast: Forecast; isCurrent: boolean }) {
  const t = useBroadcastTexts();
  const formats = useFormats();
  const { cost, preview, starts_at, finishes_at, skipped } = forecast;
  return (
    <Card title={t('forecast')}>
      {!isCurrent && (
        <p>
          <Badge tone="warning">{t('changed')}</Badge>
        </p>
      )}
      {!forecast.is_affordable && (
        <p>
          <Badge tone="bad">{t('unaffordable')}</Badge>
        </p>
      )}
      {!forecast.is_complete && <p>{t('incomplete')}</p>}
      <Facts
        facts={[
          [t('recipients'), formats.number(forecast.recipients), 'recipients'],
          [
            t('cost'),
            cost === null ? t('free') : formats.money(cost.amount, cost.currency),
            'cost',
          ],
          [t('looked'), formats.number(forecast.contacts), 'contacts'],
          [t('speed'), formats.number(forecast.messages_per_second), 'speed'],
          [t('starts'), starts_at && formats.instant(starts_at), 'starts'],
          [t('ends'), finishes_at && formats.instant(finishes_at), 'ends'],
        ]}
      />
      <Skipped skipped={skipped} />
      {preview !== null && (
        <>
          <h3>{t('preview')}</h3>
          <p className={styles.text} dir="auto">
            {preview}
          </p>
        </>
      )}
    </Card>
  );
}
