import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Link from '@mui/material/Link'
import Typography from '@mui/material/Typography'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Check, PackagePlus } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink } from 'react-router'
import type { Meta } from '~/api/schema'
import articleTypes from '~/features/catalog/article-types/screens'
import articles from '~/features/catalog/articles/screens'
import attributes from '~/features/catalog/attributes/screens'
import materials from '~/features/catalog/materials/screens'
import tenants from '~/features/identity/tenants/screens'
import stocks from '~/features/logistics/stocks/screens'
import warehouses from '~/features/logistics/warehouses/screens'
import priceLists from '~/features/pricing/price-lists/screens'
import type { Resource } from '~/kit/records/resource'
import { applyChange, readListState } from '~/kit/table/list-state'
import { Card } from '~/kit/ui/card'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import { visuallyHidden } from '~/kit/ui/visually-hidden'
import { accessOf } from '~/session/access'
import { useMe, useRights } from '~/session/me'

/** Steps to set up an installation; each one needs those before it. */
const STEPS = [attributes, materials, articleTypes, articles, tenants]
/** Steps to set up a tenant. */
const TENANT_STEPS = [warehouses, stocks, priceLists]
/** Steps that imply the others. */
const LAST: readonly Resource[] = [articles, tenants, stocks, priceLists]
const CATALOGUE: readonly Resource[] = [attributes, materials, articleTypes]

const SteelCatalogueDialog = lazyWithTexts(() => import('./steel-catalogue'))

async function total({ api }: Resource, signal: AbortSignal): Promise<number> {
  const { spec, list } = await api()
  const { queryFn } = list(applyChange(spec, readListState(spec, ''), { size: 1 })) as {
    queryFn: (context: { signal: AbortSignal }) => Promise<{ meta: Meta }>
  }
  return (await queryFn({ signal })).meta.total
}

/** Query for the number of records of each step; null if no step is missing. */
const totals = (steps: readonly Resource[]) =>
  queryOptions({
    queryKey: ['get', 'first steps', ...steps.map(({ ns }) => ns)],
    async queryFn({ signal }) {
      const count = (group: readonly Resource[]) => Promise.all(group.map((step) => total(step, signal)))
      const last = await count(steps.filter((step) => LAST.includes(step)))
      return last.includes(0) ? count(steps) : null
    },
  })

/** First steps in an empty installation or an empty tenant; hidden as soon as it has data. */
export function FirstSteps() {
  const { t } = useTranslation('home')
  const me = useMe()
  const rights = useRights()
  const [filling, setFilling] = useState(false)
  const ofPlatform = me.tenant_id === null
  const steps = (ofPlatform ? STEPS : TENANT_STEPS).filter(
    ({ rights: area, owner }) => accessOf(me, rights, area, { platform: owner === 'platform' }).create,
  )
  const { data: counts } = useQuery({ ...totals(steps), enabled: steps.length > 0 })
  if (!counts) return null
  const fillsCatalogue = CATALOGUE.every((resource) => steps.some(({ ns }) => ns === resource.ns))
  const next = counts.indexOf(0)
  return (
    <Box sx={{ gridColumn: '1 / -1' }}>
      <Card
        title={t('steps.title')}
        intro={t(ofPlatform ? 'steps.intro' : 'steps.introTenant')}
        action={
          fillsCatalogue && (
            <Button size="small" variant="outlined" startIcon={<PackagePlus size={16} aria-hidden />} onClick={() => setFilling(true)}>
              {t('steel.open')}
            </Button>
          )
        }
      >
        <Box component="ol" sx={{ listStyle: 'none', m: 0, p: 0, display: 'grid', gap: 2 }}>
          {steps.map(({ ns, path }, at) => {
            const done = counts[at] !== 0
            return (
              <Box component="li" key={ns} aria-current={at === next ? 'step' : undefined} sx={{ display: 'flex', gap: 1.5 }}>
                <Box
                  aria-hidden
                  sx={{
                    display: 'grid',
                    placeItems: 'center',
                    flexShrink: 0,
                    width: 22,
                    height: 22,
                    border: 1,
                    borderRadius: '50%',
                    typography: 'caption',
                    color: done ? 'success.main' : at === next ? 'primary.main' : 'text.secondary',
                  }}
                >
                  {done ? <Check size={14} /> : at + 1}
                </Box>
                <Box sx={{ minWidth: 0 }}>
                  <Link
                    component={RouterLink}
                    to={done ? path : `${path}/new`}
                    variant="body2"
                    underline="hover"
                    sx={{ fontWeight: at === next ? 650 : 500 }}
                  >
                    {t(`steps.${ns}.title`)}
                  </Link>
                  {done && (
                    <Box component="span" sx={visuallyHidden}>
                      {t('steps.done')}
                    </Box>
                  )}
                  <Typography variant="caption" color="textSecondary" component="div">
                    {t(`steps.${ns}.why`)}
                  </Typography>
                </Box>
              </Box>
            )
          })}
        </Box>
      </Card>
      {filling && (
        <Suspense fallback={null}>
          <SteelCatalogueDialog onClose={() => setFilling(false)} />
        </Suspense>
      )}
    </Box>
  )
}
