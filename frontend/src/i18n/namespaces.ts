import type articles from './de/articles.json'
import type articleTypeGroups from './de/articleTypeGroups.json'
import type articleTypes from './de/articleTypes.json'
import type attributes from './de/attributes.json'
import type audit from './de/audit.json'
import type auth from './de/auth.json'
import type categories from './de/categories.json'
import type common from './de/common.json'
import type conflict from './de/conflict.json'
import type demoMails from './de/demoMails.json'
import type image from './de/image.json'
import type imports from './de/imports.json'
import type layout from './de/layout.json'
import type listTools from './de/listTools.json'
import type matchings from './de/matchings.json'
import type materials from './de/materials.json'
import type palette from './de/palette.json'
import type passwordReset from './de/passwordReset.json'
import type permissions from './de/permissions.json'
import type processings from './de/processings.json'
import type profile from './de/profile.json'
import type reorder from './de/reorder.json'
import type roles from './de/roles.json'
import type selection from './de/selection.json'
import type shell from './de/shell.json'
import type tenantGroups from './de/tenantGroups.json'
import type tenants from './de/tenants.json'
import type tokens from './de/tokens.json'
import type tradeDimensions from './de/tradeDimensions.json'
import type tree from './de/tree.json'
import type usage from './de/usage.json'
import type users from './de/users.json'
import type warehouses from './de/warehouses.json'

/** One line for each file of texts; wrong keys then do not compile. */
export interface Texts {
  common: typeof common
  audit: typeof audit
  shell: typeof shell
  auth: typeof auth
  passwordReset: typeof passwordReset
  demoMails: typeof demoMails
  listTools: typeof listTools
  selection: typeof selection
  layout: typeof layout
  materials: typeof materials
  attributes: typeof attributes
  imports: typeof imports
  articleTypes: typeof articleTypes
  articles: typeof articles
  articleTypeGroups: typeof articleTypeGroups
  processings: typeof processings
  categories: typeof categories
  image: typeof image
  tree: typeof tree
  usage: typeof usage
  users: typeof users
  palette: typeof palette
  permissions: typeof permissions
  roles: typeof roles
  tenants: typeof tenants
  tenantGroups: typeof tenantGroups
  tokens: typeof tokens
  profile: typeof profile
  reorder: typeof reorder
  conflict: typeof conflict
  tradeDimensions: typeof tradeDimensions
  warehouses: typeof warehouses
  matchings: typeof matchings
}

export type Namespace = keyof Texts

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common'
    resources: Texts
    returnNull: false
  }
}
