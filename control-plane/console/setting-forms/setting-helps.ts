import type { Translations } from './setting-labels.ts';

/** What is said of settings in other languages, by the descriptions that the service gives them. */
export const settingHelps: Readonly<Record<string, Translations>> = {
  "Name of the connector on the agent, as the agent's own settings call it": {
    ar: 'اسم الموصّل لدى الوكيل، كما تسمّيه إعدادات الوكيل نفسها',
    ms: 'Nama penyambung pada ejen, seperti dalam tetapan ejen itu sendiri',
  },
  'Folder that holds the documents, in a place that may be read': {
    ar: 'المجلد الذي فيه المستندات، في موضع يُسمح بقراءته',
    ms: 'Folder yang menyimpan dokumen, di tempat yang boleh dibaca',
  },
  'Whether folders inside it are read too': {
    ar: 'هل تُقرأ المجلدات التي بداخله أيضًا',
    ms: 'Sama ada folder di dalamnya dibaca juga',
  },
  'Kinds of files that are read; all but pdf when left out. Of a PDF the invoice is read that is attached to it as XML (Factur-X, ZUGFeRD)':
    {
      ar: 'أنواع الملفات التي تُقرأ؛ إن تُرك فكلها عدا pdf. ومن ملف PDF تُقرأ الفاتورة المرفقة به بصيغة XML (Factur-X وZUGFeRD)',
      ms: 'Jenis fail yang dibaca; semua kecuali pdf jika dibiarkan. Daripada PDF, dibaca invois yang dilampirkan padanya sebagai XML (Factur-X, ZUGFeRD)',
    },
  'Delimiter of the CSV files; found by looking when left out': {
    ar: 'الفاصل في ملفات CSV؛ إن تُرك عُرف بالنظر فيها',
    ms: 'Pemisah fail CSV; dicari sendiri jika dibiarkan',
  },
  'Encoding of the files; when left out what the byte order mark or the XML declaration says, else UTF-8':
    {
      ar: 'ترميز الملفات؛ إن تُرك فما تقوله علامة ترتيب البايتات أو تصريح XML، وإلا UTF-8',
      ms: 'Pengekodan fail; jika dibiarkan, ikut tanda tertib bait atau pengisytiharan XML, jika tiada UTF-8',
    },
  'Which line of a CSV file or sheet names the columns, counting from 1; 0: none does, and columns are called 1, 2, …':
    {
      ar: 'أي سطر من ملف CSV أو من الورقة يسمّي الأعمدة، عدًّا من 1؛ و0: لا سطر، وتُسمّى الأعمدة 1 و2 و…',
      ms: 'Baris fail CSV atau helaian yang menamakan lajur, dikira dari 1; 0: tiada, dan lajur dinamakan 1, 2, …',
    },
  'Name of the sheet in XLSX files; the first visible one when left out': {
    ar: 'اسم الورقة في ملفات XLSX؛ إن تُرك فأول ورقة ظاهرة',
    ms: 'Nama helaian dalam fail XLSX; yang pertama kelihatan jika dibiarkan',
  },
  'Column that tells the documents of one file apart; a document is then called file.csv#value. One file is one document when left out':
    {
      ar: 'العمود الذي يميّز مستندات الملف الواحد؛ ويُسمّى المستند حينها file.csv#value. إن تُرك فكل ملف مستند واحد',
      ms: 'Lajur yang membezakan dokumen dalam satu fail; dokumen kemudian dinamakan file.csv#value. Satu fail ialah satu dokumen jika dibiarkan',
    },
  'Whether rows that leave documentColumn empty go on with the document above; they are refused when left out':
    {
      ar: 'هل تُكمل الصفوفُ التي تترك «عمود المستند» فارغًا المستندَ الذي فوقها؛ إن تُرك رُفضت',
      ms: 'Sama ada baris yang mengosongkan “Lajur dokumen” menyambung dokumen di atasnya; ditolak jika dibiarkan',
    },
  'Rows that belong to no document, such as totals: in which all the columns of "empty" are empty, or "column" begins with a text':
    {
      ar: 'صفوف لا تتبع أي مستند كالمجاميع: التي تكون الأعمدة المذكورة فيها فارغة كلها، أو يبدأ فيها عمود بنص معيّن',
      ms: 'Baris yang bukan milik mana-mana dokumen, seperti jumlah: yang semua lajur berkenaan kosong, atau satu lajurnya bermula dengan suatu teks',
    },
  'Further sheets of XLSX files, by the section that they become: lines, customer. The first one then has a row for each document, and documentColumn names it':
    {
      ar: 'أوراق أخرى في ملفات XLSX، بحسب القسم الذي تصير إليه: lines أو customer. وتحوي الورقة الأولى حينها صفًّا لكل مستند، ويسمّيه «عمود المستند»',
      ms: 'Helaian lain dalam fail XLSX, mengikut bahagian yang dijadikannya: lines, customer. Helaian pertama kemudian mempunyai satu baris bagi setiap dokumen, dinamakan oleh “Lajur dokumen”',
    },
  'Name of the sheet': {
    ar: 'اسم الورقة',
    ms: 'Nama helaian',
  },
  'Which of its lines names the columns': {
    ar: 'أي سطورها يسمّي الأعمدة',
    ms: 'Baris mana yang menamakan lajur',
  },
  'Its column that says to which document a row belongs': {
    ar: 'عمودها الذي يقول إلى أي مستند يعود الصف',
    ms: 'Lajurnya yang menyatakan dokumen bagi sesuatu baris',
  },
  'The column of the first sheet with the same values; documentColumn when left out': {
    ar: 'عمود الورقة الأولى الذي فيه القيم نفسها؛ إن تُرك فـ«عمود المستند»',
    ms: 'Lajur helaian pertama dengan nilai yang sama; “Lajur dokumen” jika dibiarkan',
  },
  'Documents that are left out, such as drafts and cancelled ones: those in whose header "column" holds one of these values, in capitals or not':
    {
      ar: 'مستندات تُستبعد كالمسودات والملغاة: التي يحمل العمود في رأسها إحدى هذه القيم، بأحرف كبيرة أو صغيرة',
      ms: 'Dokumen yang dikecualikan, seperti draf dan yang dibatalkan: yang lajur dalam tajuknya mempunyai salah satu nilai ini, huruf besar atau kecil',
    },
  'For tables with a row for each invoice that has columns for each of its lines: their names, with # for the number of the line, as item#_qty for item1_qty, item2_qty, …':
    {
      ar: 'لجداول فيها صف لكل فاتورة وأعمدة لكل بند من بنودها: أسماء الأعمدة مع # مكان رقم البند، مثل item#_qty بدل item1_qty وitem2_qty و…',
      ms: 'Bagi jadual dengan satu baris setiap invois dan lajur bagi setiap baris itemnya: nama lajur, dengan # bagi nombor baris, seperti item#_qty untuk item1_qty, item2_qty, …',
    },
  'Names of the files of headers, whose lines stand in joinedFiles; * is what both names have in common, such as a date':
    {
      ar: 'أسماء ملفات الرؤوس التي تقع بنودها في «ملفات تُقرأ معًا»؛ و* ما يشترك فيه الاسمان كالتاريخ',
      ms: 'Nama fail tajuk, yang baris itemnya terletak dalam “Fail yang digabung”; * ialah bahagian yang sama pada kedua-dua nama, seperti tarikh',
    },
  'Further files that are read with each file of headers, in the same folder or message, by the section that they become: lines, customer. documentColumn then names the column that tells the headers apart':
    {
      ar: 'ملفات أخرى تُقرأ مع كل ملف رؤوس، في المجلد أو الرسالة نفسها، بحسب القسم الذي تصير إليه: lines أو customer. ويسمّي «عمود المستند» حينها العمود الذي يميّز الرؤوس',
      ms: 'Fail lain yang dibaca bersama setiap fail tajuk, dalam folder atau mesej yang sama, mengikut bahagian yang dijadikannya: lines, customer. “Lajur dokumen” kemudian menamakan lajur yang membezakan tajuk',
    },
  'Name of the file, with the * of headerFiles, as invoice_lines*.csv': {
    ar: 'اسم الملف، ومعه * كما في «ملفات الرؤوس»، مثل invoice_lines*.csv',
    ms: 'Nama fail, dengan * daripada “Fail tajuk”, seperti invoice_lines*.csv',
  },
  'The column of the headers with the same values; documentColumn when left out': {
    ar: 'عمود الرؤوس الذي فيه القيم نفسها؛ إن تُرك فـ«عمود المستند»',
    ms: 'Lajur tajuk dengan nilai yang sama; “Lajur dokumen” jika dibiarkan',
  },
  'For tables with header and line rows; each row is a line when left out': {
    ar: 'لجداول فيها صفوف رؤوس وصفوف بنود؛ إن تُرك فكل صف بند',
    ms: 'Bagi jadual dengan baris tajuk dan baris item; setiap baris ialah baris item jika dibiarkan',
  },
  'Column that says what a row is': {
    ar: 'العمود الذي يقول ما هو الصف',
    ms: 'Lajur yang menyatakan jenis baris',
  },
  'Section of the rows by the value in that column, as H: header, L: lines': {
    ar: 'قسم الصفوف بحسب القيمة في ذلك العمود، مثل H: header وL: lines',
    ms: 'Bahagian baris mengikut nilai dalam lajur itu, seperti H: header, L: lines',
  },
  'Where the documents stand in JSON files, as $.data.invoices; the file itself when left out': {
    ar: 'موضع المستندات في ملفات JSON، مثل $.data.invoices؛ إن تُرك فالملف نفسه',
    ms: 'Tempat dokumen dalam fail JSON, seperti $.data.invoices; fail itu sendiri jika dibiarkan',
  },
  'Whether the objects of JSON and XML files are rows of a table, as in CSV files': {
    ar: 'هل كائنات ملفات JSON وXML صفوف جدول، كما في ملفات CSV',
    ms: 'Sama ada objek fail JSON dan XML ialah baris jadual, seperti dalam fail CSV',
  },
  'Arrays of JSON and XML files by the section that they become, as lines: data.items': {
    ar: 'قوائم ملفات JSON وXML بحسب القسم الذي تصير إليه، مثل lines: data.items',
    ms: 'Tatasusunan fail JSON dan XML mengikut bahagian yang dijadikannya, seperti lines: data.items',
  },
  'Elements of XML files that repeat and are told apart by a value in them, as PartyTaxScheme: TaxScheme.ID for columns such as PartyTaxScheme[VAT].CompanyID':
    {
      ar: 'عناصر في ملفات XML تتكرر وتميّزها قيمة بداخلها، مثل PartyTaxScheme: TaxScheme.ID لأعمدة مثل PartyTaxScheme[VAT].CompanyID',
      ms: 'Elemen fail XML yang berulang dan dibezakan oleh nilai di dalamnya, seperti PartyTaxScheme: TaxScheme.ID bagi lajur seperti PartyTaxScheme[VAT].CompanyID',
    },
  'Element that is a document in XML files of several; the root when left out': {
    ar: 'العنصر الذي هو مستند في ملفات XML فيها عدة مستندات؛ إن تُرك فالجذر',
    ms: 'Elemen yang merupakan dokumen dalam fail XML yang mengandungi beberapa; akar jika dibiarkan',
  },
  "Elements of XML files that may repeat and become sections, by name or as parent.name; UBL's when left out":
    {
      ar: 'عناصر في ملفات XML قد تتكرر فتصير أقسامًا، بالاسم أو بصورة parent.name؛ إن تُرك فعناصر UBL',
      ms: 'Elemen fail XML yang mungkin berulang dan menjadi bahagian, dengan nama atau sebagai parent.name; milik UBL jika dibiarkan',
    },
  'Files changed less than this many seconds ago are not listed: still being written': {
    ar: 'لا تُدرج ملفات تغيّرت قبل أقل من هذه الثواني: ما زالت تُكتب',
    ms: 'Fail yang diubah kurang daripada bilangan saat ini tidak disenaraikan: masih ditulis',
  },
  'Ending of an empty file that says that a file is whole: with .ready, a.csv is taken once a.csv.ready is there':
    {
      ar: 'لاحقة ملف فارغ يقول إن الملف اكتمل: مع .ready يؤخذ a.csv حين يوجد a.csv.ready',
      ms: 'Akhiran fail kosong yang menandakan fail telah lengkap: dengan .ready, a.csv diambil apabila a.csv.ready wujud',
    },
  'For network shares: changes are noticed by looking, and a file is whole once its size and time stand still by the clock of this host':
    {
      ar: 'للمشاركات الشبكية: تُلحظ التغييرات بالنظر، ويكتمل الملف حين يثبت حجمه ووقته بساعة هذا المضيف',
      ms: 'Bagi perkongsian rangkaian: perubahan dikesan dengan melihat, dan fail lengkap apabila saiz dan masanya tidak berubah mengikut jam hos ini',
    },
  'Whether files are moved: to claimed/ when they are taken, then to processed/, or to rejected/ with the reason beside':
    {
      ar: 'هل تُنقل الملفات: إلى claimed/ حين تؤخذ، ثم إلى processed/، أو إلى rejected/ والسبب بجانبها',
      ms: 'Sama ada fail dialihkan: ke claimed/ apabila diambil, kemudian ke processed/, atau ke rejected/ dengan sebabnya di sebelah',
    },
  'Folder in claimed/; connectors that take files from one folder need different ones': {
    ar: 'مجلد داخل claimed/؛ والموصّلات التي تأخذ من مجلد واحد تحتاج إلى أسماء مختلفة',
    ms: 'Folder dalam claimed/; penyambung yang mengambil fail dari satu folder memerlukan nama berlainan',
  },
  'file: a JSON file a confirmation, in the folder "status" (sandbox: its own); or none': {
    ar: 'file: ملف JSON لكل تأكيد في المجلد “status” (وللبيئة التجريبية مجلدها)؛ أو none: لا شيء',
    ms: 'file: satu fail JSON setiap pengesahan, dalam folder “status” (kotak pasir: foldernya sendiri); atau none: tiada',
  },
  'file: suppliers\' documents as drafts, a JSON file each, in the folder "received" (sandbox: its own); or none':
    {
      ar: 'file: مستندات المورّدين مسوداتٍ، ملف JSON لكل منها، في المجلد “received” (وللبيئة التجريبية مجلدها)؛ أو none: لا شيء',
      ms: 'file: dokumen pembekal sebagai draf, satu fail JSON setiap satu, dalam folder “received” (kotak pasir: foldernya sendiri); atau none: tiada',
    },
  'Address of the API, to which the paths are added': {
    ar: 'عنوان الواجهة الذي تُضاف إليه المسارات',
    ms: 'Alamat API, yang ditambah dengan laluan',
  },
  'How requests are signed in: none, header, basic or oauth2': {
    ar: 'كيف تُعرَّف الطلبات: none بلا تعريف، أو header بترويسة، أو basic باسم وكلمة مرور، أو oauth2',
    ms: 'Cara permintaan log masuk: none (tiada), header (pengepala), basic (nama dan kata laluan) atau oauth2',
  },
  'Name of the header': {
    ar: 'اسم الترويسة',
    ms: 'Nama pengepala',
  },
  'Its value, as Bearer and the key': {
    ar: 'قيمتها، مثل Bearer ثم المفتاح',
    ms: 'Nilainya, seperti Bearer dan kunci',
  },
  User: {
    ar: 'المستخدم',
    ms: 'Pengguna',
  },
  'Password of that user': {
    ar: 'كلمة مرور ذلك المستخدم',
    ms: 'Kata laluan pengguna itu',
  },
  'Where tokens are asked for': {
    ar: 'حيث تُطلب الرموز',
    ms: 'Tempat token diminta',
  },
  'Id of the client': {
    ar: 'معرّف العميل',
    ms: 'ID klien',
  },
  'Its secret': {
    ar: 'سرّه',
    ms: 'Rahsianya',
  },
  'A refresh token; client credentials are used when left out': {
    ar: 'رمز تجديد؛ إن تُرك استُخدمت بيانات العميل',
    ms: 'Token penyegar; kelayakan klien digunakan jika dibiarkan',
  },
  'Scopes, separated by blanks': {
    ar: 'النطاقات، تفصل بينها مسافات',
    ms: 'Skop, dipisahkan dengan ruang kosong',
  },
  'Further headers of each request; no secrets': {
    ar: 'ترويسات أخرى لكل طلب؛ بلا أسرار',
    ms: 'Pengepala lain bagi setiap permintaan; bukan rahsia',
  },
  'Certificates, as PEM, that are trusted for this server': {
    ar: 'شهادات بصيغة PEM يوثق بها لهذا الخادم',
    ms: 'Sijil, sebagai PEM, yang dipercayai bagi pelayan ini',
  },
  'At most so many requests a minute; no limit but that of the server when left out': {
    ar: 'أقصى عدد للطلبات في الدقيقة؛ إن تُرك فلا حد إلا حد الخادم',
    ms: 'Paling banyak sekian permintaan seminit; tiada had selain had pelayan jika dibiarkan',
  },
  'Where documents are listed': {
    ar: 'حيث تُسرد المستندات',
    ms: 'Tempat dokumen disenaraikan',
  },
  'Path of the list': {
    ar: 'مسار القائمة',
    ms: 'Laluan senarai',
  },
  'Parameters of each page': {
    ar: 'معاملات كل صفحة',
    ms: 'Parameter setiap halaman',
  },
  'Where the array of records is': {
    ar: 'موضع قائمة السجلات',
    ms: 'Tempat tatasusunan rekod',
  },
  'Where a record says what it is called': {
    ar: 'حيث يقول السجل ما اسمه',
    ms: 'Tempat rekod menyatakan namanya',
  },
  'How further pages are asked for: by link, page, offset or cursor': {
    ar: 'كيف تُطلب الصفحات التالية: برابط (link) أو برقم صفحة (page) أو بإزاحة (offset) أو بمؤشر (cursor)',
    ms: 'Cara halaman seterusnya diminta: dengan pautan (link), halaman (page), ofset (offset) atau kursor (cursor)',
  },
  'Where the address of the next page is; the header Link (rel=next) when left out': {
    ar: 'موضع عنوان الصفحة التالية؛ إن تُرك فالترويسة Link (rel=next)',
    ms: 'Tempat alamat halaman seterusnya; pengepala Link (rel=next) jika dibiarkan',
  },
  'Number of the first page': {
    ar: 'رقم الصفحة الأولى',
    ms: 'Nombor halaman pertama',
  },
  'Where the value for the next page is': {
    ar: 'موضع القيمة التي تطلب الصفحة التالية',
    ms: 'Tempat nilai bagi halaman seterusnya',
  },
  'How changed records are asked for; only new ones are found when left out': {
    ar: 'كيف تُطلب السجلات المتغيّرة؛ إن تُرك وُجدت الجديدة فقط',
    ms: 'Cara rekod yang berubah diminta; hanya yang baharu ditemui jika dibiarkan',
  },
  'When a record changed': {
    ar: 'متى تغيّر السجل',
    ms: 'Bila rekod berubah',
  },
  'iso: 2026-01-31T09:00:00.000Z; naive: 2026-01-31 09:00:00 by the clock of the server; date: 2026-01-31; seconds: since 1970':
    {
      ar: 'iso: ‏2026-01-31T09:00:00.000Z؛ naive: ‏2026-01-31 09:00:00 بساعة الخادم؛ date: ‏2026-01-31؛ seconds: ثوانٍ منذ 1970',
      ms: 'iso: 2026-01-31T09:00:00.000Z; naive: 2026-01-31 09:00:00 mengikut jam pelayan; date: 2026-01-31; seconds: sejak 1970',
    },
  'Asked for again each time, for what was committed late': {
    ar: 'تُطلب من جديد كل مرة، لما حُفظ متأخرًا',
    ms: 'Diminta semula setiap kali, bagi yang disimpan lewat',
  },
  'Where one document is read': {
    ar: 'حيث يُقرأ مستند واحد',
    ms: 'Tempat satu dokumen dibaca',
  },
  'Path of one document, with {ref}': {
    ar: 'مسار مستند واحد، وفيه {ref}',
    ms: 'Laluan satu dokumen, dengan {ref}',
  },
  'Where the document is in the answer': {
    ar: 'موضع المستند في الجواب',
    ms: 'Tempat dokumen dalam jawapan',
  },
  'Sections that are read by further requests, as lines': {
    ar: 'أقسام تُقرأ بطلبات أخرى، مثل lines',
    ms: 'Bahagian yang dibaca dengan permintaan lanjut, seperti lines',
  },
  'Path of the rows, with {ref} or {column} of the header': {
    ar: 'مسار الصفوف، وفيه {ref} أو {عمود} من الرأس',
    ms: 'Laluan baris, dengan {ref} atau {lajur} tajuk',
  },
  'Where the array of rows is': {
    ar: 'موضع قائمة الصفوف',
    ms: 'Tempat tatasusunan baris',
  },
  'request: a request a confirmation, with an Idempotency-Key; or none': {
    ar: 'request: طلب لكل تأكيد، معه Idempotency-Key؛ أو none: لا شيء',
    ms: 'request: satu permintaan setiap pengesahan, dengan Idempotency-Key; atau none: tiada',
  },
  'Path of a confirmation, with {ref}': {
    ar: 'مسار التأكيد، وفيه {ref}',
    ms: 'Laluan pengesahan, dengan {ref}',
  },
  "That of the sandbox's; they are not written when left out": {
    ar: 'مسار تأكيدات البيئة التجريبية؛ إن تُرك لم تُكتب',
    ms: 'Laluan bagi pengesahan kotak pasir; tidak ditulis jika dibiarkan',
  },
  'Whether GET of that path answers what is stored (404: nothing)': {
    ar: 'هل يجيب GET على ذلك المسار بما حُفظ (404: لا شيء)',
    ms: 'Sama ada GET pada laluan itu menjawab apa yang disimpan (404: tiada)',
  },
  'What the members are called there; those left out keep their names': {
    ar: 'بمَ تُسمّى الحقول هناك؛ وما يُترك يبقى على اسمه',
    ms: 'Nama ahli di sana; yang dibiarkan kekal namanya',
  },
  'Host name or address of the IMAP server': {
    ar: 'اسم خادم IMAP أو عنوانه',
    ms: 'Nama hos atau alamat pelayan IMAP',
  },
  'Port of the server': {
    ar: 'منفذ الخادم',
    ms: 'Port pelayan',
  },
  'verify: TLS with a trusted certificate; starttls: the same, after the server offers it; unverified: TLS with any certificate; off: none':
    {
      ar: 'verify: ‏TLS بشهادة موثوقة؛ starttls: مثله بعد أن يعرضه الخادم؛ unverified: ‏TLS بأي شهادة؛ off: بلا تشفير',
      ms: 'verify: TLS dengan sijil dipercayai; starttls: sama, selepas pelayan menawarkannya; unverified: TLS dengan apa-apa sijil; off: tiada',
    },
  'User whose mailbox it is': {
    ar: 'المستخدم صاحب الصندوق',
    ms: 'Pengguna yang memiliki peti mel',
  },
  'Instead of a password: where tokens come from': {
    ar: 'بدل كلمة المرور: من أين تأتي الرموز',
    ms: 'Menggantikan kata laluan: dari mana token datang',
  },
  'Mailbox in which messages arrive': {
    ar: 'الصندوق الذي تصل إليه الرسائل',
    ms: 'Peti mel tempat mesej tiba',
  },
  'Mailbox for messages whose documents are confirmed; they stay when left out': {
    ar: 'صندوق الرسائل التي تأكّدت مستنداتها؛ إن تُرك بقيت في مكانها',
    ms: 'Peti mel bagi mesej yang dokumennya disahkan; kekal di tempatnya jika dibiarkan',
  },
  'Mailbox for messages of which a document was rejected; processed when left out': {
    ar: 'صندوق الرسائل التي رُفض مستند منها؛ إن تُرك فصندوق ما انتهى',
    ms: 'Peti mel bagi mesej yang satu dokumennya ditolak; peti mel yang selesai jika dibiarkan',
  },
  'mailbox: a message a confirmation, in a mailbox of its own (sandbox: with "_sandbox" after its name); or none':
    {
      ar: 'mailbox: رسالة لكل تأكيد في صندوق خاص (وللبيئة التجريبية مع “_sandbox” بعد اسمه)؛ أو none: لا شيء',
      ms: 'mailbox: satu mesej setiap pengesahan, dalam peti melnya sendiri (kotak pasir: dengan “_sandbox” selepas namanya); atau none: tiada',
    },
  'Mailbox of the confirmations': {
    ar: 'صندوق التأكيدات',
    ms: 'Peti mel pengesahan',
  },
  'Address of the API; https://preprod-api.myinvois.hasil.gov.my is its sandbox': {
    ar: 'عنوان الواجهة؛ وhttps://preprod-api.myinvois.hasil.gov.my بيئتها التجريبية',
    ms: 'Alamat API; https://preprod-api.myinvois.hasil.gov.my ialah kotak pasirnya',
  },
  "Id of the taxpayer's own client: an intermediary does not see what the taxpayer received": {
    ar: 'معرّف عميل المكلَّف نفسه: فالوسيط لا يرى ما استلمه المكلَّف',
    ms: 'ID klien pembayar cukai sendiri: perantara tidak melihat apa yang diterima pembayar cukai',
  },
  'The day from which received documents are read; 31 days ago when left out': {
    ar: 'اليوم الذي تُقرأ المستندات المستلمة منه؛ إن تُرك فقبل 31 يومًا',
    ms: 'Hari mulanya dokumen yang diterima dibaca; 31 hari lalu jika dibiarkan',
  },
  'Searched again each time, for documents that were validated or listed late': {
    ar: 'يُعاد البحث فيها كل مرة، لمستندات صُدّقت أو أُدرجت متأخرة',
    ms: 'Dicari semula setiap kali, bagi dokumen yang disahkan atau disenaraikan lewat',
  },
  'At most so many searches a minute; the sandbox of MyInvois takes fewer': {
    ar: 'أقصى عدد لعمليات البحث في الدقيقة؛ وبيئة MyInvois التجريبية تقبل أقل',
    ms: 'Paling banyak sekian carian seminit; kotak pasir MyInvois menerima kurang',
  },
  'At most so many documents a minute': {
    ar: 'أقصى عدد للمستندات في الدقيقة',
    ms: 'Paling banyak sekian dokumen seminit',
  },
  'mysql://user:password@host:3306/database; or fill in the fields below': {
    ar: 'mysql://user:password@host:3306/database؛ أو املأ الحقول أدناه',
    ms: 'mysql://user:password@host:3306/database; atau isi medan di bawah',
  },
  'Host name or address of the server': {
    ar: 'اسم الخادم أو عنوانه',
    ms: 'Nama hos atau alamat pelayan',
  },
  'Name of the database': {
    ar: 'اسم قاعدة البيانات',
    ms: 'Nama pangkalan data',
  },
  'User to read as; it needs no more than SELECT': {
    ar: 'المستخدم الذي تُقرأ به؛ لا يحتاج إلى أكثر من SELECT',
    ms: 'Pengguna untuk membaca; hanya memerlukan SELECT',
  },
  'verify: TLS with a trusted certificate of this host; unverified: TLS with any; off: none': {
    ar: 'verify: ‏TLS بشهادة موثوقة لهذا المضيف؛ unverified: ‏TLS بأي شهادة؛ off: بلا تشفير',
    ms: 'verify: TLS dengan sijil dipercayai bagi hos ini; unverified: TLS dengan apa-apa sijil; off: tiada',
  },
  'With verify: PEM of the CAs to trust in place of the public ones': {
    ar: 'مع verify: شهادات الجهات الموثوقة بصيغة PEM بدل العامة',
    ms: 'Dengan verify: PEM bagi CA yang dipercayai menggantikan yang awam',
  },
  'What a document consists of: header (one row), lines, taxes, customer, …': {
    ar: 'مم يتكون المستند: header (صف واحد) وlines وtaxes وcustomer و…',
    ms: 'Kandungan dokumen: header (satu baris), lines, taxes, customer, …',
  },
  'Table or view, with its schema in front where needed: sales.invoice': {
    ar: 'جدول أو عرض، ومخططه قبله عند الحاجة: sales.invoice',
    ms: 'Jadual atau paparan, dengan skema di hadapan jika perlu: sales.invoice',
  },
  'Columns to read; all that are not binary when left out': {
    ar: 'الأعمدة التي تُقرأ؛ إن تُرك فكل ما ليس ثنائيًّا',
    ms: 'Lajur yang dibaca; semua yang bukan binari jika dibiarkan',
  },
  'A column name, exactly as the database spells it': {
    ar: 'اسم عمود، كما تكتبه قاعدة البيانات تمامًا',
    ms: 'Nama lajur, tepat seperti ejaan pangkalan data',
  },
  'Column that identifies a row of this table': {
    ar: 'العمود الذي يعرّف الصف في هذا الجدول',
    ms: 'Lajur yang mengenal pasti baris jadual ini',
  },
  'Column that is compared: in the header with the source_ref, elsewhere with `matchFrom`': {
    ar: 'العمود الذي يُقارن: في الرأس مع source_ref، وفي غيره مع «يُقارن بـ»',
    ms: 'Lajur yang dibandingkan: dalam tajuk dengan source_ref, di tempat lain dengan “Padanan daripada”',
  },
  'Header column whose value is compared with `match`; the source_ref when left out': {
    ar: 'عمود الرأس الذي تُقارن قيمته بـ«عمود المقارنة»؛ إن تُرك فـsource_ref',
    ms: 'Lajur tajuk yang nilainya dibandingkan dengan “Padanan”; source_ref jika dibiarkan',
  },
  'The section that `matchFrom` is a column of, e.g. lines for the items sold; the header when left out':
    {
      ar: 'القسم الذي منه عمود «يُقارن بـ»، مثل lines للأصناف المبيعة؛ إن تُرك فالرأس',
      ms: 'Bahagian yang memiliki lajur “Padanan daripada”, cth. lines bagi barang yang dijual; tajuk jika dibiarkan',
    },
  'Column the rows are ordered by; the key when left out': {
    ar: 'العمود الذي تُرتّب به الصفوف؛ إن تُرك فالمفتاح',
    ms: 'Lajur yang menyusun baris; kunci jika dibiarkan',
  },
  'In the header: the table has a row for each line, of which the first says what is said of the document':
    {
      ar: 'في الرأس: للجدول صف لكل بند، وأولها يقول ما يُقال عن المستند',
      ms: 'Dalam tajuk: jadual mempunyai satu baris bagi setiap baris item, dan yang pertama menyatakan perihal dokumen',
    },
  'Fixed filters: what these columns hold in the rows that are read': {
    ar: 'مرشّحات ثابتة: ما تحمله هذه الأعمدة في الصفوف التي تُقرأ',
    ms: 'Penapis tetap: nilai lajur ini dalam baris yang dibaca',
  },
  'One SELECT with the placeholder :ref once, where the compared value is bound; the database itself refuses what writes':
    {
      ar: 'جملة SELECT واحدة فيها :ref مرة واحدة حيث تُربط القيمة المقارَنة؛ وترفض قاعدة البيانات نفسها ما يكتب',
      ms: 'Satu SELECT dengan pemegang tempat :ref sekali, di mana nilai yang dibandingkan diletakkan; pangkalan data sendiri menolak yang menulis',
    },
  'Result column that identifies a row': {
    ar: 'عمود النتيجة الذي يعرّف الصف',
    ms: 'Lajur hasil yang mengenal pasti baris',
  },
  'Header column whose value is bound to :ref; the source_ref when left out': {
    ar: 'عمود الرأس الذي تُربط قيمته بـ:ref؛ إن تُرك فـsource_ref',
    ms: 'Lajur tajuk yang nilainya diletakkan pada :ref; source_ref jika dibiarkan',
  },
  'In a header: the source_ref of a document that shows what the columns hold': {
    ar: 'في الرأس: source_ref لمستند يُظهر ما تحمله الأعمدة',
    ms: 'Dalam tajuk: source_ref dokumen yang menunjukkan kandungan lajur',
  },
  'Lets new and changed documents be listed; in order of key when left out': {
    ar: 'ليمكن سرد المستندات الجديدة والمتغيّرة؛ إن تُرك فبترتيب المفتاح',
    ms: 'Membolehkan dokumen baharu dan yang berubah disenaraikan; mengikut kunci jika dibiarkan',
  },
  'Header column that grows whenever a document changes': {
    ar: 'عمود في الرأس يكبر كلما تغيّر مستند',
    ms: 'Lajur tajuk yang bertambah setiap kali dokumen berubah',
  },
  'Header column, unique, that orders documents changed at the same moment': {
    ar: 'عمود فريد في الرأس يرتّب المستندات التي تغيّرت في اللحظة نفسها',
    ms: 'Lajur tajuk yang unik, yang menyusun dokumen yang berubah serentak',
  },
  'Where confirmations go: side-table (einv_status, made if missing), columns of the header table (live only; the sandbox uses its side table), or none':
    {
      ar: 'أين تذهب التأكيدات: side-table (الجدول einv_status، ويُنشأ إن غاب)، أو columns أعمدة في جدول الرؤوس (في البيئة الفعلية فقط؛ والتجريبية تستعمل جدولها)، أو none: لا شيء',
      ms: 'Tempat pengesahan pergi: side-table (einv_status, dibuat jika tiada), columns lajur jadual tajuk (persekitaran sebenar sahaja; kotak pasir memakai jadual sampingannya), atau none: tiada',
    },
  'Schema or database of the table einv_status; the default one when left out': {
    ar: 'مخطط الجدول einv_status أو قاعدته؛ إن تُرك فالمعتاد',
    ms: 'Skema atau pangkalan data jadual einv_status; yang lalai jika dibiarkan',
  },
  'User to write as; the reading user when left out': {
    ar: 'المستخدم الذي يُكتب به؛ إن تُرك فمستخدم القراءة',
    ms: 'Pengguna untuk menulis; pengguna yang membaca jika dibiarkan',
  },
  'Password of the writing user': {
    ar: 'كلمة مرور مستخدم الكتابة',
    ms: 'Kata laluan pengguna yang menulis',
  },
  'Columns of the header table that take the confirmation': {
    ar: 'أعمدة جدول الرؤوس التي تستقبل التأكيد',
    ms: 'Lajur jadual tajuk yang menerima pengesahan',
  },
  'Holds the id of the invoice; never overwritten': {
    ar: 'يحمل معرّف الفاتورة؛ ولا يُكتب فوقه أبدًا',
    ms: 'Menyimpan ID invois; tidak pernah ditulis ganti',
  },
  "Where suppliers' documents go as drafts: side-table (einv_received, made if missing; what happens where writeBack is not none), insert (rows of your own tables, live only), or none":
    {
      ar: 'أين تذهب مستندات المورّدين مسوداتٍ: side-table (الجدول einv_received، ويُنشأ إن غاب؛ وهو المعتاد حيث تُكتب التأكيدات)، أو insert صفوف في جداولك (في البيئة الفعلية فقط)، أو none: لا شيء',
      ms: 'Tempat dokumen pembekal pergi sebagai draf: side-table (einv_received, dibuat jika tiada; yang berlaku jika pengesahan ditulis), insert (baris jadual anda sendiri, persekitaran sebenar sahaja), atau none: tiada',
    },
  'Schema or database of the tables einv_received and einv_received_line': {
    ar: 'مخطط الجدولين einv_received وeinv_received_line أو قاعدتهما',
    ms: 'Skema atau pangkalan data jadual einv_received dan einv_received_line',
  },
  "Line column that holds the header's key, and that key in the header": {
    ar: 'عمود البنود الذي يحمل مفتاح الرأس، وذلك المفتاح في الرأس',
    ms: 'Lajur baris item yang menyimpan kunci tajuk, dan kunci itu dalam tajuk',
  },
  'postgres://user:password@host:5432/database; or fill in the fields below': {
    ar: 'postgres://user:password@host:5432/database؛ أو املأ الحقول أدناه',
    ms: 'postgres://user:password@host:5432/database; atau isi medan di bawah',
  },
  'Path of the database file, in a folder that may be read': {
    ar: 'مسار ملف قاعدة البيانات، في مجلد يُسمح بقراءته',
    ms: 'Laluan fail pangkalan data, dalam folder yang boleh dibaca',
  },
  'Database file that takes the confirmations; the source itself when left out': {
    ar: 'ملف قاعدة البيانات الذي يستقبل التأكيدات؛ إن تُرك فالمصدر نفسه',
    ms: 'Fail pangkalan data yang menerima pengesahan; sumber itu sendiri jika dibiarkan',
  },
  'mssql://user:password@host:1433/database; or fill in the fields below': {
    ar: 'mssql://user:password@host:1433/database؛ أو املأ الحقول أدناه',
    ms: 'mssql://user:password@host:1433/database; atau isi medan di bawah',
  },
  'Named instance, whose port the SQL Server Browser tells (UDP 1434)': {
    ar: 'نسخة مسمّاة، يُعلم بمنفذها SQL Server Browser ‏(UDP 1434)',
    ms: 'Tika bernama, yang portnya diberitahu oleh SQL Server Browser (UDP 1434)',
  },
  'Windows domain of the user, who then logs in by NTLM': {
    ar: 'نطاق Windows للمستخدم، فيدخل حينها عبر NTLM',
    ms: 'Domain Windows pengguna, yang kemudian log masuk melalui NTLM',
  },
  'Id of the number that sends': {
    ar: 'معرّف الرقم الذي يرسل',
    ms: 'ID nombor yang menghantar',
  },
  'Id of the business account': {
    ar: 'معرّف حساب الأعمال',
    ms: 'ID akaun perniagaan',
  },
  'Token of a system user of the business': {
    ar: 'رمز مستخدم نظام في حساب الأعمال',
    ms: 'Token pengguna sistem perniagaan',
  },
  'Signs the webhooks': {
    ar: 'يوقّع إشعارات الويب',
    ms: 'Menandatangani webhook',
  },
  'Told to the network when the webhook is set up': {
    ar: 'يُعطى للشبكة عند إعداد إشعارات الويب',
    ms: 'Diberikan kepada rangkaian semasa webhook disediakan',
  },
  'Version of the Graph API': {
    ar: 'إصدار Graph API',
    ms: 'Versi Graph API',
  },
  'Messages a second: 20 for a number also used in the app, 1000 once upgraded': {
    ar: 'رسائل في الثانية: 20 لرقم يُستعمل في التطبيق أيضًا، و1000 بعد الترقية',
    ms: 'Mesej sesaat: 20 bagi nombor yang juga digunakan dalam aplikasi, 1000 setelah dinaik taraf',
  },
  'Of the account, as its console shows it': {
    ar: 'للحساب، كما تعرضه لوحته',
    ms: 'Bagi akaun, seperti ditunjukkan konsolnya',
  },
  'Also signs the webhooks': {
    ar: 'يوقّع إشعارات الويب أيضًا',
    ms: 'Juga menandatangani webhook',
  },
  'Number in E.164, or a sender name': {
    ar: 'رقم بصيغة E.164 أو اسم مرسِل',
    ms: 'Nombor dalam E.164, atau nama penghantar',
  },
  'A messaging service in place of the sender': {
    ar: 'خدمة رسائل بدل المرسِل',
    ms: 'Perkhidmatan mesej menggantikan penghantar',
  },
  'How many messages it takes in a second': {
    ar: 'كم رسالة يقبل في الثانية',
    ms: 'Bilangan mesej yang diterimanya sesaat',
  },
  'Of the account, as its overview shows it': {
    ar: 'للحساب، كما تعرضه صفحة نظرته العامة',
    ms: 'Bagi akaun, seperti ditunjukkan gambaran keseluruhannya',
  },
  'Of the account, as its dashboard shows it': {
    ar: 'للحساب، كما تعرضه لوحة معلوماته',
    ms: 'Bagi akaun, seperti ditunjukkan papan pemukanya',
  },
  'Signs what is sent and what comes in': {
    ar: 'يوقّع ما يُرسل وما يصل',
    ms: 'Menandatangani yang dihantar dan yang masuk',
  },
  'As the dashboard has it': {
    ar: 'كما في لوحة المعلومات',
    ms: 'Seperti pada papan pemuka',
  },
  'Number in digits, or a sender name': {
    ar: 'رقم بالأرقام وحدها أو اسم مرسِل',
    ms: 'Nombor dalam digit, atau nama penghantar',
  },
  'Address of the gateway, without a slash at the end; not needed in the sandbox': {
    ar: 'عنوان البوابة بلا شرطة مائلة في آخره؛ ولا حاجة إليه في البيئة التجريبية',
    ms: 'Alamat get laluan, tanpa garis miring di hujung; tidak perlu dalam kotak pasir',
  },
  'Where messages are posted, after the address': {
    ar: 'حيث تُرسل الرسائل، بعد العنوان',
    ms: 'Tempat mesej dihantar, selepas alamat',
  },
  'How the fields of a message are sent': {
    ar: 'كيف تُرسل حقول الرسالة',
    ms: 'Cara medan mesej dihantar',
  },
  'Header by which it knows you': {
    ar: 'الترويسة التي تعرفك بها',
    ms: 'Pengepala yang mengenali anda',
  },
  'Sent in that header': {
    ar: 'تُرسل في تلك الترويسة',
    ms: 'Dihantar dalam pengepala itu',
  },
  'Number or sender name that people see': {
    ar: 'الرقم أو اسم المرسِل الذي يراه الناس',
    ms: 'Nombor atau nama penghantar yang dilihat orang',
  },
  'e164: +60123456789; digits: 60123456789': {
    ar: 'e164: ‏+60123456789؛ digits: ‏60123456789',
    ms: 'e164: +60123456789; digits: 60123456789',
  },
  'Field of the number that it goes to': {
    ar: 'حقل الرقم الذي تذهب إليه',
    ms: 'Medan nombor yang dituju',
  },
  'Field of the sender': {
    ar: 'حقل المرسِل',
    ms: 'Medan penghantar',
  },
  'Field of the text': {
    ar: 'حقل النص',
    ms: 'Medan teks',
  },
  'Field of our id, which reports bring back': {
    ar: 'حقل معرّفنا الذي تعيده التقارير',
    ms: 'Medan ID kami, yang dibawa balik oleh laporan',
  },
  'Field of the address for reports': {
    ar: 'حقل عنوان التقارير',
    ms: 'Medan alamat bagi laporan',
  },
  'Webhooks carry X-Signature: sha256=<hex HMAC of the body>': {
    ar: 'تحمل إشعارات الويب X-Signature: sha256=<HMAC للمحتوى بالست عشري>',
    ms: 'Webhook membawa X-Signature: sha256=<HMAC heks bagi kandungan>',
  },
  'From BotFather; the network puts it into each address': {
    ar: 'من BotFather؛ وتضعه الشبكة في كل عنوان',
    ms: 'Daripada BotFather; rangkaian meletakkannya dalam setiap alamat',
  },
  'Comes back in a header of each update': {
    ar: 'يعود في ترويسة من كل تحديث',
    ms: 'Kembali dalam pengepala setiap kemas kini',
  },
  'Id of the RCS agent': {
    ar: 'معرّف وكيل RCS',
    ms: 'ID ejen RCS',
  },
  'The service account that may send for the agent': {
    ar: 'حساب الخدمة الذي يحق له الإرسال باسم الوكيل',
    ms: 'Akaun perkhidmatan yang boleh menghantar bagi pihak ejen',
  },
  'Private key of the service account, as PEM': {
    ar: 'المفتاح الخاص لحساب الخدمة، بصيغة PEM',
    ms: 'Kunci peribadi akaun perkhidmatan, sebagai PEM',
  },
  'Where service accounts get their tokens': {
    ar: 'حيث تحصل حسابات الخدمة على رموزها',
    ms: 'Tempat akaun perkhidmatan mendapat tokennya',
  },
  'Also signs the call-backs': {
    ar: 'يوقّع الاستدعاءات أيضًا',
    ms: 'Juga menandatangani panggilan balik',
  },
  'A service of Conversational Intelligence: with it recordings are transcribed': {
    ar: 'خدمة من Conversational Intelligence: بها تُفرَّغ التسجيلات نصًّا',
    ms: 'Perkhidmatan Conversational Intelligence: dengannya rakaman ditranskripsikan',
  },
  'With it Plivo transcribes recordings, in English alone': {
    ar: 'به تفرّغ Plivo التسجيلات نصًّا، بالإنجليزية وحدها',
    ms: 'Dengannya Plivo mentranskripsikan rakaman, dalam bahasa Inggeris sahaja',
  },
  'Of the application, as its dashboard shows it': {
    ar: 'للتطبيق، كما تعرضه لوحة معلوماته',
    ms: 'Bagi aplikasi, seperti ditunjukkan papan pemukanya',
  },
  'Private key of the application, as PEM': {
    ar: 'المفتاح الخاص للتطبيق، بصيغة PEM',
    ms: 'Kunci peribadi aplikasi, sebagai PEM',
  },
  'Signs the call-backs': {
    ar: 'يوقّع الاستدعاءات',
    ms: 'Menandatangani panggilan balik',
  },
  'With it Vonage transcribes recordings, in this language': {
    ar: 'به تفرّغ Vonage التسجيلات نصًّا، بهذه اللغة',
    ms: 'Dengannya Vonage mentranskripsikan rakaman, dalam bahasa ini',
  },
  'Address of the HTTP server, without /ari': {
    ar: 'عنوان خادم HTTP بلا /ari',
    ms: 'Alamat pelayan HTTP, tanpa /ari',
  },
  'User of the REST interface, as ari.conf has it': {
    ar: 'مستخدم واجهة REST، كما في ari.conf',
    ms: 'Pengguna antara muka REST, seperti dalam ari.conf',
  },
  'Name of the Stasis application; one of this configuration alone when left out': {
    ar: 'اسم تطبيق Stasis؛ إن تُرك فتطبيق لهذا الحساب وحده',
    ms: 'Nama aplikasi Stasis; satu bagi konfigurasi ini sahaja jika dibiarkan',
  },
  'Driver of the trunk': {
    ar: 'مشغّل خط الربط',
    ms: 'Pemacu trunk',
  },
  'Name of the endpoint that leads to the network': {
    ar: 'اسم الطرف الذي يؤدي إلى الشبكة',
    ms: 'Nama titik akhir yang menuju ke rangkaian',
  },
  'Language of the sounds that Asterisk plays': {
    ar: 'لغة الأصوات التي يشغّلها Asterisk',
    ms: 'Bahasa bunyi yang dimainkan Asterisk',
  },
};
