import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import type { Lang } from '~/lib/lang'
import { readText, writeText } from '~/lib/storage'
import type { Namespace } from './namespaces'

const KEY = 'Language'
type Text = Record<string, unknown>
type Files = Record<string, () => Promise<Text>>
const files: Files = import.meta.glob<Text>('/src/i18n/{de,en}/{common,auth,passwordReset,demoMails}.json', { import: 'default' })

export const registerTexts = (moreFiles: Files) => Object.assign(files, moreFiles)

export const languages: readonly Lang[] = ['de', 'en']
export const languageNames = { de: 'Deutsch', en: 'English' } as const

const isLang = (value: string | null): value is Lang => value === 'de' || value === 'en'

export const i18n = i18next.createInstance()

export async function initI18n(language?: Lang): Promise<void> {
  const stored = readText(KEY)
  await i18n
    .use({
      type: 'backend',
      init() {},
      read(lang: string, ns: string, done: (error: Error | null, value: Text | null) => void) {
        const load = files[`/src/i18n/${lang}/${ns}.json`]
        if (!load) return done(new Error(`no texts ${lang}/${ns}`), null)
        load().then(
          (texts) => done(null, texts),
          (error: Error) => done(error, null),
        )
      },
    })
    .use(initReactI18next)
    .init({
      lng: language ?? (isLang(stored) ? stored : 'de'),
      // both languages are complete (tested), so the second one is never loaded for a missing key
      fallbackLng: false,
      supportedLngs: languages as Lang[],
      ns: ['common'],
      defaultNS: 'common',
      interpolation: { escapeValue: false },
      returnNull: false,
    })
  // form of a name within a sentence: "3 article types"
  i18n.services.formatter?.add('inSentence', (name: string) => name.replace(/^\p{Lu}(?=\p{Ll})/u, (letter) => letter.toLowerCase()))
  document.documentElement.lang = i18n.language
}

export const languageIsChosen = () => readText(KEY) !== null

export const currentLanguage = (): Lang => (i18n.language === 'en' ? 'en' : 'de')

/** Last change of the language, finished or running. */
export let languageChange: Promise<void> = Promise.resolve()

/** Changes the language once its texts are loaded, unless another one has been chosen by then. */
export function changeLanguage(language: Lang): Promise<void> {
  const change: Promise<void> = loadLanguage(language, () => change === languageChange)
  languageChange = change
  return change
}

async function loadLanguage(language: Lang, isCurrent: () => boolean): Promise<void> {
  const usedNamespaces = Object.keys(i18n.getDataByLanguage(i18n.language) ?? {})
  // each call loads its own texts: `changeLanguage` of the library would treat texts still loading as loaded
  await i18n.reloadResources([language], usedNamespaces)
  if (!isCurrent()) return
  try {
    assertTexts(language, usedNamespaces)
  } catch (error) {
    // keeps the current language if the texts of the new one are missing
    return console.warn(error)
  }
  await i18n.changeLanguage(language)
  writeText(KEY, language)
  document.documentElement.lang = language
}

export async function loadTexts(...namespaces: Namespace[]): Promise<void> {
  await i18n.loadNamespaces(namespaces)
  assertTexts(i18n.language, namespaces)
}

/** Throws if texts are missing; the library would show their keys instead. */
function assertTexts(language: string, namespaces: readonly string[]): void {
  const missingNamespaces = namespaces.filter((ns) => !i18n.hasResourceBundle(language, ns))
  if (missingNamespaces.length > 0) throw new Error(`no texts ${language}/${missingNamespaces.join()}`)
}
