import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { Check } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Condition } from '~/api/schema'
import { Card } from '~/kit/ui/card'
import { messageText } from '~/kit/ui/message'
import { Page } from '~/kit/ui/page'
import { notify } from '~/kit/ui/snackbar'
import { ConditionEditor, type Focusable } from '../conditions/editor'
import type { EditorScope } from '../conditions/editor-context'
import { checkConditions } from '../conditions/rules'
import { ConditionsSummary } from '../conditions/summary'
import { TextForm } from '../conditions/text-form'

const EXAMPLE: Condition = {
  all: [
    { type: 'cart_weight', op: 'greater_equals', value: '10', unit: 't' },
    { not: [{ type: 'weekday', op: 'in', value: ['saturday'] }] },
  ],
}

/** Demo page of the condition editor, with its result in words and as text. */
export default function ConditionsDemo() {
  const { t } = useTranslation('conditions')
  const { t: common } = useTranslation()
  const [value, setValue] = useState<Condition | null>(EXAMPLE)
  const [checked, setChecked] = useState(false)
  const editor = useRef<Focusable>(null)
  const faults = checkConditions(value)
  const errorAt: EditorScope['errorAt'] = (path, part) => {
    const fullPath = [path, part].filter(Boolean).join('.')
    const fault = checked ? faults.find((one) => one.path.join('.') === fullPath) : undefined
    return fault ? messageText(fault, common) : null
  }

  function check() {
    setChecked(true)
    if (faults.length > 0) editor.current?.focus()
    else notify.success(t('demo.complete'))
  }

  return (
    <Page title={t('title.list')} intro={t('demo.intro')}>
      <Box
        sx={{
          display: 'grid',
          gap: 2,
          alignItems: 'start',
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 3fr) minmax(0, 2fr)' },
        }}
      >
        <Card title={t('demo.editor')}>
          <ConditionEditor ref={editor} label={t('demo.label')} value={value} onChange={setValue} errorAt={errorAt} hidesTextForm />
          <Button variant="outlined" startIcon={<Check size={16} aria-hidden />} onClick={check} sx={{ mt: 2 }}>
            {t('demo.check')}
          </Button>
        </Card>
        <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>
          <Card title={t('demo.inWords')}>
            <ConditionsSummary condition={value} />
          </Card>
          <Card title={t('demo.text')}>
            <TextForm value={value} onChange={setValue} readOnly={false} open />
          </Card>
        </Box>
      </Box>
    </Page>
  )
}
