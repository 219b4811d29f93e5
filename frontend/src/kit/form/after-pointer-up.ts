let pressed = false
let ending: ReturnType<typeof setTimeout> | undefined
const waiting: (() => void)[] = []

function press() {
  clearTimeout(ending)
  pressed = true
}

function release() {
  pressed = false
  for (const act of waiting.splice(0)) act()
}

window.addEventListener('mousedown', press, true)
for (const end of ['mouseup', 'dragend']) {
  // the click event follows right after
  window.addEventListener(end, () => (ending = setTimeout(release)), true)
}

/**
 * Runs `act` when no mouse button is down. Leaving a field with the mouse blurs it on `mousedown`; a layout
 * change before the release would make the click miss its target.
 */
export function afterPointerUp(act: () => void): void {
  if (pressed) waiting.push(act)
  else act()
}
