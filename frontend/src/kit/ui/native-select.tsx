import MuiNativeSelect, { type NativeSelectProps } from '@mui/material/NativeSelect'
import OutlinedInput from '@mui/material/OutlinedInput'

const input = <OutlinedInput />

/** A choice by the browser's own means; MUI's Select would bring its own list along. */
export const NativeSelect = (props: NativeSelectProps) => <MuiNativeSelect variant="outlined" input={input} {...props} />
