import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const fonts = ['@fontsource-variable/inter', '@fontsource-variable/noto-sans-arabic'];

/** Writes the licences of the fonts beside them: the licence of programs leaves them out. */
function fontLicences(): Plugin {
  const licenceOf = (font: string) =>
    readFileSync(fileURLToPath(import.meta.resolve(`${font}/LICENSE`)), 'utf8');
  return {
    name: 'font-licences',
    generateBundle() {
      const source = fonts.map((font) => `${font}\n\n${licenceOf(font)}`).join('\n\n');
      this.emitFile({ type: 'asset', fileName: 'font-licences.txt', source });
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [react(), fontLicences()],
  build: {
    target: 'es2023',
    // Nothing is inlined: the policy of the pages allows files of their own address only.
    assetsInlineLimit: 0,
    // The licences of what is inside go out with it.
    license: { fileName: 'licences.md' },
    modulePreload: { polyfill: false },
  },
  // `npm run dev -w @drawbridge/console` beside `npm start`.
  server: { proxy: { '^/(?!console/)': 'http://127.0.0.1:8081' } },
});
