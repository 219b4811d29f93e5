/**
 * Folds a text for comparison, by the server's rule: lower case, without accents and umlauts, `ß` as `ss`,
 * single spaces.
 */
export const fold = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss').trim().replace(/\s+/g, ' ')
