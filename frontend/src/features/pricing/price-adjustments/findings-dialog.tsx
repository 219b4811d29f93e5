import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import DialogContentText from '@mui/material/DialogContentText'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { type PriceAdjustmentFinding, type PriceAdjustmentFindings, priceAdjustmentFindingKindValues } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { DialogFrame } from '~/kit/ui/dialog-frame'
import { focusOnMount } from '~/kit/ui/focus-on-mount'
import { LoadFailed } from '~/kit/ui/load-failed'
import { Working } from '~/kit/ui/working'
import { priceAdjustments } from './api'
import { Finding } from './finding'

/** Findings about the adjustments, grouped by kind, each with a cart that shows it. */
export default function FindingsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['priceAdjustments', 'common'])
  const { data, error, isFetching, refetch } = useQuery(priceAdjustments.findings())
  return (
    <DialogFrame
      title={t('findings.title')}
      onClose={onClose}
      maxWidth="md"
      fullScreenOnPhone
      content={{ sx: { display: 'flex', flexDirection: 'column', gap: 2.5 }, tabIndex: 0 }}
      actions={
        <Button color="inherit" onClick={onClose} ref={focusOnMount}>
          {t('common:actions.close')}
        </Button>
      }
    >
      {data ? (
        <Findings findings={data} onLeave={onClose} />
      ) : error ? (
        <LoadFailed error={error} retry={() => void refetch()} pending={isFetching} />
      ) : (
        <Working>{t('findings.computing')}</Working>
      )}
    </DialogFrame>
  )
}

function Findings({ findings, onLeave }: { findings: PriceAdjustmentFindings; onLeave: () => void }) {
  const { t } = useTranslation('priceAdjustments')
  const { decimal } = useFormat()
  const kinds = priceAdjustmentFindingKindValues
    .map((kind) => ({ kind, rows: findings.data.filter((one) => one.kind === kind) }))
    .filter(({ rows }) => rows.length > 0)
  return (
    <>
      {findings.data.length === 0 && (
        <Box sx={{ display: 'flex', gap: 1, fontWeight: 550, '& svg': { color: 'success.main', flexShrink: 0, mt: '2px' } }}>
          <CircleCheck size={20} aria-hidden />
          {t('findings.none')}
        </Box>
      )}
      <DialogContentText>
        {t('findings.examined', { carts: decimal(findings.sample_carts), made: decimal(findings.made_carts) })}
        {!findings.complete && ` ${t('findings.incomplete')}`}
      </DialogContentText>
      {kinds.map(({ kind, rows }) => (
        <Kind key={kind} title={t(`findings.kinds.${kind}`)} rows={rows} onLeave={onLeave} />
      ))}
    </>
  )
}

function Kind({ title, rows, onLeave }: { title: string; rows: readonly PriceAdjustmentFinding[]; onLeave: () => void }) {
  const id = useId()
  const { decimal } = useFormat()
  return (
    <section aria-labelledby={id}>
      <Typography variant="h3" id={id}>
        {`${title} (${decimal(rows.length)})`}
      </Typography>
      <Box component="ul" sx={{ listStyle: 'none', m: 0, mt: 1, p: 0, display: 'grid', gap: 1 }}>
        {rows.map((one) => (
          <Finding key={[one.adjustment, ...one.others].map((each) => each.id).join()} finding={one} onLeave={onLeave} />
        ))}
      </Box>
    </section>
  )
}
