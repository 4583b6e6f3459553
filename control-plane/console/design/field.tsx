import {
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react';
import styles from './field.module.css';

interface FieldProps {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  /** What is wrong with the value, as the API said it. */
  readonly problem?: string | undefined;
}

/** Label, control, hint and problem, tied together for readers of screens. */
function useField({ label, hint, problem }: FieldProps) {
  const id = useId();
  const described = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ');
  return {
    control: {
      id,
      className: styles.input,
      'aria-invalid': problem !== undefined || undefined,
      'aria-describedby': described || undefined,
    },
    around: (control: ReactNode) => (
      <div className={styles.field}>
        <label htmlFor={id} className={styles.label}>
          {label}
        </label>
        {control}
        {hint && (
          <div id={`${id}-hint`} className={styles.hint}>
            {hint}
          </div>
        )}
        {problem && (
          <div id={`${id}-problem`} className={styles.problem} role="alert">
            {problem}
          </div>
        )}
      </div>
    ),
  };
}

type Own<Attributes> = Omit<Attributes, 'id' | 'className'> & FieldProps;

export function TextField({
  label,
  hint,
  problem,
  ...input
}: Own<InputHTMLAttributes<HTMLInputElement>> & { readonly ref?: Ref<HTMLInputElement> }) {
  const { control, around } = useField({ label, hint, problem });
  return around(<input {...input} {...control} />);
}

export function SelectField({
  label,
  hint,
  problem,
  children,
  ...input
}: Own<SelectHTMLAttributes<HTMLSelectElement>>) {
  const { control, around } = useField({ label, hint, problem });
  return around(
    <select {...input} {...control}>
      {children}
    </select>,
  );
}

export function TextAreaField({
  label,
  hint,
  problem,
  ...input
}: Own<TextareaHTMLAttributes<HTMLTextAreaElement>> & {
  readonly ref?: Ref<HTMLTextAreaElement>;
}) {
  const { control, around } = useField({ label, hint, problem });
  return around(<textarea dir="auto" rows={3} {...input} {...control} />);
}
