import type { CompanyFacts } from '../company-facts.ts';

/** Companies of Malaysia. */
export const company: CompanyFacts = {
  countries: {
    MY: {
      currency: 'MYR',
      registrationTypes: ['BRN', 'NRIC', 'PASSPORT', 'ARMY'],
      endpointScheme: '0230',
    },
  },
  paths: (side) => ({
    sst: `${side}.trn`,
    registration_type: `${side}.registration_type`,
    ...(side === 'buyer'
      ? { tin: 'buyer.identifiers[].id' }
      : {
          tin: 'seller.tin',
          industry_code: 'seller.industry_code',
          industry_name: 'seller.industry_name',
        }),
  }),
};
