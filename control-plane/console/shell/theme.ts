export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const preference = 'drawbridge-theme';

export function currentTheme(): Theme {
  const kept = localStorage.getItem(preference);
  return themes.find((each) => each === kept) ?? 'system';
}

/** Shows the colours, and keeps the choice for the next visit. */
export function setTheme(theme: Theme): void {
  localStorage.setItem(preference, theme);
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

setTheme(currentTheme());
