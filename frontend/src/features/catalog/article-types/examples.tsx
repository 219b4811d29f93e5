import Box from '@mui/material/Box'
import FormLabel from '@mui/material/FormLabel'
import Typography from '@mui/material/Typography'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { ArticleTypeExample } from '~/api/schema'
import { useUnitSymbols } from '~/api/units'
import { useFormat } from '~/i18n/use-format'
import { useErrorText } from '~/kit/ui/error-text'

/** Example articles of the type with the names and numbers that the current templates give. */
export function Examples({ examples, error }: { examples: readonly ArticleTypeExample[]; error: unknown }) {
  const { t } = useTranslation('articleTypes')
  const text = useErrorText()
  const symbol = useUnitSymbols()
  const { decimal } = useFormat()
  const id = useId()
  const sample = examples.some((example) => example.article_id === null)
  return (
    <Box role="group" aria-labelledby={id}>
      <FormLabel component="div" id={id}>
        {t('examples.title')}
      </FormLabel>
      <Box aria-live="polite" sx={{ border: 1, borderColor: 'divider', borderRadius: 1, px: 2, py: 1.25, bgcolor: 'action.hover' }}>
        {examples.map((example) => (
          <Box key={example.article_id} sx={{ py: 0.5, overflowWrap: 'anywhere' }}>
            <Typography variant="body2" sx={{ fontWeight: 550 }}>
              {example.article_number || '\u2013'}
            </Typography>
            <Typography variant="body2" color="textSecondary">
              {example.article_name || '\u2013'}
            </Typography>
            {example.piece && (
              <Typography variant="body2" color="textSecondary">
                {t('examples.piece', {
                  piece: `1\u00a0${symbol('piece')}`,
                  quantity: `${decimal(example.piece.amount)}\u00a0${symbol(example.piece.unit)}`,
                })}
              </Typography>
            )}
          </Box>
        ))}
        {(examples.length === 0 || sample) && (
          <Typography variant="caption" color="textSecondary">
            {error ? text(error) : t(sample ? 'examples.sample' : 'examples.none')}
          </Typography>
        )}
      </Box>
    </Box>
  )
}
