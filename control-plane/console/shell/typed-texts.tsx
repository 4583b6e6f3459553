import { useEffect, useState } from 'react';
import { type TypedText, takeTypedTexts, watchTypedTexts } from '../api/typed-texts.ts';
import { Button } from '../design/button.tsx';
import { Copyable } from '../design/copyable.tsx';
import { Card } from '../design/page.tsx';
import { useShellTexts } from './shell-texts.ts';

/** What was typed and not sent when the session ended. */
export function TypedTexts({ userId }: { userId: string }) {
  const t = useShellTexts();
  const [texts, setTexts] = useState<readonly TypedText[]>([]);
  useEffect(() => {
    // It is given back once, and an effect may run twice.
    const kept = takeTypedTexts(userId);
    if (kept.length > 0) setTexts(kept);
    return watchTypedTexts(userId);
  }, [userId]);
  if (texts.length === 0) return null;
  return (
    <Card title={t('typedTitle')}>
      <p>{t('typedText')}</p>
      {texts.map(({ label, text }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two fields may have the same label and text
        <Copyable key={at} label={label} text={text} />
      ))}
      <div>
        <Button onClick={() => setTexts([])}>{t('typedDiscard')}</Button>
      </div>
    </Card>
  );
}
