import { pageTexts } from '../../texts/language.ts';

export const useSignInTexts = pageTexts('sign-in', {
  en: {
    title: 'Sign in',
    email: 'E-mail',
    password: 'Password',
    code: 'Code',
    codeHint: 'From your authenticator app, or a recovery code.',
    signIn: 'Sign in',
    wrongPassword: 'E-mail and password do not fit.',
    wrongCode: 'This code is wrong, was used before, or is over: take the next one.',
    tooMany: 'Signing in was tried too often. Wait a little before the next try.',
  },
  ar: {
    title: 'تسجيل الدخول',
    email: 'البريد الإلكتروني',
    password: 'كلمة المرور',
    code: 'الرمز',
    codeHint: 'من تطبيق المصادقة، أو رمز استرداد.',
    signIn: 'دخول',
    wrongPassword: 'البريد الإلكتروني وكلمة المرور غير متطابقين.',
    wrongCode: 'هذا الرمز خاطئ أو استُخدم من قبل أو انتهى: خذ الرمز التالي.',
    tooMany: 'جرت محاولات كثيرة لتسجيل الدخول. انتظر قليلًا قبل المحاولة التالية.',
  },
  ms: {
    title: 'Log masuk',
    email: 'E-mel',
    password: 'Kata laluan',
    code: 'Kod',
    codeHint: 'Daripada aplikasi pengesah anda, atau kod pemulihan.',
    signIn: 'Log masuk',
    wrongPassword: 'E-mel dan kata laluan tidak sepadan.',
    wrongCode: 'Kod ini salah, telah digunakan, atau tamat: ambil yang berikutnya.',
    tooMany: 'Log masuk dicuba terlalu kerap. Tunggu sebentar sebelum mencuba lagi.',
  },
});
