import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { useLabels } from '~/i18n/labels'
import { DeleteButton } from '~/kit/records/delete-button'
import { TabFrame } from '~/kit/records/page-form'
import { type EditorProps, RecordEditor, type Versioned } from '~/kit/records/record-editor'
import { EmptyState } from '~/kit/ui/empty-state'
import { LoadFailed } from '~/kit/ui/load-failed'
import { Page } from '~/kit/ui/page'
import { Waiting } from '~/kit/ui/waiting'
import { useTenant } from '~/session/tenant'

// biome-ignore lint/suspicious/noExplicitAny: query options carry the key's own type
type Query<Data> = UseQueryOptions<any, any, Data, any>

interface SettingsApi<Row, Options> {
  /** Query for the settings of the tenant: at most one record. */
  all: () => Query<{ data: Row[] }>
  /** Query for the choices that the server offers. */
  options: () => Query<Options>
  remove: (id: number) => Promise<unknown>
}

interface Props<Row extends Versioned, Body, Form extends FieldValues, Options>
  extends Pick<EditorProps<Row, Body, Form>, 'resource' | 'schema' | 'toForm'> {
  api: EditorProps<Row, Body, Form>['api'] & SettingsApi<Row, Options>
  /** Content above the form; left out while the settings are being deleted. */
  above: (row: Row) => ReactNode
  children: (form: UseFormReturn<Form, unknown, Body>, row: Row | null, options: Options) => ReactNode
}

/**
 * Page for the single settings record that a tenant has for a connection. Another tenant's settings are
 * another page.
 */
export function SettingsPage<Row extends Versioned, Body, Form extends FieldValues, Options extends { secrets_available: boolean }>(
  props: Props<Row, Body, Form, Options>,
) {
  const { tenantId } = useTenant()
  return <Settings key={tenantId} {...props} />
}

function Settings<Row extends Versioned, Body, Form extends FieldValues, Options extends { secrets_available: boolean }>({
  resource,
  api,
  schema,
  toForm,
  above,
  children,
}: Props<Row, Body, Form, Options>) {
  const { text } = useLabels(resource.ns)
  const [creating, setCreating] = useState(false)
  /** Id of the settings that are being deleted, for which no more queries run. */
  const [deleted, setDeleted] = useState<number | null>(null)
  const list = useQuery(api.all())
  const options = useQuery(api.options())
  const choices = options.data
  const row = list.data?.data[0] ?? null
  const onDeleting = (now: boolean) => {
    setCreating(false)
    setDeleted(now && row ? row.id : null)
  }
  return (
    <Page
      title={text('title.list')}
      intro={text('intro')}
      actions={row && <DeleteButton resource={resource} api={api} row={row} onDeleting={onDeleting} />}
    >
      {list.data && choices ? (
        <>
          {!choices.secrets_available && <Alert severity="warning">{text('secret.noKey')}</Alert>}
          {row && row.id !== deleted && above(row)}
          {row || creating ? (
            <RecordEditor key={row?.id ?? 'new'} resource={resource} api={api} schema={schema} toForm={toForm} Frame={TabFrame} row={row}>
              {(form, saved) => children(form, saved, choices)}
            </RecordEditor>
          ) : (
            <EmptyState
              icon={resource.icon}
              title={text('empty.title')}
              action={
                <Button variant="contained" onClick={() => setCreating(true)}>
                  {text('actions.new')}
                </Button>
              }
            >
              {text('empty.body')}
            </EmptyState>
          )}
        </>
      ) : list.error || options.error ? (
        <LoadFailed
          error={list.error ?? options.error}
          retry={() => void Promise.all([list.refetch(), options.refetch()])}
          pending={list.isFetching || options.isFetching}
        />
      ) : (
        <Waiting />
      )}
    </Page>
  )
}
