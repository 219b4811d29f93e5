import { reference } from '~/kit/records/reference'
import { warehouse } from './resource'

const PATH = '/api/admin/warehouses'
const FOUND = { search: 'search', sort: 'short_code' } as const

export const warehouseRef = reference(PATH, { ...FOUND, label: warehouse.title })

/** Warehouses of all tenants, each with the short code of its tenant. */
export const anyWarehouseRef = reference(PATH, { ...FOUND, label: (row) => `${row.tenant.short_code} · ${warehouse.title(row)}` })
