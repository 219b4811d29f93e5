import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { CornerDownRight } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { $api } from '~/api/client'
import { useFormat } from '~/i18n/use-format'
import type { PaletteGroup, PaletteItem } from '~/kit/palette/palette-dialog'
import type { Resource } from '~/kit/records/resource'
import { useResourceNames } from '~/kit/records/resources'
import { useErrorText } from '~/kit/ui/error-text'
import { fold } from '~/lib/fold'
import { useDebounced } from '~/lib/use-debounced'
import { useTenant } from '~/session/tenant'
import { useNavigateWithTenant, usePathItem } from './palette-go'

const SEARCHED_FROM = 2

/** Debounced search text, and if it is long enough to search. */
export function useSearchTerm(typed: string) {
  const search = useDebounced(typed, 250)
  return { search, searching: typed.length >= SEARCHED_FROM && search.length >= SEARCHED_FROM }
}

interface MatchingRecords {
  /** Records with exactly the typed name. */
  exact: PaletteGroup[]
  others: PaletteGroup[]
}

/** Records of each resource that match, best first. */
export function useMatchingRecords(openableResources: readonly Resource[], typed: string): MatchingRecords {
  const { t } = useTranslation('palette')
  const names = useResourceNames()
  const format = useFormat()
  const errorText = useErrorText()
  const pathItem = usePathItem()
  const navigateTo = useNavigateWithTenant()
  const { tenantId } = useTenant()
  const { search, searching } = useSearchTerm(typed)
  const query = { q: search, ...(tenantId !== null && { tenant_id: tenantId }) }
  const searchOptions = $api.queryOptions('get', '/api/admin/search', { params: { query } })
  const { data, error, isFetching } = useQuery({ ...searchOptions, enabled: searching, retry: false, placeholderData: keepPreviousData })
  if (!searching) return { exact: [], others: [] }
  const loading = isFetching || search !== typed

  const groups = (data?.data ?? []).flatMap(({ resource, records, total }): PaletteGroup[] => {
    const area = openableResources.find(({ apiPath }) => apiPath === `/api/admin/${resource.replaceAll('_', '-')}`)
    // records that cannot be opened are not offered
    if (!area?.form) return []
    const { ns, path, icon, api } = area
    const title = names.many(ns)
    const items: PaletteItem[] = records.map(({ id, name, detail }) =>
      pathItem({ id: `${ns}.${id}`, label: name, detail: detail ?? undefined, icon }, `${path}/${id}`),
    )
    if (total > records.length) {
      items.push({
        id: `all.${ns}`,
        label: t('all', { total: format.decimal(total), area: title }),
        icon: CornerDownRight,
        isTransient: true,
        run: () => void api().then(({ spec }) => navigateTo(path, spec.search ? { [spec.search]: search } : {})),
      })
    }
    return [{ id: ns, title, items, loading }]
  })
  if (error || groups.length === 0) {
    return { exact: [], others: [{ id: 'records', title: t('results'), items: [], loading, error: error && errorText(error) }] }
  }
  const foldedQuery = fold(typed)
  const isExact = ({ items }: PaletteGroup) =>
    items.some(({ label, detail }) => [label, detail].some((text) => text && fold(text) === foldedQuery))
  return { exact: groups.filter(isExact), others: groups.filter((group) => !isExact(group)) }
}
