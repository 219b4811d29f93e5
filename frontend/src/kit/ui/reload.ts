let reloading = false

/** Whether the page is being loaded anew, and what can be kept is kept: then nobody is asked whether to leave. */
export const isReloading = () => reloading

/** Loads the page anew; open forms keep what was typed. */
export function reload(): void {
  reloading = true
  location.reload()
  // who stays after all is asked again next time
  setTimeout(() => {
    reloading = false
  }, 1000)
}
