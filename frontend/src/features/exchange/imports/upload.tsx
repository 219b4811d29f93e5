import { zodResolver } from '@hookform/resolvers/zod'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import LinearProgress from '@mui/material/LinearProgress'
import Typography from '@mui/material/Typography'
import { useQueryClient } from '@tanstack/react-query'
import { ArrowLeft, Building2 } from 'lucide-react'
import { type ReactNode, Suspense, useMemo, useRef, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { ApiError, isApiError } from '~/api/errors'
import {
  type Import,
  type ImportProfile,
  type ImportReplaceScope,
  type ImportSettings,
  type ImportStrategy,
  type ImportType,
  importReplaceScopeValues,
  importStrategyValues,
  importTypeValues,
} from '~/api/schema'
import { ProfileField } from '~/features/exchange/import-profiles/profile-field'
import { columnErrors, columnFields, findings, mappingOf } from '~/features/exchange/shared/mapping'
import { settingsOf } from '~/features/exchange/shared/settings'
import { isReadable, readableFormat, useInspection } from '~/features/exchange/shared/use-inspection'
import { tenantRef } from '~/features/identity/tenants/ref'
import { priceListRef } from '~/features/pricing/price-lists/ref'
import { priceList } from '~/features/pricing/price-lists/resource'
import { useLabels } from '~/i18n/labels'
import { useFormat } from '~/i18n/use-format'
import { CheckField, EnumField, TextField } from '~/kit/form/fields'
import { FileField } from '~/kit/form/file-field'
import { FormScopeContext } from '~/kit/form/form-context'
import { DrawerForm, DrawerFrame, FormSkeleton } from '~/kit/form/form-drawer'
import { RefField } from '~/kit/form/ref-field'
import { ShownReference } from '~/kit/form/shown-reference'
import { useLeaveGuard } from '~/kit/form/use-leave-guard'
import { useSave } from '~/kit/form/use-save'
import { useServerErrors } from '~/kit/form/use-server-errors'
import { TenantSelect } from '~/kit/shell/tenant-select'
import { EmptyState } from '~/kit/ui/empty-state'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import { Working } from '~/kit/ui/working'
import { useConfig } from '~/session/config'
import { keepTenant, useTenant } from '~/session/tenant'
import { imports, type MappedImport } from './api'
import { cacheQueuedImport } from './cache-queued-import'
import { fillableLists } from './fillable-lists'
import { spokenName } from './import-name'
import { listOf } from './list-address'
import {
  endings,
  holdsTable,
  isDeletion,
  isInWarehouses,
  isOfList,
  REPLACEABLE,
  useImportable,
  useMayImport,
  useMayReplace,
} from './may-import'
import { importSchema } from './schema'
import { TemplateFiles } from './templates'
import { useConfirmApply } from './use-confirm-apply'
import { removesSome } from './use-confirm-removals'

const FetchInPlaceOfFile = lazyWithTexts(() => import('~/features/exchange/external-apis/fetch-lists'), 'externalApis')
const ColumnsStep = lazyWithTexts(() => import('~/features/exchange/shared/columns-step'))
const SaveProfileDialog = lazyWithTexts(() => import('~/features/exchange/import-profiles/save-dialog'))
const PreviewStep = lazyWithTexts(() => import('./preview-step'))

export default function UploadImport() {
  const { t } = useTranslation('imports')
  const { t: common } = useTranslation()
  const navigate = useNavigate()
  const { search } = useLocation()
  const { tenantId } = useTenant()
  const list = listOf(search)
  const mayFill = useMayImport('PriceList')
  const mine = useImportable()
  const [first, ...others] = list === null ? mine : mayFill ? (['PriceList'] as const) : []
  // back to the page that the user came from
  const to = list === null ? '..' : `${priceList.path}/${list}/prices`
  const close = () => void navigate({ pathname: to, search: list === null ? search : keepTenant(search) }, { relative: 'path' })
  return (
    <DrawerFrame width="md" onClose={close}>
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
        <UploadForm tenantId={tenantId} list={list} importable={[first, ...others]} close={close} />
      )}
    </DrawerFrame>
  )
}

/** Values that a corrected file takes from the import that it corrects. */
interface Correction {
  type?: ImportType
  name?: string | null
}

interface UploadProps {
  tenantId: number
  /** Price list from whose page the user came. */
  list: number | null
  importable: [ImportType, ...ImportType[]]
  close: () => void
}

const withoutSums = ({ sum_rows: _, ...rest }: ImportSettings): ImportSettings => rest

/** Contents of a profile; whatever is not chosen is recognised from each file. */
const saveable = ({ mapping, settings }: Pick<MappedImport, 'mapping' | 'settings'>) => ({
  mapping: mapping ?? [],
  settings: settings ?? {},
})

