let isPressed = false
let releaseTimer: ReturnType<typeof setTimeout> | undefined
const waiting: (() => void)[] = []

function press() {
  clearTimeout(releaseTimer)
  isPressed = true
}

function release() {
  isPressed = false
  for (const run of waiting.splice(0)) run()
}

window.addEventListener('mousedown', press, true)
for (const end of ['mouseup', 'dragend']) {
  // the click event follows right after
  window.addEventListener(end, () => (releaseTimer = setTimeout(release)), true)
}

/**
 * Runs `run` when no mouse button is down. Leaving a field with the mouse blurs it on `mousedown`; a layout
 * change before the release would make the click miss its target.
 */
export function afterPointerUp(run: () => void): void {
  if (isPressed) waiting.push(run)
  else run()
}
