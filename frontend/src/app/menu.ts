import {
  Boxes,
  Building2,
  FileInput,
  FlaskConical,
  FolderTree,
  Handshake,
  History,
  KeyRound,
  Package,
  Ruler,
  RulerDimensionLine,
  Scissors,
  Shapes,
  UserCog,
  Users,
} from 'lucide-react'
import type { MenuGroup } from '~/kit/shell/menu'

/** Every area: what it is called, where it lies, who may see it. Navigation, guards and breadcrumbs read this. */
export const menu: readonly MenuGroup[] = [
  {
    id: 'masterData',
    permissions: ['access-admin'],
    items: [
      { id: 'attributes', type: 'item', path: '/attributes', icon: Ruler, permissions: ['attribute.list', 'attribute.view'] },
      { id: 'materials', type: 'item', path: '/materials', icon: FlaskConical, permissions: ['material.list', 'material.view'] },
      {
        id: 'tradeDimensions',
        type: 'item',
        path: '/tradeDimensions',
        icon: RulerDimensionLine,
        permissions: ['trade_dimension.list', 'trade_dimension.view'],
      },
      { id: 'articleTypes', type: 'item', path: '/articleTypes', icon: Shapes, permissions: ['article_type.list', 'article_type.view'] },
      {
        id: 'articleTypeGroups',
        type: 'item',
        path: '/article-type-groups',
        icon: Boxes,
        permissions: ['article-type-group.list', 'article-type-group.view'],
      },
      { id: 'articles', type: 'item', path: '/articles', icon: Package, permissions: ['article.list', 'article.view'] },
      {
        id: 'processings',
        type: 'item',
        path: '/processings',
        icon: Scissors,
        permissions: ['processing.list', 'processing.view'],
        flag: 'processings',
      },
      { id: 'categories', type: 'item', path: '/categories', icon: FolderTree, permissions: ['category.list', 'category.view'] },
      { id: 'tenants', type: 'item', path: '/tenants', icon: Building2, permissions: ['tenant.list', 'tenant.view'] },
      {
        id: 'tenantGroups',
        type: 'item',
        path: '/tenant-groups',
        icon: Handshake,
        permissions: ['tenant-group.list', 'tenant-group.view'],
      },
      { id: 'tokens', type: 'item', path: '/tokens', icon: KeyRound, permissions: ['token.list', 'token.view'] },
      { id: 'imports', type: 'item', path: '/imports', icon: FileInput, permissions: ['import.list', 'import.view'] },
    ],
  },
  {
    id: 'userManagement',
    permissions: ['access-admin'],
    items: [
      { id: 'users', type: 'item', path: '/users', icon: Users, permissions: ['user.list', 'user.view'] },
      { id: 'roles', type: 'item', path: '/roles', icon: UserCog, permissions: ['roles.list', 'roles.view'] },
      { id: 'audit', type: 'item', path: '/audit', icon: History, permissions: ['audit.list', 'audit.view'] },
    ],
  },
]
