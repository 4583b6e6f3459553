import { pageTexts } from '../../texts/language.ts';

export const useSettingsTexts = pageTexts('connector-settings-card', {
  en: {
    title: 'Settings',
    text: 'Where the source is, who logs in there, and how it is read. Secrets are never shown: whoever changes the settings writes them again.',
    atAgent:
      'Where the source is and who logs in there is kept at the agent, and changed on its host.',
    change: 'Change the settings',
    save: 'Save the settings',
    saved: 'Saved. Test the connection to see whether the source answers.',
  },
  ar: {
    title: 'الإعدادات',
    text: 'أين المصدر ومن يسجّل الدخول إليه وكيف يُقرأ. لا تُعرض الأسرار أبدًا: من يغيّر الإعدادات يكتبها من جديد.',
    atAgent: 'مكان المصدر ومن يسجّل الدخول إليه محفوظان لدى الوكيل ويُغيَّران على مضيفه.',
    change: 'غيّر الإعدادات',
    save: 'احفظ الإعدادات',
    saved: 'حُفظت. اختبر الاتصال لترى هل يجيب المصدر.',
  },
  ms: {
    title: 'Tetapan',
    text: 'Di mana sumber berada, siapa yang log masuk, dan cara ia dibaca. Rahsia tidak dipaparkan: sesiapa yang mengubah tetapan menulisnya semula.',
    atAgent: 'Tempat sumber dan siapa yang log masuk disimpan pada ejen, dan diubah pada hosnya.',
    change: 'Ubah tetapan',
    save: 'Simpan tetapan',
    saved: 'Disimpan. Uji sambungan untuk melihat sama ada sumber menjawab.',
  },
});
