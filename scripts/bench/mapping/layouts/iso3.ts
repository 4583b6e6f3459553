/** The three letters of the countries of the trade, by their two. */
export const iso3: Readonly<Record<string, string>> = {
  DE: 'DEU',
  AE: 'ARE',
  CH: 'CHE',
  ES: 'ESP',
  MY: 'MYS',
  FR: 'FRA',
  PT: 'PRT',
  GB: 'GBR',
  SE: 'SWE',
};
