import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { useMutation } from '@tanstack/react-query'
import { PlugZap } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useId, useMemo, useState } from 'react'
import { type FieldPath, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { ExternalApiEndpointName, ExternalApiTest } from '~/api/schema'
import { PAIR } from '~/features/exchange/shared/layout'
import { useFormat } from '~/i18n/use-format'
import { forest } from '~/kit/tree/tree'
import { BusyButton } from '~/kit/ui/busy-button'
import { FormErrors } from '~/kit/ui/form-errors'
import { notify } from '~/kit/ui/snackbar'
import { Working } from '~/kit/ui/working'
import { readAnswer, readEntries } from './answer'
import { AnswerTree } from './answer-tree'
import { externalApis } from './api'
import { FIELDS_OF_LINES, type MappedField, type Pointers } from './mapping'
import { PlainField } from './plain-field'
import { PreviewedLines, TestedLines } from './read-lines'
import { type ExternalApiForm, type ExternalApiFormProps, endpointPath, endpointTestFields, endpointTestSettings } from './schema'

interface Props extends ExternalApiFormProps {
  endpoint: ExternalApiEndpointName
}

/**
 * Sends one request with the current values of the form, saved or not, and lets the user map the response.
 */
export default function EndpointTest({ form, row, endpoint }: Props) {
  const { t } = useTranslation('externalApis')
  const [article, setArticle] = useState('')
  const [warehouse, setWarehouse] = useState('')
  const test = useMutation({ mutationFn: externalApis.test })
  /** Pointers that the shown lines were read with. */
  const [tested, setTested] = useState<Pointers>({ list: '' })
  const [isMissing, setMissing] = useState(false)
  const asksForArticle = endpoint === 'availability'
  const start = async () => {
    if (test.isPending || !(await form.trigger(endpointTestFields(endpoint), { shouldFocus: true }))) return
    setMissing(asksForArticle && article.trim() === '')
    if (asksForArticle && article.trim() === '') return
    const settings = endpointTestSettings(form.getValues(), endpoint)
    if (!settings) return
    const pointers = { ...(form.getValues(endpointPath(endpoint)) as unknown as Pointers) }
    const input = {
      settings,
      id: row?.id ?? null,
      endpoint,
      article_number: asksForArticle ? article.trim() || null : null,
      warehouse: asksForArticle ? warehouse.trim() || null : null,
    }
    test.mutate(input, { onSuccess: () => setTested(pointers) })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter runs the test instead of submitting the form
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    void start()
  }
  return (
    <Box
      component="section"
      aria-label={t('test.of', { endpoint: t(`endpoints.${endpoint}.title`) })}
      sx={{
        display: 'grid',
        gap: 2,
        gridTemplateColumns: 'minmax(0, 1fr)',
        p: { xs: 1.5, md: 2 },
        border: 1,
        borderColor: 'divider',
        borderRadius: 1,
      }}
    >
      <Typography variant="body2" color="textSecondary">
        {t('test.intro')}
      </Typography>
      {asksForArticle && (
        <Box sx={PAIR} onKeyDown={onKeyDown}>
          <PlainField
            label={t('test.article')}
            help={t('test.articleHelp')}
            value={article}
            required
            isMissing={isMissing && article.trim() === ''}
            onChange={setArticle}
          />
          <PlainField label={t('test.warehouse')} help={t('test.warehouseHelp')} value={warehouse} onChange={setWarehouse} />
        </Box>
      )}
      <div>
        <BusyButton variant="outlined" color="inherit" startIcon={<PlugZap size={16} />} busy={test.isPending} onClick={() => void start()}>
          {t('actions.test')}
        </BusyButton>
      </div>
      <FormErrors error={test.error} title={t('test.refused')} />
      {test.isPending && <Working>{t('test.running')}</Working>}
      {test.data && (
        <Box aria-busy={test.isPending} sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>
          <Exchange test={test.data} />
          <Answer key={test.data.response?.body} test={test.data} form={form} endpoint={endpoint} tested={tested} />
        </Box>
      )}
    </Box>
  )
}

const headersText = (headers: readonly { name: string; value: string }[]) =>
  headers.map(({ name, value }) => `${name}: ${value}`).join('\n')

/** Request as it was sent, without secrets, and its result. */
function Exchange({ test: { request, response, failure } }: { test: ExternalApiTest }) {
  const { t } = useTranslation('externalApis')
  const { decimal } = useFormat()
  return (
    <>
      {request && (
        <Raw label={t('test.request')}>
          {[`${request.method} ${request.url}`, headersText(request.headers), ...(request.body ? ['', request.body] : [])].join('\n')}
        </Raw>
      )}
      <Box role="status">
        {response && (
          <Typography variant="body2" sx={{ fontWeight: 600 }}>
            {t('test.answered', { status: response.status, seconds: decimal(response.duration_ms / 1000, 2) })}
          </Typography>
        )}
        {failure && <Alert severity="error">{failure}</Alert>}
      </Box>
      {response && response.headers.length > 0 && <Raw label={t('test.headers')}>{headersText(response.headers)}</Raw>}
    </>
  )
}

/** Text exactly as it was transferred. */
function Raw({ label, children }: { label: string; children: ReactNode }) {
  const id = useId()
  return (
    <Box sx={{ minWidth: 0 }}>
      <Typography variant="caption" color="textSecondary" component="p" id={id}>
        {label}
      </Typography>
      <Box
        component="pre"
        role="region"
        aria-labelledby={id}
        tabIndex={0}
        sx={{
          m: 0,
          p: 1,
          maxHeight: 240,
          overflow: 'auto',
          whiteSpace: 'pre-wrap',
          overflowWrap: 'anywhere',
          typography: 'body2',
          fontFamily: 'ui-monospace, "Cascadia Mono", Menlo, monospace',
          bgcolor: 'action.hover',
          borderRadius: 1,
        }}
      >
        {children}
      </Box>
    </Box>
  )
}

interface AnswerProps extends Pick<Props, 'form' | 'endpoint'> {
  test: ExternalApiTest
  tested: Pointers
}

/** Response as a tree, with the lines that are read from it. */
function Answer({ test, form, endpoint, tested }: AnswerProps) {
  const { t } = useTranslation('externalApis')
  const { list: listed } = useFormat()
  const { control, setValue } = form
  const body = test.response?.body ?? ''
  const items = useMemo(() => readAnswer(body), [body])
  const place = endpointPath(endpoint)
  const read = useWatch({ control, name: place })
  const fields: readonly MappedField[] = FIELDS_OF_LINES[endpoint]
  const pointers = read as unknown as Pointers
  if (body === '') return null
  if (!items) return <Raw label={t('answer.title')}>{body}</Raw>

  function set(name: string, value: string) {
    setValue(`${place}.${name}` as FieldPath<ExternalApiForm>, value, { shouldDirty: true, shouldValidate: true })
  }

  function point(field: MappedField, pointer: string, list: string | null) {
    const before = { ...pointers }
    const isOtherList = list !== null && list !== pointers.list
    // the pointers into entries of the other list no longer apply
    const cleared = isOtherList ? fields.filter((other) => other !== 'next_page' && other !== field && pointers[other]) : []
    if (isOtherList) set('list', list)
    for (const other of cleared) set(other, '')
    set(field, pointer)
    if (cleared.length === 0) return
    const undo = () => {
      for (const name of ['list', field, ...cleared] as const) set(name, before[name] ?? '')
    }
    notify.undoable(t('mapping.cleared', { fields: listed(cleared.map((other) => t(`fields.${other}`))) }), undo)
  }

  const requiredField = endpoint === 'availability' ? 'quantity' : 'number'
  const isMapped = Boolean(pointers[requiredField])
  const isTested = isMapped && (['list', ...fields] as const).every((name) => pointers[name] === tested[name])
  const listLevel = 'lines_max' in read && read.lines_max.trim() === '1' ? 'innermost' : 'outermost'
  return (
    <>
      {test.response?.truncated && (
        <Typography variant="body2" color="textSecondary">
          {t('answer.truncated')}
        </Typography>
      )}
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 3fr) minmax(0, 2fr)' } }}>
        <AnswerTree items={items} fields={fields} pointers={pointers} listLevel={listLevel} onPoint={point} />
        {isTested ? (
          <TestedLines test={test} />
        ) : (
          <PreviewedLines read={readEntries(forest(items), pointers, fields)} requiredField={requiredField} isMapped={isMapped} />
        )}
      </Box>
    </>
  )
}
