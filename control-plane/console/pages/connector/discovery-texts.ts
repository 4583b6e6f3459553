import { pageTexts } from '../../texts/language.ts';

export const useDiscoveryTexts = pageTexts('discovery', {
  en: {
    title: 'What the source holds',
    text: 'Tables or files and some newest rows are read, and ways in which invoices may be read are proposed. Nothing is changed.',
    look: 'Look through the source',
    none: 'Nothing here looks like invoices.',
    accept: 'Read it so',
    accepted: 'Taken. What the columns mean is proposed anew below.',
    atAgent: 'For the settings of the source, on the host of the agent',
  },
  ar: {
    title: 'ما يحتويه المصدر',
    text: 'تُقرأ الجداول أو الملفات وبعض أحدث الصفوف، وتُقترح طرق لقراءة الفواتير. لا يتغير شيء.',
    look: 'ابحث في المصدر',
    none: 'لا شيء هنا يشبه الفواتير.',
    accept: 'اقرأه هكذا',
    accepted: 'اعتُمد. يُقترح معنى الأعمدة من جديد أدناه.',
    atAgent: 'لإعدادات المصدر على مضيف الوكيل',
  },
  ms: {
    title: 'Apa yang ada dalam sumber',
    text: 'Jadual atau fail dan beberapa baris terbaharu dibaca, dan cara membaca invois dicadangkan. Tiada apa diubah.',
    look: 'Teliti sumber',
    none: 'Tiada yang kelihatan seperti invois di sini.',
    accept: 'Baca begini',
    accepted: 'Diterima. Maksud lajur dicadangkan semula di bawah.',
    atAgent: 'Untuk tetapan sumber, pada hos ejen',
  },
});
