import Button from '@mui/material/Button'
import DialogContentText from '@mui/material/DialogContentText'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '~/api/errors'
import { DialogFrame } from '~/kit/ui/dialog-frame'
import { focusOnMount } from '~/kit/ui/focus-on-mount'
import { ImpactResult } from './impact-result'
import { nothingChanges } from './nothing-changes'
import { useAsked } from './use-asked'
import type { ImpactQuestion } from './use-impact'

interface Props extends ImpactQuestion {
  onAnswer: (yes: boolean) => void
  onRefused: (error: ApiError) => void
}

/** True for errors that saving would fail with as well; the form shows them. */
const isRefusal = (error: unknown): error is ApiError => error instanceof ApiError && [404, 409, 422].includes(error.status)

/** Dialog with the impact of a change on prices before it is saved. */
export default function ImpactDialog({ to, name, ask, quiet = false, onAnswer, onRefused }: Props) {
  const { t } = useTranslation(['priceImpact', 'common'])
  const asked = useAsked(ask)
  const { data, error } = asked
  const tell = useEffectEvent(onRefused)
  const refused = to !== 'list' && isRefusal(error)
  useEffect(() => {
    if (refused) tell(error)
  }, [refused, error])
  const nothing = quiet && data?.examined.complete === true && nothingChanges(data)
  const goOn = useEffectEvent(() => onAnswer(true))
  useEffect(() => {
    if (nothing) goOn()
  }, [nothing])
  const waited = useWaited(quiet)
  const ofSheet = to === 'prices' || to === 'stockPrices' || to === 'values'
  return (
    <DialogFrame
      title={t(`asking.${to}.title`, { name })}
      open={!nothing && (waited || (data ?? error) != null)}
      onClose={() => onAnswer(false)}
      maxWidth="md"
      fillsPhone
      stacksActions
      content={{ sx: { display: 'flex', flexDirection: 'column', gap: 2 } }}
      actions={
        <>
          <Button color="inherit" onClick={() => onAnswer(false)} ref={ofSheet ? undefined : focusOnMount}>
            {to === 'list' ? t('common:actions.close') : t(`asking.${to}.back`)}
          </Button>
          {to !== 'list' && (
            // focused, so that users who save a sheet by keyboard continue with Enter
            <Button variant="contained" onClick={() => onAnswer(true)} ref={ofSheet ? focusOnMount : undefined}>
              {t(`asking.${to}.action`)}
            </Button>
          )}
        </>
      }
    >
      {to === 'list' && <DialogContentText>{t('about.list')}</DialogContentText>}
      {!refused && <ImpactResult of={asked} optional={to !== 'list'} />}
    </DialogFrame>
  )
}

/** Milliseconds within which an answer usually arrives. */
const PATIENCE = 400

/** True once a message about waiting should be shown. */
function useWaited(quiet: boolean): boolean {
  const [waited, setWaited] = useState(!quiet)
  useEffect(() => {
    const timer = setTimeout(() => setWaited(true), PATIENCE)
    return () => clearTimeout(timer)
  }, [])
  return waited
}
