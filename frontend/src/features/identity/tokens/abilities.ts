import { type Ability, abilityValues, type Permission } from '~/api/schema'

export const abilities = abilityValues as unknown as readonly Ability[]

/** Permissions that the owner needs to give an ability to a token. */
export const REQUIRED_PERMISSIONS: Record<Ability, readonly Permission[]> = {
  'access-admin': ['access-admin'],
  'access-shop': ['access-shop'],
  'import-prices': ['access-admin', 'import.create', 'import.view', 'listing.create', 'listing.update'],
  'import-stocks': ['access-admin', 'import.create', 'import.view', 'stock.create', 'stock.update'],
  'import-replace': ['access-admin', 'import.create', 'import.view'],
  'listings:read': ['access-admin', 'listing.list', 'listing.view'],
  'stock:availability': ['access-admin', 'stock.list', 'stock.view'],
}

/** Key of an ability in translations, where a colon would separate namespaces. */
export const textKey = (ability: Ability) => ability.replace(':', '-') as 'access-admin'

/** Example call for trying a token. */
export function sampleCall(origin: string, token: string, tokenAbilities: readonly Ability[]): string {
  const curl = `curl -H 'Authorization: Bearer ${token}'`
  const upload = (type: string, file: string) => `${curl} -F type=${type} -F file=@${file} ${origin}/api/admin/imports`
  if (tokenAbilities.includes('access-admin')) return `${curl} '${origin}/api/admin/articles?page[size]=5'`
  if (tokenAbilities.includes('import-prices')) return upload('Price', 'preise.csv')
  if (tokenAbilities.includes('import-stocks')) return upload('Stock', 'bestand.csv')
  return `${curl} ${origin}/api/users/me`
}
