import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { RouteObject } from 'react-router'
import { expect, it } from 'vitest'
import { type Permission, permissionValues } from '~/api/schema'
import { currentItem, mayOpen, visibleMenu } from '~/kit/shell/menu'
import { area } from './area'
import { menu } from './menu'
import { resources } from './resources'
import { routes } from './router'

const features = join(import.meta.dirname, '../features')
const items = menu.flatMap((group) => group.items)
const paths = (list: RouteObject[], base = ''): string[] =>
  list.flatMap((route) => {
    const path = route.path ? `${base}/${route.path}` : base
    return [path, ...paths(route.children ?? [], path)]
  })
const all = [...routes, ...area]
const flags = { processings: true, new_price_menu: true, price_adjustments: true, demo_pages: true }

it('has a route for every entry', () => {
  expect(items.map((item) => item.path).filter((path) => !paths(all).includes(path))).toEqual([])
})

it("guards every route by an entry, its own or a parent's", () => {
  const open = [
    '/home',
    '/profile',
    '/login',
    '/forgot-password',
    '/check-mail',
    '/password-reset',
    '/verification',
    '/email-undo',
    '/*',
    '',
  ]
  const guarded = (path: string) => items.some((item) => path === item.path || path.startsWith(`${item.path}/`))
  expect(paths(all).filter((path) => !open.includes(path) && !guarded(path))).toEqual([])
})

it('requires list and view of each area, and further permissions of its resource', () => {
  for (const item of items.filter(({ anyOf }) => !anyOf)) {
    const alsoRequires: readonly string[] = resources.find(({ path }) => path === item.path)?.alsoRequires ?? []
    const areas = new Set(item.permissions.filter((name) => !alsoRequires.includes(name)).map((name) => name.split('.')[0]))
    expect([item.id, areas.size, item.permissions.length >= 1]).toEqual([item.id, 1, true])
    for (const name of item.permissions) expect(permissionValues).toContain(name)
  }
})

it('has every resource with a folder, each with unique names', () => {
  const folders = readdirSync(features, { recursive: true, encoding: 'utf8' })
    .filter((file) => basename(file) === 'resource.ts')
    .map((file) => basename(dirname(file)))
  expect(resources.map(({ apiPath }) => apiPath.replace('/api/admin/', '')).sort()).toEqual(folders.sort())
  // prices and those under review share their permissions
  for (const name of ['ns', 'path', 'apiPath', 'record'] as const) {
    // null for resources without a history of their own
    const words = resources.map((resource) => resource[name]).filter((word) => word !== null)
    expect([name, new Set(words).size]).toEqual([name, words.length])
  }
})

it('hides empty groups, and entries for which a permission is missing', () => {
  const viewer = { rights: new Set(['access-admin', 'material.list', 'material.view', 'attribute.list'] as const), flags, isOperator: true }
  const visibleIds = visibleMenu(menu, viewer).flatMap((group) => group.items.map((item) => item.id))
  expect(visibleIds).toEqual(['materials'])
  expect(visibleMenu(menu, { ...viewer, rights: new Set(['material.list', 'material.view'] as const) })).toEqual([])
})

it('shows the board of connections to users who may set up one of them', () => {
  const opens = (...rights: Permission[]) =>
    items.filter((item) => item.anyOf && mayOpen(item, { rights: new Set(rights), flags, isOperator: false }))
  expect(opens('configure-external-api').map(({ id }) => id)).toEqual(['feeds'])
  expect(opens('import.list')).toEqual([])
})

it('hides the operation of the installation from users of a tenant', () => {
  const viewer = { rights: new Set(['audit.view'] as const), flags }
  const opens = (isOperator: boolean) => items.filter((item) => item.operators && mayOpen(item, { ...viewer, isOperator }))
  expect([opens(true).map(({ id }) => id), opens(false)]).toEqual([['operation'], []])
})

it('finds the entry with the longest matching path', () => {
  expect(currentItem(menu, '/materials/5')?.item.id).toBe('materials')
  expect(currentItem(menu, '/materialsX')).toBeNull()
})
