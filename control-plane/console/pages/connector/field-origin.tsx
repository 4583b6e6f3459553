import type { Field } from './queries.ts';
import { useConnectorTexts } from './texts.ts';

/** A column or a constant, with the steps that follow. */
export function FieldOrigin({ field }: { field: Pick<Field, 'from' | 'value' | 'transforms'> }) {
  const t = useConnectorTexts();
  const { from, value, transforms = [] } = field;
  return (
    <>
      {from ? (
        <code>
          {from.section}.{from.column}
        </code>
      ) : (
        <>
          {t('constant')} <code>{value}</code>
        </>
      )}
      {transforms.map((step, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a step is what stands at its place
        <div key={at}>{t(`step_${step.kind}`)}</div>
      ))}
    </>
  );
}
