import Button from '@mui/material/Button'
import DialogContentText from '@mui/material/DialogContentText'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '~/api/errors'
import { DialogFrame } from '~/kit/ui/dialog-frame'
import { focusOnMount } from '~/kit/ui/focus-on-mount'
import { ImpactResult } from './impact-result'
import { nothingChanges } from './nothing-changes'
import type { ImpactQuestion } from './use-impact'
import { useImpactQuery } from './use-impact-query'

interface Props extends ImpactQuestion {
  onAnswer: (isConfirmed: boolean) => void
  onRefused: (error: ApiError) => void
}

/** True for errors that saving would fail with as well; the form shows them. */
const isRefusal = (error: unknown): error is ApiError => error instanceof ApiError && [404, 409, 422].includes(error.status)

/** Dialog with the impact of a change on prices before it is saved. */
export default function ImpactDialog({ changeKind, name, request, skipsIfUnchanged = false, onAnswer, onRefused }: Props) {
  const { t } = useTranslation(['priceImpact', 'common'])
  const query = useImpactQuery(request)
  const { data, error } = query
  const reportRefusal = useEffectEvent(onRefused)
  const refused = changeKind !== 'list' && isRefusal(error)
  useEffect(() => {
    if (refused) reportRefusal(error)
  }, [refused, error])
  const isUnchanged = skipsIfUnchanged && data?.examined.complete === true && nothingChanges(data)
  const accept = useEffectEvent(() => onAnswer(true))
  useEffect(() => {
    if (isUnchanged) accept()
  }, [isUnchanged])
  const isSlow = useIsSlow(skipsIfUnchanged)
  const isSheet = changeKind === 'prices' || changeKind === 'stockPrices' || changeKind === 'values'
  return (
    <DialogFrame
      title={t(`asking.${changeKind}.title`, { name })}
      open={!isUnchanged && (isSlow || (data ?? error) != null)}
      onClose={() => onAnswer(false)}
      maxWidth="md"
      fullScreenOnPhone
      stacksActions
      content={{ sx: { display: 'flex', flexDirection: 'column', gap: 2 } }}
      actions={
        <>
          <Button color="inherit" onClick={() => onAnswer(false)} ref={isSheet ? undefined : focusOnMount}>
            {changeKind === 'list' ? t('common:actions.close') : t(`asking.${changeKind}.back`)}
          </Button>
          {changeKind !== 'list' && (
            // focused, so that users who save a sheet by keyboard continue with Enter
            <Button variant="contained" onClick={() => onAnswer(true)} ref={isSheet ? focusOnMount : undefined}>
              {t(`asking.${changeKind}.action`)}
            </Button>
          )}
        </>
      }
    >
      {changeKind === 'list' && <DialogContentText>{t('about.list')}</DialogContentText>}
      {!refused && <ImpactResult query={query} optional={changeKind !== 'list'} />}
    </DialogFrame>
  )
}

/** Milliseconds within which an answer usually arrives. */
const SLOW_AFTER_MS = 400

/** True once a message about waiting should be shown. */
function useIsSlow(skipsIfUnchanged: boolean): boolean {
  const [isSlow, setIsSlow] = useState(!skipsIfUnchanged)
  useEffect(() => {
    const timer = setTimeout(() => setIsSlow(true), SLOW_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  return isSlow
}
