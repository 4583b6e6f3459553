import { useFormats } from '../../texts/formats.ts';
import styles from './day-graph.module.css';
import type { Day } from './queries.ts';
import { useStatisticsTexts } from './texts.ts';

/** In units of the drawing, which is stretched to the room there is. */
const height = 100;
const dayWidth = 10;
const barWidth = 4;
const directions = ['inbound', 'outbound'] as const;

/** What came and went, day by day. Who cannot see it has the same in the table below. */
export function DayGraph({ days }: { readonly days: readonly Day[] }) {
  const t = useStatisticsTexts();
  const { number, day } = useFormats();
  const most = Math.max(1, ...days.flatMap(({ inbound, outbound }) => [inbound, outbound]));
  const [first, last] = [days[0]!.day, days.at(-1)!.day];
  return (
    <figure className={styles.graph}>
      <svg
        role="img"
        aria-label={t('graph', { first: day(first), last: day(last), most: number(most) })}
        viewBox={`0 0 ${days.length * dayWidth} ${height}`}
        preserveAspectRatio="none"
      >
        {days.flatMap((each, at) =>
          directions.map((direction, nth) => {
            const size = (each[direction] / most) * height;
            return (
              <rect
                key={`${each.day} ${direction}`}
                className={styles[direction]}
                x={at * dayWidth + nth * barWidth + 1}
                y={height - size}
                width={barWidth}
                height={size}
              />
            );
          }),
        )}
      </svg>
      <div className={styles.days} aria-hidden="true">
        <span>{day(first)}</span>
        <span>{day(last)}</span>
      </div>
      <figcaption className={styles.legend}>
        {directions.map((direction) => (
          <span key={direction}>
            <svg aria-hidden="true" viewBox="0 0 1 1">
              <rect className={styles[direction]} width="1" height="1" />
            </svg>{' '}
            {t(direction)}
          </span>
        ))}
        <span>{t('most', { shown: number(most) })}</span>
      </figcaption>
    </figure>
  );
}
