// Runs before the first paint so that a dark page never flashes white. The keys are those of src/theme/theme.ts and src/i18n.
;(() => {
  const root = document.documentElement
  let mode = 'system'
  try {
    mode = localStorage.getItem('stalhof-mode') || 'system'
    if (localStorage.getItem('Language') === 'en') root.lang = 'en'
  } catch {
    // storage may be blocked
  }
  const dark = mode === 'dark' || (mode === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
  root.setAttribute('data-mode', dark ? 'dark' : 'light')
})()
