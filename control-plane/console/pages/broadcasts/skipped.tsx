import { Facts } from '../../design/page.tsx';
import { useFormats } from '../../texts/formats.ts';
import type { Broadcast } from './queries.ts';
import { useBroadcastTexts } from './texts.ts';

/** Who got none, by reason; nothing when everybody gets it. */
export function Skipped({ skipped }: { skipped: Broadcast['skipped'] }) {
  const t = useBroadcastTexts();
  const formats = useFormats();
  const reasons = Object.entries(skipped) as [Parameters<typeof t>[0], number][];
  if (reasons.length === 0) return null;
  return (
    <>
      <h3>{t('whySkipped')}</h3>
      <Facts
        facts={reasons.map(
          ([reason, count]) => [t(reason), formats.number(count), reason] as const,
        )}
      />
    </>
  );
}
