/** As `autoFocus` in a dialog, for `ref`: strict mode takes that away again. The focus is there as soon as the element is seen. */
export const focus = (element: HTMLElement | null) => element?.focus()