const STEPS = ['content', 'file', 'columns', 'preview'] as const

function UploadForm({ tenantId, list, importable, close }: UploadProps) {
  const { t } = useTranslation('imports')
  const { t: profiles } = useTranslation('importProfiles')
  const labels = useLabels('imports')
  const navigate = useNavigate()
  const { search, state } = useLocation() as { search: string; state: Correction | null }
  const { upload_max_mb } = useConfig()
  const { mayChoose } = useTenant()
  const queries = useQueryClient()
  const [share, setShare] = useState(0)
  const sending = useRef<AbortController | null>(null)
  const inspection = useInspection(tenantId)
  const [confirmApply, applyDialog] = useConfirmApply()
  const mayReplace = useMayReplace()
  /** Dry run that is shown, with its result once it has ended. */
  const [dryRun, setDryRun] = useState<{ id: number; row: Import | null } | null>(null)
  const form = useForm({
    resolver: useMemo(() => zodResolver(importSchema(upload_max_mb)), [upload_max_mb]),
    defaultValues: {
      file: null as File | null,
      type: list === null ? (state?.type ?? importable[0]) : importable[0],
      price_list_id: list,
      name: state?.name ?? '',
      dry_run: false,
      skip_hidden_rows: false,
      strategy: 'add_and_replace' as ImportStrategy,
      replace_scope: 'named_warehouses' as ImportReplaceScope,
    },
    mode: 'onTouched',
  })
  const guard = useLeaveGuard(form.formState.isDirty)
  const control = form.control
  const [file, type, strategy, scope, priceListId] = useWatch({
    control,
    name: ['file', 'type', 'strategy', 'replace_scope', 'price_list_id'],
  })
  const { result, current, choices, units, reading, constants } = inspection
  const table = holdsTable(type)
  const lists = useMemo(() => fillableLists(tenantId), [tenantId])
  const mappingFindings = result ? findings(result, choices, units, constants) : null
  const blocked =
    table &&
    mappingFindings !== null &&
    (!current || mappingFindings.missing.length > 0 || mappingFindings.duplicates.size > 0 || mappingFindings.refused.size > 0)

  const [profile, setProfile] = useState<number | null>(null)
  // a profile that was renamed after the file was inspected with it
  const [renamed, setRenamed] = useState<ImportProfile | null>(null)
  const [saving, setSaving] = useState(false)
  const [attempts, setAttempts] = useState(0)
  const inspectFile = (file: File | null, type: ImportType, listId: number | null, profileId = profile) => {
    setDryRun(null)
    save.reset()
    // clears the error of a failed inspection; one of the chosen file itself stays
    if (form.getFieldState('file').error?.type === 'server') form.clearErrors('file')
    form.setValue('skip_hidden_rows', false)
    const isReadyForList = !isOfList(type) || listId !== null
    inspection.inspectFile(isReadyForList && file && file.size <= upload_max_mb * 1024 ** 2 ? file : null, type, listId, profileId)
  }
  /** Selects a type and clears the price list and the profile, which belong to one type only. */
  const pickType = (type: ImportType) => {
    const listId = isOfList(type) ? priceListId : null
    if (listId !== priceListId) form.setValue('price_list_id', listId)
    if (isDeletion(type)) form.setValue('strategy', 'add_and_replace')
    pickProfile(null, type, listId)
  }
  /** Selects a profile and inspects the file with it. */
  const pickProfile = (id: number | null, importType = type, list = priceListId) => {
    setProfile(id)
    inspectFile(file, importType, list, id)
  }
  /** Mapping and settings as currently chosen. */
  const chosen = () => ({
    mapping: current && table ? mappingOf(current, choices, units) : null,
    settings: current && table ? settingsOf(current, columnFields(current.columns, choices), reading, constants) : null,
  })
  /** Reads the file with other settings. */
  const readAgain = (reading: ImportSettings) => {
    save.reset()
    inspection.read(reading)
  }
  const openImport = (row: Import) => {
    guard.release()
    cacheQueuedImport(queries, row)
    void navigate({ pathname: `../${row.id}`, search: list === null ? search : keepTenant(search) }, { relative: 'path', replace: true })
  }
  const save = useSave<MappedImport, Import>({
    async save(body) {
      setShare(0)
      if (!(await isReadable(body.file))) throw new ApiError({ message: t('wizard.changed'), fields: { file: [t('wizard.changed')] } })
      sending.current = new AbortController()
      return imports.create(body, tenantId, {
        onProgress: setShare,
        signal: sending.current.signal,
      })
    },
    startsJob: true,
    message: (row) => t(row.dry_run ? 'messages.dryQueued' : 'messages.queued', { name: spokenName(row) }),
    done(row) {
      if (!row.dry_run) return openImport(row)
      cacheQueuedImport(queries, row)
      setDryRun({ id: row.id, row: null })
    },
  })
  const apply = useSave<Import, Import>({
    save: imports.apply,
    message: (row) => t('messages.applied', { name: spokenName(row) }),
    done: openImport,
  })
  const applyIfConfirmed = async (row: Import) => {
    if (await confirmApply(row)) apply.submit(row)
  }
  const saveError = useServerErrors(form, save.error)
  const format = readableFormat(inspection.error, type)
  const inspectionError = useServerErrors(form, format || result ? null : inspection.error)
  const send = (dry_run: boolean) =>
    void form.handleSubmit((body) => {
      if (blocked) setAttempts((before) => before + 1)
      else save.submit({ ...body, dry_run, ...chosen(), price_format: inspection.format })
    }, save.reset)()
  const columnProblems = isApiError(save.error) ? columnErrors(save.error.fields, result, choices) : {}

  // removals and changes of list prices are always previewed first
  const needsDryRun = strategy === 'replace_all' || isOfList(type)
  const step = dryRun ? 'preview' : result ? 'columns' : file ? 'file' : 'content'
  const finishedDryRun = dryRun?.row && (dryRun.row.status === 'Success' || dryRun.row.status === 'PartialSuccess') ? dryRun.row : null
  // while the inspection is running nothing can be submitted, since its columns are not known yet
  const pending = save.pending || apply.pending || inspection.pending
  const isUnreadable = table && inspection.error !== null && !result
  const error = apply.error ?? saveError ?? inspectionError
  return (
    <FormScopeContext.Provider value={useMemo(() => ({ ns: 'imports', readOnly: false }), [])}>
      <DrawerForm
        title={t('title.new')}
        onClose={close}
        onSubmit={dryRun ? (finishedDryRun ? () => void applyIfConfirmed(finishedDryRun) : undefined) : () => send(needsDryRun)}
        destructive={finishedDryRun !== null && removesSome(finishedDryRun)}
        pending={pending}
        error={isApiError(error) && error.kind === 'aborted' ? null : error}
        submitLabel={dryRun ? t('actions.apply') : t(needsDryRun ? 'wizard.preview.action' : 'actions.upload')}
        otherActions={
          dryRun ? (
            <Button
              color="inherit"
              variant="outlined"
              startIcon={<ArrowLeft size={18} />}
              onClick={() => setDryRun(null)}
              disabled={pending}
            >
              {t('wizard.preview.back')}
            </Button>
          ) : (
            !needsDryRun &&
            !isUnreadable && (
              <Button variant="outlined" onClick={() => send(true)} disabled={pending}>
                {t('wizard.preview.action')}
              </Button>
            )
          )
        }
      >
        <Steps current={step} />
        {state && !dryRun && (
          <Alert severity="info" role="note">
            {t(isOfList(type) ? 'listCorrection' : 'correction')}
          </Alert>
        )}
        {dryRun ? (
          <Suspense fallback={<FormSkeleton />}>
            <PreviewStep id={dryRun.id} onEnded={(row) => setDryRun({ id: row.id, row })} />
          </Suspense>
        ) : (
          <>
            {mayChoose && <ShownReference label={labels.field('tenant')} source={tenantRef} id={tenantId} />}
            {list === null ? (
              <EnumField
                control={control}
                name="type"
                required
                values={importTypeValues}
                onPick={(type) => pickType(type as ImportType)}
                help={t(isDeletion(type) ? 'columns.DeleteMatchings' : table ? 'columns.empty' : 'columns.ExternalApiMetaData')}
                blocked={(type) => (importable.some((mine) => mine === type) ? null : t('notAllowed'))}
              />
            ) : (
              <ShownReference label={labels.field('price_list')} source={priceListRef} id={list} />
            )}
            {list === null && isOfList(type) && (
              <RefField control={control} name="price_list_id" required source={lists} onPick={(id) => inspectFile(file, type, id)} />
            )}
            {isOfList(type) && (
              <Alert severity="info" role="note">
                {t('intoList')}
              </Alert>
            )}
            {!table && (
              <Suspense fallback={<FormSkeleton />}>
                <FetchInPlaceOfFile onFetched={openImport} />
              </Suspense>
            )}
            {table && <ProfileField type={type} value={profile} onChange={pickProfile} onRenamed={setRenamed} />}
            {table && <TemplateFiles type={type} tenantId={tenantId} />}
            <FileField
              control={control}
              name="file"
              required
              accept={endings(type)}
              onPick={(file) => inspectFile(file, type, priceListId)}
              help={t(table ? 'help.file' : 'help.document', { max: upload_max_mb })}
            />
            {format && !inspection.pending && (
              <Alert
                severity="info"
                role="note"
                action={
                  <Button size="small" color="inherit" onClick={() => inspection.readAs(format)}>
                    {t('wizard.format.read')}
                  </Button>
                }
              >
                {t(`wizard.format.${format}`)}
              </Alert>
            )}
            {result && result.hidden_rows > 0 && (
              <Alert severity="warning" role="note">
                {t('wizard.hidden', { count: result.hidden_rows })}
                <Box>
                  <CheckField control={control} name="skip_hidden_rows" />
                </Box>
              </Alert>
            )}
            {result && result.sum_rows > 0 && (
              <Alert severity="info" role="note">
                {t('wizard.sumRows', { count: result.sum_rows })}
              </Alert>
            )}
            {result && result.footnotes.length > 0 && (
              <Alert severity="info" role="note">
                {t('wizard.footnotes', { count: result.footnotes.length, texts: result.footnotes.join(' · ') })}
              </Alert>
            )}
            {result?.can_sum_rows && (
              <FormControlLabel
                control={
                  <Checkbox
                    checked={reading.sum_rows ?? false}
                    onChange={(_, sums) => readAgain(sums ? { ...reading, sum_rows: true } : withoutSums(reading))}
                  />
                }
                label={t('wizard.addUp')}
              />
            )}
            {inspection.pending && !result && <Working>{t('wizard.looking')}</Working>}
            {result && mappingFindings && table && (
              <Suspense fallback={<FormSkeleton />}>
                <ColumnsStep
                  inspection={result}
                  findings={mappingFindings}
                  choices={choices}
                  units={units}
                  reading={reading}
                  constants={constants}
                  refused={columnProblems}
                  onChoose={(at, field) => {
                    save.reset()
                    inspection.choose(at, field)
                  }}
                  onUnit={(at, unit) => {
                    save.reset()
                    inspection.chooseUnit(at, unit)
                  }}
                  onType={(type) => {
                    form.setValue('type', type, { shouldDirty: true })
                    pickType(type)
                  }}
                  onForgotten={() => inspectFile(file, type, priceListId)}
                  onReading={readAgain}
                  isReading={inspection.pending}
                  readError={inspection.error}
                  onConstant={(field, value) => {
                    save.reset()
                    inspection.setConstant(field, value)
                  }}
                  onConstants={inspection.takeConstants}
                  attempts={attempts}
                />
                <Button
                  size="small"
                  color="inherit"
                  variant="outlined"
                  disabled={!current}
                  onClick={() => setSaving(true)}
                  sx={{ alignSelf: 'flex-start' }}
                >
                  {profiles('wizard.save')}
                </Button>
              </Suspense>
            )}
            <TextField control={control} name="name" max={255} />
            {!isDeletion(type) && (
              <EnumField
                control={control}
                name="strategy"
                required
                values={importStrategyValues}
                help={t(isOfList(type) ? `listStrategies.${strategy}` : `strategies.${strategy}`)}
                blocked={(option) => {
                  if (option !== 'replace_all') return null
                  if (!REPLACEABLE.includes(type)) return t('notReplaceable')
                  return mayReplace(type) ? null : t('notAllowed')
                }}
              />
            )}
            {needsDryRun && isInWarehouses(type) && (
              <EnumField
                control={control}
                name="replace_scope"
                required
                values={importReplaceScopeValues}
                help={t(`replaceScopes.${scope}`)}
              />
            )}
            {needsDryRun && (
              <Alert severity="warning" role="note">
                {t('triedFirst')}
              </Alert>
            )}
            {save.pending && <Sending share={share} onCancel={() => sending.current?.abort()} />}
          </>
        )}
      </DrawerForm>
      {applyDialog}
      {saving && result && (
        <Suspense fallback={null}>
          <SaveProfileDialog
            contents={{ type, ...saveable(chosen()) }}
            applied={result.profile && renamed?.id === result.profile.id ? renamed : result.profile}
            onSaved={({ id }) => pickProfile(id)}
            onClose={() => setSaving(false)}
          />
        </Suspense>
      )}
    </FormScopeContext.Provider>
  )
}

/** Steps of the wizard with the current one marked. */
function Steps({ current }: { current: (typeof STEPS)[number] }) {
  const { t } = useTranslation('imports')
  const at = STEPS.indexOf(current)
  return (
    <Box
      component="ol"
      aria-label={t('wizard.steps.label')}
      sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 2, rowGap: 0.5, m: 0, p: 0, listStyle: 'none', typography: 'body2' }}
    >
      {STEPS.map((step, number) => (
        <Box
          component="li"
          key={step}
          aria-current={step === current ? 'step' : undefined}
          sx={{ color: number <= at ? 'text.primary' : 'text.secondary', fontWeight: step === current ? 600 : 400 }}
        >
          {`${number + 1}. ${t(`wizard.steps.${step}`)}`}
        </Box>
      ))}
    </Box>
  )
}

/** Progress of the upload; once it is complete it can no longer be cancelled here. */
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
