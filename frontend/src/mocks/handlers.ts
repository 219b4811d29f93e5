import type { RequestHandler } from 'msw'
import { account } from './account'
import { articles } from './articles'
import { availability } from './availability'
import { categories } from './categories'
import type { Db } from './db'
import { externalApis } from './external-apis'
import { feeds } from './feeds'
import { ftpSettings } from './ftp-settings'
import { imports } from './imports'
import { itineraries } from './itineraries'
import { masterData } from './master-data'
import { matchings } from './matchings'
import { operation } from './operation'
import { savedViews } from './saved-views'
import { search } from './search'
import { mock } from './server'
import { shipping } from './shipping'
import { tenants } from './tenants'
import { tokens } from './tokens'
import { warehouses } from './warehouses'
import { webhooks } from './webhooks'

/** Handlers for all requests of the screens, over rows in memory. */
export function createHandlers(db: Db): RequestHandler[] {
  const parts = [
    account,
    tenants,
    tokens,
    imports,
    ftpSettings,
    externalApis,
    feeds,
    operation,
    webhooks,
    savedViews,
    search,
    masterData,
    categories,
    articles,
    warehouses,
    availability,
    shipping,
    itineraries,
    matchings,
  ]
  return parts.flatMap((part) => part(mock(db)))
}
