import MuiNativeSelect, { type NativeSelectProps } from '@mui/material/NativeSelect'
import OutlinedInput from '@mui/material/OutlinedInput'

const input = <OutlinedInput />

/** Native select; MUI's own would bring a list of its own. */
export const NativeSelect = (props: NativeSelectProps) => <MuiNativeSelect variant="outlined" input={input} {...props} />
