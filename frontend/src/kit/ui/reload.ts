let reloading = false

/** True while the page reloads with its drafts saved, so that no guard asks to leave. */
export const isReloading = () => reloading

/** Reloads the page; open forms save their input as drafts. */
export function reload(): void {
  reloading = true
  location.reload()
  // if the reload does not happen, guards ask again
  setTimeout(() => {
    reloading = false
  }, 1000)
}
