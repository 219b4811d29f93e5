import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense } from 'react'
import type { FieldValues } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate, useParams } from 'react-router'
import { isApiError } from '~/api/errors'
import { useLabels } from '~/i18n/labels'
import { DrawerForm, DrawerFrame, FormSkeleton } from '~/kit/form/form-drawer'
import { FormErrors } from '~/kit/ui/form-errors'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import { useAddressParams } from '~/lib/address-params'
import { COPY_PARAM } from './copy-address'
import { useRememberRecord } from './recent-records'
import { type EditorProps, type RecordApi, RecordEditor, type Versioned } from './record-editor'
import type { ResourceOf } from './resource'
import { useAllowedOperations } from './resources'
import type { UsageQuery } from './used-by'

const UsagePanel = lazyWithTexts(() => import('./usage-panel'), 'usage')

type RecordFormProps<Row extends Versioned, Body, Form extends FieldValues> = EditorProps<Row, Body, Form> & { width?: 'sm' | 'md' }

/** Drawer that creates (`new`) and edits (`:id`) one kind of record. */
export function RecordForm<Row extends Versioned, Body, Form extends FieldValues>(props: RecordFormProps<Row, Body, Form>) {
  const { copy } = props
  const { id } = useParams()
  const [params] = useAddressParams()
  const copied = params.get(COPY_PARAM)
  const { t } = useTranslation()
  const labels = useLabels(props.resource.ns)
  const may = useAllowedOperations(props.resource)
  const close = useClose()
  return (
    <DrawerFrame width={props.width ?? 'sm'} onClose={close}>
      {id !== undefined ? (
        <Existing key={id} {...props} id={Number(id)} title={labels.text('title.edit')} close={close}>
          {(row) => <RecordEditor {...props} Frame={DrawerForm} row={row} close={close} below={<Usage api={props.api} id={row.id} />} />}
        </Existing>
      ) : may.create && copy && copied ? (
        <Existing key={`copy of ${copied}`} {...props} id={Number(copied)} title={labels.text('title.new')} close={close}>
          {(row) => <RecordEditor {...props} Frame={DrawerForm} row={null} copied={row} toForm={() => copy(row)} close={close} />}
        </Existing>
      ) : may.create ? (
        <RecordEditor {...props} Frame={DrawerForm} row={null} close={close} />
      ) : (
        <DrawerForm title={labels.text('title.new')} onClose={close}>
          <FormNote text={t('errors.forbidden')} />
        </DrawerForm>
      )}
    </DrawerFrame>
  )
}

interface ExistingProps<Row> {
  resource: ResourceOf<Row>
  api: Pick<RecordApi<Row, never>, 'one'>
  id: number
  /** Title until the record is loaded. */
  title: string
  close: () => void
  children: (row: Row) => ReactNode
}

function Existing<Row extends Versioned>(props: ExistingProps<Row>) {
  const { id, title, close } = props
  const { t } = useTranslation()
  const isValidId = Number.isSafeInteger(id)
  // a form must start from the current state on the server, or its version would be refused
  const query = useQuery({ ...props.api.one(id), enabled: isValidId, refetchOnMount: 'always', refetchOnWindowFocus: false })
  const isMissing = !isValidId || (isApiError(query.error) && query.error.status === 404)
  useRememberRecord(props.resource, id, isMissing ? null : query.data)
  if (query.data && query.isFetchedAfterMount && !query.isPlaceholderData) return props.children(query.data)
  return (
    <DrawerForm title={title} onClose={close}>
      {isMissing ? <FormNote text={t('errors.recordGone')} /> : query.error ? <FormErrors error={query.error} /> : <FormSkeleton />}
    </DrawerForm>
  )
}

const Usage = ({ api, id }: { api: { usage?: UsageQuery }; id: number }) =>
  api.usage && (
    <Suspense fallback={null}>
      <UsagePanel id={id} usage={api.usage} />
    </Suspense>
  )

const FormNote = ({ text }: { text: string }) => <p role="alert">{text}</p>

function useClose() {
  const navigate = useNavigate()
  const { search } = useLocation()
  return () => {
    const params = new URLSearchParams(search)
    params.delete(COPY_PARAM)
    void navigate({ pathname: '..', search: String(params) }, { relative: 'path' })
  }
}
