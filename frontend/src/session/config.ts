import { useQuery } from '@tanstack/react-query'
import { $api } from '~/api/client'
import { queryClient } from '~/api/query'
import type { Flags, ServerConfiguration } from '~/api/schema'

export type Flag = keyof Flags

/** Settings as long as the server has not told others. */
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

/** The installation's time zone, for code that is no component. */
export const installationZone = (): string =>
  queryClient.getQueryData<ServerConfiguration>(configOptions().queryKey)?.time_zone ?? DEFAULTS.time_zone

/** True if the reader's clocks are not those of the installation. */
export const isZoneForeign = (zone: string): boolean => zone !== Intl.DateTimeFormat().resolvedOptions().timeZone

/** Until then nobody knows whether an area with a flag exists. */
export const useConfigKnown = (): boolean => !useQuery(configOptions()).isPending
