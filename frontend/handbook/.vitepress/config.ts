import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type DefaultTheme, defineConfig } from 'vitepress'
import { CHAPTERS, type Lang } from '../chapters.ts'

const docs = fileURLToPath(new URL('../../../docs/handbook', import.meta.url))

/** First heading of a page, its title in the navigation; `null` if there is no such page. */
function titleOf(lang: Lang, page: string): string | null {
  const path = `${docs}/${lang}/${page}.md`
  return existsSync(path) ? (/^# (.+)$/m.exec(readFileSync(path, 'utf8'))?.[1] ?? null) : null
}

const sidebar = (lang: Lang): DefaultTheme.SidebarItem[] =>
  CHAPTERS.map(({ title, pages }) => ({
    text: title[lang],
    items: pages.flatMap((page) => {
      const text = titleOf(lang, page)
      return text ? [{ text, link: `/${lang}/${page}` }] : []
    }),
  }))

const shared = (lang: Lang) => ({
  sidebar: sidebar(lang),
  siteTitle: lang === 'de' ? 'Stalhof-Handbuch' : 'Stalhof Handbook',
  logoLink: `/help/${lang}/`,
})

const german: DefaultTheme.Config = {
  ...shared('de'),
  outline: { label: 'Auf dieser Seite' },
  docFooter: { prev: 'Vorherige Seite', next: 'Nächste Seite' },
  sidebarMenuLabel: 'Inhalt',
  mobileMenuLabel: 'Menü',
  navMenuLabel: 'Hauptnavigation',
  extraMenuLabel: 'Mehr',
  returnToTopLabel: 'Nach oben',
  langMenuLabel: 'Sprache',
  skipToContentLabel: 'Zum Inhalt springen',
  notFound: {
    title: 'Seite nicht gefunden',
    quote: 'Unter dieser Adresse gibt es im Handbuch keine Seite. / There is no such page in the handbook.',
    linkLabel: 'Zum Inhalt des Handbuchs',
    linkText: 'Zum Handbuch / To the handbook',
    link: '/de/',
  } as DefaultTheme.NotFoundOptions,
}

const english: DefaultTheme.Config = {
  ...shared('en'),
  sidebarMenuLabel: 'Contents',
  mobileMenuLabel: 'Menu',
  navMenuLabel: 'Main navigation',
  extraMenuLabel: 'More',
  returnToTopLabel: 'Return to top',
  langMenuLabel: 'Language',
  skipToContentLabel: 'Skip to content',
  outline: { label: 'On this page' },
  docFooter: { prev: 'Previous page', next: 'Next page' },
}

/** English labels in components of the theme that no option replaces, and expressions in their place. */
const FIXED_LABELS = {
  VPSidebar: ['Sidebar Navigation', '{{ labels.sidebarMenuLabel }}'],
  VPDocFooter: ['Pager', '{{ labels.docFooter.prev }}, {{ labels.docFooter.next }}'],
  VPLocalSearchBox: ["'Loading search results'", "translate('button.buttonText')"],
} as const

/** Replaces labels of the theme that have no option; fails if a new version of the theme changes them. */
const translatedLabels = {
  name: 'translated-labels',
  enforce: 'pre' as const,
  transform(code: string, id: string) {
    const component = /([A-Za-z]+)\.vue$/.exec(id)?.[1] ?? ''
    if (!(component in FIXED_LABELS)) return null
    const [text, expression] = FIXED_LABELS[component as keyof typeof FIXED_LABELS]
    if (!code.includes(text)) throw new Error(`${component} has no label ${text}`)
    const setup = "<script setup>\nimport { useData as useLabels } from 'vitepress'\nconst { theme: labels } = useLabels()"
    return code.replace('<script setup>', setup).replace(text, expression)
  },
}

/** Resolves the imports of pages from here, because they are outside of the folder with the packages. */
const packagesOfPages = {
  name: 'packages-of-pages',
  enforce: 'pre' as const,
  resolveId(this: { resolve: (id: string, importer: string) => unknown }, id: string, importer?: string) {
    return /^vue(\/|$)/.test(id) && importer?.startsWith(docs) ? this.resolve(id, fileURLToPath(import.meta.url)) : null
  },
}

/** Handbook that the server embeds and serves under `/help`. Its pages are in `docs/handbook`. */
export default defineConfig({
  srcDir: docs,
  outDir: fileURLToPath(new URL('../../dist/help', import.meta.url)),
  cacheDir: fileURLToPath(new URL('../../node_modules/.cache/handbook', import.meta.url)),
  base: '/help/',
  cleanUrls: true,
  // site data in a file instead of an inline script, which the content security policy forbids
  metaChunk: true,
  // `init.js` follows the colour scheme of the interface
  appearance: false,
  lang: 'de',
  title: 'Stalhof',
  description: 'Stalhof',
  head: [
    ['link', { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' }],
    ['meta', { name: 'robots', content: 'noindex' }],
    ['meta', { name: 'color-scheme', content: 'light dark' }],
    ['script', { src: '/help/init.js' }],
  ],
  locales: {
    de: { label: 'Deutsch', lang: 'de', title: 'Stalhof-Handbuch', themeConfig: german },
    en: { label: 'English', lang: 'en', title: 'Stalhof Handbook', themeConfig: english },
  },
  themeConfig: {
    ...german,
    search: {
      provider: 'local',
      options: {
        locales: {
          de: {
            translations: {
              button: { buttonText: 'Suchen', buttonAriaLabel: 'Suchen' },
              modal: {
                displayDetails: 'Einzelheiten anzeigen',
                resetButtonTitle: 'Suche leeren',
                backButtonTitle: 'Suche schließen',
                noResultsText: 'Keine Treffer für',
                footer: {
                  selectText: 'öffnen',
                  selectKeyAriaLabel: 'Eingabetaste',
                  navigateText: 'auswählen',
                  navigateUpKeyAriaLabel: 'Pfeil nach oben',
                  navigateDownKeyAriaLabel: 'Pfeil nach unten',
                  closeText: 'schließen',
                  closeKeyAriaLabel: 'Escape',
                },
              },
            },
          },
        },
      },
    },
  },
  // removes inline scripts and styles, which the content security policy forbids; `init.js` and `style.css`
  // replace them
  transformHtml: (html) => html.replace(/<script id="check-mac-os">[^<]*<\/script>/, '').replaceAll(/(<[^>]*) style="[^"]*"/g, '$1'),
  markdown: {
    // German names of the links at headings; the theme's own are English in all languages
    config: (md) =>
      md.core.ruler.push('translated-permalinks', ({ env, tokens }) => {
        const links = env.localeIndex === 'de' ? tokens.flatMap(({ children }) => children ?? []) : []
        for (const link of links.filter((token) => token.attrGet('class') === 'header-anchor'))
          link.attrSet('aria-label', `Link zu ${link.attrGet('aria-label')?.replace(/.*“(.*)”/, '„$1“')}`)
      }),
  },
  vite: {
    plugins: [packagesOfPages, translatedLabels],
    publicDir: fileURLToPath(new URL('../public', import.meta.url)),
    build: { assetsInlineLimit: 0, chunkSizeWarningLimit: 700 },
  },
})
