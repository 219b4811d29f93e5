// Runs before the first paint, so that no page flashes in another colour or from the wrong side. The keys are those of src/theme and src/i18n.
;(() => {
  const root = document.documentElement
  let mode = 'system'
  try {
    mode = localStorage.getItem('stalhof-mode') || 'system'
    if (localStorage.getItem('Language') === 'en') root.lang = 'en'
    const { canvas, direction } = JSON.parse(localStorage.getItem('layout') || '{}')
    if (direction === 'rtl') root.dir = 'rtl'
    for (const [at, name] of ['--canvas-light', '--canvas-dark'].entries()) {
      if (/^#[0-9a-f]{6}$/.test(canvas?.[at])) root.style.setProperty(name, canvas[at])
    }
  } catch {
    // storage may be blocked, or hold something else
  }
  const dark = mode === 'dark' || (mode === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
  root.setAttribute('data-mode', dark ? 'dark' : 'light')
})()
