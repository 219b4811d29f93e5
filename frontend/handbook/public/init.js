// Runs before the first paint: applies the interface's colour scheme by its storage key, and marks Macs for
// the keys of the search.
;(() => {
  const { classList } = document.documentElement
  let mode = 'system'
  try {
    mode = localStorage.getItem('stalhof-mode') || 'system'
  } catch {
    // storage may be blocked
  }
  const scheme = matchMedia('(prefers-color-scheme: dark)')
  const apply = () => classList.toggle('dark', mode === 'dark' || (mode === 'system' && scheme.matches))
  apply()
  scheme.addEventListener('change', apply)
  classList.toggle('mac', /Mac|iPhone|iPod|iPad/i.test(navigator.platform))
})()
