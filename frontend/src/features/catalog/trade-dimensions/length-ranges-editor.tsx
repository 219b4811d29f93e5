import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { TriangleAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import { type Control, type UseFormReturn, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { DecimalField, TextField } from '~/kit/form/fields'
import { useFormScope } from '~/kit/form/form-context'
import { RowsEditor } from '~/kit/form/rows-editor'
import { compareDecimals, isDecimal } from '~/lib/decimal'
import { type Boundary, findProblems, metres, type Problem, sortedRanges } from './length-ranges'
import { NumberLine } from './number-line'
import { type ClusterForm, EMPTY_CLUSTER, type TradeDimensionForm } from './schema'
import { TestBox } from './test-box'
import { useLengthText } from './use-length-text'

type Form = UseFormReturn<TradeDimensionForm>
type Bound = `clusters.${number}.${'minimum' | 'maximum'}`

const COLUMNS = [
  { name: 'short_code', required: true },
  { name: 'minimum' },
  { name: 'maximum' },
  { name: 'calculation_value', required: true },
]

/** Editor for a ladder: a picture with boundaries that can be dragged, and rows below it. */
export function LengthRangesEditor<C, O>(props: { form: UseFormReturn<TradeDimensionForm, C, O> }) {
  const form = props.form as unknown as Form
  const control: Control<TradeDimensionForm> = form.control
  const { t } = useTranslation('tradeDimensions')
  const { readOnly } = useFormScope()
  const [tested, setTested] = useState<number | null>(null)
  const clusters = useWatch({ control, name: 'clusters' })
  // a row without bounds would contain every length, which is rarely intended
  const ranges = sortedRanges(clusters).filter(({ from, to }) => from !== null || to !== null)
  const problems = findProblems(ranges)
  useJoinedRows(form)
  useRevalidation(form, clusters)

  function set(name: Bound, value: number) {
    form.setValue(name, metres(value), { shouldDirty: true, shouldTouch: true })
  }

  function move({ below, above }: Boundary, value: number) {
    set(`clusters.${below.at}.maximum`, value)
    set(`clusters.${above.at}.minimum`, value)
  }

  /**
   * Returns a new row that continues where the highest ends; an open highest row is closed with the width of
   * the row below it.
   */
  function nextCluster(): ClusterForm & TradeDimensionForm['clusters'][number] {
    const [second, top] = ranges.slice(-2)
    if (!top) return EMPTY_CLUSTER
    if (top.to !== null) return { ...EMPTY_CLUSTER, minimum: metres(top.to) }
    if (second?.to == null || top.from === null) return EMPTY_CLUSTER
    const end = top.from + (second.to - (second.from ?? 0))
    set(`clusters.${top.at}.maximum`, end)
    return { ...EMPTY_CLUSTER, minimum: metres(end) }
  }

  return (
    <RowsEditor
      control={control}
      name="clusters"
      columns={COLUMNS}
      empty={nextCluster}
      rowLabel={(number) => t('rowNumber', { number })}
      removeLabel={(number) => t('removeRow', { number })}
      pairs
      lead={
        <>
          <Typography variant="body2" color="textSecondary" sx={{ mb: 1.5 }}>
            {t('hint')}
          </Typography>
          <NumberLine ranges={ranges} problems={problems} tested={tested} onMove={readOnly ? null : move} />
          <Problems
            problems={problems}
            onJoin={readOnly ? null : (problem) => set(`clusters.${problem.range.at}.minimum`, problem.below.to ?? 0)}
          />
          <TestBox ranges={ranges} onTest={setTested} />
        </>
      }
    >
      {(at, hiddenLabel) => (
        <>
          <TextField control={control} name={`clusters.${at}.short_code`} required max={255} hiddenLabel={hiddenLabel} />
          <DecimalField control={control} name={`clusters.${at}.minimum`} unit="m" hiddenLabel={hiddenLabel} />
          <DecimalField control={control} name={`clusters.${at}.maximum`} unit="m" hiddenLabel={hiddenLabel} />
          <DecimalField control={control} name={`clusters.${at}.calculation_value`} unit="m" required hiddenLabel={hiddenLabel} />
        </>
      )}
    </RowsEditor>
  )
}

type Between = Extract<Problem, { below: unknown }>

/** Problems that the picture marks, in words, with an action that fixes each. */
function Problems({ problems, onJoin }: { problems: readonly Problem[]; onJoin: ((problem: Between) => void) | null }) {
  const { t } = useTranslation('tradeDimensions')
  const length = useLengthText()
  return (
    <Box
      component="ul"
      aria-live="polite"
      aria-label={t('problems.label')}
      sx={{ listStyle: 'none', m: 0, p: 0, mb: problems.length ? 1.5 : 0 }}
    >
      {problems.map((problem) => (
        <Box
          component="li"
          key={`${problem.kind}-${problem.range.at}`}
          sx={{ display: 'flex', alignItems: 'center', flexWrap: 'wrap', gap: 1, color: 'error.main' }}
        >
          <TriangleAlert size={16} aria-hidden />
          <Typography variant="body2" sx={{ flex: '1 1 16rem' }}>
            {'below' in problem
              ? t(`problems.${problem.kind}`, {
                  below: problem.below.name,
                  above: problem.range.name,
                  from: length(problem.from),
                  to: length(problem.to),
                })
              : t(`rules.${problem.kind}`)}
          </Typography>
          {onJoin && 'below' in problem && (problem.range.to ?? Number.POSITIVE_INFINITY) > (problem.below.to ?? 0) && (
            <Button size="small" onClick={() => onJoin(problem)}>
              {t('problems.join', { above: problem.range.name, below: problem.below.name })}
            </Button>
          )}
        </Box>
      ))}
    </Box>
  )
}

/**
 * Keeps rows joined: if a row starts where the row above it ends, its start follows that end while the user
 * types.
 */
function useJoinedRows(form: Form) {
  useEffect(() => {
    const ends = () => form.getValues('clusters').map(({ minimum, maximum }) => ({ minimum, maximum }))
    let before = ends()
    return form.subscribe({
      formState: { values: true },
      callback({ name, type }) {
        const at = Number(/^clusters\.(\d+)\.maximum$/.exec(name ?? '')?.[1] ?? Number.NaN)
        const [now, last] = [ends(), before]
        before = now
        const [end, next] = [now[at]?.maximum, now[at + 1]]
        if (type !== 'change' || end === undefined || !next || next.minimum !== last[at]?.maximum) return
        if (isDecimal(next.maximum) && isDecimal(end) && compareDecimals(next.maximum, end) <= 0) return
        form.setValue(`clusters.${at + 1}.minimum`, end, { shouldDirty: true })
        before = ends()
      },
    })
  }, [form])
}

/** Validates visited bounds again when another bound changes, since bounds depend on each other. */
function useRevalidation(form: Form, clusters: readonly ClusterForm[]) {
  useEffect(() => {
    const names = clusters.flatMap((_, at): Bound[] => [`clusters.${at}.minimum`, `clusters.${at}.maximum`])
    const visited = names.filter((name) => {
      const { isTouched, invalid } = form.getFieldState(name)
      return isTouched || invalid
    })
    if (visited.length > 0) void form.trigger(visited)
  }, [form, clusters])
}
