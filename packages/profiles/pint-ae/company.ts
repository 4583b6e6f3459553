import type { CompanyFacts } from '../company-facts.ts';

/** The emirates by their codes, as people write them. */
export const emirates = {
  AUH: ['Abu Dhabi', 'AbuDhabi', 'Abu Dabi', 'AD', 'Al Ain', 'ابوظبي', 'ابو ظبي'],
  DXB: ['Dubai', 'Dubayy', 'دبي'],
  SHJ: ['Sharjah', 'Al Sharjah', 'الشارقه', 'الشارقة'],
  UAQ: ['Umm Al Quwain', 'Umm Al Qaiwain', 'Umm Al Quwayn', 'Um Al Quwain', 'ام القيوين'],
  FUJ: ['Fujairah', 'Al Fujairah', 'Fujeirah', 'الفجيره', 'الفجيرة'],
  AJM: ['Ajman', 'عجمان'],
  RAK: ['Ras Al Khaimah', 'Ras Al Khaima', 'Ras Al Khaymah', 'راس الخيمه', 'راس الخيمة'],
} as const;

/** Companies of the United Arab Emirates. */
export const company: CompanyFacts = {
  countries: {
    AE: {
      currency: 'AED',
      registrationTypes: ['TL', 'EID', 'PAS', 'CD'],
      endpointScheme: '0235',
      subdivisions: emirates,
    },
  },
  paths: (side) => ({
    trn: `${side}.trn`,
    registration_type: `${side}.registration_type`,
    registration_authority: `${side}.registration_authority`,
  }),
  asked: ['registration_authority'],
};
