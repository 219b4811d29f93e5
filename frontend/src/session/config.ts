import { useQuery } from '@tanstack/react-query'
import { $api } from '~/api/client'
import type { Configuration, Flags } from '~/api/schema'

export type Flag = keyof Flags

/** Settings as long as the server has not told others. */
export const DEFAULTS: Configuration = {
  shop_url: null,
  imprint_url: null,
  privacy_url: null,
  demo: false,
  demo_accounts: [],
  upload_max_mb: 50,
  time_zone: 'Europe/Berlin',
  flags: { processings: false, new_price_menu: true, price_adjustments: true, demo_pages: false },
}

export const configOptions = () =>
  $api.queryOptions('get', '/api/config', {}, { staleTime: Number.POSITIVE_INFINITY, meta: { fixed: true } })

export function useConfig(): Configuration {
  return useQuery(configOptions()).data ?? DEFAULTS
}

/** Until then nobody knows whether an area with a flag exists. */
export const useConfigKnown = (): boolean => !useQuery(configOptions()).isPending
