import { pageTexts } from '../texts/language.ts';

/** Texts of the parts that all pages share. */
export const useDesignTexts = pageTexts('design', {
  en: {
    loading: 'Loading',
    unreachable: 'The server cannot be reached. What you see may be out of date.',
    tryAgain: 'Try again',
    cancel: 'Cancel',
    more: 'Show more',
    copy: 'Copy',
    copied: 'Copied',
    close: 'Close',
    actions: 'Actions',
    filters: 'Filters',
    filtersActive: 'Filters ({{active, number}})',
    notPermitted:
      'Your role may read this. To change it takes the permission {{permission}}, which an administrator gives under Members.',
  },
  ar: {
    loading: 'جارٍ التحميل',
    unreachable: 'تعذّر الوصول إلى الخادم. قد يكون المعروض قديمًا.',
    tryAgain: 'أعد المحاولة',
    cancel: 'إلغاء',
    more: 'عرض المزيد',
    copy: 'نسخ',
    copied: 'تم النسخ',
    close: 'إغلاق',
    actions: 'إجراءات',
    filters: 'عوامل التصفية',
    filtersActive: 'عوامل التصفية ({{active, number}})',
    notPermitted:
      'يسمح دورك بقراءة هذا. تغييره يحتاج إلى الصلاحية {{permission}}، ويمنحها مسؤول في صفحة الأعضاء.',
  },
  ms: {
    loading: 'Sedang dimuatkan',
    unreachable: 'Pelayan tidak dapat dihubungi. Paparan mungkin sudah lapuk.',
    tryAgain: 'Cuba lagi',
    cancel: 'Batal',
    more: 'Papar lagi',
    copy: 'Salin',
    copied: 'Disalin',
    close: 'Tutup',
    actions: 'Tindakan',
    filters: 'Penapis',
    filtersActive: 'Penapis ({{active, number}})',
    notPermitted:
      'Peranan anda boleh membaca ini. Mengubahnya memerlukan kebenaran {{permission}}, yang diberi oleh pentadbir di Ahli.',
  },
});
