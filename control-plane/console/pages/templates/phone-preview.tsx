import styles from './phone-preview.module.css';
import { useTemplateTexts } from './texts.ts';

export interface Shown {
  readonly header?: { readonly format: string; readonly text?: string | undefined } | undefined;
  readonly body: string;
  readonly footer?: string | undefined;
  readonly buttons?: readonly { readonly text: string }[] | undefined;
}

/** A text as a phone shows it, with examples in place of variables. */
export function PhonePreview({ shown }: { shown: Shown }) {
  const t = useTemplateTexts();
  return (
    <figure className={styles.phone} aria-label={t('preview')}>
      <MessagePreview shown={shown} />
    </figure>
  );
}

/** The parts of a message as they are read. */
export function MessagePreview({ shown }: { shown: Shown }) {
  const t = useTemplateTexts();
  const { header, body, footer, buttons = [] } = shown;
  return (
    <>
      <div className={styles.bubble}>
        {header && (
          <p dir="auto" className={header.format === 'text' ? styles.header : styles.file}>
            {header.format === 'text' ? header.text : t(header.format as 'image')}
          </p>
        )}
        <p dir="auto" className={styles.body}>
          {body}
        </p>
        {footer && (
          <p dir="auto" className={styles.footer}>
            {footer}
          </p>
        )}
      </div>
      {buttons.map(({ text }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a button is known by its place
        <div key={at} dir="auto" className={styles.button}>
          {text}
        </div>
      ))}
    </>
  );
}

/** The text with examples; a variable without one stays as it is. */
export function withExamples(text: string, examples: Readonly<Record<string, string>>): string {
  return text.replace(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) => examples[name] || whole);
}
