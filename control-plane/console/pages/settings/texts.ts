import { pageTexts } from '../../texts/language.ts';

export const useSettingsTexts = pageTexts('settings', {
  en: {
    title: 'Settings',
    lead: 'How long this environment keeps what it holds, what it mails, and how many people it takes to put something into use.',
    invoiceLife: 'How long invoices are kept',
    invoiceLifeText:
      'A settled invoice is deleted so many days after its last change, with its documents. Most laws ask that invoices be kept for years: ask whoever keeps your books first.',
    messageLife: 'How long messages and contacts are kept',
    messageLifeText:
      'A message is deleted with its files. Open conversations and broadcasts under way stay; opt-outs and consents outlive a contact.',
    invoice_days: 'Days that an invoice is kept',
    message_days: 'Days that a message is kept',
    contact_days: 'Days that a contact is kept',
    emptyIsForEver: 'Empty: for ever.',
    forEver: 'for ever',
    save: 'Save',
    saved: 'Saved.',
    reports: 'Reports of broadcasts',
    reportsText:
      'A quarter of an hour after a broadcast has ended, its counts, failures by reason and clicks are mailed to the person who made it. Broadcasts that an API key made are not reported.',
    reportMail: 'Mail',
    report_en: 'in English',
    report_ar: 'in Arabic',
    report_ms: 'in Malay',
    report_off: 'off',
  },
  ar: {
    title: 'الإعدادات',
    lead: 'كم تحتفظ هذه البيئة بما لديها، وما ترسله بالبريد، وكم شخصًا يلزم لبدء استعمال شيء.',
    invoiceLife: 'مدة حفظ الفواتير',
    invoiceLifeText:
      'تُحذف الفاتورة المنتهية مع مستنداتها بعد هذه الأيام من آخر تغيير. معظم القوانين تطلب حفظ الفواتير سنوات: اسأل محاسبك أولًا.',
    messageLife: 'مدة حفظ الرسائل وجهات الاتصال',
    messageLifeText:
      'تُحذف الرسالة مع ملفاتها. تبقى المحادثات المفتوحة والحملات الجارية، ويبقى رفض الرسائل والموافقات بعد جهة الاتصال.',
    invoice_days: 'أيام حفظ الفاتورة',
    message_days: 'أيام حفظ الرسالة',
    contact_days: 'أيام حفظ جهة الاتصال',
    emptyIsForEver: 'فارغ: بلا نهاية.',
    forEver: 'بلا نهاية',
    save: 'حفظ',
    saved: 'تم الحفظ.',
    reports: 'تقارير الحملات',
    reportsText:
      'بعد ربع ساعة من انتهاء الحملة تُرسل أعدادها وأسباب الإخفاق والنقرات بالبريد إلى من أنشأها. لا تقارير للحملات التي أنشأها مفتاح API.',
    reportMail: 'البريد',
    report_en: 'بالإنجليزية',
    report_ar: 'بالعربية',
    report_ms: 'بالملايوية',
    report_off: 'متوقف',
  },
  ms: {
    title: 'Tetapan',
    lead: 'Berapa lama persekitaran ini menyimpan apa yang ada, apa yang dimelkan, dan berapa orang diperlukan untuk mula menggunakan sesuatu.',
    invoiceLife: 'Berapa lama invois disimpan',
    invoiceLifeText:
      'Invois yang selesai dipadam bersama dokumennya sekian hari selepas perubahan terakhir. Kebanyakan undang-undang meminta invois disimpan bertahun-tahun: tanya akauntan anda dahulu.',
    messageLife: 'Berapa lama mesej dan kenalan disimpan',
    messageLifeText:
      'Mesej dipadam bersama failnya. Perbualan terbuka dan siaran yang berjalan kekal; penolakan dan persetujuan kekal selepas kenalan dipadam.',
    invoice_days: 'Hari invois disimpan',
    message_days: 'Hari mesej disimpan',
    contact_days: 'Hari kenalan disimpan',
    emptyIsForEver: 'Kosong: selama-lamanya.',
    forEver: 'selama-lamanya',
    save: 'Simpan',
    saved: 'Disimpan.',
    reports: 'Laporan siaran',
    reportsText:
      'Suku jam selepas siaran tamat, kiraan, sebab kegagalan dan kliknya dimelkan kepada orang yang membuatnya. Siaran yang dibuat oleh kunci API tidak dilaporkan.',
    reportMail: 'E-mel',
    report_en: 'dalam bahasa Inggeris',
    report_ar: 'dalam bahasa Arab',
    report_ms: 'dalam bahasa Melayu',
    report_off: 'mati',
  },
});
