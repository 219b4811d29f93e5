import { zodResolver } from '@hookform/resolvers/zod'
import Button from '@mui/material/Button'
import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { type DefaultValues, type FieldValues, type Path, type UseFormReturn, useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate, useParams, useSearchParams } from 'react-router'
import type { ZodMiniType } from 'zod/mini'
import { isApiError } from '~/api/errors'
import { useLabels } from '~/i18n/labels'
import { useFormat } from '~/i18n/use-format'
import { whenIdle } from '~/lib/when-idle'
import { keepDraft } from '~/session/drafts'
import { FormErrors } from '../feedback/form-errors'
import type { UsageQuery } from '../feedback/used-by'
import { COPY_OF } from '../resource/copy-of'
import { useOpened } from '../resource/opened'
import type { Of } from '../resource/resource'
import { useMay } from '../resource/resources'
import { later } from '../route/later'
import { CopyButton } from './copy-button'
import { type AnyEntries, type Entries, FormScopeContext } from './form-context'
import { DrawerForm, DrawerFrame, FormSkeleton } from './form-drawer'
import { useDraft, usePlace, useRestored } from './use-draft'
import { useLeaveGuard } from './use-leave-guard'
import { type Question, useQuestion } from './use-question'
import { useSave } from './use-save'
import { useServerErrors } from './use-server-errors'

// somebody else may save at any time, an update of the server just before
const StaleDialog = later(() => import('./stale-dialog'), 'conflict')
const UsagePanel = later(() => import('./usage-panel'), 'usage')

interface Versioned {
  id: number
  version: number
  updated_at: string
}

export interface RecordApi<Row, Body> {
  // biome-ignore lint/suspicious/noExplicitAny: query options carry the key's own type
  one: (id: number) => UseQueryOptions<any, any, Row, any>
  create: (body: Body) => Promise<Row>
  update: (id: number, body: Body & { version: number }) => Promise<Row>
  usage?: UsageQuery
}

export interface RecordFormProps<Row extends Versioned, Body, Form extends FieldValues> {
  of: Of<Row>
  api: RecordApi<Row, Body>
  schema: ZodMiniType<Body, Form>
  toForm: (row: Row | null) => Form
  /** What a new record takes over from another one; without it none is made so. */
  copy?: (row: Row) => Form
  /** Otherwise all records can be changed by who may change any. */
  writable?: (row: Row) => boolean
  width?: 'sm' | 'md'
  /** How the entries of its lists merge and are shown when somebody else saved first. */
  entries?: { [K in keyof Form]?: Form[K] extends (infer Entry)[] ? Entries<Entry> : never }
  question?: Question<Row, Body>
  /** Asks the person before anything is sent. */
  confirm?: (body: Body, row: Row | null) => Promise<boolean>
  children: (form: UseFormReturn<Form, unknown, Body>, row: Row | null) => ReactNode
}

/** The drawer that makes (`new`) and edits (`:id`) one kind of record. */
export function RecordForm<Row extends Versioned, Body, Form extends FieldValues>(props: RecordFormProps<Row, Body, Form>) {
  const { copy } = props
  const { id } = useParams()
  const [params] = useSearchParams()
  const copied = params.get(COPY_OF)
  const { t } = useTranslation()
  const labels = useLabels(props.of.ns)
  const may = useMay(props.of)
  const close = useClose()
  return (
    <DrawerFrame width={props.width ?? 'sm'} onClose={close}>
      {id !== undefined ? (
        <Existing key={id} {...props} id={Number(id)} title={labels.text('title.edit')} close={close}>
          {(row) => <Editor {...props} row={row} close={close} />}
        </Existing>
      ) : may.create && copy && copied ? (
        <Existing key={`copy of ${copied}`} {...props} id={Number(copied)} title={labels.text('title.new')} close={close}>
          {(row) => <Editor {...props} row={null} copied={row} toForm={() => copy(row)} close={close} />}
        </Existing>
      ) : may.create ? (
        <Editor {...props} row={null} close={close} />
      ) : (
        <DrawerForm title={labels.text('title.new')} onClose={close}>
          <FormNote text={t('errors.forbidden')} />
        </DrawerForm>
      )}
    </DrawerFrame>
  )
}

interface ExistingProps<Row> {
  of: Of<Row>
  api: Pick<RecordApi<Row, never>, 'one'>
  id: number
  /** As long as it is not there. */
  title: string
  close: () => void
  children: (row: Row) => ReactNode
}

function Existing<Row extends Versioned>(props: ExistingProps<Row>) {
  const { id, title, close } = props
  const { t } = useTranslation()
  const known = Number.isSafeInteger(id)
  // a form must start from what the server has now, or its version would be refused
  const query = useQuery({ ...props.api.one(id), enabled: known, refetchOnMount: 'always', refetchOnWindowFocus: false })
  const gone = !known || (isApiError(query.error) && query.error.status === 404)
  useOpened(props.of, id, gone ? null : query.data)
  if (query.data && query.isFetchedAfterMount && !query.isPlaceholderData) return props.children(query.data)
  return (
    <DrawerForm title={title} onClose={close}>
      {gone ? <FormNote text={t('errors.recordGone')} /> : query.error ? <FormErrors error={query.error} /> : <FormSkeleton />}
    </DrawerForm>
  )
}

