import { TextField } from '../../design/field.tsx';
import { useProfileTexts } from './texts.ts';

interface ValueProps {
  readonly value: string;
  onChange(value: string): void;
}

export function PasswordField({ value, onChange }: ValueProps) {
  const t = useProfileTexts();
  return (
    <TextField
      label={t('yourPassword')}
      type="password"
      autoComplete="current-password"
      required
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

export function CodeField({ label, value, onChange }: ValueProps & { readonly label: string }) {
  return (
    <TextField
      label={label}
      autoComplete="one-time-code"
      dir="ltr"
      required
      minLength={6}
      maxLength={40}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
