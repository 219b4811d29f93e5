import Checkbox from '@mui/material/Checkbox'

interface Props {
  label: string
  checked: boolean
  indeterminate?: boolean
  /** Called with `range` true if the shift key is pressed. */
  onChange: (range: boolean) => void
}

export function SelectBox({ label, checked, indeterminate = false, onChange }: Props) {
  return (
    <Checkbox
      size="small"
      checked={checked}
      indeterminate={indeterminate}
      onClick={(event) => event.stopPropagation()}
      onMouseDown={(event) => {
        // the shift key selects a range of rows, not text
        if (event.shiftKey) event.preventDefault()
      }}
      onChange={(event) => onChange((event.nativeEvent as MouseEvent).shiftKey)}
      slotProps={{ input: { 'aria-label': label } }}
      sx={{ p: 0.5, m: -0.5, alignSelf: 'flex-start' }}
    />
  )
}
