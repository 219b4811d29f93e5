import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import DialogContentText from '@mui/material/DialogContentText'
import FormControl from '@mui/material/FormControl'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormLabel from '@mui/material/FormLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import Stack from '@mui/material/Stack'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSave } from '~/kit/form/use-save'
import { DialogFrame } from '~/kit/ui/dialog-frame'
import { FormErrors } from '~/kit/ui/form-errors'

interface Proposal {
  /** Name of the user; null if the user has been deleted. */
  by: string | null
  value: string
}

/** Value just sent for review, while values of other users are under review for the same record. */
export interface RowProposals {
  id: number
  title: string
  mine: string
  others: readonly Proposal[]
  refuseMine: () => Promise<unknown>
  refuseOthers: () => Promise<unknown>
}

const CHOICES = ['both', 'mine', 'theirs'] as const
type Choice = (typeof CHOICES)[number]

/**
 * Dialog that lists values of other users under review for the same records, and lets the user withdraw one
 * side. By default all stay under review.
 */
export default function OtherProposals({ proposals, onClose }: { proposals: readonly RowProposals[]; onClose: () => void }) {
  const { t } = useTranslation('spreadsheet')
  const id = useId()
  const [chosen, setChosen] = useState<Readonly<Record<number, Choice>>>({})
  const { submit, error, pending } = useSave({
    async save() {
      for (const proposal of proposals) {
        const choice = chosen[proposal.id] ?? 'both'
        if (choice === 'mine') await proposal.refuseOthers()
        if (choice === 'theirs') await proposal.refuseMine()
      }
    },
    done: onClose,
  })
  const authorOf = ({ by }: Proposal) => by ?? t('proposals.unknown')
  return (
    <DialogFrame
      title={t('proposals.title')}
      pending={pending}
      onClose={onClose}
      actions={
        <Button variant="contained" loading={pending} onClick={() => submit(undefined)}>
          {t('proposals.action')}
        </Button>
      }
    >
      <DialogContentText id={`${id}-about`} sx={{ mb: 2 }}>
        {t('proposals.body')}
      </DialogContentText>
      <FormErrors error={error} />
      <Stack spacing={2.5}>
        {proposals.map((proposal) => (
          <FormControl key={proposal.id}>
            <FormLabel id={`${id}-${proposal.id}`}>{proposal.title}</FormLabel>
            <Box component="ul" sx={{ m: 0, my: 0.5, pl: 2.5, typography: 'body2', overflowWrap: 'anywhere' }}>
              <li>{t('proposals.mine', { value: proposal.mine })}</li>
              {proposal.others.map((other) => (
                <li key={`${authorOf(other)} ${other.value}`}>{t('proposals.other', { name: authorOf(other), value: other.value })}</li>
              ))}
            </Box>
            <RadioGroup
              aria-labelledby={`${id}-${proposal.id}`}
              value={chosen[proposal.id] ?? 'both'}
              onChange={(_, value) => setChosen({ ...chosen, [proposal.id]: value as Choice })}
            >
              {CHOICES.map((choice) => (
                <FormControlLabel key={choice} value={choice} control={<Radio size="small" />} label={t(`proposals.choices.${choice}`)} />
              ))}
            </RadioGroup>
          </FormControl>
        ))}
      </Stack>
    </DialogFrame>
  )
}
