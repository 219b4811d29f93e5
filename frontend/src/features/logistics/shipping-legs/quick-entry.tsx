import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import OutlinedInput from '@mui/material/OutlinedInput'
import { CornerDownLeft } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Departure } from '~/api/schema'
import { type DepartureReading, parseDepartures } from '~/features/shared/departure-text'
import { FieldShell } from '~/kit/form/field-shell'
import { visuallyHidden } from '~/kit/ui/visually-hidden'

/** Input for departures in everyday notation; they are added when it loses focus. */
export function QuickEntry({ onAdd }: { onAdd: (departures: Departure[]) => void }) {
  const { t } = useTranslation('shippingLegs')
  const id = useId()
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<Extract<DepartureReading, { problem: string }> | null>(null)
  const [added, setAdded] = useState(0)

  function add() {
    if (text.trim() === '') return setProblem(null)
    const reading = parseDepartures(text)
    if ('problem' in reading) return setProblem(reading)
    onAdd(reading.departures)
    setAdded(reading.departures.length)
    setText('')
    setProblem(null)
  }

  const error = problem && t(`departures.problems.${problem.problem}`, { text: problem.at })
  return (
    <Box sx={{ display: 'flex', gap: 1, alignItems: 'flex-start' }}>
      <FieldShell id={id} label={t('departures.quick')} help={t('departures.quickHelp')} error={error}>
        <OutlinedInput
          id={id}
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setProblem(null)
            setAdded(0)
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            // with a modifier key, Enter also submits the form
            if (!event.ctrlKey && !event.metaKey) event.preventDefault()
            add()
          }}
          onBlur={add}
          inputProps={{ autoComplete: 'off', maxLength: 500, 'aria-describedby': `${id}-help` }}
        />
      </FieldShell>
      <Button variant="outlined" color="inherit" startIcon={<CornerDownLeft size={16} />} onClick={add} sx={{ mt: '26px', flexShrink: 0 }}>
        {t('departures.enter')}
      </Button>
      <span aria-live="polite" style={visuallyHidden}>
        {added > 0 && t('departures.added', { count: added })}
      </span>
    </Box>
  )
}
