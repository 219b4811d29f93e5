import { zodResolver } from '@hookform/resolvers/zod'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import List from '@mui/material/List'
import ListItem from '@mui/material/ListItem'
import ListItemButton from '@mui/material/ListItemButton'
import ListItemText from '@mui/material/ListItemText'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { useId, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate, useParams } from 'react-router'
import { isApiError } from '~/api/errors'
import type { UnresolvedNumberDetail } from '~/api/schema'
import { articleRef } from '~/features/catalog/articles/ref'
import { importing } from '~/features/exchange/imports/resource'
import { matching } from '~/features/exchange/matchings/resource'
import { tenantRef } from '~/features/identity/tenants/ref'
import { warehouseRef } from '~/features/logistics/warehouses/ref'
import { useLabels } from '~/i18n/labels'
import { FormScopeContext } from '~/kit/form/form-context'
import { DrawerForm, DrawerFrame, FormSkeleton } from '~/kit/form/form-drawer'
import { RefField } from '~/kit/form/ref-field'
import { ShownReference } from '~/kit/form/shown-reference'
import { useSave } from '~/kit/form/use-save'
import { useServerErrors } from '~/kit/form/use-server-errors'
import { useAllowedOperations } from '~/kit/records/resources'
import { FormErrors } from '~/kit/ui/form-errors'
import { notify } from '~/kit/ui/snackbar'
import { useTenant } from '~/session/tenant'
import { unresolvedNumbers } from './api'
import { ReplayResult } from './replay-result'
import { emptyMatch, type MatchForm, matchSchema } from './schema'

/** Detail view of an unresolved number: its suggestions, and a form to match it. */
export default function UnresolvedNumberDetailView() {
  const { t } = useTranslation('unresolvedNumbers')
  const { t: common } = useTranslation()
  const id = Number(useParams().id)
  const isValidId = Number.isSafeInteger(id)
  const navigate = useNavigate()
  const { search } = useLocation()
  // once matched, the number no longer exists and must not be requested
  const [isSent, setIsSent] = useState(false)
  const [replays, setReplays] = useState<number[]>([])
  const { data: row, error } = useQuery({ ...unresolvedNumbers.one(id), enabled: isValidId && !isSent, retry: false })
  const isMissing = !isValidId || (isApiError(error) && error.status === 404)
  const close = () => void navigate({ pathname: '..', search }, { relative: 'path' })
  return (
    <DrawerFrame onClose={close}>
      {row && !isMissing ? (
        replays.length > 0 ? (
          <ReplayResult number={row.number} importIds={replays} onClose={close} />
        ) : (
          <Match row={row} onClose={close} onSent={setIsSent} onReplays={setReplays} />
        )
      ) : (
        <DrawerForm title={t('title.one')} onClose={close}>
          {isMissing ? (
            <Alert severity="info">{common('errors.recordGone')}</Alert>
          ) : error ? (
            <FormErrors error={error} />
          ) : (
            <FormSkeleton />
          )}
        </DrawerForm>
      )}
    </DrawerFrame>
  )
}

interface MatchProps {
  row: UnresolvedNumberDetail
  onClose: () => void
  /** Called with true when the match is being sent, and with false if it fails. */
  onSent: (isSent: boolean) => void
  /** Called with the imports that import the waiting rows. */
  onReplays: (imports: number[]) => void
}

function Match({ row, onClose, onSent, onReplays }: MatchProps) {
  const { t } = useTranslation('unresolvedNumbers')
  const labels = useLabels('unresolvedNumbers')
  const may = useAllowedOperations(matching).create
  const mayImport = useAllowedOperations(importing).create
  const { tenantId } = useTenant()
  const form = useForm<MatchForm, unknown, MatchForm>({
    resolver: zodResolver(matchSchema(row.kind) as never) as never,
    // for a tenant's number, preselect the tenant that the user acts for
    defaultValues: { ...emptyMatch, tenant_id: row.kind === 'tenant' ? tenantId : null },
    mode: 'onTouched',
  })
  const save = useSave({
    save(body: MatchForm) {
      onSent(true)
      return unresolvedNumbers.match(row.id, body).catch((error: unknown) => {
        onSent(false)
        throw error
      })
    },
    done({ imports }) {
      if (imports.length > 0) return onReplays(imports)
      notify.success(t('match.done', { number: row.number }))
      onClose()
    },
  })
  const error = useServerErrors(form, save.error)
  const submit = form.handleSubmit((body) => save.submit(body), save.reset)
  return (
    <FormScopeContext.Provider value={{ ns: 'unresolvedNumbers', readOnly: !may }}>
      <DrawerForm
        title={row.number}
        subtitle={row.designation || null}
        onClose={onClose}
        onSubmit={may ? () => void submit() : undefined}
        pending={save.pending}
        error={error}
        submitLabel={t('match.action')}
        note={may ? null : t('match.forbidden')}
      >
        <Typography variant="body2" color="textSecondary">
          {row.times > 0 ? t(`seen.${row.kind}`, { count: row.times }) : t(`candidate.${row.kind}`)}{' '}
          {row.waiting > 0 && t(mayImport ? 'waits' : 'waitsForOthers', { count: row.waiting })}
        </Typography>
        {row.suggestions.length > 0 && may && row.kind !== 'tenant' && <Suggestions row={row} form={form} />}
        {row.gtin !== '' && <Typography variant="body2">{t('gtin', { gtin: row.gtin })}</Typography>}
        {row.kind === 'article' && <RefField control={form.control} name="article_id" source={articleRef} required />}
        {row.kind === 'warehouse' && <RefField control={form.control} name="warehouse_id" source={warehouseRef} required />}
        {row.kind === 'tenant' && tenantId !== null && (
          <ShownReference label={labels.field('tenant_id')} source={tenantRef} id={tenantId} />
        )}
      </DrawerForm>
    </FormScopeContext.Provider>
  )
}

interface SuggestionsProps {
  row: UnresolvedNumberDetail
  form: ReturnType<typeof useForm<MatchForm, unknown, MatchForm>>
}

/** Suggestions for a number: one click selects one, another submits the match. */
function Suggestions({ row, form }: SuggestionsProps) {
  const { t } = useTranslation('unresolvedNumbers')
  const id = useId()
  const field = row.kind === 'article' ? 'article_id' : 'warehouse_id'
  const chosen = useWatch({ control: form.control, name: field })
  return (
    <Box>
      <Typography id={id} variant="subtitle2">
        {t('suggestions')}
      </Typography>
      <List dense aria-labelledby={id} sx={{ border: 1, borderColor: 'divider', borderRadius: 1, p: 0, mt: 1 }}>
        {row.suggestions.map((suggestion) => (
          <ListItem key={suggestion.id} disablePadding divider sx={{ '&:last-of-type': { borderBottom: 0 } }}>
            <ListItemButton
              selected={chosen === suggestion.id}
              aria-pressed={chosen === suggestion.id}
              onClick={() => form.setValue(field, suggestion.id, { shouldDirty: true, shouldValidate: true })}
            >
              <ListItemText
                primary={suggestion.name === suggestion.number ? suggestion.number : `${suggestion.number} · ${suggestion.name}`}
                secondary={t(`reasons.${suggestion.reason}`)}
                slotProps={{ primary: { sx: { overflowWrap: 'anywhere' } } }}
              />
              {chosen === suggestion.id && <Check size={18} aria-hidden />}
            </ListItemButton>
          </ListItem>
        ))}
      </List>
    </Box>
  )
}
