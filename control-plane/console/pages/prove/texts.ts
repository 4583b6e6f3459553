import { pageTexts } from '../../texts/language.ts';

export const useProveTexts = pageTexts('prove', {
  en: {
    title: 'Is it still you?',
    done: 'It is you. Close this window, and go on in the other one.',
    again: 'Try again',
  },
  ar: {
    title: 'هل ما زلت أنت؟',
    done: 'نعم، هو أنت. أغلق هذه النافذة وتابع في الأخرى.',
    again: 'أعد المحاولة',
  },
  ms: {
    title: 'Masih anda?',
    done: 'Memang anda. Tutup tetingkap ini, dan teruskan di tetingkap yang lain.',
    again: 'Cuba lagi',
  },
});
