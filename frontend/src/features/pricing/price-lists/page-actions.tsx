import Button from '@mui/material/Button'
import { Archive, Calculator, CopyPlus, FileInput, GitBranchPlus } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { PriceList } from '~/api/schema'
import { importing } from '~/features/exchange/imports/resource'
import { impactOf } from '~/features/shared/price-impact/impact-calls'
import { useImpact, useMaySeeImpact } from '~/features/shared/price-impact/use-impact'
import { useAllowedOperations } from '~/kit/records/resources'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import { TENANT_PARAM, useTenant } from '~/session/tenant'
import { priceList } from './resource'
import { useArchive } from './use-archive'

const CopyDialog = lazyWithTexts(() => import('./copy-dialog'))

/** Actions of a list: copy, import, archive and delete. */
export function PageActions({ row }: { row: PriceList }) {
  const { t } = useTranslation('priceLists')
  const may = useAllowedOperations(priceList)
  const mayImport = useAllowedOperations(importing).create
  const { mayChoose } = useTenant()
  const archive = useArchive()
  const seesImpact = useMaySeeImpact('price_list') && row.own && row.status !== 'inactive'
  const [confirmImpact, dialog] = useImpact()
  const [copyKind, setCopyKind] = useState<'copy' | 'next' | null>(null)
  const mayWrite = may.update && row.writable && row.status !== 'inactive'
  return (
    <>
      {seesImpact && (
        <Button
          size="small"
          startIcon={<Calculator size={16} aria-hidden />}
          onClick={() => void confirmImpact({ changeKind: 'list', name: row.name, request: impactOf.list(row.id, {}) })}
        >
          {t('actions.impact')}
        </Button>
      )}
      {dialog}
      {mayImport && mayWrite && row.owner_tenant && (
        <Button
          size="small"
          startIcon={<FileInput size={16} aria-hidden />}
          component={Link}
          to={{
            pathname: `${importing.path}/new`,
            search: new URLSearchParams({
              priceList: String(row.id),
              ...(mayChoose && { [TENANT_PARAM]: String(row.owner_tenant.id) }),
            }).toString(),
          }}
        >
          {t('actions.import')}
        </Button>
      )}
      {may.create && row.own && (
        <Button size="small" startIcon={<CopyPlus size={16} aria-hidden />} onClick={() => setCopyKind('copy')}>
          {t('actions.duplicate')}
        </Button>
      )}
      {may.create && mayWrite && (
        <Button size="small" startIcon={<GitBranchPlus size={16} aria-hidden />} onClick={() => setCopyKind('next')}>
          {t('actions.newVersion')}
        </Button>
      )}
      {mayWrite && (
        <Button size="small" startIcon={<Archive size={16} aria-hidden />} onClick={() => void archive(row)}>
          {t('actions.archive')}
        </Button>
      )}
      {copyKind && (
        <Suspense fallback={null}>
          <CopyDialog row={row} next={copyKind === 'next'} onClose={() => setCopyKind(null)} />
        </Suspense>
      )}
    </>
  )
}
