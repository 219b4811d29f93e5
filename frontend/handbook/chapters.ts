export type Lang = 'de' | 'en'

/** Table of contents of the handbook: each page is a file of this name in `docs/handbook/de` and in `en`. */
export const CHAPTERS = [
  {
    title: { de: 'Erste Schritte', en: 'First steps' },
    pages: ['first-steps', 'lists', 'articles', 'profile'],
  },
  {
    title: { de: 'Bestände und Dateien', en: 'Stocks and files' },
    pages: ['stocks', 'import', 'import-results', 'import-undo', 'matchings'],
  },
  {
    title: { de: 'Preise', en: 'Prices' },
    pages: ['prices', 'held-prices', 'price-lists', 'price-adjustments', 'surcharges', 'price-calculator', 'partners'],
  },
  {
    title: { de: 'Lager und Lieferung', en: 'Warehouses and delivery' },
    pages: ['warehouses', 'delivery'],
  },
  {
    title: { de: 'Anbindung', en: 'Connections' },
    pages: ['erp', 'feeds'],
  },
  {
    title: { de: 'Benutzer und Verlauf', en: 'Users and history' },
    pages: ['users', 'history'],
  },
  {
    title: { de: 'Plattformverwaltung', en: 'Platform administration' },
    pages: ['catalogue', 'tenants', 'operation'],
  },
] as const satisfies readonly { title: Record<Lang, string>; pages: readonly string[] }[]

/** Name of a page, by which screens link to it. */
export type HandbookPage = (typeof CHAPTERS)[number]['pages'][number]
