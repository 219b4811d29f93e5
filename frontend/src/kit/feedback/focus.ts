/** As `autoFocus` in a dialog, for `ref`: strict mode takes that away again. */
export const focus = (element: HTMLElement | null) => element?.focus()
