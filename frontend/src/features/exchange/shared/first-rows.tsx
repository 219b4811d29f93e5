import Box from '@mui/material/Box'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableContainer from '@mui/material/TableContainer'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import Typography from '@mui/material/Typography'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { ImportInspection } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'

interface Props {
  inspection: ImportInspection
  /** Field that each column is mapped to. */
  fields: readonly (string | null)[]
  nameOf: (at: number) => string
}

/** First rows of the file as an import would read them. */
export function FirstRows({ inspection, fields, nameOf }: Props) {
  const { t } = useTranslation('imports')
  const format = useFormat()
  const id = useId()
  const label = (key: string | null) => inspection.fields.find((field) => field.key === key)?.label ?? null
  return (
    <Box>
      <Typography variant="body2" color="textSecondary" id={id} sx={{ mb: 1 }}>
        {t('wizard.firstRows', { count: inspection.sample_lines.length })}
      </Typography>
      <TableContainer
        role="region"
        aria-labelledby={id}
        tabIndex={0}
        sx={{ border: 1, borderColor: 'divider', borderRadius: 1, maxHeight: 280 }}
      >
        <Table size="small" stickyHeader sx={{ '& td, & th': { whiteSpace: 'nowrap' } }}>
          <TableHead>
            <TableRow>
              <TableCell align="right">{t('errors.line')}</TableCell>
              {inspection.columns.map((_, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the columns of a file stay where they are
                <TableCell key={at}>
                  {nameOf(at)}
                  <Typography variant="caption" component="div" color="textSecondary">
                    {label(fields[at] ?? null) ?? '–'}
                  </Typography>
                </TableCell>
              ))}
            </TableRow>
          </TableHead>
          <TableBody sx={{ '& tr:last-of-type > *': { borderBottom: 0 } }}>
            {inspection.sample_lines.map((line, row) => (
              <TableRow key={line}>
                <TableCell component="th" scope="row" align="right">
                  {format.decimal(line)}
                </TableCell>
                {inspection.columns.map(({ samples }, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the columns of a file stay where they are
                  <TableCell key={at}>{samples[row] ?? ''}</TableCell>
                ))}
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </TableContainer>
    </Box>
  )
}
