import type { Permission } from '~/api/schema'
import { areas, completePermissions } from '~/features/shared/permissions/areas'

const all = (area: string): Permission[] => Object.values(areas.find((candidate) => candidate.area === area)?.verbs ?? {})

/** Permissions needed for the most frequent tasks of clerks. */
export const TASKS = {
  stocks: completePermissions(all('stock')),
  prices: completePermissions([...all('listing'), ...all('price_list'), 'warehouse.view']),
  viewer: completePermissions([
    'article.view',
    'article_type.view',
    'category.view',
    'listing.view',
    'material.view',
    'price_list.view',
    'stock.view',
    'warehouse.view',
  ]),
} satisfies Record<string, readonly Permission[]>

export type Task = keyof typeof TASKS

export const tasks = Object.keys(TASKS) as readonly Task[]
