/** Text files, one line each, those of a resource in its `resource.ts`; unknown keys do not compile. */
export interface Texts {
  common: typeof import('./de/common.json')
  shell: typeof import('./de/shell.json')
  home: typeof import('./de/home.json')
  auth: typeof import('./de/auth.json')
  passwordReset: typeof import('./de/passwordReset.json')
  demoMails: typeof import('./de/demoMails.json')
  listTools: typeof import('./de/listTools.json')
  selection: typeof import('./de/selection.json')
  layout: typeof import('./de/layout.json')
  gallery: typeof import('./de/gallery.json')
  effect: typeof import('./de/effect.json')
  image: typeof import('./de/image.json')
  tree: typeof import('./de/tree.json')
  usage: typeof import('./de/usage.json')
  palette: typeof import('./de/palette.json')
  permissions: typeof import('./de/permissions.json')
  profile: typeof import('./de/profile.json')
  reorder: typeof import('./de/reorder.json')
  spreadsheet: typeof import('./de/spreadsheet.json')
  conflict: typeof import('./de/conflict.json')
  recordPage: typeof import('./de/recordPage.json')
  priceImpact: typeof import('./de/priceImpact.json')
  whyPrice: typeof import('./de/whyPrice.json')
  itinerary: typeof import('./de/itinerary.json')
  destination: typeof import('./de/destination.json')
}

/** Namespaces that name a kind of records in singular and plural. */
export type RecordNamespace = { [N in keyof Texts]: Texts[N] extends { title: { list: string } } ? N : never }[keyof Texts]

/**
 * Any namespace. `names` is generated from the titles in all files (`vite.config.ts`), so that the
 * navigation needs none of them.
 */
export type Namespace = keyof Texts | 'names'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common'
    resources: Texts & { names: { [N in RecordNamespace]: { one: string; list: string } } }
    returnNull: false
  }
}
