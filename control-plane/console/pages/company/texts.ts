import { pageTexts } from '../../texts/language.ts';

export const useCompanyTexts = pageTexts('company', {
  en: {
    title: 'Company',
    lead: 'What your systems do not hold of your own company comes from here, in every document of this environment.',
    noneTitle: 'Nothing is said of your company yet',
    none: 'Ask a finance admin to fill it in. Until then each source has to hold it.',
    begin:
      'Say once who you are, and no source has to hold it. What a source does hold goes before. Only name and country must be said.',
    example: 'For example:',
    save: 'Save',
    saved: 'Saved. Documents that are checked from now on have it.',
    lacking: 'What your sources still have to hold',
    lackingText: 'What a profile asks of the company in each document, and is not said above.',
    nothing: 'Nothing',
  },
  ar: {
    title: 'الشركة',
    lead: 'ما لا تحتفظ به أنظمتك عن شركتك يأتي من هنا، في كل مستند من هذه البيئة.',
    noneTitle: 'لم يُذكر شيء عن شركتك بعد',
    none: 'اطلب من مسؤول مالي أن يملأه. وحتى ذلك الحين يجب أن يكون في كل مصدر.',
    begin:
      'عرّف بشركتك مرة واحدة فلا يحتاج إليه أي مصدر. وما يوجد في المصدر يُقدَّم عليه. الاسم والبلد وحدهما مطلوبان.',
    example: 'مثال:',
    save: 'حفظ',
    saved: 'تم الحفظ. تحمله المستندات التي تُفحص من الآن.',
    lacking: 'ما يجب أن يكون في مصادرك',
    lackingText: 'ما يطلبه النموذج عن الشركة في كل مستند ولم يُذكر أعلاه.',
    nothing: 'لا شيء',
  },
  ms: {
    title: 'Syarikat',
    lead: 'Apa yang sistem anda tidak simpan tentang syarikat anda datang dari sini, dalam setiap dokumen persekitaran ini.',
    noneTitle: 'Belum ada apa-apa tentang syarikat anda',
    none: 'Minta pentadbir kewangan mengisinya. Sehingga itu setiap sumber mesti mempunyainya.',
    begin:
      'Nyatakan sekali siapa anda, dan tiada sumber perlu menyimpannya. Apa yang ada dalam sumber didahulukan. Hanya nama dan negara yang wajib.',
    example: 'Contoh:',
    save: 'Simpan',
    saved: 'Disimpan. Dokumen yang diperiksa mulai sekarang memilikinya.',
    lacking: 'Apa yang sumber anda masih perlu simpan',
    lackingText:
      'Apa yang profil minta tentang syarikat dalam setiap dokumen, dan tidak dinyatakan di atas.',
    nothing: 'Tiada',
  },
});
