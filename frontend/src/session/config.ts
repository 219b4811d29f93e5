import { useQuery } from '@tanstack/react-query'
import { $api } from '~/api/client'
import { queryClient } from '~/api/query'
import type { Flags, ServerConfiguration } from '~/api/schema'

export type Flag = keyof Flags

/** Settings until the server's are loaded. */
export const DEFAULTS: ServerConfiguration = {
  shop_url: null,
  imprint_url: null,
  privacy_url: null,
  demo: false,
  demo_accounts: [],
  upload_max_mb: 50,
  time_zone: 'Europe/Berlin',
  flags: { processings: false, new_price_menu: true, price_adjustments: true, demo_pages: false },
  links: [],
}

export const configOptions = () =>
  $api.queryOptions('get', '/api/config', {}, { staleTime: Number.POSITIVE_INFINITY, meta: { fixed: true } })

export function useConfig(): ServerConfiguration {
  return useQuery(configOptions()).data ?? DEFAULTS
}

/** Time zone of the installation, for code outside of components. */
export const installationZone = (): string =>
  queryClient.getQueryData<ServerConfiguration>(configOptions().queryKey)?.time_zone ?? DEFAULTS.time_zone

/** True if the browser is in another time zone than the installation. */
export const isZoneForeign = (zone: string): boolean => zone !== Intl.DateTimeFormat().resolvedOptions().timeZone

/** True once the settings are loaded; before that it is unknown if an area with a flag exists. */
export const useConfigLoaded = (): boolean => !useQuery(configOptions()).isPending
