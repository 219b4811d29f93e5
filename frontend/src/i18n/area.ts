import { knowTexts } from './i18n'

/** Where the texts behind the sign-in page lie: known as soon as that area is. */
knowTexts({
  ...import.meta.glob<Record<string, unknown>>('/src/i18n/{de,en}/*.json', { import: 'default' }),
  '/src/i18n/de/names.json': async () => (await import('virtual:names/de')).default,
  '/src/i18n/en/names.json': async () => (await import('virtual:names/en')).default,
})
