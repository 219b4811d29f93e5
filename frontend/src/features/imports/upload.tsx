import { zodResolver } from '@hookform/resolvers/zod'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import LinearProgress from '@mui/material/LinearProgress'
import Typography from '@mui/material/Typography'
import { useQueryClient } from '@tanstack/react-query'
import { Building2 } from 'lucide-react'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { isApiError } from '~/api/errors'
import { type Import, type ImportStrategy, type ImportType, importStrategyValues, importTypeValues } from '~/api/schema'
import { tenantRef } from '~/features/tenants/ref'
import { useLabels } from '~/i18n/labels'
import { useFormat } from '~/i18n/use-format'
import { EmptyState } from '~/kit/feedback/empty-state'
import { TenantSelect } from '~/kit/feedback/tenant-select'
import { CheckField, EnumField, TextField } from '~/kit/form/fields'
import { FileField } from '~/kit/form/file-field'
import { FormScopeContext } from '~/kit/form/form-context'
import { DrawerForm, DrawerFrame } from '~/kit/form/form-drawer'
import { ShownReference } from '~/kit/form/shown-reference'
import { useLeaveGuard } from '~/kit/form/use-leave-guard'
import { useSave } from '~/kit/form/use-save'
import { useServerErrors } from '~/kit/form/use-server-errors'
import { useConfig } from '~/session/config'
import { useTenant } from '~/session/tenant'
import { type ImportForm, imports } from './api'
import { spokenName } from './import-name'
import { endings, useImportable } from './may-import'
import { importSchema } from './schema'
import { seenWaiting } from './seen-waiting'

/** Of these a file can name all that there is. */
const REPLACEABLE: readonly ImportType[] = ['Listing', 'Price', 'Stock', 'Matching']

export default function UploadImport() {
  const { t } = useTranslation('imports')
  const { t: common } = useTranslation()
  const navigate = useNavigate()
  const { search } = useLocation()
  const { tenantId } = useTenant()
  const [first, ...others] = useImportable()
  const close = () => void navigate({ pathname: '..', search }, { relative: 'path' })
  return (
    <DrawerFrame onClose={close}>
      {!first ? (
        <DrawerForm title={t('title.new')} onClose={close}>
          <Alert severity="info">{common('errors.forbidden')}</Alert>
        </DrawerForm>
      ) : tenantId === null ? (
        <DrawerForm title={t('title.new')} onClose={close}>
          <EmptyState icon={Building2} title={t('tenant.title')} action={<TenantSelect tenants={tenantRef} />}>
            {t('tenant.body')}
          </EmptyState>
        </DrawerForm>
      ) : (
        <UploadForm tenantId={tenantId} importable={[first, ...others]} close={close} />
      )}
    </DrawerFrame>
  )
}

/** What a corrected file takes over from the import that it corrects. */
interface Correction {
  type?: ImportType
  name?: string | null
}

interface UploadProps {
  tenantId: number
  importable: [ImportType, ...ImportType[]]
  close: () => void
}

function UploadForm({ tenantId, importable, close }: UploadProps) {
  const { t } = useTranslation('imports')
  const labels = useLabels('imports')
  const navigate = useNavigate()
  const { search, state } = useLocation() as { search: string; state: Correction | null }
  const { upload_max_mb } = useConfig()
  const { mayChoose } = useTenant()
  const queries = useQueryClient()
  const [share, setShare] = useState(0)
  const sending = useRef<AbortController | null>(null)
  const form = useForm({
    resolver: useMemo(() => zodResolver(importSchema(upload_max_mb)), [upload_max_mb]),
    defaultValues: {
      file: null as File | null,
      type: state?.type ?? importable[0],
      name: state?.name ?? '',
      dry_run: false,
      strategy: 'add_and_replace' as ImportStrategy,
    },
    mode: 'onTouched',
  })
  const guard = useLeaveGuard(form.formState.isDirty)
  const save = useSave<ImportForm, Import>({
    save(body) {
      setShare(0)
      sending.current = new AbortController()
      return imports.create({ ...body, dry_run: body.dry_run || body.strategy === 'replace_all' }, tenantId, {
        onProgress: setShare,
        signal: sending.current.signal,
      })
    },
    message: (row) => t(row.dry_run ? 'messages.dryQueued' : 'messages.queued', { name: spokenName(row) }),
    done(row) {
      guard.release()
      seenWaiting(queries, row)
      void navigate({ pathname: `../${row.id}`, search }, { relative: 'path', replace: true })
    },
  })
  useServerErrors(form, save.error)
  const control = form.control
  const [type, strategy] = useWatch({ control, name: ['type', 'strategy'] })
  // what goes is named before it goes
  const tried = strategy === 'replace_all'
  return (
    <FormScopeContext.Provider value={useMemo(() => ({ ns: 'imports', readOnly: false }), [])}>
      <DrawerForm
        title={t('title.new')}
        onClose={close}
        onSubmit={() => void form.handleSubmit((body) => save.submit(body), save.reset)()}
        pending={save.pending}
        error={isApiError(save.error) && save.error.kind === 'aborted' ? null : save.error}
        submitLabel={t('actions.upload')}
      >
        {state && (
          <Alert severity="info" role="note">
            {t('correction')}
          </Alert>
        )}
        {mayChoose && <ShownReference label={labels.field('tenant')} source={tenantRef} id={tenantId} />}
        <EnumField
          control={control}
          name="type"
          required
          values={importTypeValues}
          help={type === 'ExternalApiMetaData' ? t(`columns.${type}`) : `${t(`columns.${type}`)} ${t('columns.empty')}`}
          blocked={(type) => (importable.some((mine) => mine === type) ? null : t('notAllowed'))}
        />
        <FileField
          control={control}
          name="file"
          required
          accept={endings(type)}
          help={t(type === 'ExternalApiMetaData' ? 'help.document' : 'help.file', { max: upload_max_mb })}
        />
        <TextField control={control} name="name" max={255} />
        <EnumField
          control={control}
          name="strategy"
          required
          values={importStrategyValues}
          help={t(`strategies.${strategy}`)}
          blocked={(wanted) => (wanted === 'replace_all' && !REPLACEABLE.includes(type) ? t('notReplaceable') : null)}
        />
        {tried ? (
          <Alert severity="warning" role="note">
            {t('triedFirst')}
          </Alert>
        ) : (
          <CheckField control={control} name="dry_run" />
        )}
        {save.pending && <Sending share={share} onCancel={() => sending.current?.abort()} />}
      </DrawerForm>
    </FormScopeContext.Provider>
  )
}

/** How much is on its way; what has arrived whole can no longer be held back here. */
function Sending({ share, onCancel }: { share: number; onCancel: () => void }): ReactNode {
  const { t } = useTranslation('imports')
  const format = useFormat()
  const percent = Math.round(share * 100)
  return (
    <Box>
      <LinearProgress
        aria-label={t('sending.label')}
        sx={{ borderRadius: 2 }}
        {...(percent < 100 ? { variant: 'determinate', value: percent } : {})}
      />
      <Box sx={{ display: 'flex', alignItems: 'center', justifyContent: 'space-between', mt: 1 }}>
        <Typography variant="body2" color="textSecondary">
          {percent < 100 ? t('sending.percent', { percent: format.decimal(percent) }) : t('sending.checking')}
        </Typography>
        <Button size="small" color="inherit" onClick={onCancel}>
          {t('sending.cancel')}
        </Button>
      </Box>
    </Box>
  )
}
