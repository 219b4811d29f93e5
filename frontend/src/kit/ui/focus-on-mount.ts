/**
 * Ref that focuses an element in a dialog as soon as it is mounted; strict mode breaks `autoFocus` there.
 */
export const focusOnMount = (element: HTMLElement | null) => element?.focus()
