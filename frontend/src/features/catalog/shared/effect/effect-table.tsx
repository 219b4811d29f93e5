import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import { styled } from '@mui/material/styles'
import { CircleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { ArticleChange, Unit } from '~/api/schema'
import { useUnitSymbols } from '~/api/units'
import { useFormat } from '~/i18n/use-format'
import { visuallyHidden } from '~/kit/ui/visually-hidden'
import { splitDifference } from './split-difference'

const Table = styled('table')(({ theme }) => {
  const { palette } = theme.vars ?? theme
  return {
    ...theme.typography.body2,
    width: '100%',
    borderCollapse: 'collapse',
    tableLayout: 'fixed',
    overflowWrap: 'anywhere',
    '& th': { textAlign: 'left', fontWeight: 600, color: palette.text.secondary },
    '& th, & td': { padding: '8px 12px', verticalAlign: 'top', borderBottom: `1px solid ${palette.divider}` },
    '& mark': {
      backgroundColor: palette.action.selected,
      color: 'inherit',
      borderRadius: 3,
      boxShadow: `inset 0 -2px ${palette.primary.main}`,
    },
    // on a phone the old value is above the new one
    [theme.breakpoints.down('sm')]: {
      '& thead': visuallyHidden,
      '& tr': { display: 'block', borderBottom: `1px solid ${palette.divider}`, padding: '8px 0' },
      '& td': { display: 'block', border: 0, padding: '2px 0' },
      '& td + td': { paddingLeft: 16, borderLeft: `3px solid ${palette.divider}` },
    },
  }
})

interface Props {
  changes: readonly ArticleChange[]
}

/** Articles with their old and new names, with differences marked; rejected ones have the reason. */
export function EffectTable({ changes }: Props) {
  const { t } = useTranslation('effect')
  return (
    <Box
      role="region"
      aria-label={t('list')}
      tabIndex={0}
      sx={{
        border: 1,
        borderColor: 'divider',
        borderRadius: 1,
        overflow: 'auto',
        flexShrink: 0,
        maxHeight: { sm: 420 },
        px: { xs: 1.5, sm: 0 },
      }}
    >
      <Table>
        <thead>
          <tr>
            <th scope="col">{t('before')}</th>
            <th scope="col">{t('after')}</th>
          </tr>
        </thead>
        <tbody>
          {changes.map((change) => (
            <tr key={change.article_id}>
              <td>
                <Link href={`/articles/${change.article_id}`} target="_blank" rel="noopener" sx={{ fontWeight: 550 }}>
                  {change.article_number}
                  <span style={visuallyHidden}> {t('newTab')}</span>
                </Link>
                <Box sx={{ color: 'text.secondary' }}>{change.article_name}</Box>
                <Weight weight={change.weight_per_base_unit} base={change.base_unit_of_measure} />
              </td>
              <td>
                {change.problem ? (
                  <Box sx={{ display: 'flex', gap: 1, color: 'error.main', '& svg': { flexShrink: 0, mt: '2px' } }}>
                    <CircleAlert size={16} aria-hidden />
                    {change.problem}
                  </Box>
                ) : null}
                {change.new_article_number !== null && (
                  <Box sx={{ fontWeight: 550 }}>
                    <MarkedDifference before={change.article_number} after={change.new_article_number} />
                  </Box>
                )}
                {change.new_article_name !== null && (
                  <Box sx={{ color: 'text.secondary' }}>
                    <MarkedDifference before={change.article_name} after={change.new_article_name} />
                  </Box>
                )}
                {!change.problem && (
                  <Weight
                    weight={change.new_weight_per_base_unit}
                    base={change.base_unit_of_measure}
                    before={change.weight_per_base_unit}
                  />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Box>
  )
}

function MarkedDifference({ before, after }: { before: string; after: string }) {
  const [head, middle, tail] = splitDifference(before, after)
  return (
    <>
      {head}
      {middle && <mark>{middle}</mark>}
      {tail}
    </>
  )
}

/** Weight, marked as a whole if it differs. */
function Weight({ weight, base, before = weight }: { weight: string | null; base: Unit; before?: string | null }) {
  const { t } = useTranslation('effect')
  const format = useFormat()
  const symbol = useUnitSymbols()
  const text = weight === null ? t('noWeight') : `${format.decimal(weight)}\u00a0kg/${symbol(base)}`
  return <Box sx={{ color: 'text.secondary' }}>{weight === before ? text : <mark>{text}</mark>}</Box>
}
