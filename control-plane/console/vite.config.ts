import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [react()],
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
