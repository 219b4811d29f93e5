import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ImportType } from '~/api/schema'
import { BusyButton } from '~/kit/ui/busy-button'
import { FormErrors } from '~/kit/ui/form-errors'
import { LoadFailed } from '~/kit/ui/load-failed'
import { Working } from '~/kit/ui/working'
import { imports } from './api'

/** Template files, and a list of the columns that a file may have. */
export function TemplateFiles({ type, tenantId }: { type: ImportType; tenantId: number }) {
  const { t } = useTranslation('imports')
  const [open, setOpen] = useState(false)
  const id = useId()
  const save = useMutation({ mutationFn: (format: 'csv' | 'xlsx') => imports.template(type, format, tenantId) })
  const saving = save.isPending ? save.variables : null
  return (
    <Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
        {(['csv', 'xlsx'] as const).map((format) => (
          <BusyButton
            key={format}
            size="small"
            variant="outlined"
            color="inherit"
            startIcon={<Download size={16} />}
            busy={saving === format}
            onClick={() => save.mutate(format)}
          >
            {t(`templates.${format}`)}
          </BusyButton>
        ))}
        <Button size="small" color="inherit" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
          {t('templates.columns')}
        </Button>
      </Box>
      <FormErrors error={save.error} />
      <div id={id}>{open && <Fields type={type} />}</div>
    </Box>
  )
}

function Fields({ type }: { type: ImportType }) {
  const { t } = useTranslation('imports')
  const { data, error, refetch } = useQuery(imports.columns(type))
  if (error) return <LoadFailed error={error} retry={() => void refetch()} />
  if (!data) return <Working>{t('templates.loading')}</Working>
  const isRequired = (key: string) => data.required.some((group) => group.includes(key))
  return (
    <Box
      component="dl"
      sx={{ m: 0, mt: 1.5, maxHeight: 260, overflowY: 'auto', typography: 'body2' }}
      tabIndex={0}
      aria-label={t('templates.columns')}
    >
      {data.fields.map(({ key, label, help, synonyms }) => (
        <Box key={key} sx={{ mb: 0.75 }}>
          <Box component="dt" sx={{ fontWeight: 600 }}>
            {label}
            {isRequired(key) && ' *'}
          </Box>
          <Box component="dd" sx={{ m: 0, color: 'text.secondary' }}>
            {[help, synonyms.length > 0 && t('templates.also', { names: synonyms.join(', ') })].filter(Boolean).join(' · ')}
          </Box>
        </Box>
      ))}
      <Box component="dt" sx={{ color: 'text.secondary' }}>
        {t('templates.needed')}
      </Box>
    </Box>
  )
}
