import { registerTexts } from './i18n'

/** Registers the texts behind the sign-in page when that area loads. */
registerTexts({
  ...import.meta.glob<Record<string, unknown>>('/src/i18n/{de,en}/*.json', { import: 'default' }),
  '/src/i18n/de/names.json': async () => (await import('virtual:names/de')).default,
  '/src/i18n/en/names.json': async () => (await import('virtual:names/en')).default,
})