const FormNote = ({ text }: { text: string }) => <p role="alert">{text}</p>

function useClose() {
  const navigate = useNavigate()
  const { search } = useLocation()
  return () => {
    const params = new URLSearchParams(search)
    params.delete(COPY_OF)
    void navigate({ pathname: '..', search: String(params) }, { relative: 'path' })
  }
}

function Editor<Row extends Versioned, Body, Form extends FieldValues>(
  props: RecordFormProps<Row, Body, Form> & { row: Row | null; copied?: Row; close: () => void },
) {
  const { api, copied, close } = props
  const { ns, title } = props.of
  const [row] = useState(props.row)
  const { t } = useTranslation()
  const labels = useLabels(ns)
  const may = useMay(props.of)
  const format = useFormat()
  const readOnly = row !== null && !(may.update && (props.writable?.(row) ?? true))
  const place = usePlace()
  const [fresh] = useState(() => ({ version: row?.version ?? null, form: props.toForm(row) }))
  const draft = useDraft(place, fresh.form, !readOnly)
  const [start] = useState(draft ? { version: draft.version, form: draft.base as Form } : fresh)
  // what the input started from; a refetch in the background must not move it, or a conflict would go unnoticed
  const basis = useRef(start)
  const form = useForm<Form, unknown, Body>({
    // the resolver's overloads do not see through a generic schema
    resolver: zodResolver(props.schema as never) as never,
    defaultValues: start.form as DefaultValues<Form>,
    mode: 'onTouched',
    disabled: false,
  })
  const restored = useRestored(draft, form.setValue)
  const guard = useLeaveGuard(form.formState.isDirty && !readOnly, () =>
    keepDraft(place, { version: basis.current.version, base: basis.current.form, values: form.getValues() }),
  )
  const save = useSave<Body, Row>({
    save: (body) => {
      const { version } = basis.current
      return row && version !== null ? api.update(row.id, { ...body, version }) : api.create(body)
    },
    message: (saved) => t('messages.saved', { name: title(saved) }),
    done: () => {
      guard.release()
      close()
    },
  })
  useServerErrors(form, save.error)
  useEffect(() => whenIdle(StaleDialog.fetch), [])
  const stale = row !== null && isApiError(save.error, 'stale')
  const question = useQuestion(props.question, row, save)
  // what the server said last time is no answer to what is refused here
  const submit = () =>
    void form.handleSubmit(async (body) => {
      if ((await props.confirm?.(body, row)) ?? true) save.submit(body)
    }, save.reset)()

  function startOver() {
    basis.current = fresh
    form.reset(fresh.form)
    restored.end()
    form.setFocus(Object.keys(fresh.form)[0] as Path<Form>)
  }

  return (
    <FormScopeContext.Provider value={useMemo(() => ({ ns, readOnly, readings: new Map() }), [ns, readOnly])}>
      <DrawerForm
        title={row ? title(row) : labels.text('title.new')}
        subtitle={
          row ? t('form.changedAt', { when: format.dateTime(row.updated_at) }) : copied && t('form.copyOf', { name: title(copied) })
        }
        actions={row && props.copy && may.create && <CopyButton id={row.id} />}
        onClose={close}
        onSubmit={readOnly ? undefined : submit}
        pending={save.pending}
        error={stale || (question && isApiError(save.error) && save.error.status === 409) ? null : save.error}
        note={readOnly ? t('form.readOnly') : restored.shown ? t('form.restored') : null}
        noteAction={
          restored.shown && (
            <Button color="inherit" size="small" onClick={startOver}>
              {t('form.discardRestored')}
            </Button>
          )
        }
      >
        {props.children(form, row)}
        {row && api.usage && (
          <Suspense fallback={null}>
            <UsagePanel id={row.id} usage={api.usage} />
          </Suspense>
        )}
      </DrawerForm>
      {question}
      {stale && (
        <Suspense fallback={null}>
          <StaleDialog
            ns={ns}
            load={api.one(row.id)}
            mine={form.getValues()}
            base={basis.current.form}
            toForm={props.toForm as (row: unknown) => FieldValues}
            entries={(props.entries ?? {}) as Record<string, AnyEntries>}
            onCancel={save.reset}
            onResolve={(values, theirs, version) => {
              basis.current = { version, form: theirs as Form }
              for (const [name, value] of Object.entries(values)) {
                form.setValue(name as never, value as never, { shouldDirty: true, shouldValidate: true })
              }
              submit()
            }}
          />
        </Suspense>
      )}
    </FormScopeContext.Provider>
  )
}
