import { zodResolver } from '@hookform/resolvers/zod'
import Button from '@mui/material/Button'
import type { UseQueryOptions } from '@tanstack/react-query'
import { type ComponentType, type ReactNode, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { type DefaultValues, type FieldValues, type Path, type UseFormReturn, useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { ZodMiniType } from 'zod/mini'
import { ApiError, isApiError } from '~/api/errors'
import { useLabels } from '~/i18n/labels'
import { useFormat } from '~/i18n/use-format'
import { type AnyListEntryOptions, FormScopeContext, type ListEntryOptions } from '~/kit/form/form-context'
import { useLeaveGuard } from '~/kit/form/use-leave-guard'
import { type SavedMessage, useSave } from '~/kit/form/use-save'
import { useServerErrors } from '~/kit/form/use-server-errors'
import { whenIdle } from '~/lib/when-idle'
import { keepDraft } from '~/session/drafts'
import { CopyButton } from './copy-button'
import { ConflictDialog, ResolveConflict } from './resolve-conflict'
import type { ResourceOf } from './resource'
import { useAllowedOperations } from './resources'
import { useDraft, useDraftKey, useDraftRestore } from './use-draft'
import { type SaveQuestion, useSaveQuestion } from './use-save-question'
import type { UsageQuery } from './used-by'

export interface Versioned {
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

export interface EditorProps<Row extends Versioned, Body, Form extends FieldValues> {
  resource: ResourceOf<Row>
  api: RecordApi<Row, Body>
  schema: ZodMiniType<Body, Form>
  toForm: (row: Row | null) => Form
  /**
   * Returns the values that a new record takes over from another one; absent if records cannot be copied.
   */
  copy?: (row: Row) => Form
  /** True if the record can be changed; by default the permission alone decides. */
  writable?: (row: Row) => boolean
  /** True if the page itself says why the record cannot be changed. */
  explained?: boolean
  /**
   * Keys and texts of the entries of list fields, for merging and showing them when another person has saved
   * first.
   */
  entries?: { [K in keyof Form]?: Form[K] extends (infer Entry)[] ? ListEntryOptions<Entry, Row> : never }
  question?: SaveQuestion<Row, Body>
  /** Navigates on from a new record; without it the form returns to the list. */
  created?: (row: Row) => void
  /** Message after a save, instead of "saved". */
  saved?: (row: Row) => SavedMessage | null
  /** Asks for confirmation before saving. If it rejects, the error is shown as if the save had failed. */
  confirm?: (body: Body | (Body & { version: number }), row: Row | null) => Promise<boolean>
  children: (form: UseFormReturn<Form, unknown, Body>, row: Row | null) => ReactNode
}

/** Props of the frame around the fields. */
export interface FrameParts {
  title: string
  subtitle: string | undefined
  /** Content beside the title. */
  actions: ReactNode
  /** Leaves the record, or discards the changes. */
  onClose: () => void
  /** Submit handler; absent if nothing can be changed. */
  onSubmit: (() => void) | undefined
  dirty: boolean
  pending: boolean
  error: unknown
  /** Note that says why fields are disabled, or what they contain. */
  note: string | null
  noteAction: ReactNode
  children: ReactNode
}

interface EditedRecord<Row> {
  row: Row | null
  /** Record from which a new one copies its values. */
  copied?: Row
  Frame: ComponentType<FrameParts>
  /** Leaves the record; absent if the form stays open after a save. */
  close?: () => void
  /** Content below the fields. */
  below?: ReactNode
}

const versioned = <Body,>(body: Body, version: number) => ({ ...body, version })

/**
 * Form of a record: edits, saves with `version`, resolves `stale` conflicts, guards unsaved input, and is
 * read only without the permission.
 */
export function RecordEditor<Row extends Versioned, Body, Form extends FieldValues>(
  props: EditorProps<Row, Body, Form> & EditedRecord<Row>,
) {
  const { api, copied, close, Frame } = props
  const { ns, title } = props.resource
  const [row, setRow] = useState(props.row)
  const { t } = useTranslation()
  const labels = useLabels(ns)
  const may = useAllowedOperations(props.resource)
  const format = useFormat()
  const readOnly = row !== null && !(may.update && (props.writable?.(row) ?? true))
  const draftKey = useDraftKey()
  const [latestState, setLatestState] = useState(() => ({ version: row?.version ?? null, form: props.toForm(row) }))
  const draft = useDraft(draftKey, latestState.form, !readOnly)
  const [start] = useState(draft ? { version: draft.version, form: draft.base as Form } : latestState)
  // state from which editing started; a background refetch must not move it, or a conflict would go unnoticed
  const baseRef = useRef(start)
  const form = useForm<Form, unknown, Body>({
    // the resolver's overloads do not accept a generic schema
    resolver: zodResolver(props.schema as never) as never,
    defaultValues: start.form as DefaultValues<Form>,
    mode: 'onTouched',
    disabled: false,
  })
  const { isDirty } = form.formState
  const restored = useDraftRestore(draft, form.setValue)
  const guard = useLeaveGuard(isDirty && !readOnly, () =>
    keepDraft(draftKey, { version: baseRef.current.version, base: baseRef.current.form, values: form.getValues() }),
  )
  function restart(saved: Row) {
    const from = { version: saved.version, form: props.toForm(saved) }
    setRow(saved)
    setLatestState(from)
    startFrom(from)
  }
  function startFrom(from: typeof latestState) {
    baseRef.current = from
    form.reset(from.form)
    restored.end()
  }
  const save = useSave<Body, Row>({
    save: (body) =>
      row && baseRef.current.version !== null ? api.update(row.id, versioned(body, baseRef.current.version)) : api.create(body),
    message: (saved) => props.saved?.(saved) ?? t('messages.saved', { name: title(saved) }),
    undoable: props.resource.irreversible !== 'everything' && (row !== null || may.remove),
    done: (saved) => {
      if (!close) return restart(saved)
      guard.release()
      if (row === null && props.created) props.created(saved)
      else close()
    },
  })
  const [refusal, setRefusal] = useState<unknown>(null)
  const error = save.error ?? refusal
  const remainingError = useServerErrors(form, error)
  useEffect(() => whenIdle(ConflictDialog.preload), [])
  // a form that stays open shows newer saves of others while nothing has been changed here
  const latest = props.row
  const follow = useEffectEvent(() => {
    if (!close && latest && latest.version > (baseRef.current.version ?? latest.version) && !isDirty) restart(latest)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs on a new version or after a discard
  useEffect(follow, [latest?.version, isDirty])
  const stale = row !== null && isApiError(error, 'stale')
  const isMissing = row !== null && isApiError(error, 'not_found')
  const question = useSaveQuestion(props.question, row, save)
  // clears the last server error, which does not concern the new attempt
  function submit() {
    setRefusal(null)
    void form.handleSubmit(async (body) => {
      if (await confirmed(body)) save.submit(body)
    }, save.reset)()
  }

  async function confirmed(body: Body) {
    if (!props.confirm) return true
    // an error from here on concerns the values about to be sent
    save.reset()
    const { version } = baseRef.current
    try {
      return await props.confirm(row && version !== null ? versioned(body, version) : body, row)
    } catch (failure) {
      setRefusal(failure)
      return false
    }
  }

  function clearError() {
    setRefusal(null)
    save.reset()
  }

  function startOver() {
    form.setFocus(Object.keys(latestState.form)[0] as Path<Form>)
    startFrom(latestState)
  }

  function discard() {
    clearError()
    startFrom(latestState)
  }

  return (
    <FormScopeContext.Provider value={useMemo(() => ({ ns, readOnly, displays: new Map() }), [ns, readOnly])}>
      <Frame
        title={row ? title(row) : labels.text('title.new')}
        subtitle={
          row ? t('form.changedAt', { when: format.dateTime(row.updated_at) }) : copied && t('form.copyOf', { name: title(copied) })
        }
        actions={row && props.copy && may.create && <CopyButton id={row.id} />}
        onClose={close ?? discard}
        onSubmit={readOnly ? undefined : submit}
        dirty={isDirty}
        pending={save.pending}
        error={
          stale || (question && isApiError(error) && error.status === 409)
            ? null
            : isMissing
              ? new ApiError({ message: t('errors.recordGone') })
              : remainingError
        }
        note={readOnly ? (props.explained ? null : t('form.readOnly')) : restored.isRestored ? t('form.restored') : null}
        noteAction={
          restored.isRestored && (
            <Button color="inherit" size="small" onClick={startOver}>
              {t('form.discardRestored')}
            </Button>
          )
        }
      >
        {props.children(form, row)}
        {props.below}
      </Frame>
      {question}
      {stale && (
        <ResolveConflict
          ns={ns}
          form={form}
          load={api.one(row.id)}
          row={row}
          base={baseRef.current.form}
          toForm={props.toForm}
          entries={(props.entries ?? {}) as Record<string, AnyListEntryOptions>}
          onCancel={clearError}
          onResolve={(now) => {
            baseRef.current = { version: now.version, form: props.toForm(now) }
            submit()
          }}
        />
      )}
    </FormScopeContext.Provider>
  )
}
