/** Text as it is compared, by the server's rule: lower case, without accents and umlauts, `ß` as `ss`, white space single. */
export const fold = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss').trim().replace(/\s+/g, ' ')
