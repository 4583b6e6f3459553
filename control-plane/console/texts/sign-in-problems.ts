import { pageTexts } from './language.ts';

/** Why a provider signed nobody in, by the code of the API. */
export const useSignInProblemTexts = pageTexts('sign-in-problems', {
  en: {
    sign_in_expired:
      'This sign-in is over: it was begun too long ago, in another browser, or is answered already. Begin again.',
    provider_denied: 'Your identity provider did not let you in, or you stopped it there.',
    provider_unreachable: 'Your identity provider does not answer. Try again later.',
    provider_error: 'Your identity provider reports a fault. Try again, or ask your administrator.',
    provider_answer_refused:
      'What your identity provider answered cannot be trusted, so nobody was signed in. Tell your administrator.',
    provider_changed: 'The settings of your identity provider changed meanwhile. Begin again.',
    email_missing:
      'Your identity provider tells no e-mail address of yours. Tell your administrator.',
    email_unverified: 'Your identity provider has not verified your e-mail address.',
    email_domain: 'Your e-mail address is not of a domain that this workspace takes.',
    no_role: 'You are in no group that may work here. Ask your administrator.',
    member_exists:
      'Somebody with your e-mail address is a member already and signs in another way. Ask an owner of the workspace.',
    other_person: 'Somebody else signed in at the identity provider than who works here.',
    proof_too_weak:
      'Your identity provider did not ask you in the way that this workspace wants, such as for a second factor.',
    session_ended: 'Your session ended meanwhile. Sign in again.',
    unknown: 'Signing in failed. Begin again, or ask your administrator.',
  },
  ar: {
    sign_in_expired:
      'انتهت محاولة الدخول هذه: بدأت منذ وقت طويل، أو في متصفح آخر، أو أُجيب عنها من قبل. ابدأ من جديد.',
    provider_denied: 'لم يسمح لك مزوّد الهوية بالدخول، أو أوقفتَه هناك.',
    provider_unreachable: 'مزوّد الهوية لا يجيب. حاول لاحقًا.',
    provider_error: 'أبلغ مزوّد الهوية عن خلل. حاول مرة أخرى أو اسأل المسؤول.',
    provider_answer_refused: 'لا يمكن الوثوق بإجابة مزوّد الهوية، فلم يدخل أحد. أخبر المسؤول.',
    provider_changed: 'تغيّرت إعدادات مزوّد الهوية في هذه الأثناء. ابدأ من جديد.',
    email_missing: 'لا يذكر مزوّد الهوية بريدًا إلكترونيًا لك. أخبر المسؤول.',
    email_unverified: 'لم يتحقق مزوّد الهوية من بريدك الإلكتروني.',
    email_domain: 'بريدك الإلكتروني ليس من نطاق تقبله مساحة العمل هذه.',
    no_role: 'لست في مجموعة مسموح لها بالعمل هنا. اسأل المسؤول.',
    member_exists: 'هناك عضو بالبريد نفسه يدخل بطريقة أخرى. اسأل مالك مساحة العمل.',
    other_person: 'من دخل لدى مزوّد الهوية ليس من يعمل هنا.',
    proof_too_weak: 'لم يتحقق مزوّد الهوية منك بالطريقة التي تطلبها مساحة العمل، كالعامل الثاني.',
    session_ended: 'انتهت جلستك في هذه الأثناء. ادخل من جديد.',
    unknown: 'تعذّر الدخول. ابدأ من جديد أو اسأل المسؤول.',
  },
  ms: {
    sign_in_expired:
      'Log masuk ini sudah tamat: dimulakan terlalu lama, dalam pelayar lain, atau sudah dijawab. Mulakan semula.',
    provider_denied: 'Penyedia identiti tidak membenarkan anda, atau anda menghentikannya di sana.',
    provider_unreachable: 'Penyedia identiti tidak menjawab. Cuba lagi nanti.',
    provider_error: 'Penyedia identiti melaporkan kerosakan. Cuba lagi, atau tanya pentadbir anda.',
    provider_answer_refused:
      'Jawapan penyedia identiti tidak boleh dipercayai, jadi tiada sesiapa dilog masuk. Beritahu pentadbir anda.',
    provider_changed: 'Tetapan penyedia identiti telah berubah. Mulakan semula.',
    email_missing:
      'Penyedia identiti tidak memberitahu alamat e-mel anda. Beritahu pentadbir anda.',
    email_unverified: 'Penyedia identiti belum mengesahkan alamat e-mel anda.',
    email_domain: 'Alamat e-mel anda bukan daripada domain yang diterima ruang kerja ini.',
    no_role: 'Anda tiada dalam kumpulan yang boleh bekerja di sini. Tanya pentadbir anda.',
    member_exists:
      'Seorang ahli dengan alamat e-mel anda sudah ada dan log masuk dengan cara lain. Tanya pemilik ruang kerja.',
    other_person: 'Orang lain yang log masuk di penyedia identiti, bukan yang bekerja di sini.',
    proof_too_weak:
      'Penyedia identiti tidak mengesahkan anda dengan cara yang dikehendaki, seperti faktor kedua.',
    session_ended: 'Sesi anda telah tamat. Log masuk semula.',
    unknown: 'Log masuk gagal. Mulakan semula, atau tanya pentadbir anda.',
  },
});

type Key = Parameters<ReturnType<typeof useSignInProblemTexts>>[0];

const keys: ReadonlySet<string> = new Set<Key>([
  'sign_in_expired',
  'provider_denied',
  'provider_unreachable',
  'provider_error',
  'provider_answer_refused',
  'provider_changed',
  'email_missing',
  'email_unverified',
  'email_domain',
  'no_role',
  'member_exists',
  'other_person',
  'proof_too_weak',
  'session_ended',
]);

/** The text of a code, which may come from an address that anybody wrote. */
export function problemKey(code: string): Key {
  return keys.has(code) ? (code as Key) : 'unknown';
}
