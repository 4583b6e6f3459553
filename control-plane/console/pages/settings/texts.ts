import { pageTexts } from '../../texts/language.ts';

export const useSettingsTexts = pageTexts('settings', {
  en: {
    title: 'Settings',
    lead: 'How long this environment keeps what it holds.',
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
  },
  ar: {
    title: 'الإعدادات',
    lead: 'كم تحتفظ هذه البيئة بما لديها.',
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
  },
  ms: {
    title: 'Tetapan',
    lead: 'Berapa lama persekitaran ini menyimpan apa yang ada.',
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
  },
});
